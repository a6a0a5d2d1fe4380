// Compare methods: what models learn from releases of this very table, by method, with intervals.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { download, get } from "../api.ts";
import { Dots } from "../charts.tsx";
import { Card, Head, Note, Segments } from "../parts.tsx";
import { PlanBar } from "../shell.tsx";
import { attempt, columnsWith, fail, isOutdated, isOver, k, latest, loadRuns, options, plan, start, table, task, values, wasAskedFor } from "../state.ts";
import { figure, methodName, metricName, percent } from "../words.ts";
import { Progress } from "./run.tsx";

export interface Line { learner: string; method: string; k: number; l: number; seeds: number; mean: number; low: number; high: number; ratio_to_raw: number; accuracy: number; ncp: number; difference: number | null; p: number | null; against_baseline: string; problem: string }
export interface Found { metric: string; baseline: string; seeds: number; summary: Line[] }
const found = signal<Record<string, Found>>({});
const picked = signal<string[]>(["mondrian", "ta_da"]);
const seeds = signal("3");
const learner = signal("");

export function CompareMethods() {
  useEffect(() => { void loadRuns(); }, []);
  const job = latest("evaluate"), result = job ? found.value[job.id] : undefined, label = columnsWith("label").length > 0;
  useEffect(() => { if (job?.state === "done" && !result) get<Found>(`/api/jobs/${job.id}/result`).then((f) => { found.value = { ...found.value, [job.id]: f }; }).catch(fail); }, [job?.id, job?.state]);
  const methods = (options.value?.methods ?? []).filter((m) => m.name !== "auto" && (m.name !== "levels" || values.value["levels"]) && (!m.tasks.length || m.tasks.includes(task.value)));
  const l = Number(values.value["l"] ?? 1) || 1, chosen = picked.value.filter((name) => methods.some((m) => m.name === name));  // of those that this task has
  const body = () => { const { method: _, k: __, l: ___, ...rest } = plan.value.values; return { kind: "evaluate", table: table.value!.id, plan: { ...plan.value, values: rest }, options: { methods: ["raw", ...chosen], k: [String(k.value)], ...(l > 1 ? { l: [String(l)] } : {}), seeds: seeds.value } }; };
  const command = `tada evaluate ${table.value!.file} --plan tada.toml --report evaluate.html --json --methods=raw,${chosen.join(",")} --k=${k.value}${l > 1 ? ` --l=${l}` : ""} --seeds=${seeds.value}`;
  const inOrder = (words: string): string => words.split(" ").sort().join(" "), ran = job && inOrder(job.command) === inOrder(command) && !isOutdated(job, ["method", "k", "l"]);  // or the choice is another by now
  const learners = [...new Set(result?.summary.map((s) => s.learner) ?? [])], shown = learners.includes(learner.value) ? learner.value : learners[0] ?? "";
  const lines = (result?.summary ?? []).filter((s) => s.learner === shown && !s.problem), raw = lines.find((s) => s.method === "raw"), others = lines.filter((s) => s.method !== "raw");
  return <>
    <Head title="Which method keeps most of what you need?" act={result ? <button class="btn" onClick={() => attempt(() => download(job!.id, "evaluate.html"))}>Report</button> : undefined}>
      Models are trained on a release of some of the rows and tested on the raw others, several times. The requirement is yours; only the method differs.</Head>
    <div class="cols"><div class="stack-l">
      {!label && task.value !== "clustering" && <Note><p>Models need a label to predict. <a href="#/columns">Choose one</a>, or say that <a href="#/method">somebody looks for groups</a>.</p></Note>}
      {result && (isOutdated(job!, ["method", "k", "l"]) || !wasAskedFor(job!, k.value, l)) && <Note><p><b>Roles or requirement have changed since this comparison.</b> Compare again to see what holds now.</p></Note>}
      {result ? <Card title={`${metricName(result.metric)} on raw test rows, k = ${others[0]?.k ?? k.value}`} aside={<Segments name="learner" label="Model" value={shown} choices={learners.map((x) => [x, x] as [string, string])} onPick={(x) => { learner.value = x; }} />}>
        <figure><Dots rows={others.map((s) => ({ name: methodName(s.method), mean: s.mean, low: Math.max(s.low, s.mean - .25), high: Math.min(s.high, s.mean + .25), main: s.mean === Math.max(...others.map((o) => o.mean)) }))} reference={raw?.mean ?? null} referenceName="raw table" axis={metricName(result.metric)} /></figure>
        <p class="small faint">Lines: 95% intervals over {result.seeds} splits{result.seeds < 5 ? "; with so few they are wide (cut at .25), and nothing is certain" : ""}.</p>
        <div class="scroll" tabIndex={0} role="region" aria-label="Methods in figures"><table class="tight"><thead><tr><th scope="col">Method</th><th scope="col" class="num">{metricName(result.metric)}</th><th scope="col" class="num">95% interval</th><th scope="col" class="num">Of the raw table's</th><th scope="col" class="num">Lost (NCP)</th><th scope="col" class="num">Beside {methodName(result.baseline)}, split by split</th></tr></thead>
          <tbody>{lines.map((s) => <tr><th scope="row">{methodName(s.method)}</th><td class="num"><b>{figure(s.mean)}</b></td><td class="num dim">{figure(s.low)} to {figure(s.high)}</td><td class="num">{s.method === "raw" ? "" : percent(s.ratio_to_raw, 0)}</td><td class="num">{percent(s.ncp)}</td><td class="num">{s.difference === null ? "" : <>{s.difference > 0 ? "+" : ""}{figure(s.difference)}{s.p !== null && <span class="faint"> p = {figure(s.p)}</span>}</>}</td></tr>)}</tbody></table></div>
        {(result.summary ?? []).filter((s) => s.problem).slice(0, 3).map((s) => <Note><p>{s.method}: {s.problem}</p></Note>)}
      </Card> : job && !isOver(job) ? <Card title="Comparing"><Progress id={job.id} /></Card> : job?.state === "failed" ? <Card title="It did not work"><Progress id={job.id} /></Card> : <Card title="Nothing was compared yet"><p class="dim">Choose methods and start. Each is given the same rows and your requirement; models learn from its release and are asked about raw rows they have not seen. You get a mark with its interval for every method, the raw table as a dashed line, and the differences, split by split.</p></Card>}
    </div>
    <Card title="What to compare"><fieldset class="checks"><legend class="vh">Methods</legend>{methods.map((m) => <label class="check" title={m.summary}><input type="checkbox" checked={picked.value.includes(m.name)} onChange={(e) => { picked.value = e.currentTarget.checked ? [...picked.value, m.name] : picked.value.filter((x) => x !== m.name); }} />{methodName(m.name)}</label>)}</fieldset>
      <label class="field"><span>Repeat</span><select value={seeds.value} onChange={(e) => { seeds.value = e.currentTarget.value; }}><option value="3">3 times, quick</option><option value="10">10 times</option><option value="30">30 times, for a paper</option></select></label>
      <button class="btn pri" disabled={!chosen.length || (!label && task.value !== "clustering") || (!!job && !isOver(job))} onClick={() => start(body())}>Compare</button></Card></div>
    {ran ? <PlanBar job={job} /> : <PlanBar command={command} />}
  </>;
}

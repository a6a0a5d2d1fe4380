// Compare methods: what models learn from releases of this very table, by method, with intervals.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { download, get } from "../api.ts";
import { Dots } from "../charts.tsx";
import { Card, Chart, Head, Note, Segments } from "../parts.tsx";
import { PlanBar } from "../shell.tsx";
import { attempt, columnsWith, fail, isOver, k, loadRuns, options, plan, runs, start, table, values } from "../state.ts";
import { figure, percent } from "../words.ts";
import { Progress } from "./run.tsx";

interface Line { learner: string; method: string; k: number; l: number; seeds: number; mean: number; low: number; high: number; ratio_to_raw: number; accuracy: number; ncp: number; difference: number | null; p: number | null; against_baseline: string; problem: string }
interface Found { metric: string; baseline: string; seeds: number; summary: Line[] }
const found = signal<Record<string, Found>>({});
const picked = signal<string[]>(["mondrian", "ta_da"]);
const seeds = signal("3");
const learner = signal("");

export function CompareMethods() {
  useEffect(() => { void loadRuns(); }, []);
  const job = runs.value.find((j) => j.kind === "evaluate" && j.table === table.value?.id), result = job ? found.value[job.id] : undefined, label = columnsWith("label").length > 0;
  useEffect(() => { if (job?.state === "done" && !result) get<Found>(`/api/jobs/${job.id}/result`).then((f) => { found.value = { ...found.value, [job.id]: f }; }).catch(fail); }, [job?.id, job?.state]);
  const task = String(values.value["task"] ?? ""), methods = (options.value?.methods ?? []).filter((m) => m.name !== "auto" && (!m.tasks.length || !task || m.tasks.includes(task)));
  const l = Number(values.value["l"] ?? 1) || 1;
  const body = () => { const { method: _, k: __, l: ___, ...rest } = plan.value.values; return { kind: "evaluate", table: table.value!.id, plan: { ...plan.value, values: rest }, options: { methods: ["raw", ...picked.value], k: [String(k.value)], ...(l > 1 ? { l: [String(l)] } : {}), seeds: seeds.value } }; };
  const command = `tada evaluate ${table.value!.file} --plan tada.toml --report evaluate.html --json --methods=raw,${picked.value.join(",")} --k=${k.value}${l > 1 ? ` --l=${l}` : ""} --seeds=${seeds.value}`;
  const learners = [...new Set(result?.summary.map((s) => s.learner) ?? [])], shown = learners.includes(learner.value) ? learner.value : learners[0] ?? "";
  const lines = (result?.summary ?? []).filter((s) => s.learner === shown && !s.problem), raw = lines.find((s) => s.method === "raw"), others = lines.filter((s) => s.method !== "raw");
  return <>
    <Head title="Which method keeps most of what you need?" act={result ? <button class="btn" onClick={() => attempt(() => download(job!.id, "evaluate.html"))}>Report</button> : undefined}>
      Models are trained on a release of some of the rows and tested on the raw others, several times. The requirement is yours; only the method differs.</Head>
    <div class="cols"><div class="stack-l">
      {!label && task !== "clustering" && <Note><p>Models need a label to predict. <a href="#/columns">Choose one</a>, or set the task to clustering.</p></Note>}
      {result ? <Card title={`${result.metric.replace("_", " ")} on raw test rows, k = ${others[0]?.k ?? k.value}`} aside={<Segments name="learner" label="Model" value={shown} choices={learners.map((x) => [x, x] as [string, string])} onPick={(x) => { learner.value = x; }} />}>
        <Chart label="Methods" columns={["Method", result.metric, "low", "high", "loss", `beside ${result.baseline}`]} rows={lines.map((s) => [s.method, figure(s.mean), figure(s.low), figure(s.high), percent(s.ncp), s.difference === null ? "" : (s.difference > 0 ? "+" : "") + figure(s.difference)])}>
          <Dots rows={others.map((s) => ({ name: s.method, mean: s.mean, low: Math.max(s.low, s.mean - .25), high: Math.min(s.high, s.mean + .25), main: s.mean === Math.max(...others.map((o) => o.mean)) }))} reference={raw?.mean ?? null} referenceName="raw table" axis={result.metric.replace("_", " ")} /></Chart>
        <p class="small faint">Lines: 95% intervals over {result.seeds} splits{result.seeds < 5 ? "; with so few they are wide (cut at .25), and nothing is certain" : ""}.</p>
        {others.some((s) => s.difference !== null) && <ul class="stack-s">{others.filter((s) => s.difference !== null).map((s) => <li>{s.method}: {s.difference! > 0 ? "+" : ""}{figure(s.difference!)} beside {result.baseline}, split by split{s.p !== null ? `; p = ${figure(s.p)}` : ""}</li>)}</ul>}
        {(result.summary ?? []).filter((s) => s.problem).slice(0, 3).map((s) => <Note><p>{s.method}: {s.problem}</p></Note>)}
      </Card> : job && !isOver(job) ? <Card title="Comparing"><Progress id={job.id} /></Card> : job?.state === "failed" ? <Card title="It did not work"><Progress id={job.id} /></Card> : <Card title="Nothing was compared yet"><p class="dim">Choose methods and start: every figure comes from releases made for it.</p></Card>}
    </div>
    <Card title="What to compare"><fieldset class="stack-s"><legend class="vh">Methods</legend>{methods.map((m) => <label class="check" title={m.summary}><input type="checkbox" checked={picked.value.includes(m.name)} onChange={(e) => { picked.value = e.currentTarget.checked ? [...picked.value, m.name] : picked.value.filter((x) => x !== m.name); }} />{m.name}</label>)}</fieldset>
      <label class="field"><span>Repeat</span><select value={seeds.value} onChange={(e) => { seeds.value = e.currentTarget.value; }}><option value="3">3 times, quick</option><option value="10">10 times</option><option value="30">30 times, for a paper</option></select></label>
      <button class="btn pri" disabled={!picked.value.length || (!label && task !== "clustering") || (!!job && !isOver(job))} onClick={() => start(body())}>Compare</button></Card></div>
    <PlanBar command={job?.command ?? command} />
  </>;
}

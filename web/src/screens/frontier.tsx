// Frontier: one, over everything that can be released: whole-column rules (circles) and group-wise methods (diamonds).
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { download, get, type Job } from "../api.ts";
import { ticks } from "../charts.tsx";
import { Card, Head, Meter, Note, Segments } from "../parts.tsx";
import { PlanBar } from "../shell.tsx";
import { accepted, attempt, columnsWith, fail, go, isOver, k, loadRuns, plan, runs, start, table } from "../state.ts";
import { capital, count, cut, figure, percent } from "../words.ts";
import { Progress } from "./run.tsx";

interface Rule { id: string; levels: Record<string, number>; words: string; k: number; accuracy: number; information_gain: number; frontier: boolean; tree_accuracy?: number; svm_accuracy?: number }
interface Advice {
  label: string; rows: number; accuracy_without_columns: number; raw_tree_accuracy?: number; columns: { name: string; labels_by_level: number[] }[];
  rules: Rule[]; baselines: { method: string; asked_k: number; k: number; classes: number; accuracy: number; information_gain: number }[];
}
interface Candidate { id: string; name: string; words: string; k: number; accuracy: number; gain: number; tree?: number; svm?: number; rule?: Rule; method?: string; asked?: number; on: boolean }
type Measure = "accuracy" | "tree" | "svm" | "gain";
const kMeasures: [Measure, string][] = [["accuracy", "Accuracy"], ["tree", "Decision tree"], ["svm", "Vector machine"], ["gain", "Information gain"]];

const found = signal<Record<string, Advice>>({});
const measure = signal<Measure>("accuracy");
const beaten = signal(true), groupWise = signal(true), asTable = signal(false), onlyDiffers = signal(true);
const leastK = signal<number | null>(null), least = signal(0);
const chosen = signal<string[]>([]);  // A, B, C; empty: the good places

const valueOf = (c: Candidate): number | undefined => measure.value === "gain" ? c.gain : measure.value === "tree" ? c.tree ?? (c.rule ? undefined : c.accuracy) : measure.value === "svm" ? c.svm ?? (c.rule ? undefined : c.accuracy) : c.accuracy;
const show = (x: number): string => measure.value === "gain" ? figure(x) : percent(x);

function candidatesOf(advice: Advice): Candidate[] {
  const all: Candidate[] = advice.rules.map((r) => ({ id: r.id, name: `Rule ${r.id}`, words: capital(r.words), k: r.k, accuracy: r.accuracy, gain: r.information_gain, tree: r.tree_accuracy, svm: r.svm_accuracy, rule: r, on: false }));
  for (const b of advice.baselines) all.push({ id: `${b.method}-k${b.asked_k}`, name: `${capital(b.method)}, k = ${b.k}`, words: `All columns, each of the ${count(b.classes)} groups with cells of its own.`, k: b.k, accuracy: b.accuracy, gain: b.information_gain, method: b.method, asked: b.asked_k, on: false });
  return all;
}
/** Marks what nothing beats: no other has at least the k and at least the value, and more of one. */
function frontierOf(all: Candidate[]): Candidate[] {
  const with_value = all.filter((c) => valueOf(c) !== undefined).sort((a, b) => b.k - a.k || valueOf(b)! - valueOf(a)!);
  let best = -Infinity;
  const kept: Candidate[] = [];
  for (const c of with_value) if (valueOf(c)! > best) { best = valueOf(c)!; kept.push(c); }
  return kept.reverse();
}

function Plot({ advice, all, letters }: { advice: Advice; all: Candidate[]; letters: Map<string, string> }) {
  const width = 820, height = 400, left = 52, right = 14, top = 34, bottom = 54;
  const shown = all.filter((c) => valueOf(c) !== undefined && (groupWise.value || !c.method)), need = leastK.value ?? k.value;
  const guess = measure.value === "gain" ? 0 : advice.accuracy_without_columns, raw = measure.value === "gain" ? null : advice.raw_tree_accuracy ?? null;
  const ys = shown.map((c) => valueOf(c)!).concat([guess], raw === null ? [] : [raw]), pad = (Math.max(...ys) - Math.min(...ys)) * .08 || .01;
  const low = Math.min(...ys) - pad, high = Math.max(...ys) + pad, most = Math.max(10, ...shown.map((c) => c.k)), least_k = Math.min(2, ...shown.map((c) => c.k));
  const x = (n: number) => left + (width - left - right) * Math.log(Math.max(n, least_k) / least_k) / Math.log(most * 1.15 / least_k), y = (v: number) => height - bottom - (height - top - bottom) * (v - low) / (high - low);
  const joint = frontierOf(shown), rules = frontierOf(shown.filter((c) => c.rule)), on = new Set(joint.map((c) => c.id)), onRules = new Set(rules.map((c) => c.id));
  const path = (line: Candidate[]) => line.length ? `M${x(least_k)} ${y(valueOf(line[0]!)!)}` + line.map((c, i) => `H${x(c.k)}` + (line[i + 1] ? `V${y(valueOf(line[i + 1]!)!)}` : `V${y(Math.max(low, guess))}`)).join("") : "";
  const kTicks = [2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000].filter((n) => n >= least_k && n <= most * 1.15);
  const pick = (id: string) => { const now = [...letters.keys()]; if (!now.includes(id)) chosen.value = [id, ...now].slice(0, 3); };
  return <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="group" aria-label={`${kMeasures.find(([m]) => m === measure.value)![1]} against k; ${shown.length} releases; the same as a table on request`}>
    <text x={left} y="14">↑ {measure.value === "gain" ? `Bits that tell ${cut(advice.label, 30)}` : `Accuracy of predicting ${cut(advice.label, 30)}`}</text>
    {need > least_k && <g><rect class="shade" x={x(least_k)} y={top} width={Math.max(0, x(need) - x(least_k))} height={height - top - bottom} /><text x={x(least_k) + 6} y={top + 14}>{x(need) - x(least_k) > 120 ? "Below the k you need" : ""}</text></g>}
    {ticks(low, high, 5).map((t) => <g><line class="grid" x1={left} x2={width - right} y1={y(t)} y2={y(t)} /><text x={left - 8} y={y(t) + 4} text-anchor="end">{measure.value === "gain" ? figure(t, 2) : percent(t, 0)}</text></g>)}
    {kTicks.map((n) => <g><line class="axis" x1={x(n)} x2={x(n)} y1={height - bottom} y2={height - bottom + 4} /><text x={x(n)} y={height - bottom + 18} text-anchor="middle">{count(n)}</text></g>)}
    <line class="axis" x1={left} x2={width - right} y1={height - bottom} y2={height - bottom} />
    <text x={width - right} y={height - 14} text-anchor="end">k: people who look alike, at least →</text>
    {raw !== null && <g><line class="ref" x1={left} x2={width - right} y1={y(raw)} y2={y(raw)} /><text class="ink2" x={width - right} y={y(raw) - 6} text-anchor="end">raw table, a tree: {show(raw)}</text></g>}
    <line class="ref" x1={left} x2={width - right} y1={y(guess)} y2={y(guess)} /><text class="ink2" x={width - right} y={y(guess) + 15} text-anchor="end">{measure.value === "gain" ? "nothing" : `always guessing the commonest: ${show(guess)}`}</text>
    <path class="front2" d={path(rules)} /><path class="front" d={path(joint)} />
    {shown.filter((c) => beaten.value || on.has(c.id) || onRules.has(c.id)).map((c) => {
      const cx = x(c.k), cy = y(valueOf(c)!), letter = letters.get(c.id), title = `${c.name}: k ${count(c.k)}, ${show(valueOf(c)!)}`;
      const props = { tabIndex: 0, role: "button", "aria-label": title, onClick: () => pick(c.id), onKeyDown: (e: KeyboardEvent) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); pick(c.id); } } } as const;
      if (letter) return <g key={c.id}><circle class="m pick" cx={cx} cy={cy} r="10" {...props}><title>{title}</title></circle><text class="on" x={cx} y={cy + 4} aria-hidden="true">{letter}</text></g>;
      if (c.method) return <path key={c.id} class="m base" d={`M${cx} ${cy - 6.500}l6.500 6.500l-6.500 6.500l-6.500 -6.500z`} {...props}><title>{title}</title></path>;
      return <circle key={c.id} class={"m " + (onRules.has(c.id) ? "rule" : "rest")} cx={cx} cy={cy} r={onRules.has(c.id) ? 5 : 4} {...props}><title>{title}</title></circle>;
    })}
  </svg>;
}

function goodPlaces(all: Candidate[]): [string, string, Candidate][] {
  const need = leastK.value ?? k.value, within = all.filter((c) => c.k >= need && valueOf(c) !== undefined && valueOf(c)! >= least.value);
  const places: [string, string, Candidate][] = [];
  const add = (name: string, words: string, c: Candidate | undefined) => { if (c && !places.some(([, , other]) => other.id === c.id)) places.push([name, words, c]); };
  const best = (list: Candidate[], of: (c: Candidate) => number) => list.reduce<Candidate | undefined>((top, c) => !top || of(c) > of(top) ? c : top, undefined);
  add("Most useful", "The best that a model does within your limits.", best(within, (c) => valueOf(c)! + c.k * 1e-9));
  add("Cautious", "The largest k within your limits.", best(within.filter((c) => valueOf(c)! > Math.min(...within.map((w) => valueOf(w)!))), (c) => c.k));
  add("Tells most by rule", "The most information of the rules that hold for whole columns.", best(within.filter((c) => c.rule), (c) => c.gain));
  return places;
}

async function releaseOf(job: Job, c: Candidate): Promise<void> {
  const made = c.rule ? await start({ kind: "choose", after: job.id, id: c.id })
    : await start({ kind: "anonymize", table: job.table, plan: { ...(job.about.plan ?? plan.value), values: { ...(job.about.plan ?? plan.value).values, method: c.method!, k: String(c.asked) } } });
  if (made) { accepted.value = Math.max(3, accepted.value); go("run", made.id); }
}

function Compare({ job, advice, all, letters }: { job: Job; advice: Advice; all: Candidate[]; letters: Map<string, string> }) {
  const picked = [...letters].map(([id, letter]) => ({ letter, c: all.find((x) => x.id === id)! })).filter((p) => p.c);
  if (!picked.length) return null;
  const best = (of: (c: Candidate) => number) => Math.max(...picked.map((p) => of(p.c)));
  const bar = (of: (c: Candidate) => number, words: (x: number) => string, top: number) => picked.map(({ c }) => <td><div class="row"><b class={of(c) === best(of) ? "met-ink" : ""}>{words(of(c))}</b><div class="grow"><Meter share={of(c) / top} /></div></div></td>);
  const levels = advice.columns.filter((column) => !onlyDiffers.value || new Set(picked.map(({ c }) => c.method ? "group" : String(c.rule!.levels[column.name] ?? "top"))).size > 1);
  return <section class="card scroll" tabIndex={0} role="region" aria-label="Compare"><table class="cmp"><thead><tr><th scope="col"><h2>Compare</h2><label class="check small"><input type="checkbox" checked={onlyDiffers.value} onChange={(e) => { onlyDiffers.value = e.currentTarget.checked; }} />Only what differs</label></th>
    {picked.map(({ letter, c }) => <th scope="col"><div class="stack-s"><div class="row"><span class="letter">{letter}</span><h2>{c.name}</h2></div><p class="dim wrap">{cut(c.words, 160)}</p><button class={"btn sm" + (letter === "A" ? " pri" : "")} onClick={() => releaseOf(job, c)}>Release {letter}…</button></div></th>)}</tr></thead>
    <tbody><tr><th scope="colgroup" colSpan={picked.length + 1} class="sec">Anonymity</th></tr>
      <tr><th scope="row">Smallest group, k</th>{picked.map(({ c }) => <td><b class={c.k === best((x) => x.k) ? "met-ink" : ""}>{count(c.k)}</b></td>)}</tr>
      <tr><th scope="row">Easiest person to find</th>{picked.map(({ c }) => <td>1 in {count(c.k)}</td>)}</tr>
      <tr><th scope="colgroup" colSpan={picked.length + 1} class="sec">Usefulness</th></tr>
      <tr><th scope="row">Accuracy</th>{bar((c) => c.accuracy, percent, 1)}</tr>
      <tr><th scope="row">Information gain, bits</th>{bar((c) => c.gain, (x) => figure(x), Math.max(1e-9, ...all.map((c) => c.gain)))}</tr>
      <tr><th scope="row">Can be written as a rule</th>{picked.map(({ c }) => <td>{c.rule ? "yes" : "no"}</td>)}</tr>
      <tr><th scope="colgroup" colSpan={picked.length + 1} class="sec">What is released of each column</th></tr>
      {levels.slice(0, 40).map((column) => <tr><th scope="row" class="wrap">{cut(column.name, 40)}</th>{picked.map(({ c }) => {
        const top = column.labels_by_level.length - 1, level = c.rule?.levels[column.name];
        if (c.method) return <td class="dim">widened in each group</td>;
        if (level === undefined || level >= top) return <td class="faint">not released</td>;
        return <td><span class="pips" aria-hidden="true">{Array.from({ length: top }, (_, i) => <i class={i < level ? "on" : ""} />)}</span>{level === 0 ? "as it is" : `level ${level} of ${top}, ${count(column.labels_by_level[level]!)} different`}</td>;
      })}</tr>)}
    </tbody></table></section>;
}

export function Frontier() {
  useEffect(() => { void loadRuns(); }, []);
  const job = runs.value.find((j) => j.kind === "advise" && j.table === table.value?.id), advice = job ? found.value[job.id] : undefined, label = columnsWith("label")[0];
  useEffect(() => { if (job?.state === "done" && !advice) get<Advice>(`/api/jobs/${job.id}/result`).then((a) => { found.value = { ...found.value, [job.id]: a }; }).catch(fail); }, [job?.id, job?.state]);
  const search = (coverage: string) => start({ kind: "advise", table: table.value!.id, plan: advisePlan(), options: { coverage, "min-k": "2" } });
  const command = `tada advise ${table.value!.file} --plan tada.toml -o advice.json --report advice.html`;
  if (!job || !advice) return <><Head title="How anonymous, how useful?">Every way to recode whole columns that makes sense, and the group-wise methods beside them, with how anonymous and how useful each is.</Head>
    {!label ? <Note><p>This needs a label: the column that a model will predict. <a href="#/columns">Choose one</a>.</p></Note>
      : <Card title="Nothing was searched yet">{job && !advice ? <Progress id={job.id} /> : <p class="dim">Every candidate is tried on your table; on a large one this takes a while.</p>}{(!job || isOver(job)) && job?.state !== "done" && <button class="btn pri" onClick={() => search("5")}>Search</button>}</Card>}
    <PlanBar command={command} /></>;
  const all = candidatesOf(advice), need = leastK.value ?? k.value, places = goodPlaces(all);
  const ids = chosen.value.filter((id) => all.some((c) => c.id === id)), picked = ids.length ? ids : places.map(([, , c]) => c.id), letters = new Map(picked.map((id, i) => [id, "ABC"[i]!]));
  const ks = [...new Set(all.map((c) => c.k))].sort((a, b) => a - b), values = all.map(valueOf).filter((v): v is number => v !== undefined), floor = Math.min(...values), top = Math.max(...values), fits = all.filter((c) => c.k >= need && (valueOf(c) ?? -1) >= least.value).length;
  return <>
    <Head title="How anonymous, how useful?" act={<><button class="btn" onClick={() => search("20")}>Search wider…</button><button class="btn" onClick={() => attempt(() => download(job.id, "advice.html"))}>Export</button></>}>
      Every mark is a release you could make. Right: harder to single somebody out. Up: a model predicts <b>{cut(advice.label, 40)}</b> better.</Head>
    <div class="stack-l"><div class="cols"><section class="card"><div class="in row"><Segments<Measure> name="measure" label="Up means" value={measure.value} choices={kMeasures} onPick={(m) => { measure.value = m; least.value = 0; }} />
        <label class="check end small"><input type="checkbox" checked={beaten.value} onChange={(e) => { beaten.value = e.currentTarget.checked; }} />Beaten ones</label><label class="check small"><input type="checkbox" checked={groupWise.value} onChange={(e) => { groupWise.value = e.currentTarget.checked; }} />Group-wise methods</label>
        <button class="btn quiet sm" onClick={() => { asTable.value = !asTable.value; }}>{asTable.value ? "As a chart" : "As a table"}</button></div>
      <div class="in">{asTable.value ? <div class="scroll" tabIndex={0} role="region" aria-label="All candidates"><table><thead><tr><th scope="col">Release</th><th scope="col" class="num">k</th><th scope="col" class="num">Accuracy</th><th scope="col" class="num">Gain</th><th scope="col">What is released</th></tr></thead><tbody>{[...all].sort((a, b) => b.k - a.k).map((c) => <tr><th scope="row">{c.id}</th><td class="num">{count(c.k)}</td><td class="num">{percent(c.accuracy)}</td><td class="num">{figure(c.gain)}</td><td class="wrap">{cut(c.words, 120)}</td></tr>)}</tbody></table></div> : <><Plot advice={advice} all={all} letters={letters} />
        <p class="small dim">● whole-column rules, which can be written down · <span class="look-ink">◆</span> group-wise methods, whose cells differ by group · nothing beats the solid line</p></>}</div></section>
      <aside class="card" aria-label="Limits"><div class="in stack"><h2>What you need</h2>
        <div><div class="row"><label class="grow" for="least-k">Groups of at least</label><b>k = {count(need)}</b></div><input id="least-k" type="range" min="0" max={ks.length - 1} value={Math.max(0, ks.findIndex((n) => n >= need))} onInput={(e) => { leastK.value = ks[+e.currentTarget.value] ?? null; chosen.value = []; }} /><p class="small faint">Nobody is singled out with more than 1 in {count(need)}.</p></div>
        <div><div class="row"><label class="grow" for="least">{kMeasures.find(([m]) => m === measure.value)![1]} of at least</label><b>{show(Math.max(least.value, floor))}</b></div><input id="least" type="range" min="0" max="100" value={Math.round(100 * (Math.max(least.value, floor) - floor) / (top - floor || 1))} onInput={(e) => { least.value = floor + (top - floor) * +e.currentTarget.value / 100; chosen.value = []; }} /><p class="small faint">{fits} candidates meet both.</p></div></div>
        <div class="in"><h2>Good places to start</h2>{places.length ? <ul class="places">{places.map(([name, words, c]) => <li><span class="letter">{letters.get(c.id) ?? "·"}</span><div class="grow"><div class="row"><b class="grow">{name}</b><span class="dim small">k {count(c.k)} · {show(valueOf(c)!)}</span></div><p class="small faint">{words}</p></div></li>)}</ul> : <p class="dim">Nothing meets both limits: move one.</p>}</div></aside></div>
    <Compare job={job} advice={advice} all={all} letters={letters} /></div>
    <PlanBar command={job.command} />
  </>;
}

/** advise takes roles and requirement, no method. */
function advisePlan() {
  const { method: _, task: __, ...rest } = plan.value.values;
  return { ...plan.value, values: rest };
}

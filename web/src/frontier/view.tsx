// The frontier with its limits, places to start and comparison: the screen of `tada serve` and the page that `tada advise` writes.
import { signal } from "@preact/signals";
import { Note, Segments } from "../parts.tsx";
import { capital, count, cut, figure, percent } from "../words.ts";
import { Compare, type Act } from "./compare.tsx";
import { beaterOf, lineOf, measuresOf, nothingOf, placesOf, usualMeasure, wholeColumns, type Advice, type Candidate, type Measure } from "./model.ts";
import { Plot } from "./plot.tsx";

const kMostRows = 400;
const key = signal(""), beaten = signal(true), groupWise = signal(true), asTable = signal(false);
const leastK = signal<number | null>(null), least = signal<number | null>(null);
const chosen = signal<string[]>([]);  // A, B, C; empty: the places to start

function AsTable({ advice, all, measure }: { advice: Advice; all: Candidate[]; measure: Measure }) {
  const line = lineOf(all, measure.of), on = new Set(line.map((c) => c.id)), shown = [...all].sort((a, b) => Number(on.has(b.id)) - Number(on.has(a.id)) || Number(b.frontier) - Number(a.frontier) || b.k - a.k).slice(0, kMostRows);
  return <div class="scroll tall" tabIndex={0} role="region" aria-label="All releases"><table><thead><tr><th scope="col">Release</th><th scope="col" class="num">k</th>{advice.label && <><th scope="col" class="num">Accuracy</th><th scope="col" class="num">Gain</th></>}<th scope="col" class="num">NCP</th><th scope="col" class="num">Query error</th><th scope="col">Beaten by</th><th scope="col">What is released</th></tr></thead>
    <tbody>{shown.map((c) => <tr><th scope="row" class="asone">{c.id}</th><td class="num">{count(c.k)}</td>{advice.label && <><td class="num">{c.accuracy === undefined ? "" : percent(c.accuracy)}</td><td class="num">{c.information_gain === undefined ? "" : figure(c.information_gain)}</td></>}<td class="num">{figure(c.ncp)}</td><td class="num">{percent(c.query_error)}</td><td>{measure.of(c) === undefined ? "" : beaterOf(c, line, measure)?.id ?? "nothing"}</td><td class="wrap">{cut(capital(c.words), 120)}</td></tr>)}</tbody></table>
    {all.length > shown.length && <p class="small faint">{count(all.length - shown.length)} more are in the file.</p>}</div>;
}

/** What a mark that is higher up has more of. */
export function UpMeans({ advice, need }: { advice: Advice; need: number }) {
  const measures = measuresOf(advice), measure = (measures.find((m) => m.key === key.value) ?? usualMeasure(advice, measures, need))?.key;
  if (measure === "ncp") return <>more of the table is kept.</>;
  if (measure === "queries") return <>counts are closer to the raw table's.</>;
  const label = <b>{cut(advice.label ?? "", 40)}</b>;
  return measure === "gain" ? <>the release tells more of {label}.</> : <>a model predicts {label} better.</>;
}

/** What is seen within the limits that were set, and which are A, B and C. */
function seen(advice: Advice, asked: number) {
  const measures = measuresOf(advice), measure = measures.find((m) => m.key === key.value) ?? usualMeasure(advice, measures, asked), all = advice.candidates.filter((c) => !c.same_as);
  if (!measure || !all.length) return undefined;
  const shown = groupWise.value ? all : all.filter(wholeColumns), need = leastK.value ?? asked, values = shown.map((c) => measure.of(c)).filter((v): v is number => v !== undefined);
  const floor = values.reduce((a, b) => Math.min(a, b), Infinity), top = values.reduce((a, b) => Math.max(a, b), -Infinity), limit = Math.max(least.value ?? -Infinity, floor);
  const places = placesOf(shown, measure, need, limit, nothingOf(advice, measure)), ids = chosen.value.filter((id) => all.some((c) => c.id === id)), picked = ids.length ? ids : places.map((p) => p.candidate.id);
  return { measures, measure, all, shown, need, floor, top, limit, places, picked };
}

export function FrontierView({ advice, act, need: asked }: { advice: Advice; act: Act; need: number }) {
  const now = seen(advice, asked);
  if (!now) return <Note><p>Nothing that was tried meets what is asked.</p></Note>;
  const { measures, measure, all, shown, need, floor, top, limit, places, picked } = now;
  const letters = new Map(picked.map((id, i) => [id, "ABC"[i]!])), ks = [...new Set(shown.map((c) => c.k))].sort((a, b) => a - b), fits = shown.filter((c) => c.k >= need && (measure.of(c) ?? -Infinity) >= limit).length;
  const pick = (id: string) => { const now = [...letters.keys()]; chosen.value = now.includes(id) ? [id, ...now.filter((other) => other !== id)] : [id, ...now].slice(0, 3); };
  const check = (words: string, on: typeof beaten) => <label class="check small"><input type="checkbox" checked={on.value} onChange={(e) => { on.value = e.currentTarget.checked; }} />{words}</label>;
  return <div class="stack-l"><div class="cols"><section class="card" aria-label="Frontier"><div class="in row tools"><Segments<string> name="measure" label="Up means" value={measure.key} choices={measures.map((m) => [m.key, m.name])} onPick={(m) => { key.value = m; least.value = null; }} />
      <div class="row end">{check("Beaten ones", beaten)}{check("Group-wise", groupWise)}<button class="btn quiet sm" onClick={() => { asTable.value = !asTable.value; }}>{asTable.value ? "As a chart" : "As a table"}</button></div></div>
    <div class="in stack">{asTable.value ? <AsTable advice={advice} all={shown} measure={measure} /> : <><Plot advice={advice} shown={shown} measure={measure} need={need} beaten={beaten.value} letters={letters} onPick={pick} /></>}</div></section>
    <aside class="card" aria-label="Limits"><div class="in stack"><h2>What you need</h2>
      <div><div class="row"><label class="grow" for="least-k">Groups of at least</label><output for="least-k"><b>k = {count(need)}</b></output></div><input id="least-k" type="range" min="0" max={ks.length - 1} value={Math.max(0, ks.findIndex((n) => n >= need))} aria-valuetext={`k ${count(need)}`} onInput={(e) => { leastK.value = ks[+e.currentTarget.value] ?? null; chosen.value = []; }} /><p class="small faint">Nobody is singled out with more than 1 in {count(need)}.</p></div>
      <div><div class="row"><label class="grow" for="least">{measure.limit}</label><output for="least"><b>{measure.show(limit)}</b></output></div><input id="least" type="range" min="0" max="100" value={Math.round(100 * (limit - floor) / (top - floor || 1))} aria-valuetext={measure.show(limit)} onInput={(e) => { least.value = floor + (top - floor) * +e.currentTarget.value / 100; chosen.value = []; }} /><p class="small faint" role="status">{count(fits)} {fits === 1 ? "release meets" : "releases meet"} both.</p></div></div>
      <div class="in"><h2>Good places to start</h2>{places.length ? <ul class="places">{places.map((p) => <li><button class="sug" onClick={() => pick(p.candidate.id)}><span class="letter">{letters.get(p.candidate.id) ?? "·"}</span><b>{p.name}</b><span class="dim small">k {count(p.candidate.k)} · {measure.show(measure.of(p.candidate)!)}</span><small class="faint">{p.words}</small></button></li>)}</ul> : <p class="dim">Nothing meets both limits: move one.</p>}</div></aside></div>
    <Compare advice={advice} line={lineOf(shown, measure.of)} measure={measure} picked={picked.map((id) => ({ letter: letters.get(id)!, c: all.find((c) => c.id === id)! }))} act={act} />
    {advice.search.wide_would_add.length > 0 && <p class="small dim">A wide search would also try: {advice.search.wide_would_add.join("; ").replaceAll("k=", "k = ")}.</p>}</div>;
}
/** The one that is A. */
export const firstPicked = (advice: Advice, need: number): Candidate | undefined => { const now = seen(advice, need); return now?.all.find((c) => c.id === now.picked[0]); };

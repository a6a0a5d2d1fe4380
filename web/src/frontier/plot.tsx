// The frontier, drawn: k to the right, what is kept upwards. Circles are whole columns, diamonds group-wise; nothing beats the solid line.
import { useEffect, useState } from "preact/hooks";
import { ticks } from "../charts.tsx";
import { count } from "../words.ts";
import { isRule, lineOf, nameOf, wholeColumns, type Advice, type Candidate, type Measure } from "./model.ts";

const kMostMarks = 1500;

export function useNarrow(): boolean {
  const query = matchMedia("(max-width: 640px)"), [narrow, set] = useState(query.matches);
  useEffect(() => { const heard = () => set(query.matches); query.addEventListener("change", heard); return () => query.removeEventListener("change", heard); }, []);
  return narrow;
}

export interface PlotOf { advice: Advice; shown: Candidate[]; measure: Measure; need: number; beaten: boolean; letters: Map<string, string>; onPick: (id: string) => void }

export function Plot({ advice, shown, measure, need, beaten, letters, onPick }: PlotOf) {
  const narrow = useNarrow(), [at, setAt] = useState("");
  const width = narrow ? 400 : 820, height = narrow ? 380 : 420, left = 46, right = 14, top = 34, bottom = 54, of = measure.of;
  const byLabel = ["accuracy", "tree", "svm"].includes(measure.key), guess = byLabel ? advice.accuracy_without_columns ?? null : null, raw = byLabel ? advice.raw_tree_accuracy ?? null : null;
  const known = shown.filter((c) => of(c) !== undefined), ys = known.map((c) => of(c)!).concat(guess === null ? [] : [guess], raw === null ? [] : [raw]);
  if (!known.length) return <p class="dim">Nothing to draw.</p>;
  const pad = (Math.max(...ys) - Math.min(...ys)) * .07 || .01, low = Math.min(...ys) - pad, high = Math.max(...ys) + pad;
  const most = known.reduce((n, c) => Math.max(n, c.k), 10), fewest = known.reduce((n, c) => Math.min(n, c.k), 2);
  const x = (n: number) => left + (width - left - right) * Math.log(Math.max(n, fewest) / fewest) / Math.log(most * 1.15 / fewest), y = (v: number) => height - bottom - (height - top - bottom) * (v - low) / (high - low);
  const joint = lineOf(known, of), rules = lineOf(known.filter(isRule), of), on = new Set(joint.map((c) => c.id)), onRules = new Set(rules.map((c) => c.id));
  const path = (line: Candidate[]) => line.length ? `M${x(fewest)} ${y(of(line[0]!)!)}` + line.map((c, i) => `H${x(c.k)}V${line[i + 1] ? y(of(line[i + 1]!)!) : y(Math.max(low, guess ?? low))}`).join("") : "";
  const series: number[] = []; for (let ten = 1; ten <= most * 1.15; ten *= 10) for (const n of narrow ? [1] : [1, 2, 5]) if (n * ten >= fewest && n * ten <= most * 1.15) series.push(n * ten);
  const front = known.filter((c) => on.has(c.id) || onRules.has(c.id) || letters.has(c.id)).sort((a, b) => a.k - b.k || of(a)! - of(b)!);
  const rest = beaten ? known.filter((c) => !on.has(c.id) && !onRules.has(c.id) && !letters.has(c.id)).slice(0, kMostMarks) : [];
  const here = front.some((c) => c.id === at) ? at : front[0]?.id;
  const move = (e: KeyboardEvent, c: Candidate, i: number) => {
    if (e.key === "Enter" || e.key === " ") { e.preventDefault(); onPick(c.id); return; }
    const to = e.key === "ArrowRight" || e.key === "ArrowUp" ? i + 1 : e.key === "ArrowLeft" || e.key === "ArrowDown" ? i - 1 : e.key === "Home" ? 0 : e.key === "End" ? front.length - 1 : -1;
    if (to < 0 || to >= front.length) return;
    e.preventDefault(); setAt(front[to]!.id);
    (e.currentTarget as SVGElement).ownerSVGElement?.querySelector<SVGElement>(`[data-id="${front[to]!.id}"]`)?.focus();
  };
  const words = (c: Candidate) => `${nameOf(c)}: k ${count(c.k)}, ${measure.show(of(c)!)}${c.beaten_by ? `, beaten by ${c.beaten_by}` : ""}`;
  const mark = (c: Candidate) => wholeColumns(c) ? <circle cx={x(c.k)} cy={y(of(c)!)} r="4.800" /> : <path d={`M${x(c.k)} ${y(of(c)!) - 6.500}l6.500 6.500l-6.500 6.500l-6.500 -6.500z`} />;
  return <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="group" aria-label={`${measure.name} against k, ${count(known.length)} releases; arrow keys go along the line, Enter compares; the same as a table on request`}>
    <text x="0" y="14">↑ {measure.axis}</text>
    {need > fewest && <g><rect class="shade" x={x(fewest)} y={top} width={Math.max(0, x(need) - x(fewest))} height={height - top - bottom} />{x(need) - x(fewest) > 124 && <text x={x(fewest) + 8} y={top + 16}>Below the k you need</text>}<line class="needed" x1={x(need)} x2={x(need)} y1={top} y2={height - bottom} /></g>}
    {ticks(low, high, 5).map((t) => <g><line class="grid" x1={left} x2={width - right} y1={y(t)} y2={y(t)} /><text x={left - 8} y={y(t) + 4} text-anchor="end">{measure.tick(t)}</text></g>)}
    {series.map((n) => <g><line class="axis" x1={x(n)} x2={x(n)} y1={height - bottom} y2={height - bottom + 5} /><text x={x(n)} y={height - bottom + 20} text-anchor="middle">{count(n)}</text></g>)}
    <line class="axis" x1={left} x2={width - right} y1={height - bottom} y2={height - bottom} />
    <text x={width - right} y={height - 12} text-anchor="end">k: people who look alike, at least →</text>
    {raw !== null && <g><line class="ref" x1={left} x2={width - right} y1={y(raw)} y2={y(raw)} /><text class="ink2" x={width - right} y={y(raw) - 6} text-anchor="end">raw table, a tree: {measure.show(raw)}</text></g>}
    {guess !== null && <g><line class="ref" x1={left} x2={width - right} y1={y(guess)} y2={y(guess)} /><text class="ink2" x={raw !== null && Math.abs(y(raw) - y(guess)) < 26 ? left + 6 : width - right} y={y(guess) + 16} text-anchor={raw !== null && Math.abs(y(raw) - y(guess)) < 26 ? "start" : "end"}>always guessing the commonest: {measure.show(guess)}</text></g>}
    <g aria-hidden="true">{rest.map((c) => wholeColumns(c) ? <circle key={c.id} class="m rest" cx={x(c.k)} cy={y(of(c)!)} r="3.200" onClick={() => onPick(c.id)}><title>{words(c)}</title></circle> : <path key={c.id} class="m rest" d={`M${x(c.k)} ${y(of(c)!) - 4.500}l4.500 4.500l-4.500 4.500l-4.500 -4.500z`} onClick={() => onPick(c.id)}><title>{words(c)}</title></path>)}</g>
    <path class="front2" d={path(rules)} /><path class="front" d={path(joint)} />
    {front.map((c, i) => {
      const letter = letters.get(c.id), kind = letter ? "pick" : wholeColumns(c) ? "rule" : "base";
      return <g key={c.id} data-id={c.id} class={"m " + kind} role="button" tabIndex={c.id === here ? 0 : -1} aria-label={(letter ? letter + ": " : "") + words(c)} aria-pressed={!!letter} onClick={() => { setAt(c.id); onPick(c.id); }} onKeyDown={(e: KeyboardEvent) => move(e, c, i)}>
        <title>{words(c)}</title>{letter ? <circle cx={x(c.k)} cy={y(of(c)!)} r="11" /> : mark(c)}</g>;
    })}
    <g class="letters" aria-hidden="true">{front.filter((c) => letters.has(c.id)).map((c) => <text class="on" x={x(c.k)} y={y(of(c)!) + 4.300}>{letters.get(c.id)}</text>)}</g>
  </svg>;
}

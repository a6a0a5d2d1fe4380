// The frontier, drawn: k to the right, what is kept upwards. Circles are whole columns, diamonds group-wise; nothing beats the solid line.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ticks, useNarrow } from "../charts.tsx";
import { count } from "../words.ts";
import { around, beside, Room, type Box, type Placed } from "./labels.ts";
import { beaterOf, isRule, lineOf, nameOf, wholeColumns, type Advice, type Candidate, type Measure } from "./model.ts";

const kMostMarks = 1500;

export interface PlotOf { advice: Advice; shown: Candidate[]; measure: Measure; need: number; beaten: boolean; letters: Map<string, string>; onPick: (id: string) => void }

export function Plot({ advice, shown, measure, need, beaten, letters, onPick }: PlotOf) {
  const narrow = useNarrow(), [at, setAt] = useState("");
  const width = narrow ? 326 : 820, height = narrow ? 380 : 440, left = narrow ? 40 : 46, right = narrow ? 8 : 14, top = 34, bottom = 54, of = measure.of;
  const byLabel = ["accuracy", "tree", "svm"].includes(measure.key), guess = byLabel ? advice.accuracy_without_columns ?? null : null, raw = byLabel ? advice.raw_tree_accuracy ?? null : null;
  const all = shown.filter((c) => of(c) !== undefined);
  if (!all.length) return <p class="dim">Nothing to draw.</p>;
  const best = Math.max(...all.map((c) => of(c)!), raw ?? -Infinity), floor = guess === null ? -Infinity : guess - Math.max(.3 * (best - guess), .004), known = all.filter((c) => of(c)! >= floor || letters.has(c.id)), worse = all.length - known.length;
  const ys = known.map((c) => of(c)!).concat(guess === null ? [] : [guess], raw === null ? [] : [raw]), pad = (Math.max(...ys) - Math.min(...ys)) * .07 || .01, low = Math.min(...ys) - pad, high = Math.max(...ys) + pad;
  const levels = ticks(low, high, 5), step = levels.length > 1 ? levels[1]! - levels[0]! : 1;
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
  const words = (c: Candidate) => { const by = beaterOf(c, joint, measure); return `${nameOf(c)}: k ${count(c.k)}, ${measure.show(of(c)!)}${by ? `, beaten by ${by.id}` : ""}`; };
  const mark = (c: Candidate) => wholeColumns(c) ? <circle cx={x(c.k)} cy={y(of(c)!)} r="4.800" /> : <path d={`M${x(c.k)} ${y(of(c)!) - 6.500}l6.500 6.500l-6.500 6.500l-6.500 -6.500z`} />;
  const at2 = (c: Candidate): [number, number] => [x(c.k), y(of(c)!)];
  const edges = (line: Candidate[]): Box[] => line.flatMap((c, i) => { const [cx, cy] = at2(c), before = i ? x(line[i - 1]!.k) : x(fewest), next = line[i + 1] ? y(of(line[i + 1]!)!) : y(Math.max(low, guess ?? low)); return [{ x1: before, x2: cx, y1: cy - 2, y2: cy + 2 }, { x1: cx - 2, x2: cx + 2, y1: Math.min(cy, next), y2: Math.max(cy, next) }]; });
  const level = (v: number): Box => ({ x1: left, x2: width, y1: y(v) - 1, y2: y(v) + 1 });
  const room = new Room({ x1: left, y1: top - 4, x2: width - right + 6, y2: height - bottom }, [...known.map((c) => around(...at2(c), letters.has(c.id) ? 12 : on.has(c.id) || onRules.has(c.id) ? 5 : 3.200)), ...edges(joint), ...edges(rules), ...(raw === null ? [] : [level(raw)]), ...(guess === null ? [] : [level(guess)])]);
  const needed = need > fewest && x(need) - x(fewest) > 130 ? room.place(20, [{ x: x(fewest) + 8, y: top + 16, anchor: "start" }, { x: x(fewest) + 8, y: height - bottom - 8, anchor: "start" }]) : null;
  const ends = (v: number, up: boolean): Placed[] => (up ? [-6, 18] : [18, -6]).flatMap((dy) => [width - right, width * .75, width * .5].map((px) => ({ x: px, y: y(v) + dy, anchor: "end" as const })));
  const rawAt = raw === null ? null : room.place(26, ends(raw, true)), guessAt = guess === null ? null : room.place(38, ends(guess, false));
  const near = (list: Candidate[], length: number) => narrow ? null : room.place(length, [...list].reverse().flatMap((c) => beside(...at2(c), letters.has(c.id) ? 18 : 14)));
  const groupAt = near(joint.filter((c) => !wholeColumns(c) && c.k >= need).concat(joint.filter((c) => !wholeColumns(c))), 46), ruleAt = near(rules.filter((c) => c.k >= need).concat(rules), 38), solidAt = near(joint, 30);
  const text = (place: Placed | null, content: ComponentChildren) => place && <text class="ink2 halo" x={place.x} y={place.y} text-anchor={place.anchor}>{content}</text>;
  return <><svg class="chart" viewBox={`0 0 ${width} ${height}`} role="group" aria-label={`${measure.name} against k, ${count(all.length)} releases; arrow keys go along the line, Enter compares; the same as a table on request`}>
    <text x="0" y="14">↑ {measure.axis}</text>
    {need > fewest && <g><rect class="shade" x={x(fewest)} y={top} width={Math.max(0, x(need) - x(fewest))} height={height - top - bottom} /><line class="needed" x1={x(need)} x2={x(need)} y1={top} y2={height - bottom} /></g>}
    {levels.map((t) => <g><line class="grid" x1={left} x2={width - right} y1={y(t)} y2={y(t)} /><text x={left - 8} y={y(t) + 4} text-anchor="end">{measure.tick(t, step)}</text></g>)}
    {series.map((n) => <g><line class="axis" x1={x(n)} x2={x(n)} y1={height - bottom} y2={height - bottom + 5} /><text x={x(n)} y={height - bottom + 20} text-anchor="middle">{count(n)}</text></g>)}
    <line class="axis" x1={left} x2={width - right} y1={height - bottom} y2={height - bottom} />
    <text x={width - right} y={height - 10} text-anchor="end">k: people who look alike, at least →</text>
    {raw !== null && <line class="ref" x1={left} x2={width - right} y1={y(raw)} y2={y(raw)} />}{guess !== null && <line class="ref" x1={left} x2={width - right} y1={y(guess)} y2={y(guess)} />}
    <g aria-hidden="true" class={rest.length > 200 ? "many" : ""}>{rest.map((c) => wholeColumns(c) ? <circle key={c.id} class="m rest" cx={x(c.k)} cy={y(of(c)!)} r="3.200" onClick={() => onPick(c.id)}><title>{words(c)}</title></circle> : <path key={c.id} class="m rest" d={`M${x(c.k)} ${y(of(c)!) - 4.500}l4.500 4.500l-4.500 4.500l-4.500 -4.500z`} onClick={() => onPick(c.id)}><title>{words(c)}</title></path>)}</g>
    <path class="front2" d={path(rules)} /><path class="front" d={path(joint)} />
    {front.map((c, i) => ({ c, i })).sort((a, b) => Number(letters.has(a.c.id)) - Number(letters.has(b.c.id))).map(({ c, i }) => {  // A, B and C above what stands near them
      const letter = letters.get(c.id), kind = letter ? "pick" : wholeColumns(c) ? "rule" : "base";
      return <g key={c.id} data-id={c.id} class={"m " + kind} role="button" tabIndex={c.id === here ? 0 : -1} aria-label={(letter ? letter + ": " : "") + words(c)} aria-pressed={!!letter} onClick={() => { setAt(c.id); onPick(c.id); }} onKeyDown={(e: KeyboardEvent) => move(e, c, i)}>
        <title>{words(c)}</title>{letter ? <circle cx={x(c.k)} cy={y(of(c)!)} r="11" /> : mark(c)}</g>;
    })}
    <g class="letters" aria-hidden="true">{front.filter((c) => letters.has(c.id)).map((c) => <text class="on" x={x(c.k)} y={y(of(c)!) + 4.300}>{letters.get(c.id)}</text>)}</g>
    <g class="letters" aria-hidden="true">{needed && <text x={needed.x} y={needed.y}>Below the k you need</text>}
      {raw !== null && text(rawAt, `raw table, a tree: ${measure.show(raw)}`)}{guess !== null && text(guessAt, `always guessing the commonest: ${measure.show(guess)}`)}
      {text(groupAt, <><tspan class="c2">◆ Group-wise</tspan> keeps more; cells differ by group</>)}{text(ruleAt, <><tspan class="c1">● Whole-column</tspan> can be written as a rule</>)}{text(solidAt, "nothing beats the solid line")}</g>
  </svg>
    {(narrow || !groupAt || !ruleAt || worse > 0 || need > fewest && !needed || raw !== null && !rawAt || guess !== null && !guessAt) && <p class="small dim legend">{(narrow || !ruleAt) && <span><span class="c1-ink" aria-hidden="true">●</span> <b>Whole-column</b> can be written as a rule</span>}{(narrow || !groupAt) && all.some((c) => !wholeColumns(c)) && <span><span class="c2-ink" aria-hidden="true">◆</span> <b>Group-wise</b> keeps more; cells differ by group</span>}{!solidAt && <span>Nothing beats the solid line</span>}{need > fewest && !needed && <span>Shaded: below the k you need</span>}{raw !== null && !rawAt && <span>Dashed, above: the raw table, a tree, {measure.show(raw)}</span>}{guess !== null && !guessAt && <span>Dashed, below: always guessing the commonest, {measure.show(guess)}</span>}{worse > 0 && <span>{count(worse)} more are worse than guessing, below the chart</span>}</p>}</>;
}

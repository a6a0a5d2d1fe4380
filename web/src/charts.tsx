// Charts: hairline grids, labels at the marks, hollow for before and filled for after, red only for risk.
import { useEffect, useState } from "preact/hooks";
import { count, cut, percent } from "./words.ts";

/** Whether the page is as narrow as a phone: charts are then drawn for it, not made smaller. */
export const useNarrow = (): boolean => useMedia("(max-width: 640px)");
/** Whether cards stand side by side, so that one alone is wide. */
const useWide = (): boolean => useMedia("(min-width: 1101px)");
function useMedia(query: string): boolean {
  const [on, set] = useState(matchMedia(query).matches);
  useEffect(() => { const list = matchMedia(query), heard = () => set(list.matches); list.addEventListener("change", heard); return () => list.removeEventListener("change", heard); }, [query]);
  return on;
}

export function Shape({ counts, color }: { counts: number[]; color: string }) {
  const most = Math.max(1, ...counts), step = Math.min(11, 76 / Math.max(1, counts.length)), gap = counts.length > 14 ? .6 : 2;
  const width = Math.max(.6, Math.min(9, step - gap)), bar = (n: number, i: number) => { const h = Math.max(1, 21 * n / most); return `M${(i * step).toFixed(2)} 22v${-h.toFixed(2)}h${width.toFixed(2)}V22z`; };
  return <svg class="shape" viewBox="0 0 76 22" aria-hidden="true"><path d={counts.map(bar).join("")} style={{ fill: `var(--${color})` }} opacity=".75" /></svg>;  // one element: there may be a thousand columns
}

/** Bars with names at the left and figures at their ends. */
export function Bars({ rows, side }: { rows: { name: string; value: number; soft?: boolean }[]; side?: boolean }) {
  const narrow = useNarrow(), highest = Math.max(...rows.map((r) => r.value), 1e-9), marks = ticks(0, highest, 3), top = Math.max(highest, marks[marks.length - 1] ?? 0);
  const show = (share: number) => percent(share, highest < .01 ? 2 : 1), tick = (share: number) => percent(share, (marks[1] ?? 1) < .0095 ? 2 : 0);  // enough decimals to tell them apart
  const width = side ? 284 : narrow ? 326 : 560, letters = narrow ? 18 : 24, left = 18 + 6.6 * Math.max(...rows.map((r) => cut(r.name, letters).length), 4), right = 52, high = 28, bottom = 26, height = rows.length * high + bottom, x = (v: number) => left + (width - left - right) * v / top;
  return <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={rows.map((r) => `${r.name}: ${show(r.value)}`).join("; ").slice(0, 800)}>
    {marks.map((t) => <g><line class="grid" x1={x(t)} x2={x(t)} y1="0" y2={height - bottom + 2} /><text x={x(t)} y={height - 6} text-anchor="middle">{tick(t)}</text></g>)}
    {rows.map((row, i) => {
      const w = Math.max(2, x(row.value) - left);
      return <g key={i}><text class="ink2" x={left - 10} y={i * high + 18} text-anchor="end">{cut(row.name, letters)}</text>
        <rect class={"bar" + (row.soft ? " soft" : "")} x={left} y={i * high + 5} width={w} height={17} rx="3" /><text class="ink" x={left + w + 8} y={i * high + 18}>{show(row.value)}</text></g>;
    })}
  </svg>;
}

const round = (x: number): number => { const p = 10 ** Math.floor(Math.log10(x || 1)); const m = x / p; return (m < 1.4 ? 1 : m < 2.8 ? 2 : m < 7 ? 5 : 10) * p; };
export function ticks(low: number, high: number, about: number): number[] {
  const step = round((high - low) / about) || 1, found: number[] = [];
  for (let x = Math.ceil(low / step - 1e-9) * step; x <= high + step * 1e-9; x += step) found.push(Math.abs(x) < step * 1e-9 ? 0 : x);
  return found;
}

/** From the least to the most of what is drawn, and no narrower than what means something: marks that are a thousandth apart stand beside each other. */
function spanOf(values: number[], least = .02): [number, number] {
  const low = Math.min(...values), high = Math.max(...values), more = Math.max(0, least - (high - low)) / 2;
  return [low - more, high + more];
}

/** As many decimals as it takes to tell ticks apart. */
const digitsOf = (marks: number[]): number => marks.length > 1 && marks[1]! - marks[0]! < .0095 ? 3 : 2;

/** How many groups there are of each size, or of a few sizes together where sizes spread; the last bar holds the tenth that is larger. */
export function GroupSizes({ sizes, needed, alone }: { sizes: [number, number][]; needed: number; alone: boolean }) {
  const narrow = useNarrow(), spread = useWide() && alone, width = narrow ? 326 : spread ? 1160 : 560, height = 210, left = 44, right = 10, bottom = 42;
  const low = sizes[0]?.[0] ?? 1, largest = sizes[sizes.length - 1]?.[0] ?? low, all = sizes.reduce((sum, [, n]) => sum + n, 0), between = (from: number, to: number) => sizes.filter(([s]) => s >= from && s < to).reduce((sum, [, n]) => sum + n, 0);
  let seen = 0;
  const usual = sizes.find(([, n]) => (seen += n) >= .9 * all)?.[0] ?? low, room = narrow ? 18 : spread ? 56 : 28, wide = Math.ceil((usual - low + 1) / room), end = Math.min(low + room * wide, largest + 1);
  const bars: { from: number; n: number; last: boolean }[] = [];
  for (let size = low; size < end; size += wide) bars.push({ from: size, n: between(size, size + wide), last: false });
  const reach = low + bars.length * wide, more = between(reach, Infinity);
  if (more) bars.push({ from: reach, n: more, last: true });
  const most = Math.max(1, ...bars.map((b) => b.n)), step = (width - left - right) / bars.length, y = (n: number) => height - bottom - (height - bottom - 10) * n / most;
  const label = Math.ceil(bars.length / (spread ? 12 : 6));
  return <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Groups by size, from ${low}`}>
    {ticks(0, most, 3).map((n) => <g><line class="grid" x1={left} x2={width - right} y1={y(n)} y2={y(n)} /><text x={left - 8} y={y(n) + 4} text-anchor="end">{count(n)}</text></g>)}
    {bars.map((b, i) => <rect class={"bar" + (b.last ? " soft" : "")} x={left + i * step + 1} width={Math.max(1, step - 2)} y={y(b.n)} height={height - bottom - y(b.n)} rx="2" />)}
    {needed === low && <line class="need" x1={left} x2={left} y1="4" y2={height - bottom} />}
    {bars.map((b, i) => (b.last || (i % label === 0 && (!more || i < bars.length - 1 - label / 2))) ? <text x={left + (i + .5) * step} y={height - 26} text-anchor="middle">{count(b.from) + (b.last ? "+" : "")}</text> : null)}
    <text x={width} y={height - 6} text-anchor="end">people in the group →</text>
  </svg>;
}

/** Before and after on a line from 0 to 100%; `good` is null where nothing says what is good. */
export function BeforeAfter({ before, after, good }: { before: number | null; after: number; good: boolean | null }) {
  const x = (share: number) => 14 + 172 * Math.max(0, Math.min(1, share));
  const now = percent(after, after < .1 ? 1 : 0), was = before === null ? "" : percent(before, 0), apart = before === null ? 99 : Math.abs(x(before) - x(after));
  const middle = before === null ? 0 : Math.max(31, Math.min(165, (x(before) + x(after)) / 2)), place = (mine: number, lower: boolean) => apart < 34 ? middle + (lower ? -17 : 17) : Math.max(16, Math.min(182, x(mine)));  // labels of marks that are close stand side by side
  return <svg class="chart" viewBox="0 0 200 44" role="img" aria-label={(before === null ? "" : `before ${percent(before, 0)}, `) + `now ${percent(after, 1)}`}>
    <line class="track" x1="14" x2="186" y1="12" y2="12" />
    {before !== null && <line class="span" x1={x(before)} x2={x(after)} y1="12" y2="12" />}
    {before !== null && <circle class="before" cx={x(before)} cy="12" r="5" />}
    <circle class={"after" + (good === null ? "" : good ? " met" : " look")} cx={x(after)} cy="12" r="5.500" />
    {before !== null && was !== now && <text x={place(before, before < after)} y="36" text-anchor="middle">{was}</text>}
    <text class="ink" x={before === null || was === now ? Math.max(16, Math.min(182, x(after))) : place(after, after <= before)} y="36" text-anchor="middle">{now}</text>
  </svg>;
}

/** Means with intervals, one line each, beside a reference. */
export function Dots({ rows, reference, referenceName, axis }: { rows: { name: string; mean: number; low: number; high: number; main?: boolean }[]; reference: number | null; referenceName: string; axis: string }) {
  const all = rows.flatMap((r) => [r.low, r.high, r.mean]).concat(reference === null ? [] : [reference]);
  const [from, to] = spanOf(all), pad = (to - from) * .12, low = from - pad, high = to + pad;
  const narrow = useNarrow(), width = narrow ? 326 : 780, left = narrow ? 120 : 220, line = 34, marks = ticks(low, high, narrow ? 3 : 5), digits = digitsOf(marks), height = rows.length * line + 52, x = (v: number) => left + (width - left - 50) * (v - low) / (high - low);
  return <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={rows.map((r) => `${r.name}: ${r.mean.toFixed(3)}`).join("; ")}>
    {marks.map((t) => <g><line class="grid" x1={x(t)} x2={x(t)} y1="12" y2={height - 40} /><text x={x(t)} y={height - 24} text-anchor="middle">{t.toFixed(digits).replace(/^0/, "")}</text></g>)}
    {reference !== null && <g><line class="ref" x1={x(reference)} x2={x(reference)} y1="12" y2={height - 40} /><text x={x(reference)} y="8" text-anchor="middle">{referenceName}</text></g>}
    {rows.map((r, i) => { const y = 12 + (i + .5) * line, right = Math.max(x(r.high), x(r.mean)) + 10, at = reference === null ? -99 : x(reference), clear = at > right - 6 && at < right + 38 ? at + 8 : right; return <g>
      <text class={r.main ? "ink" : "ink2"} x={left - 14} y={y + 4} text-anchor="end">{cut(r.name, narrow ? 18 : 28)}</text>
      <line class="axis" x1={x(r.low)} x2={x(r.high)} y1={y} y2={y} stroke-width="2" /><circle class="after" cx={x(r.mean)} cy={y} r="5" /><text class="ink halo" x={clear} y={y + 4}>{r.mean.toFixed(3).replace(/^0/, "")}</text></g>; })}
    <text x={width} y={height - 6} text-anchor="end">{axis} →</text>
  </svg>;
}

/** From a hollow mark to a filled one, a line each: what it was, and what it is. */
export function Pairs({ rows }: { rows: { name: string; before: number; after: number; main?: boolean }[] }) {
  const narrow = useNarrow(), all = rows.flatMap((r) => [r.before, r.after]), [from, to] = spanOf(all), spread = to - from, low = from - spread * (narrow ? .55 : .25), high = to + spread * .25;  // room for figures at the left
  const marks = ticks(low, high, narrow ? 3 : 4), digits = digitsOf(marks), width = narrow ? 326 : 560, left = narrow ? 150 : 190, line = 28, height = rows.length * line + 30, x = (v: number) => left + (width - left - 16) * (v - low) / (high - low), show = (v: number) => v.toFixed(3).replace(/^0/, "");
  return <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={rows.map((r) => `${r.name}: ${show(r.before)} raw, ${show(r.after)} from the release`).join("; ")}>
    {marks.map((t) => <g><line class="grid" x1={x(t)} x2={x(t)} y1="0" y2={height - 24} /><text x={x(t)} y={height - 6} text-anchor="middle">{t.toFixed(digits).replace(/^0/, "")}</text></g>)}
    {rows.map((r, i) => { const y = (i + .5) * line, below = r.after < r.before; return <g>
      <text class={r.main ? "ink" : "ink2"} x={left - 12} y={y + 4} text-anchor="end">{cut(r.name, narrow ? 24 : 28)}</text><line class={"pair" + (r.main ? " main" : "")} x1={x(r.before)} x2={x(r.after)} y1={y} y2={y} /><circle class="before" cx={x(r.before)} cy={y} r="4.500" /><circle class={"after" + (r.main ? "" : " other")} cx={x(r.after)} cy={y} r="5" />
      <text class={r.main ? "ink" : "ink2"} x={x(r.after) + (below ? -10 : 10)} y={y + 4} text-anchor={below ? "end" : "start"}>{show(r.after)}</text></g>; })}
  </svg>;
}

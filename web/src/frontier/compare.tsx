// A, B and C side by side: anonymity, usefulness, and what becomes of one row.
import { useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { Meter, Pieces } from "../parts.tsx";
import { capital, count, cut, figure, percent, shortCell } from "../words.ts";
import { beaterOf, cellOf, isRule, nameOf, wholeColumns, type Advice, type Candidate, type Measure } from "./model.ts";

const kMostColumns = 60, kMostWords = 4;
/** What a candidate does, column by column, as far as there is room. */
function inShort(words: string): string {
  const parts = words.replace(/; nothing else$/, "").split("; "), more = parts.length - kMostWords;
  if (more < 2) return capital(words.split("; ").map((part) => cut(part, 120)).join("; "));
  return capital(parts.slice(0, kMostWords).map((part) => cut(part, 120)).join("; ")) + `; and ${more} more columns`;
}
interface Picked { letter: string; c: Candidate }
export type Act = (c: Candidate, letter: string) => ComponentChildren;

function Cell({ advice, c, column }: { advice: Advice; c: Candidate; column: number }) {
  const { text, level, gone } = cellOf(advice, c, column), top = advice.columns[column]!.labels_by_level.length - 1;
  if (gone) return <td class="faint">not released</td>;
  return <td>{level !== undefined && <span class="pips" title={`level ${level} of ${top}`}>{Array.from({ length: top }, (_, i) => <i class={i < level ? "on" : ""} />)}</span>}<span class="mono wrap" title={cut(text, 600)}><Pieces text={shortCell(text)} /></span></td>;
}

/** In which way another is better, in the words of what is drawn. */
function Beaten({ c, picked, line, measure }: { c: Candidate; picked: Picked[]; line: Candidate[]; measure: Measure }) {
  const by = beaterOf(c, line, measure, picked.map((p) => p.c));
  if (!by) return null;
  const more = measure.of(by)! > measure.of(c)!, safer = by.k > c.k;
  return <span class="chip look">{picked.find((p) => p.c.id === by.id)?.letter ?? by.id} {!safer ? measure.more : more ? "is safer and " + measure.more.replace(/^is /, "") : "is safer and as good"}</span>;
}

export function Compare({ advice, picked, line, measure, act }: { advice: Advice; picked: Picked[]; line: Candidate[]; measure: Measure; act: Act }) {
  const [differs, setDiffers] = useState(true);
  if (!picked.length) return null;
  const wide = picked.length + 1, best = (of: (c: Candidate) => number) => Math.max(...picked.map((p) => of(p.c)));
  const section = (words: string) => <tr><th scope="colgroup" colSpan={wide} class="sec">{words}</th></tr>;
  const row = (name: string, show: (c: Candidate) => string, of?: (c: Candidate) => number) => {
    const texts = picked.map(({ c }) => show(c));
    if (differs && picked.length > 1 && texts.every((t) => t === texts[0])) return null;
    return <tr><th scope="row">{name}</th>{picked.map(({ c }, i) => <td>{of && of(c) === best(of) ? <b class="met-ink">{texts[i]}</b> : of ? <b>{texts[i]}</b> : texts[i]}</td>)}</tr>;
  };
  const bar = (name: string, of: (c: Candidate) => number | undefined, show: (x: number) => string, top: number, good = 1) => {
    if (!picked.some(({ c }) => of(c) !== undefined)) return null;
    return <tr><th scope="row">{name}</th>{picked.map(({ c }) => { const x = of(c); return <td>{x === undefined ? <span class="faint">not measured</span> : <div class="meters"><b class={x * good === best((o) => (of(o) ?? -Infinity) * good) ? "met-ink" : ""}>{show(x)}</b><Meter share={x / top} /></div>}</td>; })}</tr>;
  };
  const all = advice.columns.map((_, i) => i), gains = Math.max(1e-9, ...advice.candidates.map((c) => c.information_gain ?? 0)), errors = Math.max(1e-9, ...picked.map(({ c }) => c.query_error));
  const same = (i: number) => picked.every(({ c }) => { const a = cellOf(advice, c, i), b = cellOf(advice, picked[0]!.c, i); return a.text === b.text && !!a.gone === !!b.gone; });
  const columns = differs && picked.length > 1 ? all.filter((i) => !same(i)) : all, shown = columns.slice(0, kMostColumns), hidden = all.length - shown.length;
  return <section class="card scroll" tabIndex={0} role="region" aria-label="Compare"><table class="cmp"><thead><tr><th scope="col"><h2>Compare</h2><label class="check small"><input type="checkbox" checked={differs} onChange={(e) => setDiffers(e.currentTarget.checked)} />Only what differs</label></th>
    {picked.map(({ letter, c }) => <th scope="col"><div class="stack-s"><div class="row"><span class="letter">{letter}</span><h2>{nameOf(c)}</h2><Beaten c={c} picked={picked} line={line} measure={measure} /></div><p class="dim wrap">{inShort(c.words)}</p>{act(c, letter)}</div></th>)}</tr></thead>
    <tbody>{section("Anonymity")}
      {row("Smallest group, k", (c) => count(c.k), (c) => c.k)}{row("Easiest person to find", (c) => `1 in ${count(c.k)}`)}{picked.some(({ c }) => c.l !== undefined) && row("Sensitive values, l", (c) => c.l === undefined ? "as asked" : count(c.l))}
      {section("Usefulness")}
      {bar("Accuracy", (c) => c.accuracy, (x) => percent(x), 1)}{bar("Information gain, bits", (c) => c.information_gain, (x) => figure(x), gains)}{bar("Decision tree", (c) => c.tree_accuracy, (x) => percent(x), 1)}
      {bar("Information lost (NCP)", (c) => c.ncp, (x) => percent(x), 1, -1)}{bar("Error of count queries", (c) => c.query_error, (x) => percent(x), errors, -1)}
      {row("Can be written as a rule", (c) => isRule(c) ? "yes" : wholeColumns(c) ? "by whole columns" : "no")}{picked.some(({ c }) => c.masked) && row("Masked rows", (c) => count(c.masked ?? 0))}
      {section("What becomes of row 1")}
      {shown.map((i) => <tr><th scope="row" class="wrap">{cut(advice.columns[i]!.name, 40)} <span class="mono faint">{cut(advice.columns[i]!.first_row_by_level[0] ?? "", 24)}</span></th>{picked.map(({ c }) => <Cell advice={advice} c={c} column={i} />)}</tr>)}
      {hidden > 0 && <tr><th scope="row" class="faint">{count(hidden)} more {hidden === 1 ? "column" : "columns"}</th><td colSpan={picked.length} class="faint">{columns.length > shown.length ? "not shown" : "the same in all of them"}</td></tr>}
    </tbody></table></section>;
}

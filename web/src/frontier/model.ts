// What advice holds (docs/advise.md), and what is best of it within limits. Shared by the screen Frontier and the page that `tada advise` writes.
import { count, figure, methodName, percent } from "../words.ts";

export interface Candidate {
  id: string; origin: "rule" | "join" | "vector" | "method"; method: string; asked_k: number; k: number; l?: number; suppress?: number; masked?: number; classes: number;
  accuracy?: number; information_gain?: number; tree_accuracy?: number; svm_accuracy?: number; ncp: number; query_error: number;
  levels?: Record<string, number>; first_row?: string[]; words: string; frontier: boolean; beaten_by?: string; same_as?: string; command?: string;
}
export interface Advice {
  input: string; label?: string; rows: number; accuracy_without_columns?: number; raw_tree_accuracy?: number; needed_k: number; min_k: number; file?: string;
  columns: { name: string; labels_by_level: number[]; first_row_by_level: string[] }[];
  candidates: Candidate[]; places: { name: string; id: string; words: string }[];
  search: { all_level_vectors_from_k: number; wide_would_add: string[]; left_out: string[] };
  patterns?: { sampled_rows: number };
}

/** Something that candidates are judged by besides k. `of` grows with what is good. */
export interface Measure { key: string; name: string; axis: string; of: (c: Candidate) => number | undefined; show: (x: number) => string; tick: (x: number, step: number) => string; limit: string; more: string }

const negative = (x: number | undefined): number | undefined => x === undefined ? undefined : -x;
export function measuresOf(advice: Advice): Measure[] {
  const of = advice.label ? `Accuracy of predicting ${advice.label.slice(0, 30)}` : "";
  const share = (key: string, name: string, axis: string, get: (c: Candidate) => number | undefined): Measure => ({ key, name, axis, of: get, show: (x) => percent(x), tick: (x, step) => percent(x, step < .01 ? 1 : 0), limit: `${name} of at least`, more: "is more accurate" });
  const all: Measure[] = [
    share("accuracy", "Accuracy", of, (c) => c.accuracy), share("tree", "Decision tree", of + " by a tree", (c) => c.tree_accuracy), share("svm", "Vector machine", of + " by a vector machine", (c) => c.svm_accuracy),
    { key: "gain", name: "Gain", axis: `Bits that tell ${(advice.label ?? "").slice(0, 30)}`, of: (c) => c.information_gain, show: (x) => figure(x), tick: (x, step) => figure(x, step < .01 ? 3 : 2), limit: "Information gain of at least", more: "tells more" },
    { key: "ncp", name: "Kept", axis: "Less information lost (NCP)", of: (c) => negative(c.ncp), show: (x) => figure(-x), tick: (x, step) => figure(-x, step < .01 ? 3 : 2), limit: "Information loss (NCP) of at most", more: "keeps more" },
    { key: "queries", name: "Counts", axis: "Smaller error of count queries", of: (c) => negative(c.query_error), show: (x) => percent(-x), tick: (x, step) => percent(-x, step < .01 ? 1 : 0), limit: "Query error of at most", more: "counts better" }];
  return all.filter((m) => advice.candidates.some((c) => m.of(c) !== undefined));
}

/** What is drawn first: accuracy, unless nothing that is allowed predicts better than guessing does; what releases tell is then seen in bits. */
export function usualMeasure(advice: Advice, measures: Measure[], need: number): Measure | undefined {
  const best = Math.max(...advice.candidates.filter((c) => c.k >= need).map((c) => c.accuracy ?? -Infinity));
  const flat = measures[0]?.key === "accuracy" && best - (advice.accuracy_without_columns ?? 0) < .005;
  return (flat ? measures.find((m) => m.key === "gain") : undefined) ?? measures[0];
}

/** Those that nothing beats in k and one measure: no other has at least both, and more of one. From small k to large. */
export function lineOf(all: Candidate[], of: Measure["of"]): Candidate[] {
  const known = all.filter((c) => of(c) !== undefined).sort((a, b) => b.k - a.k || of(b)! - of(a)!), kept: Candidate[] = [];
  let best = -Infinity;
  for (const c of known) if (of(c)! > best) { best = of(c)!; kept.push(c); }
  return kept.reverse();
}

/** One that has at least its k and as much of the measure that is drawn, and more of one: one of `near`, or else the best on the line, where there is always one. */
export function beaterOf(c: Candidate, line: Candidate[], { of }: Measure, near: Candidate[] = []): Candidate | undefined {
  const own = of(c), beats = (other: Candidate) => { const theirs = of(other); return own !== undefined && theirs !== undefined && other.k >= c.k && theirs >= own && (other.k > c.k || theirs > own); };
  return near.find(beats) ?? line.find(beats);
}
export const isRule = (c: Candidate): boolean => c.origin !== "method";
/** Whole columns at one level, by a rule or by a method. */
export const wholeColumns = (c: Candidate): boolean => isRule(c) || c.method === "datafly" || c.method === "optimal";
export const nameOf = (c: Candidate): string => isRule(c) ? (c.origin === "vector" ? `Levels ${c.id}` : `Rule ${c.id}`) : `${methodName(c.method)}, k = ${count(c.k)}${c.suppress ? `, at most ${c.suppress}% masked` : ""}`;

/** What a release that shows nothing would have. */
export const nothingOf = (advice: Advice, measure: Measure): number => ["accuracy", "tree", "svm"].includes(measure.key) ? advice.accuracy_without_columns ?? 0 : measure.key === "gain" ? 0 : -1;

export interface PlaceToStart { name: string; words: string; candidate: Candidate }
/** Where to start within limits, each only from what was measured. */
export function placesOf(all: Candidate[], measure: Measure, need: number, least: number, nothing: number): PlaceToStart[] {
  const within = all.filter((c) => c.k >= need && measure.of(c) !== undefined && measure.of(c)! >= least), places: PlaceToStart[] = [];
  const best = (list: Candidate[], of: (c: Candidate) => number): Candidate | undefined => list.reduce<Candidate | undefined>((top, c) => !top || of(c) > of(top) ? c : top, undefined);
  const add = (name: string, words: string, candidate: Candidate | undefined) => { if (candidate && !places.some((p) => p.candidate.id === candidate.id)) places.push({ name, words, candidate }); };
  const useful = best(within, (c) => measure.of(c)! + c.k * 1e-12);
  add("Most useful", useful && !wholeColumns(useful) ? "Group-wise: cells differ from group to group." : "The best within your limits.", useful);
  const enough = useful ? nothing + (measure.of(useful)! - nothing) / 2 : 0;
  add("Cautious", "The largest k that keeps half of what the most useful one keeps.", best(within.filter((c) => measure.of(c)! >= enough), (c) => c.k));
  add("Best rule", `The most of what can be written as a rule for whole columns, from k ${count(need)} up.`, best(within.filter(isRule), (c) => measure.of(c)! + c.k * 1e-12));
  return places;
}

/** What a candidate shows of the first row in a column, and at which level if it has one. */
export function cellOf(advice: Advice, c: Candidate, column: number): { text: string; level?: number; gone?: boolean } {
  const { labels_by_level, first_row_by_level, name } = advice.columns[column]!, top = labels_by_level.length - 1;
  if (!isRule(c)) { const text = c.first_row?.[column] ?? "*"; return { text, gone: text === "*" || top > 0 && text === first_row_by_level[top] }; }
  const level = c.levels?.[name] ?? top;
  return { text: first_row_by_level[level] ?? "*", level, gone: level >= top };
}

// Numbers and texts as people read them.

export const count = (n: number): string => n.toLocaleString("en");
/** A share: all and nothing are written without decimals, and nothing else is rounded to them. */
export function percent(x: number, digits = 1): string {
  const text = (100 * x).toFixed(digits), whole = Math.abs(x - Math.round(x)) < 1e-9;
  if (whole) return Math.round(100 * x) + "%";
  if (+text === 0) return `<${10 ** -digits}%`;
  return x < 1 && +text === 100 ? `>${100 - 10 ** -digits}%` : text + "%";
}
export const plural = (n: number, one: string, many = one + "s"): string => `${count(n)} ${n === 1 ? one : many}`;
export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
export function bytes(n: number): string {
  if (n < 1000) return n + " B";
  if (n < 1e6) return (n / 1e3).toFixed(0) + " kB";
  return n < 1e9 ? (n / 1e6).toFixed(1) + " MB" : (n / 1e9).toFixed(2) + " GB";
}
export function duration(seconds: number): string {
  if (seconds < 10) return seconds.toFixed(1) + " s";
  if (seconds < 90) return Math.round(seconds) + " s";
  return seconds < 5400 ? Math.round(seconds / 60) + " min" : (seconds / 3600).toFixed(1) + " h";
}
/** What a table allows at most, as the server says it: k=45222, l=6. */
export const limits = (text: string): string => text.replaceAll("=", "\u00a0=\u00a0").replace(/\d{4,}/g, (n) => count(+n));
/** A moment that the server tells in UTC, as the clock of this computer has it: 2026-11-18 22:33:53. */
export const moment = (utc: string): string => new Date(utc).toLocaleString("sv-SE");
/** A figure without a zero before the point: .753 */
export const figure = (x: number, digits = 3): string => x.toFixed(digits).replace(/^(-?)0\./, "$1.");
export const list = (names: string[]): string => names.length < 2 ? names.join("") : names.slice(0, -1).join(", ") + " and " + names[names.length - 1];
/** Characters that turn the direction of what follows them, or hide, as their numbers. */
export const visible = (text: string): string => text.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, (c) => `⟨${c.charCodeAt(0).toString(16)}⟩`);
/** A text that may be very long, cut in the middle. */
export const cut = (text: string, most = 60): string => visible(text.length <= most ? text : text.slice(0, most - 12) + "…" + text.slice(-10));

/** Methods as people call them. */
const kMethods: Record<string, string> = { ta_da: "Target-aware", mondrian: "Mondrian", infogain: "InfoGain Mondrian", regression: "Regression Mondrian", compact: "Compact", dop: "Density clusters", datafly: "Datafly", topdown: "Top-down", optimal: "Optimal levels", levels: "Levels you set", target_weighted: "Target-weighted", auto: "Try several", raw: "raw table" };
export const methodName = (name: string): string => kMethods[name] ?? capital(name.replaceAll("_", " "));
/** A measure of models as the documents write it. */
export const metricName = (name: string): string => ({ f1_macro: "F1macro", ari: "ARI", r2: "R2" })[name] ?? capital(name.replaceAll("_", " "));
/** A released cell that may be a long set: its first values, and how many more there are. */
export function shortCell(text: string, most = 44): string {
  if (text.length <= most || !/^\{.*\}$/.test(text)) return cut(text, most);
  const values = text.slice(1, -1).match(/"(?:[^"\\]|\\.)*"|[^,]+/g) ?? [];
  let shown = 0;
  for (let length = 0; shown < values.length && length + values[shown]!.length + 1 < most - 14; ++shown) length += values[shown]!.length + 1;
  return shown === 0 ? cut(text, most) : `{${values.slice(0, shown).join(",")}, and ${values.length - shown} more}`;
}

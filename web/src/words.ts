// Numbers and texts as people read them.

export const count = (n: number): string => n.toLocaleString("en");
export const percent = (x: number, digits = 1): string => (100 * x).toFixed(digits) + "%";
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
/** A figure without a zero before the point: .753 */
export const figure = (x: number, digits = 3): string => x.toFixed(digits).replace(/^(-?)0\./, "$1.");
export const list = (names: string[]): string => names.length < 2 ? names.join("") : names.slice(0, -1).join(", ") + " and " + names[names.length - 1];
/** A text that may be very long, cut in the middle. */
export const cut = (text: string, most = 60): string => text.length <= most ? text : text.slice(0, most - 12) + "…" + text.slice(-10);

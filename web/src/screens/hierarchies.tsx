// Hierarchies: how the values of a column become coarser, as a tree that can be rearranged.
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { ApiError, get, post } from "../api.ts";
import { Card, Head, Note } from "../parts.tsx";
import { PlanBar } from "../shell.tsx";
import { attempt, columnOptions, columnsWith, place, table } from "../state.ts";
import { count, cut, plural } from "../words.ts";

interface Built { column: string; from: string; levels: { nodes: number; smallest: number }[]; lines: string[][]; values: number; corrected: string[] }
const kBuilders: Record<string, [string, string][]> = {
  number: [["count:5", "Five values at a time, then in pairs"], ["width:5", "Steps of 5, doubled"], ["width:10", "Steps of 10, doubled"], ["round", "1, 10, 100, …"], ["flat", "The value, then nothing"]],
  date: [["dates", "Day, month, quarter, year, decade"], ["flat", "The value, then nothing"]],
  name: [["means", "By what else the table says of them"], ["prefix", "Codes: from the right, one character at a time"], ["flat", "The value, then nothing"]],
};
const built = signal<Built | null>(null);
const lines = signal<string[][]>([]);
const history = signal<string[][][]>([]);
const wrong = signal("");

const load = (column: string, builder = "") => attempt(async () => {
  const found = await get<Built>(`/api/tables/${table.value!.id}/hierarchies/${encodeURIComponent(column)}${builder ? "?builder=" + encodeURIComponent(builder) : ""}`);
  built.value = found; lines.value = found.lines; history.value = []; wrong.value = "";
});
const element = (value: string): string => value === "" || /[,{}"\\]|^\s|\s$/.test(value) ? `"${value.replace(/["\\]/g, "\\$&")}"` : value;
/** Labels that are sets of values name those that are below them now. */
function relabel(all: string[][]): string[][] {
  const made = all.map((line) => [...line]);
  for (let level = 1; level < (made[0]?.length ?? 0) - 1; ++level) {
    const below = new Map<string, string[][]>();
    for (const line of made) { const label = line[level]!; if (label.startsWith("{")) below.set(label, [...(below.get(label) ?? []), line]); }
    for (const members of below.values()) {
      const values = members.map((line) => line[0]!).sort((a, b) => a < b ? -1 : a > b ? 1 : 0), label = values.length === 1 ? values[0]! : `{${values.map(element).join(",")}}`;
      for (const line of members) line[level] = label;
    }
  }
  return made;
}
interface Moved { values: string[]; level: number; label: string }
/** Puts a node below the node that `to` belongs to at `level`; between the two stands its own label. */
function move(who: Moved, to: string[], level: number): void {
  history.value = [...history.value, lines.value];
  const between = Array.from({ length: Math.max(0, level - who.level - 1) }, () => who.label);
  lines.value = relabel(lines.value.map((line) => who.values.includes(line[0]!) ? [...line.slice(0, Math.min(level, who.level + 1)), ...between, ...to.slice(level)] : line));
  void check();
}
async function check(): Promise<void> {
  try {
    await post(`/api/tables/${table.value!.id}/hierarchies/${encodeURIComponent(built.value!.column)}`, { lines: lines.value, check_only: true });
    wrong.value = "";
  } catch (error) { wrong.value = error instanceof ApiError ? error.problem.detail : String(error); }
}

interface Node { label: string; level: number; path: string[]; values: string[]; children: Node[] }
function treeOf(all: string[][]): Node | null {
  if (!all.length) return null;
  const top = all[0]!.length - 1;
  const build = (rows: string[][], level: number): Node => {
    const node: Node = { label: rows[0]![level]!, level, path: rows[0]!, values: rows.map((r) => r[0]!), children: [] };
    if (level === 0) return node;
    const groups = new Map<string, string[][]>();
    for (const row of rows) { const key = row[level - 1]!; const group = groups.get(key); if (group) group.push(row); else groups.set(key, [row]); }
    node.children = [...groups.values()].map((group) => build(group, level - 1));
    return node;
  };
  return build(all, top);
}
/** Leaves out levels at which a node has itself as its only child. */
const skip = (node: Node): Node => node.children.length === 1 && node.children[0]!.label === node.label ? skip(node.children[0]!) : node;

function Branch({ node, depth, targets }: { node: Node; depth: number; targets: Node[] }) {
  const shown = skip(node), leaf = shown.children.length === 0, [open, setOpen] = useState(depth < 2), [over, setOver] = useState(false), [most, setMost] = useState(60);
  const drop = (e: DragEvent) => { e.preventDefault(); setOver(false); const who = e.dataTransfer?.getData("text/plain"); if (who && !leaf) move(JSON.parse(who) as Moved, shown.path, shown.level); };
  return <li>
    <div class={"node" + (leaf ? " leaf" : "") + (over ? " over" : "")} draggable={depth > 0} onDragStart={(e) => e.dataTransfer?.setData("text/plain", JSON.stringify({ values: shown.values, level: shown.level, label: shown.label }))}
      onDragOver={(e) => { if (!leaf) { e.preventDefault(); setOver(true); } }} onDragLeave={() => setOver(false)} onDrop={drop}>
      {leaf ? <span class="twist" /> : <button class="twist" aria-expanded={open} aria-label={(open ? "Close " : "Open ") + shown.label} onClick={() => setOpen(!open)}>{open ? "▾" : "▸"}</button>}
      <span class="grow cut">{cut(shown.label || "(missing)", 80)}</span>{!leaf && <span class="small faint">{plural(shown.values.length, "value")}</span>}
      {depth > 0 && <select class="small" aria-label={`Move ${cut(shown.label, 40)} to`} value="" onChange={(e) => { const to = targets[+e.currentTarget.value]; if (to) move({ values: shown.values, level: shown.level, label: shown.label }, to.path, to.level); }}><option value="">Move to…</option>{targets.map((t, i) => t.level > shown.level && t.label !== shown.path[t.level] ? <option value={i}>{cut(t.label, 40)}</option> : null)}</select>}
    </div>
    {!leaf && open && <ul>{shown.children.slice(0, most).map((child) => <Branch key={child.label + child.level} node={child} depth={depth + 1} targets={targets} />)}{shown.children.length > most && <li><button class="btn sm" onClick={() => setMost(most + 300)}>{count(shown.children.length - most)} more</button></li>}</ul>}
  </li>;
}
const inner = (node: Node | null): Node[] => node === null ? [] : [...(node.children.length ? [node] : []), ...node.children.flatMap(inner)];

export function Hierarchies() {
  const quasi = columnsWith("quasi"), [name, setName] = useState(place.value.id ? decodeURIComponent(place.value.id) : quasi[0]?.name ?? ""), column = quasi.find((c) => c.name === name) ?? quasi[0];
  useEffect(() => { if (column) void load(column.name); }, [column?.name]);
  if (!column) return <><Head title="How do values become coarser?" /><Note><p>Hierarchies belong to quasi-identifiers. <a href="#/columns">Choose some</a> first.</p></Note></>;
  const now = built.value?.column === column.name ? built.value : null, builders = kBuilders[column.date ? "date" : column.kind === "numeric" ? "number" : "name"]!, used = columnOptions.value[column.name]?.hierarchy;
  const tree = now ? treeOf(lines.value) : null, targets = inner(tree).slice(0, 200), changed = history.value.length > 0;
  const use = (hierarchy: string) => { columnOptions.value = { ...columnOptions.value, [column.name]: { ...columnOptions.value[column.name], hierarchy } }; };
  const save = () => attempt(async () => {
    const saved = await post<Built>(`/api/tables/${table.value!.id}/hierarchies/${encodeURIComponent(column.name)}`, { lines: lines.value });
    built.value = saved; lines.value = saved.lines; history.value = []; use(saved.from);
  });
  return <>
    <Head title="How do values become coarser?" act={<><button class="btn" disabled={!changed} onClick={() => { lines.value = history.value[history.value.length - 1]!; history.value = history.value.slice(0, -1); void check(); }}>Undo</button><button class="btn" onClick={() => { const { [column.name]: _, ...rest } = columnOptions.value; columnOptions.value = rest; }} disabled={!used}>Do not use</button><button class="btn pri" disabled={!now || !!wrong.value} onClick={() => changed || !now ? save() : now.from.startsWith("hierarchies/") ? use(now.from) : use(now.from)}>{changed ? "Save and use" : "Use this"}</button></>}>
      A column with a hierarchy is released by its labels. Drag values to where they belong, or move them with the keyboard by “Move to…”.</Head>
    <div class="cols"><section class="card"><div class="in row"><label for="which">Column</label><select id="which" value={column.name} onChange={(e) => setName(e.currentTarget.value)}>{quasi.map((c) => <option value={c.name}>{cut(c.name, 50)}{columnOptions.value[c.name]?.hierarchy ? " (used)" : ""}</option>)}</select>
        <label for="builder">Made by</label><select id="builder" value={now?.from ?? ""} onChange={(e) => load(column.name, e.currentTarget.value)}>{now && !builders.some(([b]) => b === now.from) && <option value={now.from}>{now.from.startsWith("hierarchies/") ? "yours, saved" : now.from}</option>}{builders.map(([b, words]) => <option value={b}>{words}</option>)}</select>
        {used && <span class="chip met">used in the plan: {cut(used, 30)}</span>}</div>
      <div class="in">{wrong.value && <Note kind="bad"><p>{wrong.value}</p></Note>}{tree ? <div class="tree"><ul><Branch key={column.name + history.value.length} node={tree} depth={0} targets={targets} /></ul></div> : <p class="dim" role="status">Reading…</p>}</div></section>
      <div class="side"><Card title="Levels">{now && <table><thead><tr><th scope="col">Level</th><th scope="col" class="num">Different</th><th scope="col" class="num">Rarest has</th></tr></thead><tbody>{now.levels.map((l, i) => <tr><th scope="row">{i === 0 ? "as it is" : i === now.levels.length - 1 ? "nothing" : i}</th><td class="num">{count(l.nodes)}</td><td class="num">{plural(l.smallest, "row")}</td></tr>)}</tbody></table>}{now && now.values > now.lines.length && <Note><p>The first {count(now.lines.length)} of {count(now.values)} values are shown; edit the rest in a file.</p></Note>}{now && now.corrected.length > 0 && <Note>{now.corrected.slice(0, 5).map((c) => <p>{c}</p>)}</Note>}</Card></div></div>
    <PlanBar />
  </>;
}

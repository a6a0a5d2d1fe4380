// Hierarchies: how the values of a column become coarser, as a tree that can be rearranged.
import { signal } from "@preact/signals";
import { useLayoutEffect, useState } from "preact/hooks";
import { ApiError, get, post, type Column } from "../api.ts";
import { dissolve, group, move, rename, treeOf, type Lines, type Part } from "../hierarchy/model.ts";
import { forgetChoices, openPath, Tree, type Edits } from "../hierarchy/tree.tsx";
import { Card, Head, Note } from "../parts.tsx";
import { PlanBar } from "../shell.tsx";
import { attempt, columnOptions, columnsWith, place, table } from "../state.ts";
import { count, cut, plural } from "../words.ts";

interface Built { column: string; from: string; levels: { nodes: number; smallest: number }[]; lines: Lines; values: number; corrected: string[] }
const kFlat: [string, string] = ["flat", "The value, then nothing"];
const kBuilders: Record<string, [string, string][]> = {
  number: [["count:5", "Five values at a time, then in pairs"], ["width:5", "Steps of 5, doubled"], ["width:10", "Steps of 10, doubled"], ["round", "1, 10, 100, …"], kFlat],
  date: [["dates", "Day, month, quarter, year, decade"], kFlat],
  name: [["means", "By what else the table says of them"], ["prefix", "Codes: from the right, one character at a time"], ["zip3", "American postal codes: five digits, then three"], ["icd10", "Diagnoses: code, category, chapter"], kFlat],
};
const built = signal<Built | null>(null);
const lines = signal<Lines>([]);
const history = signal<Lines[]>([]);
const wrong = signal("");

const pathOf = (column: string): string => `/api/tables/${table.value!.id}/hierarchies/${encodeURIComponent(column)}`;
const take = (found: Built): void => { built.value = found; lines.value = found.lines; history.value = []; wrong.value = ""; forgetChoices(); };
let asked = 0;  // an answer that a newer question overtook is dropped
const load = (column: string, builder = "") => attempt(async () => {
  const own = ++asked, found = await get<Built>(pathOf(column) + (builder ? "?builder=" + encodeURIComponent(builder) : ""));
  if (own === asked) take(found);
});
/** Asks whether the lines are a hierarchy of the column, and how coarse its levels are. */
async function check(): Promise<void> {
  try {
    const found = await post<Built>(pathOf(built.value!.column), { lines: lines.value, check_only: true });
    built.value = { ...built.value!, levels: found.levels };
    wrong.value = "";
  } catch (error) { wrong.value = error instanceof ApiError ? error.problem.detail : String(error); }
}
function change(next: Lines): void {
  history.value = [...history.value, lines.value];
  lines.value = next;
  forgetChoices();
  void check();
}
function undo(): void {
  lines.value = history.value[history.value.length - 1]!;
  history.value = history.value.slice(0, -1);
  forgetChoices();
  void check();
}

function Levels({ now }: { now: Built }) {
  return <Card title="Levels"><table class="tight"><thead><tr><th scope="col">Level</th><th scope="col" class="num">Different</th><th scope="col" class="num">Rarest has</th></tr></thead>
    <tbody>{now.levels.map((l, i) => <tr><th scope="row">{i === 0 ? "as it is" : i === now.levels.length - 1 ? "nothing" : i}</th><td class="num">{count(l.nodes)}</td><td class="num">{plural(l.smallest, "row")}</td></tr>)}</tbody></table>
    <p class="small faint">A method picks a level, or a label, that enough people share.</p>
    {now.values > now.lines.length && <Note><p>The first {count(now.lines.length)} of {count(now.values)} values are shown; edit the rest in a file.</p></Note>}
    {now.corrected.length > 0 && <Note>{now.corrected.slice(0, 5).map((c) => <p class="wrap">{c}</p>)}{now.corrected.length > 5 && <p>{count(now.corrected.length - 5)} more like these.</p>}</Note>}</Card>;
}

/** How the hierarchy is made: a builder from the list, or a rule as the command line takes it. */
function MadeBy({ column, now }: { column: Column; now: Built | null }) {
  const builders = kBuilders[column.date ? "date" : column.kind === "numeric" ? "number" : "name"]!, [rule, setRule] = useState("");
  return <><span class="row tightly pair"><label for="builder">Made by</label><select id="builder" value={now?.from ?? ""} onChange={(e) => load(column.name, e.currentTarget.value)}>{now && !builders.some(([b]) => b === now.from) && <option value={now.from}>{now.from.startsWith("hierarchies/") ? "yours, saved" : now.from}</option>}{builders.map(([b, words]) => <option value={b}>{words}</option>)}</select></span>
    <form class="row tightly" onSubmit={(e) => { e.preventDefault(); if (rule.trim()) void load(column.name, rule.trim()); }}><label for="rule">or by a rule</label><input id="rule" type="text" size={16} placeholder={column.kind === "numeric" ? "0-120/5/10/20" : "prefix:5/3/1"} value={rule} onInput={(e) => setRule(e.currentTarget.value)} /><button class="btn sm" type="submit">Make by this rule</button></form></>;
}

export function Hierarchies() {
  const quasi = columnsWith("quasi"), [name, setName] = useState(place.value.id ? decodeURIComponent(place.value.id) : quasi[0]?.name ?? ""), column = quasi.find((c) => c.name === name) ?? quasi[0];
  useLayoutEffect(() => { if (column) void load(column.name); }, [column?.name]);  // before a builder can be picked: the later question wins
  if (!column) return <><Head title="How do values become coarser?" /><Note><p>Hierarchies belong to quasi-identifiers. <a href="#/columns">Choose some</a> first.</p></Note></>;
  const now = built.value?.column === column.name ? built.value : null, used = columnOptions.value[column.name]?.hierarchy, root = now ? treeOf(lines.value) : null, changed = history.value.length > 0;
  const use = (hierarchy: string) => { columnOptions.value = { ...columnOptions.value, [column.name]: { ...columnOptions.value[column.name], hierarchy } }; };
  const leave = () => { const { [column.name]: _, ...rest } = columnOptions.value; columnOptions.value = rest; };
  const save = () => attempt(async () => { const saved = await post<Built>(pathOf(column.name), { lines: lines.value }); take(saved); use(saved.from); });
  const put = (next: Lines, parts: Part[]) => { change(next); openPath(treeOf(next)!, parts[0]!.values[0]!); };
  const edits: Edits = {
    lines: lines.value, move: (parts, to) => put(move(lines.value, parts, to.path, to.level), parts), group: (parts, called) => put(group(lines.value, parts, called), parts),
    rename: (node, called) => change(rename(lines.value, node, called)), dissolve: (node) => change(dissolve(lines.value, node)),
  };
  return <>
    <Head title="How do values become coarser?" act={<><button class="btn" disabled={!changed} onClick={undo}>Undo</button><button class="btn" onClick={leave} disabled={!used}>Do not use</button><button class="btn pri" disabled={!now || !!wrong.value} onClick={() => changed ? save() : use(now!.from)}>{changed ? "Save and use" : "Use this"}</button></>}>
      A column with a hierarchy is released by its labels. Drag values to where they belong, or tick them and say where they go.</Head>
    <div class="cols"><section class="card"><div class="in row"><span class="row tightly pair"><label for="which">Column</label><select id="which" value={column.name} onChange={(e) => setName(e.currentTarget.value)}>{quasi.map((c) => <option value={c.name}>{cut(c.name, 50)}{columnOptions.value[c.name]?.hierarchy ? " (used)" : ""}</option>)}</select></span>
        <MadeBy column={column} now={now} />{used && <span class="chip met">used in the plan: {cut(used, 30)}</span>}</div>
      <div class="in stack" data-from={now?.from}>{wrong.value && <Note kind="bad"><p>{wrong.value}</p></Note>}{root ? <Tree root={root} edits={edits} /> : <p class="dim" role="status">{now ? "The column has no values." : "Reading…"}</p>}</div></section>
      <div class="side">{now && <Levels now={now} />}</div></div>
    <PlanBar />
  </>;
}

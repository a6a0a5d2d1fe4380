// Controllers: several owners of rows, each with a requirement of its own, released together.
import { signal } from "@preact/signals";
import { Card, Head, Note, Segments } from "../parts.tsx";
import { PlanBar } from "../shell.tsx";
import { columnsWith, controllers, feasible, infeasible, k, roles, setRole, setValue, table, values, type Role } from "../state.ts";
import { count, cut, limits, plural } from "../words.ts";

/** The column that names controllers, and the role it had: it has it again once it names them no more. */
const lent = signal<{ table: string; column: string; role: Role } | null>(null);

export function Controllers() {
  const column = String(values.value["controller-column"] ?? ""), number = String(values.value["controllers"] ?? ""), how = column ? "column" : Number(number) > 1 ? "count" : "one";
  const open = table.value!, candidates = open.columns.filter((c) => c.distinct > 1 && c.distinct <= 200 && c.kind !== "numeric"), found = feasible.value?.controllers ?? [];
  const set = (name: string, key: string, value: string) => {
    const own = { ...(controllers.value[name] ?? {}) };
    if (value) own[key] = value; else delete own[key];
    const next = { ...controllers.value, [name]: own };
    if (!Object.keys(own).length) delete next[name];
    controllers.value = next;
  };
  /** A column that says whose rows they are has no other role, unless it is kept: everybody of a controller has the same in it. */
  const name = (next: string) => {
    setValue("controller-column", next);
    if (lent.value?.table === open.id && roles.value[lent.value.column] === "drop") setRole(lent.value.column, lent.value.role);
    const role = roles.value[next];
    lent.value = next && role && role !== "keep" ? { table: open.id, column: next, role } : null;
    if (lent.value) setRole(next, "drop");
    controllers.value = {};
  };
  const pick = (next: string) => {
    name(next === "column" ? (candidates.find((c) => (roles.value[c.name] ?? "drop") === "drop") ?? candidates[0])?.name ?? "" : "");
    setValue("controllers", next === "count" ? "3" : "");
    controllers.value = {};
  };
  return <>
    <Head title="Whose rows are they?">Hospitals, banks, schools: each controller anonymizes its own rows, and they are published together. People rely on what their own controller reaches.</Head>
    <div class="stack-l"><Card title="Controllers"><Segments name="how" label="Controllers" value={how} choices={[["one", "One"], ["column", "As a column says"], ["count", "At random, for a trial"]]} onPick={pick} />
      {how === "one" && <p class="dim">All {count(open.rows)} rows have one owner: groups are formed across the whole table, under one requirement.</p>}
      {how === "column" && <label class="field"><span>The column that names them</span><select value={column} onChange={(e) => name(e.currentTarget.value)}>{candidates.map((c) => <option value={c.name}>{cut(c.name, 50)} ({plural(c.distinct, "value")})</option>)}</select></label>}
      {how === "column" && !candidates.length && <Note><p>No column has few enough different names.</p></Note>}
      {how === "count" && <label class="field"><span>How many</span><input type="number" min="2" max={open.rows} value={number} onInput={(e) => setValue("controllers", e.currentTarget.value)} /></label>}</Card>
      {infeasible.value && how !== "one" && <Note kind="bad"><p><b>{infeasible.value.detail}</b></p><p>{infeasible.value.hint}</p></Note>}
      {how !== "one" && found.length > 0 && <section class="card scroll" tabIndex={0} role="region" aria-label="Controllers and what they can meet"><table><thead><tr><th scope="col">Controller</th><th scope="col" class="num">People</th>{how === "column" && <><th scope="col">Its own k</th>{columnsWith("sensitive").length > 0 && <th scope="col">Its own l</th>}</>}<th scope="col">Can it be met?</th></tr></thead>
        <tbody>{found.slice(0, 200).map((c) => <tr><th scope="row" class="wrap">{cut(c.name, 60)}</th><td class="num">{count(c.members)}</td>
          {how === "column" && <><td><input type="number" min="1" aria-label={"k of " + c.name} placeholder={String(k.value)} value={String(controllers.value[c.name]?.["k"] ?? "")} onChange={(e) => set(c.name, "k", e.currentTarget.value)} /></td>{columnsWith("sensitive").length > 0 && <td><input type="number" min="1" aria-label={"l of " + c.name} placeholder={String(values.value["l"] || 1)} value={String(controllers.value[c.name]?.["l"] ?? "")} onChange={(e) => set(c.name, "l", e.currentTarget.value)} /></td>}</>}
          <td>{c.feasible ? <span class="chip met">yes, at most {limits(c.largest)}</span> : <span class="chip bad">no: at most {limits(c.largest)}</span>}</td></tr>)}</tbody></table></section>}
      {how !== "one" && <Note><p><b>Together:</b> the union of the releases meets the weakest of these requirements, as long as nobody is in two tables. People who are in several can be narrowed down by comparing: <code>tada compose</code> shows by how much.</p></Note>}</div>
    <PlanBar />
  </>;
}

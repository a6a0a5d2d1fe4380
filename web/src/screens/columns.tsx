// Columns: what each is for, and what that means for people, live.
import { computed, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { post, type Column, type PlanView } from "../api.ts";
import { Shape, useNarrow } from "../charts.tsx";
import { Card, Head, Icon, Meter, Note, Segments } from "../parts.tsx";
import { PlanBar } from "../shell.tsx";
import { accepted, attempt, columnsWith, go, k, kRoles, person, planView, risk, riskStale, roles, setRole, table, takePlan, type Role } from "../state.ts";
import { capital, count, cut, percent, plural } from "../words.ts";

const kTitles: Record<Role, string> = { quasi: "Quasi", sensitive: "Sensitive", label: "Label", keep: "Keep", drop: "Drop" };
const find = signal("");
const only = signal<"all" | "decide">("all");
const most = signal(100), kMore = 200;  // rows shown of a very wide table

const isDoubtful = (c: Column): boolean => /^nothing says|only one|one value|as good as|numbers the rows/.test(c.reason) || c.role === "drop" || c.role === "person";
/** Many have a value that nobody else has. */
const tellsManyApart = (c: Column): boolean => c.uniqueness > .05 && c.distinct > 20;
const looksLikeAnIdentifier = (c: Column): boolean => tellsManyApart(c) || /as good as|numbers the rows|names a person|identif/.test(c.reason);

/** The reason in the width of a column; the whole one is its title. */
const reasonOf = (c: Column): string => capital(c.reason.replace(/^"(.*)" in its name: others may know it of a person(; .*)?$/, "its name says others may know it").replace(/^.* in its name, and (\d+) values for \d+ rows$/, (_, n) => `identifies people: ${count(+n)} values`).replace(/^".*" in its name: what people would not want known$/, "people may not want it known").replace(/^.*: what a model would predict$/, "what a model would predict").replace(/^nothing says that others cannot know it$/, c.uniqueness > .3 ? `almost a key: ${count(c.distinct)} values` : "nothing says others cannot know it").replace(/^another column is the label, and /, ""));

/** By column: how many would be unique without it, or with it. */
const changed = computed(() => new Map(risk.value?.if_changed.map((c) => [c.name, c.unique])));

/** What the column does to uniqueness: how many people it makes unique, or would. */
function Uniqueness({ column }: { column: Column }) {
  const now = risk.value, at = changed.value.get(column.name);
  if (!now || at === undefined) return <div class="uniq"><span class="faint">…</span></div>;
  const is = roles.value[column.name] === "quasi", n = Math.abs(now.unique - at);
  return <div class={"uniq" + (is ? "" : " maybe")}><Meter share={n / Math.max(1, now.members)} /><span class="num">{is ? count(n) : n ? "+" + count(n) : "0"}</span></div>;
}

/** A cell across the columns that there are: a phone has no room for three of them. */
const Across = ({ children }: { children: ComponentChildren }) => <td colSpan={useNarrow() ? 6 : 9}>{children}</td>;

function Row({ column }: { column: Column }) {
  const [asked, setAsked] = useState<Role | null>(null);
  const role = roles.value[column.name] ?? "drop", isPerson = person.value.includes(column.name);
  const asItIs = (r: Role) => r !== "drop" && r !== "quasi";
  const pick = (next: Role) => {
    if ((asItIs(next) && !asItIs(role) || next === "quasi" && role === "drop") && looksLikeAnIdentifier(column)) setAsked(next);
    else { setAsked(null); setRole(column.name, next); }
  };
  const name = column.name || "(no name)", more = risk.value ? Math.abs(risk.value.unique - (changed.value.get(column.name) ?? risk.value.unique)) : 0;
  const why = isPerson ? "Names people, who have several rows: k counts people" : role === column.role || (role === "drop" && column.role === "person") ? reasonOf(column) : "You decided";
  return <>
    <tr class={role === "drop" ? "off" : ""}>
      <th scope="row"><div class="nm cut" title={cut(name, 200)}><b>{cut(name, 120)}</b><span>{column.date ? "date" : column.kind === "numeric" ? "number" : column.kind === "ordinal" ? "ordered" : "category"}</span></div>
        <div class={"why" + (isDoubtful(column) && role === column.role ? " look" : "")} title={why === reasonOf(column) ? capital(column.reason) : why}>{why}</div></th>
      <td class="c-shape"><Shape counts={column.shape} color={role === "drop" ? "rest" : role} /></td>
      <td class="c-dist num">{count(column.distinct)}</td>
      <td class="c-uniq"><Uniqueness column={column} /></td>
      {kRoles.map((r) => <td class="r c-role"><label><input type="radio" class={"dot " + r} name={"role-" + column.name} checked={role === r} onChange={() => pick(r)} aria-label={`${cut(name, 80)}: ${kTitles[r]}`} /></label></td>)}
    </tr>
    {asked && <tr><Across><Note><p>{column.uniqueness > .9 || !tellsManyApart(column) ? "Nearly every row has a value of its own" : `${percent(column.uniqueness, 0)} of the rows have a value of their own`} in <b class="wrap">{cut(name)}</b>: whoever is released with it can be found by it.{more > 0 && ` Together with the quasi-identifiers it makes ${plural(more, "more person", "more people")} unique.`}</p>
      <div class="row"><button class="btn sm" onClick={() => { setRole(column.name, asked); setAsked(null); }}>Yes, {asked === "quasi" ? "it is a quasi-identifier" : "release it as it is"}</button><button class="btn sm" onClick={() => setAsked(null)}>{role === "drop" ? "No, leave it out" : "No, leave it as it was"}</button></div></Note></Across></tr>}
  </>;
}

function RiskNow() {
  const now = risk.value, quasi = columnsWith("quasi");
  if (!now) return <Card title="Risk right now"><p class="dim" role="status">Counting…</p></Card>;
  const share = now.unique / Math.max(1, now.members), largest = Math.max(1, ...now.sizes.map((s) => s.members));
  const combination = quasi.length === 1 ? `value of ${cut(quasi[0]!.name, 40)}` : `combination of the ${plural(quasi.length, "quasi-identifier")}`;
  const ofAll = (n: number) => percent(n / Math.max(1, now.members));
  const lower = quasi.map((c) => ({ name: c.name, unique: changed.value.get(c.name) ?? now.unique })).filter((c) => ofAll(c.unique) !== ofAll(now.unique)).sort((a, b) => a.unique - b.unique).slice(0, 3);
  const classOf = (from: number, to: number) => to === 0 || to >= k.value ? (from >= k.value ? "" : "risk2") : from === 1 ? "risk" : to < 5 ? "risk1" : "risk2";
  return <section class="card" aria-busy={riskStale.value}>
    <div class="in" aria-live="polite"><h2>Risk right now</h2>
      <p class={"big " + (share > .05 ? "bad-ink" : share > 0 ? "look-ink" : "met-ink")}>{percent(share)}</p>
      {quasi.length ? now.unique ? <p class="dim">of the people, {count(now.unique)}, {now.unique === 1 ? "is" : "are each"} the only one with their {combination}. Whoever knows {quasi.length === 1 ? "it" : "these"} of a person has found the row.</p>
        : <p class="dim">Nobody is the only one with their {combination}.</p>
        : <p class="dim">No column is a quasi-identifier yet: nobody can be looked up, and nothing can be protected.</p>}</div>
    <div class="in stack"><h2>How many people look alike</h2>
      <div class="sizes">{now.sizes.map((s) => <><span>{s.from === 1 && s.to === 1 ? "alone" : s.to === 0 ? `${count(s.from)} or more` : s.from === s.to ? s.from : `${s.from} to ${s.to}`}</span><i class={s.members ? classOf(s.from, s.to) : "none"} style={{ width: 100 * s.members / largest + "%" }} /><span class="num">{count(s.members)}</span></>)}</div>
      <p class="small faint">Red: fewer than k = {k.value} alike. {plural(now.below_k, "person", "people")} ({percent(now.below_k / Math.max(1, now.members), 0)}) need protection.</p></div>
    {quasi.length > 1 && now.unique > 0 && <div class="in stack"><h2>What would lower it most</h2><ul class="lower">
      {lower.map((c) => <li><span class="grow cut">Drop <b>{cut(c.name, 30)}</b></span><span class="dim">{ofAll(c.unique)} unique</span><button class="btn sm" aria-label={"Try without " + c.name} onClick={() => setRole(c.name, "drop")}>Try</button></li>)}</ul>
      {lower.length === 0 && <p class="dim">No column does by itself: the others still tell people apart.</p>}
      <p class="small faint">Dropping is not needed: groups of k hide people without it. It costs less where a column is of no use.</p></div>}
  </section>;
}

export function Columns() {
  const open = table.value!, file = useRef<HTMLInputElement>(null);
  const doubtful = open.columns.filter(isDoubtful).length;
  const shown = [...open.columns].sort((a, b) => Number(isDoubtful(b)) - Number(isDoubtful(a))).filter((c) => (only.value === "all" || isDoubtful(c)) && c.name.toLowerCase().includes(find.value.toLowerCase()));
  const errors = planView.value?.errors ?? [], blocking = columnsWith("quasi").length === 0 || open.rows === 0;
  const openPlan = (given: File | undefined) => given && attempt(async () => takePlan((await post<PlanView>("/api/plan", { toml: await given.text(), table: open.id })).plan));
  return <>
    <Head title="What could somebody know about a person?" act={<>
      <label class="btn" for="plan">Open a plan…</label><input class="vh" id="plan" ref={file} type="file" accept=".toml" onChange={(e) => openPlan(e.currentTarget.files?.[0])} />
      <button class="btn pri" disabled={blocking} onClick={() => { accepted.value = Math.max(1, accepted.value); go("requirement"); }}>Accept and continue<Icon name="arrow" /></button></>}>
      Quasi-identifiers are what an outsider could look up. Roles are suggestions until you accept them; a column without a role is not released.</Head>
    {open.rows === 0 && <div class="gap"><Note><p><b>The table has no rows.</b> There is nobody to protect, and nothing to release.</p></Note></div>}
    <div class="cols"><section class="card">
      <div class="in row tools"><label class="vh" for="find">Find a column</label><span class="find"><Icon name="search" /><input id="find" type="search" placeholder="Find a column" value={find.value} onInput={(e) => { find.value = e.currentTarget.value; }} /></span>
        <Segments name="only" label="Which columns" value={only.value} choices={[["all", `All ${count(open.columns.length)}`], ["decide", `To decide ${count(doubtful)}`]]} onPick={(choice) => { only.value = choice; }} />
        <span class="small faint end hint">Space selects, arrow keys move between roles</span></div>
      <table class="roles"><thead><tr><th scope="col" class="c-name">Column</th><th scope="col" class="c-shape">Values</th><th scope="col" class="c-dist num">Distinct</th><th scope="col" class="c-uniq">People it makes unique</th>
        {kRoles.map((r) => <th scope="col" class={"r c-role r-" + r}>{kTitles[r]}</th>)}</tr></thead>
        <tbody>{shown.slice(0, most.value).map((c) => <Row key={c.name} column={c} />)}</tbody></table>
      {shown.length > most.value && <div class="in"><button class="btn sm" onClick={() => { most.value += kMore; }}>Show {count(Math.min(kMore, shown.length - most.value))} more columns</button> <span class="small faint">{count(shown.length - most.value)} are not shown; the search above finds them.</span></div>}
      {shown.length === 0 && <div class="in dim">No column is called that.</div>}
    </section>
    <div class="side"><RiskNow />{errors.length > 0 && !blocking ? <Note><p>{errors[0]!.detail}</p>{errors[0]!.hint && <p>{errors[0]!.hint}</p>}</Note> : null}</div></div>
    <PlanBar command={planView.value?.inspect} />
  </>;
}

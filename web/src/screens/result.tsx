// Result: the verdict, what it was and is, one group before and after, what an attacker gets, what it cost, and the files.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { download, get, post, type Job, type Risk } from "../api.ts";
import { Bars, BeforeAfter, GroupSizes } from "../charts.tsx";
import { Card, Chart, Head, Icon, Note } from "../parts.tsx";
import { PlanBar } from "../shell.tsx";
import { accepted, after, attempt, fail, isOver, jobs, loadJob, loadRuns, place, start, table, tables } from "../state.ts";
import { bytes, count, cut, figure, list, percent, plural } from "../words.ts";
import { Progress } from "./run.tsx";

interface Report {
  method: string; requirement: Record<string, unknown> & { k: number; l: number };
  reached: { k: number; l: number; rows: number; masked: number; groups: number; largest_group: number };
  loss: { ncp: number; per_column: Record<string, number>; group_sizes: [number, number][]; average_group: number };
  risk: { prosecutor: { highest: number; average: number } }; verdict: { passed: boolean; notes: string[]; problems?: string[] }; warnings: string[];
  columns: { name: string; role: string }[]; dropped: string[]; plan: string; release_sha256?: string;
}
interface Attack { all: { known: string[]; people: number; reidentification: { prosecutor: { highest: number; average: number } }; disclosure: { column: string; guessed: number; baseline: number; certain: number }[]; membership: { members_matched: number; others_matched: number; advantage: number } }; notes: string[] }
interface Sample { group: number; groups: number; size: number; columns: { name: string; role: string; alike: boolean; after?: string }[]; before: string[][] }

const reports = signal<Record<string, Report>>({});
const attacks = signal<Record<string, Attack>>({});
const samples = signal<Record<string, Sample>>({});
const raws = signal<Record<string, Risk>>({});
const keep = <T,>(into: { value: Record<string, T> }, id: string, found: T) => { into.value = { ...into.value, [id]: found }; };

function Group({ job, size }: { job: Job; size: number }) {
  const shown = samples.value[job.id];
  const show = (group: string) => attempt(async () => keep(samples, job.id, await get<Sample>(`/api/jobs/${job.id}/sample?group=${group}`)));
  const here = tables.value.some((t) => t.id === job.table);
  if (job.kind !== "anonymize" || !here) return null;
  if (!shown) return <Card title="One group, before and after"><p class="dim">The raw rows of a group of about {size} people, and what is released of them. They are confidential, so they are shown only when you ask.</p><button class="btn" onClick={() => show("")}>Show a group</button></Card>;
  const differ = shown.columns.map((c, i) => ({ ...c, i })).filter((c) => !c.alike || c.role !== "quasi"), alike = shown.columns.map((c, i) => ({ ...c, i })).filter((c) => c.alike && c.role === "quasi");
  return <section class="card"><div class="in stack"><div class="row"><h2 class="grow">{plural(shown.size, "person", "people")}, before and after</h2><span class="chip bad">Shows raw rows: confidential</span></div>
    <p class="small dim">Group {count(shown.group)} of {count(shown.groups)}. What told them apart, in blue, is now the same for all.{alike.length > 0 && <> Alike already: {alike.map((c) => <span class="val">{cut(shown.before[0]?.[c.i] ?? "", 40)}</span>)}</>}</p>
    <div class="row"><button class="btn sm" onClick={() => show(String(shown.group % shown.groups + 1))}>Another group</button><button class="btn sm" onClick={() => { const { [job.id]: _, ...rest } = samples.value; samples.value = rest; }}>Hide</button></div></div>
    <div class="scroll" tabIndex={0} role="region" aria-label="Rows of the group"><table class="group"><thead><tr>{differ.map((c) => <th scope="col" class={c.role === "sensitive" ? "s" : ""}>{cut(c.name, 30)}</th>)}</tr></thead>
      <tbody>{shown.before.map((row) => <tr>{differ.map((c) => <td class={c.role === "quasi" ? "q" : c.role === "sensitive" ? "s" : ""}>{cut(row[c.i] ?? "", 60)}</td>)}</tr>)}
        <tr class="after">{differ.map((c) => <td>{c.after ?? "as it was"}</td>)}</tr></tbody></table></div></section>;
}

function AttackCard({ job, raw }: { job: Job; raw: Risk | undefined }) {
  const run = after(job.id, "attack"), found = run ? attacks.value[run.id] : undefined;
  useEffect(() => { if (run?.state === "done" && !found) get<Attack>(`/api/jobs/${run.id}/result`).then((a) => keep(attacks, run.id, a)).catch(fail); }, [run?.state]);
  const play = () => start({ kind: "attack", after: job.id });
  useEffect(() => { if (!run && job.state === "done" && (table.value?.rows ?? 1e9) <= 200_000 && tables.value.some((t) => t.id === job.table)) void play(); }, [job.id]);
  if (!found) return <Card title="What an attacker gets">{run ? <Progress id={run.id} /> : <><p class="dim">Somebody who knows the quasi-identifiers of people looks for them in the release, guesses, and asks who is in it.</p><button class="btn" onClick={play}>Play the attacker</button></>}</Card>;
  const all = found.all, was = raw ? raw.classes / Math.max(1, raw.members) : null, look = all.disclosure.filter((d) => d.guessed - d.baseline > .2);
  return <Card title="What an attacker gets" aside={look.length ? <span class="chip look">{plural(look.length, "thing")} to look at</span> : <span class="chip met">nothing stands out</span>}>
    <p class="small dim">Played out for all {count(all.people)} people, by somebody who knows their {plural(all.known.length, "quasi-identifier")}. Hollow: the raw table.</p>
    <div class="attack"><div><h3>Finding a person's row</h3><p class="small dim">{percent(all.reidentification.prosecutor.average)} on average and {percent(all.reidentification.prosecutor.highest, 0)} at worst{was !== null && <>; it was {percent(was, 0)} and {raw!.unique ? "100%" : "less"}</>}.</p></div><BeforeAfter before={was} after={all.reidentification.prosecutor.average} good={all.reidentification.prosecutor.highest <= .2} /></div>
    {all.disclosure.map((d) => <div class="attack"><div><h3>Guessing {cut(d.column, 40)}</h3><p class="small dim">The commonest value of the group, against the commonest of all.{d.certain > 0 && ` Certain for ${percent(d.certain)} of people.`}</p></div><BeforeAfter before={d.baseline} after={d.guessed} good={d.guessed - d.baseline <= .2} /></div>)}
    <div class="attack"><div><h3>Telling who is in the table</h3><p class="small dim">A made-up person matches a row in {percent(all.membership.others_matched, 0)} of cases, a real one in {percent(all.membership.members_matched, 0)}.</p></div><BeforeAfter before={null} after={all.membership.advantage} good={true} /></div>
    {look.length > 0 && <Note><p>{look.map((d) => <>What is released tells {cut(d.column, 40)}: guessing goes from {percent(d.baseline, 0)} to {percent(d.guessed, 0)}. </>)}A larger l, or fewer quasi-identifiers, lowers it: <a href="#/requirement">change the requirement</a> and release again to see by how much.</p></Note>}
  </Card>;
}

function Models({ job, report }: { job: Job; report: Report }) {
  const label = report.columns.some((c) => c.role === "label");
  if (!label || job.kind !== "anonymize") return null;
  return <Card title="What models still learn"><p class="dim">Compare methods trains models on releases made at k = {report.requirement.k} and tests them on raw rows.</p><a class="btn" href="#/compare">Compare methods on this task</a></Card>;
}

export function Result() {
  const id = place.value.id, job = jobs.value[id], report = reports.value[id], raw = raws.value[id];
  useEffect(() => { void attempt(async () => { await loadRuns(); await loadJob(id); }); accepted.value = Math.max(4, accepted.value); }, [id]);
  useEffect(() => { if (job?.state === "done" && !report) get<Report>(`/api/jobs/${id}/result`).then((r) => keep(reports, id, r)).catch(fail); }, [job?.state]);
  useEffect(() => {
    const quasi = job?.about.plan?.values["quasi"];
    if (raw || !quasi || !tables.value.some((t) => t.id === job!.table)) return;
    const bare = (quasi as string[]).map((name) => table.value?.columns.some((c) => c.name === name) ? name : name.replace(/:[^:]*$/, ""));
    post<Risk>(`/api/tables/${job!.table}/risk`, { quasi: bare, k: Number(job!.about.plan!.values["k"]) || 5, person: job!.about.plan!.values["person"] ?? [] }).then((r) => keep(raws, id, r)).catch(() => undefined);
  }, [job?.state, tables.value]);
  if (job && isOver(job) && job.state !== "done") return <><Head title="Nothing was released" act={<a class="btn" href="#/requirement">Change the requirement</a>} /><Card><div class="in"><Progress id={id} /></div></Card></>;
  if (!job || !report) return <Head title="Reading the report…" />;
  const { requirement, reached, loss } = report, quasi = report.columns.filter((c) => c.role.startsWith("quasi")), sensitive = report.columns.filter((c) => c.role === "sensitive").map((c) => cut(c.name, 40));
  const output = job.about.output ?? "release.csv", passed = report.verdict.passed, per = Object.entries(loss.per_column).sort((a, b) => b[1] - a[1]);
  const others = Object.keys(requirement).filter((name) => !["k", "l", "diversity"].includes(name));
  return <>
    <div class={"verdict" + (passed ? "" : " bad")}><Icon name={passed ? "shield" : "warn"} /><div class="grow"><h1 tabIndex={-1}>{passed ? "Released, and the audit passed" : "The audit failed: nothing was released"}</h1>
      <p>Each of the {count(reached.rows)} rows looks the same as at least {count(reached.k - 1)} others in all {plural(quasi.length, "quasi-identifier")}{sensitive.length && requirement.l > 1 ? `, and every such group holds at least ${reached.l} different values of ${list(sensitive)}` : ""}.{others.length ? ` Also kept: ${list(others)}.` : ""} The audit read the finished file and shares no code with the anonymization.</p></div>
      <div class="row"><button class="btn" onClick={() => attempt(() => download(id, "report.html"))}>Report</button><button class="btn pri" onClick={() => attempt(() => download(id, output))}><Icon name="down" />Download {cut(output, 30)}</button></div></div>
    <section class="card figures" aria-label="Figures"><div><span class="small faint">Easiest person to find</span><b>1 in {count(reached.k)}</b><span class="small dim">{raw ? (raw.unique ? "was 1 in 1" : "was less") : "asked: 1 in " + requirement.k}</span></div>
      <div><span class="small faint">People who are unique</span><b>{reached.k > 1 ? "0" : "some"}</b><span class="small dim">{raw ? `was ${count(raw.unique)} (${percent(raw.unique / Math.max(1, raw.members))})` : "\u00a0"}</span></div>
      <div><span class="small faint">Information lost (NCP)</span><b>{percent(loss.ncp)}</b><span class="small dim">0% raw, 100% all masked</span></div>
      <div><span class="small faint">Groups</span><b>{count(reached.groups)}</b><span class="small dim">{figure(loss.average_group, 1)} people each on average{reached.masked ? `, ${count(reached.masked)} masked` : ""}</span></div></section>
    {(report.warnings ?? []).length > 0 && <div class="stack"><Note>{report.warnings.map((w) => <p class="wrap">{w}</p>)}</Note><p /></div>}
    <div class="stack-l">
      <div class="cols"><Group job={job} size={Math.round(loss.average_group)} />
        <div class="side"><Card title="Files"><ul class="list">{job.files.map((f) => <li><Icon name={f.confidential ? "warn" : "file"} /><div class="grow"><span class="wrap">{f.name}</span><p class="small faint">{bytes(f.bytes)} · {f.words}</p></div><button class="btn sm" aria-label={"Download " + f.name} onClick={() => attempt(() => download(id, f.name))}>Download</button></li>)}</ul></Card>
          <Card title="The plan"><pre class="code" tabIndex={0} role="region" aria-label="The plan file">{job.about.toml ?? report.plan}</pre></Card></div></div>
      <div class="halves"><AttackCard job={job} raw={raw} />
        <Card title="What it cost, column by column"><p class="small dim">How much of a column's range an average cell leaves open. 0%: as it was.</p><Chart label="Loss by column" columns={["Column", "Loss"]} rows={per.map(([name, x]) => [name, percent(x)])}><Bars rows={per.slice(0, 20).map(([name, value]) => ({ name, value }))} /></Chart>{(report.dropped ?? []).length > 0 && <p class="small faint wrap">Not released: {(report.dropped ?? []).map((d) => cut(d, 40)).slice(0, 30).join(", ")}.</p>}</Card></div>
      <div class="halves"><Card title="How large the groups are"><p class="small dim">{plural(reached.groups, "group")}; the smallest has {plural(reached.k, "person", "people")}, the largest {count(reached.largest_group)}.</p><Chart label="Groups by size" columns={["Size", "Groups"]} rows={loss.group_sizes.map(([s, n]) => [String(s), count(n)])}><GroupSizes sizes={loss.group_sizes} needed={requirement.k} /></Chart></Card><Models job={job} report={report} /></div>
    </div>
    <PlanBarOf job={job} />
  </>;
}

/** The command that ran, word for word. */
function PlanBarOf({ job }: { job: Job }) { return <PlanBar command={job.command} />; }

// Result: the verdict, what it was and is, one group before and after, what an attacker gets, what it cost, and the files.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, download, get, type Job, type Option, type Risk } from "../api.ts";
import { Bars, BeforeAfter, GroupSizes, Pairs } from "../charts.tsx";
import { Card, ChartCard, FileName, Head, Icon, Note, Pieces, Shield, Toml } from "../parts.tsx";
import { titleOf } from "../option_words.ts";
import { PlanBar } from "../shell.tsx";
import { accepted, after, attempt, fail, isOver, jobs, loadJob, loadRuns, place, runs, start, table, tables, wasAskedFor } from "../state.ts";
import { bytes, count, cut, figure, list, methodName, metricName, percent, plural, shortCell } from "../words.ts";
import type { Found } from "./compare.tsx";
import { Progress, Run } from "./run.tsx";
import { Trials } from "./trials.tsx";

interface Report {
  method: string; requirement: Record<string, unknown> & { k: number; l: number };
  reached: { k: number; l: number; rows: number; masked: number; groups: number; largest_group: number };
  loss: { ncp: number; per_column: Record<string, number>; group_sizes: [number, number][]; average_group: number };
  risk: { prosecutor: { highest: number; average: number } }; verdict: { passed: boolean; notes: string[]; problems?: string[] }; warnings: string[];
  columns: { name: string; role: string }[]; dropped: string[]; plan: string; release_sha256?: string; controllers?: { passed: boolean }[];
}
export interface Attack { sampled: boolean; all: { known: string[]; people: number; reidentification: { prosecutor: { highest: number; average: number } }; disclosure: { column: string; guessed: number; baseline: number; certain: number }[]; membership: { members_matched: number; others_matched: number; advantage: number } }; notes: string[] }
interface Sample { group: number; groups: number; size: number; columns: { name: string; role: string; alike: boolean; after?: string }[]; before: string[][] }

/** What a requirement says besides promises of its own: how they are counted. */
const kNoPromises = new Set(["k", "l", "diversity", "persons", "reference", "exact-values", "missing-counts", "sampling", "weights", "population"]);
const reports = signal<Record<string, Report>>({});
const attacks = signal<Record<string, Attack>>({});
const samples = signal<Record<string, Sample>>({});
const raws = signal<Record<string, Risk>>({});
const keep = <T,>(into: { value: Record<string, T> }, id: string, found: T) => { into.value = { ...into.value, [id]: found }; };

function Group({ job, size }: { job: Job; size: number }) {
  const shown = samples.value[job.id];
  const show = (group: string) => attempt(async () => keep(samples, job.id, await get<Sample>(`/api/jobs/${job.id}/sample?group=${group}`)));
  if (!shown) return <Card title="One group, before and after"><p class="dim">The raw rows of a group of about {count(size)} people, and what is released of them. They are confidential, so they are shown only when you ask.</p><button class="btn" onClick={() => show("")}>Show a group</button></Card>;
  const differ = shown.columns.map((c, i) => ({ ...c, i })).filter((c) => !c.alike || c.role !== "quasi"), alike = shown.columns.map((c, i) => ({ ...c, i })).filter((c) => c.alike && c.role === "quasi");
  return <section class="card"><div class="in stack"><div class="row"><h2 class="grow">{plural(shown.size, "person", "people")}, before and after</h2><button class="btn sm" onClick={() => show(String(shown.group % shown.groups + 1))}>Another group</button><button class="btn sm" onClick={() => { const { [job.id]: _, ...rest } = samples.value; samples.value = rest; }}>Hide</button><span class="chip bad">Shows raw rows: confidential</span></div>
    <p class="small dim">Group {count(shown.group)} of {count(shown.groups)}. {differ.length ? "What told them apart, in blue, is now the same for all." : "They look alike in everything that is released, and did before."}{alike.length > 0 && <> Alike already: {alike.map((c, n) => <>{n > 0 && ", "}<span class="val">{cut(shown.before[0]?.[c.i] || "(missing)", 40)}</span></>)}.</>}</p></div>
    {differ.length > 0 && <div class="scroll rows" tabIndex={0} role="region" aria-label="Rows of the group"><table class="group"><thead><tr>{differ.map((c) => <th scope="col" class={c.role === "sensitive" ? "s" : ""}>{cut(c.name, 30)}</th>)}</tr></thead>
      <tbody>{shown.before.map((row) => <tr>{differ.map((c) => <td class={c.role === "quasi" ? "q" : c.role === "sensitive" ? "s" : ""}>{cut(row[c.i] ?? "", 60)}</td>)}</tr>)}
        <tr class="after">{differ.map((c) => <td class={(c.after ?? "").length > 24 ? "long" : ""} title={cut(c.after ?? "", 600)}>{c.after === undefined ? <span class="dim asitwas">as it was</span> : <Pieces text={shortCell(c.after, 60)} />}</td>)}</tr></tbody></table></div>}</section>;
}

function AttackCard({ job, raw, loss }: { job: Job; raw: Risk | undefined; loss: number }) {
  const run = after(job.id, "attack"), found = run ? attacks.value[run.id] : undefined;
  useEffect(() => { if (run?.state === "done" && !found) get<Attack>(`/api/jobs/${run.id}/result`).then((a) => keep(attacks, run.id, a)).then(() => loadJob(job.id)).catch(fail); }, [run?.state]);  // its report is among the files then
  const play = () => start({ kind: "attack", after: job.id });
  useEffect(() => { if (!run && job.state === "done" && (table.value?.rows ?? 1e9) <= 200_000 && tables.value.some((t) => t.id === job.table)) void play(); }, [job.id]);
  if (!found) return <Card title="What an attacker gets">{run && <Progress id={run.id} />}{(!run || isOver(run) && run.state !== "done") && <><p class="dim">Somebody who knows the quasi-identifiers of people looks for them in the release, guesses, and asks who is in it.</p><button class="btn" onClick={play}>Play the attacker</button></>}</Card>;
  const all = found.all, was = raw ? raw.classes / Math.max(1, raw.members) : null, look = all.disclosure.filter((d) => d.guessed - d.baseline > .2);
  return <Card title="What an attacker gets" aside={look.length ? <span class="chip look">{plural(look.length, "thing")} to look at</span> : <span class="chip met">nothing stands out</span>}>
    <p class="small dim">Played out for {found.sampled ? "a sample of" : "all"} {count(all.people)} people, by somebody who knows their {plural(all.known.length, "quasi-identifier")}. Hollow: the raw table, or a guess without the release.</p>
    <div class="attack"><div><h3>Finding a person's row</h3><p class="small dim">{percent(all.reidentification.prosecutor.average)} on average and {percent(all.reidentification.prosecutor.highest, 0)} at worst{was !== null && <>; it was {percent(was, 0)} and {raw!.unique ? "100%" : "less"}</>}.</p></div><BeforeAfter before={was} after={all.reidentification.prosecutor.average} good={all.reidentification.prosecutor.highest <= .2} /></div>
    {all.disclosure.map((d) => <div class="attack"><div><h3>Guessing {cut(d.column, 40)}</h3><p class="small dim">The commonest value of the group, against the commonest of all.{d.certain > 0 && ` Certain for ${percent(d.certain)} of people.`}</p></div><BeforeAfter before={d.baseline} after={d.guessed} good={d.guessed - d.baseline <= .2} /></div>)}
    <div class="attack"><div><h3>Telling who is in the table</h3><p class="small dim">A made-up person matches a row in {percent(all.membership.others_matched, 0)} of cases, a real one in {percent(all.membership.members_matched, 0)}: the difference is what it tells.</p></div><BeforeAfter before={0} after={all.membership.advantage} good={null} /></div>
    {look.length > 0 && <Trials job={job} found={look} loss={loss} />}
  </Card>;
}

const evaluations = signal<Record<string, Found>>({});
const bareValues = (job: Job): string => { const { k: _, l: __, method: ___, ...rest } = job.about.plan?.values ?? {}; return JSON.stringify(Object.entries(rest).sort()); };
/** Models trained on releases as this one is: the same roles and requirement. */
const evaluationOf = (job: Job, report: Report | undefined): Job | undefined => report && runs.value.find((run) => run.kind === "evaluate" && run.table === job.table && bareValues(run) === bareValues(job) && wasAskedFor(run, report.requirement.k, report.requirement.l) && (/ --methods=(\S+)/.exec(run.command)?.[1] ?? "").split(",").includes(report.method));

function Models({ job, report }: { job: Job; report: Report }) {
  const run = evaluationOf(job, report), found = run ? evaluations.value[run.id] : undefined, label = report.columns.some((c) => c.role === "label");
  useEffect(() => { if (run?.state === "done" && !found) get<Found>(`/api/jobs/${run.id}/result`).then((f) => keep(evaluations, run.id, f)).catch(fail); }, [run?.id, run?.state]);
  if (!label) return null;
  const { k: __, l: ___, method: ____, ...rest } = job.about.plan?.values ?? {}, l = report.requirement.l;
  const train = () => start({ kind: "evaluate", table: job.table, plan: { ...job.about.plan, values: rest }, options: { methods: [...new Set(["raw", report.method, "mondrian"])], k: [String(report.requirement.k)], ...(l > 1 ? { l: [String(l)] } : {}), seeds: "3" } });
  if (!found) return <Card title="What models still learn">{run && !isOver(run) ? <Progress id={run.id} /> : run?.state === "failed" ? <Progress id={run.id} /> : <><p class="dim">Models are trained on releases of some of the rows, made as this one, and tested on the raw others, beside models of the raw table.</p><div class="row"><button class="btn" onClick={train}>Train models</button><a class="btn quiet" href="#/compare">Compare more methods</a></div></>}</Card>;
  const lines = found.summary.filter((s) => !s.problem && s.method !== "raw"), raw = (learner: string) => found.summary.find((s) => s.learner === learner && s.method === "raw")?.mean;
  const rows = lines.filter((s) => raw(s.learner) !== undefined).map((s) => ({ name: `${s.learner}, ${methodName(s.method)}`, before: raw(s.learner)!, after: s.mean, main: s.method === report.method }));
  return <ChartCard title="What models still learn" words={`${metricName(found.metric)} on raw test rows, ${found.seeds} splits. Line: raw table to release.`} label="Models" columns={["Model", "Raw", "Release"]} rows={rows.map((r) => [r.name, figure(r.before), figure(r.after)])}><Pairs rows={rows} /></ChartCard>;
}

export function Result() {
  const id = place.value.id, job = jobs.value[id], report = reports.value[id], raw = raws.value[id];
  useEffect(() => { void attempt(async () => { await loadRuns(); await loadJob(id); }); accepted.value = Math.max(4, accepted.value); }, [id]);
  useEffect(() => { if (job?.state === "done" && !report) get<Report>(`/api/jobs/${id}/result`).then((r) => keep(reports, id, r)).catch(fail); }, [job?.state]);
  useEffect(() => {
    const quasi = job?.about.plan?.values["quasi"];
    if (raw || !quasi || !tables.value.some((t) => t.id === job!.table)) return;
    const bare = (quasi as string[]).map((name) => table.value?.columns.some((c) => c.name === name) ? name : name.replace(/:[^:]*$/, ""));
    let left = false;
    ask<Risk>(`/api/tables/${job!.table}/risk`, { quasi: bare, k: Number(job!.about.plan!.values["k"]) || 5, person: job!.about.plan!.values["person"] ?? [] }, () => !left).then((r) => { if (r) keep(raws, id, r); }).catch(() => undefined);
    return () => { left = true; };
  }, [job?.state, tables.value]);
  if (job && isOver(job) && job.state !== "done") return <Run />;
  if (!job || !report) return <Head title="Reading the report…" />;
  const { requirement, reached, loss } = report, quasi = report.columns.filter((c) => c.role.startsWith("quasi")), sensitive = report.columns.filter((c) => c.role === "sensitive").map((c) => cut(c.name, 40));
  const output = job.about.output ?? "release.csv", passed = report.verdict.passed, per = Object.entries(loss.per_column).sort((a, b) => b[1] - a[1]);
  const trained = evaluationOf(job, report), models = trained && evaluations.value[trained.id], best = models?.summary.find((s) => s.method === report.method && !s.problem), rawModel = models?.summary.find((s) => s.method === "raw" && s.learner === best?.learner), label = report.columns.find((c) => c.role === "label")?.name ?? "";
  const others = Object.keys(requirement).filter((name) => !kNoPromises.has(name)).map((name) => { const title = titleOf({ name } as Option), asked = requirement[name]; return `${title.slice(0, 1).toLowerCase()}${title.slice(1)}${asked === true ? "" : ` (${cut(Array.isArray(asked) ? asked.join(", ") : String(asked), 120)})`}`; });
  const here = tables.value.some((t) => t.id === job.table), group = here && <Group job={job} size={Math.round(loss.average_group)} />, plan = <Card title="The plan"><Toml text={job.about.toml ?? report.plan} /></Card>;
  const files = <Card title="Files"><ul class="list">{job.files.map((f) => <li key={f.name}><Icon name={f.confidential ? "warn" : "file"} /><div class="grow"><FileName name={f.name} /><p class="small faint">{bytes(f.bytes)} · {f.words}</p></div><button class="btn sm" aria-label={"Download " + f.name} onClick={() => attempt(() => download(id, f.name))}>Download</button></li>)}</ul></Card>;
  return <>
    <div class={"verdict" + (passed ? "" : " bad")}>{passed ? <Shield /> : <Icon name="warn" />}<div class="grow"><h1 tabIndex={-1}>{passed ? "Released, and the audit passed" : "The audit failed: nothing was released"}</h1>
      <p>Each of the {count(reached.rows)} rows looks the same as at least {count(reached.k - 1)} others in all {plural(quasi.length, "quasi-identifier")}{sensitive.length && requirement.l > 1 ? `, and every such group holds at least ${reached.l} different values of ${list(sensitive)}` : ""}.{requirement["persons"] ? " People are counted, who may have several rows." : ""}{others.length ? ` Also met: ${list(others)}.` : ""} {(report.controllers?.length ?? 0) > 1 ? ` The rows of ${plural(report.controllers!.length, "controller")} were grouped apart, each to its own requirement.` : ""} The audit read the finished file and shares no code with the anonymization.</p></div>
      <div class="row"><button class="btn" onClick={() => attempt(() => download(id, "report.html"))}>Report</button><button class="btn pri" onClick={() => attempt(() => download(id, output))}><Icon name="down" />Download {cut(output, 30)}</button></div></div>
    <section class="card figures" aria-label="Figures"><div><span class="small faint">Easiest person to find</span><b>1 in {count(reached.k)}</b><span class="small dim">{raw ? (raw.unique ? "was 1 in 1" : "was less") : "asked: 1 in " + requirement.k}</span></div>
      <div><span class="small faint">People who are unique</span><b>{reached.k > 1 ? "0" : "some"}</b><span class="small dim">{raw ? `was ${count(raw.unique)} (${percent(raw.unique / Math.max(1, raw.members))})` : "\u00a0"}</span></div>
      <div><span class="small faint">Information lost (NCP)</span><b>{percent(loss.ncp)}</b><span class="small dim">0% raw, 100% all masked</span></div>
      {best && rawModel ? <div><span class="small faint">A {best.learner} still predicts {cut(label, 24)}</span><b>{percent(best.mean / rawModel.mean, 0)}</b><span class="small dim">of its raw {metricName(models!.metric)}: {figure(best.mean)} against {figure(rawModel.mean)}</span></div>
        : <div><span class="small faint">Groups</span><b>{count(reached.groups)}</b><span class="small dim">{loss.average_group < 100 ? figure(loss.average_group, 1) : count(Math.round(loss.average_group))} people each on average{reached.masked ? `, ${count(reached.masked)} masked` : ""}</span></div>}</section>
    {(report.warnings ?? []).length > 0 && <div class="gap"><Note>{report.warnings.map((w) => <p class="wrap">{w}</p>)}</Note></div>}
    <div class="stack-l">
      {here && !samples.value[id] ? <div class="cols"><div class="stack-l">{group}{plan}</div>{files}</div> : <div class="cols even">{group}<div class="side">{files}{plan}</div></div>}
      <div class="halves"><AttackCard job={job} raw={raw} loss={loss.ncp} />
        <ChartCard title="What it cost, column by column" words="How much of a column's range an average cell leaves open. 0%: as it was." label="Loss by column" columns={["Column", "Loss"]} rows={per.map(([name, x]) => [name, percent(x)])}
          below={<>{per.length > 20 && <p class="small faint">The 20 that lost most, of {count(per.length)}.</p>}{(report.dropped ?? []).length > 0 && <p class="small faint wrap">Not released: {(report.dropped ?? []).map((d) => cut(d, 40)).slice(0, 30).join(", ")}{(report.dropped ?? []).length > 30 ? ` and ${count((report.dropped ?? []).length - 30)} more` : ""}.</p>}</>}><Bars rows={per.slice(0, 20).map(([name, value]) => ({ name, value }))} /></ChartCard></div>
      <div class="halves"><Models job={job} report={report} /><ChartCard title="How large the groups are" words={`${plural(reached.groups, "group")}; the smallest has ${plural(reached.k, "person", "people")}, the largest ${count(reached.largest_group)}.`} label="Groups by size" columns={["Size", "Groups"]} rows={loss.group_sizes.map(([s, n]) => [String(s), count(n)])}><GroupSizes sizes={loss.group_sizes} needed={requirement.k} alone={!label} /></ChartCard></div>
    </div>
    <PlanBar job={job} />
  </>;
}

// Runs: what was done, with plan, digest and verdict; the difference of two; again.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Job } from "../api.ts";
import { Card, Head, Note } from "../parts.tsx";
import { PlanBar } from "../shell.tsx";
import { attempt, go, isOver, loadRuns, openTable, runs, start, table, tables, takePlan, watch } from "../state.ts";
import { cut, duration, methodName, moment } from "../words.ts";

const two = signal<string[]>([]);
const kKinds: Record<string, string> = { anonymize: "Release", choose: "Release of a candidate", attack: "Attack", advise: "Frontier", evaluate: "Comparison of methods" };
const kVerdicts: Record<string, [string, string]> = { done: ["met", "done"], failed: ["bad", "failed"], cancelled: ["look", "cancelled"], running: ["", "running"], waiting: ["", "waits"] };

function Difference({ a, b }: { a: Job; b: Job }) {
  const asked = (job: Job) => job.kind === "anonymize" || job.kind === "choose" ? [] : [...job.command.matchAll(/ --([a-z-]+)=(\S+)/g)].map((m) => ({ key: m[1]!, line: `${m[1]} = ${m[2]}` }));  // beside the plan, or in its stead
  const lines = (job: Job) => { const more = asked(job); return [...(job.about.toml ?? "").split("\n").filter((line) => line && !more.some((m) => line.startsWith(m.key + " = "))), ...more.map((m) => m.line)]; }, left = lines(a), right = lines(b);
  const gone = left.filter((x) => !right.includes(x)), come = right.filter((x) => !left.includes(x));
  const only = (job: Job, own: string[]) => <div class="stack-s"><p class="small dim">Only in the plan of {moment(job.begun)}</p><pre class="code" tabIndex={0} role="region" aria-label={"Only in the plan of " + moment(job.begun)}>{own.length ? own.join("\n") : "nothing"}</pre></div>;
  return <Card title="What differs between the two plans">{gone.length + come.length === 0 ? <p class="dim">Nothing: the plans are the same.</p> : <div class="halves" role="region" aria-label="Difference">{only(a, gone)}{only(b, come)}</div>}</Card>;
}

export function Runs() {
  useEffect(() => { void loadRuns(); }, []);
  useEffect(() => { for (const job of runs.value) if (!isOver(job)) watch(job.id); }, [runs.value.length]);
  const again = async (job: Job) => {
    if (!tables.value.some((t) => t.id === job.table)) return;
    if (table.value?.id !== job.table) await openTable(job.table);
    if (job.about.plan) takePlan(job.about.plan);
    go("columns");
  };
  const picked = two.value.map((id) => runs.value.find((job) => job.id === id)).filter((j): j is Job => !!j);
  const target = (job: Job) => job.kind === "anonymize" || job.kind === "choose" ? `#/${isOver(job) ? "result" : "run"}/${job.id}` : job.kind === "advise" ? "#/frontier" : job.kind === "evaluate" ? "#/compare" : `#/result/${job.about.after ?? job.id}`;
  return <>
    <Head title="What was done">Every run with its plan. The same table, plan, seed and version give the same bytes, which the digest shows. Choose two to see how their plans differ.</Head>
    {runs.value.length === 0 ? <Note kind="plain"><p>Nothing was run yet. Releases, searches and comparisons will be listed here.</p></Note> : <div class="stack-l"><section class="card scroll" tabIndex={0} role="region" aria-label="Runs"><table class="runs"><thead><tr><th scope="col"><span class="vh">Choose</span></th><th scope="col">When</th><th scope="col">What</th><th scope="col">Verdict</th><th scope="col">Time</th><th scope="col">Digest of the release</th><th scope="col"><span class="vh">Do</span></th></tr></thead>
      <tbody>{runs.value.map((job) => { const verdict = kVerdicts[job.state] ?? ["", job.state]; const release = job.kind === "attack" ? undefined : job.files?.find((f) => f.sha256); return <tr>
        <td>{job.about.toml && job.kind !== "attack" ? <input type="checkbox" aria-label={"Compare the plan of the run of " + job.begun} checked={two.value.includes(job.id)} onChange={(e) => { two.value = e.currentTarget.checked ? [...two.value, job.id].slice(-2) : two.value.filter((x) => x !== job.id); }} /> : null}</td>
        <td class="small when">{moment(job.begun).split(" ").map((part) => <span>{part} </span>)}</td><th scope="row"><a href={target(job)}>{kKinds[job.kind] ?? job.kind}</a> <span class="small faint wrap">{cut(job.about.table_name ?? "", 40)}{["k", "l"].map((name) => job.about.plan?.values[name] ? ` · ${name} = ${job.about.plan.values[name]}` : "")}{job.about.plan?.values["method"] ? ` · ${methodName(String(job.about.plan.values["method"]))}` : ""}</span></th>
        <td><span class={"chip " + verdict[0]}>{job.state === "done" && (job.kind === "anonymize" || job.kind === "choose") ? (job.exit_code ? "audit failed" : "audit passed") : verdict[1]}</span></td><td class="small when">{duration(job.seconds)}</td><td class="mono">{release?.sha256?.slice(0, 16) ?? ""}</td>
        <td>{job.about.plan && tables.value.some((t) => t.id === job.table) && <div class="row"><button class="btn sm" onClick={() => again(job)}>Take its plan</button>{job.kind === "anonymize" && <button class="btn sm" onClick={() => attempt(async () => { const made = await start({ kind: "anonymize", table: job.table, plan: job.about.plan }); if (made) go("run", made.id); })}>Run again</button>}</div>}</td></tr>; })}</tbody></table></section>
      {picked.length === 2 && <Difference a={picked[0]!} b={picked[1]!} />}</div>}
    <PlanBar />
  </>;
}

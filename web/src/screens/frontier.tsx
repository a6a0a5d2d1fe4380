// Frontier: one, over everything that can be released: whole columns (circles) and group-wise methods (diamonds).
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { download, get, type Job } from "../api.ts";
import type { Advice, Candidate } from "../frontier/model.ts";
import { firstPicked, FrontierView, UpMeans } from "../frontier/view.tsx";
import { Card, Head, Note } from "../parts.tsx";
import { PlanBar } from "../shell.tsx";
import { accepted, attempt, fail, go, isOutdated, isOver, k, latest, loadRuns, onFrontier, plan, start, table } from "../state.ts";
import { Progress } from "./run.tsx";

const found = signal<Record<string, Advice>>({});

async function release(job: Job, c: Candidate): Promise<void> {
  const made = await start({ kind: "choose", after: job.id, id: c.id });
  if (made) { accepted.value = Math.max(3, accepted.value); go("run", made.id); }
}

export function Frontier() {
  useEffect(() => { void loadRuns(); }, []);
  const job = latest("advise"), advice = job ? found.value[job.id] : undefined;
  useEffect(() => { if (job?.state === "done" && !advice) get<Advice>(`/api/jobs/${job.id}/result`).then((a) => { onFrontier.value = a.candidates.filter((c) => c.frontier && !c.same_as).length; found.value = { ...found.value, [job.id]: a }; }).catch(fail); }, [job?.id, job?.state]);
  const search = (wide: boolean) => start({ kind: "advise", table: table.value!.id, plan: advisePlan(), options: wide ? { wide: "true", coverage: "20" } : {} });
  const command = `tada advise ${table.value!.file} --plan tada.toml -o advice.json --report advice.html`;
  if (!job || !advice) return <><Head title="How anonymous, how useful?">Everything that can be released of this table, tried: whole columns by rules and levels, and methods that form groups.</Head>
    <Card title={job && !isOver(job) ? "Searching" : "Nothing was searched yet"}>{job && !advice ? <Progress id={job.id} /> : <p class="dim">Every candidate is tried on your table; on a large one this takes a while.</p>}{(!job || isOver(job)) && job?.state !== "done" && <button class="btn pri" onClick={() => search(false)}>Search</button>}</Card>
    <PlanBar command={command} /></>;
  const first = firstPicked(advice, k.value);
  return <>
    <Head title="How anonymous, how useful?" act={<><button class="btn" onClick={() => search(true)}>Search wider…</button><button class="btn" onClick={() => attempt(() => download(job.id, "advice.html"))}>Export</button></>}>
      Every mark is a release you could make. Right: harder to single somebody out. Up: <UpMeans advice={advice} need={k.value} /></Head>
    {isOutdated(job, ["method", "task", "k"]) && <div class="gap"><Note><p><b>Roles or requirement have changed since this search.</b> What is shown, and what is released from here, is as it was asked then.</p><button class="btn sm" onClick={() => search(false)}>Search again</button></Note></div>}
    <FrontierView advice={advice} need={k.value} act={(c, letter) => <button class={"btn sm" + (letter === "A" ? " pri" : "")} onClick={() => release(job, c)}>Release {letter}…</button>} />
    <PlanBar command={first ? `tada advise --choose ${first.id} --from advice.json -o ${first.id}.anon.csv` : job.command} />
  </>;
}

/** advise takes roles and requirement, no method. */
function advisePlan() {
  const { method: _, task: __, ...rest } = plan.value.values;
  return { ...plan.value, values: rest };
}

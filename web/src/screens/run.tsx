// Run: how far a job is. It goes on whatever happens to this page.
import { useEffect } from "preact/hooks";
import { remove } from "../api.ts";
import { Card, Head, Icon, Meter, Note } from "../parts.tsx";
import { PlanBar } from "../shell.tsx";
import { attempt, go, isOver, jobs, loadJob, place, watch } from "../state.ts";
import { capital, count, duration, percent } from "../words.ts";

const kStages: Record<string, string> = { read: "Reading the table", start: "Forming first groups", sample: "Taking a sample", clusters: "Forming clusters", infogain: "Cutting groups by the label", regression: "Cutting groups by the label", auto: "Trying several methods", learn: "Learning a model", tree: "Growing a tree by the label", mondrian: "Cutting groups", kmeans: "Clustering people", polish: "Making cells tighter", withhold: "Finding who stands out", optimal: "Searching levels", teacher: "Training a model to ask", requirement: "Checking the requirement", "all levels": "Measuring all levels", rules: "Finding rules", pairs: "Joining rules", "level vectors": "Trying all levels", methods: "Trying methods", baselines: "Trying other methods", "cross-validation": "Testing models", evaluate: "Training models on releases", attack: "Playing the attacker", queries: "Counting queries", neighbours: "Finding neighbours", recode: "Writing cells for the groups", write: "Writing the release", audit: "Auditing the finished file" };

const kBytes = 1e5;  // what is read is counted in columns, in parts, or in bytes, which say nothing

const stageWords = (name: string): string => kStages[name] ?? capital(name.replaceAll("_", " "));

/** The progress of a job, wherever it is shown. */
export function Progress({ id }: { id: string }) {
  const job = jobs.value[id];
  useEffect(() => { if (job && !isOver(job)) watch(id); }, [id, job?.state]);
  if (!job) return null;
  const share = job.total ? job.done / job.total : 0, broken = job.state === "failed" || job.state === "cancelled" ? job.stages.length - 1 : -1;
  return <div class="stack">
    {job.state === "waiting" && <p class="dim">Another job runs; this one waits its turn.</p>}
    <ol class="stages" aria-live="polite">
      {job.stages.map((s, i) => <li class={i === broken ? "broken" : ""}><Icon name={i === broken ? "cross" : "check"} /><span class="grow">{stageWords(s.name)}</span><span class="faint">{duration(s.seconds)}</span></li>)}
      {job.state === "running" && <li class="now"><Icon name="arrow" /><span class="grow">{stageWords(job.stage) || "Starting"} {job.words}</span><span class="faint">{!job.total ? "" : job.stage === "read" && job.total > kBytes ? percent(share, 0) : `${count(job.done)} of ${count(job.total)}`}</span></li>}
    </ol>
    {!isOver(job) && <><div role="progressbar" aria-label={job.stage || "Starting"} aria-valuenow={Math.round(100 * share)} aria-valuemin={0} aria-valuemax={100}><Meter share={share} /></div>
      <div class="row"><span class="dim grow">{job.seconds_left !== undefined ? `About ${duration(job.seconds_left)} left in this stage` : duration(job.seconds) + " so far"}</span><button class="btn" onClick={() => attempt(() => remove("/api/jobs/" + id))}>Cancel</button></div></>}
    {job.state === "failed" && <Note kind="bad"><p><b>{job.error?.detail}</b></p><p>{job.error?.hint}</p><p class="small">Exit code {job.exit_code}. Nothing was released.</p></Note>}
    {job.state === "cancelled" && <Note><p><b>Cancelled.</b> The work stopped, and nothing is left behind.</p></Note>}
  </div>;
}

export function Run() {
  const id = place.value.id, job = jobs.value[id];
  useEffect(() => { if (!job) void attempt(() => loadJob(id)); }, [id]);
  useEffect(() => { if (job?.state === "done") go(job.kind === "anonymize" || job.kind === "choose" ? "result" : job.kind === "advise" ? "frontier" : "compare", id); }, [job?.state]);
  if (!job) return <Head title="Looking for the run…" />;
  const over = isOver(job);
  return <><Head title={over ? (job.state === "done" ? "The run has ended" : "Nothing was released") : "Making the release"} act={over ? <a class="btn" href="#/requirement">Change the requirement</a> : undefined}>{over ? "" : "The page may be closed or loaded again meanwhile: the work goes on."}</Head>
    <Card><div class="in"><Progress id={id} /></div></Card>
    <PlanBar job={job} /></>;
}

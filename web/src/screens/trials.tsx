// What would lower a risk, tried: other plans are released and attacked, and only what came of it is said.
import { signal } from "@preact/signals";
import { get, type Job, type Plan } from "../api.ts";
import { Note } from "../parts.tsx";
import { go, isOver, jobs, openTable, start, table, takePlan } from "../state.ts";
import { cut, list, percent } from "../words.ts";
import type { Attack } from "./result.tsx";

interface Told { column: string; guessed: number; baseline: number }
interface Trial { words: string; plan: Plan; guessed?: number; loss?: number; problem?: string }
const trials = signal<Record<string, { busy: boolean; tried: Trial[] }>>({});

async function ended(body: unknown): Promise<Job | undefined> {
  const job = await start(body);
  while (job && !isOver(jobs.value[job.id])) await new Promise((resolve) => setTimeout(resolve, 200));
  return job && jobs.value[job.id];
}
const resultOf = async <T,>(job: Job | undefined): Promise<T | undefined> => job?.state === "done" ? get<T>(`/api/jobs/${job.id}/result`) : undefined;

/** The quasi-identifier that tells most of a column by itself. */
async function tellsMost(job: Job, column: string): Promise<string | undefined> {
  interface Subsets { subsets: { known: string[]; disclosure: Told[] }[] }
  const found = await resultOf<Subsets>(await ended({ kind: "attack", after: job.id, options: { subsets: "1" } }));
  const gain = (s: Subsets["subsets"][number]) => { const d = s.disclosure.find((x) => x.column === column); return d ? d.guessed - d.baseline : 0; };
  return found?.subsets.filter((s) => s.known.length === 1).sort((a, b) => gain(b) - gain(a))[0]?.known[0];
}

async function run(job: Job, worst: Told): Promise<void> {
  const plan = job.about.plan!, l = Number(plan.values["l"] ?? 1) || 1, quasi = (plan.values["quasi"] as string[]) ?? [], tell = (tried: Trial[], busy: boolean) => { trials.value = { ...trials.value, [job.id]: { busy, tried } }; };
  tell([], true);
  const without = quasi.length > 1 ? await tellsMost(job, worst.column) : undefined, left = quasi.filter((name) => name !== without && name.replace(/:[^:]*$/, "") !== without), tried: Trial[] = [];
  if (without && left.length < quasi.length) tried.push({ words: `without ${cut(without, 40)}`, plan: { ...plan, values: { ...plan.values, quasi: left } } });
  tried.push({ words: `l = ${l + 1}`, plan: { ...plan, values: { ...plan.values, l: String(l + 1) } } });
  for (const trial of tried) {
    const made = await ended({ kind: "anonymize", table: job.table, plan: trial.plan });
    if (made?.state !== "done") { trial.problem = made?.error?.detail ?? "it did not work"; tell([...tried], true); continue; }
    trial.loss = (made.about as { ncp?: number }).ncp;
    trial.guessed = (await resultOf<Attack>(await ended({ kind: "attack", after: made.id })))?.all.disclosure.find((d) => d.column === worst.column)?.guessed;
    tell([...tried], true);
  }
  tell(tried, false);
}

export function Trials({ job, found, loss }: { job: Job; found: Told[]; loss: number }) {
  const worst = [...found].sort((a, b) => (b.guessed - b.baseline) - (a.guessed - a.baseline))[0]!, state = trials.value[job.id], known = state?.tried.filter((t) => t.guessed !== undefined || t.problem) ?? [];
  const use = async (trial: Trial) => { if (table.value?.id !== job.table) await openTable(job.table); takePlan(trial.plan); go("requirement"); };
  return <Note><p>What is released tells {list(found.map((d) => `${cut(d.column, 40)}: guessing goes from ${percent(d.baseline, 0)} to ${percent(d.guessed, 0)}`))}.</p>
    {known.length > 0 && <p>Tried for you, instead of {percent(worst.guessed, 0)} guessed and {percent(loss)} lost:</p>}
    {known.map((t) => <p class="row"><span class="grow"><b>{t.words}</b>: {t.problem ? <span class="wrap">{t.problem}</span> : <>{percent(t.guessed!, 0)} guessed, {percent(t.loss ?? 0)} lost</>}</span>{!t.problem && <button class="btn sm" onClick={() => use(t)}>Use it</button>}</p>)}
    {state?.busy ? <p role="status">Trying…</p> : !state && job.kind === "anonymize" && job.about.plan && <button class="btn sm" onClick={() => void run(job, worst)}>Try what would lower it</button>}</Note>;
}

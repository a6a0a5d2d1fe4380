// What the page knows: the open table, the plan on the screen, jobs, and where it is. Signals, so that a screen follows by itself.
import { batch, computed, effect, signal } from "@preact/signals";
import { ApiError, ask, follow, get, post, type Column, type Feasible, type Job, type Options, type Plan, type PlanView, type Problem, type Profile, type Risk, type TableInfo, type Values } from "./api.ts";
import { cut } from "./words.ts";

export type Role = "quasi" | "sensitive" | "label" | "keep" | "drop";
export const kRoles: Role[] = ["quasi", "sensitive", "label", "keep", "drop"];

// where
export interface Place { screen: string; id: string }
const readPlace = (): Place => {
  const [screen, id] = location.hash.replace(/^#token=[0-9a-f]+/, "").replace(/^#?\/?/, "").split("/");
  return { screen: screen || "open", id: id ?? "" };
};
export const place = signal<Place>(readPlace());
addEventListener("hashchange", () => { place.value = readPlace(); });
export const go = (screen: string, id = ""): void => { location.hash = "#/" + screen + (id ? "/" + id : ""); };

// what
export const options = signal<Options | null>(null);
export const tables = signal<TableInfo[]>([]);
export const table = signal<Profile | null>(null);
export const loading = signal("");
export const trouble = signal<Problem | null>(null);
export const roles = signal<Record<string, Role>>({});
export const person = signal<string[]>([]);
export const values = signal<Values>({ k: "10" });
export const columnOptions = signal<Plan["columns"]>({});
export const controllers = signal<Plan["controllers"]>({});
export const accepted = signal(0);  // how far the four steps have been gone

export const k = computed(() => Math.max(1, parseInt(String(values.value["k"] || "5"), 10) || 1));
export const columnsWith = (role: Role): Column[] => (table.value?.columns ?? []).filter((c) => roles.value[c.name] === role);

/** A column as a list of columns names it: with its kind where the values alone would be read otherwise. */
export function columnText(column: Column): string {
  if (column.kind_differs) return `${column.name}:${column.kind}`;
  return /:(numeric|categorical|ordinal|[0-9.]+)$/.test(column.name) ? column.name + ":" : column.name;
}
export const plan = computed<Plan>(() => {
  const all: Values = {};
  for (const role of ["quasi", "sensitive", "label", "keep"] as Role[]) {
    const names = columnsWith(role).map(columnText);
    if (names.length) all[role] = names;
  }
  if (person.value.length) all["person"] = person.value;
  for (const [name, value] of Object.entries(values.value)) {
    if (value === "" || value === false || (Array.isArray(value) && !value.length)) continue;
    if (name === "l" && !all["sensitive"]) continue;
    all[name] = value;
  }
  if (["pseudonym", "shift-dates"].some((name) => name in all)) all["key"] = "tada.key";  // the server makes it
  if ("pseudonym" in all) all["key-domain"] ??= (table.value?.file ?? "").replace(/\..*$/, "");
  const quasi = new Set(columnsWith("quasi").map((c) => c.name));
  const kept = Object.fromEntries(Object.entries(columnOptions.value).filter(([name]) => quasi.has(name)));
  return { values: all, columns: kept, controllers: all["controller-column"] ? controllers.value : {} };
});

export const setValue = (name: string, value: string | string[] | boolean): void => { values.value = { ...values.value, [name]: value }; };
export const setRole = (name: string, role: Role): void => { roles.value = { ...roles.value, [name]: role }; };

// kept for a reload, by table
const keyOf = (id: string) => "tada-plan-" + id;
effect(() => {
  const open = table.value;
  if (!open) return;
  const kept = { roles: roles.value, person: person.value, values: values.value, columns: columnOptions.value, controllers: controllers.value, accepted: accepted.value };
  try {
    sessionStorage.setItem(keyOf(open.id), JSON.stringify(kept));
    sessionStorage.setItem("tada-table", open.id);
  } catch { /* names of columns can be longer than a browser keeps: then a reload starts from the proposals */ }
});

export function fail(error: unknown): void {
  trouble.value = error instanceof ApiError ? error.problem : { status: 0, title: "Error", detail: String(error) };
}
/** Runs what may fail; the message stands at the top of the page. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    trouble.value = null;
    return await work();
  } catch (error) {
    fail(error);
    return undefined;
  }
}

/** A table whose text is not written as UTF-8: the person says how. */
export const unread = signal("");
let opening = 0;  // a table that was asked for later is the one that is shown
export async function openTable(id: string, reading?: Values): Promise<boolean> {
  const own = ++opening;
  loading.value = "Reading the table…";
  const opened = await attempt(() => reading ? post<Profile>(`/api/tables/${id}/reading`, { plan: { values: reading } }) : get<Profile>("/api/tables/" + id));
  if (own !== opening) return false;
  loading.value = "";
  unread.value = !opened && /\bcharset\b/.test(trouble.value?.hint ?? "") ? id : "";
  if (!opened) return false;
  const kept = sessionStorage.getItem(keyOf(id));
  batch(() => {
    table.value = opened;
    risk.value = null;
    const proposed = Object.fromEntries(opened.columns.map((c) => [c.name, c.role === "person" ? "drop" : c.role as Role]));
    const was = kept ? JSON.parse(kept) : null;
    roles.value = was?.roles ?? proposed;
    person.value = was?.person ?? opened.columns.filter((c) => c.role === "person").map((c) => c.name);
    values.value = { ...(was?.values ?? { k: String(Math.min(10, Math.max(1, opened.rows))) }), ...opened.reading };
    columnOptions.value = was?.columns ?? {};
    controllers.value = was?.controllers ?? {};
    accepted.value = was?.accepted ?? 0;
  });
  return true;
}

/** What the release is for: as it was said, or as the label suggests. */
export const task = computed<string>(() => {
  const labels = columnsWith("label"), said = String(values.value["task"] ?? "");
  return said || (!labels.length ? "none" : labels.every((c) => c.kind === "numeric") ? "regression" : "classification");
});

/** Takes a plan, from a file or a run, into the screens; what does not fit the table is said. */
export function takePlan(from: Plan): void {
  const open = table.value;
  if (!open) return;
  const next: Record<string, Role> = Object.fromEntries(open.columns.map((c) => [c.name, "drop"]));
  const bare = (text: string) => open.columns.some((c) => c.name === text) ? text : text.replace(/:[^:]*$/, "");
  const known = new Set(open.columns.map((c) => c.name)), strange: string[] = [], rest: Values = {};
  for (const [name, value] of Object.entries(from.values)) {
    if (["quasi", "sensitive", "label", "keep"].includes(name)) {
      for (const text of value as string[]) if (known.has(bare(text))) next[bare(text)] = name as Role; else strange.push(text);
    } else if (name !== "person") rest[name] = value;
  }
  Object.assign(rest, from.methods?.[String(from.values["method"] ?? "")]);  // what the plan sets for its method alone
  batch(() => {
    roles.value = next;
    person.value = ((from.values["person"] as string[] | undefined) ?? []).map(bare).filter((column) => known.has(column) || !strange.push(column));
    values.value = rest;
    columnOptions.value = from.columns ?? {};
    controllers.value = from.controllers ?? {};
    if (strange.length) trouble.value = { status: 400, title: "Plan", detail: `The plan names columns that this table does not have: ${strange.slice(0, 8).map((column) => cut(column, 40)).join(", ")}${strange.length > 8 ? `, and ${strange.length - 8} more` : ""}`, hint: "The rest of it was taken. Give every column its role below, or open the table that the plan was made for." };
  });
}

// live answers: asked a moment after the last change; an answer that a newer question overtook is dropped
export const risk = signal<Risk | null>(null);
export const riskStale = signal(false);
let riskNumber = 0;
let riskTimer: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  const open = table.value;
  const body = { quasi: columnsWith("quasi").map((c) => c.name), person: person.value, k: k.value };
  clearTimeout(riskTimer);
  if (!open) return;
  const own = ++riskNumber;
  riskStale.value = true;
  riskTimer = setTimeout(async () => {
    try {
      const found = await ask<Risk>(`/api/tables/${open.id}/risk`, body, () => own === riskNumber);
      if (found && own === riskNumber) { risk.value = found; riskStale.value = false; }
    } catch (error) {
      if (own === riskNumber) fail(error);
    }
  }, 40);
});

export const planView = signal<PlanView | null>(null);
let planNumber = 0;
let planTimer: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  const body = { table: table.value?.id, plan: plan.value };
  clearTimeout(planTimer);
  if (!body.table) { planView.value = null; return; }
  const own = ++planNumber;
  planTimer = setTimeout(async () => {
    try {
      const found = await post<PlanView>("/api/plan", body);
      if (own === planNumber) planView.value = found;
    } catch (error) {
      if (error instanceof ApiError && error.problem.status === 0) fail(error);
      else if (own === planNumber) planView.value = { plan: body.plan, command: "", python: "", errors: [{ field: "", detail: error instanceof ApiError ? error.problem.detail : String(error), hint: "" }] };
    }
  }, 80);
});

export const feasible = signal<Feasible | null>(null);
export const infeasible = signal<Problem | null>(null);
let feasibleNumber = 0;
let feasibleTimer: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  const open = table.value, asked = plan.value;
  const wanted = place.value.screen === "requirement" || place.value.screen === "controllers" || place.value.screen === "method";
  clearTimeout(feasibleTimer);
  if (!open || !wanted) return;
  const own = ++feasibleNumber;
  feasibleTimer = setTimeout(async () => {
    try {
      const found = await post<Feasible>(`/api/tables/${open.id}/feasible`, { plan: asked });
      if (own === feasibleNumber) { feasible.value = found; infeasible.value = null; }
    } catch (error) {
      if (own === feasibleNumber && error instanceof ApiError) { feasible.value = null; infeasible.value = error.problem; }
    }
  }, 120);
});

export const onFrontier = signal(0);  // releases that nothing beats, once there was a search

// jobs
export const jobs = signal<Record<string, Job>>({});
export const runs = computed(() => Object.values(jobs.value).reverse().sort((a, b) => a.begun < b.begun ? 1 : a.begun > b.begun ? -1 : 0));  // of one second: the later one first
const followed = new Map<string, AbortController>();
export const isOver = (job: Job | undefined): boolean => !!job && job.state !== "waiting" && job.state !== "running";

export async function loadJob(id: string): Promise<Job> {
  const job = await get<Job>("/api/jobs/" + id);
  jobs.value = { ...jobs.value, [id]: job };
  return job;
}
export async function loadRuns(): Promise<void> {
  const found = await attempt(() => get<{ runs: Job[] }>("/api/runs"));
  if (found) jobs.value = Object.fromEntries(found.runs.map((job) => [job.id, job]));
}
/** Follows a job that is not over, once. */
export function watch(id: string): void {
  if (followed.has(id)) return;
  const stopper = new AbortController();
  followed.set(id, stopper);
  follow(id, (job) => { jobs.value = { ...jobs.value, [id]: { ...job, files: jobs.value[id]?.files ?? [] } }; }, stopper.signal)
    .then(() => loadJob(id)).catch(fail).finally(() => followed.delete(id));
}
const starting = new Set<string>(), kDoubleClick = 500;  // milliseconds
/** Starts a job; the second click of a double click starts no second one. */
export async function start(body: unknown): Promise<Job | undefined> {
  const asked = JSON.stringify(body);
  if (starting.has(asked)) return undefined;
  starting.add(asked);
  const job = await attempt(() => post<Job>("/api/jobs", body));
  setTimeout(() => starting.delete(asked), kDoubleClick);
  if (!job) return undefined;
  jobs.value = { ...jobs.value, [job.id]: { ...job, files: [] } };
  watch(job.id);
  return job;
}
/** The search or comparison that a screen shows of the open table: the latest, and where that was cancelled, the one before. */
export function latest(kind: string): Job | undefined {
  const all = runs.value.filter((job) => job.kind === kind && job.table === table.value?.id);
  return all.find((job) => job.state !== "cancelled") ?? all[0];
}
/** Whether a job was asked with other roles or another requirement than those on the screens now. */
export function isOutdated(job: Job, apart: string[]): boolean {
  const said = (of: Plan | undefined) => JSON.stringify([Object.entries(of?.values ?? {}).filter(([name]) => !apart.includes(name)).sort(), Object.entries(of?.columns ?? {}).sort(), Object.entries(of?.controllers ?? {}).sort()]);
  return !!planView.value?.toml && !!job.about.plan && said(job.about.plan) !== said(planView.value.plan);
}
/** Whether a comparison of methods was made for this k and l. */
export function wasAskedFor(job: Job, k: number, l: number): boolean {
  const words = job.command.split(" ");
  return words.includes(`--k=${k}`) && (l > 1 ? words.includes(`--l=${l}`) : !words.some((word) => word.startsWith("--l=")));
}
/** The jobs that were run on what another made. */
export const after = (id: string, kind: string): Job | undefined => runs.value.find((job) => job.kind === kind && job.about.after === id);

// The frame around every screen: what is open, the four steps, the rail, and at the bottom the plan as command, file and call.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { post, stop, type Job, type PlanView } from "./api.ts";
import { Icon, Note } from "./parts.tsx";
import { accepted, attempt, columnsWith, jobs, loading, onFrontier, place, planView, runs, table, trouble } from "./state.ts";
import { bytes, count, plural, visible } from "./words.ts";

export const stopped = signal(false);
const kSteps: [string, string][] = [["columns", "Columns"], ["requirement", "Requirement"], ["method", "Method"], ["result", "Release"]];

const Brand = () => (
  <a class="brand" href="#/open"><svg viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" rx="7" /><g><circle cx="12" cy="9" r="2.6" /><circle cx="6.6" cy="9.6" r="1.9" opacity=".6" /><circle cx="17.4" cy="9.6" r="1.9" opacity=".6" /><path d="M4.500 18c0-3.600 3.200-5.300 7.500-5.300s7.500 1.700 7.500 5.300z" /></g></svg>tada</a>
);

function Steps() {
  const here = place.value.screen, at = here === "run" ? 3 : here === "frontier" ? 2 : kSteps.findIndex(([key]) => key === here);
  const last = runs.value.find((job) => job.table === table.value?.id && (job.kind === "anonymize" || job.kind === "choose"));
  return <nav class="steps" aria-label="Steps">{kSteps.map(([key, words], i) => {
    const target = key === "result" ? (last ? `#/${last.state === "running" || last.state === "waiting" ? "run" : "result"}/${last.id}` : "#/method") : "#/" + key;
    return <a href={target} class={i < accepted.value && i !== at ? "done" : ""} aria-current={i === at ? "step" : undefined} aria-label={words}>{words}</a>;
  })}</nav>;
}

function Rail() {
  const here = ["run", "result"].includes(place.value.screen) ? "runs" : place.value.screen, rail = useRef<HTMLElement>(null);
  useEffect(() => { rail.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }); }, [here]);  // on a phone it is a row that scrolls
  const entries: [string, string, string, number?][] = [["table", "Table", "columns"], ["front", "Frontier", "frontier", onFrontier.value], ["compare", "Compare methods", "compare"],
    ["tree", "Hierarchies", "hierarchies", columnsWith("quasi").length], ["people", "Controllers", "controllers"], ["clock", "Runs", "runs", Object.keys(jobs.value).length]];
  return <nav class="rail" aria-label="Screens" ref={rail}>
    {entries.map(([icon, words, key, n]) => <a href={"#/" + key} aria-current={here === key ? "page" : undefined}><Icon name={icon} />{words}{n ? <span class="n">{count(n)}</span> : null}</a>)}
    <div class="foot"><p>Uploads are deleted when it stops.</p><button class="btn quiet sm" onClick={() => attempt(async () => { await stop(); stopped.value = true; })}>Stop tada</button></div>
  </nav>;
}

export function Shell({ children }: { children: ComponentChildren }) {
  const open = table.value, main = useRef<HTMLElement>(null), first = useRef(true);
  useEffect(() => {  // a new screen is read from its heading
    if (first.current) { first.current = false; return; }
    main.current?.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [place.value.screen, place.value.id]);
  return <div class={"app" + (open ? "" : " bare")}>
    <header class="top"><a class="skip" href="#main" onClick={(e) => { e.preventDefault(); main.current?.querySelector<HTMLElement>("h1")?.focus(); }}>To the content</a><Brand />
      {open && <div class="file"><b class="cut" title={open.name}>{visible(open.name)}</b><span class="faint small">{plural(open.rows, "row")} · {plural(open.columns.length, "column")} · {bytes(open.bytes)}</span></div>}
      {open && <Steps />}
      <span class="local end"><Icon name="lock" />On this computer only</span>
    </header>
    {open && <Rail />}
    <main id="main" ref={main} data-screen={place.value.screen}>
      {trouble.value && <div class="gap" role="alert"><Note kind="bad"><p><b>{trouble.value.detail}</b></p>{trouble.value.hint && <p>{trouble.value.hint}</p>}<button class="btn sm" onClick={() => { trouble.value = null; }}>Close</button></Note></div>}
      {loading.value && <div class="gap"><div class="card"><p role="status" class="in dim"><span class="spin" aria-hidden="true" />{loading.value}</p></div></div>}
      {children}
    </main>
  </div>;
}

const tab = signal<"command" | "toml" | "python">("command");
const wide = signal(false);
const copied = signal(false);
const ran = signal<Record<string, PlanView>>({});
/** The plan that a job ran with, whatever is on the screens by now. */
function planOf(job: Job | undefined): PlanView | null {
  const key = job ? job.id + job.state : "", found = job ? ran.value[key] : planView.value;
  useEffect(() => {
    if (job?.about.plan && !ran.value[key]) void attempt(async () => { const view = await post<PlanView>("/api/plan", { table: job.table, plan: job.about.plan }); ran.value = { ...ran.value, [key]: { ...view, command: job.command, toml: job.about.toml ?? view.toml ?? "" } }; });
  }, [key]);
  return found ?? null;
}

/** The command, plan file and Python call of what is on the screen: `command` is what this screen would run, if not a release; `job` what it shows. */
export function PlanBar({ command, job }: { command?: string; job?: Job | undefined }) {
  const view = planOf(job);
  if (!view) return null;
  const texts = { command: command ?? view.command, toml: view.toml ?? "", python: view.python };
  const text = texts[tab.value], short = visible(text).split("\n").filter((line) => line.trim()).join(" ");
  const copy = async () => { await navigator.clipboard?.writeText(text); copied.value = true; setTimeout(() => { copied.value = false; }, 1500); };
  return <section class="planbar" aria-label="The same as a command, a plan file and Python">
    {wide.value && <pre tabIndex={0} role="region" aria-label="In full">{visible(text)}</pre>}
    <div class="bar">
      <div role="tablist" aria-label="Form">{([["command", "Command"], ["toml", "tada.toml"], ["python", "Python"]] as const).map(([key, words]) =>
        <button class="tab" role="tab" aria-selected={tab.value === key} onClick={() => { tab.value = key; wide.value = key !== "command"; }}>{words}</button>)}</div>
      <code class="line">{short}</code>
      <button class="btn sm" aria-expanded={wide.value} onClick={() => { wide.value = !wide.value; }}>{wide.value ? "Less" : "More"}</button>
      <button class="btn sm" onClick={copy}><Icon name="copy" />{copied.value ? "Copied" : "Copy"}</button>
    </div>
  </section>;
}

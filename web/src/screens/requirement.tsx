// Requirement: everything that can be asked, each as a sentence; what the table can meet at all; what it costs by k, from real runs.
import { useEffect, useState } from "preact/hooks";
import { Card, ChartCard, Head, Icon, Note } from "../parts.tsx";
import { Bars } from "../charts.tsx";
import { OptionLine } from "../fields.tsx";
import { furtherRequirements } from "../option_words.ts";
import { PlanBar } from "../shell.tsx";
import { accepted, columnsWith, feasible, go, infeasible, isOutdated, k, loadRuns, options, person, plan, planView, runs, start, table, values, setValue } from "../state.ts";
import { count, cut, limits, list, percent, plural } from "../words.ts";

function KField() {
  const largest = Math.max(2, table.value?.rows ?? 2), steps = [2, 3, 5, 10, 15, 20, 50, 100, 200, 500, 1000].filter((n) => n <= largest);
  const at = steps.reduce((best, n, i) => Math.abs(n - k.value) < Math.abs(steps[best]! - k.value) ? i : best, 0);
  return <div class="req"><div class="stack-s"><p class="say">{k.value > 1 ? `Nobody is singled out with more than 1 in ${count(k.value)}` : "Anybody may be singled out"}</p>
    <p>{k.value > 1 ? `Every released row looks the same as at least ${plural(k.value - 1, "other")} in all quasi-identifiers.` : "With k = 1 a released row may be the only one of its kind."} {person.value.length ? "Counted in people, not rows." : ""} 10 is usual for research; 5 where harm is unlikely; 20 and more for the public.</p></div>
    <div class="ctl"><label class="small faint" for="option-k">k, people who look alike</label><input id="option-k" type="number" min="1" placeholder="5" value={String(values.value["k"] ?? "")} onInput={(e) => setValue("k", e.currentTarget.value)} />
      <input type="range" aria-label="k, in steps" min="0" max={steps.length - 1} value={at} onInput={(e) => setValue("k", String(steps[+e.currentTarget.value]))} /></div></div>;
}

function LField() {
  const sensitive = columnsWith("sensitive"), l = String(values.value["l"] ?? ""), names = list(sensitive.map((c) => cut(c.name, 30)));
  if (!sensitive.length) return <div class="req"><div class="stack-s"><p class="say">Nothing is protected from being guessed</p><p>No column is sensitive. If one holds what people would not want known, mark it on the first step; then its values can be kept mixed in every group.</p></div><div class="ctl"><a class="btn sm" href="#/columns">Choose sensitive columns</a></div></div>;
  const n = parseInt(l, 10) || 1;
  return <div class="req"><div class="stack-s"><p class="say">{n > 1 ? `Every group holds at least ${n} different values of ${names}` : `Whoever finds a group may learn ${names}`}</p>
    <p>{n > 1 ? "Knowing the group of a person does not tell the value." : "With l = 1 all people of a group may share one value, and then it is known without finding the row."} The table has {list(sensitive.map((c) => `${plural(c.distinct, "value")} of ${cut(c.name, 30)}`))}.</p></div>
    <div class="ctl"><label class="small faint" for="option-l">l, different values</label><input id="option-l" type="number" min="1" placeholder="1" value={l} onInput={(e) => setValue("l", e.currentTarget.value)} /></div></div>;
}

function PersonField() {
  const candidates = table.value!.columns, chosen = person.value[0] ?? "", rows = values.value["rows-are-people"] === true;
  return <div class="req"><div class="stack-s"><p class="say">{chosen ? `People are told apart by ${cut(chosen, 40)}` : "Every row is a person"}</p><p>Where people have several rows (visits, orders), name the column that tells them apart: it is never released, and k and l count people.</p></div>
    <div class="ctl"><label class="small faint" for="person">Person column</label><select id="person" value={chosen} onChange={(e) => { person.value = e.currentTarget.value ? [e.currentTarget.value] : []; }}><option value="">none</option>{candidates.map((c) => <option value={c.name}>{cut(c.name, 50)}</option>)}</select>
      {!chosen && <label class="check small"><input type="checkbox" checked={rows} onChange={(e) => setValue("rows-are-people", e.currentTarget.checked)} />Every row is a person, whatever it looks like</label>}</div></div>;
}

/** What each k costs, from runs of this plan that were made for it. */
function LossByK() {
  const sweeps = runs.value.filter((job) => job.kind === "anonymize" && job.state === "done" && job.table === table.value?.id && !isOutdated(job, ["k"]));
  const made = sweeps.map((job) => ({ k: Number(job.about.plan?.values["k"]), loss: (job.about as { ncp?: number }).ncp })).filter((x) => x.loss !== undefined).sort((a, b) => a.k - b.k);
  const busy = runs.value.some((job) => job.table === table.value?.id && (job.state === "running" || job.state === "waiting"));
  const measure = async () => {
    for (const n of [5, 10, 20, 50, 100]) {
      if (n > (table.value?.rows ?? 0) || made.some((x) => x.k === n)) continue;
      const asked = plan.value;
      await start({ kind: "anonymize", table: table.value!.id, plan: { ...asked, values: { ...asked.values, k: String(n) } } });
    }
  };
  const seen = made.filter((x, i) => i === made.findIndex((y) => y.k === x.k));
  const again = <button class="btn sm" disabled={busy || (planView.value?.errors.length ?? 1) > 0 || !!infeasible.value || feasible.value?.feasible === false} onClick={measure}>{busy ? "Measuring…" : "Measure k = 5 to 100"}</button>;
  const words = "Information lost (NCP): 0% is the raw table, 100% says nothing. From releases made here with this plan and another k, not from a guess.";
  if (!seen.length) return <Card title="What it costs, by k"><p class="small dim">{words}</p><p class="dim">Nothing was measured yet.</p>{again}</Card>;
  return <ChartCard title="What it costs, by k" words={words} label="Loss by k" columns={["k", "Loss"]} rows={seen.map((x) => [`k = ${x.k}`, percent(x.loss!)])} below={again}><Bars side rows={seen.map((x) => ({ name: `k = ${x.k}`, value: x.loss!, soft: x.k !== k.value }))} /></ChartCard>;
}

function CanItBeMet() {
  const found = feasible.value, wrong = infeasible.value;
  if (wrong) return <Note kind="bad"><p><b>{wrong.detail}</b></p>{wrong.hint && <p>{wrong.hint}</p>}</Note>;
  if (!found) return null;
  const failing = found.controllers.filter((c) => !c.feasible);
  if (failing.length) return <Note kind="bad">{failing.slice(0, 3).map((c) => <><p><b>{c.name ? `${c.name}: ` : ""}{c.detail}</b></p>{c.hint && <p>{c.hint}</p>}</>)}</Note>;
  return <Note kind="met"><p>This can be met. The most that this table allows: <b>{limits(found.controllers[0]?.largest ?? "")}</b>{found.controllers.length > 1 ? ` (of ${found.controllers.length} controllers, the first)` : ""}.</p></Note>;
}

export function Requirement() {
  useEffect(() => { void loadRuns(); }, []);
  const sensitive = columnsWith("sensitive").length > 0;
  const further = furtherRequirements(options.value?.options ?? []), asked = (name: string) => { const v = values.value[name]; return v !== undefined && v !== "" && v !== false && !(Array.isArray(v) && !v.length); };
  const [given] = useState(further.some((o) => asked(o.name)));  // what somebody is in stays open
  return <>
    <Head title="How well must people be hidden?" act={<button class="btn pri" disabled={(planView.value?.errors.length ?? 1) > 0 || !!infeasible.value || feasible.value?.feasible === false} onClick={() => { accepted.value = Math.max(2, accepted.value); go("method"); }}>Continue<Icon name="arrow" /></button>}>
      Each line is a promise about the release. An independent audit of the finished file checks all of them; if one does not hold, there is no file.</Head>
    <div class="cols"><div class="stack-l"><section class="card"><KField /><LField /><PersonField /></section>
      {further.length > 0 && <details class="card more" open={given}><summary class="in"><h2>Further promises</h2><span class="small faint">{further.filter((o) => asked(o.name)).length ? `${further.filter((o) => asked(o.name)).length} asked for` : `${further.length} that can be asked for, any number at once`}{sensitive ? "" : "; most need a sensitive column"}</span></summary>
        {further.map((o) => <OptionLine option={o} />)}</details>}
    </div>
    <div class="side"><CanItBeMet />{(planView.value?.errors ?? []).filter((e) => e.detail !== infeasible.value?.detail).map((e) => <Note kind="bad"><p><b>{e.detail}</b></p><p>{e.hint}</p></Note>)}<LossByK /></div></div>
    <PlanBar />
  </>;
}

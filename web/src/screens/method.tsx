// Method: what the release is for, the method that is recommended for that and why, and its options.
import { useState } from "preact/hooks";
import type { Option } from "../api.ts";
import { Card, Head, Icon, Note, Segments } from "../parts.tsx";
import { OptionLine } from "../fields.tsx";
import { releaseOptions } from "../option_words.ts";
import { PlanBar } from "../shell.tsx";
import { accepted, columnsWith, feasible, go, infeasible, options, plan, planView, setValue, start, table, values } from "../state.ts";
import { cut, list, methodName } from "../words.ts";

type Task = "" | "classification" | "regression" | "clustering" | "none";

export async function release(): Promise<void> {
  const job = await start({ kind: "anonymize", table: table.value!.id, plan: plan.value });
  if (!job) return;
  accepted.value = Math.max(3, accepted.value);
  go("run", job.id);
}

/** A section of options, closed until one is set. */
function Options({ title, words, options: all }: { title: string; words: string; options: Option[] }) {
  const set = all.filter((o) => { const v = values.value[o.name]; return v !== undefined && v !== "" && v !== false && !(Array.isArray(v) && !v.length); }).length;
  const [given] = useState(set > 0);  // a section that somebody is in stays open
  return <details class="card more" open={given}><summary class="in"><h2>{title}</h2><span class="small faint">{set ? `${set} set` : words}</span></summary>{all.map((o) => <OptionLine option={o} />)}</details>;
}

export function Method() {
  const labels = columnsWith("label"), given = String(values.value["task"] ?? "") as Task;
  const numeric = labels.length > 0 && labels.every((c) => c.kind === "numeric"), follows: Task = labels.length ? (numeric ? "regression" : "classification") : "none";
  const task = given || follows, names = list(labels.map((c) => cut(c.name, 30)));
  const all = options.value?.methods ?? [], fits = all.filter((m) => !m.tasks.length || m.tasks.includes(task));
  const usual = task === "none" ? "mondrian" : task === "regression" && all.some((m) => m.name === "regression") ? "regression" : "ta_da", chosen = String(values.value["method"] ?? "") || (given || labels.length ? "ta_da" : "mondrian");
  const method = all.find((m) => m.name === chosen);
  const why = task === "none" ? "without a task it splits where people differ most, and loses least in all columns alike" : task === "clustering" ? "it groups people as k-means would, so that clusters survive" : `it separates people by what predicts ${names || "the label"}, so that a model trained on the release still does`;
  const wrong = planView.value?.errors ?? [], unmet = infeasible.value ?? feasible.value?.controllers.find((c) => !c.feasible);
  return <>
    <Head title="What will the release be used for?" act={<><a class="btn" href="#/frontier">See the frontier</a><button class="btn pri" disabled={wrong.length > 0 || !!unmet} onClick={release}>Release<Icon name="arrow" /></button></>}>
      A method that knows the use keeps what it needs and gives up what it does not. The promise about people is the same with every method.</Head>
    <div class="stack-l">
      {unmet && !wrong.some((e) => e.detail === unmet.detail) && <Note kind="bad"><p><b>{"name" in unmet && unmet.name ? `${cut(unmet.name, 40)}: ` : ""}{unmet.detail}</b></p>{unmet.hint && <p>{unmet.hint}</p>}<p><a href="#/requirement">Change the requirement</a></p></Note>}
      <Card title="The use"><Segments<Task> name="task" label="Task" value={task} choices={[["classification", "A model predicts a category"], ["regression", "A model predicts a number"], ["clustering", "Somebody looks for groups"], ["none", "Nothing in particular"]]} onPick={(t) => setValue("task", t === follows ? "" : t)} />
        {(task === "classification" || task === "regression") && !labels.length ? <Note><p>No column is the label, what a model will predict. <a href="#/columns">Choose one</a>, or say that there is no use in particular.</p></Note> : <p class="dim">{labels.length ? `The label is ${names}.` : "No column is a label."}</p>}</Card>
      <section class="card"><div class="in"><h2>The method</h2><p class="dim">Recommended: <b>{methodName(usual)}</b>, because {why}.</p></div>
        <fieldset class="methods"><legend class="vh">Method</legend>{fits.map((m) => <label class="pick" key={m.name}><input type="radio" name="method" checked={m.name === chosen} onChange={() => setValue("method", m.name)} /><span><span class="row"><b class="grow">{methodName(m.name)}</b>{m.name === usual && <span class="chip met">recommended</span>}{m.maturity !== "stable" && <span class="chip look">{m.maturity}</span>}</span><code class="flag">{m.name}</code><p>{m.summary}</p></span></label>)}</fieldset></section>
      {method && method.options.length > 0 && <Options title={`How ${methodName(method.name)} works`} words="All have a value that suits most tables." options={method.options} />}
      {releaseOptions(options.value?.options ?? []).map((section) => <Options {...section} />)}
      {wrong.map((e) => <Note kind="bad"><p><b>{e.detail}</b></p><p>{e.hint}</p></Note>)}
    </div>
    <PlanBar />
  </>;
}

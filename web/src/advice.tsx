// The page that `tada advise --report` writes: one file that asks nobody anything. The same frontier as in `tada serve`.
import "./app.css";
import { render } from "preact";
import { Head, Note } from "./parts.tsx";
import { FrontierView, UpMeans } from "./frontier/view.tsx";
import type { Advice, Candidate } from "./frontier/model.ts";
import { count, cut, percent } from "./words.ts";

const advice = JSON.parse(document.getElementById("data")!.textContent!) as Advice;
const quote = (text: string): string => /^[\w./:=@%+,-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";
const release = (c: Candidate) => <details class="how"><summary>How to release it</summary><code class="block">tada advise --choose {c.id} --from {quote(advice.file ?? "advice.json")} -o {c.id}.csv</code>
  {c.command && <><p class="small dim">The same bytes without this advice:</p><code class="block">{c.command}</code></>}</details>;

function Page() {
  return <main class="alone"><Head title="How anonymous, how useful?">{cut(advice.input.replace(/^.*\//, ""), 80)}, {count(advice.rows)} rows. Every mark is a release you could make. Right: harder to single somebody out. Up: <UpMeans advice={advice} need={advice.needed_k} />{advice.raw_tree_accuracy !== undefined && ` A tree on the raw columns is right for ${percent(advice.raw_tree_accuracy)}.`}{advice.patterns?.sampled_rows ? ` Rules come from a sample of ${count(advice.patterns.sampled_rows)} rows; their k and accuracy from all.` : ""}</Head>
    <div class="stack-l"><Note><p><b>Confidential.</b> This page shows a raw row and figures of the raw table. Do not publish it with the release.</p></Note>
      <FrontierView advice={advice} need={advice.needed_k} act={release} />
      <section class="card"><div class="in stack"><h2>How to read this</h2><p class="dim"><b>k</b>: people who share every released value, at least. <b>Accuracy</b>: how often the label of a row is guessed from the released columns by the commonest label of its class, over ten folds; where a method formed its groups by labels, of rows whose labels were hidden from it. <b>Information gain</b>: what the released columns together tell of the label, in bits. <b>NCP</b>: how much of its column's span a released cell leaves open, on average. <b>Query error</b>: how far 500 made-up counts are off.</p></div></section></div></main>;
}
render(<Page />, document.getElementById("app")!);

// Open: drop a file, take one that was named at the start, or the made-up people; a plan may come along.
import { useRef, useState } from "preact/hooks";
import { get, post, put, remove, type PlanView, type TableInfo, type Values } from "../api.ts";
import { Card, FileName, Head, Icon } from "../parts.tsx";
import { attempt, go, loading, openTable, table, tables, takePlan, unread } from "../state.ts";
import { bytes } from "../words.ts";

export const loadTables = async (): Promise<void> => {
  const found = await attempt(() => get<{ tables: TableInfo[] }>("/api/tables"));
  if (found) tables.value = found.tables;
};
const open = async (id: string, reading?: Values) => { if (await openTable(id, reading)) go("columns"); };

/** Texts from before UTF-8, and who wrote them. */
const kCharsets: [string, string][] = [["cp1252", "Windows, Western Europe and America (cp1252)"], ["cp1250", "Windows, Central Europe (cp1250)"], ["cp1251", "Windows, Cyrillic (cp1251)"], ["iso-8859-15", "Unix, Western Europe (ISO 8859-15)"], ["macintosh", "Older Macs (macintosh)"], ["utf-16le", "UTF-16 without a mark"], ["shift_jis", "Japanese (Shift JIS)"], ["gb18030", "Chinese (GB 18030)"]];
function HowWritten({ id }: { id: string }) {
  const [charset, setCharset] = useState("cp1252");
  return <Card title="How is its text written?"><p class="dim">If the file is text, it is not in UTF-8: spreadsheets on Windows save such files. Look at a name with an accent afterwards to see whether it was right.</p>
    <div class="row"><label for="charset">Written on</label><select id="charset" value={charset} onChange={(e) => setCharset(e.currentTarget.value)}>{kCharsets.map(([key, words]) => <option value={key}>{words}</option>)}</select><button class="btn pri" onClick={() => open(id, { charset })}>Read it so</button></div></Card>;
}

/** Takes in a table, and a plan for it if one was dropped with it; a plan alone is for the table that is there. */
async function takeIn(files: File[]): Promise<void> {
  const plan = files.find((f) => f.name.endsWith(".toml")), file = files.find((f) => f !== plan);
  let id = tables.value.length === 1 && !file ? tables.value[0]!.id : "";
  if (file) {
    loading.value = `Taking in ${file.name}, ${bytes(file.size)}…`;
    const made = await attempt(() => put<TableInfo>("/api/tables/" + encodeURIComponent(file.name), file));
    loading.value = "";
    if (!made) return;
    await loadTables();
    id = made.id;
  }
  if (!id || !await openTable(id)) return;
  if (plan) await attempt(async () => takePlan((await post<PlanView>("/api/plan", { toml: await plan.text(), table: id })).plan));
  go("columns");
}

export function Open() {
  const [over, setOver] = useState(false), input = useRef<HTMLInputElement>(null), demo = tables.value.some((t) => t.made_up);
  const addDemo = () => attempt(async () => { const made = await post<TableInfo>("/api/demo", {}); await loadTables(); await open(made.id); });
  return <>
    <Head title="Which table is it about?">A table about people, one row each or several. It stays on this computer; what you drop here is deleted when tada stops.</Head>
    <div class="stack-l">{unread.value && <HowWritten id={unread.value} />}<div class={"dropzone stack" + (over ? " over" : "")} onDragOver={(e) => { e.preventDefault(); setOver(true); }} onDragLeave={() => setOver(false)}
      onDrop={(e) => { e.preventDefault(); setOver(false); void takeIn([...(e.dataTransfer?.files ?? [])]); }}>
      <Icon name="up" /><h2>Drop a table here</h2>
      <p class="dim">CSV, JSON lines, Excel, Parquet, Arrow or Feather, compressed or not. A plan, <code>tada.toml</code>, may come along.</p>
      <p class="row center"><label class="btn pri" for="file">Choose a file</label><input class="vh" id="file" ref={input} type="file" multiple accept=".csv,.gz,.zst,.bz2,.lz4,.parquet,.pq,.parq,.arrow,.feather,.txt,.tsv,.json,.jsonl,.ndjson,.xlsx,.toml" onChange={(e) => void takeIn([...(e.currentTarget.files ?? [])])} />
        {!demo && <button class="btn" onClick={addDemo}>Try it on 5,000 made-up people</button>}</p>
    </div>
    {tables.value.length > 0 && <Card title="Tables that are here"><ul class="list">
      {tables.value.map((t) => <li key={t.id}><Icon name="table" /><div class="grow"><b><FileName name={t.name} /></b><p class="small faint">{bytes(t.bytes)} · {t.made_up ? "5,000 people that tada made up" : t.uploaded ? "taken in from this page" : "named when tada was started"}</p></div>
        {t.uploaded && <button class="btn sm" aria-label={"Forget " + t.name} onClick={async () => { await attempt(() => remove("/api/tables/" + t.id)); if (table.value?.id === t.id) table.value = null; await loadTables(); }}>Forget</button>}
        <button class="btn pri sm" onClick={() => open(t.id)}>Open {t.made_up ? "the demo" : ""}</button></li>)}
    </ul></Card>}</div>
  </>;
}

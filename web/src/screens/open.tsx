// Open: drop a file, take one that was named at the start, or the made-up people.
import { useRef, useState } from "preact/hooks";
import { get, put, remove, type TableInfo } from "../api.ts";
import { Card, Head, Icon } from "../parts.tsx";
import { attempt, go, loading, openTable, table, tables } from "../state.ts";
import { bytes } from "../words.ts";

export const loadTables = async (): Promise<void> => {
  const found = await attempt(() => get<{ tables: TableInfo[] }>("/api/tables"));
  if (found) tables.value = found.tables;
};
const open = async (id: string) => { if (await openTable(id)) go("columns"); };

export function Open() {
  const [over, setOver] = useState(false), input = useRef<HTMLInputElement>(null);
  const upload = async (file: File | undefined) => {
    if (!file) return;
    loading.value = `Taking in ${file.name}, ${bytes(file.size)}…`;
    const made = await attempt(() => put<TableInfo>("/api/tables/" + encodeURIComponent(file.name), file));
    loading.value = "";
    if (!made) return;
    await loadTables();
    await open(made.id);
  };
  return <>
    <Head title="Which table is it about?">A table about people, one row each or several. It stays on this computer; what you drop here is deleted when tada stops.</Head>
    <div class={"dropzone stack" + (over ? " over" : "")} onDragOver={(e) => { e.preventDefault(); setOver(true); }} onDragLeave={() => setOver(false)}
      onDrop={(e) => { e.preventDefault(); setOver(false); void upload(e.dataTransfer?.files[0]); }}>
      <h2>Drop a file here</h2>
      <p class="dim">CSV, CSV.gz, Parquet, Arrow or Feather</p>
      <p><label class="btn pri" for="file"><Icon name="up" />Choose a file</label>
        <input class="vh" id="file" ref={input} type="file" accept=".csv,.gz,.zst,.parquet,.arrow,.feather,.txt,.tsv" onChange={(e) => upload(e.currentTarget.files?.[0])} /></p>
    </div>
    {tables.value.length > 0 && <><p /><Card title="Tables that are here"><ul class="list">
      {tables.value.map((t) => <li key={t.id}><Icon name="table" /><div class="grow"><b class="wrap">{t.name}</b><p class="small faint">{bytes(t.bytes)} · {t.made_up ? "5,000 people that tada made up" : t.uploaded ? "taken in from this page" : "named when tada was started"}</p></div>
        {t.uploaded && <button class="btn sm" onClick={async () => { await attempt(() => remove("/api/tables/" + t.id)); if (table.value?.id === t.id) table.value = null; await loadTables(); }}>Forget</button>}
        <button class="btn pri sm" onClick={() => open(t.id)}>Open {t.made_up ? "the demo" : ""}</button></li>)}
    </ul></Card></>}
  </>;
}

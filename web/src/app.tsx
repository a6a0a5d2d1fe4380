import "./fonts.css";
import "./app.css";
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { get, takeToken, type Options } from "./api.ts";
import { Head } from "./parts.tsx";
import { Shell, stopped } from "./shell.tsx";
import { attempt, loadRuns, openTable, options, place, table } from "./state.ts";
import { loadTables, Open } from "./screens/open.tsx";
import { Columns } from "./screens/columns.tsx";
import { Requirement } from "./screens/requirement.tsx";
import { Method } from "./screens/method.tsx";
import { Run } from "./screens/run.tsx";
import { Result } from "./screens/result.tsx";
import { Frontier } from "./screens/frontier.tsx";
import { CompareMethods } from "./screens/compare.tsx";
import { Hierarchies } from "./screens/hierarchies.tsx";
import { Controllers } from "./screens/controllers.tsx";
import { Runs } from "./screens/runs.tsx";

const kScreens: Record<string, () => preact.JSX.Element> = { open: Open, columns: Columns, requirement: Requirement, method: Method, run: Run, result: Result, frontier: Frontier, compare: CompareMethods, hierarchies: Hierarchies, controllers: Controllers, runs: Runs };

function App() {
  useEffect(() => {
    void (async () => {
      options.value = (await attempt(() => get<Options>("/api/options"))) ?? null;
      await loadTables();
      await loadRuns();
      const last = sessionStorage.getItem("tada-table");
      if (last && place.value.screen !== "open") await openTable(last);
    })();
  }, []);
  if (stopped.value) return <Shell><Head title="tada has stopped">Uploads are deleted. This tab can be closed.</Head></Shell>;
  const screen = place.value.screen, alone = screen === "open" || screen === "runs" || screen === "result" || screen === "run";
  const Screen = kScreens[screen] ?? Open;
  return <Shell>{options.value === null ? <Head title="tada" /> : !table.value && !alone ? <Open /> : <Screen key={screen + place.value.id} />}</Shell>;
}

if (takeToken()) render(<App />, document.getElementById("app")!);
else render(<Shell><Head title="This address lacks its key">Open the whole address that <code>tada serve</code> printed, with everything behind the #.</Head></Shell>, document.getElementById("app")!);

"""Jobs: what is shown is what runs, with the exit codes of the command line."""

import json
import pathlib
import signal
import subprocess
import time

import pytest

from served import BINARY, Served

ROLES = {"quasi": ["age", "sex", "zip:categorical", "job"], "sensitive": ["diagnosis"], "label": ["readmitted"]}


@pytest.fixture(scope="module")
def served():
    with Served("--demo") as server:
        yield server


def start(served, **values):
    return served.ask("POST", "/api/jobs", {"kind": "anonymize", "table": served.table(), "plan": {"values": {**ROLES, **values}}})


def test_a_release_has_the_bytes_of_the_command_that_is_shown(served, tmp_path):
    status, headers, job = start(served, k=10, l=2)
    assert status == 202 and headers["Location"] == f"/api/jobs/{job['id']}"
    ended = served.wait(job["id"])
    assert ended["state"] == "done" and ended["exit_code"] == 0
    url = served.ask("POST", "/api/tickets", {"job": job["id"], "file": "people.anon.csv"})[2]["url"]
    released = served.ask("GET", url, token="")[2]
    subprocess.run([str(BINARY), "demo", "--write", "people.csv", "--rows", "5000"], cwd=tmp_path, check=True, timeout=300)
    (tmp_path / "tada.toml").write_text(ended["about"]["toml"])
    assert job["command"] == "tada anonymize people.csv --plan tada.toml -o people.anon.csv --report report.html --json"
    subprocess.run([str(BINARY), *job["command"].split()[1:]], cwd=tmp_path, check=True, capture_output=True, timeout=300)
    assert (tmp_path / "people.anon.csv").read_bytes() == released
    report = served.ask("GET", f"/api/jobs/{job['id']}/result")[2]
    assert report["verdict"]["passed"] and report["reached"]["k"] >= 10


def test_events_tell_stages_and_end(served):
    job = start(served, k=5)[2]["id"]
    text = served.ask("GET", f"/api/jobs/{job}/events")[2].decode()
    events = [dict(line.split(": ", 1) for line in block.splitlines()) for block in text.strip().split("\n\n") if not block.startswith(":")]
    assert events[-1]["event"] == "end" and json.loads(events[-1]["data"])["state"] == "done"
    assert [int(e["id"]) for e in events] == sorted({int(e["id"]) for e in events})
    assert {"read", "audit"} <= {stage["name"] for stage in json.loads(events[-1]["data"])["stages"]}
    again = served.ask("GET", f"/api/jobs/{job}/events", headers={"Last-Event-ID": events[-1]["id"]})[2].decode()
    assert again.count("event: ") == 1


def test_what_cannot_be_met_is_said_with_its_exit_code(served):
    job = start(served, k=10, l=500)[2]["id"]
    ended = served.wait(job)
    assert ended["state"] == "failed" and ended["exit_code"] == 4 and "largest possible" in ended["error"]["detail"]
    status, headers, problem = served.ask("GET", f"/api/jobs/{job}/result")
    assert status == 409 and problem["exit_code"] == 4 and headers["Content-Type"] == "application/problem+json"
    feasible = served.ask("POST", f"/api/tables/{served.table()}/feasible", {"plan": {"values": {**ROLES, "k": 10, "l": 500}}})[2]
    assert feasible["feasible"] is False and "l=" in feasible["controllers"][0]["largest"]


def test_a_wrong_plan_starts_nothing(served):
    status, _, problem = start(served, k=0)
    assert status == 400 and problem["exit_code"] == 2
    assert start(served, colour="blue")[0] == 400
    view = served.ask("POST", "/api/plan", {"plan": {"values": {**ROLES, "k": 10, "l": 1, "method": "nothing"}}})[2]
    assert view["errors"][0]["field"] == "method" and "nothing" in view["errors"][0]["detail"]
    assert served.ask("POST", "/api/jobs", {"kind": "rm", "table": served.table()})[0] == 400
    assert served.ask("POST", "/api/jobs", {"kind": "anonymize", "table": "no", "plan": {"values": ROLES}})[0] == 404
    for name in ("output", "report", "plan", "from", "original"):
        asked = {"kind": "evaluate", "table": served.table(), "plan": {"values": ROLES}, "options": {name: "/etc/passwd"}}
        assert served.ask("POST", "/api/jobs", asked)[0] == 400, name


def test_plans_go_to_toml_and_back(served):
    view = served.ask("POST", "/api/plan", {"table": served.table(), "plan": {"values": {**ROLES, "k": 7}, "columns": {"age": {"hierarchy": "width:5"}}}})[2]
    assert view["errors"] == [] and "k = 7" in view["toml"] and "tada.anonymize(" in view["python"]
    back = served.ask("POST", "/api/plan", {"toml": view["toml"]})[2]
    assert back["toml"] == view["toml"] and back["plan"]["values"]["quasi"] == ROLES["quasi"]
    assert view["inspect"].startswith("tada inspect people.csv --quasi age,")


def taken(served, job, name):
    """A file of a job."""
    return served.ask("GET", served.ask("POST", "/api/tickets", {"job": job, "file": name})[2]["url"], token="")[2]


def test_candidates_that_are_chosen_have_plans_and_files_of_their_own(served, tmp_path):
    plan = {"values": {"quasi": ["age", "sex", "marital"], "label": ["readmitted"], "k": 5}}
    search = served.ask("POST", "/api/jobs", {"kind": "advise", "table": served.table(), "plan": plan})[2]["id"]
    assert served.wait(search)["state"] == "done"
    advice = served.ask("GET", f"/api/jobs/{search}/result")[2]
    by_groups = next(c for c in advice["candidates"] if c["origin"] == "method" and c["method"] == "mondrian" and c["k"] >= 20)
    by_rule = next(c for c in advice["candidates"] if c["origin"] != "method" and c["k"] >= 100 and c["k"] != by_groups["k"])
    jobs = [served.ask("POST", "/api/jobs", {"kind": "choose", "after": search, "id": c["id"]})[2]["id"] for c in (by_groups, by_rule)]
    subprocess.run([str(BINARY), "demo", "--write", "people.csv"], cwd=tmp_path, check=True, timeout=300)
    for job, candidate in zip(jobs, (by_groups, by_rule), strict=True):
        ended, output = served.wait(job), f"{candidate['id']}.anon.csv"
        names = [file["name"] for file in ended["files"]]
        assert ended["state"] == "done" and names[0] == output and "advice.json" in names and len([n for n in names if ".anon." in n]) == 1
        assert f"{candidate['k']:,}" in taken(served, job, "report.html").decode()
        (tmp_path / "advice.json").write_bytes(taken(served, job, "advice.json"))  # by the command that is shown
        subprocess.run([str(BINARY), *ended["command"].split()[1:], "--force"], cwd=tmp_path, check=True, capture_output=True, timeout=300)
        assert (tmp_path / output).read_bytes() == taken(served, job, output)
        (tmp_path / "tada.toml").write_bytes(taken(served, job, "tada.toml"))  # and by the plan
        assert ended["about"]["toml"].encode() == taken(served, job, "tada.toml") and ended["about"]["plan"]["values"]["method"] != "ta_da"
        again = [str(BINARY), "anonymize", "people.csv", "--plan", "tada.toml", "-o", "again.csv", "--force"]
        subprocess.run(again, cwd=tmp_path, check=True, capture_output=True, timeout=300)
        assert (tmp_path / "again.csv").read_bytes() == taken(served, job, output)
        assert served.ask("GET", f"/api/jobs/{job}/sample")[2]["size"] >= candidate["k"]
        attack = served.ask("POST", "/api/jobs", {"kind": "attack", "after": job})[2]["id"]
        assert served.wait(attack)["state"] == "done"
        highest = served.ask("GET", f"/api/jobs/{attack}/result")[2]["all"]["reidentification"]["prosecutor"]["highest"]
        assert highest == pytest.approx(1 / candidate["k"])


def test_rows_of_a_group_before_and_after(served):
    job = start(served, k=10)[2]["id"]
    served.wait(job)
    shown = served.ask("GET", f"/api/jobs/{job}/sample")[2]
    assert shown["confidential"] and shown["size"] >= 10 and len(shown["before"]) >= 10
    names = [column["name"] for column in shown["columns"]]
    age = names.index("age")
    after = shown["columns"][age]["after"].strip("[]").split(",")
    ages = [int(row[age]) for row in shown["before"]]
    assert min(ages) == int(after[0]) and max(ages) == int(after[-1])
    assert served.ask("GET", f"/api/jobs/{job}/sample?group=1000000")[0] == 400


def test_risk_is_the_same_as_inspect_counts(served, tmp_path):
    subprocess.run([str(BINARY), "demo", "--write", "people.csv"], cwd=tmp_path, check=True, timeout=300)
    told = json.loads(subprocess.run([str(BINARY), "inspect", "people.csv", "--quasi", "age,sex,job", "--json"], cwd=tmp_path, check=True, capture_output=True, timeout=300).stdout)  # noqa: E501
    risk = served.ask("POST", f"/api/tables/{served.table()}/risk", {"quasi": ["age", "sex", "job"], "k": 5})[2]
    # inspect proposes roles for the other columns, so only those it was given count here
    fewer = json.loads(
        subprocess.run([str(BINARY), "inspect", "people.csv", "--quasi", "age,sex,job", "--keep", "zip,education,marital,hours,income,id,diagnosis,readmitted", "--json"],  # noqa: E501
                       cwd=tmp_path, check=True, capture_output=True, timeout=300).stdout)  # fmt: skip
    assert risk["unique"] == fewer["unique_rows"] and risk["classes"] == fewer["classes"] and risk["below_k"] == fewer["rows_below_k"]
    assert sum(size["members"] for size in risk["sizes"]) == 5000 and told["rows"] == 5000
    without = served.ask("POST", f"/api/tables/{served.table()}/risk", {"quasi": ["age", "sex"], "k": 5})[2]
    assert {c["name"]: c["unique"] for c in risk["if_changed"]}["job"] == without["unique"]
    assert {c["name"]: c["unique"] for c in without["if_changed"]}["job"] == risk["unique"]


def test_hierarchies_are_built_checked_and_used(served, tmp_path):
    table = served.table()
    built = served.ask("GET", f"/api/tables/{table}/hierarchies/sex")[2]
    assert built["levels"][-1]["nodes"] == 1 and sorted(line[0] for line in built["lines"]) == sorted({line[0] for line in built["lines"]})
    ages = served.ask("GET", f"/api/tables/{table}/hierarchies/age?builder=width%3A10")[2]
    assert ages["from"] == "width:10" and len(ages["levels"]) > 2
    assert served.ask("POST", f"/api/tables/{table}/hierarchies/age", {"lines": ages["lines"][:-1]})[0] == 400  # a value is missing
    assert served.ask("POST", f"/api/tables/{table}/hierarchies/age", {"lines": ages["lines"], "check_only": "yes"})[0] == 400
    saved = served.ask("POST", f"/api/tables/{table}/hierarchies/age", {"lines": ages["lines"]})[2]
    plan = {"values": {**ROLES, "k": 5}, "columns": {"age": {"hierarchy": saved["from"]}}}
    job = served.ask("POST", "/api/jobs", {"kind": "anonymize", "table": table, "plan": plan})[2]["id"]
    ended = served.wait(job)
    assert ended["exit_code"] == 0
    assert served.ask("GET", f"/api/tables/{table}/hierarchies/nothing")[0] == 404
    files = {file["name"]: file["confidential"] for file in ended["files"]}
    assert files.pop(saved["from"]) is True and list(files) == ["people.anon.csv", "report.html", "tada.toml"]
    subprocess.run([str(BINARY), "demo", "--write", "people.csv"], cwd=tmp_path, check=True, timeout=300)  # by hand, with what was downloaded
    (tmp_path / "hierarchies").mkdir()
    for name in ("tada.toml", saved["from"]):
        (tmp_path / name).write_bytes(taken(served, job, name))
    subprocess.run([str(BINARY), *ended["command"].split()[1:]], cwd=tmp_path, check=True, capture_output=True, timeout=300)
    assert (tmp_path / "people.anon.csv").read_bytes() == taken(served, job, "people.anon.csv")


def test_a_folder_keeps_runs(tmp_path):
    with Served("--demo", "--folder", tmp_path / "kept") as server:
        job = start(server, k=5)[2]["id"]
        server.wait(job)
    assert (tmp_path / "kept" / f"run-{job}" / "people.anon.csv").exists()
    with Served("--folder", tmp_path / "kept") as server:
        (run,) = server.ask("GET", "/api/runs")[2]["runs"]
        assert run["id"] == job and run["state"] == "done" and any("sha256" in file for file in run["files"])
        assert server.ask("GET", f"/api/jobs/{job}/result")[2]["verdict"]["passed"]
    for number, text in enumerate(('{"id": 7}', '{"id": "x", "about": []}', '{"id": "y", "state": "running"}', "[", "")):
        (tmp_path / "kept" / f"run-{job}" / f"run-{number}.json").write_text(text)  # not ours
    with Served("--folder", tmp_path / "kept") as server:
        assert [run["id"] for run in server.ask("GET", "/api/runs")[2]["runs"]] == [job]


def test_what_a_killed_server_was_making_is_cleared_up(tmp_path):
    rows = subprocess.run([str(BINARY), "demo", "--write", "-", "--rows", "200000"], check=True, capture_output=True, timeout=300).stdout
    with Served("--folder", tmp_path) as server:
        table = server.ask("PUT", "/api/tables/big.csv", rows)[2]["id"]
        plan = {"values": {"quasi": ["age", "sex", "zip", "job"], "method": "compact", "k": 5}}
        job, waiting = (server.ask("POST", "/api/jobs", {"kind": "anonymize", "table": table, "plan": plan})[2]["id"] for _ in range(2))
        end = time.monotonic() + 120
        while not (pending := list(tmp_path.glob(f"run-{job}/.tada-*"))):  # what it writes has its hidden name, and its process in it
            assert time.monotonic() < end
            time.sleep(0.02)
        server.stop(signal.SIGKILL)
    while pathlib.Path("/proc", pending[0].name.split("-")[1]).exists():  # it dies with its server
        assert time.monotonic() < end
        time.sleep(0.05)
    with Served("--folder", tmp_path) as server:
        runs = {run["id"]: run for run in server.ask("GET", "/api/runs")[2]["runs"]}
        assert {runs[job]["state"], runs[waiting]["state"]} == {"cancelled"} and runs[job]["exit_code"] == 130
        assert server.ask("GET", f"/api/jobs/{job}/result")[0] == 409
        assert not list(tmp_path.glob("run-*/.tada-*")) and not list(tmp_path.glob("run-*/*.anon.csv"))


def test_pseudonyms_take_a_key_that_the_server_makes(tmp_path):
    values = {"quasi": ["age", "sex"], "pseudonym": ["id"], "key": "tada.key", "key-domain": "people", "k": 5}
    with Served("--demo", "--folder", tmp_path) as server:
        first = server.ask("POST", "/api/jobs", {"kind": "anonymize", "table": server.table(), "plan": {"values": values}})[2]["id"]
        ended = server.wait(first)
        assert ended["exit_code"] == 0, ended
        (key,) = [file for file in ended["files"] if file["name"] == "tada.key"]
        assert key["confidential"] and "secret" in key["words"]
        second = server.ask("POST", "/api/jobs", {"kind": "anonymize", "table": server.table(), "plan": {"values": values}})[2]["id"]
        digests = [file["sha256"] for job in (first, second) for file in server.wait(job)["files"] if file["name"] == "people.anon.csv"]
        assert digests[0] == digests[1]  # one key for all runs
    assert (tmp_path / "tada.key").stat().st_mode & 0o077 == 0


def test_the_demo_can_be_taken_in_later():
    with Served() as server:
        status, _, made = server.ask("POST", "/api/demo", {})
        assert status == 201 and made["made_up"]
        assert server.ask("POST", "/api/demo", {})[2]["id"] == made["id"]
        assert server.ask("GET", f"/api/tables/{made['id']}")[2]["rows"] == 5000

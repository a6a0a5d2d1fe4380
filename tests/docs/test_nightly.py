"""The examples of docs/nightly.md that are no shell blocks: each is run as far as one machine can."""

import json
import os
import re
import shutil
import subprocess
import sys
import types

import pytest

from conftest import BINARY, ROOT

PAGE = (ROOT / "docs" / "nightly.md").read_text()


def block(language: str, words: str) -> str:
    (found,) = [text for text in re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL) if words in text]
    return found


@pytest.fixture
def place(tmp_path):
    """in/, out/ and a plan, and tada on the path."""
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "tada").symlink_to(BINARY)
    (tmp_path / "in" / "visits.csv").write_text("age,job,disease\n34,nurse,flu\n41,cook,asthma\n38,cook,flu\n52,clerk,asthma\n")
    (tmp_path / "tada.toml").write_text('quasi = ["age", "job"]\nsensitive = ["disease"]\nk = 2\nl = 2\n')
    return tmp_path


def environment(place):
    return {**os.environ, "PATH": f"{place / 'bin'}:{os.environ['PATH']}"}


def test_the_line_of_cron(place):
    lines = [line for line in block("crontab", "dow").splitlines() if not line.startswith("#")]
    (fields,) = [line.split(None, 5) for line in lines]
    assert all(re.fullmatch(r"[\d*/,-]+", field) for field in fields[:5])
    command = fields[5].replace("/srv/tada", str(place))
    for _ in range(2):  # it can be run again
        run = subprocess.run(["sh", "-c", command], env=environment(place), capture_output=True, text=True)
        assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    assert (place / "out" / "visits.parquet").exists()
    log = [json.loads(line) for line in (place / "log.json").read_text().splitlines()]
    assert [line["exit"] for line in log if line["event"] == "end"] == [0, 0]
    assert next(line["stage"] for line in log if line["event"] == "stage") == "read"


def test_the_units_of_systemd(place):
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd is not installed")
    service = block("ini", "ExecStart").replace("/usr/bin/tada", str(BINARY)).replace("/srv/tada", str(place)).replace("User=tada\n", "")
    (place / "tada-nightly.service").write_text(service)
    (place / "tada-nightly.timer").write_text(block("ini", "OnCalendar"))
    for unit in ("tada-nightly.service", "tada-nightly.timer"):
        run = subprocess.run(["systemd-analyze", "verify", "--man=no", place / unit], capture_output=True, text=True)
        about = [line for line in run.stderr.splitlines() if "tada-nightly" in line]
        assert about == [], run.stderr
    (line,) = re.findall(r"^ExecStart=(.*)$", service, re.MULTILINE)
    assert subprocess.run(line.split(), cwd=place, capture_output=True).returncode == 0


def test_the_makefile(place):
    (place / "Makefile").write_text(block("make", "visits.parquet:"))
    subprocess.run(["make", "out/visits.parquet"], cwd=place, env=environment(place), check=True, capture_output=True)
    assert json.loads((place / "out" / "visits.parquet.audit.json").read_text())["passed"] is True
    again = subprocess.run(["make", "out/visits.parquet"], cwd=place, env=environment(place), check=True, capture_output=True, text=True)
    assert "up to date" in again.stdout


def test_the_operator_of_airflow(place, monkeypatch):
    """With stand-ins for Airflow's two modules, which would bring a hundred packages."""

    class Again(Exception): ...

    class Final(Again): ...

    class BaseOperator:
        def __init__(self, task_id):
            self.task_id = task_id

    errors = {"AirflowException": Again, "AirflowFailException": Final}
    for name, members in {"airflow": {}, "airflow.exceptions": errors, "airflow.models": {"BaseOperator": BaseOperator}}.items():
        module = types.ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setenv("PATH", environment(place)["PATH"])
    code: dict = {}
    exec(block("python", "TadaOperator"), code)  # the example itself

    def run(source, plan):
        return code["TadaOperator"](task_id="t", source=str(source), target=str(place / "out" / "a.csv"), plan=str(plan)).execute({})

    assert run(place / "in", place / "tada.toml") == {"k": 4, "rows": 4}
    with pytest.raises(Again, match="exit 3") as raised:
        run(place / "nothing.csv", place / "tada.toml")
    assert not isinstance(raised.value, Final)
    (place / "large.toml").write_text('quasi = ["age"]\nk = 50\n')
    with pytest.raises(Final, match="exit 4"):
        run(place / "in", place / "large.toml")


def test_the_query_of_dbt(place):
    duckdb = pytest.importorskip("duckdb")
    script = "\n".join(line.removeprefix("$ ") for line in block("sh", "--sql-table").splitlines())
    subprocess.run(["bash", "-euc", script], cwd=place, env=environment(place), check=True)
    query = (place / "tests_visits_anon_is_anonymous.sql").read_text()
    with duckdb.connect() as database:
        database.execute(f"create table visits_anon as from read_csv('{place / 'released.csv'}', header=true, all_varchar=true)")
        assert database.execute(query).fetchall() == []
        database.execute("delete from visits_anon where rowid < 3")
        assert [row[0] for row in database.execute(query).fetchall()] != []

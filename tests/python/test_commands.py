"""Commands that run as the program's do: advise and compose on frames, and the program itself, which is in the package."""

import json
import subprocess
import sys

import pytest

from conftest import BINARY, make_people, write_csv
from frames import large_table, people, roles  # noqa: F401 - fixtures

tada = pytest.importorskip("tada")
pa = pytest.importorskip("pyarrow")
ADVISE = {"label": "disease", "quasi": ["age", "zip:categorical", "job"], "hierarchy": ["age=width:10", "zip=prefix"], "validate": "tree", "baselines": "none"}
LINE = ["--label", "disease", "--quasi", "age,zip:categorical,job", "--hierarchy", "age=width:10,zip=prefix", "--validate", "tree", "--baselines", "none"]


def program(folder, *arguments, code=0):
    """The wheel's `tada`."""
    run = subprocess.run(
        [sys.executable, "-c", "from tada._program import main; main()", *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=120
    )
    assert run.returncode == code, run.stderr
    return run


def read_table(path):
    from tada._read import frame_table

    return frame_table(path)


def built(folder, *arguments):
    return subprocess.run([str(BINARY), *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=120, check=True)


@pytest.fixture
def file(tmp_path):
    (tmp_path / "people.csv").write_text(write_csv(make_people(400)))
    return tmp_path / "people.csv"


def test_advice_is_that_of_the_program(file, tmp_path):
    built(tmp_path, "advise", file, *LINE, "-o", "advice.json")
    expected = json.loads((tmp_path / "advice.json").read_text())
    advice = tada.advise(file, **ADVISE)
    assert advice.rules == expected["rules"] and advice.details["patterns"] == expected["patterns"]
    table = pa.table({name: [row[name] for row in make_people(400)] for name in make_people(1)[0]})
    assert tada.advise(table, **ADVISE).rules == expected["rules"]


def test_rules_that_miss_l_are_marked_and_not_released():
    # Everybody below 40 in the south has the same illness: a rule that shows both columns has a class without a second value.
    ill = (["flu"] * 2 + ["flu", "gout"]) * 5 + (["flu"] * 2 + ["gout", "flu"]) * 5
    frame = pa.table({"age": [30, 31, 50, 51] * 10, "place": ["s", "s", "s", "n"] * 10, "ill": ill,
                      "y": ["no", "no", "yes", "yes"] * 10})  # fmt: skip
    advice = tada.advise(
        frame, label="y", quasi=["age", "place"], sensitive="ill", l=2, hierarchy=["age=width:20"], validate="none", baselines="none", all_levels=True
    )
    assert {rule["meets"] for rule in advice.rules} == {True, False} and all(rule["meets"] for rule in advice.frontier)
    missed = next(rule for rule in advice.rules if not rule["meets"])
    with pytest.raises(tada.InfeasibleError, match="l=1"):
        advice.release(missed["id"])
    assert advice.release(advice.frontier[0]["id"]).audit().l >= 2


def test_a_chosen_rule_is_released_with_its_k(file, tmp_path):
    advice = tada.advise(file, **ADVISE, report=tmp_path / "advice.html")
    rule = advice.frontier[0]
    release = advice.release(rule["id"])
    assert release.audit().passed and release.audit().k == rule["k"]
    assert "<html" in (tmp_path / "advice.html").read_text()
    with pytest.raises(tada.UsageError, match="r0"):
        advice.release("r0")
    with pytest.raises(tada.OutputError):
        tada.advise(file, **ADVISE, report=tmp_path / "advice.html")


def test_compose_says_what_the_program_says(people, roles, tmp_path):
    tada.anonymize(people, **roles).write(tmp_path / "a.csv")
    tada.anonymize(people, **{**roles, "k": 3}, seed=2).write(tmp_path / "b.csv")
    line = ["--quasi", "age,state", "--sensitive", "income", "-k", "2", "-l", "2", "--json"]
    expected = subprocess.run([str(BINARY), "compose", "a.csv", "b.csv", *line], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    options = {"quasi": ["age", "state"], "sensitive": "income", "k": 2, "l": 2}
    together = tada.compose(tmp_path / "a.csv", tmp_path / "b.csv", **options)
    assert together.passed == (expected.returncode == 0)
    said = json.loads(expected.stdout)
    for found in (together, tada.compose(read_table(tmp_path / "a.csv"), read_table(tmp_path / "b.csv"), **options)):
        assert (found.passed, found.k, found.l, found.problems) == (said["passed"], said["k"], said["l"], said["problems"])
    with pytest.raises(tada.UsageError, match="two"):
        tada.compose(tmp_path / "a.csv", quasi="age")


def test_an_attack_is_that_of_the_program(file, tmp_path):
    line = ["--quasi", "age,zip:categorical,job", "--sensitive", "disease"]
    built(tmp_path, "anonymize", file, *line, "-k", "5", "-o", "out.csv")
    expected = json.loads(built(tmp_path, "attack", "out.csv", "--original", file, *line, "--json").stdout)
    options = {"quasi": ["age", "zip:categorical", "job"], "sensitive": "disease"}
    assert tada.attack(tmp_path / "out.csv", file, **options) == expected
    frames = [read_table(tmp_path / "out.csv"), read_table(file)]
    assert tada.attack(*frames, **options, report=tmp_path / "attack.html") == expected
    assert "<html" in (tmp_path / "attack.html").read_text()


def test_errors_of_commands_are_exceptions(people):
    with pytest.raises(tada.UsageError, match="jobb"):
        tada.advise(people, label="jobb")
    with pytest.raises(tada.DataError):
        tada.advise("nowhere.csv", label="job")
    with pytest.raises(tada.UsageError, match="coverage"):
        tada.advise(people, label="job", coverage=200)


@pytest.mark.parametrize("extension", ["csv", "csv.gz", "parquet", "arrow"])
def test_the_program_of_the_package_writes_what_the_built_one_does(file, tmp_path, extension):
    line = ["--quasi", "age,zip:categorical,job", "--sensitive", "disease", "--keep", "income", "--allow", "income", "-k", "5", "-l", "2"]
    line += ["--report", "r.json", "--force"]
    built(tmp_path, "anonymize", file, *line, "-o", f"built.{extension}")
    program(tmp_path, "anonymize", file, *line, "-o", f"own.{extension}")
    if extension.startswith("csv"):
        assert (tmp_path / f"own.{extension}").read_bytes() == (tmp_path / f"built.{extension}").read_bytes()
        return
    own, theirs = (read_table(tmp_path / f"{name}.{extension}") for name in ("own", "built"))
    assert own.schema.equals(theirs.schema) and own.equals(theirs)


@pytest.mark.parametrize("extension", ["parquet", "arrow"])
def test_the_program_of_the_package_keeps_types_as_the_built_one_does(tmp_path, extension):
    import pyarrow.feather
    import pyarrow.parquet  # noqa: F401 - both are reached as attributes of pyarrow

    table = large_table(500)
    (pa.parquet.write_table if extension == "parquet" else pa.feather.write_feather)(table, tmp_path / f"in.{extension}")
    line = ["--quasi", "age,weight,born,state", "--sensitive", "disease", "--keep", "seen,paid,smokes", "--allow", "seen,paid", "-k", "5", "-l", "2"]
    built(tmp_path, "anonymize", f"in.{extension}", *line, "-o", f"built.{extension}")
    program(tmp_path, "anonymize", f"in.{extension}", *line, "-o", f"own.{extension}")
    own, theirs = (read_table(tmp_path / f"{name}.{extension}") for name in ("own", "built"))
    assert own.schema.equals(theirs.schema), (own.schema, theirs.schema)
    assert own.equals(theirs)


@pytest.mark.parametrize("text", ["a,b\n1\n", "a,a\n1,2\n", 'a,b\n1,"2\n', "", "a,b\n1,\xff\n"])
def test_the_program_of_the_package_says_where_a_file_is_wrong(tmp_path, text):
    (tmp_path / "x.csv").write_bytes(text.encode("latin1"))
    run = program(tmp_path, "inspect", "x.csv", code=3)
    theirs = subprocess.run([str(BINARY), "inspect", "x.csv"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert run.stderr == theirs.stderr and theirs.returncode == 3

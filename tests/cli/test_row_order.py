"""The order of released rows, and what else could be compared with a guessed table: neither depends on anything but what is released."""

import hashlib
import json
import random

import pytest

from conftest import make_people, write_csv

ROLES = ["--quasi", "age,zip,job", "--sensitive", "disease", "-k", "4", "-l", "2"]
METHODS = ["mondrian", "mondrian --relaxed", "dop", "compact", "topdown", "infogain --label disease", "ta_da --label disease"]


@pytest.fixture
def orders(tada):
    """A table, and the same rows in two other orders."""
    rows = make_people(400, seed=5)
    for number in range(3):
        tada.write(f"in{number}.csv", write_csv(rows))
        random.Random(number).shuffle(rows)
    return ["in0.csv", "in1.csv", "in2.csv"]


@pytest.mark.parametrize("method", METHODS)
def test_a_reordered_input_gives_the_same_file(tada, orders, method):
    roles = ROLES if "--label" not in method else ["--quasi", "age,zip,job", "-k", "4"]
    for name in orders:
        tada("anonymize", name, *roles, "--method", *method.split(), "-o", f"out-{name}", "--quiet")
    assert len({(tada.folder / f"out-{name}").read_bytes() for name in orders}) == 1


@pytest.mark.parametrize("options", [["-o", "out.parquet"], ["-o", "out.arrow"], ["--memory", "64MB", "-o", "out.csv"]])
def test_so_does_every_format(tada, orders, options):
    made = set()
    for name in orders:
        tada("anonymize", name, *ROLES, *options, "--force", "--quiet")
        made.add((tada.folder / options[-1]).read_bytes())
    assert len(made) == 1


def test_rows_come_sorted_by_what_is_released(tada):
    tada.write("in.csv", "age,ill\n50,x\n20,z\n51,a\n21,b\n52,m\n22,a\n")
    tada("anonymize", "in.csv", "--quasi", "age", "--sensitive", "ill", "-k", "3", "-o", "out.csv", "--quiet")
    assert (tada.folder / "out.csv").read_text() == 'age,ill\n"[20,22]",a\n"[20,22]",b\n"[20,22]",z\n"[50,52]",a\n"[50,52]",m\n"[50,52]",x\n'


def test_other_people_behind_the_same_cells_give_the_same_file(tada):
    """What an attacker who reruns the program on guessed tables cannot tell apart: who of a class has which sensitive value, and ages inside the cells."""
    tada.write("in.csv", "age,ill\n20,a\n25,b\n30,c\n60,a\n65,b\n70,d\n")
    tada.write("guess.csv", "age,ill\n70,a\n66,d\n60,b\n30,a\n24,c\n20,b\n")
    for name in ("in.csv", "guess.csv"):
        tada("anonymize", name, "--quasi", "age", "--sensitive", "ill", "-k", "3", "-o", f"out-{name}", "--quiet")
    assert (tada.folder / "out-in.csv").read_bytes() == (tada.folder / "out-guess.csv").read_bytes()


def test_the_report_has_the_digest_of_the_release_and_not_of_the_input(tada, people):
    raw = hashlib.sha256((tada.folder / people).read_bytes()).hexdigest()
    for extra in ([], ["--report-raw"]):
        tada("anonymize", people, *ROLES, "-o", "out.csv", "--report", "report.json", "--force", "--quiet", *extra)
        tada("anonymize", people, *ROLES, "-o", "again.csv", "--report", "report.html", "--force", "--quiet", *extra)
        report = json.loads((tada.folder / "report.json").read_text())
        page = (tada.folder / "report.html").read_text()
        released = hashlib.sha256((tada.folder / "out.csv").read_bytes()).hexdigest()
        assert report["release_sha256"] == released and released in page
        assert (raw in json.dumps(report)) == bool(extra) and (raw in page) == bool(extra)


def test_the_report_says_that_a_kept_order_identifies(tada, people):
    for extra, order, words in ([], "canonical", "so that it tells nothing"), (["--keep-order"], "input", "which identifies people"):
        tada("anonymize", people, *ROLES, "-o", "out.csv", "--report", "report.json", "--force", "--quiet", *extra)
        tada("anonymize", people, *ROLES, "-o", "out.csv", "--report", "report.html", "--force", "--quiet", *extra)
        assert json.loads((tada.folder / "report.json").read_text())["row_order"] == order
        assert words in (tada.folder / "report.html").read_text()
    assert "which identifies people" in " ".join(tada("anonymize", "--help").stdout.split())


def test_results_of_evaluate_do_not_depend_on_cells_that_play_no_part(tada):
    """The run's name is not computed from the table: results of two tables that differ in an unused column are named alike."""
    import os

    rows = make_people(120)
    runs = []
    for name in ("a", "b"):
        path = tada.write("people.csv", write_csv([{**row, "name": name} for row in rows]))
        os.utime(path, ns=(10**18, 10**18))
        tada("evaluate", "people.csv", "--quasi", "age,zip", "--label", "disease", "--methods", "mondrian", "-k", "5", "--seeds", "1", "--learners", "tree",
             "--quiet", "--force", "-o", "results.csv")  # fmt: skip
        runs.append(tada.read("results.csv")[0]["run"])
    assert runs[0] == runs[1]


def test_methods_say_what_the_order_of_rows_changes(tada):
    methods = {method["name"]: method["order_matters"] for method in json.loads(tada("methods", "--json").stdout)["methods"]}
    assert methods["mondrian"] == "" and "appearance" in methods["ta_da"]
    assert "Order of the input's rows: does not change what is released." in tada("methods").stdout

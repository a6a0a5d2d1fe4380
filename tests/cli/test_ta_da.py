"""ta_da for a label: what it refuses, tables that are awkward in size, and the papers' tables."""

import json
import random

import pytest

from conftest import write_csv
from releases import reached

BANK = ("bank/bank-full.csv", "age,balance,duration,job,marital,education,housing,loan", "default", "y", 2)
NURSERY = ("nursery/nursery.csv", "parents,has_nurs,form,children,housing,finance,health", "social", "class", 3)
CUSTOMER = (
    "customer_segmentation/train_complete.csv",
    "Age,Work_Experience,Family_Size,Gender,Ever_Married,Graduated,Profession",
    "Spending_Score",
    "Segmentation",
    3,
)


def test_label_and_sensitive_may_not_be_one_column(tada, people):
    result = tada("anonymize", people, "--quasi", "age,job", "--sensitive", "disease", "--label", "disease", "-o", "o.csv", code=2)
    assert "disease" in result.stderr and "label" in result.stderr and "sensitive" in result.stderr


@pytest.mark.parametrize("options", [[], ["--task", "none"], ["--label", "note", "--task", "none"]])
def test_without_a_task_mondrian_is_proposed(tada, people, options):
    result = tada("anonymize", people, "--quasi", "age,job", "--method", "ta_da", *options, "-o", "o.csv", code=2)
    assert "--method mondrian" in result.stderr


def test_missing_labels_are_a_class_of_their_own(tada):
    rows = [{"age": str(20 + i % 40), "y": "" if i % 40 < 20 else "yes"} for i in range(200)]
    tada.write("in.csv", write_csv(rows))
    tada("anonymize", "in.csv", "--quasi", "age", "--label", "y", "-k", "20", "-o", "o.csv", "--report", "r.json", "--report-raw")
    tree = json.loads((tada.folder / "r.json").read_text())["tree"]
    assert tree["num_leaves"] == 2
    assert sorted((leaf["rule"], json.dumps(leaf["labels"])) for leaf in tree["leaves"]) == [("age <= 39", '{"missing": 100}'), ("age > 39", '{"yes": 100}')]


def test_a_numeric_label_is_a_regression(tada):
    rows = [{"age": str(i % 50), "job": "ab"[i % 2], "pay": str(1_000_000_000 + (i % 50 >= 25) * 3)} for i in range(500)]
    tada.write("in.csv", write_csv(rows))
    tada("anonymize", "in.csv", "--quasi", "age,job", "--label", "pay", "-k", "200", "-o", "o.csv", "--report", "r.json", "--report-raw")
    report = json.loads((tada.folder / "r.json").read_text())
    assert report["method"] == "ta_da"
    assert {leaf["rule"] for leaf in report["tree"]["leaves"]} == {"age <= 24", "age > 24"}  # differences of 3 in a billion
    for option in (["--split", "multiway"], ["--split", "conditional"], ["--class-weights"], ["--prune", "0.25"]):
        assert option[0] in tada("anonymize", "in.csv", "--quasi", "age", "--label", "pay", *option, "-o", "x.csv", code=2).stderr


def test_the_conditional_tree_splits_by_what_the_sensitive_column_does_not_tell(tada):
    rows = []
    for i in range(400):
        s, b = i % 2, i // 2 % 2
        rows.append({"a": f"a{s}", "b": f"b{b}", "s": f"s{s}", "y": "yes" if (s == 1) != (b == 1 and i % 10 < 4) else "no"})
    tada.write("in.csv", write_csv(rows))
    first = {}
    for options in (["binary"], ["conditional"], ["conditional", "--lookahead", "--class-weights"]):
        plan = ["--quasi", "a,b", "--sensitive", "s", "--label", "y", "-k", "200", "--split", *options]
        tada("anonymize", "in.csv", *plan, "-o", "o.csv", "--force", "--report", "r.json", "--report-raw")
        leaves = json.loads((tada.folder / "r.json").read_text())["tree"]["leaves"]
        first[" ".join(options)] = {leaf["rule"][0] for leaf in leaves}
    assert first == {"binary": {"a"}, "conditional": {"b"}, "conditional --lookahead --class-weights": {"b"}}
    refused = tada("anonymize", "in.csv", "--quasi", "a,b", "--label", "y", "--split", "multiway", "--lookahead", "-o", "x.csv", code=2)
    assert "--lookahead" in refused.stderr and "multiway" in refused.stderr


def test_polish_takes_rounds_or_a_word(tada):
    draw = random.Random(5)
    rows = [{"a": str(draw.randrange(80)), "b": str(draw.randrange(40)), "s": draw.choice("pqr")} for _ in range(300)]
    tada.write("in.csv", write_csv(rows))
    plan = ["--task", "clustering", "--quasi", "a,b", "--sensitive", "s", "-k", "5", "-l", "2"]
    for polish in ("0", "3", "clusters"):
        tada("anonymize", "in.csv", *plan, "--polish", polish, "-o", f"{polish}.csv", "--report", "r.json", "--force")
        stages = json.loads((tada.folder / "r.json").read_text())["stages"]
        assert ("polish" in stages, "clusters" in stages) == (polish != "0", polish == "clusters")
    tada.write("plan.toml", 'task = "clustering"\n[methods.ta_da]\npolish = "clusters"\n')
    tada("anonymize", "in.csv", *plan[2:], "--plan", "plan.toml", "-o", "planned.csv")
    assert (tada.folder / "planned.csv").read_bytes() == (tada.folder / "clusters.csv").read_bytes()
    refused = tada("anonymize", "in.csv", *plan, "--polish", "cluster", "-o", "x.csv", code=2)
    assert "a whole number, or clusters" in refused.stderr


@pytest.mark.parametrize("split", ["binary", "multiway", "conditional"])
@pytest.mark.parametrize("shape", ["thousand classes", "two hundred columns", "many values", "constant", "no split"])
def test_awkward_tables_give_small_right_results(tada, shape, split):
    draw, quasi, k = random.Random(3), ["a", "b"], 10
    rows = [{"a": str(draw.randrange(80)), "b": draw.choice("xyz"), "s": draw.choice("pqr")} for _ in range(20000)]
    for number, row in enumerate(rows):
        row["y"] = f"c{(int(row['a']) * 13 + number) % 1000}" if shape == "thousand classes" else str(int(row["a"]) > 40)
        if shape == "many values":
            row["b"] = f"v{number}"
        if shape == "constant":
            row["b"] = "same"
    if shape == "two hundred columns":
        rows, quasi = rows[:1500], [f"q{c}" for c in range(200)]
        for row in rows:
            row.update({name: str(draw.randrange(5)) for name in quasi})
    if shape == "no split":
        rows, k = rows[:15], 10
    tada.write("in.csv", write_csv(rows))
    roles = ["--quasi", ",".join(f"{name}:categorical" if name == "b" else name for name in quasi), "--sensitive", "s"]
    if shape == "many values":  # each row has its own
        roles += ["--allow", "b"]
    tada(
        "anonymize",
        "in.csv",
        *roles,
        "--label",
        "y:1",
        "--task",
        "classification",
        "--split",
        split,
        "-k",
        k,
        "-l",
        "2",
        "-o",
        "o.csv",
        "--report",
        "r.json",
        "--report-raw",
        "--explain",
    )
    released = tada.read("o.csv")
    got_k, got_l = reached(released, quasi, "s")
    assert len(released) == len(rows) and got_k >= k and got_l >= 2
    report = json.loads((tada.folder / "r.json").read_text())
    assert (tada.folder / "r.json").stat().st_size < 3_000_000
    assert report["peak_memory_mb"] < 700
    if shape == "no split":
        assert report["tree"]["num_leaves"] == 1 and report["reached"]["groups"] == 1
    elif split == "binary":
        assert report["tree"]["num_leaves"] > 1


@pytest.mark.parametrize("path, quasi, sensitive, label, most_l", [BANK, NURSERY, CUSTOMER])
@pytest.mark.parametrize("k, controllers", [(2, 1), (10, 3), (50, 9)])
def test_the_papers_tables_pass_and_threads_do_not_matter(tada, data, path, quasi, sensitive, label, most_l, k, controllers):
    roles = ["--quasi", quasi, "--sensitive", sensitive, "--label", label, "-k", k, "-l", most_l]
    for threads in (1, 2):
        tada("anonymize", data / path, *roles, "--controllers", controllers, "--threads", threads, "-o", f"out{threads}.csv", "--report", f"r{threads}.json")
    assert (tada.folder / "out1.csv").read_bytes() == (tada.folder / "out2.csv").read_bytes()
    tada("audit", "out1.csv", *roles)
    report = json.loads((tada.folder / "r1.json").read_text())
    assert len(report.get("controllers", [])) == (controllers if controllers > 1 else 0)

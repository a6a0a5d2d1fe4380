"""`--method infogain|regression` and `--workload` from the command line."""

import json

import releases
from conftest import make_people, write_csv

QUERIES = """
[[query]]
name = "young"
where.age = {max = 30}
weight = 3

[[query]]
name = "cooks' diseases"
where.job = ["cook"]
target = "disease"
"""


def table(tada):
    return tada.write("in.csv", write_csv(make_people(3000, seed=9)))


def test_the_report_has_each_query_beside_plain_mondrian(tada):
    tada.write("queries.toml", QUERIES)
    tada(
        "anonymize",
        table(tada),
        "--quasi",
        "age,zip,job",
        "--label",
        "disease",
        "--method",
        "mondrian",
        "-k",
        "10",
        "--workload",
        "queries.toml",
        "-o",
        "out.csv",
        "--report",
        "r.json",
        "--report-raw",
    )
    report = json.loads((tada.folder / "r.json").read_text())
    assert report["stages"] == ["workload"]
    young, cooks = report["workload"]
    rows = tada.read("in.csv")
    assert young["raw"] == sum(row["age"] != "" and int(row["age"]) <= 30 for row in rows)
    assert young["asks"] == "rows" and cooks["asks"] == "disease"
    assert young["error"] < 0.05, "the heaviest query stands alone where k allows it"
    assert {"released", "plain_released", "plain_error"} <= young.keys()


def test_a_report_for_publication_has_no_raw_answers(tada):
    tada.write("queries.toml", QUERIES)
    tada(
        "anonymize",
        table(tada),
        "--quasi",
        "age,zip,job",
        "--label",
        "disease",
        "--method",
        "infogain",
        "-k",
        "10",
        "--workload",
        "queries.toml",
        "-o",
        "out.csv",
        "--report",
        "r.json",
    )
    assert "workload" not in json.loads((tada.folder / "r.json").read_text())


def test_several_labels_with_weights(tada):
    tada("anonymize", table(tada), "--quasi", "age,zip,job", "--label", "disease:2,income:1", "--method", "infogain", "-k", "10", "-o", "out.csv")
    assert releases.reached(tada.read("out.csv"), ["age", "zip", "job"])[0] >= 10


def test_regression_wants_a_numeric_label(tada):
    source = table(tada)
    tada("anonymize", source, "--quasi", "age,zip,job", "--label", "income", "--method", "regression", "-k", "10", "-o", "out.csv")
    assert releases.reached(tada.read("out.csv"), ["age", "zip", "job"])[0] >= 10
    tada("anonymize", source, "--quasi", "age,zip", "--label", "disease", "--method", "regression", "-o", "x.csv", code=2)


def test_a_wrong_workload_is_named(tada):
    source = table(tada)
    tada.write("bad.toml", "[[query]]\nwhere.agee = {max = 3}\n")
    result = tada("anonymize", source, "--quasi", "age,zip", "--workload", "bad.toml", "-o", "x.csv", code=2)
    assert "agee" in result.stderr and "'age'" in result.stderr
    tada("anonymize", source, "--quasi", "age", "--workload", "none.toml", "-o", "x.csv", code=2)


def test_a_number_beside_classes_is_averaged(tada):
    rows = "".join(f"{20 + i},{1000 + i},{'yn'[i % 2]}\n" for i in range(40))
    (tada.folder / "mixed.csv").write_text("age,income,label\n" + rows)
    (tada.folder / "mean.toml").write_text('[[query]]\nname="mean"\nwhere.age={min=30,max=39}\ntarget="income"\n')
    tada("anonymize", "mixed.csv", "--quasi", "age", "--label", "label,income", "-k", 5, "--method", "mondrian", "--workload", "mean.toml",
         "--report", "w.json", "--report-raw", "-o", "w.csv")  # fmt: skip
    assert "1014.5" in (tada.folder / "w.json").read_text()

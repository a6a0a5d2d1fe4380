"""`--method infogain|regression` and `--workload` from the command line."""

import json

from conftest import make_people, write_csv

import releases

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
    tada("anonymize", table(tada), "--quasi", "age,zip,job", "--label", "disease", "--method", "mondrian", "-k", "10",
         "--workload", "queries.toml", "-o", "out.csv", "--report", "r.json", "--report-raw")
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
    tada("anonymize", table(tada), "--quasi", "age,zip,job", "--label", "disease", "--method", "infogain", "-k", "10",
         "--workload", "queries.toml", "-o", "out.csv", "--report", "r.json")
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

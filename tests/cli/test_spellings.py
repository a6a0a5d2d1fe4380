"""Sensitive values are counted in a canonical form: l cannot be inflated by spellings."""

import json

import pytest

import releases
from conftest import write_csv

AUDIT = ["--quasi", "age", "--sensitive", "disease", "-k", "2", "-l", "2"]


def released(tada, first, second, name="out.csv"):
    """A release with one class of two rows."""
    return tada.write(name, write_csv([{"age": "[20,30]", "disease": first}, {"age": "[20,30]", "disease": second}]))


@pytest.mark.parametrize(
    "first, second",
    [
        ("flu", "flu "),
        ("flu", "Flu"),
        ("é", "e\u0301"),
        ("flu", "f\u200blu"),
        ("flu", "ﬂu"),
        ("true", "TRUE"),
        ("straße", "STRASSE"),
        ("x7", "X7"),
        ("7", "7.0"),
        ("1000", "1e3"),
        ("NA", "N/A"),
        ("NA", ""),
        ("flu", ""),
        ("flu", "null"),
    ],
)
def test_two_spellings_are_one_value(tada, first, second):
    released(tada, first, second)
    tada("audit", "out.csv", *AUDIT, code=1)
    tada("audit", "out.csv", *AUDIT, "--exact-values", "--missing-counts")


def test_missing_counts_only_if_asked(tada):
    released(tada, "flu", "N/A")
    tada("audit", "out.csv", *AUDIT, code=1)
    tada("audit", "out.csv", *AUDIT, "--missing-counts")
    tada("audit", "out.csv", *AUDIT, "--exact-values")  # N/A is then a text like others
    released(tada, "flu", "", "empty.csv")
    tada("audit", "empty.csv", *AUDIT, "--exact-values", code=1)


def test_what_was_folded_is_listed(tada):
    released(tada, "flu", "Flu ")
    text = tada("audit", "out.csv", *AUDIT, code=1).stdout
    assert "'flu' is 'Flu '" in " ".join(text.split())
    verdict = json.loads(tada("audit", "out.csv", *AUDIT, "--json", code=1).stdout)
    assert verdict["folded"] == [{"column": "disease", "text": "flu", "value": "Flu "}]
    assert verdict["l"] == 1
    exact = json.loads(tada("audit", "out.csv", *AUDIT, "--exact-values", "--json").stdout)
    assert exact["folded"] == [] and exact["requirement"]["exact-values"] is True


def people(tada):
    spellings = ["flu", "Flu", "FLU ", "fl\u200bu", "cold", "Cold", "NA", "N/A", "", "asthma"]
    rows = [{"age": str(20 + i % 40), "zip": str(i % 7), "disease": spellings[i * 7 % 10], "job": "ab"[i % 2]} for i in range(400)]
    return tada.write("people.csv", write_csv(rows))


@pytest.mark.parametrize("method", ["mondrian", "ta_da", "compact", "dop", "datafly", "optimal", "target_weighted", "infogain"])
def test_releases_count_the_same(tada, method):
    people(tada)
    roles = ["--quasi", "age,zip:categorical", "--sensitive", "disease", "-k", "4", "-l", "3"]
    tada("anonymize", "people.csv", *roles, "--label", "job", "--method", method, "-o", "out.csv", "--report", "report.json")
    of = {"flu": "flu", "cold": "cold", "asthma": "asthma"}
    rows = tada.read("out.csv")
    for row in rows:
        row["disease"] = of.get(row["disease"].replace("\u200b", "").strip().lower(), "")
    assert min(len({row["disease"] for row in group} - {""}) for group in releases.classes(rows, ["age", "zip"]).values()) >= 3
    report = json.loads((tada.folder / "report.json").read_text())
    assert report["reached"]["l"] == 3
    assert {"column": "disease", "text": "N/A", "value": None} in report["verdict"]["folded"]
    tada("anonymize", "people.csv", *roles[:-1], "4", "--method", "mondrian", "-o", "four.csv", code=4)
    if method == "mondrian":
        tada("anonymize", "people.csv", *roles[:-1], "4", "--method", method, "--missing-counts", "-o", "four.csv")
        tada("anonymize", "people.csv", *roles[:-1], "9", "--method", method, "--exact-values", "-o", "nine.csv")


def test_people_count_the_same(tada):
    rows = [{"id": str(i // 2), "age": str(20 + i // 2 % 10), "disease": ["flu", "Flu", "cold", "N/A"][i % 4]} for i in range(200)]
    tada.write("visits.csv", write_csv(rows))
    for mode in ("together", "apart"):
        roles = ["--quasi", "age", "--sensitive", "disease", "--person", f"id:{mode}", "-k", "2"]
        tada("anonymize", "visits.csv", *roles, "-l", "2", "-o", f"{mode}.csv")
        tada("anonymize", "visits.csv", *roles, "-l", "3", "-o", f"{mode}3.csv", code=4)


def test_plans_and_the_printed_audit_know_it(tada):
    people(tada)
    tada.write("tada.toml", 'quasi = ["age"]\nsensitive = ["disease"]\nk = 4\nl = 4\nmissing-counts = true\n')
    tada("anonymize", "people.csv", "--plan", "tada.toml", "-o", "out.csv", "--report", "report.html")
    assert "--missing-counts" in (tada.folder / "report.html").read_text()
    tada("audit", "out.csv", "--plan", "tada.toml")
    tada("audit", "out.csv", "--quasi", "age", "--sensitive", "disease", "-k", "4", "-l", "4", code=1)
    tada.write("bad.toml", 'quasi = ["age"]\nsensitive = ["disease"]\ncontroller-column = "job"\n[controllers.a]\nexact-values = true\n')
    assert "all controllers" in tada("anonymize", "people.csv", "--plan", "bad.toml", "-o", "bad.csv", code=2).stderr


def test_attacks_and_compositions_count_the_same(tada):
    people(tada)
    roles = ["--quasi", "age,zip:categorical", "--sensitive", "disease"]
    tada("anonymize", "people.csv", *roles, "-k", "4", "-l", "3", "-o", "out.csv")
    folded = json.loads(tada("attack", "out.csv", "--original", "people.csv", *roles, "--json").stdout)
    exact = json.loads(tada("attack", "out.csv", "--original", "people.csv", *roles, "--exact-values", "--json").stdout)
    assert json.dumps(folded) != json.dumps(exact)
    alone = json.loads(tada("compose", "out.csv", "out.csv", *roles, "-k", "1", "-l", "1", "--json").stdout)
    assert alone["releases"][0]["l"] == 3
    more = json.loads(tada("compose", "out.csv", "out.csv", *roles, "-k", "1", "-l", "1", "--exact-values", "--missing-counts", "--json").stdout)
    assert more["releases"][0]["l"] >= 3

"""tada compare: several releases of one table side by side, figures counted by hand, other tools' files among ours."""

import json

import pytest

PEOPLE = "age,job,pay,disease\n20,a,1,flu\n22,a,2,flu\n30,b,3,hiv\n32,c,4,cold\n"
TRUE = 'age,job,pay,disease\n"[20,22]",a,1,flu\n"[20,22]",a,2,flu\n"[30,32]","{b,c}",3,hiv\n"[30,32]","{b,c}",4,cold\n'
OTHER = "age,job,pay,disease\n20-32,*,1,flu\n20-32,*,2,flu\n20-32,*,3,hiv\n20-32,*,4,cold\n"
ASKED = ["--original", "people.csv", "--quasi", "age,job", "--sensitive", "disease", "--keep", "pay", "-k", "2"]


@pytest.fixture
def three(tada):
    for name, text in {"people.csv": PEOPLE, "true.csv": TRUE, "other.csv": OTHER}.items():
        tada.write(name, text)
    return tada


def compare(tada, *arguments):
    return json.loads(tada("compare", *arguments, *ASKED, "--json").stdout)


def test_figures_counted_by_hand(three):
    found = compare(three, "true.csv", "other.csv")
    assert found["confidential"] and [release["name"] for release in found["releases"]] == ["true.csv", "other.csv"]
    original, (true, other) = found["original"], found["releases"]
    assert original["audit"]["k"] == 1 and true["audit"]["k"] == 2 and other["audit"]["k"] == 4
    assert true["audit"]["passed"] and other["audit"]["passed"]
    loss = true["audit"]["loss"]
    assert loss["per_column"] == {"age": pytest.approx(2 / 12), "job": pytest.approx(0.25)}
    assert loss["ncp"] == pytest.approx((2 / 12 + 0.25) / 2) and loss["discernibility"] == 8 and loss["average_group"] == 2
    assert other["audit"]["loss"]["ncp"] == 1 and other["audit"]["loss"]["discernibility"] == 16
    assert original["columns"]["age"]["mean"] == 26 and original["columns"]["age"]["variance"] == 26
    assert true["columns"]["age"]["mean"] == pytest.approx(26) and true["columns"]["age"]["variance"] == pytest.approx(26)
    assert true["columns"]["job"]["marginal"]["a"] == 0.5 and true["columns"]["job"]["marginal_error"] == pytest.approx(0, abs=1e-9)
    assert true["columns"]["pay"] == original["columns"]["pay"]
    age_and_pay = {tuple(pair["columns"]): pair["value"] for pair in original["correlations"]}[("age", "pay")]
    assert age_and_pay == pytest.approx(5.5 / (26 * 1.25) ** 0.5)
    correlation = {tuple(pair["columns"]): pair["value"] for pair in other["correlations"]}[("age", "pay")]
    assert correlation == pytest.approx(0, abs=1e-9)  # every age is the same cell
    assert true["queries"]["median"] <= other["queries"]["median"]
    assert true["attack"]["all"]["reidentification"]["prosecutor"]["highest"] == 0.5


def test_the_table_and_the_page(three):
    text = three("compare", "true.csv", "other.csv", *ASKED, "--report", "compare.html").stdout
    assert text.startswith("Confidential") and "NCP of age" in text and "correlation of age and pay" in text and "membership" in text
    page = (three.folder / "compare.html").read_text()
    assert "Confidential" in page and "other.csv" in page and "<details>" in page
    assert "exists" in three("compare", "true.csv", *ASKED, "--report", "compare.html", code=5).stderr


def test_a_release_that_breaks_the_requirement_is_shown_as_failing(three):
    text = three("compare", "true.csv", *ASKED, "-k", "3").stdout
    assert "FAILED" in text and "break the requirement" in text
    three.write("false.csv", TRUE.replace("[30,32]", "[33,34]"))
    assert "FAILED" in three("compare", "false.csv", *ASKED).stdout


def test_withheld_rows_are_counted(three):
    three.write("fewer.csv", "".join(TRUE.splitlines(keepends=True)[:3]))
    loss = compare(three, "fewer.csv")["releases"][0]["audit"]["loss"]
    assert loss["ncp"] == pytest.approx(1 / 12) and loss["ncp_with_withheld"] == pytest.approx((1 / 12 + 1) / 2)


def test_labels_of_a_hierarchy_are_read(three):
    three.write("labels.csv", TRUE.replace('"{b,c}"', "rare"))
    three.write("job.csv", "a;common;*\nb;rare;*\nc;rare;*\n")
    known = json.loads(three("compare", "labels.csv", *ASKED, "--hierarchy", "job=job.csv", "--json").stdout)["releases"][0]
    assert known["audit"]["loss"]["per_column"]["job"] == pytest.approx(0.25)
    assert known["columns"]["job"]["marginal"]["b"] == pytest.approx(0.25)


def test_a_workload_is_asked(three):
    three.write("queries.toml", '[[query]]\nwhere.age = {min = 20, max = 22}\n[[query]]\nwhere.job = ["b"]\n')
    found = compare(three, "true.csv", "--workload", "queries.toml")
    assert not found["made_up_queries"] and found["releases"][0]["queries"]["count"] == 2
    assert found["releases"][0]["queries"]["highest"] == pytest.approx(0)
    three.write("queries.toml", '[[query]]\nwhere.jobs = ["b"]\n')
    assert "'job'" in three("compare", "true.csv", *ASKED, "--workload", "queries.toml", code=2).stderr


def test_what_is_wrong_is_named(three):
    assert "--original" in three("compare", "true.csv", "--quasi", "age", code=2).stderr
    assert "'age'" in three("compare", "true.csv", "--original", "people.csv", "--quasi", "agee", code=2).stderr
    three("compare", "nowhere.csv", *ASKED, code=3)
    three.write("none.csv", "age,job,pay,disease\n")
    assert "No rows" in three("compare", "none.csv", *ASKED, code=3).stderr


def test_an_audit_against_the_original_says_what_was_lost(three):
    text = three("audit", "true.csv", *ASKED).stdout
    assert "Information loss" in text and "20.83%" in text
    assert json.loads(three("audit", "true.csv", *ASKED, "--json").stdout)["loss"]["ncp"] == pytest.approx(5 / 24)
    assert "loss" not in json.loads(three("audit", "true.csv", *[x for x in ASKED if x not in ("--original", "people.csv")], "--json").stdout)


@pytest.mark.parametrize("method", ["mondrian", "compact", "datafly", "dop", "optimal", "ta_da"])
def test_the_loss_is_that_of_the_report(tada, people, method):
    roles = ["--quasi", "age,zip:categorical,job", "--label", "disease", "-k", "5"]
    tada("anonymize", people, *roles, "--method", method, "-o", "out.csv", "--report", "report.json")
    report = json.loads((tada.folder / "report.json").read_text())["loss"]
    found = json.loads(tada("audit", "out.csv", "--original", people, *roles, "--method", method, "--json").stdout)["loss"]
    assert found["ncp"] == pytest.approx(report["ncp"], abs=1e-6) and found["discernibility"] == pytest.approx(report["discernibility"])
    assert found["per_column"] == pytest.approx(report["per_column"], abs=1e-6)

"""The audit on its own: releases of other tools, what it finds, and what it says about it."""

import json

import pytest

from conftest import QUASI, ROLES, write_csv


def audit(tada, text, *arguments, code=0):
    tada.write("release.csv", text)
    return json.loads(tada("audit", "release.csv", *arguments, "--json", code=code).stdout)


FIGURE_2B = """Age,State,Job,Income
[51-62],MN,Gov,150
[30-35],CA,Non-gov,150
[30-35],CA,Non-gov,120
[35-40],TX,Gov,300
[51-62],MN,Gov,200
[35-40],TX,Gov,300
[62-64],CA,Gov,300
[24-37],MN,Non-gov,150
[35-40],TX,Gov,180
[24-37],MN,Gov,100
[62-64],CA,Gov,250
"""
FIGURE_2A = """Age,State,Job,Income
51,MN,Gov,150
30,CA,Non-gov,150
35,CA,Non-gov,120
35,TX,Gov,300
62,MN,Gov,200
40,TX,Gov,300
62,CA,Gov,300
37,MN,Non-gov,150
36,TX,Gov,180
24,MN,Gov,100
64,CA,Gov,250
"""


def test_a_missing_value_is_covered_by_any_spelling_of_missing(tada):
    tada.write("raw.csv", "name,s\na,x\n?,y\n,z\n")
    release = 'name,s\n"{?,a}",x\n"{?,a}",y\n?,z\n'
    assert audit(tada, release, "--quasi", "name", "--sensitive", "s", "-k", "1", "--original", "raw.csv", "--keep-order")["passed"]
    audit(tada, release.replace("?,z", "a,z"), "--quasi", "name", "--sensitive", "s", "-k", "1", "--original", "raw.csv", "--keep-order", code=1)


def test_the_papers_release_is_2_anonymous_and_2_diverse(tada):
    roles = ["--quasi", "Age,State", "--sensitive", "Income"]
    tada.write("raw.csv", FIGURE_2A)
    answer = audit(tada, FIGURE_2B, *roles, "-k", "2", "-l", "2", "--original", "raw.csv")
    assert answer["passed"] and (answer["k"], answer["l"], answer["classes"], answer["rows"]) == (2, 2, 5, 11)
    assert not audit(tada, FIGURE_2B, *roles, "-k", "3", "-l", "2", code=1)["passed"]
    assert not audit(tada, FIGURE_2B, *roles, "-k", "2", "-l", "3", code=1)["passed"]


@pytest.mark.parametrize("form", ['"[20,30]"', "[20-30]", "20-30", '"[20, 30["', '"{20,25,30}"', "20~25~30", "*"])
def test_other_tools_intervals_and_sets_cover_their_values(tada, form):
    tada.write("raw.csv", "age\n20\n25\n")
    answer = audit(tada, f"age\n{form}\n{form}\n", "--quasi", "age:numeric", "-k", "2", "--original", "raw.csv")
    assert answer["passed"]
    tada.write("raw.csv", "age\n20\n31\n")
    tada("audit", "release.csv", "--quasi", "age", "-k", "2", "--original", "raw.csv", code=0 if form == "*" else 1)


def test_an_open_bound_does_not_cover_its_end(tada):
    tada.write("raw.csv", "age\n20\n30\n")
    audit(tada, 'age\n"[20, 30["\n"[20, 30["\n', "--quasi", "age", "-k", "2", "--original", "raw.csv", code=1)


def test_the_worst_class_is_shown_with_its_rows(tada):
    tada.write("release.csv", "age,job\n1,a\n1,a\n1,a\n2,b\n2,b\n3,c\n")
    shown = tada("audit", "release.csv", "--quasi", "age,job", "-k", "3", code=1).stdout
    assert "6" in shown and "age" in shown
    answer = json.loads(tada("audit", "release.csv", "--quasi", "age,job", "-k", "3", "--json", code=1).stdout)
    assert (answer["breaking_classes"], answer["breaking_rows"], answer["k"]) == (2, 3, 1)
    assert answer["worst"]["rows"] == [6] and answer["worst"]["size"] == 1


def test_risks(tada):
    answer = audit(tada, "age\n1\n1\n2\n2\n2\n2\n", "--quasi", "age", "-k", "2")
    assert answer["risk"]["prosecutor"]["highest"] == pytest.approx(0.5)
    assert answer["risk"]["marketer"]["average"] == pytest.approx(2 / 6)
    assert answer["risk"]["prosecutor"]["share_at_risk"] == 0


def test_masked_rows_are_a_class_like_any_other(tada):
    assert not audit(tada, "age\n1\n1\n*\n", "--quasi", "age", "-k", "2", code=1)["passed"]
    assert audit(tada, "age\n1\n1\n*\n*\n", "--quasi", "age", "-k", "2")["masked_rows"] == 2


def tampered(rows, change):
    rows = [dict(row) for row in rows]
    change(rows)
    return write_csv(rows)


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: rows.append(rows[0]),
        lambda rows: rows[0].update(disease="plague"),
        lambda rows: rows[0].update(age="17"),
        lambda rows: rows[0].update(job="{astronaut,pilot}"),
    ],
    ids=["row doubled", "sensitive value", "number", "set"],
)
def test_what_was_changed_after_the_release_is_found(tada, people, change):
    tada("anonymize", people, *ROLES, "-k", "5", "-o", "out.csv")
    tada("audit", "out.csv", "--original", people, *ROLES, "-k", "5")
    tada.write("bad.csv", tampered(tada.read("out.csv"), change))
    tada("audit", "bad.csv", "--original", people, *ROLES, "-k", "1", code=1)


def test_rows_that_another_tool_withheld_are_counted(tada, people):
    tada("anonymize", people, *ROLES, "-k", "5", "-o", "out.csv")
    tada.write("fewer.csv", tampered(tada.read("out.csv"), lambda rows: rows.pop()))
    answer = json.loads(tada("audit", "fewer.csv", "--original", people, *ROLES, "-k", "1", "--json").stdout)
    assert answer["withheld_rows"] == 1 and any("withheld" in note for note in answer["notes"])


def test_a_name_that_the_original_does_not_have_may_be_a_label_and_is_said_to_be_unchecked(tada, people):
    tada("anonymize", people, *ROLES, "-k", "5", "-o", "out.csv")
    tada.write("label.csv", tampered(tada.read("out.csv"), lambda rows: rows[0].update(zip="99999")))
    against = ["audit", "label.csv", "--original", people, *ROLES, "-k", "1"]
    answer = json.loads(tada(*against, "--json", code=6).stdout)
    assert answer["cover"]["zip"]["unchecked_rows"] == 1 and answer["passed"] and not answer["verified"]
    assert len(answer["unverified"]) == 1 and "zip" in answer["unverified"][0]
    assert tada(*against, code=6).stdout.startswith("NOT VERIFIED")
    tada(*against, "--report", "audit.html", "--allow-unverified")
    assert "Audit: not verified" in (tada.folder / "audit.html").read_text()


def test_an_order_that_rows_cannot_have_is_not_verified(tada):
    tada.write("raw.csv", "a,s\n1,x\n2,y\n3,x\n")
    text = 'a,s\n"[1,2]",x\n"[1,2]",y\n'
    arguments = ["--quasi", "a", "--sensitive", "s", "-k", "2", "--original", "raw.csv"]
    assert audit(tada, text, *arguments)["verified"]
    found = audit(tada, text, *arguments, "--keep-order", code=6)
    assert "--keep-order" in found["unverified"][0]


def test_a_column_without_a_name_is_told(tada):
    """pandas writes its index so."""
    text = ",a,s\nAda,1,x\nBob,1,y\n"
    told = audit(tada, text, "--quasi", "a", "--sensitive", "s", "-k", "2")["notes"]
    assert len(told) == 1 and "without a role: (without a name)." in told[0]


def test_swapped_sensitive_values_are_found(tada, people):
    """Every column has the right values, but two rows exchanged theirs, so no assignment of rows fits."""
    tada.write("raw.csv", "age,disease\n20,flu\n25,flu\n70,cancer\n75,cancer\n")
    tada.write("bad.csv", 'age,disease\n"[20,25]",cancer\n"[20,25]",flu\n"[70,75]",flu\n"[70,75]",cancer\n')
    tada("audit", "bad.csv", "--original", "raw.csv", "--quasi", "age", "--sensitive", "disease", "-k", "2", code=1)


def test_an_audit_without_a_column_is_wrong_usage(tada, people):
    tada("audit", people, "--quasi", "agee", code=2)


def test_the_raw_table_fails(tada, people):
    result = tada("audit", people, *ROLES, code=1)
    assert "k" in result.stdout and QUASI[0] in result.stdout


def test_a_report_is_a_page_or_json_and_is_never_overwritten(tada, tmp_path):
    (tmp_path / "release.csv").write_text("age,job,ill\n[20-30],a~b,x\n[20-30],a~b,y\n40,<b>,z\n")
    arguments = ("audit", "release.csv", "--quasi", "age,job", "--sensitive", "ill", "-k", "2", "-l", "2")
    tada(*arguments, "--report", "audit.html", code=1)
    page = (tmp_path / "audit.html").read_text()
    assert "Audit failed" in page and "<svg" in page and "&lt;b&gt;" in page and "<b>" not in page
    tada(*arguments, "--report", "audit.json", code=1)
    assert json.loads((tmp_path / "audit.json").read_text())["breaking_classes"] == 1
    tada(*arguments, "--report", "audit.html", code=5)
    tada(*arguments, "--report", "audit.html", "--force", code=1)
    tada(*arguments, "--report", "audit.txt", code=2)


def test_empty_cells_are_no_labels(tada):
    """A release whose column is empty throughout covers nothing of a full one."""
    (tada.folder / "out.csv").write_text("zip,b\n" + ",x\n" * 10)
    (tada.folder / "in.csv").write_text("zip,b\n" + "".join(f"{10001 + i},x\n" for i in range(10)))
    assert "(empty) covers no original value" in tada("audit", "out.csv", "--original", "in.csv", "--quasi", "zip", "-k", "5", code=1).stdout


def test_columns_without_a_role_are_told(tada):
    text = "colour,a,s\nred,1,x\nred,1,y\n"
    told = audit(tada, text, "--quasi", "a", "--sensitive", "s", "-k", "2")["notes"]
    assert len(told) == 1 and "without a role: colour." in told[0]
    assert audit(tada, text, "--quasi", "a", "--sensitive", "s", "--keep", "colour", "-k", "2")["notes"] == []


def test_a_diversity_that_asks_for_nothing_is_told(tada):
    notes = audit(tada, "a,s\n1,x\n1,y\n", "--quasi", "a", "--sensitive", "s", "-k", "2", "--diversity", "recursive:2")["notes"]
    assert len(notes) == 1 and "-l is 1" in notes[0]


def test_missing_values_of_a_column_without_a_role_are_as_in_the_original(tada):
    text = "a,n\n1,\n1,5\n1,?\n1,7\n"
    tada.write("raw.csv", text)
    assert audit(tada, text, "--quasi", "a", "-k", "2", "--original", "raw.csv")["passed"]
    assert not audit(tada, text.replace("7", ""), "--quasi", "a", "-k", "2", "--original", "raw.csv", code=1)["passed"]

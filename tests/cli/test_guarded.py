"""Columns that identify are not published by mistake: a trial with a made-up hospital's table, and what inspect and audit say of it."""

import json

import pytest

from conftest import write_csv

FIRST = ["Ada", "Ben", "Cem", "Dana", "Eva", "Finn", "Gina", "Hugo", "Ines", "Jan"]
LAST = ["Abel", "Bohr", "Cantor", "Dirac", "Euler", "Fermat", "Gauss", "Hopper", "Ito", "Jordan"]
ICD = ["E11.65", "I10", "J45.9", "C50.1", "K21.0", "F32.2", "M54.5"]


def iban(number):
    """A German account number with its check digits."""
    account = f"{37040044:08}{number:010}"
    return f"DE{98 - int(account + '131400') % 97:02}{account}"


def patients(count=120):
    """Nobody lives here: every name, number and address is counted up."""
    return [
        {
            "name": f"{FIRST[i % 10]} {LAST[i // 10 % 10]}{'-' + LAST[i * 7 % 10] if i >= 100 else ''}",
            "ssn": f"{100 + i % 500:03}-{10 + i % 80:02}-{1000 + i:04}",
            "contact": f"person{i}@example.org",
            "phone": f"+49 30 {1000000 + i * 137}",
            "account": iban(1000 + i),
            "ip": f"10.0.{i % 250}.{i // 2 + 1}",
            "note": f"came in on day {i} with a cough and left soon after",
            "age": str(20 + i * 13 % 70),
            "zip": f"{10115 + i % 12}",
            "sex": "mf"[i % 2],
            "icd": ICD[i % 7],
            "cost": f"{100 + i * 17 % 997}.{i % 10}0",
        }
        for i in range(count)
    ]


ROLES = ["--quasi", "age,sex", "--sensitive", "icd", "-k", "5"]
IDENTIFYING = ["name", "ssn", "contact", "phone", "account", "ip", "note"]


@pytest.mark.parametrize("column", IDENTIFYING)
def test_what_identifies_is_kept_only_if_it_is_allowed(tada, column):
    tada.write("in.csv", write_csv(patients()))
    told = tada("anonymize", "in.csv", "-o", "out.csv", *ROLES, "--keep", column, code=2)
    assert f"'{column}'" in told.stderr and f"--allow {column}" in told.stderr
    assert "person3@" not in told.stderr and "Ada" not in told.stderr
    assert not (tada.folder / "out.csv").exists()
    told = tada("anonymize", "in.csv", "-o", "out.csv", *ROLES, "--keep", column, "--allow", column, "--report", "out.json")
    report = json.loads((tada.folder / "out.json").read_text())
    assert any(f"'{column}'" in warning and "--allow" in warning for warning in report["warnings"])
    told = tada("audit", "out.csv", *ROLES, "--keep", column)
    assert f"Column '{column}' looks like" in " ".join(told.stdout.split())


@pytest.mark.parametrize("role", ["--sensitive", "--label", "--quasi"])
def test_every_role_is_guarded(tada, role):
    tada.write("in.csv", write_csv(patients()))
    rest = ["--quasi", "age,sex"] if role != "--quasi" else []
    columns = "contact" if rest else "age,contact"
    told = tada("anonymize", "in.csv", "-o", "out.csv", *rest, role, columns, "-k", "5", "--task", "none", "--method", "mondrian", code=2)
    assert "e-mail addresses" in told.stderr and role in told.stderr
    tada("anonymize", "in.csv", "-o", "out.csv", *rest, role, columns, "-k", "5", "--allow", "contact", "--task", "none", "--method", "mondrian")


def test_a_hierarchy_protects_a_quasi_identifier(tada):
    rows = patients()
    tada.write("in.csv", write_csv(rows))
    tada.write("contact.csv", "".join(f"{row['contact']},{row['contact'][-11:]},*\n" for row in rows))
    tada("anonymize", "in.csv", "-o", "out.csv", "--quasi", "age,contact", "--hierarchy", "contact=contact.csv", "-k", "5")
    (tada.folder / "hierarchies").mkdir()
    tada.write("hierarchies/contact.csv", (tada.folder / "contact.csv").read_text())
    tada("anonymize", "in.csv", "-o", "out.csv", "--quasi", "age,contact", "--hierarchies", "hierarchies", "-k", "5", "--force")
    tada("anonymize", "in.csv", "-o", "x.csv", "--quasi", "age,phone", "--hierarchies", "hierarchies", "-k", "5", code=2)


def test_ordinary_numbers_are_exempt(tada):
    rows = [row | {"income": f"{20000 + i * 31}"} for i, row in enumerate(patients())]
    tada.write("in.csv", write_csv(rows))
    tada("anonymize", "in.csv", "-o", "a.csv", "--quasi", "age,income", "-k", "5")
    tada("anonymize", "in.csv", "-o", "b.csv", "--quasi", "age", "--sensitive", "income", "-k", "5")
    tada("anonymize", "in.csv", "-o", "c.csv", "--quasi", "age", "--label", "income", "-k", "5")
    told = tada("anonymize", "in.csv", "-o", "d.csv", "--quasi", "age", "--keep", "income", "-k", "5", code=2)
    assert "a number of its own" in told.stderr


def test_allow_names_a_column_that_is_released(tada):
    tada.write("in.csv", write_csv(patients()))
    told = tada("anonymize", "in.csv", "-o", "out.csv", *ROLES, "--allow", "nane", code=2)
    assert "--allow names a column that is not released: nane" in told.stderr


def test_allow_stands_in_plans(tada):
    tada.write("in.csv", write_csv(patients()))
    tada.write("tada.toml", 'quasi = ["age"]\nkeep = ["contact"]\nallow = ["contact"]\nk = 5\n')
    tada("anonymize", "in.csv", "--plan", "tada.toml", "-o", "out.csv", "--report", "out.json")
    assert 'allow = ["contact"]' in json.loads((tada.folder / "out.json").read_text())["plan"]


def test_inspect_says_what_it_found_and_how_sure_it_is(tada):
    tada.write("in.csv", write_csv(patients()))
    profile = json.loads(tada("inspect", "in.csv", "--json").stdout)
    columns = {column["name"]: column for column in profile["columns"]}
    for name in IDENTIFYING:
        assert columns[name]["role"] == "drop" and columns[name]["confidence"] >= 0.5, name
    assert [columns[name]["identity"] for name in IDENTIFYING] == ["A", "G", "F", "D", "J", "O", "R"]
    assert columns["icd"]["role"] == "sensitive" and "ICD-10" in columns["icd"]["reason"]
    assert columns["age"]["role"] == columns["zip"]["role"] == "quasi"


def test_inspect_prints_the_eighteen_classes(tada):
    rows = patients()
    rows[0]["age"], rows[1]["age"], rows[2]["zip"] = "91", "99", "03601"
    tada.write("in.csv", write_csv(rows))
    told = tada("inspect", "in.csv", "--hipaa").stdout
    for letter in "ABCDEFGHIJKLMNOPQR":
        assert f"\n{letter}  " in told or f"\n {letter}" in told, letter
    assert "2 different ages over 89" in told and "1 in areas that are to be written 000" in told
    assert "certifies nothing" in " ".join(told.split())

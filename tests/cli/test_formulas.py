"""--guard-formulas: cells that a spreadsheet would run get an apostrophe, and the audit knows."""

from conftest import write_csv

NOTES = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\tx", "-5", "+7", "'=x", "'plain", "plain"]
ROLES = ["--quasi", "age", "--sensitive", "note", "-k", "2"]


def people(tada):
    return tada.write("people.csv", write_csv([{"age": str(i // 4), "note": NOTES[i % 10]} for i in range(20)]))


def test_formulas_are_guarded_and_numbers_are_not(tada):
    people(tada)
    tada("anonymize", "people.csv", *ROLES, "--guard-formulas", "-o", "out.csv", "--report", "report.html")
    expected = {("'" + note if note[0] in "=@\t" or note in ("+1+1", "-2+3", "'=x") else note) for note in NOTES}
    assert {row["note"] for row in tada.read("out.csv")} == expected
    assert "--guard-formulas" in (tada.folder / "report.html").read_text()
    tada("audit", "out.csv", "--original", "people.csv", *ROLES, "--guard-formulas")
    tada("audit", "out.csv", "--original", "people.csv", *ROLES, code=1)  # cells are not those of the original


def test_without_it_cells_are_as_they_were(tada):
    people(tada)
    tada("anonymize", "people.csv", *ROLES, "-o", "out.csv")
    assert {row["note"] for row in tada.read("out.csv")} == set(NOTES)


def test_it_is_for_csv(tada):
    people(tada)
    assert "CSV" in tada("anonymize", "people.csv", *ROLES, "--guard-formulas", "-o", "out.parquet", code=2).stderr
    assert not (tada.folder / "out.parquet").exists()


def test_plans_know_it(tada):
    people(tada)
    tada.write("tada.toml", 'quasi = ["age"]\nsensitive = ["note"]\nk = 2\nguard-formulas = true\n')
    tada("anonymize", "people.csv", "--plan", "tada.toml", "-o", "out.csv")
    tada("audit", "out.csv", "--original", "people.csv", "--plan", "tada.toml")
    assert any(row["note"].startswith("'=") for row in tada.read("out.csv"))

"""tada apply: other rows with the cells of an earlier release."""

import csv
import json
import pathlib
import random

import pytest

ROLES = ["--quasi", "age,zip", "--sensitive", "disease"]


def people(rows, seed, ages=(20, 80)):
    drawn = random.Random(seed)
    lines = ["id,age,zip,disease"]
    for i in range(rows):
        lines.append(f"{seed}-{i},{drawn.randint(*ages)},{drawn.choice('ABCDEF')},{drawn.choice(['flu', 'cold', 'hiv', 'gout'])}")
    return "\n".join(lines) + "\n"


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def cells_of(path):
    return {(row["age"], row["zip"]) for row in rows_of(path)}


@pytest.fixture
def cut(tada):
    """A release with saved cuts, and rows of next month."""
    (tada.folder / "a.csv").write_text(people(400, 1))
    (tada.folder / "b.csv").write_text(people(400, 2))
    tada("anonymize", "a.csv", *ROLES, "-k", "5", "-l", "2", "--range", "cut", "--save-cuts", "cuts.json", "-o", "a.out.csv")
    return tada


def test_the_same_rows_give_the_same_release(cut):
    cut("apply", "cuts.json", "a.csv", "-o", "again.csv")
    assert (cut.folder / "again.csv").read_bytes() == (cut.folder / "a.out.csv").read_bytes()


@pytest.mark.parametrize("misfits", ["up", "withhold"])
def test_other_rows_get_cells_of_the_tree_and_pass_the_audit(cut, misfits):
    done = cut("apply", "cuts.json", "b.csv", "--misfits", misfits, "-o", "b.out.csv", "--json")
    applied = json.loads(done.stdout)["applied"]
    rows = rows_of(cut.folder / "b.out.csv")
    assert len(rows) + applied["withheld_rows"] == 400
    if misfits == "withhold":
        assert cells_of(cut.folder / "b.out.csv") <= cells_of(cut.folder / "a.out.csv")
        assert applied["raised"] == 0
    else:
        assert applied["withheld_misfits"] == 0
    cut("audit", "b.out.csv", *ROLES, "-k", "5", "-l", "2")


def test_a_box_without_enough_rows_is_replaced_by_the_one_around_it(tada):
    ages = [20] * 5 + [30] * 5 + [40] * 5 + [50] * 5
    (tada.folder / "a.csv").write_text("age\n" + "\n".join(map(str, ages)))
    tada("anonymize", "a.csv", "--quasi", "age", "-k", "5", "--range", "cut", "--save-cuts", "cuts.json", "-o", "a.out.csv", "--domain", "age=0..99")
    boxes = {row["age"] for row in rows_of(tada.folder / "a.out.csv")}
    assert len(boxes) == 4
    # one person in the lowest box: she and all of the next one get the box around both; the upper half stays as it is
    (tada.folder / "b.csv").write_text("age\n" + "\n".join(map(str, [1] + [30] * 6 + [40] * 5 + [50] * 7)))
    tada("apply", "cuts.json", "b.csv", "-o", "up.csv")
    shown = [row["age"] for row in rows_of(tada.folder / "up.csv")]
    wide = [cell for cell in shown if cell not in boxes]
    assert len(wide) == 7 and len(set(wide)) == 1 and wide[0].startswith("[0,")
    done = tada("apply", "cuts.json", "b.csv", "--misfits", "withhold", "-o", "held.csv", "--json")
    assert len(rows_of(tada.folder / "held.csv")) == 18
    assert json.loads(done.stdout)["applied"]["withheld_misfits"] == 1
    assert "1 row withheld" in done.stderr


def test_values_that_no_box_covers_are_withheld_and_counted(cut):
    text = (cut.folder / "a.csv").read_text() + "x,35,Z,flu\ny,2000,A,flu\n"
    (cut.folder / "c.csv").write_text(text)
    done = cut("apply", "cuts.json", "c.csv", "-o", "c.out.csv", "--json")
    assert json.loads(done.stdout)["applied"]["withheld_uncovered"] == 2
    assert (cut.folder / "c.out.csv").read_bytes() == (cut.folder / "a.out.csv").read_bytes()


def test_cuts_hold_no_row_and_with_range_cut_no_number_of_a_person(tada):
    (tada.folder / "a.csv").write_text("n,c\n" + "\n".join(f"{1003 + 10 * i},x" for i in range(40)))
    done = tada("anonymize", "a.csv", "--quasi", "n", "--keep", "c", "-k", "4", "--range", "cut", "--save-cuts", "cuts.json", "-o", "out.csv")
    assert "values of people" not in done.stderr
    saved = json.loads((tada.folder / "cuts.json").read_text())
    numbers = {bound for cell in saved["columns"][0]["cells"] for bound in cell.values()}
    numbers |= {part["from"] for node in saved["nodes"] for part in node.get("parts", []) if part["from"]}
    assert not numbers & {str(1003 + 10 * i) for i in range(40)}
    done = tada("anonymize", "a.csv", "--quasi", "n", "--keep", "c", "-k", "4", "--save-cuts", "tight.json", "-o", "tight.csv")
    assert "values of people" in done.stderr
    tada("apply", "tight.json", "a.csv", "-o", "again.csv")
    assert (tada.folder / "again.csv").read_bytes() == (tada.folder / "tight.csv").read_bytes()


METHODS = {
    "mondrian": [],
    "infogain": ["--label", "job"],
    "regression": ["--label", "pay"],
    "ta_da": ["--label", "job"],
    "ta_da pruned": ["--label", "job", "--prune", "0.25"],
    "ta_da clusters": ["--task", "clustering"],
    "datafly": ["--hierarchy", "age=width:5", "--hierarchy", "zip=prefix:2/1"],
    "optimal": ["--suppress", "5", "--hierarchy", "age=width:5"],
    "mondrian by hierarchy": ["--hierarchy", "age=0-100/5/20", "--hierarchy", "zip=prefix:2/1"],
}


def table(seed, rows=300):
    drawn = random.Random(seed)
    lines = ["age,zip,job,pay,disease"]
    for _ in range(rows):
        age = drawn.randint(18, 90)
        zip_code = f"{drawn.choice('AB')}{drawn.choice('XYZ')}{drawn.randint(0, 3)}"
        lines.append(f"{age},{zip_code},{'old' if age + drawn.randint(-20, 20) > 50 else 'young'},{age * 100 + drawn.randint(0, 900)},{drawn.choice('pqrs')}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("range_", ["tight", "cut"])
@pytest.mark.parametrize("case", METHODS)
def test_every_method_that_cuts(tada, case, range_):
    method, options = case.split()[0], METHODS[case]
    if range_ == "cut" and (case == "ta_da clusters" or method in ("datafly", "optimal")):
        pytest.skip("no boxes")
    (tada.folder / "a.csv").write_text(table(1))
    (tada.folder / "b.csv").write_text(table(2))
    roles = ["--quasi", "age,zip", "--sensitive", "disease", "-k", "4", "-l", "2"]
    made = [*roles, "--method", method, *options, "--range", range_]
    tada("anonymize", "a.csv", *made, "--save-cuts", "cuts.json", "-o", "a.out.csv")
    tada("anonymize", "a.csv", *made, "-o", "plain.csv")
    assert (tada.folder / "plain.csv").read_bytes() == (tada.folder / "a.out.csv").read_bytes()
    tada("apply", "cuts.json", "b.csv", "-o", "b.out.csv")
    held = json.loads(tada("apply", "cuts.json", "b.csv", "--misfits", "withhold", "-o", "held.csv", "--json").stdout)
    for out in ["b.out.csv", "held.csv"]:
        tada("audit", out, *roles)
    assert held["reached"]["rows"] + held["applied"]["withheld_rows"] == 300
    if method != "optimal":  # classes that were masked then may be there now, at the same levels
        assert cells_of(tada.folder / "held.csv") <= cells_of(tada.folder / "a.out.csv")
    if case != "ta_da clusters" and "optimal" not in case:  # clusters are repaired after rows went to the nearest mean
        tada("apply", "cuts.json", "a.csv", "-o", "again.csv")
        assert (tada.folder / "again.csv").read_bytes() == (tada.folder / "a.out.csv").read_bytes()


@pytest.mark.parametrize("options", [["--method", "dop"], ["--method", "compact"], ["--method", "topdown"], ["--relaxed"], ["--controllers", "2"]])
def test_what_has_no_cuts_is_refused_by_name(tada, options):
    (tada.folder / "a.csv").write_text(table(1))
    done = tada("anonymize", "a.csv", "--quasi", "age,zip", *options, "--save-cuts", "cuts.json", "-o", "out.csv", code=2)
    assert "--save-cuts" in done.stderr
    assert not list(tada.folder.glob("out.csv")) and not list(tada.folder.glob("cuts.json"))


def test_parquet_has_typed_cells(cut):
    parquet = pytest.importorskip("pyarrow.parquet")
    cut("apply", "cuts.json", "b.csv", "-o", "b.parquet")
    written = parquet.read_table(cut.folder / "b.parquet")
    assert str(written.schema.field("age").type).startswith("struct<lo")
    assert str(written.schema.field("zip").type).startswith("list<")
    cut("audit", "b.parquet", *ROLES, "-k", "5", "-l", "2")


def test_too_few_rows_are_infeasible(cut):
    (cut.folder / "few.csv").write_text("id,age,zip,disease\n1,30,A,flu\n2,31,A,cold\n")
    assert "k=2" in cut("apply", "cuts.json", "few.csv", "-o", "few.out.csv", code=4).stderr
    (cut.folder / "far.csv").write_text("id,age,zip,disease\n" + "".join(f"{i},900,Q,{'flu' if i % 2 else 'hiv'}\n" for i in range(9)))
    assert "beyond every box" in cut("apply", "cuts.json", "far.csv", "-o", "far.out.csv", code=4).stderr
    assert not (cut.folder / "few.out.csv").exists() and not (cut.folder / "far.out.csv").exists()


def test_damaged_cuts_are_refused_with_the_place(cut):
    text = (cut.folder / "cuts.json").read_text()
    for damage, word in [
        (text[: len(text) // 2], "line"),
        (text.replace('"to":"', '"to":"9', 1), "digest"),
        ("[]", "no file of --save-cuts"),
        (text.replace('{"cuts":1', '{"cuts":99'), "form 99"),
    ]:
        (cut.folder / "bad.json").write_text(damage)
        done = cut("apply", "bad.json", "b.csv", "-o", "x.csv", code=3)
        assert word in done.stderr and "bad.json" in done.stderr, done.stderr
    assert "No such file" in cut("apply", "none.json", "b.csv", "-o", "x.csv", code=3).stderr


def test_columns_keep_the_kind_that_they_had(cut):
    (cut.folder / "words.csv").write_text(people(50, 3).replace(",A,", ",A,", 1) + "z,old,A,flu\n")
    cut("apply", "cuts.json", "words.csv", "-o", "x.csv", code=2)
    (cut.folder / "other.csv").write_text("age,disease\n1,2\n")
    assert "zip" in cut("apply", "cuts.json", "other.csv", "-o", "x.csv", code=2).stderr


def test_the_report_draws_the_tree(cut):
    cut("anonymize", "a.csv", *ROLES, "-k", "5", "-l", "2", "--range", "cut", "--save-cuts", "c2.json", "-o", "a2.csv", "--report", "r.html")
    page = (cut.folder / "r.html").read_text()
    assert "Tree of cuts" in page and "age &lt; " in page
    cut("anonymize", "a.csv", *ROLES, "-k", "5", "-l", "2", "--save-cuts", "c3.json", "-o", "a3.csv", "--report", "tight.html")
    assert "Tree of cuts" not in (cut.folder / "tight.html").read_text()  # thresholds that the cells do not show
    cut("apply", "cuts.json", "b.csv", "-o", "b2.csv", "--report", "b.html")
    assert "Released by saved cuts" in (cut.folder / "b.html").read_text()


def test_an_appended_batch_stands_by_itself(cut):
    done = cut("apply", "cuts.json", "b.csv", "--append", "-o", "batch.csv", "--json")
    assert json.loads(done.stdout)["applied"]["append"] is True
    assert "wait for the next batch" in done.stderr
    assert cells_of(cut.folder / "batch.csv") <= cells_of(cut.folder / "a.out.csv")
    # both releases as one file, the batch being known of everybody
    both = ["batch,age,zip,disease"]
    for number, name in enumerate(["a.out.csv", "batch.csv"]):
        lines = (cut.folder / name).read_text().splitlines()[1:]
        both += [f"{number},{line}" for line in lines]
    (cut.folder / "both.csv").write_text("\n".join(both) + "\n")
    cut("audit", "both.csv", "--quasi", "batch,age,zip", "--sensitive", "disease", "-k", "5", "-l", "2")
    assert "--append" in cut("apply", "cuts.json", "b.csv", "--append", "--misfits", "up", "-o", "x.csv", code=2).stderr


def test_compose_finds_nobody_in_two_batches(cut):
    roles = [*ROLES, "--keep", "id", "--allow", "id", "-k", "5", "-l", "2", "--range", "cut"]
    cut("anonymize", "a.csv", *roles, "--save-cuts", "k.json", "-o", "k1.csv")
    cut("apply", "k.json", "b.csv", "--append", "-o", "k2.csv")
    composed = json.loads(cut("compose", "k1.csv", "k2.csv", "--overlap-key", "id", *ROLES, "-k", "5", "-l", "2", "--json").stdout)
    assert composed["passed"] and composed["people"]["in_several"] == 0


def test_an_appended_batch_is_compared_with_the_first_release(tada):
    (tada.folder / "a.csv").write_text(people(600, 1))
    roles = [*ROLES, "-k", "5", "--closeness", "0.4"]
    tada("anonymize", "a.csv", *roles, "--method", "mondrian", "--stratify", "never", "--range", "cut", "--save-cuts", "cuts.json", "-o", "a.out.csv")
    saved = json.loads((tada.folder / "cuts.json").read_text())
    assert sum(saved["reference"]["disease"].values()) == 600
    # everybody new has one disease: t is 0 among themselves, and far from the first release
    flu = "\n".join(",".join([*line.split(",")[:3], "flu"]) for line in people(200, 2).splitlines()[1:])
    (tada.folder / "flu.csv").write_text("id,age,zip,disease\n" + flu + "\n")
    tada("apply", "cuts.json", "flu.csv", "-o", "alone.csv")
    assert tada("apply", "cuts.json", "flu.csv", "--append", "-o", "x.csv", code=4).stderr
    (tada.folder / "b.csv").write_text(people(600, 3))
    done = json.loads(tada("apply", "cuts.json", "b.csv", "--append", "-o", "b.out.csv", "--json").stdout)
    assert float(done["reached"]["t"]["disease"]) <= 0.4


def test_people_who_were_released_are_refused(cut):
    cut("key", "-o", "key")
    roles = [*ROLES, "--person", "id", "-k", "5", "-l", "2", "--range", "cut"]
    cut("anonymize", "a.csv", *roles, "--save-cuts", "p.json", "--save-people", "people.json", "--key", "key", "-o", "p.out.csv")
    assert (cut.folder / "people.json").stat().st_mode & 0o777 == 0o600
    held = (cut.folder / "people.json").read_text()
    assert "1-17" not in held and len(json.loads(held)["codes"]) == 400
    assert "--released-people" in cut("apply", "p.json", "b.csv", "--append", "-o", "x.csv", code=2).stderr
    again = (cut.folder / "b.csv").read_text() + (cut.folder / "a.csv").read_text().splitlines()[1] + "\n"
    (cut.folder / "again.csv").write_text(again)
    done = cut("apply", "p.json", "again.csv", "--append", "--released-people", "people.json", "--key", "key", "-o", "x.csv", code=4)
    assert "1 person of the input" in done.stderr
    cut("apply", "p.json", "b.csv", "--append", "--released-people", "people.json", "--key", "key", "--save-people", "all.json", "-o", "b.out.csv")
    released = len(rows_of(cut.folder / "b.out.csv"))
    assert len(json.loads((cut.folder / "all.json").read_text())["codes"]) == 400 + released
    cut("key", "-o", "other")
    assert "another key" in cut("apply", "p.json", "b.csv", "--append", "--released-people", "people.json", "--key", "other", "-o", "y.csv", code=2).stderr
    assert "--person" in cut("anonymize", "a.csv", *ROLES, "--save-people", "q.json", "--key", "key", "-o", "q.csv", code=2).stderr


def test_the_ledger_stops_a_release_that_breaks_the_requirement_with_an_earlier_one(cut):
    roles = [*ROLES, "--person", "id", "-k", "5", "-l", "2", "--method", "mondrian"]
    cut("anonymize", "a.csv", *roles, "--ledger", "ledger.json", "-o", "one.csv")
    before = (cut.folder / "ledger.json").read_bytes()
    assert (cut.folder / "ledger.json").stat().st_mode & 0o777 == 0o600 and b"1-17" not in before
    other = [*ROLES[:1], "age", "--sensitive", "disease", "--person", "id", "-k", "5", "-l", "2"]
    done = cut("anonymize", "a.csv", *other, "--ledger", "ledger.json", "-o", "two.csv", code=4)
    assert "ledger" in done.stderr and not (cut.folder / "two.csv").exists()
    assert (cut.folder / "ledger.json").read_bytes() == before
    cut("anonymize", "a.csv", *roles, "--ledger", "ledger.json", "-o", "same.csv")  # the same classes tell nothing new
    cut("anonymize", "b.csv", *roles, "--ledger", "ledger.json", "-o", "others.csv")  # other people
    assert len(json.loads((cut.folder / "ledger.json").read_text())["releases"]) == 3


def test_the_ledger_agrees_with_an_appended_batch(cut):
    cut("key", "-o", "key")
    roles = [*ROLES, "--person", "id", "-k", "5", "-l", "2", "--range", "cut"]
    kept = ["--key", "key", "--ledger", "ledger.json"]
    cut("anonymize", "a.csv", *roles, "--save-cuts", "p.json", "--save-people", "people.json", *kept, "-o", "p.out.csv")
    cut("apply", "p.json", "b.csv", "--append", "--released-people", "people.json", *kept, "-o", "batch.csv")
    assert len(json.loads((cut.folder / "ledger.json").read_text())["releases"]) == 2
    # without --append, everybody again with other cells where boxes were not filled: the ledger looks at both
    half = (cut.folder / "a.csv").read_text().splitlines()[:150]
    (cut.folder / "half.csv").write_text("\n".join(half) + "\n")
    assert "ledger" in cut("apply", "p.json", "half.csv", "--ledger", "ledger.json", "-o", "half.out.csv", code=4).stderr


def test_a_ledger_without_person_knows_rows_of_one_file(cut):
    roles = [*ROLES, "-k", "5", "--method", "mondrian"]
    cut("anonymize", "a.csv", *roles, "--ledger", "ledger.json", "-o", "one.csv")
    cut("anonymize", "a.csv", "--quasi", "age", "-k", "5", "--ledger", "ledger.json", "-o", "two.csv", code=4)
    assert "--person" in cut("anonymize", "b.csv", *roles, "--ledger", "ledger.json", "-o", "b.out.csv", code=2).stderr
    (cut.folder / "ledger.json").write_text("{")
    assert "ledger is damaged" in cut("anonymize", "a.csv", *roles, "--ledger", "ledger.json", "-o", "x.csv", code=3).stderr


def test_people_with_several_rows_are_released_whole_or_not_at_all(tada):
    drawn = random.Random(5)

    def visits(people, first):
        lines = ["id,age,zip,disease"]
        for i in range(people):
            age, zip_code = drawn.randint(20, 80), drawn.choice("ABCD")
            for _ in range(drawn.randint(1, 3)):
                lines.append(f"{first + i},{age},{zip_code},{drawn.choice(['flu', 'cold', 'hiv'])}")
        return "\n".join(lines) + "\n"

    (tada.folder / "a.csv").write_text(visits(200, 0))
    (tada.folder / "b.csv").write_text(visits(200, 1000))
    roles = [*ROLES, "--person", "id", "-k", "5", "-l", "2"]
    tada("anonymize", "a.csv", *roles, "--range", "cut", "--save-cuts", "cuts.json", "-o", "a.out.csv")
    for misfits in ["up", "withhold"]:
        tada("apply", "cuts.json", "b.csv", "--misfits", misfits, "-o", f"{misfits}.csv")
    tada("apply", "cuts.json", "a.csv", "-o", "again.csv")
    assert (tada.folder / "again.csv").read_bytes() == (tada.folder / "a.out.csv").read_bytes()


def test_safe_cuts_stay_safe(tada):
    (tada.folder / "a.csv").write_text(people(400, 1))
    (tada.folder / "b.csv").write_text(people(400, 2))
    tada("anonymize", "a.csv", *ROLES, "-k", "5", "-l", "2", "--safe", "30", "--range", "cut", "--save-cuts", "cuts.json", "-o", "a.out.csv")
    tada("apply", "cuts.json", "b.csv", "-o", "b.out.csv")
    sizes = {}
    for row in rows_of(tada.folder / "b.out.csv"):
        key = (row["age"], row["zip"])
        sizes[key] = sizes.get(key, 0) + 1
    assert min(sizes.values()) >= 30


def test_nothing_is_left_behind(cut):
    before = sorted(path.name for path in pathlib.Path(cut.folder).iterdir())
    cut("apply", "cuts.json", "b.csv", "-o", "nowhere/x.csv", code=5)
    assert sorted(path.name for path in pathlib.Path(cut.folder).iterdir()) == before

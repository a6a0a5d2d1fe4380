"""--range cut: cells are the boxes of the cuts (docs/algorithms/mondrian.md), and what a box is made of is nobody's value."""

import itertools
import json
import random
from fractions import Fraction

import pytest

import releases
from conftest import write_csv

METHODS = [
    ("mondrian", []),
    ("infogain", ["--label", "job"]),
    ("regression", ["--label", "score"]),
    ("ta_da", ["--label", "job"]),
    ("ta_da", ["--label", "score"]),
    ("ta_da", ["--label", "job", "--split", "multiway", "--prune", "0.25"]),
]


def people(count=400, seed=7):
    draw = random.Random(seed)
    return [
        {
            "age": str(draw.randint(17, 89)),
            "income": f"{draw.randint(9, 99) * 137 + 0.25 * draw.randint(0, 3):.2f}",
            "born": f"{draw.randint(1931, 2006)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}",
            "city": draw.choice(["Bonn", "Kiel", "Lund", "Metz", "Oslo", "Rome"]),
            "disease": draw.choice(["flu", "cold", "hiv", "gout"]),
            "job": draw.choice(["nurse", "smith", "baker"]),
            "score": str(draw.randint(0, 40)),
        }
        for _ in range(count)
    ]


QUASI = ["age", "income", "born", "city"]


def bounds(cell):
    return tuple(cell[1:-1].split(",")) if cell.startswith("[") else (cell, cell)


def number(text):
    return Fraction(text.replace("-", "")) if text.count("-") == 2 else Fraction(text)


def release(tada, rows, *arguments, quasi=QUASI, k=5, l=2):
    tada.write("in.csv", write_csv(rows))
    tada("anonymize", "in.csv", "-o", "out.csv", "--force", "--keep-order", "--quasi", ",".join(quasi), "--sensitive", "disease", "-k", k, "-l", l,
         "--range", "cut", *arguments)
    return tada.read("out.csv")


@pytest.mark.parametrize("method,options", METHODS)
def test_boxes_cover_their_rows_and_share_out_the_domain(tada, method, options):
    raw = people()
    rows = release(tada, raw, "--method", method, *options)
    assert releases.reached(rows, QUASI, "disease") >= (5, 2)
    for before, after in zip(raw, rows, strict=True):
        for column in ("age", "income", "born"):
            low, high = map(number, bounds(after[column]))
            assert low <= number(before[column]) <= high
        assert releases.covers(after["city"], before["city"], False)
    boxes = {tuple(row[column] for column in QUASI) for row in rows}
    assert len(boxes) > 8
    every = {row["city"] for row in raw}
    for a, b in itertools.combinations(sorted(boxes), 2):  # no value that may ever come is in two boxes
        apart = any(number(bounds(x)[1]) < number(bounds(y)[0]) or number(bounds(y)[1]) < number(bounds(x)[0]) for x, y in zip(a[:3], b[:3], strict=True))
        cities = [every if box[3] == "*" else set(releases.parse_set(box[3])) if box[3].startswith("{") else {box[3]} for box in (a, b)]
        assert apart or not cities[0] & cities[1], (a, b)


def test_bounds_are_hardly_ever_the_extremes_of_the_people_inside(tada):
    raw = people()
    tight, cut = 0, 0
    for options in ([], ["--range", "tight"]):
        rows = release(tada, raw, *options)
        for group in releases.classes([{**row, "was": before["income"]} for row, before in zip(rows, raw, strict=True)], QUASI).values():
            low, high = bounds(group[0]["income"])
            inside = {Fraction(row["was"]) for row in group}
            found = (Fraction(low) == min(inside)) + (Fraction(high) == max(inside))
            tight, cut = (tight + found, cut) if options else (tight, cut + found)
    assert tight > 50 and cut < tight / 10


def test_the_outermost_box_is_the_rounded_domain_or_the_one_given(tada):
    rows = [{"age": age, "disease": "flu" if number % 2 else "hiv"} for number, age in enumerate(["17", "18", "25", "44", "61", "90"])]
    assert {row["age"] for row in release(tada, rows, quasi=["age"], k=6)} == {"[10,99]"}
    assert {row["age"] for row in release(tada, rows, "--domain", "age=0..120", quasi=["age"], k=6)} == {"[0,120]"}
    tada.write("in.csv", write_csv(rows))
    for domain, said in (("age=18..120", "outside"), ("age=0..x", "number"), ("age", "takes"), ("disease=0..1", "quasi-identifier")):
        error = tada("anonymize", "in.csv", "-o", "no.csv", "--quasi", "age", "-k", "2", "--range", "cut", "--domain", domain, code=2).stderr
        assert said in error and "17" not in error
    assert "--range cut" in tada("anonymize", "in.csv", "-o", "no.csv", "--quasi", "age", "-k", "2", "--domain", "age=0..120", code=2).stderr


def test_a_box_says_the_same_whoever_is_inside(tada):
    """Moving people inside their boxes changes no cell."""
    raw = [{"age": age, "disease": "flu"} for age in ["20", "24", "26", "31", "33", "39"]]
    moved = [{"age": age, "disease": "flu"} for age in ["21", "24", "26", "31", "36", "39"]]
    first = release(tada, raw, "--domain", "age=0..99", quasi=["age"], k=3, l=1)
    assert {row["age"] for row in first} == {"[0,29]", "[30,99]"}
    assert release(tada, moved, "--domain", "age=0..99", quasi=["age"], k=3, l=1) == first


def test_numbers_that_are_missing(tada):
    rows = [{"age": age, "disease": "flu"} for age in ["", "", "", "31", "33", "39", "61", "62", ""]]
    cells = {row["age"] for row in release(tada, rows, quasi=["age"], k=3, l=1)}
    assert "" in cells or "*" in cells
    assert all(cell in ("", "*") or cell.startswith("[") for cell in cells)


def test_a_column_that_was_never_cut_shows_no_names(tada):
    rows = [{"age": str(20 + i), "city": f"town {i}", "disease": "flu"} for i in range(12)]
    assert {row["city"] for row in release(tada, rows, quasi=["age", "city"], k=12, l=1)} == {"*"}


def test_branches_of_a_hierarchy(tada):
    tada.write("city.csv", "".join(f"{city};{land};Europe\n" for city, land in
                                   [("Bonn", "Germany"), ("Kiel", "Germany"), ("Lund", "Sweden"), ("Metz", "France"), ("Oslo", "Norway"), ("Rome", "Italy")]))
    rows = release(tada, people(), "--hierarchy", "city=city.csv")
    shown = {row["city"] for row in rows}
    assert "Germany" in shown and shown <= {"Europe", "Germany", *(row["city"] for row in people())}  # a land of one city is that city


@pytest.mark.parametrize("form", ["csv.gz", "parquet", "arrow"])
def test_every_format_has_the_same_cells(tada, form):
    text = release(tada, people(), "--cells", "text")
    plan = ["--quasi", ",".join(QUASI), "--sensitive", "disease", "-k", "5", "-l", "2", "--range", "cut", "--keep-order"]
    tada("anonymize", "in.csv", "-o", f"out.{form}", *plan)
    assert "PASSED" in tada("audit", f"out.{form}", "--original", "in.csv", *plan).stdout
    if form == "parquet":
        pyarrow = pytest.importorskip("pyarrow.parquet")
        typed = pyarrow.read_table(tada.folder / "out.parquet").to_pylist()
        assert [f"[{row['age']['lo']},{row['age']['hi']}]" if row["age"]["lo"] != row["age"]["hi"] else str(row["age"]["lo"]) for row in typed] == [
            row["age"] for row in text
        ]
        assert str(pyarrow.read_schema(tada.folder / "out.parquet").field("born").type) == "struct<lo: date32[day], hi: date32[day]>"


def test_with_little_memory_controllers_and_people(tada):
    raw = people(3000)
    plain = release(tada, raw)
    assert release(tada, raw, "--memory", "64MB") == plain
    release(tada, raw, "--controllers", "3", "--report", "r.json")
    report = json.loads((tada.folder / "r.json").read_text())
    assert report["verdict"]["passed"] and len(report["controllers"]) == 3
    for row in raw:
        row["patient"] = str(random.Random(row["income"] + row["born"]).randint(1, 900))
    tada.write("in.csv", write_csv(raw))
    for persons in ("patient", "patient:apart"):
        tada("anonymize", "in.csv", "-o", "p.csv", "--force", "--quasi", "age,city", "--sensitive", "disease", "-k", "5", "-l", "2", "--range", "cut",
             "--person", persons)
        for row in tada.read("p.csv"):
            low, high = map(int, bounds(row["age"]))
            assert 10 <= low <= high <= 99


@pytest.mark.parametrize("options", [["--method", "dop"], ["--method", "compact"], ["--method", "datafly"], ["--method", "optimal"], ["--method", "topdown"],
                                     ["--task", "clustering"], ["--relaxed"], ["--sample-grow"],
                                     ["--method", "target_weighted", "--label", "job"]])
def test_other_methods_refuse_it_by_name(tada, options):
    tada.write("in.csv", write_csv(people(60)))
    error = tada("anonymize", "in.csv", "-o", "no.csv", "--quasi", "age,city", "-k", "3", "--range", "cut", *options, code=2).stderr
    assert "--range cut" in error and "boxes" in error


def test_a_plan_knows_it(tada):
    raw = people()
    first = release(tada, raw, "--domain", "age=0..120", "--report", "r.json")
    tada.write("tada.toml", json.loads((tada.folder / "r.json").read_text())["plan"])
    assert 'range = "cut"' in (tada.folder / "tada.toml").read_text() and 'domain = ["age=0..120"]' in (tada.folder / "tada.toml").read_text()
    tada("anonymize", "in.csv", "--plan", "tada.toml", "-o", "again.csv")
    assert tada.read("again.csv") == first


def test_numbers_and_dates_that_are_not_plain_are_refused_by_name(tada):
    tada.write("pay.csv", "pay\n" + "".join(f'"{i},5"\n' for i in range(40)))
    tada.write("born.csv", "born\n" + "".join(f"{1 + i % 28:02}/07/19{50 + i}\n" for i in range(40)))
    for name in ("pay", "born"):
        done = tada("anonymize", f"{name}.csv", "--quasi", name, "--allow", name, "-k", "5", "--range", "cut", "-o", "out.csv", code=2)
        assert f"--range cut: the values of {name}" in done.stderr

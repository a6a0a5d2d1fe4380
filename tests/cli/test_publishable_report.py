"""A report that is not marked as confidential holds nothing that the released file, the plan and the clock do not give: every figure is
computed again here, from the released file alone."""

import collections
import json
from fractions import Fraction

import pytest

import releases
from conftest import make_people, write_csv

ROLES = ["--quasi", "age,zip:categorical,job,income", "--sensitive", "disease", "--keep", "note"]
QUASI = ["age", "zip", "job", "income"]
NUMBERS = {"age", "income"}

RUNS = {
    "tight": ["--method", "mondrian"],
    "cut": ["--method", "mondrian", "--range", "cut"],
    "masked": ["--method", "dop", "--noise", "mask"],
    "ta_da": ["--label", "note", "--method", "ta_da"],
    "compact": ["--method", "compact"],
    "controllers": ["--method", "mondrian", "--controllers", "2"],
    "clustering": ["--task", "clustering"],
}

# What is known without the table: the plan, the program and the run.
OF_THE_RUN = {
    "tada", "method", "stages", "seed", "requirement", "seconds", "peak_memory_mb", "confidential", "plan", "command", "created", "output", "about", "warnings",
    "recode",
    "row_order", "release_sha256", "safe", "range",
}  # fmt: skip
COMPUTED = {"reached", "loss", "verdict", "risk", "input", "columns", "controllers", "regulator"}


def number(text):
    return Fraction(text)


def spans(rows, column):
    """What the cells of a column show: its numbers' smallest and largest, and its different values."""
    ends, values = [], set()
    for cell in {row[column] for row in rows} - {"*"}:
        if column in NUMBERS:
            parts = cell[1:-1].split(",") if cell.startswith("[") else [cell]
            values.update(parts)
            ends += [number(part) for part in parts if part]
        else:
            values.update(releases.parse_set(cell) if cell.startswith("{") else [cell])
    return (min(ends), max(ends)) if ends else (0, 0), values


def loss(cell, column, ends, values):
    if len(values) == 1:
        return 0.0
    if cell == "*":
        return 1.0
    if cell.startswith("[") and column in NUMBERS:
        low, high = map(number, cell[1:-1].split(","))
        return float((high - low) / (ends[1] - ends[0]))
    if cell.startswith("{"):
        return (len(releases.parse_set(cell)) - 1) / (len(values) - 1)
    return 0.0


@pytest.mark.parametrize("name", RUNS)
def test_every_figure_follows_from_the_released_file(tada, name):
    tada.write("people.csv", write_csv(make_people(300, seed=11)))
    roles = [option if option != "note" or name != "ta_da" else "name" for option in ROLES]
    tada("anonymize", "people.csv", *(roles if name != "ta_da" else ROLES[:4]), *RUNS[name], "-k", "4", "-l", "2", "-o", "out.csv", "--report", "out.json")
    report = json.loads((tada.folder / "out.json").read_text())
    rows = tada.read("out.csv")
    assert set(report) <= OF_THE_RUN | COMPUTED, set(report) - OF_THE_RUN - COMPUTED
    assert report["confidential"] is False

    groups = releases.classes(rows, QUASI)
    sizes = sorted(map(len, groups.values()))
    k, l = releases.reached(rows, QUASI, "disease")
    masked = sum(all(row[column] == "*" for column in QUASI) for row in rows)
    assert report["reached"] == {"k": k, "l": l, "rows": len(rows), "masked": masked, "groups": len(groups), "largest_group": sizes[-1], "withheld": 0}
    assert set(report["input"]) == {"path", "format", "rows"} and report["input"]["rows"] == len(rows)

    shown = {column: spans(rows, column) for column in QUASI}
    per_column = {column: sum(loss(row[column], column, *shown[column]) for row in rows) / len(rows) for column in QUASI}
    assert set(report["loss"]) == {"ncp", "discernibility", "average_group", "per_column", "group_sizes"}
    assert report["loss"]["per_column"] == pytest.approx(per_column)
    assert report["loss"]["ncp"] == pytest.approx(sum(per_column.values()) / len(QUASI))
    assert report["loss"]["discernibility"] == sum(size * size for size in sizes)
    assert report["loss"]["average_group"] == pytest.approx(len(rows) / len(groups))
    assert report["loss"]["group_sizes"] == [list(pair) for pair in sorted(collections.Counter(sizes).items())]

    assert report["risk"]["prosecutor"]["highest"] == pytest.approx(1 / sizes[0])
    assert report["risk"]["prosecutor"]["average"] == pytest.approx(len(groups) / len(rows))
    assert [column["name"] for column in report["columns"]] == list(rows[0])
    for column in report["columns"]:
        if column["role"] == "quasi-identifier":
            assert set(column) == {"name", "role", "kind"}
        else:
            values = [row[column["name"]] for row in rows]
            assert column["distinct"] == len(set(values)) and column["missing"] == sum(value in ("", "?") for value in values)
    for cover in report["verdict"]["cover"].values():
        assert cover == {"covered": True, "uncovered_rows": 0, "unchecked_rows": 0}
    assert all(set(part) == {"name", "passed", "requirement"} for part in report.get("controllers", []))


@pytest.mark.parametrize("form", ["json", "html"])
def test_names_of_columns_that_are_not_released_are_confidential(tada, people, form):
    for raw in (False, True):
        more = ["--report-raw"] if raw else []
        tada("anonymize", people, "--quasi", "age,job", "-k", "4", "-o", "out.csv", "--report", f"out.{form}", "--force", *more)
        text = (tada.folder / f"out.{form}").read_text()
        for column in ("income", "disease"):
            assert (column in text) == raw


def test_the_loss_over_the_input_is_confidential(tada):
    tada.write("in.csv", write_csv([{"age": age} for age in ["17", "18", "25", "44", "61", "90"]]))
    line = ["--quasi", "age", "-k", "3", "--range", "cut", "--domain", "age=0..120"]
    tada("anonymize", "in.csv", *line, "-o", "out.csv", "--report", "out.json", "--report-raw")
    loss = json.loads((tada.folder / "out.json").read_text())["loss"]
    rows = tada.read("out.csv")
    widths = [int(row["age"][1:-1].split(",")[1]) - int(row["age"][1:-1].split(",")[0]) for row in rows]
    assert loss["ncp"] == pytest.approx(sum(widths) / 6 / 120)
    assert loss["ncp_input"] == pytest.approx(sum(min(1, width / 73) for width in widths) / 6)


def test_how_far_from_the_least_loss_it_is_stands_in_confidential_reports(tada):
    tada.write("in.csv", write_csv([{"age": age} for age in ["17", "18", "25", "44", "61", "90"]]))
    line = ["anonymize", "in.csv", "--quasi", "age", "-k", "3", "-o", "out.csv", "--force", "--report", "out.json"]
    said = tada(*line, "--report-raw").stdout
    loss = json.loads((tada.folder / "out.json").read_text())["loss"]
    assert 0 < loss["ncp_least"] <= (3 * 8 + 3 * 46) / 6 / 73  # 17 to 25, and 44 to 90
    assert loss["above_least"] == pytest.approx(loss["ncp_input"] / loss["ncp_least"] - 1)
    assert "above the least possible" in said
    said = tada(*line).stdout
    assert not {"ncp_least", "above_least"} & set(json.loads((tada.folder / "out.json").read_text())["loss"]) and "least possible" not in said


def least_loss(tada, *line):
    tada("anonymize", "in.csv", *line, "-o", "out.csv", "--force", "--report", "out.json", "--report-raw")
    return json.loads((tada.folder / "out.json").read_text())["loss"]


def test_the_least_loss_counts_sensitive_values(tada):
    people = zip(["17", "18", "25", "44", "61", "90"], "aaabbb", strict=True)
    tada.write("in.csv", write_csv([{"age": age, "illness": illness} for age, illness in people]))
    line = ["--quasi", "age", "--sensitive", "illness", "-k", "3"]
    by_k, by_l = least_loss(tada, *line), least_loss(tada, *line, "-l", "2")
    assert by_k["ncp_least"] <= (3 * 8 + 3 * 46) / 6 / 73 < by_l["ncp_least"] <= by_l["ncp_input"]  # those below 26 are all ill with a


def test_the_least_loss_heeds_the_controller_that_asks_for_least(tada):
    tada.write("in.csv", write_csv([{"age": str(age), "h": h} for h in ("h1", "h2") for age in (20, 21, 60, 61)]))
    tada.write("plan.toml", 'quasi = ["age"]\ncontroller-column = "h"\nk = 4\n[controllers.h1]\nk = 2\n[controllers.h2]\nk = 2\n')
    loss = least_loss(tada, "--plan", "plan.toml")
    assert loss["ncp_least"] <= loss["ncp_input"] == pytest.approx(1 / 41)


def test_a_value_in_a_masked_row_is_not_told_by_the_loss(tada):
    """Widths divided by NCP give the span: over the input it would tell the largest value, though it is masked."""
    rows = [{"x": str(i // 4), "y": str(i % 4)} for i in range(80)] + [{"x": str(4000 + 977 * i), "y": str(50 + 31 * i)} for i in range(5)]
    tada.write("in.csv", write_csv(rows))
    tada("anonymize", "in.csv", "--quasi", "x,y", "-k", "4", "--method", "dop", "--noise", "mask", "-o", "out.csv", "--report", "out.json")
    report, released = json.loads((tada.folder / "out.json").read_text()), tada.read("out.csv")
    assert report["reached"]["masked"] > 0
    ends, values = spans([{"age": row["x"]} for row in released], "age")
    assert ends[1] < 4000
    per_row = [loss(row["x"], "age", ends, values) for row in released]
    assert report["loss"]["per_column"]["x"] == pytest.approx(sum(per_row) / len(per_row))


@pytest.mark.parametrize("form", ["json", "html"])
def test_what_methods_warn_of_is_for_the_owner(tada, form):
    """It tells about the raw table, and names controllers whose column is not released."""
    rows = [{"age": str(20 + number % 10), "site": ("north", "south")[number % 2]} for number in range(40)] + [{"age": "99", "site": "north"}]
    tada.write("in.csv", write_csv(rows))
    line = ["anonymize", "in.csv", "--quasi", "age", "-k", "4", "--method", "dop", "--noise", "mask", "--controller-column", "site", "--eps", "0.01"]
    for raw in (False, True):
        said = tada(*line, "-o", "out.csv", "--report", f"out.{form}", "--force", *(["--report-raw"] if raw else [])).stderr
        assert "Controller north: Noise rows are too few" in said
        text = (tada.folder / f"out.{form}").read_text()
        assert ("Noise rows are too few" in text) == raw and ("north" in text) == raw

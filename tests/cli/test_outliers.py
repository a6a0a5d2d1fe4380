"""--withhold, --clip, --importance and --recode: outliers are gone or cut off, and everything is audited without them."""

import json
import random

import pytest

from conftest import read_csv, write_csv

METHODS = ["mondrian", "compact", "ta_da", "infogain", "dop", "topdown", "optimal", "datafly", "target_weighted"]
ROLES = ["--quasi", "age,zip:categorical,job", "--label", "disease"]


def anonymize(tada, table, *arguments):
    done = tada("anonymize", table, *arguments, "-o", "out.csv", "--report", "report.json", "--force")
    return done, json.loads((tada.folder / "report.json").read_text())


def with_outliers(rows=200, outliers=3):
    draw = random.Random(3)
    people = []
    for _ in range(rows):
        people.append({"age": str(draw.randint(30, 40)), "zip": draw.choice("ab"), "job": draw.choice("xy"), "disease": draw.choice("fg")})
    return people + [{"age": str(990 + number), "zip": f"far{number}", "job": f"odd{number}", "disease": "f"} for number in range(outliers)]


@pytest.mark.parametrize("method", METHODS)
def test_outliers_are_nowhere_in_the_file(tada, method):
    tada.write("people.csv", write_csv(with_outliers()))
    done, report = anonymize(tada, "people.csv", *ROLES, "--method", method, "-k", "5", "--withhold", "2")
    text = (tada.folder / "out.csv").read_text()
    assert 3 <= report["reached"]["withheld"] <= 4 and len(read_csv(text)) == 203 - report["reached"]["withheld"]
    assert "Rows withheld: " in done.stdout and "withheld rows counted 1" in done.stdout
    for value in ("99", "far", "odd"):
        assert value not in text, value
    assert not any(value in (tada.folder / "report.json").read_text() for value in ("far0", "far1", "far2", "odd0", "odd1", "odd2"))
    audit = ["audit", "out.csv", "--original", "people.csv", *ROLES, "-k", "5", "--method", method]
    assert "withheld rows counted 1" in tada(*audit, "--withhold", "2").stdout
    assert "more than --withhold 1 allows" in tada(*audit, "--withhold", "1", code=1).stdout


def test_one_outlier_does_not_mask_everybody(tada):
    rows = [{"age": str(30 + number % 5), "sex": "mf"[number % 2]} for number in range(100)] + [{"age": "99", "sex": "d"}]
    tada.write("people.csv", write_csv(rows))
    asked = ["--quasi", "age,sex", "--method", "optimal", "-k", "5", "-o", "out.csv", "--force"]
    tada("anonymize", "people.csv", *asked, "--withhold", "5")
    released = tada.read("out.csv")
    assert len(released) == 100 and all(row["sex"] in "mf" and row["age"] != "*" for row in released)
    suppressed = tada("anonymize", "people.csv", *asked, "--suppress", "4")
    assert {row["age"] for row in tada.read("out.csv")} == {"*"} and "--withhold" in suppressed.stderr


def test_all_rows_of_a_person_leave(tada):
    rows = [{"who": f"p{number % 60}", "age": str(30 + number % 10), "job": "xy"[number % 2]} for number in range(120)]
    rows += [{"who": "far", "age": "99", "job": "odd"}, {"who": "far", "age": "31", "job": "x"}]
    tada.write("people.csv", write_csv(rows))
    asked = ["--person", "who", "--quasi", "age,job", "-k", "3", "--withhold", "2"]
    done, report = anonymize(tada, "people.csv", *asked)
    assert report["reached"]["withheld"] == 2 and report["reached"]["withheld_people"] == 1 and "all rows of 1 people" in done.stdout
    assert "99" not in (tada.folder / "out.csv").read_text()
    tada("audit", "out.csv", "--original", "people.csv", *asked, "--allow-unverified")


def test_less_is_lost_and_the_same_at_any_order_and_threads(tada, people, people_rows):
    found = {}
    people_rows = people_rows + [{**people_rows[number], "age": str(150 + 40 * number), "job": f"odd{number}"} for number in range(12)]
    people = tada.write("people.csv", write_csv(people_rows)).name
    for percent in (0, 2, 5):
        anonymize(tada, people, *ROLES, "--method", "compact", "-k", "5", "--withhold", percent)
        found[percent] = json.loads(tada("audit", "out.csv", "--original", people, *ROLES, "-k", "5", "--withhold", percent, "--json").stdout)["loss"]["ncp"]
    assert found[5] < found[2] < found[0]
    first = (tada.folder / "out.csv").read_bytes()
    shuffled = list(people_rows)
    random.Random(1).shuffle(shuffled)
    tada.write("shuffled.csv", write_csv(shuffled))
    anonymize(tada, "shuffled.csv", *ROLES, "--method", "compact", "-k", "5", "--withhold", "5", "--threads", "1")
    assert (tada.folder / "out.csv").read_bytes() == first
    anonymize(tada, "shuffled.csv", *ROLES, "--method", "compact", "-k", "5", "--withhold", "5", "--memory", "64MB")
    assert (tada.folder / "out.csv").read_bytes() == first


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_typed_files_hold_nothing_of_those_who_left(tada, ending):
    tada.write("people.csv", write_csv(with_outliers()))
    tada("anonymize", "people.csv", "--quasi", "age,zip", "--keep", "job", "-k", "5", "--withhold", "2", "-o", f"out.{ending}")
    text = (tada.folder / f"out.{ending}").read_bytes()
    assert b"odd" not in text and b"far" not in text
    tada("audit", f"out.{ending}", "--original", "people.csv", "--quasi", "age,zip", "--keep", "job", "-k", "5", "--withhold", "2")


def test_each_controller_lets_people_go(tada):
    rows = [{**row, "site": "AB"[number % 2]} for number, row in enumerate(with_outliers(400, 8))]
    tada.write("people.csv", write_csv(rows))
    asked = ["--quasi", "age,zip,job", "--controller-column", "site", "--keep", "site", "-k", "5", "--withhold", "2"]
    anonymize(tada, "people.csv", *asked)
    gone = {site: sum(row["site"] == site for row in rows) - sum(row["site"] == site for row in tada.read("out.csv")) for site in "AB"}
    assert gone == {"A": 4, "B": 4}
    tada("anonymize", "people.csv", *asked, "--keep-order", "-o", "order.csv")
    tada("audit", "order.csv", "--original", "people.csv", *asked)


def test_safe_choice_ignores_sensitive_values(tada):
    rows = with_outliers(100, 2)
    asked = ["--quasi", "age,zip,job", "--sensitive", "disease", "-k", "5", "--safe", "10", "--withhold", "3"]
    cells = []
    for turn in (0, 1):
        draw = random.Random(turn)
        tada.write("people.csv", write_csv([{**row, "disease": draw.choice("fghi")} for row in rows]))
        _, report = anonymize(tada, "people.csv", *asked)
        cells.append(sorted((row["age"], row["zip"], row["job"]) for row in tada.read("out.csv")))
    assert cells[0] == cells[1] and report["reached"]["withheld"] == 3


def test_nobody_leaves_if_the_others_could_not_do_it(tada):
    tada.write("people.csv", write_csv([{"age": str(30 + number)} for number in range(6)]))
    done = tada("anonymize", "people.csv", "--quasi", "age", "-k", "5", "--withhold", "50", "-o", "out.csv")
    assert len(tada.read("out.csv")) == 6 and "nobody is left out" in done.stderr


def test_the_reference_of_closeness_is_what_is_released(tada):
    rows = [{"age": str(number % 40), "ill": "fc"[number % 2]} for number in range(200)] + [{"age": "900", "ill": "rare"}]
    tada.write("people.csv", write_csv(rows))
    asked = ["--quasi", "age", "--sensitive", "ill", "-k", "5", "--closeness", "0.004:equal"]
    assert len({row["age"] for row in released(tada, *asked)}) == 1
    assert len({row["age"] for row in released(tada, *asked, "--withhold", "1")}) > 1


def released(tada, *asked):
    tada("anonymize", "people.csv", *asked, "-o", "out.csv", "--force")
    tada("audit", "out.csv", "--original", "people.csv", *asked)
    return tada.read("out.csv")


def test_a_plan_has_it_and_wrong_shares_are_refused(tada, people):
    tada.write("tada.toml", 'quasi = ["age", "job"]\nk = 5\nwithhold = 5\nclip = ["age=20..70"]\nimportance = ["age=2"]\nrecode = "exact"\n')
    tada("anonymize", people, "--plan", "tada.toml", "-o", "out.csv")
    assert len(tada.read("out.csv")) == 380
    for wrong in ("-1", "100", "many"):
        assert "--withhold" in tada("anonymize", people, *ROLES, "--withhold", wrong, "-o", "no.csv", code=2).stderr
    assert "withhold" in tada("advise", people, "--plan", "tada.toml", "--label", "disease", code=2).stderr


def test_numbers_are_clipped_before_everything(tada, people):
    _, report = anonymize(tada, people, *ROLES, "-k", "5", "--clip", "age=30..60")
    bounds = {int(bound) for row in tada.read("out.csv") for bound in row["age"].strip("[]").split(",") if bound not in ("", "*")}
    assert min(bounds) == 30 and max(bounds) == 60
    assert "below 30 are taken for 30, those above 60 for 60" in json.dumps(report["about"])
    tada("audit", "out.csv", "--original", people, *ROLES, "-k", "5", "--clip", "age=30..60")
    tada("audit", "out.csv", "--original", people, *ROLES, "-k", "5", code=1)
    for wrong, word in {"age=60..30": "above", "age=x..": "number", "job=1..2": "numbers", "age": "--clip", "age=..": "end", "no=1..2": "released"}.items():
        assert word in tada("anonymize", people, *ROLES, "--clip", wrong, "-o", "no.csv", code=2).stderr, wrong


def test_dates_as_they_are_written_are_clipped(tada):
    tada.write("people.csv", write_csv([{"born": f"{1 + number % 28:02}/03/{1900 + number}", "job": "x"} for number in range(100)]))
    tada("anonymize", "people.csv", "--quasi", "born:date:%d/%m/%Y,job", "-k", "5", "--clip", "born=1930-01-01..1980-12-31", "-o", "out.csv")
    text = (tada.folder / "out.csv").read_text()
    assert "01/01/1930" in text and "31/12/1980" in text and "1929" not in text and "1981" not in text


def test_importance_keeps_a_column_precise(tada, people):
    losses = {}
    for method in ("mondrian", "compact", "topdown", "optimal", "dop"):
        for weight in ("0.05", "20"):
            _, report = anonymize(tada, people, *ROLES[:2], "--method", method, "-k", "5", "--importance", f"age={weight}")
            losses[method, weight] = report["loss"]["per_column"]["age"]
            weighted = sum(loss * (float(weight) if name == "age" else 1) for name, loss in report["loss"]["per_column"].items()) / (float(weight) + 2)
            assert report["loss"]["ncp_weighted"] == pytest.approx(weighted)
        assert losses[method, "20"] < losses[method, "0.05"], method
    for wrong in ("disease=2", "age=0", "age=-1", "age", "age=1,age=2"):
        assert "--importance" in tada("anonymize", people, *ROLES, "--importance", wrong, "-o", "no.csv", code=2).stderr


def test_exact_cells_are_values_or_masks(tada, people):
    _, _ = anonymize(tada, people, *ROLES, "-k", "5", "--recode", "exact")
    rows = tada.read("out.csv")
    cells = {row[name] for row in rows for name in ("age", "zip", "job")}
    assert not any(cell.startswith(("[", "{")) for cell in cells) and "*" in cells and len(cells) > 2
    tada("audit", "out.csv", "--original", people, *ROLES, "-k", "5")
    assert "--recode" in tada("anonymize", people, *ROLES, "--recode", "exact", "--range", "cut", "-o", "no.csv", code=2).stderr


@pytest.mark.parametrize("method", ["mondrian", "compact", "datafly"])
def test_means_are_those_of_their_class(tada, people, people_rows, method):
    asked = [*ROLES[:2], "-k", "5", "--recode", "mean", "--method", method, "--keep-order"]
    done, report = anonymize(tada, people, *asked)
    assert "squared error" in done.stdout and report["loss"]["ncp"] is None
    rows, classes = tada.read("out.csv"), {}
    for before, after in zip(people_rows, rows, strict=True):
        classes.setdefault(tuple(after[name] for name in ("age", "zip", "job")), []).append(before)
    assert min(map(len, classes.values())) >= 5
    for (age, _, job), members in classes.items():
        ages, jobs = [row["age"] for row in members], [row["job"] for row in members]
        if age not in ("*", "", "?") and all(text not in ("", "?") for text in ages):
            assert float(age) == pytest.approx(sum(map(float, ages)) / len(ages), abs=0.006)
        assert method == "datafly" or jobs.count(job) == max(map(jobs.count, jobs)) or job in ("", "?", "*")
    verdict = tada("audit", "out.csv", "--original", people, *asked)
    assert "squared error" in verdict.stdout
    text = (tada.folder / "out.csv").read_text()
    first = next(row["age"] for row in rows if row["age"] not in ("*", ""))
    tada.write("false.csv", text.replace(f"\n{first},", "\n1,"))
    assert "means" in tada("audit", "false.csv", "--original", people, *asked, code=1).stdout


@pytest.mark.parametrize("method", ["mondrian", "compact"])
def test_means_as_postgres_literals_are_verified_too(tada, method):
    rows = [{"age": str(20 + number), "job": job, "zip": ["", "7"][number % 7 > 0]} for number, job in enumerate(["a,b", "a,b", "", 'q"q', "x"] * 6)]
    tada.write("people.csv", write_csv(rows))
    asked = ["--quasi", "age,job,zip", "-k", "3", "--recode", "mean", "--method", method]
    tada("anonymize", "people.csv", *asked, "--cells", "postgres", "--keep-order", "-o", "out.csv")
    text = (tada.folder / "out.csv").read_text()
    assert tada.read("out.csv")[0]["age"].startswith("[")
    tada("audit", "out.csv", "--original", "people.csv", *asked, "--keep-order")
    first = tada.read("out.csv")[0]["age"]
    tada.write("false.csv", text.replace(first, "[1,1]"))
    assert "means" in tada("audit", "false.csv", "--original", "people.csv", *asked, "--keep-order", code=1).stdout


def test_means_of_the_largest_numbers_are_numbers(tada):
    """Their sums are no doubles; and a mean does not depend on the order in which its numbers are added up."""
    for numbers in (["1e308", "1.7e308", "9e307", "-1e308"], ["0.1e0", "1e16", "-1e16", "0.7", "3e-3"]):
        rows = [{"age": numbers[number % len(numbers)], "job": "ab"[number % 3 > 0]} for number in range(24)]
        for name, table in (("forth", rows), ("back", rows[::-1])):
            tada.write(f"{name}.csv", write_csv(table))
            tada("anonymize", f"{name}.csv", "--quasi", "age,job", "-k", "12", "--recode", "mean", "--method", "mondrian", "-o", f"{name}_out.csv", "--force")
        assert (tada.folder / "forth_out.csv").read_text() == (tada.folder / "back_out.csv").read_text()


def test_means_without_an_order_are_not_verified(tada, people):
    asked = [*ROLES[:2], "-k", "5", "--recode", "mean"]
    tada("anonymize", people, *asked, "-o", "out.csv")
    assert "totals" in tada("audit", "out.csv", "--original", people, *asked, code=6).stdout
    for command in (["compose", "out.csv", "out.csv"], ["attack", "out.csv", "--original", people], ["compare", "out.csv", "--original", people]):
        tada.write("tada.toml", 'quasi = ["age", "job"]\nk = 5\nrecode = "mean"\n')
        assert "mean" in tada(*command, "--plan", "tada.toml", code=2).stderr

"""The table as a sample: uniques of the population, individual risk, special uniques, and --max-risk as a requirement."""

import csv
import itertools
import json
import math
import random
from collections import Counter, defaultdict

import pytest

from conftest import DATA

ADULT = DATA / "adult" / "adult_all.csv"
KEY = ["age", "sex", "race", "marital-status", "education"]


def rows_of(path):
    with open(path, newline="") as file:
        return [{name: value.strip() for name, value in row.items()} for row in csv.DictReader(file)]


def write(path, rows):
    with open(path, "w", newline="") as file:
        table = csv.DictWriter(file, rows[0].keys())
        table.writeheader()
        table.writerows(rows)
    return path


def mean_of_reciprocal(members: int, people: float) -> float:
    """The mean of 1/j, j negative binomial with `members` successes of chance members/people, term by term."""
    p = members / people
    if p >= 1:
        return 1 / members
    total, chance, j = 0.0, p**members, members
    while j < people * 60 + 500:
        total += chance / j
        chance *= j / (j - members + 1) * (1 - p)
        j += 1
    return total


@pytest.fixture
def survey(tmp_path):
    """Three hundred people with weights between 1 and 40."""
    draw = random.Random(5)
    rows = [
        {"age": draw.randint(20, 60), "zip": draw.randint(1, 9), "ill": draw.choice(["flu", "cold", "hiv"]), "w": draw.randint(2, 80) / 2} for _ in range(300)
    ]
    return write(tmp_path / "survey.csv", rows)


ROLES = ["--quasi", "age,zip", "--sensitive", "ill"]


@pytest.mark.skipif(not ADULT.exists(), reason="needs TADA_DATA")
def test_uniques_of_the_population_are_those_of_other_tools(tada):
    numpy = pytest.importorskip("numpy")
    rows = [{name: row[name] for name in KEY} for row in rows_of(ADULT)]
    draw = numpy.random.default_rng(1)
    samples = {share: [rows[i] for i in draw.choice(len(rows), round(len(rows) * share), replace=False)] for share in (0.05, 0.1, 0.2, 0.5)}
    for share, zayatz, pitman, snb, chosen in [(0.05, 8658.28, 5080.02, 5369, "Pitman"), (0.5, 4035.78, 4215.16, 4047, "Zayatz")]:
        sample = write(tada.folder / f"{share}.csv", samples[share])
        found = json.loads(tada("inspect", sample, "--quasi", ",".join(KEY), "--population", len(rows), "--json").stdout)["population"]
        assert found["uniques"]["zayatz"] == pytest.approx(zayatz, abs=0.006)
        assert found["uniques"]["pitman"] == pytest.approx(pitman, rel=2e-6)
        assert found["uniques"]["snb"] == pytest.approx(snb, abs=0.5)
        assert found["uniques"]["chosen"] == chosen


def test_weights_give_the_risks_of_the_literature(tada):
    # Eight people of Capobianchi, Polettini and Lucarelli; risks as sdcMicro prints them.
    keys = [(1, 2, 5, 1), (1, 2, 1, 1), (1, 2, 1, 1), (3, 3, 1, 5), (4, 3, 1, 4), (4, 3, 1, 1), (6, 2, 1, 5), (1, 2, 5, 1)]
    weights = [18, 45.5, 39, 17, 541, 8, 5, 92]
    write(tada.folder / "eight.csv", [dict(zip("abcd", key, strict=True), w=weight) for key, weight in zip(keys, weights, strict=True)])
    tada("inspect", "eight.csv", "--quasi", "a,b,c,d", "--weights", "w", "--row-risks", "rows.csv")
    found = rows_of(tada.folder / "rows.csv")
    assert [row["members"] for row in found] == list("22211112")
    assert [float(row["people"]) for row in found] == [110, 84.5, 84.5, 17, 541, 8, 5, 110]
    printed = [0.01714426, 0.02204233, 0.02204233, 0.17707583, 0.01165448, 0.29706308, 0.40235948, 0.01714426]
    assert [float(row["risk"]) for row in found] == pytest.approx(printed, abs=5e-9)
    said = tada("inspect", "eight.csv", "--quasi", "a,b,c,d", "--weights", "w").stdout
    said = " ".join(said.split())
    assert "40.2% at most" in said and "of about 766 people" in said


def test_special_uniques_are_those_of_the_definition(tada):
    draw = random.Random(2)
    rows = [{name: draw.choice("xyz"[: 2 + i % 2]) for i, name in enumerate("abcde")} for _ in range(40)]
    write(tada.folder / "t.csv", rows)
    tada("inspect", "t.csv", "--quasi", "a,b,c,d,e", "--suda", "3", "--row-risks", "rows.csv", "--force")
    alone = {}
    for size in range(1, 4):
        for columns in itertools.combinations("abcde", size):
            counts = Counter(tuple(row[c] for c in columns) for row in rows)
            alone[columns] = [counts[tuple(row[c] for c in columns)] == 1 for row in rows]
    scores, shares = [0] * len(rows), Counter()
    for number in range(len(rows)):
        for columns, unique in alone.items():
            if not unique[number] or any(alone[part][number] for size in range(1, len(columns)) for part in itertools.combinations(columns, size)):
                continue
            score = math.prod(5 - i for i in range(len(columns), 4))
            scores[number] += score
            for column in columns:
                shares[column] += score
    assert [float(row["suda"]) for row in rows_of(tada.folder / "rows.csv")] == scores
    assert sum(scores) > 0
    found = json.loads(tada("inspect", "t.csv", "--quasi", "a,b,c,d,e", "--suda", "3", "--json").stdout)["suda"]
    assert found["columns"] == pytest.approx({c: shares[c] / sum(scores) for c in "abcde"})


def classes_of(path):
    found = defaultdict(list)
    for row in rows_of(path):
        found[row["age"], row["zip"]].append(row)
    return found


@pytest.mark.parametrize("method", ["mondrian", "compact", "dop", "datafly", "ta_da"])
def test_max_risk_with_weights_is_kept_and_audited(tada, survey, method):
    options = [*ROLES, "--method", method, "-k", "2", "--max-risk", "0.03", "--weights", "w"]
    if method == "ta_da":
        options += ["--task", "clustering"]
    made = json.loads(tada("anonymize", survey, *options, "--keep", "w", "-o", f"{method}.csv", "--json").stdout)
    worst = max(mean_of_reciprocal(len(rows), sum(float(row["w"]) for row in rows)) for rows in classes_of(tada.folder / f"{method}.csv").values())
    assert worst <= 0.03
    assert made["reached"]["individual_risk"]["people"] == pytest.approx(worst, abs=1e-4)
    verdict = tada("audit", f"{method}.csv", *options, "--keep", "w")  # the weights are in the file
    assert "PASSED" in verdict.stdout
    assert "individual_risk of people (weights w)" in verdict.stdout
    tada("audit", f"{method}.csv", *ROLES, "-k", "2", "--max-risk", str(math.floor(worst * 1e4 - 1) / 1e4), "--weights", "w", "--keep", "w", code=1)


def test_without_the_weights_the_file_does_not_say_it(tada, survey):
    options = [*ROLES, "-k", "2", "--max-risk", "0.03", "--weights", "w"]
    tada("anonymize", survey, *options, "-o", "out.csv")
    assert "w" not in rows_of(tada.folder / "out.csv")[0]
    assert "max-risk: not verified" in tada("audit", "out.csv", *options, code=6).stdout
    tada("anonymize", survey, *options, "--keep-order", "-o", "ordered.csv")
    assert "PASSED" in tada("audit", "ordered.csv", *options, "--original", survey, "--keep-order").stdout


@pytest.mark.parametrize(("told", "each"), [(["--sampling", "0.1"], 10), (["--population", "6000"], 20), ([], 1)])
def test_max_risk_by_the_size_of_the_population(tada, survey, told, each):
    options = [*ROLES, "-k", "2", "--max-risk", "0.04", *told]
    tada("anonymize", survey, *options, "-o", "out.csv")
    sizes = [len(rows) for rows in classes_of(tada.folder / "out.csv").values()]
    assert all(mean_of_reciprocal(size, size * each) <= 0.04 + 1e-12 for size in sizes)
    assert any(size < 25 for size in sizes) == (each > 1)  # a sample needs smaller classes
    verdict = json.loads(tada("audit", "out.csv", *options, "--json").stdout)
    assert verdict["verified"]
    assert verdict["individual_risk"]["people"] <= 0.04
    tada("anonymize", survey, *options, "--controllers", "2", "-o", "parts.csv")


def test_the_bound_is_exact_where_every_row_is_a_person(tada, survey):
    options = [*ROLES, "-k", "1", "--max-risk", "0.125"]
    tada("anonymize", survey, *options, "-o", "out.csv")
    same = tada("anonymize", survey, *ROLES, "-k", "8", "-o", "k.csv")
    assert same.returncode == 0
    assert (tada.folder / "out.csv").read_text() == (tada.folder / "k.csv").read_text()


def test_what_cannot_be_met_says_what_can(tada, survey):
    short = tada("anonymize", survey, *ROLES, "-k", "2", "--max-risk", "0.0001", "--weights", "w", "-o", "x.csv", code=4).stderr
    reached = short.split("max-risk=")[-1].split()[0].rstrip(".,")
    tada("anonymize", survey, *ROLES, "-k", "2", "--max-risk", reached, "--weights", "w", "-o", "x.csv")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--max-risk", "0"], "above 0"),
        (["--max-risk", "x"], "above 0"),
        (["--sampling", "1.5"], "at most 1"),
        (["--population", "people.csv"], "whole number"),
        (["--sampling", "0.1", "--population", "9"], "leave one out"),
        (["--weights", "w", "--sampling", "0.1"], "leave one out"),
        (["--weights", "age"], "two roles"),
        (["--weights", "v"], "does not have: v"),
        (["--weights", "w", "--person", "zip"], "--person"),
    ],
)
def test_wrong_questions_are_refused(tada, survey, options, words):
    quasi = ["--quasi", "age"] if "--person" in options else ["--quasi", "age,zip"]
    assert words in tada("anonymize", survey, *quasi, "-k", "2", *options, "-o", "x.csv", code=2).stderr.replace("\n", " ")


def test_a_weight_that_is_no_number_is_named_by_its_line(tada, survey):
    rows = rows_of(survey)
    rows[6]["w"] = "unsaid"
    write(tada.folder / "bad.csv", rows)
    for command in (["anonymize", "bad.csv", *ROLES, "--max-risk", "0.1", "-o", "x.csv"], ["inspect", "bad.csv"]):
        said = tada(*command, "--weights", "w", code=3).stderr
        assert "line 8" in said and "unsaid" not in said


def test_a_plan_holds_it_and_the_printed_audit_passes(tada, survey):
    (tada.folder / "tada.toml").write_text('quasi = ["age", "zip"]\nsensitive = ["ill"]\nkeep = ["w"]\nk = 2\nmax-risk = "0.03"\nweights = "w"\n')
    tada("anonymize", survey, "--plan", "tada.toml", "-o", "out.csv", "--report", "report.html")
    page = (tada.folder / "report.html").read_text()
    assert "individual risk" in page
    tada("audit", "out.csv", "--plan", "tada.toml")
    tada("inspect", survey, "--quasi", "age,zip", "--sampling", "0.1", "--write-plan", "draft.toml")
    assert 'sampling = "0.1"' in (tada.folder / "draft.toml").read_text()


def test_attack_takes_a_number_or_a_file(tada, survey):
    tada("anonymize", survey, *ROLES, "-k", "4", "-o", "out.csv")
    said = tada("attack", "out.csv", "--original", survey, *ROLES, "--population", "6000", "--report", "attack.html").stdout
    assert "The original as a sample of the population" in said and "of about 6,000 people" in said
    assert "The release in the population" in (tada.folder / "attack.html").read_text()
    found = json.loads(tada("attack", "out.csv", "--original", survey, *ROLES, "--population", survey, "--json").stdout)
    assert found["population_rows"] == 300 and "population" not in found


def test_the_report_says_it_in_sentences(tada, survey):
    tada("anonymize", survey, *ROLES, "-k", "4", "--population", "3000", "-o", "out.csv", "--report", "report.html")
    page = (tada.folder / "report.html").read_text()
    assert "a sample of 10% of about 3,000 people" in page
    said = tada("audit", "out.csv", *ROLES, "-k", "4", "--population", "3000").stdout
    assert "hidden among at least 13 people" in " ".join(said.split())  # four rows, a tenth: k-map by test


def test_weights_of_columns_have_kept_their_old_name(tada, survey):
    for number, name in enumerate(("--weights", "--column-weights")):
        tada("anonymize", survey, *ROLES, "-k", "5", "--method", "dop", name, "inverse", "-o", f"{number}.csv")
    assert (tada.folder / "0.csv").read_text() == (tada.folder / "1.csv").read_text()
    (tada.folder / "tada.toml").write_text('quasi = ["age", "zip"]\nsensitive = ["ill"]\nk = 5\nmethod = "dop"\n[methods.dop]\nweights = "inverse"\n')
    tada("anonymize", survey, "--plan", "tada.toml", "-o", "2.csv")
    assert (tada.folder / "0.csv").read_text() == (tada.folder / "2.csv").read_text()


def test_people_with_several_rows_are_counted_once_or_not_at_all(tada):
    one_class = [{"who": f"p{i // 2}", "age": 20 + i // 2 % 7} for i in range(60)]
    several = [{"who": f"p{i // 2}", "age": 20 + i % 7} for i in range(60)]
    for name, rows in (("one.csv", one_class), ("several.csv", several)):
        write(tada.folder / name, rows)
    options = ["--quasi", "age", "--person", "who", "--population", "300"]
    assert json.loads(tada("inspect", "one.csv", *options, "--json").stdout)["population"]["members"] == 30
    assert "population" not in json.loads(tada("inspect", "several.csv", *options, "--json").stdout)
    assert "not estimated, since people have rows in several classes" in " ".join(tada("inspect", "several.csv", *options).stdout.split())


def test_an_audit_that_knows_people_measures_their_risk_and_says_so_if_it_does_not(tada):
    rows = [{"who": f"p{i // 2}", "age": 20 + i // 2 % 3, "ill": ["flu", "cold", "hiv"][i % 3]} for i in range(60)]
    write(tada.folder / "visits.csv", rows)
    options = ["--quasi", "age", "--sensitive", "ill", "--person", "who", "-k", "5"]
    tada("anonymize", "visits.csv", *options, "--keep-order", "-o", "out.csv")
    known = tada("audit", "out.csv", *options, "--population", "300", "--original", "visits.csv", "--keep-order", "--json")
    assert json.loads(known.stdout)["individual_risk"]["people"] == pytest.approx(mean_of_reciprocal(10, 100), abs=1e-4)
    assert "not verified" in tada("audit", "out.csv", *options, "--population", "300", "--json", code=6).stdout
    unknown = tada("audit", "out.csv", *options, "--population", "300", "--allow-unverified").stdout
    assert "individual_risk of people (population 300) - not verified" in " ".join(unknown.split())

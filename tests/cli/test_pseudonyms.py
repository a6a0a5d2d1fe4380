"""Pseudonyms and shifted dates: keyed, joined only where wanted, and not released where they tell people apart."""

import collections
import datetime
import itertools
import json
import re

import pytest

from conftest import write_csv

DISEASES = ["flu", "asthma", "gout", "cold", "mumps"]


def visits(people=40, rows_each=3, odd=False):
    """Everybody has as many rows, a week apart; with `odd` one person has one more."""
    rows = []
    for i in range(people):
        for j in range(rows_each + (1 if odd and i == 0 else 0)):
            day = datetime.date(2020, 1, 1) + datetime.timedelta(days=3 * i + 7 * j)
            rows.append({"patient_id": f"p{i:03}", "age": str(20 + i), "sex": "mf"[i % 2], "visit": day.isoformat(),
                         "disease": DISEASES[(i + j) % 5]})
    return rows


ROLES = ["--quasi", "age,sex", "--sensitive", "disease", "-k", "5"]
HIDE = ["--pseudonym", "patient_id", "--key", "secret.key", "--key-domain", "study-a"]


@pytest.fixture
def made(tada):
    tada.write("in.csv", write_csv(visits()))
    tada("key", "-o", "secret.key")
    return tada


def test_pseudonyms_stand_for_people_and_the_key_stays_secret(made):
    told = made("anonymize", "in.csv", "-o", "out.csv", *ROLES, *HIDE, "--report", "out.html")
    released = made.read("out.csv")
    names = collections.Counter(row["patient_id"] for row in released)
    assert len(names) == 40 and set(names.values()) == {3}
    assert all(re.fullmatch("[0-9a-f]{32}", name) for name in names)
    secret = (made.folder / "secret.key").read_text().split()[-1]
    for text in (told.stdout, told.stderr, (made.folder / "out.html").read_text(), (made.folder / "out.csv").read_text()):
        assert secret not in text and "p007" not in text
    homes = collections.defaultdict(set)
    for row in released:
        homes[row["age"], row["sex"]].add(row["patient_id"])
    assert min(len(people) for people in homes.values()) >= 5


def test_releases_join_only_in_one_domain(made):
    made("anonymize", "in.csv", "-o", "a.csv", *ROLES, *HIDE)
    made("anonymize", "in.csv", "-o", "b.csv", "--quasi", "age", "-k", "8", *HIDE)
    made("anonymize", "in.csv", "-o", "c.csv", *ROLES, *HIDE[:-1], "study-b")
    a, b, c = ({row["patient_id"] for row in made.read(f"{name}.csv")} for name in "abc")
    assert a == b and not a & c


def test_shifted_dates_keep_their_intervals(made):
    made("anonymize", "in.csv", "-o", "out.csv", *ROLES, *HIDE, "--shift-dates", "visit")
    days = collections.defaultdict(list)
    for row in made.read("out.csv"):
        days[row["patient_id"]].append(datetime.date.fromisoformat(row["visit"]))
    assert len(days) == 40
    starts = set()
    for dates in days.values():
        dates.sort()
        assert [(b - a).days for a, b in itertools.pairwise(dates)] == [7, 7]
        starts.add(dates[0])
    original = {datetime.date(2020, 1, 1) + datetime.timedelta(days=3 * i) for i in range(40)}
    assert len(starts - original) > 20
    made("anonymize", "in.csv", "-o", "months.csv", "--quasi", "age", "-k", "1", "--person", "patient_id", "--shift-dates", "visit:year",
         "--key", "secret.key", "--key-domain", "d")
    assert all(re.fullmatch(r"\d{4}", row["visit"]) for row in made.read("months.csv"))


def test_rows_that_few_people_have_are_not_released(made):
    made.write("odd.csv", write_csv(visits(odd=True)))
    told = made("anonymize", "odd.csv", "-o", "out.csv", *ROLES, *HIDE, code=4)
    assert "the largest k that all share is 1" in told.stderr
    assert not (made.folder / "out.csv").exists()
    made("anonymize", "odd.csv", "-o", "out.csv", *ROLES, "--person", "patient_id")
    uneven = visits()
    uneven[0]["visit"] = "2019-05-05"
    made.write("uneven.csv", write_csv(uneven))
    made("anonymize", "uneven.csv", "-o", "x.csv", *ROLES, *HIDE, "--shift-dates", "visit", code=4)
    made("anonymize", "uneven.csv", "-o", "x.csv", *ROLES, *HIDE)


def test_the_audit_counts_people_by_pseudonyms(made):
    made("anonymize", "in.csv", "-o", "out.csv", *ROLES, *HIDE, "--shift-dates", "visit")
    told = made("audit", "out.csv", *ROLES, *HIDE[:2], "--shift-dates", "visit", "--json")
    assert json.loads(told.stdout)["linked"] >= 5
    made("audit", "out.csv", "--original", "in.csv", *ROLES, *HIDE, "--shift-dates", "visit")
    rows = made.read("out.csv")
    other = [row for row in rows if row["age"] == rows[0]["age"]]
    somebody = next(row for row in other if row["patient_id"] != other[0]["patient_id"])
    somebody["patient_id"] = other[0]["patient_id"]  # now somebody has four rows, and somebody two
    made.write("broken.csv", write_csv(rows))
    told = made("audit", "broken.csv", *ROLES, *HIDE[:2], "--shift-dates", "visit", code=1)
    assert "share these with fewer than k=5 people" in " ".join(told.stdout.split())


def test_what_is_missing_is_said(made):
    told = made("anonymize", "in.csv", "-o", "x.csv", *ROLES, "--pseudonym", "patient_id", "--key-domain", "a", code=2)
    assert "--key" in told.stderr and "tada key" in told.stderr
    told = made("anonymize", "in.csv", "-o", "x.csv", *ROLES, *HIDE[:4], code=2)
    assert "--key-domain" in told.stderr
    told = made("anonymize", "in.csv", "-o", "x.csv", *ROLES, "--shift-dates", "visit", *HIDE[2:], code=2)
    assert "--person" in told.stderr
    told = made("anonymize", "in.csv", "-o", "x.csv", *ROLES, *HIDE, "--shift-dates", "age", code=2)
    assert "two roles" in told.stderr
    told = made("anonymize", "in.csv", "-o", "x.csv", *ROLES, "--key", "secret.key", code=2)
    assert "--pseudonym" in told.stderr
    told = made("anonymize", "in.csv", "-o", "x.csv", *ROLES, *HIDE, "--profile", "hipaa-safe-harbor", code=2)
    assert "does not allow --pseudonym" in told.stderr


def test_people_of_several_controllers_cannot_have_pseudonyms(made):
    """Who knows that two rows are one person's looks for whoever fits both classes; each controller hides people in one."""
    rows = [{**row, "site": "NS"[number % 3 > 0]} for number, row in enumerate(visits())]
    made.write("in.csv", write_csv(rows))
    told = made("anonymize", "in.csv", "-o", "out.csv", *ROLES, *HIDE, "--controller-column", "site", code=4).stderr
    assert "40 people have rows with several controllers" in told and not (made.folder / "out.csv").exists()

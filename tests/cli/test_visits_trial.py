"""A hospital's visits, as a new user would release them: from the raw table, through the warnings, to a release that an attacker who knows
all visits of a patient gets nothing out of. The table is made here; there is no real person in it."""

import collections
import datetime
import json

import pytest

from conftest import write_csv

DIAGNOSES = ["I10", "E11.65", "J45.9", "K21.0", "M54.5", "F32.2", "C50.1", "N39.0"]


def visits(people=300):
    rows = []
    for i in range(people):
        born = datetime.date(1940, 1, 1) + datetime.timedelta(days=i * 97 % 25000)
        for j in range(1 + i * 7919 % 5):
            rows.append(
                {
                    "patient_id": str(40000 + i),
                    "name": f"Person {chr(65 + i % 26)}{chr(97 + i // 26 % 26)}son",
                    "ssn": f"{100 + i % 500:03}-{10 + i % 80:02}-{1000 + i:04}",
                    "dob": born.isoformat(),
                    "zip": f"{10000 + i * 37 % 40 * 10}",
                    "sex": "MF"[i % 2],
                    "age": str(2020 - born.year + j),
                    "diagnosis": DIAGNOSES[(i + 3 * j) % 8],
                }
            )
    return rows


ROLES = ["--quasi", "age,zip:categorical,sex", "--sensitive", "diagnosis", "-k", "5", "-l", "3"]


@pytest.fixture
def hospital(tada):
    tada.write("visits.csv", write_csv(visits()))
    return tada


def test_the_first_try_is_stopped_and_says_what_to_do(hospital):
    told = hospital("anonymize", "visits.csv", "-o", "out.csv", *ROLES, code=2)
    assert "a class of k rows could be a single person" in " ".join(told.stderr.split())
    assert "--person patient_id" in told.stderr and "--rows-are-people" in told.stderr
    told = hospital("inspect", "visits.csv")
    assert told.stdout.index("300 people have") < told.stdout.index("\ncolumn")
    told = hospital("anonymize", "visits.csv", "-o", "out.csv", *ROLES, "--person", "patient_id", "--keep", "name,ssn", code=2)
    assert "'name'" in told.stderr or "'ssn'" in told.stderr
    assert not (hospital.folder / "out.csv").exists()


@pytest.mark.parametrize("method", ["mondrian", "compact", "topdown"])
def test_the_release_hides_patients_whatever_is_known_of_them(hospital, method):
    rows = visits()
    hospital("anonymize", "visits.csv", "-o", "out.csv", *ROLES, "--person", "patient_id", "--method", method, "--keep-order", "--report", "out.json")
    released = hospital.read("out.csv")
    assert set(released[0]) == {"age", "zip", "sex", "diagnosis"}
    patients, values, home = collections.defaultdict(set), collections.defaultdict(lambda: collections.defaultdict(set)), {}
    for cells, row in zip(released, rows, strict=True):
        key = cells["age"], cells["zip"], cells["sex"]
        patients[key].add(row["patient_id"])
        values[key][row["diagnosis"]].add(row["patient_id"])
        assert home.setdefault(row["patient_id"], key) == key, "all visits of a patient stand in one class"
    assert min(map(len, patients.values())) >= 5
    for key, by_value in values.items():
        assert len(by_value) >= 3 and max(map(len, by_value.values())) < len(patients[key]), "nothing is true of everybody"
    report = json.loads((hospital.folder / "out.json").read_text())
    assert report["reached"]["people"] >= 5
    assert report["risk"]["prosecutor"]["average"] == pytest.approx(len(patients) / len(home))  # of people, not of rows
    hospital("audit", "out.csv", "--original", "visits.csv", *ROLES, "--person", "patient_id", "--keep-order")
    found = json.loads(hospital("attack", "out.csv", "--original", "visits.csv", *ROLES[:4], "--person", "patient_id", "--json").stdout)
    assert found["all"]["by_all_rows"]["fewest_fitting"] >= 5
    assert found["all"]["by_all_rows"]["people"] == 300


def test_the_report_never_calls_people_rows(hospital):
    hospital("anonymize", "visits.csv", "-o", "out.csv", *ROLES, "--person", "patient_id", "--report", "out.html")
    sizes = collections.Counter((row["age"], row["zip"], row["sex"]) for row in hospital.read("out.csv"))
    page = (hospital.folder / "out.html").read_text()
    assert f"the smallest has {min(sizes.values())} rows" in page
    assert "No group has fewer than 5 people" in page


def test_rows_are_no_people(hospital):
    """What would have come out without --person: k rows, and an attacker who knows all visits of a patient."""
    hospital("anonymize", "visits.csv", "-o", "out.csv", *ROLES, "--rows-are-people", "--keep-order")
    hospital("audit", "out.csv", "--original", "visits.csv", *ROLES, "--person", "patient_id", "--keep-order", code=1)
    found = json.loads(hospital("attack", "out.csv", "--original", "visits.csv", *ROLES[:4], "--person", "patient_id", "--json").stdout)
    assert found["all"]["by_all_rows"]["fewest_fitting"] < 5

"""People who have several rows, in frames: the same guard, the same counting as in the program."""

import pytest

tada = pytest.importorskip("tada")
pyarrow = pytest.importorskip("pyarrow")

VISITS = [(i, j) for i in range(60) for j in range(1 + i * 7919 % 5)]
FRAME = pyarrow.table(
    {
        "patient_id": [f"p{i}" for i, _ in VISITS],
        "age": [20 + i * 13 % 40 + j for i, j in VISITS],
        "sex": ["mf"[i % 2] for i, _ in VISITS],
        "disease": [["flu", "gout", "mumps", "cold"][(i + 3 * j) % 4] for i, j in VISITS],
    }
)


def test_person_counts_people():
    release = tada.anonymize(FRAME, quasi=["age", "sex"], sensitive="disease", person="patient_id", k=5, keep_order=True)
    assert release.report["reached"]["people"] >= 5
    assert "patient_id" not in release.table.column_names
    people = {}
    for age, sex, (person, _) in zip(release.table["age"].to_pylist(), release.table["sex"].to_pylist(), VISITS, strict=True):
        people.setdefault(str((age, sex)), set()).add(person)
    assert min(map(len, people.values())) >= 5
    verdict = tada.audit(release.table, original=FRAME, quasi=["age", "sex"], sensitive="disease", person="patient_id", k=5)
    assert verdict.passed


def test_a_column_that_looks_like_people_and_repeats_needs_a_word():
    with pytest.raises(tada.UsageError, match="looks like an identifier of people"):
        tada.anonymize(FRAME, quasi=["age", "sex"], k=5)
    release = tada.anonymize(FRAME, quasi=["age", "sex"], rows_are_people=True, k=5)
    assert release.report["reached"]["k"] >= 5
    unique = FRAME.set_column(0, "patient_id", [[f"q{i}" for i in range(FRAME.num_rows)]])
    report = tada.anonymize(unique, quasi=["age", "sex"], k=5, report_raw=True).report
    assert "patient_id" in report["dropped"]


def test_inspect_proposes_the_person():
    profile = tada.inspect(FRAME)
    assert profile["people"] == 60
    assert "person = [" in profile.plan

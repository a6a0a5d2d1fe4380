"""Requirements on sensitive values from Python: the same names, thresholds as numbers or as texts."""

import pandas as pd
import pytest

import tada

ROWS = pd.DataFrame(
    {
        "age": [20 + i // 3 for i in range(120)],
        "salary": [1000 + i // 3 * 25 + i % 5 for i in range(120)],
        "disease": [("flu", "cold", "hiv")[i * 7 % 3] for i in range(120)],
    }
)


def test_a_number_is_for_all_sensitive_columns():
    release = tada.anonymize(ROWS, quasi="age", sensitive=["salary", "disease"], k=3, closeness=0.3)
    reached = release.report["reached"]["t"]
    assert set(reached) == {"salary", "disease"}
    assert max(reached.values()) <= 0.3


def test_texts_are_for_single_columns():
    asked = {"closeness": ["salary=0.2:ordered", "disease=0.25"], "likeness": "disease=1", "alpha": "disease=0.6:hiv", "spread": "salary=100"}
    release = tada.anonymize(ROWS, quasi="age", sensitive=["salary", "disease"], k=3, **asked)
    verdict = tada.audit(release.table, quasi="age", sensitive=["salary", "disease"], k=3, **asked)
    assert verdict.passed
    assert verdict.details["t"] == release.report["reached"]["t"]


def test_risk_sets_k():
    assert tada.anonymize(ROWS, quasi="age", risk=0.09).report["requirement"]["k"] == 12


def test_what_cannot_be_met_names_what_can():
    with pytest.raises(tada.InfeasibleError, match=r"smallest possible alpha=0\.3334"):
        tada.anonymize(ROWS, quasi="age", sensitive="disease", alpha=0.2)


def test_a_dictionary_is_refused_with_what_to_write():
    with pytest.raises(tada.UsageError, match="closeness cannot be a dictionary"):
        tada.anonymize(ROWS, quasi="age", sensitive="salary", closeness={"salary": 0.2})

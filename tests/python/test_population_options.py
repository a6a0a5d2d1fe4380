"""The table as a sample, from Python: same names and meanings as the command line."""

import pandas as pd
import pytest

import tada

ROLES = {"quasi": ["age", "zip"], "sensitive": "ill"}


@pytest.fixture
def survey():
    return pd.DataFrame(
        {
            "age": [20 + i % 17 for i in range(200)],
            "zip": [i * 7 % 5 for i in range(200)],
            "ill": [("flu", "cold", "hiv")[i * i % 3] for i in range(200)],
            "w": [1 + i % 9 for i in range(200)],
        }
    )


def test_max_risk_is_kept_and_audited(survey):
    release = tada.anonymize(survey, **ROLES, keep="w", k=2, max_risk=0.05, weights="w")
    assert release.report["reached"]["individual_risk"]["people"] <= 0.05
    assert release.report["requirement"]["max-risk"] == "0.05"
    verdict = tada.audit(release.table, **ROLES, keep="w", k=2, max_risk=0.05, weights="w")
    assert verdict.passed and verdict.verified
    assert not tada.audit(release.table, **ROLES, keep="w", k=2, max_risk=0.001, weights="w").passed


def test_inspect_and_attack_take_a_population(survey, tmp_path):
    profile = tada.inspect(survey, quasi=["age", "zip"], population=10_000, suda=1, row_risks=tmp_path / "rows.csv")
    assert profile["population"]["people"] == 10_000
    assert set(profile["suda"]["columns"]) >= {"age", "zip"}
    assert len(pd.read_csv(tmp_path / "rows.csv")) == 200
    release = tada.anonymize(survey, **ROLES, k=4)
    assert tada.attack(release.table, survey, **ROLES, population=10_000)["population"]["release"]["sample_uniques"] == 0
    assert tada.attack(release.table, survey, **ROLES, population=survey)["population_rows"] == 200


def test_what_is_wrong_is_refused(survey):
    with pytest.raises(tada.UsageError, match="leave one out"):
        tada.anonymize(survey, **ROLES, sampling=0.1, population=1000)


def test_compose_takes_further_requirements(survey):
    one, two = (tada.anonymize(survey, **ROLES, k=k).table for k in (5, 8))
    found = tada.compose(one, two, quasi=["age", "zip"], sensitive="ill", k=1, closeness="0.9")
    assert found.details["t"]["ill"] > 0

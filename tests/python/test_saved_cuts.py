"""Cuts that last, in Python: release.cuts, tada.apply, Anonymizer.transform of other rows."""

import pickle
import random
import sys

import pytest

from conftest import ROOT

tada = pytest.importorskip("tada")
pa = pytest.importorskip("pyarrow")
ROLES = {"quasi": ["age", "zip"], "sensitive": "disease", "k": 4, "l": 2}


def people(seed, rows=200):
    drawn = random.Random(seed)
    return pa.table(
        {
            "age": [drawn.randint(20, 80) for _ in range(rows)],
            "zip": [drawn.choice("ABCDE") for _ in range(rows)],
            "disease": [drawn.choice(["flu", "cold", "hiv"]) for _ in range(rows)],
        }
    )


@pytest.fixture
def first():
    return tada.anonymize(people(1), **ROLES, range="cut", save_cuts=True)


def test_a_release_has_cuts_if_they_were_asked_for(first, tmp_path):
    assert tada.anonymize(people(1), **ROLES).cuts is None
    assert first.cuts.details["by"] == "boxes" and first.cuts.details["cuts"] == 1
    first.cuts.save(tmp_path / "cuts.json")
    assert tada.Cuts.load(tmp_path / "cuts.json") == first.cuts
    with pytest.raises(tada.OutputError):
        first.cuts.save(tmp_path / "cuts.json")
    written = tada.anonymize(people(1), **ROLES, range="cut", save_cuts=tmp_path / "direct.json")
    assert tada.Cuts.load(tmp_path / "direct.json") == written.cuts
    with pytest.raises(tada.UsageError, match="save"):
        tada.anonymize(people(1), **ROLES, method="compact", save_cuts=True)


def test_apply_takes_cuts_a_release_or_a_file(first, tmp_path):
    first.cuts.save(tmp_path / "cuts.json")
    made = [tada.apply(cuts, people(2)).table for cuts in (first.cuts, first, tmp_path / "cuts.json")]
    assert made[0].equals(made[1]) and made[0].equals(made[2])
    assert tada.audit(made[0], **ROLES).passed
    assert tada.apply(first, people(1)).table.equals(first.table)
    with pytest.raises(tada.UsageError, match="save_cuts"):
        tada.apply(tada.anonymize(people(1), **ROLES), people(2))
    with pytest.raises(tada.DataError, match="damaged"):
        tada.apply(tada.Cuts(first.cuts.text[:-40]), people(2))
    with pytest.raises(tada.InfeasibleError):
        tada.apply(first, people(2, 3))


def test_withheld_rows_are_counted(first):
    second = tada.apply(first, people(2), misfits="withhold")
    assert second.table.num_rows + second.report["applied"]["withheld_rows"] == 200
    assert second.report["applied"]["raised"] == 0
    assert any("withheld" in warning for warning in second.warnings)


def test_cuts_survive_a_pickle(first):
    again = pickle.loads(pickle.dumps(first))
    assert again.cuts == first.cuts
    assert tada.apply(again, people(2)).table.equals(tada.apply(first, people(2)).table)


def test_the_anonymizer_releases_other_rows_by_its_cuts():
    pytest.importorskip("sklearn")
    import tada.sklearn

    made = tada.sklearn.Anonymizer(**ROLES, range="cut", threads=1).fit(people(1))
    other = people(2)
    table = made.transform(other)
    assert table.num_rows == 200 and table.column_names == made.release_.table.column_names
    released = table.filter(pa.compute.is_valid(table["disease"]))
    assert tada.audit(released, **ROLES).passed
    for row in range(200):  # in the order of the rows, raw ones nowhere
        if table["disease"][row].is_valid:
            assert table["disease"][row] == other["disease"][row]
    assert made.transform(people(1)).equals(made.release_.table)
    with pytest.raises(tada.InfeasibleError):
        made.transform(other.slice(0, 2))
    with pytest.raises(tada.UsageError, match="not anonymized"):
        tada.sklearn.Anonymizer(**ROLES, method="compact").fit(people(1)).transform(other)


@pytest.mark.slow
def test_adult_of_next_month_is_read_by_the_model_of_this_one(data):
    sys.path.insert(0, str(ROOT / "studies"))
    import saved_cuts

    for misfits in ("up", "withhold"):
        found = saved_cuts.study(data, 10, "infogain", misfits)
        assert found["audit"] == 1
        assert found["of_first_raw"] > found["of_second_raw"] - 0.02
        assert found["of_first"] > found["of_second"] - 0.025
        assert found["withheld"] == pytest.approx(0.0 if misfits == "up" else 0.143, abs=0.02)
    assert found["old_cells"] == 1  # with misfits withheld, every cell is one of the first release

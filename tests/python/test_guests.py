"""What users of other libraries expect: cells that pandas can group, frames that are read late, a short list of names."""

import json

import pytest
from test_commands import built

from conftest import make_people, write_csv
from frames import people, roles  # noqa: F401 - fixtures

tada = pytest.importorskip("tada")
pa = pytest.importorskip("pyarrow")


def test_cells_of_a_frame_can_be_grouped_and_counted(people, roles):
    pandas = pytest.importorskip("pandas")
    release = tada.anonymize(people, **roles)
    frame = release.to_pandas()
    assert isinstance(frame["age"].dtype, pandas.IntervalDtype)
    assert frame.groupby(["age", "state"], observed=True).size().min() >= 2
    assert frame["state"].nunique() == len(set(frame["state"])) and len(frame.drop_duplicates()) <= len(frame)
    assert frame.equals(tada.read_release(release))


def test_a_set_among_names_is_a_frozenset():
    pytest.importorskip("pandas")
    rows = pa.table({"town": ["Ulm", "Jena", "Bonn", "Kiel"] * 3})
    cells = tada.anonymize(rows, quasi="town", k=5).to_pandas()["town"]
    assert any(isinstance(cell, frozenset) for cell in cells) and cells.nunique() >= 1


def test_lazy_frames_and_datasets_go_in(people, roles, tmp_path):
    expected = tada.anonymize(people, **roles).table
    import pyarrow.dataset
    import pyarrow.parquet

    pyarrow.parquet.write_table(people, tmp_path / "people.parquet")
    dataset = pyarrow.dataset.dataset(tmp_path / "people.parquet")
    assert tada.anonymize(dataset, **roles).table.equals(expected)
    polars = pytest.importorskip("polars")
    lazy = polars.DataFrame(people).lazy()
    assert tada.anonymize(lazy, **roles).table.num_rows == 10
    assert tada.inspect(lazy)["rows"] == 10
    with pytest.raises(tada.DataError, match="failed to hand over its rows"):
        tada.inspect(polars.DataFrame({"a": [1]}).lazy().select("b"))


def test_dir_shows_the_public_names_only():
    assert set(dir(tada)) == {*tada.__all__, "__version__"} and "json" not in dir(tada)
    assert all(hasattr(tada, name) for name in dir(tada))


def test_a_comparison_is_that_of_the_program(tmp_path):
    file = tmp_path / "people.csv"
    file.write_text(write_csv(make_people(400)))
    line = ["--quasi", "age,zip:categorical,job", "--sensitive", "disease", "-k", "5"]
    for method in ("mondrian", "compact"):
        built(tmp_path, "anonymize", file, *line, "--method", method, "-o", f"{method}.csv")
    expected = json.loads(built(tmp_path, "compare", "mondrian.csv", "compact.csv", "--original", file, *line, "--json").stdout)
    options = {"quasi": ["age", "zip:categorical", "job"], "sensitive": "disease", "k": 5}
    found = tada.compare(tmp_path / "mondrian.csv", tmp_path / "compact.csv", original=file, **options, report=tmp_path / "compare.html")
    assert found.releases == expected["releases"] and found.original == expected["original"]
    assert "Confidential" in found.to_html() and "Confidential" in (tmp_path / "compare.html").read_text()
    pytest.importorskip("pandas")
    assert list(found.to_pandas().index) == ["mondrian.csv", "compact.csv"]
    with pytest.raises(tada.UsageError, match="names"):
        tada.compare(tmp_path / "mondrian.csv", original=file, names=["a", "b"], **options)


def test_functions_are_methods_of_a_grid(people):
    rows = pa.concat_tables([people] * 6)

    def masked(frame, k):
        assert k == 3 and 0 < len(frame) < rows.num_rows
        return frame.assign(age="*", state="*")

    def broken(frame):
        raise ValueError("cells of the table")

    methods = {"raw": None, "mondrian": None, "mine": masked, "theirs": lambda frame: frame.assign(age=range(len(frame))), "broken": broken}
    found = tada.evaluate(rows, quasi=["age", "state"], label="job", methods=methods, k=3, seeds=2, learners="tree")
    summary = {entry["method"]: entry for entry in found.summary}
    assert not summary["mine"]["problem"] and summary["mine"]["seeds"] == 2 and summary["mine"]["ncp"] == 1 and summary["mondrian"]["seeds"] == 2
    assert summary["theirs"]["seeds"] == 0 and "audit fails" in summary["theirs"]["problem"]
    assert summary["broken"]["problem"] == "broken failed: ValueError"
    with pytest.raises(tada.UsageError, match="no function"):
        tada.evaluate(rows, quasi=["age"], label="job", methods={"mine": 3})


def test_networks_and_boosting_judge_releases(people):
    pytest.importorskip("sklearn")
    rows = pa.concat_tables([people] * 20)
    found = tada.evaluate(rows, quasi=["age", "state"], label="job", methods=["raw", "mondrian"], k=3, seeds=1, learners=["tree", "mlp", "boosting"])
    assert {entry["learner"] for entry in found.summary} == {"tree", "mlp", "boosting"}
    raw = {entry["learner"]: entry["mean"] for entry in found.summary if entry["method"] == "raw"}
    assert raw["mlp"] > 0.4 and raw["boosting"] > 0.4


def test_people_leave_and_numbers_are_clipped(people):
    rows = pa.concat_tables([people] * 10)
    release = tada.anonymize(rows, quasi=["age", "state"], k=5, withhold=5, clip="age=20..60", importance=["age=2"])
    assert release.table.num_rows == 100 - release.report["reached"]["withheld"]
    assert tada.audit(release.table, original=rows, quasi=["age", "state"], k=5, withhold=5, clip="age=20..60").passed
    means = tada.anonymize(rows, quasi=["age", "state"], k=5, recode="mean", keep_order=True)
    assert tada.audit(means.table, original=rows, quasi=["age", "state"], k=5, recode="mean", keep_order=True).passed


def test_a_release_of_means_shows_itself(people):
    release = tada.anonymize(people, quasi=["age", "state"], k=3, recode="mean")
    assert release.report["loss"]["ncp"] is None
    assert "means for cells" in repr(release) and "numbers are means" in release._repr_html_()

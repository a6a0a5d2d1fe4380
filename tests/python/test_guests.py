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

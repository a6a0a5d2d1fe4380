"""ReleaseEncoder: raw rows get the encoding of released ones, in every mode, whatever a column holds."""

import datetime
import warnings

import pytest

tada = pytest.importorskip("tada")
pa = pytest.importorskip("pyarrow")
pytest.importorskip("sklearn")
numpy = pytest.importorskip("numpy")

import tada.sklearn  # noqa: E402
from tada._cells import Reading, parse_text  # noqa: E402

ROWS = 90
CODES = [f"{number:05d}" for number in (7, 118, 229, 340, 451, 673)]
RAW = {
    "age": [18 + (7 * row) % 60 for row in range(ROWS)],
    "smokes": [row % 3 == 0 for row in range(ROWS)],
    "zip": [CODES[(5 * row) % 6] for row in range(ROWS)],
    "code": [1234567 + (5 * row) % 4 for row in range(ROWS)],
    "born": [datetime.datetime(2020, 1, 1) + datetime.timedelta(days=(11 * row) % ROWS) for row in range(ROWS)],
}
KINDS = {"zip": ":categorical", "code": ":categorical"}
MODES = pytest.mark.parametrize("mode", [mode for mode in tada.sklearn.MODES if mode != "model"])  # that one needs labels


@pytest.fixture(scope="module")
def raw():
    return pa.table(RAW)


def release_of(raw, *columns, k=4, **options):
    return tada.anonymize(raw, quasi=[name + KINDS.get(name, "") for name in columns], k=k, keep_order=True, threads=1, **options)


def encoder(columns, mode="multi-hot"):
    return tada.sklearn.ReleaseEncoder(columns=columns, mode=mode, standardize=False)


def texts_of(column, values):
    return [str(value).lower() if column == "smokes" else str(value) for value in values]


@MODES
@pytest.mark.parametrize("cells", ["typed", "text"])
@pytest.mark.parametrize("column", ["smokes", "zip", "code"])
def test_raw_names_have_one_feature_each(raw, column, cells, mode):
    release = release_of(raw, "age", column, cells=cells)
    fitted = encoder(column, mode).fit(release)
    names = [f"{column}={value}" for value in sorted(set(texts_of(column, RAW[column])))]
    assert list(fitted.get_feature_names_out()) == names
    encoded = fitted.transform(raw)
    found = [names[row.argmax()] for row in encoded]
    assert found == [f"{column}={value}" for value in texts_of(column, RAW[column])] and set(encoded.sum(axis=1)) == {1.0}


@MODES
def test_a_released_csv_is_read_like_its_release(raw, mode, tmp_path):
    release = release_of(raw, "age", "smokes", "zip", "born")
    release.write(tmp_path / "out.csv")
    from pyarrow import csv

    types = {name: pa.string() for name in raw.column_names}
    texts = csv.read_csv(tmp_path / "out.csv", convert_options=csv.ConvertOptions(column_types=types))
    one, other = encoder(None, mode).fit(release), encoder(None, mode).fit(texts)
    assert list(one.get_feature_names_out()) == list(other.get_feature_names_out())
    assert numpy.allclose(one.transform(raw), other.transform(raw)) and numpy.allclose(one.transform(release), other.transform(texts))


@MODES
def test_modes_agree_on_what_is_a_number(mode):
    digits = pa.table({"code": ["1", "2", "3", "10"] * 10})
    release = tada.anonymize(digits, quasi=["code:categorical"], k=12, threads=1)
    assert list(encoder("code", mode).fit(release).get_feature_names_out()) == ["code=1", "code=10", "code=2", "code=3"]
    one_each = tada.anonymize(digits, quasi=["code:categorical"], k=2, threads=1, cells="text")
    assert encoder("code", mode).fit(one_each).readings_ == {"code": "names"}  # the release knows, its cells do not tell
    assert encoder("code", mode).fit(one_each.table).readings_ == {"code": "numbers"}


@MODES
def test_dates_are_days(raw, mode):
    release = release_of(raw, "age", "born")
    fitted = encoder("born", mode).fit(release)
    days = [(moment - datetime.datetime(1970, 1, 1)).days for moment in RAW["born"]]
    assert list(fitted.get_feature_names_out()) == ["born"] and fitted.transform(raw)[:, 0].tolist() == days
    written = pa.table({"born": [moment.isoformat() for moment in RAW["born"]]})
    assert fitted.transform(written)[:, 0].tolist() == days
    for encoded, cell in zip(fitted.transform(release)[:, 0], release.table["born"].to_pylist(), strict=True):
        epoch = datetime.datetime(1970, 1, 1)
        assert (cell["lo"] - epoch).days <= encoded <= (cell["hi"] - epoch).days


@MODES
@pytest.mark.parametrize("column, builder", [("age", "width:10"), ("born", "dates")])
def test_labels_that_are_ranges_are_read_as_such(raw, mode, column, builder):
    release = release_of(raw, column, hierarchy=[f"{column}={builder}"], k=5)
    assert release.table[column].type == pa.string()
    fitted = encoder(column, mode).fit(release)
    assert list(fitted.get_feature_names_out()) == [column]
    numbers = RAW["age"] if column == "age" else [(moment - datetime.datetime(1970, 1, 1)).days for moment in RAW["born"]]
    assert fitted.transform(raw)[:, 0].tolist() == numbers
    ranges = [parse_text(cell, Reading(fitted.readings_[column])) for cell in release.table[column].to_pylist()]
    assert sum(isinstance(cell, tada.Interval) for cell in ranges) > ROWS / 2
    for encoded, cell, number in zip(fitted.transform(release)[:, 0], ranges, numbers, strict=True):
        assert not isinstance(cell, tada.Interval) or (cell.lo <= encoded < cell.hi and cell.lo <= number < cell.hi)


def test_half_open_and_one_sided_ranges_have_a_middle():
    table = pa.table({"age": ["[0,40)", "[40,60)", "20-30", ">=60", "<10", "34", "*", None]})
    assert encoder("age").fit(table).transform(table)[:6, 0].tolist() == [20, 50, 25, 60, 5, 34]
    assert encoder("age").fit(table).readings_ == {"age": "numbers"}


@MODES
def test_a_pattern_is_all_that_it_matches(raw, mode):
    release = release_of(raw, "zip", hierarchy=["zip=prefix"], k=20)
    assert any("*" in cell for cell in release.table["zip"].to_pylist())
    fitted = encoder("zip", mode).fit(release)
    assert (fitted.transform(release) == fitted.transform(raw)).all()


def test_names_that_look_like_numbers_or_cells_stay_names():
    strange = pa.table({"c": ["nan", "inf"] * 5})
    assert encoder("c").fit_transform(strange).tolist() == [[0, 1], [1, 0]] * 5
    cells = pa.table({"c": pa.array([["*"], ["{x}"], ["[1,2]"], ["a"], ["a", "*"]])})
    fitted = encoder("c").fit(cells)
    assert list(fitted.get_feature_names_out()) == ["c=*", "c=[1,2]", "c=a", "c={x}"]
    assert fitted.transform(pa.table({"c": ["*", "{x}", "[1,2]", "a"]})).tolist() == [[1, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]]


def test_codes_are_found_however_a_frame_holds_them():
    release = tada.anonymize(pa.table({"code": [100000, 250000] * 5}), quasi=["code:categorical"], k=5, threads=1)
    fitted = encoder("code").fit(release)
    for held in ([100000, 250000], [100000.0, 250000.0], ["100000", "250000"]):
        assert fitted.transform(pa.table({"code": held})).tolist() == [[1, 0], [0, 1]]


def test_a_column_that_no_row_knows_is_warned_of(raw):
    names = encoder("zip").fit(release_of(raw, "age", "zip"))
    numbers = encoder("age").fit(release_of(raw, "age", "zip"))
    with pytest.warns(UserWarning, match="Column zip: none of these rows"):
        assert not names.transform(pa.table({"zip": ["Bonn", "Berlin"]})).any()
    with pytest.warns(UserWarning, match="Column age: none of these rows"):
        numbers.transform(pa.table({"age": ["young", "old"]}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        names.transform(pa.table({"zip": ["Bonn", CODES[0]]}))
        names.transform(pa.table({"zip": pa.array([None], pa.string())}))


def test_a_column_without_any_number_tells_nothing():
    masked = pa.table({"age": pa.array([None, None], pa.struct([("lo", pa.int64()), ("hi", pa.int64())])), "x": [1, 2]})
    assert encoder(None).fit(masked).transform(pa.table({"age": [33, 44], "x": [3, 4]})).tolist() == [[0, 3], [0, 4]]


def test_columns_of_a_matrix_are_all_counted():
    matrix = numpy.array([[1, 2, 3.0], [4, 5, 6], [7, 8, 1]])
    fitted = encoder(["x0"]).fit(matrix)
    assert fitted.n_features_in_ == 3 and list(fitted.feature_names_in_) == ["x0", "x1", "x2"]
    assert fitted.transform(matrix).tolist() == [[1], [4], [7]]
    with pytest.raises(ValueError, match="X has 1 features, but ReleaseEncoder is expecting 3"):
        fitted.transform(matrix[:, :1])


@MODES
def test_parsed_cells_are_encoded_too(raw, mode):
    pytest.importorskip("pandas")
    release = release_of(raw, "age", "smokes", "zip", "born")
    frame = tada.read_release(release)
    one, other = encoder(None, mode).fit(release), encoder(None, mode).fit(frame)
    assert numpy.allclose(one.transform(raw), other.transform(raw)) and numpy.allclose(one.transform(release), other.transform(frame))


def test_a_column_name_may_end_like_a_kind(raw):
    renamed = raw.select(["age", "zip"]).rename_columns(["age:numeric", "zip"])
    released = tada.sklearn.Anonymizer(k=3, threads=1).fit_transform(renamed)
    assert released.column_names == ["age:numeric", "zip"]
    assert encoder(["age:numeric"], "draw").fit(released).transform(renamed)[:, 0].tolist() == RAW["age"]


@MODES
@pytest.mark.parametrize("cells", ["typed", "text"])
def test_a_value_that_a_set_names_is_no_pattern(cells, mode):
    sets = [["A*", "AB"], ["A*", "C"], ["AB", "C"], ["A*", "x~y"], ["**", "C"], ["C"]]
    texts = ["{" + ",".join(names) + "}" if len(names) > 1 else names[0] for names in sets]
    fitted = encoder("g", mode).fit(pa.table({"g": sets if cells == "typed" else texts}))
    assert list(fitted.get_feature_names_out()) == ["g=**", "g=A*", "g=AB", "g=C", "g=x~y"]
    encoded = fitted.transform(pa.table({"g": ["**", "A*", "AB", "C", "x~y"]}))
    assert encoded.tolist() == numpy.eye(5).tolist()
    lists = fitted.transform(pa.table({"g": [["A*"], ["AB"], ["C"]]}))
    assert lists.tolist() == numpy.eye(5)[1:4].tolist()


def test_a_text_beside_the_sets_that_name_it_is_that_value():
    fitted = encoder("g").fit(pa.table({"g": ["{A*,AB}", "A*", "AB", "B*"]}))
    assert list(fitted.get_feature_names_out()) == ["g=A*", "g=AB", "g=B*"]
    assert fitted.transform(pa.table({"g": ["A*", "AB", "B*", "BX"]})).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1]]


@MODES
@pytest.mark.parametrize("kind", ["Categorical", "Enum"])
def test_categories_of_polars_are_names(kind, mode):
    polars = pytest.importorskip("polars")
    names = ["x", "y", None, "z"] * 10
    column = polars.Series(names, dtype=polars.Categorical if kind == "Categorical" else polars.Enum(["z", "y", "x"]))
    frame = polars.DataFrame({"c": column, "age": RAW["age"][:40]})
    release = tada.sklearn.Anonymizer(k=3, threads=1).fit_transform(frame)
    fitted = encoder("c", mode).fit(release)
    assert [list(row).index(1) for row in fitted.transform(frame)] == [["", "x", "y", "z"].index(name or "") for name in names]
    assert encoder("c", mode).fit_transform(frame).tolist() == fitted.transform(frame).tolist()
    assert tada.read_release(frame)["c"].tolist()[:2] == ["x", "y"]


@MODES
@pytest.mark.parametrize("cells", ["typed", "text"])
def test_spellings_of_missing_are_those_of_the_release(cells, mode):
    ages = [-999 if row % 5 == 0 else age for row, age in enumerate(RAW["age"])]
    states = ["NA" if row % 3 == 0 else "CMN"[row % 2] for row in range(ROWS)]
    raw = pa.table({"age": ages, "state": states})
    release = tada.anonymize(raw, quasi=["age", "state"], missing=["-999", "NA"], k=4, keep_order=True, threads=1, cells=cells)
    whole, told = encoder(None, mode).fit(release), tada.sklearn.ReleaseEncoder(mode=mode, standardize=False, missing=["-999", "NA"]).fit(release.table)
    for fitted in (whole, told):
        assert list(fitted.get_feature_names_out()) == ["age", "state=", "state=C", "state=M"]
        encoded = fitted.transform(raw)
        for age, state, row in zip(ages, states, encoded, strict=True):
            assert row[0] == (fitted.numeric_["age"] if age == -999 else age)
            assert list(row[1:]).index(1) == ["NA", "C", "M"].index(state) and row[1:].sum() == 1
    assert 20 < whole.numeric_["age"] < 80 and numpy.allclose(whole.transform(release), told.transform(release))

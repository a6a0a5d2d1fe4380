"""What goes in: values of numpy, frames of pandas, readers, and files, which are read and refused as the program does."""

import subprocess

import pytest

from conftest import BINARY
from frames import PEOPLE, people, roles  # noqa: F401 - fixtures

tada = pytest.importorskip("tada")
pa = pytest.importorskip("pyarrow")
QUASI = ["age", "state"]
ADVISE = {"quasi": QUASI, "hierarchy": ["age=width:10"], "validate": "none", "baselines": "none"}


def test_numbers_of_numpy_are_numbers(people, roles):
    numpy = pytest.importorskip("numpy")
    expected = tada.anonymize(people, **roles, keep_order=True).table
    for two in (numpy.int64(2), numpy.uint8(2), numpy.array(2)):
        assert tada.anonymize(people, **{**roles, "k": two, "l": two}, keep_order=numpy.True_).table.equals(expected)
    assert tada.anonymize(people, quasi=numpy.array(["age"]), k=2, relaxed=numpy.bool_(True))
    assert tada.decode(tada.anonymize(people, **roles), copies=numpy.int32(2)).num_rows == 20
    assert tada.attack(expected, people, quasi=QUASI, people=numpy.int64(4))["released_rows"] == 10
    advice = tada.advise(people, label="job", **ADVISE, coverage=numpy.float32(5), min_k=numpy.int16(2))
    assert advice.rules == tada.advise(people, label="job", **ADVISE).rules
    found = tada.evaluate(people, quasi=QUASI, label="income", methods="mondrian", k=numpy.arange(2, 4), seeds=numpy.int64(1), learners="tree")
    assert [entry["k"] for entry in found.summary] == [2, 3]


def test_a_grid_of_numpy_is_searched(people):
    numpy = pytest.importorskip("numpy")
    pytest.importorskip("sklearn")
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.tree import DecisionTreeClassifier

    from tada.sklearn import Anonymizer, ReleaseEncoder

    frame = pa.concat_tables([people] * 3).select(QUASI).to_pandas()
    steps = make_pipeline(Anonymizer(threads=1, other_rows="raw"), ReleaseEncoder(), DecisionTreeClassifier())
    grid = GridSearchCV(steps, {"anonymizer__k": numpy.arange(2, 4)}, cv=2, error_score="raise")
    assert grid.fit(frame, [0, 1, 1] * 10).best_params_["anonymizer__k"] in (2, 3)


@pytest.mark.parametrize("value", [True, 2.5, float("nan"), b"2", object(), [None]])
def test_what_is_no_number_is_refused(people, value):
    numpy = pytest.importorskip("numpy")
    wrong = [value, numpy.asarray(value)] if isinstance(value, (bool, float)) else [value]
    for k in wrong:
        with pytest.raises(tada.UsageError, match=r"^k=? "):
            tada.anonymize(people, quasi="age", k=k)


def test_nothing_is_no_spelling(people):
    with pytest.raises(tada.UsageError, match="missing"):
        tada.anonymize(people, quasi="age", k=2, missing=[None])
    assert tada.anonymize(people, quasi="age", k=2, missing=("", "NA"))


@pytest.mark.parametrize("option", ["memory", "output", "json", "quiet"])
def test_options_of_the_program_say_what_stands_for_them(people, option):
    with pytest.raises(tada.UsageError, match=option) as caught:
        tada.anonymize(people, quasi="age", k=2, **{option: True})
    assert "Did you mean" not in str(caught.value) and caught.value.hint
    with pytest.raises(tada.UsageError, match="Did you mean 'report'"):
        tada.anonymize(people, quasi="age", k=2, reprot="x.html")


@pytest.mark.parametrize("name", [None, "person"])
def test_the_index_of_pandas_is_no_column(people, roles, name):
    pandas = pytest.importorskip("pandas")
    frame = people.to_pandas()
    frame.index = pandas.Index([f"p{i}" for i in range(10)], name=name)
    before = list(frame.index)
    assert [column["name"] for column in tada.inspect(frame)["columns"]] == people.column_names
    advice = tada.advise(frame, label="job", validate="none", baselines="none")
    assert "index" not in advice.details["plan"] and "person" not in advice.details["plan"]
    release = tada.anonymize(frame, **roles)
    assert release.table.to_pylist() == tada.anonymize(people, **roles).table.to_pylist()
    assert tada.audit(release.to_pandas().set_index("job"), original=frame, quasi=QUASI, k=2).passed
    assert tada.read_release(release.to_pandas().set_index("job")).columns.to_list() == [*QUASI, "income"]
    assert list(frame.index) == before  # theirs stays as it is
    with pytest.raises(tada.UsageError, match=r"__index_level_0__|person"):
        tada.anonymize(frame, quasi=["age"], keep=name or "__index_level_0__", k=2)


def bad_columns():
    pandas = pytest.importorskip("pandas")
    yield pandas.Series([1, "secret"] * 5, dtype=object), "int, str"
    yield pandas.Series(["secret", 1] * 5, dtype=object), "int, str"
    yield pandas.Series([1j] * 10), "complex128"
    yield pandas.Series(pandas.arrays.SparseArray([0] * 10)), "Sparse"
    yield pandas.Series([object()] * 10), "object"
    yield pandas.Series([10**30] * 10, dtype=object), "int"


def test_periods_are_refused(people):
    pandas = pytest.importorskip("pandas")
    frame = people.to_pandas().assign(month=pandas.period_range("2020-01", periods=10, freq="M"))
    with pytest.raises(tada.DataError, match="column month: periods") as caught:
        tada.anonymize(frame, quasi="month", k=2)
    assert "astype(str)" in caught.value.hint
    assert tada.anonymize(frame.assign(month=frame["month"].astype(str)), quasi="month", k=2)


def test_a_column_that_pandas_cannot_hand_over_is_named(people):
    for column, words in bad_columns():
        with pytest.raises(tada.DataError, match="the frame, column odd: ") as caught:
            tada.anonymize(people.to_pandas().assign(odd=column), quasi=["age"], k=2)
        assert words in str(caught.value) and "secret" not in str(caught.value)
        assert caught.value.__context__ is None  # whose words would hold a cell


def objects(*cells):
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame({"c": pandas.Series(cells, dtype=object)})


@pytest.mark.parametrize("kind", ["mask", "set", "interval"])
def test_plain_values_beside_parsed_cells_stay_apart(kind):
    pandas, numpy = pytest.importorskip("pandas"), pytest.importorskip("numpy")
    cell = {"mask": tada.MASK, "set": frozenset(["a", "b"]), "interval": pandas.Interval(1, 9, closed="both")}[kind]
    for values in (range(10001, 10006), ["v", "w", "x", "y", "z"], numpy.arange(5, dtype="float32") / 10, [1.5, 2, "3", True, numpy.int8(4)]):
        frame = objects(*values, *[cell] * 5)
        verdict = tada.audit(frame, quasi=["c:categorical"], k=5)
        assert not verdict.passed and verdict.k == 1
        assert tada.compose(frame, frame, quasi=["c:categorical"], k=2).k == 1
    kept = tada.anonymize(objects(cell, 10001, "x", 0.25, None).assign(age=1), quasi="age", keep="c", k=5, keep_order=True).table["c"]
    assert kept.to_pylist()[1:4] == ["10001", "x", "0.25"]


def test_values_beside_parsed_cells_are_written_as_the_engine_writes_them():
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    original = pa.table({"c": pa.array([0.1, 100000, 2.5], pa.float32())})
    cells = original["c"].to_numpy()
    for wide in (tada.MASK, pandas.Interval(0, 9, closed="both")):
        assert tada.audit(objects(cells[0], cells[1], wide), original=original, quasi="c", k=1).passed
    assert not tada.audit(objects(cells[0], numpy.float32(7), tada.MASK), original=original, quasi="c", k=1).passed
    sets = objects(frozenset([1, 2]), frozenset([1, 2]), 3)
    assert tada.audit(sets, original=pa.table({"c": [1, 2, 3]}), quasi="c:categorical", k=1).passed


@pytest.mark.parametrize("value", [("secret",), b"secret", 1j, ["secret"], {"secret": 1}])
def test_values_without_a_text_beside_parsed_cells_are_refused(value):
    pandas = pytest.importorskip("pandas")
    for cell in (tada.MASK, frozenset(["a", "b"]), pandas.Interval(1, 9, closed="both")):
        with pytest.raises(tada.DataError, match=f"the release, column c: .*{type(value).__name__}") as caught:
            tada.audit(objects(cell, value), quasi="c", k=1)
        assert "secret" not in str(caught.value)
    if type(value) in (tuple, bytes, complex):
        with pytest.raises(tada.DataError, match=type(value).__name__):
            tada.audit(objects(frozenset([value, "a"])), quasi="c", k=1)


def test_a_bad_column_beside_parsed_cells_is_named():
    frame = objects(tada.MASK, "a").assign(odd=[1, "secret"])
    for call in (lambda: tada.audit(frame, quasi="c", k=1), lambda: tada.read_release(frame)):
        with pytest.raises(tada.DataError, match="column odd: values of several types: int, str") as caught:
            call()
        assert "secret" not in str(caught.value) and caught.value.__context__ is None


def test_a_column_name_twice_in_pandas_is_a_data_error(people):
    frame = people.to_pandas()
    frame.columns = ["name", "age", "age", "income", "job"]
    with pytest.raises(tada.DataError, match="two columns have the name 'age'"):
        tada.anonymize(frame, quasi=["age"], k=2)


def test_a_reader_that_was_read_says_so(people, roles):
    reader = people.to_reader()
    with pytest.raises(tada.UsageError):
        tada.anonymize(reader, quasi=["agee"], k=2)
    release = tada.anonymize(reader, **roles)  # nothing was read before the mistake was found
    with pytest.raises(tada.DataError, match="the original is a RecordBatchReader that was read before"):
        tada.audit(release, original=reader, quasi=QUASI, k=2)
    with pytest.raises(tada.DataError, match="read before"):
        tada.advise(reader, label="job", **ADVISE)


def test_a_reader_is_not_read_twice_by_one_call(people):
    for call in (lambda one: tada.audit(one, original=one, quasi=QUASI, k=1), lambda one: tada.compose(one, one, quasi=QUASI, k=1)):
        with pytest.raises(tada.DataError, match="read before"):
            call(people.to_reader())


def test_advice_on_a_reader_can_be_followed(people):
    advice = tada.advise(people.to_reader(), label="job", **ADVISE)
    assert advice.release(advice.frontier[0]["id"]).table.num_rows == 10


@pytest.fixture
def carets(tmp_path):
    """people.csv with ^ between cells, and a plan that says so."""
    lines = ["^".join(PEOPLE), *("^".join(map(str, row)) for row in zip(*PEOPLE.values(), strict=True))]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "tada.toml").write_text('quasi = ["age", "state"]\nlabel = ["job"]\nk = 2\ndelimiter = "^"\n')
    return {"frame": tmp_path / "people.csv", "plan": tmp_path / "tada.toml"}


def test_the_delimiter_of_a_plan_is_that_of_its_file(carets, people, tmp_path):
    release = tada.anonymize(carets["frame"], plan=carets["plan"])
    assert release.table.equals(tada.anonymize(people, plan=carets["plan"]).table)
    release.write(tmp_path / "package.csv")
    line = ["anonymize", carets["frame"], "--plan", carets["plan"], "-o", tmp_path / "program.csv"]
    subprocess.run([str(BINARY), *map(str, line)], capture_output=True, timeout=60, check=True)
    assert (tmp_path / "package.csv").read_bytes() == (tmp_path / "program.csv").read_bytes()
    assert tada.audit(tmp_path / "package.csv", original=carets["frame"], plan=carets["plan"]).passed
    assert tada.decode(tmp_path / "package.csv", plan=carets["plan"], copies=1).num_rows == 10
    with pytest.raises(tada.UsageError, match="not have"):
        tada.anonymize(carets["frame"], plan=carets["plan"], delimiter=",")


def test_a_plan_that_cannot_be_read_is_said_before_the_file(carets, tmp_path):
    (tmp_path / "bad.toml").write_text("a b\n")
    (tmp_path / "number.toml").write_text("delimiter = 5\n")
    for name in ["bad.toml", "number.toml", "nowhere.toml"]:
        with pytest.raises(tada.UsageError, match=r"TOML|delimiter|nowhere"):
            tada.anonymize(carets["frame"], plan=tmp_path / name)


def test_advice_is_released_by_its_delimiter(carets):
    for given in ({"delimiter": "^", "label": "job"}, {"plan": carets["plan"]}):  # the label may be in the plan
        advice = tada.advise(carets["frame"], **ADVISE, **given)
        assert advice.release(advice.frontier[0]["id"]).table.num_rows == 10


def test_advice_needs_no_label(people):
    advice = tada.advise(people)
    assert advice.rules == [] and advice.candidates and all("accuracy" not in candidate for candidate in advice.candidates)


def test_advice_is_kept_and_taken_up_again(people, tmp_path):
    import json

    tada.anonymize(people, quasi=QUASI, keep="job", k=1).write(tmp_path / "people.csv")
    advice = tada.advise(tmp_path / "people.csv", label="job", **ADVISE, output=tmp_path / "advice.json", resume=True)
    assert json.loads((tmp_path / "advice.json").read_text())["rules"] == advice.rules
    for wrong, words in (({"frame": people, "output": tmp_path / "x.json"}, "path"), ({"frame": tmp_path / "people.csv"}, "output")):
        with pytest.raises(tada.UsageError, match=words):
            tada.advise(wrong.pop("frame"), label="job", **ADVISE, **wrong, resume=True)


@pytest.mark.parametrize("delimiter", [5, "", ";;", "é", '"'])
def test_a_delimiter_is_one_character(carets, delimiter):
    with pytest.raises(tada.UsageError, match="delimiter"):
        tada.anonymize(carets["frame"], quasi="age", k=2, delimiter=delimiter)


@pytest.mark.parametrize("extension", ["csv", "csv.gz"])
def test_files_are_closed(people, tmp_path, extension):
    import gc
    import warnings

    tada.anonymize(people, quasi=QUASI, k=2).write(tmp_path / f"out.{extension}")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        tada.read_release(tmp_path / f"out.{extension}")
        gc.collect()
    assert [str(warning.message) for warning in said if warning.category is ResourceWarning] == []


DAMAGED = {
    "empty": b"",
    "only a mark": b"\xef\xbb\xbf",
    "blank header": b"\na,b\n1,2\n",
    "short": b"a,b\n1,2\n3,4\nsecret\n",
    "long": b'a,b\n1,2\n3,4\n"line\nend",secret,6\n',
    "not UTF-8": b"a,b\n1,2\n3,secret\xff\n",
    "name not UTF-8": b"a\xff,b\n1,2\n",
    "half of UTF-16": "a,b\n1,2\n".encode("utf-16")[:-1],
    "open quote": b'a,b\n1,2\n3,"secret\n5,6\n',
    "open quote at the end": b'a,b\n1,2\n3,"',
    "a name twice": b"a,a\n1,2\n",
}


@pytest.mark.parametrize("kind", DAMAGED)
@pytest.mark.parametrize("extension", ["csv", "csv.gz"])
def test_a_damaged_file_is_told_of_as_the_program_does(tmp_path, kind, extension):
    import gzip

    name = tmp_path / f"x.{extension}"
    name.write_bytes(DAMAGED[kind] if extension == "csv" else gzip.compress(DAMAGED[kind]))
    line = ["anonymize", str(name), "--quasi", "a", "-k", "1", "-o", str(tmp_path / "out.csv")]
    said = subprocess.run([str(BINARY), *line], capture_output=True, text=True, timeout=60)
    assert said.returncode == 3
    for call in (lambda: tada.anonymize(name, quasi="a", k=1), lambda: tada.inspect(name), lambda: tada.read_release(name)):
        with pytest.raises(tada.DataError) as caught:
            call()
        assert said.stderr.splitlines()[0] == f"tada: error: {caught.value.message}"
        assert "secret" not in str(caught.value) and caught.value.__context__ is None


def test_a_whole_file_in_utf_16_is_read_as_the_program_reads_it(tmp_path):
    (tmp_path / "x.csv").write_bytes("a,b\n1,2\n3,é\n".encode("utf-16"))
    assert tada.anonymize(tmp_path / "x.csv", quasi="a", keep="b", k=1, keep_order=True).table["b"].to_pylist() == ["2", "é"]
    assert list(tada.read_release(tmp_path / "x.csv")["b"]) == ["2", "é"]


@pytest.mark.parametrize("extension", ["csv", "parquet", "arrow"])
def test_a_folder_is_one_table(people, tmp_path, extension):
    """Whatever its own name ends in: the files in it say what they are."""
    import pyarrow.parquet

    folder = tmp_path / f"people.{extension}"
    folder.mkdir()
    with pytest.raises(tada.DataError, match="no file"):
        tada.anonymize(folder, quasi="age", k=2)
    for name in ("a.parquet", "b.parquet"):
        pyarrow.parquet.write_table(people, folder / name)
    assert tada.anonymize(folder, quasi="age", k=2).table.num_rows == 2 * people.num_rows


@pytest.mark.parametrize("extension", ["arrow", "feather"])
def test_a_file_may_hold_an_arrow_stream(people, roles, tmp_path, extension):
    file = tmp_path / f"people.{extension}"
    with pa.ipc.new_stream(file, people.schema) as writer:
        writer.write_table(people)
    release = tada.anonymize(file, **roles)
    assert release.table.equals(tada.anonymize(people, **roles).table)
    assert tada.attack(release, file, quasi=QUASI)["released_rows"] == 10  # the engine reads the file
    assert len(tada.read_release(file)) == 10
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(tada.DataError, match="Cannot read"):
        tada.anonymize(file, **roles)


@pytest.mark.parametrize("text", ["a,b", "a,b\n", "a,b\r\n\r\n", "a", "\ufeffa,b"])
def test_a_header_without_rows_is_an_empty_table(tmp_path, text):
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(tada.InfeasibleError, match="0 rows"):
        tada.anonymize(tmp_path / "x.csv", quasi="a", k=1)
    assert len(tada.read_release(tmp_path / "x.csv")) == 0


@pytest.mark.parametrize("last", ['"x\ny"', '5"', '""', "", '"say ""hi"""', "x" * 200_000, "x\u2028y"])
@pytest.mark.parametrize("end", ["\n", "", "\r\n"])
def test_awkward_last_cells_are_read(tmp_path, last, end):
    import csv
    import io

    text = f"a,b\n1,2\n3,{last}{end}"
    (tmp_path / "x.csv").write_bytes(text.encode())
    csv.field_size_limit(1 << 20)
    expected = list(csv.reader(io.StringIO(text, newline="")))[-1][1]
    csv.field_size_limit(1 << 17)
    released = tada.anonymize(tmp_path / "x.csv", quasi="a", keep="b", k=1, keep_order=True, missing=["?"]).table
    assert (released["b"].to_pylist()[-1] or "") == expected

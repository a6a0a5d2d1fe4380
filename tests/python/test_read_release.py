"""tada.read_release: cells are parsed, and everything else stays what it was."""

import datetime
import decimal

import pytest

tada = pytest.importorskip("tada")
pa = pytest.importorskip("pyarrow")
pandas = pytest.importorskip("pandas")

ROWS = 60
START = datetime.datetime(2020, 1, 1)
RAW = {
    "age": [20 + (7 * row) % 50 for row in range(ROWS)],
    "zip": [f"{229 + 111 * ((5 * row) % 4):05d}" for row in range(ROWS)],
    "born": [START + datetime.timedelta(days=(11 * row) % ROWS) for row in range(ROWS)],
    "id": [f"{row:04d}" for row in range(ROWS)],
    "seen": [START + datetime.timedelta(hours=row) for row in range(ROWS)],
    "ok": [row % 2 == 0 for row in range(ROWS)],
    "count": list(range(ROWS)),
    "pay": [row / 4 for row in range(ROWS)],
    "note": ["{a}", "*", "[1,2]", "10-20"] * 15,
}
QUASI = ["age", "zip:categorical", "born"]
KEPT = ["id", "seen", "ok", "count", "pay", "note"]
ALLOWED = ["id", "seen", "count", "pay"]  # one per row: not released unless somebody says so


@pytest.fixture(scope="module")
def release():
    return tada.anonymize(pa.table(RAW), quasi=QUASI, keep=KEPT, allow=ALLOWED, k=4, keep_order=True, threads=1)


@pytest.fixture(params=["release", "csv", "parquet", "text"])
def frame(request, release, tmp_path):
    if request.param == "release":
        return tada.read_release(release)
    if request.param == "text":
        return tada.read_release(tada.anonymize(pa.table(RAW), quasi=QUASI, keep=KEPT, allow=ALLOWED, k=4, keep_order=True, threads=1, cells="text"))
    release.write(tmp_path / f"out.{request.param}")
    return tada.read_release(tmp_path / f"out.{request.param}")


def test_intervals_of_numbers_and_dates_are_intervals(frame):
    assert str(frame["age"].dtype) == "interval[float64, both]"
    assert str(frame["born"].dtype) == "interval[datetime64[us], both]"
    for name in ["age", "born"]:
        assert all(value in cell for value, cell in zip(RAW[name], frame[name], strict=True))


def test_codes_stay_texts_beside_their_sets(frame):
    cells = list(frame["zip"])
    assert {type(cell) for cell in cells} == {str, frozenset}
    assert all(value == cell or value in cell for value, cell in zip(RAW["zip"], cells, strict=True) if cell is not tada.MASK)


def test_ids_stay_texts(frame):
    assert list(frame["id"]) == RAW["id"]
    assert list(frame["count"]) == RAW["count"] and frame["count"].dtype == "int64"
    assert list(frame["pay"]) == RAW["pay"]


def test_types_of_kept_columns_stay(release, tmp_path):
    release.write(tmp_path / "out.parquet")
    for frame in (tada.read_release(release), tada.read_release(tmp_path / "out.parquet")):
        assert list(frame["seen"]) == RAW["seen"] and frame["seen"].dtype.kind == "M"
        assert list(frame["ok"]) == RAW["ok"] and frame["ok"].dtype == bool
    assert list(tada.read_release(release)["note"]) == RAW["note"]  # a release knows which columns it widened


def test_texts_stay_texts():
    table = pa.table({"c": ["nan", "inf", "1_000", "007"], "d": ["nan", "x", "1_000", "007"], "e": ["1", "2", "3", "10-20"]})
    assert tada.read_release(table).to_dict("list") == table.to_pydict()


def test_csv_numbers_are_numbers_and_odd_ones_texts(tmp_path):
    (tmp_path / "out.csv").write_text("a,b,c,d,e\n1,1.50,nan,007,1\n-2,2e3,inf,107,\n3,.5,1_0,10,3\n")
    frame = tada.read_release(tmp_path / "out.csv")
    assert list(frame["a"]) == [1, -2, 3] and list(frame["b"]) == [1.5, 2000, 0.5]
    assert list(frame["c"]) == ["nan", "inf", "1_0"] and list(frame["d"]) == ["007", "107", "10"]
    assert frame["e"].isna().tolist() == [False, True, False] and frame["e"].dtype == "float64"


def test_ranges_that_leave_an_end_out_say_so(tmp_path):
    (tmp_path / "out.csv").write_text('age,width\n"[0,40)","[0,40)"\n"[40,60)","[40,60)"\n34,"[0,40)"\n*,*\n')
    frame = tada.read_release(tmp_path / "out.csv")
    assert str(frame["width"].dtype) == "interval[float64, left]" and 40 not in frame["width"][0]
    ranges = [pandas.Interval(low, high, closed="left") for low, high in [(0, 40), (40, 60)]]
    assert frame["age"][:3].tolist() == [*ranges, pandas.Interval(34, 34, closed="both")]
    assert frame["age"][3] is tada.MASK


def test_dates_keep_their_zone(tmp_path):
    (tmp_path / "out.csv").write_text('at\n"[2020-01-01T10:00:00Z,2020-01-02T00:00:00.5Z]"\n2020-01-03T01:00:00+01:00\n')
    cells = tada.read_release(tmp_path / "out.csv")["at"]
    assert str(cells.dtype) == "interval[datetime64[us, UTC], both]"
    assert cells[0].right == pandas.Timestamp("2020-01-02T00:00:00.5Z") and cells[1].left == pandas.Timestamp("2020-01-03T00:00:00Z")
    pandas.testing.assert_series_equal(tada.read_release(cells.to_frame())["at"], cells)


def test_ranges_without_an_end(tmp_path):
    (tmp_path / "out.csv").write_text('age,at\n"[50,]","[2020-01-01,]"\n"[20,30]","[2019-01-01,2019-02-01]"\n')
    frame = tada.read_release(tmp_path / "out.csv")
    assert 1000 in frame["age"][0] and 20 not in frame["age"][0]
    assert list(frame["at"]) == ["[2020-01-01,]", "[2019-01-01,2019-02-01]"]  # pandas has no day without end


def test_what_was_read_can_be_read_again(frame):
    pandas.testing.assert_frame_equal(tada.read_release(frame).drop(columns="note"), frame.drop(columns="note"))


@pytest.mark.parametrize("bits", [16, 32])
def test_short_floats_keep_their_digits(bits):
    numpy = pytest.importorskip("numpy")
    raw = pa.table({"x": pa.array(numpy.asarray([row / 7 for row in range(20)], f"float{bits}")), "s": ["a", "b"] * 10})
    release = tada.anonymize(raw, quasi=["x"], keep="s", k=4, keep_order=True, threads=1)
    frames = [tada.read_release(release), release.to_pandas()]
    for frame in frames:
        assert tada.audit(frame, original=raw, quasi=["x"], keep="s", k=4).passed
    lows = [cell.left for cell in frames[0]["x"]]
    assert lows == [float(str(numpy.float32(cell["lo"]))) for cell in release.table["x"].to_pylist()] == [cell["lo"] for cell in frames[1]["x"]]


@pytest.mark.parametrize("bits", [16, 32])
def test_short_floats_that_are_names_are_found_in_their_release(bits):
    numpy = pytest.importorskip("numpy")
    pytest.importorskip("sklearn")
    import tada.sklearn

    raw = pa.table({"x": pa.array(numpy.asarray([row % 4 / 7 for row in range(20)], f"float{bits}"))})
    release = tada.anonymize(raw, quasi=["x:categorical"], k=7, threads=1)
    encoded = tada.sklearn.ReleaseEncoder(standardize=False).fit(release).transform(raw)
    assert encoded.shape == (20, 4) and encoded.sum(axis=1).tolist() == [1] * 20


BIG = 10**18 + 1
EXACT = {
    "int64": [BIG + 3 * row for row in range(24)],
    "uint64": [2**63 + BIG + 3 * row for row in range(24)],
    "decimal128(38, 0)": [decimal.Decimal(10**30 + row) for row in range(24)],
    "decimal128(38, 3)": [decimal.Decimal(10**20 + row).scaleb(-3) for row in range(24)],
    "timestamp[ns]": [1577836800_000000000 + 7 * row for row in range(24)],
    "timestamp[ns, tz=UTC]": [1577836800_000000000 + 7 * row for row in range(24)],
    "timestamp[us]": [datetime.datetime(9000, 1, 1, 0, 0, 0, 1 + 3 * row) for row in range(24)],
    "whole numbers": [str(BIG + 3 * row) for row in range(24)],
    "dates": [f"2020-01-01T10:00:00.{7 * row:09}" for row in range(24)],
    "dates with a zone": [f"2020-01-01T10:00:{row:02}+01:00" for row in range(24)],
}


@pytest.mark.parametrize("kind", EXACT)
@pytest.mark.parametrize("form", ["typed", "csv"])
def test_what_was_read_covers_every_value(kind, form, tmp_path):
    types = [pa.int64(), pa.uint64(), pa.decimal128(38, 0), pa.decimal128(38, 3), pa.timestamp("ns"), pa.timestamp("ns", "UTC"), pa.timestamp("us")]
    raw = pa.table({"x": pa.array(EXACT[kind], next((type_ for type_ in types if str(type_) == kind), None))})
    release = tada.anonymize(raw, quasi=["x:numeric"], k=4, keep_order=True, threads=1)
    release.write(tmp_path / "out.csv")
    frame = tada.read_release(release if form == "typed" else tmp_path / "out.csv")
    for again in (frame, tada.read_release(frame)):
        verdict = tada.audit(again, original=raw, quasi=["x:numeric"], k=4)
        assert verdict.passed, verdict.problems
    assert len(set(map(str, frame["x"]))) == len(set(map(str, release.table["x"]))) == 4
    if kind.endswith(("UTC]", "zone")):
        assert str(frame["x"].dtype).endswith("UTC], both]")


def test_patterns_are_texts():
    assert {type(cell) for cell in tada.read_release(pa.table({"zip": ["476**", "47612", "*"]}))["zip"]} == {str, type(tada.MASK)}


def test_masked_cells_beside_exact_intervals_are_masks():
    raw = pa.table({"x": [BIG, BIG + 1, BIG + 2]})
    cells = pa.array([{"lo": BIG, "hi": BIG + 1}, None, {"lo": BIG + 2, "hi": BIG + 2}])
    frame = tada.read_release(pa.table({"x": cells}))
    assert list(frame["x"]) == [pandas.Interval(BIG, BIG + 1, "both"), tada.MASK, pandas.Interval(BIG + 2, BIG + 2, "both")]
    assert tada.audit(frame, original=raw, quasi="x", k=1).passed


def test_long_numbers_of_csv_keep_their_digits(tmp_path):
    columns = {"signed": [-BIG, 9 * BIG], "unsigned": [1, 2**64 - 1], "longer": [1, 2**64 + 1], "missing": ["", BIG], "short": ["", 7]}
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    (tmp_path / "out.csv").write_text("\n".join(lines) + "\n")
    frame = tada.read_release(tmp_path / "out.csv")
    assert list(frame["signed"]) == columns["signed"] and frame["signed"].dtype == "int64"
    assert list(frame["unsigned"]) == columns["unsigned"] and frame["unsigned"].dtype == "uint64"
    assert list(frame["longer"]) == ["1", str(2**64 + 1)] and frame["short"].dtype == "float64"
    assert frame["missing"].isna().tolist() == [True, False] and frame["missing"][1] == str(BIG)


def test_spellings_of_missing_are_those_of_the_release(tmp_path):
    raw = pa.table({"age": ["NA" if row % 2 else str(20 + row) for row in range(60)]})
    release = tada.anonymize(raw, quasi=["age"], missing=["NA"], k=3, threads=1, cells="text")
    release.write(tmp_path / "out.csv")
    for frame in (tada.read_release(release), tada.read_release(release.table, missing="NA"), tada.read_release(tmp_path / "out.csv", missing=["NA"])):
        assert str(frame["age"].dtype) == "interval[float64, both]" and frame["age"].isna().sum() >= 30
    assert list(tada.read_release(release.table)["age"]) == release.table["age"].to_pylist()  # a name, as far as anybody can tell
    with pytest.raises(tada.UsageError, match="missing"):
        tada.read_release(release, missing={"age": "NA"})


def test_frames_of_half_open_intervals_can_be_audited_and_encoded():
    pytest.importorskip("sklearn")
    import tada.sklearn

    raw = pa.table({"age": [18 + (7 * row) % 60 for row in range(90)]})
    release = tada.anonymize(raw, quasi=["age"], hierarchy=["age=width:10"], method="datafly", k=5, threads=1)
    frame = tada.read_release(release)
    assert str(frame["age"].dtype) == "interval[float64, left]"
    assert tada.audit(frame, original=raw, quasi=["age"], k=5).passed
    one, other = (tada.sklearn.ReleaseEncoder().fit(rows).transform(raw) for rows in (release, frame))
    assert one.tolist() == other.tolist()


@pytest.mark.skipif(not hasattr(pa, "bool8"), reason="this pyarrow has no such type")
def test_numbers_that_are_written_as_words_are_read():
    bits = pa.ExtensionArray.from_storage(pa.bool8(), pa.array([row % 2 for row in range(20)], pa.int8()))
    raw = pa.table({"bit": bits})
    release = tada.anonymize(raw, quasi=["bit"], k=3, threads=1)
    frame = tada.read_release(release)
    assert len(frame) == 20 and tada.audit(frame, original=raw, quasi=["bit"], k=3).passed

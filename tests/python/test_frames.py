"""Frames of pandas and back: cells keep all that they hold, and what pandas or pyarrow would cut is refused or kept."""

import datetime

import pytest

tada = pytest.importorskip("tada")
pa = pytest.importorskip("pyarrow")
pandas = pytest.importorskip("pandas")

MOMENT = 1577836800 * 10**9
COLUMNS = {
    "ns": (pa.timestamp("ns"), MOMENT),
    "ns, zone": (pa.timestamp("ns", "Europe/Rome"), MOMENT),
    "us": (pa.timestamp("us"), MOMENT // 1000),
    "int64": (pa.int64(), 2**60),
    "uint64": (pa.uint64(), 2**63),
    "uint64, small too": (pa.uint64(), 2**63 - 20),
    "float32": (pa.float32(), 1),
}


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("kind", COLUMNS)
def test_intervals_in_a_frame_are_those_of_the_release(kind, missing):
    type_, first = COLUMNS[kind]
    raw = pa.table({"x": pa.array([None if missing and row % 9 == 0 else first + row for row in range(40)], type_)})
    release = tada.anonymize(raw, quasi=["x"], k=4, keep_order=True, threads=1)
    frame = release.to_pandas(deduplicate_objects=True)  # cells as pyarrow gives them
    assert frame["x"].tolist() == release.table["x"].to_pylist()
    assert pa.table({"x": frame["x"].tolist()}, schema=release.table.schema).equals(release.table)
    verdict = tada.audit(frame, original=raw, quasi=["x"], k=4)
    assert verdict.passed, verdict.problems
    frame["x"].iloc[0]["lo"] = None  # a cell is its row's own
    assert frame["x"].iloc[1:].tolist() == release.table["x"].to_pylist()[1:]


def test_options_of_pyarrow_are_kept():
    release = tada.anonymize(pa.table({"x": range(20), "y": ["a", "b"] * 10}), quasi=["x"], keep="y", k=4)
    assert str(release.to_pandas(types_mapper=pandas.ArrowDtype)["x"].dtype).startswith("struct")
    assert str(release.to_pandas(strings_to_categorical=True)["y"].dtype) == "category"


@pytest.mark.parametrize("kind", ["ns", "ns, zone", "us", "int64", "uint64"])
def test_a_pipeline_of_frames_encodes_raw_rows(kind):
    pytest.importorskip("sklearn")
    from sklearn.pipeline import make_pipeline

    from tada.sklearn import Anonymizer, ReleaseEncoder

    type_, first = COLUMNS[kind]
    step = 10**15 if kind.startswith("ns") else 10**12
    raw = pa.table({"x": pa.array([first + step * row for row in range(40)], type_)}).to_pandas()
    fitted = make_pipeline(Anonymizer(k=4, threads=1, other_rows="raw"), ReleaseEncoder(standardize=False)).fit(raw)
    features = fitted.transform(raw.iloc[5:25])[:, 0]
    assert len(set(features)) == 20 and list(features) == sorted(features)


def test_values_of_another_kind_are_warned_of():
    pytest.importorskip("sklearn")
    from tada.sklearn import ReleaseEncoder

    dates = pa.table({"x": pa.array([MOMENT + row * 10**15 for row in range(20)], pa.timestamp("ns"))})
    fitted = ReleaseEncoder().fit(tada.anonymize(dates, quasi=["x"], k=4))
    for cells in ([MOMENT, MOMENT + 1], [{"lo": MOMENT, "hi": MOMENT + 1}] * 2):
        with pytest.warns(UserWarning, match="Column x: none of these rows"):
            fitted.transform(pa.table({"x": cells}))


def column(*cells):
    return pandas.DataFrame({"x": pandas.Series(cells, dtype=object)})


DAY, TIME = datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1, 5)
NANO = pandas.Timestamp("2020-01-01 05:00:00.000000001")
ZONED = pandas.Timestamp("2020-01-01 05:00", tz="UTC")


@pytest.mark.parametrize("one, other", [(DAY, TIME), (TIME, DAY), (DAY, NANO), (TIME, ZONED), (ZONED, TIME)])
@pytest.mark.parametrize("in_cells", [False, True])
def test_dates_beside_times_are_refused(one, other, in_cells):
    frame = column(*([{"lo": one, "hi": one}, {"lo": other, "hi": other}] if in_cells else [one, other]) * 2, None)
    for call in (lambda: tada.audit(frame, quasi=["x"], k=4), lambda: tada.read_release(frame), lambda: tada.anonymize(frame, quasi=["x"], k=2)):
        with pytest.raises(tada.DataError, match=r"column x: .* in one column") as caught:
            call()
        assert "2020" not in str(caught.value)


@pytest.mark.parametrize("zone", [None, "Europe/Rome"])
def test_nanoseconds_of_objects_are_kept(zone):
    nano, without = NANO.tz_localize(zone), NANO.floor("us").tz_localize(zone)
    assert tada.audit(column(*[nano, without] * 2), quasi=["x"], k=4).k == 2
    cells = [{"lo": nano, "hi": nano}, {"lo": without, "hi": nano}]
    assert tada.audit(column(*cells * 2), quasi=["x"], k=4).k == 2
    kept = tada.anonymize(column(*[nano] * 4, None).assign(a=1), quasi="a", keep="x", k=2, keep_order=True).table["x"]
    assert kept.to_pylist() == [nano] * 4 + [None]


def test_nanoseconds_beside_distant_times_are_refused():
    with pytest.raises(tada.DataError, match=r"column x: .*Timestamp, datetime") as caught:
        tada.audit(column(NANO, datetime.datetime(1500, 1, 1)), quasi=["x"], k=1)
    assert caught.value.__context__ is None


def test_large_whole_numbers_of_objects_are_kept():
    assert tada.audit(column(*[2**63, 2**63 + 1] * 2), quasi=["x"], k=4).k == 2
    with pytest.raises(tada.DataError, match=r"column x: .*int"):
        tada.audit(column(-1, 2**63), quasi=["x"], k=1)

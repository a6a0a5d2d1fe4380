"""Parquet releases are written as pages of our own: every reader has to find in them what an Arrow file of the same release holds."""

import datetime
import decimal
import random

import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest

ROWS = 70_000  # more than a page has
QUASI = ["age", "city", "job", "weight", "visit", "born", "paid", "grade"]
ROLES = ["--quasi", ",".join(QUASI), "--sensitive", "disease", "--keep", "note,member,gap", "--allow", "note"]
ARGUMENTS = [*ROLES, "-k", "5", "--method", "mondrian", "--rows-are-people", "--force"]


@pytest.fixture(scope="module")
def people():
    chance = random.Random(11)

    def some(values, missing=0.02):
        return [None if chance.random() < missing else chance.choice(values) for _ in range(ROWS)]

    day = datetime.date(1950, 1, 1)
    days = [day + datetime.timedelta(days=17 * i) for i in range(900)]
    visits = [datetime.datetime(2020, 1, 1) + datetime.timedelta(hours=5 * i, microseconds=i) for i in range(700)]
    return pyarrow.table({
        "age": pyarrow.array(some(range(18, 95)), pyarrow.int64()),
        "city": pyarrow.array(some(["Rome", "Bari", "", "Zürich", "a,b", "*"]), pyarrow.string()),
        "job": pyarrow.array(some(["nurse", "cook", "clerk"]), pyarrow.string()).dictionary_encode(),
        "weight": pyarrow.array(some([x / 4 for x in range(160, 480)]), pyarrow.float64()),
        "visit": pyarrow.array(some(visits), pyarrow.timestamp("us")),
        "born": pyarrow.array(some(days), pyarrow.date32()),
        "paid": pyarrow.array(some([decimal.Decimal(x) / 100 for x in range(500)]), pyarrow.decimal128(9, 2)),
        "grade": pyarrow.array(some(range(1, 7)), pyarrow.int16()),
        "disease": pyarrow.array(some(["flu", "asthma", "cancer"], 0), pyarrow.string()),
        "note": pyarrow.array([None if i % 50 == 3 else f"a note that is long enough for no dictionary {i}" for i in range(ROWS)]),
        "member": pyarrow.array(some([True, False]), pyarrow.bool_()),
        "gap": pyarrow.nulls(ROWS, pyarrow.string()),
    })  # fmt: skip


@pytest.fixture
def release(tada, people):
    pyarrow.parquet.write_table(people, tada.folder / "people.parquet")
    tada("anonymize", "people.parquet", *ARGUMENTS, "-o", "out.parquet")
    return tada.folder / "out.parquet"


def test_every_reader_finds_what_an_arrow_file_of_it_holds(tada, release):
    tada("anonymize", "people.parquet", *ARGUMENTS, "-o", "out.arrow")
    rows = pyarrow.feather.read_table(tada.folder / "out.arrow").to_pylist()
    assert len(rows) == ROWS
    table = pyarrow.parquet.read_table(release)
    assert table.to_pylist() == rows
    assert {table.schema.field(name).type.id for name in ("age", "visit", "paid", "grade")} == {pyarrow.lib.Type_STRUCT}
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    found = duckdb.connect().execute("SELECT * FROM read_parquet(?)", [str(release)])
    names = [column[0] for column in found.description]
    assert [dict(zip(names, row, strict=True)) for row in found.fetchall()] == rows
    assert polars.read_parquet(release).to_dicts() == rows


def test_the_bytes_are_the_same_at_any_number_of_threads(tada, release):
    first = release.read_bytes()
    for threads in (1, 3):
        tada("anonymize", "people.parquet", *ARGUMENTS, "--threads", threads, "-o", "out.parquet")
        assert release.read_bytes() == first


def test_a_reader_can_leave_out_row_groups_by_their_statistics(release):
    metadata = pyarrow.parquet.read_metadata(release)
    rows = pyarrow.parquet.read_table(release, columns=["age", "disease", "note"]).to_pylist()
    found = {metadata.row_group(0).column(i).path_in_schema: metadata.row_group(0).column(i).statistics for i in range(metadata.num_columns)}
    lows = [row["age"]["lo"] for row in rows if row["age"] is not None and row["age"]["lo"] is not None]
    assert (found["age.lo"].min, found["age.lo"].max, found["age.lo"].null_count) == (min(lows), max(lows), ROWS - len(lows))
    assert (found["disease"].min, found["disease"].max, found["disease"].null_count) == ("asthma", "flu", 0)
    assert found["note"].null_count == sum(row["note"] is None for row in rows)

"""Content beside the cells: the audit reads bytes, lists what is there, and fails on raw values of the original."""

import gzip
import json

import pytest

from conftest import write_csv

pyarrow = pytest.importorskip("pyarrow")
pyarrow_parquet = pytest.importorskip("pyarrow.parquet")
pyarrow_feather = pytest.importorskip("pyarrow.feather")

AUDIT = ["--quasi", "age", "--sensitive", "disease", "-k", "2", "-l", "2"]
PEOPLE = [{"name": f"Person{i:03d}", "age": str(20 + i % 3), "disease": ["flu", "cold"][i % 2]} for i in range(12)]
FORMATS = ["parquet", "arrow"]


@pytest.fixture
def raw(tada):
    return tada.write("people.csv", write_csv(PEOPLE))


def cells(**changes):
    columns = {"age": ["[20,22]"] * 12, "disease": ["flu", "cold"] * 6}
    return pyarrow.table({**columns, **changes})


def write(table, path):
    if str(path).endswith(".parquet"):
        pyarrow_parquet.write_table(table, path)
    else:
        pyarrow_feather.write_feather(table, str(path), compression="uncompressed")
    return path


def verdict(tada, name, *more, code=0):
    return json.loads(tada("audit", name, *AUDIT, *more, "--json", code=code).stdout)


@pytest.mark.parametrize("form", [*FORMATS, "csv", "csv.gz"])
@pytest.mark.parametrize("typed", ["typed", "text"])
def test_our_own_files_hold_nothing_else(tada, raw, form, typed):
    if form in FORMATS:  # stored with metadata, dictionaries and nulls, which must not come through
        table = pyarrow.table({name: pyarrow.array([row[name] for row in PEOPLE]) for name in PEOPLE[0]})
        table = table.set_column(2, "disease", table["disease"].dictionary_encode())
        field = table.schema.field("age").with_metadata({"comment": "Person001"})
        table = table.cast(pyarrow.schema([table.schema.field(0), field, table.schema.field(2)], metadata={"who": "Person002"}))
        write(table, tada.folder / f"people.{form}")
    tada("anonymize", f"people.{form if form in FORMATS else 'csv'}", *AUDIT, "--cells", typed, "-o", f"out.{form}")
    found = verdict(tada, f"out.{form}", "--original", "people.csv")
    assert not [note for note in found["notes"] if "Beside its cells" in note], found["notes"]
    assert b"Person" not in (tada.folder / f"out.{form}").read_bytes()


@pytest.mark.parametrize("form", FORMATS)
def test_metadata_is_listed_and_raw_values_fail(tada, raw, form):
    write(cells().replace_schema_metadata({"note": "made on Monday"}), tada.folder / f"harmless.{form}")
    assert any("metadata 'note'" in note for note in verdict(tada, f"harmless.{form}", "--original", "people.csv")["notes"])
    write(cells().replace_schema_metadata({"note": '{"first": "Person007"}'}), tada.folder / f"leaky.{form}")
    found = verdict(tada, f"leaky.{form}", "--original", "people.csv", code=1)
    assert any("Raw values" in problem and "Person007" in problem for problem in found["problems"])
    assert verdict(tada, f"leaky.{form}")["passed"]  # without the original nobody knows that it is one


@pytest.mark.parametrize("form", FORMATS)
def test_metadata_of_a_column(tada, raw, form):
    table = cells()
    fields = [table.schema.field("age").with_metadata({"seen": "Person003"}), table.schema.field("disease")]
    write(table.cast(pyarrow.schema(fields)), tada.folder / f"out.{form}")
    assert any("column age" in problem for problem in verdict(tada, f"out.{form}", "--original", "people.csv", code=1)["problems"])


@pytest.mark.parametrize("form", FORMATS)
def test_unused_dictionary_entries(tada, raw, form):
    indices = pyarrow.array([0, 1] * 6, pyarrow.int32())
    table = cells(disease=pyarrow.DictionaryArray.from_arrays(indices, pyarrow.array(["flu", "cold", "Person005"])))
    write(table, tada.folder / f"out.{form}")
    problems = verdict(tada, f"out.{form}", "--original", "people.csv", code=1)["problems"]
    assert any("dictionary" in problem and "Person005" in problem for problem in problems)


def test_values_under_nulls(tada, raw):
    names = pyarrow.array([row["name"] for row in PEOPLE])
    hidden = pyarrow.Array.from_buffers(pyarrow.string(), 12, [pyarrow.py_buffer(b"\0\0"), *names.buffers()[1:]], null_count=12)
    write(cells(name=hidden), tada.folder / "out.arrow")
    problems = verdict(tada, "out.arrow", "--keep", "name", "--original", "people.csv", code=1)["problems"]
    assert any("under a null" in problem for problem in problems)


def test_bytes_between_pages(tada, raw):
    path = write(cells(), tada.folder / "out.parquet")
    good = path.read_bytes()
    assert verdict(tada, "out.parquet", "--original", "people.csv")["passed"]
    size = int.from_bytes(good[-8:-4], "little")
    for extra, code in ((b"hello out there", 0), (b"x Person004 y", 1)):
        path.write_bytes(good[: -8 - size] + extra + good[-8 - size :])
        found = verdict(tada, "out.parquet", "--original", "people.csv", code=code)
        assert any("belong to no page" in note for note in found["notes"])


def test_bytes_between_arrow_messages(tada, raw):
    path = write(cells(), tada.folder / "out.arrow")
    good = path.read_bytes()
    size = int.from_bytes(good[-10:-6], "little")
    path.write_bytes(good[: -10 - size] + b"<Person009>" + good[-10 - size :])
    found = verdict(tada, "out.arrow", "--original", "people.csv", code=1)
    assert any("belong to no message" in problem for problem in found["problems"])


def test_statistics_of_other_values(tada, raw):
    """The extremes of a chunk say what its cells do not: made by patching a value of the same length."""
    path = write(cells(disease=["Zqxjkvwpz", "cold"] * 6), tada.folder / "out.parquet")
    data = path.read_bytes()
    at = data.rfind(b"Zqxjkvwpz", 0, len(data))
    path.write_bytes(data[:at] + b"Person001" + data[at + 9 :])
    text = tada("audit", "out.parquet", *AUDIT, "--original", "people.csv", "--json", code=1).stdout
    assert any("statistics" in problem for problem in json.loads(text)["problems"])


def test_names_and_ends_of_packed_csv(tada, raw):
    text = "age,disease\n" + "".join(f'"[20,22]",{"flu" if i % 2 else "cold"}\n' for i in range(12))
    with (tada.folder / "out.csv.gz").open("wb") as file, gzip.GzipFile("Person008.csv", "wb", fileobj=file, mtime=0) as packed:
        packed.write(text.encode())
    found = verdict(tada, "out.csv.gz", "--original", "people.csv", code=1)
    assert any("gzip header" in problem for problem in found["problems"])


def test_statistics_have_zeros_of_both_signs(tada):
    """Parquet asks for -0 as the least zero and +0 as the largest, which the cells need not have."""
    for number, numbers in enumerate(([-0.0, 0.0, 1.0, 1.0], [-0.0, -0.0, -2.0, -2.0])):
        write(pyarrow.table({"number": numbers, "place": [0, 1, 5, 5]}), tada.folder / f"zeros{number}.parquet")
        tada("anonymize", f"zeros{number}.parquet", "--quasi", "number,place", "-k", "2", "-o", f"out{number}.parquet")
        tada("audit", f"out{number}.parquet", "--quasi", "number,place", "-k", "2", "--original", f"zeros{number}.parquet")

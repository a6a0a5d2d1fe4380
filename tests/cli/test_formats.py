"""Every format both ways: the same release whatever the file, typed cells in Parquet and Arrow."""

import csv
import gzip
import itertools
import random
import subprocess

import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import pytest

from conftest import ROLES, read_csv

FORMATS = ["csv", "csv.gz", "parquet", "arrow", "feather"]


def convert(folder, source, extension):
    """people.EXTENSION with the same texts as people.csv."""
    path = folder / f"people.{extension}"
    if extension == "csv.gz":
        path.write_bytes(gzip.compress((folder / source).read_bytes()))
    elif extension != "csv":
        names = (folder / source).read_text().splitlines()[0].split(",")
        options = pa.csv.ConvertOptions(column_types={name: pa.string() for name in names}, strings_can_be_null=False)
        table = pa.csv.read_csv(folder / source, convert_options=options)
        if extension == "parquet":
            pa.parquet.write_table(table, path)
        else:
            with pa.ipc.new_file(path, table.schema) as writer:
                writer.write_table(table)
    return path.name


def texts(folder, name):
    """The rows of a released file written with text cells, sorted."""
    if name.endswith((".csv", ".csv.gz")):
        raw = (folder / name).read_bytes()
        rows = read_csv((gzip.decompress(raw) if name.endswith("gz") else raw).decode())
        return [tuple(row.values()) for row in rows]
    table = pa.parquet.read_table(folder / name) if name.endswith("parquet") else pa.feather.read_table(folder / name)
    return [tuple("" if cell is None else cell for cell in row.values()) for row in table.to_pylist()]


@pytest.mark.parametrize("extension", FORMATS)
def test_every_input_gives_the_same_release(tada, people, extension):
    name = convert(tada.folder, people, extension)
    tada("anonymize", people, *ROLES, "-l", "2", "--keep-order", "-o", "reference.csv")
    tada("anonymize", name, *ROLES, "-l", "2", "--keep-order", "-o", "out.csv")
    assert (tada.folder / "out.csv").read_bytes() == (tada.folder / "reference.csv").read_bytes()


@pytest.mark.parametrize("extension", FORMATS)
def test_every_output_says_the_same_in_text(tada, people, extension):
    tada("anonymize", people, *ROLES, "--keep-order", "-o", "reference.csv")
    tada("anonymize", people, *ROLES, "--keep-order", "--cells", "text", "-o", f"out.{extension}")
    assert texts(tada.folder, f"out.{extension}") == texts(tada.folder, "reference.csv")


@pytest.mark.parametrize("source, target", list(itertools.product(["csv", "parquet", "arrow"], FORMATS)))
def test_an_audit_passes_whatever_the_formats(tada, people, source, target):
    name = convert(tada.folder, people, source)
    tada("anonymize", name, *ROLES, "-k", "5", "-l", "2", "-o", f"out.{target}")
    tada("audit", f"out.{target}", "--original", name, *ROLES, "-k", "5", "-l", "2")


@pytest.mark.parametrize("extension", ["parquet", "arrow"])
def test_typed_cells(tada, extension):
    tada.write("in.csv", "age,job,s\n20,a,1\n30,b,2\n,a,1\n,c,2\n")
    tada("anonymize", "in.csv", "--quasi", "age,job", "--keep", "s", "-k", "2", "--keep-order", "-o", f"out.{extension}")
    read = pa.parquet.read_table if extension == "parquet" else pa.feather.read_table
    table = read(tada.folder / f"out.{extension}")
    age, job = table.schema.field("age").type, table.schema.field("job").type
    assert pa.types.is_struct(age) and [field.name for field in age][:2] == ["lo", "hi"]
    assert pa.types.is_list(job) and pa.types.is_string(job.value_type)
    first = table.to_pylist()[0]
    assert (float(first["age"]["lo"]), float(first["age"]["hi"])) == (20, 30)
    assert first["job"] == ["a", "b"]


def test_typed_input_columns(tada):
    """Integers, reals, decimals, dates, time stamps, booleans, dictionaries and the three kinds of string."""
    import datetime
    import decimal

    n = 8
    table = pa.table(
        {
            "int8": pa.array(range(n), pa.int8()),
            "uint64": pa.array([2**63 + i // 2 for i in range(n)], pa.uint64()),
            "int64": pa.array([-(2**62) + i for i in range(n)], pa.int64()),
            "real": pa.array([i / 3 for i in range(n)], pa.float64()),
            "float": pa.array([i / 4 for i in range(n)], pa.float32()),
            "decimal": pa.array([decimal.Decimal(i).scaleb(-2) for i in range(n)], pa.decimal128(12, 2)),
            "date": pa.array([datetime.date(2024, 2, 27 + i // 4) for i in range(n)], pa.date32()),
            "time": pa.array([datetime.datetime(2024, 1, 1, i) for i in range(n)], pa.timestamp("us")),
            "flag": pa.array([i % 2 == 0 for i in range(n)], pa.bool_()),
            "dictionary": pa.array(["x", "y"] * (n // 2)).dictionary_encode(),
            "large": pa.array(["p", "q"] * (n // 2), pa.large_string()),
            "view": pa.array(["v", None] * (n // 2), pa.string_view()),
        }
    )
    with pa.ipc.new_file(tada.folder / "in.arrow", table.schema) as writer:
        writer.write_table(table)
    for column in table.column_names:
        for target in ("csv", "arrow", "parquet"):
            out = f"{column}.{target}"
            tada("anonymize", "in.arrow", "--quasi", column, "-k", "4", "-o", out)
            tada("audit", out, "--original", "in.arrow", "--quasi", column, "-k", "4")
    # At k=1 a release is the table itself, with its types.
    tada(
        "anonymize",
        "in.arrow",
        "--quasi",
        "int8",
        "--keep",
        ",".join(table.column_names[1:]),
        "--allow",
        ",".join(table.column_names[1:]),
        "-k",
        "1",
        "--keep-order",
        "-o",
        "same.parquet",
        "--cells",
        "text",
    )
    same = pa.parquet.read_table(tada.folder / "same.parquet")
    for column in ("real", "flag", "int64", "view"):
        assert same.column(column).to_pylist() == table.column(column).to_pylist()


def test_a_dictionary_column_in_parquet(tada, people):
    table = pa.csv.read_csv(tada.folder / people)
    table = table.set_column(table.schema.get_field_index("job"), "job", table.column("job").dictionary_encode())
    pa.parquet.write_table(table, tada.folder / "in.parquet")
    tada("anonymize", "in.parquet", "--quasi", "age,job", "-k", "5", "-o", "out.csv")
    tada("audit", "out.csv", "--original", "in.parquet", "--quasi", "age,job", "-k", "5")


PIECES = ["", "1", "abc", "x,y", 'say "hi"', '"', "two\nlines", "dos\r\nlines", "été", "€", "more than sixteen bytes", "tab\tted", " padded "]


# Before 3.13, Python leaves a line feed without quotes where lines end in a carriage return.
@pytest.mark.parametrize(
    "line_end, quoting",
    [
        ("\n", csv.QUOTE_MINIMAL),
        ("\r\n", csv.QUOTE_MINIMAL),
        ("\n", csv.QUOTE_ALL),
        ("\r\n", csv.QUOTE_ALL),
        ("\r", csv.QUOTE_ALL),
    ],
)
def test_csv_is_read_as_python_reads_it(tada, line_end, quoting):
    """Enough rows for several blocks, and cells with everything that needs quotes."""
    chance = random.Random(7)
    rows = [[str(i), *(chance.choice(PIECES) for _ in range(4))] for i in range(20_000)]
    with open(tada.folder / "in.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator=line_end, quoting=quoting)
        writer.writerow(["n", "a", "b", "c", "d"])
        writer.writerows(rows)
    tada("anonymize", "in.csv", "--quasi", "n", "--keep", "a,b,c,d", "-k", "1", "--keep-order", "-o", "out.csv")
    with open(tada.folder / "out.csv", newline="", encoding="utf-8") as file:
        released = list(csv.reader(file))[1:]
    with open(tada.folder / "in.csv", newline="", encoding="utf-8") as file:
        given = list(csv.reader(file))[1:]
    assert [row[1:] for row in released] == [row[1:] for row in given]


def test_the_program_starts_without_arrow(binary):
    """Arrow is loaded by whoever meets a file that needs it: it would be most of the time that a small table takes."""
    loaded = subprocess.run([binary], env={"LD_TRACE_LOADED_OBJECTS": "1"}, capture_output=True, text=True, check=True).stdout
    assert "libstdc++" in loaded and "libarrow" not in loaded and "libparquet" not in loaded


def test_a_gzipped_release_of_many_rows_has_members_that_are_one_table(tada):
    tada("demo", "--write", "many.csv", "--rows", "40000")
    for name in ("out.csv", "out.csv.gz"):
        tada("anonymize", "many.csv", "--quasi", "age,sex,job", "--sensitive", "diagnosis", "--rows-are-people", "-o", name)
    packed = (tada.folder / "out.csv.gz").read_bytes()
    assert packed.count(b"\x1f\x8b\x08\x00\x00\x00\x00\x00") > 2, "blocks are packed each by itself"
    assert gzip.decompress(packed) == (tada.folder / "out.csv").read_bytes()

"""tada decode: plain tables from releases alone."""

import json

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import releases
from conftest import QUASI, ROLES, read_csv

FORMATS = ["csv", "csv.gz", "parquet", "arrow"]


def release(tada, people, *options, name="out.csv"):
    tada("anonymize", people, *ROLES, "--method", "mondrian", "-k", "10", "--keep-order", "-o", name, "--force", *options)
    return tada.read(name) if name.endswith(".csv") else None


def rows_of(tada, name):
    if name.endswith("csv"):
        return tada.read(name)
    table = pa.parquet.read_table(tada.folder / name) if name.endswith("parquet") else pa.feather.read_table(tada.folder / name)
    return [{column: "" if cell is None else str(cell) for column, cell in row.items()} for row in table.to_pylist()]


@pytest.mark.parametrize("copies", [1, 3])
def test_every_drawn_value_lies_inside_its_cell(tada, people, copies):
    released = release(tada, people)
    tada("decode", "out.csv", "--copies", copies, "-o", "train.csv")
    decoded = tada.read("train.csv")
    assert len(decoded) == copies * len(released)
    numeric = {"age"}
    widened = 0
    for number, row in enumerate(decoded):
        source = released[number % len(released)]
        for column, cell in source.items():
            assert not row[column].startswith(("[", "{")) and row[column] != "*"
            if column in QUASI:
                widened += cell != row[column]
                assert releases.covers(cell, row[column], column in numeric)
            else:
                assert row[column] == cell
    assert widened > len(decoded)


def test_a_table_without_widened_cells_is_itself(tada, people):
    for options in ([], ["--expect"]):
        tada("decode", people, "-o", "same.csv", "--force", *options)
        assert tada.read("same.csv") == tada.read(people)


def test_the_same_seed_gives_the_same_bytes_at_any_number_of_threads(tada, people):
    release(tada, people)
    outputs = []
    for number, options in enumerate((["--threads", 1], ["--threads", 4], ["--seed", 2])):
        tada("decode", "out.csv", "-o", f"{number}.csv", *options)
        outputs.append((tada.folder / f"{number}.csv").read_bytes())
    assert outputs[0] == outputs[1] != outputs[2]


@pytest.mark.parametrize("source", FORMATS)
@pytest.mark.parametrize("target", FORMATS)
def test_every_format_decodes_to_the_same_rows(tada, people, source, target):
    release(tada, people)
    tada("decode", "out.csv", "-o", "reference.csv", "--copies", 2)
    release(tada, people, name=f"typed.{source}")
    tada("decode", f"typed.{source}", "-o", f"train.{target}", "--copies", 2)
    if target == "csv.gz":
        import gzip

        got = read_csv(gzip.decompress((tada.folder / "train.csv.gz").read_bytes()).decode())
    else:
        got = rows_of(tada, f"train.{target}")
    # A numeric type writes 9.5 for what the text called 9.50.
    assert [[row[c] for c in ("age", "job", "disease")] for row in got] == [[row[c] for c in ("age", "job", "disease")] for row in tada.read("reference.csv")]


def test_other_tools_cells_are_read_as_the_audit_reads_them(tada):
    tada.write("arx.csv", 'age,zip,y\n"[20, 30[",476**,a\n25-27,47602,b\n>=60,47677,a\n61,47602,b\n')
    for seed in range(20):
        tada("decode", "arx.csv", "-o", "t.csv", "--force", "--copies", 1, "--seed", seed, "--quasi", "age,zip:categorical")
        first, second, third, fourth = tada.read("t.csv")
        assert 20 <= int(first["age"]) < 30 and first["zip"] in ("47602", "47677")
        assert 25 <= int(second["age"]) <= 27 and int(third["age"]) >= 60 and fourth["age"] == "61"


def test_expect_writes_means_and_probabilities(tada):
    tada.write("r.csv", 'age,job,y\n"[20,40]","{a,b}",1\n20,a,0\n40,b,1\n40,b,0\n')
    tada("decode", "r.csv", "--expect", "-o", "e.csv")
    first, second, *_ = tada.read("e.csv")
    assert list(first) == ["age", "job=a", "job=b", "y"]
    assert abs(float(first["age"]) - (20 + 20 * 2 / 3)) < 1e-3 and abs(float(first["job=a"]) - 1 / 3) < 1e-3
    assert second == {"age": "20", "job=a": "1", "job=b": "0", "y": "0"}


def test_weights_and_what_was_done(tada):
    tada.write("r.csv", 'age,y\n"[20,40]",1\n20,0\n')
    done = json.loads(tada("decode", "r.csv", "-o", "t.csv", "--weight-column", "w", "--json").stdout)
    assert done["copies"] == 4 and done["columns"] == [{"name": "age", "holds": "numbers", "values": 2, "widened_rows": 1}]
    assert {row["w"] for row in tada.read("t.csv")} == {"0.25"}
    told = tada("decode", "r.csv", "-o", "-", "--copies", 1)
    assert told.stdout.splitlines()[0] == "age,y" and "not people" in told.stderr
    told = tada("decode", "-", "-o", "-", "--quiet", "--copies", 1, stdin='age\n"[1,2]"\n')
    assert told.stdout in ("age\n1\n", "age\n2\n")


def test_only_the_columns_named_are_decoded(tada):
    tada.write("r.csv", 'age,band\n"[20,40]",10-20\n20,30-40\n')
    tada("decode", "r.csv", "--quasi", "age", "-o", "t.csv", "--copies", 1)
    assert [row["band"] for row in tada.read("t.csv")] == ["10-20", "30-40"]


def test_what_cannot_be_read_stays_and_is_told(tada):
    tada.write("r.csv", 'age\n"[20,40]"\n"[30,50]"\nold\n')
    told = tada("decode", "r.csv", "-o", "t.csv", "--copies", 1)
    assert "age" in told.stderr and "old" in told.stderr and tada.read("t.csv")[2]["age"] == "old"


def test_what_is_wrong_is_named(tada):
    tada.write("r.csv", 'age,y\n"[20,40]",1\n')
    assert "-o" in tada("decode", "r.csv", code=2).stderr
    assert "'age'" in tada("decode", "r.csv", "--quasi", "agee", "-o", "t.csv", code=2).stderr
    assert "twice: age" in tada("decode", "r.csv", "--quasi", "age,age", "-o", "t.csv", code=2).stderr
    assert "--copies" in tada("decode", "r.csv", "--expect", "--copies", 2, "-o", "t.csv", code=2).stderr
    assert "--weight-column" in tada("decode", "r.csv", "--expect", "--weight-column", "w", "-o", "t.csv", code=2).stderr
    assert "y" in tada("decode", "r.csv", "--weight-column", "y", "-o", "t.csv", code=2).stderr
    tada("decode", "nowhere.csv", "-o", "t.csv", code=3)
    tada("decode", "r.csv", "-o", "nowhere/t.csv", code=5)
    tada.write("t.csv", "mine")
    tada("decode", "r.csv", "-o", "t.csv", code=5)
    assert (tada.folder / "t.csv").read_text() == "mine" and tada.litter() == []


def test_whole_numbers_that_doubles_cannot_tell_apart_stay_inside_their_cells(tada):
    low, high = '"[9223372036854775809,9223372036854775811]"', '"[9223372036854775813,9223372036854775815]"'
    tada.write("r.csv", f'a\n{low}\n{high}\n"{{9223372036854775816,9223372036854775817}}"\n')
    tada("decode", "r.csv", "-o", "t.csv", "--copies", 2)
    for row, (least, most) in zip(tada.read("t.csv"), [(9, 11), (13, 15), (16, 17)] * 2, strict=True):
        assert least <= int(row["a"]) - 9223372036854775800 <= most


def test_means_have_all_their_digits(tada):
    tada.write("r.csv", 'a\n"[1700000000111,1700000000115]"\n1700000000123\n')
    tada("decode", "r.csv", "--expect", "-o", "e.csv")
    assert 1700000000111 <= float(tada.read("e.csv")[0]["a"]) <= 1700000000115


def test_a_column_of_nothing_but_masks_is_told(tada):
    tada.write("r.csv", "age,y\n*,1\n*,0\n")
    told = tada("decode", "r.csv", "-o", "t.csv")
    assert "age: no value is known" in told.stderr and "No value could be drawn" in told.stdout
    assert tada.read("t.csv") == tada.read("r.csv")


def test_values_that_look_like_cells_are_left_unless_named(tada):
    table = 'band,grade,age\n18-24,A*,"[20,30]"\n25-34,B,25\n'
    (tada.folder / "out.csv").write_text(table)
    made = tada("decode", "out.csv", "--copies", "1", "-o", "train.csv")
    assert [(row["band"], row["grade"]) for row in tada.read("train.csv")] == [("18-24", "A*"), ("25-34", "B")]
    assert "Column band: cells like 18-24 are taken for values" in made.stderr
    tada("decode", "out.csv", "--quasi", "band", "--copies", "1", "-o", "named.csv")
    assert [18 <= int(row["band"]) <= 34 for row in tada.read("named.csv")] == [True, True]
    assert "--quasi names no column" in tada("decode", "out.csv", "--quasi", "", "-o", "none.csv", code=2).stderr


def test_types_say_which_columns_are_widened(tada):
    cells = pa.array([{"lo": 20, "hi": 30}, {"lo": 25, "hi": 25}], pa.struct([("lo", pa.int64()), ("hi", pa.int64())]))
    names = [["A*"], ["AB", "A*"], ["p~q"], ["{d,e}"], ["*"], ["1"]]
    table = pa.table({"age": cells.take(pa.array([0, 1, 1, 1, 1, 1])), "name": names, "note": ["1-2", "A*", "AB", "x", "y", "z"]})
    pa.parquet.write_table(table, tada.folder / "out.parquet")
    made = tada("decode", "out.parquet", "--copies", "1", "-o", "train.csv")
    rows = tada.read("train.csv")
    assert [row["note"] for row in rows] == table["note"].to_pylist()
    assert 20 <= int(rows[0]["age"]) <= 30 and rows[1]["name"] in names[1]
    assert [row["name"] for row in rows if row is not rows[1]] == ["A*", "p~q", "{d,e}", "*", "1"]
    assert "name: 1 rows with a widened cell" in made.stdout


def test_labels_that_are_intervals_are_decoded_in_every_format(tada, people):
    tada("hierarchy", "build", people, "--column", "age", "--builder", "width:10", "-o", "ages.csv")
    for name in ["out.csv", "out.parquet"]:
        release(tada, people, "--hierarchy", "age=ages.csv", name=name)
        tada("decode", name, "--copies", "1", "-o", f"{name}.csv")
    assert tada.read("out.csv.csv") == tada.read("out.parquet.csv")
    assert not any(row["age"].startswith("[") for row in tada.read("out.csv.csv"))


def test_what_a_set_names_is_a_value(tada):
    (tada.folder / "out.csv").write_text('hla,y\nA*02,1\nA002,0\n"{A*02,C*01}",1\nB~C,0\n"{B~C,A002}",1\n')
    tada("decode", "out.csv", "--quasi", "hla", "--copies", "1", "-o", "train.csv")
    hla = [row["hla"] for row in tada.read("train.csv")]
    assert (hla[0], hla[1], hla[3]) == ("A*02", "A002", "B~C") and hla[2] in ("A*02", "C*01") and hla[4] in ("B~C", "A002")


def test_intervals_that_cannot_be_counted_with_are_told(tada):
    (tada.folder / "out.csv").write_text('a,y\n"[1st,5th]",1\n3rd,1\n')
    assert "could not be read and stay as they are: [1st,5th]" in tada("decode", "out.csv", "--quasi", "a", "-o", "train.csv").stderr


def test_patterns_of_many_numbers_are_drawn(tada):
    zips = [str(10000 + 7 * i) for i in range(1500)]
    (tada.folder / "out.csv").write_text("zip\n" + "\n".join(zips + [text[:4] + "*" for text in zips[::100]]) + "\n")
    made = tada("decode", "out.csv", "--quasi", "zip", "--copies", "1", "-o", "train.csv")
    decoded = [row["zip"] for row in tada.read("train.csv")]
    assert "could not be read" not in made.stderr and all(value in zips for value in decoded)
    assert all(drawn[:4] == text[:4] for drawn, text in zip(decoded[1500:], zips[::100], strict=True))


def test_times_of_day_are_spelled_as_in_the_release(tada):
    cell = '"[2024-03-01 08:02,2024-03-01 10:30]"'
    (tada.folder / "out.csv").write_text(f"admitted,y\n{cell},a\n2024-03-01 09:30,b\n{cell},a\n")
    for options in (["--copies", "1"], ["--expect"]):
        tada("decode", "out.csv", *options, "-o", "train.csv", "--force")
        times = [row["admitted"] for row in tada.read("train.csv")]
        assert all("2024-03-01 08:02" <= time <= "2024-03-01 10:30" and len(time) == 16 for time in times)

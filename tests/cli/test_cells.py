"""How released cells are written (docs/formats.md)."""

import csv
import io

import pytest

import releases
from conftest import QUASI, ROLES, read_csv, write_csv


def release(tada, text, *arguments, name="in.csv"):
    tada.write(name, text)
    tada("anonymize", name, "-o", "out.csv", "--keep-order", "--force", *arguments)
    return tada.read("out.csv")


def test_values_that_are_not_widened_come_back_byte_for_byte(tada):
    rows = release(tada, "v,w\n007,1.50\n007,1.50\n1e3,+5\n1e3,+5\n-0.0,.5\n-0.0,.5\n", "--quasi", "v,w", "-k", "2")
    assert [row["v"] for row in rows] == ["007", "007", "1e3", "1e3", "-0.0", "-0.0"]
    assert [row["w"] for row in rows] == ["1.50", "1.50", "+5", "+5", ".5", ".5"]


def test_interval_bounds_are_as_written(tada):
    rows = release(tada, "v\n007\n1e1\n+8.50\n", "--quasi", "v", "-k", "3")
    assert {row["v"] for row in rows} == {"[007,1e1]"}


def test_two_spellings_of_one_number_are_one_value(tada):
    rows = release(tada, "v\n7\n007\n7.0\n9\n9\n9\n", "--quasi", "v", "-k", "3")
    assert len({row["v"] for row in rows}) == 2
    assert releases.reached(rows, ["v"])[0] == 3
    assert not any(row["v"].startswith("[") and "9" in row["v"] for row in rows)


def test_a_set_is_sorted_and_quotes_what_needs_quoting(tada):
    values = ["b", "a", "x,y", 'say "hi"', "{z}", "back\\slash", " blank ", ""]
    text = write_csv([{"v": value, "s": "1"} for value in values])
    rows = release(tada, text, "--quasi", "v:categorical", "--keep", "s", "-k", str(len(values)))
    cells = {row["v"] for row in rows}
    assert len(cells) == 1
    cell = cells.pop()
    elements = releases.parse_set(cell)
    assert elements == sorted(values)
    for piece in ['"x,y"', '"say \\"hi\\""', '"{z}"', '"back\\\\slash"', '" blank "', '""', ",a,b,"]:
        assert piece in cell


def test_an_interval_is_one_quoted_csv_field(tada):
    release(tada, "v\n1\n2\n", "--quasi", "v", "-k", "2")
    assert (tada.folder / "out.csv").read_bytes() == b'v\n"[1,2]"\n"[1,2]"\n'


def test_a_numeric_group_that_mixes_missing_and_present_is_masked(tada):
    rows = release(tada, "v,w\n1,a\n,a\n2,a\n", "--quasi", "v,w", "-k", "3")
    assert {row["v"] for row in rows} == {"*"} and {row["w"] for row in rows} == {"a"}


def test_missing_values_alone_stay_missing(tada):
    rows = release(tada, "v,w\n?,1\n?,1\n5,1\n5,1\n", "--quasi", "v,w", "-k", "2")
    assert [row["v"] for row in rows] == ["?", "?", "5", "5"]


def test_spellings_of_missing_can_be_set(tada):
    rows = release(tada, "v\nNA\nNA\n3\n4\n", "--quasi", "v", "-k", "2", "--missing", "NA")
    assert [row["v"] for row in rows] == ["NA", "NA", "[3,4]", "[3,4]"]
    # Without it NA is a name like any other, and the column one of names.
    rows = release(tada, "v\nNA\nNA\n3\n4\n", "--quasi", "v", "-k", "4")
    assert {row["v"] for row in rows} == {"{3,4,NA}"}


def test_a_kind_suffix_overrides_what_is_inferred(tada):
    rows = release(tada, "v\n1\n2\n10\n", "--quasi", "v:categorical", "-k", "3")
    assert {row["v"] for row in rows} == {"{1,10,2}"}


def test_dates_are_ordered_and_print_as_dates(tada):
    rows = release(tada, "d\n2024-01-31\n2023-12-01\n2024-02-29\n", "--quasi", "d", "-k", "3")
    assert {row["d"] for row in rows} == {"[2023-12-01,2024-02-29]"}


def test_large_integers_keep_their_exactness(tada):
    rows = release(tada, "v\n9007199254740993\n9007199254740992\n9007199254740993\n9007199254740992\n", "--quasi", "v", "-k", "2")
    assert [row["v"] for row in rows] == ["9007199254740993", "9007199254740992"] * 2


def test_a_text_cell_that_looks_like_ours_is_not_mistaken(tada):
    """A raw value may be `*` or `{a,b}`; the release must still cover it and pass the audit."""
    text = write_csv([{"v": value} for value in ["*", "{a,b}", "[1,2]", "x"] * 3])
    rows = release(tada, text, "--quasi", "v", "-k", "3")
    assert len(rows) == 12


def test_quoted_newlines_and_carriage_returns_survive(tada):
    text = 'v,note\n1,"two\nlines"\n1,"with\rreturn"\n1,"quote "" here"\n'
    rows = release(tada, text, "--quasi", "v", "--keep", "note", "-k", "3")
    assert [row["note"] for row in rows] == ["two\nlines", "with\rreturn", 'quote " here']


def test_bom_and_crlf_are_read(tada):
    rows = release(tada, b"\xef\xbb\xbfage,job\r\n1,a\r\n1,a\r\n", "--quasi", "age,job", "-k", "2")
    assert rows == [{"age": "1", "job": "a"}] * 2


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_are_sniffed_and_kept_readable(tada, people_rows, delimiter):
    tada.write("in.csv", write_csv(people_rows, delimiter))
    tada("anonymize", "in.csv", *ROLES, "-o", "out.csv")
    text = (tada.folder / "out.csv").read_text()
    found = csv.Sniffer().sniff(text.splitlines()[0], ",;\t|").delimiter
    rows = read_csv(text, found)
    assert releases.reached(rows, QUASI)[0] >= 5


def test_a_given_delimiter_wins_over_the_sniffed_one(tada):
    rows = release(tada, "a,b;c\n1,2;3\n1,2;3\n", "--quasi", "c", "--delimiter", ";", "-k", "2")
    assert list(rows[0]) == ["c"]


def test_unicode_passes_through(tada):
    rows = release(tada, "stadt\nZürich\nZürich\n東京\n東京\n", "--quasi", "stadt", "-k", "2")
    assert [row["stadt"] for row in rows] == ["Zürich", "Zürich", "東京", "東京"]
    rows = release(tada, "stadt\nZürich\n東京\n", "--quasi", "stadt", "-k", "2")
    assert {row["stadt"] for row in rows} == {"{Zürich,東京}"}


def test_every_cell_covers_its_original(tada, people, people_rows):
    tada("anonymize", people, *ROLES, "--keep", "name", "--allow", "name", "-k", "7", "-l", "2", "-o", "out.csv")
    originals = {row["name"]: row for row in people_rows}
    released = tada.read("out.csv")
    assert len(released) == len(people_rows) == len({row["name"] for row in released})
    for row in released:
        raw = originals[row["name"]]
        assert row["disease"] == raw["disease"]
        for column in QUASI:
            assert releases.covers(row[column], raw[column], numeric=column == "age"), (column, row[column], raw[column])


def test_a_header_alone_in_many_columns_keeps_order(tada, people):
    tada("anonymize", people, "--quasi", "job,age", "--sensitive", "disease", "--keep", "note", "-o", "out.csv")
    header = next(csv.reader(io.StringIO((tada.folder / "out.csv").read_text())))
    assert header == ["age", "job", "disease", "note"]


def test_a_column_without_a_name_is_no_obstacle(tada):
    assert release(tada, "age,\n1,2\n1,3\n", "--quasi", "age", "-k", "2") == [{"age": "1"}] * 2


def test_null_in_a_set_is_quoted(tada):
    rows = release(tada, "v\nNULL\na\nNull\nnulls\n", "--quasi", "v", "-k", "4")
    assert {row["v"] for row in rows} == {'{"NULL","Null",a,nulls}'}


def test_a_single_column_is_read_back_whatever_its_cells_hold(tada):
    tada.write("in.csv", "a;b\n" + "".join(f"{i};1\n" for i in range(20)))
    tada("anonymize", "in.csv", "--quasi", "a", "-k", "3", "-o", "out.csv")
    tada("audit", "out.csv", "--quasi", "a", "-k", "3", "--original", "in.csv")

"""What parts of a table say of its columns adds up to what the whole says, however rows are dealt."""

import functools

import pytest

pytest.importorskip("pyarrow")

import pyarrow as pa

from spread import people, survey
from tada._spark import surveys, tasks

NAMES = ["age", "zip", "job", "weight", "disease"]
WHOLE = people(700)


def told(table, parts, controller="", most_values=100_000, some=40):
    asked = surveys.Asked(NAMES, controller, most_values, [["age", "zip", "job"], ["zip"]], some)
    step = -(-table.num_rows // parts)
    made = [list(tasks.take_part(asked, NAMES, iter(table.slice(i * step, step).to_batches(max_chunksize=90)))) for i in range(parts)]
    return [batch for part in made for batch in part if batch.column("counted")[0].is_valid]


def counted(columns):
    whose = [column.controllers.to_pylist() if column.controllers else [0] * len(column.rows) for column in columns]
    return [sorted(zip(map(str, of.values.to_pylist()), of.rows.to_pylist(), by, strict=True)) for of, by in zip(columns, whose, strict=True)]


@pytest.mark.parametrize("controller", ["", "site"])
@pytest.mark.parametrize("parts", [1, 3])
def test_values_are_those_of_the_whole(monkeypatch, controller, parts):
    monkeypatch.setattr(tasks, "_AT_ONCE", 100)
    found = [batch.column("counted")[0].as_py() for batch in told(WHOLE, parts, controller)]
    assert len(found) == parts
    expected = counted(survey(WHOLE, NAMES, controller))
    assert counted(surveys.surveyed(found, NAMES)) == expected
    assert counted(surveys.surveyed([surveys.met(found, 100_000)], NAMES)) == expected


def test_a_part_with_too_many_values_tells_none():
    many = told(WHOLE, 2, most_values=10)
    assert [batch.column("counted")[0].as_py() for batch in many] == [b"", b""]
    assert surveys.surveyed([b"", b""], NAMES) is None
    few = [batch.column("counted")[0].as_py() for batch in told(WHOLE, 2)]
    assert surveys.met([few[0], b""], 100_000) == b"" and surveys.met(few, 10) == b"" and surveys.surveyed([few[0], b""], NAMES) is None


def test_values_of_a_type_that_cannot_be_compared_are_left_to_spark():
    lists = WHOLE.set_column(0, "age", pa.array([[1]] * 700))
    asked = surveys.Asked(["age"], "", 100_000, [], 40)
    (batch,) = tasks.take_part(asked, ["age"], iter(lists.select(["age"]).combine_chunks().to_batches()))
    assert batch.column("counted")[0].as_py() == b""


def test_the_same_rows_are_chosen_from_any_parts(monkeypatch):
    monkeypatch.setattr(tasks, "_AT_ONCE", 100)
    rows = functools.partial(sorted, key=str)

    def chosen(table, parts, bound):
        some = [surveys.thinned(batch.column("some")[0].as_buffer(), bound) for batch in told(table, parts)]
        return [rows(of.to_pylist()) for of in surveys.chosen(some, 40)]

    (all_columns, one_column) = chosen(WHOLE, 1, (1 << 64) - 1)
    assert len(all_columns) == len(one_column) == 40 and all_columns[0].keys() == {"age", "zip", "job"}
    backwards = WHOLE.take(pa.array(range(699, -1, -1)))
    assert chosen(backwards, 3, (1 << 64) - 1) == [all_columns, one_column]
    assert chosen(backwards, 3, 1 << 62)[0] == all_columns  # 40 of 700 have smaller hashes than a quarter of them
    assert len(chosen(backwards, 3, 1 << 50)[0]) == 0

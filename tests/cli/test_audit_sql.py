"""`tada audit --sql`: the query says what the audit says, in DuckDB and in PostgreSQL, of true and of broken releases.

PostgreSQL is a server of its own, on a socket in a temporary folder; without one installed its tests are skipped.
"""

import json
import os
import pathlib
import re
import subprocess

import pytest

from conftest import BINARY, QUASI, ROLES, write_csv
from random_releases import random_case

duckdb = pytest.importorskip("duckdb")


class Duck:
    def __init__(self, folder: pathlib.Path):
        self.folder = folder

    def __call__(self, query: str) -> list[tuple]:
        """Loads the release as the query says, then runs it."""
        load = re.search(r"^-- DuckDB: (.*)$", query, re.MULTILINE)[1]
        previous = os.getcwd()
        os.chdir(self.folder)
        try:
            with duckdb.connect() as database:
                database.execute(load)
                return database.execute(query).fetchall()
        finally:
            os.chdir(previous)


def in_postgres(server, query: str, folder: pathlib.Path) -> list[tuple]:
    """Loads the release as the query says, then runs it."""
    create = re.search(r"^-- PostgreSQL: (.*)$", query, re.MULTILINE)[1]
    copy = re.search(r"^--   (\\copy .*)$", query, re.MULTILINE)[1]
    table = re.match(r'CREATE TABLE ("(?:[^"]|"")*")', create)[1]
    rows = server.run(f"SET client_min_messages = error;\nDROP TABLE IF EXISTS {table};\n{create}\n{copy}\n{query}", folder)
    return [(check, passed == "t", int(found), int(asked)) for check, passed, found, asked in rows]


@pytest.fixture
def duck(tada):
    return Duck(tada.folder)


def audited(tada, release: str, *arguments) -> list[tuple]:
    """What the audit says, as the query would."""
    run = subprocess.run([BINARY, "audit", release, *map(str, arguments), "--json"], cwd=tada.folder, capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    verdict = json.loads(run.stdout)
    k, l = verdict["requirement"]["k"], verdict["requirement"]["l"]
    l = l if l > 1 else 0  # 1 asks nothing, of classes without any value either
    found = list(verdict["l_of_column"].values()) or [0] * len(verdict["sensitive"])
    rows = [("k", verdict["k"] >= k, verdict["k"], k)]
    rows += [(f"l of {name}", value >= l, value, l) for name, value in zip(verdict["sensitive"], found, strict=True)]
    assert all(passed for _, passed, _, _ in rows) == (run.returncode == 0)
    return rows


ASKED = [*ROLES, "-k", "5", "-l", "2"]


def broken(rows: list[dict[str, str]], way: str) -> list[dict[str, str]]:
    """A release that does not hold what it promised, or one that still does."""
    rows = [dict(row) for row in rows]
    first = [row for row in rows if all(row[column] == rows[0][column] for column in QUASI)]
    if way == "a row less":  # until the class is too small
        gone = {id(row) for row in first[: len(first) - 4]}
        return [row for row in rows if id(row) not in gone]
    if way == "one disease":
        for row in first:
            row["disease"] = "flu"
    if way == "one missing":
        for number, row in enumerate(first):
            row["disease"] = ["", "?"][number % 2]
    if way == "few masked":
        for row in rows[:3]:
            row.update(dict.fromkeys(QUASI, "*"))
    return rows


WAYS = ["whole", "a row less", "one disease", "one missing", "few masked"]


@pytest.mark.parametrize("way", WAYS)
def test_both_databases_say_what_the_audit_says(tada, people, duck, postgres, way):
    tada("anonymize", people, *ASKED, "-o", "made.csv")
    tada.write("out.csv", write_csv(broken(tada.read("made.csv"), way)))
    query = tada("audit", "out.csv", *ASKED, "--sql").stdout
    answer = audited(tada, "out.csv", *ASKED)
    assert duck(query) == answer
    assert in_postgres(postgres, query, tada.folder) == answer
    assert all(passed for _, passed, _, _ in answer) == (way == "whole")


@pytest.mark.parametrize("cells", ["typed", "text"])
@pytest.mark.parametrize("asked", [("5", "2"), ("9", "2"), ("5", "4")])
def test_parquet_is_verified_as_it_is_stored(tada, people, duck, cells, asked):
    tada("anonymize", people, *ASKED, "--cells", cells, "-o", "out.parquet")
    options = [*ROLES, "-k", asked[0], "-l", asked[1]]
    assert duck(tada("audit", "out.parquet", *options, "--sql").stdout) == audited(tada, "out.parquet", *options)


def test_random_releases(tada, duck, postgres):
    """With awkward texts, other delimiters, numbers in two spellings, and no rows at all."""
    compared = passed = 0
    for number in range(80):
        case = random_case(7, number, tell_tada=True)
        case.write(tada.folder)
        case.original = None
        options = case.tada_arguments()
        run = subprocess.run([BINARY, "audit", *options, "--sql"], cwd=tada.folder, capture_output=True, text=True)
        if run.returncode != 0:  # a damaged file, or a column that is not there
            continue
        answer = audited(tada, *options)
        assert duck(run.stdout) == answer, case
        assert in_postgres(postgres, run.stdout, tada.folder) == answer, case
        compared += 1
        passed += all(passed for _, passed, _, _ in answer)
    assert compared > 60 and 10 < passed < compared - 10


def test_the_table_is_named_like_the_file_or_as_asked(tada, people):
    tada("anonymize", people, *ASKED, "-o", "out.csv")
    assert '\n  FROM "out"\n' in tada("audit", "out.csv", *ASKED, "--sql").stdout
    assert '\n  FROM "public"."my table"\n' in tada("audit", "out.csv", *ASKED, "--sql", "--sql-table", "public.my table").stdout


def test_what_does_not_go_together_is_refused(tada, people):
    tada("anonymize", people, *ASKED, "-o", "out.csv")
    for other in (["--original", people], ["--json"], ["--report", "r.json"], ["--diversity", "entropy"]):
        tada("audit", "out.csv", *ASKED, "--sql", *other, code=2)
    tada("audit", "out.csv", *ASKED, "--sql-table", "t", code=2)

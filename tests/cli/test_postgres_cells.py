"""`--cells postgres`: every released cell is a literal that PostgreSQL reads (docs/formats.md)."""

import pytest

import releases
from conftest import ROLES, write_csv

ASKED = ["-k", "4", "-l", "2", "--cells", "postgres"]


def test_cells_are_literals_of_ranges_and_arrays(tada):
    rows = ["76,nurse,x", "76,nurse,y", "20,cook,x", "30,clerk,y", ",a b,x", ",a b,y", "9,,x", ",,y"]
    tada.write("in.csv", "age,job,s\n" + "\n".join(rows) + "\n")
    tada("anonymize", "in.csv", "--quasi", "age,job", "--keep", "s", "-k", "2", "-o", "out.csv", "--cells", "postgres", "--keep-order")
    cells = [(row["age"], row["job"]) for row in tada.read("out.csv")]
    assert cells[0] == cells[1] == ("[76,76]", "{nurse}")
    assert cells[2] == cells[3] == ("[20,30]", "{clerk,cook}")
    assert cells[4] == cells[5] == ("", "{a b}")
    assert cells[6] == cells[7] == ("(,)", '{""}')
    tada("audit", "out.csv", "--quasi", "age,job", "-k", "2", "--original", "in.csv", "--keep-order")


def test_a_masked_name_is_an_array_of_nothing_known(tada):
    tada.write("in.csv", "job\n" + "".join(f"{job}\n" for job in "abcd"))
    tada.write("jobs.csv", "".join(f"{job},*\n" for job in "abcd"))
    asked = ["--quasi", "job:categorical", "-k", "4", "--recode", "cells"]
    tada("anonymize", "in.csv", *asked[:4], "-o", "out.csv", "--cells", "postgres")
    assert {row["job"] for row in tada.read("out.csv")} == {"{a,b,c,d}"}
    tada.write("masked.csv", "job\n" + "{NULL}\n" * 4)
    verdict = tada("audit", "masked.csv", "--quasi", "job", "-k", "4", "--original", "in.csv", "--json", "--allow-unverified").stdout
    assert '"masked_rows": 4' in verdict


def test_a_column_with_a_hierarchy_is_plain_text(tada):
    tada.write("in.csv", "age,job\n" + "".join(f"{20 + i},{'ab'[i % 2]}\n" for i in range(8)))
    tada("anonymize", "in.csv", "--quasi", "age,job", "--hierarchy", "age=width:4", "-k", "2", "-o", "out.csv", "--cells", "postgres")
    rows = tada.read("out.csv")
    assert all(not row["age"].startswith("[20,20") for row in rows) and all(row["job"].startswith("{") for row in rows)


def test_values_in_another_writing_are_refused(tada):
    tada.write("in.csv", "born\n" + "".join(f"{day}/01/1950\n" for day in range(10, 20)))
    refused = tada("anonymize", "in.csv", "--quasi", "born", "-k", "2", "-o", "out.csv", "--cells", "postgres", code=2).stderr
    assert "'born'" in refused and "%d/%m/%Y" in refused
    assert not (tada.folder / "out.csv").exists()


@pytest.mark.parametrize("output", ["out.csv", "out.parquet"])
def test_the_audit_reads_them(tada, people, people_rows, output):
    tada("anonymize", people, *ROLES, *ASKED, "-o", output)
    tada("audit", output, *ROLES, "-k", "4", "-l", "2", "--original", people)
    tada("anonymize", people, *ROLES, *ASKED[:4], "-o", "plain.csv")
    told = {name: tada("audit", name, *ROLES, "-k", "4", "--original", people, "--json").stdout for name in [output, "plain.csv"]}
    assert told[output].replace(output, "plain.csv").count("null") == told["plain.csv"].count("null")


def test_a_release_loads_into_ranges_and_arrays(tada, people, people_rows, postgres):
    tada("anonymize", people, *ROLES, *ASKED, "-k", "40", "--keep", "income", "--allow", "income", "-o", "out.csv")
    rows = tada.read("out.csv")
    assert any(row["age"] == "(,)" for row in rows) and any(row["age"].startswith("[") for row in rows)
    loaded = postgres.run(
        "create temp table release (age numrange, zip text[], job text[], income numeric, disease text);\n"
        "\\copy release from 'out.csv' csv header\n"
        "select count(*), count(*) filter (where age @> 40.0), count(*) filter (where 'nurse' = any(job)) from release",
        tada.folder,
    )
    spans = [row["age"][1:-1].split(",") for row in rows if row["age"] not in ("", "(,)")]
    covers = sum(row["age"] == "(,)" for row in rows) + sum(float(low) <= 40 <= float(high) for low, high in spans)
    nurses = sum("nurse" in releases.parse_set(row["job"]) for row in rows)
    assert loaded == [[str(len(rows)), str(covers), str(nurses)]]


def test_what_postgres_writes_back_passes_too(tada, people, postgres):
    """int4range has no closed upper bound: `[20,30]` comes back as `[20,31)`."""
    tada("anonymize", people, *ROLES, *ASKED, "-o", "out.csv")
    postgres.run(
        "create temp table release (age int4range, zip text[], job text[], disease text);\n"
        "\\copy release from 'out.csv' csv header\n\\copy release to 'back.csv' csv header\n",
        tada.folder,
    )
    assert any(row["age"].endswith(")") and row["age"] != "(,)" for row in tada.read("back.csv"))
    tada("audit", "back.csv", *ROLES, "-k", "4", "-l", "2", "--original", people)


def test_sets_of_awkward_names_come_back(tada, postgres):
    names = ["null", "NULL", "a,b", '"q"', "back\\slash", " blank ", "{x}", "(,)", "*", "é"]
    tada.write("in.csv", write_csv([{"name": name, "s": str(i % 2)} for i, name in enumerate(names * 3)]))
    tada("anonymize", "in.csv", "--quasi", "name:categorical", "--keep", "s", "-k", "2", "-o", "out.csv", "--cells", "postgres", "--allow", "name")
    held = postgres.run(
        "create temp table release (name text[], s text);\n\\copy release from 'out.csv' csv header\n"
        "select count(*) from release where array_position(name, null) is not null;\nselect distinct unnest(name) as n from release order by 1;\n",
        tada.folder,
    )
    assert held[0] == ["0"]
    assert sorted(row[0] for row in held[1:]) == sorted(names)

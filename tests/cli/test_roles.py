"""Roles that inspect proposes for real tables, beside the roles that studies gave their columns (roles.json of TADA_DATA)."""

import json
import os
import pathlib

import pytest

DATA = pathlib.Path(os.environ.get("TADA_DATA", pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"))
ROLES = DATA / "roles.json"
pytestmark = pytest.mark.skipif(not ROLES.exists(), reason=f"no {ROLES}: set TADA_DATA")

# What only the question of a study tells, and no table: that the number of children, or a job, is to be predicted.
PURPOSE = {("fertility", "morekids"), ("running_example", "Job")}


def given_roles():
    """By table: what any study of its data set takes each column for."""
    entries = json.loads(ROLES.read_text())["roles"] if ROLES.exists() else []
    accepted, files = {}, {}
    for entry in entries:
        roles = accepted.setdefault(entry["dataset"], {})
        for column in entry["quasi_identifiers"]:
            roles.setdefault(column["name"], set()).add("quasi")
        for role in ("sensitive", "label"):
            if entry[role]:
                roles.setdefault(entry[role], set()).add(role)
        for column in [*entry["insensitive"], *entry["dropped"]]:
            roles.setdefault(column, set()).add("quasi")  # unless somebody says so, others may know it
        for column in entry["dropped"]:
            roles[column].add("drop")
        files[entry["file"]] = entry["dataset"]
    return [(file, dataset, accepted[dataset]) for file, dataset in files.items()]


@pytest.mark.parametrize(("file", "dataset", "accepted"), given_roles())
def test_roles_are_those_of_studies(tada, file, dataset, accepted):
    profile = json.loads(tada("inspect", str(DATA / file), "--json", "-q").stdout)
    for column in profile["columns"]:
        name = column["name"]
        if (dataset, name) in PURPOSE or name not in accepted:
            continue
        assert column["role"] in accepted[name], f"{name}: {column['role']} ({column['reason']}), but {accepted[name]}"
        assert 0 < column["confidence"] <= 1


def test_a_column_of_numbers_beyond_doubles_gets_no_empty_note(tada):
    tada.write("in.csv", "a,b\n1e400,x\n-1e400,x\n1e-400,y\n0,y\n")
    for command in (["inspect", "in.csv"], ["anonymize", "in.csv", "--quasi", "a,b", "-k", "2", "-o", "-"]):
        told = tada(*command)
        assert "all but 0 of its rows" not in told.stdout + told.stderr


def test_counts_of_one_and_columns_without_a_name_are_put_into_words(tada):
    tada.write("one.csv", "a,b\n1,x\n")
    told = tada("inspect", "one.csv", "--quasi", "a,b").stdout
    assert told.startswith("one.csv: 1 row, 2 columns\n") and "\n1 row (100.0%) is unique on the quasi-identifiers a, b:" in told
    tada.write("index.csv", ",a,b\n0,1,x\n1,2,x\n")
    told = tada("anonymize", "index.csv", "--quasi", "a", "--sensitive", "b", "-k", "2", "-o", "out.csv", "--report", "r.json").stdout
    assert "Not released, having no role: (without a name)\n" in told
    assert "b is released as it is: whoever knows it finds people by it." in (tada.folder / "r.json").read_text()

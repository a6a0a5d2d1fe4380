"""--min-member N: no cell names a value that fewer than N rows have."""

import collections
import json

import pytest

import releases
from conftest import write_csv


def people():
    rows = [{"age": str(20 + i % 30), "city": ["Bonn", "Kiel", "Rome"][i % 3], "ill": "flu"} for i in range(60)]
    rows[7]["city"] = "Nome"
    rows[31]["city"] = "Pisa"
    return rows


@pytest.mark.parametrize("method", ["mondrian", "dop", "compact", "topdown", "mondrian --range cut"])
def test_no_cell_names_a_rare_value(tada, method):
    raw = people()
    counts = collections.Counter(row["city"] for row in raw)
    tada.write("in.csv", write_csv(raw))
    line = ["anonymize", "in.csv", "--quasi", "age,city", "--keep", "ill", "-k", "4", "--method", *method.split(), "--keep-order", "--force"]
    tada(*line, "-o", "plain.csv")
    tada(*line, "--min-member", "4", "-o", "out.csv")
    rows = tada.read("out.csv")
    assert releases.reached(rows, ["age", "city"])[0] >= 4
    for row, before in zip(rows, raw, strict=True):
        named = releases.parse_set(row["city"]) if row["city"].startswith("{") else [row["city"]]
        assert row["city"] == "*" or all(counts[name] >= 4 for name in named)
        assert releases.covers(row["city"], before["city"], False)
    assert any(row["city"] != "*" for row in rows)
    assert any("Nome" in row["city"] for row in tada.read("plain.csv")) or "cut" in method


def test_a_hierarchy_gives_the_label_above(tada):
    tada.write("in.csv", write_csv(people()))
    tada.write("city.csv", "Bonn;Germany;*\nKiel;Germany;*\nRome;Italy;*\nPisa;Italy;*\nNome;Alaska;*\n")
    tada("anonymize", "in.csv", "--quasi", "city", "--hierarchy", "city=city.csv", "-k", "1", "--min-member", "2", "-o", "out.csv")
    shown = collections.Counter(row["city"] for row in tada.read("out.csv"))
    assert "Pisa" not in shown and "Nome" not in shown and shown["Italy"] == 1 and shown["Alaska"] == 1


def test_how_many_there_are_is_said_to_the_owner_only(tada):
    tada.write("in.csv", write_csv(people()))
    line = ["anonymize", "in.csv", "--quasi", "age,city", "-k", "4", "-o", "out.csv", "--report", "r.json", "--force"]
    assert "Cells name 2 values that fewer than 4 rows have" in tada(*line).stdout
    assert "rare_members" not in json.loads((tada.folder / "r.json").read_text())
    tada(*line, "--report-raw")
    assert json.loads((tada.folder / "r.json").read_text())["rare_members"] == 2
    assert "Cells name" not in tada(*line, "--min-member", "4").stdout

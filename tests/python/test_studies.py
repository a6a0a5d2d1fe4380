"""Small studies on real data, pinned: a margin catches breakage, the golden value drift."""

import argparse
import sys
import xml.etree.ElementTree

import pytest

from conftest import ROOT

tada = pytest.importorskip("tada")
pytest.importorskip("pyarrow")
pytest.importorskip("sklearn")
sys.path.insert(0, str(ROOT / "studies"))


def test_mondrian_and_dop_lose_what_they_lost_on_student(data):
    import dop_table

    file, quasi, sensitive = dop_table.TABLES["Student"]
    for method, golden, margin in (("mondrian", 0.1398, 0.00005), ("dop", 0.1090, 0.002)):
        loss = tada.anonymize(data / file, quasi=quasi, sensitive=sensitive, k=5, l=2, method=method).report["loss"]["ncp"]
        assert loss == pytest.approx(golden, abs=margin)
        assert loss < dop_table.PAPER["Student"]["Mondrian"][2]


def test_a_model_of_a_release_keeps_its_share_of_f1_on_nursery(data):
    import classification

    options = argparse.Namespace(data=data, full=False)
    ratio = {}
    raw = classification.one(options, ("D", "Nursery", "raw", 0, 0, "boosting", 0))[1]
    for method in ("Mondrian", "TA_DA multiway"):
        ratio[method] = classification.one(options, ("D", "Nursery", method, 10, 2, "boosting", 0))[1] / raw
    assert ratio["Mondrian"] == pytest.approx(0.625, abs=0.03)
    assert ratio["TA_DA multiway"] == pytest.approx(0.769, abs=0.03)


def test_a_study_goes_on_where_it_stopped(tmp_path):
    import common

    calls = []
    make = lambda: calls.append(1) or 0.5  # noqa: E731
    assert common.Store(tmp_path / "x.jsonl")(("a", 1), make) == 0.5
    again = common.Store(tmp_path / "x.jsonl")
    assert again(("a", 1), make) == 0.5 and len(calls) == 1
    common.plot(tmp_path / "x.svg", "title", "k", "F1", {"one": [(2, 0.5, 0.1), (10, 0.4, 0.0)]})
    assert (tmp_path / "x.svg").read_text().startswith("<svg")
    again.fill([("a", 1), (2, 3), (4, 5)], sum)  # which could make nothing of the first
    assert common.Store(tmp_path / "x.jsonl").found == {("a", 1): 0.5, (2, 3): 5, (4, 5): 9}
    common.sheet(tmp_path / "sheet.svg", [[common.picture("one", "k", "F1", {"a": [(2, 0.5, 0.0)]})] * 2])
    assert len(xml.etree.ElementTree.parse(tmp_path / "sheet.svg").getroot()) == 2


def test_clusters_of_raw_rows_are_those_of_raw_rows(data):
    import clustering

    options = argparse.Namespace(data=data, full=False)
    assert clustering.one(options, ("Customer", clustering.RAW, 0, 0, 0))[:2] == [1.0, 1.0]
    ari, nmi, *_ = clustering.one(options, ("Customer", "ours", 10, 1, 0))
    assert ari == pytest.approx(0.738, abs=0.03) and nmi == pytest.approx(0.708, abs=0.03)

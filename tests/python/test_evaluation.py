"""tada.evaluate: the grid of the program, on frames."""

import json
import os
import signal
import subprocess
import threading

import pytest

from conftest import BINARY, make_people, write_csv

tada = pytest.importorskip("tada")
pa = pytest.importorskip("pyarrow")
ROLES = {"quasi": ["age", "zip:categorical", "job"], "label": "disease"}
GRID = {"methods": ["raw", "mondrian", "ta_da:split=binary"], "k": [5, 20], "seeds": 2}


def frame(rows):
    people = make_people(rows)
    return pa.table({name: [row[name] for row in people] for name in people[0]})


def without_times(found):
    return [{name: value for name, value in entry.items() if not name.endswith("seconds")} for entry in found]


def test_results_are_those_of_the_program(tmp_path):
    (tmp_path / "people.csv").write_text(write_csv(make_people(300)))
    line = ["--quasi", "age,zip:categorical,job", "--label", "disease", "--methods", "raw,mondrian,ta_da:split=binary", "-k", "5,20", "--seeds", "2", "--json"]
    run = subprocess.run([str(BINARY), "evaluate", "people.csv", *line], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=True)
    expected = json.loads(run.stdout)
    for found in (tada.evaluate(tmp_path / "people.csv", **ROLES, **GRID), tada.evaluate(frame(300), **ROLES, **GRID)):
        assert without_times(found.summary) == without_times(expected["summary"])
        assert found.details["rows"] == expected["rows"]
    assert list(tmp_path.iterdir()) == [tmp_path / "people.csv"]  # nothing is left behind


def test_tables_and_the_page(tmp_path):
    found = tada.evaluate(frame(300), **ROLES, **GRID, learners=["bayes"])
    summary = found.to_pandas()
    assert list(summary["method"]) == ["raw"] + ["mondrian"] * 2 + ["ta_da:split=binary"] * 2 and set(summary["learner"]) == {"bayes"}
    single = found.to_pandas(rows=True)
    assert len(single) == 2 * 5 and single["f1_macro"].between(0, 1).all()
    page = found.to_html(tmp_path / "page.html")
    assert page.count('<svg class="chart wide"') == page.count('<svg class="chart narrow"') == 1 and (tmp_path / "page.html").read_text() == page
    with pytest.raises(tada.OutputError, match="exists"):
        found.to_html(tmp_path / "page.html")
    assert found.to_html(tmp_path / "page.html", force=True) == page
    with pytest.raises(tada.OutputError, match="there is no folder"):
        found.to_html(tmp_path / "nowhere" / "page.html")
    assert "srcdoc" in found._repr_html_() and "f1_macro of raw, mondrian" in repr(found)


def test_what_is_wrong_is_named():
    with pytest.raises(tada.UsageError, match="mondriaan"):
        tada.evaluate(frame(50), **ROLES, methods="mondriaan")
    with pytest.raises(tada.UsageError, match="whole numbers"):
        tada.evaluate(frame(50), **ROLES, k=[2, "x"])
    with pytest.raises(tada.InfeasibleError):
        tada.evaluate(frame(50), **ROLES, methods="mondrian", k=1000, seeds=1)
    with pytest.raises(tada.UsageError, match="output"):
        tada.evaluate(frame(50), **ROLES, resume=True)


def test_results_grow_in_a_file_and_are_taken_up_again(tmp_path):
    (tmp_path / "people.csv").write_text(write_csv(make_people(200)))
    grid = {"methods": "mondrian", "learners": "tree", "memory": "64MB"}
    results, page = tmp_path / "results.csv", tmp_path / "page.html"
    first = tada.evaluate(tmp_path / "people.csv", **ROLES, **grid, seeds=2, output=results, report=page)
    assert page.read_text() == first.to_html() and len(results.read_text().splitlines()) == 3
    with pytest.raises(tada.OutputError):
        tada.evaluate(tmp_path / "people.csv", **ROLES, **grid, seeds=2, output=results)
    with pytest.raises(tada.OutputError):
        tada.evaluate(tmp_path / "people.csv", **ROLES, **grid, seeds=2, report=page)
    kept = results.read_text().splitlines()
    more = tada.evaluate(tmp_path / "people.csv", **ROLES, **grid, seeds=3, output=results, report=page, resume=True)
    assert results.read_text().splitlines()[:3] == kept and len(more.rows) == 3  # times and all: they were not measured again
    assert page.read_text() == more.to_html()


def test_a_frame_has_nothing_to_be_known_again_by(tmp_path):
    with pytest.raises(tada.UsageError, match="path"):
        tada.evaluate(frame(50), **ROLES, output=tmp_path / "results.csv", resume=True)
    tada.evaluate(frame(60), **ROLES, methods="mondrian", seeds=1, learners="tree", output=tmp_path / "all.json", report=tmp_path / "report.json")
    assert (tmp_path / "all.json").read_text() == (tmp_path / "report.json").read_text()


def test_progress_and_interruption():
    seen = []
    tada.evaluate(frame(200), **ROLES, methods="mondrian", seeds=2, progress=lambda stage, done, total, words: seen.append((stage, done, total)))
    assert any(stage == "evaluate" and total == 2 for stage, _, total in seen)
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)  # a test run in the background ignores it
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            tada.evaluate(frame(4000), **ROLES, methods="compact", k=[5, 10, 20, 50], seeds=100)
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, previous)

"""Docstrings are executed, and so are the Python examples of README.md and docs/."""

import doctest
import importlib
import re

import pytest

from conftest import ROOT
from frames import people  # noqa: F401 - a fixture

tada = pytest.importorskip("tada")
pa = pytest.importorskip("pyarrow")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def names(people):
    release = tada.anonymize(people, quasi=["age", "state"], sensitive="income", label="job", k=2, l=2)
    return {"tada": tada, "people": people, "released": release.table}


def run(text, globs, name):
    test = doctest.DocTestParser().get_doctest(text, globs, name, name, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL)
    runner.run(test, clear_globs=False)
    assert runner.failures == 0, f"{name}: {runner.failures} of {runner.tries} examples failed"
    return runner.tries


NEEDS = {"tada.duckdb": ["duckdb"], "tada.sklearn": ["sklearn"], "tada._read": ["pandas"]}


@pytest.mark.parametrize("module", ["tada", "tada._calls", "tada._release", "tada._read", "tada._cells", "tada._columns", "tada.sklearn", "tada.duckdb"])
def test_docstrings_of(module, people, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for needed in NEEDS.get(module, []):
        pytest.importorskip(needed)
    module = importlib.import_module(module)
    texts = [module.__doc__ or ""]
    for thing in vars(module).values():
        if getattr(thing, "__module__", None) == module.__name__ and callable(thing):
            texts.append(thing.__doc__ or "")
            if isinstance(thing, type):
                texts += [member.__doc__ or "" for member in vars(thing).values() if callable(member)]
    tries = sum(run(text, {**vars(module), **names(people)}, module.__name__) for text in texts if ">>>" in text)
    assert tries > 0


@pytest.mark.parametrize("page", [page for page in PAGES if any(">>>" in block for block in BLOCK.findall(page.read_text()))], ids=lambda page: page.name)
def test_python_examples_of(page, tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    pytest.importorskip("sklearn")
    monkeypatch.chdir(tmp_path)
    text = "\n".join(BLOCK.findall(page.read_text()))
    assert run(text, {}, page.name) > 0

"""Signatures come from the option table: what help() shows, what type checkers read, and what the functions take are the same."""

import inspect
import pathlib
import subprocess
import sys

import pytest

from conftest import ROOT

tada = pytest.importorskip("tada")
from tada import _core, _options  # noqa: E402

COMMANDS = ["anonymize", "audit", "inspect", "decode", "advise", "attack", "compose", "evaluate"]
PACKAGE = pathlib.Path(tada.__file__).parent


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_the_table_is_an_argument(command):
    shown = inspect.signature(getattr(tada, command)).parameters
    for entry in _core.options(command):
        name = _options.python_name(entry["name"])
        assert name in shown or entry["name"] in _options.OF_THE_PROGRAM, (command, entry["name"])
    assert all(p.kind is p.KEYWORD_ONLY for p in shown.values() if p.default is not p.empty)
    assert all(p.kind is not p.VAR_KEYWORD for p in shown.values())


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_shown_is_taken_and_nothing_else(command):
    function = getattr(tada, command)
    tables = [None] * (2 if command in ("attack", "compose") else 1)
    for name in [name for name in _options._arguments[command] if name not in ("report", "force")]:
        with pytest.raises(tada.UsageError, match=f"^{name} "):
            function(*tables, **{name: {}})  # no option is a dictionary
    with pytest.raises(tada.UsageError, match="has no argument 'kuasi'"):
        function(*tables, kuasi="age")
    with pytest.raises(tada.UsageError, match="has no argument 'quiet' in Python"):
        function(*tables, quiet=True)


def test_the_stub_is_what_the_build_writes(tmp_path):
    stub = PACKAGE / "_functions.pyi"
    assert stub.is_file(), "scripts/python_package writes it"
    core = next(PACKAGE.glob("_core.*.so"))
    subprocess.run([sys.executable, ROOT / "scripts" / "python_stubs", core, tmp_path / "again.pyi"], check=True)
    assert stub.read_text() == (tmp_path / "again.pyi").read_text()


def test_a_type_checker_knows_the_options(tmp_path):
    pytest.importorskip("mypy")
    script = tmp_path / "use.py"
    script.write_text(
        "import tada\n"
        "tada.anonymize('a.csv', quasi=['age'], k=5, split='binary').audit()\n"
        "tada.evaluate('a.csv', k=[2, 5], label='y')\n"
        "tada.anonymize('a.csv', kay=5)\n"
        "tada.audit('a.csv', k='five')\n"
    )
    words = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", "--config-file", "", script]
    done = subprocess.run(words, capture_output=True, text=True, env={"MYPYPATH": str(PACKAGE.parent), "PATH": "/usr/bin:/bin"})
    errors = [line for line in done.stdout.splitlines() if line.startswith(("use.py", str(script))) and "error" in line]
    assert len(errors) == 2 and ":4: " in errors[0] and ":5: " in errors[1], done.stdout + done.stderr

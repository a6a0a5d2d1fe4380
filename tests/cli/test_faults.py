"""Calls of the system that fail, some of each kind for every command; `make campaign` lets all of them fail."""

import pathlib
import shutil
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "faults"))

import faults


@pytest.fixture(scope="module")
def harness(tmp_path_factory):
    if shutil.which("gcc") is None:
        pytest.skip("no C compiler")
    return faults.Harness(tmp_path_factory.mktemp("faults"))


@pytest.mark.parametrize("command", [command.name for command in faults.COMMANDS])
def test_a_failing_call_is_said_and_leaves_nothing_partial(harness, command):
    assert faults.sweep(harness, [command], wanted=5, seconds=60, seed=1) == []

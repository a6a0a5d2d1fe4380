"""The worked examples of CONTRIBUTING.md can be followed: scripts/follow_contributing does, which takes minutes and is marked slow. Here also, at once, whether
every block knows where it goes."""

import runpy
import subprocess

import pytest

from conftest import ROOT

FOLLOW = runpy.run_path(str(ROOT / "scripts" / "follow_contributing"))
EXAMPLES = FOLLOW["examples"]((ROOT / "CONTRIBUTING.md").read_text())


def test_there_are_examples():
    assert {"Add a method", "Add an option", "Add a command", "Add a requirement"} <= {example.title for example in EXAMPLES}
    assert all(example.commands for example in EXAMPLES)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title.replace(" ", "_"))
def test_every_block_has_a_place(example, tmp_path):
    made = {edit.path for edit in example.edits if edit.side is None}
    assert not [path for path in made if (ROOT / path).exists()]
    for edit in example.edits:
        if edit.side is not None and edit.path not in made:
            edit.place(ROOT)


def test_a_block_without_a_place_is_refused():
    with pytest.raises(FOLLOW["Wrong"], match="does not say where"):
        FOLLOW["examples"]("## Add a thing\n\n```cpp\nint x;\n```\n")
    example = FOLLOW["examples"]("## Add a thing\n\n```cpp\n// README.md, below: nothing like it\nint x;\n```\n")[0]
    with pytest.raises(FOLLOW["Wrong"], match="0 lines"):
        example.edits[0].place(ROOT)


@pytest.mark.slow
def test_the_examples_work():
    done = subprocess.run([ROOT / "scripts" / "follow_contributing"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0, done.stderr

"""Documentation is executed: every ```sh block of README.md and docs/ runs, and prints what the page shows.

A block marked ```sh runs in a temporary folder with the built tada first on PATH; blocks of one page run one after the other in
the same folder. Lines that start with `$ ` are commands and the lines below them are what they print; a line of `...` stands for
any lines, and `...` inside a line for any text. A block without `$ ` is a script that has to succeed. Blocks that cannot run
here (installing, cloning) are marked ```console instead and only shown.
"""

import os
import pathlib
import re
import subprocess

import pytest

from conftest import BINARY, ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: pathlib.Path) -> list[str]:
    return BLOCK.findall(page.read_text())


def commands(block: str) -> list[tuple[str, list[str]]]:
    """The commands of a block, each with the lines it should print; a script has one command and prints what it likes."""
    if not re.search(r"^\$ ", block, re.MULTILINE):
        return [(block, ["..."])]
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found and (found[-1][0].endswith("\\") or line.startswith("> ")):
            found[-1] = (found[-1][0] + "\n" + line.removeprefix("> "), [])
        else:
            found[-1][1].append(line)
    return found


def matches(expected: list[str], shown: str) -> bool:
    pattern = ""
    for line in expected:
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += r"[^\n]*".join(re.escape(part.rstrip()) for part in line.rstrip().split("...")) + r"[ \t]*\n"
    return re.fullmatch(pattern, shown if shown.endswith("\n") or not shown else shown + "\n") is not None


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_of(page, tmp_path):
    folder = tmp_path / "tools"
    folder.mkdir()
    (folder / "tada").symlink_to(BINARY)
    work = tmp_path / "work"
    work.mkdir()
    for block in blocks(page):
        for command, expected in commands(block):
            result = subprocess.run(
                ["bash", "-c", "set -euo pipefail\n" + command],
                cwd=work,
                text=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=60,
                env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "COLUMNS": "120"},
            )
            assert result.returncode == 0, f"{page.name}: {command}\n{result.stdout}"
            assert matches(expected, result.stdout), f"{page.name}: {command}\nshould print:\n" + "\n".join(expected) + f"\nprinted:\n{result.stdout}"


def test_links_between_pages_lead_somewhere():
    for page in [*PAGES, *ROOT.glob("*.md"), *(ROOT / "studies").rglob("*.md"), *(ROOT / ".github").rglob("*.md")]:
        prose = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}, which is not there"


def test_the_index_lists_every_page_once():
    index = (ROOT / "docs" / "README.md").read_text()
    linked = re.findall(r"\]\(([^)#]+\.md)\)", index)
    pages = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")} - {"README.md"}
    assert sorted(link for link in linked if not link.startswith("..")) == sorted(pages)

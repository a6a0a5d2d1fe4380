"""What comments and pages name is there: every path of the repository, every header and source file.

A name is looked at where people read it: in comments and docstrings of sources, in comments of scripts, and in the prose of pages.
    with a folder   `docs/formats.md`, `src/rules`, `partition/engine/problem.h`: seen from the root, src/, python/src/ or the file's own folder.
    without         `checker.cc`: a file of that name somewhere in the repository.
"""

import io
import pathlib
import re
import subprocess
import tokenize

import pytest

from conftest import ROOT

FILES = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines()
FILES = [name for name in FILES if (ROOT / name).is_file() and not name.startswith(("third_party/", "tests/cases/", "tests/fixtures/", "fuzz/corpus/"))]
BASENAMES = {pathlib.PurePath(name).name for name in FILES}
TOP = sorted({name.split("/")[0] for name in FILES if "/" in name} | {"third_party"})
# Other people's, and what the build writes: found in comments and no file of ours.
FOREIGN = {"arrow/csv/parser.h", "ci/scripts/bundle.py", "_functions.pyi"}
PATH = re.compile(
    r"(?<![\w/.$<~-])(?:"
    rf"(?P<top>(?:{'|'.join(map(re.escape, TOP))})/[\w.*/-]*[\w*/])"  # begins with a folder of the repository
    r"|(?P<file>(?:[\w-]+/)*[\w-]+\.(?:cc|h|hpp|py|pyi|md|cmake)))(?![\w>*])"  # or ends like a source file or a page
)
COMMENT = re.compile(r"(?://+|/\*)(.*)")


def cpp_comments(text: str):
    for number, line in enumerate(text.splitlines(), 1):
        bare = re.sub(r'"(?:\\.|[^"\\])*"', '""', line)
        if found := COMMENT.search(bare):
            yield number, found.group(1)


def python_comments(text: str):
    previous = None
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_docstring = token.type == tokenize.STRING and (previous is None or previous.type in (tokenize.INDENT, tokenize.NEWLINE, tokenize.NL))
        if token.type == tokenize.COMMENT or is_docstring:
            yield from enumerate(token.string.splitlines(), token.start[0])
        if token.type != tokenize.COMMENT:
            previous = token


def hash_comments(text: str):
    for number, line in enumerate(text.splitlines(), 1):
        if found := re.search(r"(?:^|\s)#(.*)", line):
            yield number, found.group(1)


def prose(text: str):
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, re.sub(r"\]\([^)]*\)|https?://\S+", "", line)  # test_examples.py follows the links


def reader(name: str):
    suffix = pathlib.PurePath(name).suffix
    if suffix in (".cc", ".h"):
        return cpp_comments
    if suffix in (".py", ".pyi") or name in ("scripts/check_includes", "scripts/follow_contributing", "scripts/python_stubs"):
        return python_comments
    if suffix == ".md":
        return prose
    if suffix in (".txt", ".cmake", ".toml", ".yml", ".yaml", "") and name != "LICENSE":
        return hash_comments
    return None


def is_there(name: str, where: pathlib.Path) -> bool:
    name = name.rstrip("/.")
    if name in FOREIGN:
        return True
    if "/" not in name:
        return name in BASENAMES
    for start in (ROOT, ROOT / "src", ROOT / "python" / "src", ROOT / "tests", where.parent):
        if (start / name).exists() or ("*" in name and any(start.glob(name))):
            return True
    return False


def named_in(line: str):
    for found in PATH.finditer(line):
        yield found.group("top") or found.group("file")


def missing_in(name: str) -> list[str]:
    path = ROOT / name
    lines = reader(name)(path.read_text(encoding="utf-8"))
    return [f"{name}:{number}: {word}" for number, line in lines for word in named_in(line) if not is_there(word, path)]


@pytest.mark.skipif(not FILES, reason="not a git clone")
def test_every_path_that_a_comment_or_page_names_exists():
    missing = [line for name in FILES if reader(name) is not None for line in missing_in(name)]
    assert not missing, "named, and not there:\n" + "\n".join(missing)


@pytest.mark.parametrize("line", ["see src/nowhere/file.h", "as nothing.cc has it", "docs/absent.md", "run scripts/absent", "partition/absent.h, above"])
def test_a_name_that_leads_nowhere_is_found(line):
    assert [word for word in named_in(line) if not is_there(word, ROOT / "README.md")]


@pytest.mark.parametrize("line", ["docs/formats.md.", "`scripts/format`", "table/column.h", "src/*/*_test.cc", "<fmt/format.h>", "https://x.org/y.h", "and/or"])
def test_names_that_are_there_or_are_no_names_pass(line):
    line = next(prose(line))[1]
    assert not [word for word in named_in(line) if not is_there(word, ROOT / "README.md")]

"""docs/hacking.md shows the layout that scripts/check_includes enforces: the same folders, each including what its line says."""

import re
import runpy

from conftest import ROOT

ALLOWED = runpy.run_path(str(ROOT / "scripts" / "check_includes"))["ALLOWED"]


def lines_of_the_page() -> dict[str, str]:
    """The last column of the table of folders, by folder; a line for several shelves counts for each."""
    page = (ROOT / "docs" / "hacking.md").read_text()
    table = page[page.index("| folder of src/") :].split("\n\n")[0].splitlines()[2:]
    found = {}
    for line in table:
        folders, _, includes = (cell.strip() for cell in line.strip("|").split("|"))
        first, *others = folders.split(", ")
        shelf = first.rpartition("/")[0]
        for folder in [first, *(f"{shelf}/{other}" for other in others)]:
            found[folder] = includes
    return found


def test_every_folder_has_a_line_and_every_line_a_folder():
    assert sorted(lines_of_the_page()) == sorted(ALLOWED)
    assert all((ROOT / "src" / folder).is_dir() for folder in ALLOWED)


def test_a_line_names_nothing_that_the_folder_may_not_include():
    reachable = runpy.run_path(str(ROOT / "scripts" / "check_includes"))["reachable"]
    for folder, includes in lines_of_the_page().items():
        words = [word for word in re.findall(r"[\w/]+", re.sub(r"all but.*|[\w/]+\.h", "", includes)) if word in ALLOWED]
        assert set(words) <= reachable(folder), f"{folder}: the page says {includes}"
        if not re.search(r"famil|all but", includes):
            missing = set(ALLOWED[folder]) - set().union(*(reachable(word) for word in words), {folder})
            assert not missing, f"{folder}: the page leaves out {sorted(missing)}"

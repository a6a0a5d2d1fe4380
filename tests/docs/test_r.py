"""The examples of docs/r.md, as one script of R."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from conftest import BINARY, ROOT

BLOCK = re.compile(r"^```r\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_script(tmp_path):
    if not shutil.which("Rscript"):
        pytest.skip("R is not installed: apt-get install r-base-core r-cran-reticulate")
    if subprocess.run(["Rscript", "-e", "library(reticulate)"], capture_output=True).returncode != 0:
        pytest.skip("reticulate is not installed: apt-get install r-cran-reticulate")
    pytest.importorskip("tada")
    pytest.importorskip("pandas")
    script = "".join(BLOCK.findall((ROOT / "docs" / "r.md").read_text()))
    assert script.count("library(reticulate)") == 1
    (tmp_path / "page.R").write_text(script)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "tada").symlink_to(BINARY)
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    done = subprocess.run(
        ["Rscript", "page.R"], cwd=tmp_path, env={**os.environ, "PATH": path, "RETICULATE_PYTHON": sys.executable}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    expected = [line.removeprefix("#> ") for line in script.splitlines() if line.startswith("#> ")]
    assert [line.strip() for line in done.stdout.splitlines()] == expected

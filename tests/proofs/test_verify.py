"""tada-verify, the auditor extracted from the proofs: its own reading of files and options. `make prove` builds it, and compares it with
tada on thousands of tables (compare.py)."""

import os
import pathlib
import subprocess

import pytest

from conftest import ROOT

VERIFY = pathlib.Path(os.environ.get("TADA_VERIFY", ROOT / "build" / "tada-verify"))
pytestmark = pytest.mark.skipif(not VERIFY.exists(), reason="tada-verify is not built: make prove")

RELEASE = 'age,zip,disease\n"[20,30]",476**,flu\n"[20,30]",476**,cold\n*,*,flu\n*,*,?\n'
ORIGINAL = "age,zip,disease\n20,47601,flu\n30,47677,cold\n55,1,flu\n,2,\n"


@pytest.fixture
def verify(tmp_path):
    def run(*arguments, code=0, release=RELEASE):
        (tmp_path / "release.csv").write_bytes(release if isinstance(release, bytes) else release.encode())
        (tmp_path / "original.csv").write_text(ORIGINAL)
        result = subprocess.run([VERIFY, "release.csv", *arguments], cwd=tmp_path, capture_output=True, text=True)
        assert result.returncode == code, result.stdout + result.stderr
        return result.stdout + result.stderr

    return run


ROLES = ["--quasi", "age,zip", "--sensitive", "disease"]


def test_masked_rows_are_a_class_and_a_missing_value_counts_only_if_asked(verify):
    assert "k=2 l=1 in disease" in verify(*ROLES, "-k", "2")
    assert "FAILED" in verify(*ROLES, "-k", "2", "-l", "2", code=1)
    assert "k=2 l=2 in disease" in verify(*ROLES, "-k", "2", "-l", "2", "--missing-counts")
    assert "2 masked" in verify(*ROLES, "-k", "3", code=1)


def test_texts_that_are_one_value_count_once(verify, tmp_path):
    (tmp_path / "fold.csv").write_text("value,canonical\ncold,flu\n")
    assert "l=1 in disease" in verify(*ROLES, "-k", "2", "-l", "2", "--missing-counts", "--fold", "fold.csv", code=1)
    (tmp_path / "fold.csv").write_text("column,value,canonical\nelsewhere,cold,flu\n")
    verify(*ROLES, "-k", "2", "-l", "2", "--missing-counts", "--fold", "fold.csv")
    (tmp_path / "fold.csv").write_text("a,b\ncold,flu\n")
    verify(*ROLES, "-k", "2", "--fold", "fold.csv", code=3)


ORDER = ["--original", "original.csv", "--keep-order"]


def test_every_cell_covers_its_value(verify):
    verify(*ROLES, "-k", "2", *ORDER)
    for true, false in ('"[20,30]"', '"[21,30]"'), ('"[20,30]"', '"[20,30)"'), ("476**", "477**"), ("476**", "476*"), ("cold", "flu"):
        assert "not cover" in verify(*ROLES, "-k", "1", *ORDER, release=RELEASE.replace(true, false), code=1)
    assert "not equally many rows" in verify(*ROLES, "-k", "1", *ORDER, release=RELEASE + "*,*,flu\n", code=1)


def test_wrong_usage_is_2_and_a_damaged_file_is_3(verify):
    verify(code=2)
    verify(*ROLES, "-k", "0", code=2)
    verify("--quasi", "age", "-l", "2", code=2)
    verify("--quasi", "age,nowhere", code=2)
    verify("--quasi", "age,disease", "--sensitive", "disease", code=2)
    verify(*ROLES, "--original", "original.csv", code=2)
    verify(*ROLES, "--unknown", code=2)
    for damaged in "", "a,a\n1,2\n", "age,zip,disease\n1,2\n", 'age,zip,disease\n"1,2,3\n', b"age,zip,disease\n\xff,2,3\n":
        verify(*ROLES, release=damaged, code=3)
    verify(*ROLES, "-k", "1", release="age,zip,disease\n", code=1)

"""`--memory`: tables larger than the memory allowed are released byte for byte as in memory, and leave nothing behind."""

import os
import random
import resource
import signal
import subprocess
import time

import pytest

from conftest import BINARY

ROWS = 150_000
COLUMNS = ["--quasi", "age,sex,zip,education,job,hours", "--sensitive", "diagnosis", "-k", "5", "-l", "2"]
METHODS = {
    "mondrian": [],
    "infogain": ["--label", "readmitted"],
    "regression": ["--label", "income"],
    "ta_da": ["--label", "readmitted"],
}


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "large.csv"
    subprocess.run([BINARY, "demo", "--write", path, "--rows", str(ROWS)], check=True, capture_output=True)
    return path


@pytest.mark.parametrize("method", METHODS)
def test_the_bytes_are_those_of_a_run_in_memory(tada, large, method):
    options = [*COLUMNS, "--method", method, *METHODS[method]]
    tada("anonymize", large, *options, "-o", "whole.csv", "-q")
    tada("anonymize", large, *options, "-o", "spilled.csv", "-q", "--memory", "64MB", timeout=120)
    assert (tada.folder / "whole.csv").read_bytes() == (tada.folder / "spilled.csv").read_bytes()
    assert not tada.litter()


def test_folders_in_and_out(tada, large):
    """Parts are read one after the other; the odd one is named here too."""
    header, *rows = large.read_text().splitlines(keepends=True)
    inside = tada.folder / "in"
    for number in range(3):
        part = inside / f"ward=w{number}" / "part.csv"
        part.parent.mkdir(parents=True)
        part.write_text(header + "".join(rows[number::3]))
    asked = [*COLUMNS, "--keep", "ward"]
    tada("anonymize", "in", *asked, "-o", "whole.csv/", "-q", "--partition-by", "ward", "--rows-per-file", "20000")
    tada("anonymize", "in", *asked, "-o", "spilled.csv/", "-q", "--partition-by", "ward", "--rows-per-file", "20000", "--memory", "64MB", timeout=120)
    names = sorted(path.relative_to(tada.folder / "whole.csv") for path in (tada.folder / "whole.csv").rglob("*.csv"))
    assert len(names) == 9 and {str(name.parent) for name in names} == {"ward=w0", "ward=w1", "ward=w2"}
    assert names == sorted(path.relative_to(tada.folder / "spilled.csv") for path in (tada.folder / "spilled.csv").rglob("*.csv"))
    for name in names:
        assert (tada.folder / "whole.csv" / name).read_bytes() == (tada.folder / "spilled.csv" / name).read_bytes()
    (inside / "ward=w1" / "z.csv").write_text("age,sex\n1,f\n")
    stderr = tada("anonymize", "in", *asked, "-o", "no.csv/", "--memory", "64MB", code=3).stderr
    assert "in/ward=w1/z.csv" in stderr and "has no column" in stderr
    assert not tada.litter() and not (tada.folder / "no.csv").exists()


def started_and_spilling(tada, large):
    """A run that has made its spill folder, or is over."""
    process = subprocess.Popen([BINARY, "anonymize", large, *COLUMNS, "-o", "out.csv", "-q", "--memory", "64MB"], cwd=tada.folder)
    before = set(tada.litter())
    until = time.monotonic() + 20
    while not any(name.startswith(".tada-spill-") for name in set(tada.litter()) - before) and process.poll() is None and time.monotonic() < until:
        time.sleep(0.002)
    return process


def test_killed_there_is_no_release_and_the_next_run_cleans_up(tada, large):
    tada("anonymize", large, *COLUMNS, "-o", "out.csv", "-q")
    whole = (tada.folder / "out.csv").read_bytes()
    (tada.folder / "out.csv").unlink()
    draw = random.Random(3)
    killed = 0
    for attempt in range(20):  # later than its work takes a run was not killed; the last to be killed is stopped where its folder is there
        process = started_and_spilling(tada, large)
        if attempt < 6:
            time.sleep(draw.uniform(0, 0.06))
        process.kill()
        process.wait()
        killed += process.returncode == -signal.SIGKILL
        if (tada.folder / "out.csv").exists():  # it was done, or killed on its way out: then the release is whole
            assert (tada.folder / "out.csv").read_bytes() == whole
        for name in tada.litter():
            if name.startswith(".tada-spill-"):
                assert os.listdir(tada.folder / name) == [], "data of a killed run"
        (tada.folder / "out.csv").unlink(missing_ok=True)
        if attempt >= 6 and killed >= 3 and tada.litter():
            break
    assert killed >= 3
    assert tada.litter()
    tada("anonymize", large, *COLUMNS, "-o", "out.csv", "-q", "--memory", "64MB", timeout=120)
    assert os.listdir(tada.folder) == ["out.csv"]


def test_ctrl_c_removes_the_spill_files(tada, large):
    process = subprocess.Popen([BINARY, "anonymize", large, *COLUMNS, "-o", "out.csv", "-q", "--memory", "64MB"], cwd=tada.folder, stderr=subprocess.DEVNULL)
    while not any(name.startswith(".tada-spill-") for name in tada.litter()) and process.poll() is None:
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 130
    assert os.listdir(tada.folder) == []


def test_a_failing_run_removes_the_spill_files(tada, large):
    tada("anonymize", large, "--quasi", "age", "-k", str(ROWS + 1), "-o", "out.csv", "--memory", "64MB", code=4)
    assert os.listdir(tada.folder) == []


def test_a_full_disk_is_an_error_of_the_output(tada, large):
    def little():
        resource.setrlimit(resource.RLIMIT_FSIZE, (32 << 20, 32 << 20))

    result = subprocess.run(
        [BINARY, "anonymize", large, *COLUMNS, "-o", "out.csv", "--memory", "64MB"], cwd=tada.folder, capture_output=True, text=True, preexec_fn=little
    )
    assert result.returncode == 5, result.stderr
    assert "spill files" in result.stderr
    assert os.listdir(tada.folder) == []


@pytest.mark.parametrize("size", ["lots", "64XB", "-3", "1MB", "MB", ""])
def test_sizes_that_make_no_sense_are_refused(tada, large, size):
    result = tada("anonymize", large, *COLUMNS, "-o", "out.csv", f"--memory={size}", code=2)
    assert "--memory" in result.stderr


def test_awkward_texts_come_through_the_streamed_reader(tada):
    rows = "".join(f'{i % 90},"a ""b"", {i % 7}","line\n{i % 3}"\n' for i in range(3000))
    tada.write("in.csv", "age,job,note\n" + rows)
    for extra in ([], ["--memory", "64MB"]):
        tada("anonymize", "in.csv", "--quasi", "age,job", "--keep", "note", "-o", f"out{len(extra)}.csv", "-q", *extra)
    assert (tada.folder / "out0.csv").read_bytes() == (tada.folder / "out2.csv").read_bytes()
    tada.write("ragged.csv", "age,job\n1,a\n2\n")
    result = tada("anonymize", "ragged.csv", "--quasi", "age", "-o", "x.csv", "--memory", "64MB", code=3)
    assert "ragged.csv" in result.stderr and "3" in result.stderr

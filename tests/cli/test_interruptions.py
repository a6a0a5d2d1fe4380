"""A run that is stopped, killed, or loses the ground under it: either the whole audited file is there, or nothing is."""

import os
import random
import resource
import shutil
import signal
import subprocess
import threading
import time

import pytest

import releases
from conftest import BINARY, QUASI, ROLES, make_people, write_csv


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A table that takes long enough to be interrupted in every stage."""
    path = tmp_path_factory.mktemp("large") / "large.csv"
    path.write_text(write_csv(make_people(60000, seed=3)))
    return path


def start(folder, source, *extra, **options):
    return subprocess.Popen(
        [BINARY, "anonymize", source, *ROLES, "-l", "2", "-o", "out.csv", *extra],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )


def run_time(folder, source):
    begin = time.monotonic()
    process = start(folder, source)
    process.communicate()
    assert process.returncode == 0
    return time.monotonic() - begin


def test_killed_at_any_moment_there_is_the_whole_file_or_none(tada, large):
    whole_time = run_time(tada.folder, large)
    whole = (tada.folder / "out.csv").read_bytes()
    (tada.folder / "out.csv").unlink()
    draw = random.Random(11)
    killed = 0
    for _ in range(30):
        process = start(tada.folder, large)
        time.sleep(draw.uniform(0.0, whole_time * 1.05))
        process.kill()
        process.communicate()
        killed += process.returncode == -signal.SIGKILL
        if (tada.folder / "out.csv").exists():
            assert (tada.folder / "out.csv").read_bytes() == whole
            (tada.folder / "out.csv").unlink()
    assert killed >= 10, "the run is too short to be killed in its middle"
    assert run_time(tada.folder, large) > 0
    assert sorted(os.listdir(tada.folder)) == ["out.csv"], "a killed run left something that the next one did not remove"


def test_killed_with_force_the_old_file_or_the_new_one_is_there(tada, large):
    draw = random.Random(5)
    for _ in range(6):
        tada.write("out.csv", "old")
        process = start(tada.folder, large, "--force")
        time.sleep(draw.uniform(0.01, 0.6))
        process.kill()
        process.communicate()
        text = (tada.folder / "out.csv").read_text()
        assert text == "old" or len(text.splitlines()) == 60001


def test_a_run_does_not_remove_the_unfinished_file_of_a_living_one(tada, large, people):
    """Two runs into one folder at once: both finish."""
    first = start(tada.folder, large)
    for _ in range(5):
        tada("anonymize", people, *ROLES, "-o", "small.csv", "--force")
    errors = first.communicate()[1]
    assert first.returncode == 0, errors
    assert len((tada.folder / "out.csv").read_text().splitlines()) == 60001
    assert not tada.litter()


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.85])
def test_ctrl_c_leaves_nothing(tada, large, stop, share):
    whole_time = run_time(tada.folder, large)
    (tada.folder / "out.csv").unlink()
    process = start(tada.folder, large)
    while not os.listdir(tada.folder) and process.poll() is None:
        time.sleep(0.002)  # until it is past the loader and listens to signals
    time.sleep(whole_time * share)
    process.send_signal(stop)
    _, errors = process.communicate(timeout=20)
    if process.returncode == 0:
        assert (tada.folder / "out.csv").exists()  # it was done before the signal came
        (tada.folder / "out.csv").unlink()
    else:
        assert process.returncode == 130, errors
    assert os.listdir(tada.folder) == []


def test_ctrl_c_while_waiting_for_standard_input(tada):
    process = subprocess.Popen([BINARY, "anonymize", "-", *ROLES, "-o", "out.csv"], cwd=tada.folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=10) == 130
    process.stdin.close()
    process.stderr.close()
    assert os.listdir(tada.folder) == []


def test_a_closed_pipe_is_no_crash(tada, large):
    process = subprocess.Popen(
        [BINARY, "anonymize", large, *ROLES, "-o", "-"],
        cwd=tada.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.close()
    errors = process.stderr.read().decode()
    assert process.wait(timeout=30) == 5, errors
    assert errors.startswith("tada: error:")


def test_a_file_size_limit_is_a_full_disk(tada, large):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    process = start(tada.folder, large, preexec_fn=limit)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 5, errors
    assert b"tada: error:" in errors
    assert os.listdir(tada.folder) == []


@pytest.fixture
def small_disk(tmp_path):
    """A folder on a file system of half a megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", folder], capture_output=True)
    if done.returncode != 0:
        pytest.skip("cannot mount a small file system here; RLIMIT_FSIZE stands in for it")
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.mark.parametrize("extension", ["csv", "csv.gz", "parquet", "arrow"])
def test_a_full_disk(tada, large, small_disk, extension):
    (small_disk / "filler").write_bytes(b"x" * 515_000)
    result = tada("anonymize", large, *ROLES, "-o", small_disk / f"out.{extension}", code=5)
    assert os.listdir(small_disk) == ["filler"]
    assert f"out.{extension}" in result.stderr


def test_a_full_disk_met_by_the_report_releases_nothing(tada, people, small_disk):
    (small_disk / "filler").write_bytes(b"x" * 524_000)
    tada("anonymize", people, *ROLES, "-o", "out.csv", "--report", small_disk / "report.html", code=5)
    assert not (tada.folder / "out.csv").exists() and os.listdir(small_disk) == ["filler"]


def test_a_read_only_folder(tada, people, small_disk):
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    result = tada("anonymize", people, *ROLES, "-o", small_disk / "out.csv", code=5)
    assert "out.csv" in result.stderr or str(small_disk) in result.stderr


def test_an_input_that_vanishes_or_changes(tada, large):
    """Whatever happens to the input meanwhile: a release of what was there, or exit 3 and nothing."""
    draw = random.Random(2)
    original = large.read_bytes()
    for number in range(8):
        source = tada.folder / "in.csv"
        source.write_bytes(original)
        process = start(tada.folder, source)
        time.sleep(draw.uniform(0.0, 0.15))
        if number % 2:
            source.unlink()
        else:
            with open(source, "r+b") as file:
                file.truncate(len(original) // 2)
        _, errors = process.communicate(timeout=30)
        assert process.returncode in (0, 3), errors
        if process.returncode == 0:
            assert len((tada.folder / "out.csv").read_text().splitlines()) == 60001
            (tada.folder / "out.csv").unlink()
        assert [name for name in os.listdir(tada.folder) if name != "in.csv"] == []


def test_an_input_that_grows_while_it_is_read(tada, large):
    source = tada.folder / "in.csv"
    shutil.copy(large, source)
    done = threading.Event()

    def grow():
        with open(source, "ab", buffering=0) as file:
            while not done.is_set():
                file.write(b"Person x,30,00001,cook,1.00,flu,n1\n")
                time.sleep(0.001)

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        process = start(tada.folder, source)
        _, errors = process.communicate(timeout=60)
    finally:
        done.set()
        writer.join()
    assert process.returncode == 3, errors
    assert b"in.csv" in errors
    assert os.listdir(tada.folder) == ["in.csv"]


def test_many_at_once_into_one_name(tada, people):
    """Exactly one of several runs into one new name may win; the file is whole."""
    runs = [start(tada.folder, people) for _ in range(6)]
    codes = sorted((process.communicate(), process.returncode)[1] for process in runs)
    assert codes[0] == 0 and set(codes) <= {0, 5}
    assert releases.reached(tada.read("out.csv"), QUASI, "disease") >= (5, 2)
    assert not tada.litter()

"""Inputs, limits and moments that made the program loop, crash or say what was not so."""

import os
import resource
import subprocess
import threading

import pytest

from conftest import BINARY

ROLES = ["--quasi", "age,zip", "--sensitive", "ill", "-k", "2"]
PEOPLE = "age,zip,ill\n" + "".join(f"{20 + i % 7},{100 + i % 3},{'abc'[i % 3]}\n" for i in range(40))


def test_scores_that_are_no_numbers_end_no_loop(tada):
    dates = ["2020-01-01"] * 8 + ["2031-05-17"]
    tada.write("few.csv", "day,n,label\n" + "".join(f"{day},{i % 4},{'xyz'[i % 3]}\n" for i, day in enumerate(dates)))
    roles = ["--quasi", "day,n", "--label", "label", "-k", "2", "--quiet"]
    for seed in range(4):
        tada("evaluate", "few.csv", *roles, "--methods", "raw,mondrian", "--learners", "logistic,bayes,tree", "--seed", seed)
        tada("anonymize", "few.csv", *roles, "--method", "auto", "--seed", seed, "-o", f"{seed}.csv")


def test_a_plan_that_toml_asserts_away_is_a_wrong_plan(tada):
    tada.write("people.csv", PEOPLE)
    for name in ["?", "*", "é", " +"]:
        tada.write("tada.toml", f'quasi = ["age"]\n[{name}]\n')
        stderr = tada("anonymize", "people.csv", "--plan", "tada.toml", "-o", "out.csv", code=2).stderr
        assert "tada.toml:2" in stderr and "not TOML" in stderr


def test_a_hierarchy_without_an_end_is_given_up(tada):
    tada.write("people.csv", PEOPLE)
    tada.write("tada.toml", 'quasi = ["age", "zip"]\n[columns.zip]\nhierarchy = "/dev/zero"\n')
    assert "no end" in tada("anonymize", "people.csv", "--plan", "tada.toml", "-o", "out.csv", code=2).stderr
    assert "no end" in tada("anonymize", "people.csv", "--plan", "/dev/zero", "-o", "out.csv", code=2).stderr


def test_a_full_standard_output_is_told_from_a_release_that_was_not_written(tada):
    tada.write("people.csv", PEOPLE)
    with open("/dev/full", "w") as full:
        result = subprocess.run([BINARY, "anonymize", "people.csv", *ROLES, "-o", "out.csv"], cwd=tada.folder, stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 5 and (tada.folder / "out.csv").exists()
    assert "Standard output cannot be written" in result.stderr and "Nothing was written" not in result.stderr


def test_no_digest_of_bytes_that_were_not_read(tada):
    pyarrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.csv")
    path = tada.folder / "people.arrow"
    table = pyarrow.csv.read_csv(tada.write("people.csv", PEOPLE))
    with pyarrow.ipc.new_file(path, table.schema) as file:
        file.write_table(table)
    done = threading.Event()

    def touch():
        time = 1_700_000_000
        while not done.is_set():
            time += 1
            os.utime(path, (time, time))

    toucher = threading.Thread(target=touch)
    toucher.start()
    try:
        for attempt in range(50):  # until it is touched while it is read
            command = [BINARY, "anonymize", "people.arrow", *ROLES, "-o", f"out{attempt}.csv", "--report", f"out{attempt}.json", "--report-raw"]
            result = subprocess.run(command, cwd=tada.folder, capture_output=True, text=True)
            if result.returncode == 3:
                break
    finally:
        done.set()
        toucher.join()
    assert "changed while it was read" in result.stderr and not (tada.folder / f"out{attempt}.csv").exists()


def test_an_overwritten_file_keeps_its_mode(tada):
    tada.write("people.csv", PEOPLE)
    for mode in (0o600, 0o640, 0o644):
        tada.write("out.csv", "secret")
        os.chmod(tada.folder / "out.csv", mode)
        tada("anonymize", "people.csv", *ROLES, "-o", "out.csv", "--force")
        assert (tada.folder / "out.csv").stat().st_mode & 0o777 == mode


def test_spill_folders_of_killed_runs_are_removed_by_any_run(tada):
    tada.write("people.csv", PEOPLE)
    left = tada.folder / ".tada-spill-123-0123abcd"
    left.mkdir()
    tada("anonymize", "people.csv", *ROLES, "-o", "out.csv")
    assert not left.exists()


def test_control_characters_of_names_do_not_reach_the_terminal(tada):
    name = "z\x1b[2Jip\u202e\x9b"
    tada.write("people.csv", PEOPLE.replace("zip", name))
    release = ["--quasi", "age", "--sensitive", "ill", "-k", "2"]
    printed = [
        tada("inspect", "people.csv"),
        tada("anonymize", "people.csv", *release, "-o", "out.csv"),
        tada("anonymize", "people.csv", "--quasi", f"age,{name}", "-k", "2", "-o", "named.csv"),
        tada("audit", "named.csv", "--quasi", "age", "-k", "1"),
        tada("audit", "named.csv", "--quasi", f"age,{name}", "-k", "2", "--original", "people.csv"),
        tada("attack", "named.csv", "--original", "people.csv", "--quasi", f"age,{name}", "--subsets", "1"),
    ]
    for result in printed:
        assert not set("\x1b\u202e\x9b") & set(result.stdout + result.stderr), result
    assert "z\\u001b[2Jip" in printed[1].stdout  # "Not released, having no role"


def loads_nothing(limit):
    """Whether that much memory does not even do for the libraries to be loaded, before any of our code runs."""
    return subprocess.run([BINARY, "--version"], capture_output=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))).returncode != 0


def test_too_little_memory_is_a_message_and_no_crash(tada):
    tada.write("people.csv", "age,zip,ill\n" + "".join(f"{i % 90},{i % 9973},{i % 7}\n" for i in range(300_000)))
    outcomes = set()
    release = ["anonymize", "people.csv", *ROLES, "-o", "out.csv", "--force", "--quiet"]
    grid = ["evaluate", "people.csv", "--quasi", "age,zip", "--label", "ill", "-k", "2", "--methods", "mondrian", "--seeds", "1", "--quiet"]
    cases = [(release, megabytes) for megabytes in [*range(60, 130, 4), 4000]] + [(grid, 95), (grid, 100)]
    for command, megabytes in cases:
        limit = megabytes << 20
        result = subprocess.run(
            [BINARY, *command],
            cwd=tada.folder,
            capture_output=True,
            text=True,
            preexec_fn=lambda limit=limit: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        )
        if "error while loading shared libraries" in result.stderr or loads_nothing(limit):
            continue
        assert result.returncode in (0, 3, 70), (megabytes, result)
        assert result.returncode == 0 or "tada: error:" in result.stderr
        outcomes.add(result.returncode)
    assert {0, 70} <= outcomes

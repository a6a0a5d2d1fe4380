"""Lets every allocation, read, write, sync and rename of every command fail once, one run each, and looks at what is left.

    python tests/faults/faults.py [--points N] [--seconds S] [--seed N] [COMMAND ...]

A command of the program runs on a small table with one call failing (shim.c). It must end by itself with an exit code and two lines, or
as if nothing had happened; a file under its name is whole, or is what stood there before; nothing half-written is left; and the
message says what is true of the disk. `make test` tries some calls of each kind, `make campaign` all.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = pathlib.Path(os.environ.get("TADA_BINARY", ROOT / "build" / "tada")).resolve()
KINDS = ["alloc", "read", "write", "sync", "rename"]
ROLES = ["--quasi", "age,zip:categorical", "--sensitive", "disease", "-k", "3", "-l", "2"]
RELEASE = ["anonymize", "people.csv", *ROLES, "--label", "job", "--threads", "1"]


@dataclasses.dataclass
class Command:
    """What is run, and the files that it writes, in the order in which they appear."""

    name: str
    arguments: list[str]
    writes: list[str] = dataclasses.field(default_factory=list)
    before: dict[str, str] = dataclasses.field(default_factory=dict)
    repeatable: bool = True  # the same bytes every time


COMMANDS = [
    Command("anonymize", [*RELEASE, "-o", "out.csv"], ["out.csv"]),
    Command("anonymize-force", [*RELEASE, "-o", "out.csv", "--force"], ["out.csv"], {"out.csv": "old\n"}),
    Command("anonymize-parquet", [*RELEASE, "-o", "out.parquet"], ["out.parquet"]),
    Command("anonymize-arrow", [*RELEASE, "-o", "out.arrow"], ["out.arrow"]),
    Command("anonymize-gz", [*RELEASE, "-o", "out.csv.gz"], ["out.csv.gz"]),
    Command("anonymize-report", [*RELEASE, "-o", "out.csv", "--report", "report.json"], ["out.csv", "report.json"], repeatable=False),
    Command("anonymize-plan", ["anonymize", "people.csv", "--plan", "tada.toml", "-o", "out.csv", "--threads", "1"], ["out.csv"]),
    Command("anonymize-compact", [*RELEASE, "--method", "compact", "-o", "out.csv"], ["out.csv"]),
    Command("audit", ["audit", "released.csv", "--original", "people.csv", *ROLES, "--label", "job", "--threads", "1"]),
    Command("audit-report", ["audit", "released.parquet", *ROLES, "--report", "audit.json", "--threads", "1"], ["audit.json"], repeatable=False),
    Command("attack", ["attack", "released.csv", "--original", "people.csv", *ROLES[:4], "--threads", "1"]),
    Command("compose", ["compose", "released.csv", "released.csv", *ROLES, "--threads", "1"]),
    Command("decode", ["decode", "released.csv", "-o", "decoded.csv", "--threads", "1"], ["decoded.csv"]),
    Command("inspect", ["inspect", "people.csv", "--write-plan", "draft.toml", "--threads", "1"], ["draft.toml"]),
    Command(
        "evaluate",
        ["evaluate", "people.csv", *ROLES[:4], "--label", "job", "--methods", "raw,mondrian", "-k", "3", "--seeds", "1", "-o", "grid.csv", "--threads", "1"],
        [],  # results are written as they are made
    ),
    Command(
        "advise",
        ["advise", "people.csv", "--quasi", "age,zip:categorical", "--label", "job", "-o", "advice.json", "--threads", "1"],
        ["advice.json"],
        repeatable=False,
    ),
    Command("hierarchy", ["hierarchy", "build", "people.csv", "--column", "age", "--builder", "width:5", "-o", "age.csv"], ["age.csv"]),
    Command("key", ["key", "-o", "secret.key"], ["secret.key"], repeatable=False),
    Command("methods", ["methods"]),
]


def build_shim(folder: pathlib.Path) -> pathlib.Path:
    library = folder / "shim.so"
    source = pathlib.Path(__file__).with_name("shim.c")
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-w", "-o", str(library), str(source), "-ldl"], check=True)
    return library


def write_inputs(folder: pathlib.Path) -> None:
    draw = random.Random(1)
    columns = [range(20, 61), "abc", ["flu", "cold", "asthma"], "xy"]
    rows = [",".join(str(draw.choice(column)) for column in columns) for _ in range(40)]
    (folder / "people.csv").write_text("age,zip,disease,job\n" + "\n".join(rows) + "\n")
    (folder / "tada.toml").write_text('quasi = ["age", "zip:categorical"]\nsensitive = ["disease"]\nk = 3\nl = 2\n')
    for name in ("released.csv", "released.parquet"):
        subprocess.run([str(BINARY), *RELEASE, "-o", name], cwd=folder, check=True, capture_output=True)


class Harness:
    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.shim = build_shim(folder)
        self.runs = self.said = self.survived = 0
        self.inputs = folder / "inputs"
        self.inputs.mkdir()
        write_inputs(self.inputs)

    def run(self, command: Command, **variables: str) -> tuple[subprocess.CompletedProcess, dict[str, bytes]]:
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            place = pathlib.Path(name)
            for path in self.inputs.iterdir():
                os.link(path, place / path.name)
            for file, text in command.before.items():
                (place / file).write_text(text)
            environment = {**os.environ, "LD_PRELOAD": str(self.shim), "ARROW_DEFAULT_MEMORY_POOL": "system", "TMPDIR": name, **variables}
            done = subprocess.run([str(BINARY), *command.arguments], cwd=place, env=environment, capture_output=True, timeout=120)
            known = {path.name for path in self.inputs.iterdir()}
            left = {path.name: path.read_bytes() for path in place.iterdir() if path.is_file() and path.name not in known}
            return done, left

    def counts(self, command: Command) -> tuple[dict[str, int], dict[str, bytes], subprocess.CompletedProcess]:
        path = self.folder / "counts"
        done, left = self.run(command, TADA_FAULT_COUNTS=str(path))
        assert done.returncode in (0, 6), f"{command.name}: {done.stderr.decode()}"
        counts = {line.split()[0]: int(line.split()[1]) for line in path.read_text().splitlines()}
        return counts, left, done

    def check(self, command: Command, kind: str, call: int, good: dict[str, bytes], code: int) -> str | None:
        """What is wrong with the run whose CALL-th KIND fails; nothing if it is as it must be."""
        done, left = self.run(command, TADA_FAULT=f"{kind}:{call}")
        self.runs += 1
        error = done.stderr.decode(errors="replace")
        where = f"{command.name}, {kind} {call}: exit {done.returncode}\n{error[:600]}"
        if done.returncode < 0:
            return f"ended by signal {-done.returncode}: {where}"
        if done.returncode in (0, code):
            self.survived += 1
            for file in command.writes:
                if file not in left:
                    return f"{file} is not there: {where}"
                if command.repeatable and left[file] != good[file]:
                    return f"{file} differs: {where}"
            if [file for file in left if file.startswith(".tada")]:
                return f"left {sorted(left)}: {where}"
            return None
        self.said += 1
        lines = [line for line in error.splitlines() if line.startswith("tada: ")]
        if not any(line.startswith("tada: error:") for line in lines) or not any(line.startswith("tada: hint:") for line in lines):
            return f"no error and hint: {where}"
        there = [file for file in command.writes if file in left and left[file] != command.before.get(file, "").encode()]
        for file in there:
            if command.repeatable and left[file] != good[file]:
                return f"{file} is partial: {where}"
        for file in command.before:
            if file not in left:
                return f"{file} is gone: {where}"
        claims = "othing was written" in error or "othing was released" in error
        if there and claims:
            return f"says that nothing was written, and {there} is there: {where}"
        if there and not any(word in error for word in ("was written", "is written", "only what it prints is lost", "ritten before that")):
            return f"does not say that {there} is there: {where}"
        litter = [file for file in left if file not in command.writes and file not in command.before and file != "grid.csv"]
        if litter and "removed by the next run" not in error:
            return f"left {litter}: {where}"
        return None


def points(count: int, wanted: int, draw: random.Random) -> list[int]:
    """The calls to let fail: all, or the first and last ones and some between."""
    if wanted == 0 or count <= wanted:
        return list(range(1, count + 1))
    ends = min(3, wanted // 3)
    return sorted({*range(1, ends + 1), *range(count - ends + 1, count + 1), *draw.sample(range(1, count + 1), wanted - 2 * ends)})


def sweep(harness: Harness, names: list[str], wanted: int, seconds: float, seed: int) -> list[str]:
    draw = random.Random(seed)
    problems = []
    end = time.monotonic() + seconds
    for command in COMMANDS:
        if names and command.name not in names:
            continue
        counts, good, done = harness.counts(command)
        for kind in KINDS:
            for call in points(counts.get(kind, 0), wanted, draw):
                if time.monotonic() > end:
                    return problems
                problem = harness.check(command, kind, call, good, done.returncode)
                if problem is not None:
                    problems.append(problem)
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commands", nargs="*")
    parser.add_argument("--points", type=int, default=0, help="calls of each kind and command; 0: all")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        harness = Harness(pathlib.Path(name))
        problems = sweep(harness, options.commands, options.points, options.seconds, options.seed)
    for problem in problems[:20]:
        print(problem, file=sys.stderr)
    print(
        f"faults: {harness.runs} runs with a failing call: {harness.said} said so, {harness.survived} went on as if nothing had happened, {len(problems)} wrong"
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

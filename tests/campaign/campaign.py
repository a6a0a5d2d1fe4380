"""Random tables through every method, judged by code of its own; and runs that are killed at any moment.

    python tests/campaign/campaign.py [--tables N] [--kills N] [--seconds S] [--seed N]

Every table has awkward cells (spellings of one value, missing ones, numbers of many digits), random roles and a random requirement. A
release must have the k and the l that were asked for, by an own count over an own canonical form; every released cell must cover the value
that it stands for (`--keep-order`); a table that has no release must give exit code 4, or 2 where a method does not serve it. A killed run
leaves the whole file or none. Called by `make campaign`; a failure prints the seed, number and command that show it.
"""

from __future__ import annotations

import argparse
import collections
import csv
import io
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import releases  # noqa: E402
from random_releases import MISSING_WORDS, canonical_form  # noqa: E402

BINARY = pathlib.Path(os.environ.get("TADA_BINARY", ROOT / "build" / "tada")).resolve()
DISEASES = ["flu", "Flu", "FLU ", "cold", "Cold", "asthma", "cancer", "N/A", "", "?", "7", "7.0", "e\u0301", "é"]
NAMES = ["a", "b", "c", "A", "x,y", 'q"q', "é", "{", "back\\slash", "", "?"]
NUMBERS = ["0", "1", "2", "3", "10", "12.5", "-4", "7", "007", "123456789012345678901", "", "1e1"]


def methods() -> list[str]:
    listed = json.loads(subprocess.run([BINARY, "methods", "--json"], capture_output=True, check=True).stdout)
    return [method["name"] for method in listed["methods"]]


def table_text(rows: list[list[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def random_table(draw: random.Random) -> tuple[list[str], list[list[str]]]:
    rows = draw.choice([3, 8, 20, 60, 150])
    numbers, names = draw.sample(NUMBERS, draw.randint(2, 8)), draw.sample(NAMES, draw.randint(2, 6))
    ages = [str(draw.randint(18, 90)) for _ in range(draw.randint(2, 30))]
    diseases = draw.sample(DISEASES, draw.randint(2, len(DISEASES)))
    label = draw.choice([["x", "y"], ["x", "y", "z"], ["1", "2.5", "3"]])
    pools = [ages, numbers, names, diseases, label]
    return ["age", "number", "name", "disease", "y"], [[draw.choice(pool) for pool in pools] for _ in range(rows)]


def distinct(values: list[str]) -> int:
    """Different values that count towards l."""
    return len({canonical_form(value) for value in values} - set(MISSING_WORDS))


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def judge(header: list[str], table: list[list[str]], text: str, quasi: list[str], k: int, l: int, levels: bool) -> str | None:
    """What is wrong with a release whose rows stand in the order of the table; nothing if all is as it must be."""
    released = list(csv.reader(io.StringIO(text)))
    names, rows = released[0], released[1:]
    if len(rows) != len(table):
        return f"{len(rows)} rows of {len(table)}"
    classes = collections.defaultdict(list)
    for row in rows:
        classes[tuple(row[names.index(name)] for name in quasi)].append(row)
    for cells, members in classes.items():
        if len(members) < k:
            return f"a class of {len(members)}: {cells}"
        if l > 1 and distinct([row[names.index("disease")] for row in members]) < l:
            return f"a class of fewer than {l} values: {cells}"
    for at, name in enumerate(names):
        source = header.index(name)
        values = [row[source] for row in table]
        numeric = all(is_number(value) for value in values if value not in ("", "?"))
        for row, value in zip(rows, values, strict=True):
            if name in quasi and (levels or releases.covers(row[at], value, numeric)):
                continue
            if row[at] == value or (value in ("", "?") and row[at] in ("", "?")):
                continue
            return f"{name}: {row[at]!r} stands for {value!r}"
    return None


def try_table(number: int, seed: int, names: list[str], folder: pathlib.Path) -> tuple[str, str | None]:
    draw = random.Random(f"{seed}/{number}")
    header, table = random_table(draw)
    (folder / "in.csv").write_text(table_text([header, *table]), encoding="utf-8")
    method = names[number % len(names)]
    quasi = draw.sample(["age", "number", "name"], draw.randint(1, 3))
    k, l = draw.choice([1, 2, 3, 5, 10]), draw.choice([1, 2, 2, 3])
    arguments = ["anonymize", "in.csv", "--quasi", ",".join(quasi), "--sensitive", "disease", "--label", "y", "-k", str(k), "-l", str(l)]
    arguments += ["--method", method, "--keep-order", "-o", "out.csv", "--force", "--quiet", "--threads", "1", "--seed", str(draw.randint(1, 99))]
    if method == "levels":
        arguments += ["--levels", ",".join(f"{name}=1" for name in quasi)]
    if draw.random() < 0.2:
        arguments += ["--controllers", "2"]
    done = subprocess.run([BINARY, *arguments], cwd=folder, capture_output=True, timeout=120)
    what = f"seed {seed}, table {number}: tada {' '.join(arguments)}\n{done.stderr.decode(errors='replace')}"
    if done.returncode == 0:
        labels = method in ("datafly", "topdown", "optimal", "levels", "auto")
        wrong = judge(header, table, (folder / "out.csv").read_text(encoding="utf-8"), quasi, k, l, labels)
        return "released", None if wrong is None else f"{wrong}\n{what}"
    if done.returncode in (2, 4):
        return "refused", None
    return "failed", f"exit {done.returncode}\n{what}"


def kill_runs(count: int, seed: int, end: float, folder: pathlib.Path) -> tuple[int, list[str]]:
    draw = random.Random(seed)
    rows = [[str(draw.randint(18, 90)), str(draw.randint(0, 99)), draw.choice(["flu", "cold", "asthma"])] for _ in range(20000)]
    (folder / "in.csv").write_text(table_text([["age", "zip", "disease"], *rows]))
    command = [str(BINARY), "anonymize", "in.csv", "--quasi", "age,zip", "--sensitive", "disease", "-k", "5", "-l", "2", "-o", "out.csv", "--quiet"]
    begin = time.monotonic()
    subprocess.run(command, cwd=folder, check=True)
    whole, seconds = (folder / "out.csv").read_bytes(), time.monotonic() - begin
    (folder / "out.csv").unlink()
    killed, problems = 0, []
    for _ in range(count):
        if time.monotonic() > end:
            break
        process = subprocess.Popen(command, cwd=folder)
        time.sleep(draw.uniform(0, seconds * 1.05))
        process.kill()
        killed += process.wait() == -signal.SIGKILL
        if (folder / "out.csv").exists():
            if (folder / "out.csv").read_bytes() != whole:
                problems.append(f"a killed run left a partial file, seed {seed}")
            (folder / "out.csv").unlink()
    subprocess.run(command, cwd=folder, check=True)
    litter = [path.name for path in folder.iterdir() if path.name.startswith(".tada")]
    if litter:
        problems.append(f"the next run left {litter}")
    return killed, problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=1_000_000)
    parser.add_argument("--kills", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=3600, help="for each of the two")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    names, counts, problems = methods(), collections.Counter(), []
    end, number = time.monotonic() + options.seconds, 0
    with tempfile.TemporaryDirectory() as name:
        while number < options.tables and time.monotonic() < end and len(problems) < 20:
            outcome, problem = try_table(number, options.seed, names, pathlib.Path(name))
            counts[outcome] += 1
            number += 1
            if problem is not None:
                problems.append(problem)
    print(f"campaign: {number} tables over {len(names)} methods: {counts['released']} released and right by an own count, {counts['refused']} refused")
    with tempfile.TemporaryDirectory() as name:
        killed, of_kills = kill_runs(options.kills, options.seed, time.monotonic() + options.seconds, pathlib.Path(name))
    print(f"campaign: {killed} runs killed, {len(of_kills)} left something partial")
    for problem in [*problems, *of_kills]:
        print(problem, file=sys.stderr)
    return 1 if problems or of_kills else 0


if __name__ == "__main__":
    sys.exit(main())

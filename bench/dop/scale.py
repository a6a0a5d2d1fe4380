#!/usr/bin/env python3
"""Times compact on large and on wide tables: whole program, from start to audited file.

    bench/dop/scale.py --tada build/tada [--rows 1000000,5000000] [--columns 50]

Tables of many rows come from `tada demo --write` (8 quasi-identifiers, k=10, l=2); the wide one (20,000 rows, half numbers, half names, k=5, l=2) is
made up here. Aims: a million rows in under 3 minutes and 2 GB; five million and fifty columns finish, with a warning where near rows were
looked for approximately.
"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

QUASI = "age,sex,zip,education,job,marital,hours,income"


def measure(options, source, quasi, sensitive, k, method, folder):
    report, notes = folder / "report.json", folder / "time"
    subprocess.run(
        [
            "/usr/bin/time",
            "-v",
            "-o",
            notes,
            options.tada,
            "anonymize",
            source,
            "--quasi",
            quasi,
            "--sensitive",
            sensitive,
            "-k",
            str(k),
            "-l",
            "2",
            "--method",
            method,
            "-o",
            folder / "out.csv",
            "--force",
            "--quiet",
            "--report",
            report,
        ],
        check=True,
        stderr=subprocess.PIPE,
    )
    found, text = json.loads(report.read_text()), notes.read_text()
    clock = re.search(r"Elapsed \(wall clock\) time.*: ([\d:.]+)", text).group(1)
    busy = float(re.search(r"User time \(seconds\): ([\d.]+)", text).group(1))
    memory = int(re.search(r"Maximum resident set size \(kbytes\): (\d+)", text).group(1)) / 1024
    warnings = "; ".join(found.get("warnings", []))
    print(f"| {source.name} | {method} | {found['loss']['ncp']:.4f} | {clock} | {busy:.0f} | {memory:.0f} | {warnings} |", flush=True)


def wide(path, columns, rows=20_000):
    draw = random.Random(3)
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(f"q{c}" for c in range(columns)) + ",s\n")
        for _ in range(rows):
            at = draw.random()
            numbers = [str(int(100 * min(1, max(0, draw.gauss(at, 0.2))))) for _ in range(columns // 2)]
            names = [f"v{int(6 * draw.random() * at)}" for _ in range(columns - columns // 2)]
            file.write(",".join(numbers + names) + f",s{draw.randrange(6)}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tada", default="build/tada")
    parser.add_argument("--rows", default="1000000,5000000")
    parser.add_argument("--columns", type=int, default=50)
    options = parser.parse_args()
    print("| table | method | NCP | wall | processor, s | MB | warnings |\n|---|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for rows in filter(None, options.rows.split(",")):
            source = folder / f"{rows}.csv"
            subprocess.run([options.tada, "demo", "--write", source, "--rows", rows, "--quiet"], check=True)
            measure(options, source, QUASI, "diagnosis", 10, "compact", folder)
            source.unlink()
        if options.columns:
            source = folder / f"{options.columns}_columns.csv"
            wide(source, options.columns)
            for method in ("compact", "dop"):
                measure(options, source, ",".join(f"q{c}" for c in range(options.columns)), "s", 5, method, folder)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Counts the instructions of ten fixed commands with callgrind and compares them with bench/instructions.json: a guard that needs no quiet machine.

One thread, tables that `tada demo --write` makes. Counts are the same in every run of one binary on one kind of processor; another C library,
compiler or processor gives others, so the recorded counts are of the machine named beside them. A command that needs more than 5% above its record
fails the run; --write records.

usage: bench/instructions.py --tada build/tada [--write]
"""

import argparse
import json
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

RECORD = pathlib.Path(__file__).resolve().with_name("instructions.json")
MOST = 1.05
ROLES = ["--quasi", "age,sex,zip,education,marital,job,hours", "--sensitive", "diagnosis", "-k", "10", "-l", "2"]
RUN = [*ROLES, "--rows-are-people", "--quiet", "--force", "--threads", "1", "-o", "out.csv"]
COMMANDS = {
    "start": ["--version"],
    "inspect": ["inspect", "in.csv", "--threads", "1"],
    "mondrian": ["anonymize", "in.csv", *RUN, "--method", "mondrian"],
    "mondrian-persons": ["anonymize", "in.csv", *ROLES, "--person", "id", "--quiet", "--force", "--threads", "1", "-o", "out.csv", "--method", "mondrian"],
    "ta_da": ["anonymize", "in.csv", *RUN, "--label", "readmitted", "--method", "ta_da"],
    "closeness": ["anonymize", "in.csv", *RUN, "--closeness", "0.2", "--method", "mondrian"],
    "compact": ["anonymize", "small.csv", *RUN, "--method", "compact"],
    "audit": ["audit", "release.csv", *ROLES, "--threads", "1"],
    "audit-original": ["audit", "release.csv", *ROLES, "--original", "in.csv", "--threads", "1"],
    "decode": ["decode", "release.csv", "-o", "decoded.csv", "--quasi", "age,sex,zip,education,marital,job,hours", "--quiet", "--force", "--threads", "1"],
}


def count(tada: pathlib.Path, folder: pathlib.Path, command: list[str]) -> int:
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(tada), *command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode not in (0, 6) or found is None:
        raise SystemExit(f"tada {' '.join(command)}: exit {done.returncode}\n{done.stderr}")
    return int(found.group(1))


def machine() -> str:
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return f"{model.group(1) if model else platform.machine()}, {platform.libc_ver()[0]} {platform.libc_ver()[1]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tada", type=pathlib.Path, required=True)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    tada = options.tada.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for table, rows in (("in.csv", 30_000), ("small.csv", 3_000)):
            subprocess.run([tada, "demo", "--write", table, "--rows", str(rows)], cwd=folder, check=True, capture_output=True)
        subprocess.run([tada, *COMMANDS["mondrian"][:-4], "-o", "release.csv"], cwd=folder, check=True)
        counts = {}
        for command, words in COMMANDS.items():
            counts[command] = count(tada, folder, words)
            print(f"{command:18} {counts[command]:>15,}", flush=True)
    if options.write:
        RECORD.write_text(json.dumps({"machine": machine(), "instructions": counts}, indent=2) + "\n")
        return 0
    recorded = json.loads(RECORD.read_text())
    if recorded["machine"] != machine():
        print(f"recorded on {recorded['machine']}, this is {machine()}: record both binaries here (--write) before comparing")
    slower = [(command, counts[command] / known) for command, known in recorded["instructions"].items() if counts[command] > MOST * known]
    for command, ratio in slower:
        print(f"{command}: {ratio:.2f} times the instructions of bench/instructions.json")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())

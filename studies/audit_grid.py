#!/usr/bin/env python3
"""Releases the papers' tables with ta_da over the papers' whole grid, and checks every release: for a label, or for clustering.

Tables and roles from roles.json of the data folder (Bank, Nursery, Customer_segmentation as DT-Anon has them); k in 2, 5, 10, 15, 20, 25, 50;
l from 1 to the number of sensitive values; 1, 2, 3 and 9 controllers (for clustering 3, and 9 for Bank). Each release must exit with 0 (the
program's own audit of every controller's part and of the union), have the same bytes with one thread and with two, and pass `tada audit`
against the original. A request that the data cannot meet (exit 4) is counted and listed; it is no failure.

    studies/audit_grid.py --tada build/tada --data ../shared/data [--split binary] [--only bank,nursery] [--quick]
    studies/audit_grid.py --tada build/tada --data ../shared/data --task clustering [--repair merge]
"""

import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import time

TABLES = ("bank", "nursery", "customer_segmentation")
KS, CONTROLLERS = (2, 5, 10, 15, 20, 25, 50), (1, 2, 3, 9)


def roles_of(data):
    """The first entry of each table that is meant for classification."""
    found = {}
    for entry in json.loads((data / "roles.json").read_text())["roles"]:
        if entry["dataset"] in TABLES and entry.get("task") == "classification":
            found.setdefault(entry["dataset"], entry)
    return found


def distinct(path, separator, column):
    with open(path, newline="", encoding="utf-8") as file:
        return len({row[column] for row in csv.DictReader(file, delimiter=separator)})


def method_of(options):
    if options.task == "clustering":
        return ["--task", "clustering", "--repair", options.repair]
    return ["--method", "ta_da", "--split", options.split]


def controllers_of(options, table):
    if options.task == "classification":
        return CONTROLLERS
    return (3, 9) if table == "bank" else (3,)


def release(options, source, roles, target, threads):
    command = [options.tada, "anonymize", source, *roles, *method_of(options), "--threads", threads, "-o", target, "--force", "--quiet"]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True)


def check(options, source, asked, roles, folder):
    """Nothing, or what is wrong; True for a request that cannot be met."""
    one, two = folder / "one.csv", folder / "two.csv"
    results = [release(options, source, roles, target, threads) for target, threads in ((one, 1), (two, 2))]
    if all(result.returncode == 4 for result in results):
        return True
    for result in results:
        if result.returncode != 0:
            return f"exit {result.returncode}: {result.stderr}"
    if one.read_bytes() != two.read_bytes():
        return "other bytes with two threads"
    audit = subprocess.run(list(map(str, [options.tada, "audit", one, "--original", source, *asked])), capture_output=True, text=True)
    return None if audit.returncode == 0 else f"audit: {audit.stdout}{audit.stderr}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tada", default="build/tada")
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--task", default="classification", choices=["classification", "clustering"])
    parser.add_argument("--repair", default="move", choices=["move", "merge"])
    parser.add_argument("--split", default="binary", choices=["binary", "multiway"])
    parser.add_argument("--only", default=",".join(TABLES))
    parser.add_argument("--quick", action="store_true", help="k of 2, 10 and 50 only")
    options = parser.parse_args()
    data, failures, cannot, checked, started = pathlib.Path(options.data), [], [], 0, time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        for table, entry in roles_of(data).items():
            if table not in options.only.split(","):
                continue
            source = data / entry["file"]
            quasi = ",".join(f"{column['name']}:{column['kind']}" for column in entry["quasi_identifiers"])
            most_l = distinct(source, entry["separator"], entry["sensitive"])
            for k in (2, 10, 50) if options.quick else KS:
                for l in range(1, most_l + 1):
                    for controllers in controllers_of(options, table):
                        asked = ["--quasi", quasi, "--sensitive", entry["sensitive"], "-k", k, "-l", l]
                        label = ["--label", entry["label"]] if options.task == "classification" else []
                        wrong = check(options, source, asked, [*asked, *label, "--controllers", controllers], pathlib.Path(name))
                        checked += 1
                        if wrong:
                            (cannot if wrong is True else failures).append((table, k, l, controllers, wrong))
            print(f"{table}: {checked} checked, {len(failures)} wrong, {len(cannot)} cannot be met, {time.monotonic() - started:.0f} s",
                  flush=True)
    for failure in failures:
        print("WRONG", *failure)
    for request in cannot:
        print("cannot be met:", *request[:4])
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

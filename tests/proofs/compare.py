"""Compares two auditors that share nothing: tada's, and tada-verify, which is extracted from the proofs.

On random small tables, on the releases of tests/cases, and on releases of every method. They must agree on the exit status, and on
k, l, rows and classes where there is a verdict. Called by scripts/prove.
"""

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from random_releases import Case, random_case  # noqa: E402

TADA = os.environ.get("TADA_BINARY", str(ROOT / "build" / "tada"))
VERIFY = os.environ.get("TADA_VERIFY", str(ROOT / "build" / "tada-verify"))
BATCH = 500


def takes(option: str) -> bool:
    """Whether this tada's audit has an option."""
    return option in subprocess.run([TADA, "audit", "--help"], capture_output=True, text=True).stdout


def tada_answer(arguments: list[str], folder: pathlib.Path) -> tuple:
    run = subprocess.run([TADA, "audit", *arguments, "--json", "--threads", "1"], capture_output=True, text=True, cwd=folder)
    if run.returncode not in (0, 1):
        return (run.returncode,)
    verdict = json.loads(run.stdout)
    l = list(verdict["l_of_column"].values())
    return run.returncode, verdict["k"], l or [0] * len(verdict["sensitive"]), verdict["rows"], verdict["classes"]


def verify_answers(runs: list[list[str]], folder: pathlib.Path) -> list[tuple]:
    """One process for all of them."""
    (folder / "batch.txt").write_text("".join("\t".join(arguments) + "\n" for arguments in runs), encoding="utf-8")
    out = subprocess.run([VERIFY, "--batch", "batch.txt"], capture_output=True, text=True, cwd=folder, check=True).stdout
    answers = []
    for line in out.splitlines():
        status, *rest = line.split("\t")
        if rest:
            k, l, rows, classes = rest
            answers.append((int(status), int(k), [int(n) for n in l.split(",") if n], int(rows), int(classes)))
        else:
            answers.append((int(status),))
    assert len(answers) == len(runs), f"{len(runs)} runs, {len(answers)} answers"
    return answers


class Comparison:
    def __init__(self, kept: pathlib.Path):
        self.kept = kept
        self.runs = self.passed = self.failed = self.refused = self.against_original = 0
        self.disagreements: list[str] = []

    def add(self, name: str, ours: list[str], theirs: list[str], tada: tuple, verify: tuple, folder: pathlib.Path):
        self.runs += 1
        self.passed += verify[0] == 0
        self.failed += verify[0] == 1
        self.refused += verify[0] > 1
        self.against_original += "--original" in theirs
        if tada == verify:
            return
        for file in ours:
            if (folder / file).is_file():
                self.kept.mkdir(parents=True, exist_ok=True)
                (self.kept / file).write_bytes((folder / file).read_bytes())
        self.disagreements.append(f"{name}: tada {tada}, tada-verify {verify}\n  tada audit {shlex.join(ours)}\n  tada-verify {shlex.join(theirs)}")


def compare_batch(cases: list[Case], folder: pathlib.Path, comparison: Comparison):
    for case in cases:
        case.write(folder)
    verified = verify_answers([case.verify_arguments() for case in cases], folder)
    for case, verify in zip(cases, verified, strict=True):
        ours = case.tada_arguments()
        comparison.add(case.name, ours, case.verify_arguments(), tada_answer(ours, folder), verify, folder)


def compare_random(tables: int, seed: int, comparison: Comparison):
    missing_counts = takes("--missing-counts")
    for first in range(0, tables, BATCH):
        with tempfile.TemporaryDirectory() as folder:
            cases = [random_case(seed, number, missing_counts) for number in range(first, min(first + BATCH, tables))]
            compare_batch(cases, pathlib.Path(folder), comparison)


def compare_files(name: str, ours: list[str], theirs: list[str], folder: pathlib.Path, comparison: Comparison):
    comparison.add(name, ours, theirs, tada_answer(ours, folder), verify_answers([theirs], folder)[0], folder)


def compare_cases(comparison: Comparison):
    """The releases of tests/cases, by the plans that stand there."""
    cases = ROOT / "tests" / "cases"
    for path in sorted(cases.glob("audit_*.case")):
        for line in path.read_text().splitlines():
            words = shlex.split(line.split("#")[0])
            if words[:1] == ["audit"]:
                release, facts = words[1], dict(word.split("=", 1) for word in words[2:])
            elif words[:1] == ["expect"] and not any(word.startswith("diversity=") for word in words):
                asked = dict(word.split("=", 1) for word in words[1:3])
                roles = ["--quasi", facts["quasi"], "--sensitive", facts["sensitive"], "-k", asked["k"], "-l", asked["l"]]
                with tempfile.TemporaryDirectory() as folder:
                    arguments = [str(cases / release), *roles, "--missing-counts"]
                    compare_files(f"{path.name}, {line}", arguments, arguments, pathlib.Path(folder), comparison)
                    if "original" in facts:
                        original = ["--original", str(cases / facts["original"]), "--keep-order"]
                        compare_files(f"{path.name}, in order, {line}", [*arguments, *original], [*arguments, *original], pathlib.Path(folder), comparison)


def has_labels(release: str, roles: list[str], folder: pathlib.Path) -> bool:
    """Whether cells are labels of a hierarchy, which tada-verify does not know: only k and l are compared then."""
    arguments = [release, *roles, "--original", "people.csv", "--keep-order", "-k", "1", "--json"]
    verdict = json.loads(subprocess.run([TADA, "audit", *arguments], capture_output=True, text=True, cwd=folder).stdout)
    return any(column["unchecked_rows"] for column in verdict["cover"].values())


def compare_methods(comparison: Comparison):
    """A release by every method, of the table that `tada demo` makes up."""
    methods = [method["name"] for method in json.loads(subprocess.run([TADA, "methods", "--json"], capture_output=True, text=True).stdout)["methods"]]
    roles = ["--quasi", "age,sex,zip:categorical,job", "--sensitive", "diagnosis"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([TADA, "demo", "--write", "people.csv", "--rows", "1500"], cwd=folder, check=True, capture_output=True)
        for method in methods:
            label = "hours" if method == "regression" else "readmitted"
            release = f"{method}.csv"
            run = subprocess.run(
                [TADA, "anonymize", "people.csv", *roles, "--label", label, "--method", method, "-k", "5", "-l", "2", "--keep-order", "-o", release, "--quiet"],
                cwd=folder,
                capture_output=True,
                text=True,
            )
            if run.returncode != 0:  # a method that has no such task, or wants hierarchies
                print(f"compare: no release by {method}: {run.stderr.splitlines()[0] if run.stderr else run.returncode}")
                continue
            original = [] if has_labels(release, [*roles, "--label", label], folder) else ["--original", "people.csv", "--keep-order"]
            for k, l in ((5, 2), (6, 2), (5, 4)):
                asked = [release, *roles, "-k", str(k), "-l", str(l), *original]
                compare_files(f"{method}, k={k} l={l}", [*asked, "--label", label], asked, folder, comparison)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    begin = time.monotonic()
    comparison = Comparison(pathlib.Path(VERIFY).parent / "proofs" / "disagreements")
    compare_cases(comparison)
    compare_methods(comparison)
    compare_random(options.tables, options.seed, comparison)
    for words in comparison.disagreements[:20]:
        print(words, file=sys.stderr)
    print(
        f"compare: {comparison.runs} audits by tada and tada-verify, {comparison.against_original} of them against an original: "
        f"{comparison.passed} passed, {comparison.failed} failed, {comparison.refused} refused; "
        f"{len(comparison.disagreements)} disagreements; {time.monotonic() - begin:.0f} s"
    )
    if comparison.disagreements:
        print(f"compare: the files of disagreements are in {comparison.kept}", file=sys.stderr)
    return 1 if comparison.disagreements else 0


if __name__ == "__main__":
    sys.exit(main())

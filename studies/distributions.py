#!/usr/bin/env python3
"""What requirements that compare distributions cost: NCP on Adult, Bank and Nursery at k = 10, by Mondrian's medians, by the cheapest
plain cuts, by the best of the cuts that keep the distribution (--stratify), and by `compact`, which goes on from there.

The bars for Adult are those of a prototype written from the definitions, in Python: medians and plain cuts within .001 of it, the best of the
stratified cuts at most 1.03 times its figure, `compact` nowhere above that, and at least 15% below it at t = .2.

    studies/distributions.py [--data FOLDER] [--out FOLDER] [--tada build/tada] [--only adult] [--methods medians,plain,stratified]
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ADULT = "age,workclass,education-num,marital-status,race,sex,native-country"
TABLES = {
    "income": ("adult/adult_train_complete.csv", ",", ADULT.replace(",race", ",occupation,race")),
    "occupation": ("adult/adult_train_complete.csv", ",", ADULT),
    "hours-per-week": ("adult/adult_train_complete.csv", ",", ADULT.replace(",race", ",occupation,race")),
    "y": ("bank/bank-full.csv", ";", "age,balance,duration,job,marital,education,housing,loan"),
    "poutcome": ("bank/bank-full.csv", ";", "age,balance,duration,job,marital,education,housing,loan"),
    "social": ("nursery/nursery.csv", ",", "parents,has_nurs,form,children,housing,finance,health"),
    "class": ("nursery/nursery.csv", ",", "parents,has_nurs,form,children,housing,finance,health"),
}
METHODS = {
    "medians": ["--method", "mondrian", "--stratify", "never"],
    "plain": ["--method", "compact", "--effort", "0", "--stratify", "never"],
    "stratified": ["--method", "compact", "--effort", "0"],
    "compact": ["--method", "compact"],
}
# Table, requirement, and the prototype's figures: medians, plain cuts, best of the stratified.
CASES = [
    ("income", "closeness", "0.3", (0.2259, 0.1034, 0.0831)),
    ("income", "closeness", "0.2", (0.3666, 0.2544, 0.1377)),
    ("income", "closeness", "0.1", (0.6885, 0.5033, 0.1377)),
    ("income", "closeness", "0.05", (0.8599, 0.6313, 0.1530)),
    ("income", "likeness", "0.5:basic", (0.3771, 0.2279, 0.1377)),
    ("income", "disclosure", "1", (0.3153, 0.2487, 0.1345)),
    ("occupation", "closeness", "0.3", (0.3943, 0.2679, 0.1627)),
    ("occupation", "closeness", "0.2", (0.5113, 0.4419, 0.2856)),
    ("occupation", "closeness", "0.1", (0.8494, 0.7785, 0.3337)),
    ("occupation", "likeness", "2:basic", (0.3983, 0.3794, 0.3117)),
    ("hours-per-week", "closeness", "0.1", (0.0857, 0.0742, 0.0632)),
    ("hours-per-week", "closeness", "0.05", (0.2717, 0.3391, 0.2113)),
    ("hours-per-week", "closeness", "0.02", (0.7290, 0.5661, 0.2679)),
    ("y", "closeness", "0.2", None),
    ("y", "closeness", "0.05", None),
    ("y", "likeness", "1", None),
    ("poutcome", "closeness", "0.2", None),
    ("poutcome", "closeness", "0.1", None),
    ("social", "closeness", "0.2", None),
    ("social", "closeness", "0.1", None),
    ("class", "closeness", "0.2", None),
    ("class", "closeness", "0.1", None),
]


def loss(options, table, requirement, limit, method):
    file, separator, quasi = TABLES[table]
    with tempfile.TemporaryDirectory() as folder:
        command = [options.tada, "anonymize", options.data / file, "--delimiter", separator, "--quasi", quasi, "--sensitive", table, "-k", "10",
                   f"--{requirement}", limit, *METHODS[method], "-o", f"{folder}/out.csv", "--json", "--rows-are-people"]  # fmt: skip
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return json.loads(done.stdout)["loss"]["ncp"]


def judge(bars, found):
    """What the figures miss of the bars, in words."""
    missed = []
    for name, bar in zip(("medians", "plain"), bars, strict=False):
        if name in found and abs(found[name] - bar) > 0.001:
            missed.append(f"{name} {found[name]:.4f}, prototype {bar:.4f}")
    if found.get("stratified", 0) > 1.03 * bars[2]:
        missed.append(f"stratified {found['stratified']:.4f}, prototype {bars[2]:.4f}")
    if "compact" in found and found["compact"] > found.get("stratified", 1):
        missed.append(f"compact {found['compact']:.4f} is above its start")
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(os.environ.get("TADA_DATA", ROOT / ".." / "shared" / "data")))
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "studies")
    parser.add_argument("--tada", type=pathlib.Path, default=ROOT / "build" / "tada")
    parser.add_argument("--only", type=lambda text: text.split(","), help="folders of data: adult, bank, nursery")
    parser.add_argument("--methods", type=lambda text: text.split(","), default=list(METHODS))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    lines = [f"| sensitive, requirement | {' | '.join(options.methods)} |", "| --- |" + " --- |" * len(options.methods)]
    for table, requirement, limit, bars in CASES:
        folder = TABLES[table][0].split("/")[0]
        if options.only and folder not in options.only:
            continue
        found = {method: loss(options, table, requirement, limit, method) for method in options.methods}
        lines.append(f"| {folder} {table}, {requirement} {limit} | {' | '.join(f'{found[method]:.4f}' for method in options.methods)} |")
        print(lines[-1], *(judge(bars, found) if bars else []), sep="  ", flush=True)
    (options.out / "distributions.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

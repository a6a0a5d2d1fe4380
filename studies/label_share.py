#!/usr/bin/env python3
"""The trade-off between NCP and what a label's predictor learns, by `ta_da --label-share`: Adult and Bank, k = 10.

Learners are trained on decoded releases (`tada evaluate --encoding draw`) of 80% of a random sample of the rows and tested on the raw rest;
`mondrian`, `ta_da` and `compact` stand beside the shares.

    studies/label_share.py [--data FOLDER] [--tada build/tada] [--seeds 3] [--rows 5000] [--only adult] [--shares 0,0.01,0.1] [--picture FILE.svg]

Prints a table and, with --picture, draws F1 of a tree against NCP. A minute of processor time for each table and three seeds.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = {
    "adult": ("adult/adult_train_complete.csv", ",", "age,workclass,education-num,marital-status,occupation,race,sex,native-country", "income"),
    "bank": ("bank/bank-full.csv", ";", "age,job,marital,education,balance,housing,loan,duration,poutcome", "y"),
}
LEARNERS = ["logistic", "tree"]
COLOURS = {"adult": "#2a78d6", "bank": "#c4572b"}


def sample(source, rows, target):
    """Writes some rows of a CSV file, the same ones each time."""
    lines = source.read_text(encoding="utf-8").splitlines()
    chosen = random.Random(1).sample(lines[1:], min(rows, len(lines) - 1))
    target.write_text("\n".join([lines[0], *chosen]) + "\n", encoding="utf-8")


def cells(options, name):
    """One summary of `tada evaluate` for each method and learner."""
    file, separator, quasi, label = TABLES[name]
    methods = ["raw", "mondrian", "ta_da", "compact", *(f"ta_da:label-share={share}" for share in options.shares)]
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "sample.csv"
        sample(options.data / file, options.rows, table)
        command = [options.tada, "evaluate", table, "--delimiter", separator, "--quasi", quasi, "--label", label, "--rows-are-people", "-k", "10",
                   "--methods", ",".join(methods), "--encoding", "draw", "--learners", ",".join(LEARNERS), "--seeds", options.seeds, "--json"]  # fmt: skip
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stderr}")
    found = {}
    for cell in json.loads(done.stdout)["summary"]:
        found.setdefault(cell["method"], {})[cell["learner"]] = cell
    return found


def draw(found, path):
    """F1 of the last learner, of raw, against NCP: a line through the shares of each table, a cross for each other method."""
    width, height, left, bottom = 720, 420, 70, 60
    points = [(name, method, by[LEARNERS[-1]]) for name, methods in found.items() for method, by in methods.items() if method != "raw"]
    top_x = max(cell["ncp"] for *_, cell in points) * 1.05
    ys = [cell["ratio_to_raw"] for *_, cell in points] + [1.0]
    low_y, high_y = min(ys) - 0.01, max(ys) + 0.01

    def at(cell):
        return left + cell["ncp"] / top_x * (width - left - 30), height - bottom - (cell["ratio_to_raw"] - low_y) / (high_y - low_y) * (height - bottom - 40)

    parts = ["<title>F1 that a learner keeps, against NCP</title>", f'<rect width="{width}" height="{height}" fill="white"/>']
    for tick in range(6):
        x, y = left + tick * (width - left - 30) / 5, height - bottom - tick * (height - bottom - 40) / 5
        parts.append(f'<text x="{x:.0f}" y="{height - bottom + 18}" text-anchor="middle">{top_x * tick / 5:.2f}</text>')
        parts.append(f'<line x1="{left}" x2="{width - 30}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{low_y + (high_y - low_y) * tick / 5:.2f}</text>')
    for i, (name, colour) in enumerate(COLOURS.items()):
        line = [at(cell) for table, method, cell in points if table == name and ":" in method]
        parts.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in line)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{left + 14 + 110 * i}" y="24" fill="{colour}" font-weight="bold">{name}</text>')
    for table, method, cell in points:
        x, y = at(cell)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{COLOURS[table] if ":" in method else "white"}" stroke="{COLOURS[table]}"/>')
        parts.append(f'<text x="{x + 6:.1f}" y="{y - 6:.1f}" fill="{COLOURS[table]}">{method.split("=")[-1]}</text>')
    parts.append(f'<text x="{(left + width) // 2}" y="{height - 16}" text-anchor="middle">NCP</text>')
    middle = (height - bottom) // 2
    parts.append(f'<text x="18" y="{middle}" text-anchor="middle" transform="rotate(-90 18 {middle})">F1 of a decision tree, of that of raw rows</text>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" role="img">'
    path.write_text(head + "\n" + "\n".join(parts) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(os.environ.get("TADA_DATA", ROOT / ".." / "shared" / "data")))
    parser.add_argument("--tada", type=pathlib.Path, default=ROOT / "build" / "tada")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(TABLES))
    parser.add_argument("--shares", type=lambda text: text.split(","), default=["0", "0.002", "0.01", "0.1", "1"])
    parser.add_argument("--picture", type=pathlib.Path)
    options = parser.parse_args()
    print("| table | method | NCP |" + "".join(f" F1 of {name} | of raw |" for name in LEARNERS) + "\n" + "| --- " * (3 + 2 * len(LEARNERS)) + "|")
    found = {}
    for name in options.only:
        found[name] = cells(options, name)
        for method, by in found[name].items():
            figures = "".join(f" {by[learner]['mean']:.4f} | {by[learner]['ratio_to_raw']:.3f} |" for learner in LEARNERS)
            print(f"| {name} | {method} | {by[LEARNERS[0]]['ncp']:.4f} |{figures}", flush=True)
    if options.picture:
        draw(found, options.picture)


if __name__ == "__main__":
    main()

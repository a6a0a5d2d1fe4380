#!/usr/bin/env python3
"""What learners keep of a release under t-closeness, and what a guess of the sensitive value gains from it: Adult, k = 10, sensitive
occupation, label income; no t, and t = 0.3, 0.2, 0.1.

Learners are trained on decoded releases (`tada evaluate --encoding draw`) and tested on raw rows; the guess is that of `tada attack`, which
knows all quasi-identifiers of everybody: the commonest occupation among the rows that can be a person's, against the commonest of all.

    studies/closeness_trade_off.py [--data FOLDER] [--tada build/tada] [--seeds 5] [--picture docs/pictures/closeness.svg]

Prints a table and draws the trade-off. Under a minute on two cores.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = "adult/adult_train_complete.csv"
ROLES = ["--quasi", "age,workclass,education-num,marital-status,race,sex,native-country", "--sensitive", "occupation", "--rows-are-people"]
METHODS = {"mondrian": "#2a78d6", "ta_da": "#c4572b", "compact": "#2f8f5b"}
LIMITS = [None, "0.3", "0.2", "0.1"]


def run(*command) -> dict:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return json.loads(done.stdout)


def asked(limit):
    return ["-k", "10", *(["--closeness", limit] if limit else [])]


def learned(options, methods, limit):
    """F1 of a tree and of logistic regression, by method, each relative to the raw rows."""
    found = run(options.tada, "evaluate", options.data / TABLE, *ROLES, "--label", "income", "--methods", ",".join(["raw", *methods]), *asked(limit),
                "--encoding", "draw", "--learners", "tree,logistic", "--seeds", options.seeds, "--json")  # fmt: skip
    return found


def guessed(options, folder, method, limit):
    """The loss of the release, and what it adds to a guess of the occupation."""
    release = folder / "out.csv"
    made = run(options.tada, "anonymize", options.data / TABLE, *ROLES, "--label", "income", "--method", method, *asked(limit), "-o", release, "--force",
               "--json")  # fmt: skip
    roles = [word for word in ROLES if word != "--rows-are-people"]
    found = run(options.tada, "attack", release, "--original", options.data / TABLE, *roles, "--json")
    return made["loss"]["ncp"], found["all"]["disclosure"][0]


def cells(options):
    """One dictionary for each method and limit."""
    with tempfile.TemporaryDirectory() as folder:
        for limit in LIMITS:
            summary = learned(options, METHODS, limit)["summary"]
            raw = {cell["learner"]: cell["mean"] for cell in summary if cell["method"] == "raw"}
            for method in METHODS:
                ncp, guess = guessed(options, pathlib.Path(folder), method, limit)
                f1 = {cell["learner"]: cell["mean"] for cell in summary if cell["method"] == method}
                yield {"method": method, "t": limit, "ncp": ncp, "gain": guess["gain"], "guessed": guess["guessed"], "baseline": guess["baseline"],
                       "tree": f1["tree"], "logistic": f1["logistic"], "raw_tree": raw["tree"], "raw_logistic": raw["logistic"]}  # fmt: skip


def draw(found, path):
    """F1 of the tree against the gain of the guess, a line a method, a point a limit."""
    width, height, left, bottom = 720, 420, 70, 60
    xs, ys = [cell["gain"] for cell in found], [cell["tree"] for cell in found] + [found[0]["raw_tree"]]
    low_x, top_x = math.floor(20 * min(0, *xs)) / 20, math.ceil(20 * max(xs) + 0.4) / 20
    low_y, high_y = math.floor(20 * min(ys)) / 20, math.ceil(20 * max(ys)) / 20

    def x(gain):
        return left + (gain - low_x) / (top_x - low_x) * (width - left - 30)

    def y(f1):
        return height - bottom - (f1 - low_y) / (high_y - low_y) * (height - bottom - 40)

    parts = [f'<rect width="{width}" height="{height}" fill="white"/>']
    for tick in range(round(20 * low_x), round(20 * top_x) + 1):
        parts.append(f'<text x="{x(tick / 20):.0f}" y="{height - bottom + 18}" text-anchor="middle">{5 * tick}</text>')
    for tick in range(round(20 * low_y), round(20 * high_y) + 1):
        parts.append(f'<line x1="{left}" x2="{width - 30}" y1="{y(tick / 20):.1f}" y2="{y(tick / 20):.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 8}" y="{y(tick / 20) + 4:.1f}" text-anchor="end">{tick / 20:.2f}</text>')
    raw = found[0]["raw_tree"]
    parts.append(f'<line x1="{left}" x2="{width - 30}" y1="{y(raw):.1f}" y2="{y(raw):.1f}" stroke="#555" stroke-dasharray="5 4"/>')
    parts.append(f'<text x="{left + 6}" y="{y(raw) - 5:.1f}">raw rows</text>')
    for i, (method, colour) in enumerate(METHODS.items()):
        line = [cell for cell in found if cell["method"] == method]
        points = " ".join(f"{x(cell['gain']):.1f},{y(cell['tree']):.1f}" for cell in line)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for cell in line:
            at_x, at_y = x(cell["gain"]), y(cell["tree"])
            parts.append(f'<circle cx="{at_x:.1f}" cy="{at_y:.1f}" r="4" fill="{colour}"/>')
            parts.append(f'<text x="{at_x + 6:.1f}" y="{at_y - 6 + 20 * (i % 2):.1f}" fill="{colour}">{"t=" + cell["t"] if cell["t"] else "k only"}</text>')
        parts.append(f'<text x="{left + 14 + 110 * i}" y="24" fill="{colour}" font-weight="bold">{method}</text>')
    parts.append(f'<text x="{(left + width) // 2}" y="{height - 16}" text-anchor="middle">what a guess of the occupation gains, percentage points</text>')
    middle = (height - bottom) // 2
    parts.append(f'<text x="18" y="{middle}" text-anchor="middle" transform="rotate(-90 18 {middle})">F1 of a tree that predicts income</text>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" role="img">'
    parts.insert(0, "<title>What learners keep against what a guess gains</title>")
    path.write_text(head + "\n" + "\n".join(parts) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(os.environ.get("TADA_DATA", ROOT / ".." / "shared" / "data")))
    parser.add_argument("--tada", type=pathlib.Path, default=ROOT / "build" / "tada")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--picture", type=pathlib.Path, default=ROOT / "docs" / "pictures" / "closeness.svg")
    options = parser.parse_args()
    found = []
    print("| method | t | NCP | occupation guessed | gain | F1 tree | of raw | F1 logistic | of raw |\n" + "| --- " * 9 + "|")
    for cell in cells(options):
        found.append(cell)
        print(f"| {cell['method']} | {cell['t'] or 'k only'} | {cell['ncp']:.4f} | {cell['guessed']:.2%} | {cell['gain']:+.2%} | {cell['tree']:.4f} | "
              f"{cell['tree'] / cell['raw_tree']:.3f} | {cell['logistic']:.4f} | {cell['logistic'] / cell['raw_logistic']:.3f} |", flush=True)  # fmt: skip
    draw(found, options.picture)


if __name__ == "__main__":
    main()

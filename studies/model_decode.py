#!/usr/bin/env python3
"""What does `tada decode --model` gain over draws without a model, and does its gate know when to stay away?

Measure as in learning_from_a_release.py, [D]: F1macro of a model trained on the decoded release and tested on raw rows, divided by that of
the same model trained on raw rows. Each seed is a sample, a split, a release by two controllers and both readings of that one release, so
all differences are paired. Seeds begin at 21: those below were used while the method was made, and the table leaves them out.

    studies/model_decode.py run   --results FILE.jsonl [--only Nursery] [--cells 50,2;10,2] [--methods binary] [--seeds 10] [--models gbm,mlp]
    studies/model_decode.py table --results FILE.jsonl

A line per fit, those on raw rows too (their figure is F1macro itself); a run takes up where the last one stopped. `gain` is the gate's own
figure, the share of the held-out log likelihood that the model saves, and `used` whether it was drawn by the model.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

from threadpoolctl import threadpool_limits

from common import interval
from learning_from_a_release import ALL, Bench, read

FIRST_FRESH = 21
READINGS = {"draw": [], "model": ["--model"]}


def decode(bench, options, release, reading, folder):
    """The decoded rows, and what was said of them."""
    out = folder / f"{reading}.csv"
    command = [options.tada, "decode", release, "--quasi", bench.roles["quasi"], "--force", "--json", "--seed", bench.seed + 1, "--threads", 1, "-o", out]
    command += READINGS[reading] + (["--label", f"{bench.label}:categorical"] if reading == "model" else [])
    start = time.monotonic()
    said = json.loads(subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout)
    return out, said.get("model", {}) | {"seconds": round(time.monotonic() - start, 1)}


class Fits:
    """Scores by task, kept as soon as they are there: what a run has, the next one does not fit again, fits on raw rows included."""

    def __init__(self, path):
        self.path, self.lines = path, {tuple(line["task"]): line for line in load(path)}

    def __call__(self, task, score, more):
        if task not in self.lines:
            self.lines[task] = {"task": task, "ratio": round(score(), 4)} | more
            with self.path.open("a") as file:
                file.write(json.dumps(self.lines[task]) + "\n")
        return self.lines[task]


def run_cell(options, bench, fits, cell, folder):
    """Both readings of one release. Where the gate kept the model away both are the same rows, and the first is fitted alone."""
    data, k, l, seed, method = cell
    models = options.models.split(",")
    todo = [r for r in options.readings.split(",") for m in models if (*cell, r, m) not in fits.lines]
    if not todo:
        return
    test = bench.rows(bench.whole, bench.test_rows)
    release, texts = bench.release(method, k, l)["hot"], {}
    for reading in options.readings.split(","):
        out, said = decode(bench, options, release, reading, folder)
        texts[reading] = out.read_bytes()
        more = {key: said[key] for key in ("gain", "used", "seconds") if key in said}
        for model in models:
            raw = fits((data, 1, 1, seed, "raw", "raw", model), lambda model=model: bench.raw_score(model), {})["ratio"]
            same = reading != "draw" and texts[reading] == texts.get("draw")
            again = fits.lines[*cell, "draw", model]["ratio"] if same else None
            fits((*cell, reading, model), lambda model=model, raw=raw, again=again, out=out:
                 again if again is not None else bench.score(model, read(out), test) / raw, more)


def run(options):
    warnings.filterwarnings("ignore")
    fits = Fits(options.results)
    with tempfile.TemporaryDirectory() as name, threadpool_limits(options.threads):
        folder = pathlib.Path(name)
        for seed in range(options.first_seed, options.first_seed + options.seeds):
            for data in options.only.split(","):
                bench = None
                for cell in options.cells.split(";"):
                    k, l = map(int, cell.split(","))
                    for method in options.methods.split(","):
                        bench = bench or Bench(options, "D", data, seed, folder)
                        run_cell(options, bench, fits, (data, k, l, seed, method), folder)


def load(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def entry(values):
    if not values:
        return "-"
    mean, half = interval(values) if len(values) > 1 else (values[0], float("nan"))
    return f"{mean:.3f} ± {half:.3f} ({len(values)})"


def table(options):
    by_cell = {}
    for line in load(options.results):
        data, k, l, seed, method, reading, model = line["task"]
        if method == "raw" or seed < FIRST_FRESH:
            continue
        by_cell.setdefault((data, k, l, method, model), {}).setdefault(reading, {})[seed] = line
    print("| data (k,l) | groups | model | draw | --model | gain, paired | used | gate's gain |\n|---|---|---|---|---|---|---|---|")
    for (data, k, l, method, model), cell in sorted(by_cell.items()):
        plain, by_model = cell.get("draw", {}), cell.get("model", {})
        paired = [by_model[seed]["ratio"] - plain[seed]["ratio"] for seed in by_model if seed in plain]
        used = sum(line["used"] for line in by_model.values())
        gains = [line["gain"] for line in by_model.values()]
        words = f"{min(gains):+.3f} to {max(gains):+.3f}" if gains else "-"
        print(f"| {data} ({k},{l}) | {method} | {model} | {entry([v['ratio'] for v in plain.values()])} | "
              f"{entry([v['ratio'] for v in by_model.values()])} | {entry(paired)} | {used} of {len(by_model)} | {words} |")


def arguments(description, only, models):
    """The arguments of a study that runs fits, seed by seed, and prints a table of its results."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["run", "table"])
    parser.add_argument("--results", type=pathlib.Path, required=True)
    parser.add_argument("--only", default=only)
    parser.add_argument("--models", default=models)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--tada", default="build/tada")
    parser.add_argument("--data", default="../shared/data")
    return parser


def main():
    parser = arguments(__doc__, only=",".join(data for data in ALL if data != "Bank/full"), models="gbm,mlp")
    parser.add_argument("--cells", default="50,2;10,2")
    parser.add_argument("--methods", default="binary")
    parser.add_argument("--readings", default=",".join(READINGS))
    parser.add_argument("--first-seed", type=int, default=FIRST_FRESH)
    parser.add_argument("--threads", type=int, default=1, help="of the models' own libraries")
    options = parser.parse_args()
    {"run": run, "table": table}[options.what](options)


if __name__ == "__main__":
    sys.exit(main())

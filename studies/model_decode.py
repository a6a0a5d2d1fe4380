#!/usr/bin/env python3
"""What does `tada decode --model` gain over draws without a model, and does its gate know when to stay away?

Measure as in learning_from_a_release.py, [D]: F1macro of a model trained on the decoded release and tested on raw rows, divided by that of
the same model trained on raw rows. Each seed is a sample, a split, a release by two controllers and both readings of that one release, so
all differences are paired. Seeds begin at 20: those below were used while the method was made.

    studies/model_decode.py run   --results FILE.jsonl [--only Nursery] [--cells 50,2;10,2] [--methods binary] [--seeds 10] [--models gbm,mlp]
    studies/model_decode.py table --results FILE.jsonl

A line per fit; a run takes up where the last one stopped. `gain` is the gate's own figure, the share of the held-out log likelihood that the
model saves, and `used` whether it was drawn by the model.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

from common import interval
from learning_from_a_release import ALL, Bench, read

FIRST_SEED = 20
READINGS = {"draw": [], "model": ["--model"]}


def decode(bench, options, release, reading, folder):
    """The decoded rows, and what was said of them."""
    out = folder / f"{reading}.csv"
    command = [options.tada, "decode", release, "--quasi", bench.roles["quasi"], "--force", "--json", "--seed", bench.seed + 1, "-o", out]
    command += READINGS[reading] + (["--label", f"{bench.label}:categorical"] if reading == "model" else [])
    start = time.monotonic()
    said = json.loads(subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout)
    return read(out), said.get("model", {}) | {"seconds": round(time.monotonic() - start, 1)}


def run(options):
    warnings.filterwarnings("ignore")
    done = {tuple(line["task"]) for line in load(options.results)}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for seed in range(FIRST_SEED, FIRST_SEED + options.seeds):
            for data in options.only.split(","):
                bench, raw = None, {}
                for k, l in (map(int, cell.split(",")) for cell in options.cells.split(";")):
                    for method in options.methods.split(","):
                        for reading in options.readings.split(","):
                            todo = [m for m in options.models.split(",") if (data, k, l, seed, method, reading, m) not in done]
                            if not todo:
                                continue
                            bench = bench or Bench(options, "D", data, seed, folder)
                            rows, said = decode(bench, options, bench.release(method, k, l)["hot"], reading, folder)
                            for model in todo:
                                raw[model] = raw.get(model) or bench.raw_score(model)
                                score = bench.score(model, rows, bench.rows(bench.whole, bench.test_rows))
                                line = {"task": [data, k, l, seed, method, reading, model], "ratio": round(score / raw[model], 4)}
                                line |= {key: said[key] for key in ("gain", "used", "seconds") if key in said}
                                with options.results.open("a") as file:
                                    file.write(json.dumps(line) + "\n")


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["run", "table"])
    parser.add_argument("--results", type=pathlib.Path, required=True)
    parser.add_argument("--only", default=",".join(data for data in ALL if data != "Bank/full"))
    parser.add_argument("--cells", default="50,2;10,2")
    parser.add_argument("--methods", default="binary")
    parser.add_argument("--readings", default=",".join(READINGS))
    parser.add_argument("--models", default="gbm,mlp")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--tada", default="build/tada")
    parser.add_argument("--data", default="../shared/data")
    options = parser.parse_args()
    {"run": run, "table": table}[options.what](options)


if __name__ == "__main__":
    sys.exit(main())

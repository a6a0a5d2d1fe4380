#!/usr/bin/env python3
"""What does `tada decode --model` gain over draws without a model, and does its gate know when to stay away?

Measure as in learning_from_a_release.py, [D]: F1macro of a model trained on the decoded release and tested on raw rows, divided by that of
the same model trained on raw rows. Each seed is a sample, a split, a release by two controllers and both readings of that one release, so
all differences are paired. Seeds begin at 21: those below were used while the method was made, and the table leaves them out.

    studies/model_decode.py gate  --results FILE.jsonl [--only Nursery] [--cells 50,2;10,2] [--methods binary] [--seeds 10]
    studies/model_decode.py run   --results FILE.jsonl [--only Nursery] [--cells 50,2;10,2] [--methods binary] [--seeds 10] [--models gbm,mlp]
    studies/model_decode.py table --results FILE.jsonl

A line per fit, those on raw rows too (their figure is F1macro itself); a run takes up where the last one stopped. `gain` is the gate's own
figure, the share of the held-out log likelihood that the model saves, and `used` whether it was drawn by the model; `seconds` are the
clock's, whatever else the machine did. `gate` fits nothing: it asks the gate alone, and where that keeps the model away it sees to it that
both readings are the same bytes, so that whatever learns from them learns the same. Releases that another l gives too (Nursery) are judged
once. Runs side by side need a file each (cat puts them together).
"""

import argparse
import functools
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
GATE = ("model", "gate")  # reading and learner of a line that tells of the gate alone
TOLD = ("gain", "used", "seconds")


class Decoded:
    """The readings of one release, each made when first asked for."""

    def __init__(self, options, bench, release):
        self.options, self.bench, self.release, self.made = options, bench, release, {}

    def __call__(self, reading):
        """The file of the decoded rows, and what was said of them."""
        if reading not in self.made:
            out = self.release.with_suffix(f".{reading}.csv")
            command = [self.options.tada, "decode", self.release, "--quasi", self.bench.roles["quasi"], "--force", "--json", "--threads", 1]
            command += ["--seed", self.bench.seed + 1, "-o", out, *READINGS[reading]]
            command += ["--label", f"{self.bench.label}:categorical"] if reading == "model" else []
            start = time.monotonic()
            said = json.loads(subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout)
            self.made[reading] = out, said.get("model", {}) | {"seconds": round(time.monotonic() - start, 1)}
        return self.made[reading]


class Fits:
    """Scores by task, kept as soon as they are there: what a run has, the next one does not fit again, fits on raw rows included."""

    def __init__(self, path):
        self.path, self.lines = path, {tuple(line["task"]): line for line in load(path)}

    def __call__(self, task, score, more):
        return self.lines[task] if task in self.lines else self.keep(task, {"ratio": round(score(), 4)} | more)

    def keep(self, task, figures):
        self.lines[task] = {"task": task} | figures
        with self.path.open("a") as file:
            file.write(json.dumps(self.lines[task]) + "\n")
        return self.lines[task]


def twin(bench, fits, cell, tasks):
    """The same cell with another l, if it has all these results and its release is the same."""
    data, k, l, seed, method = cell
    for other in (m for m in (1, 2, 3) if m != l and all((data, k, m, seed, method, *task) in fits.lines for task in tasks)):
        files = [bench.release(method, k, m)["hot"] for m in (l, other)]
        if files[0].read_bytes() == files[1].read_bytes():
            return data, k, other, seed, method
    return None


def ask_gate(fits, cell, decoded):
    """What the gate says of one release. Where it keeps the model away, both readings are the same bytes."""
    if (*cell, *GATE) not in fits.lines:
        said = next((fits.lines[*cell, "model", m] for m in ("gbm", "mlp") if (*cell, "model", m) in fits.lines), None)
        if said is None:
            out, said = decoded("model")
            if not said["used"] and out.read_bytes() != decoded("draw")[0].read_bytes():
                raise SystemExit(f"{cell}: the gate kept the model away, and the draws are others")
        fits.keep((*cell, *GATE), {key: said[key] for key in TOLD})
    return fits.lines[*cell, *GATE]


def run_cell(options, bench, fits, cell, tasks):
    """Both readings of one release. Where the gate kept the model away both are the same rows, and the first is fitted alone."""
    data, k, l, seed, method = cell
    if other := twin(bench, fits, cell, tasks):
        for task in tasks:
            fits.keep((*cell, *task), {key: value for key, value in fits.lines[*other, *task].items() if key != "task"})
        return
    test, decoded, rows = bench.rows(bench.whole, bench.test_rows), Decoded(options, bench, bench.release(method, k, l)["hot"]), {}
    gate = ask_gate(fits, cell, decoded) if any(reading == "model" for reading, _ in tasks) else {}

    def score(reading, model):
        if reading == "model" and not gate["used"] and (*cell, "draw", model) in fits.lines:
            return fits.lines[*cell, "draw", model]["ratio"]
        raw = fits((data, 1, 1, seed, "raw", "raw", model), lambda: bench.raw_score(model), {})["ratio"]
        if reading not in rows:
            rows[reading] = read(decoded(reading)[0])
        return bench.score(model, rows[reading], test) / raw

    for reading, model in tasks:
        if (reading, model) != GATE:
            more = {key: gate[key] for key in TOLD} if reading == "model" else {}
            fits((*cell, reading, model), functools.partial(score, reading, model), more)


def run(options):
    warnings.filterwarnings("ignore")
    fits = Fits(options.results)
    tasks = [GATE] if options.what == "gate" else [(r, m) for r in options.readings.split(",") for m in options.models.split(",")]
    with tempfile.TemporaryDirectory() as name, threadpool_limits(options.threads):
        folder = pathlib.Path(name)
        for seed in range(options.first_seed, options.first_seed + options.seeds):
            for data in options.only.split(","):
                cells = [(data, *map(int, cell.split(",")), seed, method) for cell in options.cells.split(";") for method in options.methods.split(",")]
                cells = [cell for cell in cells if (cell[2] == 1 or ALL[data]["sensitive"]) and not all((*cell, *task) in fits.lines for task in tasks)]
                bench = Bench(options, "D", data, seed, folder) if cells else None
                for cell in cells:
                    run_cell(options, bench, fits, cell, tasks)


def load(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def entry(values):
    if not values:
        return "-"
    mean, half = interval(values) if len(values) > 1 else (values[0], float("nan"))
    return f"{mean:.3f} ± {half:.3f} ({len(values)})"


def table(options):
    by_cell, gate = {}, {}
    for line in load(options.results):
        data, k, l, seed, method, reading, model = line["task"]
        if method == "raw" or seed < FIRST_FRESH:
            continue
        if reading == "model":
            gate.setdefault((data, k, l, method), {})[seed] = line
        if (reading, model) != GATE:
            by_cell.setdefault((data, k, l, method, model), {}).setdefault(reading, {})[seed] = line
    print("| data (k,l) | groups | model | draw | --model | gain, paired | used |\n|---|---|---|---|---|---|---|")
    for (data, k, l, method, model), cell in sorted(by_cell.items()):
        plain, by_model = cell.get("draw", {}), cell.get("model", {})
        paired = [by_model[seed]["ratio"] - plain[seed]["ratio"] for seed in by_model if seed in plain]
        used = sum(line["used"] for line in by_model.values())
        print(f"| {data} ({k},{l}) | {method} | {model} | {entry([v['ratio'] for v in plain.values()])} | "
              f"{entry([v['ratio'] for v in by_model.values()])} | {entry(paired)} | {used} of {len(by_model)} |")
    print("\nThe gate; where it keeps the model away both readings are the same bytes\n")
    print("| data (k,l) | groups | drawn by the model | gate's gain |\n|---|---|---|---|")
    for (data, k, l, method), lines in sorted(gate.items()):
        gains = [line["gain"] for line in lines.values()]
        print(f"| {data} ({k},{l}) | {method} | {sum(line['used'] for line in lines.values())} of {len(lines)} | {min(gains):+.3f} to {max(gains):+.3f} |")


def arguments(description, only, models, commands=("run", "table")):
    """The arguments of a study that runs fits, seed by seed, and prints a table of its results."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=commands)
    parser.add_argument("--results", type=pathlib.Path, required=True)
    parser.add_argument("--only", default=only)
    parser.add_argument("--models", default=models)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--tada", default="build/tada")
    parser.add_argument("--data", default="../shared/data")
    return parser


def main():
    parser = arguments(__doc__, only=",".join(data for data in ALL if data != "Bank/full"), models="gbm,mlp", commands=("run", "gate", "table"))
    parser.add_argument("--cells", default="50,2;10,2")
    parser.add_argument("--methods", default="binary")
    parser.add_argument("--readings", default=",".join(READINGS))
    parser.add_argument("--first-seed", type=int, default=FIRST_FRESH)
    parser.add_argument("--threads", type=int, default=1, help="of the models' own libraries")
    options = parser.parse_args()
    {"run": run, "gate": run, "table": table}[options.what](options)


if __name__ == "__main__":
    sys.exit(main())

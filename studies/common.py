"""What the studies share: the papers' tables and roles, a store of results that an interrupted study goes on from, and plots.

Every study reads the folder of data that --data or TADA_DATA names (default ../shared/data beside the project), writes its numbers to
--out (default build/studies) and is run in a quick form unless --full is given. Releases come from the Python package, so every one
was audited. A table that is larger than the quick form takes is sampled by the seed, stratified by its label.
"""

import argparse
import concurrent.futures
import functools
import itertools
import json
import multiprocessing
import os
import pathlib
import sys
import tempfile
import time

import numpy as np
import pyarrow as pa
import pyarrow.csv
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import train_test_split
from threadpoolctl import threadpool_limits

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = {
    "Bank": dict(file="bank/bank-full.csv", separator=";", sensitive="default", label="y", most_l=2,
                 quasi="age,balance,duration,job,marital,education,housing,loan", keep="pdays,previous,campaign,poutcome,contact,day,month"),
    "Customer": dict(file="customer_segmentation/train_complete.csv", separator=",", sensitive="Spending_Score", label="Segmentation", most_l=3,
                     quasi="Age,Work_Experience,Family_Size,Gender,Ever_Married,Graduated,Profession", keep="Var_1"),
    "Nursery": dict(file="nursery/nursery.csv", separator=",", sensitive="social", label="class", most_l=3, drop_label="recommend",
                    quasi="parents,has_nurs,form,children,housing,finance,health", keep=""),
}


def arguments(description, grid=None):
    """The options of a study. `grid`: its tables, for studies over k and seeds, whose --only, --k and --seeds then narrow the form."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(os.environ.get("TADA_DATA", ROOT / ".." / "shared" / "data")))
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "studies")
    parser.add_argument("--full", action="store_true", help="the whole tables, all k and l, 10 seeds: hours")
    if grid:
        parser.add_argument("--only", type=lambda text: text.split(","), default=list(grid), help="some of " + ",".join(grid))
        parser.add_argument("--k", type=lambda text: [int(k) for k in text.split(",")])
        parser.add_argument("--seeds", type=int)
        parser.add_argument("--results", type=pathlib.Path, help="a file with a line per cell to go on from, and to write")
    options = parser.parse_args()
    if grid:
        options.k = options.k or ([2, 5, 10, 15, 20, 25, 50] if options.full else [2, 10, 50])
        options.seeds = options.seeds or (10 if options.full else 3)
    if not options.data.is_dir():
        raise SystemExit(f"there is no folder of data: {options.data} (--data or TADA_DATA)")
    options.out.mkdir(parents=True, exist_ok=True)
    return options


def table_study(description, names, head, study, *, rows, more=()):
    """The command line of a study that prints a table: `study(options, name, folder, store)` gives the lines of each name, one list
    of cells each; what it puts into the store is kept beside --out, so that it goes on where it stopped. `more`: further options, name to default."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tada", default="build/tada")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(os.environ.get("TADA_DATA", ROOT / ".." / "shared" / "data")))
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--rows", type=int, default=rows, help="rows taken of a larger table")
    parser.add_argument("--only", default=";".join(names), help="some of: " + "; ".join(names))
    parser.add_argument("--out", type=pathlib.Path, help="a file for the table; plots go beside it")
    for name, default in dict(more).items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    options = parser.parse_args()
    store = Store(options.out and options.out.with_suffix(".jsonl"), pathlib.Path(sys.argv[0]).stem)
    lines = []
    print(markdown(head, []), end="")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.only.split(";"):
            for line in study(options, name, pathlib.Path(folder), store):
                lines.append(line)
                print("| " + " | ".join(map(str, line)) + " |", flush=True)
    if options.out:
        options.out.write_text(markdown(head, lines))


class Progress:
    """How far a study is and how long it will take, on standard error, at most every few seconds."""

    def __init__(self, name, total):
        self.name, self.total, self.done, self.begin, self.shown = name, total, 0, time.monotonic(), 0.0

    def advance(self):
        self.done += 1
        now = time.monotonic()
        if now - self.shown < 5 and self.done < self.total:
            return
        self.shown = now
        left = (now - self.begin) / self.done * (self.total - self.done)
        words = f"about {left / 60:.0f} min left" if left >= 60 else f"about {left:.0f} s left"
        print(f"{self.name}: {self.done} of {self.total}, {words if self.done < self.total else 'done'}", file=sys.stderr, flush=True)


class Store:
    """Results by key, one JSON line each, kept as soon as they are there; without a path in memory only."""

    def __init__(self, path, name=None):
        self.path, self.found, self.name = path, {}, name or path.stem
        if path and path.exists():
            for line in path.read_text().splitlines():
                entry = json.loads(line)
                self.found[tuple(entry["key"])] = entry["value"]

    def __call__(self, key, make):
        if key not in self.found:
            self.found[key] = make()
            if self.path:
                with self.path.open("a") as file:
                    file.write(json.dumps({"key": key, "value": self.found[key]}) + "\n")
        return self.found[key]

    def load_cells(self, path):
        """Takes over what `save_cells` wrote."""
        for line in path.read_text().splitlines():
            entry = json.loads(line)
            for seed, value in enumerate(entry["seeds"]):
                if value is not None:
                    self.found.setdefault((*entry["cell"], seed), value)

    def save_cells(self, path):
        """A line per cell with the values of its seeds, which are the ends of keys: a seventh of the size, to be kept."""
        cells = {}
        for *cell, seed in sorted(self.found, key=str):
            cells.setdefault(tuple(cell), {})[seed] = [round(number, 6) for number in self.found[*cell, seed]]
        lines = [json.dumps({"cell": cell, "seeds": [seeds.get(seed) for seed in range(max(seeds) + 1)]}) for cell, seeds in cells.items()]
        path.write_text("\n".join(lines) + "\n")

    def fill(self, keys, make, together=lambda key: key, part=""):
        """Makes what is missing of `keys` on all cores, with progress. `make` is a function of a module, or a partial one; keys one after
        the other of which `together` is the same are made by one process. `part`: which part of the study the keys are, for progress."""
        missing = [key for key in keys if key not in self.found]
        jobs = [list(job) for _, job in itertools.groupby(missing, together)]
        progress = Progress(f"{self.name}{part}", len(missing))
        cores, fresh = len(os.sched_getaffinity(0)), multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(cores, fresh, threadpool_limits, (1,)) as processes:  # a core each, not all of them
            for job, values in zip(jobs, processes.map(functools.partial(_make_all, make), jobs), strict=True):
                for key, value in zip(job, values, strict=True):
                    self(key, lambda value=value: value)
                    progress.advance()


def _make_all(make, keys):
    return [make(key) for key in keys]


def load(data, name):
    """The columns with a role, without rows that the protocol leaves out."""
    roles = TABLES[name]
    table = pa.csv.read_csv(data / roles["file"], parse_options=pa.csv.ParseOptions(delimiter=roles["separator"]))
    columns = roles["quasi"].split(",") + [roles["sensitive"]] + [c for c in roles["keep"].split(",") if c] + [roles["label"]]
    table = table.select(columns)
    if "drop_label" in roles:
        table = table.filter(pa.compute.not_equal(table[roles["label"]], roles["drop_label"]))
    return table


def labels(table, name):
    return np.array(table[TABLES[name]["label"]].to_pylist(), dtype=object).astype(str)


def sample(table, name, rows, seed):
    if table.num_rows <= rows:
        return table
    chosen, _ = train_test_split(np.arange(table.num_rows), train_size=rows, stratify=labels(table, name), random_state=seed)
    return table.take(pa.array(np.sort(chosen)))


def features(name):
    roles = TABLES[name]
    return roles["quasi"].split(",") + [roles["sensitive"]] + [c for c in roles["keep"].split(",") if c]


def boosting(seed):
    """Gradient boosting as all studies have it. It makes all its rounds: scikit-learn's own stopping rule holds rows out of larger tables only."""
    return HistGradientBoostingClassifier(max_iter=60, learning_rate=0.12, max_leaf_nodes=15, l2_regularization=1, early_stopping=False, random_state=seed)


def markdown(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


COLOURS = ["#1b6ca8", "#d1495b", "#2e933c", "#8a5aa8", "#c98a1b"]


def sheet(path, pictures):
    """Several pictures in one file: a list of rows, each a list of them."""
    width, height = 620, 300
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width * max(map(len, pictures))} {height * len(pictures)}">']
    for y, row in enumerate(pictures):
        parts += [f'<svg x="{width * x}" y="{height * y}" width="{width}" height="{height}"' + one.removeprefix("<svg") for x, one in enumerate(row)]
    path.write_text("".join(parts) + "</svg>\n")


def plot(path, *what):
    path.write_text(picture(*what) + "\n")


def picture(title, x_name, y_name, curves):
    """Lines with bands, as an SVG. `curves`: name to a list of (x, mean, half width) of shares, so bands end at 0 and 1; x is placed by
    rank, since k doubles or so."""
    xs = sorted({x for points in curves.values() for x, _, _ in points})
    values = [v for points in curves.values() for _, mean, half in points for v in (max(0.0, mean - half), min(1.0, mean + half))]
    low, high = min(values), max(values)
    low, high = low - 0.05 * (high - low or 1), high + 0.05 * (high - low or 1)
    at_x = lambda x: 60 + 380 * (xs.index(x) / max(1, len(xs) - 1))  # noqa: E731
    at_y = lambda y: 250 - 210 * (y - low) / (high - low)  # noqa: E731
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 620 300" font-family="sans-serif" font-size="12">'
             f'<rect width="620" height="300" fill="white"/><text x="60" y="20" font-size="14">{title}</text>']
    for step in range(5):
        y = low + (high - low) * step / 4
        parts.append(f'<line x1="60" x2="440" y1="{at_y(y):.1f}" y2="{at_y(y):.1f}" stroke="#ddd"/>')
        parts[-1] += f'<text x="54" y="{at_y(y) + 4:.1f}" text-anchor="end">{y:.{2 if high - low > 0.1 else 3}f}</text>'
    parts += [f'<text x="{at_x(x):.1f}" y="268" text-anchor="middle">{x}</text>' for x in xs[:: -(-len(xs) // 9)]]
    parts.append(f'<text x="250" y="290" text-anchor="middle">{x_name}</text>')
    parts[-1] += f'<text x="16" y="145" transform="rotate(-90 16 145)" text-anchor="middle">{y_name}</text>'
    for number, (name, points) in enumerate(curves.items()):
        colour, points = COLOURS[number % len(COLOURS)], sorted(points)
        if any(half > 0 for _, _, half in points):
            band = [(x, min(1.0, mean + half)) for x, mean, half in points] + [(x, max(0.0, mean - half)) for x, mean, half in reversed(points)]
            parts.append(f'<polygon fill="{colour}" opacity=".12" points="{" ".join(f"{at_x(x):.1f},{at_y(y):.1f}" for x, y in band)}"/>')
        line = " ".join(f"{at_x(x):.1f},{at_y(mean):.1f}" for x, mean, _ in points)
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{line}"/>')
        parts += [f'<circle cx="{at_x(x):.1f}" cy="{at_y(mean):.1f}" r="3" fill="{colour}"/>' for x, mean, _ in points]
        parts.append(f'<rect x="455" y="{40 + 20 * number}" width="12" height="12" fill="{colour}"/><text x="473" y="{50 + 20 * number}">{name}</text>')
    return "".join(parts) + "</svg>"


def interval(values):
    """Mean and half of the 95% interval (Student's t); 0 for a single value."""
    values = np.asarray(values, float)
    if len(values) < 2:
        return float(values.mean()), 0.0
    from scipy.stats import t

    return float(values.mean()), float(t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))

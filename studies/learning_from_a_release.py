#!/usr/bin/env python3
"""How well does a model learn from a release, by how the release was made and by how its cells are read?

Measure: F1macro of a model divided by that of the same model trained on raw rows, the same split and the same seed.
  [D]   the model's user has raw rows: 80% of the rows, stratified by the label, are released by two controllers; the model is trained
        on the release and tested on the raw other 20%.
  [T]   all rows are released by three controllers, then split: the model is tested on released rows, read as multi-hot. The labels of
        the test rows shaped their groups, so a high ratio is no proof of use: docs/learning-from-a-release.md.
Readings: `hot` a set is several ones, an interval its midpoint; `draw` what `tada decode` writes, `expect` what it writes with --expect.
Methods: mondrian, multiway and binary (ta_da --split), tw (target_weighted).
Models: `gbm` histogram gradient boosting (60 rounds, rate .12, 15 leaves, l2 1), `mlp` a network 64-32-16 (batches of 200, Adam, 10% of
the rows held out, patience 5 on their log-loss, at most 60 epochs). Seeds reshuffle sample, split and controllers, the same for all.

    studies/learning_from_a_release.py run   --results FILE.jsonl [--phases bars,table,k,t,expect] [--seeds 10] [--models gbm,mlp] [--only Bank]
    studies/learning_from_a_release.py table --results FILE.jsonl
    studies/learning_from_a_release.py chart --results FILE.jsonl --svg docs/learning-from-a-release.svg

Phases: `bars` what the aims are about, `table` the cells of the design's table, `k` all k with l=2, `t` the same by [T], `expect` all k
with that reading. A run takes up where the last one stopped; its fits are a line each, and at its end a line per cell. Runs side by side
need a file each (cat puts them together). Needs numpy and scikit-learn; releases are made, audited and decoded by the program. Tables above 15,000 rows are
sampled (Census 20,000).
"""

import argparse
import copy
import functools
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np
from sklearn.metrics import f1_score, log_loss
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier

from common import boosting, interval
from released_cells import Encoder, ExpectedEncoder, is_numeric, read, write

CENSUS = ("age,class_of_worker,education,marital_stat,major_industry_code,major_occupation_code,race,hispanic_origin,sex,tax_filer_stat,"
          "detailed_household_summary_in_household,country_of_birth_self,citizenship,weeks_worked_in_year")
DATASETS = {
    "Bank": dict(file="bank/bank-full.csv", separator=";", sensitive="default", label="y",
                 quasi="age,balance,duration,job,marital,education,housing,loan",
                 keep="pdays,previous,campaign,poutcome,contact,day,month"),
    "Customer": dict(file="customer_segmentation/train_complete.csv", separator=",", sensitive="Spending_Score", label="Segmentation",
                     quasi="Age,Work_Experience,Family_Size,Gender,Ever_Married,Graduated,Profession", keep="Var_1"),
    "Nursery": dict(file="nursery/nursery.csv", separator=",", sensitive="social", label="class", keep="", drop_label="recommend",
                    quasi="parents,has_nurs,form,children,housing,finance,health"),
    "Adult": dict(file="adult/adult_complete.csv", separator=",", sensitive="relationship", label="income", keep="",
                  quasi="age,workclass,education-num,marital-status,occupation,race,sex,native-country"),
}
MORE = {  # tables that no choice was made by, and one without sampling
    "Bank/full": DATASETS["Bank"] | dict(rows=10**9),
    "Electricity": dict(file="electricity/electricity.csv", separator=",", sensitive="", label="class", keep="",
                        quasi="date,day,period,nswprice,nswdemand,vicprice,vicdemand,transfer"),
    "Census": dict(file="census_income_kdd/census_qi15.csv.gz", separator=",", sensitive="", label="income", keep="", rows=20000, quasi=CENSUS),
}
ALL = DATASETS | MORE
KS = [2, 5, 10, 15, 20, 25, 50]
ROWS = 15000
CELLS = [(data, k, l) for data in DATASETS for l in (2, 1) for k in (50, 10)]
CELLS += [("Electricity", 50, 1), ("Census", 50, 1), ("Bank/full", 50, 2)]
METHODS = {
    "mondrian": ["--method", "mondrian"],
    "multiway": ["--method", "ta_da", "--split", "multiway"],
    "binary": ["--method", "ta_da", "--split", "binary"],
    "tw": ["--method", "target_weighted"],
}
TREES = {  # what each part of the conditional tree gives, apart and together
    "conditional": ["--method", "ta_da", "--split", "conditional"],
    "binary+ahead": ["--method", "ta_da", "--lookahead"],
    "binary+weights": ["--method", "ta_da", "--class-weights"],
    "conditional+ahead": ["--method", "ta_da", "--split", "conditional", "--lookahead"],
    "conditional+weights": ["--method", "ta_da", "--split", "conditional", "--class-weights"],
    "conditional+both": ["--method", "ta_da", "--split", "conditional", "--lookahead", "--class-weights"],
}
LOSS = {"dop": ["--method", "dop"], "compact": ["--method", "compact"]}  # made for little loss, whatever the label
EXPECTED = ["mondrian", "binary"]
BARS = {"Bank": (.96, .97, .10), "Customer": (.94, .95, .07), "Nursery": (.88, .88, .22), "Adult": (.97, .97, .01)}


def phases(options):
    """What to run, most wanted first: (protocol, data, k, l, seed, method, reading, model)."""
    models, seeds = options.models.split(","), range(options.seeds)
    bars = [("mondrian", "hot"), ("binary", "draw")]
    table = [(method, reading) for method in METHODS for reading in ("hot", "draw")]
    by_phase = {
        "bars": [("D", d, 50, 2, s, m, r, model) for model in models for s in seeds for d in DATASETS for m, r in bars],
        "table": [("D", d, k, l, s, m, r, model) for model in models for s in seeds for d, k, l in CELLS for m, r in table],
        "k": [("D", d, k, 2, s, m, r, model) for model in models for s in seeds for d in DATASETS for k in KS for m, r in table],
        "t": [("T", d, k, 2, s, m, "hot", model) for model in models for s in seeds for d in DATASETS for k in KS for m in METHODS],
        "expect": [("D", d, k, 2, s, m, "expect", model) for model in models for s in seeds for d in DATASETS for k in KS for m in EXPECTED],
    }
    wanted = options.only.split(",") if options.only else list(ALL)
    return [task for phase in options.phases.split(",") for task in by_phase[phase] if task[1] in wanted]


class Network:
    """The network, with the stopping rule of the study. Of `rows` released rows, which may be there several times, one behind the
    other, a tenth is held out with all its draws: held-out copies of rows that are learned from would say to go on."""

    def __init__(self, seed, rows):
        self.seed, self.rows = seed, rows

    def fit(self, x, y):
        parts = train_test_split(np.arange(self.rows), test_size=.1, random_state=self.seed, stratify=y[:self.rows])
        if len(y) > self.rows:
            of_row = np.arange(len(y)) % self.rows
            parts = [np.flatnonzero(np.isin(of_row, part)) for part in parts]
        fit_rows, held_rows = parts
        classes = np.unique(y)
        network = MLPClassifier((64, 32, 16), batch_size=200, random_state=self.seed)
        best, waited = math.inf, 0
        for _ in range(60):
            network.partial_fit(x[fit_rows], y[fit_rows], classes=classes)
            loss = log_loss(y[held_rows], network.predict_proba(x[held_rows]), labels=classes)
            if loss < best:
                best, waited, self.best = loss, 0, (copy.deepcopy(network.coefs_), copy.deepcopy(network.intercepts_))
            elif (waited := waited + 1) == 5:
                break
        network.coefs_, network.intercepts_ = self.best
        self.network = network
        return self

    def predict(self, x):
        return self.network.predict(x)


def make_model(name, seed, rows):
    """Of a release of so many rows."""
    if name == "mlp":
        return Network(seed, rows)
    return boosting(seed)


read_once = functools.cache(read)


class Bench:
    """The rows of one data set and seed, its releases made when first asked for."""

    def __init__(self, options, protocol, name, seed, folder):
        self.options, self.roles, self.seed, self.folder, self.protocol = options, ALL[name], seed, folder, protocol
        roles = self.roles
        table = read_once(pathlib.Path(options.data) / roles["file"], roles["separator"])
        self.label = roles["label"]
        table = {column: values[table[self.label] != roles.get("drop_label")] for column, values in table.items()}
        self.columns = [column for role in ("quasi", "sensitive", "keep") for column in roles[role].split(",") if column]
        self.numeric = {column for column in self.columns if is_numeric(table[column])}
        table = {column: table[column] for column in [*self.columns, self.label]}
        rows = np.arange(len(table[self.label]))
        most = roles.get("rows", ROWS)
        if len(rows) > most:
            rows, _ = train_test_split(rows, train_size=most, stratify=table[self.label], random_state=seed)
        self.whole = {column: values[rows] for column, values in table.items()}
        self.train_rows, self.test_rows = train_test_split(np.arange(len(rows)), test_size=.2, stratify=self.whole[self.label], random_state=seed)
        write(folder / "train.csv", self.whole, self.train_rows if protocol == "D" else np.arange(len(rows)))
        self.releases = {}

    def rows(self, table, rows):
        return {column: values[rows] for column, values in table.items()}

    def release(self, method, k, l):
        if (method, k, l) not in self.releases:
            files = {reading: self.folder / f"{method}-{k}-{l}.{reading}.csv" for reading in ("hot", "draw", "expect")}
            roles = self.roles
            command = [self.options.tada, "anonymize", self.folder / "train.csv", "--quasi", roles["quasi"],
                       "--label", self.label, "--controllers", 2 if self.protocol == "D" else 3, "-k", k, "-l", l, "--seed", self.seed + 1,
                       "--threads", 1, "-o", files["hot"], "--force", "--quiet", "--keep-order", *(METHODS | TREES | LOSS)[method]]
            command += [word for role in ("sensitive", "keep") if roles[role] for word in (f"--{role}", roles[role])]
            subprocess.run(list(map(str, command)), check=True)
            decode = [self.options.tada, "decode", files["hot"], "--quasi", roles["quasi"], "--force", "--quiet", "--threads", "1"]
            decode += ["--seed", str(self.seed + 1)]
            subprocess.run([*decode, "-o", files["draw"]], check=True)
            subprocess.run([*decode, "-o", files["expect"], "--expect"], check=True)
            self.releases[method, k, l] = files
        return self.releases[method, k, l]

    def score(self, model, train, test, encoder=Encoder):
        encode = encoder(train, self.columns, self.numeric)
        fitted = make_model(model, self.seed, len(self.train_rows)).fit(encode(train), train[self.label].astype(str))
        return f1_score(test[self.label].astype(str), fitted.predict(encode(test)), average="macro")

    def raw_score(self, model):
        return self.score(model, self.rows(self.whole, self.train_rows), self.rows(self.whole, self.test_rows))

    def released_score(self, k, l, method, reading, model):
        released = read(self.release(method, k, l)[reading])
        if self.protocol == "D":
            return self.score(model, released, self.rows(self.whole, self.test_rows), ExpectedEncoder if reading == "expect" else Encoder)
        return self.score(model, self.rows(released, self.train_rows), self.rows(released, self.test_rows))


def raw_task(task):
    """The fit on raw rows that the fit of `task` is divided by, named like any other: 1-anonymous and 1-diverse."""
    protocol, data, _, _, seed, _, _, model = task
    return protocol, data, 1, 1, seed, "raw", "raw", model


def load(path):
    """The F1 of every fit, by its task."""
    found = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        protocol, data, k, l, method, reading, model, by_seed = json.loads(line)
        found |= {(protocol, data, k, l, int(seed), method, reading, model): f1 for seed, f1 in by_seed.items()}
    return found


def by_cell(found):
    cells = {}
    for (protocol, data, k, l, seed, method, reading, model), f1 in sorted(found.items()):
        cells.setdefault((protocol, data, k, l, method, reading, model), {})[seed] = f1
    return cells


def text(cells):
    """What `load` reads."""
    return "".join(json.dumps([*cell, by_seed]) + "\n" for cell, by_seed in cells.items())


def run(options):
    warnings.filterwarnings("ignore")
    done = load(options.results)
    bench, at = None, None
    with tempfile.TemporaryDirectory() as folder:
        for task in phases(options):
            protocol, data, k, l, seed, method, reading, model = task
            for fit in (raw_task(task), task):
                if fit in done:
                    continue
                if at != (protocol, data, seed):
                    bench, at = Bench(options, protocol, data, seed, pathlib.Path(folder)), (protocol, data, seed)
                done[fit] = bench.raw_score(model) if fit != task else bench.released_score(k, l, method, reading, model)
                with options.results.open("a") as file:
                    file.write(text(by_cell({fit: done[fit]})))
    options.results.write_text(text(by_cell(done)))


def ratios(found):
    raw = {task: f1 for task, f1 in found.items() if task == raw_task(task)}
    return by_cell({task: f1 / raw[raw_task(task)] for task, f1 in found.items() if task not in raw})


def entry(by_seed):
    if not by_seed:
        return "-"
    mean, half = interval(list(by_seed.values()))
    return f"{mean:.3f} ± {half:.3f} ({len(by_seed)})" if len(by_seed) > 1 else f"{mean:.3f} (1)"


def table(options):
    found = ratios(load(options.results))
    print("## Bars, (50,2)\n\n| data | model | ratio | bar | over mondrian hot, paired | bar |\n|---|---|---|---|---|---|")
    for data, (mlp, gbm, gain) in BARS.items():
        for model, bar in (("mlp", mlp), ("gbm", gbm)):
            ours, base = (found.get(("D", data, 50, 2, m, r, model), {}) for m, r in (("binary", "draw"), ("mondrian", "hot")))
            paired = {seed: ours[seed] - base[seed] for seed in ours if seed in base}
            print(f"| {data} | {model} | {entry(ours)} | {bar:.2f} | {entry(paired)} | +{gain:.2f} |")
    for protocol, readings in (("D", ("hot", "draw")), ("T", ("hot",))):
        columns = [(m, r) for r in readings for m in METHODS] + ([(m, "expect") for m in EXPECTED] if protocol == "D" else [])
        print(f"\n## [{protocol}]\n\n| data (k,l) | model | " + " | ".join(f"{m} {r}" for m, r in columns) + " |\n|---|---|" + "---|" * len(columns))
        for data, k, l, model in sorted({(d, k, l, model) for (p, d, k, l, m, r, model) in found if p == protocol}):
            print(f"| {data} ({k},{l}) | {model} | " + " | ".join(entry(found.get((protocol, data, k, l, m, r, model))) for m, r in columns) + " |")
    print("\n## Binary against multiway, [D]\n")
    print("| data (k,l) | model | reading | mondrian | multiway | binary | binary - multiway, paired |\n|---|---|---|---|---|---|---|")
    for data, k, model, reading in [(d, k, m, r) for d in DATASETS for k in (10, 50) for m in ("mlp", "gbm") for r in ("hot", "draw")]:
        mondrian, multiway, binary = (found.get(("D", data, k, 2, method, reading, model), {}) for method in ("mondrian", "multiway", "binary"))
        paired = {seed: binary[seed] - multiway[seed] for seed in binary if seed in multiway}
        print(f"| {data} ({k},2) | {model} | {reading} | " + " | ".join(map(entry, (mondrian, multiway, binary, paired))) + " |")


def chart(options):
    """F1 over raw F1 against k: a row of panels per model, a panel per data set, a line per way to read the release."""
    found = ratios(load(options.results))
    lines = [(method, reading, colour, dash, f"{'ta_da' if method == 'binary' else method}, {words}")
             for method, colour in (("mondrian", "#999999"), ("binary", "#1f6fb4"))
             for reading, dash, words in (("hot", "7 3", "multi-hot"), ("expect", "2 3", "expected"), ("draw", "", "decoded"))]
    width, row, panel, left, top, bottom = 960, 260, 225, 44, 46, 34
    low, high = .45, 1.05
    height = 2 * row + 40
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
             f'<rect width="{width}" height="{height}" fill="white"/>']

    def stroke(colour, dash):
        return f'stroke="{colour}" stroke-width="2"' + (f' stroke-dasharray="{dash}"' if dash else "")

    def place(k):
        return math.log(k / 2) / math.log(25) * (panel - 40)

    for below, (model, words) in enumerate((("gbm", "boosting"), ("mlp", "network"))):
        def level(ratio, base=below * row):
            return base + top + (high - max(ratio, low)) / (high - low) * (row - top - bottom)

        title = f"F1macro of a model trained on the release, divided by that of one trained on raw rows (l=2, {words})"
        parts.append(f'<text x="12" y="{below * row + 18}" font-size="13">{title}</text>')
        for at, data in enumerate(DATASETS):
            x = left + at * (panel + 5)
            parts.append(f'<text x="{x + (panel - 40) / 2:.0f}" y="{below * row + top - 8}" text-anchor="middle" font-weight="bold">{data}</text>')
            for tick in (.5, .6, .7, .8, .9, 1.0):
                colour = "#888888" if tick == 1.0 else "#e2e2e2"
                parts.append(f'<line x1="{x}" x2="{x + panel - 40}" y1="{level(tick):.1f}" y2="{level(tick):.1f}" stroke="{colour}"/>')
                if at == 0:
                    parts.append(f'<text x="{x - 6}" y="{level(tick) + 4:.1f}" text-anchor="end">{tick:.1f}</text>')
            for k in KS:
                parts.append(f'<text x="{x + place(k):.1f}" y="{level(low) + 16:.1f}" text-anchor="middle">{k if k not in (15, 25) else ""}</text>')
            for method, reading, colour, dash, _ in lines:
                points = [(place(k), interval(list(by_seed.values()))[0]) for k in KS if (by_seed := found.get(("D", data, k, 2, method, reading, model)))]
                path = " ".join(f"{x + px:.1f},{level(ratio):.1f}" for px, ratio in points)
                parts.append(f'<polyline points="{path}" fill="none" {stroke(colour, dash)}/>')
        parts.append(f'<text x="{width - 12}" y="{level(low) + 16:.1f}" text-anchor="end">k</text>')
    for at, (_, _, colour, dash, words) in enumerate(lines):
        x, y = left + at * 152, height - 14
        parts.append(f'<line x1="{x}" x2="{x + 28}" y1="{y - 4}" y2="{y - 4}" {stroke(colour, dash)}/><text x="{x + 34}" y="{y}">{words}</text>')
    options.svg.write_text("\n".join([*parts, "</svg>"]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["run", "table", "chart"])
    parser.add_argument("--results", type=pathlib.Path, required=True)
    parser.add_argument("--phases", default="bars,table,k,t,expect")
    parser.add_argument("--only", help="tables, by default all")
    parser.add_argument("--tada", default="build/tada")
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--models", default="gbm,mlp")
    parser.add_argument("--svg", type=pathlib.Path)
    options = parser.parse_args()
    {"run": run, "table": table, "chart": chart}[options.what](options)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""The trade-off between NCP and what a label's predictor learns, by `ta_da --label-share`: Adult and Bank, k = 10.

Learners are trained on decoded releases (`tada evaluate --encoding draw`) of 80% of a random sample of the rows and tested on the raw rest;
`mondrian`, `ta_da` and `compact` stand beside the shares. Ratios to raw F1macro are paired by split, with 95% intervals; splits share rows, so their
variance is widened (Nadeau and Bengio 2003).

    studies/label_share.py run  --results FOLDER [--data FOLDER] [--tada build/tada] [--seeds 5] [--rows 5000] [--only adult] [--shares 0,0.01,0.1]
    studies/label_share.py draw [--figures studies/label_share.json] [--pictures docs/pictures]

`run` prints a table and writes the figures; what is finished stays in the folder, and the next run goes on from there. A minute of processor time for each
table and three seeds. `draw` draws F1 of a tree against NCP, a picture for each table.
"""

import json
import pathlib
import random

from evaluation_results import paired
from trade_off import ROOT, Chart, arguments, run

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
    """By method and learner: mean NCP, mean F1macro, and its mean ratio to that of raw rows with the half-width of an interval."""
    file, separator, quasi, label = TABLES[name]
    methods = ["raw", "mondrian", "ta_da", "compact", *(f"ta_da:label-share={share}" for share in options.shares)]
    options.results.mkdir(parents=True, exist_ok=True)
    table = options.results / f"{name}.csv"
    sample(options.data / file, options.rows, table)
    summary = run(options.tada, "evaluate", table, "--delimiter", separator, "--quasi", quasi, "--label", label, "--rows-are-people", "-k", "10",
                  "--methods", ",".join(methods), "--encoding", "draw", "--learners", ",".join(LEARNERS), "--seeds", options.seeds, "--json", "--threads", 1,
                  "-o", options.results / f"{name}_results.csv", "--force", "--resume")  # fmt: skip
    f1, ncp = {}, {}
    for row in summary["rows"]:
        f1.setdefault((row["method"], row["learner"]), {})[row["seed"]] = row["metrics"]["f1_macro"]
        ncp.setdefault(row["method"], []).append(row["ncp"])
    found = {}
    for (method, learner), by_seed in f1.items():
        ratios = {seed: value / f1["raw", learner][seed] for seed, value in by_seed.items()}
        above, half, _ = paired(ratios, dict.fromkeys(ratios, 1.0))
        found.setdefault(method, {})[learner] = {"ncp": sum(ncp[method]) / len(ncp[method]), "mean": sum(by_seed.values()) / len(by_seed),
                                                 "ratio": 1 + above, "half": half}  # fmt: skip
    return found


def draw(name, methods, path):
    """F1 of the last learner, of raw, against NCP: a line through the shares, and a ring for each other method."""
    points = [(method, by[LEARNERS[-1]]) for method, by in methods.items() if method != "raw"]
    ends = [cell["ratio"] + side * cell.get("half", 0) for _, cell in points for side in (-1, 1)]
    chart = Chart(f"F1 that a learner keeps on {name}, against NCP", ([0.0, *(cell["ncp"] for _, cell in points)], 50, "{:.2f}".format),
                  ([1.0, *ends], 50, "{:.2f}".format), ("NCP", "F1 of a decision tree, of that of raw rows"))  # fmt: skip
    chart.level(1, 'stroke="#555" stroke-dasharray="5 4"')
    chart.line([(cell["ncp"], cell["ratio"]) for method, cell in points if ":" in method], COLOURS[name])
    chart.name(name, COLOURS[name])
    for method, cell in points:
        share = method.partition("=")[2]
        chart.point(cell["ncp"], cell["ratio"], f"share {share}" if share else method, COLOURS[name], fill=None if share else "white", half=cell.get("half", 0),
                    left=method == "compact" or float(share or 1) < 0.01, below=10)  # fmt: skip
    chart.save(path)


def measure(options):
    print("| table | method | NCP |" + "".join(f" F1 of {name} | of raw |" for name in LEARNERS) + "\n" + "| --- " * (3 + 2 * len(LEARNERS)) + "|")
    found = {}
    for name in options.only:
        found[name] = cells(options, name)
        for method, by in found[name].items():
            figures = "".join(f" {by[learner]['mean']:.4f} | {by[learner]['ratio']:.3f} ± {by[learner]['half']:.3f} |" for learner in LEARNERS)
            print(f"| {name} | {method} | {by[LEARNERS[0]]['ncp']:.4f} |{figures}", flush=True)
    options.figures.write_text(json.dumps(found, indent=1) + "\n")


def main():
    parser = arguments(__doc__, seeds=5)
    parser.add_argument("what", choices=["run", "draw"])
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "build" / "studies" / "label_share")
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(TABLES))
    parser.add_argument("--shares", type=lambda text: text.split(","), default=["0", "0.002", "0.01", "0.1", "1"])
    parser.add_argument("--figures", type=pathlib.Path, default=ROOT / "studies" / "label_share.json")
    parser.add_argument("--pictures", type=pathlib.Path, default=ROOT / "docs" / "pictures")
    options = parser.parse_args()
    if options.what == "run":
        measure(options)
    else:
        for name, methods in json.loads(options.figures.read_text()).items():
            draw(name, methods, options.pictures / f"label-share-{name}.svg")


if __name__ == "__main__":
    main()

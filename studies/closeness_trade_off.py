#!/usr/bin/env python3
"""What learners keep of a release under t-closeness, and what a guess of the sensitive value gains from it: Adult, k = 10, sensitive
occupation, label income; no t, and t = 0.3, 0.2, 0.1.

Learners are trained on decoded releases (`tada evaluate --encoding draw`) and tested on raw rows; the guess is that of `tada attack`, which
knows all quasi-identifiers of everybody: the commonest occupation among the rows that can be a person's, against the commonest of all.

    studies/closeness_trade_off.py [--data FOLDER] [--tada build/tada] [--seeds 5] [--picture docs/pictures/closeness.svg]

Prints a table and draws the trade-off. Under a minute on two cores.
"""

import pathlib
import tempfile

from trade_off import ROOT, Chart, arguments, run

TABLE = "adult/adult_train_complete.csv"
ROLES = ["--quasi", "age,workclass,education-num,marital-status,race,sex,native-country", "--sensitive", "occupation", "--rows-are-people"]
METHODS = {"mondrian": "#2a78d6", "ta_da": "#c4572b", "compact": "#2f8f5b"}
LIMITS = [None, "0.3", "0.2", "0.1"]


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
    """F1 of the tree against the gain of the guess, a line for each method, a point for each limit."""
    raw = found[0]["raw_tree"]
    chart = Chart("What learners keep against what a guess gains", ([0, *(cell["gain"] for cell in found)], 20, lambda gain: f"{100 * gain:.0f}"),
                  ([raw, *(cell["tree"] for cell in found)], 20, "{:.2f}".format),
                  ("what a guess of the occupation gains, percentage points", "F1 of a tree that predicts income"))  # fmt: skip
    chart.level(raw, 'stroke="#555" stroke-dasharray="5 4"')
    chart.text(chart.LEFT + 6, chart.y(raw) - 5, "raw rows")
    for i, (method, colour) in enumerate(METHODS.items()):
        line = [cell for cell in found if cell["method"] == method]
        chart.line([(cell["gain"], cell["tree"]) for cell in line], colour)
        for cell in line:
            chart.point(cell["gain"], cell["tree"], f"t={cell['t']}" if cell["t"] else "k only", colour, below=20 * (i % 2))
        chart.name(method, colour)
    chart.save(path)


def main():
    parser = arguments(__doc__, seeds=5)
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

#!/usr/bin/env python3
"""How much of a ratio to raw F1macro is the release, and how much the learner's own chance and its threshold?

For each seed of model_decode.py the rows, the split and the release are the same as there; the learner is fitted from several starts on raw rows
and on the decoded release. Labels have two classes. Beside F1macro at the usual threshold of one half: the area under the ROC curve, which no
threshold enters, and F1macro at the threshold that is best on the learner's own training rows.

    studies/learner_starts.py run   --results FILE.jsonl [--only Bank] [--cell 50,2] [--seeds 10] [--starts 5] [--models mlp]
    studies/learner_starts.py table --results FILE.jsonl

A run takes up where the last one stopped.
"""

import pathlib
import sys
import tempfile
import warnings

import numpy as np
from sklearn.metrics import f1_score, roc_auc_score
from threadpoolctl import threadpool_limits

from common import Store, interval
from learning_from_a_release import Bench, make_model
from model_decode import FIRST_FRESH, arguments
from released_cells import Encoder, read


def f1_at(threshold, wanted, chances):
    return f1_score(wanted, chances >= threshold, average="macro")


def judge(bench, model, train, test, start):
    """F1macro, that at the threshold that suits the training rows, the area under the ROC curve, and the share of rows taken for the rarer class."""
    encode = Encoder(train, bench.columns, bench.numeric)
    labels = train[bench.label].astype(str)
    names, counts = np.unique(labels, return_counts=True)
    rare = names[counts.argmin()]
    fitted = make_model(model, start, len(bench.train_rows)).fit(encode(train), labels)
    inner = getattr(fitted, "network", fitted)
    place = list(inner.classes_).index(rare)
    own, chances = (inner.predict_proba(encode(rows))[:, place] for rows in (train, test))
    best = max(np.arange(.1, .65, .05), key=lambda threshold: f1_at(threshold, labels == rare, own))
    wanted = test[bench.label].astype(str) == rare
    return [f1_at(.5, wanted, chances), f1_at(best, wanted, chances), roc_auc_score(wanted, chances), float((chances >= .5).mean())]


def run(options):
    warnings.filterwarnings("ignore")
    store = Store(options.results, "learner_starts")
    k, l = map(int, options.cell.split(","))
    with tempfile.TemporaryDirectory() as name, threadpool_limits(1):
        folder = pathlib.Path(name)
        for data in options.only.split(","):
            for seed in range(FIRST_FRESH, FIRST_FRESH + options.seeds):
                keys = [(data, k, l, seed, model, start) for model in options.models.split(",") for start in range(options.starts)]
                if all(key in store.found for key in keys):
                    continue
                bench = Bench(options, "D", data, seed, folder)
                raw, test = bench.rows(bench.whole, bench.train_rows), bench.rows(bench.whole, bench.test_rows)
                drawn = read(bench.release("binary", k, l)["draw"])
                for key in keys:
                    store(key, lambda key=key: [judge(bench, key[4], rows, test, key[5]) for rows in (raw, drawn)])  # noqa: B023


def table(options):
    cells = {}
    for (data, k, l, seed, model, _), value in Store(options.results, "learner_starts").found.items():
        cells.setdefault((data, k, l, model), {}).setdefault(seed, []).append(value)
    print("| data (k,l) | learner | seeds x starts | F1macro | at a threshold that suits | area under ROC | share taken for the rarer class, raw and drawn | "
          "deviation among starts, among seeds |\n|---|---|---|---|---|---|---|---|")
    for (data, k, l, model), by_seed in sorted(cells.items()):
        fits = {seed: np.array(values) for seed, values in by_seed.items()}  # start, raw or drawn, figure
        words = []
        for figure in range(3):
            mean, half = interval([fit[:, 1, figure].mean() / fit[:, 0, figure].mean() for fit in fits.values()])
            words.append(f"{mean:.3f} ± {half:.3f}")
        shares = [np.mean([fit[:, reading, 3].mean() for fit in fits.values()]) for reading in (0, 1)]
        ratios = [fit[:, 1, 0] / fit[:, 0, 0] for fit in fits.values()]
        among = np.sqrt(np.mean([ratio.var(ddof=1) for ratio in ratios])), np.std([ratio.mean() for ratio in ratios], ddof=1)
        print(f"| {data} ({k},{l}) | {model} | {len(fits)} x {len(ratios[0])} | {' | '.join(words)} | {shares[0]:.3f}, {shares[1]:.3f} | "
              f"{among[0]:.3f}, {among[1]:.3f} |")


def main():
    parser = arguments(__doc__, only="Bank", models="mlp")
    parser.add_argument("--cell", default="50,2")
    parser.add_argument("--starts", type=int, default=5)
    options = parser.parse_args()
    {"run": run, "table": table}[options.what](options)


if __name__ == "__main__":
    sys.exit(main())

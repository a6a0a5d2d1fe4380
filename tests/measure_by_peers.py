"""Run by the Python of .venv-peers: what pycanon says of releases, and releases that anjana makes. Reads a list of tasks as JSON from
standard input and answers with a list. Only tests/cli/test_peers.py calls it.

What has to be done for these libraries to be right: texts are read as texts and no cell as NaN (rows with a NaN are dropped by pycanon), and the
index is counted from 0 (it is taken for positions).
"""

import contextlib
import json
import sys

import pandas as pd
from anjana import anonymity as anjana
from pycanon import anonymity as pycanon


def read(path: str) -> pd.DataFrame:
    return pd.read_csv(path, dtype=str, keep_default_na=False).reset_index(drop=True)


def measure(release: str, quasi: list[str], sensitive: list[str], numbers: list[str] | None = None) -> dict:
    """`numbers`: sensitive columns whose values are compared in their order."""
    data = read(release)
    for name in numbers or []:
        data[name] = pd.to_numeric(data[name])
    answer = {"k": int(pycanon.k_anonymity(data, quasi))}
    if sensitive:
        answer["l"] = [int(pycanon.l_diversity(data, quasi, [name])) for name in sensitive]
        answer["t"] = [float(pycanon.t_closeness(data, quasi, [name])) for name in sensitive]
        answer["beta"] = [float(pycanon.basic_beta_likeness(data, quasi, [name])) for name in sensitive]
        answer["alpha"] = [float(pycanon.alpha_k_anonymity(data, quasi, [name])[0]) for name in sensitive]
        answer["entropy_l"] = [int(pycanon.entropy_l_diversity(data, quasi, [name])) for name in sensitive]
    return answer


def anonymize(table: str, output: str, quasi: list[str], sensitive: str, model: str, k: int, l: int, levels: dict) -> dict:
    """`levels`: by quasi-identifier, what each value becomes at each level."""
    data = read(table)
    hierarchies = {
        column: {
            level: data[column].map({value: path[level] for value, path in by_value.items()}).to_numpy() for level in range(len(next(iter(by_value.values()))))
        }
        for column, by_value in levels.items()
    }
    if model == "k":
        released = anjana.k_anonymity(data, [], quasi, k, 0, hierarchies)
    else:
        make = {"distinct": anjana.l_diversity, "entropy": anjana.entropy_l_diversity}[model]
        released = make(data, [], quasi, sensitive, k, l, 0, hierarchies)
    released.to_csv(output, index=False)
    return {"rows": len(released)}


with contextlib.redirect_stdout(sys.stderr):  # anjana prints
    answers = [globals()[task.pop("do")](**task) for task in json.load(sys.stdin)]
json.dump(answers, sys.stdout)

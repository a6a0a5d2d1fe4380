"""The audit beside other people's: pycanon measures releases, anjana makes some. They live in .venv-peers (scripts/setup peers).

Their known errors are worked around: see tests/measure_by_peers.py; pycanon's entropy l is rounded down from a sum of rounded terms, and
its recursive diversity sorts the counts the wrong way round, so that here it is counted from the definition.
"""

import collections
import json
import math
import random
import subprocess
from fractions import Fraction

import pytest

from conftest import BINARY, QUASI, ROLES, ROOT, write_csv
from releases import classes

PEERS = ROOT / ".venv-peers" / "bin" / "python"
pytestmark = pytest.mark.skipif(not PEERS.exists(), reason="pycanon and anjana are not installed: scripts/setup peers")


def ask_peers(folder, tasks: list[dict]) -> list[dict]:
    run = subprocess.run([PEERS, ROOT / "tests" / "measure_by_peers.py"], input=json.dumps(tasks), cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def audit(tada, release, *options) -> dict:
    run = subprocess.run([BINARY, "audit", release, *options, "--json"], cwd=tada.folder, capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    return json.loads(run.stdout)


def random_rows(draw: random.Random) -> list[dict[str, str]]:
    pools = {"a": ["[1,2]", "3", "*"], "b": ["{x,y}", "z"], "s": ["flu", "cold", "hiv", "asthma"], "t": ["u", "v", "w"]}
    pools = {name: pool[: draw.randint(1, len(pool))] for name, pool in pools.items()}
    return [{name: draw.choice(pool) for name, pool in pools.items()} for _ in range(draw.randint(1, 40))]


@pytest.fixture(scope="module")
def random_tables():
    draw = random.Random(11)
    return [random_rows(draw) for _ in range(60)]


OPTIONS = ["--quasi", "a,b", "--sensitive", "s,t", "-k", "1"]


def test_k_and_the_variants_of_l_are_those_of_pycanon(tada, random_tables):
    for number, rows in enumerate(random_tables):
        tada.write(f"{number}.csv", write_csv(rows))
    measured = ask_peers(
        tada.folder, [{"do": "measure", "release": f"{number}.csv", "quasi": ["a", "b"], "sensitive": ["s", "t"]} for number in range(len(random_tables))]
    )
    rounded = 0
    for number, (rows, theirs) in enumerate(zip(random_tables, measured, strict=True)):
        ours = audit(tada, f"{number}.csv", *OPTIONS)
        assert (ours["k"], list(ours["l_of_column"].values())) == (theirs["k"], theirs["l"]), rows
        entropy = audit(tada, f"{number}.csv", *OPTIONS, "--diversity", "entropy")
        for name, own, other in zip(("s", "t"), entropy["l_of_column"].values(), theirs["entropy_l"], strict=True):
            # Values that are all equally frequent have l exactly, and a little less in floating point.
            even = any(len(set(counts)) == 1 and len(counts) == own for counts in counts_of(rows, name))
            assert own == other or (own == other + 1 and even), (rows, name)
            rounded += own != other
    assert rounded > 0  # else pycanon has been mended, and the words above say too much


def test_closeness_of_numbers_is_that_of_pycanon(tada):
    draw = random.Random(12)
    tables = []
    for number in range(30):
        pool = draw.sample(range(50), draw.randint(2, 6))  # of one number pycanon divides by zero
        rows = [{"a": draw.choice("xyz"), "n": str(draw.choice(pool))} for _ in range(draw.randint(10, 40))]
        rows += [{"a": "x", "n": str(value)} for value in pool]
        tada.write(f"n{number}.csv", write_csv(rows))
        tables.append(rows)
    tasks = [{"do": "measure", "release": f"n{number}.csv", "quasi": ["a"], "sensitive": ["n"], "numbers": ["n"]} for number in range(len(tables))]
    for number, theirs in enumerate(ask_peers(tada.folder, tasks)):
        ours = audit(tada, f"n{number}.csv", "--quasi", "a", "--sensitive", "n:numeric", "-k", "1", "--closeness", "0.1:ordered")["t"]["n"]
        assert theirs["t"][0] - 1e-9 <= ours < theirs["t"][0] + 1e-4 + 1e-9, number


def test_closeness_likeness_and_shares_are_those_of_pycanon(tada, random_tables):
    for number, rows in enumerate(random_tables):
        tada.write(f"{number}.csv", write_csv(rows))
    measured = ask_peers(
        tada.folder, [{"do": "measure", "release": f"{number}.csv", "quasi": ["a", "b"], "sensitive": ["s", "t"]} for number in range(len(random_tables))]
    )
    for number, theirs in enumerate(measured):
        ours = audit(tada, f"{number}.csv", *OPTIONS, "--closeness", "0.1", "--likeness", "0.1:basic", "--alpha", "0.1")
        for name in ("t", "beta", "alpha"):
            for own, other in zip(ours[name].values(), theirs[name], strict=True):
                assert other - 1e-9 <= own < other + 1e-4 + 1e-9, (name, number)  # ours is rounded up, to four places


def counts_of(rows: list[dict], sensitive: str) -> list[list[int]]:
    groups = classes(rows, ["a", "b"]).values()
    return [sorted(collections.Counter(row[sensitive] for row in group).values(), reverse=True) for group in groups]


@pytest.mark.parametrize("c", ["1", "2", "3.5"])
def test_recursive_l_is_the_definitions(tada, random_tables, c):
    for rows in random_tables[:30]:
        tada.write("release.csv", write_csv(rows))
        ours = audit(tada, "release.csv", *OPTIONS, "--diversity", f"recursive:{c}")
        for name, reached in ours["l_of_column"].items():
            holds = [l for l in range(1, 6) if all(counts[0] < Fraction(c) * sum(counts[l - 1 :]) for counts in counts_of(rows, name))]
            assert reached == max(holds, default=1), (rows, name)  # l=1 asks for nothing


def test_pycanon_finds_in_our_releases_what_was_asked(tada, people):
    for method in "mondrian", "dop", "compact":
        tada("anonymize", people, *ROLES, "-k", "5", "-l", "3", "--method", method, "-o", f"{method}.csv")
    tasks = [{"do": "measure", "release": f"{method}.csv", "quasi": QUASI, "sensitive": ["disease"]} for method in ("mondrian", "dop", "compact")]
    for task, theirs in zip(tasks, ask_peers(tada.folder, tasks), strict=True):
        ours = audit(tada, task["release"], *ROLES)
        assert (ours["k"], [ours["l"]]) == (theirs["k"], theirs["l"]) and theirs["k"] >= 5 and theirs["l"][0] >= 3


def levels_of(rows: list[dict[str, str]]) -> dict:
    """Ages by ten, by thirty, not at all; states not at all."""

    def interval(age: int, width: int) -> str:
        return f"[{age // width * width},{age // width * width + width - 1}]"

    ages = {row["age"]: [row["age"], interval(int(row["age"]), 10), interval(int(row["age"]), 30), "*"] for row in rows}
    return {"age": ages, "state": {row["state"]: [row["state"], "*"] for row in rows}}


@pytest.mark.parametrize(("model", "k", "l"), [("k", 4, 1), ("k", 9, 1), ("distinct", 3, 3), ("entropy", 3, 2)])
def test_what_anjana_releases_passes(tada, model, k, l):
    draw = random.Random(5)
    states, diseases = ["CA", "MN", "NY"], ["flu", "cold", "hiv", "asthma"]
    rows = [{"age": str(draw.randint(18, 80)), "state": draw.choice(states), "disease": draw.choice(diseases)} for _ in range(300)]
    tada.write("people.csv", write_csv(rows))
    task = {"do": "anonymize", "table": "people.csv", "output": "out.csv", "quasi": ["age", "state"], "sensitive": "disease"}
    assert ask_peers(tada.folder, [{**task, "model": model, "k": k, "l": l, "levels": levels_of(rows)}]) == [{"rows": 300}]
    options = ["--quasi", "age:numeric,state", "--sensitive", "disease", "-k", str(k), "-l", str(l)]
    if model == "entropy":
        options += ["--diversity", "entropy"]
    verdict = audit(tada, "out.csv", *options, "--original", "people.csv")
    assert verdict["passed"] and verdict["k"] >= k and verdict["l"] >= l
    # And one step further than it has gone, it does not.
    beyond = [*options[:4], "-k", str(verdict["k"] + 1)]
    assert not audit(tada, "out.csv", *beyond)["passed"]
    assert math.isclose(verdict["risk"]["prosecutor"]["highest"], 1 / verdict["k"])

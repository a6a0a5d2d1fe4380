"""tada compose with requirements beside k and l: what is left of classes, counted a second time here."""

import csv
import json
import math
import random
from collections import Counter
from fractions import Fraction

import pytest

ASKED = ["--quasi", "q", "--sensitive", "s,v", "-k", "1", "--closeness", "s=0.5:equal,v=0.5:ordered", "--likeness", "s=2:basic", "--alpha", "s=0.6"]
ASKED += ["--disclosure", "s=1.5", "--spread", "v=3"]


def releases(folder, seed):
    """Two releases of some of the same people, who have the same values in both."""
    draw = random.Random(seed)
    people = [(f"p{i}", draw.choice("abc"), draw.choice([0, 1, 4, 9])) for i in range(30)]
    made = []
    for name in ("one.csv", "two.csv"):
        rows = [(draw.choice("xyz"), *person) for person in people if draw.random() < 0.8]
        with open(folder / name, "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["q", "who", "s", "v"])
            table.writerows(rows)
        made.append(rows)
    return made


def left_of(classes):
    """The rows of each class that one person who is in all of them may have."""
    while True:
        values = [set.intersection(*({row[column] for row in rows} for rows in classes)) for column in (2, 3)]
        fewer = [[row for row in rows if row[2] in values[0] and row[3] in values[1]] for rows in classes]
        if fewer == classes:
            return fewer
        classes = fewer


def measures(rows, everybody):
    m, n = len(rows), len(everybody)
    found = {}
    q, p = Counter(row[2] for row in rows), Counter(row[2] for row in everybody)
    found["t s"] = sum(max(Fraction(0), Fraction(q[v], m) - Fraction(p[v], n)) for v in p)
    found["beta s"] = max(max(Fraction(0), Fraction(q[v] * n, m * p[v]) - 1) for v in p)
    found["alpha s"] = Fraction(max(q.values()), m)
    found["delta s"] = max(math.inf if q[v] == 0 else abs(math.log(q[v] * n / (m * p[v]))) for v in p)
    q, p = Counter(row[3] for row in rows), Counter(row[3] for row in everybody)
    run = work = Fraction(0)
    for value in sorted(p):
        run += Fraction(q[value], m) - Fraction(p[value], n)
        work += abs(run)
    found["t v"] = work / (len(p) - 1)
    found["spread v"] = -(max(q) - min(q))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_what_is_left_is_judged_as_the_definitions_say(tada, seed):
    made = releases(tada.folder, seed)
    worst, below = {}, 0
    regions = set()
    for who in {row[1] for row in made[0]} & {row[1] for row in made[1]}:
        regions.add(tuple(next(row[0] for row in rows if row[1] == who) for rows in made))
    for region in regions:
        left = left_of([[row for row in rows if row[0] == cell] for rows, cell in zip(made, region, strict=True)])
        breaks = False
        for rows, everybody in zip(left, made, strict=True):
            for name, value in measures(rows, everybody).items():
                worst[name] = max(worst.get(name, -math.inf), value)
                limit = {"t s": Fraction(1, 2), "t v": Fraction(1, 2), "beta s": 2, "alpha s": Fraction(3, 5), "delta s": 1.5, "spread v": -3}[name]
                breaks |= value > limit
        below += breaks
    assert below > 0, "no region breaks anything: choose other seeds"
    answer = json.loads(tada("compose", "one.csv", "two.csv", *ASKED, "--overlap-key", "who", "--json", code=1).stdout)
    assert answer["regions"]["all"] == len(regions)
    assert answer["regions"]["below_more"] == below
    for name, value in worst.items():
        key, column = name.split()
        reached = answer[key][column]
        if value == math.inf:
            assert reached == "infinite"
        elif key == "spread":
            assert reached == -value
        else:
            assert float(value) - 1e-12 <= reached <= float(value) + 1e-4


def test_two_close_releases_leave_a_single_value(tada):
    north = [("a", "flu"), ("a", "hiv"), ("b", "flu"), ("b", "hiv")]
    south = [("a", "hiv"), ("a", "cold"), ("b", "hiv"), ("b", "cold")]
    for name, rows in (("north.csv", north), ("south.csv", south)):
        tada.write(name, "zip,ill\n" + "".join(f"{zip_},{ill}\n" for zip_, ill in rows))
    asked = ["--quasi", "zip", "--sensitive", "ill", "-k", "1", "--closeness", "0.1"]
    for name in ("north.csv", "south.csv"):
        tada("audit", name, *asked)
    said = tada("compose", "north.csv", "south.csv", *asked, code=1).stdout
    assert "effective t of ill (equal): 0.5, at most 0.1 asked" in said
    assert "2 break more" in said
    assert "hierarchy" in tada("compose", "north.csv", "south.csv", *asked[:-1], "0.1:hierarchy", code=2).stderr

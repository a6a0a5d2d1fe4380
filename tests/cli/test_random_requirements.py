"""Random tables under random requirements through every method: released classes are counted here, from the definitions, on exact fractions."""

import csv
import math
import random
import subprocess
from collections import Counter, defaultdict
from fractions import Fraction

import pytest

from conftest import BINARY

METHODS = {
    "mondrian": [],
    "compact": [],
    "dop": [],
    "datafly": [],
    "topdown": [],
    "optimal": [],
    "ta_da": ["--task", "clustering"],
    "infogain": ["--label", "y"],
    "target_weighted": ["--label", "y"],
    "regression": ["--label", "z:numeric"],
}


def random_rows(draw):
    rows, values = [], "abcd"[: draw.randint(2, 4)]
    most, names = draw.choice([3, 40]), "uvwxyz"[: draw.randint(1, 6)]
    for _ in range(draw.randint(4, 90)):
        age = draw.randint(0, most)
        ill = draw.choices(values, [4, 2, 1, 1][: len(values)])[0] if age % 2 else values[0]
        pay = draw.choice([0, 1, 2, 5, 9]) + age // 10
        rows.append({"age": age, "zip": draw.choice(names), "ill": ill, "pay": pay, "y": draw.choice("PN"), "z": age * 2 + draw.randint(0, 9)})
        rows[-1] |= {"w": draw.randint(1, 30), "own": draw.choice(["", "", "", "4", "7"]), "site": draw.choice("nnns")}
    return rows


def random_requirement(draw, rows):
    """Options, and what they ask of a class: functions of its rows and of those it is compared with."""
    k = draw.randint(1, 6)
    options, asked = ["-k", k], [lambda group, _: len(group) >= k]

    def ask(chance, option, limits, holds):
        if draw.random() < chance:
            limit = draw.choice(limits)
            options.extend([option[0], option[1].format(limit)])
            asked.append(lambda group, others: holds(group, others, Fraction(limit)))

    ask(0.3, ("--closeness", "ill={}"), ["0.1", "0.2", "0.3", "0.45"], lambda group, others, limit: distance(group, others) <= limit)
    if "--closeness" not in options:
        ask(0.3, ("--closeness", "pay={}"), ["0.1", "0.2", "0.3"], lambda group, others, limit: work(group, others) <= limit)
    ask(0.2, ("--likeness", "ill={}:basic"), ["0.3", "0.5", "1", "2"], lambda group, others, limit: max(gains(group, others)) <= limit)
    ask(0.15, ("--disclosure", "ill={}"), ["0.5", "1", "2"], lambda group, others, limit: ratio(group, others) < limit)
    ask(0.2, ("--alpha", "ill={}"), ["0.6", "0.7", "0.8", "0.9"], lambda group, _, limit: max(shares(group).values()) <= limit)
    ask(0.2, ("--spread", "pay={}"), ["2", "3.5", "4"], lambda group, _, limit: max(pays(group)) - min(pays(group)) >= limit)
    ask(0.2, ("-l", "{}"), ["2", "3"], lambda group, _, limit: min(len(shares(group)), len(set(pays(group)))) >= limit)
    if draw.random() < 0.2:
        options += ["--k-column", "own"]
        asked.append(lambda group, _: all(not row["own"] or len(group) >= int(row["own"]) for row in group))
    told = draw.choice([("--weights", "w"), ("--sampling", "0.25"), ("--population", str(5 * len(rows)))])
    people = {
        "--weights": lambda group: sum(row["w"] for row in group),
        "--sampling": lambda group: 4 * len(group),
        "--population": lambda group: 5 * len(group),
    }
    ask(0.3, ("--max-risk", "{}"), ["0.02", "0.05", "0.1"], lambda group, _, limit: risk(len(group), people[told[0]](group)) <= limit)
    if "--max-risk" in options:
        options += told
    return options, asked


def shares(rows):
    return {value: Fraction(count, len(rows)) for value, count in Counter(row["ill"] for row in rows).items()}


def pays(rows):
    return [row["pay"] for row in rows]


def distance(group, others):
    of = shares(group)
    return sum(max(Fraction(0), of.get(value, 0) - share) for value, share in shares(others).items())


def work(group, others):
    values = sorted(set(pays(others)))
    run = total = Fraction(0)
    for value in values[:-1]:
        run += Fraction(pays(group).count(value), len(group)) - Fraction(pays(others).count(value), len(others))
        total += abs(run)
    return total / max(1, len(values) - 1)


def gains(group, others):
    of = shares(group)
    return [of.get(value, 0) / share - 1 for value, share in shares(others).items()]


def ratio(group, others):
    of = shares(group)
    return max(math.inf if value not in of else abs(math.log(of[value] / share)) for value, share in shares(others).items())


def risk(members, people):
    if people <= members:
        return Fraction(1, members)
    p = members / people
    total, chance, j = 0.0, p**members, members
    while j < people * 40 + 300:
        total += chance / j
        chance *= j / (j - members + 1) * (1 - p)
        j += 1
    return total


@pytest.mark.parametrize("method", METHODS)
def test_classes_meet_what_was_asked(tmp_path, method):
    released = 0
    for seed in range(8):
        draw = random.Random(f"{method} {seed}")
        rows = random_rows(draw)
        options, asked = random_requirement(draw, rows)
        with open(tmp_path / "in.csv", "w", newline="") as file:
            table = csv.DictWriter(file, rows[0].keys())
            table.writeheader()
            table.writerows(rows)
        command = [BINARY, "anonymize", "in.csv", "--quasi", "age:numeric,zip:categorical", "--sensitive", "ill:categorical,pay:numeric", "--method", method]
        command += [*METHODS[method], *options, "--rows-are-people", "--keep-order", "-o", "out.csv", "--force", "--quiet"]
        reference = draw.choice(["whole", "controller", "table"])
        if reference != "whole":
            command += ["--controller-column", "site", "--reference", reference]
        done = subprocess.run([str(word) for word in command], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode in (0, 4), (command, done.stderr)
        if done.returncode == 4:
            continue
        released += 1
        with open(tmp_path / "out.csv", newline="") as file:
            cells = [(row["age"], row["zip"]) for row in csv.DictReader(file)]
        assert len(cells) == len(rows)
        for site in "ns" if reference != "whole" else [None]:
            part = [i for i, row in enumerate(rows) if site in (None, row["site"])]
            compared = rows if reference == "table" else [rows[i] for i in part]
            classes = defaultdict(list)
            for i in part:
                classes[cells[i]].append(rows[i])
            for group in classes.values():
                assert all(holds(group, compared) for holds in asked), (seed, command)
    assert released > 0

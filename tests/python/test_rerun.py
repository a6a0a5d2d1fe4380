"""An attacker who runs the program again: knows everybody's quasi-identifiers, the plan, the seed and this program, and has the release.
They try every table that the released cells allow, and keep those that give the same release. What is left tells them who has which sensitive
value.

A release tells nothing more than its cells if all candidates give it: then the belief in a value is its share of the class. `belief` is how sure
they are of the value that they are surest of, `blind` the same from the cells alone.
"""

import collections
import itertools

import pyarrow as pa
import pytest

tada = pytest.importorskip("tada")

EXAMPLE = {"age": [20, 20, 30, 30, 30], "s": ["hiv", "hiv", "flu", "cold", "cough"]}


def released(table, **options):
    """The released rows, in the order of the file; None if there is no release."""
    try:
        return tada.anonymize(pa.table(table), cells="text", threads=1, **options).table.to_pylist()
    except tada.InfeasibleError:
        return None


def inside(cell, value):
    if cell == "*" or cell == str(value):
        return True
    if cell.startswith("["):
        low, high = map(float, cell[1:-1].split(","))
        return low <= value <= high
    return cell.startswith("{") and str(value) in cell[1:-1].split(",")


def candidates(table, rows, quasi, sensitive):
    """Every assignment of the sensitive values to the people that the cells allow: in each class its values, in any order."""
    people = list(zip(*(table[name] for name in quasi), strict=True))
    classes = collections.defaultdict(list)
    for row in rows:
        classes[tuple(row[name] for name in quasi)].append(row[sensitive])
    names = list(classes)

    def deal(person, left):
        if person == len(people):
            yield []
            return
        for number, name in enumerate(names):
            if not all(inside(cell, value) for cell, value in zip(name, people[person], strict=True)):
                continue
            for value in sorted(set(left[number])):
                rest = [list(values) for values in left]
                rest[number].remove(value)
                for more in deal(person + 1, rest):
                    yield [value, *more]

    return {tuple(values) for values in deal(0, [list(classes[name]) for name in names])}


def beliefs(tables, count):
    """For every person the largest share of one value among equally likely tables."""
    return [max(collections.Counter(values[person] for values in tables).values()) / len(tables) for person in range(count)]


def attack(table, quasi=("age",), sensitive="s", **options):
    """How sure the attacker is at most, without and with running the program again; and how many tables there are, and are left."""
    options = dict(quasi=list(quasi), sensitive=sensitive, seed=1, **options)
    release = released(table, **options)
    assert release is not None
    possible = sorted(candidates(table, release, quasi, sensitive))
    assert tuple(table[sensitive]) in possible
    same = [values for values in possible if released({**table, sensitive: list(values)}, **options) == release]
    assert tuple(table[sensitive]) in same
    people = len(table[sensitive])
    return max(beliefs(possible, people)), max(beliefs(same, people)), len(possible), len(same)


METHODS = ["mondrian", "dop", "compact", "topdown", "datafly", "optimal"]


@pytest.mark.parametrize("method", METHODS)
def test_k_alone_is_not_attacked(method):
    """Without a requirement on values no method looks at them: every table that the cells allow gives the same release."""
    blind, belief, possible, same = attack(EXAMPLE, method=method, k=2)
    assert belief == blind and possible == same


def test_the_example_of_minimality():
    """One class [20,30] under l: had the people of 20 had different values, they would have been a class of their own (docs/guarantees.md)."""
    for method in ("mondrian", "dop"):
        assert attack(EXAMPLE, method=method, k=2, l=2) == (0.4, 1.0, 60, 6)


@pytest.mark.parametrize("method", METHODS)
def test_safe_gains_nothing_on_the_example(method):
    blind, belief, possible, same = attack(EXAMPLE, method=method, k=2, l=2, safe=5)
    assert (belief, same) == (blind, possible) == (0.4, 60)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("safe", [2, 3])
def test_safe_gains_nothing_wherever_it_releases(method, safe):
    """All tables of six people with three values: whichever holds gains nothing. That a K holds at all is known to whoever sees a release, and is
    the same for all tables that the cells allow."""
    ages = [20, 20, 31, 32, 45, 45]
    seen = 0
    for values in itertools.islice(itertools.product("abc", repeat=6), 5, None, 61):
        table = {"age": ages, "s": list(values)}
        if released(table, quasi=["age"], sensitive="s", k=2, l=2, safe=safe, method=method, seed=1) is None:
            continue
        blind, belief, possible, same = attack(table, method=method, k=2, l=2, safe=safe)
        assert belief == blind and possible == same, values
        seen += 1
    assert seen > 0


def test_safe_is_exit_4_where_it_does_not_hold():
    with pytest.raises(tada.InfeasibleError, match="safe"):
        tada.anonymize(pa.table(EXAMPLE), quasi=["age"], sensitive="s", k=2, l=2, safe=2, method="mondrian")
    with pytest.raises(tada.UsageError, match="below k"):
        tada.anonymize(pa.table(EXAMPLE), quasi=["age"], sensitive="s", k=3, safe=2)


def test_safe_is_refused_by_methods_that_look_at_more():
    table = pa.table({**EXAMPLE, "y": ["a", "b", "a", "b", "a"], "n": [1, 2, 3, 4, 5]})
    for options in (
        {"method": "infogain", "label": "y"},
        {"method": "ta_da", "label": "y"},
        {"method": "regression", "label": "n"},
        {"method": "target_weighted", "label": "y"},
        {"method": "auto", "label": "y"},
        {"method": "optimal", "minimize": "label", "label": "y"},
        {"method": "ta_da", "task": "clustering", "cluster_on": "all"},
    ):
        with pytest.raises(tada.UsageError, match="quasi-identifiers"):
            tada.anonymize(table, quasi=["age"], sensitive="s", k=2, l=2, safe=5, **options)


def test_the_report_says_whether_safe_was_used():
    for safe in (None, 5):
        report = tada.anonymize(pa.table(EXAMPLE), quasi=["age"], sensitive="s", k=2, l=2, safe=safe).report
        assert report["safe"] == safe


def test_raw_ages_inside_the_cells_change_nothing():
    """Other ages inside the same boxes of cuts give the same file (--range cut); tight cells tell their extremes, and nothing else."""
    values = ["a", "b", "c", "d", "e", "f"]

    def run(ages, **options):
        return released({"age": ages, "s": values}, quasi=["age"], sensitive="s", k=3, method="mondrian", **options)

    base = [20, 24, 26, 31, 33, 39]
    tight = [ages for ages in itertools.product(range(20, 27), repeat=1) if run([20, ages[0], 26, 31, 33, 39]) == run(base)]
    assert len(tight) == 7  # the one in the middle can be any of them
    cut = [age for age in range(20, 30) if run([age, 24, 26, 31, 33, 39], range="cut", domain="age=0..99") == run(base, range="cut", domain="age=0..99")]
    assert len(cut) == 10 and len([age for age in range(20, 30) if run([age, 24, 26, 31, 33, 39]) == run(base)]) == 1

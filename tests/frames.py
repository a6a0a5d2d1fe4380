"""What the tests of the Python package share: a small table of people, as the docstrings know it, and a table of every type.

Fixtures are imported by the tests that use them: a second conftest.py would stand in the way of the first one.
"""

import pytest

tada = pytest.importorskip("tada", reason="the Python package is not built: scripts/python_package")
pa = pytest.importorskip("pyarrow")

# The table of DT-Anon's Fig. 2a, more or less: ten people.
PEOPLE = {
    "name": ["Ann", "Ben", "Cem", "Dana", "Eve", "Finn", "Gil", "Hana", "Ivo", "Jo"],
    "age": [34, 29, 51, 47, 23, 61, 38, 45, 30, 55],
    "state": ["CA", "MN", "CA", "NY", "MN", "CA", "NY", "MN", "CA", "NY"],
    "income": ["low", "high", "low", "mid", "high", "low", "mid", "low", "high", "mid"],
    "job": ["nurse", "cook", "clerk", "nurse", "cook", "clerk", "nurse", "cook", "clerk", "nurse"],
}
ROLES = {"quasi": ["age", "state"], "sensitive": "income", "label": "job", "k": 2, "l": 2}


@pytest.fixture
def people():
    return pa.table(PEOPLE)


@pytest.fixture
def roles():
    return dict(ROLES)


def large_table(rows=3000, seed=3):
    """A table of every type there are texts for."""
    import datetime
    import decimal
    import random

    draw = random.Random(seed)
    day = datetime.date(2000, 1, 1)
    return pa.table(
        {
            "age": pa.array([None if draw.random() < 0.02 else draw.randint(18, 90) for _ in range(rows)], pa.int16()),
            "weight": pa.array([round(draw.uniform(40, 120), 1) for _ in range(rows)], pa.float32()),
            "born": pa.array([day + datetime.timedelta(days=draw.randint(0, 9000)) for _ in range(rows)], pa.date32()),
            "seen": pa.array([datetime.datetime(2024, 1, 1) + datetime.timedelta(minutes=draw.randint(0, 9000)) for _ in range(rows)], pa.timestamp("ms")),
            "paid": pa.array([decimal.Decimal(draw.randint(-500, 5000)) / 100 for _ in range(rows)], pa.decimal128(9, 2)),
            "smokes": pa.array([draw.random() < 0.3 for _ in range(rows)]),
            "state": [draw.choice(["CA", "MN", "NY", "a, b", '"q"', ""]) for _ in range(rows)],
            "disease": [draw.choice(["flu", "asthma", "cancer", None]) for _ in range(rows)],
        }
    )


@pytest.fixture(scope="session")
def large():
    return large_table()


LARGE_ROLES = {"quasi": ["age", "weight", "born", "paid", "smokes", "state"], "sensitive": "disease", "keep": ["seen"], "k": 10, "l": 2}

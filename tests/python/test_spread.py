"""Rows that are spread over partitions give the same release as all of them on one machine (tests/spread.py drives the engine as Spark would)."""

import json

import pytest

import tada
from spread import ROWS, people, row_counts, spread_release

PLANS = {
    "mondrian": dict(k=5),
    "mondrian, l": dict(k=5, l=3, sensitive=["disease"]),
    "two sensitive columns": dict(k=4, l=3, sensitive=["disease", "drug"]),
    "entropy": dict(k=5, l=2, diversity="entropy", sensitive=["disease"]),
    "recursive": dict(k=5, l=3, diversity="recursive:2", sensitive=["disease"]),
    "exact values": dict(k=5, l=4, sensitive=["disease"], exact_values=True),
    "missing counts": dict(k=5, l=5, sensitive=["disease"], missing_counts=True),
    "by frequency": dict(k=5, categorical="frequency"),
    "balanced": dict(k=5, categorical="balanced", l=2, sensitive=["drug"]),
    "hierarchies": dict(k=5, hierarchy=["zip=prefix:3/2/1", "age=width:10"], l=2, sensitive=["disease"]),
    "text cells": dict(k=5, cells="text", keep=["note"]),
    "infogain": dict(k=5, method="infogain", label=["buys"]),
    "infogain, l": dict(k=5, l=3, method="infogain", label=["buys"], sensitive=["disease"]),
    "infogain at boundaries": dict(k=5, method="infogain", label=["buys"], boundary_only=True),
    "infogain, hierarchies": dict(k=5, method="infogain", label=["buys"], hierarchy=["zip=prefix:3/2/1", "age=width:10"]),
    "infogain, two labels": dict(k=5, method="infogain", label=["buys", "drug"]),
    "regression": dict(k=5, method="regression", label=["cost"]),
    "regression, l": dict(k=5, l=2, method="regression", label=["cost"], sensitive=["disease"]),
    "ta_da": dict(k=5, method="ta_da", label=["buys"]),
    "ta_da multiway": dict(k=5, method="ta_da", label=["buys"], split="multiway"),
    "ta_da, a number": dict(k=5, l=2, method="ta_da", label=["cost"], sensitive=["disease"]),
    "controllers": dict(k=5, l=2, sensitive=["disease"], controller_column="site"),
    "ta_da of controllers": dict(k=5, method="ta_da", label=["cost"], controller_column="site"),
    "closeness": dict(k=5, sensitive=["disease"], closeness="0.3", stratify="never"),
    "closeness in order": dict(k=5, sensitive=["cost"], closeness="0.2:ordered", stratify="never"),
    "closeness, infogain": dict(k=5, l=2, sensitive=["disease"], closeness="0.4", method="infogain", label=["buys"]),
    "closeness of controllers": dict(k=5, sensitive=["disease", "drug"], closeness="drug=0.4", controller_column="site", stratify="never"),
    "closeness to the table": dict(k=5, sensitive=["drug"], closeness="0.4", controller_column="site", reference="table", stratify="never"),
    "likeness": dict(k=5, sensitive=["drug"], likeness="2", stratify="never"),
    "disclosure": dict(k=5, sensitive=["drug"], disclosure="1.5", stratify="never"),
    "alpha": dict(k=5, sensitive=["disease"], alpha=["0.4:flu", "hiv"]),
    "alpha of controllers": dict(k=5, sensitive=["disease"], alpha="0.5", controller_column="site"),
    "spread of numbers": dict(k=5, sensitive=["cost"], spread="200"),
    "risk": dict(risk="0.1"),
}


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("part", [2, 10, 100])
def test_spread_rows_are_released_like_whole_tables(name, part):
    table, plan = people(), {"quasi": ["age", "zip", "job", "weight", "since"], **PLANS[name]}
    expected = tada.anonymize(table, **plan)
    made, found, run = spread_release(table, local_rows=ROWS // part, **plan)
    assert run["levels"] > 0
    texts = plan.get("hierarchy") is not None  # a column with a hierarchy is text everywhere
    if texts:
        expected = tada.anonymize(table, **plan, cells="text")
        made = spread_release(table, local_rows=ROWS // part, **plan, cells="text")[0]
    assert row_counts(made) == row_counts(expected.table)
    assert found.passed, found.problems
    report = json.loads(found.json())
    assert report["reached"] == expected.report["reached"]
    assert report["loss"]["ncp"] == pytest.approx(expected.report["loss"]["ncp"], abs=1e-12)
    assert report["loss"]["per_column"] == pytest.approx(expected.report["loss"]["per_column"], abs=1e-12)
    assert report["loss"]["group_sizes"] == expected.report["loss"]["group_sizes"]


LEVELS = ["age=width:10/20", "zip=prefix:3/2/1", "job=flat", "weight=width:20", "since=dates"]
WHOLE = {
    "compact": dict(k=5, method="compact"),
    "compact, l": dict(k=5, l=3, method="compact", sensitive=["disease"]),
    "dop": dict(k=5, l=2, method="dop", sensitive=["disease"]),
    "target_weighted": dict(k=5, method="target_weighted", label=["buys"]),
    "ta_da for clusters": dict(k=5, method="ta_da", task="clustering"),
    "datafly": dict(k=5, method="datafly", hierarchy=LEVELS),
    "topdown": dict(k=5, method="topdown", hierarchy=LEVELS, label=["buys"]),
    "optimal": dict(k=5, method="optimal", hierarchy=LEVELS),
    "closeness, stratified": dict(k=5, sensitive=["disease"], closeness="0.3"),
}


@pytest.mark.parametrize("controller", ["site", None])
@pytest.mark.parametrize("name", WHOLE)
def test_whole_controllers_run_where_their_rows_fit(name, controller):
    table, plan = people(400), {"quasi": ["age", "zip", "job", "weight", "since"], "keep": ["note"], "cells": "text", **WHOLE[name]}
    if controller:
        plan["controller_column"] = controller
    expected = tada.anonymize(table, **plan)
    made, found, run = spread_release(table, local_rows=400, **plan)
    assert run == {"levels": 0, "local": 2 if controller else 1, "final": 0}
    assert row_counts(made) == row_counts(expected.table)
    assert found.passed, found.problems
    report = json.loads(found.json())
    assert report["reached"] == expected.report["reached"]
    assert report["loss"]["ncp"] == pytest.approx(expected.report["loss"]["ncp"], abs=1e-12)
    with pytest.raises(tada.UsageError, match="does not work on Spark for this many rows"):
        spread_release(table, local_rows=100, **plan)


def test_how_long_compact_searches_counts_rows_of_all_controllers():
    table, plan = people(4000), {"quasi": ["age", "zip", "job"], "cells": "text", "k": 5, "method": "compact", "effort": 1, "controller_column": "site"}
    expected = tada.anonymize(table, **plan)
    made, found, _ = spread_release(table, local_rows=4000, **plan)
    assert found.passed, found.problems
    assert row_counts(made) == row_counts(expected.table)


REFUSED = {
    "controllers": 2,
    "keep_order": True,
    "relaxed": True,
    "sample_grow": True,
    "workload": "queries.csv",
    "person": "zip",
    "safe": 10,
    "range": "cut",
    "min_member": 3,
    "profile": "cms",
    "pseudonym": "note",
    "shift_dates": "since",
    "threads": 2,
    "show_values": True,
    "delimiter": ";",
    "k_column": "note",
    "manifest": "m.json",
}


@pytest.mark.parametrize("option", REFUSED)
def test_what_does_not_work_there_is_refused_by_name(option):
    with pytest.raises(tada.UsageError, match=rf"{option}\b.* does not work on Spark"):
        spread_release(people(50), local_rows=10, quasi=["age"], sensitive=["disease"], k=2, **{option: REFUSED[option]})


def test_every_option_of_anonymize_is_supported_or_refused():
    """An option that nobody thought of is refused."""
    from tada import _core

    for entry in _core.options("anonymize"):
        value = {"flag": "true", "integer": "3", "real": "0.3", "choice": (entry["choices"] or [""])[-1]}.get(entry["type"], "age")
        if entry["name"] in SUPPORTED or entry["methods"]:
            continue
        with pytest.raises(tada.UsageError):
            _core.spread_columns({"quasi": ["zip"], "sensitive": ["disease"], "k": ["2"], entry["name"]: [value]})


SUPPORTED = [
    *["quasi", "sensitive", "label", "keep", "allow", "rows-are-people", "hierarchies", "hierarchy", "k", "l", "diversity", "exact-values"],
    *["missing-counts", "task", "method", "controller-column", "missing", "seed", "cells", "plan"],
    *["risk", "closeness", "likeness", "disclosure", "alpha", "spread", "reference"],
]


@pytest.mark.parametrize("method", ["datafly", "optimal"])
def test_hierarchies_are_needed_where_their_default_is_made_from_rows(method):
    with pytest.raises(tada.UsageError, match=r"does not work on Spark without a hierarchy.*: age"):
        spread_release(people(50), local_rows=50, quasi=["age"], k=2, method=method)


@pytest.mark.parametrize(
    "options",
    [
        dict(method="auto", label=["buys"]),
        dict(method="ta_da", task="clustering", encoding="appearance"),
        dict(method="ta_da", label=["buys"], label_share=0.1),
    ],
)
def test_methods_that_look_at_the_run_or_the_order_are_refused(options):
    with pytest.raises(tada.UsageError, match="does not work on Spark"):
        spread_release(people(50), local_rows=50, quasi=["age"], k=2, **options)


@pytest.mark.parametrize("builder", ["count:5", "means", "round", "prefix"])
def test_hierarchies_from_the_data_are_refused(builder):
    with pytest.raises(tada.UsageError, match="built from all rows"):
        spread_release(people(50), local_rows=10, quasi=["age"], k=2, hierarchy=[f"age={builder}"])


def test_what_cannot_be_met_is_said_before_any_row_moves():
    with pytest.raises(tada.InfeasibleError, match="k"):
        spread_release(people(50), local_rows=10, quasi=["age"], k=51)
    with pytest.raises(tada.InfeasibleError, match="l="):
        spread_release(people(50), local_rows=10, quasi=["age"], sensitive=["disease"], k=2, l=40)

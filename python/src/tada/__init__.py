"""tada: target-aware data anonymization.

Releases a table about people so that no row can be traced to one person, useful for the task you have in mind, and only after an
independent audit of the finished cells has passed. Names, defaults and meanings are those of the command line.

>>> import tada
>>> release = tada.anonymize(people, quasi=["age", "state"], sensitive="income", label="job", k=2, l=2)
>>> release.audit().passed
True
>>> sorted(release.table.column_names)
['age', 'income', 'job', 'state']
"""

from __future__ import annotations

import json
import os
import warnings
from typing import TYPE_CHECKING, Any

from tada import _core
from tada._cells import MASK, Interval
from tada._commands import Advice, Attack, Composition, Evaluation, advise, attack, compose, evaluate
from tada._errors import (
    AuditError,
    DataError,
    InfeasibleError,
    InternalError,
    OutputError,
    TadaError,
    UsageError,
    in_python,
)
from tada._input import ArrowStream, Frame, engine_table, need_pyarrow
from tada._options import Columns, Option, documented, only_methods, option_values
from tada._progress import Listener, listening
from tada._read import read_release
from tada._release import Release, Verdict, check_report

if TYPE_CHECKING:
    import pyarrow

__version__: str = _core.__version__
__all__ = [
    "Advice",
    "ArrowStream",
    "Attack",
    "AuditError",
    "Composition",
    "DataError",
    "Evaluation",
    "Frame",
    "InfeasibleError",
    "InternalError",
    "Interval",
    "MASK",
    "OutputError",
    "Profile",
    "Release",
    "TadaError",
    "UsageError",
    "Verdict",
    "advise",
    "anonymize",
    "attack",
    "audit",
    "compose",
    "decode",
    "evaluate",
    "inspect",
    "key",
    "methods",
    "read_release",
]


@documented("anonymize")
def anonymize(
    frame: Frame,
    *,
    quasi: Columns | None = None,
    sensitive: Columns | None = None,
    label: Columns | None = None,
    keep: Columns | None = None,
    person: Columns | None = None,
    rows_are_people: bool | None = None,
    k: int | None = None,
    l: int | None = None,
    diversity: str | None = None,
    task: str | None = None,
    method: str | None = None,
    controllers: int | None = None,
    controller_column: str | None = None,
    hierarchies: str | os.PathLike[str] | None = None,
    hierarchy: Columns | None = None,
    plan: str | os.PathLike[str] | None = None,
    missing: Columns | None = None,
    delimiter: str | None = None,
    show_values: bool | None = None,
    seed: int | None = None,
    threads: int | None = None,
    keep_order: bool | None = None,
    cells: str | None = None,
    report: str | os.PathLike[str] | None = None,
    report_raw: bool | None = None,
    force: bool = False,
    progress: bool | Listener | None = None,
    **method_options: Option,
) -> Release:
    """Releases a table so that every row shares its quasi-identifiers with at least k-1 others.

    `frame` is anything with `__arrow_c_stream__` (pyarrow, pandas, polars, a DuckDB relation) or the path of a file. A column
    without a role is never released. `person` names the columns that tell people apart, where they have several rows: k and l then count
    people. Rows are sorted by their cells unless `keep_order`: order identifies. The same input, options and
    seed give the same release at any number of threads. `progress` is True for a tqdm bar, or a function. Ctrl-C stops the work
    and nothing is released. What is not given comes from the file `plan`, or has the command line's default. `report` writes the
    report, .html or .json; `force` overwrites it. With `report_raw` the report, `release.report` too, shows raw values, and says that it is
    confidential.

    >>> release = tada.anonymize(people, quasi=["age", "state"], sensitive="income", k=5, l=2)
    >>> release.report["reached"]["k"] >= 5
    True
    >>> tada.anonymize(people, quasi=["age"], k=11)
    Traceback (most recent call last):
    ...
    tada._errors.InfeasibleError: ...
    """
    given: dict[str, Option] = dict(
        quasi=quasi, sensitive=sensitive, label=label, keep=keep, person=person, rows_are_people=rows_are_people,
        k=k, l=l, diversity=diversity, task=task, method=method,
        controllers=controllers, controller_column=controller_column, hierarchies=hierarchies, hierarchy=hierarchy,
        missing=missing, show_values=show_values, delimiter=delimiter, seed=seed, threads=threads, keep_order=keep_order, cells=cells, report_raw=report_raw,
        **only_methods("anonymize", method_options),
    )  # fmt: skip
    options = option_values("anonymize", {**given, "plan": plan})
    check_report(report, force=force)
    table = engine_table(frame)
    with listening(progress) as listener:
        held = _core.anonymize(table, options, listener)
    if not held.passed:
        raise AuditError(
            f"The audit of the finished release failed, nothing was released: {'; '.join(held.problems)}",
            "This is a bug in tada; please report it with the plan and seed that show it",
            tuple(held.problems),
        )
    release = Release(held, held.delimiter)
    if report is not None:
        release.write_report(report, force=force)
    return release


@documented("audit")
def audit(
    release: Frame,
    *,
    original: Frame | None = None,
    quasi: Columns | None = None,
    sensitive: Columns | None = None,
    label: Columns | None = None,
    keep: Columns | None = None,
    person: Columns | None = None,
    rows_are_people: bool | None = None,
    k: int | None = None,
    l: int | None = None,
    diversity: str | None = None,
    task: str | None = None,
    method: str | None = None,
    controllers: int | None = None,
    controller_column: str | None = None,
    hierarchies: str | os.PathLike[str] | None = None,
    hierarchy: Columns | None = None,
    plan: str | os.PathLike[str] | None = None,
    missing: Columns | None = None,
    delimiter: str | None = None,
    show_values: bool | None = None,
    seed: int | None = None,
    threads: int | None = None,
    keep_order: bool | None = None,
    report: str | os.PathLike[str] | None = None,
    force: bool = False,
    progress: bool | Listener | None = None,
) -> Verdict:
    """Verifies a release, tada's or another tool's, from its cells alone; with `original` also that every cell covers the value it
    was made from. A failed audit is an answer, not an exception. `report` writes the verdict, .html or .json; `force` overwrites it.
    Options of anonymize that say how a release was made (task, method, seed, controllers, controller_column) play no part: they
    are there so that one set of options serves both functions.

    >>> tada.audit(released, quasi=["age", "state"], sensitive="income", k=2, l=2).passed
    True
    """
    given: dict[str, Option] = dict(
        quasi=quasi, sensitive=sensitive, label=label, keep=keep, person=person, rows_are_people=rows_are_people,
        k=k, l=l, diversity=diversity, task=task, method=method,
        controllers=controllers, controller_column=controller_column, hierarchies=hierarchies, hierarchy=hierarchy,
        missing=missing, show_values=show_values, seed=seed, threads=threads, keep_order=keep_order,
    )  # fmt: skip
    options = option_values("audit", {**given, "delimiter": delimiter, "plan": plan, "report": report, "force": force or None})
    table = engine_table(release, "the release")
    before = None if original is None else engine_table(original, "the original")
    with listening(progress) as listener:
        found = _core.audit(table, before, options, listener)
    return Verdict(json.loads(found))


@documented("decode")
def decode(
    release: Frame,
    *,
    learn_from: Frame | None = None,
    quasi: Columns | None = None,
    copies: int | None = None,
    seed: int | None = None,
    expect: bool | None = None,
    weight_column: str | None = None,
    plan: str | os.PathLike[str] | None = None,
    missing: Columns | None = None,
    delimiter: str | None = None,
    show_values: bool | None = None,
    threads: int | None = None,
    progress: bool | Listener | None = None,
) -> pyarrow.Table:
    """A plain table to train models on: every widened cell replaced by a value drawn inside it, from the release alone. Its rows
    are not people. `learn_from` is another release of the same columns that the shares of values are estimated from.

    Don't draw from releases of methods that did not look at the label, such as plain mondrian; `expect` is for those:
    docs/learning-from-a-release.md.

    >>> decoded = tada.decode(released, copies=1)
    >>> decoded.num_rows, decoded.schema.field("age").type
    (10, DataType(int64))
    """
    if expect and copies is not None:
        raise UsageError("expect=True gives one row for every released row; copies is for drawing", "Leave out one of the two")
    given: dict[str, Option] = dict(
        quasi=quasi, copies=copies, seed=seed, expect=expect, weight_column=weight_column, missing=missing, show_values=show_values, delimiter=delimiter,
        threads=threads,
    )  # fmt: skip
    options = option_values("decode", {**given, "plan": plan})
    pa = need_pyarrow("tada.decode")
    table = engine_table(release, "the release")
    other = None if learn_from is None else engine_table(learn_from, "the release to learn from")
    with listening(progress) as listener:
        capsule, found = _core.decode(table, other, options, listener)
    for warning in json.loads(found)["warnings"]:
        warnings.warn(in_python(warning), UserWarning, stacklevel=2)
    decoded: pyarrow.Table = pa.table(_Capsule(capsule))
    return decoded


class _Capsule:
    """Hands over a stream once, as the Arrow interface asks."""

    def __init__(self, capsule: object) -> None:
        self._capsule = capsule

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._capsule


class Profile(dict[str, Any]):
    """What `tada inspect --json` says, and `plan`, a commented plan drafted from it."""

    plan: str = ""


@documented("inspect")
def inspect(
    frame: Frame,
    *,
    quasi: Columns | None = None,
    sensitive: Columns | None = None,
    label: Columns | None = None,
    keep: Columns | None = None,
    person: Columns | None = None,
    rows_are_people: bool | None = None,
    k: int | None = None,
    l: int | None = None,
    missing: Columns | None = None,
    delimiter: str | None = None,
    show_values: bool | None = None,
    threads: int | None = None,
    progress: bool | Listener | None = None,
) -> Profile:
    """Profiles columns, proposes roles and says why, and shows how identifying the raw table is. `.plan` is a plan to work from.

    >>> profile = tada.inspect(people)
    >>> profile["rows"]
    10
    >>> "quasi" in profile.plan
    True
    """
    given: dict[str, Option] = dict(
        quasi=quasi, sensitive=sensitive, label=label, keep=keep, person=person, rows_are_people=rows_are_people, k=k, l=l, missing=missing,
        show_values=show_values, delimiter=delimiter, threads=threads,
    )  # fmt: skip
    options = option_values("inspect", given)
    table = engine_table(frame)
    with listening(progress) as listener:
        found, plan = _core.inspect(table, options, listener)
    profile = Profile(json.loads(found))
    profile.plan = plan
    return profile


def key(output: str | os.PathLike[str]) -> str:
    """Make a secret key, for pseudonyms and for signatures below manifests, and give its public half.

    The file can be read by its owner alone; an existing one is never overwritten.

    >>> tada.key("secret.key")
    'ed25519:...'
    """
    return _core.key(os.fspath(output))


def methods() -> list[_core.MethodEntry]:
    """The methods, with their options, from the registry.

    >>> [method["name"] for method in tada.methods()][:2]
    ['ta_da', 'mondrian']
    """
    return _core.methods()

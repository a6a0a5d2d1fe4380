"""The functions of the package, one per command. Each takes the options of its command: `documented` adds them to the signature."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tada import _core
from tada._commands import Advice, Attack, Comparison, Composition, Evaluation, Profile, need_file
from tada._cuts import Cuts
from tada._errors import AuditError, UsageError
from tada._input import Frame, engine_table, held, need_pyarrow
from tada._options import Columns, Option, documented, option_values, path_of, texts
from tada._outside import Method, outside_learner, split_methods
from tada._progress import Listener, listening
from tada._read import released_columns
from tada._release import Release, Verdict, check_report

if TYPE_CHECKING:
    import pyarrow


@documented("anonymize", takes=["force", "report_raw"])
def anonymize(frame: Frame, *, progress: bool | Listener | None = None, save_cuts: bool | str | os.PathLike[str] | None = None, **options: Option) -> Release:
    """Releases a table so that every row shares its quasi-identifiers with at least k-1 others.

    `frame` is anything with `__arrow_c_stream__` (pyarrow, pandas, polars, a DuckDB relation) or the path of a file. A column
    without a role is never released. `person` names the columns that tell people apart, where they have several rows: k and l then count
    people. Rows are sorted by their cells unless `keep_order`: order identifies. The same input, options and
    seed give the same release at any number of threads. `progress` is True for a tqdm bar, or a function. Ctrl-C stops the work
    and nothing is released. What is not given comes from the file `plan`, or has the command line's default. `report` writes the
    report, .html or .json; `force` overwrites it. With `report_raw` the report, `release.report` too, shows raw values, and says that it is
    confidential. `save_cuts` is True to have the cuts in `release.cuts`, or the path of a file for them: `tada.apply` releases other rows by them.

    >>> release = tada.anonymize(people, quasi=["age", "state"], sensitive="income", k=5, l=2)
    >>> release.report["reached"]["k"] >= 5
    True
    >>> tada.anonymize(people, quasi=["age"], k=11)
    Traceback (most recent call last):
    ...
    tada._errors.InfeasibleError: ...
    """
    report, force = path_of(options, "report"), bool(options.pop("force", None))
    values = option_values("anonymize", options)
    if save_cuts is not None and save_cuts is not False:
        values["save-cuts"] = ["" if save_cuts is True else os.fspath(save_cuts)]
    if force:
        values["force"] = ["true"]
    check_report(report, force=force)
    table = engine_table(frame)
    with listening(progress) as listener:
        held_release = _core.anonymize(table, values, listener)
    return _released(held_release, report, force=force)


@documented("apply", takes=["force", "report_raw"])
def apply(cuts: Cuts | Release | str | os.PathLike[str], frame: Frame, *, progress: bool | Listener | None = None, **options: Option) -> Release:
    """Releases other rows with the cells of an earlier release, whose `cuts` were saved: `release.cuts`, the release, or the path of a file.

    Roles and requirement are those of the cuts. A box is released where its new rows alone meet the requirement; else all rows of the
    smallest box around it that does are released with that one's cells, or the rows are withheld (`misfits`). `report["applied"]` counts them.

    >>> first = tada.anonymize(people, quasi=["age", "state"], k=2, range="cut", save_cuts=True)
    >>> second = tada.apply(first.cuts, people)
    >>> second.table.equals(first.table)
    True
    """
    if isinstance(cuts, Release):
        if cuts.cuts is None:
            raise UsageError("The release has no cuts", "Make it with save_cuts=True")
        cuts = cuts.cuts
    if not isinstance(cuts, Cuts):
        cuts = Cuts.load(cuts)
    report, force = path_of(options, "report"), bool(options.pop("force", None))
    values = option_values("apply", options)
    if force:
        values["force"] = ["true"]
    check_report(report, force=force)
    table = engine_table(frame)
    with listening(progress) as listener:
        held_release = _core.apply(cuts.text, cuts.name, table, values, listener)
    return _released(held_release, report, force=force)


def _released(held_release: _core.Release, report: str | os.PathLike[str] | None, *, force: bool) -> Release:
    """The release, if its audit passed."""
    if not held_release.passed:
        raise AuditError(
            f"The audit of the finished release failed, nothing was released: {'; '.join(held_release.problems)}",
            "This is a bug in tada; please report it with the plan and seed that show it",
            tuple(held_release.problems),
        )
    release = Release(held_release, held_release.delimiter)
    if report is not None:
        release.write_report(report, force=force)
    return release


@documented("audit", takes=["force"])
def audit(release: Frame, *, original: Frame | None = None, progress: bool | Listener | None = None, **options: Option) -> Verdict:
    """Verifies a release, tada's or another tool's, from its cells alone; with `original` also that every cell covers the value it
    was made from. A failed audit is an answer, not an exception. `report` writes the verdict, .html or .json; `force` overwrites it.
    Options of anonymize that say how a release was made (task, method, seed, controllers, controller_column) play no part: they
    are there so that one set of options serves both functions.

    >>> tada.audit(released, quasi=["age", "state"], sensitive="income", k=2, l=2).passed
    True
    """
    values = option_values("audit", options)
    table = engine_table(release, "the release")
    before = None if original is None else engine_table(original, "the original")
    with listening(progress) as listener:
        found = _core.audit(table, before, values, listener)
    return Verdict(json.loads(found))


@documented("decode")
def decode(release: Frame, *, learn_from: Frame | None = None, progress: bool | Listener | None = None, **options: Option) -> pyarrow.Table:
    """A plain table to train models on: every widened cell replaced by a value drawn inside it, from the release alone. Its rows
    are not people. `learn_from` is another release of the same columns that the shares of values are estimated from.

    Don't draw from releases of methods that did not look at the label, such as plain mondrian; `expect` is for those:
    docs/learning-from-a-release.md. With `model` values are drawn that also explain the label of their row, where that helps; `label` names it,
    by default the one that a `Release` was made with.

    >>> decoded = tada.decode(released, copies=1)
    >>> decoded.num_rows, decoded.schema.field("age").type
    (10, DataType(int64))
    """
    if options.get("expect") and options.get("copies") is not None:
        raise UsageError("expect=True gives one row for every released row; copies is for drawing", "Leave out one of the two")
    if options.get("model") and options.get("label") is None:
        options = {**options, "label": [name for name, column in released_columns(release).items() if column["role"] == "label"] or None}
    values = option_values("decode", options)
    pa = need_pyarrow("tada.decode")
    table = engine_table(release, "the release")
    other = None if learn_from is None else engine_table(learn_from, "the release to learn from")
    with listening(progress) as listener:
        capsule, found = _core.decode(table, other, values, listener)
    for warning in json.loads(found)["warnings"]:
        warnings.warn(warning, UserWarning, stacklevel=2)
    decoded: pyarrow.Table = pa.table(_Capsule(capsule))
    return decoded


class _Capsule:
    """Hands over a stream once, as the Arrow interface asks."""

    def __init__(self, capsule: object) -> None:
        self._capsule = capsule

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._capsule


@documented("inspect")
def inspect(frame: Frame, *, progress: bool | Listener | None = None, **options: Option) -> Profile:
    """Profiles columns, proposes roles and says why, and shows how identifying the raw table is. `.plan` is a plan to work from.

    >>> profile = tada.inspect(people)
    >>> profile["rows"]
    10
    >>> "quasi" in profile.plan
    True
    """
    values = option_values("inspect", options)
    table = engine_table(frame)
    with listening(progress) as listener:
        found, plan = _core.inspect(table, values, listener)
    profile = Profile(json.loads(found))
    profile.plan = plan
    return profile


@documented("compose")
def compose(*releases: Frame, progress: bool | Listener | None = None, **options: Option) -> Composition:
    """What somebody who knows that a person is in several releases can conclude from all of them: how many rows and how many
    sensitive values remain possible. A requirement that is broken is an answer, not an exception.

    >>> other = tada.anonymize(people, quasi=["age", "state"], sensitive="income", k=3, l=2).table
    >>> together = tada.compose(released, other, quasi=["age", "state"], sensitive="income", k=2, l=2)
    >>> together.passed, together.k               # each keeps k=2, together they single somebody out
    (False, 1)
    """
    if len(releases) < 2:
        raise UsageError(f"compose takes two releases or more, not {len(releases)}")
    values = option_values("compose", options)
    tables = [engine_table(release, f"release {number}") for number, release in enumerate(releases, 1)]
    with listening(progress) as listener:
        return Composition(json.loads(_core.compose(tables, values, listener)))


@documented("compare", takes=["force"])
def compare(*releases: Frame, original: Frame, names: Sequence[str] | None = None, progress: bool | Listener | None = None, **options: Option) -> Comparison:
    """Releases of one table side by side, tada's or another tool's: what each reaches and loses, statistics before and after, the error of
    queries, what an attacker gets. `names` are those of frames, one per release. `report` writes the page, .html, or .json; `force` overwrites it.

    >>> other = tada.anonymize(people, quasi=["age", "state"], sensitive="income", k=3, l=2)
    >>> both = tada.compare(released, other, original=people, names=["k=2", "k=3"], quasi=["age", "state"], sensitive="income", k=2)
    >>> [(release["name"], release["audit"]["passed"]) for release in both.releases]
    [('k=2', True), ('k=3', True)]
    """
    if not releases:
        raise UsageError("compare takes one release or more")
    called = list(names) if names is not None else [f"release {number}" for number in range(1, len(releases) + 1)]
    if len(called) != len(releases):
        raise UsageError(f"names has {len(called)} names for {len(releases)} releases")
    values = option_values("compare", options)
    tables = [engine_table(release, name) for release, name in zip(releases, called, strict=True)]
    with listening(progress) as listener:
        found, page = _core.compare(tables, engine_table(original, "the original"), values, listener)
    return Comparison(json.loads(found), page)


@documented("advise", takes=["output", "force"])
def advise(frame: Frame, *, progress: bool | Listener | None = None, **options: Option) -> Advice:
    """Finds the sensible ways to recode whole columns by hierarchies, with the k of each, how well `label` can still be predicted
    and how much is known of it. All columns but the label are quasi-identifiers unless `quasi` names them. `report` writes the page
    to choose from, .html, and `output` what the command `tada advise --choose` chooses from, .json; `force` overwrites them. With
    `resume` an interrupted call keeps what it finished beside `output`, and the next one goes on from there: for a file, not a frame.
    With `sensitive` and `l`, rules that miss l are marked, off the frontier and not released.

    >>> advice = tada.advise(people, label="job", quasi=["age", "state"], hierarchy=["age=width:10"], validate="tree", baselines="none")
    >>> best = max(advice.frontier, key=lambda rule: rule["k"])
    >>> release = advice.release(best["id"])
    >>> release.audit().k == best["k"]
    True
    """
    if options.get("resume"):
        need_file(frame, "resume=True")
    frame = held(frame)
    values = option_values("advise", options)
    with listening(progress) as listener:
        found = json.loads(_core.advise(engine_table(frame), values, listener))
    return Advice(found, frame)


@documented("attack", takes=["force"])
def attack(release: Frame, original: Frame, *, population: Frame | int | None = None, progress: bool | Listener | None = None, **options: Option) -> Attack:
    """Measures what somebody who knows the quasi-identifiers of the people in the original can do with a release. `population` has people who
    may or may not be in it, or is their number. `report` writes a page or JSON; `force` overwrites it.

    >>> found = tada.attack(released, people, quasi=["age", "state"], sensitive="income")
    >>> found["released_rows"]
    10
    """
    values = option_values("attack", options)
    if isinstance(population, int):
        values["population"], population = [str(population)], None
    tables = engine_table(release, "the release"), engine_table(original, "the original")
    everybody = None if population is None else engine_table(population, "the population")
    with listening(progress) as listener:
        found = json.loads(_core.attack(*tables, everybody, values, listener))
    return Attack(found)


@documented("evaluate", takes=["output", "force", "memory"])
def evaluate(
    frame: Frame, *, methods: Columns | Mapping[str, Method | None] | None = None, progress: bool | Listener | None = None, **options: Option
) -> Evaluation:
    """Releases a table with every method at every k and l, several times with different splits, and measures what models learn from each
    release. Ctrl-C stops it. `output` is a file of single results, .csv, which grows while it works, or of everything, .json; `report`
    is the page, .html; `force` overwrites both. With `resume` what is in the .csv already is not measured again. A .csv remembers which
    file it is about, so the table must be one: a frame has none. `keep_order` plays no part: the same options serve `anonymize`.

    `methods` may be a dictionary that has functions of your own beside methods of tada: `{"mondrian": None, "mine": f}`. f gets a DataFrame
    and, where it takes them, k, l and seed, and returns the released rows; they are audited as ours are, and what fails is shown as failing.
    `release=["name=FILE"]` takes a finished release, `run=["name=COMMAND {input} {output} {k}"]` any program. `learners` may name `mlp`
    (layers of 64, 32 and 16) and `boosting`, which scikit-learn has.

    >>> found = tada.evaluate(people, quasi=["age", "state"], label="income", methods=["raw", "mondrian"], k=[2, 3], seeds=2, learners="tree")
    >>> [(entry["method"], entry["k"]) for entry in found.summary]
    [('raw', 0), ('mondrian', 2), ('mondrian', 3)]
    >>> found.to_pandas()[["method", "k", "mean", "ncp"]].shape
    (3, 4)
    """
    output = options.get("output")
    if isinstance(output, (str, os.PathLike)) and os.fspath(output).endswith(".csv"):
        need_file(frame, f"output={os.fspath(output)!r}")
    ours, functions = split_methods(methods)
    learner = outside_learner(options.get("learners"))
    values = option_values("evaluate", options)
    if ours is not None:
        values["methods"] = texts("methods", ours, "list")
    with listening(progress) as listener:
        found, page = _core.evaluate(engine_table(frame), functions, learner, values, listener)
    return Evaluation(json.loads(found), page)

"""What compares, advises and attacks: advise, attack, compose and evaluate."""

from __future__ import annotations

import html
import json
import os
import pathlib
import tempfile
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tada import _core
from tada._errors import InfeasibleError, UsageError, in_python
from tada._input import Frame, engine_table, held
from tada._options import Columns, Option, documented, option_values
from tada._progress import Listener, listening
from tada._release import write_text

if TYPE_CHECKING:
    import pandas


def values_of(
    command: str,
    given: Mapping[str, Option],
    plan: str | os.PathLike[str] | None,
    delimiter: str | None,
    report: str | os.PathLike[str] | None = None,
    force: bool = False,
) -> dict[str, list[str]]:
    """The options of a call: those of the command, and where and how it reads and writes."""
    return option_values(command, {**given, "delimiter": delimiter, "plan": plan, "report": report, "force": force or None})


def need_file(frame: Frame, what: str) -> None:
    """Results that are kept say which bytes they are about."""
    if not isinstance(frame, (str, os.PathLike)):
        raise UsageError(f"{what} needs the path of a file: what is kept is known again by the file's bytes, and a frame has none", "Write the frame to a file")


class Composition:
    """What several releases give away together. `passed` says whether they keep the requirement together."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.details: dict[str, Any] = found
        """Everything `tada compose --json` says. The worst cases show what an attacker would learn: do not publish them."""

    @property
    def passed(self) -> bool:
        return bool(self.details["passed"])

    @property
    def k(self) -> int | None:
        """Rows that remain possible for somebody who is in several releases; None if nobody can be."""
        return None if self.details["k"] is None else int(self.details["k"])

    @property
    def l(self) -> int | None:  # noqa: E743 - the name of the thing
        """Sensitive values that remain possible; None if nobody can be in several, or nothing is sensitive."""
        return None if self.details["l"] is None else int(self.details["l"])

    @property
    def problems(self) -> list[str]:
        return [str(problem) for problem in self.details["problems"]]

    @property
    def notes(self) -> list[str]:
        """What could not be decided, or should be known. None of it is a failure."""
        return [in_python(note) for note in self.details["notes"]]

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return f"<tada.Composition {'passed' if self.passed else 'FAILED'}: effective k={self.k}, l={self.l}>"


@documented("compose")
def compose(
    *releases: Frame,
    quasi: Columns | None = None,
    sensitive: Columns | None = None,
    k: int | None = None,
    l: int | None = None,
    overlap_key: str | None = None,
    plan: str | os.PathLike[str] | None = None,
    missing: Columns | None = None,
    delimiter: str | None = None,
    show_values: bool | None = None,
    threads: int | None = None,
    progress: bool | Listener | None = None,
) -> Composition:
    """What somebody who knows that a person is in several releases can conclude from all of them: how many rows and how many
    sensitive values remain possible. A requirement that is broken is an answer, not an exception.

    >>> other = tada.anonymize(people, quasi=["age", "state"], sensitive="income", k=3, l=2).table
    >>> together = tada.compose(released, other, quasi=["age", "state"], sensitive="income", k=2, l=2)
    >>> together.passed, together.k               # each keeps k=2, together they single somebody out
    (False, 1)
    """
    if len(releases) < 2:
        raise UsageError(f"compose takes two releases or more, not {len(releases)}")
    given: dict[str, Option] = dict(
        quasi=quasi, sensitive=sensitive, k=k, l=l, overlap_key=overlap_key, missing=missing, show_values=show_values, threads=threads
    )  # fmt: skip
    options = values_of("compose", given, plan, delimiter)
    tables = [engine_table(release, f"release {number}") for number, release in enumerate(releases, 1)]
    with listening(progress) as listener:
        return Composition(json.loads(_core.compose(tables, options, listener)))


class Advice:
    """Ways to recode whole columns, each with how anonymous and how useful it is. `rules` are dictionaries of id, levels, words, k,
    accuracy, information_gain and frontier, with a sensitive column also l and whether it meets what was asked; `frontier` are those that
    no other beats."""

    def __init__(self, found: dict[str, Any], frame: Frame) -> None:
        self.details: dict[str, Any] = found
        """Everything `tada advise --json` says."""
        self._frame = frame

    @property
    def rules(self) -> list[dict[str, Any]]:
        return list(self.details["rules"])

    @property
    def frontier(self) -> list[dict[str, Any]]:
        return [rule for rule in self.rules if rule["frontier"]]

    def rule(self, name: str) -> dict[str, Any]:
        """The rule of that id."""
        for rule in self.rules:
            if rule["id"] == name:
                return rule
        raise UsageError(f"There is no rule {name!r}", "rules lists them all; their ids are r1, r2, ... and v1, v2, ... for vectors")

    def release(self, name: str, *, threads: int | None = None, progress: bool | Listener | None = None) -> Any:
        """Releases the table by a rule, audited: what `tada advise --choose` does."""
        import tada

        rule = self.rule(name)
        if not rule.get("meets", True):
            raise InfeasibleError(f"Rule {name} misses the l that the advice was asked for: it reaches l={rule['l']}", "Choose one of the frontier.")
        levels = [f"{column}={level}" for column, level in rule["levels"].items()]
        with tempfile.TemporaryDirectory() as folder:
            plan = pathlib.Path(folder) / "plan.toml"
            plan.write_text(self.details["plan"], encoding="utf-8")
            return tada.anonymize(
                self._frame, plan=plan, method="levels", levels=levels, k=int(rule.get("controller_k", rule["k"])), threads=threads, progress=progress
            )

    def __repr__(self) -> str:
        return f"<tada.Advice {len(self.rules)} rules, {len(self.frontier)} on the frontier, label {self.details['label']}>"


@documented("advise")
def advise(
    frame: Frame,
    *,
    label: str | None = None,
    quasi: Columns | None = None,
    sensitive: Columns | None = None,
    keep: Columns | None = None,
    hierarchies: str | os.PathLike[str] | None = None,
    hierarchy: Columns | None = None,
    l: int | None = None,
    diversity: str | None = None,
    controllers: int | None = None,
    controller_column: str | None = None,
    coverage: float | None = None,
    min_k: int | None = None,
    all_levels: bool | None = None,
    pairs: int | None = None,
    max_rules: int | None = None,
    validate: Columns | None = None,
    validate_all: bool | None = None,
    baselines: Columns | None = None,
    output: str | os.PathLike[str] | None = None,
    report: str | os.PathLike[str] | None = None,
    force: bool = False,
    resume: bool | None = None,
    plan: str | os.PathLike[str] | None = None,
    missing: Columns | None = None,
    delimiter: str | None = None,
    show_values: bool | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: bool | Listener | None = None,
) -> Advice:
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
    given: dict[str, Option] = dict(
        label=label, quasi=quasi, sensitive=sensitive, keep=keep, hierarchies=hierarchies,
        hierarchy=hierarchy, l=l, diversity=diversity, controllers=controllers, controller_column=controller_column, coverage=coverage,
        min_k=min_k, all_levels=all_levels, pairs=pairs, max_rules=max_rules, validate=validate,
        validate_all=validate_all, baselines=baselines, output=output, resume=resume, missing=missing, show_values=show_values, seed=seed, threads=threads,
    )  # fmt: skip
    if resume:
        need_file(frame, "resume=True")
    frame = held(frame)
    options = values_of("advise", given, plan, delimiter, report, force)
    with listening(progress) as listener:
        found = json.loads(_core.advise(engine_table(frame), options, listener))
    return Advice(found, frame)


class Attack(dict[str, Any]):
    """What `tada attack --json` says: how well people are found, their values guessed and their presence told, each beside what could
    be done without the release. Not for publication."""


@documented("attack")
def attack(
    release: Frame,
    original: Frame,
    *,
    population: Frame | None = None,
    quasi: Columns | None = None,
    sensitive: Columns | None = None,
    subsets: int | None = None,
    people: int | None = None,
    knows_method: bool | None = None,
    label: Columns | None = None,
    hierarchies: str | os.PathLike[str] | None = None,
    hierarchy: Columns | None = None,
    k: int | None = None,
    l: int | None = None,
    diversity: str | None = None,
    safe: int | None = None,
    task: str | None = None,
    method: str | None = None,
    range: str | None = None,
    domain: Columns | None = None,
    min_member: int | None = None,
    report: str | os.PathLike[str] | None = None,
    force: bool = False,
    plan: str | os.PathLike[str] | None = None,
    missing: Columns | None = None,
    delimiter: str | None = None,
    show_values: bool | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: bool | Listener | None = None,
) -> Attack:
    """Measures what somebody who knows the quasi-identifiers of the people in the original can do with a release. With `knows_method` also
    what somebody learns who runs `method` again with the same k and l. `report` writes a page or JSON; `force` overwrites it.

    >>> found = tada.attack(released, people, quasi=["age", "state"], sensitive="income")
    >>> found["released_rows"]
    10
    """
    given: dict[str, Option] = dict(
        quasi=quasi, sensitive=sensitive, subsets=subsets, people=people, knows_method=knows_method, label=label, hierarchies=hierarchies,
        hierarchy=hierarchy, k=k, l=l, diversity=diversity, safe=safe, task=task, method=method, range=range, domain=domain, min_member=min_member,
        missing=missing, show_values=show_values, seed=seed, threads=threads,
    )  # fmt: skip
    options = values_of("attack", given, plan, delimiter, report, force)
    tables = engine_table(release, "the release"), engine_table(original, "the original")
    everybody = None if population is None else engine_table(population, "the population")
    with listening(progress) as listener:
        found = json.loads(_core.attack(*tables, everybody, options, listener))
    return Attack(found)


class Evaluation:
    """What models still learn from releases. `summary` has a dictionary for each learner, method, k and l: the mean over the seeds with
    its 95% interval, the ratio to raw, the loss, and the comparison with the baseline; `rows` one for each single release and model."""

    def __init__(self, found: dict[str, Any], page: str) -> None:
        self.details: dict[str, Any] = found
        """Everything `tada evaluate --json` says."""
        self._page = page

    @property
    def summary(self) -> list[dict[str, Any]]:
        return list(self.details["summary"])

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Single results; the metrics of the task stand beside method, k, l, seed and learner."""
        return [{**{name: value for name, value in row.items() if name != "metrics"}, **row["metrics"]} for row in self.details["rows"]]

    def to_pandas(self, *, rows: bool = False) -> pandas.DataFrame:
        """The summary as a DataFrame, or the single results."""
        import pandas

        return pandas.DataFrame(self.rows if rows else self.summary)

    def to_html(self, path: str | os.PathLike[str] | None = None, *, force: bool = False) -> str:
        """The page with the charts that `tada evaluate --report` writes; written to `path` too, if it is given, over another only if
        `force`."""
        if path is not None:
            write_text(path, self._page, force=force)
        return self._page

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self._page)}" style="width:100%;height:40em;border:0"></iframe>'

    def __repr__(self) -> str:
        methods = dict.fromkeys(entry["method"] for entry in self.summary)
        return f"<tada.Evaluation {self.details['metric']} of {', '.join(methods)}; {self.details['protocol']}, {self.details['seeds']} seeds>"


@documented("evaluate")
def evaluate(
    frame: Frame,
    *,
    quasi: Columns | None = None,
    sensitive: Columns | None = None,
    label: Columns | None = None,
    keep: Columns | None = None,
    person: Columns | None = None,
    rows_are_people: bool | None = None,
    methods: Columns | None = None,
    method: str | None = None,
    k: int | Sequence[int] | None = None,
    l: int | Sequence[int] | None = None,
    seeds: int | None = None,
    protocol: str | None = None,
    learners: Columns | None = None,
    encoding: str | None = None,
    baseline: str | None = None,
    raw_clusters: int | None = None,
    memory: int | None = None,
    diversity: str | None = None,
    safe: int | None = None,
    task: str | None = None,
    controllers: int | None = None,
    controller_column: str | None = None,
    hierarchies: str | os.PathLike[str] | None = None,
    hierarchy: Columns | None = None,
    output: str | os.PathLike[str] | None = None,
    report: str | os.PathLike[str] | None = None,
    force: bool = False,
    resume: bool | None = None,
    plan: str | os.PathLike[str] | None = None,
    missing: Columns | None = None,
    delimiter: str | None = None,
    show_values: bool | None = None,
    seed: int | None = None,
    threads: int | None = None,
    keep_order: bool | None = None,
    range: str | None = None,
    domain: Columns | None = None,
    min_member: int | None = None,
    progress: bool | Listener | None = None,
) -> Evaluation:
    """Releases a table with every method at every k and l, several times with different splits, and measures what models learn from each
    release. Ctrl-C stops it. `output` is a file of single results, .csv, which grows while it works, or of everything, .json; `report`
    is the page, .html; `force` overwrites both. With `resume` what is in the .csv already is not measured again. A .csv remembers which
    file it is about, so the table must be one: a frame has none. `keep_order` plays no part: the same options serve `anonymize`.

    >>> found = tada.evaluate(people, quasi=["age", "state"], label="income", methods=["raw", "mondrian"], k=[2, 3], seeds=2, learners="tree")
    >>> [(entry["method"], entry["k"]) for entry in found.summary]
    [('raw', 0), ('mondrian', 2), ('mondrian', 3)]
    >>> found.to_pandas()[["method", "k", "mean", "ncp"]].shape
    (3, 4)
    """
    given: dict[str, Option] = dict(
        quasi=quasi, sensitive=sensitive, label=label, keep=keep, person=person, rows_are_people=rows_are_people,
        methods=methods, method=method, k=k, l=l, seeds=seeds, protocol=protocol, learners=learners,
        encoding=encoding, baseline=baseline, raw_clusters=raw_clusters, diversity=diversity, safe=safe, task=task, controllers=controllers,
        controller_column=controller_column, hierarchies=hierarchies, hierarchy=hierarchy,
        memory=memory, output=output, resume=resume, missing=missing, show_values=show_values, seed=seed, threads=threads,
        keep_order=keep_order, range=range, domain=domain, min_member=min_member,
    )  # fmt: skip
    if output is not None and os.fspath(output).endswith(".csv"):
        need_file(frame, f"output={os.fspath(output)!r}")
    options = values_of("evaluate", given, plan, delimiter, report, force)
    with listening(progress) as listener:
        found, page = _core.evaluate(engine_table(frame), options, listener)
    return Evaluation(json.loads(found), page)

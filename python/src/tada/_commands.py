"""What the functions that compare, advise, attack and profile give back."""

from __future__ import annotations

import html
import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any

from tada._errors import InfeasibleError, UsageError
from tada._input import Frame
from tada._progress import Listener
from tada._release import write_text

if TYPE_CHECKING:
    import pandas


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
        return list(self.details["notes"])

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return f"<tada.Composition {'passed' if self.passed else 'FAILED'}: effective k={self.k}, l={self.l}>"


class Paged:
    """What a command found, and the page that shows it."""

    def __init__(self, found: dict[str, Any], page: str) -> None:
        self.details: dict[str, Any] = found
        """Everything that the command says with `--json`."""
        self._page = page

    def to_html(self, path: str | os.PathLike[str] | None = None, *, force: bool = False) -> str:
        """The page that the command writes with `--report`; written to `path` too, if it is given, over another only if `force`."""
        if path is not None:
            write_text(path, self._page, force=force)
        return self._page

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self._page)}" style="width:100%;height:40em;border:0"></iframe>'


class Comparison(Paged):
    """Several releases of one table side by side. Everything in it is confidential: it shows figures of the original."""

    @property
    def releases(self) -> list[dict[str, Any]]:
        """What is said of each release, in their order: name, audit (with loss and risk), columns, correlations, queries, attack, notes."""
        return list(self.details["releases"])

    @property
    def original(self) -> dict[str, Any]:
        """The same of the table they were made from, as if it were released as it is."""
        return dict(self.details["original"])

    def to_pandas(self) -> pandas.DataFrame:
        """The main figures, a row for each release."""
        import pandas

        rows = {}
        for release in self.releases:
            audit, loss = release["audit"], release["audit"].get("loss") or {}
            row = {"passed": audit["passed"], "k": audit["k"], "l": audit["l"], "rows": audit["rows"], "withheld": audit["withheld_rows"]}
            row |= {"risk": audit["risk"]["prosecutor"]["highest"]} | {name: loss.get(name) for name in ("ncp", "discernibility", "average_group")}
            row |= {"query_error": (release.get("queries") or {}).get("median")}
            row |= {"found": (release.get("attack") or {}).get("all", {}).get("reidentification", {}).get("prosecutor", {}).get("average")}
            rows[release["name"]] = row
        return pandas.DataFrame.from_dict(rows, orient="index")

    def __repr__(self) -> str:
        return f"<tada.Comparison of {', '.join(release['name'] for release in self.releases)}>"


class Advice:
    """Everything that can be released of a table, with how anonymous and how useful it is. `candidates` are dictionaries of id, method, k,
    ncp, query_error, with a label accuracy and information_gain, whether they are on the frontier and what beats them; `places` name some
    to start with. `rules` are the rules for whole columns among them, with their levels; `frontier` are the rules that no other rule beats."""

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

    @property
    def candidates(self) -> list[dict[str, Any]]:
        return list(self.details["candidates"])

    @property
    def places(self) -> list[dict[str, Any]]:
        return list(self.details["places"])

    def rule(self, name: str) -> dict[str, Any]:
        """The rule of that id."""
        for rule in self.rules:
            if rule["id"] == name:
                return rule
        raise UsageError(f"There is no rule {name!r}", "rules lists them all; their ids are r1, r2, ... and v1, v2, ... for vectors")

    def candidate(self, name: str) -> dict[str, Any]:
        """The candidate of that id: r17, v3, mondrian-k20."""
        for candidate in self.candidates:
            if candidate["id"] == name:
                return candidate
        return self.rule(name)

    def release(self, name: str, *, threads: int | None = None, progress: bool | Listener | None = None) -> Any:
        """Releases the table by a candidate, audited: what `tada advise --choose` does."""
        import tada

        chosen = next((rule for rule in self.rules if rule["id"] == name), None) or self.candidate(name)
        if not chosen.get("meets", True):
            reached = f": it reaches l={chosen['l']}" if "l" in chosen else ""
            raise InfeasibleError(f"Rule {name} misses the l that the advice was asked for{reached}", "Choose one of the frontier.")
        method = chosen.get("method", "levels")
        options: dict[str, Any] = {"k": int(chosen.get("asked_k", chosen.get("controller_k", chosen["k"])))}
        if method == "levels":
            options["levels"] = [f"{column}={level}" for column, level in chosen["levels"].items()]
        if "suppress" in chosen:
            options["suppress"] = chosen["suppress"]
        with tempfile.TemporaryDirectory() as folder:
            plan = pathlib.Path(folder) / "plan.toml"
            plan.write_text(self.details["plan"], encoding="utf-8")
            return tada.anonymize(self._frame, plan=plan, method=method, **options, threads=threads, progress=progress)

    def __repr__(self) -> str:
        label = f", label {self.details['label']}" if "label" in self.details else ""
        return f"<tada.Advice {len(self.candidates)} candidates, {len(self.rules)} rules, {len(self.frontier)} on the frontier{label}>"


class Attack(dict[str, Any]):
    """What `tada attack --json` says: how well people are found, their values guessed and their presence told, each beside what could
    be done without the release. Not for publication."""


class Evaluation(Paged):
    """What models still learn from releases. `summary` has a dictionary for each learner, method, k and l: the mean over the seeds with
    its 95% interval, the ratio to raw, the loss, and the comparison with the baseline; `rows` one for each single release and model."""

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

    def __repr__(self) -> str:
        methods = dict.fromkeys(entry["method"] for entry in self.summary)
        return f"<tada.Evaluation {self.details['metric']} of {', '.join(methods)}; {self.details['protocol']}, {self.details['seeds']} seeds>"


class Profile(dict[str, Any]):
    """What `tada inspect --json` says, and `plan`, a commented plan drafted from it."""

    plan: str = ""

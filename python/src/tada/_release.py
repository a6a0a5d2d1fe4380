"""What comes out: a release, which was audited before anybody could see it, and verdicts."""

from __future__ import annotations

import json
import os
import pathlib
from typing import TYPE_CHECKING, Any

from tada import _core, _display
from tada._cuts import Cuts
from tada._errors import AuditError, OutputError, UsageError
from tada._frames import as_frame
from tada._input import format_of, need_pyarrow
from tada._stored import StoredRelease, store
from tada._whole import check_target, write_whole

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


def check_report(path: str | os.PathLike[str] | None, *, force: bool) -> None:
    """Refuses a report that could not be written, before the work and not after it."""
    if path is None:
        return
    target = pathlib.Path(path)
    if target.suffix not in (".json", ".html", ".htm"):
        raise UsageError(f"A report is .json or .html: {target}")
    check_target(target, force=force)


def write_text(path: str | os.PathLike[str], text: str, *, force: bool) -> None:
    """Writes a text file, over another only if `force`."""
    target = pathlib.Path(path)
    check_target(target, force=force)
    try:
        with target.open("w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise OutputError(f"Output exists: {target}", "Choose another name, or pass force=True", error.errno) from error
    except OSError as error:
        raise OutputError(f"Cannot write {target}: {error.strerror or error}", number=error.errno) from error


class Verdict:
    """What an audit found. `passed` says whether every class meets the requirement, `problems` what does not, `notes` what was not checked
    or should be known.

    >>> verdict = tada.audit(released, quasi=["age", "state"], sensitive="income", k=4, l=2)
    >>> verdict.passed, verdict.k, verdict.l
    (False, 3, 2)
    """

    def __init__(self, found: dict[str, Any]) -> None:
        self.details: dict[str, Any] = found
        """Everything `tada audit --json` says."""

    @property
    def passed(self) -> bool:
        return bool(self.details["passed"])

    @property
    def verified(self) -> bool:
        """Whether it passed and everything that was asked could be checked; `unverified` says what could not."""
        return bool(self.details["verified"])

    @property
    def unverified(self) -> list[str]:
        return list(self.details["unverified"])

    @property
    def k(self) -> int:
        """Rows of the smallest class."""
        return int(self.details["k"])

    @property
    def l(self) -> int | None:  # noqa: E743 - the name of the thing
        """The smallest l of any class and sensitive column; None if no column is sensitive."""
        return None if self.details["l"] is None else int(self.details["l"])

    @property
    def smallest_group(self) -> int:
        """The same as k."""
        return self.k

    @property
    def rows(self) -> int:
        return int(self.details["rows"])

    @property
    def problems(self) -> list[str]:
        return [str(problem) for problem in self.details["problems"]]

    @property
    def notes(self) -> list[str]:
        """What is worth knowing; none of it is a failure."""
        return list(self.details["notes"])

    @property
    def risk(self) -> dict[str, Any]:
        """Of being re-identified by somebody who knows the quasi-identifiers."""
        return dict(self.details["risk"])

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        word = "FAILED" if not self.passed else "passed" if self.verified else "not verified"
        diverse = "" if self.l is None else f", l={self.l}"
        cells = sum(cover["unchecked_rows"] for cover in self.details["cover"].values())
        unchecked = f", {cells} cells not checked" if cells else ""
        return f"<tada.Verdict {word}: k={self.k}{diverse}, rows={self.rows}{unchecked}>"

    def _repr_html_(self) -> str:
        return _display.verdict_html(self.details)


class Release:
    """A released table. It exists because the audit of its cells passed. Pickled and loaded again it shows and writes the same; the pickle holds
    nothing of the original table, so raw values of a report (`report_raw`) stay behind.

    >>> release = tada.anonymize(people, quasi=["age", "state"], sensitive="income", label="job", k=2, l=2)
    >>> release.audit().passed, release.audit().smallest_group
    (True, 3)
    >>> release.report["reached"]["rows"]
    10
    """

    def __init__(self, held: _core.Release | StoredRelease, delimiter: str = ",") -> None:
        self._held = held
        self._delimiter = delimiter
        self._report: dict[str, Any] | None = None
        self._table: pyarrow.Table | None = None

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The released rows for any Arrow consumer. Types are as they are: `requested_schema` is only a request, which the interface
        allows to ignore."""
        return self._held.stream()

    @property
    def table(self) -> pyarrow.Table:
        """A pyarrow Table. Intervals are struct<lo, hi>, sets list<string>, masked cells null."""
        if self._table is None:
            pa = need_pyarrow("Release.table")
            self._table = pa.table(self)
        return self._table

    @property
    def report(self) -> dict[str, Any]:
        """What was reached, what it cost, how long each stage took."""
        if self._report is None:
            self._report = json.loads(self._held.report_json())
        return self._report

    @property
    def warnings(self) -> list[str]:
        """Warnings of the method."""
        return list(self._held.warnings)

    @property
    def plan(self) -> str:
        """The plan as it was run, defaults filled in, as a TOML text that `plan=` takes once it is in a file."""
        return self._held.plan_toml()

    @property
    def cuts(self) -> Cuts | None:
        """What it was cut by, for `tada.apply`; None unless it was made with `save_cuts`."""
        text = self._held.cuts_json()
        return Cuts(text) if text else None

    def audit(self) -> Verdict:
        """The verdict of the audit that let this release out: of its finished cells, against the original table."""
        return Verdict(json.loads(self._held.verdict_json()))

    def to_pandas(self, **options: Any) -> pandas.DataFrame:
        """A pandas DataFrame with its cells parsed as `tada.read_release` parses them: pandas Intervals, frozensets, `tada.MASK`, which can be
        grouped and counted. With options, which are those of pyarrow's Table.to_pandas, cells are as pyarrow gives them: intervals are dictionaries of
        lo and hi, sets are arrays, masked cells None."""
        if not options:
            from tada._read import read_release

            return read_release(self)
        frame: pandas.DataFrame = as_frame(self.table, **options)
        return frame

    def to_polars(self) -> polars.DataFrame:
        """A polars DataFrame: intervals are structs, sets are lists."""
        import polars

        frame = polars.from_arrow(self.table) if not hasattr(polars.DataFrame, "__arrow_c_stream__") else polars.DataFrame(self)
        assert isinstance(frame, polars.DataFrame)
        return frame

    def write(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes a file: .csv, .csv.gz (.zst, .bz2, .lz4), .parquet, .arrow or .feather. It appears under its name whole or not at all. CSV has the
        bytes that the command line writes."""
        target = pathlib.Path(path)
        kind = format_of(target)
        if kind in ("json", "xlsx"):
            raise UsageError(f".{kind} can be read, not written: {target}", "Write .csv, .csv.gz, .csv.zst, .parquet or .arrow")
        if kind.startswith("csv"):
            self._held.write_csv(str(target), self._delimiter, force, None)
            return
        need_pyarrow(f"Writing {target}")
        self._write_columnar(target, kind, force=force)

    def write_report(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the report, .json or .html."""
        check_report(path, force=force)
        write_text(path, self._held.report_json() if pathlib.Path(path).suffix == ".json" else self._held.report_html(), force=force)

    def _write_columnar(self, target: pathlib.Path, kind: str, *, force: bool) -> None:
        import pyarrow.feather
        import pyarrow.parquet

        if kind == "parquet":
            write_whole(target, lambda file: pyarrow.parquet.write_table(self.table, file, compression="zstd"), force=force)
        else:
            write_whole(target, lambda file: pyarrow.feather.write_feather(self.table, file, compression="uncompressed"), force=force)

    def __copy__(self) -> Release:
        return Release(self._held, self._delimiter)

    def __deepcopy__(self, memo: dict[int, Any]) -> Release:
        return self.__copy__()

    def __getstate__(self) -> dict[str, Any]:
        """What the release hands out: rows, CSV, report, verdict and plan; nothing of the original table."""
        held = self._held if isinstance(self._held, StoredRelease) else store(self._held, self.table, self._delimiter)
        return {"held": held, "delimiter": self._delimiter}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._held, self._delimiter, self._report, self._table = state["held"], state["delimiter"], None, None
        if not self.audit().passed:
            raise AuditError("The pickled release says that its audit failed", "Make the release again", tuple(self.audit().problems))

    def __repr__(self) -> str:
        reached, ncp = self.report["reached"], self.report["loss"]["ncp"]
        loss = "means for cells" if ncp is None else f"NCP {ncp:.4f}"
        size = f"{reached['rows']} rows in {reached['groups']} groups"
        return f"<tada.Release {size}, k={reached['k']}, l={reached['l']}, method {self.report['method']}, {loss}>"

    def _repr_html_(self) -> str:
        return _display.release_html(self.report, self.audit().details, self._held.sample)

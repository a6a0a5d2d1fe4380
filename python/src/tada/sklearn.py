"""scikit-learn: anonymize inside a pipeline, and turn released cells into features.

`Anonymizer` releases the rows it is fitted on. `ReleaseEncoder` turns released cells, or raw rows, into one matrix of numbers: sets to
multi-hot rows, intervals to their middles, numbers standardized; or, better for releases of methods that looked at the label, to
values drawn inside the cells (`mode="draw"`) or expected there. Since both get the same encoding, a model that was trained on a release
scores raw rows.

>>> from sklearn.linear_model import LogisticRegression
>>> from sklearn.pipeline import make_pipeline
>>> release = tada.anonymize(people, quasi=["age", "state"], sensitive="income", label="job", k=2, l=2)
>>> model = make_pipeline(tada.sklearn.ReleaseEncoder(columns=["age", "state"]), LogisticRegression())
>>> model = model.fit(release.table, release.table["job"].to_pylist())
>>> len(model.predict(people))                    # raw rows
10
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any

import numpy
from sklearn import get_config
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

import tada
from tada._cells import Interval, Reading, value_texts
from tada._coded import Coded
from tada._columns import is_readable, parse_column, reading_of
from tada._errors import DataError, UsageError
from tada._features import (
    Matrix,
    ends_of,
    is_widened,
    mean_of,
    middles_of,
    multi_hot,
    patterns_of,
    probability_columns,
    shares_of,
    with_drawn,
    with_probabilities,
)
from tada._frames import as_frame
from tada._input import held, need_pyarrow, typed_cells
from tada._options import refuse_mapping
from tada._read import frame_table, missing_of, released_columns
from tada._rows import own_rows, plain_rows

KINDS = (":numeric", ":categorical", ":ordinal", ":date", ":comma", ":point")
OTHER_ROWS = ("apply", "refuse", "raw")  # what becomes of rows that were not fitted
NOT_OF_A_METHOD = ("withhold", "frame", "keep_order", "plan", "report", "force", "progress", "delimiter", "charset", "sheet")
MODES = ("multi-hot", "draw", "model", "expected")
LABEL = "label of tada.sklearn"  # a column that no table has


class Anonymizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Releases the table it is fitted on: `fit_transform(X)` gives the release of X, rows in the order of X, as X's own kind of frame
    where that is pandas or polars, else as a pyarrow Table.

    `transform` of the fitted table gives the release again. Other rows are released by the cuts of the fitted one (`tada.apply`): with its cells,
    in their order; a row that is withheld comes out as nulls. So what comes out of a part of a table is not that part
    of what comes out of all of it. With `other_rows="refuse"`, or a method that makes no cuts, other rows are refused. With
    `other_rows="raw"` they pass through **as they are**, with the released columns only: for
    pipelines in which a model that was trained on a release is asked about raw rows, which nobody releases.
    `quasi=None` takes every column of X that has no other role.

    Parameters are those of `tada.anonymize`; `options` holds those of the method. What belongs to a single release and not to a
    step that is fitted often (`plan`, `report`, `force`, `progress`, `delimiter`, `charset`, `sheet`, `pseudonym`, `shift_dates`, `key`, `key_domain`,
    `profile`) is for `tada.anonymize` alone. After fitting: `release_`, `report_`, `n_features_in_`, `feature_names_in_`.
    """

    def __init__(
        self,
        *,
        quasi: Sequence[str] | None = None,
        sensitive: str | Sequence[str] | None = None,
        label: str | Sequence[str] | None = None,
        keep: Sequence[str] | None = None,
        person: str | Sequence[str] | None = None,
        rows_are_people: bool = False,
        allow: str | Sequence[str] | None = None,
        k: int = 5,
        l: int = 1,
        diversity: str = "distinct",
        safe: int | None = None,
        task: str | None = None,
        method: str | None = None,
        controllers: int | None = None,
        controller_column: str | None = None,
        hierarchies: str | os.PathLike[str] | None = None,
        hierarchy: str | Sequence[str] | None = None,
        missing: str | Sequence[str] | None = None,
        seed: int = 1,
        threads: int | None = None,
        cells: str = "typed",
        range: str | None = None,
        domain: str | Sequence[str] | None = None,
        min_member: int | None = None,
        recode: str | None = None,
        clip: str | Sequence[str] | None = None,
        importance: str | Sequence[str] | None = None,
        options: dict[str, Any] | None = None,
        other_rows: str = "apply",
    ) -> None:
        self.quasi = quasi
        self.sensitive = sensitive
        self.label = label
        self.keep = keep
        self.person = person
        self.rows_are_people = rows_are_people
        self.allow = allow
        self.k = k
        self.l = l
        self.diversity = diversity
        self.safe = safe
        self.task = task
        self.method = method
        self.controllers = controllers
        self.controller_column = controller_column
        self.hierarchies = hierarchies
        self.hierarchy = hierarchy
        self.missing = missing
        self.seed = seed
        self.threads = threads
        self.cells = cells
        self.range = range
        self.domain = domain
        self.min_member = min_member
        self.recode = recode
        self.clip = clip
        self.importance = importance
        self.options = options
        self.other_rows = other_rows

    def fit(self, X: Any, y: Any = None) -> Anonymizer:
        """Makes the release. `y` is not released; name the label's column to have it steer the groups."""
        if self.other_rows not in OTHER_ROWS:
            raise UsageError(f"other_rows is one of {', '.join(OTHER_ROWS)}, not {self.other_rows!r}")
        frame, names = _frame(X)
        sensitive, label, keep = _names(self.sensitive), _names(self.label), _names(self.keep)
        person = _names(self.person)
        people = {name.removesuffix(":together").removesuffix(":apart") for name in person}
        taken = {*sensitive, *label, *keep, *people, self.controller_column}
        others = [f"{name}:" if name.endswith(KINDS) else name for name in names if name not in taken]  # a last colon: no kind, all name
        quasi = others if self.quasi is None else _names(self.quasi)
        options = dict(self.options or {})
        if wrong := sorted(options.keys() & {*self.get_params(), *NOT_OF_A_METHOD}):
            raise UsageError(f"options are those of the method, not {wrong[0]!r}", "Give it to Anonymizer itself, if it takes it, or call tada.anonymize")
        self.release_ = self._make(
            frame, quasi=quasi, k=self.k, l=self.l, diversity=self.diversity, safe=self.safe, task=self.task, method=self.method, controllers=self.controllers,
            controller_column=self.controller_column, hierarchies=self.hierarchies, hierarchy=self.hierarchy,
            missing=self.missing, seed=self.seed, threads=self.threads, cells=self.cells,
            sensitive=sensitive or None, label=label or None, keep=keep or None, person=person or None, rows_are_people=self.rows_are_people,
            allow=_names(self.allow) or None,
            range=self.range, domain=self.domain, min_member=self.min_member, recode=self.recode, clip=self.clip,
            importance=self.importance, keep_order=True, **options,
        )  # fmt: skip
        self.feature_names_in_ = numpy.asarray(names, dtype=object)
        self.n_features_in_ = len(names)
        self._roles = {"quasi": quasi, "sensitive": sensitive or None, "label": label or None, "keep": keep or None}
        self._fitted_on: Any = own_rows(frame)  # to know it again
        return self

    def _make(self, frame: Any, **options: Any) -> tada.Release:
        """The release, with its cuts where other rows are released by them and the method has any."""
        if self.other_rows == "apply":
            try:
                return tada.anonymize(frame, save_cuts=True, **options)
            except UsageError as error:
                if "save-cuts" not in str(error) and "save_cuts" not in str(error):
                    raise
        return tada.anonymize(frame, **options)

    @property
    def report_(self) -> dict[str, Any]:
        """The report of the release; not kept beside it, so that a pickle holds what the release's own does."""
        return dict(self.release_.report)

    def transform(self, X: Any) -> Any:
        """The release if X is the table that was fitted. Other rows are released by its cuts, refused, or pass through raw: `other_rows`."""
        check_is_fitted(self, "release_")
        frame, names = _frame(X)
        _check_width(self, X, names)
        if list(self.feature_names_in_) != names:
            raise ValueError(f"X has other columns than the fitted table: {names}, not {list(self.feature_names_in_)}")
        if self._is_fitted_table(plain_rows(frame)):
            return self._like(self.release_.table, X)
        if self.other_rows == "apply" and self.release_.cuts is not None:
            return self._like(self._applied(frame), X)
        if self.other_rows != "raw":
            raise UsageError(
                "These are not the rows that the release was made of: they would come out as they are, not anonymized",
                'Call fit_transform to release them; Anonymizer(other_rows="raw") lets a pipeline ask its model about raw rows',
            )
        released = self.release_.table.column_names
        return self._like(frame_table(frame).select(released), X)

    def _applied(self, frame: Any) -> Any:
        """Other rows by the cuts, in their order; those that are withheld are nulls."""
        import pyarrow

        assert self.release_.cuts is not None
        rows = frame_table(frame).num_rows
        applied = tada.apply(self.release_.cuts, frame, keep_order=True, threads=self.threads, cells=self.cells)
        place: list[int | None] = [None] * rows
        for position, row in enumerate(applied._held.row_order):  # type: ignore[union-attr]
            place[row] = position
        return applied.table.take(pyarrow.array(place, type=pyarrow.int64()))

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """The release of X."""
        return self._like(self.fit(X, y).release_.table, X)

    def __getstate__(self) -> Any:
        """The fitted rows stay behind: a pickle goes where the release may go."""
        return {**super().__getstate__(), "_fitted_on": None}

    def _is_fitted_table(self, rows: Any) -> bool:
        """Whether these are the fitted rows. What was loaded has neither those nor a digest of them, which would let anybody check
        guesses: it takes a table for the fitted one if the released cells cover it, row by row."""
        if self._fitted_on is not None:
            return bool(self._fitted_on.equals(rows))
        released = self.release_.table
        if rows.num_rows != released.num_rows:
            return False
        options: dict[str, Any] = {**self._roles, "missing": self.missing, "threads": self.threads}
        return tada.audit(released, original=rows, k=1, keep_order=True, **options).passed

    def _like(self, table: Any, X: Any) -> Any:
        """A frame of the kind that `set_output` asks for, or else of the kind that came in."""
        wanted = getattr(self, "_sklearn_output_config", {}).get("transform") or get_config()["transform_output"]
        kind = type(X).__module__.split(".")[0] if wanted == "default" else wanted
        if kind == "pandas":
            frame = as_frame(table)
            frame.index = getattr(X, "index", frame.index)
            return frame
        if kind == "polars":
            import polars

            return polars.DataFrame(table)
        return table

    def __sklearn_tags__(self) -> Any:
        return _tags(super().__sklearn_tags__())

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        check_is_fitted(self, "release_")
        return numpy.asarray(self.release_.table.column_names, dtype=object)


class ReleaseEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Numbers from released cells, or from raw rows.

    What a column holds is decided by the fitted release, and raw rows are read the same way. Numbers and dates become one
    feature, the middle of the interval, in days since 1970 for dates; missing and masked cells become the mean. Names (texts, sets, bools, codes with
    leading zeros, columns that were released as categorical) become one feature per value: 1 for the value itself and for every value of a
    set (a masked cell is the set of all, `476**` of all that it matches), 0 for a value that was not there when it was fitted. With
    `sets="shares"` the n values of a set get 1/n each, and those of a masked cell their share of the fitted table. With `standardize`
    numbers and dates have mean 0 and variance 1 over the fitted rows. Features of names stay as they are: a value that nearly every widened
    cell has would be far off in raw rows, which have one value each. A column of which no row has a value that the release knows is warned of.

    That is `mode="multi-hot"`. With `mode="draw"` every widened cell is first replaced by a value drawn inside it as `tada.decode` does
    (one draw per row: decode with `copies` and encode the result to have more), with `mode="expected"` a number is its mean inside the
    cell and a value its probability. Both estimate how often values occur from the fitted release alone; raw rows have nothing to
    draw. Of releases of plain mondrian take `expected`, not draws: docs/learning-from-a-release.md. `mode="model"` draws as
    `tada.decode(model=True)` does, by a model of the `y` that `fit` or `fit_transform` is given, or else of the label of a `Release`. What it
    drew is what `fit_transform` gives; released rows that come to `transform` later have no label and are drawn as by `draw`.

    `columns` names the columns to encode; None takes all. `missing` are the spellings of a missing value in the release and in raw rows, by
    default those that a `Release` was made with, of any other frame '' and '?'. After fitting: `columns_`, `readings_` (names, numbers or dates, by column),
    `numeric_`, `values_`, `mean_`, `scale_`, `n_features_in_`, `feature_names_in_`.
    """

    def __init__(
        self,
        *,
        columns: str | Sequence[str] | None = None,
        sets: str = "multi_hot",
        standardize: bool = True,
        mode: str = "multi-hot",
        seed: int = 1,
        missing: str | Sequence[str] | None = None,
    ) -> None:
        self.columns = columns
        self.sets = sets
        self.standardize = standardize
        self.mode = mode
        self.seed = seed
        self.missing = missing

    def fit(self, X: Any, y: Any = None) -> ReleaseEncoder:
        """Learns what each column holds, which values there are, and their means."""
        self._fit(X, y)
        return self

    def _fit(self, X: Any, y: Any) -> Matrix:
        """The same; gives the features of X before they are standardized."""
        if self.sets not in ("multi_hot", "shares"):
            raise UsageError(f"sets is 'multi_hot' or 'shares', not {self.sets!r}")
        if self.mode not in MODES:
            raise ValueError(f"mode is one of {', '.join(MODES)}, not {self.mode!r}")
        frame, names = _frame(X)
        self.feature_names_in_ = numpy.asarray(names, dtype=object)
        self.n_features_in_ = len(names)
        self.columns_ = names if self.columns is None else _names(self.columns)
        if not self.columns_ or len(set(self.columns_)) < len(self.columns_):
            raise UsageError(f"columns must name columns, each once, not {self.columns_!r}")
        table = self._table(frame, names)
        if table.num_rows == 0:
            raise DataError("There are no rows to learn an encoding from", "Give a release with rows")
        known = released_columns(X)
        self._missing = missing_of(X, self.missing)
        self.readings_ = {name: reading_of(table.column(name), known.get(name, {}).get("kind"), self._missing).value for name in self.columns_}
        self._learned: Any = None
        label = self._label_of(X, y, frame) if self.mode == "model" else None
        parsed = {name: parse_column(table.column(name), Reading(self.readings_[name]), missing=self._missing) for name in self.columns_}
        self.values_ = {name: shares_of(cells) for name, cells in parsed.items() if self.readings_[name] == Reading.NAMES.value}
        self._patterns = {name: patterns_of(parsed[name]) for name in self.values_}
        self._ends = {name: ends_of(cells) for name, cells in parsed.items() if name not in self.values_}
        cells = self._decoded(table, parsed, label)
        self._learned = None if self.mode == "multi-hot" else table
        self.numeric_ = {name: mean_of(cells[name], ends) for name, ends in self._ends.items()}
        blocks = {name: self._block(name, column) for name, column in cells.items()}
        raw: Matrix = numpy.hstack(list(blocks.values()))
        scaled = numpy.concatenate([numpy.full(block.shape[1], self.standardize and name in self.numeric_) for name, block in blocks.items()])
        self.mean_ = numpy.where(scaled, raw.mean(axis=0), 0.0)
        spread = raw.std(axis=0)
        self.scale_ = numpy.where(scaled & (spread > 0), spread, 1.0)
        return raw

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Matrix:
        """Fits, and encodes the same rows."""
        X = held(X)
        drawn = self._fit(X, y)
        if self.mode != "model":
            return self.transform(X)
        encoded: Matrix = (drawn - self.mean_) / self.scale_
        return encoded

    def transform(self, X: Any) -> Matrix:
        """The matrix of features, one row per row of X."""
        check_is_fitted(self, "scale_")
        frame, names = _frame(X)
        _check_width(self, X, names)
        table = self._table(frame, names)
        parsed = {name: self._parsed(name, table.column(name)) for name in self.columns_}
        cells = self._decoded(table, parsed)
        blocks = []
        for name, column in cells.items():
            block = self._block(name, column)
            self._look_whether_known(name, column, block)
            blocks.append(block)
        encoded: Matrix = (numpy.hstack(blocks) - self.mean_) / self.scale_
        return encoded

    def __sklearn_tags__(self) -> Any:
        return _tags(super().__sklearn_tags__())

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        check_is_fitted(self, "scale_")
        names: list[str] = []
        for name in self.columns_:
            names += [name] if name in self.numeric_ else [f"{name}={value}" for value in self.values_[name]]
        return numpy.asarray(names, dtype=object)

    def _table(self, frame: Any, names: list[str]) -> Any:
        absent = [name for name in self.columns_ if name not in names]
        if absent:
            raise ValueError(f"X lacks columns to encode: {absent}")
        table = frame_table(frame).select(list(self.columns_))
        for field in table.schema:
            if not is_readable(field.type):
                raise DataError(f"Column {field.name}: cells of type {field.type} are no values, intervals or sets", "Leave it out of columns")
        return table

    def _parsed(self, name: str, column: Any) -> Coded:
        """The cells of a column, read as those of the release were."""
        known = self.values_.get(name, {}).keys() - self._patterns.get(name, set())
        return parse_column(column, Reading(self.readings_[name]), known, self._missing)

    def _label_of(self, X: Any, y: Any, frame: Any) -> Any:
        """What the model predicts: y, or the label of a Release."""
        names = [name for name, column in released_columns(X).items() if column["role"] == "label"]
        if y is None and len(names) != 1:
            raise UsageError('mode="model" needs y, what a model will predict', "Call fit(X, y) or fit_transform(X, y)")
        return need_pyarrow("ReleaseEncoder").array([str(value) for value in y]) if y is not None else frame_table(frame).column(names[0])

    def _decoded(self, table: Any, parsed: dict[str, Coded], label: Any = None) -> dict[str, Coded]:
        """The cells with a value, or with means and probabilities, in place of widened ones; as they are where decode leaves them so."""
        kinds = {name: "categorical" if name in self.values_ else "numeric" for name in self.columns_}
        widened = [name for name in self.columns_ if any(map(is_widened, parsed[name].values))]
        if self.mode == "multi-hot" or not widened:
            return parsed
        expect = self.mode == "expected"
        quasi = [f"{name}:{kinds[name]}" for name in widened]
        modelled: dict[str, Any] = {} if label is None else {"model": True, "label": LABEL}
        decoded = tada.decode(
            table if label is None else table.append_column(LABEL, label),
            quasi=quasi, learn_from=self._learned, copies=None if expect else 1, expect=expect or None, seed=self.seed, missing=sorted(self._missing),
            **modelled,
        )  # fmt: skip
        done = dict(parsed)
        for name in widened:
            if expect and name in self.values_:
                done[name] = with_probabilities(parsed[name], probability_columns(decoded, name, self.values_[name], sorted(self._missing)))
            else:
                done[name] = with_drawn(parsed[name], self._parsed(name, decoded.column(name)))
        return done

    def _block(self, name: str, column: Coded) -> Matrix:
        """The features of a column."""
        if name in self.values_:
            return multi_hot(column, self.values_[name], self._patterns[name], self.sets == "shares")
        return middles_of(column, self._ends[name], self.numeric_[name]).reshape(-1, 1)

    def _look_whether_known(self, name: str, column: Coded, block: Matrix) -> None:
        cells = column.values
        if name in self.values_:
            lost = self.values_[name] and not block.any() and any(cell is not None for cell in cells)
        else:
            lost = any(isinstance(cell, (str, frozenset)) for cell in cells) and not any(isinstance(cell, (float, Interval)) for cell in cells)
        if lost:
            warnings.warn(
                f"Column {name}: none of these rows has a value that the fitted rows know, so the column tells nothing. They have "
                f"{self.readings_[name]}; compare how both are written, and whether labels of a hierarchy were released",
                UserWarning,
                stacklevel=3,
            )


def _tags(tags: Any) -> Any:
    """Tables of mixed columns; not-a-number is a missing value; what comes out has a type of its own."""
    tags.input_tags.allow_nan = True
    tags.input_tags.string = True
    tags.input_tags.categorical = True
    tags.transformer_tags.preserves_dtype = []
    return tags


def _names(columns: str | Sequence[str] | None) -> list[str]:
    refuse_mapping("A list of columns", columns)
    return [] if columns is None else [columns] if isinstance(columns, str) else list(columns)


def _frame(X: Any) -> tuple[Any, list[str]]:
    """A frame with column names; a matrix gets x0, x1, ..."""
    X = held(typed_cells(X))
    if hasattr(X, "__arrow_c_stream__"):
        names = X.column_names if hasattr(X, "column_names") else getattr(X, "columns", None)
        if names is None:
            names = frame_table(X).column_names
        if not all(isinstance(name, str) for name in names):
            raise UsageError("Column names must be strings")
        return X, list(names)
    import pyarrow
    from sklearn.utils import check_array

    matrix = check_array(X, dtype=None, ensure_all_finite="allow-nan")
    names = [f"x{i}" for i in range(matrix.shape[1])]
    columns = [matrix[:, i].tolist() for i in range(matrix.shape[1])]
    return pyarrow.table({name: _plain(column) for name, column in zip(names, columns, strict=True)}), names


def _check_width(fitted: Any, X: Any, names: list[str]) -> None:
    """A matrix has no names to tell columns by, so their number must be that of the fitted one."""
    if not hasattr(X, "__arrow_c_stream__") and len(names) != fitted.n_features_in_:
        raise ValueError(f"X has {len(names)} features, but {type(fitted).__name__} is expecting {fitted.n_features_in_} features as input")


def _plain(column: list[Any]) -> list[Any]:
    """Values of one type: numbers, or texts if they are mixed."""
    if all(value is None or isinstance(value, (bool, int, float)) for value in column):
        return column
    for value in column:
        if not (value is None or isinstance(value, (str, bool, int, float))):
            raise TypeError(f"argument must be a string, a number or None, not {type(value).__name__}")
    return [None if value is None or value != value else value if isinstance(value, str) else value_texts(value)[0] for value in column]

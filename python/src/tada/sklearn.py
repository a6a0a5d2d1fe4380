"""scikit-learn: anonymize inside a pipeline, and turn released cells into features.

`Anonymizer` releases the rows it is fitted on. `ReleaseEncoder` turns released cells, or raw rows, into one matrix of numbers: sets to
multi-hot rows, intervals to their middles, standardized; or, better for releases of methods that looked at the label, to
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

from collections.abc import Sequence
from typing import Any

import numpy
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

import tada
from tada._cells import MASK, Cell, Interval, parse_column
from tada._errors import UsageError
from tada._read import frame_table

Matrix = numpy.ndarray[Any, numpy.dtype[numpy.float64]]
MODES = ("multi-hot", "draw", "expected")


class Probabilities(dict[str, Any]):
    """Of a column of names: for each value, its probability in every row."""


class Anonymizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Releases the table it is fitted on: `fit_transform(X)` gives the release of X, rows in the order of X, as X's own kind of frame
    where that is pandas or polars, else as a pyarrow Table.

    A release belongs to the rows it was made from, so there is nothing to apply to other rows: `transform` of the fitted table gives
    the release again, and other rows, which a model is asked about and nobody releases, pass through with the released columns only.
    `quasi=None` takes every column of X that has no other role.

    Parameters are those of `tada.anonymize`; `options` holds those of the method. After fitting: `release_`, `report_`,
    `n_features_in_`, `feature_names_in_`.
    """

    def __init__(
        self,
        *,
        quasi: Sequence[str] | None = None,
        sensitive: str | Sequence[str] | None = None,
        label: str | Sequence[str] | None = None,
        keep: Sequence[str] | None = None,
        k: int = 5,
        l: int = 1,
        diversity: str = "distinct",
        task: str | None = None,
        method: str | None = None,
        missing: Sequence[str] | None = None,
        seed: int = 1,
        threads: int | None = None,
        cells: str = "typed",
        options: dict[str, Any] | None = None,
    ) -> None:
        self.quasi = quasi
        self.sensitive = sensitive
        self.label = label
        self.keep = keep
        self.k = k
        self.l = l
        self.diversity = diversity
        self.task = task
        self.method = method
        self.missing = missing
        self.seed = seed
        self.threads = threads
        self.cells = cells
        self.options = options

    def fit(self, X: Any, y: Any = None) -> Anonymizer:
        """Makes the release. `y` is not released; name the label's column to have it steer the groups."""
        frame, names = _frame(X)
        sensitive, label, keep = _names(self.sensitive), _names(self.label), _names(self.keep)
        taken = {*sensitive, *label, *keep}
        quasi = [name for name in names if name not in taken] if self.quasi is None else _names(self.quasi)
        self.release_ = tada.anonymize(
            frame, quasi=quasi, k=self.k, l=self.l, diversity=self.diversity, task=self.task, method=self.method,
            missing=None if self.missing is None else list(self.missing), seed=self.seed, threads=self.threads, cells=self.cells,
            sensitive=sensitive or None, label=label or None, keep=keep or None, keep_order=True, **(self.options or {}),
        )  # fmt: skip
        self.report_ = self.release_.report
        self.feature_names_in_ = numpy.asarray(names, dtype=object)
        self.n_features_in_ = len(names)
        self._fitted_on = frame_table(frame)  # to know it again
        return self

    def transform(self, X: Any) -> Any:
        """The release if X is the table that was fitted; else the columns of X that are released, as they are."""
        check_is_fitted(self, "release_")
        frame, names = _frame(X)
        _check_width(self, X, names)
        if list(self.feature_names_in_) != names:
            raise ValueError(f"X has other columns than the fitted table: {names}, not {list(self.feature_names_in_)}")
        if frame_table(frame).equals(self._fitted_on):
            return _like(self.release_, X)
        released = self.release_.table.column_names
        return _like(frame_table(frame).select(released), X)

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """The release of X."""
        return _like(self.fit(X, y).release_, X)

    def __sklearn_tags__(self) -> Any:
        return _tags(super().__sklearn_tags__())

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        check_is_fitted(self, "release_")
        return numpy.asarray(self.release_.table.column_names, dtype=object)


class ReleaseEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Numbers from released cells, or from raw rows.

    A column is numeric if every cell is a number or an interval: it becomes one feature, the middle of the interval; missing and
    masked cells become the mean. All others become one feature a value: 1 for the value itself and for every value of a set (a masked
    cell is the set of all), 0 for a value that was not there when it was fitted. With `sets="shares"` the n values of a set get 1/n
    each, and those of a masked cell their share of the fitted table. With `standardize` every feature has mean 0 and variance 1 over
    the fitted rows.

    That is `mode="multi-hot"`. With `mode="draw"` every widened cell is first replaced by a value drawn inside it as `tada.decode` does
    (one draw a row: decode with `copies` and encode the result to have more), with `mode="expected"` a number is its mean inside the
    cell and a value its probability. Both estimate how often values occur from the fitted release alone; raw rows have nothing to
    draw. Neither is for releases of plain mondrian: docs/learning-from-a-release.md.

    `columns` names the columns to encode; None takes all. After fitting: `numeric_`, `values_`, `mean_`, `scale_`.
    """

    def __init__(
        self,
        *,
        columns: Sequence[str] | None = None,
        sets: str = "multi_hot",
        standardize: bool = True,
        mode: str = "multi-hot",
        seed: int = 1,
    ) -> None:
        self.columns = columns
        self.sets = sets
        self.standardize = standardize
        self.mode = mode
        self.seed = seed

    def fit(self, X: Any, y: Any = None) -> ReleaseEncoder:
        """Learns which columns are numeric, which values there are, and their means."""
        if self.sets not in ("multi_hot", "shares"):
            raise UsageError(f"sets is 'multi_hot' or 'shares', not {self.sets!r}")
        cells = self._cells(X, fitting=True)
        self.numeric_: dict[str, float] = {}
        self.values_: dict[str, dict[str, float]] = {}
        for name, column in cells.items():
            if isinstance(column, Probabilities):
                total = sum(column.values()).mean() or 1.0
                self.values_[name] = {value: float(column[value].mean() / total) for value in sorted(column)}
            elif all(cell is None or cell is MASK or isinstance(cell, (float, Interval)) for cell in column):
                known = [_middle(cell) for cell in column if isinstance(cell, (float, Interval))]
                self.numeric_[name] = float(numpy.mean(known)) if known else 0.0
            else:
                self.values_[name] = _shares(column)
        raw = self._encode(cells)
        self.mean_ = raw.mean(axis=0) if self.standardize else numpy.zeros(raw.shape[1])
        spread = raw.std(axis=0) if self.standardize else numpy.ones(raw.shape[1])
        self.scale_ = numpy.where(spread > 0, spread, 1.0)
        return self

    def transform(self, X: Any) -> Matrix:
        """The matrix of features, one row a row of X."""
        check_is_fitted(self, "scale_")
        encoded: Matrix = (self._encode(self._cells(X, fitting=False)) - self.mean_) / self.scale_
        return encoded

    def __sklearn_tags__(self) -> Any:
        return _tags(super().__sklearn_tags__())

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        check_is_fitted(self, "scale_")
        names: list[str] = []
        for name in self.feature_names_in_:
            names += [name] if name in self.numeric_ else [f"{name}={value}" for value in self.values_[name]]
        return numpy.asarray(names, dtype=object)

    def _cells(self, X: Any, *, fitting: bool) -> dict[str, list[Cell] | Probabilities]:
        if self.mode not in MODES:
            raise ValueError(f"mode is one of {', '.join(MODES)}, not {self.mode!r}")
        frame, names = _frame(X)
        if fitting:
            wanted = names if self.columns is None else list(self.columns)
            self.feature_names_in_ = numpy.asarray(wanted, dtype=object)
            self.n_features_in_ = len(wanted)
        else:
            _check_width(self, X, names)
        absent = [name for name in self.feature_names_in_ if name not in names]
        if absent:
            raise ValueError(f"X lacks columns to encode: {absent}")
        table = frame_table(frame).select(list(self.feature_names_in_))
        if self.mode == "multi-hot":
            return {name: parse_column(table.column(name)) for name in self.feature_names_in_}
        expect = self.mode == "expected"
        decoded = tada.decode(
            table, learn_from=None if fitting else self._learned, copies=None if expect else 1, expect=expect or None, seed=self.seed
        )
        if fitting:
            self._learned: Any = table
        return {name: _decoded_column(decoded, name) for name in self.feature_names_in_}

    def _encode(self, cells: dict[str, list[Cell] | Probabilities]) -> Matrix:
        blocks = []
        for name, column in cells.items():
            if isinstance(column, Probabilities):
                rows = len(next(iter(column.values())))
                known = [column.get(value, numpy.zeros(rows)) for value in self.values_.get(name, {})]
                blocks.append(numpy.column_stack(known) if known else numpy.full((rows, 1), self.numeric_.get(name, 0.0)))
            elif name in self.numeric_:
                middles = [_middle(cell, self.numeric_[name]) for cell in column]
                blocks.append(numpy.asarray(middles, dtype=numpy.float64).reshape(-1, 1))
            else:
                blocks.append(_multi_hot(column, self.values_[name], self.sets == "shares"))
        return numpy.hstack(blocks)


def _tags(tags: Any) -> Any:
    """Tables of mixed columns; not-a-number is a missing value; what comes out has a type of its own."""
    tags.input_tags.allow_nan = True
    tags.input_tags.string = True
    tags.input_tags.categorical = True
    tags.transformer_tags.preserves_dtype = []
    return tags


def _decoded_column(decoded: Any, name: str) -> list[Cell] | Probabilities:
    """A column of a decoded table; if it became one column a value, these."""
    if name in decoded.column_names:
        return parse_column(decoded.column(name))
    prefix = f"{name}="
    found = {column[len(prefix) :]: decoded.column(column) for column in decoded.column_names if column.startswith(prefix)}
    return Probabilities({value: column.to_numpy().astype(numpy.float64) for value, column in found.items()})


def _middle(cell: Cell, otherwise: float = 0.0) -> float:
    if isinstance(cell, Interval):
        return cell.middle
    return cell if isinstance(cell, float) else otherwise


def _elements(cell: Cell) -> list[str]:
    """The values a cell may stand for; a missing value is the empty text, a number the text of it."""
    if cell is None:
        return [""]
    if isinstance(cell, frozenset):
        return sorted(cell)
    return [f"{cell:g}" if isinstance(cell, float) else str(cell)]


def _shares(column: list[Cell]) -> dict[str, float]:
    """How often each value occurs, the elements of a set counting in equal parts."""
    shares: dict[str, float] = {}
    for cell in column:
        if cell is MASK:
            continue
        elements = _elements(cell)
        for element in elements:
            shares[element] = shares.get(element, 0.0) + 1.0 / len(elements)
    total = sum(shares.values())
    return {value: shares[value] / total for value in sorted(shares)}


def _multi_hot(column: list[Cell], shares: dict[str, float], as_shares: bool) -> Matrix:
    place = {value: at for at, value in enumerate(shares)}
    matrix: Matrix = numpy.zeros((len(column), len(place)))
    known: dict[Cell, Matrix] = {}
    for row, cell in enumerate(column):
        if cell not in known:
            line: Matrix = numpy.zeros(len(place))
            elements = [] if cell is MASK else _elements(cell)
            for element in elements:
                if element in place:
                    line[place[element]] = 1.0 / len(elements) if as_shares else 1.0
            if cell is MASK:
                line = numpy.asarray(list(shares.values())) if as_shares else numpy.ones(len(place))
            known[cell] = line
        matrix[row] = known[cell]
    return matrix


def _names(columns: str | Sequence[str] | None) -> list[str]:
    return [] if columns is None else [columns] if isinstance(columns, str) else list(columns)


def _frame(X: Any) -> tuple[Any, list[str]]:
    """A frame with column names; a matrix gets x0, x1, ..."""
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
    return [None if value is None or value != value else str(value) for value in column]


def _like(released: Any, X: Any) -> Any:
    """A frame of the kind that came in."""
    table = released.table if isinstance(released, tada.Release) else released
    kind = type(X).__module__.split(".")[0]
    if kind == "pandas":
        frame = table.to_pandas()
        frame.index = X.index
        return frame
    if kind == "polars":
        import polars

        return polars.DataFrame(table)
    return table

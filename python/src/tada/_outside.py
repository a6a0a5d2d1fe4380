"""Methods and models that are not the engine's, for `tada.evaluate`: functions of the caller, and scikit-learn's network and boosting."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from tada._errors import UsageError
from tada._input import engine_table

Method = Callable[..., Any]

LEARNERS = ("mlp", "boosting")  # of scikit-learn


def split_methods(methods: Any) -> tuple[Any, dict[str, Callable[..., Any]]]:
    """The methods of a grid as the engine takes them, and the functions among them: a dictionary has a function for each name; a value of None is
    a method of ours."""
    if not isinstance(methods, Mapping):
        return methods, {}
    wrong = [name for name, function in methods.items() if not isinstance(name, str) or not (function is None or callable(function))]
    if wrong:
        raise UsageError(f"methods[{wrong[0]!r}] is no function", "Give {'mine': function}; None stands for a method of tada")
    ours = [name for name, function in methods.items() if function is None]
    return ours or ["raw"], {name: _called(name, function) for name, function in methods.items() if function is not None}


def _called(name: str, function: Method) -> Callable[..., Any]:
    """What the engine calls: rows come as a stream, and what is returned goes as one."""
    taken = _taken(function)

    def call(rows: object, k: int, l: int, seed: int) -> Any:
        given = {"k": k, "l": l, "seed": seed}
        made = function(_frame(rows), **{argument: given[argument] for argument in taken})
        return engine_table(made, f"what {name} returned")

    return call


def _taken(function: Method) -> list[str]:
    """Which of k, l and seed a function takes."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # of something that has none to look at
        return []
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return ["k", "l", "seed"]
    return [parameter.name for parameter in parameters if parameter.name in ("k", "l", "seed")]


def _frame(rows: object) -> Any:
    """The rows as a pandas DataFrame, or as a pyarrow Table where there is no pandas."""
    import pyarrow

    class Stream:
        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
            return rows

    table = pyarrow.table(Stream())
    try:
        import pandas  # noqa: F401 - is it there?
    except ImportError:
        return table
    return table.to_pandas()


def outside_learner(learners: Any) -> Callable[..., bytes] | None:
    """Who learns for `mlp` and `boosting`; None if neither is asked for."""
    asked = [name for name in ([learners] if isinstance(learners, str) else learners or []) if name in LEARNERS]
    if not asked:
        return None
    try:
        import sklearn  # noqa: F401 - is it there?
    except ImportError as error:
        raise UsageError(f"{asked[0]} needs scikit-learn, which is not installed", "pip install scikit-learn") from error
    return _learn


def _learn(name: str, rows: bytes, labels: bytes, asked: bytes, features: int, num_labels: int, numbers: bool, seed: int) -> bytes:
    """Learns from a matrix and answers about another: probabilities of all labels, row by row, or numbers."""
    import warnings

    import numpy
    from sklearn.exceptions import ConvergenceWarning

    known = numpy.frombuffer(rows).reshape(-1, features)
    wanted = numpy.frombuffer(asked).reshape(-1, features)
    truth = numpy.frombuffer(labels, dtype=numpy.float64 if numbers else numpy.uint32)
    model = _model(name, numbers, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        if numbers:
            return bytes(numpy.ascontiguousarray(model.fit(known, truth).predict(wanted), dtype=numpy.float64).tobytes())
        if len(numpy.unique(truth)) < 2:  # which boosting refuses
            found = numpy.zeros((len(wanted), num_labels))
            found[:, int(truth[0])] = 1
            return found.tobytes()
        model.fit(known, truth)
    found = numpy.zeros((len(wanted), num_labels))
    found[:, model.classes_.astype(int)] = model.predict_proba(wanted)
    return found.tobytes()


def _model(name: str, numbers: bool, seed: int) -> Any:
    """The papers' network, or gradient boosting, with scikit-learn's defaults otherwise."""
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    from sklearn.neural_network import MLPClassifier, MLPRegressor

    if name == "mlp":
        return (MLPRegressor if numbers else MLPClassifier)(hidden_layer_sizes=(64, 32, 16), random_state=seed % 2**32)
    return (HistGradientBoostingRegressor if numbers else HistGradientBoostingClassifier)(random_state=seed % 2**32)

"""Keyword arguments as option values: the texts that the command line would pass, checked by the same option table."""

from __future__ import annotations

import inspect
import keyword
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from tada import _core
from tada._errors import UsageError

Option = str | int | float | bool | Sequence[str | int | float] | None
Columns = str | Sequence[str]

# Options that say where the program reads, writes and prints: functions have arguments and results for that.
_OF_THE_PROGRAM = {"output", "force", "report", "report-raw", "write-plan", "json", "quiet", "progress", "original", "population", "plan", "choose", "from", "resume", "memory"}

F = TypeVar("F", bound=Callable[..., Any])


def python_name(option: str) -> str:
    """The keyword argument of an option: `min_k` for `--min-k`, `from_` for `--from`, which is a word of Python."""
    name = option.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def texts(name: str, value: Option, kind: str) -> list[str]:
    """The option texts of a Python value. A string is one item of a list, whatever it holds."""
    if kind == "flag":
        if not isinstance(value, bool):
            raise UsageError(f"{name} is True or False, not {value!r}")
        return ["true" if value else "false"]
    if isinstance(value, (str, os.PathLike)):
        return [os.fspath(value)]
    if isinstance(value, bool):
        raise UsageError(f"{name} takes a value, not {value!r}")
    if isinstance(value, (int, float)):
        return [str(value)]
    if isinstance(value, Sequence) or hasattr(value, "__iter__"):
        items = [str(item) for item in value]  # type: ignore[union-attr]
        if kind != "list":
            raise UsageError(f"{name} takes one value, not {len(items)}")
        return items
    raise UsageError(f"{name} cannot be {value!r}")


def option_values(command: str, given: Mapping[str, Option]) -> dict[str, list[str]]:
    """The options of `command` by their names; None means not given."""
    known = {python_name(entry["name"]): entry for entry in _core.options(command)}
    values: dict[str, list[str]] = {}
    for name, value in given.items():
        if value is None:
            continue
        entry = known.get(name)
        if entry is None or entry["name"] in _OF_THE_PROGRAM:
            raise UsageError(f"{command} has no argument {name!r}", _nearest(name, known))
        values[entry["name"]] = texts(name, value, entry["type"])
    return values


def _nearest(name: str, known: Mapping[str, object]) -> str:
    import difflib

    near = difflib.get_close_matches(name, known, n=1)
    return f"Did you mean {near[0]!r}?" if near else "help() of the function lists them."


def documented(command: str) -> Callable[[F], F]:
    """Adds the options of a command, from the option table, to a function's docstring and to the signature that help() and
    notebooks show: those of the methods too, which `**method_options` takes."""

    def add(function: F) -> F:
        signature = inspect.signature(function)
        parameters = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        lines = ["", "Options:"]
        for entry in _core.options(command):
            name = python_name(entry["name"])
            if entry["name"] in _OF_THE_PROGRAM:
                continue
            if name not in signature.parameters:
                parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation="Option"))
            of = f" (of {', '.join(entry['methods'])})" if entry["methods"] else ""
            default = f" Default: {entry['default']}." if entry["default"] else ""
            choices = f" One of {', '.join(entry['choices'])}." if entry["choices"] else ""
            lines.append(f"    {name}{of}: {entry['help']}{choices}{default}")
        function.__doc__ = inspect.cleandoc(function.__doc__ or "") + "\n" + "\n".join(lines) + "\n"
        function.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        return function

    return add

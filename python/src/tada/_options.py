"""Keyword arguments as option values: the texts that the command line would pass, checked by the same option table."""

from __future__ import annotations

import inspect
import keyword
import numbers
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from tada import _core
from tada._errors import UsageError, check_utf8

Option = str | int | float | bool | os.PathLike[str] | Sequence[str | int | float] | None
Columns = str | Sequence[str]

# Options that say where the program reads, writes and prints, and what stands for them in Python. A function may take one all the
# same: documented(takes=...).
OF_THE_PROGRAM = {
    "output": "What comes back is written by its own method: Release.write(path)",
    "force": "Methods that write take it: Release.write(path, force=True)",
    "write-plan": "The plan is the attribute plan of what comes back",
    "json": "What it would print is an attribute of what comes back: report or details",
    "report-raw": "Releases take it: tada.anonymize(frame, ..., report_raw=True)",
    "sql": "The command 'tada audit --sql' prints the query",
    "sql-table": "The command 'tada audit --sql' prints the query",
    "hipaa": 'The classes are in what comes back: profile["hipaa"]',
    "allow-unverified": "A verdict is an answer: Verdict.verified and Verdict.unverified say what could not be checked",
    "quiet": "Nothing is printed, ever",
    "choose": "Advice.release(id) releases a rule",
    "from": "Advice.release(id) releases a rule",
    "query": "It is part of the address: postgresql://host/database?query=select%20..., as urllib.parse.quote writes it",
    "log": "progress takes a function, which is told every stage",
    "rows-per-file": "Release.write(path, rows_per_file=...) writes folders",
    "partition-by": "Release.write(path, partition_by=...) writes folders",
    "memory": "A frame and its release are in memory as a whole; for a larger file use the command 'tada anonymize --memory'",
}

# How what a dictionary would say of columns is written instead.
_AS_LISTS = {
    "hierarchy": 'Give a list of texts: ["age=width:10"]',
    "closeness": 'Give a list of texts: ["salary=0.2:ordered"]',
    "likeness": 'Give a list of texts: ["disease=1"]',
    "disclosure": 'Give a list of texts: ["disease=1"]',
    "alpha": 'Give a list of texts: ["disease=0.2:hiv"]',
    "spread": 'Give a list of texts: ["salary=1000"]',
    "domain": 'Give a list of texts: ["age=0..120"]',
    "clip": 'Give a list of texts: ["age=18..90"]',
    "importance": 'Give a list of texts: ["age=2"]',
    "levels": 'Give a list of texts: ["age=2"]',
    "missing": 'Give a list of spellings, which is for all columns: ["", "NA"]',
}

_arguments: dict[str, list[str]] = {}  # of the function of each command, those that stand for options

F = TypeVar("F", bound=Callable[..., Any])


def python_name(option: str) -> str:
    """The keyword argument of an option: `min_k` for `--min-k`, `from_` for `--from`, which is a word of Python."""
    name = option.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def texts(name: str, value: Option, kind: str) -> list[str]:
    """The option texts of a Python value. A string is one item of a list, whatever it holds."""
    value = _plain(value)
    refuse_mapping(name, value)
    if kind == "flag":
        if not isinstance(value, bool):
            raise UsageError(f"{name} is True or False, not {value!r}")
        return ["true" if value else "false"]
    if _is_single(value):
        return [_text(name, value)]
    if not isinstance(value, (bytes, bytearray)) and hasattr(value, "__iter__"):
        items = [_text(name, _plain(item)) for item in value]
        if kind != "list":
            raise UsageError(f"{name} takes one value, not {len(items)}")
        return items
    raise UsageError(f"{name} cannot be {value!r}")


def refuse_mapping(name: str, value: object) -> None:
    """A dictionary would be taken for the list of its keys, and what it says of them would be lost."""
    if isinstance(value, Mapping):
        raise UsageError(f"{name} cannot be a dictionary", _AS_LISTS.get(name, 'A kind is a suffix: ["age", "zip:categorical"]'))


def _plain(value: Any) -> Any:
    """Python's own value for a scalar of numpy, or for an array of numpy that is one; anything else as it is."""
    return value.item() if getattr(value, "shape", None) == () and hasattr(value, "item") else value


def _is_single(value: object) -> bool:
    return isinstance(value, (str, os.PathLike, numbers.Real))


def _text(name: str, value: Any) -> str:
    if isinstance(value, bool) or not _is_single(value):
        raise UsageError(f"{name} takes {'a value' if isinstance(value, bool) else 'texts and numbers'}, not {value!r}")
    if isinstance(value, numbers.Integral):
        return str(int(value))
    return str(float(value)) if isinstance(value, numbers.Real) else check_utf8(name, os.fspath(value))


def option_values(command: str, given: Mapping[str, Option]) -> dict[str, list[str]]:
    """The options of `command` by their names; None means not given. Options that only the program has are refused, with what to do
    instead."""
    known = {python_name(entry["name"]): entry for entry in _core.options(command)}
    values: dict[str, list[str]] = {}
    for name, value in given.items():
        if value is None:
            continue
        if name not in known:
            raise UsageError(f"{command} has no argument {name!r}", _nearest(name, _arguments[command]))
        if name not in _arguments[command]:
            raise UsageError(f"{command} has no argument {name!r} in Python", OF_THE_PROGRAM[known[name]["name"]])
        entry = known[name]
        word = entry["type"] == "flag" and value in entry["choices"]  # stratify="never"
        values[entry["name"]] = [str(value)] if word else texts(name, value, entry["type"])
    return values


def path_of(options: dict[str, Option], name: str) -> str | os.PathLike[str] | None:
    """Takes an option out that names a file and is for Python alone."""
    value = options.pop(name, None)
    if value is None or isinstance(value, (str, os.PathLike)):
        return value
    raise UsageError(f"{name} is the path of a file, not {value!r}")


def _nearest(name: str, known: Sequence[str]) -> str:
    import difflib

    near = difflib.get_close_matches(name, known, n=1)
    return f"Did you mean {near[0]!r}?" if near else "help() of the function lists them."


_TYPES = {
    "flag": "bool",
    "integer": "int",
    "real": "float",
    "text": "str | os.PathLike[str]",
    "choice": "str",
    "list": "Columns",
}


def annotation(entry: _core.OptionEntry) -> str:
    """The type of the argument that stands for an option."""
    if entry["type"] == "flag" and entry["choices"]:
        return "bool | str | None"
    numbers_too = entry["type"] == "list" and entry["minimum"] is not None
    words_too = " | str" if entry["type"] == "integer" and entry["choices"] else ""
    return ("int | Sequence[int]" if numbers_too else _TYPES[entry["type"]] + words_too) + " | None"


def documented(command: str, *, takes: Sequence[str] = ()) -> Callable[[F], F]:
    """Gives a function that takes `**options` the options of a command, from the option table: the signature that help() and notebooks
    show, and its docstring. scripts/python_stubs writes the same signatures for type checkers. `takes` are options of the program that
    the function has too."""

    def add(function: F) -> F:
        signature = inspect.signature(function)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        shown = {p.name for p in own}
        lines = ["", "Options:"]
        added = []
        for entry in _core.options(command):
            name = python_name(entry["name"])
            if name in shown or (entry["name"] in OF_THE_PROGRAM and name not in takes):
                continue
            added.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation(entry)))
            of = f" (of {', '.join(entry['methods'])})" if entry["methods"] else ""
            default = f" Default: {entry['default']}." if entry["default"] else ""
            choices = f" {'Or one' if entry['type'] == 'integer' else 'One'} of {', '.join(entry['choices'])}." if entry["choices"] else ""
            lines.append(f"    {name}{of}: {entry['help']}{choices}{default}")
        function.__doc__ = inspect.cleandoc(function.__doc__ or "") + "\n" + "\n".join(lines) + "\n"
        _arguments[command] = [parameter.name for parameter in added]
        function.__signature__ = signature.replace(parameters=[*own, *added])  # type: ignore[attr-defined]
        return function

    return add

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

import os

from tada import _core
from tada._cells import MASK, Interval
from tada._commands import Advice, Attack, Comparison, Composition, Evaluation, Profile
from tada._cuts import Cuts
from tada._errors import (
    AuditError,
    DataError,
    InfeasibleError,
    InternalError,
    OutputError,
    TadaError,
    UsageError,
)
from tada._functions import advise, anonymize, apply, attack, audit, compare, compose, decode, evaluate, inspect
from tada._input import ArrowStream, Frame
from tada._read import read_release
from tada._release import Release, Verdict

__version__: str = _core.__version__
__all__ = [
    "Advice",
    "ArrowStream",
    "Attack",
    "AuditError",
    "Comparison",
    "Composition",
    "Cuts",
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
    "apply",
    "attack",
    "audit",
    "compare",
    "compose",
    "decode",
    "evaluate",
    "inspect",
    "key",
    "methods",
    "read_release",
]


def key(output: str | os.PathLike[str]) -> str:
    """Make a secret key, for pseudonyms and for signatures below manifests, and give its public half.

    The file can be read by its owner alone; an existing one is never overwritten.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tada.key(f"{folder}/secret.key")
    'ed25519:...'
    """
    return _core.key(os.fspath(output))


def methods() -> list[_core.MethodEntry]:
    """The methods, with their options, from the registry.

    >>> [method["name"] for method in tada.methods()][:2]
    ['ta_da', 'mondrian']
    """
    return _core.methods()


def __dir__() -> list[str]:
    """The public names only."""
    return sorted([*__all__, "__version__"])

"""What goes wrong, as exceptions. Each says what is wrong and, in `hint`, what to do."""

from __future__ import annotations

import os


class TadaError(Exception):
    """What all errors of tada have in common."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = message.partition(". Detail: Python exception: ")[0]  # where pyarrow shows a traceback
        self.hint = hint
        super().__init__(self.message, self.hint)

    def __str__(self) -> str:
        if not self.hint:
            return self.message
        return f"{self.message}{' ' if self.message.endswith(('?', '.')) else '. '}{self.hint}"


class UsageError(TadaError, ValueError):
    """Wrong arguments or plan: an unknown column, option or method, a column with two roles, k below 1."""


class DataError(TadaError, ValueError):
    """The input can't be read or is damaged."""


class InfeasibleError(TadaError, ValueError):
    """The data cannot meet the requirement; the message names the largest k and l that can."""


class OutputError(TadaError, OSError):
    """A file can't be written: no such folder, read-only, or it exists and `force` is off. `errno` and `strerror` are the system's, where
    it said anything."""

    def __init__(self, message: str, hint: str = "", number: int | None = None) -> None:
        super().__init__(message, hint)
        self.errno = number  # OSError takes the two texts for these
        self.strerror = None if number is None else os.strerror(number)

    def __reduce__(self) -> tuple[type[OutputError], tuple[str, str, int | None]]:
        return OutputError, (self.message, self.hint, self.errno)


class AuditError(TadaError):
    """The audit of a finished release failed, so nothing was released: a bug in tada. `problems` says what it found."""

    def __init__(self, message: str, hint: str = "", problems: tuple[str, ...] = ()) -> None:
        super().__init__(message, hint)
        self.problems = problems


class InternalError(TadaError):
    """Something that cannot happen did: a bug in tada. Please report it with the call that shows it."""


def check_utf8(name: str, text: str) -> str:
    """The text, if it is one: Python's strings may hold halves of characters, which the engine cannot take."""
    try:
        text.encode()
    except UnicodeEncodeError:
        pass
    else:
        return text
    raise UsageError(f"{name} holds halves of characters (surrogates), which are no text: {text!r}", "Write it in UTF-8")

"""Progress while the engine works: a function of yours, or tqdm's bar."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any

from tada._errors import UsageError

Listener = Callable[[str, int, int, str], object]
"""Called with the stage, the units done, their total (0 when unknown) and a few words; always on the calling thread."""


class TqdmBar:
    """One bar that goes through the stages."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError as error:
            raise UsageError("progress=True needs tqdm, which is not installed", "pip install tqdm, or pass a function") from error
        self._bar: Any = tqdm(unit=" rows", leave=False)
        self._stage = ""

    def __call__(self, stage: str, done: int, total: int, words: str) -> None:
        if stage != self._stage:
            self._stage = stage
            self._bar.reset(total=total or None)
            self._bar.set_description(stage)
        self._bar.n = done
        self._bar.set_postfix_str(words, refresh=True)

    def close(self) -> None:
        self._bar.close()


class listening:
    """`with listening(progress) as listener`: what the engine gets for the argument `progress`."""

    def __init__(self, progress: bool | Listener | None) -> None:
        if progress is not None and not isinstance(progress, bool) and not callable(progress):
            raise UsageError(f"progress is True, False or a function, not {progress!r}")
        self._listener: Listener | None = None
        self._bar: TqdmBar | None = None
        if progress is True:
            self._listener = self._bar = TqdmBar()
        elif callable(progress):
            self._listener = progress

    def __enter__(self) -> Listener | None:
        return self._listener

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.close()

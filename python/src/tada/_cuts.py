"""Cuts that last: what a release was cut by, so that `tada.apply` releases other rows with the same cells."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any

from tada._errors import DataError, OutputError
from tada._whole import check_target, write_whole


class Cuts:
    """The cuts of a release, from `tada.anonymize(..., save_cuts=True).cuts` or a file of `--save-cuts`. They hold no row; with `range="cut"` no
    number of theirs is a person's.

    >>> release = tada.anonymize(people, quasi=["age", "state"], k=2, range="cut", save_cuts=True)
    >>> release.cuts
    <tada.Cuts by boxes, 4 boxes>
    """

    def __init__(self, text: str, name: str = "cuts") -> None:
        self.text = text
        """The JSON text of the file."""
        self.name = name
        """What messages call it."""

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Cuts:
        """Reads a file that `save` or the command line wrote."""
        try:
            return cls(pathlib.Path(path).read_text(encoding="utf-8", errors="replace"), os.fspath(path))
        except OSError as error:
            raise DataError(f"Cannot read the cuts: {os.fspath(path)}: {error.strerror or error}") from error

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the file that 'tada apply' takes, whole or not at all."""
        target = pathlib.Path(path)
        check_target(target, force=force)
        try:
            write_whole(target, lambda file: file.write(self.text.encode()), force=force)
        except OSError as error:
            raise OutputError(f"Cannot write {target}: {error.strerror or error}") from error

    @property
    def details(self) -> dict[str, Any]:
        """What the file holds: plan, columns with their cells, nodes of the tree or levels."""
        return dict(json.loads(self.text))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cuts) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        details = self.details
        if details["by"] == "levels":
            return f"<tada.Cuts by levels, {len(details['levels'])} steps to the top>"
        parents = {node["parent"] for node in details["nodes"]}
        return f"<tada.Cuts by {details['by']}, {len(details['nodes']) - len(parents - {None})} boxes>"

"""Files that appear under their name whole or not at all."""

from __future__ import annotations

import errno
import os
import pathlib
import tempfile
from collections.abc import Callable
from typing import IO

from tada._errors import OutputError


def check_target(target: pathlib.Path, *, force: bool) -> None:
    """Refuses a file that could not be written, or only over another."""
    if target.exists() and not force:
        raise OutputError(f"Output exists: {target}", "Choose another name, or pass force=True", errno.EEXIST)
    if not target.parent.is_dir():
        raise OutputError(f"Cannot write {target}: there is no folder {target.parent}", "Make the folder, or choose another name", errno.ENOENT)


def write_whole(target: pathlib.Path, write: Callable[[IO[bytes]], object], *, force: bool) -> None:
    """Has `write` fill a file beside the target, which then takes its name; over another only if `force`."""
    check_target(target, force=force)
    try:
        descriptor, name = tempfile.mkstemp(prefix=".tada-", suffix=target.suffix, dir=target.parent)
    except OSError as error:
        raise OutputError(f"Cannot write {target}: {error.strerror or error}", number=error.errno) from error
    pending = pathlib.Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        pending.chmod(0o666 & ~umask)
        pending.replace(target)
    except OSError as error:
        raise OutputError(f"Cannot write {target}: {error.strerror or error}", number=error.errno) from error
    finally:
        pending.unlink(missing_ok=True)

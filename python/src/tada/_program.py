"""The command `tada` of the wheel: the program itself, compiled into the package.

CSV files are read and written by the package; Parquet and Arrow files by pyarrow (tada._files)."""

from __future__ import annotations

import sys

from tada import _core


def main() -> None:
    # -P: what lies in the folder of a job is data, never a module.
    itself = [sys.executable, "-P", "-c", "from tada._program import main; main()"]
    raise SystemExit(_core.program(sys.argv[1:], itself))

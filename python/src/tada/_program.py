"""The command `tada` of the wheel.

The program reads files by Arrow C++, which a wheel does not carry, so the command runs the built program if there is one: the one that
TADA_PROGRAM names, the one beside this package's source (build/tada), or another one on PATH. Without one it says how to get it.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import sys


def find_program() -> str | None:
    """The program to run; never this script itself."""
    named = os.environ.get("TADA_PROGRAM")
    if named:
        return named
    built = pathlib.Path(__file__).resolve().parents[3] / "build" / "tada"
    if built.is_file():
        return str(built)
    own = pathlib.Path(sys.argv[0]).resolve()
    folders = [folder for folder in os.get_exec_path() if pathlib.Path(folder).resolve() != own.parent]
    return shutil.which("tada", path=os.pathsep.join(folders))


def main() -> None:
    program = find_program()
    if program is None:
        print("tada: error: the program is not built; this package has the engine for Python only", file=sys.stderr)
        print("hint: run `make` in tada's source and set TADA_PROGRAM=.../build/tada, or use `import tada`", file=sys.stderr)
        raise SystemExit(2)
    try:
        os.execv(program, [program, *sys.argv[1:]])
    except OSError as error:
        print(f"tada: error: cannot run {program}: {error}", file=sys.stderr)
        raise SystemExit(2) from error

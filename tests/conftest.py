"""What the tests of the finished binary share: the binary, small tables, and an own reading of released files.

The binary is build/tada, or what TADA_BINARY names. Tests on real data look for them in TADA_DATA, by default ../shared/data
beside the project, and are skipped where they are not.
"""

import csv
import io
import os
import pathlib
import random
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = pathlib.Path(os.environ.get("TADA_BINARY", ROOT / "build" / "tada"))
BINARY = BINARY if BINARY.is_absolute() else ROOT / BINARY
DATA = pathlib.Path(os.environ.get("TADA_DATA", ROOT / ".." / "shared" / "data")).resolve()


class Tada:
    """Runs the binary in one folder."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder

    def __call__(self, *arguments, code=0, stdin=None, env=None, timeout=60):
        """Runs `tada ARGUMENTS`, expects exit `code`, and gives what came out. `stdin` is bytes or text."""
        if isinstance(stdin, str):
            stdin = stdin.encode()
        result = subprocess.run(
            [str(BINARY), *map(str, arguments)],
            input=stdin if stdin is not None else b"",
            capture_output=True,
            cwd=self.folder,
            env={**os.environ, "LC_ALL": "C.UTF-8", **(env or {})},
            timeout=timeout,
        )
        result.raw = result.stdout
        result.stdout = result.stdout.decode(errors="replace")
        result.stderr = result.stderr.decode(errors="replace")
        shown = f"tada {' '.join(map(str, arguments))}\nexit {result.returncode}\n{result.stdout}\n{result.stderr}"
        assert result.returncode == code, shown
        assert "\ue000" not in result.stdout + result.stderr, shown  # options are spelled (src/base/option_mark.h)
        if code not in (0, 1, 6, 130):
            lines = result.stderr.splitlines()
            assert lines and lines[0].startswith("tada: error:"), shown
        return result

    def write(self, name: str, text) -> pathlib.Path:
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def read(self, name: str) -> list[dict[str, str]]:
        return read_csv((self.folder / name).read_bytes().decode())

    def litter(self) -> list[str]:
        """Files of unfinished runs."""
        return sorted(path.name for path in self.folder.iterdir() if path.name.startswith(".tada"))


def read_csv(text: str, delimiter=",") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))


def write_csv(rows: list[dict], delimiter=",") -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0].keys(), delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


JOBS = ["nurse", "cook", "clerk", "driver", "smith, gold", 'the "boss"', "teacher"]
DISEASES = ["flu", "flu", "flu", "asthma", "asthma", "diabetes", "cancer"]


def make_people(rows: int, seed: int = 7) -> list[dict[str, str]]:
    """People with awkward values: leading zeros, commas and quotes in names, missing cells."""
    draw = random.Random(seed)
    people = []
    for number in range(rows):
        people.append(
            {
                "name": f"Person {number}",
                "age": "" if draw.random() < 0.03 else str(draw.randint(18, 90)),
                "zip": f"{draw.randint(0, 60):05d}",
                "job": draw.choice(JOBS),
                "income": f"{draw.randint(900, 9000) / 100:.2f}",
                "disease": draw.choice(DISEASES),
                "note": f"n{draw.randint(0, 9)}",
            }
        )
    return people


@pytest.fixture(scope="session", autouse=True)
def binary():
    if not BINARY.exists():
        pytest.exit(f"there is no {BINARY}: run make test, or make", returncode=2)
    return BINARY


@pytest.fixture
def tada(tmp_path):
    return Tada(tmp_path)


@pytest.fixture(scope="session")
def postgres():
    """A server of PostgreSQL; without one installed its tests are skipped."""
    from postgres import Postgres

    server = Postgres()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def people_rows():
    return make_people(400)


@pytest.fixture
def people(tada, people_rows):
    """people.csv in the test's folder: name age zip job income disease note, 400 rows."""
    return tada.write("people.csv", write_csv(people_rows)).name


@pytest.fixture(scope="session")
def data():
    """The folder of real data."""
    if not DATA.is_dir():
        pytest.skip(f"real data are not here: {DATA} (set TADA_DATA)")
    return DATA


ROLES = ["--quasi", "age,zip:categorical,job", "--sensitive", "disease"]
QUASI = ["age", "zip", "job"]


@pytest.fixture
def roles():
    return list(ROLES)

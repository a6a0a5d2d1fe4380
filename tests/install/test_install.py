"""What `make install` puts under a prefix works by itself: the program, and programs of others in C and C++."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

from conftest import BINARY, ROOT, make_people, write_csv

BUILD = BINARY.parent


def run(*command, folder, env=None):
    """Runs a command that has to succeed, without what this environment says of libraries."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("LD_", "CMAKE_", "PKG_CONFIG"))}
    done = subprocess.run([str(word) for word in command], cwd=folder, env={**clean, **(env or {})}, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """The installed tree, moved once so that no path of the installation is in it."""
    if not (BUILD / "libtada.so").exists():
        pytest.skip("libtada is not built in this folder")
    first = tmp_path_factory.mktemp("install") / "first"
    run(ROOT / "scripts" / "install", BUILD, first, folder=ROOT)
    return pathlib.Path(shutil.move(first, first.parent / "moved"))


@pytest.fixture
def people_csv(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text(write_csv(make_people(300)))
    return path


def libraries(program):
    """Where the libraries of a program are found."""
    return [line.split("=>")[1].split("(")[0].strip() for line in run("ldd", program, folder="/").splitlines() if "=>" in line]


@pytest.mark.parametrize("name", ["bin/tada", "lib/libtada.so"])
def test_no_library_is_taken_from_the_clone(prefix, name):
    found = [pathlib.Path(path).resolve() for path in libraries(prefix / name)]
    assert found
    assert not [path for path in found if ROOT in path.parents], found
    assert not [path for path in found if not path.exists()], found


def test_the_installed_program_runs_in_another_folder(prefix, people_csv):
    release = people_csv.with_name("out.parquet")
    run(prefix / "bin" / "tada", "anonymize", people_csv, "--quasi", "age,job", "-k", "5", "-o", release, folder=people_csv.parent)
    run(prefix / "bin" / "tada", "audit", release, "--quasi", "age,job", "-k", "5", folder=people_csv.parent)
    assert (prefix / "share/man/man1/tada.1").stat().st_size > 1000


@pytest.fixture(scope="module")
def examples(prefix, tmp_path_factory):
    """The examples in C++, built against the installed tree in a folder of their own."""
    folder = tmp_path_factory.mktemp("examples")
    source = shutil.copytree(ROOT / "examples" / "cpp", folder / "cpp")
    run("cmake", "-S", source, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}", folder=folder)
    run("cmake", "--build", folder / "build", folder=folder)
    return folder / "build"


def test_a_program_in_cpp_is_built_against_the_prefix_and_releases(examples, tmp_path, people_csv):
    verdict = run(examples / "share_a_table", people_csv, tmp_path / "out.csv", "age,job", "disease", folder=tmp_path)
    assert json.loads(verdict)["passed"]
    assert (tmp_path / "out.csv").read_text().startswith("age,job,disease")


def test_a_program_in_cpp_releases_other_rows_by_saved_cuts(examples, tmp_path, people_csv):
    header, *rows = people_csv.read_text().splitlines(keepends=True)
    for name, part in (("one.csv", rows[:150]), ("two.csv", rows[150:])):
        (tmp_path / name).write_text(header + "".join(part))
    report = json.loads(run(examples / "release_next_month", "one.csv", "two.csv", ".", folder=tmp_path))
    january, february = ({line.rsplit(",", 1)[0] for line in (tmp_path / f"{name}.csv").read_text().splitlines()[1:]} for name in ("january", "february"))
    assert february
    assert february <= january  # the cells of the first month
    assert report["reached"]["rows"] + report["applied"]["withheld_rows"] == 150


def test_errors_of_the_library_say_what_to_do(examples, tmp_path, people_csv):
    done = subprocess.run([examples / "share_a_table", people_csv, tmp_path / "out.csv", "agee", "disease"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "agee" in done.stderr
    assert "Did you mean 'age'?" in done.stderr
    assert not (tmp_path / "out.csv").exists()


def test_a_program_in_c_is_built_by_pkg_config_and_releases_a_stream(prefix, tmp_path):
    flags = run("pkg-config", "--cflags", "--libs", "tada", folder=tmp_path, env={"PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}).split()
    run("cc", "-Wall", "-Wextra", "-Werror", ROOT / "examples/c/release_a_stream.c", "-o", tmp_path / "example", *flags, folder=tmp_path)
    shown = run(tmp_path / "example", folder=tmp_path, env={"LD_LIBRARY_PATH": str(prefix / "lib")}).splitlines()
    assert shown[0] == "age"
    assert len(shown) == 9
    cells = shown[1:]
    assert all(cells.count(cell) >= 2 for cell in cells), cells


def test_only_the_interface_is_exported(prefix):
    names = run("nm", "-D", "--defined-only", prefix / "lib" / "libtada.so", folder="/").split()[2::3]
    assert "tada_anonymize@@TADA_0.2" in names
    assert not [name for name in names if not name.startswith(("tada_", "TADA_"))], names

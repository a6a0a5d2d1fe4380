#!/usr/bin/env python3
"""Times what is not CSV to CSV: Parquet to Parquet beside DuckDB's copy, clustering, frames of pandas, compose, attack and decode.

Each figure stands beside its bar; processor seconds stand beside wall seconds, because they are the same on a machine that others use too.

usage: bench/corners.py --tada build/tada [--rows 1000000] [--repeat 3] [--only parquet,frames,judges,clusters]
"""

import argparse
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

QUASI = "age,sex,zip,education,marital,job,hours,income"
MONDRIAN = ["--quasi", QUASI, "--sensitive", "diagnosis", "-k", "10", "--method", "mondrian", "--rows-are-people", "--force", "--quiet"]
DUCKDB = (
    "import sys, time, duckdb; d = duckdb.connect(); d.execute('SET enable_progress_bar=false'); b = time.perf_counter(); "
    "d.execute(f\"COPY (SELECT * FROM '{sys.argv[1]}') TO '{sys.argv[2]}'\"); print(time.perf_counter() - b)"
)
FRAMES = """
import sys, time, tada
release = tada.anonymize(sys.argv[1], quasi=sys.argv[2].split(','), sensitive='diagnosis', k=10, method='mondrian', rows_are_people=True)
begin = time.perf_counter(); frame = release.to_pandas(); made = time.perf_counter()
whole = [name for name in sys.argv[2].split(',') if not frame[name].isna().any()]
tada.audit(frame[[*whole, 'diagnosis']], quasi=whole, sensitive='diagnosis', k=10)
print(made - begin, time.perf_counter() - made)
"""


def timed(command: list) -> tuple[float, float, str]:
    """Wall seconds, processor seconds and standard output of a command."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{command}: exit {done.returncode}\n{done.stderr}")
    return time.monotonic() - begin, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def best(repeat: int, command: list) -> tuple[float, float]:
    return min(timed(command)[:2] for _ in range(repeat))


def parquet(tada, folder, people, repeat):
    source = folder / "people.parquet"
    timed([sys.executable, "-c", DUCKDB, people, source])
    runs = [(float(timed([sys.executable, "-c", DUCKDB, source, folder / "copy.parquet"])[2]),
             timed([tada, "anonymize", source, *MONDRIAN, "-o", folder / "out.parquet"])[:2]) for _ in range(repeat)]
    copy, (seconds, processor) = min(run[0] for run in runs), min(run[1] for run in runs)
    yield "Parquet to Parquet / DuckDB's COPY of Parquet", f"{seconds / copy:.2f}", "2.0", f"{seconds:.2f} s, processor {processor:.2f} s, DuckDB {copy:.2f} s"


def frames(tada, folder, people, repeat):
    measured = [[float(part) for part in timed([sys.executable, "-c", FRAMES, people, QUASI])[2].split()] for _ in range(repeat)]
    for name, seconds in zip(("to_pandas", "audit of that frame"), map(min, zip(*measured, strict=True)), strict=True):
        yield name, f"{seconds:.2f} s", "-", ""


def judges(tada, folder, people, repeat):
    release, other = folder / "release.csv", folder / "other.csv"
    timed([tada, "anonymize", people, *MONDRIAN, "-o", release])
    timed([tada, "anonymize", people, *MONDRIAN, "--seed", "2", "-k", "20", "-o", other])
    roles = ["--quasi", QUASI, "--sensitive", "diagnosis"]
    for name, command in {
        "compose": ["compose", release, other, *roles],
        "attack": ["attack", release, "--original", people, *roles],
        "decode": ["decode", release, "-o", folder / "decoded.csv", "--quasi", QUASI, "--quiet", "--force"],
    }.items():
        seconds, processor = best(repeat, [tada, *command])
        yield name, f"{seconds:.2f} s", "2 s", f"processor {processor:.2f} s"


def clusters(tada, folder, people, repeat):
    source = folder / "clusters.csv"
    timed([tada, "demo", "--write", source, "--rows", "340000"])
    command = [tada, "anonymize", source, "--quasi", "age,sex,zip,education,marital,job,hours", "--sensitive", "diagnosis", "-k", "10", "-l", "2",
               "--task", "clustering", "--method", "ta_da", "--rows-are-people", "--force", "--quiet", "-o", folder / "clustered.csv"]
    seconds, processor = best(1, command)
    yield "clustering, 340,000 x 7, k=10, l=2", f"{seconds:.1f} s", "40 s", f"processor {processor:.1f} s"


def main() -> None:
    parts = {part.__name__: part for part in (parquet, frames, judges, clusters)}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tada", type=pathlib.Path, required=True)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", default=",".join(parts))
    options = parser.parse_args()
    tada = options.tada.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        people = folder / "people.csv"
        timed([tada, "demo", "--write", people, "--rows", options.rows])
        print("| work | measured | bar | |\n|---|---|---|---|")
        for part in options.only.split(","):
            for row in parts[part](tada, folder, people, options.repeat):
                print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()

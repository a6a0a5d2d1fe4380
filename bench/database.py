#!/usr/bin/env python3
"""Times `tada anonymize` from a table of PostgreSQL to another beside psql's COPY of the same table out and in again, in turns, on a server of
its own (Debian's, on a socket in a temporary folder, without fsync).

The bar is 2 times COPY out plus COPY in. Processor seconds stand beside wall seconds, of the client and of the server's process for it,
because they are the same on a machine that others use too. With several programs each turn runs all of them, with several forms of cells
each of these.

usage: bench/database.py --tada build/tada [--tada other/tada ...] [--cells typed,text] [--rows 1000000] [--repeat 5]
"""

import argparse
import itertools
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from postgres import Postgres  # noqa: E402

MAKE = """
create table visits (age integer, zip integer, job text, disease text, note text);
select setseed(0.5);
insert into visits select 18 + (random() * random() * 72)::int, 10000 + (random() * 999)::int * 7,
  (array['nurse', 'cook', 'clerk', 'teacher', 'driver', 'farmer', 'engineer', 'baker', 'judge', 'painter', 'pilot', 'tailor'])[1 + (random() * 11)::int],
  (array['flu', 'asthma', 'diabetes', 'cancer', 'gout', 'measles', 'anaemia', 'angina'])[1 + (random() * 7)::int],
  'note ' || (random() * 9999)::int from generate_series(1, {rows});
vacuum analyze visits;
"""
ASKED = ["--quasi", "age,zip:numeric,job", "--sensitive", "disease", "--keep", "note", "-k", "10", "-l", "2", "--method", "mondrian"]


def server_seconds(postgres: Postgres) -> float:
    """Processor seconds of all connections that have ended."""
    postmaster = (postgres.folder / "data" / "postmaster.pid").read_text().split()[0]
    fields = pathlib.Path(f"/proc/{postmaster}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def timed(postgres: Postgres, command: list, folder: pathlib.Path) -> tuple[float, float, float, str]:
    """Wall seconds, processor seconds of the client and of the server, standard error."""
    before, server, begin = resource.getrusage(resource.RUSAGE_CHILDREN), server_seconds(postgres), time.monotonic()
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=folder)
    wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(f"{command}: exit {done.returncode}\n{done.stderr}")
    time.sleep(0.1)  # until the server has counted what its process took
    client = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, client, server_seconds(postgres) - server, done.stderr


def stages(log: str) -> str:
    """The seconds of each stage, from --log json."""
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    return ", ".join(f"{line['stage']} {line['seconds']:.2f}" for line in lines if "stage" in line and "seconds" in line)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tada", action="append", required=True)
    parser.add_argument("--cells", default="typed")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    programs = [pathlib.Path(program).resolve() for program in options.tada]
    postgres = Postgres()
    try:
        with tempfile.TemporaryDirectory() as folder_name:
            folder = pathlib.Path(folder_name)
            postgres.run(MAKE.format(rows=options.rows))
            psql = ["psql", "-h", postgres.folder, "-U", "postgres", "-X", "-q"]
            for turn in range(1, options.repeat + 1):
                postgres.run("drop table if exists again, released; create table again (like visits); checkpoint")
                out = timed(postgres, [*psql, "-c", "\\copy visits to 'visits.txt'"], folder)
                into = timed(postgres, [*psql, "-c", "\\copy again from 'visits.txt'"], folder)
                busy = f"psql {out[1]:.2f}, {into[1]:.2f}, server {out[2]:.2f}, {into[2]:.2f} processor seconds"
                print(f"{turn}: COPY out {out[0]:.2f} s, in {into[0]:.2f} s; {busy}")
                for program, cells in itertools.product(programs, options.cells.split(",")):
                    postgres.run("drop table if exists released; checkpoint")
                    command = [program, "anonymize", postgres.uri("table=visits"), *ASKED, "-o", postgres.uri("table=released")]
                    run = timed(postgres, [*command, "--cells", cells, "--log", "json"], folder)
                    times = run[0] / (out[0] + into[0])
                    busy = f"client {run[1]:.2f}, server {run[2]:.2f} processor seconds"
                    print(f"   {program}, {cells} cells: {run[0]:.2f} s, {times:.2f} times; {busy}; {stages(run[3])}", flush=True)
    finally:
        postgres.stop()


if __name__ == "__main__":
    main()

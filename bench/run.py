"""Measures tada beside Arrow's CSV reader and DuckDB, and prints other tools' figures beside ours.

Four questions, each a ratio, so that a slow machine and a fast one answer alike:
  1. partitioning (Mondrian, k=10, 1M rows, 8 quasi-identifiers) against Arrow's CSV reader on the same file: below 1
  2. `tada anonymize`, CSV to CSV, audit included, against DuckDB's COPY (SELECT *) TO: at most 3
  3. time at 10M rows against time at 1M: at most 12
  4. peak memory per cell of the input table: at most 40 bytes
Everything is measured in one go, alternating, best of --repeat runs. The table goes to docs/benchmarks.md with --write.
"""

import argparse
import csv
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- results: make bench BENCH_ARGS=--write -->", "<!-- end of results -->"

# Other tools, measured once on 2 cores, Java 17, Python 3.11, a shared machine: read ratios, not seconds.
# Adult training rows without missing values (30,162), 8 quasi-identifiers, k=10; NCP of the released cells in percent.
PEERS_ADULT = [
    ("ARX 3.9.2, optimal, suppression allowed", "4.3-5.1", 600, "27.61 (2,828 rows suppressed)"),
    ("ARX 3.9.2, local recoding", "6.7-7.3", 620, "7.90"),
    ("qiyuangong Mondrian, strict", "1.0-1.5", 56, "11.24"),
    ("mosaicrown Mondrian", "27.5", 164, "5.68"),
    ("mosaicrown on Spark, local[2]", "43-48", 1400, "5.68"),
    ("anonypy 0.2.1", "22.0", 87, "6.46"),
    ("anjana 1.2.3, 10% suppression", "5.0-5.4", 106, "28.51 (2,441 rows suppressed)"),
    ("ai-privacy-toolkit 0.2.1", "12.7-13.4", 490, "-"),
]
# Adult resampled to more rows: seconds, MB.
PEERS_GROWTH = [
    ("qiyuangong Mondrian, strict", "100k 2.7 s, 145 MB; 300k 8.8 s, 403 MB; 1M 29.3 s, 1,293 MB"),
    ("ARX local recoding", "100k 9.3 s, 1,184 MB; 300k 9.6 s, 1,360 MB"),
    ("anonypy", "100k 54 s, 131 MB"),
    ("ai-privacy-toolkit", "100k 72 s, 1,565 MB"),
    ("mosaicrown on Spark", "100k 100 s, 2,017 MB"),
]
ADULT_QUASI = "age,workclass,education-num,marital-status,occupation,race,sex,native-country"


def timed(command: list[str], **options) -> tuple[float, float]:
    """Wall seconds and peak memory in MB of a command, by /usr/bin/time."""
    with tempfile.NamedTemporaryFile("r") as notes:
        result = subprocess.run(["/usr/bin/time", "-v", "-o", notes.name, *map(str, command)], capture_output=True, text=True, **options)
        if result.returncode != 0:
            sys.exit(f"bench: {' '.join(map(str, command))}\n{result.stderr}")
        text = notes.read()
    clock = re.search(r"Elapsed \(wall clock\) time.*: ([\d:.]+)", text).group(1)
    seconds = sum(float(part) * 60**power for power, part in enumerate(reversed(clock.split(":"))))
    return seconds, int(re.search(r"Maximum resident set size \(kbytes\): (\d+)", text).group(1)) / 1024


def arrow_read(path: pathlib.Path) -> float:
    """Seconds of Arrow's CSV reader: all threads, strings as dictionaries, inside a warm process."""
    code = (
        "import sys, time, pyarrow.csv as c; p = sys.argv[1]; o = c.ConvertOptions(auto_dict_encode=True); "
        "c.read_csv(p, convert_options=o); b = time.perf_counter(); c.read_csv(p, convert_options=o); print(time.perf_counter() - b)"
    )
    return float(subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True).stdout)


def duckdb_copy(source: pathlib.Path, target: pathlib.Path) -> float:
    """Seconds of DuckDB's COPY from CSV to CSV, process start left out."""
    code = (
        "import sys, time, duckdb; d = duckdb.connect(); d.execute('SET enable_progress_bar=false'); b = time.perf_counter(); "
        "d.execute(f\"COPY (SELECT * FROM '{sys.argv[1]}') TO '{sys.argv[2]}'\"); print(time.perf_counter() - b)"
    )
    return float(subprocess.run([sys.executable, "-c", code, source, target], capture_output=True, text=True, check=True).stdout)


QUASI = ["age", "sex", "zip", "education", "marital", "job", "hours", "income"]
SENSITIVE = "diagnosis"


def anonymize(tada, source, target, report, k=10) -> tuple[float, float, dict]:
    command = [
        tada,
        "anonymize",
        source,
        "--quasi",
        ",".join(QUASI),
        "--sensitive",
        SENSITIVE,
        "-k",
        k,
        "--method",
        "mondrian",
        "-o",
        target,
        "--force",
        "--report",
        report,
        "--quiet",
    ]
    seconds, memory = timed(command)
    return seconds, memory, json.loads(pathlib.Path(report).read_text())


def measure(tada: pathlib.Path, folder: pathlib.Path, rows: int, repeat: int) -> dict:
    """Everything about one size; best of `repeat` rounds in which the contenders alternate."""
    source = folder / f"people{rows}.csv"
    subprocess.run([tada, "demo", "--write", source, "--rows", str(rows)], check=True, capture_output=True)
    with open(source, newline="") as file:
        columns = len(next(csv.reader(file)))
    rounds = []
    for _ in range(repeat):
        reading = arrow_read(source)
        copying = duckdb_copy(source, folder / "copy.csv")
        seconds, memory, report = anonymize(tada, source, folder / "out.csv", folder / "report.json")
        rounds.append((reading, copying, seconds, memory, report["seconds"], report["loss"]["ncp"]))
        print(f"  {rows:>10,} rows: arrow {reading:.2f} s, duckdb {copying:.2f} s, tada {seconds:.2f} s ({memory:.0f} MB)", flush=True)
    stages = {stage: min(r[4].get(stage, 0.0) for r in rounds) for stage in rounds[0][4]}
    result = {
        "rows": rows,
        "columns": columns,
        "bytes": source.stat().st_size,
        "arrow": min(r[0] for r in rounds),
        "duckdb": min(r[1] for r in rounds),
        "tada": min(r[2] for r in rounds),
        "memory": max(r[3] for r in rounds),
        "stages": stages,
        "ncp": rounds[0][5],
    }
    source.unlink()
    return result


def machine() -> str:
    processors = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":")[1].strip() for line in processors if line.startswith("model name")), platform.machine())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{len(os.sched_getaffinity(0))} cores of {model}, {memory:.0f} GB, {platform.system()} {platform.release()}"


def answers(small: dict, large: dict | None) -> list[tuple[str, float, float]]:
    """The questions, what was measured and the bound."""
    found = [
        ("Mondrian / Arrow's CSV reader", small["stages"]["mondrian"] / small["arrow"], 1.0),
        ("anonymize CSV to CSV / DuckDB's COPY", small["tada"] / small["duckdb"], 3.0),
    ]
    if small["rows"] >= 1_000_000:  # below, what Arrow's libraries take is most of it
        found.append(("bytes of memory per cell", small["memory"] * 2**20 / (small["rows"] * small["columns"]), 40.0))
    if large:
        times = large["rows"] / small["rows"]
        found.append((f"time at {large['rows']:,} / at {small['rows']:,} rows", large["tada"] / small["tada"], 1.2 * times))
        found.append((f"bytes of memory per cell, {large['rows']:,} rows", large["memory"] * 2**20 / (large["rows"] * large["columns"]), 40.0))
    return found


def adult(tada: pathlib.Path, folder: pathlib.Path) -> list[tuple[str, str, str, str]]:
    """Our own line beside the other tools', where the data are."""
    data = pathlib.Path(os.environ.get("TADA_DATA", ROOT / ".." / "shared" / "data")) / "adult" / "adult_train_complete.csv"
    if not data.exists():
        return []
    lines = []
    for extra in ([], ["--categorical", "balanced"], ["--relaxed"]):
        command = [
            tada,
            "anonymize",
            data,
            "--quasi",
            ADULT_QUASI,
            "--sensitive",
            "income",
            "-k",
            "10",
            "--method",
            "mondrian",
            *extra,
            "-o",
            folder / "adult.csv",
            "--force",
            "--report",
            folder / "report.json",
            "--quiet",
        ]
        seconds, memory = timed(command)
        ncp = json.loads((folder / "report.json").read_text())["loss"]["ncp"]
        lines.append((" ".join(["**tada**, Mondrian", *extra]), f"{seconds:.2f}", f"{memory:.0f}", f"{100 * ncp:.2f}"))
    return lines


def page(found, small, large, ours) -> str:
    lines = [f"Machine: {machine()}. Measured {datetime.date.today()} by `make bench`, best of the runs.", ""]
    lines += ["| ratio | measured | bound |", "| --- | --- | --- |"]
    lines += [f"| {name} | {value:.2f} | {bound:g} |" for name, value, bound in found]
    lines += ["", "| rows | columns | Arrow reads | DuckDB copies | tada anonymizes | peak memory | NCP |", "| --- | --- | --- | --- | --- | --- | --- |"]
    for result in filter(None, [small, large]):
        lines.append(
            f"| {result['rows']:,} | {result['columns']} | {result['arrow']:.2f} s | {result['duckdb']:.2f} s | {result['tada']:.2f} s "
            f"| {result['memory']:.0f} MB | {result['ncp']:.4f} |"
        )
    lines += ["", f"Stages of tada at {small['rows']:,} rows: " + ", ".join(f"{name} {value:.2f} s" for name, value in small["stages"].items()) + "."]
    lines += [
        "",
        "Adult, 30,162 rows, 8 quasi-identifiers, k=10, reading and writing included. Other tools' figures were measured once, on 2 cores of",
        "a shared machine; ours are of this run, and have the audit in them.",
        "",
        "| tool | seconds | MB | NCP, percent |",
        "| --- | --- | --- | --- |",
    ]
    lines += [f"| {' | '.join(line)} |" for line in ours]
    lines += [f"| {name} | {seconds} | {memory:,} | {ncp} |" for name, seconds, memory, ncp in PEERS_ADULT]
    lines += ["", "Growth of other tools (Adult, resampled):", ""]
    lines += [f"- {name}: {text}" for name, text in PEERS_GROWTH]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tada", type=pathlib.Path, default=ROOT / "build" / "tada")
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the small table; the large one has ten times as many")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="100,000 rows, one run, no large table")
    parser.add_argument("--write", action="store_true", help="put the results into docs/benchmarks.md")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rows, arguments.repeat = 100_000, 1
    tada = arguments.tada.resolve()
    with tempfile.TemporaryDirectory(prefix="tada-bench-") as name:
        folder = pathlib.Path(name)
        begin = time.monotonic()
        small = measure(tada, folder, arguments.rows, arguments.repeat)
        large = None if arguments.quick else measure(tada, folder, 10 * arguments.rows, 1)
        ours = adult(tada, folder)
    found = answers(small, large)
    text = page(found, small, large, ours)
    print(text)
    print(
        f"\nbench: {time.monotonic() - begin:.0f} s; "
        + ", ".join(f"{name}: {value:.2f} (<= {bound:g}: {'yes' if value <= bound else 'NO'})" for name, value, bound in found)
    )
    if arguments.write:
        before, rest = PAGE.read_text().split(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Times what is not CSV to CSV: Parquet to Parquet beside DuckDB's copy, frames of pandas, compose, attack and decode, the tree beside
scikit-learn's and ta_da beside mondrian, compact, clustering, and the grid of evaluate.

Each figure stands beside its bar; processor seconds stand beside wall seconds, because they are the same on a machine that others use too.
With --write the table and a chart of it go to docs/benchmarks.md.

usage: bench/corners.py --tada build/tada [--rows 1000000] [--repeat 3] [--only parquet,frames,judges,tree,compact,clusters,grid] [--whole-grid] [--write]
"""

import argparse
import dataclasses
import importlib.util
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE, CHART = ROOT / "docs" / "benchmarks.md", ROOT / "docs" / "benchmarks.svg"
BEGIN, END = "<!-- corners: make bench BENCH_ARGS=--write -->", "<!-- end of corners -->"
DATA = pathlib.Path(os.environ.get("TADA_DATA", ROOT / ".." / "shared" / "data"))
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


@dataclasses.dataclass
class Row:
    """What was measured, its bar (None: there is none), and further words. `at_least`: more is better."""

    work: str
    measured: float
    bar: float | None
    unit: str = "s"
    at_least: bool = False
    note: str = ""

    def share(self) -> float | None:
        """How much of its bar it takes: above 1 the bar is missed."""
        return None if self.bar is None else self.bar / self.measured if self.at_least else self.measured / self.bar

    def text(self) -> str:
        digits = 2 if self.measured < 10 else 1
        bar = "-" if self.bar is None else f"{'at least ' if self.at_least else ''}{self.bar:g} {self.unit}".strip()
        return f"| {self.work} | {f'{self.measured:.{digits}f} {self.unit}'.strip()} | {bar} | {self.note} |"


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


def parquet(options, folder, people) -> Iterator[Row]:
    source = folder / "people.parquet"
    timed([sys.executable, "-c", DUCKDB, people, source])
    runs = [(float(timed([sys.executable, "-c", DUCKDB, source, folder / "copy.parquet"])[2]),
             timed([options.tada, "anonymize", source, *MONDRIAN, "-o", folder / "out.parquet"])[:2]) for _ in range(options.repeat)]
    copy, (seconds, processor) = min(run[0] for run in runs), min(run[1] for run in runs)
    yield Row("Parquet to Parquet / DuckDB's COPY of Parquet", seconds / copy, 2, "", note=f"{seconds:.2f} s, processor {processor:.2f} s, DuckDB {copy:.2f} s")


def frames(options, folder, people) -> Iterator[Row]:
    measured = [[float(part) for part in timed([sys.executable, "-c", FRAMES, people, QUASI])[2].split()] for _ in range(options.repeat)]
    for name, seconds in zip(("to_pandas", "audit of that frame"), map(min, zip(*measured, strict=True)), strict=True):
        yield Row(name, seconds, None)


def judges(options, folder, people) -> Iterator[Row]:
    release, other = folder / "release.csv", folder / "other.csv"
    timed([options.tada, "anonymize", people, *MONDRIAN, "-o", release])
    timed([options.tada, "anonymize", people, *MONDRIAN, "--seed", "2", "-k", "20", "-o", other])
    roles = ["--quasi", QUASI, "--sensitive", "diagnosis"]
    for name, command in {
        "compose": ["compose", release, other, *roles],
        "attack": ["attack", release, "--original", people, *roles],
        "decode": ["decode", release, "-o", folder / "decoded.csv", "--quasi", QUASI, "--quiet", "--force"],
    }.items():
        seconds, processor = best(options.repeat, [options.tada, *command])
        yield Row(f"{name}, {options.rows:,} rows", seconds, 2, note=f"processor {processor:.2f} s")


def tree(options, folder, people) -> Iterator[Row]:
    specification = importlib.util.spec_from_file_location("compare", ROOT / "bench" / "tree" / "compare.py")
    compare = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(compare)
    table, source = compare.make(options.rows), folder / "tree.csv"
    compare.write(source, table)
    options.threads = 2
    peers, ours, whole, mondrian = [], [], [], []
    for _ in range(options.repeat):
        peers.append(min(compare.sklearn_tree(table, criterion)[0] for criterion in ("gini", "entropy")))
        seconds, report = compare.run(options, source, folder, "ta_da", 2)
        ours.append(report["seconds"]["tree"])
        whole.append(seconds)
        mondrian.append(compare.run(options, source, folder, "mondrian", 2)[0])
    yield Row(f"scikit-learn's tree / ours, {options.rows:,} x 8, 2 threads", min(peers) / min(ours), 12, "", at_least=True,
              note=f"{min(peers):.2f} s, {min(ours):.2f} s")  # fmt: skip
    yield Row(f"ta_da / mondrian, {options.rows:,} x 8", min(whole) / min(mondrian), 1.4, "", note=f"{min(whole):.2f} s, {min(mondrian):.2f} s")


def compact(options, folder, people) -> Iterator[Row]:
    report = folder / "report.json"
    common = ["-k", "10", "--method", "compact", "--rows-are-people", "--force", "--quiet", "--report", report, "-o", folder / "compact.csv"]
    bank = DATA / "bank" / "bank-full.csv"
    works = {f"compact, {options.rows:,} rows x 8": (30, 1, [people, "--quasi", QUASI, "--sensitive", "diagnosis"])}
    if bank.exists():
        quasi = "age:numeric,job,marital,education,balance:numeric,housing,loan"
        works["compact, Bank x 7"] = (1, options.repeat, [bank, "--delimiter", ";", "--quasi", quasi, "--sensitive", "default"])
    for work, (bar, repeat, roles) in works.items():
        seconds, processor = best(repeat, [options.tada, "anonymize", *roles, *common])
        yield Row(work, seconds, bar, note=f"processor {processor:.1f} s, NCP {json.loads(report.read_text())['loss']['ncp']:.4f}")


def clusters(options, folder, people) -> Iterator[Row]:
    source = folder / "clusters.csv"
    timed([options.tada, "demo", "--write", source, "--rows", "340000"])
    command = [options.tada, "anonymize", source, "--quasi", "age,sex,zip,education,marital,job,hours", "--sensitive", "diagnosis", "-k", "10", "-l", "2",
               "--task", "clustering", "--method", "ta_da", "--rows-are-people", "--force", "--quiet", "-o", folder / "clustered.csv"]  # fmt: skip
    seconds, processor = best(1, command)
    yield Row("clustering, 340,000 x 7, k=10, l=2", seconds, 40, note=f"processor {processor:.1f} s")


def grid(options, folder, people) -> Iterator[Row]:
    bank = DATA / "bank" / "bank-full.csv"
    if not bank.exists():
        return
    seeds = 10 if options.whole_grid else 1
    methods = "raw,mondrian,ta_da:split=multiway,ta_da:split=binary,infogain,dop,compact"
    plan = ROOT / "studies" / "plans" / "bank.toml"
    command = [options.tada, "evaluate", bank, "--plan", plan, "--controllers", "2", "--methods", methods, "-k", "2,5,10,15,20,25,50", "-l", "1,2"]
    seconds, processor = best(1, [*command, "--seeds", seeds, "-o", folder / "grid.csv", "--force", "--quiet"])
    times = 10 // seeds
    words = f"processor {processor * times:.0f} s" + ("" if times == 1 else f"; one seed of ten measured, {seconds:.1f} s, times ten")
    yield Row("evaluate's grid of Bank, 850 units", seconds * times, 180, note=words)


def chart(rows: list[Row]) -> str:
    """A bar for each figure that has a bar of its own, as a share of it; what is right of the line misses it."""
    shown = [(row, row.share()) for row in rows if row.share() is not None]
    left, scale, step = 330, 160, 24
    most = max(1.6, max((share for _, share in shown), default=1) + 0.2)
    width, height = int(left + scale * most + 60), step * len(shown) + 40
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="#fff"/>',
             f'<text x="{left + scale}" y="14" text-anchor="middle" fill="#333">the bar</text>']  # fmt: skip
    for i, (row, share) in enumerate(shown):
        top = 24 + i * step
        work = row.work.replace("&", "&amp;").replace("<", "&lt;")
        parts += [f'<text x="{left - 8}" y="{top + 13}" text-anchor="end" fill="#333">{work}</text>',
                  f'<rect x="{left}" y="{top}" width="{scale * share:.1f}" height="{step - 8}" fill="{"#2a6f97" if share <= 1 else "#c1440e"}"/>',
                  f'<text x="{left + scale * share + 6:.1f}" y="{top + 13}" fill="#333">{100 * share:.0f}%</text>']  # fmt: skip
    parts += [f'<line x1="{left + scale}" y1="18" x2="{left + scale}" y2="{height - 8}" stroke="#333" stroke-dasharray="3 3"/>', "</svg>"]
    return "\n".join(parts) + "\n"


def main() -> None:
    parts = {part.__name__: part for part in (parquet, frames, judges, tree, compact, clusters, grid)}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tada", type=pathlib.Path, required=True)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", default=",".join(parts))
    parser.add_argument("--whole-grid", action="store_true", help="all ten seeds of evaluate's grid")
    parser.add_argument("--write", action="store_true", help="put table and chart into docs/benchmarks.md")
    options = parser.parse_args()
    options.tada = options.tada.resolve()
    head = ["| work | measured | bar | |", "|---|---|---|---|"]
    print(*head, sep="\n")
    rows = []
    with tempfile.TemporaryDirectory(prefix="tada-bench-") as name:
        folder = pathlib.Path(name)
        people = folder / "people.csv"
        timed([options.tada, "demo", "--write", people, "--rows", options.rows])
        for part in options.only.split(","):
            for row in parts[part](options, folder, people):
                rows.append(row)
                print(row.text(), flush=True)
    if options.write:
        before, rest = PAGE.read_text().split(BEGIN)
        table = "\n".join([*head, *(row.text() for row in rows)])
        PAGE.write_text(f"{before}{BEGIN}\n{table}\n\n![Each figure as a share of its bar](benchmarks.svg)\n{END}{rest.split(END)[1]}")
        CHART.write_text(chart(rows))


if __name__ == "__main__":
    main()

"""Measures tada.spark on the table of `tada demo --write`: seconds by stage, what travels, the most memory that driver and executors have at once; and
the program on one machine, on the same Parquet files.

    .venv-spark/bin/python bench/spark/run.py --rows 1000000                      # local-cluster[2,1,2048]
    .venv-spark/bin/python bench/spark/run.py --rows 20000000 --one-machine 2GB   # and `tada anonymize --memory 2GB`
    .venv-spark/bin/python bench/spark/run.py --table folder/                     # on a table of these columns that is there already
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "python" / "src")]
QUASI = ["age", "sex", "zip", "education", "marital", "job", "hours"]
PLANS = {
    "mondrian": dict(sensitive="diagnosis", k=10, l=2),
    "infogain": dict(method="infogain", label="readmitted", sensitive="diagnosis", k=10, l=2),
    "regression": dict(method="regression", label="income", sensitive="diagnosis", k=10, l=2),
    "ta_da": dict(method="ta_da", label="readmitted", sensitive="diagnosis", k=10, l=2),
}


def make(spark, rows, parts, folder):
    """Spark reads what the program made up, and writes it as a folder of Parquet files for both."""
    subprocess.run([str(ROOT / "build" / "tada"), "demo", "--write", str(folder / "table.csv"), "--rows", str(rows), "--quiet"], check=True)
    header = "id age sex zip education marital job hours income diagnosis readmitted"
    types = ", ".join(f"{name} {'int' if name in ('age', 'hours', 'income') else 'string'}" for name in header.split())
    table = spark.read.csv(str(folder / "table.csv"), header=True, schema=types)
    table.drop("id").repartition(parts).write.parquet(str(folder / "table"))
    (folder / "table.csv").unlink()


class Watch:
    """The most memory that this process and all below it have at once, and the largest Python worker, once a second."""

    def __init__(self):
        self.most = self.worker = 0
        self.used = 0.0  # seconds of the processor for looking, which are no part of the run
        self.stopped = threading.Event()
        threading.Thread(target=self.look, daemon=True).start()

    def look(self):
        while not self.stopped.wait(1):
            total = 0
            for process in below(os.getpid()):
                try:
                    resident = memory(process)
                    command = pathlib.Path(f"/proc/{process}/cmdline").read_bytes()
                except (OSError, StopIteration):
                    continue
                total += resident
                if b"pyspark.daemon" in command:
                    self.worker = max(self.worker, resident)
            self.most = max(self.most, total)
            self.used = time.thread_time()


def memory(process):
    """Proportional, so that pages that forked workers share count once; in MB."""
    lines = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("Pss:")).split()[1]) // 1024


def cpu():
    """Seconds of the processors that this process and all below it have used: what a busy machine does not change much."""
    ticks = 0
    for process in below(os.getpid()):
        try:
            fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        ticks += sum(int(fields[i]) for i in (11, 12, 13, 14))
    return ticks / os.sysconf("SC_CLK_TCK")


def below(process):
    found, queue = [], [process]
    while queue:
        current = queue.pop()
        found.append(current)
        for task in pathlib.Path(f"/proc/{current}/task").glob("*/children"):
            try:
                queue += [int(child) for child in task.read_text().split()]
            except OSError:
                continue
    return found


def measure(spark, frame, arguments, folder, plan):
    from shuffled import Shuffled

    import tada.spark

    watch = Watch()
    moved, began, used = Shuffled(spark, lambda: cpu() - watch.used), time.monotonic(), cpu()
    (folder / "scratch").mkdir(exist_ok=True)
    options = dict(local_rows=arguments.local_rows, scratch=str(folder / "scratch"), progress=moved.listen, quasi=QUASI, cells="text", **plan)
    with tada.spark.anonymize(frame, **options) as release:
        moved.listen("write elsewhere", 0, 0, "")
        release.write(folder / "release", force=True)
        seconds = time.monotonic() - began
        watch.stopped.set()
        return {
            "seconds": round(seconds, 1),
            "cpu": round(cpu() - watch.used - used, 1),
            "stages": moved.by_stage(),
            "levels": moved.levels,
            "memory_mb": watch.most,
            "worker_mb": watch.worker,
            "reached": release.report["reached"],
            "ncp": release.report["loss"]["ncp"],
        }


def one_machine(table, folder, limit, plan):
    """The program with --memory ("all": without) on the same rows; its files are removed again."""
    command = [str(ROOT / "build" / "tada"), "anonymize", str(table), "-o", str(folder / "one.parquet"), "--force", "--json", "--quiet"]
    command += ["--quasi", ",".join(QUASI), "--cells", "text", *([] if limit == "all" else ["--memory", limit])]
    for name, value in plan.items():
        command += [f"-{name}" if len(name) == 1 else f"--{name}", str(value)]
    began = time.monotonic()
    result = subprocess.run(["/usr/bin/time", "-f", "%M %U %S", *command], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    most, user, system = result.stderr.split()[-3:]
    (folder / "one.parquet").unlink()
    return {"memory": limit, "seconds": round(time.monotonic() - began, 1), "cpu": round(float(user) + float(system), 1), "memory_mb": int(most) // 1024}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--table", type=pathlib.Path, help="a folder of Parquet files with the rows, instead of --rows")
    parser.add_argument("--plan", default="mondrian", help=f"of {', '.join(PLANS)}; several with commas")
    parser.add_argument("--master", default="local-cluster[2,1,2048]")
    parser.add_argument("--executor", default="1500m", help="memory of an executor's JVM")
    parser.add_argument("--local-rows", type=int, default=1_000_000)
    parser.add_argument("--partitions", type=int, default=16)
    parser.add_argument("--runs", type=int, default=1, help="further runs have a warm session")
    parser.add_argument("--folder", help="where the table and scratch files go; by default a temporary folder")
    parser.add_argument("--one-machine", metavar="MEMORY", help="also run the program with --memory on the same rows; 'all': with all it wants")
    arguments = parser.parse_args()
    from spark_session import start

    folder = pathlib.Path(tempfile.mkdtemp(prefix="tada-bench-", dir=arguments.folder))
    try:
        settings = {"spark.sql.shuffle.partitions": str(arguments.partitions), "spark.executor.memory": arguments.executor}
        began = time.monotonic()
        spark = start(arguments.master, folder, **settings)
        print(json.dumps({"master": arguments.master, "start_seconds": round(time.monotonic() - began, 1)}), flush=True)
        if arguments.table is None:
            make(spark, arguments.rows, arguments.partitions, folder)
        table = arguments.table or folder / "table"
        frame = spark.read.parquet(str(table))
        for name in arguments.plan.split(","):
            for _ in range(arguments.runs):
                print(json.dumps({"plan": name, **measure(spark, frame, arguments, folder, PLANS[name])}), flush=True)
        spark.stop()
        for name in arguments.plan.split(",") if arguments.one_machine else []:
            print(json.dumps({"plan": name, "one machine": one_machine(table, folder, arguments.one_machine, PLANS[name])}), flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()

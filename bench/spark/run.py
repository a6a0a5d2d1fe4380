"""Measures tada.spark: seconds by stage and the most memory that driver and executors have at once, on a made-up table, beside the program on one machine.

    .venv-spark/bin/python bench/spark/run.py --rows 1000000                      # local-cluster[2,1,2048]
    .venv-spark/bin/python bench/spark/run.py --rows 20000000 --one-machine 2GB   # and `tada anonymize --memory 2GB` on the same rows
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


def make(spark, rows, parts, path):
    """People whose columns follow from their number, so that every run has the same rows."""
    from pyspark.sql import functions as F

    def drawn(salt, values):
        return F.pmod(F.xxhash64(F.col("id"), F.lit(salt)), F.lit(values)).cast("int")

    age = 18 + (drawn("a", 37) + drawn("b", 37)).cast("int")
    columns = {
        "age": age,
        "sex": F.element_at(F.array(F.lit("f"), F.lit("m")), drawn("s", 2) + 1),
        "zip": F.format_string("%05d", drawn("z", 97) * drawn("y", 97)),
        "education": F.concat(F.lit("e"), F.least(drawn("e", 16), drawn("f", 16)).cast("string")),
        "marital": F.concat(F.lit("m"), drawn("m", 6).cast("string")),
        "job": F.concat(F.lit("j"), (drawn("j", 12) + F.floor(age / 30)).cast("string")),
        "hours": 20 + F.least(drawn("h", 50), drawn("i", 70)),
        "diagnosis": F.concat(F.lit("d"), F.least(drawn("d", 40), drawn("g", 60)).cast("string")),
    }
    spark.range(0, rows, 1, parts).select(*[column.alias(name) for name, column in columns.items()]).write.mode("overwrite").parquet(path)


class Watch:
    """The most memory that this process and all below it have at once, and the largest Python worker, once a second."""

    def __init__(self):
        self.most = self.worker = 0
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


def memory(process):
    """Proportional, so that pages that forked workers share count once; in MB."""
    lines = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("Pss:")).split()[1]) // 1024


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--master", default="local-cluster[2,1,2048]")
    parser.add_argument("--local-rows", type=int, default=1_000_000)
    parser.add_argument("--partitions", type=int, default=16)
    parser.add_argument("--folder", help="where the table and scratch files go; by default a temporary folder")
    parser.add_argument("--one-machine", metavar="MEMORY", help="also run the program with --memory, on the same rows")
    arguments = parser.parse_args()
    import tada.spark
    from spark_session import start

    folder = pathlib.Path(tempfile.mkdtemp(prefix="tada-bench-", dir=arguments.folder))
    try:
        settings = {"spark.sql.shuffle.partitions": str(arguments.partitions), "spark.executor.memory": "1500m"}
        spark = start(arguments.master, folder, **settings)
        make(spark, arguments.rows, arguments.partitions, str(folder / "table"))
        watch, began = Watch(), time.monotonic()
        plan = dict(quasi=QUASI, sensitive="diagnosis", k=10, l=2, cells="text")
        frame = spark.read.parquet(str(folder / "table"))
        (folder / "scratch").mkdir()
        release = tada.spark.anonymize(frame, local_rows=arguments.local_rows, scratch=str(folder / "scratch"), **plan)
        release.write(folder / "release")
        seconds = time.monotonic() - began
        watch.stopped.set()
        report = release.report
        found = {
            "rows": arguments.rows,
            "master": arguments.master,
            "seconds": round(seconds, 1),
            "stages": report["seconds"],
            "memory_mb": watch.most,
            "worker_mb": watch.worker,
            "reached": report["reached"],
            "ncp": report["loss"]["ncp"],
        }
        print(json.dumps(found, indent=1))
        release.close()
        spark.stop()
        if arguments.one_machine:
            one_machine(folder, arguments.one_machine)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def one_machine(folder, limit):
    import pyarrow.parquet as pq

    with pq.ParquetWriter(folder / "table.parquet", pq.read_schema(next((folder / "table").glob("*.parquet")))) as writer:
        for file in sorted((folder / "table").glob("*.parquet")):
            writer.write_table(pq.read_table(file).cast(writer.schema))
    command = [str(ROOT / "build" / "tada"), "anonymize", str(folder / "table.parquet"), "-o", str(folder / "one.parquet")]
    command += ["--quasi", ",".join(QUASI), "--sensitive", "diagnosis", "-k", "10", "-l", "2", "--cells", "text", "--memory", limit, "--json", "--quiet"]
    began = time.monotonic()
    result = subprocess.run(["/usr/bin/time", "-f", "%M", *command], capture_output=True, text=True)
    most = int(result.stderr.split()[-1]) // 1024
    found = {"one machine": limit, "seconds": round(time.monotonic() - began, 1), "memory_mb": most, "code": result.returncode}
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()

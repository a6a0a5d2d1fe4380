#!/usr/bin/env python3
"""Measures dop and compact on the public tables: DBSCAN beside scikit-learn's in one run, and the loss that each effort reaches.

    .venv/bin/pip install scikit-learn
    .venv/bin/python bench/dop/run.py --tada build/tada --data ../shared/data [--efforts 5,7] [--only dbscan|dop|compact]

DBSCAN: both get the same eps and min_points and must find the same number of clusters and of noise rows before times are
compared; ours is the report's "dbscan" stage, which includes scaling and collapsing equal rows, theirs is fit() alone. The
release is audited by tada as always; figures come from its report.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import tempfile
import time

TABLES = {
    "bank": (
        "bank/bank-full.csv",
        ";",
        ["age:numeric", "job", "marital", "education", "balance:numeric"],
        "y",
        {(2, 2): 0.0058, (5, 2): 0.0064, (10, 2): 0.0084},
    ),
    "heart": ("heart/cleveland.csv", ",", ["trestbps:numeric", "chol:numeric", "cp:categorical"], "target", {(2, 2): 0.0415, (5, 2): 0.0650, (10, 2): 0.1150}),
    "student": (
        "student/student-por.csv",
        ";",
        [f"{c}:numeric" for c in ("age", "Medu", "Fedu", "traveltime", "studytime")],
        "G3",
        {(2, 2): 0.0225, (5, 2): 0.0810, (10, 2): 0.1550},
    ),
    "adult": (
        "adult/adult_train_complete.csv",
        ",",
        ["age:numeric", "workclass", "education-num:numeric", "marital-status", "occupation", "race", "sex", "native-country"],
        "income",
        {(10, 1): 0.0350, (10, 2): 0.0490},
    ),
    "bank7": (
        "bank/bank-full.csv",
        ";",
        ["age:numeric", "job", "marital", "education", "balance:numeric", "housing", "loan"],
        "default",
        {(10, 1): 0.0092, (10, 2): 0.0350},
    ),
}
PAPER_DOP = {"bank": (0.3659, 0.2790, 0.3744), "heart": (0.1683, 0.2718, 0.3652), "student": (0.0416, 0.1226, 0.2075)}


def release(args, table: str, k: int, l: int, method: str, options: list[str]) -> tuple[dict, float]:
    """Runs tada; its report and the seconds it took."""
    path, delimiter, quasi, sensitive, _ = TABLES[table]
    with tempfile.TemporaryDirectory() as folder:
        command = [
            args.tada,
            "anonymize",
            str(args.data / path),
            "-o",
            f"{folder}/out.csv",
            "--report",
            f"{folder}/report.json",
            "--quasi",
            ",".join(quasi),
            "--sensitive",
            sensitive,
            "-k",
            str(k),
            "-l",
            str(l),
            "--delimiter",
            delimiter,
            "--method",
            method,
            "--quiet",
            "--report-raw",
            *options,
        ]
        if args.threads:
            command += ["--threads", str(args.threads)]
        start = time.perf_counter()
        subprocess.run(command, check=True)
        seconds = time.perf_counter() - start
        return json.loads(pathlib.Path(f"{folder}/report.json").read_text(encoding="utf-8")), seconds


def scaled_points(args, table: str):
    """The quasi-identifiers as dop sees them: ordinals for names, each column in [0, 1], uniform weights."""
    import numpy as np

    path, delimiter, quasi, _, _ = TABLES[table]
    with (args.data / path).open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter=delimiter))
    columns = []
    for name in quasi:
        numeric, name = name.endswith(":numeric"), name.split(":")[0]
        texts = [row[name] for row in rows]
        order = {text: i for i, text in enumerate(sorted(set(texts)))}
        x = np.array([float(t) if numeric else order[t] for t in texts])
        columns.append((x - x.min()) / (x.max() - x.min()) * np.sqrt(1 / len(quasi)))
    return np.column_stack(columns)


def compare_dbscan(args) -> None:
    from sklearn.cluster import DBSCAN

    print("\n## DBSCAN beside scikit-learn\n")
    print("| table | eps | min points | clusters | noise | ours, s | scikit-learn, s | times faster |\n|---|---|---|---|---|---|---|---|")
    for table in ("bank", "heart", "student"):
        first, _ = release(args, table, 2, 2, "dop", [])
        eps, min_points = first["dbscan"]["eps"], first["dbscan"]["min_points"]
        report, _ = release(args, table, 2, 2, "dop", ["--eps", repr(eps), "--min-points", str(min_points)])
        points = scaled_points(args, table)
        start = time.perf_counter()
        labels = DBSCAN(eps=eps, min_samples=min_points, n_jobs=args.threads or -1).fit(points).labels_
        theirs = time.perf_counter() - start
        ours, found = report["seconds"]["dbscan"], report["dbscan"]
        clusters, noise = labels.max() + 1, int((labels == -1).sum())
        agree = clusters == found["clusters"] and noise == found["noise_rows"]
        print(
            f"| {table} | {eps:.6g} | {min_points} | {found['clusters']} | {found['noise_rows']} | {ours:.3f} | {theirs:.3f} | "
            f"{theirs / ours:.1f} |" + ("" if agree else f" DISAGREES: {clusters} clusters, {noise} noise |")
        )


def loss_of_dop(args) -> None:
    print("\n## dop\n\n| table | k,l | NCP | paper's DOP | NCP, --cost lil --no-density | seconds, optimal Mondrian |\n|---|---|---|---|---|---|")
    for table, paper in PAPER_DOP.items():
        for (k, l), theirs in zip(((2, 2), (5, 2), (10, 2)), paper, strict=True):
            report, _ = release(args, table, k, l, "dop", [])
            lil, _ = release(args, table, k, l, "dop", ["--cost", "lil", "--no-density"])
            print(
                f"| {table} | {k},{l} | {report['loss']['ncp']:.4f} | {theirs:.4f} | {lil['loss']['ncp']:.4f} | {report['seconds']['optimal_mondrian']:.3f} |"
            )


def loss_of_compact(args) -> None:
    print("\n## compact\n\n| table | k,l | effort | NCP before | NCP | bar | groups | seconds |\n|---|---|---|---|---|---|---|---|")
    for table, (*_, bars) in TABLES.items():
        for (k, l), bar in bars.items():
            for effort in args.efforts:
                report, _ = release(args, table, k, l, "compact", ["--effort", str(effort)])
                print(
                    f"| {table} | {k},{l} | {effort} | {report['compact']['ncp_before']:.4f} | {report['loss']['ncp']:.4f} | {bar:.4f} | "
                    f"{report['reached']['groups']} | {report['seconds']['compact']:.2f} |",
                    flush=True,
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tada", default="build/tada")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--efforts", type=lambda text: [int(e) for e in text.split(",")], default=[5])
    parser.add_argument("--threads", type=int, default=0, help="0: all cores, for both")
    parser.add_argument("--only", choices=["dbscan", "dop", "compact"])
    args = parser.parse_args()
    for name, part in (("dbscan", compare_dbscan), ("dop", loss_of_dop), ("compact", loss_of_compact)):
        if args.only in (None, name):
            part(args)


if __name__ == "__main__":
    main()

"""How notebooks show verdicts and releases: the verdict, what it cost, how large the classes are, some rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    cells = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def verdict_html(found: dict[str, Any]) -> str:
    """The verdict, asked and reached, every problem and every note."""
    asked = found["requirement"]
    word = "FAILED" if not found["passed"] else "passed" if found["verified"] else "not verified"
    open_questions = [f"Not verified: {item}" for item in found["unverified"]]
    items = [str(problem) for problem in found["problems"]] + open_questions + [f"Note: {note}" for note in found["notes"]]
    words = "".join(f"<li>{escape(item)}</li>" for item in items)
    rows = [("k", asked["k"], found["k"])]
    if found["l"] is not None:
        rows.append(("l", asked["l"], found["l"]))
    return f"<div><p><b>Audit {word}</b>: {found['rows']} rows</p>{_table(['', 'asked', 'reached'], rows)}<ul>{words}</ul></div>"


def _sizes(sizes: Iterable[tuple[int, int]]) -> list[tuple[str, int]]:
    """Classes by size, in steps that double."""
    bins: dict[int, int] = {}
    for size, count in sizes:
        step = max(0, int(size).bit_length() - 1)
        bins[step] = bins.get(step, 0) + count
    return [(f"{1 << step} to {(2 << step) - 1}" if step else "1", count) for step, count in sorted(bins.items())]


def release_html(report: dict[str, Any], verdict: dict[str, Any], sample: list[list[str]]) -> str:
    """The verdict, the loss of each column, the sizes of the classes and some released rows."""
    loss = [(name, f"{value:.4f}") for name, value in report["loss"].get("per_column", {}).items()]
    sizes = [(size, count) for size, count in verdict["class_sizes"]]
    leaves = report["loss"].get("ncp_leaves")
    by_leaves = "" if leaves is None else f", by leaves of hierarchies {leaves:.4f}"
    ncp = report["loss"]["ncp"]
    lost = "numbers are means, names the most frequent" if ncp is None else f"information loss (NCP) {ncp:.4f}{by_leaves}"
    parts = [
        verdict_html(verdict),
        f"<p>Method {escape(report['method'])}; {lost}</p>",
        _table(["column", "NCP"], loss) if loss else "",
        _table(["rows in a class", "classes"], _sizes(sizes)) if sizes else "",
        _table(sample[0], sample[1:6]) if sample else "",
    ]
    return "".join(parts)

"""Random small releases for comparing auditors: with masked rows, intervals, sets and awkward texts, with and without the table that they
were made from, true ones and ones that are broken on purpose. The same seed and number give the same release.
"""

import csv
import dataclasses
import io
import pathlib
import random
import unicodedata
from decimal import Decimal, InvalidOperation

MISSING = ["", "?"]
MISSING_WORDS = ["", "?", ".", "-", "--", "na", "n/a", "n.a.", "#n/a", "#na", "<na>", "nan", "nat", "null", "nil", "missing"]
NAMES = ["a", "b", "c", "a b", "x,y", "é", 'q"q', "back\\slash", "{", "semi;colon", "?", ""]
NUMBERS = ["1", "2", "3", "10", "2.50", "2.5", "-4", "007", "7", "1e1", "", "?"]
DAYS = ["2024-01-31", "2024-02-29", "2023-12-01", "1999-05-05", ""]
DISEASES = ["flu", "Flu", " FLU", "cold", "asthma", "cancer", "a,b", 'say "x"', "ü", "U\u0308", "fl\u200bu", "ﬂu", "N/A", "nan", "?", ""]
RESULTS = ["7", "007", "7.0", "8", "-1", "1e1", "10", "", "?"]


@dataclasses.dataclass
class Case:
    """A release with what is asked of it, and the files that an auditor needs."""

    name: str
    text: str
    quasi: list[str]
    sensitive: list[str]
    k: int
    l: int
    delimiter: str = ","
    original: str | None = None
    keep: list[str] = dataclasses.field(default_factory=list)
    folds: list[tuple[str, str, str]] = dataclasses.field(default_factory=list)
    missing_counts: bool = True
    tell_tada: bool = False  # whether tada has --missing-counts; one that has not counts a missing value

    def write(self, folder: pathlib.Path):
        (folder / f"{self.name}.csv").write_bytes(self.text.encode())
        if self.original is not None:
            (folder / f"{self.name}_original.csv").write_bytes(self.original.encode())
        if self.folds:
            (folder / f"{self.name}_fold.csv").write_text(csv_text([["column", "value", "canonical"], *map(list, self.folds)], ",", "\n"), encoding="utf-8")

    def _shared(self) -> list[str]:
        arguments = [f"{self.name}.csv", "--quasi", ",".join(self.quasi), "-k", str(self.k), "-l", str(self.l), "--delimiter", self.delimiter]
        if self.sensitive:
            arguments += ["--sensitive", ",".join(self.sensitive)]
        if self.original is not None:
            arguments += ["--original", f"{self.name}_original.csv", "--keep-order"]
        return arguments

    def tada_arguments(self) -> list[str]:
        arguments = self._shared()
        if self.keep:
            arguments += ["--keep", ",".join(self.keep)]
        return [*arguments, "--missing-counts"] if self.tell_tada and self.missing_counts else arguments

    def verify_arguments(self) -> list[str]:
        arguments = self._shared()
        if self.folds:
            arguments += ["--fold", f"{self.name}_fold.csv"]
        return [*arguments, "--missing-counts"] if self.missing_counts else arguments


def csv_text(rows: list[list[str]], delimiter: str, line_end: str) -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator=line_end)
    writer.writerows(rows)
    return out.getvalue()


def number_of(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def quoted_set(elements: list[str]) -> str:
    def element(text: str) -> str:
        if text == "" or text != text.strip() or any(character in text for character in ',{}"\\;~'):
            return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
        return text

    return "{" + ",".join(map(element, sorted(set(elements)))) + "}"


def number_cell(draw: random.Random, values: list[str]) -> str:
    """One cell for values of a column of numbers or days; a true one, mostly."""
    present = [value for value in values if value not in MISSING]
    if len(set(values)) == 1 and draw.random() < 0.8:
        return values[0]
    if len(present) < len(values):
        return draw.choice(["*", quoted_set(values)]) if present == [] or draw.random() < 0.9 else f"[{present[0]},{present[-1]}]"
    ordered = sorted(present, key=lambda text: number_of(text) if number_of(text) is not None else text)
    low, high = ordered[0], ordered[-1]
    if draw.random() < 0.1:  # broken: the last value may lie outside
        high = ordered[len(ordered) // 2]
    form = draw.choice(["[{},{}]", "[{},{}]", "[{} , {}]", "{}..{}", "[{},{}[", "{} to {}", "({},{}]", "*", "set", "at_least"])
    if form == "set":
        return quoted_set(present)
    if form == "at_least":
        return f">={low}"
    return form.format(low, high)


def name_cell(draw: random.Random, values: list[str]) -> str:
    if len(set(values)) == 1 and draw.random() < 0.9:
        return values[0]
    elements = sorted(set(values))
    if draw.random() < 0.1:  # broken: one of them is not there
        elements.remove(draw.choice(elements))
    return draw.choice([quoted_set(elements), quoted_set(elements), "*"]) if elements else "*"


def fold_of(column: str, texts: list[str]) -> list[tuple[str, str, str]]:
    """Texts that are one value: by Python's own Unicode tables, which neither auditor has."""
    first: dict[str | Decimal, str] = {}
    pairs = []
    for text in sorted({text for text in texts if text not in MISSING}):
        canonical = first.setdefault(canonical_form(text), text)
        if canonical_form(text) in MISSING_WORDS:
            pairs.append((column, text, ""))
        elif canonical != text:
            pairs.append((column, text, canonical))
    return pairs


def canonical_form(text: str) -> str | Decimal:
    shown = "".join(character for character in text if unicodedata.category(character) != "Cf")
    form = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", shown).casefold()).strip()
    number = None if form in MISSING_WORDS else number_of(form)
    return form if number is None else number


def damage(draw: random.Random, text: str, delimiter: str) -> str:
    """A file that neither auditor may read."""
    lines = text.split("\n")
    way = draw.randrange(3)
    if way == 0:
        return text + "one" + delimiter * (lines[0].count(delimiter) + 1) + "\n"
    if way == 1:
        return lines[0] + delimiter + lines[0].split(delimiter)[0] + "\n"
    return text + '"never closed\n'


def random_case(seed: int, number: int, tell_tada: bool) -> Case:
    draw = random.Random(f"{seed}/{number}")
    rows = draw.choice([0, 1, 2, 3, 5, 8, 12, 20]) if draw.random() < 0.6 else draw.randint(2, 30)
    delimiter = draw.choice([",", ",", ",", ";", "|"])
    with_original = draw.random() < 0.5 and rows > 0
    kinds = [draw.choice([NAMES, NUMBERS, DAYS]) for _ in range(draw.randint(1, 3))]
    pools = [draw.sample(kind, draw.randint(1, min(4, len(kind)))) for kind in kinds]
    raw = [[draw.choice(pool) for pool in pools] for _ in range(rows)]
    for at, kind in enumerate(kinds):
        # Without a value there is nothing to tell whether a column is one of numbers.
        if rows and kind is not NAMES and all(row[at] in MISSING for row in raw):
            raw[0][at] = kind[0]
    groups = [draw.randrange(max(1, draw.choice([1, rows // 2, rows // 3]))) for _ in range(rows)]
    released: list[list[str]] = [[] for _ in range(rows)]
    for at, kind in enumerate(kinds):
        cell_of = {}
        for group in sorted(set(groups)):
            values = [raw[row][at] for row in range(rows) if groups[row] == group]
            cell_of[group] = "*" if draw.random() < 0.1 else (name_cell if kind is NAMES else number_cell)(draw, values)
        for row in range(rows):
            released[row].append(cell_of[groups[row]])
    for group in sorted(set(groups)):
        if draw.random() < 0.1:  # masked rows
            for row in range(rows):
                if groups[row] == group:
                    released[row] = ["*"] * len(kinds)
    sensitive_kinds = [draw.choice([DISEASES, RESULTS]) for _ in range(draw.choice([0, 1, 1, 2]))]
    sensitive_pools = [draw.sample(kind, draw.randint(1, 5)) for kind in sensitive_kinds]
    values = [[draw.choice(pool) for pool in sensitive_pools] for _ in range(rows)]
    keep = ["kept"] if draw.random() < 0.3 else []
    kept = [[draw.choice(["x", "y", "007", "7"])] if keep else [] for _ in range(rows)]
    quasi = [f"q{at}" for at in range(len(kinds))]
    sensitive = [f"s{at}" for at in range(len(sensitive_kinds))]
    header = [*quasi, *sensitive, *keep]
    line_end = draw.choice(["\n", "\n", "\r\n"])
    table = [[*released[row], *values[row], *kept[row]] for row in range(rows)]
    original = None
    if with_original:
        original = csv_text([header, *([*raw[row], *values[row], *kept[row]] for row in range(rows))], delimiter, line_end)
        if draw.random() < 0.1 and (keep or sensitive):  # broken: a value that must not change
            table[0][-1] = "changed" if keep else table[-1][-1]
    text = csv_text([header, *table], delimiter, line_end)
    if draw.random() < 0.02:
        text = damage(draw, text, delimiter)
    if draw.random() < 0.01:
        quasi = [*quasi, "nowhere"]
    folds = [pair for at, name in enumerate(sensitive) for pair in fold_of(name, [row[at] for row in values])]
    # A tada that does not know the option counts a missing value, always.
    missing_counts = draw.random() < 0.5 if tell_tada else True
    k = draw.choice([1, 1, 2, 2, 3, 4])
    l = draw.choice([1, 1, 2, 3]) if sensitive or draw.random() < 0.05 else 1
    return Case(f"t{number}", text, quasi, sensitive, k, l, delimiter, original, keep, folds, missing_counts, tell_tada)

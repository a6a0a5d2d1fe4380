"""An own reading of released cells, for tests: what docs/formats.md says, and nothing of the program's code."""

import collections
from fractions import Fraction


def parse_set(text: str) -> list[str]:
    """The elements of `{a,"b,c",""}`."""
    assert text[0] == "{" and text[-1] == "}", text
    elements, word, quoted, position = [], "", False, 1
    while position < len(text) - 1:
        character = text[position]
        if character == '"':
            assert word == "" and not quoted, text
            quoted = True
            position += 1
            while text[position] != '"':
                if text[position] == "\\":
                    position += 1
                word += text[position]
                position += 1
        elif character == ",":
            elements.append(word)
            word, quoted = "", False
        else:
            assert not quoted and character not in '{}\\"', text
            word += character
        position += 1
    elements.append(word)
    return elements


def covers(cell: str, value: str, numeric: bool, missing=("", "?")) -> bool:
    """Whether a released cell stands for an original value among others."""
    if cell in ("*", value):
        return True
    if value in missing and cell in missing:
        return True
    if cell.startswith("[") and numeric:
        low, high = cell[1:-1].split(",")
        return value not in missing and Fraction(low) <= Fraction(value) <= Fraction(high)
    if cell.startswith("{"):
        elements = parse_set(cell)
        return value in elements or (value in missing and "" in elements)
    return False


def classes(rows: list[dict], quasi: list[str]) -> dict[tuple, list[dict]]:
    found = collections.defaultdict(list)
    for row in rows:
        found[tuple(row[column] for column in quasi)].append(row)
    return found


def reached(rows: list[dict], quasi: list[str], sensitive: str | None = None) -> tuple[int, int]:
    """The k and the distinct l that released rows have."""
    groups = classes(rows, quasi).values()
    k = min(len(group) for group in groups)
    l = min(len({row[sensitive] for row in group}) for group in groups) if sensitive else 0
    return k, l

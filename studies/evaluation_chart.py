"""Puts panels of several reports of `tada evaluate` into one picture: the report's own drawing, in its light colours.

    .venv/bin/python studies/evaluation_chart.py "tree against k, l=2" out.svg Bank=bank.html Nursery=nursery.html ...
"""

import re
import sys


def light_style(page):
    """The rules of the charts with the colours that the page has by day."""
    style = page[page.index("<style>") : page.index("</style>")]
    colours = {}
    for name, value in re.findall(r"(--c\w+):\s*([^;}]+)", style):
        colours.setdefault(name, value.strip())  # the first is the light one
    rules = re.findall(r"(?:\.chart|\.c[a-z]+\d*)\{[^}]*\}", style)
    return re.sub(r"var\((--c\w+)\)", lambda match: colours[match.group(1)], "\n".join(rules))


def main():
    wanted, out, *reports = sys.argv[1:]
    parts, top, style = [], 0, ""
    for title, path in (argument.split("=", 1) for argument in reports):
        with open(path, encoding="utf-8") as file:
            page = file.read()
        style = style or light_style(page)
        chart = next(svg for svg in re.findall(r'<svg class="chart".*?</svg>', page, re.S) if wanted in svg.split(">", 1)[0])
        width, height = map(int, re.search(r'viewBox="0 0 (\d+) (\d+)"', chart).groups())
        parts.append(f'<text x="16" y="{top + 22}" font-size="15" font-weight="bold">{title}</text>')
        parts.append(chart.replace("<svg ", f'<svg x="0" y="{top + 30}" width="{width}" height="{height}" ', 1))
        top += height + 40
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top}" font-family="sans-serif" font-size="12">'
    with open(out, "w", encoding="utf-8") as file:
        file.write(f'{head}\n<style>{style}</style>\n<rect width="{width}" height="{top}" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n")


if __name__ == "__main__":
    main()

"""What the studies of a trade-off share: their command line, a run of the program, and a chart of one figure against another."""

import argparse
import json
import math
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def arguments(description, seeds):
    """A parser with the options that all of them have."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(os.environ.get("TADA_DATA", ROOT / ".." / "shared" / "data")))
    parser.add_argument("--tada", type=pathlib.Path, default=ROOT / "build" / "tada")
    parser.add_argument("--seeds", type=int, default=seeds)
    return parser


def run(*command) -> dict:
    """What a command of the program with --json prints."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return json.loads(done.stdout)


class Axis:
    """Values placed between two ends, with ticks at the multiples of 1 / `steps`. `room`: what is left free above the largest, in steps."""

    def __init__(self, values, steps, begin, end, room=0.0):
        self.steps, self.begin, self.end = steps, begin, end
        self.low, self.high = math.floor(steps * min(values)) / steps, math.ceil(steps * max(values) + room) / steps

    def __call__(self, value):
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)

    def ticks(self):
        return [tick / self.steps for tick in range(round(self.steps * self.low), round(self.steps * self.high) + 1)]


class Chart:
    """Lines and points over two axes, which `x` and `y` are: `(values, steps, words of a tick)`; `names` are theirs."""

    WIDTH, HEIGHT, LEFT, BOTTOM, RIGHT, TOP = 720, 420, 70, 60, 30, 40

    def __init__(self, title, x, y, names, room=0.4):
        self.x = Axis(*x[:2], self.LEFT, self.WIDTH - self.RIGHT, room)
        self.y = Axis(*y[:2], self.HEIGHT - self.BOTTOM, self.TOP)
        self.series = 0
        self.parts = [f"<title>{title}</title>", f'<rect width="{self.WIDTH}" height="{self.HEIGHT}" fill="white"/>']
        for tick in self.x.ticks():
            self.text(self.x(tick), self.HEIGHT - self.BOTTOM + 18, x[2](tick), 'text-anchor="middle"')
        for tick in self.y.ticks():
            self.level(tick, 'stroke="#ddd"')
            self.text(self.LEFT - 8, self.y(tick) + 4, y[2](tick), 'text-anchor="end"')
        middle = (self.HEIGHT - self.BOTTOM) // 2
        self.text((self.LEFT + self.WIDTH) // 2, self.HEIGHT - 16, names[0], 'text-anchor="middle"')
        self.text(18, middle, names[1], f'text-anchor="middle" transform="rotate(-90 18 {middle})"')

    def text(self, x, y, words, style=""):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" {style}>{words}</text>')

    def level(self, value, style):
        """A line across."""
        y = f"{self.y(value):.1f}"
        self.parts.append(f'<line x1="{self.LEFT}" x2="{self.WIDTH - self.RIGHT}" y1="{y}" y2="{y}" {style}/>')

    def name(self, words, colour):
        """The next name above the lines."""
        self.text(self.LEFT + 14 + 110 * self.series, 24, words, f'fill="{colour}" font-weight="bold"')
        self.series += 1

    def line(self, points, colour):
        places = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2"/>')

    def point(self, x, y, words, colour, *, fill=None, half=0.0, below=0, left=False):
        """`half`: the half width of its interval; `below`: how far its words stand below their usual place; `left`: they end at the point."""
        x, top, bottom, y = self.x(x), self.y(y + half), self.y(y - half), self.y(y)
        if half:
            self.parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top:.1f}" y2="{bottom:.1f}" stroke="{colour}" opacity=".5"/>')
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill or colour}" stroke="{colour}"/>')
        self.text(x + (-8 if left else 6), y - 6 + below, words, f'fill="{colour}"' + (' text-anchor="end"' if left else ""))

    def save(self, path):
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.WIDTH} {self.HEIGHT}" font-family="sans-serif" font-size="12" role="img">'
        path.write_text("\n".join([head, *self.parts, "</svg>"]) + "\n")

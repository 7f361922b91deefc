"""What the measuring scripts share: running a command, and drawing curves as SVG."""

import math
import os


def run(command):
    """The exit code, CPU seconds and peak megabytes; standard output is thrown away."""
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execv(command[0], command)
    _, status, usage = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6


STYLE = """
  text { font: 12px sans-serif; fill: #333 }
  .title { font-weight: bold }
  .grid { stroke: #ddd; stroke-width: 1 }
  .linear { stroke: #888; stroke-width: 1; stroke-dasharray: 4 4 }
  .note { fill: #777 }
  path { fill: none; stroke-width: 2 }
  .c0 { stroke: #1f6fb4; fill: #1f6fb4 } .c1 { stroke: #c2570c; fill: #c2570c } .c2 { stroke: #2a8a3e; fill: #2a8a3e }
  .c3 { stroke: #8a4fbf; fill: #8a4fbf } .c4 { stroke: #a08000; fill: #a08000 }
  text.c0, text.c1, text.c2, text.c3, text.c4 { stroke: none }
  path.c0, path.c1, path.c2, path.c3, path.c4 { fill: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd } .note { fill: #999 } .grid { stroke: #444 }
    .c0 { stroke: #6cb6ff; fill: #6cb6ff } .c1 { stroke: #f0a050; fill: #f0a050 } .c2 { stroke: #6bd08a; fill: #6bd08a }
    .c3 { stroke: #c59bf0; fill: #c59bf0 } .c4 { stroke: #d8c050; fill: #d8c050 }
  }
"""


class Panel:
    """One quantity (`field`) against another (`against`), both logarithmic."""

    WIDTH, HEIGHT = 330, 260

    def __init__(self, left, top, curves, field, against="transactions"):
        self.left, self.top, self.curves, self.field, self.against = left, top, curves, field, against
        points = [row for rows in curves.values() for row in rows]
        self.xs = self.bounds([row[self.against] for row in points])
        self.ys = self.bounds([row[field] for row in points])

    @staticmethod
    def bounds(numbers):
        return math.log10(min(numbers)) - 0.08, math.log10(max(numbers)) + 0.15

    def x(self, number):
        return self.left + (math.log10(number) - self.xs[0]) / (self.xs[1] - self.xs[0]) * self.WIDTH

    def y(self, number):
        return self.top + self.HEIGHT - (math.log10(number) - self.ys[0]) / (self.ys[1] - self.ys[0]) * self.HEIGHT

    @staticmethod
    def ticks(low, high):
        for exponent in range(math.floor(low), math.ceil(high) + 1):
            for digit in (1, 2, 5):
                if low <= math.log10(digit * 10.0**exponent) <= high:
                    yield digit * 10.0**exponent

    def draw(self, title):
        out = [f'<text class="title" x="{self.left}" y="{self.top - 12}">{title}</text>']
        for tick in self.ticks(*self.xs):
            x = self.x(tick)
            out.append(f'<line class="grid" x1="{x:.1f}" y1="{self.top}" x2="{x:.1f}" y2="{self.top + self.HEIGHT}"/>')
            out.append(f'<text x="{x:.1f}" y="{self.top + self.HEIGHT + 18}" text-anchor="middle">{label(tick)}</text>')
        for tick in self.ticks(*self.ys):
            y = self.y(tick)
            out.append(f'<line class="grid" x1="{self.left}" y1="{y:.1f}" x2="{self.left + self.WIDTH}" y2="{y:.1f}"/>')
            out.append(f'<text x="{self.left - 6}" y="{y + 4:.1f}" text-anchor="end">{label(tick)}</text>')
        for number, rows in enumerate(self.curves.values()):
            out += self.linear(rows[0]) if number == 0 else []
            places = [(self.x(row[self.against]), self.y(row[self.field])) for row in rows]
            path = " L ".join(f"{x:.1f} {y:.1f}" for x, y in places)
            out.append(f'<path class="c{number % 5}" d="M {path}"/>')
            out += [f'<circle class="c{number % 5}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in places]
        return out

    def linear(self, first):
        """From the first point on: twice as much for twice as many."""
        growth = min(self.xs[1] - math.log10(first[self.against]), self.ys[1] - math.log10(first[self.field]))
        x, y = first[self.against] * 10**growth, first[self.field] * 10**growth
        return [f'<line class="linear" x1="{self.x(first[self.against]):.1f}" y1="{self.y(first[self.field]):.1f}" '
                f'x2="{self.x(x):.1f}" y2="{self.y(y):.1f}"/>']


def label(number):
    if number >= 1e6:
        return f"{number / 1e6:g}M"
    return f"{number / 1e3:g}k" if number >= 1e4 else f"{number:g}"

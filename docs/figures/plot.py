#!/usr/bin/env python3
"""Draws docs/figures/*.json as bars, an .svg beside each. The figures in them are those of tests/bench/README.md.

    python3 docs/figures/plot.py [--check]

--check draws nothing, and ends with status 1 where a picture is not what its figures give.
"""
import html
import json
import math
import pathlib
import sys

WIDTH, LEFT, RIGHT, BAR, GAP, TOP = 760, 230, 90, 18, 14, 58
COLOURS = ["#2f6b8f", "#d98b3a", "#7a9a5c", "#9a5c86"]


def text(x, y, words, size=13, anchor="start", extra=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"{extra}>'
            f"{html.escape(str(words))}</text>")


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:g}"


def draw(figure):
    series, names = figure["series"], figure["names"]
    values = [value for one in series for value in one["values"] if value is not None]
    most = max(values)
    log = figure.get("scale") == "log"
    least = 10 ** math.floor(math.log10(min(values)) - 0.3) if log else 0

    def length(value):
        share = math.log(value / least) / math.log(most / least) if log else value / most
        return share * (WIDTH - LEFT - RIGHT)

    rows = []
    y = TOP
    for place, name in enumerate(names):
        shown = [(i, one["values"][place]) for i, one in enumerate(series) if one["values"][place] is not None]
        rows.append(text(LEFT - 8, y + BAR * len(shown) / 2 + 5, name, anchor="end"))
        for i, value in shown:
            rows.append(f'<rect x="{LEFT}" y="{y}" width="{length(value):.1f}" height="{BAR - 3}" fill="{COLOURS[i]}"/>')
            rows.append(text(LEFT + length(value) + 5, y + BAR - 6, number(value), 12))
            y += BAR
        y += GAP
    legend, x = [], LEFT
    if len(series) > 1:
        for i, one in enumerate(series):
            legend.append(f'<rect x="{x}" y="36" width="11" height="11" fill="{COLOURS[i]}"/>')
            legend.append(text(x + 16, 46, one["name"], 12))
            x += 34 + 7 * len(one["name"])
    unit = figure["unit"] + (", logarithmic" if log else "")
    height = y + 24
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="sans-serif" fill="#222">',
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        text(12, 22, figure["title"], 15, extra=' font-weight="bold"'), *legend, *rows,
        text(LEFT, y + 10, unit, 12), "</svg>", ""])


def main():
    folder = pathlib.Path(__file__).resolve().parent
    check = sys.argv[1:] == ["--check"]
    wrong = 0
    for source in sorted(folder.glob("*.json")):
        picture = draw(json.loads(source.read_text()))
        target = source.with_suffix(".svg")
        if not check:
            target.write_text(picture)
        elif not target.exists() or target.read_text() != picture:
            print(f"{target.name} is not what {source.name} gives: run docs/figures/plot.py", file=sys.stderr)
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())

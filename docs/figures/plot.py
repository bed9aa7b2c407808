#!/usr/bin/env python3
"""Draws docs/figures/*.json as bars or curves, an .svg beside each. The figures are those of tests/bench/README.md.

    python3 docs/figures/plot.py [--check] [FOLDER]

FOLDER: the folder of the .json files [docs/figures]. --check draws nothing, and ends with status 1 if a picture is
not the one that its figures give.
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


PANEL, PANEL_GAP, PANEL_HEIGHT, AXIS = 300, 36, 280, 46


def ticks_of(least, most):
    """Ticks 1, 2 and 5 times a power of ten from `least` to `most`."""
    powers = range(math.floor(math.log10(least)), math.ceil(math.log10(most)) + 1)
    return [m * 10 ** p for p in powers for m in (1, 2, 5) if least <= m * 10 ** p <= most]


def panel_of(panel, left, top, x_range, most):
    """One panel: x on a logarithmic scale, y on a square root scale, which has a place for 0."""
    def x(value):
        return left + PANEL * math.log(value / x_range[0]) / math.log(x_range[1] / x_range[0])

    def y(value):
        return top + PANEL_HEIGHT * (1 - math.sqrt(value / most))

    parts = [f'<rect x="{left}" y="{top}" width="{PANEL}" height="{PANEL_HEIGHT}" fill="none" stroke="#999"/>',
             text(left + PANEL / 2, top - 8, panel["name"], 13, "middle")]
    for tick in ticks_of(*x_range):
        parts += [f'<line x1="{x(tick):.1f}" y1="{top}" x2="{x(tick):.1f}" y2="{top + PANEL_HEIGHT}" stroke="#eee"/>',
                  text(x(tick), top + PANEL_HEIGHT + 15, number(tick), 11, "middle")]
    for tick in [0, *ticks_of(0.5, most)]:
        parts += [f'<line x1="{left}" y1="{y(tick):.1f}" x2="{left + PANEL}" y2="{y(tick):.1f}" stroke="#eee"/>',
                  text(left - 5, y(tick) + 4, number(tick), 11, "end")]
    for i, curve in enumerate(panel["curves"]):
        places = " ".join(f'{x(point["x"]):.1f},{y(point["line"]):.1f}' for point in curve["points"])
        parts.append(f'<polyline points="{places}" fill="none" stroke="{COLOURS[i]}" stroke-width="1.5"/>')
        for point in curve["points"]:
            at = x(point["x"])
            parts += [f'<circle cx="{at:.1f}" cy="{y(point["line"]):.1f}" r="2.5" fill="{COLOURS[i]}"/>',
                      f'<circle cx="{at:.1f}" cy="{y(point["mark"]):.1f}" r="5" fill="none" stroke="{COLOURS[i]}"/>',
                      text(at + 6, y(point["line"]) - 6, point["name"], 10)]
    return parts


def draw_curves(figure):
    """Panels side by side with the same axes. A curve has a line with dots, and a ring for each second value."""
    points = [point for panel in figure["panels"] for curve in panel["curves"] for point in curve["points"]]
    xs = [point["x"] for point in points]
    x_range = (min(xs) / 1.15, max(xs) * 1.25)
    most = 1.1 * max(max(point["line"], point["mark"]) for point in points)
    width = AXIS + len(figure["panels"]) * (PANEL + PANEL_GAP)
    top, height = 88, 88 + PANEL_HEIGHT + 62
    parts = [text(12, 22, figure["title"], 15, extra=' font-weight="bold"')]
    at = AXIS
    for i, curve in enumerate(figure["panels"][0]["curves"]):
        parts += [f'<rect x="{at}" y="36" width="11" height="11" fill="{COLOURS[i]}"/>',
                  text(at + 16, 46, curve["name"], 12)]
        at += 34 + 7 * len(curve["name"])
    parts.append(text(AXIS, 64, figure["marks"], 12))
    for i, panel in enumerate(figure["panels"]):
        parts += panel_of(panel, AXIS + i * (PANEL + PANEL_GAP), top, x_range, most)
    parts += [text(AXIS, height - 28, figure["x"] + ", logarithmic", 12),
              text(AXIS, height - 10, figure["y"] + ", square root scale", 12)]
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" fill="#222">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>', *parts, "</svg>", ""])


def main():
    arguments = sys.argv[1:]
    check = "--check" in arguments
    folders = [argument for argument in arguments if argument != "--check"]
    folder = pathlib.Path(folders[0]) if folders else pathlib.Path(__file__).resolve().parent
    wrong = 0
    for source in sorted(folder.glob("*.json")):
        figure = json.loads(source.read_text())
        picture = draw_curves(figure) if "panels" in figure else draw(figure)
        target = source.with_suffix(".svg")
        if not check:
            target.write_text(picture)
        elif not target.exists() or target.read_text() != picture:
            print(f"{target.name} is not what {source.name} gives: run docs/figures/plot.py", file=sys.stderr)
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())

"""The report's drawings: SVG that takes its colours and fonts from the page around it.

A drawing is made with placeholder colours, which are then replaced by the colours of the page: it
is as readable on a dark page as on a light one. Text stays text, in any script. The same data gives
the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import math
import re
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Outline
from matplotlib.ticker import NullLocator
from numpy.typing import NDArray

from pipeline.judge.figures import short

INK, MUTED, GRID, MARK, WARN = "#fe0001", "#fe0002", "#fe0003", "#fe0004", "#fe0005"
PAGE_COLOURS = {
    INK: "var(--ink)",
    MUTED: "var(--muted)",
    GRID: "var(--rule)",
    MARK: "var(--mark)",
    WARN: "var(--warn)",
}
WIDTH = 4.2
"""In inches: wide enough for a column on a desktop, and letters stay legible on a phone."""

SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "wordkin",
    "path.simplify": False,  # it would drop the points of a scatter plot as empty lines
    "font.size": 9,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 10,
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
}


def draw(height: float, paint: Callable[[Axes], None]) -> str:
    """An SVG of the standard width, with what `paint` draws on its axes."""
    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        axes = figure.add_subplot()
        axes.set_axisbelow(True)
        paint(axes)
        file = io.StringIO()
        metadata = {"Date": None, "Creator": None, "Format": None, "Type": None}
        with warnings.catch_warnings():
            # matplotlib only measures the letters with its font; the fonts of the page draw them.
            warnings.filterwarnings("ignore", message="Glyph .* missing from font")
            figure.savefig(file, format="svg", transparent=True, metadata=metadata)
    return _for_the_page(file.getvalue())


def _for_the_page(svg: str) -> str:
    """The drawing alone, with the colours of the page, and coordinates with two decimals."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r' (width|height)="[\d.]+pt"', "", svg, count=2)
    svg = re.sub(r"(\d\.\d\d)\d+", r"\1", svg)
    for placeholder, colour in PAGE_COLOURS.items():
        svg = svg.replace(placeholder, colour)
    # Ids must differ from those of the other drawings on the page.
    tag = "d" + hashlib.sha256(svg.encode()).hexdigest()[:8]
    return re.sub(r'(id="|url\(#|href="#)', rf"\g<1>{tag}-", svg).strip()


def intervals(
    title: str,
    rows: Sequence[tuple[str, float, float, float]],
    published: Sequence[float],
    lowest: float,
) -> str:
    """Correlations with their intervals, one row per measure; ticks below: published figures."""

    def paint(axes: Axes) -> None:
        for at, (_, value, low, high) in enumerate(rows):
            axes.plot([low, high], [at, at], color=MARK, linewidth=2, alpha=0.5)
            axes.plot([value], [at], "o", color=MARK, markersize=5)
            axes.annotate(
                short(value), (value, at), (0, 5), textcoords="offset points", ha="center", size=8
            )
        names = [row[0] for row in rows]
        if published:
            axes.plot(published, [len(rows)] * len(published), "|", color=MUTED, markersize=8)
            names.append("published")
        axes.set(title=title, xlim=(lowest, 1.0), yticks=range(len(names)))
        axes.set_yticklabels(names)
        axes.set_ylim(len(names) - 0.5, -0.8)
        axes.xaxis.set_major_formatter(lambda value, _: short(value, 1))
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)

    return draw(0.75 + 0.3 * (len(rows) + bool(published)), paint)


def scatter(
    title: str,
    gold: NDArray[np.float64],
    scores: NDArray[np.float64],
    worst: Sequence[int],
    labels: tuple[str, str],
) -> str:
    """Scores against people's ratings; the `worst` pairs have the numbers 1, 2, ..."""

    def paint(axes: Axes) -> None:
        axes.scatter(gold, scores, s=0)  # sets the limits of the axes
        _points(axes, gold, scores)
        for number, at in enumerate(worst, start=1):
            place = (gold[at], scores[at])
            axes.plot(*place, "o", markersize=6, fillstyle="none", color=WARN, markeredgewidth=1)
            axes.annotate(
                str(number), place, (5, 2), textcoords="offset points", size=8, color=WARN
            )
        axes.set(title=title, xlabel=labels[0], ylabel=labels[1])
        axes.grid()

    return draw(3.2, paint)


def _points(axes: Axes, x: NDArray[np.float64], y: NDArray[np.float64]) -> None:
    """Points as lines of length 0 with round ends: a tenth of the bytes of circles."""
    corners = np.repeat(np.column_stack([x, y]), 2, axis=0)
    codes = np.tile([Outline.MOVETO, Outline.LINETO], len(x)).astype(Outline.code_type)
    points = PathPatch(
        Outline(corners, codes),
        fill=False, edgecolor=MARK, linewidth=3, capstyle="round",
        alpha=float(np.clip(15 / np.sqrt(max(len(x), 1)), 0.28, 0.8)),
    )  # fmt: skip
    axes.add_patch(points)


def histogram(title: str, values: NDArray[np.float32]) -> str:
    """The distribution of a measure's values; the share of pairs is on a logarithmic axis."""

    def paint(axes: Axes) -> None:
        counts, edges = np.histogram(values.astype(np.float64), bins=40)
        axes.stairs(counts / max(len(values), 1), edges, fill=True, color=MARK, alpha=0.75)
        axes.set(title=title, xlabel="relatedness", ylabel="share of pairs", yscale="log")
        _name_powers(axes.yaxis)
        axes.grid(axis="y")

    return draw(2.4, paint)


def reliability(said: Sequence[float], seen: Sequence[float]) -> str:
    """How often people pick a card, by the chance that the guesser gives it."""

    def paint(axes: Axes) -> None:
        most = max([*said, *seen]) * 1.05
        axes.plot([0, most], [0, most], color=MUTED, linewidth=1, linestyle=(0, (3, 3)))
        axes.plot(said, seen, "o-", color=MARK, linewidth=1.8, markersize=5)
        axes.set(xlabel="chance by the measure human", ylabel="share of people who pick it")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda value, _: f"{value:.0%}")
        axes.grid()

    return draw(2.8, paint)


_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _name_powers(axis: Axis) -> None:
    """Label powers of ten as plain text: matplotlib's own formulas are slow to set."""
    axis.set_major_formatter(
        lambda value, _: "10" + str(round(math.log10(value))).translate(_SUPERSCRIPTS)
    )
    axis.set_minor_locator(NullLocator())


def growth(title: str, tokens: Sequence[int], points: Sequence[tuple[float, float, float]]) -> str:
    """A correlation (value, low, high) by number of tokens."""

    def paint(axes: Axes) -> None:
        values, lows, highs = zip(*points, strict=True)
        axes.fill_between(tokens, lows, highs, color=MARK, alpha=0.2, linewidth=0)
        axes.plot(tokens, values, "o-", color=MARK, linewidth=1.8, markersize=5)
        for x, value in zip(tokens, values, strict=True):
            axes.annotate(
                short(value), (x, value), (0, 6), textcoords="offset points", ha="center", size=8
            )
        axes.set(title=title, xlabel="million tokens", ylabel="Spearman", xscale="log")
        axes.minorticks_off()
        axes.set_xticks(tokens, [f"{count / 1e6:.3g}" for count in tokens])
        axes.yaxis.set_major_formatter(lambda value, _: short(value, 2))
        axes.margins(x=0.08, y=0.15)
        axes.grid()

    return draw(2.4, paint)

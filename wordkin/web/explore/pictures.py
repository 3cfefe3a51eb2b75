"""Pictures as data: where the words and lines of a map or a path are. Templates draw them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from wordkin.tables import display_width
from wordkin.web.explore.layout import distances, fit, place, separate

LETTER, LINE, PADDING = 8.4, 26.0, 16.0
"""The width of a letter, the height of a label, and the space left and right of its text."""

LONGEST = 18
"""Letters of a label on a path; longer words are cut."""

PATH_WIDTH, STEP, SIDE = 400.0, 92.0, 4
SHADES = 4
"""How many shades of labels a map has, from the most to the least related."""


@dataclass(frozen=True)
class Label:
    """A word at a place: its middle, its size, and how strongly it is drawn (1 is strongest)."""

    word: str
    shown: str
    x: float
    y: float
    width: float
    shade: int

    @property
    def left(self) -> float:
        """The left side of the label."""
        return round(self.x - self.width / 2, 1)

    @property
    def top(self) -> float:
        """The upper side of the label."""
        return round(self.y - LINE / 2, 1)


@dataclass(frozen=True)
class Step:
    """Two neighbouring words of a path: how related they are, and how often they met if known."""

    a: str
    b: str
    value: float
    count: float | None = None


@dataclass(frozen=True)
class Line:
    """A line between two places; of a path, with its step."""

    x1: float
    y1: float
    x2: float
    y2: float
    step: Step | None = None
    faint: bool = False

    @property
    def middle(self) -> tuple[float, float]:
        """Where the numbers of the step are."""
        return round((self.x1 + self.x2) / 2, 1), round((self.y1 + self.y2) / 2, 1)


@dataclass(frozen=True)
class Picture:
    """Labels and lines within a rectangle."""

    left: float
    top: float
    width: float
    height: float
    labels: tuple[Label, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Canvas:
    """The size that a map should have, and how many neighbours it shows."""

    words: int
    width: float
    height: float


WIDE = Canvas(40, 860, 560)
TALL = Canvas(18, 330, 460)
"""A map for screens, and one for phones."""


def map_of(words: Sequence[str], relatedness: NDArray[np.floating], canvas: Canvas) -> Picture:
    """A map of a word and its neighbours.

    Parameters
    ----------
    words : sequence of str
        The word in the middle, then its neighbours, most related first.
    relatedness : array, (n, n)
        The relatedness of all these words to each other.
    canvas : Canvas
        The size. Where labels need more room, the map is larger.
    """
    sizes = np.array([(_width(word), LINE) for word in words])
    inner = (canvas.width - sizes[:, 0].max(), canvas.height - LINE)
    spots = separate(fit(place(distances(relatedness)), *inner), sizes)
    labels = tuple(
        Label(word, word, _round(x), _round(y), float(size[0]), _shade(at, len(words)))
        for at, (word, (x, y), size) in enumerate(zip(words, spots, sizes, strict=True))
    )
    # Each word is tied to the most related one among those closer to the middle: a tree.
    parents = [int(relatedness[at, :at].argmax()) for at in range(1, len(words))]
    lines = tuple(
        Line(labels[at].x, labels[at].y, labels[parent].x, labels[parent].y)
        for at, parent in enumerate(parents, start=1)
    )
    low, high = (spots - sizes / 2).min(axis=0) - 4, (spots + sizes / 2).max(axis=0) + 4
    left, top = _round(low[0]), _round(low[1])
    return Picture(left, top, _round(high[0] - left), _round(high[1] - top), labels, lines)


def network_of(steps: Sequence[Step], between: Sequence[str]) -> Picture:
    """The shortest path from top to bottom, and at its sides words that are related to both ends.

    Parameters
    ----------
    steps : sequence of Step
        The steps of the path.
    between : sequence of str
        Words between the two ends; those on the path are left out.
    """
    words = [steps[0].a, *(step.b for step in steps)]
    height = max(STEP, 2 * STEP / len(steps))
    spots = [(PATH_WIDTH / 2, LINE / 2 + 4 + at * height) for at in range(len(words))]
    ends = {0, len(words) - 1}
    labels = [
        _label(word, x, y, 1 if at in ends else 2)
        for at, (word, (x, y)) in enumerate(zip(words, spots, strict=True))
    ]
    lines = [
        Line(*first, *second, step)
        for (first, second), step in zip(pairwise(spots), steps, strict=True)
    ]
    beside = [word for word in between if word not in words][:SIDE]
    bottom = spots[-1][1]
    faint = []
    for at, word in enumerate(beside):
        row, rows = at // 2 + 1, (len(beside) + 1) // 2
        y = _round(spots[0][1] + (bottom - spots[0][1]) * row / (rows + 1))
        width = _width(_cut(word))
        x = _round(width / 2 + 4 if at % 2 == 0 else PATH_WIDTH - width / 2 - 4)
        labels.append(_label(word, x, y, 4))
        faint += [Line(x, y, *spots[0], faint=True), Line(x, y, *spots[-1], faint=True)]
    return Picture(0, 0, PATH_WIDTH, _round(bottom + LINE / 2 + 4), tuple(labels), (*faint, *lines))


def _label(word: str, x: float, y: float, shade: int) -> Label:
    shown = _cut(word)
    return Label(word, shown, _round(x), _round(y), _width(shown), shade)


def _cut(word: str) -> str:
    return word if len(word) <= LONGEST else f"{word[: LONGEST - 1]}…"


def _width(word: str) -> float:
    return _round(display_width(word) * LETTER + PADDING)


def _shade(at: int, count: int) -> int:
    return 0 if at == 0 else 1 + (at - 1) * SHADES // max(1, count - 1)


def _round(value: float) -> float:
    return round(float(value), 1)

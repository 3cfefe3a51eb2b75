"""Pictures as data: where the words and lines of a map or a path are. Templates draw them.

On a map, words that are more related lie closer, and labels do not overlap. The same relatedness
gives the same map.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from wordkin.tables import display_width

Points = NDArray[np.float64]

LETTER, LINE, PADDING = 8.4, 26.0, 16.0
"""The width of a letter, the height of a label, and the space left and right of its text."""

LONGEST = 18
"""Letters of a label on a path; longer words are cut."""

PATH_WIDTH, STEP, SIDE = 400.0, 92.0, 4
"""The width of a path, the height of a step, and how many words are at its sides."""

SHADES = 4
"""How many shades of labels a map has, from the most to the least related."""

NEAREST, FARTHEST = 0.2, 1.0
"""The distances between the most and the least related words, before they are scaled."""

CENTRE_WEIGHT = 6.0
"""How much more the distances from the first word count than all others."""

ROUNDS, ROUNDS_PER_SCALE, GROWTH = 80, 60, 1.12
"""Rounds of placing; of moving labels apart before the map grows; and by how much it grows."""


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


WIDE, TALL = Canvas(40, 860, 560), Canvas(18, 330, 460)
"""A map for screens, and one for phones."""


def map_of(words: Sequence[str], relatedness: NDArray[np.floating], canvas: Canvas) -> Picture:
    """A map of a word and its neighbours, most related first, by their relatedness to each other.

    Where labels need more room than the canvas has, the map is larger.
    """
    sizes = np.array([(_width(word), LINE) for word in words])
    inner = np.array([canvas.width, canvas.height]) - sizes.max(axis=0)
    points = place(distances(relatedness))
    farthest = np.abs(points).max(axis=0)
    spots = separate(points * (inner / 2 / np.where(farthest > 1e-9, farthest, 1.0)), sizes)
    labels = tuple(
        _label(word, x, y, 0 if at == 0 else 1 + (at - 1) * SHADES // max(1, len(words) - 1))
        for at, (word, (x, y)) in enumerate(zip(words, spots, strict=True))
    )
    # Each word is tied to the most related one among those closer to the middle: a tree.
    parents = [int(relatedness[at, :at].argmax()) for at in range(1, len(words))]
    lines = tuple(
        Line(labels[at].x, labels[at].y, labels[parent].x, labels[parent].y)
        for at, parent in enumerate(parents, start=1)
    )
    low, high = (spots - sizes / 2).min(axis=0) - 4, (spots + sizes / 2).max(axis=0) + 4
    left, top, width, height = map(_round, (*low, *(high - low)))
    return Picture(left, top, width, height, labels, lines)


def distances(relatedness: NDArray[np.floating]) -> Points:
    """Distances by the ranks of relatedness, from `NEAREST` to `FARTHEST`.

    Measures have different scales, and some have long tails, so only the order counts. Equal values
    get equal distances.
    """
    count = len(relatedness)
    rows, columns = np.triu_indices(count, 1)
    values, inverse, sizes = np.unique(
        -relatedness[rows, columns], return_inverse=True, return_counts=True
    )
    ranks = (np.cumsum(sizes) - (sizes + 1) / 2) / max(1, len(rows) - 1)
    out = np.zeros((count, count))
    if len(values):
        out[rows, columns] = NEAREST + (FARTHEST - NEAREST) * ranks[inverse]
    return out + out.T


def place(target: Points) -> Points:
    """Places whose distances come close to the given ones, by stress majorization (SMACOF).

    Distances from the first point, which is at 0, 0, count `CENTRE_WEIGHT` times as much as others.
    """
    count = len(target)
    points = _classical(target)
    weights = np.ones((count, count))
    weights[0, :] = weights[:, 0] = CENTRE_WEIGHT
    np.fill_diagonal(weights, 0.0)
    inverse = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
    for _ in range(ROUNDS):
        actual = np.linalg.norm(points[:, None] - points[None], axis=2)
        ratio = np.divide(weights * target, actual, out=np.zeros_like(target), where=actual > 1e-9)
        points = inverse @ ((np.diag(ratio.sum(axis=1)) - ratio) @ points)
    return points - points[0]


def _classical(target: Points) -> Points:
    """Classical scaling, with signs that do not depend on the linear algebra library."""
    count = len(target)
    centering = np.eye(count) - 1.0 / count
    values, vectors = np.linalg.eigh(-0.5 * centering @ target**2 @ centering)
    best = np.zeros((count, 2))
    for axis, at in enumerate(range(count - 1, max(-1, count - 3), -1)):
        column = vectors[:, at] * np.sqrt(max(values[at], 0.0))
        best[:, axis] = column * (-1.0 if column[np.abs(column).argmax()] < 0 else 1.0)
    return best + _nudges(count)


def _nudges(count: int) -> Points:
    """Small steps in all directions: points on one spot would stay there."""
    angles = np.arange(count) * 2.4
    return 1e-3 * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def separate(points: Points, sizes: Points, gap: float = 4.0) -> Points:
    """Move labels apart until none overlaps another; the first one stays where it is.

    `points` are the middles of the labels, `sizes` their widths and heights, and `gap` is the least
    space between two labels.
    """
    points = points + _nudges(len(points))
    needed = (sizes[:, None] + sizes[None]) / 2 + gap
    while True:
        for _ in range(ROUNDS_PER_SCALE):
            points = points - points[0]
            push = _push(points, needed)
            if not push.any():
                return points
            points = points + push
        # Too crowded to sort out in place: everything moves outwards.
        points = points * GROWTH


def _push(points: Points, needed: Points) -> Points:
    """How far each label has to give way to those that it overlaps."""
    apart = points[:, None] - points[None]
    overlap = needed - np.abs(apart)
    least = overlap.min(axis=2)
    np.fill_diagonal(least, 0.0)
    step = np.where(least > 1e-6, least * 0.52, 0.0)
    # Along the axis of the smaller overlap; on the same spot, the later label to the right or down.
    direction = np.where(apart == 0, np.tri(len(points))[..., None] * 2 - 1, np.sign(apart))
    sideways = overlap[..., 0] < overlap[..., 1]
    along = np.stack([sideways, ~sideways], axis=2)
    push: Points = (along * direction * step[..., None]).sum(axis=1)
    return push


def network_of(steps: Sequence[Step], between: Sequence[str]) -> Picture:
    """The shortest path from top to bottom; at its sides, words that are related to both ends."""
    words = [steps[0].a, *(step.b for step in steps)]
    height = max(STEP, 2 * STEP / len(steps))
    spots = [(PATH_WIDTH / 2, LINE / 2 + 4 + at * height) for at in range(len(words))]
    labels = [
        _label(word, x, y, 1 if at in (0, len(steps)) else 2, LONGEST)
        for at, (word, (x, y)) in enumerate(zip(words, spots, strict=True))
    ]
    lines = [
        Line(*first, *second, step)
        for (first, second), step in zip(pairwise(spots), steps, strict=True)
    ]
    beside = [word for word in between if word not in words][:SIDE]
    (_, top), (_, bottom) = spots[0], spots[-1]
    faint = []
    for at, word in enumerate(beside):
        row, rows = at // 2 + 1, (len(beside) + 1) // 2
        label = _label(word, 0, top + (bottom - top) * row / (rows + 1), 4, LONGEST)
        inset = label.width / 2 + 4
        label = replace(label, x=_round(inset if at % 2 == 0 else PATH_WIDTH - inset))
        labels.append(label)
        faint += [Line(label.x, label.y, *end, faint=True) for end in (spots[0], spots[-1])]
    return Picture(0, 0, PATH_WIDTH, _round(bottom + LINE / 2 + 4), tuple(labels), (*faint, *lines))


def _label(word: str, x: float, y: float, shade: int, longest: int | None = None) -> Label:
    shown = word if longest is None or len(word) <= longest else f"{word[: longest - 1]}…"
    return Label(word, shown, _round(x), _round(y), _width(shown), shade)


def _width(shown: str) -> float:
    return _round(display_width(shown) * LETTER + PADDING)


def _round(value: float) -> float:
    return round(float(value), 1)

"""Places on a plane: words that are more related lie closer, and labels do not overlap.

Everything here is deterministic: the same relatedness gives the same map.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

NEAREST, FARTHEST = 0.2, 1.0
"""The distances between the most and the least related words, before they are scaled."""

CENTRE_WEIGHT = 6.0
"""How much more the distances from the first word count than all others."""

ROUNDS = 80
ROUNDS_PER_SCALE = 60
GROWTH = 1.12


def distances(relatedness: NDArray[np.floating]) -> Points:
    """Distances by the ranks of relatedness.

    Measures have different scales, and some have long tails, so only the order counts. Equal values
    get equal distances.

    Parameters
    ----------
    relatedness : array, (n, n)
        Symmetric; the diagonal is not read.

    Returns
    -------
    array of float, (n, n)
        From `NEAREST` to `FARTHEST`, and 0 on the diagonal.
    """
    count = len(relatedness)
    rows, columns = np.triu_indices(count, 1)
    values, inverse, sizes = np.unique(
        -relatedness[rows, columns], return_inverse=True, return_counts=True
    )
    ends = np.cumsum(sizes)
    ranks = (ends - (sizes + 1) / 2) / max(1, len(rows) - 1)
    out = np.zeros((count, count))
    if len(values):
        out[rows, columns] = NEAREST + (FARTHEST - NEAREST) * ranks[inverse]
    return out + out.T


def place(target: Points, centre_weight: float = CENTRE_WEIGHT) -> Points:
    """Places whose distances come close to the given ones, by stress majorization (SMACOF).

    Parameters
    ----------
    target : array of float, (n, n)
        The distances.
    centre_weight : float
        The weight of the distances from the first point; all others have 1.

    Returns
    -------
    array of float, (n, 2)
        The first point is at 0, 0.
    """
    count = len(target)
    points = _classical(target)
    weights = np.ones((count, count))
    weights[0, :] = weights[:, 0] = centre_weight
    np.fill_diagonal(weights, 0.0)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    inverse = np.linalg.pinv(laplacian)
    for _ in range(ROUNDS):
        actual = np.linalg.norm(points[:, None] - points[None], axis=2)
        ratio = np.divide(weights * target, actual, out=np.zeros_like(target), where=actual > 1e-9)
        points = inverse @ ((np.diag(ratio.sum(axis=1)) - ratio) @ points)
    return points - points[0]


def _classical(target: Points) -> Points:
    """Classical scaling, with signs that do not depend on the linear algebra library."""
    count = len(target)
    centering = np.eye(count) - 1.0 / count
    gram = -0.5 * centering @ target**2 @ centering
    values, vectors = np.linalg.eigh(gram)
    best = vectors[:, ::-1][:, :2] * np.sqrt(np.maximum(values[::-1][:2], 0.0))
    if best.shape[1] < 2:
        best = np.hstack([best, np.zeros((count, 2 - best.shape[1]))])
    for axis in range(2):
        column = best[:, axis]
        if column[np.abs(column).argmax()] < 0:
            best[:, axis] = -column
    # Words with the same distances to all others would stay on one spot.
    angles = np.arange(count) * 2.4
    return best + 1e-3 * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def fit(points: Points, width: float, height: float) -> Points:
    """Scale points around the first one, so that they fill a rectangle of this size."""
    farthest = np.abs(points).max(axis=0)
    return points * (np.array([width, height]) / 2 / np.where(farthest > 1e-9, farthest, 1.0))


def separate(points: Points, sizes: Points, gap: float = 4.0) -> Points:
    """Move labels apart until none overlaps another; the first one stays where it is.

    Parameters
    ----------
    points : array of float, (n, 2)
        The middles of the labels.
    sizes : array of float, (n, 2)
        Their widths and heights.
    gap : float
        The least space between two labels.

    Returns
    -------
    array of float, (n, 2)
    """
    points = points + 1e-3 * np.stack(
        [np.cos(np.arange(len(points)) * 2.4), np.sin(np.arange(len(points)) * 2.4)], axis=1
    )
    points -= points[0]
    needed = (sizes[:, None] + sizes[None]) / 2 + gap
    while True:
        for _ in range(ROUNDS_PER_SCALE):
            push = _push(points, needed)
            if push is None:
                return points
            points = points + push
            points -= points[0]
        # Too crowded to sort out in place: everything moves outwards.
        points = points * GROWTH


def _push(points: Points, needed: Points) -> Points | None:
    """How far each label has to give way; None if none overlaps another."""
    apart = points[:, None] - points[None]
    overlap = needed - np.abs(apart)
    both = np.minimum(overlap[..., 0], overlap[..., 1])
    np.fill_diagonal(both, 0.0)
    overlaps = both > 1e-6
    if not overlaps.any():
        return None
    sideways = overlap[..., 0] < overlap[..., 1]
    step = np.where(overlaps, both * 0.52, 0.0)
    direction = np.where(apart >= 0, 1.0, -1.0)
    # Two labels on the same spot: the later one gives way to the right or downwards.
    later = np.arange(len(points))[:, None] > np.arange(len(points))[None]
    direction = np.where(apart == 0, np.where(later, 1.0, -1.0)[..., None], direction)
    horizontal = np.where(sideways, step * direction[..., 0], 0.0).sum(axis=1)
    vertical = np.where(~sideways, step * direction[..., 1], 0.0).sum(axis=1)
    return np.stack([horizontal, vertical], axis=1)

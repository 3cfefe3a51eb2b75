"""What the tests of exports compare with: plain, slow answers of a measure."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from wordkin.bundle import Bundle

CARDS = ["piano", "mouse", "bison", "ice tree"]
MEASURES = ["npmi", "graph", "svd"]


def full_matrix(bundle: Bundle, name: str) -> np.ndarray:
    """The measure as a full matrix."""
    return bundle.measure(name).rows(np.arange(len(bundle.vocabulary)))


def nearest_pairs(values: np.ndarray, top: int) -> dict[tuple[int, int], float]:
    """The pairs in which one word is among the other's nearest, by plain loops."""
    nearest = {}
    for i, row in enumerate(values):
        others = [j for j in range(len(row)) if j != i]
        last = sorted((row[j] for j in others), reverse=True)[: min(top, len(others))][-1]
        for j in others:
            if row[j] > 0 and row[j] >= last:
                nearest[min(i, j), max(i, j)] = float(row[j])
    return nearest


def contents(path: Path) -> list[bytes]:
    """The bytes of a file, or of all files of a folder."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return [file.read_bytes() for file in files]

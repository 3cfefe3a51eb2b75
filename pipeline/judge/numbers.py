"""Figures and lists as the report writes them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

UNDEFINED = "–"


def short(value: float, places: int = 3) -> str:
    """A correlation as people write it: .643."""
    text = f"{value:.{places}f}"
    return re.sub(r"^(-?)0\.", r"\1.", text)


def short_or_dash(value: float | None) -> str:
    """A correlation as people write it, or a dash where it is undefined."""
    return UNDEFINED if value is None or math.isnan(value) else short(value)


def with_interval(value: float, low: float, high: float) -> str:
    """A figure with its interval: .643 (.61 to .67)."""
    if math.isnan(value):
        return UNDEFINED
    return f"{short(value)} ({short(low, 2)} to {short(high, 2)})"


def evenly_spread(count: int, total: int) -> list[int]:
    """Up to `count` places out of `total`, evenly spread, with the first and the last."""
    if not total:
        return []
    return sorted({round(at) for at in np.linspace(0, total - 1, count).tolist()})


def listed(words: Sequence[str], most: int | None = None) -> str:
    """Words with commas between; after `most` of them only the number of the rest."""
    shown = words if most is None else words[:most]
    more = len(words) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")

"""Figures and lists as people read them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np

UNDEFINED = "–"


def short(value: float | None, places: int = 3) -> str:
    """A correlation or a share as people write it: .643; a dash where it is undefined."""
    if value is None or math.isnan(value):
        return UNDEFINED
    return re.sub(r"^(-?)0\.", r"\1.", f"{value:.{places}f}").replace("-", "−")


def with_interval(value: float | None, low: float, high: float) -> str:
    """A figure with its interval, which stays on one line: .643 (.61 to .67)."""
    if value is None or math.isnan(value):
        return UNDEFINED
    return f"{short(value)} ({short(low, 2)}\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}{short(high, 2)})"


def recorded(estimate: Mapping[str, float] | None) -> str:
    """The same of an estimate in a stage's figures."""
    return UNDEFINED if estimate is None else with_interval(**estimate)


def listed(words: Sequence[str], most: int | None = None) -> str:
    """Words with commas between; after `most` of them only the number of the rest."""
    shown = words if most is None else words[:most]
    more = len(words) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


def counted(counts: Mapping[str, int]) -> str:
    """Numbers of things: 3 copies; 17 empty."""
    return "; ".join(f"{count:,} {what}" for what, count in counts.items() if count)


def evenly_spread(count: int, total: int) -> list[int]:
    """Up to `count` places out of `total`, evenly spread, with the first and the last."""
    if not total:
        return []
    return sorted({round(at) for at in np.linspace(0, total - 1, count).tolist()})

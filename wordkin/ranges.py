"""Numbers that options take: click's ranges, with a largest number and no `nan`."""

from __future__ import annotations

import math
from typing import Any

import click

LARGEST = 1_000_000
"""The largest number of things that an option can ask for."""


class Whole(click.IntRange):
    """A whole number from `least` to `most`."""

    name = "number"

    def __init__(self, least: int = 0, most: int = LARGEST) -> None:
        super().__init__(least, most)


class Real(click.FloatRange):
    """A finite number from `least` to `most`; with `above`, greater than `least`."""

    name = "number"

    def __init__(self, least: float, most: float, above: bool = False) -> None:
        super().__init__(least, most, min_open=above)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read the number; click alone would take `nan`, which is in no range."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value} is not a number.", param, ctx)
        return number


SEED = Whole(0, 2**63 - 1)
"""The seed of a random generator."""

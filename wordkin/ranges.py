"""Numbers that options take: types for click that name what they allow.

    @click.option("--count", type=Whole(1, 1000), default=1)

`--count 0`, `--count nan` and `--count 1e99` are refused with the name of the option.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import click

LARGEST = 1_000_000
"""The largest number of things that an option can ask for."""


@dataclass(frozen=True)
class Whole(click.ParamType):
    """A whole number from `least` to `most`."""

    least: int = 0
    most: int = LARGEST
    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the number, or refuse what was given."""
        try:
            number = int(value)
        except ValueError:
            number = self.least - 1
        if not self.least <= number <= self.most:
            allowed = f"a whole number from {self.least} to {self.most}"
            self.fail(f"'{_short(value)}' is not {allowed}.", param, ctx)
        return number


@dataclass(frozen=True)
class Real(click.ParamType):
    """A finite number from `least` to `most`; with `above`, greater than `least`."""

    least: float
    most: float
    above: bool = False
    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read the number, or refuse what was given."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not self.least <= number <= self.most or (self.above and number == self.least):
            start = f"above {self.least:g} and up" if self.above else f"from {self.least:g}"
            self.fail(f"'{_short(value)}' is not a number {start} to {self.most:g}.", param, ctx)
        return number


SEED = Whole(0, 2**63 - 1)
"""The seed of a random generator."""


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:37]}..."

"""Numbers that options take: types for argparse that name what they allow.

    parser.add_argument("--count", type=Whole(1, 1000), default=1)

`--count 0`, `--count nan` and `--count 1e99` are refused with the name of the option.
"""

from __future__ import annotations

import math
from argparse import ArgumentTypeError
from dataclasses import dataclass

LARGEST = 1_000_000
"""The largest number of things that an option can ask for."""


@dataclass(frozen=True)
class Whole:
    """A whole number from `least` to `most`."""

    least: int = 0
    most: int = LARGEST

    def __call__(self, text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = self.least - 1
        if not self.least <= value <= self.most:
            raise ArgumentTypeError(
                f"'{_short(text)}' is not a whole number from {self.least} to {self.most}"
            )
        return value


@dataclass(frozen=True)
class Real:
    """A finite number from `least` to `most`; with `above`, greater than `least`."""

    least: float
    most: float
    above: bool = False

    def __call__(self, text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not self.least <= value <= self.most or (self.above and value == self.least):
            start = f"above {self.least:g} and up" if self.above else f"from {self.least:g}"
            raise ArgumentTypeError(f"'{_short(text)}' is not a number {start} to {self.most:g}")
        return value


SEED = Whole(0, 2**63 - 1)
"""The seed of a random generator."""


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."

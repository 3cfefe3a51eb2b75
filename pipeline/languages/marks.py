"""Marks: what the text says about a token that is lost in lower case.

Capitals and punctuation tell names from words, for the familiarity of words
(`pipeline.words.familiarity`). A token has one byte of marks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CAPITAL = 1
"""The mark of a token that the text writes with a capital letter."""
ALL_CAPITALS = 2
"""The mark of a token of two or more letters that are all capitals."""
ENDS = 4
"""The mark of a token after which a sentence may end."""
OPENS = 8
"""The mark of a token that opens a quotation or a bracket, and perhaps a sentence."""

ENDERS = frozenset(".!?…:;|*=•。！？।؟۔։።")
"""Signs after which a sentence may end."""
OPENERS = frozenset("\"'“”„«»‘’‚‹([{*¿¡–—-•")
"""Signs that open a quotation or a bracket."""
CLOSERS = "\"'“”„«»‘’‚›)]}"
"""Signs that close one, and may follow the end of a sentence."""


def has(marks: NDArray[np.uint8], bits: int) -> NDArray[np.bool_]:
    """Which tokens have any of these marks."""
    return (marks & bits) != 0


def in_running_text(marks: NDArray[np.uint8], lines: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which tokens are where an ordinary word is in lower case.

    That is not where a line, a sentence or a quotation starts. It is not after a word in capitals
    either, which leaves out lines in capitals.
    """
    running = ~has(marks, OPENS)
    running[1:] &= ~has(marks[:-1], ENDS | ALL_CAPITALS)
    running[lines[:-1]] = False
    return running

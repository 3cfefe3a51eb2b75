"""How sure people are when they choose by a measure: the temperature of their choices.

A guesser picks a card with a chance in proportion to exp(s / temperature), where s is the
relatedness of the clue and the card. The temperature is in units of the measure, so measures of
any scale give chances that mean the same.

Where people's picks were recorded, the temperature is fitted to them
(`pipeline.judge.choices.fit_temperature`). Everywhere else a rule gives it: a part of the
typical gap between close words and random words. For a word, the gap is the value of rank 16 among
its relatedness to the 2,048 most frequent words, minus the mean of these values. Ranks are what
makes the rule hold for any measure: a standard deviation depends on the long tail of unrelated
words, and the closest word on a single value.
"""

from __future__ import annotations

import numpy as np

from wordkin.measures.measure import Measure

COMMON_WORDS = 2048
"""The gap is measured among this many most frequent words, or all words if there are fewer."""

RANK = 16
"""The rank of a close word among them; in a smaller vocabulary, the same share of it."""

SAMPLE = 64
"""The number of words whose gaps are averaged."""

RATIO = 0.7
"""The temperature as a part of the gap, fitted to recorded rounds of one language and tested on
another (`research.temperatures`)."""


def rank_temperature(measure: Measure) -> float:
    """The temperature of a measure by the rule, without any recorded picks."""
    gap = typical_gap(measure)
    # A measure to which all words are equally related makes all chances equal anyway.
    return RATIO * gap if gap > 0 else 1.0


def typical_gap(measure: Measure) -> float:
    """How far the close words of a word are above random ones, on average."""
    common = min(COMMON_WORDS, len(measure.vocabulary))
    if common < 2:
        return 0.0
    ids = np.unique(np.linspace(0, common - 1, SAMPLE).astype(np.int64))
    values = measure.rows(ids)[:, :common].astype(np.float64)
    # A word does not pair with itself: its own value is the lowest, and not part of the mean.
    own = (np.arange(len(ids)), ids)
    means = (values.sum(axis=1) - values[own]) / (common - 1)
    values[own] = -np.inf
    rank = max(round(RANK * common / COMMON_WORDS), 1)
    close = np.partition(values, common - rank, axis=1)[:, common - rank]
    return float((close - means).mean())

"""How much a word looks like the other words of its language, by its letters alone.

The model is learned from the words themselves: how often a letter follows the two before it. So it
needs no list of letters, and it knows what is foreign in any alphabet. A word does not vouch for
itself: its own letters are taken out of the counts before it is judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_SMOOTHING = 0.1  # of each count, so that an unseen letter is improbable but not impossible


def strangeness(words: Sequence[str]) -> NDArray[np.float64]:
    """How improbable the letters of each word are, as a standard score over all words.

    0 is the median word. The unit is the distance from the median to the upper quartile.
    """
    bits = letter_bits(words)
    median, quartile = np.quantile(bits, [0.5, 0.75]) if len(bits) else (0.0, 1.0)
    return (bits - median) / max(quartile - median, 0.01)


def letter_bits(words: Sequence[str]) -> NDArray[np.float64]:
    """The mean number of bits that each letter of a word takes, given the two before it."""
    triples = [_triples(word) for word in words]
    after_pair = Counter(triple for of_word in triples for triple in of_word)
    pairs: Counter[str] = Counter()
    for triple, count in after_pair.items():
        pairs[triple[:2]] += count
    letters = len({triple[2] for triple in after_pair})
    return np.array([_mean_bits(of_word, after_pair, pairs, letters) for of_word in triples])


def _triples(word: str) -> list[str]:
    """Each letter with the two before it; spaces stand for the borders of the word."""
    padded = f"  {word} "
    return [padded[at : at + 3] for at in range(len(word) + 1)]


def _mean_bits(
    triples: list[str], after_pair: Counter[str], pairs: Counter[str], letters: int
) -> float:
    own = Counter(triples)
    own_pairs = Counter(triple[:2] for triple in triples)
    bits = 0.0
    for triple in triples:
        seen = after_pair[triple] - own[triple] + _SMOOTHING
        of = pairs[triple[:2]] - own_pairs[triple[:2]] + _SMOOTHING * letters
        bits -= float(np.log2(seen / of))
    return bits / len(triples)

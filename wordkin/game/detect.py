"""DETECT: what dictionary vectors say about a clue, for any measure and scoring function.

The DETECT paper adds to a clue's score λ_F FREQ + λ_D (Σ over the targets of its closeness to them
minus its closeness to the closest bad card), where closeness is the cosine of dictionary vectors
(its eq. 3 and 4). FREQ is `wordkin.game.scoring.frequency`; this is the other term.
"""

from __future__ import annotations

import numpy as np

from wordkin.game.board_view import BoardView
from wordkin.game.scoring import Scores

DICTIONARY = "dict2vec"
"""The measure with dictionary vectors."""


def dictionary_terms(view: BoardView, dictionary: BoardView, most: int) -> Scores:
    """Return the second term of equation 4, without its weight.

    Parameters
    ----------
    view : BoardView
        The relatedness that chooses the targets: for n cards, the n closest of our cards.
    dictionary : BoardView
        The cosines of dictionary vectors, for the same cards and candidates.
    most : int
        The largest number of cards.

    Returns
    -------
    array of shape (most, candidates)
        One row per number of cards, from 1.
    """
    targets = np.argsort(-view.ours, axis=0, kind="stable")[:most]
    closeness = np.take_along_axis(dictionary.ours, targets, axis=0)
    return np.asarray(np.cumsum(closeness, axis=0) - dictionary.closest_bad)

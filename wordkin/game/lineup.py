"""The agents of the papers, with the measures of a bundle.

The papers' agents differ in how they choose clues and in what they know about words. Word vectors
are played by the bundle's own (fastText, or the next kind that it has), co-occurrence by `npmi`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wordkin.game.agents import Player, parse_guesser, parse_spymaster
from wordkin.game.detect import DICTIONARY

VECTORS = ("fasttext", "glove", "svd")
"""The measures that can stand for word vectors, the likest to the papers' first."""

COUNTS = ("npmi",)

WEIGHTS = "rarity=2,definitions=2"
DETECT = f"koyyalagunta:{WEIGHTS}"


class Entrant(NamedTuple):
    """An agent of a paper."""

    paper: str
    player: Player


class _Entry(NamedTuple):
    """A spymaster of the papers: who described it, what it knows, and its style."""

    paper: str
    measures: tuple[str, ...]
    style: str
    needs: tuple[str, ...] = ()
    """Other measures that the bundle must have."""


_SPYMASTERS = (
    # Kim et al. accept distances below 0.3, 0.5 and 0.7; relatedness is 1 minus the distance.
    _Entry("Kim et al. 2019, cautious", VECTORS, "kim:threshold=0.7"),
    _Entry("Kim et al. 2019, medium", VECTORS, "kim:threshold=0.5"),
    _Entry("Kim et al. 2019, bold", VECTORS, "kim:threshold=0.3"),
    _Entry("Jaramillo et al. 2020", VECTORS, "jaramillo"),
    _Entry("Koyyalagunta et al. 2021", VECTORS, "koyyalagunta"),
    _Entry("Koyyalagunta et al. 2021, DETECT's FREQ", VECTORS, "koyyalagunta:rarity=2"),
    _Entry("Koyyalagunta et al. 2021, DETECT", VECTORS, DETECT, (DICTIONARY,)),
    _Entry("Kim et al. 2019 with DETECT", VECTORS, f"kim:threshold=0,{WEIGHTS}", (DICTIONARY,)),
    _Entry("expected-card-difference report", VECTORS, "expected"),
    _Entry("fastText report, centroid search", VECTORS, "centroid"),
    _Entry("method paper, eq. 2", COUNTS, "koyyalagunta"),
    _Entry("method paper, eq. 7", COUNTS, "koyy-restrict"),
    _Entry("method paper, eq. 8", COUNTS, "harmonic"),
    _Entry("method paper, eq. 9", COUNTS, "harmonic-divide"),
)
_GUESSERS = (
    _Entry("Kim et al. 2019", VECTORS, "closest"),
    _Entry("fastText report", VECTORS, "sigmoid"),
    _Entry("method paper", COUNTS, "closest"),
)


def paper_spymasters(measures: Sequence[str]) -> list[Entrant]:
    """Return the spymasters of the papers that can play with these measures.

    Parameters
    ----------
    measures : sequence of str
        The names of the measures of a bundle.

    Returns
    -------
    list of Entrant
        In the order of the papers. One whose measure is missing is left out.
    """
    return [
        Entrant(entry.paper, parse_spymaster(f"{measure}/{entry.style}"))
        for entry in _SPYMASTERS
        if (measure := _first(entry.measures, measures)) and set(entry.needs) <= set(measures)
    ]


def paper_guessers(measures: Sequence[str]) -> list[Entrant]:
    """Return the guessers of the papers that can play with these measures.

    Parameters
    ----------
    measures : sequence of str
        The names of the measures of a bundle.

    Returns
    -------
    list of Entrant
        In the order of the papers. One whose measure is missing is left out.
    """
    return [
        Entrant(entry.paper, parse_guesser(f"{measure}/{entry.style}"))
        for entry in _GUESSERS
        if (measure := _first(entry.measures, measures))
    ]


def _first(wanted: Sequence[str], measures: Sequence[str]) -> str | None:
    return next((name for name in wanted if name in measures), None)

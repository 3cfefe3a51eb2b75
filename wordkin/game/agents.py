"""Agents by name: a measure, a style of play, and settings, as people write them.

`svd`, `svd/expected` and `npmi/kim:threshold=0.3,rarity=2` are spymasters; `svd/softmax` and
`svd/softmax:temperature=0.1` are guessers.

The agents of the papers differ in how they choose clues and in what they know about words. Word
vectors are played by the bundle's own (fastText, or the next kind that it has), co-occurrence by
`npmi`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields, replace
from typing import Any, NamedTuple

from wordkin.bundle import Bundle
from wordkin.errors import InputError
from wordkin.game.guesser import MODELS, Guesser, Habits
from wordkin.game.scoring import SCORING, SCORINGS, Options
from wordkin.game.selection import DICTIONARY
from wordkin.game.spymaster import Spymaster
from wordkin.measures.measure import Measure

MODEL = "closest"
"""The style of guessers that name none."""

RARITY, DEFINITIONS = "rarity", "definitions"


def _numbers(settings: type) -> list[str]:
    """The fields of a dataclass that are numbers, not switches."""
    return [field.name for field in fields(settings) if "float" in str(field.type)]


SPYMASTER_SETTINGS = (*_numbers(Options), RARITY, DEFINITIONS)
GUESSER_SETTINGS = tuple(_numbers(Habits))


class Player(NamedTuple):
    """An agent by name: a measure, a spymaster's scoring function or a guesser's model, settings.

    `str(player)` is the name that people write, such as `svd/expected`.
    """

    measure: str
    style: str
    settings: tuple[tuple[str, float], ...] = ()

    def __str__(self) -> str:
        settings = ",".join(f"{name}={value:g}" for name, value in self.settings)
        return f"{self.measure}/{self.style}" + (f":{settings}" if settings else "")


def parse_spymaster(text: str) -> Player:
    """Parse a spymaster: a measure, /scoring function and :settings unless the defaults."""
    return _parse(text, list(SCORINGS), SCORING, SPYMASTER_SETTINGS)


def parse_guesser(text: str) -> Player:
    """Parse a guesser: a measure, /model and :settings unless the defaults."""
    return _parse(text, list(MODELS), MODEL, GUESSER_SETTINGS)


def _parse(text: str, styles: Sequence[str], default: str, names: Collection[str]) -> Player:
    agent, colon, settings = text.partition(":")
    measure, slash, style = agent.partition("/")
    if not measure or (slash and style not in styles):
        raise InputError(
            f"'{text}' is not a player: write a measure and, after a slash, one of "
            f"{', '.join(styles)}."
        )
    pairs = [_setting(text, part, names) for part in settings.split(",")] if colon else []
    if len(dict(pairs)) < len(pairs):
        raise InputError(f"'{text}' has a setting twice: name it once.")
    return Player(measure, style if slash else default, tuple(pairs))


def _setting(text: str, part: str, names: Iterable[str]) -> tuple[str, float]:
    name, _, number = part.partition("=")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if name not in names or not math.isfinite(value):
        raise InputError(
            f"'{text}' is not a player: after the colon, write settings as name=number with "
            f"{', '.join(names)}."
        )
    return name, value


def make_spymaster(bundle: Bundle, player: Player, measure: Measure | None = None) -> Spymaster:
    """Return the spymaster that a name describes; `measure` is its measure if it is open already.

    Raises
    ------
    UnknownMeasure
        If the bundle has no such measure.
    """
    settings: dict[str, Any] = dict(player.settings)
    rarity, definitions = settings.pop(RARITY, 0.0), settings.pop(DEFINITIONS, 0.0)
    return Spymaster(
        bundle,
        measure or player.measure,
        player.style,
        replace(Options(), **settings),
        rarity,
        definitions=definitions,
    )


def make_guesser(
    bundle: Bundle, player: Player, measure: Measure | None = None, seed: int = 0
) -> Guesser:
    """Return the guesser that a name describes; the seed is for models that pick at random.

    Raises
    ------
    UnknownMeasure
        If the bundle has no such measure.
    """
    habits = replace(Habits(), **dict(player.settings))
    return Guesser(bundle, measure or player.measure, player.style, habits, seed)


class Entrant(NamedTuple):
    """An agent of a paper."""

    paper: str
    player: Player


VECTORS = ("fasttext", "glove", "svd")
"""The measures that can stand for word vectors, the likest to the papers' first."""

COUNTS = ("npmi",)

_WEIGHTS = f"{RARITY}=2,{DEFINITIONS}=2"

_SPYMASTERS = (
    # Kim et al. accept distances below 0.3, 0.5 and 0.7; relatedness is 1 minus the distance.
    ("Kim et al. 2019, cautious", VECTORS, "kim:threshold=0.7"),
    ("Kim et al. 2019, medium", VECTORS, "kim:threshold=0.5"),
    ("Kim et al. 2019, bold", VECTORS, "kim:threshold=0.3"),
    ("Jaramillo et al. 2020", VECTORS, "jaramillo"),
    ("Koyyalagunta et al. 2021", VECTORS, "koyyalagunta"),
    ("Koyyalagunta et al. 2021, DETECT's FREQ", VECTORS, "koyyalagunta:rarity=2"),
    ("Koyyalagunta et al. 2021, DETECT", VECTORS, f"koyyalagunta:{_WEIGHTS}"),
    ("Kim et al. 2019 with DETECT", VECTORS, f"kim:threshold=0,{_WEIGHTS}"),
    ("expected-card-difference report", VECTORS, "expected"),
    ("fastText report, centroid search", VECTORS, "centroid"),
    ("method paper, eq. 2", COUNTS, "koyyalagunta"),
    ("method paper, eq. 7", COUNTS, "koyy-restrict"),
    ("method paper, eq. 8", COUNTS, "harmonic"),
    ("method paper, eq. 9", COUNTS, "harmonic-divide"),
)
_GUESSERS = (
    ("Kim et al. 2019", VECTORS, "closest"),
    ("fastText report", VECTORS, "sigmoid"),
    ("method paper", COUNTS, "closest"),
)
"""The agents of the papers: who described one, the measures that it can play with, its style."""


def paper_spymasters(measures: Sequence[str]) -> list[Entrant]:
    """Return the spymasters of the papers that can play with these measures of a bundle.

    They are in the order of the papers; one whose measure is missing is left out.
    """
    return [
        Entrant(paper, parse_spymaster(f"{measure}/{style}"))
        for paper, candidates, style in _SPYMASTERS
        if (measure := _first(candidates, measures))
        and (DEFINITIONS not in style or DICTIONARY in measures)
    ]


def paper_guessers(measures: Sequence[str]) -> list[Entrant]:
    """Return the guessers of the papers that can play with these measures of a bundle."""
    return [
        Entrant(paper, parse_guesser(f"{measure}/{style}"))
        for paper, candidates, style in _GUESSERS
        if (measure := _first(candidates, measures))
    ]


def _first(wanted: Sequence[str], measures: Sequence[str]) -> str | None:
    return next((name for name in wanted if name in measures), None)

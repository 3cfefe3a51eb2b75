"""Agents by name: a measure, a style of play, and settings, as people write them.

`svd`, `svd/expected` and `npmi/kim:threshold=0.3,rarity=2` are spymasters; `svd/softmax` and
`svd/softmax:temperature=0.1` are guessers.
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
    """Return the spymaster that a name describes.

    Parameters
    ----------
    bundle : Bundle
        The bundle with its measure.
    player : Player
        The name.
    measure : Measure, optional
        The measure if it is open already.

    Returns
    -------
    Spymaster

    Raises
    ------
    UnknownMeasure
        If the bundle has no such measure.
    """
    settings: dict[str, Any] = dict(player.settings)
    rarity, definitions = settings.pop(RARITY, 0.0), settings.pop(DEFINITIONS, 0.0)
    options = replace(Options(), **settings)
    return Spymaster(
        bundle,
        measure or player.measure,
        player.style,
        options,
        rarity,
        definitions=definitions,
    )


def make_guesser(
    bundle: Bundle, player: Player, measure: Measure | None = None, seed: int = 0
) -> Guesser:
    """Return the guesser that a name describes.

    Parameters
    ----------
    bundle, player, measure
        As for `make_spymaster`.
    seed : int
        For the models that pick at random.

    Returns
    -------
    Guesser

    Raises
    ------
    UnknownMeasure
        If the bundle has no such measure.
    """
    habits = replace(Habits(), **dict(player.settings))
    return Guesser(bundle, measure or player.measure, player.style, habits, seed)

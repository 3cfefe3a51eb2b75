"""What can be chosen for a game: the rules, the words, and how the agents play."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from wordkin.bundle import Bundle
from wordkin.errors import InputError, NoBoardWords
from wordkin.game.board import Board, split_words
from wordkin.game.board_view import resolve_cards
from wordkin.game.rules import MOST_CARDS, SOLITAIRE, Rules
from wordkin.game.word_lists import words_to_deal
from wordkin.game.worth import RISKS
from wordkin.web.answers import Refused
from wordkin.web.rooms.agents import STYLE, Style
from wordkin.words import normal

LONGEST_WORD = 40
DEAL_FIELDS = ("first", "second", "neutral", "assassins")
"""The fields of a form with the number of cards of each kind."""


@dataclass(frozen=True)
class GameOptions:
    """What was chosen for the games of a room.

    Attributes
    ----------
    teams : int
        2, or 1 if the other team does not move.
    deal : tuple of int
        The number of cards of the team that begins, of the other one, neutral cards, assassins.
    words : tuple of str
        The words to deal from; empty for our own list.
    style : Style
        How the agents play.
    """

    teams: int = 2
    deal: tuple[int, ...] = Rules.deal
    words: tuple[str, ...] = ()
    style: Style = STYLE

    def as_dict(self) -> dict[str, Any]:
        """Return the options as plain data, for JSON."""
        return {
            "teams": self.teams,
            "deal": list(self.deal),
            "words": list(self.words),
            "style": self.style._asdict(),
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> GameOptions:
        """Return the options from plain data, as `as_dict` makes it."""
        return cls(
            content["teams"],
            tuple(content["deal"]),
            tuple(content["words"]),
            Style(**content["style"]),
        )

    def rules(self, begins: int) -> Rules:
        """The rules of a game that team `begins` begins."""
        if self.teams == 1:
            return Rules(1, self.deal, 0, SOLITAIRE.most_turns)
        return Rules(2, self.deal, begins)

    def deal_board(self, bundle: Bundle, begins: int, seed: int) -> Board:
        """Deal a board; the same seed deals the same one.

        Of our own list, words that the bundle does not know stay out, unless it knows too few.
        """
        words: Sequence[str] = self.words
        if not words:
            known = _known_board_words(bundle)
            words = known if len(known) >= sum(self.deal) else words_to_deal(bundle)
        return self.rules(begins).deal_board(words, seed)


@cache
def _known_board_words(bundle: Bundle) -> tuple[str, ...]:
    return tuple(item.word for item in resolve_cards(bundle, words_to_deal(bundle)))


def parse_options(form: Mapping[str, str], bundle: Bundle) -> GameOptions:
    """The options that a form chooses; fields that are left out have their defaults.

    Raises
    ------
    Refused
        If a choice is not possible, with the sentence that says why.
    """
    teams = 1 if form.get("opponents") == "none" else 2
    default = SOLITAIRE.deal if teams == 1 else Rules.deal
    chosen = [form.get(field, "").strip() for field in DEAL_FIELDS]
    deal = default
    if any(chosen):
        if not all(count.isascii() and count.isdecimal() and len(count) < 4 for count in chosen):
            raise Refused(400, "bad_deal", most=MOST_CARDS)
        deal = tuple(map(int, chosen))
    measure = form.get("measure") or None
    risk = form.get("risk") or STYLE.risk
    if (measure is not None and measure not in bundle.measures) or risk not in RISKS:
        raise Refused(400, "bad_form")
    options = GameOptions(
        teams, deal, parse_words(form.get("words", ""), bundle.language), Style(measure, risk)
    )
    try:
        options.rules(begins=0)
    except InputError:
        raise Refused(400, "bad_deal", most=MOST_CARDS) from None
    try:
        options.deal_board(bundle, 0, 0)
    except NoBoardWords:
        raise Refused(400, "few_words", cards=sum(deal)) from None
    return options


def parse_words(text: str, language: str) -> tuple[str, ...]:
    """The words of a pasted list: one per line, or with commas or semicolons, or spaces.

    A word that is there twice in any spelling counts once.

    Raises
    ------
    Refused
        If a word is too long or has no letters, or there are too many words.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1:
        words = [" ".join(part.split()) for line in lines for part in re.split("[,;]", line)]
    else:
        words = split_words(text.replace(";", ","))
    by_form: dict[str, str] = {}
    for word in filter(None, words):
        if (
            len(word) > LONGEST_WORD
            or not any(character.isalpha() for character in word)
            or any(unicodedata.category(character) in ("Cc", "Cf", "Co") for character in word)
        ):
            raise Refused(400, "bad_word", word=word[:LONGEST_WORD], most=LONGEST_WORD)
        by_form.setdefault(normal(word, language), word)
    if len(by_form) > 5 * MOST_CARDS:
        raise Refused(400, "many_words", most=5 * MOST_CARDS)
    return tuple(by_form.values())

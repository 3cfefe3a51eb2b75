"""What is settled before a game: seats, rules, words, and how the agents play."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, NamedTuple

from wordkin.bundle import Bundle
from wordkin.errors import InputError, NoBoardWords
from wordkin.game.board import Board, split_words, words_to_deal
from wordkin.game.board_view import resolve_cards
from wordkin.game.game import CLUE, Game
from wordkin.game.rules import MOST_CARDS, SOLITAIRE, Rules
from wordkin.game.worth import RISKS
from wordkin.words import normal

TEAMS = ("blue", "red")
SPYMASTER, GUESSER = "spymaster", "guesser"
MOST_GUESSERS = 3
"""People who may guess for one team; a team has one spymaster."""

LONGEST_WORD = 40
DEAL_FIELDS = ("first", "second", "neutral", "assassins")
"""The fields of a form with the number of cards of each kind."""


class RoomError(Exception):
    """Something that cannot be done in a room now; `key` names the sentence in the texts."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key, self.values = key, values


class NotSeated(RoomError):
    """Only somebody who sits in the room may do this."""


class RoomChanged(RoomError):
    """The game has gone on in the meantime."""


class BadOptions(RoomError):
    """Options with which no game can be played."""


class Place(NamedTuple):
    """A seat: the team (0 or 1) and the role. `str` of it is how it is written in forms."""

    team: int
    role: str

    def __str__(self) -> str:
        return f"{TEAMS[self.team]}-{self.role}"

    @property
    def room_for(self) -> int:
        """The number of people who may share the seat."""
        return 1 if self.role == SPYMASTER else MOST_GUESSERS


PLACES = {
    str(place): place
    for place in (Place(team, role) for team in (0, 1) for role in (SPYMASTER, GUESSER))
}
"""The seats by name. A seat without a person is played by an agent."""


def place_to_move(game: Game) -> Place | None:
    """The seat whose move a game waits for; None when the game is over."""
    if game.awaits is None:
        return None
    return Place(game.moving, SPYMASTER if game.awaits == CLUE else GUESSER)


class Style(NamedTuple):
    """How agents play: by which measure (None: the bundle's default), and with which risk."""

    measure: str | None = None
    risk: str = "balanced"


STYLE = Style()
"""How agents play unless people choose otherwise."""


@dataclass(frozen=True)
class GameOptions:
    """What was chosen for the games of a room.

    `teams` is 1 if the other team does not move. `deal` is the number of cards of the team that
    begins, of the other one, neutral cards and assassins. Without `words`, boards are dealt from
    our own list.
    """

    teams: int = 2
    deal: tuple[int, ...] = Rules.deal
    words: tuple[str, ...] = ()
    style: Style = STYLE

    def as_dict(self) -> dict[str, Any]:
        """Return the options as plain data, for JSON."""
        return {**asdict(self), "style": self.style._asdict()}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> GameOptions:
        """Return the options from plain data, as `as_dict` makes it."""
        deal, words = tuple(content["deal"]), tuple(content["words"])
        return cls(content["teams"], deal, words, Style(**content["style"]))

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
    """The options that a form chooses; fields that are left out have their defaults."""
    teams = 1 if form.get("opponents") == "none" else 2
    deal = SOLITAIRE.deal if teams == 1 else Rules.deal
    chosen = [form.get(field, "").strip() for field in DEAL_FIELDS]
    if any(chosen):
        if not all(count.isascii() and count.isdecimal() and len(count) < 4 for count in chosen):
            raise BadOptions("bad_deal", most=MOST_CARDS)
        deal = tuple(map(int, chosen))
    style = Style(form.get("measure") or None, form.get("risk") or STYLE.risk)
    if style.measure not in (None, *bundle.measures) or style.risk not in RISKS:
        raise BadOptions("bad_form")
    words = parse_words(form.get("words", ""), bundle.language)
    options = GameOptions(teams, deal, words, style)
    try:
        options.deal_board(bundle, 0, 0)
    except NoBoardWords:
        raise BadOptions("few_words", cards=sum(deal)) from None
    except InputError:
        raise BadOptions("bad_deal", most=MOST_CARDS) from None
    return options


def parse_words(text: str, language: str) -> tuple[str, ...]:
    """The words of a pasted list: one per line, or with commas or semicolons, or spaces.

    A word that is there twice in any spelling counts once.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1:
        words = [" ".join(part.split()) for line in lines for part in re.split("[,;]", line)]
    else:
        words = split_words(text.replace(";", ","))
    by_form: dict[str, str] = {}
    for word in filter(None, words):
        if len(word) > LONGEST_WORD or not _is_printable_word(word):
            raise BadOptions("bad_word", word=word[:LONGEST_WORD], most=LONGEST_WORD)
        by_form.setdefault(normal(word, language), word)
    if len(by_form) > 5 * MOST_CARDS:
        raise BadOptions("many_words", most=5 * MOST_CARDS)
    return tuple(by_form.values())


def _is_printable_word(word: str) -> bool:
    """Whether a word has letters, and no characters that nobody sees."""
    return any(map(str.isalpha, word)) and not any(
        unicodedata.category(character) in ("Cc", "Cf", "Co") for character in word
    )

"""The cards on the table and whose they are."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from wordkin.errors import InputError, NoBoardWords
from wordkin.files import read_text, read_words

OURS, THEIRS, NEUTRAL, ASSASSIN = "ours", "theirs", "neutral", "assassin"
COLOURS = (OURS, THEIRS, NEUTRAL, ASSASSIN)
DEAL = {OURS: 9, THEIRS: 8, NEUTRAL: 7, ASSASSIN: 1}
"""How many cards of each colour the game deals."""
SOLITAIRE_DEAL = {OURS: 8, THEIRS: 7, NEUTRAL: 9, ASSASSIN: 1}
"""How many the Codenames AI competition deals to a team that plays alone."""


@dataclass(frozen=True)
class Board:
    """Words in the order of the table, each with its colour as our team sees it."""

    words: tuple[str, ...]
    colours: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.words) != len(self.colours):
            raise InputError("A board needs one colour for each word.")
        twice = sorted({word for word in self.words if self.words.count(word) > 1})
        if twice:
            raise InputError(
                f"The board has '{twice[0]}' twice: each word may be on one card only."
            )
        unknown = sorted(set(self.colours) - set(COLOURS))
        if unknown:
            raise InputError(f"'{unknown[0]}' is not a colour of a card: use {', '.join(COLOURS)}.")

    @classmethod
    def of(
        cls,
        ours: Iterable[str] = (),
        theirs: Iterable[str] = (),
        neutral: Iterable[str] = (),
        assassin: Iterable[str] = (),
    ) -> Board:
        """A board from the words of each colour; any colour may be empty, any may be large."""
        piles = {OURS: ours, THEIRS: theirs, NEUTRAL: neutral, ASSASSIN: assassin}
        cards = [(word, colour) for colour, pile in piles.items() for word in pile]
        return cls(tuple(word for word, _ in cards), tuple(colour for _, colour in cards))

    @classmethod
    def deal(
        cls, words: Sequence[str], seed: int, counts: Mapping[str, int] | None = None
    ) -> Board:
        """Cards drawn from a list and coloured by chance; the same seed deals the same board."""
        colours = [colour for colour, count in (counts or DEAL).items() for _ in range(count)]
        pool = sorted(set(words))
        if len(pool) < len(colours):
            raise NoBoardWords(
                f"A board of {len(colours)} cards needs as many words, and the list has "
                f"{len(pool)}: give a longer list."
            )
        chance = random.Random(seed)
        drawn = chance.sample(pool, len(colours))
        chance.shuffle(colours)
        return cls(tuple(drawn), tuple(colours))

    def of_colour(self, colour: str) -> tuple[str, ...]:
        """The words of one colour, in the order of the table."""
        return tuple(w for w, c in zip(self.words, self.colours, strict=True) if c == colour)

    @property
    def ours(self) -> tuple[str, ...]:
        return self.of_colour(OURS)

    @property
    def theirs(self) -> tuple[str, ...]:
        return self.of_colour(THEIRS)

    @property
    def neutral(self) -> tuple[str, ...]:
        return self.of_colour(NEUTRAL)

    @property
    def assassin(self) -> tuple[str, ...]:
        return self.of_colour(ASSASSIN)

    def colour(self, word: str) -> str:
        """The colour of a card."""
        return self.colours[self.words.index(word)]

    def without(self, revealed: Iterable[str]) -> Board:
        """The cards that still lie face down."""
        gone = set(revealed)
        kept = [card for card in zip(self.words, self.colours, strict=True) if card[0] not in gone]
        return Board(tuple(word for word, _ in kept), tuple(colour for _, colour in kept))

    def turned(self) -> Board:
        """The same table as the other team sees it."""
        swap = {OURS: THEIRS, THEIRS: OURS}
        return Board(self.words, tuple(swap.get(colour, colour) for colour in self.colours))


def split_words(text: str) -> list[str]:
    """Words as people type them: with commas between when there are any, else with spaces.

    >>> split_words("piano mouse")
    ['piano', 'mouse']
    >>> split_words("ice cream, piano")
    ['ice cream', 'piano']
    """
    parts = text.split(",") if "," in text else text.split()
    return [word for part in parts if (word := " ".join(part.split()))]


def read_board(path: Path) -> Board:
    """A board from a file: JSON (`{"ours": [...], ...}`) or lines such as `ours: piano, mouse`."""
    text = read_text(path)
    if path.suffix == ".json":
        try:
            piles = json.loads(text)
        except ValueError:
            piles = None
        if not isinstance(piles, dict) or not all(
            isinstance(pile, list) and all(isinstance(word, str) for word in pile)
            for pile in piles.values()
        ):
            raise InputError(f'{path} is not a board: write {{"ours": ["piano", ...], ...}}.')
    else:
        piles = {}
        for number, line in enumerate(text.splitlines(), start=1):
            colour, colon, words = line.partition(":")
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            if not colon:
                raise InputError(
                    f"{path} line {number} is not of a board: write lines such as "
                    "'ours: piano, mouse'."
                )
            piles.setdefault(colour.strip(), []).extend(split_words(words))
    unknown = sorted(set(piles) - set(COLOURS))
    if unknown:
        raise InputError(f"{path} has '{unknown[0]}': use {', '.join(COLOURS)}.")
    return Board.of(**piles)


def board_words(language: str) -> list[str]:
    """Our own list of board words for a language."""
    path = resources.files("wordkin.game") / "boards" / f"{language}.txt"
    if not path.is_file():
        raise NoBoardWords(
            f"There is no list of board words for '{language}': give one with --words FILE, "
            "one word a line."
        )
    with resources.as_file(path) as file:
        return read_words(file)

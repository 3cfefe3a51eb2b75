"""The cards on the table and whose they are, and the lists of words to deal from.

The lists come with the library, one file per language: words for boards in the folder `boards`,
and words never to offer in `unwanted`.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordkin.errors import InputError, NoBoardWords
from wordkin.files import read_text, read_words
from wordkin.words import base

if TYPE_CHECKING:
    from wordkin.bundle import Bundle

OURS, THEIRS, NEUTRAL, ASSASSIN = "ours", "theirs", "neutral", "assassin"
COLOURS = (OURS, THEIRS, NEUTRAL, ASSASSIN)
DEAL = {OURS: 9, THEIRS: 8, NEUTRAL: 7, ASSASSIN: 1}
"""The number of cards of each colour in a game of two teams."""
SOLITAIRE_DEAL = {OURS: 8, THEIRS: 7, NEUTRAL: 9, ASSASSIN: 1}
"""The same in the Codenames AI competition, where one team plays alone."""


@dataclass(frozen=True)
class Board:
    """The cards in the order of the table, each with its colour.

    A board has any number of cards of each colour, and any words. It never changes: methods
    return new boards.

    Parameters
    ----------
    words : tuple of str
        The words on the cards; no word may be on two cards.
    colours : tuple of str
        The colour of each card as our team sees it: `ours`, `theirs`, `neutral` or `assassin`.

    Examples
    --------
    >>> board = Board.of(ours=["piano", "mouse"], theirs=["bison"], assassin=["tree"])
    >>> board.words
    ('piano', 'mouse', 'bison', 'tree')
    >>> board.colour("tree")
    'assassin'
    """

    words: tuple[str, ...]
    colours: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.words) != len(self.colours):
            raise InputError("A board needs one colour for each word.")
        repeated = sorted(word for word, count in Counter(self.words).items() if count > 1)
        if repeated:
            raise InputError(
                f"The board has '{repeated[0]}' twice: each word may be on one card only."
            )
        unknown = sorted(set(self.colours) - set(COLOURS))
        if unknown:
            raise InputError(f"'{unknown[0]}' is not a colour of a card: use {', '.join(COLOURS)}.")

    @classmethod
    def of(
        cls,
        ours: str | Iterable[str] = (),
        theirs: str | Iterable[str] = (),
        neutral: str | Iterable[str] = (),
        assassin: str | Iterable[str] = (),
    ) -> Board:
        """Make a board from the words of each colour.

        Parameters
        ----------
        ours, theirs, neutral, assassin : str or iterable of str
            The words of each colour; any of them may be empty. One string is split at its commas
            if it has any, else at its spaces: `ours="piano river"` are two cards.

        Returns
        -------
        Board
        """
        words_by_colour = {OURS: ours, THEIRS: theirs, NEUTRAL: neutral, ASSASSIN: assassin}
        return cls._of_cards(
            [
                (word, colour)
                for colour, words in words_by_colour.items()
                for word in word_list(words)
            ]
        )

    @classmethod
    def deal(
        cls, words: Sequence[str], seed: int, counts: Mapping[str, int] | None = None
    ) -> Board:
        """Draw cards from a list of words and colour them at random.

        Parameters
        ----------
        words : sequence of str
            The words to draw from; their order does not matter.
        seed : int
            The same seed deals the same board.
        counts : mapping of str to int, optional
            The number of cards of each colour; `DEAL` by default.

        Returns
        -------
        Board

        Raises
        ------
        NoBoardWords
            If the list has fewer words than the board has cards.
        """
        colours = [colour for colour, count in (counts or DEAL).items() for _ in range(count)]
        pool = sorted(set(words))
        if len(pool) < len(colours):
            raise NoBoardWords(
                f"A board of {len(colours)} cards needs as many words, and the list has "
                f"{len(pool)}: give a longer list."
            )
        generator = random.Random(seed)
        drawn = generator.sample(pool, len(colours))
        generator.shuffle(colours)
        return cls(tuple(drawn), tuple(colours))

    @classmethod
    def _of_cards(cls, cards: Sequence[tuple[str, str]]) -> Board:
        return cls(tuple(word for word, _ in cards), tuple(colour for _, colour in cards))

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Board:
        """Return the board from plain data, as `as_dict` makes it; refuse what is not a board."""
        lists = [content.get(key) for key in ("words", "colours")]
        if not all(
            isinstance(values, list) and all(isinstance(value, str) for value in values)
            for values in lists
        ):
            raise InputError("This is not a stored board: it needs a list of words and of colours.")
        words, colours = (tuple(values or ()) for values in lists)
        return cls(words, colours)

    def as_dict(self) -> dict[str, list[str]]:
        """Return the board as plain data, for JSON."""
        return {"words": list(self.words), "colours": list(self.colours)}

    def of_colour(self, colour: str) -> tuple[str, ...]:
        """Return the words of one colour, in the order of the table."""
        return tuple(w for w, c in zip(self.words, self.colours, strict=True) if c == colour)

    @property
    def ours(self) -> tuple[str, ...]:
        """The words of our team."""
        return self.of_colour(OURS)

    @property
    def theirs(self) -> tuple[str, ...]:
        """The words of the other team."""
        return self.of_colour(THEIRS)

    @property
    def neutral(self) -> tuple[str, ...]:
        """The words of neither team."""
        return self.of_colour(NEUTRAL)

    @property
    def assassin(self) -> tuple[str, ...]:
        """The words that lose the game."""
        return self.of_colour(ASSASSIN)

    def colour(self, word: str) -> str:
        """Return the colour of the card with this word.

        Raises
        ------
        ValueError
            If the board has no such card.
        """
        return self.colours[self.words.index(word)]

    def without(self, revealed: Iterable[str]) -> Board:
        """Return the board without the cards in `revealed`; other words are ignored."""
        removed = set(revealed)
        cards = zip(self.words, self.colours, strict=True)
        return self._of_cards([card for card in cards if card[0] not in removed])

    def for_opponent(self) -> Board:
        """Return the board as the other team sees it: ours and theirs swapped."""
        swap = {OURS: THEIRS, THEIRS: OURS}
        return Board(self.words, tuple(swap.get(colour, colour) for colour in self.colours))


def split_words(text: str) -> list[str]:
    """Split words as people type them: at commas if there are any, else at spaces.

    >>> split_words("piano mouse")
    ['piano', 'mouse']
    >>> split_words("ice cream, piano")
    ['ice cream', 'piano']
    """
    parts = text.split(",") if "," in text else text.split()
    return [word for part in parts if (word := " ".join(part.split()))]


def word_list(words: str | Iterable[str]) -> list[str]:
    """Return words as a list; one string is split as people type it."""
    return split_words(words) if isinstance(words, str) else list(words)


def read_board(path: Path) -> Board:
    """Read a board from a file; see `parse_board`."""
    return parse_board(read_text(path), path)


def parse_board(text: str, path: Path) -> Board:
    """Read a board from the content of a file.

    Parameters
    ----------
    text : str
        JSON, `{"ours": [...], ...}`, or lines such as `ours: piano, mouse`; empty lines and lines
        that begin with # are ignored.
    path : Path
        Where the text comes from, for messages.

    Raises
    ------
    InputError
        If the text is not a board.
    """
    is_json = path.suffix == ".json" or text.lstrip().startswith("{")
    words_by_colour = _parse_json(text, path) if is_json else _parse_lines(text, path)
    unknown = sorted(set(words_by_colour) - set(COLOURS))
    if unknown:
        raise InputError(f"{path} has '{unknown[0]}': use {', '.join(COLOURS)}.")
    return Board.of(**words_by_colour)


def _parse_json(text: str, path: Path) -> dict[str, list[str]]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or not all(
        isinstance(words, list) and all(isinstance(word, str) for word in words)
        for words in content.values()
    ):
        raise InputError(f'{path} is not a board: write {{"ours": ["piano", ...], ...}}.')
    return content


def _parse_lines(text: str, path: Path) -> dict[str, list[str]]:
    words_by_colour: dict[str, list[str]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        colour, colon, words = line.partition(":")
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not colon:
            raise InputError(
                f"{path} line {number} has no colour: write lines such as 'ours: piano, mouse'."
            )
        words_by_colour.setdefault(colour.strip(), []).extend(split_words(words))
    return words_by_colour


def listed_words(folder: str, language: str) -> list[str] | None:
    """The words of one of our lists in the folder `boards` or `unwanted`; None without a list.

    `en-GB` has the list of `en`.
    """
    path = resources.files("wordkin.game") / folder / f"{base(language)}.txt"
    if not path.is_file():
        return None
    with resources.as_file(path) as file:
        return read_words(file)


def board_words(language: str) -> list[str]:
    """Return our own list of board words for a language.

    Raises
    ------
    NoBoardWords
        If we have no list for the language.
    """
    words = listed_words("boards", language)
    if words is None:
        raise NoBoardWords(
            f"There is no list of board words for '{language}': give one with --words FILE, "
            "one word per line."
        )
    return words


def words_to_deal(bundle: Bundle) -> list[str]:
    """Return the words that boards of a bundle's language are dealt from.

    They are our own list or, for a language without one, the words that the bundle proposes.

    Raises
    ------
    NoBoardWords
        If neither has any.
    """
    try:
        return board_words(bundle.language)
    except NoBoardWords:
        proposed = bundle.manifest.get("boards")
        if not isinstance(proposed, list) or not proposed:
            raise
        return [word for word in proposed if isinstance(word, str) and word.strip()]


def unwanted_words(language: str) -> frozenset[str]:
    """The words that we never offer in a language; empty if we have no list."""
    return frozenset(listed_words("unwanted", language) or ())

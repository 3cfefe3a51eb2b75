"""A clue: the word, the number, the cards that it stands for, and the reasons; also as text."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from wordkin.language.resolution import Resolution
from wordkin.tables import table_lines
from wordkin.texts import texts


@dataclass(frozen=True)
class RelatedCard:
    """A card and its relatedness to a clue.

    Attributes
    ----------
    word : str
        The word on the card.
    colour : str
        The card's colour.
    relatedness : float
        The relatedness of the clue and the card.
    chance : float
        The chance that a guesser picks this card first.
    why : str or None
        The measure's explanation in one line, with its numbers; None until `Spymaster.explained`
        adds it.
    reason : str or None
        What the clue and the card have in common, for people to read; added like `why`.
    """

    word: str
    colour: str
    relatedness: float
    chance: float = 0.0
    why: str | None = None
    reason: str | None = None


@dataclass(frozen=True)
class Note:
    """Something that the players should know about a clue.

    Attributes
    ----------
    kind : str
        `fewer`: no word fits as many cards as were asked for. `unrestricted`: no word passes the
        scoring function. `unknown`: some cards stand for no known word. `blind`: none of our cards
        stands for a known word, so the clue only keeps away from the other cards.
    words : tuple of str
        The unknown cards, for `unknown` and `blind`.
    number : int or None
        The number that was asked for, for `fewer`.
    """

    kind: str
    words: tuple[str, ...] = ()
    number: int | None = None


@dataclass(frozen=True)
class Clue:
    """A clue and its reasons.

    Attributes
    ----------
    word : str
        The clue.
    number : int
        The number of cards that it stands for.
    targets : tuple of RelatedCard
        Those cards, closest first.
    bad : RelatedCard or None
        The closest card that is not ours.
    score : float
        The score by the scoring function.
    difference : float
        The expected card difference (see `wordkin.game.scoring.expected`).
    chances : tuple of float
        The chance that a guesser finds at least 1, 2, ... of our cards before any other, up to the
        number of the clue.
    notes : tuple of Note
        What had to be given up to find the clue, and cards that were left out.
    resolved : tuple of Resolution
        The known words that stand for the cards which the vocabulary does not have.
    """

    word: str
    number: int
    targets: tuple[RelatedCard, ...]
    bad: RelatedCard | None
    score: float
    difference: float
    chances: tuple[float, ...] = ()
    notes: tuple[Note, ...] = ()
    resolved: tuple[Resolution, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the clue as plain data, for JSON."""
        return asdict(self)


def clue_lines(clue: Clue, language: str, numbers: bool = False) -> list[str]:
    """Return a clue with its cards, reasons and notes as lines of text.

    Parameters
    ----------
    clue : Clue
        The clue.
    language : str
        The language of the text.
    numbers : bool
        Whether to add the relatedness of each card with the measure's explanation, and the scores.

    Returns
    -------
    list of str
    """
    text = texts(language)
    lines = [
        text["clue_card"].format(card=card.word, reason=card.reason) if card.reason else card.word
        for card in clue.targets
    ]
    if clue.bad:
        lines.append(text["clue_bad"].format(card=clue.bad.word))
    lines += [
        text[f"note_{note.kind}"].format(words=", ".join(note.words), number=note.number)
        for note in clue.notes
    ]
    lines += [resolution.line(language) for resolution in clue.resolved]
    return [
        text["clue"].format(word=clue.word, number=clue.number),
        *(f"  {line}" for line in lines),
        *(_number_lines(clue, language) if numbers else []),
    ]


def _number_lines(clue: Clue, language: str) -> list[str]:
    """The relatedness of each card and the measure's explanation, and the scores of the clue."""
    text = texts(language)
    cards = [(text["for"], card) for card in clue.targets]
    if clue.bad:
        cards.append((text["away"], clue.bad))
    rows = [(label, card.word, f"{card.relatedness:.3f}", card.why or "") for label, card in cards]
    score = text["clue_score"].format(difference=clue.difference, score=clue.score)
    return [*table_lines(None, rows), f"  {score}"]

"""A clue: the word, the number, the cards that it stands for, and why; also as text.

A measure's own explanation is exact: counts, paths, shares (`wordkin.measures.explanations`).
People rather want to know what the two words have in common. So a reason names a few words that
they know and that go with both.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordkin.bundle import Bundle
from wordkin.game.legality import Legality
from wordkin.language.resolution import Resolution
from wordkin.language.resolved import resolved_columns
from wordkin.measures.cached import CachedAmong
from wordkin.measures.measure import Among
from wordkin.tables import table_lines
from wordkin.texts import texts

SHOWN = 3
"""How many words a reason names."""

CONSIDERED = 40
"""How many words are considered for them; the others are relatives of better ones."""

TOGETHER = 0.3
"""The npmi from which on two words are said to occur together."""


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


@dataclass(frozen=True)
class Reason:
    """What a clue and a card have in common.

    Attributes
    ----------
    together : bool
        Whether the two occur together, clearly more often than by chance.
    shared : tuple of str
        Words that go with both, best first.
    """

    together: bool
    shared: tuple[str, ...]

    def sentence(self, language: str) -> str:
        """Return the reason in a language, without the card: "both go with sea, harbor"."""
        kind = ("together" if self.together else "") + ("shared" if self.shared else "")
        return texts(language)[f"reason_{kind or 'none'}"].format(words=", ".join(self.shared))


class Reasons:
    """Finds what words have in common.

    Parameters
    ----------
    bundle : Bundle
        Its npmi shows which words go with which; without npmi, the measure of `among` does.
    among : Among
        The words that may be named, and the measure that found the clue. A word that it does not
        relate to both is never named.
    legality : Legality
        Says which words are relatives: *doctors* explains nothing about *doctor*.
    """

    def __init__(self, bundle: Bundle, among: Among, legality: Legality) -> None:
        self._bundle, self._among, self._legality = bundle, among, legality
        # Of two words that go with both equally well, people recognise the more frequent one.
        self._prominence = np.log1p(bundle.vocabulary.documents[among.ids])

    @cached_property
    def _npmi(self) -> Among | None:
        """The npmi of the words that may be named; None in a bundle without npmi."""
        if "npmi" not in self._bundle.measures:
            return None
        return CachedAmong(self._bundle.measure("npmi").among(self._among.ids))

    def of(self, clue: str, card: str) -> Reason:
        """Return what a clue and a card have in common.

        Parameters
        ----------
        clue, card : str
            Any words; see `Bundle.resolve`.

        Returns
        -------
        Reason
        """
        together = (
            self._npmi is not None and self._bundle.relatedness(clue, card, "npmi") >= TOGETHER
        )
        return Reason(together, self._shared(clue, card))

    def _shared(self, clue: str, card: str) -> tuple[str, ...]:
        """The best words that go with both and are no relatives of them or of each other."""
        scores = self._common(clue, card, self._among)
        if self._npmi is not None:
            scores = self._common(clue, card, self._npmi) * (scores > 0)
        scores *= self._prominence
        best = np.argsort(-scores, kind="stable")[:CONSIDERED]
        shared: list[str] = []
        is_relative = self._legality.checker([clue, card])
        for word_id in self._among.ids[best[scores[best] > 0]].tolist():
            word = self._bundle.vocabulary.words[word_id]
            if is_relative(word) is not None:
                continue
            shared.append(word)
            if len(shared) == SHOWN:
                break
            is_relative = self._legality.checker([clue, card, *shared])
        return tuple(shared)

    def _common(self, clue: str, card: str, among: Among) -> NDArray[np.float64]:
        """How much each word goes with both; 0 where it does not go with one of them."""
        resolutions = [self._bundle.resolve(clue), self._bundle.resolve(card)]
        to_clue, to_card = resolved_columns(among, resolutions)
        return np.maximum(to_clue, 0.0).astype(np.float64) * np.maximum(to_card, 0.0)

"""The spymaster: finds a clue for a board, and says why."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordkin.bundle import Bundle
from wordkin.errors import InputError, NoClue, NoExplanation, UnknownMeasure, UnknownWord
from wordkin.game.board import OURS, Board
from wordkin.game.board_view import look
from wordkin.game.legality import Legality, Objection, is_plain_word
from wordkin.game.scoring import Options, Scores, View, expected, frequency, scoring_named
from wordkin.game.unwanted import unwanted_words
from wordkin.measures import Measure
from wordkin.texts import reasons
from wordkin.words import normal

Judge = Callable[[str], Objection | None]

MOST = 4
"""The largest number that is tried when none is asked for."""


class Candidate(NamedTuple):
    """A word of the vocabulary and the number it may be said with."""

    id: int
    number: int


@dataclass(frozen=True)
class Related:
    """A card and how related the clue is to it; `why`, when asked for, is what was seen of both."""

    word: str
    colour: str
    relatedness: float
    why: str | None = None


@dataclass(frozen=True)
class Note:
    """Something the players should know about a clue: `fewer`, `unrestricted`, `unknown`."""

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
        For how many cards it stands.
    targets : tuple of Related
        Those cards, closest first.
    bad : Related or None
        The closest card that is not ours.
    score : float
        What the scoring function says.
    difference : float
        The card difference to expect (see `wordkin.game.scoring.expected`).
    notes : tuple of Note
        What had to be given up to find it, and cards that the vocabulary does not know.
    """

    word: str
    number: int
    targets: tuple[Related, ...]
    bad: Related | None
    score: float
    difference: float
    notes: tuple[Note, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The clue as plain data, for JSON."""
        return asdict(self)


class Spymaster:
    """Gives clues from a bundle.

    Parameters
    ----------
    bundle : Bundle
        Whose words are the possible clues.
    measure : str or Measure, optional
        Which relatedness to use; the bundle's default when not given.
    scoring : str
        A name of `wordkin.game.scoring.SCORINGS`.
    options : Options, optional
        What can be tuned in the scoring functions.
    rarity : float
        λ_F, the weight of FREQ (see `wordkin.game.scoring.frequency`), added to any scoring
        function; 0 leaves it out, 2 is the DETECT paper's choice.
    unwanted : collection of str, optional
        Words never to offer; our own list of offensive words when not given.
    """

    def __init__(
        self,
        bundle: Bundle,
        measure: str | Measure | None = None,
        scoring: str = "harmonic",
        options: Options | None = None,
        rarity: float = 0.0,
        unwanted: Collection[str] | None = None,
    ) -> None:
        self.bundle = bundle
        self.measure = measure if isinstance(measure, Measure) else bundle.measure(measure)
        self.scoring = scoring_named(scoring)
        self.options = options or Options()
        self.rarity = rarity
        self.legality = Legality.of(bundle)
        banned = unwanted_words(bundle.language) if unwanted is None else unwanted
        self._unwanted = {normal(word, bundle.language) for word in banned}

    def clue(self, board: Board, number: int | None = None, said: Iterable[str] = ()) -> Clue:
        """The best legal clue for a board.

        Parameters
        ----------
        board : Board
            The cards that still lie face down.
        number : int, optional
            For how many cards; when not given, the best clue for each number from 1 to 4 is
            found, and of these the one with the largest expected card difference is taken.
        said : iterable of str
            Earlier clues, which may not be said again.
        """
        return self.clues(board, 1, number, said)[0]

    def clues(
        self, board: Board, count: int, number: int | None = None, said: Iterable[str] = ()
    ) -> list[Clue]:
        """The best few clues, best first: all for the number that the best one has."""
        if not board.ours:
            raise InputError("The board has no card of ours: there is nothing to give a clue for.")
        if number is not None and number < 1:
            raise InputError(f"A clue for {number} cards makes no sense: ask for 1 or more.")
        judge = self.legality.judge(board.words, said)
        known, table = look(self.measure, board, self.bundle.language)
        if not known.ours:
            raise NoClue(
                f"None of our cards ({', '.join(board.ours)}) is in the vocabulary: "
                "check their spelling."
            )
        steps = self._steps(table, number, judge, count)
        found, scores, note = next((step for step in steps if step[0]), ([], None, None))
        if scores is None:
            raise NoClue(
                f"No word of the vocabulary may be said with the {len(board.words)} cards on this "
                "board: every one is a relative of a card or was said before."
            )
        unknown = board.without(known.words).words
        notes = [Note("unknown", unknown)] if unknown else []
        notes += [note] if note else []
        return self._described(found, scores, table, known, tuple(notes))

    def explained(self, clue: Clue, language: str = "en") -> Clue:
        """The clue with what the measure has seen of it and each card, told in `language`."""
        return replace(
            clue,
            targets=tuple(self.explained_card(clue.word, card, language) for card in clue.targets),
            bad=self.explained_card(clue.word, clue.bad, language) if clue.bad else None,
        )

    def explained_card(self, clue: str, card: Related, language: str = "en") -> Related:
        """A card with what the measure has seen of it and a clue, told in `language`."""
        word = normal(card.word, self.bundle.language)
        try:
            reason = self.bundle.explain(clue, word, self.measure.name)
        except (UnknownWord, UnknownMeasure, NoExplanation):
            # A card of several words, a measure of the caller's own, or no npmi to explain with:
            # the relatedness alone has to do.
            return card
        return replace(card, why=reason.line(reasons(language)))

    def _steps(
        self, table: View, number: int | None, judge: Judge, count: int
    ) -> Iterator[tuple[list[Candidate], Scores, Note | None]]:
        """What is tried until something is found: what was asked for, fewer cards, and in the end
        any word, the one whose target is least outdone by a bad card first."""
        most = min(number or MOST, len(table.ours))
        scores = self.scoring(table, most, self._fitted(table))
        if number is None:
            yield self._best_number(table, scores, judge, count), scores, None
        else:
            for n in range(most, 0, -1):
                note = Note("fewer", number=number) if n < number else None
                yield self._passing(scores, n, judge, count), scores, note
        margins = table.closest(1) - table.bad
        everything = np.ones(margins.shape[1], dtype=bool)
        found = [Candidate(i, 1) for i in self._legal(margins[0], everything, judge, count)]
        yield found, margins, Note("unrestricted")

    def _best_number(
        self, table: View, scores: Scores, judge: Judge, count: int
    ) -> list[Candidate]:
        """The best legal candidates for the number whose best one promises most cards."""
        found = [self._passing(scores, n, judge, count) for n in range(1, len(scores) + 1)]
        found = [candidates for candidates in found if candidates]
        if not found:
            return []
        promised = self._differences(table, [candidates[0] for candidates in found])
        return found[int(np.argmax(promised))]

    def _passing(self, scores: Scores, n: int, judge: Judge, count: int) -> list[Candidate]:
        """The best legal candidates for n cards that the scoring function lets pass."""
        row = scores[n - 1]
        return [Candidate(i, n) for i in self._legal(row + self._frequency, row > 0, judge, count)]

    def _legal(
        self, scores: Scores, passing: NDArray[np.bool_], judge: Judge, count: int
    ) -> list[int]:
        """The first few legal candidates, best score first; only those looked at are judged."""
        found: list[int] = []
        for i in descending(scores, np.flatnonzero(passing & self._sayable)):
            if judge(self.measure.vocabulary.words[i]) is None:
                found.append(i)
                if len(found) == count:
                    break
        return found

    def _differences(self, table: View, candidates: Sequence[Candidate]) -> list[float]:
        """The card difference to expect of each candidate."""
        columns = View(table.rows[:, [c.id for c in candidates]], table.colours)
        most = max(candidate.number for candidate in candidates)
        values = expected(columns, most, self._fitted(table))
        return [float(values[c.number - 1, at]) for at, c in enumerate(candidates)]

    def _fitted(self, table: View) -> Options:
        """The options with σ brought to the measure's range: sums of paths go far beyond 1."""
        largest = max(1.0, float(table.rows.max()))
        return replace(self.options, sharpness=self.options.sharpness / largest)

    @cached_property
    def _sayable(self) -> NDArray[np.bool_]:
        """Which words of the vocabulary may be clues whatever the board."""
        return np.array(
            [
                is_plain_word(word) and word not in self._unwanted
                for word in self.measure.vocabulary.words
            ]
        )

    @cached_property
    def _frequency(self) -> NDArray[np.float64] | float:
        """What FREQ adds to the score of each word."""
        if not self.rarity:
            return 0.0
        documents = self.measure.vocabulary.documents
        total = self.bundle.manifest.get("documents") or int(documents.max())
        return self.rarity * frequency(documents, total)

    def _described(
        self,
        candidates: Sequence[Candidate],
        scores: Scores,
        table: View,
        board: Board,
        notes: tuple[Note, ...],
    ) -> list[Clue]:
        """Candidates as clues."""
        clues = []
        differences = self._differences(table, candidates)
        for (i, n), difference in zip(candidates, differences, strict=True):
            cards = [
                Related(word, colour, value)
                for word, colour, value in zip(
                    board.words, board.colours, table.rows[:, i].tolist(), strict=True
                )
            ]
            cards.sort(key=lambda card: -card.relatedness)
            clues.append(
                Clue(
                    word=self.measure.vocabulary.words[i],
                    number=n,
                    targets=tuple(card for card in cards if card.colour == OURS)[:n],
                    bad=next((card for card in cards if card.colour != OURS), None),
                    score=float(scores[n - 1, i]),
                    difference=difference,
                    notes=notes,
                )
            )
        return clues


def descending(scores: Scores, candidates: NDArray[np.int64]) -> Iterator[int]:
    """The candidates from the highest score to the lowest, equals in the vocabulary's order.

    Sorts a few at a time: a legal clue is nearly always among the first.
    """
    left, first = candidates, 64
    while len(left):
        values = scores[left]
        bound = np.partition(values, -first)[-first] if len(left) > first else values.min()
        now = left[values >= bound]
        yield from now[np.argsort(-scores[now], kind="stable")].tolist()
        left, first = left[values < bound], first * 8

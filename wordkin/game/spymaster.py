"""The spymaster: finds a clue for a board, and says why."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordkin.bundle import Bundle
from wordkin.errors import InputError, NoClue, NoExplanation, UnknownMeasure, UnknownWord
from wordkin.game.board import OURS, Board
from wordkin.game.board_view import BoardView, view_board
from wordkin.game.candidates import ClueWords, descending
from wordkin.game.clue import Clue, Note, RelatedCard
from wordkin.game.legality import Legality, Objection
from wordkin.game.scoring import Options, Scores, Scoring, expected, scoring_named
from wordkin.game.unwanted import unwanted_words
from wordkin.game.views import SpymasterView
from wordkin.measures import Measure
from wordkin.texts import reasons
from wordkin.words import normal

Check = Callable[[str], Objection | None]

MOST = 4
"""The largest number of cards to try when no number is given."""


class Candidate(NamedTuple):
    """A word of the vocabulary, and the number of cards that it could stand for."""

    id: int
    number: int


class Attempt(NamedTuple):
    """The legal candidates of one attempt to find a clue, best first; there may be none.

    `scores` has one row per number of cards, and `note` says what was given up.
    """

    candidates: list[Candidate]
    scores: Scores
    note: Note | None


class Spymaster:
    """Gives clues from a bundle.

    A spymaster is never changed: `with_scoring` returns another one.

    Parameters
    ----------
    bundle : Bundle
        Its words are the possible clues.
    measure : str or Measure, optional
        The relatedness to use; the bundle's default if not given.
    scoring : str
        The name of a scoring function, one of `wordkin.game.scoring.SCORINGS`.
    options : Options, optional
        The parameters of the scoring functions.
    rarity : float
        λ_F, the weight of FREQ (see `wordkin.game.scoring.frequency`), which is added to any
        scoring function. 0 turns it off; the DETECT paper uses 2.
    unwanted : collection of str, optional
        Words never to offer; our own list of offensive words if not given.

    Attributes
    ----------
    bundle, measure, options, rarity
        As given, or their defaults.
    legality : Legality
        The rules for clues in the bundle's language.

    Examples
    --------
    >>> bundle = wordkin.load("en")
    >>> board = wordkin.Board.of(["piano", "mouse"], ["bison", "tree"])
    >>> wordkin.Spymaster(bundle).clue(board).word
    'keyboard'
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
        self.bundle: Final = bundle
        self.measure: Final = measure if isinstance(measure, Measure) else bundle.measure(measure)
        self.options: Final = options or Options()
        self.rarity: Final = rarity
        self.legality: Final = Legality.of(bundle)
        self._scoring = scoring_named(scoring)
        banned = unwanted_words(bundle.language) if unwanted is None else unwanted
        self._clue_words: Final = ClueWords(
            vocabulary=self.measure.vocabulary,
            unwanted=frozenset(normal(word, bundle.language) for word in banned),
            rarity=rarity,
            documents=bundle.manifest.get("documents"),
        )

    @property
    def scoring(self) -> Scoring:
        """The scoring function."""
        return self._scoring

    def with_scoring(self, scoring: str) -> Spymaster:
        """Return a spymaster that differs from this one by its scoring function only.

        The two share everything that was worked out from the bundle, so this costs nothing.

        Parameters
        ----------
        scoring : str
            The name of a scoring function.

        Returns
        -------
        Spymaster
        """
        other = copy(self)
        other._scoring = scoring_named(scoring)
        return other

    def give(self, view: SpymasterView) -> Clue:
        """Return the clue for the team's next turn.

        Parameters
        ----------
        view : SpymasterView
            What the spymaster sees.

        Returns
        -------
        Clue

        Raises
        ------
        NoClue
            As in `clue`.
        """
        return self.clue(view.board, said=view.said)

    def clue(self, board: Board, number: int | None = None, said: Iterable[str] = ()) -> Clue:
        """Return the best legal clue for a board.

        Parameters
        ----------
        board : Board
            The cards that still lie face down.
        number : int, optional
            The number of cards that the clue is to stand for. If not given, the best clues for 1
            to 4 cards are compared by their expected card difference, and the best one is taken.
        said : iterable of str
            Earlier clues, which may not be repeated.

        Returns
        -------
        Clue

        Raises
        ------
        NoClue
            If none of our cards stands for a known word, or no word is legal.
        InputError
            If the board has none of our cards, or the number is below 1.
        """
        return self.clues(board, 1, number, said)[0]

    def clues(
        self, board: Board, count: int, number: int | None = None, said: Iterable[str] = ()
    ) -> list[Clue]:
        """Return the best few clues for a board, best first.

        Parameters
        ----------
        board, number, said
            As in `clue`.
        count : int
            The number of clues to return; fewer if there are not as many.

        Returns
        -------
        list of Clue
            All for the number of cards that the best one stands for.

        Raises
        ------
        NoClue, InputError
            As in `clue`.
        """
        if not board.ours:
            raise InputError("The board has no card of ours: there is nothing to give a clue for.")
        if number is not None and number < 1:
            raise InputError(f"A clue for {number} cards is not possible: ask for 1 or more.")
        known, view, resolutions = view_board(self.bundle, self.measure, board)
        # Another form or spelling of a card gives it away, whatever the letters on the card.
        resolved = tuple(item for item in resolutions if not item.known)
        same = [entry.word for item in resolved if item.is_same_word for entry in item.words]
        check = self.legality.checker((*board.words, *same), said)
        if not known.ours:
            raise NoClue(
                f"None of our cards ({', '.join(board.ours)}) is in the vocabulary: "
                "check their spelling."
            )
        attempts = self._attempts(view, number, check, count)
        success = next((attempt for attempt in attempts if attempt.candidates), None)
        if success is None:
            raise NoClue(
                f"No word of the vocabulary may be said with the {len(board.words)} cards on this "
                "board: every word is related to a card by its form, or was said before."
            )
        unknown = board.without(known.words).words
        notes = [Note("unknown", unknown)] if unknown else []
        notes += [success.note] if success.note else []
        clues = self._as_clues(success, view, known, tuple(notes))
        return [replace(clue, resolved=resolved) for clue in clues]

    def explained(self, clue: Clue, language: str = "en") -> Clue:
        """Return the clue with the measure's reason for each card.

        Parameters
        ----------
        clue : Clue
            A clue of this spymaster.
        language : str
            The language of the reasons.

        Returns
        -------
        Clue
        """
        return replace(
            clue,
            targets=tuple(self.explained_card(clue.word, card, language) for card in clue.targets),
            bad=self.explained_card(clue.word, clue.bad, language) if clue.bad else None,
        )

    def explained_card(self, clue: str, card: RelatedCard, language: str = "en") -> RelatedCard:
        """Return a card with the measure's reason for its relatedness to a clue.

        Parameters
        ----------
        clue : str
            The clue.
        card : RelatedCard
            The card.
        language : str
            The language of the reason.

        Returns
        -------
        RelatedCard
            The card as it was if the measure cannot give a reason.
        """
        try:
            reason = self.bundle.explain(clue, card.word, self.measure.name)
        except (UnknownMeasure, UnknownWord, NoExplanation):
            # The measure is not from the bundle, or has no reasons: the relatedness has to do.
            return card
        return replace(card, why=reason.line(reasons(language)))

    def _attempts(
        self, view: BoardView, number: int | None, check: Check, count: int
    ) -> Iterator[Attempt]:
        """Try what was asked for, then fewer cards, and in the end any word.

        The last attempt ranks words by how little the closest bad card outdoes the target.
        """
        most = min(number or MOST, len(view.ours))
        scores = self.scoring(view, most, self._scaled_options(view))
        if number is None:
            yield Attempt(self._best_number(view, scores, check, count), scores, None)
        else:
            for n in range(most, 0, -1):
                note = Note("fewer", number=number) if n < number else None
                yield Attempt(self._passing(scores, n, check, count), scores, note)
        margins = view.closest_ours(1) - view.closest_bad
        everything = np.ones(margins.shape[1], dtype=bool)
        legal = self._first_legal(margins[0], everything, check, count)
        yield Attempt([Candidate(i, 1) for i in legal], margins, Note("unrestricted"))

    def _best_number(
        self, view: BoardView, scores: Scores, check: Check, count: int
    ) -> list[Candidate]:
        """The best legal candidates for the number whose best candidate promises most cards."""
        by_number = [self._passing(scores, n, check, count) for n in range(1, len(scores) + 1)]
        by_number = [candidates for candidates in by_number if candidates]
        if not by_number:
            return []
        promised = self._differences(view, [candidates[0] for candidates in by_number])
        return by_number[int(np.argmax(promised))]

    def _passing(self, scores: Scores, n: int, check: Check, count: int) -> list[Candidate]:
        """The best legal candidates for n cards that pass the scoring function."""
        row = scores[n - 1]
        ranking = row + self._clue_words.frequency
        return [Candidate(i, n) for i in self._first_legal(ranking, row > 0, check, count)]

    def _first_legal(
        self, scores: Scores, passing: NDArray[np.bool_], check: Check, count: int
    ) -> list[int]:
        """The first `count` legal candidates, best score first; the rest are never checked."""
        legal: list[int] = []
        for i in descending(scores, np.flatnonzero(passing & self._clue_words.sayable)):
            if check(self.measure.vocabulary.words[i]) is None:
                legal.append(i)
                if len(legal) == count:
                    break
        return legal

    def _differences(self, view: BoardView, candidates: Sequence[Candidate]) -> list[float]:
        """The expected card difference of each candidate."""
        most = max(candidate.number for candidate in candidates)
        columns = view.select([candidate.id for candidate in candidates])
        values = expected(columns, most, self._scaled_options(view))
        return [float(values[c.number - 1, at]) for at, c in enumerate(candidates)]

    def _scaled_options(self, view: BoardView) -> Options:
        """The options with σ scaled to the measure's range: sums of paths go far beyond 1."""
        largest = max(1.0, float(view.rows.max()))
        return replace(self.options, sharpness=self.options.sharpness / largest)

    def _as_clues(
        self, attempt: Attempt, view: BoardView, board: Board, notes: tuple[Note, ...]
    ) -> list[Clue]:
        """The candidates of an attempt as clues."""
        clues = []
        differences = self._differences(view, attempt.candidates)
        for (i, n), difference in zip(attempt.candidates, differences, strict=True):
            cards = [
                RelatedCard(word, colour, value)
                for word, colour, value in zip(
                    board.words, board.colours, view.rows[:, i].tolist(), strict=True
                )
            ]
            cards.sort(key=lambda card: -card.relatedness)
            clues.append(
                Clue(
                    word=self.measure.vocabulary.words[i],
                    number=n,
                    targets=tuple(card for card in cards if card.colour == OURS)[:n],
                    bad=next((card for card in cards if card.colour != OURS), None),
                    score=float(attempt.scores[n - 1, i]),
                    difference=difference,
                    notes=notes,
                )
            )
        return clues

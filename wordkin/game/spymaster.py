"""The spymaster: finds a clue for a board, and says why."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from copy import copy
from dataclasses import replace
from functools import cached_property

import numpy as np

from wordkin.arrays import Floats, Ids
from wordkin.bundle import Bundle
from wordkin.errors import InputError, NoClue, NoExplanation, UnknownMeasure, UnknownWord
from wordkin.game.board import OURS, Board, unwanted_words, word_list
from wordkin.game.board_view import BoardView, ViewedBoard, view_board
from wordkin.game.chances import found_chances, pick_weights
from wordkin.game.clue import Clue, Note, Reason, Reasons, RelatedCard
from wordkin.game.legality import Legality
from wordkin.game.scoring import SCORING, Options, Scoring, expected, scorer_of
from wordkin.game.selection import (
    DICTIONARY,
    MOST,
    Check,
    ClueWords,
    Judge,
    SelectedClue,
    Selection,
)
from wordkin.game.views import PastClue, SpymasterView, open_clues
from wordkin.game.worth import BAD_COLOURS, CONFIDENCE, Stakes, Turn
from wordkin.language.resolved import resolved_columns, resolved_pairs
from wordkin.measures.cached import CachedAmong
from wordkin.measures.measure import Measure
from wordkin.texts import reasons
from wordkin.words import normal

JUDGE = "human"
"""The measure that judges the risk of a clue by default, where the bundle has it."""


class Spymaster:
    """Gives clues from a bundle.

    `with_scoring` returns another spymaster; this one stays as it is.

    Parameters
    ----------
    bundle : Bundle
        Its words are the possible clues.
    measure : str or Measure, optional
        The relatedness to use; the bundle's default if not given.
    scoring : str or callable
        The name of a scoring function, one of `wordkin.game.scoring.SCORINGS`, or a function of
        your own (`wordkin.game.scoring.Scoring`).
    options : Options, optional
        The parameters of the scoring functions.
    rarity : float
        λ_F, the weight of FREQ (see `wordkin.game.scoring.frequency`), which is added to any
        scoring function. 0 turns it off; the DETECT paper uses 2.
    unwanted : collection of str, optional
        Words never to offer; our own list of offensive words if not given.
    judge : str or Measure, optional
        For the scoring function `worth`: the relatedness that decides among the best words of
        `measure`. If neither is given, it is the bundle's measure `human` where there is one;
        otherwise it is `measure` itself.
    definitions : float
        λ_D, the weight of dictionary vectors (`wordkin.game.selection.dictionary_terms`), which is
        added to any scoring function; `worth` looks at the closest of our cards. 0 turns it off;
        the DETECT paper uses 2. The bundle must have the measure `dict2vec`.
    familiarity : float, optional
        Words whose familiarity is lower are offered only if no other word is legal, 0 to 1; the
        bundle's own limit if not given.

    Attributes
    ----------
    bundle, measure, scoring, options, rarity, definitions, judge
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
        scoring: str | Scoring = SCORING,
        options: Options | None = None,
        rarity: float = 0.0,
        unwanted: Collection[str] | None = None,
        judge: str | Measure | None = None,
        familiarity: float | None = None,
        definitions: float = 0.0,
    ) -> None:
        self.bundle = bundle
        self.measure = measure if isinstance(measure, Measure) else bundle.measure(measure)
        if judge is None:
            judge = JUDGE if measure is None and JUDGE in bundle.measures else self.measure
        self.judge = judge if isinstance(judge, Measure) else bundle.measure(judge)
        self.scoring = scorer_of(scoring)
        self.options = options or Options()
        self.rarity, self.definitions = rarity, definitions
        self.legality = Legality.of(bundle)
        self._dictionary = _dictionary(bundle) if definitions else None
        self._reasons: dict[str, Reasons] = {}
        banned = unwanted_words(bundle.language) if unwanted is None else unwanted
        self._clue_words = ClueWords(
            vocabulary=self.measure.vocabulary,
            unwanted=frozenset(normal(word, bundle.language) for word in banned),
            rarity=rarity,
            documents=bundle.manifest.get("documents"),
            limit=bundle.familiarity_limit if familiarity is None else familiarity,
            lemmas=bundle.lemmas,
        )

    def with_scoring(self, scoring: str | Scoring, options: Options | None = None) -> Spymaster:
        """Return a spymaster with another scoring function, and with other options if given.

        It shares everything that was worked out from the bundle.
        """
        _ = self.candidates  # worked out now, so that all copies share it
        other = copy(self)
        other.scoring = scorer_of(scoring)
        other.options = options or self.options
        return other

    def give(self, view: SpymasterView) -> Clue:
        """Return the clue for the team's next turn.

        Parameters
        ----------
        view : SpymasterView
            What the spymaster sees. Earlier clues count: no word is repeated, and with `worth` the
            guesser is expected to use the extra guess for a card that was not found.

        Returns
        -------
        Clue

        Raises
        ------
        NoClue, InputError
            As in `clue`.
        """
        return self._clues(view, 1, None)[0]

    def clue(self, board: Board, number: int | None = None, said: str | Iterable[str] = ()) -> Clue:
        """Return the best legal clue for a board.

        Parameters
        ----------
        board : Board
            The cards that still lie face down.
        number : int, optional
            The number of cards that the clue is to stand for. If not given, it is 1 to 4: by
            `worth`, the word and the number are chosen together; by other scoring functions, the
            best clues for each number are compared by their expected card difference.
        said : str or iterable of str
            Earlier clues, which may not be repeated.

        Returns
        -------
        Clue

        Raises
        ------
        NoClue
            If no word of the vocabulary is legal.
        InputError
            If the board has none of our cards, or the number is below 1.
        """
        return self.clues(board, 1, number, said)[0]

    def clues(
        self, board: Board, count: int, number: int | None = None, said: str | Iterable[str] = ()
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
            By `worth`, each with its best number; by other scoring functions, all for the number
            of cards that the best one stands for.

        Raises
        ------
        NoClue, InputError
            As in `clue`; also if the count is below 1.
        """
        # Clues without a known history leave no card to find.
        clues = tuple(PastClue(1, word, None) for word in word_list(said))
        view = SpymasterView(0, board, clues, len(board.ours), len(board.theirs))
        return self._clues(view, count, number)

    def explained(self, clue: Clue, language: str = "en") -> Clue:
        """Return a clue of this spymaster with the reasons for each card, in a language."""
        return replace(
            clue,
            targets=tuple(self._explained(clue.word, card, language) for card in clue.targets),
            bad=self._explained(clue.word, clue.bad, language) if clue.bad else None,
        )

    def _explained(self, clue: str, card: RelatedCard, language: str = "en") -> RelatedCard:
        """Return a card with the reasons for its relatedness to a clue, as far as there are any."""
        try:
            reason = self.bundle.explain(clue, card.word, self._judging.name)
        except (UnknownMeasure, UnknownWord, NoExplanation):
            # The measure is not from the bundle, or has no reasons: the relatedness has to do.
            return card
        shared = self.reason(clue, card.word).sentence(language)
        return replace(card, why=reason.line(reasons(language)), reason=shared)

    def reason(self, clue: str, card: str) -> Reason:
        """Return what a clue and a card have in common.

        Parameters
        ----------
        clue, card : str
            Any words; the clue may be somebody else's.

        Returns
        -------
        Reason

        Raises
        ------
        UnknownWord
            If one of them stands for no known word.
        """
        judging = self._judging
        if judging.name not in self._reasons:
            # Clues and reasons ask for the same cards again and again: their rows are kept.
            among = self.candidates
            if judging is not self.measure:
                among = CachedAmong(judging.among(self._clue_words.ids))
            self._reasons[judging.name] = Reasons(self.bundle, among, self.legality)
        return self._reasons[judging.name].of(clue, card)

    @cached_property
    def candidates(self) -> CachedAmong:
        """The relatedness of any words to the words that may be clues."""
        return CachedAmong(self.measure.among(self._clue_words.ids))

    @property
    def _judging(self) -> Measure:
        """The measure whose values a clue shows."""
        return self.judge if self.scoring.whole_turns else self.measure

    @cached_property
    def _temperatures(self) -> tuple[float, float]:
        """The temperatures of the measure and of the judge; to estimate one may take a while."""
        own = self.bundle.temperature(self.measure)
        return own, own if self.judge is self.measure else self.bundle.temperature(self.judge)

    def _clues(self, view: SpymasterView, count: int, number: int | None) -> list[Clue]:
        """The best few clues for what a spymaster sees."""
        board = view.board
        if not board.ours:
            raise InputError("The board has no card of ours: there is nothing to give a clue for.")
        if number is not None and number < 1:
            raise InputError(f"A clue for {number} cards is not possible: ask for 1 or more.")
        if count < 1:
            raise InputError(f"{count} clues are not possible: ask for 1 or more.")
        table = view_board(self.bundle, self.candidates, board, self._temperatures[0])
        # Another form or spelling of a card gives it away, whatever the letters on the card.
        resolved = tuple(item for item in table.resolutions if not item.known)
        same = [entry.word for item in resolved if item.is_same_word for entry in item.words]
        check = self.legality.checker((*board.words, *same), view.said)
        unknown = board.without(table.board.words).words
        notes = [Note("unknown", unknown)] if unknown and table.board.ours else []
        selection = self._selection(self._clue_words, check, count, board)
        clues, note = self._selected(selection, view, table, number)
        if not clues and self._clue_words.limit:
            notes.append(Note("unfamiliar"))
            every = self._clue_words.without_limit
            among = self.measure.among(every.ids)
            table = view_board(self.bundle, among, board, self._temperatures[0])
            selection = self._selection(every, check, count, board)
            clues, note = self._selected(selection, view, table, number)
        if not clues:
            raise NoClue(
                f"No word of the vocabulary may be said with the {len(board.words)} cards on this "
                "board: every word is related to a card by its form, or was said before."
            )
        notes += [note] if note else []
        return [
            replace(self._as_clue(clue, table.board), notes=tuple(notes), resolved=resolved)
            for clue in clues
        ]

    def _selection(self, words: ClueWords, check: Check, count: int, board: Board) -> Selection:
        """How to select clues from some words; with dictionary vectors, if they count."""
        if self._dictionary is None:
            return Selection(words, check, count)
        closeness = view_board(self.bundle, self._dictionary.among(words.ids), board, 1.0)
        return Selection(words, check, count, closeness.view, self.definitions)

    def _selected(
        self, selection: Selection, view: SpymasterView, table: ViewedBoard, number: int | None
    ) -> tuple[list[SelectedClue], Note | None]:
        """The best clues of a selection, and what had to be given up."""
        if not table.board.ours:
            return selection.blind(table.view), Note("blind", view.board.ours)
        if self.scoring.whole_turns:
            turn = self._turn(view, table, number)
            judge = None if self.judge is self.measure else self._judge_of(table)
            note = Note("fewer", number=number) if number and turn.most < number else None
            return selection.by_worth(turn, judge), note
        return selection.by_score(table.view, self.scoring, self.options, number)

    def _turn(self, view: SpymasterView, table: ViewedBoard, number: int | None) -> Turn:
        """The turn that a clue is for."""
        most = min(number or MOST, len(table.board.ours))
        stakes = Stakes.of(view.ours_left, view.theirs_left, most, view.teams, self.options.risk)
        return Turn(
            table.view,
            stakes,
            range(most if number else 1, most + 1),
            self.options.sharpness * (CONFIDENCE if self.judge is self.measure else 1),
            self._hinted(view, table),
            # Alone, a number that is too large costs little. When the other team needs one more
            # card, a long shot may be all that is left.
            within_reach=view.teams == 2 and view.theirs_left != 1,
        )

    def _hinted(self, view: SpymasterView, table: ViewedBoard) -> Floats | None:
        """The weights of the cards for our newest clue with a card left to find, if there is one.

        A word that the bundle does not know says nothing.
        """
        for clue in open_clues(view.clues, view.team):
            resolution = self.bundle.try_resolve(clue.word)
            if resolution is not None:
                values = resolved_pairs(self.judge, resolution, table.resolutions)
                temperature = self._temperatures[1] / self.options.sharpness
                return pick_weights(values.astype(np.float32), temperature)
        return None

    def _judge_of(self, table: ViewedBoard) -> Judge:
        """The relatedness of some words to the cards, by the judge."""

        def judge(ids: Ids) -> BoardView:
            rows = resolved_columns(self.judge.among(ids), table.resolutions)
            return BoardView(rows, table.view.colours, self._temperatures[1])

        return judge

    def _as_clue(self, selected: SelectedClue, board: Board) -> Clue:
        """A clue with its cards, their chances and the expected card difference."""
        view, n = selected.view, selected.number
        clue = Clue(self.measure.vocabulary.words[selected.id], n, (), None, selected.score, 0.0)
        if not board.words:
            return clue
        weights = view.weights(self.options.sharpness)
        first = (weights.rows / weights.rows.sum(axis=0))[:, 0].tolist()
        values = view.rows[:, 0].tolist()
        cards = [
            RelatedCard(*card)
            for card in zip(board.words, board.colours, values, first, strict=True)
        ]
        cards.sort(key=lambda card: -card.relatedness)
        clue = replace(clue, bad=next((card for card in cards if card.colour != OURS), None))
        if not board.ours:
            return clue
        bad = weights.rows_of(*BAD_COLOURS).sum(axis=0)
        return replace(
            clue,
            targets=tuple(card for card in cards if card.colour == OURS)[:n],
            difference=float(expected(view, n, self.options)[n - 1, 0]),
            chances=tuple(found_chances(weights.ours, bad, n)[:, 0].tolist()),
        )


def _dictionary(bundle: Bundle) -> Measure:
    if DICTIONARY not in bundle.measures:
        raise InputError(
            f"The bundle has no measure {DICTIONARY}, whose dictionary vectors this needs: publish "
            "it, or leave the weight of definitions at 0."
        )
    return bundle.measure(DICTIONARY)

"""Players for the Codenames AI competition's Python framework, and for its two-team successor.

The first framework calls `Codemaster(**kwargs)` and always plays red; the second one calls
`Codemaster("Red" or "Blue", **kwargs)` and reports the moves so far. The same classes serve both.
They do not need the base classes of the frameworks. Start a game with, for instance,

    python run_game.py wordkin.players.competition.Codemaster wordkin.players.competition.Guesser

The run scripts pass no options of ours, so the environment has them: `WORDKIN_LANG`,
`WORDKIN_MEASURE`, `WORDKIN_SCORING` and `WORDKIN_RISK`. No board, clue or card ends a game with an
error: what is unknown is resolved, guessed or left out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from wordkin.bundle import Bundle, load
from wordkin.errors import InputError, NoClue
from wordkin.game import guesser, spymaster
from wordkin.game.board import ASSASSIN, NEUTRAL, OURS, THEIRS, Board
from wordkin.game.rules import SOLITAIRE, Rules
from wordkin.game.scoring import SCORING, Options
from wordkin.game.views import GuesserView, PastClue, Pick, SpymasterView
from wordkin.game.worth import risk_named
from wordkin.words import normal

TEAMS = ("Red", "Blue")

Move = Sequence[Any]
"""`["Red_Codemaster", clue, number]` or `["Red_Guesser", card, "*Blue*", goes on]`."""


class SeenBoard:
    """What each place on a board showed last: a word, or a colour where the card was turned over.

    `words` are the words of all cards, also where only the colour is left to see.
    """

    def __init__(self) -> None:
        self.words: list[str] = []
        self.places: list[str] = []

    def look(self, places: Sequence[str]) -> list[str]:
        """Look at the board again; return the words of the cards that were turned over since."""
        if len(places) != len(self.places):
            self.words, self.places = list(places), list(places)
        turned = []
        for at, (before, now) in enumerate(zip(self.places, places, strict=True)):
            if not is_revealed(now):
                self.words[at] = now
            elif not is_revealed(before):
                turned.append(self.words[at])
        self.places = list(places)
        return turned

    def turn_over(self, word: str, team: str) -> None:
        """Take note of a card of a team that was turned over."""
        self.places[self.words.index(word)] = f"*{team}*"

    @property
    def face_down(self) -> list[str]:
        """The words on the cards that lie face down."""
        return [place for place in self.places if not is_revealed(place)]

    def turned(self, team: str) -> tuple[Pick, ...]:
        """The cards that were turned over, as a team sees them."""
        cards = zip(self.words, self.places, strict=True)
        return tuple(
            Pick(word, colour_of(place, team)) for word, place in cards if is_revealed(place)
        )

    def colour(self, word: str, team: str) -> str:
        """The colour of a card that was turned over, as a team sees it."""
        return colour_of(self.places[self.words.index(word)], team)


def is_revealed(place: str) -> bool:
    """Whether a place on the board shows a colour instead of a word."""
    return place.startswith("*")


def colour_of(name: str, team: str) -> str:
    """Return a colour of the frameworks, such as `Blue` or `*Blue*`, as a team sees it."""
    name = str(name).strip("*").capitalize()
    if name in TEAMS:
        return OURS if name == team else THEIRS
    return ASSASSIN if name == "Assassin" else NEUTRAL


def reported_clues(history: Sequence[Move], team: str) -> list[PastClue]:
    """Return the clues that the two-team framework reports, as a team sees them."""
    clues: list[PastClue] = []
    for who, word, detail, *_ in history:
        name, _, role = str(who).partition("_")
        if role == "Codemaster":
            clues.append(PastClue(TEAMS.index(name), str(word), clue_number(detail)))
        elif clues:
            clues[-1] = with_pick(clues[-1], Pick(str(word), colour_of(detail, team)))
    return clues


def with_pick(clue: PastClue, pick: Pick) -> PastClue:
    """Return a clue after one more card was turned over for it."""
    return replace(clue, picks=(*clue.picks, pick))


def clue_number(number: Any) -> int | None:
    """Return the number of a clue; None (unlimited) for what is not a number from 0 up."""
    try:
        value = int(number)
    except (TypeError, ValueError, OverflowError):
        return None
    return value if value >= 0 else None


def from_environment(name: str) -> str | None:
    """Return a setting that the run scripts of the frameworks cannot pass, such as `lang`."""
    return os.environ.get(f"WORDKIN_{name.upper()}") or None


SHARPNESS = 2.0
"""The partner in a competition is an agent, which picks the closest card and is not in doubt as
people are. With 1, nine of ten clues are for one card (research/strangers.md)."""


class Player:
    """What both roles share: a team, a bundle, the board that they see, and the moves so far.

    Parameters
    ----------
    team : str, optional
        `Red` or `Blue`; the first framework passes none and plays red alone.
    bundle : Bundle, path or str, optional
        As for `wordkin.load`; the bundle of `WORDKIN_LANG`, or the English one, if not given.
    **others
        The word vectors of the frameworks, which are not used.
    """

    def __init__(self, team: str | None = None, *, bundle: Any = None, **others: Any) -> None:
        self.team = TEAMS[0] if team is None else str(team).capitalize()
        if self.team not in TEAMS:
            raise InputError(f"There is no team '{team}': play for {' or '.join(TEAMS)}.")
        self.side = TEAMS.index(self.team)
        self.rules = SOLITAIRE if team is None else Rules()
        bundle = bundle or from_environment("lang") or "en"
        self.bundle = bundle if isinstance(bundle, Bundle) else load(bundle)
        self.seen = SeenBoard()
        self.clues: list[PastClue] = []
        self.move_history: list[Move] = []

    def set_move_history(self, move_history: list[Move]) -> None:
        """Take the moves so far; the two-team framework calls this before each move."""
        self.move_history = move_history

    def get_move_history(self) -> list[Move]:
        """Return the moves that the framework reported last."""
        return self.move_history


class Codemaster(Player):
    """Gives the clues of a team.

    Parameters
    ----------
    team, bundle, **others
        As for `Player`.
    measure, scoring : str, optional
        As for `wordkin.game.spymaster.Spymaster`; `WORDKIN_MEASURE` and `WORDKIN_SCORING` if not
        given.
    rarity : float
        As for `Spymaster`.
    sharpness : float
        How many times as sure the guesser is expected to be as people are; the partner is an agent.
    risk : str or float, optional
        `cautious`, `balanced`, `bold` or a number, as for `Options`; `WORDKIN_RISK` if not given.

    Raises
    ------
    InputError
        If the bundle, the measure or the scoring function does not exist, or the risk is no such
        name or number. Games raise nothing.
    """

    def __init__(
        self,
        team: str | None = None,
        *,
        bundle: Any = None,
        measure: str | None = None,
        scoring: str | None = None,
        rarity: float = 0.0,
        sharpness: float = SHARPNESS,
        risk: str | float | None = None,
        **others: Any,
    ) -> None:
        super().__init__(team, bundle=bundle, **others)
        measure = measure or from_environment("measure")
        scoring = scoring or from_environment("scoring") or SCORING
        risk = risk or from_environment("risk") or Options.risk
        options = Options(sharpness=sharpness, risk=risk_named(str(risk)))
        self.spymaster = spymaster.Spymaster(self.bundle, measure, scoring, options, rarity)
        self.board: Board | None = None

    def set_game_state(self, words_on_board: Sequence[str], key_grid: Sequence[str]) -> None:
        """Take the word of each card, or a colour such as `*Red*`, and the key before a clue."""
        for word in self.seen.look(words_on_board):
            # Cards of other colours may have been turned over by the other team.
            pick = Pick(word, self.seen.colour(word, self.team))
            if self.clues and (self.rules.teams == 1 or pick.colour == OURS):
                self.clues[-1] = with_pick(self.clues[-1], pick)
        colours = {
            normal(word, self.bundle.language): colour_of(key, self.team)
            for word, key in zip(words_on_board, key_grid, strict=True)
            if not is_revealed(word)
        }
        self.board = Board(tuple(colours), tuple(colours.values()))

    def get_clue(self, feedback: Any = None) -> tuple[str, int]:
        """Return a clue and its number; never an earlier clue of either team that is known.

        `feedback`, why the framework refused the last clue, does not matter for that reason.
        """
        assert self.board is not None, "the framework calls set_game_state first"
        clues = reported_clues(self.move_history, self.team) or self.clues
        reported = {clue.word for clue in clues}
        # Clues that the framework refused are in no report.
        refused = [clue for clue in self.clues if clue.word not in reported]
        view = SpymasterView(
            team=self.side,
            board=self.board,
            clues=(*refused, *clues),
            ours_left=len(self.board.ours),
            theirs_left=len(self.board.theirs),
            teams=self.rules.teams,
        )
        word, number = self._clue(view)
        self.clues.append(PastClue(self.side, word, number))
        return word, number

    def _clue(self, view: SpymasterView) -> tuple[str, int]:
        if view.board.ours:
            try:
                clue = self.spymaster.give(view)
            except NoClue:
                pass
            else:
                return clue.word, clue.number
        return next(self._other_words(view)), 1

    def _other_words(self, view: SpymasterView) -> Iterator[str]:
        """What to say when the spymaster has no clue: legal words, then what is no word at all."""
        check = self.spymaster.legality.checker(view.board.words, view.said)
        yield from (word for word in self.bundle.vocabulary.words if check(word) is None)
        length = 1
        while True:
            if check("x" * length) is None:
                yield "x" * length
            length += 1


class Guesser(Player):
    """Turns over the cards of a team.

    Parameters
    ----------
    team, bundle, **others
        As for `Player`.
    measure : str, optional
        As for `wordkin.game.guesser.Guesser`; `WORDKIN_MEASURE` if not given.
    model, seed
        As for `wordkin.game.guesser.Guesser`.

    Raises
    ------
    InputError
        If the bundle, the measure or the model does not exist. Games raise nothing.
    """

    def __init__(
        self,
        team: str | None = None,
        *,
        bundle: Any = None,
        measure: str | None = None,
        model: str = "closest",
        seed: int = 0,
        **others: Any,
    ) -> None:
        super().__init__(team, bundle=bundle, **others)
        measure = measure or from_environment("measure")
        self.guesser = guesser.Guesser(self.bundle, measure, model, seed=seed)
        self._answers: list[list[str]] = []
        self._next: str | None = None

    def set_board(self, words: Sequence[str]) -> None:
        """Take the word of each card; a colour such as `*Red*` where it was turned over."""
        self.seen.look(words)

    def set_clue(self, clue: str, num: Any) -> None:
        """Take the clue and its number."""
        self.clues.append(PastClue(self.side, str(clue), clue_number(num)))
        self._answers.append([])
        self._next = None

    def keep_guessing(self) -> bool:
        """Whether to turn over another card; the framework asks after a card of the team's own.

        Only this ends a turn: without an answer, the frameworks would ask for another clue.
        """
        if self._answers[-1]:
            self.seen.turn_over(self._answers[-1][-1], self.team)
        self._next = self._pick(may_stop=True)
        return self._next is not None

    def get_answer(self, feedback: Any = None) -> str | None:
        """Return the next card to turn over; None if no card is left to name.

        `feedback`, why the framework refused the last answer, does not matter: no card is named
        twice.
        """
        card = self._next if self._next in self.seen.face_down else self._pick(may_stop=False)
        self._next = None
        if card is not None:
            self._answers[-1].append(card)
        return card

    def _pick(self, may_stop: bool) -> str | None:
        """The card that the guesser picks, or None to stop."""
        cards = tuple(card for card in self.seen.face_down if card not in self._answers[-1])
        turned = self.seen.turned(self.team)
        clues = self._clues(turned)
        number, picks = clues[-1].number, len(clues[-1].picks)
        if not cards or (may_stop and number and picks > number):
            return None
        colours = [pick.colour for pick in turned]
        red, blue = self.rules.deal[:2]
        ours, theirs = (red, blue) if self.side == 0 else (blue, red)
        return self.guesser.pick(
            GuesserView(
                team=self.side,
                cards=cards,
                turned=turned,
                clues=clues,
                # Boards of other sizes have other numbers, but at least one card is left.
                ours_left=max(1, ours - colours.count(OURS)),
                theirs_left=max(1, theirs - colours.count(THEIRS)),
                picks_left=number + 1 - picks if number else None,
                may_stop=may_stop,
                teams=self.rules.teams,
            )
        )

    def _clues(self, turned: Sequence[Pick]) -> tuple[PastClue, ...]:
        """The clues so far with the cards that were turned over for them; the last one is open."""
        picks = {pick.word: pick for pick in turned}
        own = [
            replace(clue, picks=tuple(picks[word] for word in answers if word in picks))
            for clue, answers in zip(self.clues, self._answers, strict=True)
        ]
        reported = reported_clues(self.move_history, self.team)
        if reported and reported[-1].word == own[-1].word:
            reported.pop()
        return (*(reported or own[:-1]), own[-1])

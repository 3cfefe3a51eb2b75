"""What each person may see of a game, ready to be shown.

A guesser's view is made from `GuesserView` and the words on the table alone, so a colour that is
not to be seen is not there to be sent. Colours are those of the table here: blue, red, neutral and
assassin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from wordkin.game.board import ASSASSIN, NEUTRAL, OURS, THEIRS
from wordkin.game.game import Game
from wordkin.game.views import GuesserView, PastClue, SpymasterView
from wordkin.texts import Texts
from wordkin.web.rooms.agents import Reasons
from wordkin.web.rooms.seating import GUESSER, SPYMASTER, TEAMS, Place, place_to_move


class Card(NamedTuple):
    """A card: its colour if the viewer may see it, and whether it was turned over."""

    word: str
    colour: str | None
    turned: bool

    @property
    def classes(self) -> str:
        """What the style sheet needs to know, with a space before each word."""
        kind = (" turned" if self.turned else "") + (f" {self.colour}" if self.colour else "")
        return kind + next((size for most, size in SIZES if len(self.word) > most), "")


SIZES = ((12, " longer"), (9, " long"))
"""Words with more letters than this are set smaller."""


@cache
def card_labels(words: Texts) -> dict[tuple[str | None, bool], str]:
    """The state of a card in words, by its colour if that is known, and whether it was turned."""
    labels: dict[tuple[str | None, bool], str] = {(None, False): words("card", "down")}
    for colour in (*TEAMS, NEUTRAL, ASSASSIN):
        named = words("colour", colour)
        labels[colour, True] = words("card", "turned", colour=named)
        labels[colour, False] = words("card", "key", colour=named)
    return labels


class SeenPick(NamedTuple):
    """A card that was turned over for a clue, and why it goes with the clue, if that is known."""

    word: str
    colour: str
    why: str
    meant: bool = False


class SeenTurn(NamedTuple):
    """A turn: the team, the clue, and the cards; `missed` are cards that were meant and not found.

    `missed` is empty until the game is over.
    """

    team: str
    clue: str
    number: int | None
    picks: tuple[SeenPick, ...]
    is_open: bool
    missed: tuple[str, ...] = ()


@dataclass(frozen=True)
class SeenGame:
    """A game as one person sees it.

    Attributes
    ----------
    cards : tuple of Card
        In the order of the table.
    turns : tuple of SeenTurn
        The turns so far.
    left : tuple of int
        The cards that each team has to find.
    teams : int
        2, or 1 if the other team does not move.
    to_move : Place or None
        The seat that is to move; None when the game is over.
    picks_left : int or None
        Cards that may still be turned over in this turn; None for no limit.
    may_stop : bool
        Whether the turn may be ended.
    end, winner
        How the game ended, and the team that won.
    moves : int
        The number of moves so far.
    """

    cards: tuple[Card, ...]
    turns: tuple[SeenTurn, ...]
    left: tuple[int, int]
    teams: int
    to_move: Place | None
    picks_left: int | None
    may_stop: bool
    end: str | None
    winner: str | None
    moves: int

    @property
    def columns(self) -> int:
        """The columns of the table on a wide screen."""
        return next((n for n in range(2, 10) if n * n >= len(self.cards)), 10)

    @property
    def open_turn(self) -> SeenTurn | None:
        """The turn that is open."""
        return self.turns[-1] if self.turns and self.turns[-1].is_open else None


class Status(NamedTuple):
    """What everybody knows about the state of a game."""

    to_move: Place | None
    picks_left: int | None
    may_stop: bool
    end: str | None
    winner: int | None
    moves: int

    @classmethod
    def of(cls, game: Game) -> Status:
        """The status of a game."""
        return cls(
            place_to_move(game),
            game.picks_left,
            game.may_stop,
            game.end,
            game.winner,
            len(game.moves),
        )


def seen_game(
    game: Game, place: Place | None, reasons: Mapping[tuple[str, str], Reasons], language: str
) -> SeenGame:
    """A game as somebody in a seat sees it; without a seat, as guessers do.

    Parameters
    ----------
    game : Game
        The game.
    place : Place or None
        Where the viewer sits.
    reasons : mapping
        Why clues go with the cards that were turned over for them.
    language : str
        The language of the reasons.
    """
    words, status = game.board.words, Status.of(game)
    if game.end:
        seen = seen_by_guesser(game.guesser_view(0), words, status, {}, language)
        return _with_secrets(seen, game, reasons, language)
    if place is not None and place.role == SPYMASTER:
        return seen_by_spymaster(game.spymaster_view(place.team), words, status, reasons, language)
    team = place.team if place is not None else 0
    return seen_by_guesser(game.guesser_view(team), words, status, reasons, language)


def seen_by_guesser(
    view: GuesserView,
    words: Sequence[str],
    status: Status,
    reasons: Mapping[tuple[str, str], Reasons],
    language: str,
) -> SeenGame:
    """A game as a guesser sees it: the words on the table, and what was turned over."""
    turned = {pick.word: absolute(pick.colour, view.team) for pick in view.turned}
    cards = tuple(Card(word, turned.get(word), word in turned) for word in words)
    return _seen(view, cards, status, reasons, language)


def seen_by_spymaster(
    view: SpymasterView,
    words: Sequence[str],
    status: Status,
    reasons: Mapping[tuple[str, str], Reasons],
    language: str,
) -> SeenGame:
    """A game as a spymaster sees it: all colours."""
    turned = {pick.word: pick.colour for clue in view.clues for pick in clue.picks}
    colours = {**dict(zip(view.board.words, view.board.colours, strict=True)), **turned}
    cards = tuple(Card(word, absolute(colours[word], view.team), word in turned) for word in words)
    return _seen(view, cards, status, reasons, language)


def _seen(
    view: GuesserView | SpymasterView,
    cards: tuple[Card, ...],
    status: Status,
    reasons: Mapping[tuple[str, str], Reasons],
    language: str,
) -> SeenGame:
    left = (view.ours_left, view.theirs_left)
    is_open = status.to_move is not None and status.to_move.role == GUESSER
    turns = tuple(
        _seen_turn(clue, view.team, is_open and at == len(view.clues) - 1, reasons, language)
        for at, clue in enumerate(view.clues)
    )
    return SeenGame(
        cards=cards,
        turns=turns,
        left=left if view.team == 0 else (left[1], left[0]),
        teams=view.teams,
        to_move=status.to_move,
        picks_left=status.picks_left,
        may_stop=status.may_stop,
        end=status.end,
        winner=None if status.winner is None else TEAMS[status.winner],
        moves=status.moves,
    )


def _seen_turn(
    clue: PastClue,
    team: int,
    is_open: bool,
    reasons: Mapping[tuple[str, str], Reasons],
    language: str,
) -> SeenTurn:
    picks = tuple(
        SeenPick(
            pick.word,
            absolute(pick.colour, team),
            "" if is_open else reasons.get((clue.word, pick.word), {}).get(language, ""),
        )
        for pick in clue.picks
    )
    return SeenTurn(TEAMS[clue.team], clue.word, clue.number, picks, is_open)


def _with_secrets(
    seen: SeenGame, game: Game, reasons: Mapping[tuple[str, str], Reasons], language: str
) -> SeenGame:
    """A finished game with all colours, and the cards that the spymasters meant."""
    colours = dict(zip(game.board.words, game.board.colours, strict=True))
    turns = tuple(
        SeenTurn(
            TEAMS[turn.team],
            turn.clue,
            turn.number,
            tuple(
                SeenPick(
                    card,
                    absolute(colours[card], 0),
                    reasons.get((turn.clue, card), {}).get(language, ""),
                    card in turn.meant,
                )
                for card in turn.guessed
            ),
            False,
            tuple(card for card in turn.meant if card not in turn.guessed),
        )
        for turn in game.turns
    )
    revealed = set(game.revealed)
    cards = tuple(
        Card(word, absolute(colour, 0), word in revealed) for word, colour in colours.items()
    )
    return replace(seen, cards=cards, turns=turns)


def absolute(colour: str, team: int) -> str:
    """The colour on the table of a card that a team sees as ours, theirs, neutral or assassin."""
    if colour == OURS:
        return TEAMS[team]
    return TEAMS[1 - team] if colour == THEIRS else colour

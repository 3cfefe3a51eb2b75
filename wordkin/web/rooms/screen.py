"""What one person sees of a room: the game, the seats, and the parts of the page.

`visible_colours` is the only way by which colours get to a screen. Colours are those of the table
here: blue, red, neutral and assassin.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from wordkin.game.board import ASSASSIN, NEUTRAL, OURS, THEIRS
from wordkin.game.game import Game
from wordkin.texts import Texts, texts
from wordkin.web.rooms.agents import Reasons
from wordkin.web.rooms.options import GUESSER, PLACES, SPYMASTER, TEAMS, Place, place_to_move
from wordkin.web.rooms.table import Table

if TYPE_CHECKING:
    from wordkin.web.app import Site

ON_THE_TABLE = {OURS: TEAMS[0], THEIRS: TEAMS[1], NEUTRAL: NEUTRAL, ASSASSIN: ASSASSIN}
"""The colour on the table of a card by how the first team calls it."""

SIZES = ((12, " longer"), (9, " long"))
"""Words with more letters than this are set smaller."""


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


class SeenPick(NamedTuple):
    """A card that was turned over for a clue, and why it goes with the clue, if that is known."""

    word: str
    colour: str
    why: str


class SeenTurn(NamedTuple):
    """A turn: the team, the clue, and the cards; `missed` are cards that were meant and not found.

    `missed` is empty until the game is over.
    """

    team: str
    clue: str
    number: int | None
    picks: tuple[SeenPick, ...]
    missed: tuple[str, ...]


@dataclass(frozen=True)
class SeenGame:
    """A game as one person sees it.

    `left` are the cards that each team has to find, `to_move` is the seat that is to move,
    `picks_left` are the cards that may still be turned over in this turn (None for no limit), and
    `moves` is the number of moves so far.
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


def visible_colours(game: Game, place: Place | None) -> dict[str, str]:
    """The colours on the table that somebody in a seat may see; without a seat, as guessers do."""
    if game.end or (place is not None and place.role == SPYMASTER):
        pairs = zip(game.board.words, game.board.colours, strict=True)
        return {word: ON_THE_TABLE[colour] for word, colour in pairs}
    return {pick.word: ON_THE_TABLE[pick.colour] for pick in game.guesser_view(0).turned}


def seen_game(
    game: Game, place: Place | None, reasons: Mapping[tuple[str, str], Reasons], language: str
) -> SeenGame:
    """A game as somebody in a seat sees it; without a seat, as guessers do."""
    colours, turned, to_move = visible_colours(game, place), set(game.revealed), place_to_move(game)
    turns = []
    for turn in game.turns:
        # While cards are turned over for a clue, reasons would help.
        is_open = to_move is not None and to_move.role == GUESSER and turn is game.turns[-1]
        known = {} if is_open else reasons
        picks = (
            SeenPick(card, colours[card], known.get((turn.clue, card), {}).get(language, ""))
            for card in turn.guessed
        )
        missed = tuple(card for card in turn.meant if card not in turn.guessed) if game.end else ()
        turns.append(SeenTurn(TEAMS[turn.team], turn.clue, turn.number, tuple(picks), missed))
    return SeenGame(
        cards=tuple(Card(word, colours.get(word), word in turned) for word in game.board.words),
        turns=tuple(turns),
        left=(game.cards_left(0), game.cards_left(1)),
        teams=game.rules.teams,
        to_move=to_move,
        picks_left=game.picks_left,
        may_stop=game.may_stop,
        end=game.end,
        winner=None if game.winner is None else TEAMS[game.winner],
        moves=len(game.moves),
    )


@cache
def card_labels(words: Texts) -> dict[tuple[str | None, bool], str]:
    """The state of a card in words, by its colour if that is known, and whether it was turned."""
    labels: dict[tuple[str | None, bool], str] = {(None, False): words("card", "down")}
    for colour in ON_THE_TABLE.values():
        named = words("colour", colour)
        labels[colour, True] = words("card", "turned", colour=named)
        labels[colour, False] = words("card", "key", colour=named)
    return labels


@dataclass(frozen=True)
class Person:
    """Somebody in a seat, as others see them."""

    name: str
    is_you: bool
    is_present: bool


@dataclass(frozen=True)
class SeenSeat:
    """A seat: who sits there, and what the viewer may do with it."""

    place: Place
    people: tuple[Person, ...]
    may_sit: bool
    may_release: bool
    to_move: bool

    @property
    def is_yours(self) -> bool:
        """Whether the viewer sits there."""
        return any(person.is_you for person in self.people)


class Screen:
    """What a player sees of a room, with texts in their language."""

    def __init__(self, table: Table, player: str, words: Texts) -> None:
        self._table, self._player, self._words = table, player, words
        self.place, self.labels = table.seats.get(player), card_labels(words)
        game, language = table.game, words.language
        self.seen = seen_game(game, self.place, table.reasons, language) if game else None
        self.your_move = self.place is not None and table.to_move == self.place

    @property
    def seats(self) -> list[SeenSeat]:
        """All seats."""
        return [self._seat(place) for place in PLACES.values()]

    def _seat(self, place: Place) -> SeenSeat:
        table, sitting, joined = self._table, self._table.sitting(place), list(self._table.seats)
        people = tuple(
            Person(
                table.names.get(other)
                or self._words("room", "player", number=joined.index(other) + 1),
                other == self._player,
                other == self._player or table.is_present(other),
            )
            for other in sitting
        )
        return SeenSeat(
            place,
            people,
            may_sit=self.place != place
            and place.team < table.options.teams
            and table.objection_to(self._player, place) is None,
            may_release=self.place is not None
            and bool(people)
            and not any(person.is_present for person in people),
            to_move=table.to_move == place,
        )

    @property
    def status_line(self) -> str:
        """One sentence: what is going on, and what the viewer is to do."""
        words, seen = self._words, self.seen
        if self._table.trouble:
            return words("trouble", self._table.trouble)
        if seen is None:
            return words("room", "lobby_seated" if self.place else "lobby")
        if seen.to_move is None:
            return end_text(seen, words)
        team = words("team", TEAMS[seen.to_move.team])
        if seen.to_move.role == SPYMASTER:
            if self.your_move:
                return words("room", "give_clue")
            agent = not self._table.sitting(seen.to_move)
            return words("room", "agent_thinks" if agent else "spymaster_thinks", team=team)
        turn = seen.turns[-1]
        number = words("room", "unlimited") if turn.number is None else str(turn.number)
        clue = words("room", "clue", clue=turn.clue, number=number)
        if not self.your_move:
            return words("room", "others_guess", team=team, clue=clue)
        if seen.picks_left is None:
            return words("room", "guess_any", clue=clue)
        key = "guess_one" if seen.picks_left == 1 else "guess"
        return words("room", key, clue=clue, left=seen.picks_left)


def end_text(seen: SeenGame, words: Texts) -> str:
    """How a game ended."""
    assert seen.end is not None
    how = words("end", seen.end.replace(" ", "_"))
    if seen.winner is None:
        return words("end", "lost", how=how)
    return words("end", "won_by", team=words("team", seen.winner), how=how)


def room_parts(site: Site, table: Table, player: str, language: str) -> dict[str, str]:
    """The parts of a room's page as HTML by name: macros of `room/parts.html`.

    Each is rendered once after it changed for all who see the same. Most parts are the same for all
    people in a seat; the list of people says who the viewer is, who is there, and who is to move.
    """
    words, place, screen = texts(language), table.seats.get(player), None
    present = (player, table.to_move, *map(table.is_present, table.seats))
    parts = {}
    for name in ("status", "board", "controls", "log", "people"):
        key = (name, language, present if name == "people" else place)
        if key not in table.rendered:
            screen = screen or Screen(table, player, words)
            table.rendered[key] = getattr(site.room_parts, name)(words, table, screen)
        parts[name] = table.rendered[key]
    return parts

"""The parts of a room's page for one person: rendered with the page, and after each change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wordkin.game.legality import Legality
from wordkin.texts import Texts, texts
from wordkin.web.rooms.seating import GUESSER, PLACES, SPYMASTER, Place, place_to_move
from wordkin.web.rooms.table import Part, Table
from wordkin.web.rooms.views import SeenGame, seen_game

if TYPE_CHECKING:
    from wordkin.web.site import Site

PARTS = ("status", "board", "controls", "people", "log")
"""The parts of the page that change, in their order; each has a template."""


@dataclass(frozen=True)
class Person:
    """Somebody in a seat, as others see them."""

    name: str
    is_you: bool
    is_present: bool


@dataclass(frozen=True)
class SeatShown:
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


class RoomShown:
    """What one person sees of a room; its parts ask for what they need.

    Parameters
    ----------
    table : Table
        The room.
    player : str
        The viewer.
    words : Texts
        The texts in the viewer's language.

    Attributes
    ----------
    place : Place or None
        Where the viewer sits.
    seen : SeenGame or None
        The game as the viewer may see it.
    your_move : bool
        Whether the viewer is to move.
    """

    def __init__(self, table: Table, player: str, words: Texts) -> None:
        self._table, self._player, self._words = table, player, words
        self.place = table.seats.get(player)
        game, language = table.game, words.language
        self.seen = seen_game(game, self.place, table.reasons, language) if game else None
        self._to_move = self.seen.to_move if self.seen else None
        self.your_move = self.place is not None and self._to_move == self.place

    @property
    def status_line(self) -> str:
        """What is going on."""
        return status_text(self._table, self.seen, self.place, self._words)

    @property
    def seats(self) -> list[SeatShown]:
        """All seats."""
        return [
            _seat(self._table, self._player, place, self._to_move, self._words)
            for place in PLACES.values()
        ]


def room_parts(site: Site, table: Table, player: str, language: str) -> dict[str, Part]:
    """The parts of the page by name; what several people see is rendered once."""
    place, words, shown = table.seats.get(player), texts(language), None
    parts = {}
    # Whether people are there changes with time, and whose turn it is with moves.
    to_move = place_to_move(table.running.game) if table.running else None
    people = (player, to_move, *map(table.is_present, table.seats))
    for name in PARTS:
        # Only the list of people says who the viewer is; all else follows from the seat.
        key = (name, language, people if name == "people" else place)
        part = table.rendered.get(key)
        if part is None:
            shown = shown or RoomShown(table, player, words)
            part = table.rendered[key] = Part.of(site.render_part(name, words, table, shown))
        parts[name] = part
    return parts


def state_json(version: str, parts: Mapping[str, Part]) -> str:
    """What a script needs to show some parts, as JSON."""
    inside = ",".join(f'"{name}":{part.json}' for name, part in parts.items())
    return f'{{"version":"{version}","parts":{{{inside}}}}}'


def _seat(
    table: Table, player: str, place: Place, to_move: Place | None, words: Texts
) -> SeatShown:
    sitting = table.sitting(place)
    joined = list(table.seats)
    people = tuple(
        Person(
            table.names.get(other) or words("room", "player", number=joined.index(other) + 1),
            other == player,
            other == player or table.is_present(other),
        )
        for other in sitting
    )
    knows_too_much = place.role == GUESSER and table.running is not None and player in table.saw_key
    here = table.seats.get(player)
    return SeatShown(
        place,
        people,
        may_sit=not table.is_daily
        and here != place
        and len(sitting) < place.room_for
        and not knows_too_much
        and not (table.options.teams == 1 and place.team == 1),
        may_release=here is not None
        and bool(people)
        and not any(person.is_present for person in people),
        to_move=to_move == place,
    )


def status_text(table: Table, seen: SeenGame | None, place: Place | None, words: Texts) -> str:
    """One sentence: what is going on, and what the viewer is to do."""
    if table.trouble:
        return words("trouble", table.trouble)
    if seen is None:
        return words("room", "lobby_seated" if place else "lobby")
    if seen.end:
        how = words("end", seen.end.replace(" ", "_"))
        if seen.winner is None:
            return words("end", "lost", how=how)
        return words("end", "won_by", team=words("team", seen.winner), how=how)
    assert seen.to_move is not None
    team = words("team", str(seen.to_move).partition("-")[0])
    if seen.to_move.role == SPYMASTER:
        if place == seen.to_move:
            return words("room", "give_clue")
        agent = not table.sitting(seen.to_move)
        return words("room", "agent_thinks" if agent else "spymaster_thinks", team=team)
    turn = seen.open_turn
    assert turn is not None
    clue = words("room", "clue", clue=turn.clue, number=number_text(turn.number, words))
    if place != seen.to_move:
        return words("room", "others_guess", team=team, clue=clue)
    if seen.picks_left is None:
        return words("room", "guess_any", clue=clue)
    return words(
        "room", "guess_one" if seen.picks_left == 1 else "guess", clue=clue, left=seen.picks_left
    )


def number_text(number: int | None, words: Texts) -> str:
    """The number of a clue as people read it."""
    return words("room", "unlimited") if number is None else str(number)


def objection_text(
    legality: Legality, clue: str, cards: tuple[str, ...], said: list[str], language: str
) -> str | None:
    """Why a clue is not allowed, in the viewer's language; None if it is."""
    objection = legality.objection(clue, cards, said)
    if objection is None:
        return None
    return texts(language)("terminal", f"illegal_{objection.rule}", clue=clue, word=objection.word)

"""The seats of a room. A seat without a person is played by an agent."""

from __future__ import annotations

from typing import NamedTuple

from wordkin.game.game import CLUE, Game

BLUE, RED = "blue", "red"
TEAMS = (BLUE, RED)
SPYMASTER, GUESSER = "spymaster", "guesser"
MOST_PEOPLE = 8
MOST_GUESSERS = 3
"""People who may guess for one team; a team has one spymaster."""


class Place(NamedTuple):
    """A seat: the team (0 or 1) and the role. `str` of it is how it is written in forms."""

    team: int
    role: str

    def __str__(self) -> str:
        return f"{TEAMS[self.team]}-{self.role}"

    @property
    def room_for(self) -> int:
        """The number of people who may share the seat."""
        return 1 if self.role == SPYMASTER else MOST_GUESSERS


PLACES = {
    str(place): place
    for place in (Place(team, role) for team in (0, 1) for role in (SPYMASTER, GUESSER))
}
"""The seats by name."""


def place_to_move(game: Game) -> Place | None:
    """The seat whose move a game waits for; None when the game is over."""
    if game.awaits is None:
        return None
    return Place(game.moving, SPYMASTER if game.awaits == CLUE else GUESSER)

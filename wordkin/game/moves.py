"""The moves of a game, as plain data that can be stored and replayed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wordkin.errors import InputError
from wordkin.game.rules import is_whole

GIVE, TURN_OVER, STOP, GIVE_UP = "give", "turn over", "stop", "give up"


@dataclass(frozen=True)
class Move:
    """A move.

    Attributes
    ----------
    kind : str
        `give` (a clue), `turn over` (a card), `stop` (the turn) or `give up` (the game).
    word : str or None
        The clue, or the word on the card.
    number : int or None
        The number of a clue; None for unlimited.
    meant : tuple of str
        The cards that the spymaster meant with a clue, if they are known.
    team : int or None
        The team that gives up.

    Examples
    --------
    >>> Move.from_dict({"kind": "give", "word": "ocean", "number": 2}).as_dict()
    {'kind': 'give', 'word': 'ocean', 'number': 2}
    """

    kind: str
    word: str | None = None
    number: int | None = None
    meant: tuple[str, ...] = ()
    team: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the move as plain data, for JSON."""
        content: dict[str, Any] = {"kind": self.kind}
        if self.kind in (GIVE, TURN_OVER):
            content["word"] = self.word
        if self.kind == GIVE:
            content["number"] = self.number
        if self.meant:
            content["meant"] = list(self.meant)
        if self.kind == GIVE_UP:
            content["team"] = self.team
        return content

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Move:
        """Return the move from plain data, as `as_dict` makes it.

        Raises
        ------
        InputError
            If it is not a move.
        """
        kind, meant = content.get("kind"), content.get("meant", [])
        word, number, team = (content.get(key) for key in ("word", "number", "team"))
        valid = (
            kind in (GIVE, TURN_OVER, STOP, GIVE_UP)
            and (isinstance(word, str) if kind in (GIVE, TURN_OVER) else word is None)
            and (number is None or (kind == GIVE and is_whole(number)))
            and isinstance(meant, list | tuple)
            and all(isinstance(card, str) for card in meant)
            and (team is None or (kind == GIVE_UP and is_whole(team)))
        )
        if not valid:
            raise InputError(
                f"{dict(content)} is not a move: write {{'kind': 'turn over', 'word': 'piano'}}."
            )
        return cls(str(kind), word, number, tuple(meant), team)

"""A room in memory: who is there, the game, and how both change; and all rooms that are in use.

Every change is stored before it is shown: a method first asks the database, and only then changes
what is in memory and tells the watchers. If the database does not answer, nothing has happened.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from wordkin.errors import InputError
from wordkin.game.board import Board
from wordkin.game.game import GIVE_UP, Game, Move
from wordkin.web.database import rooms as rows
from wordkin.web.database.rooms import StoredGame, StoredRoom
from wordkin.web.rooms.agents import Driver, Reasons, closed_turns
from wordkin.web.rooms.options import (
    GUESSER,
    SPYMASTER,
    GameOptions,
    NotSeated,
    Place,
    RoomChanged,
    RoomError,
    place_to_move,
)
from wordkin.web.visitors import new_code

if TYPE_CHECKING:
    from wordkin.web.app import Site

PRESENT = 15.0
"""Seconds for which a player without a socket counts as present after a request."""
IDLE = 600.0
"""Seconds after which a room that nobody looks at is forgotten; the database still has it."""


class Watcher:
    """A browser that looks at a room; `changed` is set when there is something new to show."""

    def __init__(self, player: str) -> None:
        self.player = player
        self.changed = asyncio.Event()


class Table:
    """A room in memory.

    `seats` has everybody who joined, in this order, and where they sit. `names` and `keepers` (the
    players whose guesses may be kept, with the digests of their ids) are not stored. `version`
    grows with every change that somebody can see, and `rendered` has the parts of the page that did
    not change since (see `room_parts`). `trouble` is why an agent could not move, `database` or
    `agent`: it is tried again.
    """

    def __init__(self, stored: StoredRoom, site: Site) -> None:
        self.site, self.code, self.language = site, stored.code, stored.language
        self.bundle = site.bundles.get(stored.language)
        self._take(stored)
        self.names: dict[str, str] = {}
        self.keepers: dict[str, str] = {}
        self.reasons: dict[tuple[str, str], Reasons] = {}
        self.watchers: set[Watcher] = set()
        self.rendered: dict[tuple[object, ...], str] = {}
        self.trouble: str | None = None
        self.version, self._token = 0, secrets.token_hex(4)
        self.used = time.monotonic()
        self._seen: dict[str, float] = {}
        self._lock = asyncio.Lock()
        self.driver = Driver(self)

    def _take(self, stored: StoredRoom) -> None:
        self.options, self.last = stored.options, stored.last
        self.seats, self.saw_key = dict(stored.seats), set(stored.saw_key)

    # What everybody may know.

    @property
    def game(self) -> Game | None:
        """The game that is played, or was played last."""
        return self.last.game if self.last else None

    @property
    def running(self) -> StoredGame | None:
        """The game if it is not over."""
        return self.last if self.last and not self.last.game.end else None

    @property
    def state(self) -> str:
        """A name of what can be seen now; another process or change has another name."""
        return f"{self._token}.{self.version}"

    @property
    def is_daily(self) -> bool:
        """Whether the room is for the board of a day: one person, one game."""
        return bool(self.last and self.last.daily)

    @property
    def to_move(self) -> Place | None:
        """The seat whose move the game waits for; None if no game is running."""
        return place_to_move(self.last.game) if self.last else None

    def sitting(self, place: Place) -> list[str]:
        """The players in a seat, in the order in which they joined."""
        return [player for player, taken in self.seats.items() if taken == place]

    def is_present(self, player: str) -> bool:
        """Whether a player has the room open."""
        if any(watcher.player == player for watcher in self.watchers):
            return True
        return time.monotonic() - self._seen.get(player, -PRESENT) < PRESENT

    @property
    def is_watched(self) -> bool:
        """Whether anybody has the room open."""
        return bool(self.watchers) or any(map(self.is_present, self._seen))

    def set_trouble(self, trouble: str) -> None:
        """Tell everybody that an agent could not move."""
        if self.trouble != trouble:
            self.trouble = trouble
            self.changed("status")

    def note(self, player: str, name: str) -> None:
        """Note that a player is there, and their name; an empty one changes nothing."""
        self._seen[player] = self.used = time.monotonic()
        if name and self.names.get(player) != name:
            self.names[player] = name
            self.changed()
        self.driver.wake()

    def change_name(self, player: str, name: str) -> None:
        """Show another name of a player; an empty one for none."""
        self.names.pop(player, None)
        self.note(player, name)
        self.changed()

    def watch(self, watcher: Watcher) -> None:
        """Tell a watcher about changes from now on."""
        was_present = self.is_present(watcher.player)
        self.watchers.add(watcher)
        self.used = time.monotonic()
        if not was_present:
            self.changed()
        self.driver.wake()

    def unwatch(self, watcher: Watcher) -> None:
        """Tell a watcher nothing more."""
        self.watchers.discard(watcher)
        self._seen[watcher.player] = self.used = time.monotonic()
        # Others see that somebody is away when it is clear that they do not come back at once.
        asyncio.get_running_loop().call_later(PRESENT + 0.1, self.changed)

    def changed(self, *parts: str) -> None:
        """Tell all watchers that something is new in some parts of the page; in all by default."""
        for key in list(self.rendered):
            if not parts or key[0] in parts:
                del self.rendered[key]
        self.version += 1
        for watcher in self.watchers:
            watcher.changed.set()

    # Seats.

    def objection_to(self, player: str, place: Place) -> str | None:
        """Why a player may not take a seat, as the key of a sentence."""
        if self.is_daily:
            return "daily_seats"
        if len(self.sitting(place)) >= place.room_for:
            return "seat_taken"
        # Nobody who has seen the colours may guess in the same game.
        if self.running and place.role == GUESSER and player in self.saw_key:
            return "saw_key"
        return None

    async def sit(self, player: str, place: Place) -> None:
        """Give a player a seat."""
        async with self._lock:
            if self.seats.get(player) == place:
                return
            if objection := self.objection_to(player, place):
                raise RoomError(objection)
            running = self.running
            sees = running.code if running and place.role == SPYMASTER else None
            await self._set_seat(player, place, sees)
            if sees:
                self.saw_key.add(player)
        self.driver.wake()

    async def leave(self, player: str) -> None:
        """Let a player get up; an agent takes over the seat if nobody else sits there."""
        async with self._lock:
            if self.is_daily or self.seats.get(player) is None:
                return
            await self._set_seat(player, None)
        self.driver.wake()

    async def release(self, player: str, place: Place) -> None:
        """Let an agent take over a seat whose people are all away."""
        async with self._lock:
            self._check_seated(player)
            sitting = self.sitting(place)
            if any(self.is_present(other) for other in sitting):
                raise RoomError("still_there")
            for other in sitting:
                await self._set_seat(other, None)
        self.driver.wake()

    async def _set_seat(self, player: str, place: Place | None, sees: str | None = None) -> None:
        await self._store(
            partial(rows.set_seat, room=self.code, player=player, place=place, sees_key_of=sees)
        )
        self.seats[player] = place
        self.changed()

    def _check_seated(self, player: str) -> Place:
        place = self.seats.get(player)
        if place is None:
            raise NotSeated("not_seated")
        return place

    # Games.

    async def set_options(self, player: str, options: GameOptions) -> None:
        """Change what the next game is like."""
        async with self._lock:
            self._check_seated(player)
            if self.is_daily or self.running:
                raise RoomError("game_running")
            await self._store(partial(rows.set_options, room=self.code, options=options))
            self.options = options
            self.changed()

    async def start(
        self,
        player: str,
        board: Board | None = None,
        daily: str | None = None,
        begins: int | None = None,
    ) -> None:
        """Begin a game: on a new board and with teams that take turns in beginning by default.

        `daily` is the day whose board this is.
        """
        async with self._lock:
            self._check_seated(player)
            if self.running or self.is_daily:
                raise RoomError("game_running")
            number = self.last.number + 1 if self.last else 1
            if begins is None:
                begins = (number - 1) % self.options.teams
            if board is None:
                if self.bundle is None:
                    raise RoomError("no_bundle")
                board = self.options.deal_board(self.bundle, begins, secrets.randbits(48))
            game = Game(board, self.options.rules(begins), self.language)
            stored = StoredGame(new_code(), self.code, number, game, self.options.style, daily)
            spymasters = [
                other for other, place in self.seats.items() if place and place.role == SPYMASTER
            ]
            await self._store(partial(rows.add_game, stored=stored, spymasters=spymasters))
            self.last, self.saw_key, self.reasons = stored, set(spymasters), {}
            self.site.metrics.count("games_total")
            self.changed()
        self.driver.wake()

    async def play(self, player: str, role: str, move: Move, seen: int) -> None:
        """Make a person's move, which is for a role.

        `seen` is the number of moves that the player had seen: a move for another state is refused.
        """
        start = time.perf_counter()
        async with self._lock:
            running = self.running
            if running is None:
                raise RoomError("no_game")
            place = self.to_move
            if place is None or self.seats.get(player) != place or place.role != role:
                raise RoomError("not_your_turn")
            if seen != len(running.game.moves):
                raise RoomChanged("table_changed")
            await self._accept(running, move, player)
        self.site.metrics.time("move_seconds", time.perf_counter() - start)
        self.driver.wake()

    async def give_up(self, player: str) -> None:
        """End the game: the player's team gives up."""
        async with self._lock:
            running = self.running
            if running is None:
                raise RoomError("no_game")
            team = self._check_seated(player).team
            if team >= running.game.rules.teams:
                raise NotSeated("not_seated")
            await self._accept(running, Move(GIVE_UP, team=team), player)
        self.driver.wake()

    async def play_for(self, place: Place, running: StoredGame, move: Move) -> None:
        """Make an agent's move, unless the game has gone on or somebody sat down."""
        async with self._lock:
            if self.running is running and not self.sitting(place):
                await self._accept(running, move, None)

    async def _accept(self, running: StoredGame, move: Move, player: str | None) -> None:
        """Store a move that the rules allow, then show it. Needs the lock."""
        game = running.game
        try:
            after = game.after(move)
        except InputError:
            raise RoomError("not_possible") from None
        stored = replace(running, game=after)
        ends_turn = len(closed_turns(after)) > len(closed_turns(game))
        keepers = dict(self.keepers) if ends_turn else {}
        await self._store(
            partial(rows.add_move, stored=stored, move=move, player=player, keepers=keepers)
        )
        self.last, self.trouble = stored, None
        self.site.metrics.count("moves_total", by="person" if player else "agent")
        self.changed("status", "board", "controls", "log")

    async def _store(self, work: Callable[[Session], None]) -> None:
        try:
            await self.site.database.run(work)
        except IntegrityError:
            # Another process of the site moved first: take over what it stored.
            stored = await self.site.database.read(partial(rows.load_room, code=self.code))
            if stored is not None:
                self._take(stored)
                self.changed()
            raise RoomChanged("table_changed") from None


class Hub:
    """The rooms in memory. A room is read from the database when somebody comes."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._tables: dict[str, Table] = {}
        site.metrics.gauge("rooms", lambda: len(self._tables))
        site.metrics.gauge("watchers", lambda: sum(len(t.watchers) for t in self._tables.values()))

    async def create(self, language: str, options: GameOptions) -> Table:
        """Make a new room."""
        stored = StoredRoom(new_code(), language, options, {}, None, frozenset())
        await self._site.database.run(partial(rows.add_room, stored=stored))
        self._site.metrics.count("rooms_total")
        return self._keep(stored)

    async def find(self, code: str) -> Table | None:
        """The room at an address; None if there is none."""
        if code in self._tables:
            return self._tables[code]
        stored = await self._site.database.read(partial(rows.load_room, code=code))
        return self._keep(stored) if stored else None

    def _keep(self, stored: StoredRoom) -> Table:
        """The room in memory: the same object for all who come."""
        oldest = time.monotonic() - IDLE
        for code, table in list(self._tables.items()):
            if not table.watchers and table.used < oldest:
                del self._tables[code]
        if stored.code not in self._tables:
            self._tables[stored.code] = Table(stored, self._site)
        return self._tables[stored.code]

    def close(self) -> None:
        """Stop what runs in the rooms."""
        for table in self._tables.values():
            table.driver.close()

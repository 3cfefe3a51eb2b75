"""The addresses of rooms: the page, its live parts, what people do there, and finished games."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache, partial
from typing import NamedTuple

from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from wordkin.game.game import GIVE, STOP, TURN_OVER, Game, Move
from wordkin.game.legality import Legality
from wordkin.web.answers import Refused, page, read_form, site_of, texts_of, wants_json
from wordkin.web.database.rooms import StoredGame, load_game
from wordkin.web.database.rounds import GAMES
from wordkin.web.guard import address_of
from wordkin.web.rooms.agents import Reasons
from wordkin.web.rooms.options import (
    GUESSER,
    PLACES,
    SPYMASTER,
    GameOptions,
    Place,
    RoomError,
    parse_options,
)
from wordkin.web.rooms.screen import card_labels, end_text, room_parts, seen_game
from wordkin.web.rooms.table import Table, Watcher
from wordkin.web.visitors import Visitor, digest, visitor_of

LONGEST_NAME = 24
LONGEST_CLUE = 40
UNLIMITED = "unlimited"


async def find_table(connection: HTTPConnection) -> Table:
    """The room of an address, with whoever asks noted as present."""
    table = await site_of(connection).hub.find(connection.path_params["code"])
    if table is None:
        raise Refused(404, "no_room")
    visitor = visitor_of(connection)
    table.note(visitor.id, visitor.name)
    return table


async def read_fields(request: Request) -> dict[str, str]:
    """The fields of a form in which none is there twice."""
    return {name: str(value) for name, value in (await read_form(request)).items()}


def allow_new_room(request: Request) -> None:
    """Refuse who makes too many rooms."""
    if not site_of(request).rates.rooms.allows(address_of(request.scope)):
        raise Refused(429, "too_often")


async def new_room(request: Request) -> Response:
    """Make a room; `mode` is the seat of somebody who plays at once, or `room`."""
    site, visitor, form = site_of(request), visitor_of(request), await read_fields(request)
    bundle, mode = site.bundles.get(form.get("words_language", "")), form.get("mode")
    if bundle is None or mode not in (GUESSER, SPYMASTER, "room"):
        raise Refused(400, "bad_form")
    allow_new_room(request)
    options = await asyncio.to_thread(parse_options, form, bundle)
    table = await site.hub.create(bundle.language, options)
    if mode != "room":
        await table.sit(visitor.id, Place(0, mode))
        await table.start(visitor.id)
    return RedirectResponse(f"/room/{table.code}", 303)


async def room(request: Request) -> Response:
    """The page of a room."""
    table, visitor = await find_table(request), visitor_of(request)
    return page(
        request,
        "room/room.html",
        room=table,
        parts=room_parts(site_of(request), table, visitor.id, visitor.language),
        version=table.state,
        name=visitor.name,
        agreed=visitor.agreed,
    )


async def state(request: Request) -> Response:
    """What has changed since a version: the fallback where sockets do not work."""
    table = await find_table(request)
    if request.query_params.get("version") == table.state:
        return Response(status_code=204)
    return _state(request, table)


def _state(request: Request, table: Table) -> Response:
    visitor = visitor_of(request)
    parts = room_parts(site_of(request), table, visitor.id, visitor.language)
    return JSONResponse({"version": table.state, "parts": parts})


async def live(socket: WebSocket) -> None:
    """Send the parts of the page whenever they change."""
    visitor = visitor_of(socket)
    try:
        table = await find_table(socket)
    except Refused:
        await socket.close(1008)
        return
    await socket.accept()
    watcher = Watcher(visitor.id)
    table.watch(watcher)
    sending = asyncio.create_task(_send_changes(socket, table, watcher, visitor))
    try:
        # Browsers send nothing; this ends when they go away.
        while True:
            await socket.receive_text()
    except WebSocketDisconnect:
        pass
    finally:
        sending.cancel()
        table.unwatch(watcher)


async def _send_changes(
    socket: WebSocket, table: Table, watcher: Watcher, visitor: Visitor
) -> None:
    shown: dict[str, str] = {}
    try:
        while True:
            watcher.changed.clear()
            parts = room_parts(site_of(socket), table, visitor.id, visitor.language)
            # Most changes concern everybody, some nobody but others.
            new = {name: part for name, part in parts.items() if shown.get(name) != part}
            if new:
                shown = parts
                await socket.send_json({"version": table.state, "parts": new})
            await watcher.changed.wait()
    except (WebSocketDisconnect, RuntimeError):
        # The browser is gone; the receiving side notices as well and cleans up.
        return


# What people do in a room.


class Visit(NamedTuple):
    """Somebody who sends a form in a room."""

    request: Request
    table: Table
    visitor: Visitor
    form: dict[str, str]

    @property
    def place(self) -> Place:
        """The seat that the form names."""
        place = PLACES.get(self.form.get("seat", ""))
        if place is None:
            raise Refused(400, "bad_form")
        return place

    @property
    def seen(self) -> int:
        """The number of moves that the player had seen."""
        seen = self.form.get("seen", "")
        if not (seen.isascii() and seen.isdecimal() and len(seen) < 6):
            raise Refused(400, "bad_form")
        return int(seen)


ACTIONS: list[BaseRoute] = []


Act = Callable[[Visit], Awaitable[None]]


def action(name: str) -> Callable[[Act], Act]:
    """Make an address of something that a person does in a room."""

    def add(act: Act) -> Act:
        async def answer(request: Request) -> Response:
            site, visitor = site_of(request), visitor_of(request)
            if not site.rates.moves.allows(visitor.id):
                raise Refused(429, "too_often")
            table, form = await find_table(request), await read_fields(request)
            if visitor.agreed:
                table.keepers[visitor.id] = digest(site.person_id(visitor, GAMES))
            else:
                table.keepers.pop(visitor.id, None)
            await act(Visit(request, table, visitor, form))
            if wants_json(request):
                return _state(request, table)
            return RedirectResponse(f"/room/{table.code}", 303)

        ACTIONS.append(Route(f"/room/{{code}}/{name}", answer, methods=["POST"]))
        return act

    return add


@action("sit")
async def sit(visit: Visit) -> None:
    """Take a seat."""
    await visit.table.sit(visit.visitor.id, visit.place)


@action("leave")
async def leave(visit: Visit) -> None:
    """Get up."""
    await visit.table.leave(visit.visitor.id)


@action("release")
async def release(visit: Visit) -> None:
    """Let an agent play for people who went away."""
    await visit.table.release(visit.visitor.id, visit.place)


@action("name")
async def change_name(visit: Visit) -> None:
    """Choose a name; it is in the player's cookie and in memory, and is not stored."""
    name = " ".join(visit.form.get("name", "").split())
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise Refused(400, "bad_name", most=LONGEST_NAME)
    visit.request.session["name"] = name
    visit.table.change_name(visit.visitor.id, name)


@action("options")
async def change_options(visit: Visit) -> None:
    """Choose the rules, words and agents of the next game."""
    if visit.table.bundle is None:
        raise RoomError("no_bundle")
    options = await asyncio.to_thread(parse_options, visit.form, visit.table.bundle)
    await visit.table.set_options(visit.visitor.id, options)


@action("start")
async def start(visit: Visit) -> None:
    """Begin a game, or another one."""
    await visit.table.start(visit.visitor.id)


@action("clue")
async def clue(visit: Visit) -> None:
    """Give a clue."""
    table, number = visit.table, visit.form.get("number", "")
    word = " ".join(visit.form.get("clue", "").split())
    if table.game is None:
        raise RoomError("no_game")
    if number != UNLIMITED and not (number.isascii() and number.isdecimal() and len(number) < 4):
        raise Refused(400, "bad_number")
    sentence = await _objection(visit.request, table, table.game, word)
    if sentence:
        raise Refused(400, "told", sentence=sentence)
    move = Move(GIVE, word, None if number == UNLIMITED else int(number))
    await table.play(visit.visitor.id, SPYMASTER, move, visit.seen)


@action("card")
async def card(visit: Visit) -> None:
    """Turn a card over."""
    move = Move(TURN_OVER, visit.form.get("card", ""))
    await visit.table.play(visit.visitor.id, GUESSER, move, visit.seen)


@action("stop")
async def stop(visit: Visit) -> None:
    """End the turn."""
    await visit.table.play(visit.visitor.id, GUESSER, Move(STOP), visit.seen)


@action("give-up")
async def give_up(visit: Visit) -> None:
    """Give up the game."""
    await visit.table.give_up(visit.visitor.id)


async def check(request: Request) -> Response:
    """Whether a clue is allowed, while it is typed."""
    if not site_of(request).rates.checks.allows(visitor_of(request).id):
        raise Refused(429, "too_often")
    table = await find_table(request)
    word = " ".join(request.query_params.get("clue", "").split())
    if table.game is None or not word:
        return JSONResponse({"legal": False, "sentence": ""})
    sentence = await _objection(request, table, table.game, word)
    legal = texts_of(request)("room", "legal", clue=word)
    return JSONResponse({"legal": sentence is None, "sentence": sentence or legal})


async def _objection(request: Request, table: Table, game: Game, word: str) -> str | None:
    """Why a clue may not be given: the rules, or an agent that does not know the word."""
    words = texts_of(request)
    if len(word) > LONGEST_CLUE:
        return words("room", "long_clue", most=LONGEST_CLUE)
    if table.bundle is None:
        raise RoomError("no_bundle")
    bundle, cards, said = table.bundle, game.face_down, game.said
    by_agent = not table.sitting(Place(game.moving, GUESSER))

    def judge() -> str | None:
        objection = _legality(bundle).objection(word, cards, said)
        if objection is not None:
            rule = f"illegal_{objection.rule}"
            return words("terminal", rule, clue=word, word=objection.word)
        if by_agent and bundle.try_resolve(word) is None:
            return words("room", "unknown_clue", clue=word)
        return None

    return await asyncio.to_thread(judge)


_legality = cache(Legality.of)


# Finished games: their whole history at an address to share, and the same board to play again.


async def _finished(request: Request) -> StoredGame:
    """The finished game of an address; a game that is being played is not shown."""
    load = partial(load_game, code=request.path_params["code"])
    stored = await site_of(request).database.read(load)
    if stored is None or not stored.game.end:
        raise Refused(404, "no_history")
    return stored


async def history(request: Request) -> Response:
    """The page of a finished game."""
    site, stored, words = site_of(request), await _finished(request), texts_of(request)
    game, reasons = stored.game, dict[tuple[str, str], Reasons]()
    if game.language in site.bundles:
        for turn in game.turns:
            cards = turn.guessed
            answers = await site.agents.reasons(game.language, stored.style, turn.clue, cards)
            for card, sentences in zip(cards, answers, strict=True):
                reasons[turn.clue, card] = sentences
    seen = seen_game(game, None, reasons, words.language)
    return page(
        request,
        "game.html",
        stored=stored,
        seen=seen,
        labels=card_labels(words),
        ending=end_text(seen, words),
        playable=game.language in site.bundles,
    )


async def play_again(request: Request) -> Response:
    """Play the board of a finished game in a new room."""
    site, stored, visitor = site_of(request), await _finished(request), visitor_of(request)
    mode, game = (await read_fields(request)).get("mode"), stored.game
    if mode not in (GUESSER, SPYMASTER) or game.language not in site.bundles:
        raise Refused(400, "bad_form")
    allow_new_room(request)
    # The list of words is the board itself: a rematch deals the same words anew.
    options = GameOptions(game.rules.teams, game.rules.deal, game.board.words, stored.style)
    table = await site.hub.create(game.language, options)
    await table.sit(visitor.id, Place(game.rules.begins, mode))
    await table.start(visitor.id, game.board, begins=game.rules.begins)
    return RedirectResponse(f"/room/{table.code}", 303)


ROUTES: list[BaseRoute] = [
    Route("/play", new_room, methods=["POST"]),
    Route("/room/{code}", room),
    Route("/room/{code}/state", state),
    Route("/room/{code}/check", check),
    WebSocketRoute("/room/{code}/live", live),
    *ACTIONS,
    Route("/game/{code}", history),
    Route("/game/{code}/play", play_again, methods=["POST"]),
]

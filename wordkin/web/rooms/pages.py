"""The addresses of rooms: the page, its live parts, and everything that a person can do."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from starlette.datastructures import FormData
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from wordkin.game.game import GIVE, STOP, TURN_OVER, Game, Move
from wordkin.web.answers import Refused, page, texts_of, wants_json
from wordkin.web.limits import address_of
from wordkin.web.people import digest
from wordkin.web.rooms.options import parse_options
from wordkin.web.rooms.seating import GUESSER, PLACES, SPYMASTER, Place
from wordkin.web.rooms.shown import objection_text, room_parts, state_json
from wordkin.web.rooms.table import Part, Table, Watcher
from wordkin.web.rounds import GAMES
from wordkin.web.visitors import Visitor, visitor_of

if TYPE_CHECKING:
    from wordkin.web.site import Site

LONGEST_NAME = 24
LONGEST_CLUE = 40
UNLIMITED = "unlimited"


def site_of(connection: HTTPConnection) -> Site:
    """The site that a request is for."""
    site: Site = connection.app.state.site
    return site


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form; files are refused."""
    form: FormData = await request.form(max_files=0, max_fields=40)
    return {name: value for name, value in form.items() if isinstance(value, str)}


async def find_table(connection: HTTPConnection) -> Table:
    """The room of an address."""
    table = await site_of(connection).hub.find(connection.path_params["code"])
    if table is None:
        raise Refused(404, "no_room")
    return table


async def new_room(request: Request) -> Response:
    """Make a room; `mode` is the seat of somebody who plays at once, or `room`."""
    site, visitor = site_of(request), visitor_of(request)
    form = await read_form(request)
    bundle = site.bundles.get(form.get("words_language", ""))
    mode = form.get("mode")
    if bundle is None or mode not in (GUESSER, SPYMASTER, "room"):
        raise Refused(400, "bad_form")
    if not site.rates.rooms.allows(address_of(request.scope)):
        raise Refused(429, "too_often")
    options = await asyncio.to_thread(parse_options, form, bundle)
    table = await site.hub.create(bundle.language, options)
    if mode == "room":
        return RedirectResponse(f"/room/{table.code}", 303)
    await table.sit(visitor.id, Place(0, mode))
    await table.start(visitor.id)
    return RedirectResponse(f"/room/{table.code}", 303)


async def room(request: Request) -> Response:
    """The page of a room."""
    table, visitor = await find_table(request), visitor_of(request)
    table.note(visitor.id, visitor.name)
    parts = room_parts(site_of(request), table, visitor.id, visitor.language)
    return page(
        request,
        "room/room.html",
        room=table,
        parts={name: part.html for name, part in parts.items()},
        version=table.state,
        name=visitor.name,
        agreed=visitor.agreed,
    )


async def state(request: Request) -> Response:
    """What has changed since a version: the fallback where sockets do not work."""
    table, visitor = await find_table(request), visitor_of(request)
    table.note(visitor.id, visitor.name)
    if request.query_params.get("version") == table.state:
        return Response(status_code=204)
    return _state(site_of(request), table, visitor)


def _state(site: Site, table: Table, visitor: Visitor) -> Response:
    parts = room_parts(site, table, visitor.id, visitor.language)
    return Response(state_json(table.state, parts), media_type="application/json")


async def live(socket: WebSocket) -> None:
    """Send the parts of the page whenever they change."""
    visitor = visitor_of(socket)
    try:
        table = await find_table(socket)
    except Refused:
        await socket.close(1008)
        return
    await socket.accept()
    watcher = Watcher(visitor.id, visitor.language)
    table.note(visitor.id, visitor.name)
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
    site = site_of(socket)
    shown: dict[str, Part] = {}
    try:
        while True:
            watcher.changed.clear()
            parts = room_parts(site, table, visitor.id, visitor.language)
            # Most changes concern everybody, some nobody but others.
            new = {name: part for name, part in parts.items() if shown.get(name) != part}
            if new:
                shown = parts
                await socket.send_text(state_json(table.state, new))
            await watcher.changed.wait()
    except (WebSocketDisconnect, RuntimeError):
        # The browser is gone; the receiving side notices as well and cleans up.
        return


Action = Callable[[Table, Visitor, dict[str, str], Request], Awaitable[None]]


def action(act: Action) -> Callable[[Request], Awaitable[Response]]:
    """Make a route of something that a person does in a room."""

    async def answer(request: Request) -> Response:
        site, visitor = site_of(request), visitor_of(request)
        if not site.rates.moves.allows(visitor.id):
            raise Refused(429, "too_often")
        table, form = await find_table(request), await read_form(request)
        table.note(visitor.id, visitor.name)
        if visitor.agreed:
            table.keepers[visitor.id] = digest(site.people.id_of(visitor, GAMES))
        else:
            table.keepers.pop(visitor.id, None)
        await act(table, visitor, form, request)
        if wants_json(request):
            return _state(site, table, visitor_of(request))
        return RedirectResponse(f"/room/{table.code}", 303)

    return answer


@action
async def sit(table: Table, visitor: Visitor, form: dict[str, str], request: Request) -> None:
    """Take a seat."""
    await table.sit(visitor.id, _place(form))


@action
async def leave(table: Table, visitor: Visitor, form: dict[str, str], request: Request) -> None:
    """Get up."""
    await table.leave(visitor.id)


@action
async def release(table: Table, visitor: Visitor, form: dict[str, str], request: Request) -> None:
    """Let an agent play for people who went away."""
    await table.release(visitor.id, _place(form))


def _place(form: dict[str, str]) -> Place:
    place = PLACES.get(form.get("seat", ""))
    if place is None:
        raise Refused(400, "bad_form")
    return place


@action
async def change_name(
    table: Table, visitor: Visitor, form: dict[str, str], request: Request
) -> None:
    """Choose a name; it is in the player's cookie and in memory, and is not stored."""
    name = " ".join(form.get("name", "").split())
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise Refused(400, "bad_name", most=LONGEST_NAME)
    request.state.visitor = replace(visitor, name=name)
    table.names.pop(visitor.id, None)
    table.note(visitor.id, name)
    table.changed()


@action
async def change_options(
    table: Table, visitor: Visitor, form: dict[str, str], request: Request
) -> None:
    """Choose the rules, words and agents of the next game."""
    bundle = site_of(request).bundles.get(table.language)
    if bundle is None:
        raise Refused(409, "no_bundle")
    await table.set_options(visitor.id, await asyncio.to_thread(parse_options, form, bundle))


@action
async def start(table: Table, visitor: Visitor, form: dict[str, str], request: Request) -> None:
    """Begin a game, or another one."""
    await table.start(visitor.id)


@action
async def clue(table: Table, visitor: Visitor, form: dict[str, str], request: Request) -> None:
    """Give a clue."""
    word, number = " ".join(form.get("clue", "").split()), form.get("number", "")
    game = table.game
    if game is None:
        raise Refused(409, "no_game")
    if number != UNLIMITED and not (number.isascii() and number.isdecimal() and len(number) < 4):
        raise Refused(400, "bad_number")
    sentence = await _objection(site_of(request), table, game, word, visitor.language)
    if sentence:
        raise Refused(400, "told", sentence=sentence)
    move = Move(GIVE, word, None if number == UNLIMITED else int(number))
    await table.play(visitor.id, SPYMASTER, move, _seen(form))


@action
async def card(table: Table, visitor: Visitor, form: dict[str, str], request: Request) -> None:
    """Turn a card over."""
    await table.play(visitor.id, GUESSER, Move(TURN_OVER, form.get("card", "")), _seen(form))


@action
async def stop(table: Table, visitor: Visitor, form: dict[str, str], request: Request) -> None:
    """End the turn."""
    await table.play(visitor.id, GUESSER, Move(STOP), _seen(form))


@action
async def give_up(table: Table, visitor: Visitor, form: dict[str, str], request: Request) -> None:
    """Give up the game."""
    await table.give_up(visitor.id)


def _seen(form: dict[str, str]) -> int:
    """The number of moves that the player had seen."""
    seen = form.get("seen", "")
    if not (seen.isascii() and seen.isdecimal() and len(seen) < 6):
        raise Refused(400, "bad_form")
    return int(seen)


async def check(request: Request) -> Response:
    """Whether a clue is allowed, while it is typed."""
    site, visitor = site_of(request), visitor_of(request)
    if not site.rates.checks.allows(visitor.id):
        raise Refused(429, "too_often")
    table = await find_table(request)
    word = " ".join(request.query_params.get("clue", "").split())
    if table.game is None or not word:
        return JSONResponse({"legal": False, "sentence": ""})
    sentence = await _objection(site, table, table.game, word, visitor.language)
    words = texts_of(request)
    return JSONResponse(
        {"legal": sentence is None, "sentence": sentence or words("room", "legal", clue=word)}
    )


async def _objection(site: Site, table: Table, game: Game, word: str, language: str) -> str | None:
    """Why a clue may not be given: the rules, or an agent that does not know the word."""
    if len(word) > LONGEST_CLUE:
        return site.words(language)("room", "long_clue", most=LONGEST_CLUE)
    bundle = site.bundles.get(table.language)
    if bundle is None:
        raise Refused(409, "no_bundle")
    cards, said = game.face_down, game.said

    def objection() -> str | None:
        return objection_text(site.legality(table.language), word, cards, said, language)

    sentence = await asyncio.to_thread(objection)
    if sentence or table.sitting(Place(game.moving, GUESSER)):
        return sentence
    if await asyncio.to_thread(bundle.try_resolve, word) is None:
        return site.words(language)("room", "unknown_clue", clue=word)
    return None


def _post(name: str, endpoint: Callable[[Request], Awaitable[Response]]) -> Route:
    return Route(f"/room/{{code}}/{name}", endpoint, methods=["POST"])


ROUTES: list[BaseRoute] = [
    Route("/play", new_room, methods=["POST"]),
    Route("/room/{code}", room),
    Route("/room/{code}/state", state),
    Route("/room/{code}/check", check),
    WebSocketRoute("/room/{code}/live", live),
    _post("sit", sit),
    _post("leave", leave),
    _post("release", release),
    _post("name", change_name),
    _post("options", change_options),
    _post("start", start),
    _post("clue", clue),
    _post("card", card),
    _post("stop", stop),
    _post("give-up", give_up),
]

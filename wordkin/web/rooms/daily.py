"""The board of the day: the same for everybody, played alone, with how others did."""

from __future__ import annotations

import hashlib
from collections import Counter
from datetime import UTC, date, datetime
from functools import partial
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from wordkin.game.game import WON
from wordkin.game.rules import SOLITAIRE
from wordkin.web.answers import Refused, page, read_form, site_of
from wordkin.web.database.rooms import daily_results, daily_room
from wordkin.web.rooms.options import GUESSER, GameOptions, Place
from wordkin.web.rooms.routes import allow_new_room
from wordkin.web.visitors import visitor_of

OPTIONS = GameOptions(teams=1, deal=SOLITAIRE.deal)
"""The rules of the board of the day: one team, the agent gives the clues."""


class Standing(NamedTuple):
    """How many players finished a board in a number of turns, and their share in percent."""

    turns: int
    players: int
    percent: int


class Results(NamedTuple):
    """How people did on the board of a day; the turns of those who lost say nothing."""

    players: int
    won: int
    standings: list[Standing]
    lost: Standing


def today() -> str:
    """The day by UTC, so that it is the same for everybody."""
    return datetime.now(UTC).date().isoformat()


def day_seed(day: str, language: str) -> int:
    """The number that deals the board of a day in a language."""
    return int.from_bytes(hashlib.sha256(f"{day} {language}".encode()).digest()[:6])


def summarize(results: list[dict[str, Any]]) -> Results:
    """Count the results of a day by the number of turns."""
    won = [result["turns"] for result in results if result["end"] == WON]

    def standing(turns: int, players: int) -> Standing:
        return Standing(turns, players, round(100 * players / max(1, len(results))))

    counts = Counter(won)
    turns = range(min(won), max(won) + 1) if won else ()
    standings = [standing(number, counts[number]) for number in turns]
    return Results(len(results), len(won), standings, standing(0, len(results) - len(won)))


async def play_daily(request: Request) -> Response:
    """Begin today's board, or go on with it."""
    site, visitor = site_of(request), visitor_of(request)
    bundle = site.bundles.get(str((await read_form(request)).get("words_language", "")))
    if bundle is None:
        raise Refused(400, "bad_form")
    day, language = today(), bundle.language
    find = partial(daily_room, day=day, language=language, player=visitor.id)
    code = await site.database.read(find)
    if code is None:
        allow_new_room(request)
        table = await site.hub.create(language, OPTIONS)
        await table.sit(visitor.id, Place(0, GUESSER))
        board = OPTIONS.deal_board(bundle, 0, day_seed(day, language))
        await table.start(visitor.id, board, day)
        code = table.code
    return RedirectResponse(f"/room/{code}", 303)


async def results_page(request: Request) -> Response:
    """How people did on the board of a day."""
    site, visitor = site_of(request), visitor_of(request)
    day, language = request.path_params["day"], request.path_params["language"]
    try:
        played = date.fromisoformat(day)
    except ValueError:
        raise Refused(404, "missing") from None
    if language not in site.bundles:
        raise Refused(404, "missing")
    read = site.database.read
    results = await read(partial(daily_results, day=day, language=language))
    code = await read(partial(daily_room, day=day, language=language, player=visitor.id))
    table = await site.hub.find(code) if code else None
    own = table.game.statistics() if table and table.game and table.game.end else None
    return page(request, "daily.html", day=played, results=summarize(results), own=own)


ROUTES = [
    Route("/daily", play_daily, methods=["POST"]),
    Route("/daily/{day}/{language}", results_page),
]

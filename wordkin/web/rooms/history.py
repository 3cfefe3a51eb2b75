"""Finished games: their whole history at an address to share, and the same board to play again."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from wordkin.web.answers import Refused, page, texts_of
from wordkin.web.limits import address_of
from wordkin.web.rooms import store
from wordkin.web.rooms.agents import Reasons
from wordkin.web.rooms.options import GameOptions
from wordkin.web.rooms.pages import read_form, site_of
from wordkin.web.rooms.seating import GUESSER, SPYMASTER, Place
from wordkin.web.rooms.views import seen_game
from wordkin.web.visitors import visitor_of


async def _finished(request: Request) -> store.StoredGame:
    """The finished game of an address; a game that is being played is not shown."""
    code = request.path_params["code"]
    stored = await site_of(request).database.read(lambda session: store.load_game(session, code))
    if stored is None or not stored.game.end:
        raise Refused(404, "no_history")
    return stored


async def history(request: Request) -> Response:
    """The page of a finished game."""
    site, stored = site_of(request), await _finished(request)
    game, words = stored.game, texts_of(request)
    reasons: dict[tuple[str, str], Reasons] = {}
    if game.language in site.bundles:
        for turn in game.turns:
            answers = await site.agents.reasons(
                game.language, stored.style, turn.clue, turn.guessed
            )
            for card, sentences in zip(turn.guessed, answers, strict=True):
                reasons[turn.clue, card] = sentences
    return page(
        request,
        "game.html",
        stored=stored,
        seen=seen_game(game, None, reasons, words.language),
        playable=game.language in site.bundles,
    )


async def play_again(request: Request) -> Response:
    """Play the board of a finished game in a new room."""
    site, stored = site_of(request), await _finished(request)
    visitor, form = visitor_of(request), await read_form(request)
    mode, game = form.get("mode"), stored.game
    if mode not in (GUESSER, SPYMASTER) or game.language not in site.bundles:
        raise Refused(400, "bad_form")
    if not site.rates.rooms.allows(address_of(request.scope)):
        raise Refused(429, "too_often")
    # The list of words is the board itself: a rematch deals the same words anew.
    options = GameOptions(game.rules.teams, game.rules.deal, game.board.words, stored.style)
    table = await site.hub.create(game.language, options)
    await table.sit(visitor.id, Place(game.rules.begins, mode))
    await table.start(visitor.id, stored.game.board, begins=game.rules.begins)
    return RedirectResponse(f"/room/{table.code}", 303)


ROUTES = [
    Route("/game/{code}", history),
    Route("/game/{code}/play", play_again, methods=["POST"]),
]

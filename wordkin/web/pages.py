"""The pages that belong to no game: the start, health and metrics."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from wordkin.web.answers import page, texts_of
from wordkin.web.rooms.options import GameOptions


async def home(request: Request) -> Response:
    """The start page."""
    site, language = request.app.state.site, texts_of(request).language
    words_language = site.bundle_for(language).language
    return page(request, "home.html", words_language=words_language, options=GameOptions())


async def health(request: Request) -> Response:
    """Whether the site works: 200, or 503 if the database does not answer."""
    works = await request.app.state.site.database.answers()
    return JSONResponse({"database": "ok" if works else "gone"}, 200 if works else 503)


async def metrics(request: Request) -> Response:
    """Counters and times for Prometheus."""
    return PlainTextResponse("\n".join([*request.app.state.site.metrics.lines(), ""]))


ROUTES = [Route("/", home), Route("/health", health), Route("/metrics", metrics)]

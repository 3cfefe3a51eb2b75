"""The application: what all requests share, the addresses, and what starts and stops with it."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from sqlalchemy.orm import Session
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from wordkin.bundle import Bundle, load
from wordkin.errors import InputError
from wordkin.texts import LANGUAGES, Texts, texts
from wordkin.web.answers import HANDLERS, page, site_of, texts_of
from wordkin.web.database import Database, DatabaseGone
from wordkin.web.database.models import Key
from wordkin.web.database.rounds import delete_old
from wordkin.web.explore import routes as explore
from wordkin.web.explore.explorer import Explorer
from wordkin.web.guard import GuardMiddleware, Rates, broken
from wordkin.web.monitoring import LogMiddleware, Metrics, log
from wordkin.web.rooms import daily
from wordkin.web.rooms import routes as rooms
from wordkin.web.rooms.agents import Agents
from wordkin.web.rooms.options import GameOptions
from wordkin.web.rooms.table import Hub
from wordkin.web.settings import Settings
from wordkin.web.study import routes as study
from wordkin.web.visitors import CookieMiddleware, Visitor, person_id

STATIC, TEMPLATES = (Path(__file__).parent / name for name in ("static", "templates"))
DAY = 24 * 3600.0
KEPT = 5000
"""How many cards are kept as HTML; one takes less than 1 kB."""


class Site:
    """What all requests share: the database, the bundles, the templates and the counters.

    The bundles are by language, in the order of the settings.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.rates, self.metrics = Rates(settings.limits), Metrics()
        self.bundles: dict[str, Bundle] = {}
        for name in settings.bundles:
            bundle = load(name)
            if bundle.language in self.bundles:
                raise InputError(
                    f"Two bundles are for the language '{bundle.language}': name one of them."
                )
            self.bundles[bundle.language] = bundle
        if not self.bundles:
            raise InputError("The site needs at least one bundle to play with: name one.")
        self.database = Database(settings.database)
        self.database.upgrade()
        self.cookie_key = self.database.transact(partial(_site_key, name="cookies"))
        self._people_key = self.database.transact(partial(_site_key, name="people"))
        self._templates = Environment(
            loader=FileSystemLoader(TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals.update(
            site=self, interface_languages={code: texts(code) for code in LANGUAGES}
        )
        # After each move, most cards look as before.
        card: Any = self._templates.get_template("room/card.html").module
        self.card_item = lru_cache(KEPT)(card.card_item)
        folders = {code: str(bundle.folder) for code, bundle in self.bundles.items()}
        self.agents = Agents(folders, settings.workers)
        self.hub = Hub(self)
        self.explorers = {code: Explorer(bundle) for code, bundle in self.bundles.items()}
        # Few threads: games share the processor with those who explore.
        self.explore_threads = ThreadPoolExecutor(2, thread_name_prefix="explore")

    def render(self, template: str, words: Texts, **context: Any) -> str:
        """Render a template; `t(section, name)` in it is a text in the visitor's language."""
        return self._templates.get_template(template).render(
            t=words, language=words.language, **context
        )

    @cached_property
    def room_parts(self) -> Any:
        """The macros of the parts of a room's page: they take a fraction of a template's time."""
        return self._templates.get_template("room/parts.html").module

    def bundle_for(self, language: str) -> Bundle:
        """The bundle of a language, or the first one if there is none."""
        return self.bundles.get(language) or next(iter(self.bundles.values()))

    def person_id(self, visitor: Visitor, source: str) -> str:
        """The anonymous id of a visitor in a study (by its code) or in games."""
        return person_id(self._people_key, visitor.id, source)

    async def keep_clean(self, pause: float = DAY) -> None:
        """Delete what is too old now and once a day."""
        while True:
            try:
                deleted = await self.database.run(
                    lambda session: delete_old(session, self.settings.keep_days)
                )
                log("deleted what was too old", **deleted._asdict())
            except DatabaseGone:
                log("database gone", logging.ERROR)
            await asyncio.sleep(pause)

    def close(self) -> None:
        """Stop what runs, and wait for what is being stored."""
        self.hub.close()
        self.agents.close()
        self.explore_threads.shutdown()
        self.database.close()


def _site_key(session: Session, name: str) -> str:
    """A secret of this site, such as the one that signs cookies; made once, and kept for good."""
    key = session.get(Key, name)
    if key is None:
        key = Key(name=name, value=secrets.token_urlsafe(32))
        session.add(key)
    return key.value


async def home(request: Request) -> Response:
    """The start page."""
    words_language = site_of(request).bundle_for(texts_of(request).language).language
    return page(request, "home.html", words_language=words_language, options=GameOptions())


async def health(request: Request) -> Response:
    """Whether the site works: 200, or 503 if the database does not answer."""
    works = await site_of(request).database.answers()
    return JSONResponse({"database": "ok" if works else "gone"}, 200 if works else 503)


async def metrics(request: Request) -> Response:
    """Counters and times for Prometheus."""
    return PlainTextResponse("\n".join([*site_of(request).metrics.lines(), ""]))


ROUTES: list[BaseRoute] = [
    Route("/", home),
    Route("/health", health),
    Route("/metrics", metrics),
    *rooms.ROUTES,
    *daily.ROUTES,
    *explore.ROUTES,
    *study.ROUTES,
    Mount("/static", StaticFiles(directory=STATIC), name="static"),
]
"""All addresses of the site."""


def create_app(settings: Settings) -> Starlette:
    """Make the application for a server such as uvicorn; its `state.site` is the `Site`."""
    site = Site(settings)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        site.agents.warm_up()
        log("started", languages=sorted(site.bundles), database=site.database.engine.dialect.name)
        cleaning = asyncio.create_task(site.keep_clean())
        yield
        cleaning.cancel()
        site.close()
        log("stopped")

    app = Starlette(
        routes=ROUTES,
        lifespan=lifespan,
        middleware=[
            Middleware(LogMiddleware),
            Middleware(CookieMiddleware, key=site.cookie_key),
            Middleware(GuardMiddleware, settings=settings, rates=site.rates),
        ],
        exception_handlers={**HANDLERS, Exception: broken},
    )
    app.state.site = site
    return app

"""The application: routes, what every request passes through, and what starts and stops with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from wordkin.web import pages
from wordkin.web.explore import pages as explore
from wordkin.web.faults import HANDLERS, FaultMiddleware
from wordkin.web.keeping import keep_clean
from wordkin.web.limits import LimitMiddleware
from wordkin.web.logs import LogMiddleware, log
from wordkin.web.rooms import daily, history
from wordkin.web.rooms import pages as rooms
from wordkin.web.security import SecurityMiddleware
from wordkin.web.settings import Settings
from wordkin.web.site import Site
from wordkin.web.study import pages as study
from wordkin.web.visitors import VisitorMiddleware

STATIC = Path(__file__).parent / "static"


def routes() -> list[BaseRoute]:
    """All addresses of the site."""
    return [
        *pages.ROUTES,
        *rooms.ROUTES,
        *daily.ROUTES,
        *history.ROUTES,
        *explore.ROUTES,
        *study.ROUTES,
        Mount("/static", StaticFiles(directory=STATIC), name="static"),
    ]


def create_app(settings: Settings) -> Starlette:
    """Make the application for a server such as uvicorn.

    Parameters
    ----------
    settings : Settings
        The settings of the site.

    Returns
    -------
    Starlette
        Its `state.site` is the `Site`.

    Raises
    ------
    InputError
        If a bundle cannot be opened, or the database does not answer.
    """
    site = Site(settings)
    site.database.upgrade()
    _ = site.cookies, site.people  # Their keys are made before the first visitor comes.

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        site.agents.warm_up()
        log("started", languages=sorted(site.bundles), database=site.database.engine.dialect.name)
        cleaning = asyncio.create_task(keep_clean(site.database, settings.keep_days))
        yield
        cleaning.cancel()
        site.hub.close()
        site.agents.close()
        site.explorers.close()
        site.database.close()
        log("stopped")

    app = Starlette(
        routes=routes(),
        lifespan=lifespan,
        middleware=[
            Middleware(LogMiddleware),
            Middleware(VisitorMiddleware),
            Middleware(SecurityMiddleware, origins=settings.origins),
            Middleware(LimitMiddleware, limits=settings.limits),
            Middleware(FaultMiddleware),
        ],
        exception_handlers=HANDLERS,
    )
    app.state.site = site
    return app

"""What happens when a request fails: a sentence for the visitor, a line in the log."""

from __future__ import annotations

import logging

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wordkin.web.answers import Refused, refusal, refuse
from wordkin.web.database import DatabaseGone
from wordkin.web.logs import log

KEYS = {404: "missing", 405: "wrong_method", 413: "too_long"}


class FaultMiddleware:
    """Answers what nobody expected, so that visitors never see a traceback.

    It stands inside the other middleware: these answers have the headers of all others.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or socket."""
        started = False

        async def send_and_note(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        except Exception as error:
            log("error", logging.ERROR, kind=type(error).__name__, exc_info=True)
            if not started and scope["type"] == "http":
                await refuse(scope, receive, send, 500, "broken")


async def refused(request: Request, error: Exception) -> Response:
    """Answer a request that we refuse."""
    assert isinstance(error, Refused)
    return refusal(request, error)


async def database_gone(request: Request, error: Exception) -> Response:
    """Answer while the database is gone."""
    assert isinstance(error, DatabaseGone)
    log("database gone", logging.ERROR, reason=error.strerror)
    request.app.state.site.metrics.count("database_gone_total")
    return refusal(request, Refused(503, "database"))


def page_of(path: str) -> str:
    """The page that has the form that is sent to an address."""
    parts = path.split("/")
    return "/".join(parts[: 2 if parts[1] == "data" else 3]) if len(parts) > 2 else "/"


async def http_error(request: Request, error: Exception) -> Response:
    """Answer an address that is not there, or a form that cannot be read."""
    assert isinstance(error, HTTPException)
    if error.status_code == 405 and request.method in ("GET", "HEAD"):
        # The address of a form, for example by the choice of a language after a refusal.
        return RedirectResponse(page_of(request.url.path), 303)
    return refusal(request, Refused(error.status_code, KEYS.get(error.status_code, "bad_form")))


HANDLERS = {Refused: refused, DatabaseGone: database_gone, HTTPException: http_error}
"""The answers to errors by their kind."""

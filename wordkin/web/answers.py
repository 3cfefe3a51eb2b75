"""Answers: a page, a refusal in the visitor's language, or JSON for scripts.

Only this layer knows the statuses of HTTP: rooms and the database raise errors of their own, and
the handlers here turn them into answers.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from wordkin.texts import Texts, texts
from wordkin.web.database import DatabaseGone
from wordkin.web.monitoring import log
from wordkin.web.rooms.options import BadOptions, NotSeated, RoomError
from wordkin.web.visitors import visitor_of

if TYPE_CHECKING:
    from wordkin.web.app import Site

SENTENCES = {404: "missing", 405: "wrong_method", 413: "too_long"}
"""What is said about statuses that the framework answers with."""


class Refused(Exception):
    """A request that is refused; `key` names the sentence in the texts."""

    def __init__(self, status: int, key: str, **values: object) -> None:
        super().__init__(key)
        self.status, self.key, self.values = status, key, values


def site_of(connection: HTTPConnection) -> Site:
    """The site that a request is for."""
    site: Site = connection.app.state.site
    return site


def texts_of(connection: HTTPConnection) -> Texts:
    """The texts in the visitor's language."""
    return texts(visitor_of(connection).language)


def wants_json(connection: HTTPConnection) -> bool:
    """Whether a script asks, and not a person who looks at the answer."""
    return "application/json" in connection.headers.get("accept", "")


async def read_form(request: Request) -> FormData:
    """The fields of a form; files are refused."""
    return await request.form(max_files=0, max_fields=300)


def page(
    request: Request,
    template: str,
    status: int = 200,
    words: Texts | None = None,
    **context: Any,
) -> Response:
    """Render a template as the answer, in the visitor's language if no other texts are given."""
    # An address that begins with two slashes would be another site as a link.
    path = "/" + request.url.path.lstrip("/")
    html = site_of(request).render(template, words or texts_of(request), path=path, **context)
    return Response(html, status, media_type="text/html")


def refusal(request: Request, status: int, key: str, **values: object) -> Response:
    """The answer to a request that is refused."""
    sentence = texts_of(request)("refused", key, **values)
    if wants_json(request):
        response: Response = JSONResponse({"error": sentence}, status)
    else:
        response = page(request, "refusal.html", status, sentence=sentence)
    if status in (429, 503):
        response.headers["Retry-After"] = "5"
    return response


async def refuse(scope: Scope, receive: Receive, send: Send, status: int, key: str) -> None:
    """Refuse a request or a socket from a middleware."""
    if scope["type"] == "websocket":
        await receive()
        # 1008: a violation of the policy; 1013: try again later.
        await send({"type": "websocket.close", "code": 1013 if status == 429 else 1008})
    else:
        await refusal(Request(scope, receive), status, key)(scope, receive, send)


# The answers to errors.


async def refused(request: Request, error: Exception) -> Response:
    """Answer a request that we refuse."""
    assert isinstance(error, Refused)
    return refusal(request, error.status, error.key, **error.values)


async def room_error(request: Request, error: Exception) -> Response:
    """Answer what cannot be done in a room."""
    assert isinstance(error, RoomError)
    status = 400 if isinstance(error, BadOptions) else 403 if isinstance(error, NotSeated) else 409
    return refusal(request, status, error.key, **error.values)


async def database_gone(request: Request, error: Exception) -> Response:
    """Answer while the database is gone."""
    assert isinstance(error, DatabaseGone)
    log("database gone", logging.ERROR, reason=error.strerror)
    site_of(request).metrics.count("database_gone_total")
    return refusal(request, 503, "database")


async def http_error(request: Request, error: Exception) -> Response:
    """Answer an address that is not there, or a form that cannot be read."""
    assert isinstance(error, HTTPException)
    if error.status_code == 405 and request.method in ("GET", "HEAD"):
        # The address of a form, for example by the choice of a language after a refusal.
        visitor_of(request)  # remembers the language
        return RedirectResponse(_page_of(request.url.path), 303)
    return refusal(request, error.status_code, SENTENCES.get(error.status_code, "bad_form"))


def _page_of(path: str) -> str:
    """The page that has the form that is sent to an address."""
    parts = path.split("/")
    return "/".join(parts[: 2 if parts[1] == "data" else 3]) if len(parts) > 2 else "/"


HANDLERS = {
    Refused: refused,
    RoomError: room_error,
    DatabaseGone: database_gone,
    HTTPException: http_error,
}
"""The answers to errors by their kind."""

"""Answers: a page, a refusal in the visitor's language, or JSON for scripts."""

from __future__ import annotations

from typing import Any

from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from wordkin.texts import LANGUAGES, Texts, texts
from wordkin.web.visitors import Visitor


class Refused(Exception):
    """A request that is refused in a sentence.

    Parameters
    ----------
    status : int
        The HTTP status.
    key : str
        The key of the sentence among the texts, in the section `refused`.
    values : object
        What the sentence mentions.
    """

    def __init__(self, status: int, key: str, **values: object) -> None:
        super().__init__(key)
        self.status, self.key, self.values = status, key, values


def page(request: Request, template: str, status: int = 200, **context: Any) -> Response:
    """Render a template as the answer."""
    site = request.app.state.site
    # An address that begins with two slashes would be another site as a link.
    path = "/" + request.url.path.lstrip("/")
    html = site.render(template, texts_of(request), path=path, **context)
    return Response(html, status, media_type="text/html")


def texts_of(connection: HTTPConnection) -> Texts:
    """The texts in the visitor's language."""
    visitor: Visitor | None = getattr(connection.state, "visitor", None)
    return texts(visitor.language if visitor else LANGUAGES[0])


def wants_json(connection: HTTPConnection) -> bool:
    """Whether a script asks, and not a person who looks at the answer."""
    return "application/json" in connection.headers.get("accept", "")


def refusal(request: Request, refused: Refused) -> Response:
    """The answer to a request that is refused."""
    words = texts_of(request)
    sentence = words("refused", refused.key, **refused.values)
    headers = {"Retry-After": "5"} if refused.status in (429, 503) else None
    if wants_json(request):
        return JSONResponse({"error": sentence}, refused.status, headers)
    response = page(request, "refusal.html", refused.status, sentence=sentence)
    response.headers.update(headers or {})
    return response


async def refuse(scope: Scope, receive: Receive, send: Send, status: int, key: str) -> None:
    """Refuse a request or a socket from a middleware."""
    if scope["type"] == "websocket":
        await receive()
        # 1008: a violation of the policy; 1013: try again later.
        await send({"type": "websocket.close", "code": 1013 if status == 429 else 1008})
        return
    response = refusal(Request(scope, receive), Refused(status, key))
    await response(scope, receive, send)

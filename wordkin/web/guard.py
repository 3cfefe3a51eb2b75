"""What protects visitors and the site: headers, origins of forms and sockets, and limits.

Counts of requests are kept in memory only, and forgotten within the hour.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from urllib.parse import urlsplit

from cachetools import TTLCache
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wordkin.web.answers import refusal, refuse
from wordkin.web.settings import Limits, Settings

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "manifest-src 'self'",
    ]
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
SAFE = ("GET", "HEAD", "OPTIONS")
MOST_KEYS = 100_000
"""Keys to remember per rate: an attack with many addresses must not fill the memory."""


class Rate:
    """Allows a number of requests per key and period, which begins with the first one."""

    def __init__(
        self, count: int, period: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.count = count
        self._asked: TTLCache[str, list[int]] = TTLCache(MOST_KEYS, period, clock)

    def allows(self, key: str) -> bool:
        """Count one request of a key; False if it is one too many."""
        asked = self._asked.get(key)
        if asked is None:
            asked = self._asked[key] = [0]
        asked[0] += 1  # In place: a new entry would begin a new period.
        return asked[0] <= self.count


class Rates:
    """The rates of a site, made from its limits."""

    def __init__(self, limits: Limits) -> None:
        self.pages = Rate(limits.pages, 60)
        self.moves = Rate(limits.moves, 60)
        self.checks = Rate(limits.checks, 60)
        self.rooms = Rate(limits.rooms, 3600)


class GuardMiddleware:
    """Adds headers, and refuses forms and sockets of other sites, and whoever asks for too much."""

    def __init__(self, app: ASGIApp, settings: Settings, rates: Rates) -> None:
        self.app, self._rates, self._most = app, rates, settings.limits.body
        self._origins = {origin.rstrip("/") for origin in settings.origins}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        send, headers = _with_headers(scope, send), Headers(scope=scope)
        length = headers.get("content-length", "0")
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE
        if changes and not self._is_ours(headers):
            await refuse(scope, receive, send, 403, "refused_origin")
        elif not self._rates.pages.allows(address_of(scope)):
            await refuse(scope, receive, send, 429, "too_often")
        elif not length.isdecimal() or int(length) > self._most:
            await refuse(scope, receive, send, 413, "too_long")
        else:
            await self.app(scope, self._limited(receive), send)

    def _is_ours(self, headers: Headers) -> bool:
        """Whether a form or socket comes from a page of this site."""
        origin = headers.get("origin")
        if origin is None:
            # Browsers send an origin with every form and socket; a few old ones send only this.
            return headers.get("sec-fetch-site") == "same-origin"
        return origin in self._origins or urlsplit(origin).netloc == headers.get("host", "")

    def _limited(self, receive: Receive) -> Receive:
        """Cut the connection of a body that is longer than it promised."""
        size = 0

        async def receive_limited() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            return message if size <= self._most else {"type": "http.disconnect"}

        return receive_limited


def _with_headers(scope: Scope, send: Send) -> Send:
    # Files may be kept if the server confirms them; pages are different for each visitor.
    caching = "no-cache" if scope["path"].startswith("/static/") else "no-store"

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(HEADERS)
            headers.setdefault("Cache-Control", caching)
        await send(message)

    return send_with_headers


def address_of(scope: Scope) -> str:
    """The network address of a visitor, for limits only; it is never stored."""
    client = scope.get("client")
    return client[0] if client else "unknown"


async def broken(request: Request, error: Exception) -> Response:
    """Answer what nobody expected: the server logs it, and visitors never see a traceback."""
    response = refusal(request, 500, "broken")
    response.headers.update(HEADERS)  # This answer does not pass the middleware.
    return response

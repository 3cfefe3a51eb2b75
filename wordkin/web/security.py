"""What protects visitors: headers, and forms and sockets only from our own pages."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wordkin.web.answers import refuse

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


class SecurityMiddleware:
    """Adds the headers, and refuses forms and sockets of other sites.

    Parameters
    ----------
    app : ASGI application
        What to protect.
    origins : collection of str
        Further origins that are ours, as scheme://host.
    """

    def __init__(self, app: ASGIApp, origins: Collection[str] = ()) -> None:
        self.app, self.origins = app, frozenset(origin.rstrip("/") for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE
        if changes and not self._is_ours(headers):
            await refuse(scope, receive, _with_headers(scope, send), 403, "refused_origin")
            return
        await self.app(scope, receive, _with_headers(scope, send))

    def _is_ours(self, headers: Headers) -> bool:
        """Whether a form or socket comes from a page of this site."""
        origin = headers.get("origin")
        if origin is None:
            # Browsers send an origin with every form and socket; a few old ones send only this.
            return headers.get("sec-fetch-site") == "same-origin"
        return origin in self.origins or urlsplit(origin).netloc == headers.get("host", "")


def _with_headers(scope: Scope, send: Send) -> Send:
    # Files may be kept if the server confirms them; pages are different for each visitor.
    caching = "no-cache" if scope["path"].startswith("/static/") else "no-store"

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", caching)
        await send(message)

    return send_with_headers

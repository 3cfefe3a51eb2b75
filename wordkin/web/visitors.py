"""Who asks: a random id, a language, a chosen name and an agreement, in a signed cookie.

The server keeps names in memory only, while their owners are there; nothing that is stored says who
somebody is.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from functools import lru_cache

from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy.orm import Session
from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.requests import HTTPConnection, cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wordkin.texts import LANGUAGES
from wordkin.web.database.models import Key

COOKIE = "wordkin"
YEAR = 365 * 24 * 3600
KEPT = 10_000
"""How many cookies are kept as they were read."""
UNSEEN = ("/static/", "/health", "/metrics")
"""Addresses that need no visitor, and set no cookie."""


@dataclass(frozen=True)
class Visitor:
    """A browser: its random id, the language in which it sees the site, and what it was told.

    `name` is a name if one was chosen; `agreed` is whether its guesses in games may be kept.
    """

    id: str
    language: str
    name: str = ""
    agreed: bool = False


def new_code() -> str:
    """A random code that cannot be guessed: 128 bits in 22 letters, digits, - and _."""
    return secrets.token_urlsafe(16)


def site_key(session: Session, name: str = "cookies") -> str:
    """A secret of this site, such as the one that signs cookies; made once, and kept for good."""
    key = session.get(Key, name)
    if key is None:
        key = Key(name=name, value=secrets.token_urlsafe(32))
        session.add(key)
    return key.value


class Cookies:
    """Signs and reads the cookie of visitors.

    Parameters
    ----------
    key : str
        The secret of this site.

    Attributes
    ----------
    read : callable
        From the value of a cookie to its visitor; None if it is not ours.
    """

    def __init__(self, key: str) -> None:
        self._serializer = URLSafeSerializer(key, salt="visitor")
        # Browsers send the same cookie with every request.
        self.read = lru_cache(KEPT)(self._read)

    def write(self, visitor: Visitor) -> str:
        """The value of the cookie."""
        content = [visitor.id, visitor.language, visitor.name, visitor.agreed]
        value = self._serializer.dumps(content)
        return value.decode() if isinstance(value, bytes) else value

    def _read(self, value: str) -> Visitor | None:
        try:
            content = self._serializer.loads(value)
        except BadSignature:
            return None
        match content:
            case [str(player), str(language), str(name), *agreed] if language in LANGUAGES:
                return Visitor(player, language, name, agreed == [True])
        return None


class VisitorMiddleware:
    """Puts the visitor into `scope["state"]`, and sends a new or changed cookie with the answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or socket."""
        if scope["type"] not in ("http", "websocket") or scope["path"].startswith(UNSEEN):
            await self.app(scope, receive, send)
            return
        cookies: Cookies = scope["app"].state.site.cookies
        headers = Headers(scope=scope)
        stored = cookies.read(cookie_parser(headers.get("cookie", "")).get(COOKIE, ""))
        visitor = _visitor(stored, headers, scope["query_string"])
        state = scope.setdefault("state", {})
        state["visitor"] = visitor
        secure = "; Secure" if scope["scheme"] == "https" else ""

        async def send_with_cookie(message: Message) -> None:
            # The page may have changed the visitor, such as the name.
            if message["type"] == "http.response.start" and state["visitor"] != stored:
                cookie = (
                    f"{COOKIE}={cookies.write(state['visitor'])}; Path=/; Max-Age={YEAR}; "
                    f"HttpOnly; SameSite=Lax{secure}"
                )
                MutableHeaders(scope=message).append("set-cookie", cookie)
            await send(message)

        await self.app(scope, receive, send_with_cookie)


def visitor_of(connection: HTTPConnection) -> Visitor:
    """The visitor who sent a request or opened a socket."""
    visitor: Visitor = connection.state.visitor
    return visitor


def _visitor(stored: Visitor | None, headers: Headers, query: bytes) -> Visitor:
    """The visitor; `?lang=` changes the language, and a new one gets that of the browser."""
    asked = QueryParams(query).get("lang") if query else None
    if asked not in LANGUAGES:
        asked = None
    if stored:
        return replace(stored, language=asked) if asked else stored
    return Visitor(new_code(), asked or preferred(headers.get("accept-language", "")))


def preferred(accepted: str) -> str:
    """The language that a browser prefers among ours.

    >>> preferred("de-DE,hu;q=0.8,en;q=0.5")
    'hu'
    """
    choices = []
    for at, entry in enumerate(accepted[:500].split(",")):
        code, _, quality = entry.strip().partition(";q=")
        try:
            weight = float(quality or 1)
        except ValueError:
            weight = 0.0
        language = code.partition("-")[0].lower()
        if language in LANGUAGES and weight > 0:
            choices.append((-weight, at, language))
    return min(choices)[2] if choices else LANGUAGES[0]

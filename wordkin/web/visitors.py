"""Who asks: a random id, a language, a chosen name and an agreement, in a signed cookie.

The server keeps names in memory only, while their owners are there; nothing that is stored says who
somebody is. Where choices are stored, a person has one id per study, and one for games. It is made
from the random id in the cookie and a secret of the site, so it need not be stored, and nobody can
tell which ids belong to one browser. Only a digest of it is stored and exported: who has the id can
delete, who sees the data cannot.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass

from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from wordkin.texts import LANGUAGES

COOKIE = "wordkin"
YEAR = 365 * 24 * 3600
GROUPS, LETTERS = 4, 5
"""The shape of a person's id: four groups of five letters and digits, which are 100 bits."""


@dataclass(frozen=True)
class Visitor:
    """A browser: its random id, the language in which it sees the site, and what it was told.

    `name` is a name if one was chosen; `agreed` is whether its guesses in games may be kept.
    """

    id: str
    language: str
    name: str = ""
    agreed: bool = False


def visitor_of(connection: HTTPConnection) -> Visitor:
    """The visitor who sent a request or opened a socket.

    `?lang=` changes the language, and a new visitor gets that of the browser.
    """
    session = connection.session
    language = connection.query_params.get("lang")
    if language not in LANGUAGES:
        accepted = connection.headers.get("accept-language", "")
        language = session.get("language") or preferred(accepted)
    if session.get("language") != language:
        session["language"] = language
    player = session.setdefault("id", new_code())
    return Visitor(player, language, session.get("name", ""), session.get("agreed", False))


def new_code() -> str:
    """A random code that cannot be guessed: 128 bits in 22 letters, digits, - and _."""
    return secrets.token_urlsafe(16)


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


class CookieMiddleware:
    """Keeps the session of a visitor in a signed cookie, which is secure if the site has https."""

    def __init__(self, app: ASGIApp, key: str) -> None:
        self._plain = SessionMiddleware(app, key, COOKIE, YEAR)
        self._secure = SessionMiddleware(app, key, COOKIE, YEAR, https_only=True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or socket."""
        is_secure = scope.get("scheme") in ("https", "wss")
        await (self._secure if is_secure else self._plain)(scope, receive, send)


def person_id(key: str, visitor_id: str, source: str) -> str:
    """The id of a visitor in a study (by its code) or in games, such as `k3vqa-77dmx-2hwpt-ozc4e`.

    It is made with a secret of this site.
    """
    message = f"{source}\n{visitor_id}".encode()
    code = base64.b32encode(hmac.digest(key.encode(), message, "sha256")).decode().lower()
    return "-".join(code[at * LETTERS : (at + 1) * LETTERS] for at in range(GROUPS))


def digest(person: str) -> str:
    """The digest under which the data of an id is stored; case, spaces and hyphens do not count."""
    form = "".join(filter(str.isalnum, person.lower()))
    return hashlib.sha256(form.encode()).hexdigest()[:24]

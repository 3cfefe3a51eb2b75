"""Limits on sizes and rates. Counts are kept in memory only, and forgotten within the hour."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wordkin.web.answers import refuse
from wordkin.web.settings import Limits

MOST_KEYS = 100_000
"""Keys to remember per rate: an attack with many addresses must not fill the memory."""


class Bucket(NamedTuple):
    """The requests that a key has left, and when this was so."""

    left: float
    at: float


class Rate:
    """Allows a number of requests per period and key, and then as many as come back by time.

    Parameters
    ----------
    count : int
        Requests per period.
    period : float
        Seconds.
    clock : callable
        Seconds from any start.
    """

    def __init__(
        self, count: int, period: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.count, self.period, self.clock = count, period, clock
        self._buckets: dict[str, Bucket] = {}

    def allows(self, key: str) -> bool:
        """Count one request of a key; False if it is one too many."""
        present = self.clock()
        left, at = self._buckets.pop(key, Bucket(self.count, present))
        left = min(self.count, left + (present - at) * self.count / self.period)
        allowed = left >= 1
        # The dictionary stays in the order of use, so the first keys are the oldest ones.
        self._buckets[key] = Bucket(left - allowed, present)
        while self._buckets and (
            len(self._buckets) > MOST_KEYS
            or next(iter(self._buckets.values())).at < present - self.period
        ):
            del self._buckets[next(iter(self._buckets))]
        return allowed


class Rates:
    """The rates of a site, made from its limits."""

    def __init__(self, limits: Limits) -> None:
        self.pages = Rate(limits.pages, 60)
        self.moves = Rate(limits.moves, 60)
        self.checks = Rate(limits.checks, 60)
        self.rooms = Rate(limits.rooms, 3600)


class LimitMiddleware:
    """Refuses addresses that ask too often, and bodies that are too long."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app, self.limits = app, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if not scope["app"].state.site.rates.pages.allows(address_of(scope)):
            await refuse(scope, receive, send, 429, "too_often")
            return
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdecimal() or int(length) > self.limits.body:
            await refuse(scope, receive, send, 413, "too_long")
            return
        await self.app(scope, self._limited(receive), send)

    def _limited(self, receive: Receive) -> Receive:
        """Cut the connection of a body that is longer than it promised."""
        size = 0

        async def receive_limited() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self.limits.body:
                return {"type": "http.disconnect"}
            return message

        return receive_limited


def address_of(scope: Scope) -> str:
    """The network address of a visitor, for limits only; it is never stored."""
    client = scope.get("client")
    return client[0] if client else "unknown"

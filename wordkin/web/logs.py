"""Structured logs: one line of JSON per event, without personal data.

A line has the pattern of the address (`/room/{code}`), never the address itself, and no network
address, name, word or id: a log can be kept and shared.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

METHODS = ("GET", "HEAD", "POST")

logger = logging.getLogger("wordkin.web")


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def log(event: str, level: int = logging.INFO, exc_info: bool = False, **facts: object) -> None:
    """Write one line: what happened, and facts about it that name nobody."""
    logger.log(level, event, exc_info=exc_info, extra={"facts": facts})


def set_up_logs() -> None:
    """Send our own and uvicorn's logs to stderr as JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    for name in ("wordkin.web", "uvicorn.error"):
        target = logging.getLogger(name)
        target.handlers, target.propagate = [handler], False
        target.setLevel(logging.INFO if name == "wordkin.web" else logging.WARNING)


class LogMiddleware:
    """Logs and counts every request."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status = time.perf_counter(), 500

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        finally:
            seconds = time.perf_counter() - start
            pattern = getattr(scope.get("route"), "path", "other")
            metrics = scope["app"].state.site.metrics
            # Anybody can make up methods, and each would be one more counter.
            method = scope["method"] if scope["method"] in METHODS else "other"
            metrics.count("requests_total", method=method, route=pattern, status=status)
            metrics.time("request_seconds", seconds)
            if pattern not in ("/health", "/metrics", "/static"):
                log(
                    "request",
                    method=method,
                    route=pattern,
                    status=status,
                    milliseconds=round(1000 * seconds, 1),
                )

"""Structured logs and metrics, without personal data.

A line of the log is JSON. It has the pattern of the address (`/room/{code}`), never the address
itself, and no network address, name, word or id: a log can be kept and shared.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

METHODS = ("GET", "HEAD", "POST")
QUIET = ("/health", "/metrics", "/static")
"""Addresses whose requests are counted, but not logged."""
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""The upper ends of the classes of times, in seconds."""

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
    for name, level in (("wordkin.web", logging.INFO), ("uvicorn.error", logging.WARNING)):
        target = logging.getLogger(name)
        target.handlers, target.propagate = [handler], False
        target.setLevel(level)


class Metrics:
    """What a site has done since it started, in the text format of Prometheus.

    Names are those of Prometheus: `requests_total`, `move_seconds`. Labels never say who or where.
    """

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._sums: dict[str, float] = {}
        self._times: dict[str, list[int]] = {}
        self._gauges: dict[str, Callable[[], float]] = {}

    def count(self, name: str, **labels: str | int) -> None:
        """Count one event."""
        self._counts[name, ",".join(f'{key}="{value}"' for key, value in labels.items())] += 1

    def time(self, name: str, seconds: float) -> None:
        """Record how long something took."""
        classes = self._times.setdefault(name, [0] * (len(BUCKETS) + 1))
        classes[sum(seconds > end for end in BUCKETS)] += 1
        self._sums[name] = self._sums.get(name, 0.0) + seconds

    def gauge(self, name: str, value: Callable[[], float]) -> None:
        """Show the present value of something."""
        self._gauges[name] = value

    def lines(self) -> list[str]:
        """All metrics, one per line."""
        lines = []
        for (name, labels), count in sorted(self._counts.items()):
            shown = f"{{{labels}}}" if labels else ""
            lines.append(f"wordkin_{name}{shown} {count}")
        for name, classes in sorted(self._times.items()):
            total = 0
            for end, count in zip((*BUCKETS, "+Inf"), classes, strict=True):
                total += count
                lines.append(f'wordkin_{name}_bucket{{le="{end}"}} {total}')
            lines.append(f"wordkin_{name}_sum {self._sums[name]:.6f}")
            lines.append(f"wordkin_{name}_count {total}")
        lines.extend(f"wordkin_{name} {value():g}" for name, value in sorted(self._gauges.items()))
        return lines


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
            route = getattr(scope.get("route"), "path", "other")
            metrics: Metrics = scope["app"].state.site.metrics
            # Anybody can make up methods, and each would be one more counter.
            method = scope["method"] if scope["method"] in METHODS else "other"
            metrics.count("requests_total", method=method, route=route, status=status)
            metrics.time("request_seconds", seconds)
            if route not in QUIET:
                milliseconds = round(1000 * seconds, 1)
                log(
                    "request",
                    method=method,
                    route=route,
                    status=status,
                    milliseconds=milliseconds,
                )

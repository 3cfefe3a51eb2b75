"""Counters and times of a site, in the text format of Prometheus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""The upper ends of the classes of times, in seconds."""


class Metrics:
    """What a site has done since it started.

    Names are those of Prometheus: `requests_total`, `move_seconds`. Labels never say who or where.
    """

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._sums: Counter[str] = Counter()
        self._times: dict[str, list[int]] = {}
        self._gauges: dict[str, Callable[[], float]] = {}

    def count(self, name: str, **labels: str | int) -> None:
        """Count one event."""
        self._counts[name, ",".join(f'{key}="{value}"' for key, value in labels.items())] += 1

    def time(self, name: str, seconds: float) -> None:
        """Record how long something took."""
        classes = self._times.setdefault(name, [0] * (len(BUCKETS) + 1))
        classes[sum(seconds > end for end in BUCKETS)] += 1
        self._sums[name] += seconds  # type: ignore[assignment]

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

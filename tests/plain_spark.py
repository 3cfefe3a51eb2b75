"""Spark's two verbs without Spark: for tests of what a stage makes, not of how it is shared out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

CONTEXT: Any = SimpleNamespace(defaultParallelism=2, master="local[2]")


def each(
    _context: Any,
    function: Callable[[Any], Any],
    items: Sequence[Any],
    _what: str,
    light: bool = False,
) -> list[Any]:
    return [function(item) for item in items]


def gather(
    _context: Any,
    scatter: Callable[[Any], Iterator[tuple[int, bytes]]],
    items: Sequence[Any],
    merge: Callable[[int, Iterator[bytes]], Any],
    _blocks: int,
    _what: str,
) -> list[tuple[int, Any]]:
    dealt: dict[int, list[bytes]] = {}
    for item in items:
        for number, block in scatter(item):
            dealt.setdefault(number, []).append(block)
    return [(number, merge(number, iter(dealt[number]))) for number in sorted(dealt)]

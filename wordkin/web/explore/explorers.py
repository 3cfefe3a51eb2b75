"""The explorers of a site by language, and the threads that work for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from wordkin.bundle import Bundle
from wordkin.web.answers import Refused
from wordkin.web.explore.explorer import Explorer

Answer = TypeVar("Answer")


class Explorers:
    """The explorers of a site by language, and the threads that work for them."""

    def __init__(self, bundles: dict[str, Bundle]) -> None:
        self._bundles = bundles
        self._by_language: dict[str, Explorer] = {}
        # Few threads: games share the processor with those who explore.
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="explore")

    def of(self, language: str) -> Explorer:
        """The explorer of a language; refused if the site has no bundle for it."""
        if language not in self._bundles:
            raise Refused(404, "missing")
        if language not in self._by_language:
            self._by_language[language] = Explorer(self._bundles[language])
        return self._by_language[language]

    async def run(self, work: Callable[[], Answer]) -> Answer:
        """Run work in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """Wait for the threads."""
        self._threads.shutdown()

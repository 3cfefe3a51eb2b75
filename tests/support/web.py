"""A site on loopback with made-up bundles, clients that act as browsers do, and a real browser."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import httpx

from tests.support.bundles import make_bundle
from tests.support.root import ROOT
from wordkin.web.app import Site, create_app
from wordkin.web.server import server_for
from wordkin.web.settings import Limits, Settings, database_url

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
ROOMY = Limits(pages=10**6, moves=10**5, checks=10**5, rooms=10**5)
"""Limits that a test does not reach by accident."""


@dataclass(frozen=True)
class Running:
    """A site that runs: its address, and its inside if it runs in this process."""

    url: str
    site: Site

    def client(self, language: str = "en", accept: str = "text/html") -> httpx.Client:
        """A new visitor without a browser."""
        return visitor(self.url, language, accept)


def visitor(url: str, language: str = "en", accept: str = "text/html") -> httpx.Client:
    """A client that keeps its cookies, and says where its forms come from."""
    headers = {"Origin": url, "Accept-Language": language, "Accept": accept}
    return httpx.Client(base_url=url, headers=headers, follow_redirects=True, timeout=20)


def make_bundles(folder: Path) -> tuple[str, ...]:
    """The made-up bundles in English and Hungarian below a folder."""
    return tuple(str(make_bundle(folder / language, language)) for language in ("en", "hu"))


def made_up_settings(folder: Path, bundles: tuple[str, ...], database: str = "") -> Settings:
    """The settings of a site for tests: no pauses, and limits that nobody reaches."""
    return Settings(
        database=database_url(database or str(folder / "web.sqlite")),
        bundles=bundles,
        workers=1,
        pace=0.0,
        limits=ROOMY,
    )


@contextmanager
def running_site(settings: Settings) -> Iterator[Running]:
    """Serve a site on loopback in a thread for the length of the block."""
    app = create_app(settings)
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = server_for(app)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the site did not start"
        time.sleep(0.01)
    try:
        yield Running(f"http://127.0.0.1:{listener.getsockname()[1]}", app.state.site)
    finally:
        server.should_exit = True
        thread.join(20)


class ServedSite:
    """`wordkin serve` in a process of its own, which can be killed and started again.

    Parameters
    ----------
    bundles : tuple of str
        The bundles to serve.
    database : str
        The path or URL of the database.
    """

    def __init__(self, bundles: tuple[str, ...], database: str, port: int = 0) -> None:
        command = [sys.executable, "-m", "wordkin", "serve", "--workers", "1", "--port", str(port)]
        command += ["--database", database]
        for bundle in bundles:
            command += ["--bundle", bundle]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, self.process.communicate()[1]
        self.url = line.split()[2].rstrip("/")
        self.port = int(self.url.rpartition(":")[2])
        self._lines: list[str] = []
        # A full pipe would stop the site.
        self._reader = threading.Thread(target=self._read_log, daemon=True)
        self._reader.start()
        while not self._answers():
            assert self.process.poll() is None, "\n".join(self._lines)
            time.sleep(0.05)

    def _read_log(self) -> None:
        assert self.process.stderr
        self._lines.extend(self.process.stderr)

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.url}/health").status_code == 200
        except httpx.TransportError:
            return False

    def log(self) -> list[dict[str, object]]:
        """The lines of the log so far; every line must be JSON."""
        return [json.loads(line) for line in self._lines]

    def kill(self) -> None:
        """Kill the process without warning, as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def __enter__(self) -> ServedSite:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join(5)

"""What the tests of fetching share."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipeline.fetching import download
from tests.support.server import Server


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with Server() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.released.set()
        server.shutdown()


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "PAUSES", (0.0, 0.0, 0.0))


@pytest.fixture
def give_up_at_once(monkeypatch: pytest.MonkeyPatch, no_pauses: None) -> Callable[[bool], None]:
    """Switch retries off and on: with none, a failure is what an interrupted run leaves."""
    return lambda off: monkeypatch.setattr(download, "PAUSES", () if off else (0.0, 0.0, 0.0))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "corpora/en/fetched"

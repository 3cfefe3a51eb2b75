"""Fixtures for the tests of fetching."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipeline.fetch import download
from tests.support.server import Server, running_server


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with running_server() as server:
        yield server


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "PAUSES", (0.0, 0.0, 0.0))


@pytest.fixture
def give_up_at_once(monkeypatch: pytest.MonkeyPatch, no_pauses: None) -> Callable[[bool], None]:
    """Switch retries off and on: without them, one failure is like an interrupted run."""
    return lambda off: monkeypatch.setattr(download, "PAUSES", () if off else (0.0, 0.0, 0.0))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "corpora/en/fetched"

"""Fixtures for the tests of fetching."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipeline.fetch import download
from tests.support.declared import Project, Wiki
from tests.support.root import ROOT
from tests.support.server import Server, running
from tests.support.sites import Sites


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    server = Server()
    with running(server):
        yield server


@pytest.fixture
def sites(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sites]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    sites = Sites()
    with running(sites):
        yield sites


@pytest.fixture
def project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Project:
    """A project with our params.yaml."""
    shutil.copy(ROOT / "params.yaml", tmp_path)
    return Project(tmp_path, capsys)


@pytest.fixture(autouse=True)
def few_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "PAUSE", 0.0)
    monkeypatch.setattr(download, "TRIES", 3)


@pytest.fixture
def give_up_at_once(monkeypatch: pytest.MonkeyPatch, few_tries: None) -> Callable[[bool], None]:
    """Switch retries off and on: without them, one failure is like an interrupted run."""
    return lambda off: monkeypatch.setattr(download, "TRIES", 0 if off else 3)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "corpora/en/fetched"


@pytest.fixture
def wiki(server: Server, tmp_path: Path, folder: Path) -> Wiki:
    return Wiki(server, tmp_path, folder)

"""Optional files: which hosts are asked, and when the network is not needed."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from pipeline.declaration import Declaration
from pipeline.fetch import optional, raw_files
from pipeline.fetch.optional import Reach, Unavailable, fetch_one
from pipeline.fetch.sources import Fetcher
from pipeline.layout import Layout
from pipeline.locations import Address
from tests.support.declared import plant
from tests.support.server import BODY, Server
from wordkin.errors import InputError


def test_a_host_is_asked_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    requests = []

    def head(url: str, timeout: float) -> None:
        requests.append(url)
        raise optional.requests.ConnectionError

    monkeypatch.setattr(optional.requests, "head", head)
    can_reach = Reach()
    assert not can_reach(Address("https://example.org/a"))
    assert not can_reach(Address("https://example.org/b"))
    assert requests == ["https://example.org/a"]


def fetch(declaration: Declaration, root: Path, mirror: Path | None = None) -> Path:
    fetcher = Fetcher(root, mirror, progress=False)
    return fetch_one(declaration, Layout(root, "en"), fetcher, Reach())


@pytest.fixture
def server_that_answers_head(server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    class Answer:
        status_code = 200

    monkeypatch.setattr(optional.requests, "head", lambda url, timeout: Answer())
    return server


def test_an_address_is_downloaded_once_and_then_read_without_network(
    tmp_path: Path, server_that_answers_head: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    declaration = Declaration("Far", server_that_answers_head.url)
    path = fetch(declaration, tmp_path)
    assert path == tmp_path / "corpora/en/gold/far/wiki.bz2"
    assert path.read_bytes() == BODY
    monkeypatch.setattr(optional.requests, "head", None)
    assert fetch(declaration, tmp_path) == path
    assert len(server_that_answers_head.requests) == 1


def test_a_failed_download_makes_the_file_unavailable(
    tmp_path: Path, server_that_answers_head: Server
) -> None:
    server_that_answers_head.plan = [404]
    with pytest.raises(Unavailable, match="404"):
        fetch(Declaration("far", server_that_answers_head.url), tmp_path)


def test_a_full_disk_is_not_a_reason_to_go_on_without_the_file(
    tmp_path: Path, server_that_answers_head: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing_free = SimpleNamespace(free=0)
    monkeypatch.setattr(raw_files.shutil, "disk_usage", lambda folder: nothing_free)
    with pytest.raises(InputError, match=r"far: .* bytes are needed and 0 are free"):
        fetch(Declaration("far", server_that_answers_head.url), tmp_path)


def test_a_mistake_in_the_declaration_is_not_a_reason_either(tmp_path: Path) -> None:
    plant(tmp_path / "mirror", {"gold/a.tsv": b"a\tb\t1\n", "gold/b.tsv": b"a\tb\t2\n"})
    declaration = Declaration("far", mirror="gold/*.tsv")
    with pytest.raises(InputError, match=r"far: gold/.* names 2 files, and it must be one"):
        fetch(declaration, tmp_path, tmp_path / "mirror")


@pytest.mark.parametrize("mirror_path", ["gold/far.tsv", None])
def test_the_mirror_is_enough_offline(tmp_path: Path, mirror_path: str | None) -> None:
    plant(tmp_path / "mirror", {mirror_path or "127.0.0.1/far.tsv": b"a\tb\t1\n"})
    declaration = Declaration("far", "http://127.0.0.1:9/far.tsv", mirror=mirror_path)
    path = fetch(declaration, tmp_path, tmp_path / "mirror")
    assert path.read_bytes() == b"a\tb\t1\n"
    with pytest.raises(Unavailable, match="cannot be reached"):
        fetch(declaration, tmp_path)

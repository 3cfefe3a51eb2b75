"""`wordkin serve` as a person starts it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import httpx
import psutil
import pytest

from tests.support.root import ROOT
from tests.support.web import ServedSite, visitor
from wordkin.cli import main
from wordkin.cli.site import serve


@pytest.mark.slow
def test_the_site_prints_its_address_and_logs_json(
    bundles: tuple[str, ...], tmp_path: Path
) -> None:
    with ServedSite(bundles, str(tmp_path / "web.sqlite")) as served:
        answer = visitor(served.url).get("/")
        assert answer.status_code == 200
        assert "Wordkin" in answer.text
    events = [line["event"] for line in served.log()]
    assert events[0] == "started"
    assert "request" in events
    assert events[-1] == "stopped"
    with pytest.raises(httpx.TransportError):
        httpx.get(served.url)


@pytest.mark.slow
def test_agents_do_not_outlive_a_site_that_was_killed(
    bundles: tuple[str, ...], tmp_path: Path
) -> None:
    with ServedSite(bundles, str(tmp_path / "web.sqlite")) as served:
        agents = psutil.Process(served.process.pid).children()
        assert agents
        served.kill()
        _, alive = psutil.wait_procs(agents, timeout=30)
        assert not alive


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--host", "192.0.2.7"], "cannot listen at 192.0.2.7"),
        (["--bundle", "qq"], "no bundle for the language 'qq'"),
        (["--workers", "0"], "for '--workers': 0 is not in the range 1<=x<=1024"),
    ],
)
def test_mistakes_are_one_sentence(
    bundles: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    sentence: str,
) -> None:
    usual = ["--port", "0", "--database", str(tmp_path / "web.sqlite")]
    bundle = [] if "--bundle" in options else ["--bundle", bundles[0]]
    assert main(["serve", *usual, *bundle, *options]) == 2
    message = capsys.readouterr().err
    assert sentence in message
    assert message.count("\n") == 1


def test_without_a_home_folder_the_database_has_to_be_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("HOME", "XDG_DATA_HOME", "WORDKIN_DATABASE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.getuid", lambda: 2**31 - 7)
    for options in ([], ["--database", "~nobody-of-this-name/web.sqlite"]):
        assert main(["study", "status", *options]) == 2
        message = capsys.readouterr().err
        assert message.startswith("There is no home folder for ~")
        assert "name the database with --database" in message


def test_without_bundles_the_site_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WORDKIN_BUNDLES", raising=False)
    monkeypatch.setattr("wordkin.lookup.STARTERS", tmp_path)
    monkeypatch.setattr("wordkin.lookup.installed_offers", lambda: iter(()))
    assert main(["serve", "--database", str(tmp_path / "web.sqlite")]) == 2
    assert "There are no bundles to play with" in capsys.readouterr().err


@pytest.mark.slow
def test_without_other_bundles_the_site_plays_with_the_starters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WORDKIN_BUNDLES", raising=False)
    with ServedSite((), str(tmp_path / "web.sqlite")) as served:
        home = visitor(served.url).get("/").text
    assert re.findall(r'<option value="(en|hu)"', home) == ["en", "hu"]


def test_the_commands_of_the_documented_unit_and_container_are_understood() -> None:
    page = (ROOT / "docs" / "how-to" / "web-site.md").read_text(encoding="utf-8")
    unit = re.search(r"^ExecStart=\S*/wordkin serve (.*)$", page, re.MULTILINE)
    container = re.search(r"^CMD (\[.*\])$", page, re.MULTILINE)
    assert unit and container
    for options in (unit[1].split(), json.loads(container[1])[2:]):
        assert serve.make_context("serve", options).params["workers"] == 2
    for source in re.findall(r"^COPY (.*) /src", page, re.MULTILINE):
        assert all((ROOT / name).exists() for name in source.split())

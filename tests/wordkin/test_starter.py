"""The starter bundles that come with the library: small, intact, and enough to play with."""

from __future__ import annotations

from pathlib import Path

import pytest

import wordkin
from tests.support.root import ROOT
from wordkin.game.board import board_words
from wordkin.lookup import STARTER, STARTERS
from wordkin.manifest import damaged_files
from wordkin.pack import pack

LANGUAGES = ("en", "hu")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without a build, and no other bundles."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WORDKIN_BUNDLES", raising=False)


@pytest.mark.parametrize("code", LANGUAGES)
def test_it_is_found_when_there_is_no_other(code: str) -> None:
    bundle = wordkin.load(code)
    assert (bundle.path, bundle.origin) == (STARTERS / code, STARTER)
    assert bundle.language == code


@pytest.mark.parametrize("code", LANGUAGES)
def test_it_is_intact_and_has_at_most_eight_megabytes_packed(code: str, tmp_path: Path) -> None:
    folder = STARTERS / code
    assert damaged_files(folder) == []
    pack(folder, tmp_path / "packed.zip")
    assert (tmp_path / "packed.zip").stat().st_size <= 8_000_000


@pytest.mark.parametrize("code", LANGUAGES)
def test_its_card_names_every_source_with_its_licence(code: str) -> None:
    bundle = wordkin.load(code)
    card = (bundle.folder / "CARD.md").read_text(encoding="utf-8")
    assert bundle.manifest["sources"]
    for source in bundle.manifest["sources"]:
        line = next(line for line in card.splitlines() if line.startswith(f"| {source['name']} |"))
        assert source["licence"] in line
        assert "copyright" not in line


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_notice_names_every_source_with_its_licence(code: str) -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8").splitlines()
    start = notice.index(next(line for line in notice if f"starter/{code})" in line))
    for source in wordkin.load(code).manifest["sources"]:
        line = next(line for line in notice[start:] if line.startswith(f"- {source['name']}: "))
        assert line.endswith(source["licence"])


@pytest.mark.parametrize("code", LANGUAGES)
def test_it_knows_or_resolves_every_board_word(code: str) -> None:
    bundle = wordkin.load(code)
    assert all(bundle.resolve(word).words for word in board_words(code))


@pytest.mark.parametrize(
    ("code", "related", "unrelated"),
    [
        ("en", ("piano", "violin"), ("piano", "glacier")),
        ("en", ("bread", "butter"), ("bread", "parliament")),
        ("hu", ("király", "korona"), ("király", "szoftver")),
        ("hu", ("kenyér", "vaj"), ("kenyér", "villamos")),
    ],
)
def test_related_words_are_closer(
    code: str, related: tuple[str, str], unrelated: tuple[str, str]
) -> None:
    bundle = wordkin.load(code)
    assert bundle.relatedness(*related) > bundle.relatedness(*unrelated)


@pytest.mark.parametrize("code", LANGUAGES)
def test_it_gives_a_clue_for_a_dealt_board(code: str) -> None:
    board = wordkin.Board.deal(board_words(code), seed=1)
    clue = wordkin.Spymaster(wordkin.load(code)).clue(board)
    assert clue.word not in board.words
    assert clue.number >= 1

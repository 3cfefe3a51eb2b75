"""Board words for a language without a list."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from pipeline.__main__ import main
from pipeline.languages import language
from pipeline.publish.board_proposal import board_facts, burstiness, propose
from tests.support.bundles import make_bundle
from tests.support.root import ROOT
from wordkin.bundle import Bundle
from wordkin.errors import NoBoardWords
from wordkin.game.board import Board, words_to_deal
from wordkin.vocabulary import Vocabulary


def test_burstiness_is_that_of_scattered_tokens() -> None:
    """Words whose tokens are scattered at random are not bursty, and clustered ones are."""
    chance = np.random.default_rng(0)
    documents = 2_000
    scattered = chance.integers(documents, size=500)
    clustered = np.repeat(chance.integers(documents, size=50), 10)
    counts = np.array([500, 500])
    found = np.array([len(set(scattered.tolist())), len(set(clustered.tolist()))])
    even, bursty = burstiness(counts, found, documents)
    assert abs(even) < 0.1
    assert bursty > 2.5


def test_bursty_familiar_base_forms_are_proposed() -> None:
    words = ["new", "bridge", "bridges", "quick", "the", "guitar", "x1", "qzx", "ox", "rarely"]
    counts = [900, 400, 300, 500, 9_000, 200, 300, 250, 200, 3]
    documents = [800, 60, 50, 480, 1_000, 30, 40, 40, 20, 3]
    familiarity = [1, 1, 1, 1, 1, 1, 1, 0.1, 1, 1]
    vocabulary = Vocabulary(words, counts, documents, np.array(familiarity, dtype=np.float32))
    proposed = propose(vocabulary, 1_000, language("en"), 0.85)
    assert proposed == sorted(["bridge", "guitar", "new", "quick"])
    vocabulary = Vocabulary(["다리", "다", "the"], [9, 9, 9], [3, 3, 3])
    assert propose(vocabulary, 10, language("ko"), 0.5) == ["the", "다리"]


def test_the_burstiest_of_many_are_proposed() -> None:
    words = [f"{a}{b}{c}" for a in "bcdf" for b in "abcdefghijklmnopq" for c in "abcdefghij"]
    counts = [100] * len(words)
    documents = [10 if at % 2 else 90 for at in range(len(words))]
    chosen = propose(Vocabulary(words, counts, documents), 1_000, language("xx"), 0.5)
    assert len(chosen) == 400
    assert {word for at, word in enumerate(words) if at % 2} <= set(chosen)


@pytest.mark.slow
def test_a_language_with_a_list_needs_no_proposal() -> None:
    vocabulary = Vocabulary(["talo", "kissa"], [9, 9], [3, 3])
    assert board_facts(vocabulary, {"documents": 9}, language("hu"), 0.5) == {}
    assert board_facts(vocabulary, {"documents": 9}, language("fi"), 0.5)["boards"]


def finnish_bundle(folder: Path, boards: object) -> Bundle:
    path = make_bundle(folder)
    manifest = json.loads((path / "bundle.json").read_text())
    (path / "bundle.json").write_text(json.dumps({**manifest, "language": "fi", "boards": boards}))
    return Bundle.open(path)


def test_boards_are_dealt_from_the_proposal_of_a_bundle(tmp_path: Path) -> None:
    words = [f"sana{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    bundle = finnish_bundle(tmp_path / "a", words)
    assert len(Board.deal(words_to_deal(bundle), seed=0).words) == 25
    for number, wrong in enumerate((None, [], "talo", {"talo": 1})):
        with pytest.raises(NoBoardWords):
            words_to_deal(finnish_bundle(tmp_path / str(number), wrong))


def test_the_proposal_is_written_once_for_a_person_to_edit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "params.yaml").write_bytes((ROOT / "params.yaml").read_bytes())
    bundle = finnish_bundle(tmp_path / "made", ["talo", "kissa"])
    home = tmp_path / "matrices" / "fi" / "bundle"
    home.parent.mkdir(parents=True)
    bundle.folder.rename(home)
    (tmp_path / "wordkin/game/boards").mkdir(parents=True)
    arguments = ["--root", str(tmp_path), "boards", "fi"]
    assert main(arguments) == 0
    path = tmp_path / "wordkin/game/boards/fi.txt"
    assert path.read_text() == "talo\nkissa\n"
    path.write_text("talo\n")
    assert main(arguments) == 2
    assert "is there already" in capsys.readouterr().err
    assert path.read_text() == "talo\n"

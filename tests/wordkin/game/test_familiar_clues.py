"""Only familiar words are offered as clues, unless the board leaves no other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import wordkin
from tests.support.bundles import TOPICS, make_bundle
from wordkin.bundle import Bundle
from wordkin.cli import main
from wordkin.errors import InputError
from wordkin.game.board import Board
from wordkin.game.candidates import ClueWords, usual_forms
from wordkin.game.scoring import SCORINGS
from wordkin.game.spymaster import Spymaster
from wordkin.vocabulary import Vocabulary

BOARD = Board.of(["piano", "mouse"], ["bison", "tree"])


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """A bundle in which the best clue of the board is not familiar enough."""
    folder = tmp_path_factory.mktemp("familiar")
    return wordkin.load(make_bundle(folder, familiarity={"keyboard": 0.84}))


@pytest.mark.parametrize("scoring", SCORINGS)
def test_an_unfamiliar_word_is_not_offered(bundle: Bundle, scoring: str) -> None:
    every = Spymaster(bundle, scoring=scoring, familiarity=0)
    assert every.clue(BOARD, 2).word == "keyboard"
    clue = Spymaster(bundle, scoring=scoring).clue(BOARD, 2)
    assert clue.word != "keyboard"
    assert "unfamiliar" not in [note.kind for note in clue.notes]


def test_the_limit_itself_is_familiar_enough(bundle: Bundle) -> None:
    assert bundle.familiarity_limit == 0.85
    assert Spymaster(bundle, familiarity=0.84).clue(BOARD, 2).word == "keyboard"


@pytest.mark.parametrize("scoring", SCORINGS)
def test_a_board_without_a_familiar_clue_gets_an_unfamiliar_one(
    tmp_path: Path, scoring: str
) -> None:
    words = {word: 0.1 for topic in TOPICS.values() for word in topic.split()}
    spymaster = Spymaster(wordkin.load(make_bundle(tmp_path, familiarity=words)), scoring=scoring)
    clue = spymaster.clue(BOARD, 2)
    assert clue.word == "keyboard"
    assert "unfamiliar" in [note.kind for note in clue.notes]


def test_cards_need_not_be_familiar(bundle: Bundle) -> None:
    clue = Spymaster(bundle).clue(Board.of(["keyboard"], ["bison", "tree"]), 1)
    assert [card.word for card in clue.targets] == ["keyboard"]


def test_a_bundle_without_familiarity_offers_every_word(tmp_path: Path) -> None:
    bundle = wordkin.load(make_bundle(tmp_path))
    assert bundle.vocabulary.familiarity is None
    assert bundle.familiarity_limit == 0
    assert Spymaster(bundle).clue(BOARD, 2).word == "keyboard"
    assert Spymaster(bundle, familiarity=0.9).clue(BOARD, 2).word == "keyboard"


def test_an_option_moves_the_limit(bundle: Bundle, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["clue", "--bundle", str(bundle.folder), "--ours", "piano mouse"]
    command += ["--theirs", "bison tree", "-n", "2", "--json"]
    words = []
    for more in ([], ["--familiarity", "0.5"]):
        assert main([*command, *more]) == 0
        words.append(json.loads(capsys.readouterr().out)[0]["word"])
    assert words[0] != "keyboard" == words[1]


FORMS = [
    # word, lemma, count, whether it is offered
    ("marry", "marry", 100, True),
    ("married", "marry", 900, True),
    ("marries", "marry", 449, False),
    ("crystal", "crystal", 50, True),
    ("crystals", "crystal", 25, True),
    ("crystalled", "crystal", 24, False),
    ("tsunamis", "tsunami", 3, True),  # there is no other
]


def test_a_form_is_offered_if_no_other_is_much_more_frequent() -> None:
    words, lemmas, counts, offered = zip(*FORMS, strict=True)
    vocabulary = Vocabulary(words, counts, counts, [1.0] * len(words))
    assert usual_forms(vocabulary, lemmas).tolist() == list(offered)
    candidates = ClueWords(vocabulary, frozenset(), 0.0, None, 0.85, lemmas)
    assert candidates.sayable.tolist() == list(offered)
    assert candidates.without_limit.sayable.all()


@pytest.mark.parametrize("limit", [-1, 2, "high", None])
def test_a_wrong_limit_in_a_bundle_is_refused(tmp_path: Path, limit: object) -> None:
    folder = make_bundle(tmp_path)
    content = json.loads((folder / "bundle.json").read_text())
    (folder / "bundle.json").write_text(json.dumps({**content, "familiarity": limit}))
    with pytest.raises(InputError, match="is not complete"):
        wordkin.load(folder)

"""DETECT against plain loops of its equation 4, alone and in the choice of a clue."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wordkin
from tests.support.bundles import TOPICS, make_bundle, relatedness
from wordkin.bundle import Bundle
from wordkin.errors import InputError
from wordkin.game.board import Board
from wordkin.game.board_view import BoardView
from wordkin.game.scoring import SCORINGS, frequency
from wordkin.game.selection import ClueWords, dictionary_terms, usual_forms
from wordkin.game.spymaster import Spymaster
from wordkin.vocabulary import Vocabulary

WORDS, VALUES = relatedness(TOPICS)
BOARD = Board.of(["piano", "mouse", "bread"], ["bison", "tree"], ["street"])


def plain_term(view: BoardView, dictionary: BoardView, candidate: int, n: int) -> float:
    """Σ over the n closest of our cards of 1 − DICT, minus the largest 1 − DICT of a bad card."""
    ours = [at for at, colour in enumerate(view.colours) if colour == "ours"]
    targets = sorted(ours, key=lambda at: -view.rows[at, candidate])[:n]
    good = sum(dictionary.rows[at, candidate] for at in targets)
    bad = [dictionary.rows[at, candidate] for at in range(len(view.colours)) if at not in ours]
    return float(good - max(bad, default=0.0))


@given(st.integers(1, 6), st.integers(0, 4), st.integers(0, 10**6))
def test_the_term_is_that_of_the_equation(ours: int, bad: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    colours = tuple(
        rng.permutation(["ours"] * ours + ["theirs", "neutral", "assassin", "theirs"][:bad])
    )
    view, dictionary = (
        BoardView(rng.integers(-3, 4, (ours + bad, 7)).astype(np.float32) / np.float32(4), colours)
        for _ in range(2)
    )
    most = int(rng.integers(1, ours + 1))
    terms = dictionary_terms(view, dictionary, most)
    assert terms.shape == (most, 7)
    for n in range(1, most + 1):
        for candidate in range(7):
            wanted = plain_term(view, dictionary, candidate, n)
            assert terms[n - 1, candidate] == pytest.approx(wanted, abs=1e-6)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    folder: Path = tmp_path_factory.mktemp("detect")
    shuffled = np.random.default_rng(2).random(VALUES.shape).astype(np.float32)
    dictionary = (shuffled + shuffled.T) / np.float32(4)
    return wordkin.load(make_bundle(folder, more={"dict2vec": dictionary}))


@pytest.mark.parametrize("scoring", ["koyyalagunta", "kim", "harmonic", "expected"])
def test_detect_is_added_to_any_scoring_function(bundle: Bundle, scoring: str) -> None:
    plain = Spymaster(bundle, scoring=scoring)
    detect = Spymaster(bundle, scoring=scoring, rarity=2.0, definitions=2.0)
    rows = np.stack([bundle.measure().row(card) for card in BOARD.words])
    closeness = np.stack([bundle.measure("dict2vec").row(card) for card in BOARD.words])
    view, dictionary = (BoardView(values, BOARD.colours) for values in (rows, closeness))
    freq = frequency(bundle.vocabulary.documents, bundle.manifest["documents"])
    totals = {}
    for clue in plain.clues(BOARD, len(WORDS), 2):
        at = WORDS.index(clue.word)
        totals[clue.word] = clue.score + 2 * freq[at] + 2 * plain_term(view, dictionary, at, 2)
    best = sorted(totals, key=lambda word: -totals[word])[:4]
    assert [clue.word for clue in detect.clues(BOARD, 4, 2)] == best


def test_definitions_change_what_worth_chooses(bundle: Bundle) -> None:
    plain = [clue.word for clue in Spymaster(bundle).clues(BOARD, 5)]
    weighed = [clue.word for clue in Spymaster(bundle, definitions=50.0).clues(BOARD, 5)]
    assert plain != weighed


def test_a_bundle_without_dictionary_vectors_says_so(tmp_path: Path) -> None:
    bundle = wordkin.load(make_bundle(tmp_path / "bundle"))
    with pytest.raises(InputError, match="no measure dict2vec"):
        Spymaster(bundle, definitions=2.0)


PAIR = Board.of(["piano", "mouse"], ["bison", "tree"])


@pytest.fixture(scope="module")
def familiar(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """A bundle in which the best clue of the board is not familiar enough."""
    folder = tmp_path_factory.mktemp("familiar")
    return wordkin.load(make_bundle(folder, familiarity={"keyboard": 0.84}))


@pytest.mark.parametrize("scoring", SCORINGS)
def test_an_unfamiliar_word_is_not_offered(familiar: Bundle, scoring: str) -> None:
    every = Spymaster(familiar, scoring=scoring, familiarity=0)
    assert every.clue(PAIR, 2).word == "keyboard"
    clue = Spymaster(familiar, scoring=scoring).clue(PAIR, 2)
    assert clue.word != "keyboard"
    assert "unfamiliar" not in [note.kind for note in clue.notes]


def test_the_limit_itself_is_familiar_enough(familiar: Bundle) -> None:
    assert familiar.familiarity_limit == 0.85
    assert Spymaster(familiar, familiarity=0.84).clue(PAIR, 2).word == "keyboard"


@pytest.mark.parametrize("scoring", SCORINGS)
def test_a_board_without_a_familiar_clue_gets_an_unfamiliar_one(
    tmp_path: Path, scoring: str
) -> None:
    words = {word: 0.1 for topic in TOPICS.values() for word in topic.split()}
    spymaster = Spymaster(wordkin.load(make_bundle(tmp_path, familiarity=words)), scoring=scoring)
    clue = spymaster.clue(PAIR, 2)
    assert clue.word == "keyboard"
    assert "unfamiliar" in [note.kind for note in clue.notes]


def test_cards_need_not_be_familiar(familiar: Bundle) -> None:
    clue = Spymaster(familiar).clue(Board.of(["keyboard"], ["bison", "tree"]), 1)
    assert [card.word for card in clue.targets] == ["keyboard"]


def test_a_bundle_without_familiarity_offers_every_word(tmp_path: Path) -> None:
    bundle = wordkin.load(make_bundle(tmp_path))
    assert bundle.vocabulary.familiarity is None
    assert bundle.familiarity_limit == 0
    assert Spymaster(bundle).clue(PAIR, 2).word == "keyboard"
    assert Spymaster(bundle, familiarity=0.9).clue(PAIR, 2).word == "keyboard"


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

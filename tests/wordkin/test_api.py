"""What authors of bots do with a bundle, and bundles that are made from vectors."""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable
from pathlib import Path
from time import process_time

import numpy as np
import pytest

import wordkin
from tests.support.bundles import make_bundle
from wordkin.pack import pack

WORDS = ["the", "piano", "violin", "Piano", "bison", "cow", "123", "river"]
VECTORS = np.array(
    [[9, 9, 9], [5, 1, 0], [2, 1, 0], [0, 0, 1], [0, 1, 3], [0, 1, 2], [1, 1, 1], [1, 0, 1]],
    dtype=float,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_bundle(tmp_path_factory.mktemp("api"))


@pytest.fixture(scope="module")
def bundle(folder: Path) -> wordkin.Bundle:
    return wordkin.load(folder)


@pytest.fixture
def made() -> wordkin.Bundle:
    return wordkin.Bundle.from_vectors(WORDS, VECTORS, "en")


def test_a_bundle_is_a_container_of_its_words(bundle: wordkin.Bundle) -> None:
    assert "piano" in bundle
    assert "Piano" in bundle
    assert "pianist" not in bundle
    assert None not in bundle
    assert len(bundle) == len(list(bundle)) == len(bundle.vocabulary) == 80


def test_counts_are_those_of_the_vocabulary(bundle: wordkin.Bundle) -> None:
    assert bundle.count("Piano") == bundle.vocabulary.counts[bundle.vocabulary.id("piano")]
    assert bundle.count("pianist") == 0


def test_pairs_have_the_values_of_single_pairs(bundle: wordkin.Bundle) -> None:
    pairs = [("piano", "violin"), ("Mouse", "keyboard"), ("pianos", "violin"), ("tree", "tree")]
    for name in (None, "npmi", "svd"):
        singles = [bundle.relatedness(a, b, name) for a, b in pairs]
        np.testing.assert_allclose(bundle.pairs(pairs, name), singles, rtol=1e-6)
    assert len(bundle.pairs([])) == 0
    with pytest.raises(wordkin.UnknownWord):
        bundle.pairs([("piano", "!")])


def test_ten_thousand_pairs_take_no_time(bundle: wordkin.Bundle) -> None:
    words = list(bundle)
    chosen = np.random.default_rng(1).choice(words, (10_000, 2))
    start = process_time()
    bundle.pairs(chosen, "npmi")
    assert process_time() - start < 0.5  # .03 s on a quiet core


def test_most_similar_is_nearest(bundle: wordkin.Bundle) -> None:
    assert bundle.most_similar("piano", 3) == bundle.nearest("piano", 3)


def test_vectors_have_the_relatedness_as_their_cosine(bundle: wordkin.Bundle) -> None:
    a, b = bundle.vector("piano", "svd"), bundle.vector("violin")
    assert a @ b == pytest.approx(bundle.relatedness("piano", "violin", "svd"), abs=1e-5)
    assert np.linalg.norm(bundle.vector("sea tree")) == pytest.approx(1)
    with pytest.raises(wordkin.InputError, match="The measure 'npmi' has no vectors"):
        bundle.vector("piano", "npmi")


def test_load_logs_the_bundle_that_it_takes(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "wordkin"):
        wordkin.load(folder)
    (line,) = caplog.messages
    assert line == f"{folder}: the bundle {folder} (given path)"


def test_words_of_vectors_are_known_by_their_first_spelling(made: wordkin.Bundle) -> None:
    assert list(made) == ["the", "piano", "violin", "bison", "cow", "river"]
    assert made.count("the") > made.count("piano") > made.count("river") > 0
    unit = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)
    assert made.relatedness("Piano", "violin") == pytest.approx(unit[1] @ unit[2], abs=1e-6)
    np.testing.assert_allclose(made.vector("bison"), unit[4], atol=1e-6)
    assert made.nearest("bison", 1)[0][0] == "cow"


def test_a_bundle_of_vectors_gives_clues_and_reasons(made: wordkin.Bundle) -> None:
    board = wordkin.Board.of(ours=["piano"], theirs=["bison"], assassin=["river"])
    spymaster = wordkin.Spymaster(made)
    clue = spymaster.explained(spymaster.clue(board))
    assert clue.word == "violin"
    assert wordkin.Guesser(made).guess(clue.word, 1, board.words) == ["piano"]
    assert str(made.explain("piano", "violin"))


def test_counts_may_be_given() -> None:
    counts = range(80, 0, -10)
    bundle = wordkin.Bundle.from_vectors(WORDS, VECTORS, "en", counts)
    assert [bundle.count(word) for word in ("the", "piano", "bison", "river")] == [80, 70, 40, 10]


@pytest.mark.parametrize(
    ("words", "vectors", "sentence"),
    [
        (WORDS[:-1], VECTORS, "7 words and an array of shape"),
        (WORDS, VECTORS[:, 0], "one vector per word"),
        ([], np.zeros((0, 3)), "one vector per word"),
        (WORDS, 0 * VECTORS, "not all 0"),
        (WORDS, np.nan * VECTORS, "finite"),
        (["1", "2"], VECTORS[:2], "Every word needs"),
    ],
)
def test_vectors_that_do_not_fit_are_refused(
    words: list[str], vectors: object, sentence: str
) -> None:
    with pytest.raises(wordkin.InputError, match=sentence):
        wordkin.Bundle.from_vectors(words, vectors, "en")


def packed(folder: Path, tmp_path: Path) -> wordkin.Bundle:
    pack(folder, tmp_path / "en.zip")
    return wordkin.load(tmp_path / "en.zip")


@pytest.mark.parametrize(
    "make",
    [
        lambda folder, _: wordkin.load(folder),
        packed,
        lambda *_: wordkin.Bundle.from_vectors(WORDS, VECTORS, "en"),
    ],
    ids=["folder", "archive", "vectors"],
)
def test_bundles_can_be_pickled(
    make: Callable[[Path, Path], wordkin.Bundle], folder: Path, tmp_path: Path
) -> None:
    bundle = make(folder, tmp_path)
    again = pickle.loads(pickle.dumps(bundle))
    assert (again.language, again.path) == (bundle.language, bundle.path)
    assert list(again) == list(bundle)
    np.testing.assert_allclose(again.row("piano"), bundle.row("piano"), atol=1e-6)
    assert again.count("piano") == bundle.count("piano")


def test_gensims_vectors_make_a_bundle() -> None:
    gensim = pytest.importorskip("gensim.models")
    keyed = gensim.KeyedVectors(3)
    keyed.add_vectors(WORDS, VECTORS)
    bundle = wordkin.Bundle.from_vectors(keyed.index_to_key, keyed.vectors, "en")
    ours = [word for word, _ in bundle.most_similar("violin", 3)]
    theirs = [word for word, _ in keyed.most_similar("violin", topn=len(WORDS))]
    assert ours == [word for word in theirs if word in bundle and word != "Piano"][:3]

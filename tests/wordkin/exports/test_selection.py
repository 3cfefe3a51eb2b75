"""Exports of a list of words, some of which the vocabulary lacks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from wordkin.bundle import Bundle
from wordkin.exports import FORMATS
from wordkin.exports.selection import select_words
from wordkin.game.board_view import resolve_cards

WORDS = ["Tree", "pianos", "keyboardpiano", "mouse", "snow ship", "pianos"]


@pytest.mark.parametrize("name", ["npmi", "graph", "svd", "npmi+svd"])
def test_every_pair_is_as_related_as_in_the_bundle(bundle: Bundle, name: str) -> None:
    items = resolve_cards(bundle, WORDS)
    selected = select_words(bundle.measure(name), items, "en")
    words = selected.vocabulary.words
    # Known words in the order of the vocabulary, those of a phrase among them; then the others.
    known = [word for word in bundle.vocabulary.words if word in {"tree", "mouse", "snow", "ship"}]
    assert words == [*known, "pianos", "keyboardpiano"]
    rows = selected.rows(range(len(words)))
    for a, first in enumerate(words):
        for b, second in enumerate(words):
            expected = bundle.relatedness(first, second, name) if a != b else 0.0
            assert rows[a, b] == pytest.approx(expected, abs=1e-5)
    a, b = np.divmod(np.arange(len(words) ** 2), len(words))
    np.testing.assert_allclose(selected.pairs(a, b), rows.ravel(), atol=1e-6)
    np.testing.assert_array_equal(rows, rows.T)
    assert (selected.vocabulary.counts[-2:] == 0).all()


def test_the_vector_of_a_resolved_word_is_the_mean_of_what_it_stands_for(
    bundle: Bundle, tmp_path: Path
) -> None:
    from gensim.models import KeyedVectors  # slow to import, so not in every process

    words = ["tree", "keyboardpiano", "pianos", "!?"]
    path = tmp_path / "vectors.txt"
    assert FORMATS["word2vec"].write(bundle, bundle.measure("svd"), path, words) == ["!?"]
    read = KeyedVectors.load_word2vec_format(path)
    assert read.index_to_key == ["tree", "keyboardpiano", "pianos"]
    vectors = bundle.measure("svd").unit_vectors()
    assert vectors is not None
    piano = vectors[bundle.vocabulary.id("piano")]
    np.testing.assert_allclose(read["pianos"], piano, atol=1e-6)
    mean = sum(
        entry.weight * vectors[bundle.vocabulary.id(entry.word)]
        for entry in bundle.resolve("keyboardpiano").words
    )
    np.testing.assert_allclose(read["keyboardpiano"], mean / np.linalg.norm(mean), atol=1e-6)

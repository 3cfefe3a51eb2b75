"""fastText: what it is trained on, and vectors of words that it has and has not seen."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.layout import Layout
from pipeline.measures import fasttext
from pipeline.measures.fasttext import Fasttext, ngram_buckets
from pipeline.measures.training_text import TrainingText, read_text
from pipeline.words import token_shards
from wordkin.errors import InputError

SETTINGS = Fasttext(dimensions=8, epochs=20, minimum_count=2, sampling=1.0, learning_rate=0.2)


@pytest.fixture
def text() -> TrainingText:
    """Two topics of twenty words each, and a word that occurs once."""
    random = np.random.default_rng(3)
    documents = [random.integers(0, 20, 12) + 20 * (at % 2) for at in range(200)]
    tokens = np.append(np.concatenate(documents), 40).astype(np.int32)
    bounds = np.append(np.arange(0, len(tokens) - 1, 12), [len(tokens) - 1, len(tokens)])
    return TrainingText([f"w{number}" for number in range(41)], tokens, bounds, len(tokens))


def test_words_of_one_topic_come_close_to_each_other(text: TrainingText) -> None:
    trained = fasttext.train(text, SETTINGS)
    assert set(trained.words) == {f"w{number}" for number in range(40)}
    vectors = trained.vectors([f"w{number}" for number in range(40)])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = vectors @ vectors.T
    topic = np.arange(40) // 20
    same = (topic[:, None] == topic) & ~np.eye(40, dtype=bool)
    assert cosines[same].mean() > cosines[topic[:, None] != topic].mean() + 0.5


@pytest.mark.parametrize("is_cbow", [False, True])
def test_training_gives_the_same_bytes_each_time(text: TrainingText, is_cbow: bool) -> None:
    once = fasttext.train(text, SETTINGS, is_cbow).inputs
    assert (fasttext.train(text, SETTINGS, is_cbow).inputs == once).all()
    assert (fasttext.train(text, replace(SETTINGS, seed=1), is_cbow).inputs != once).any()


def test_the_package_trains_the_same_text_always_alike(text: TrainingText, tmp_path: Path) -> None:
    words = [f"w{number}" for number in range(41)]
    settings = replace(SETTINGS, trainer="fasttext", window=5)
    vectors, again = (
        fasttext.train_by_package(text, settings, tmp_path / "text", words) for _ in range(2)
    )
    np.testing.assert_array_equal(vectors, again)
    assert not vectors[40].any()  # too rare
    cosines = vectors[:40] @ vectors[:40].T
    topic = np.arange(40) // 20
    same = (topic[:, None] == topic) & ~np.eye(40, dtype=bool)
    assert cosines[same].mean() > cosines[topic[:, None] != topic].mean()


def test_a_word_is_the_mean_of_its_own_vector_and_those_of_its_subwords(
    text: TrainingText,
) -> None:
    settings = replace(SETTINGS, subwords=[2, 3], buckets=1000)
    trained = fasttext.train(text, settings)
    grams = trained.inputs[ngram_buckets("w7", 2, 3, 1000) + 40, :8]
    own = trained.inputs[trained.words["w7"], :8]
    known, unknown, bare = trained.vectors(["w7", "w40", "x"])
    np.testing.assert_allclose(known, np.vstack([own, grams]).mean(axis=0), rtol=1e-5)
    unseen = trained.inputs[ngram_buckets("w40", 2, 3, 1000) + 40, :8]
    np.testing.assert_allclose(unknown, unseen.mean(axis=0), rtol=1e-5)
    assert np.abs(unknown).max() > 0
    assert not trained.inputs[ngram_buckets("x", 2, 3, 1000) + 40].any() and not bare.any()


def test_a_word_without_a_vector_and_without_subwords_is_zero(text: TrainingText) -> None:
    assert not fasttext.train(text, SETTINGS).vectors(["w40"]).any()


def test_a_text_without_any_frequent_word_is_refused(text: TrainingText) -> None:
    with pytest.raises(InputError, match=r"lower fasttext\.minimum_count"):
        fasttext.train(text, replace(SETTINGS, minimum_count=10_000))


def write_tokens(layout: Layout, sizes: list[int], shards: int) -> None:
    """One document per size, each of one word of its own, spread over shards."""
    rows = [
        token_shards.Row(str(at), hashlib.blake2b(b"%d" % at, digest_size=16).digest(), words, [n])
        for at, n in enumerate(sizes)
        for words in [[f"w{at}"] * n]
    ]
    for shard in range(shards):
        path = layout.tokens / "own" / f"part-{shard:05d}.parquet"
        token_shards.write_shard(path, rows[shard::shards])


def test_a_sample_has_about_the_tokens_that_were_asked_for_however_they_are_stored(
    tmp_path: Path,
) -> None:
    sizes = np.random.default_rng(1).integers(1, 20, 2_000).tolist()
    chosen = []
    for shards in (1, 3):
        layout = Layout(tmp_path / str(shards), "xx")
        write_tokens(layout, sizes, shards)
        for most in (2_000, 5_000, None):
            text = read_text(layout, tmp_path / "tokens.bin", most)
            words = [text.types[number] for number in text.tokens]
            documents = [words[a:b] for a, b in zip(text.bounds, text.bounds[1:], strict=False)]
            assert text.documents == len(documents) == len(text.types)
            assert all(document == [f"{document[0]}"] * len(document) for document in documents)
            assert text.all_tokens == sum(sizes)
            assert abs(len(words) - (most or sum(sizes))) < 500
            chosen.append({(document[0], len(document)) for document in documents})
    assert chosen[:3] == chosen[3:]
    assert chosen[0] < chosen[1] < chosen[2] and len(chosen[2]) == 2_000

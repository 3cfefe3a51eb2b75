"""fastText: every word has a start vector from us, and one thread gives the same bytes."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.corpus import token_shards
from pipeline.layout import Layout
from pipeline.relatedness import fasttext
from pipeline.settings import Fasttext
from wordkin.errors import InputError

SETTINGS = Fasttext(dimensions=8, epochs=2, minimum_count=1, subwords=(0, 0), threads=1)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "tokens.txt"
    chance = np.random.default_rng(3)
    words = [f"w{number}" for number in range(40)]
    path.write_text("".join(" ".join(chance.choice(words, 9)) + "\n" for _ in range(100)))
    return path


def vectors(text: Path, settings: Fasttext) -> np.ndarray:
    model = fasttext.train(text, settings)
    return np.stack([model.get_word_vector(word) for word in model.get_words()])


def test_every_word_starts_from_the_vector_that_we_gave_it(text: Path) -> None:
    model = fasttext.train(text, replace(SETTINGS, learning_rate=1e-12))
    lines = text.with_name("start.vec").read_text().splitlines()[1:]
    start = {word: np.array(numbers, float) for word, *numbers in map(str.split, lines)}
    assert set(start) == set(model.get_words())
    assert len(start) == 41  # the end of a line is a word to fastText
    assert len({tuple(vector) for vector in start.values()}) == 41
    for word, vector in start.items():
        np.testing.assert_allclose(model.get_word_vector(word), vector, atol=1e-6)
        assert (np.abs(vector) < 1 / 8).all()


@pytest.mark.slow
def test_training_gives_the_same_bytes_each_time(text: Path) -> None:
    lively = replace(SETTINGS, sampling=1.0, learning_rate=0.1)
    once = vectors(text, lively)
    for _ in range(5):
        # Leave memory behind that would show if the library used it without initialising it.
        dirty = [np.full(1000, 1e30, dtype=np.float32) for _ in range(100)]
        del dirty
        assert (vectors(text, lively) == once).all()
    assert np.abs(once - vectors(text, replace(lively, learning_rate=1e-12))).max() > 0.01
    assert (vectors(text, replace(lively, seed=1)) != once).any()


def test_subwords_start_at_zero_even_with_few_buckets(text: Path) -> None:
    still = replace(SETTINGS, learning_rate=1e-12, subwords=(2, 3), buckets=10)
    assert (np.abs(vectors(text, still)) < 1 / 8).all()


def test_a_text_without_any_frequent_word_is_refused(text: Path) -> None:
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
            text = fasttext.write_documents(layout, tmp_path / "text", most)
            lines = (tmp_path / "text").read_text().splitlines()
            assert text.documents == len(lines)
            assert text.tokens == sum(len(line.split()) for line in lines)
            assert text.all_tokens == sum(sizes)
            assert abs(text.tokens - (most or sum(sizes))) < 500
            chosen.append(set(lines))
    assert chosen[:3] == chosen[3:]
    assert chosen[0] < chosen[1] < chosen[2] and len(chosen[2]) == 2_000

"""The vocabulary: the most frequent words that are not stop words, the same everywhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus import token_shards, vocabulary
from pipeline.corpus.vocabulary import Words, choose, count_types, derive_stop_words
from pipeline.engine import Engine
from pipeline.layout import Layout
from pipeline.settings import LanguageVocabulary, VocabularySettings
from tests.support import oracle
from wordkin.errors import InputError
from wordkin.vocabulary import Vocabulary

documents_of = st.lists(st.lists(st.sampled_from("abcdéő中"), min_size=1, max_size=12), max_size=8)


def words_of(documents: list[list[str]]) -> Words:
    types = sorted({word for document in documents for word in document})
    return Words(
        types,
        np.array([sum(d.count(w) for d in documents) for w in types], np.int64),
        np.array([sum(w in d for d in documents) for w in types], np.int64),
    )


@given(documents_of)
def test_types_are_counted_by_token_and_by_document(documents: list[list[str]]) -> None:
    expected = words_of(documents)
    ids = {word: i for i, word in enumerate(expected.words)}
    tokens = np.array([ids[w] for d in documents for w in d], np.int32)
    bounds = np.cumsum([0] + [len(d) for d in documents]).astype(np.int64)
    counts, frequency = count_types(tokens, bounds, len(ids))
    assert counts.tolist() == expected.counts.tolist()
    assert frequency.tolist() == expected.documents.tolist()


@given(documents_of, st.integers(1, 6))
def test_the_choice_is_the_specification(documents: list[list[str]], size: int) -> None:
    chosen = choose(words_of(documents), size, frozenset("ab"), [], 1)
    assert chosen.words == oracle.vocabulary(documents, size, "ab")


def test_included_words_are_always_there() -> None:
    found = words_of([["a"] * 5 + ["b"] * 3 + ["c"]])
    chosen = choose(found, 1, frozenset("b"), ["c", "b", "new", "a"], 1)
    assert chosen.words == ["a", "b", "c", "new"]
    assert chosen.counts.tolist() == [5, 3, 1, 0]
    assert choose(found, 9, frozenset(), [], minimum_count=3).words == ["a", "b"]


def test_stop_words_come_from_the_head_of_the_corpus_where_there_is_no_list() -> None:
    found = Words(["of", "the", "cat"], np.array([20, 20, 2]), np.array([9, 9, 2]))
    assert derive_stop_words(found, 100) == {"of"}  # with `the` it would be 40 of 100 tokens
    assert derive_stop_words(found, 1000) == {"of", "the", "cat"}


def make(root: Path, documents: list[list[str]], number: int) -> Layout:
    layout = Layout(root, "xx")
    for part in range(number):
        rows = [token_shards.Row("", bytes(16), d, [len(d)]) for d in documents[part::number]]
        token_shards.write_shard(layout.tokens / "own" / f"part-{part:05d}.parquet", rows)
    layout.boards.write_text("# our board\nzebra\n")
    return layout


@pytest.mark.parametrize("number", [1, 7])
def test_the_stage(tmp_path: Path, spark: Engine, number: int) -> None:
    random = np.random.default_rng(0)
    documents = [random.choice(list("abcdefgh"), 20).tolist() for _ in range(30)]
    layout = make(tmp_path, documents, number)
    of = LanguageVocabulary(size=4, include=["dodo"], stop_words="none")
    metrics = vocabulary.make_vocabulary(layout, VocabularySettings(), of, False, spark)
    read = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    assert read.words == [*oracle.vocabulary(documents, 4), "dodo", "zebra"]
    assert read.counts[0] == sum(d.count(read.words[0]) for d in documents)
    assert read.documents[0] == sum(read.words[0] in d for d in documents)
    assert (metrics["tokens"], metrics["types"], metrics["included_unseen"]) == (600, 8, 2)
    assert (layout.vocabulary / "stop_words.txt").read_text() == ""


def test_a_list_of_one_s_own(tmp_path: Path, spark: Engine) -> None:
    layout = make(tmp_path, [["a", "a", "b", "c"]], 1)
    layout.raw.mkdir(parents=True)
    (layout.raw / "stop.txt").write_text("A\n")
    of = LanguageVocabulary(size=4, stop_words="corpora/xx/raw/stop.txt")
    vocabulary.make_vocabulary(layout, VocabularySettings(), of, False, spark)
    assert Vocabulary.read(layout.vocabulary / "vocabulary.tsv").words == ["b", "c", "zebra"]
    assert (layout.vocabulary / "stop_words.txt").read_text() == "a\n"


def test_rated_words_are_in_but_for_stop_words(tmp_path: Path, spark: Engine) -> None:
    layout = make(tmp_path, [["a", "a", "b", "c", "c", "c", "d"]], 1)
    layout.raw.mkdir(parents=True)
    (layout.raw / "stop.txt").write_text("c\n")
    layout.gold.mkdir(parents=True)
    (layout.gold / "own.tsv").write_text("D\tC\t3\nnew york\tunseen\t1\n")
    of = LanguageVocabulary(size=1, gold=["own"], stop_words="corpora/xx/raw/stop.txt")
    vocabulary.make_vocabulary(layout, VocabularySettings(), of, False, spark)
    found = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    assert found.words == ["a", "d", "unseen", "zebra"]
    missing = LanguageVocabulary(size=1, gold=["other"], stop_words="none")
    with pytest.raises(InputError, match=r"the gold set 'other' is not there \(there is own\)"):
        vocabulary.make_vocabulary(layout, VocabularySettings(), missing, False, spark)


def test_a_fixed_list_keeps_its_words_and_ids_whatever_the_corpus(
    tmp_path: Path, spark: Engine
) -> None:
    words = {}
    for number, documents in enumerate(([["a", "b", "b"]], [["a", "b", "b"], ["a", "c", "c"] * 9])):
        layout = make(tmp_path / str(number), documents, 1)
        layout.raw.mkdir(parents=True)
        (layout.raw / "words.txt").write_text("B\nunseen\na\nleft-out\n")
        of = LanguageVocabulary(size=3, words="corpora/xx/raw/words.txt", stop_words="none")
        vocabulary.make_vocabulary(layout, VocabularySettings(), of, False, spark)
        words[number] = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    assert words[0].words == words[1].words == ["b", "unseen", "a", "zebra"]
    assert words[0].counts.tolist() == [2, 0, 1, 0]
    assert words[1].counts.tolist() == [2, 0, 10, 0]


@pytest.mark.parametrize(
    "text",
    ["", "word\tcount\n", "word\tcount\tdocuments\na\t1\t1", "word\tcount\tdocuments\na\tx\t1\n"],
)
def test_a_damaged_vocabulary_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "vocabulary.tsv").write_text(text)
    with pytest.raises(InputError, match="again"):
        Vocabulary.read(tmp_path / "vocabulary.tsv")


def test_unknown_words_are_told_with_near_spellings() -> None:
    with pytest.raises(InputError, match="'cta' is not in the vocabulary; near spellings: cat"):
        Vocabulary(["cat", "dog"], [1, 1], [1, 1]).id("cta")
    # Two letters in the wrong order are the likeliest slip, whatever else looks alike.
    words = Vocabulary(["diego", "indigo", "dog"], [3, 2, 1], [1, 1, 1])
    assert words.near_spellings("dgo") == ["dog", "diego", "indigo"]

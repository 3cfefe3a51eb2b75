"""The vocabulary: the most frequent words that are not stop words, the same everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.engine import DeferredEngine, Engine, InProcessEngine
from pipeline.layout import Layout
from pipeline.settings import LanguageVocabulary
from pipeline.words import token_shards, vocabulary
from pipeline.words.translations import Translations
from pipeline.words.type_counts import WordStatistics, write_types
from pipeline.words.vocabulary import VocabularySettings, choose, derive_stop_words
from tests.support import oracle
from tests.support.corpora import word_statistics
from tests.support.tokenized import tokenize_line
from wordkin.errors import InputError
from wordkin.vocabulary import Vocabulary

corpora = st.lists(st.lists(st.sampled_from("abcdéő中"), min_size=1, max_size=12), max_size=8)


@contextmanager
def never() -> Iterator[Engine]:
    raise AssertionError("an engine was started")
    yield


NO_ENGINE = DeferredEngine(never)
"""Words that are counted by form need no engine: the tokens stage has counted them."""
EVERY_WORD = VocabularySettings(minimum_count=1)


def words_of(documents: list[list[str]]) -> WordStatistics:
    types = sorted({word for document in documents for word in document})
    columns = {
        "counts": [sum(d.count(w) for d in documents) for w in types],
        "documents": [sum(w in d for d in documents) for w in types],
    }
    return word_statistics(types, columns)


@given(corpora, st.integers(1, 6))
def test_the_most_frequent_words_are_chosen_as_specified(
    documents: list[list[str]], size: int
) -> None:
    chosen = choose(words_of(documents), size, frozenset("ab"), [], 1)
    assert chosen == oracle.vocabulary(documents, size, "ab")


def test_included_words_are_always_chosen() -> None:
    counted = words_of([["a"] * 5 + ["b"] * 3 + ["c"]])
    chosen = choose(counted, 1, frozenset("b"), ["c", "b", "new", "a"], 1)
    assert chosen == ["a", "b", "c", "new"]
    assert choose(counted, 9, frozenset(), [], minimum_count=3) == ["a", "b"]


def test_without_a_list_the_most_frequent_words_are_stop_words() -> None:
    counted = word_statistics(["of", "the", "cat"], {"counts": [20, 20, 2]})
    assert derive_stop_words(counted, 100) == {"of"}  # with `the` it would be 40 of 100 tokens
    assert derive_stop_words(counted, 1000) == {"of", "the", "cat"}


def make(root: Path, documents: list[list[str]], shards: int) -> Layout:
    """A language with these documents as its tokens, and with one board word."""
    layout = Layout(root, "xx")
    for shard in range(shards):
        rows = [token_shards.Row("", bytes(16), d, [len(d)]) for d in documents[shard::shards]]
        token_shards.write_shard(layout.tokens / "own" / f"part-{shard:05d}.parquet", rows)
    layout.boards.write_text("# our board\nzebra\n")
    write_types(InProcessEngine(), token_shards.shard_files(layout.tokens), layout.types)
    return layout


@pytest.mark.parametrize("shards", [1, 7])
def test_the_stage_writes_what_the_specification_says(tmp_path: Path, shards: int) -> None:
    random = np.random.default_rng(0)
    documents = [random.choice(list("abcdefgh"), 20).tolist() for _ in range(30)]
    layout = make(tmp_path, documents, shards)
    wanted = LanguageVocabulary(size=4, include=["dodo"], stop_words="none")
    metrics = vocabulary.make_vocabulary(layout, EVERY_WORD, wanted, False, NO_ENGINE)
    read = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    assert read.words == [*oracle.vocabulary(documents, 4), "dodo", "zebra"]
    assert read.counts[0] == sum(d.count(read.words[0]) for d in documents)
    assert read.documents[0] == sum(read.words[0] in d for d in documents)
    assert (metrics["tokens"], metrics["types"], metrics["included_unseen"]) == (600, 8, 2)
    assert (layout.vocabulary / "stop_words.txt").read_text() == ""
    assert vocabulary.describe(metrics) == (
        f"600 tokens of 8 types in, 6 words out ({metrics['coverage']:.1%} of the tokens, "
        f"2 words not in the corpus, {metrics['familiar']} familiar enough for clues); "
        "dropped: 4 types, by 0 stop words and by frequency"
    )


def test_the_stage_writes_the_familiarity_of_each_word(tmp_path: Path) -> None:
    layout = Layout(tmp_path, "en")
    line = tokenize_line("en", "we saw the mountain and the river with Awiil today")
    rows = [token_shards.Row("", bytes(16), line.tokens, [10], line.flags)] * 20
    for source in ("own", "other"):
        token_shards.write_shard(layout.tokens / source / "part-00000.parquet", rows)
    write_types(InProcessEngine(), token_shards.shard_files(layout.tokens), layout.types)
    layout.boards.write_text("zebra\n")
    wanted = LanguageVocabulary(size=20)
    metrics = vocabulary.make_vocabulary(layout, VocabularySettings(), wanted, False, NO_ENGINE)
    read = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    assert read.familiarity is not None
    score = dict(zip(read.words, read.familiarity.tolist(), strict=True))
    assert score["mountain"] > 0.9 > score["awiil"]
    assert 0 < score["zebra"] < score["mountain"]  # a board word that the corpus does not have
    assert metrics["familiarity"] == VocabularySettings().familiarity
    assert metrics["familiar"] == sum(value >= 0.85 for value in score.values())


def test_a_corpus_of_stop_words_alone_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    layout = make(tmp_path, [["a", "a"]], 1)
    layout.boards.write_text("")
    layout.raw.mkdir(parents=True)
    (layout.raw / "stop.txt").write_text("a\n")
    wanted = LanguageVocabulary(size=4, stop_words="corpora/xx/raw/stop.txt")
    with pytest.raises(InputError, match="fewer than two words that are not stop words"):
        vocabulary.make_vocabulary(layout, EVERY_WORD, wanted, False, NO_ENGINE)
    assert not layout.vocabulary.exists()


def test_stop_words_can_come_from_a_file(tmp_path: Path) -> None:
    layout = make(tmp_path, [["a", "a", "b", "c"]], 1)
    layout.raw.mkdir(parents=True)
    (layout.raw / "stop.txt").write_text("A\n")
    wanted = LanguageVocabulary(size=4, stop_words="corpora/xx/raw/stop.txt")
    vocabulary.make_vocabulary(layout, EVERY_WORD, wanted, False, NO_ENGINE)
    assert Vocabulary.read(layout.vocabulary / "vocabulary.tsv").words == ["b", "c", "zebra"]
    assert (layout.vocabulary / "stop_words.txt").read_text() == "a\n"


def test_rated_words_are_included_but_rated_stop_words_are_no_clues(tmp_path: Path) -> None:
    layout = make(tmp_path, [["aa", "aa", "bb", "cc", "cc", "cc", "dd", "ee", "ee"]], 1)
    layout.raw.mkdir(parents=True)
    (layout.raw / "stop.txt").write_text("cc\nee\nzebra\n")
    layout.gold.mkdir(parents=True)
    (layout.gold / "own.tsv").write_text("DD\tCC\t3\nnew york\tunseen\t1\nzebra\tcc\t2\n")
    wanted = LanguageVocabulary(size=2, gold=["own"], stop_words="corpora/xx/raw/stop.txt")
    vocabulary.make_vocabulary(layout, EVERY_WORD, wanted, False, NO_ENGINE)
    written = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    assert written.words == ["cc", "aa", "bb", "dd", "unseen", "zebra"]
    assert written.familiarity is not None
    # The stop word zebra is a board word, so it may be a clue; cc is there to be judged only.
    assert (written.familiarity > 0).tolist() == [False, True, True, True, True, True]
    missing = LanguageVocabulary(size=2, gold=["other"], stop_words="none")
    with pytest.raises(InputError, match=r"there is no gold set 'other' \(there is own\)"):
        vocabulary.make_vocabulary(layout, EVERY_WORD, missing, False, NO_ENGINE)


def test_a_fixed_list_keeps_its_words_and_ids_whatever_the_corpus(tmp_path: Path) -> None:
    words = {}
    for number, documents in enumerate(([["a", "b", "b"]], [["a", "b", "b"], ["a", "c", "c"] * 9])):
        layout = make(tmp_path / str(number), documents, 1)
        layout.raw.mkdir(parents=True)
        (layout.raw / "words.txt").write_text("B\nunseen\na\nleft-out\n")
        wanted = LanguageVocabulary(size=3, words="corpora/xx/raw/words.txt", stop_words="none")
        vocabulary.make_vocabulary(layout, EVERY_WORD, wanted, False, NO_ENGINE)
        words[number] = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    assert words[0].words == words[1].words == ["b", "unseen", "a", "zebra"]
    assert words[0].counts.tolist() == [2, 0, 1, 0]
    assert words[1].counts.tolist() == [2, 0, 10, 0]


def test_words_of_dictionaries_fill_the_room_that_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = [["a"] * 5 + ["b"] * 4 + ["c"] * 2 + ["d"]]
    layout = make(tmp_path, documents, 1)
    weights = {word: {"two": 1.0} for word in "abcdez"} | {"new": {"one": 2.0}}
    found = Translations("en", weights)
    monkeypatch.setattr(vocabulary, "read_translations", lambda *_: found)

    def made(size: int) -> tuple[list[str], int]:
        wanted = LanguageVocabulary(size=size, stop_words="none")
        metrics = vocabulary.make_vocabulary(
            layout, VocabularySettings(minimum_count=3), wanted, False, NO_ENGINE
        )
        return Vocabulary.read(layout.vocabulary / "vocabulary.tsv").words, metrics["borrowed"]

    assert made(2) == (["a", "b", "zebra"], 0)  # the board word is there by name
    assert made(5) == (["a", "b", "c", "d", "zebra"], 2)
    assert made(7) == (["a", "b", "c", "d", "e", "new", "zebra"], 4)
    assert made(99) == (["a", "b", "c", "d", "e", "new", "z", "zebra"], 5)

"""Statistics of words: plain counts over a corpus, whatever the shards, sources and engine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.engine import Engine, InProcessEngine
from pipeline.languages.tokenizer import ALL_CAPITALS, CAPITAL, ENDS, OPENS
from pipeline.words import token_shards
from pipeline.words.lemmas import LemmaTable
from pipeline.words.type_counts import (
    CountedWords,
    WordStatistics,
    count_documents,
    count_words,
    documents_of_lemmas,
    in_running_text,
    read_types,
    write_types,
)
from tests.support.corpora import files, word_statistics
from tests.support.examples import at_most
from tests.support.tokenized import tokenize_line


class Token(NamedTuple):
    word: str
    flags: int


Line = list[Token]
Document = list[Line]

tokens = st.builds(
    Token,
    st.sampled_from("abcdéő中"),
    st.sampled_from([0, CAPITAL, CAPITAL | ALL_CAPITALS, ENDS, OPENS]),
)
documents = st.lists(st.lists(tokens, min_size=1, max_size=6), min_size=1, max_size=3)
corpora = st.dictionaries(
    st.sampled_from(["novels", "news", "web"]),
    st.lists(documents, min_size=1, max_size=4),
    min_size=1,
)


def is_running(line: Line, at: int) -> bool:
    """Whether a token is where an ordinary word is in lower case, as the specification says it."""
    if at == 0 or line[at].flags & OPENS:
        return False
    before = line[at - 1].flags
    return not before & ENDS and not before & ALL_CAPITALS


def expected(
    corpus: dict[str, list[Document]], lemma_of: Mapping[str, str] | None = None
) -> dict[str, list[int]]:
    """The statistics of each word, counted one token after the other; each is made a lemma."""
    lemma_of = lemma_of or {}
    every = [
        (source, (source, number), line, at)
        for source, texts in corpus.items()
        for number, document in enumerate(texts)
        for line in document
        for at in range(len(line))
    ]

    def lemma(form: str) -> str:
        return lemma_of.get(form, form)

    words = sorted({lemma(line[at].word) for _, _, line, at in every})
    statistics = {}
    for word in words:
        places = [place for place in every if lemma(place[2][place[3]].word) == word]
        running = [line[at].flags for _, _, line, at in places if is_running(line, at)]
        statistics[word] = [
            len(places),
            len({document for _, document, _, _ in places}),
            len({source for source, _, _, _ in places}),
            len(running),
            sum(bool(flags & CAPITAL) for flags in running),
            sum(line[at].word == word for _, _, line, at in places),
        ]
    return statistics


def write(folder: Path, corpus: dict[str, list[Document]], shards: int) -> list[Path]:
    """The corpus as shards, some of them without documents."""
    for source, texts in corpus.items():
        for number in range(shards):
            rows = [
                token_shards.Row(
                    "",
                    bytes(16),
                    [token.word for line in document for token in line],
                    [len(line) for line in document],
                    bytes(token.flags for line in document for token in line),
                )
                for document in texts[number::shards]
            ]
            token_shards.write_shard(folder / source / f"part-{number:05d}.parquet", rows)
    return token_shards.shard_files(folder)


def as_rows(statistics: WordStatistics) -> dict[str, list[int]]:
    columns = [column.tolist() for column in statistics[1:]]
    return {word: list(row) for word, *row in zip(statistics.words, *columns, strict=True)}


def counted_by_form(
    engine: Engine, shards: list[Path], folder: Path, most: int = 100, wanted: str = ""
) -> CountedWords:
    write_types(engine, shards, folder)
    return count_words(read_types(folder), None, most, set(wanted))


@given(corpora, st.integers(1, 3))
@settings(max_examples=at_most(40))
def test_every_number_is_what_counting_one_by_one_gives(
    tmp_path_factory: pytest.TempPathFactory, corpus: dict[str, list[Document]], shards: int
) -> None:
    folder = tmp_path_factory.mktemp("tokens")
    paths = write(folder, corpus, shards)
    counted = counted_by_form(InProcessEngine(cores=2), paths, folder / "types")
    assert as_rows(counted.candidates) == expected(corpus)
    assert counted.tokens == sum(row[0] for row in expected(corpus).values())
    assert counted.types == len(expected(corpus))


@given(corpora, st.dictionaries(st.sampled_from("abcdéő中"), st.sampled_from("abcx")))
@settings(max_examples=at_most(40))
def test_lemmas_have_the_numbers_of_a_text_whose_words_were_lemmatized_one_by_one(
    tmp_path_factory: pytest.TempPathFactory,
    corpus: dict[str, list[Document]],
    lemma_of: dict[str, str],
) -> None:
    folder = tmp_path_factory.mktemp("tokens")
    paths = write(folder, corpus, 2)
    write_types(InProcessEngine(cores=2), paths, folder / "types")
    types = read_types(folder / "types")
    forms = sorted(set(types["word"].to_pylist()))
    lemmas = LemmaTable(pa.array(forms), pa.array([lemma_of.get(form, form) for form in forms]))
    counted = count_words(types, lemmas, 100, set())
    words = counted.candidates.words
    documents = documents_of_lemmas(InProcessEngine(cores=2), paths, words, lemmas)
    statistics = counted.candidates._replace(documents=documents)
    assert as_rows(statistics) == expected(corpus, lemma_of)
    assert counted.types == len(words)


@pytest.mark.slow
def test_spark_counts_the_same_and_writes_the_same_bytes(tmp_path: Path, spark: Engine) -> None:
    text = [[Token("a", CAPITAL), Token("b", 0)], [Token("a", 0)]]
    corpus = {"novels": [text, text, [[Token("c", 0), Token("a", CAPITAL)]]], "web": [text]}
    paths = write(tmp_path, corpus, 2)
    counted = counted_by_form(spark, paths, tmp_path / "types")
    assert as_rows(counted.candidates) == expected(corpus)
    write_types(InProcessEngine(cores=3), paths, tmp_path / "again")
    assert files(tmp_path / "types") == files(tmp_path / "again")


def test_rare_words_are_passed_on_only_if_they_are_wanted(tmp_path: Path) -> None:
    line = [Token(word, 0) for word in "a" * 9 + "b" * 5 + "cdefgh"]
    paths = write(tmp_path, {"novels": [[line]]}, 1)
    counted = counted_by_form(InProcessEngine(), paths, tmp_path / "types", 0, "cx")
    assert counted.candidates.words == ["c"]
    assert (counted.tokens, counted.types) == (20, 8)


def test_selected_words_have_their_numbers_and_others_have_zeros() -> None:
    statistics = word_statistics(["a", "b"], {"counts": [5, 3], "running": [4, 2]})
    selected = statistics.select(["b", "new", "a"])
    assert selected.words == ["b", "new", "a"]
    assert selected.counts.tolist() == [3, 0, 5]
    assert selected.running.tolist() == [2, 0, 4]


def running_words(text: str, code: str = "en") -> list[str]:
    """The words of a text that are in running text."""
    lines = [tokenize_line(code, line) for line in text.split("\n")]
    flags = np.frombuffer(b"".join(line.flags for line in lines), np.uint8)
    bounds = np.cumsum([0, *(len(line.tokens) for line in lines)])
    words = [word for line in lines for word in line.tokens]
    running = in_running_text(flags, bounds)
    return [word for word, is_in in zip(words, running, strict=True) if is_in]


@pytest.mark.parametrize(
    ("text", "running"),
    [
        ("The old house. Then we left.", "old house we left"),
        ("We saw Paris, then Rome", "saw paris then rome"),
        ('He said, "Leave me."', "said me"),
        ("What? No! Go on", "on"),
        ("LAST NIGHT IN TOWN", ""),
        ("The UN says", "un"),
        ("first line\nSecond line", "line line"),
        ("Austro-Hungarian rule", "hungarian rule"),
        ("we met (Smith) there", "met there"),
        ("- Hello.\n- Who is there?", "is there"),
    ],
)
def test_running_text_is_where_ordinary_words_are_in_lower_case(text: str, running: str) -> None:
    assert running_words(text) == running.split()


@given(st.lists(st.lists(st.integers(0, 5), max_size=12), max_size=8))
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_a_type_is_counted_once_per_document(dtype: type, texts: list[list[int]]) -> None:
    tokens = np.array([token for document in texts for token in document], dtype)
    bounds = np.cumsum([0, *map(len, texts)])
    expected = [sum(number in document for document in texts) for number in range(7)]
    assert count_documents(tokens, bounds, 7).tolist() == expected

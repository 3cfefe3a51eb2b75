"""The compiled kernels agree with Python, with the slow way, and with ICU, in every language."""

from __future__ import annotations

import sys
from functools import cache
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.languages import language
from pipeline.languages.runs import LEFT, LIMIT, SPACES, PlainTables, split_plain_runs, split_runs
from pipeline.languages.tokenizer import tokenizer

LANGUAGES = ["en", "hu", "tr", "ga", "lt", "el", "ru", "he", "ar", "hi", "th", "ko", "zh", "qq"]

common = st.sampled_from(
    "aAbZiIéÉőŰñßçİıΣσςάώжЖёЁաԱაאبपक한中ǅŉﬁªµ09١.,:;!?'’\"“”„…«»()[]-–—_·&@•।؟"
)
runs = st.text(
    common | st.characters(max_codepoint=LIMIT + 99, exclude_categories=["Zs", "Zl", "Zp", "Cc"]),
    min_size=1,
    max_size=8,
)


@cache
def tables(code: str) -> PlainTables:
    return PlainTables.of(language(code))


def is_one_run(text: str) -> bool:
    return text.split() == [text]


@pytest.mark.parametrize("code", LANGUAGES)
@given(st.lists(runs.filter(is_one_run), max_size=20))
def test_plain_runs_have_the_words_of_the_slow_way(code: str, texts: list[str]) -> None:
    rules, split = language(code), tokenizer(code)
    plain = split_plain_runs(pa.array(texts, pa.string()), tables(code))
    words, flags = iter(plain.words.to_pylist()), iter(plain.flags.tolist())
    for text, number in zip(texts, plain.numbers.tolist(), strict=True):
        if number == LEFT:
            continue
        expected = split.line(text)
        found = [(next(words), next(flags)) for _ in range(number)]
        assert found == list(zip(expected.tokens, expected.flags, strict=True))
        assert tuple(word for word, _ in found) == rules.segmented_words(text)
    assert next(words, None) is None and next(flags, None) is None


def test_every_character_alone_between_letters_and_next_to_them() -> None:
    split = tokenizer("en")
    points = [chr(point) for point in range(1, LIMIT + 9) if is_one_run(chr(point))]
    texts = [f"{a}{point}{b}" for point in points for a in ("", "Ab") for b in ("", "cD")]
    plain = split_plain_runs(pa.array(texts, pa.string()), tables("en"))
    words = iter(plain.words.to_pylist())
    for text, number in zip(texts, plain.numbers.tolist(), strict=True):
        if number != LEFT:
            assert [next(words) for _ in range(number)] == split(text)


@pytest.mark.parametrize("code", ["en", "hu", "tr", "ko"])
@given(st.lists(st.lists(runs, max_size=6).map(" ".join), max_size=6))
def test_many_lines_are_split_as_each_line_is(code: str, lines: list[str]) -> None:
    split = tokenizer(code)
    together = split.lines(lines)
    apart = [split.line(line) for line in lines]
    assert together.tokens.to_pylist() == [token for line in apart for token in line.tokens]
    assert together.flags.tobytes() == b"".join(line.flags for line in apart)
    assert together.lengths.tolist() == [len(line.tokens) for line in apart]


def test_runs_in_the_middle_of_an_array_are_read_from_there() -> None:
    texts = pa.array(["first,", "«Élan»", "1990", "it's", "LAST!"], pa.string())
    plain = split_plain_runs(texts.slice(1), tables("fr"))
    assert plain.numbers.tolist() == [1, 0, LEFT, 1]
    assert plain.words.to_pylist() == ["élan", "last"]
    assert np.count_nonzero(plain.flags) == 2


spaces = [chr(point) for point in range(sys.maxunicode + 1) if chr(point).isspace()]
run_letters = st.sampled_from("aé中한😀\u200b\u3001\u00ad") | st.sampled_from(spaces)
lines_of_text = st.lists(
    st.text(run_letters | st.characters(exclude_categories=["Cs"]), max_size=20)
)


@given(lines_of_text, st.integers(0, 3))
def test_runs_are_those_of_python(lines: list[str], skipped: int) -> None:
    runs = split_runs(pa.array(lines, pa.string())[skipped:])
    texts, bounds = runs.texts.to_pylist(), runs.bounds.tolist()
    found = [texts[start:end] for start, end in pairwise(bounds)]
    assert found == [line.split() for line in lines[skipped:]]


def test_the_table_has_all_spaces() -> None:
    assert [chr(point) for point in SPACES.nonzero()[0]] == spaces

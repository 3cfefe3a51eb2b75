"""Text to tokens: the compiled kernels agree with Python and with ICU, in every language."""

from __future__ import annotations

import sys
from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.languages import language
from pipeline.languages.tokenizer import (
    ALL_CAPITALS,
    CAPITAL,
    ENDS,
    LEFT,
    LIMIT,
    OPENS,
    SPACES,
    Tables,
    split_plain_runs,
    split_runs,
    tokenizer,
)
from tests.support.tokenized import tokenize_line

LANGUAGES = [
    "en", "hu", "fr", "tr", "ga", "lt", "uz", "el", "ru", "he", "ar", "fa", "hi", "th", "ko", "zh",
    "qq",
]  # fmt: skip

common = st.sampled_from(
    "aAbZiIéÉőŰñßçİıΣσςάώжЖёЁաԱაאبपक한中ǅŉﬁªµ09١.,:;!?'’\"“”„…«»()[]-–—_·&@•।؟"
)
alphabets = [
    "가나다힣abc,.'-", "ابجدهوز\u0640\u064e،؟.'", "كتابيی\u200c،.", "कखगहक़ािी्ंऽ\u0951\u0952।,.",
    "აბგჰ,.'", "ԱբգՖֆ՛՞,.", "abogOGʻ',.`‘’", "tnhAEÁaeá-.'",
]  # fmt: skip
runs = st.one_of(
    st.text(
        common
        | st.characters(
            max_codepoint=LIMIT + 99, exclude_categories=["Zs", "Zl", "Zp", "Cc", "Cs"]
        ),
        min_size=1,
        max_size=8,
    ),
    *(st.text(alphabet, min_size=1, max_size=8) for alphabet in alphabets),
)


def check_lines(code: str, lines: list[str]) -> None:
    """Split lines by the kernels, and each on its own by ICU."""
    together = tokenizer(code).lines(lines)
    apart = [tokenize_line(code, line) for line in lines]
    assert together.tokens.to_pylist() == [token for line in apart for token in line.tokens]
    assert together.flags.tobytes() == b"".join(line.flags for line in apart)
    assert together.lengths.tolist() == [len(line.tokens) for line in apart]


@pytest.mark.parametrize("code", LANGUAGES)
@given(st.lists(st.lists(runs, max_size=6).map(" ".join), max_size=6))
def test_the_kernels_find_the_words_and_flags_that_icu_finds(code: str, lines: list[str]) -> None:
    check_lines(code, lines)


def test_every_character_alone_between_letters_and_next_to_them() -> None:
    signs = [chr(point) for point in range(1, 0x3100) if chr(point).split() == [chr(point)]]
    check_lines("en", [f"{a}{sign}{b}" for sign in signs for a in ("", "Ab") for b in ("", "cD")])


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("en", "The (dog’s) «cat»!"),
        ("tr", "Kedi gördü"),
        ("ko", "학교에서 친구를,"),
        ("hi", "हिन्दी में"),
    ],
)
def test_common_words_are_not_left_to_icu(code: str, words: str) -> None:
    plain = split_plain_runs(pa.array(words.split()), Tables.of(language(code)))
    assert (plain.numbers == LEFT).sum() == words.count("’")


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


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("en", "The cat saw Paris.", [CAPITAL, 0, 0, CAPITAL | ENDS]),
        ("en", '"Yes," NASA said', [CAPITAL | OPENS, CAPITAL | ALL_CAPITALS, 0]),
        ("en", "(an iPhone!) 42 % well-known", [OPENS, CAPITAL | ENDS, 0, 0]),
        ("en", "I am", [CAPITAL, 0]),
        ("hu", "Kutyát látok: EU-ban", [CAPITAL, ENDS, 3]),
        ("ka", "თბილისი დიდია", [0, 0]),
    ],
)
def test_tokens_keep_flags_of_capitals_and_sentences(
    code: str, text: str, expected: list[int]
) -> None:
    marked = tokenize_line(code, text)
    assert list(marked.flags) == expected
    assert len(marked.tokens) == len(expected)


@given(st.text(alphabet="aBc É.,\"'-(\n", max_size=60))
def test_every_token_has_one_byte_of_flags(text: str) -> None:
    marked = tokenize_line("en", text)
    assert marked.tokens == language("en").words(text)
    assert len(marked.flags) == len(marked.tokens)

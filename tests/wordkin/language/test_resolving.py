"""What holds for every string, with subwords and without."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import wordkin
from pipeline.measures.subwords import learn_subwords
from tests.support.bundles import make_bundle, make_measures, relatedness
from tests.support.examples import at_most
from tests.support.lexicons import make_resolver, make_vocabulary
from wordkin.bundle_folder import write_bundle
from wordkin.errors import InputError, UnknownWord
from wordkin.language.resolving import Resolver
from wordkin.language.subwords import Quantized, Subwords, open_subwords, quantize, write_subwords

WORDS = "garden gardens winter pocket silver marble hunter branch castle kávé ház über şehir"
LANGUAGES = ["en", "hu", "de", "fi", "tr", "xx"]


def random_subwords(seed: int = 0) -> Subwords:
    vocabulary = make_vocabulary(WORDS)
    vectors = np.random.default_rng(seed).normal(size=(len(vocabulary), 8)).astype(np.float32)
    return learn_subwords(vocabulary, vectors)


SUBWORDS = random_subwords()
RESOLVERS = {code: make_resolver(WORDS, code, subwords=SUBWORDS) for code in LANGUAGES}

strings = st.text(st.characters(codec="utf-8"), max_size=30) | st.from_regex(
    r"[a-zéőü]{1,12}([- '][a-zéőü]{1,8}){0,2}", fullmatch=True
)


@settings(deadline=None, max_examples=at_most(200))
@given(word=strings, language=st.sampled_from(LANGUAGES))
@example(word="00 a", language="en")
def test_every_string_with_a_letter_is_resolved(word: str, language: str) -> None:
    resolver = RESOLVERS[language]
    try:
        resolution = resolver.resolve(word)
    except UnknownWord as error:
        assert "has no letters" in str(error)
        return
    weights = [entry.weight for entry in resolution.words]
    assert all(weight > 0 for weight in weights)
    assert sum(weights) == pytest.approx(1)
    assert weights == sorted(weights, reverse=True)
    assert {entry.word for entry in resolution.words} <= set(WORDS.split())
    assert len({entry.word for entry in resolution.words}) == len(weights)
    assert resolution == make_resolver(WORDS, language, subwords=SUBWORDS).resolve(word)
    assert resolution.line("hu")


@given(word=st.sampled_from(WORDS.split()), change=st.sampled_from([str, str.upper, str.title]))
def test_a_known_word_stands_for_itself(word: str, change: Callable[[str], str]) -> None:
    resolution = RESOLVERS["en"].resolve(change(word))
    assert resolution.known
    assert [(entry.word, entry.weight) for entry in resolution.words] == [(word, 1.0)]
    assert [step.how for step in resolution.via] == ([] if change(word) == word else ["form"])


@given(
    rows=st.lists(
        st.lists(st.floats(-100, 100, width=32), min_size=3, max_size=3), min_size=1, max_size=5
    )
)
def test_eight_bits_keep_a_value_to_half_a_step_of_its_row(rows: list[list[float]]) -> None:
    vectors = np.array(rows, dtype=np.float32)
    steps = np.abs(vectors).max(axis=1) / 127
    errors = np.abs(quantize(vectors).values() - vectors).max(axis=1)
    assert (errors <= 0.51 * steps + 1e-30).all()


def test_subwords_are_read_as_they_were_written(tmp_path: Path) -> None:
    write_subwords(tmp_path / "subwords", SUBWORDS)
    opened = open_subwords(tmp_path / "subwords", 13)
    assert opened is not None
    np.testing.assert_array_equal(opened.vector("castles"), SUBWORDS.vector("castles"))
    assert open_subwords(tmp_path / "nothing", 13) is None
    with pytest.raises(InputError, match="more words than the vocabulary"):
        open_subwords(tmp_path / "subwords", 12)
    narrow = Quantized(SUBWORDS.words.codes[:, :3], SUBWORDS.words.scales)
    write_subwords(tmp_path / "subwords", Subwords(SUBWORDS.grams, narrow, SUBWORDS.mean))
    with pytest.raises(InputError, match="has a wrong size: make or copy it again"):
        open_subwords(tmp_path / "subwords", 13)


def test_subwords_are_the_last_resort() -> None:
    resolver: Resolver = RESOLVERS["en"]
    assert [step.how for step in resolver.resolve("castles").via] == ["lemma"]
    resolution = resolver.resolve("zzyzx")
    assert [step.how for step in resolution.via] == ["subwords"]
    assert resolution.line().startswith("zzyzx: spelt like words that are close to ")


def test_a_bundle_with_subwords_plays_with_any_card(tmp_path: Path) -> None:
    source = wordkin.load(make_bundle(tmp_path))
    words, values = relatedness({"x": " ".join(source.vocabulary.words)})
    vectors = source.measures["svd"].unit_vectors()
    assert vectors is not None
    write_bundle(
        tmp_path / "open",
        language="en",
        vocabulary=tmp_path / "vocabulary.tsv",
        measures=make_measures(tmp_path / "measures", values),
        default="graph",
        subwords=learn_subwords(source.vocabulary, vectors),
    )
    bundle = wordkin.load(tmp_path / "open")
    assert len(words) == len(bundle.vocabulary)
    board = wordkin.Board.of(["zzyzx", "Őrült"], ["qwerty", "bison"])
    clue = wordkin.Spymaster(bundle).clue(board)
    assert clue.word in bundle.vocabulary
    assert not [note for note in clue.notes if note.kind == "unknown"]
    assert {item.word for item in clue.resolved} == {"zzyzx", "Őrült", "qwerty"}
    guessed = wordkin.Guesser(bundle).guess("Xyzzy", 2, board.words)
    assert len(guessed) == 2

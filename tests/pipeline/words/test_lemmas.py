"""Lemmas by a table of types: the same results as lemmatizing the text token by token."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from pipeline.count import counts
from pipeline.count.codes import Coder, Counts
from pipeline.engine import InProcessEngine
from pipeline.judge.growth import SliceTask, WantedPairs, count_shards
from pipeline.languages import language
from pipeline.layout import Layout
from pipeline.measures.training_text import read_text
from pipeline.settings import LanguageVocabulary
from pipeline.words import token_shards, vocabulary
from pipeline.words.lemmas import LemmaTable
from pipeline.words.type_counts import write_types
from pipeline.words.vocabulary import VocabularySettings
from tests.support.corpora import Documents, files, write_source
from wordkin.vocabulary import Vocabulary

TEXT = """ház háza házak házban házunk kutya kutyák kutyát kutyánk kutyával alma almák almát almánk
látok látott láttak látja és a az nem fa fák fát fának belé törvényszék törvényszékek vitesyben
lovak lovat lova"""
FORMS = TEXT.split()
SETTINGS = Counts(window=3, weighting="linear")


def random_text(seed: int) -> dict[str, Documents]:
    """Two sources of documents of random Hungarian forms."""
    random = np.random.default_rng(seed)

    def line() -> list[str]:
        return random.choice(FORMS, random.integers(1, 9)).tolist()

    return {
        source: [[line() for _ in range(random.integers(1, 5))] for _ in range(40)]
        for source in ("novels", "web")
    }


def lemmatized(documents: Documents) -> Documents:
    """Each token on its own, which is what the table has to agree with.

    The word of a board stays, and so does a form whose lemma would be no word.
    """
    lemma = language("hu").lemma
    unchanged = {"kutyát", "vitesyben"}
    return [
        [[word if word in unchanged else lemma(word) for word in line] for line in document]
        for document in documents
    ]


def build(root: Path, text: dict[str, Documents], lemmatize: bool) -> Layout:
    """The tokens, vocabulary and counts of a text."""
    layout = Layout(root, "hu")
    for source, documents in text.items():
        write_source(layout, source, documents, shards=2)
    engine = InProcessEngine(cores=2)
    write_types(engine, token_shards.shard_files(layout.tokens), layout.types)
    layout.boards.write_text("kutyát\nzebra\n")
    wanted, chosen = LanguageVocabulary(size=6), VocabularySettings(minimum_count=1)
    vocabulary.make_vocabulary(layout, chosen, wanted, lemmatize, engine)
    counts.make_counts(layout, SETTINGS, 64, engine)
    return layout


@pytest.fixture(params=range(3))
def both(tmp_path: Path, request: pytest.FixtureRequest) -> tuple[Layout, Layout]:
    """A text that is counted by lemma, and the same text lemmatized before it is counted."""
    text = random_text(request.param)
    by_table = build(tmp_path / "table", text, lemmatize=True)
    lemmas = {source: lemmatized(documents) for source, documents in text.items()}
    return by_table, build(tmp_path / "tokens", lemmas, lemmatize=False)


def test_everything_that_reads_tokens_sees_the_lemmas(
    both: tuple[Layout, Layout], tmp_path: Path
) -> None:
    words = [Vocabulary.read(layout.vocabulary / "vocabulary.tsv") for layout in both]
    assert words[0].words == words[1].words
    assert words[0].counts.tolist() == words[1].counts.tolist()
    assert words[0].documents.tolist() == words[1].documents.tolist()
    assert files(both[0].counts) == files(both[1].counts)
    texts = [read_text(layout, tmp_path / f"{at}.bin") for at, layout in enumerate(both)]
    assert texts[0].types == texts[1].types
    assert texts[0].tokens.tolist() == texts[1].tokens.tolist()
    assert texts[0].bounds.tolist() == texts[1].bounds.tolist()
    wanted = WantedPairs.of(np.array([[0, 1], [2, 5]]), len(words[0]))
    sliced = [
        count_shards(
            SliceTask(
                Coder(layout.vocabulary, SETTINGS), wanted, token_shards.shard_files(layout.tokens)
            )
        )
        for layout in both
    ]
    for by_table, by_token in zip(*sliced, strict=True):
        assert by_table.tolist() == by_token.tolist()


def test_the_tokens_have_the_forms_of_the_text_whatever_the_settings(
    both: tuple[Layout, Layout],
) -> None:
    types = {
        word
        for shard in token_shards.shard_files(both[0].tokens)
        for batch in token_shards.batches(shard)
        for word in batch.types.to_pylist()
    }
    assert types == set(FORMS)
    table = LemmaTable.of_vocabulary(both[0].vocabulary)
    assert table is not None
    assert table.forms.to_pylist() == sorted(FORMS)
    assert table.lemma("kutyákat") == "kutyákat" and table.lemma("kutyák") == "kutya"
    assert LemmaTable.of_vocabulary(both[1].vocabulary) is None


def test_only_the_sources_whose_own_lemmas_changed_are_counted_again(tmp_path: Path) -> None:
    text = {"novels": [[["ház", "kutyák", "fa"]]], "web": [[["ház", "almák", "fa", "kutya"]]]}
    layout = build(tmp_path, text, lemmatize=True)
    table = LemmaTable.of_vocabulary(layout.vocabulary)
    assert table is not None
    new = ["kutya" if form == "almák" else table.lemma(form) for form in table.forms.to_pylist()]
    LemmaTable(table.forms, pa.array(new)).write(layout.vocabulary)
    metrics = counts.make_counts(layout, SETTINGS, 64, InProcessEngine())
    assert metrics["run"]["counted"] == {"novels": "before", "web": "vocabulary"}

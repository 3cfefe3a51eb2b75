"""The stage counts: every option, and the same bytes however the work is divided."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from pipeline.count import counts
from pipeline.count.codes import Counts
from pipeline.count.counts import describe
from pipeline.engine import Engine, InProcessEngine
from pipeline.layout import Layout
from tests.support import oracle
from tests.support.corpora import (
    STOP_WORDS,
    WORDS,
    Documents,
    files,
    random_documents,
    write_source,
    write_vocabulary,
)
from wordkin.errors import InputError


def make_corpus(root: Path, documents: Documents, words: list[str], shards: int) -> Layout:
    """A project with the tokens of one source, in this number of shards, and a vocabulary."""
    layout = Layout(root, "xx")
    write_source(layout, "source", documents, shards)
    write_vocabulary(layout, words)
    return layout


def read(layout: Layout, words: list[str]) -> Counter[tuple[str, str]]:
    """The counts, read with numpy alone as another program would."""
    indptr, indices, values = (
        np.load(layout.counts / f"{name}.npy") for name in ("indptr", "indices", "values")
    )
    counted: Counter[tuple[str, str]] = Counter()
    for first, word in enumerate(words):
        for at in range(indptr[first], indptr[first + 1]):
            partner = words[indices[at]]
            counted[word, partner] = counted[partner, word] = int(values[at])
    return counted


@pytest.mark.parametrize("stop_words", ["drop", "keep"])
@pytest.mark.parametrize("boundary", ["document", "line"])
@pytest.mark.parametrize(
    ("window", "weighting", "scale"),
    [(1, "harmonic", 1), (4, "harmonic", 12), (50, "uniform", 1), (5, "linear", 5)],
)
def test_every_option_does_what_it_says(
    tmp_path: Path, window: int, weighting: str, scale: int, boundary: str, stop_words: str
) -> None:
    documents = random_documents(1)
    layout = make_corpus(tmp_path, documents, WORDS, 3)
    settings = Counts(window, weighting, boundary, stop_words)  # type: ignore[arg-type]
    metrics = counts.make_counts(layout, settings, 64, InProcessEngine(2))
    whole = [[word for line in document for word in line] for document in documents]
    lines = [line for document in documents for line in document]
    expected = oracle.window_counts(
        whole if boundary == "document" else lines,
        WORDS,
        window,
        weighting,
        STOP_WORDS,
        drop_stop_words=stop_words == "drop",
    )
    assert read(layout, WORDS) == expected
    assert metrics["tokens"] == sum(map(len, whole))
    assert metrics["total_weight"] == sum(expected.values()) / scale


@pytest.fixture(params=["in process", pytest.param("Spark", marks=pytest.mark.slow)])
def engine(request: pytest.FixtureRequest) -> Engine:
    return InProcessEngine(2) if request.param == "in process" else request.getfixturevalue("spark")


def test_the_bytes_do_not_depend_on_the_shards(tmp_path: Path) -> None:
    documents = random_documents(2)
    made = {}
    for shards in (1, 2, 37):
        order = documents if shards == 1 else documents[::-1]
        layout = make_corpus(tmp_path / str(shards), order, WORDS, shards)
        counts.make_counts(layout, Counts(), 64, InProcessEngine(2))
        made[shards] = files(layout.counts)
    assert made[1] == made[2] == made[37]
    assert set(made[1]) == {"indptr.npy", "indices.npy", "values.npy", "counts.json"}


@pytest.mark.slow
def test_the_bytes_do_not_depend_on_the_engine(tmp_path: Path, spark: Engine) -> None:
    made = []
    for number, engine in enumerate([InProcessEngine(1), InProcessEngine(5), spark]):
        layout = make_corpus(tmp_path / str(number), random_documents(3), WORDS, 5)
        write_source(layout, "other", random_documents(4), 2)
        counts.make_counts(layout, Counts(), 64, engine)
        made.append((files(layout.counts), files(layout.count_cache)))
    assert made[0] == made[1] == made[2]


def test_a_corpus_without_pairs_gives_an_empty_matrix(tmp_path: Path, engine: Engine) -> None:
    layout = make_corpus(tmp_path, [[["x", "y"]], [["a"]], [["z", "z"]]], ["a", "b"], 1)
    metrics = counts.make_counts(layout, Counts(), 64, engine)
    assert metrics["pairs"] == 0
    assert read(layout, ["a", "b"]) == Counter()


def test_no_tokens_are_refused(tmp_path: Path) -> None:
    layout = Layout(tmp_path, "xx")
    write_vocabulary(layout, WORDS)
    layout.tokens.mkdir(parents=True)
    with pytest.raises(InputError, match="run the stage tokens first"):
        counts.make_counts(layout, Counts(), 64, InProcessEngine())


def test_the_summary_says_what_went_in_came_out_and_was_left_out(tmp_path: Path) -> None:
    # The vocabulary of these tests says that each word occurs once.
    layout = make_corpus(tmp_path, [[["a", "x", "b", "z"]]], ["a", "b"], 1)
    metrics = counts.make_counts(layout, Counts(), 64, InProcessEngine())
    assert describe(metrics).startswith(
        "4 tokens in, 1 word pairs out (100.00% of all), 2 tokens not counted (stop words, or "
        "outside the vocabulary)"
    )

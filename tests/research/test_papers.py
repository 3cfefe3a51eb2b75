"""The page of the papers' tables, made from a small build."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from pipeline.layout import Layout
from research import papers
from research.papers import Build, open_build, page, per_board, verdict
from tests.support.bundles import TOPICS, relatedness
from tests.support.matrices import sparse
from wordkin.measures.files import write_matrix
from wordkin.vocabulary import Vocabulary

WORDS, VALUES = relatedness(TOPICS)


def vectors_of(noise: float, seed: int) -> np.ndarray:
    """Vectors whose cosines are about the relatedness of the topics."""
    values, vectors = np.linalg.eigh(VALUES + np.eye(len(WORDS)))
    rows = vectors * np.sqrt(np.maximum(values, 0))
    rows = rows + noise * np.random.default_rng(seed).standard_normal(rows.shape)
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    layout = Layout(tmp_path, "en")
    for folder in (layout.vocabulary, layout.gold, layout.rounds, layout.corpora):
        folder.mkdir(parents=True)
    counts = range(10 * len(WORDS), 0, -10)
    Vocabulary(WORDS, counts, counts).write(layout.vocabulary / "vocabulary.tsv")
    write_matrix(layout.matrices / "npmi", "npmi", sparse(VALUES).arrays)
    write_matrix(layout.matrices / "svd", "svd", vectors=vectors_of(0.02, 0))
    for seed, name in enumerate(("skipgram", "glove", "concat", "dict2vec"), start=1):
        vectors = vectors_of(0.02 * seed, seed)
        write_matrix(layout.matrices / "extras" / name, name, vectors=vectors)
    rows = [(a, b, VALUES[a, b]) for a in range(9) for b in range(a)]
    text = "".join(f"{WORDS[a]}\t{WORDS[b]}\t{10 * score:.2f}\n" for a, b, score in rows)
    (layout.gold / "MEN.tsv").write_text(text)
    items = {
        "lang": "en", "board": "1", "words": WORDS[:6], "blue": WORDS[:3], "clue": WORDS[6],
        "n": 2,
        "rounds": [
            {"session": "a", "picks": WORDS[:2]}, {"session": "b", "picks": WORDS[1:3]},
        ],
    }  # fmt: skip
    (layout.rounds / "rounds.jsonl").write_text(json.dumps(items) + "\n")
    layout.metrics("tokens").write_text('{"documents": 100, "tokens": 12345}')
    monkeypatch.setattr(papers, "board_words", lambda language: WORDS)
    return open_build(layout, 2, tmp_path / "temporary")


@pytest.mark.slow
def test_the_page_has_a_table_per_paper_and_says_what_holds(build: Build) -> None:
    text = page(build, {"tokens": 12345})
    assert text.count("\n## ") == 5
    assert "12,345 tokens" in text
    assert "| npmi | 0.749 → " in text
    assert "| GloVe | glove | 0.59 → 0.63 |" in text
    assert "| BERT | – | 0.44 → 0.61 | – |" in text  # this build has no encoder
    assert "*Does DETECT help?* Theirs: always. Ours: in " in text
    assert "*Does concatenation help?*" in text
    assert "Do different vectors win more than half of their games? " in text
    assert "other people" in text
    assert "The build has no WordNet measure" in text
    assert "nan" not in text
    assert page(build, {"tokens": 12345}) == text


def test_a_verdict_says_whether_the_interval_leaves_out_zero() -> None:
    assert verdict(np.array([0.5, 0.4, 0.6, 0.5])) == "It holds here: +0.50 ± 0.08."
    assert verdict(np.array([-0.5, -0.4, -0.6, -0.5])).startswith("The opposite holds here: -0.50")
    assert verdict(np.array([1.0, -1.0, 0.5])).startswith("Our boards cannot tell: +0.17")
    assert verdict(np.array([1.0])) == "Our boards cannot tell."
    assert verdict(np.zeros(3)).startswith("It does not hold here: both do equally well")
    nan = np.nan
    assert per_board([np.array([1, nan, nan]), np.array([0, 0.5, nan])]).tolist() == [0.5, 0.5]

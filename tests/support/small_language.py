"""A small made-up language: measures and gold sets, as the stages before `report` leave them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.fetch.fetcher import Fetcher
from pipeline.fetch.gold import fetch_gold
from pipeline.judge.report import Report
from pipeline.layout import Layout
from tests.support.matrices import sparse
from tests.support.root import ROOT
from wordkin.measures.files import write_matrix
from wordkin.vocabulary import Vocabulary

MEASURES = ["npmi", "squared", "fasttext"]
REPORT = Report(resamples=100, games=2)

GOLD = """sets:
  - {name: main, language: LANG, kind: relatedness, location: eval/main.tsv, scale: [0, 10],
     licence: CC0, citation: made up}
  - {name: borrowed, language: LANG, kind: similarity, location: eval/borrowed.tsv, status: silver}
  - {name: gone, language: LANG, kind: relatedness, mirror: gold/gone.tsv}
"""
"""The declared gold sets: one that agrees with the measures, a silver one, and one out of reach."""

NO_GOLD = GOLD.replace("LANG", "xx")
"""Gold sets of another language only."""


def syllables(count: int) -> list[str]:
    """Made-up words of letters only."""
    parts = [a + b for a in "bdgklmnprst" for b in "aeiou"]
    return [parts[i // len(parts)] + parts[i % len(parts)] for i in range(count)]


def small_language(root: Path, code: str = "en", words: int = 120, gold: str = GOLD) -> Layout:
    """Write measures of random vectors, and gold sets that more or less agree with them."""
    layout = Layout(root, code)
    names = syllables(words)
    random = np.random.default_rng(1)
    counts = (10_000 / np.arange(1, words + 1)).astype(np.int64)
    layout.vocabulary.mkdir(parents=True)
    familiarity = np.linspace(1, 0.5, words)
    vocabulary = Vocabulary(names, counts, np.minimum(counts, 50), familiarity)
    vocabulary.write(layout.vocabulary / "vocabulary.tsv")
    vectors = random.normal(size=(words, 12)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosine = vectors @ vectors.T
    _write_measures(layout, vectors, cosine)
    (root / "eval").mkdir()
    _write_ratings(root / "eval" / "main.tsv", names, cosine, random, pairs=150, noise=1.0)
    _write_ratings(root / "eval" / "borrowed.tsv", names, cosine, random, pairs=40, noise=4.0)
    layout.gold_sets.write_text(gold.replace("LANG", code), encoding="utf-8")
    published = (ROOT / "eval" / "published.yaml").read_text(encoding="utf-8")
    layout.published.write_text(published, encoding="utf-8")
    fetch_gold(layout, Fetcher(layout.root))
    return layout


def _write_measures(
    layout: Layout, vectors: NDArray[np.float32], cosine: NDArray[np.float32]
) -> None:
    near = np.where(cosine > 0.1, cosine, 0).astype(np.float32)
    np.fill_diagonal(near, 0)
    squared = near @ near
    np.fill_diagonal(squared, 0)
    write_matrix(layout.measure("npmi"), "npmi", sparse(near).arrays)
    write_matrix(layout.measure("squared"), "squared", sparse(squared).arrays)
    write_matrix(layout.measure("fasttext"), "fasttext", vectors=vectors)


def _write_ratings(
    path: Path,
    names: list[str],
    cosine: NDArray[np.float32],
    random: np.random.Generator,
    pairs: int,
    noise: float,
) -> None:
    lines = []
    for _ in range(pairs):
        a, b = random.choice(len(names), 2, replace=False)
        score = np.clip(5 + 5 * cosine[a, b] + noise * random.normal(), 0, 10)
        lines.append(f"{names[a].title()}\t{names[b]}\t{score:.2f}\n")
    lines.append(f"{names[0]}\tunheard of\t3\n{names[0]}\tunheard\t4\n{names[1]}\t{names[1]}\t9\n")
    path.write_text("".join(lines), encoding="utf-8")


def growth_of_main() -> dict[str, Any]:
    """How the correlation with the gold set `main` might grow with the corpus."""
    points = [{"spearman": s, "low": s - 0.1, "high": s + 0.1} for s in (0.4, 0.5, 0.55, 0.6)]
    return {"tokens": [400, 900, 1700, 3456], "gold": {"main": points}}


def described_language(root: Path) -> Layout:
    """The small language with the figures that earlier stages leave for the report."""
    layout = small_language(root)
    tokens = {
        "documents": 12,
        "tokens": 3456,
        "sources": {
            "novels": {
                "bytes": 2_000_000,
                "documents": 12,
                "tokens": 3456,
                "dropped": {"copies": 3},
                "lost_bytes": {"bad.txt": 17},
                "replaced_characters": 5,
            }
        },
    }
    write_json(layout.metrics("vocabulary"), {"gold_sets": ["main"], "familiarity": 0.85})
    write_json(layout.metrics("tokens"), tokens)
    write_json(layout.sources, {"sources": [{"name": "novels", "licence": "CC <BY> & more"}]})
    return layout


def write_json(path: Path, content: object) -> None:
    """Write a file that a stage would have written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")

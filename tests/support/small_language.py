"""A small made-up language: measures and gold sets, as the stages before `report` leave them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.declarations import RecordedRounds
from pipeline.fetch.fetch import fetch_rounds
from pipeline.fetch.fetcher import Fetcher
from pipeline.fetch.gold import fetch_gold
from pipeline.judge import agents, human
from pipeline.judge.agents import Play
from pipeline.judge.report import Report
from pipeline.layout import Layout
from pipeline.measures.opening import open_measures
from pipeline.settings import Human
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


HUMAN = Human(rounds={"en": RecordedRounds(mirror="human/en.jsonl")}, resamples=100)


def write_rounds(path: Path, layout: Layout, items: int = 150) -> None:
    """Write rounds of players who mostly go by fasttext."""
    (measure,) = open_measures(layout, ["fasttext"])
    words, random = measure.vocabulary.words, np.random.default_rng(1)
    lines = []
    for at in range(items):
        clue = at % len(words)
        cards = [i for i in random.permutation(len(words)).tolist() if i != clue][:10]
        liked = 4 * measure.pairs([clue] * 10, cards) + random.gumbel(size=10)
        picks = [words[cards[i]] for i in np.argsort(-liked)[:2]]
        lines.append(
            {
                "lang": layout.language, "board": at // 5, "words": [words[i] for i in cards],
                "blue": [words[i] for i in cards[:5]], "clue": words[clue], "n": 2,
                "rounds": [{"session": f"s{at % 15}", "picks": picks}],
            }
        )  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def write_board_words(layout: Layout, words: list[str]) -> None:
    """Give a language board words, as the fetch stage does."""
    layout.boards.parent.mkdir(parents=True, exist_ok=True)
    layout.boards.write_text("".join(f"{word}\n" for word in words), encoding="utf-8")


def play(layout: Layout) -> Play:
    """Take a language through the stage human, and let its agents play."""
    mirror = layout.root / "mirror"
    write_rounds(mirror / "human" / "en.jsonl", layout)
    fetch_rounds(layout, HUMAN, Fetcher(layout.root, mirror))
    write_json(layout.metrics("human"), human.make_human(layout, HUMAN, MEASURES))
    vocabulary = open_measures(layout, ["npmi"])[0].vocabulary
    write_board_words(layout, [*vocabulary.words[:60], "unheard"])
    return agents.play(layout, layout.available(MEASURES), "npmi", games=2, seed=0)

"""What cutting a matrix costs: how stored measures agree with people, and how full matrices do.

    python -m bench.cutting [--lang en] [--gold MEN WS-353-rel WS-353]

The full values of the rated pairs are computed again from npmi: squared as the sum over all middle
words, graph by a search from each first word. Correlations are Spearman's, over the pairs whose
words are in the vocabulary.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.stats import spearmanr

from pipeline.layout import Layout
from pipeline.measures.shortest_paths import UNIT, edges_of, from_words
from pipeline.measures.sparse import Sparse, read_sparse
from wordkin.judging.pairs import Pair, PlacedPairs, place, read_pairs
from wordkin.measures.store import describe, open_measure
from wordkin.vocabulary import Vocabulary

Scores = NDArray[np.float64]


class Correlations(NamedTuple):
    """The correlation with people of a full matrix, and of what is stored of it."""

    full: float
    stored: float


def main() -> None:
    """Print one line per measure and gold set."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--lang", default="en")
    parser.add_argument("--gold", nargs="+", default=["MEN", "WS-353-rel", "WS-353"])
    arguments = parser.parse_args()
    layout = Layout(Path(), arguments.lang)
    print(f"{'measure':10}{'top':>6}{'MB':>7}  {'gold set':12}{'full':>7}{'stored':>7}{'':>8}")
    for name in FULL_SCORES:
        folder = layout.measure(name)
        size = sum(file.stat().st_size for file in folder.iterdir()) / 1e6
        top = describe(folder)["top"]
        for gold_set in arguments.gold:
            full, stored = compare(layout, name, read_pairs(layout.gold / f"{gold_set}.tsv"))
            print(
                f"{name:10}{top:>6}{size:7.0f}  {gold_set:12}{full:7.3f}{stored:7.3f}"
                f"{stored - full:+8.3f}"
            )


def compare(layout: Layout, name: str, pairs: list[Pair]) -> Correlations:
    """How the full matrix of a measure and the stored one correlate with rated pairs."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    placed = place(pairs, vocabulary, language=layout.language)
    full = FULL_SCORES[name](read_sparse(layout.measure("npmi")), placed)
    stored = open_measure(layout.measure(name), vocabulary).pairs(placed.first, placed.second)
    people = placed.gold[placed.covered]
    return Correlations(*(float(spearmanr(scores, people).statistic) for scores in (full, stored)))


def full_squared(npmi: Sparse, placed: PlacedPairs) -> Scores:
    """squared of the covered pairs, without any cut."""
    matrix = csr_array((npmi.values, npmi.indices, npmi.indptr), (npmi.words,) * 2)
    return np.asarray((matrix[placed.first] * matrix[placed.second]).sum(axis=1), np.float64)


def full_graph(npmi: Sparse, placed: PlacedPairs) -> Scores:
    """graph of the covered pairs, without any cut."""
    sources, rows = np.unique(placed.first, return_inverse=True)
    distances, _ = from_words(edges_of(npmi), sources)
    return 1.0 - distances[rows, placed.second].astype(np.float64) / UNIT


FULL_SCORES = {"squared": full_squared, "graph": full_graph}


if __name__ == "__main__":
    main()

"""Sections on the matrices: how they are stored, what values they have, and the graph of npmi."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from pipeline.judge.numbers import listed
from pipeline.judge.report import pictures
from pipeline.judge.report.document import Picture, Section, Table, Text
from pipeline.judge.report_data import ReportData
from wordkin.measures.sparse import SparseMeasure

SHOWN_SETS = 3
"""The number of gold sets in the table of stores."""

CLUSTERING_SAMPLE = 100
"""The number of words whose clustering is averaged."""


def matrices(data: ReportData) -> Section:
    """The form of each measure, and the distribution of its values."""
    rows = []
    for measure in data.measures:
        values = data.random_scores[measure.name].astype(np.float64)
        low, middle, high = np.percentile(values, [5, 50, 95])
        form, stored = measure.storage
        rows.append(
            (
                measure.name,
                form,
                "" if stored is None else f"{stored:.1%}",
                f"{(values != 0).mean():.1%}",
                f"{low:.3f}",
                f"{middle:.3f}",
                f"{high:.3f}",
                f"{values.max():.3f}",
            )
        )
    header = ("measure", "form", "stored", "not 0", "5 %", "median", "95 %", "largest")
    panels = [
        pictures.histogram(measure.name, data.random_scores[measure.name], "relatedness")
        for measure in data.measures
    ]
    return Section(
        "Matrices",
        [
            Text(
                "Every measure is symmetric, and 0 between a word and itself. Stored: the share of "
                "the matrix that is stored. The other figures describe random word pairs."
            ),
            Table("wwnnnnnn", header, rows),
            Picture(
                panels,
                description="Histograms of the values of each measure",
                caption="Values of each measure on random word pairs, on a logarithmic axis.",
            ),
        ],
    )


def stores(data: ReportData) -> Section | None:
    """What the compact and light stores weigh, and what they lose."""
    if not any(data.stores.values()):
        return None
    rows, titles = [], [result.title for result in data.results][:SHOWN_SETS]
    full = data.stages.get("compact", {}).get("full_bytes", {})
    for store, measures in data.stores.items():
        for name, figures in measures.items():
            of_full = f"{full[name] / 1e6:,.1f}" if name in full else ""
            gold = [_with_gain(figures["gold"].get(title)) for title in titles]
            size = f"{figures['bytes'] / 1e6:,.1f}"
            rows.append((store, name, of_full, size, *gold, _with_gain(figures["precision"])))
    header = ("store", "measure", "full MB", "MB", *titles, "P@n")
    return Section(
        "Stores",
        [
            Text(
                "A bundle has one of three stores: full has every value as it was computed, "
                "compact has all measures in few bytes, and light has only the default measure. "
                "Correlations are Spearman's over all pairs, P@n is over all recorded rounds, and "
                "the difference from the full store is in brackets. A blend has only the "
                "bytes of its estimate, if it has one; its parts have their own."
            ),
            Table("ww" + "n" * (len(header) - 2), header, rows),
        ],
    )


def _with_gain(figure: Mapping[str, float] | None) -> str:
    return "" if figure is None else f"{figure['value']:.3f} ({figure['gain']:+.3f})"


def graph(data: ReportData) -> Section | None:
    """The graph whose edges are the positive values of npmi."""
    npmi = next((measure for measure in data.measures if measure.name == "npmi"), None)
    if not isinstance(npmi, SparseMeasure):
        return None
    size = len(data.vocabulary)
    adjacency = sparse.csr_array(
        (np.ones(len(npmi.indices), np.int8), np.asarray(npmi.indices), np.asarray(npmi.indptr)),
        shape=(size, size),
    )
    degrees = np.diff(npmi.indptr)
    count, component = connected_components(adjacency, directed=False)
    largest = int(np.bincount(component).max()) if size else 0
    rows = [
        ("words", f"{size:,}"),
        ("edges", f"{len(npmi.indices) // 2:,}"),
        ("density", f"{len(npmi.indices) / (size * (size - 1)):.2%}"),
        ("words without an edge", f"{int((degrees == 0).sum()):,}"),
        ("connected components", f"{count:,}"),
        ("words in the largest component", f"{largest:,}"),
        ("edges per word, median", f"{int(np.median(degrees)):,}"),
        ("edges per word, largest", f"{int(degrees.max()):,}"),
        ("clustering, mean of a sample", f"{clustering(adjacency):.3f}"),
    ]
    rows += [
        (key.replace("_", " "), f"{value:,}")
        for key, value in data.stages.get("graph", {}).items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    ]
    hubs = [data.vocabulary.words[at] for at in np.argsort(-degrees, kind="stable")[:10]]
    return Section(
        "The graph",
        [
            Text(
                "There is an edge between two words where npmi is positive; its length is 1 − "
                "npmi. The measure graph is 1 − the length of the shortest path. Clustering is the "
                "share of a word's neighbours that are neighbours of each other, averaged over "
                f"{CLUSTERING_SAMPLE} random words; in a random graph with as many edges it would "
                f"equal the density. Words with the most edges: {listed(hubs)}."
            ),
            Table("wn", ("", ""), rows),
        ],
    )


def clustering(adjacency: sparse.csr_array) -> float:
    """The mean local clustering coefficient of a sample of words with two or more neighbours."""
    able = np.flatnonzero(np.diff(adjacency.indptr) > 1)
    sample = np.random.default_rng(0).permutation(able)[:CLUSTERING_SAMPLE]
    shares = []
    for word in sorted(sample.tolist()):
        near = adjacency.indices[adjacency.indptr[word] : adjacency.indptr[word + 1]]
        between = adjacency[near][:, near].nnz
        shares.append(between / (len(near) * (len(near) - 1)))
    return float(np.mean(shares)) if shares else 0.0

"""The specification as slow, obvious Python; the pipeline's kernels are checked against it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

Pair = tuple[str, str]


def vocabulary(
    documents: Iterable[Sequence[str]], size: int, stop_words: Iterable[str] = ()
) -> list[str]:
    """The most frequent words that are not stop words; ties are broken by code point."""
    counts = Counter(word for document in documents for word in document)
    candidates = [word for word in counts if word not in set(stop_words)]
    return sorted(candidates, key=lambda word: (-counts[word], word))[:size]


def window_counts(
    documents: Iterable[Sequence[str]],
    words: Sequence[str],
    window: int,
    weighting: str = "linear",
    stop_words: Iterable[str] = (),
    drop_stop_words: bool = True,
) -> Counter[Pair]:
    """Scaled pair counts, each pair in both orders."""
    known, stop = set(words), set(stop_words)
    scale = {"uniform": 1, "linear": window, "harmonic": math.lcm(*range(1, window + 1))}[weighting]
    counts: Counter[Pair] = Counter()
    for document in documents:
        text = [w for w in document if w in known or not (drop_stop_words and w in stop)]
        for i, a in enumerate(text):
            for distance, b in enumerate(text[i + 1 : i + 1 + window], start=1):
                if a != b and a in known and b in known:
                    weight = {
                        "uniform": 1,
                        "linear": window + 1 - distance,
                        "harmonic": scale // distance,
                    }[weighting]
                    counts[a, b] += weight
                    counts[b, a] += weight
    return counts


def npmi(counts: Counter[Pair]) -> dict[Pair, float]:
    """The square root of positive normalised pointwise mutual information."""
    total = sum(counts.values())
    marginal: Counter[str] = Counter()
    for (a, _), count in counts.items():
        marginal[a] += count
    related = {}
    for (a, b), count in counts.items():
        pmi = math.log(count * total / (marginal[a] * marginal[b]))
        if pmi > 0 and count < total:
            related[a, b] = math.sqrt(pmi / -math.log(count / total))
    return related


def squared(related: dict[Pair, float], words: Sequence[str]) -> dict[Pair, float]:
    """The sum over all two-step paths between two different words."""
    return {
        (a, b): sum(related.get((a, c), 0.0) * related.get((c, b), 0.0) for c in words)
        for a in words
        for b in words
        if a != b
    }


def graph(related: dict[Pair, float], words: Sequence[str]) -> dict[Pair, float]:
    """One minus the weight of the shortest path (Floyd and Warshall), where there is one."""
    distances = {pair: 1 - value for pair, value in related.items() if value > 0}
    for c in words:
        for a in words:
            for b in words:
                if a != b and (a, c) in distances and (c, b) in distances:
                    through = distances[a, c] + distances[c, b]
                    distances[a, b] = min(distances.get((a, b), math.inf), through)
    return {pair: 1 - distance for pair, distance in distances.items()}

"""Which blend of measures agrees best with people: tuned on some gold sets, tested on others.

    python -m research.blends [--root .] [--lang en] [--tune MEN-dev MTurk-771/dev MTurk-287/dev]
                           [--report MEN-test MEN WS-353-rel MTurk-771/test MTurk-287/test]
                           [--of MEASURE ...]

The measures are all that `matrices/<lang>` has, or those named by `--of`, standardised as in a
blend. Two searches are made: over the measures of raw text alone, and over all of them where some
have knowledge. With `--svd`, other dimensions and exponents of the svd are shown first. Weights are
whole numbers up to `--most`.

`SET/dev` is the first, third, fifth ... pair of a gold set, without the pairs of the sets that are
reported; `SET/test` is the other half. Only the tuning sets decide, by the mean of their Spearman
correlations over covered pairs, which has a standard error. They give three blends. *The best* has
the best mean. The other two are within one standard error of it: *a simple one* has the fewest
measures, and *an even one* has all measures, with weights as even as possible, so that what these
sets happen to like counts less. The other sets only show what these blends, those of `params.yaml`
and each single measure reach: over the covered pairs and, after the slash, over all pairs, where an
uncovered pair counts as 0.

Up to four measures, all weights are tried; with more, weights are changed step by step as long as
the mean grows, from each measure alone and from even weights.

A set that is not in `eval/<lang>/gold` is fetched by the stage `fetch`, from a package or from a
mirror folder (WORDKIN_MIRROR).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata, spearmanr

from pipeline.layout import FAMILIES, SINGLE, Layout
from pipeline.measures.blend import Blend
from pipeline.measures.opening import open_built
from pipeline.measures.sparse import read_sparse
from pipeline.measures.svd import decompose, unit_rows
from pipeline.settings import load_settings
from pipeline.words.lemmas import gold_form
from wordkin.measures.matrix import MatrixMeasure, Vectors
from wordkin.measures.measure import Measure, spread
from wordkin.rated_pairs import Pair, PlacedPairs, place, read_pairs
from wordkin.vocabulary import Vocabulary

Scores = NDArray[np.float64]

TUNE = ("MEN-dev", "MTurk-771/dev", "MTurk-287/dev")
REPORT = ("MEN-test", "MEN", "WS-353-rel", "MTurk-771/test", "MTurk-287/test")
DEV, TEST = "/dev", "/test"
"""The two halves of a gold set that its authors have not divided."""
EXHAUSTIVE = 4
"""Up to so many measures, all weights are tried."""
DIMENSIONS = (100, 200, 300, 400, 500)
EXPONENTS = (0.0, 0.25, 0.5, 0.75)


class Rated(NamedTuple):
    """A gold set that decides: the scores of each measure (rows), and people's ratings."""

    scores: Scores
    ratings: Scores


def main() -> None:
    """Print the correlations of each measure, each svd and the chosen blends."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--root", type=Path, default=Path(), help="the project's folder")
    parser.add_argument("--lang", default="en", help="the language, en by default")
    parser.add_argument("--tune", nargs="+", default=TUNE, help="the gold sets that decide")
    parser.add_argument("--report", nargs="+", default=REPORT, help="the sets to show")
    parser.add_argument("--of", nargs="+", metavar="MEASURE", help="blend only these measures")
    parser.add_argument("--most", type=int, default=4, help="the highest weight")
    parser.add_argument("--svd", action="store_true", help="show other svds first (takes minutes)")
    given = parser.parse_args()
    layout = Layout(given.root, given.lang)
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    gold = read_gold(layout, given.tune, given.report, vocabulary)
    print(f"{len(vocabulary):,} words; {', '.join(given.tune)} decide\n")
    print(f"{'':26}" + "".join(f"{name:>16}" for name in gold))
    if given.svd:
        for measure in svds(layout, vocabulary):
            show(
                measure.name,
                {name: standard(measure, placed) for name, placed in gold.items()},
                gold,
            )
    present = [name for name in built_measures(layout) if layout.has_measure(name)]
    for name in given.of or ():
        if name not in present:
            parser.error(f"--of: the build has no '{name}'; it has {', '.join(present)}")
    present = [name for name in present if not given.of or name in given.of]
    measures = {name: open_built(layout, name, vocabulary) for name in present}
    scores = {
        title: {name: standard(measure, placed) for name, measure in measures.items()}
        for title, placed in gold.items()
    }
    for name in present:
        show(name, {title: by_name[name] for title, by_name in scores.items()}, gold)
    raw = [name for name in present if not measures[name].facts.get("knowledge")]
    ours = load_settings(layout.root / "params.yaml").section(Blend)
    for title, names, weights in (
        ("raw text alone", raw, ours.weights),
        ("with knowledge", present, ours.informed),
    ):
        if names and (title == "raw text alone" or len(present) > len(raw)):
            print(f"\n{title}")
            show_blends(names, weights, scores, gold, given)


def built_measures(layout: Layout) -> list[str]:
    """The measures that blends can be made of."""
    families = [
        path.name
        for family in FAMILIES
        for path in sorted((layout.matrices / family).glob("*"))
        if path.is_dir()
    ]
    return [*SINGLE, *families]


def show_blends(
    names: Sequence[str],
    settings: Mapping[str, float],
    scores: Mapping[str, Mapping[str, Scores]],
    gold: Mapping[str, PlacedPairs],
    given: argparse.Namespace,
) -> None:
    """Choose blends of some measures, and print what they and the blend of the settings reach."""
    rated = []
    for title in given.tune:
        known = gold[title].covered
        rows = np.array([scores[title][name][known] for name in names])
        rated.append(Rated(rows, gold[title].gold[known]))
    tried = try_weights(rated, given.most)
    good = good_blends(tried, rated)
    best = max(tried, key=lambda weights: tried[weights])
    blends: dict[str, tuple[float, ...]] = {
        "the best": best,
        "a simple one": simplest(tried, good),
        "an even one": most_even(tried, good),
    }
    if settings and set(settings) <= set(names):
        blends["params.yaml"] = tuple(settings.get(name, 0) for name in names)
    for title, weights in blends.items():
        parts = " + ".join(f"{w:g} {m}" for m, w in zip(names, weights, strict=True) if w)
        print(f"{title}: {parts}")
        blended = {
            of: sum(
                (w * by_name[m] for m, w in zip(names, weights, strict=True)),
                np.zeros(len(gold[of].gold)),
            )
            for of, by_name in scores.items()
        }
        show("", blended, gold)


def read_gold(
    layout: Layout, tune: Sequence[str], report: Sequence[str], vocabulary: Vocabulary
) -> dict[str, PlacedPairs]:
    """The gold sets by name, with their words looked up in the vocabulary."""
    pairs = {name: read_part(layout, name) for name in (*tune, *report)}
    held_out = {unordered(pair) for name in report for pair in pairs[name]}
    for name in tune:
        if name.endswith(DEV):
            pairs[name] = [pair for pair in pairs[name] if unordered(pair) not in held_out]
    form = gold_form(layout)
    return {name: place(rated, vocabulary, form) for name, rated in pairs.items()}


def read_part(layout: Layout, name: str) -> list[Pair]:
    """A fetched gold set, or one half of it."""
    whole = name.removesuffix(DEV).removesuffix(TEST)
    path = layout.gold / f"{whole}.tsv"
    if not path.is_file():
        raise SystemExit(f"{path} is missing: run the stage fetch, or name another set.")
    pairs = read_pairs(path)
    return pairs[::2] if name.endswith(DEV) else pairs[1::2] if name.endswith(TEST) else pairs


def unordered(pair: Pair) -> frozenset[str]:
    return frozenset((pair.first, pair.second))


def standard(measure: Measure, placed: PlacedPairs) -> Scores:
    """The relatedness of the pairs, standardised as in a blend."""
    mean, deviation = spread(measure)
    scores = np.zeros(len(placed.gold))
    scores[placed.covered] = (measure.pairs(placed.first, placed.second) - mean) / deviation
    return scores


def svds(layout: Layout, vocabulary: Vocabulary) -> Iterator[MatrixMeasure]:
    """Vectors of several dimensions and exponents, from one decomposition."""
    values, vectors = decompose(read_sparse(layout.measure("npmi")), max(DIMENSIONS), seed=0)
    for dimensions, exponent in product(DIMENSIONS, EXPONENTS):
        weighted = vectors[:, :dimensions] * values[:dimensions] ** exponent
        name = f"svd {dimensions}, exponent {exponent:g}"
        yield MatrixMeasure(name, vocabulary, vectors=Vectors(unit_rows(weighted)))


def correlations(rated: Sequence[Rated], weights: Sequence[float]) -> Scores:
    """Spearman's correlation of a blend with each gold set."""
    blended = [(rankdata(np.asarray(weights) @ s), rankdata(ratings)) for s, ratings in rated]
    return np.array([np.corrcoef(ours, theirs)[0, 1] for ours, theirs in blended])


def try_weights(rated: Sequence[Rated], most: int) -> dict[tuple[int, ...], float]:
    """The mean correlation of blends of the measures with the gold sets."""

    def mean(weights: tuple[int, ...]) -> float:
        return float(correlations(rated, weights).mean())

    count = len(rated[0].scores)
    if count <= EXHAUSTIVE:
        every = product(range(most + 1), repeat=count)
        # Doubled weights would be the same blend.
        return {weights: mean(weights) for weights in every if np.gcd.reduce(weights) == 1}
    tried: dict[tuple[int, ...], float] = {}
    starts = [tuple(map(int, row)) for row in np.eye(count, dtype=int)] + [(1,) * count]
    for start in starts:
        climb(start, most, mean, tried)
    return tried


def climb(
    start: tuple[int, ...],
    most: int,
    score: Callable[[tuple[int, ...]], float],
    tried: dict[tuple[int, ...], float],
) -> None:
    """Change one weight by one, the best change each time, until none is for the better."""
    now = start
    tried.setdefault(now, score(now))
    while True:
        steps = [
            (*now[:at], now[at] + step, *now[at + 1 :])
            for at in range(len(now))
            for step in (-1, 1)
            if 0 <= now[at] + step <= most
        ]
        for weights in steps:
            if any(weights) and weights not in tried:
                tried[weights] = score(weights)
        best = max((w for w in steps if any(w)), key=lambda weights: tried[weights])
        if tried[best] <= tried[now]:
            return
        now = best


def good_blends(
    tried: Mapping[tuple[int, ...], float], rated: Sequence[Rated]
) -> list[tuple[int, ...]]:
    """The blends within one standard error of the best one."""
    best = max(tried, key=lambda weights: tried[weights])
    pairs = np.array([len(ratings) for _, ratings in rated])
    errors = (1 - correlations(rated, best) ** 2) / np.sqrt(pairs - 1)
    bound = tried[best] - np.sqrt((errors**2).sum()) / len(rated)
    return [weights for weights, mean in tried.items() if mean >= bound]


def simplest(
    tried: Mapping[tuple[int, ...], float], good: Sequence[tuple[int, ...]]
) -> tuple[int, ...]:
    """The good blend with the fewest measures."""
    return min(good, key=lambda weights: (np.count_nonzero(weights), -tried[weights]))


def most_even(
    tried: Mapping[tuple[int, ...], float], good: Sequence[tuple[int, ...]]
) -> tuple[int, ...]:
    """The good blend whose weights differ least, in proportion to their mean."""
    return min(good, key=lambda weights: (np.std(weights) / np.mean(weights), -tried[weights]))


def show(name: str, scores: Mapping[str, Scores], gold: Mapping[str, PlacedPairs]) -> None:
    """Print one line of correlations, over the covered pairs and over all pairs."""
    cells = []
    for title, placed in gold.items():
        values, known = scores[title], placed.covered
        of_covered = spearmanr(values[known], placed.gold[known]).statistic
        of_all = spearmanr(values, placed.gold).statistic
        cells.append(f"{of_covered:.3f} /{of_all:.3f}")
    print(f"{name:26}" + "".join(f"{cell:>16}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()

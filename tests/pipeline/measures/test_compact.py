"""The compact stores: what they keep exactly, what they estimate, and how few bytes they have."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numba
import numpy as np
import pytest

from pipeline.layout import Layout
from pipeline.measures.compact import (
    CORRECTION_DEMAND,
    ESTIMATE_DEMAND,
    PAIR_DEMAND,
    CompactMaker,
    Demand,
    make_compact,
    nearest_counts,
    nearest_pairs,
)
from pipeline.settings import Bits, Compact, Estimate, Light
from tests.support.corpora import files
from tests.support.matrices import sparse
from tests.support.measures import LONELY, VOCABULARY, WORDS, make_samples, write_samples
from wordkin.errors import InputError
from wordkin.measures.blend import BlendMeasure
from wordkin.measures.compact import CompactMeasure
from wordkin.measures.dense import DenseMeasure
from wordkin.measures.explanations.meetings import Met
from wordkin.measures.explanations.middles import Between
from wordkin.measures.explanations.near import Near
from wordkin.measures.explanations.path import Path as ShortestPath
from wordkin.measures.learned import LearnedMeasure
from wordkin.measures.measure import Measure
from wordkin.measures.parts import Blended, Term
from wordkin.measures.sparse import LowRank, SparseMeasure
from wordkin.measures.store import open_measure
from wordkin.measures.vectors import VectorMeasure
from wordkin.vocabulary import Vocabulary

SAMPLES = make_samples()
NAMES = ("npmi", "squared", "graph", "svd", "blend", "human")
EIGHT = Bits(8, 8)
EVERYTHING = Compact(
    pairs=WORDS**2,
    corrections=WORDS**2,
    exceptions=WORDS**2,
    pair_bits=EIGHT,
    directions=WORDS,
    bits=EIGHT,
    vector_bits=EIGHT,
    blend=Estimate(WORDS**2, WORDS, EIGHT, EIGHT),
    light=Light(WORDS**2, WORDS, EIGHT, EIGHT),
)


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """A language with one measure of each kind."""
    layout = Layout(tmp_path, "en")
    write_samples(layout.matrices)
    VOCABULARY.write(layout.vocabulary / "vocabulary.tsv")
    return layout


def opened(store: Path, name: str) -> Measure:
    return open_measure(store / name, VOCABULARY)


def test_with_all_pairs_and_directions_nothing_is_lost(layout: Layout) -> None:
    make_compact(layout, EVERYTHING, NAMES, "blend")
    for name in NAMES:
        full = SAMPLES[name].measure.rows(range(WORDS))
        small = opened(layout.compact, name).rows(range(WORDS))
        np.testing.assert_allclose(small, full, atol=0.05 * np.abs(full).max(), err_msg=name)
    full = SAMPLES["blend"].measure.rows(range(WORDS))
    np.testing.assert_allclose(opened(layout.light, "blend").rows(range(WORDS)), full, atol=1e-5)


def test_the_default_blend_has_an_estimate_and_its_parts_explain_it(layout: Layout) -> None:
    make_compact(layout, EVERYTHING, NAMES, "blend")
    blend, light = opened(layout.compact, "blend"), opened(layout.light, "blend")
    assert isinstance(blend, BlendMeasure) and isinstance(blend.estimate, CompactMeasure)
    everyone = range(WORDS)
    np.testing.assert_array_equal(blend.rows(everyone), light.rows(everyone))
    np.testing.assert_array_equal(blend.pairs([3, 5], [7, 2]), light.pairs([3, 5], [7, 2]))
    among = [blend.among([2, 7]).rows([3, 5]), light.among([2, 7]).rows([3, 5])]
    np.testing.assert_array_equal(*among)
    explanation = blend.explain("3", "7", {name: opened(layout.compact, name) for name in NAMES})
    assert isinstance(explanation, Blended)
    assert sum(explanation.shares) == pytest.approx(explanation.relatedness, rel=0.05)
    make_compact(layout, EVERYTHING, NAMES, "npmi")
    other = opened(layout.compact, "blend")
    assert isinstance(other, BlendMeasure) and other.estimate is None


def test_the_nearest_words_of_a_full_matrix_keep_their_values(layout: Layout) -> None:
    make_compact(layout, Compact(exceptions=3 * WORDS, directions=2), ["graph"], "graph")
    full = SAMPLES["graph"].measure.rows(range(WORDS))
    small = opened(layout.compact, "graph")
    assert isinstance(small, CompactMeasure) and small.pairs_stored
    for word in range(1, WORDS):
        nearest = np.argsort(-full[word], kind="stable")[:3]
        if full[word, nearest[-1]] > 0:
            np.testing.assert_allclose(small.rows([word])[0, nearest], full[word, nearest])
    # No estimate is above a value that is stored because it is among the nearest.
    assert small.rows(range(WORDS)).max() <= full.max()


def test_words_without_relations_keep_the_value_of_unrelated_words(layout: Layout) -> None:
    make_compact(layout, Compact(exceptions=3 * WORDS, directions=2), ["graph"], "graph")
    row = opened(layout.compact, "graph").rows([LONELY])[0]
    assert (np.delete(row, LONELY) == -2.0).all()


def test_npmi_still_explains_itself_and_the_others(layout: Layout) -> None:
    make_compact(layout, EVERYTHING, NAMES, "blend")
    measures = {name: opened(layout.compact, name) for name in NAMES}
    originals = {name: open_measure(layout.measure(name), VOCABULARY) for name in NAMES}
    for name in NAMES:
        explanation = measures[name].explain("3", "7", measures)
        original = originals[name].explain("3", "7", originals)
        assert type(explanation) is type(original)
        assert explanation.relatedness == pytest.approx(original.relatedness, rel=0.05)


def test_explanations_say_what_a_compact_npmi_does_not_know(layout: Layout) -> None:
    make_compact(
        layout,
        Compact(pairs=WORDS, exceptions=WORDS, pair_bits=EIGHT, directions=4),
        ["npmi", "squared", "graph"],
        "npmi",
    )
    measures = {name: opened(layout.compact, name) for name in ("npmi", "squared", "graph")}
    exact = {name: open_measure(layout.measure(name), VOCABULARY) for name in ("npmi", "graph")}
    lines = set[str]()
    for a, b in combinations(range(1, WORDS), 2):
        met = measures["npmi"].explain(str(a), str(b), measures)
        assert isinstance(met, Met) and not met.exact
        if b in measures["npmi"].neighbours(a)[0]:
            true = exact["npmi"].explain(str(a), str(b), exact)
            assert isinstance(true, Met)
            assert met.count == pytest.approx(true.count, rel=0.05)
            assert " met about " in str(met)
        else:
            assert met.count is None
            assert "did not meet often enough for this bundle" in str(met)
        between = measures["squared"].explain(str(a), str(b), measures)
        assert isinstance(between, Between)
        stored = [set(measures["npmi"].neighbours(word)[0].tolist()) for word in (a, b)]
        assert between.number == len(stored[0] & stored[1])
        path = measures["graph"].explain(str(a), str(b), measures)
        assert isinstance(path, ShortestPath)
        lines.add("path" if path.edges else str(path).partition(" from ")[0])
    assert lines == {"path"}
    lonely = measures["graph"].explain(str(LONELY), "1", measures)
    assert str(lonely).startswith("this bundle cannot show the path from ")


@pytest.mark.parametrize("name", NAMES)
def test_a_light_measure_is_explained_by_words_close_to_both(layout: Layout, name: str) -> None:
    make_compact(layout, EVERYTHING, NAMES, name)
    light = opened(layout.light, name)
    assert isinstance(light.explain("3", "7", {name: light}), Near)


def test_the_parts_of_a_learned_measure_need_not_come_first(layout: Layout) -> None:
    make_compact(layout, EVERYTHING, ["human", *NAMES[:-1]], "human")
    assert opened(layout.compact, "human").rows([3]).shape == (1, WORDS)
    assert [folder.name for folder in layout.light.iterdir()] == ["human"]


def test_a_learned_measure_keeps_the_ranks_of_the_full_store(layout: Layout) -> None:
    make_compact(layout, Compact(pairs=1, exceptions=1, directions=2), NAMES, "blend")
    human, full = opened(layout.compact, "human"), SAMPLES["human"].measure
    assert isinstance(human, LearnedMeasure) and isinstance(full, LearnedMeasure)
    # So few different values keep themselves.
    np.testing.assert_array_equal(human.knots, full.knots)


def test_a_measure_that_was_not_made_is_named(layout: Layout) -> None:
    with pytest.raises(InputError, match=r"names the measure 'fasttext'.*run that stage first"):
        make_compact(layout, Compact(), ["npmi", "fasttext"], "npmi")
    assert not layout.compact.exists()


def random_matrix(words: int, seed: int = 0) -> np.ndarray:
    upper = np.triu(np.random.default_rng(seed).random((words, words), dtype=np.float32), 1)
    return upper + upper.T


def vocabulary_of(words: int) -> Vocabulary:
    """Ever rarer words, of which people know two in three."""
    counts = [10_000 // (rank + 1) for rank in range(words)]
    familiarities = [0.0 if rank % 3 == 1 else 0.9 for rank in range(words)]
    return Vocabulary([f"w{at}" for at in range(words)], counts, counts, familiarities)


def importance_of(errors: np.ndarray, vocabulary: Vocabulary, demand: Demand) -> np.ndarray:
    """How much each error matters, written out."""
    assert vocabulary.familiarity is not None
    words = zip(vocabulary.counts.tolist(), vocabulary.familiarity.tolist(), strict=True)
    asked = [(count + 1) ** demand.power * max(known, demand.least) for count, known in words]
    return np.abs(errors) * np.outer(asked, asked)


def test_people_ask_for_frequent_words_and_for_those_they_know() -> None:
    words, counts = ["a", "b", "c", "d"], [9999, 9999, 99, 99]
    demand = Demand(0.25, 0.5).of(Vocabulary(words, counts, counts, [1.0, 0.1, 0.8, 0.5]))
    np.testing.assert_allclose(demand, [10, 5, 0.8 * 10**0.5, 0.5 * 10**0.5], rtol=1e-6)
    without = Demand(0.25, 0.5).of(Vocabulary(words, counts, counts))
    np.testing.assert_allclose(without, [10, 10, 10**0.5, 10**0.5], rtol=1e-6)


def test_frequent_words_store_more() -> None:
    counts = nearest_counts(vocabulary_of(500), 20)
    assert counts.mean() == pytest.approx(20, rel=0.1)
    assert (np.diff(counts) <= 0).all()
    assert counts[0] > 100 > 10 > counts[-1] > 0


@pytest.mark.parametrize("kind", ["dense", "sparse", "approximated", "learned"])
def test_the_nearest_pairs_by_sorting_rows(kind: str) -> None:
    matrix, vocabulary = random_matrix(60), vocabulary_of(60)
    each = nearest_counts(vocabulary, 5)
    stored = sparse(np.where(matrix > 0.2, matrix, 0))
    arrays = (stored.indptr, stored.indices, stored.values)
    low_rank = LowRank(
        np.zeros((60, 1), np.float32), np.ones(1, np.float32), np.full(60, 0.2, np.float32), 0.0
    )
    measure: Measure = {
        "dense": lambda: DenseMeasure("m", vocabulary, matrix),
        "sparse": lambda: SparseMeasure("m", vocabulary, *arrays),
        "approximated": lambda: SparseMeasure("m", vocabulary, *arrays, 0.0, low_rank),
        "learned": lambda: _Other("m", vocabulary, matrix),
    }[kind]()
    pairs = nearest_pairs(measure, 5)
    order = np.argsort(np.where(np.eye(60), np.inf, -matrix), axis=1)[:, :-1]
    lowest = 0.2 if isinstance(measure, SparseMeasure) else 0.0
    picked = {(a, int(b)) for a in range(60) for b in order[a, : each[a]] if matrix[a, b] > lowest}
    expected = picked | {(b, a) for a, b in picked}
    rows = np.repeat(np.arange(60), np.diff(pairs.stored.indptr))
    assert set(zip(rows.tolist(), pairs.stored.indices.tolist(), strict=True)) == expected
    left_out = matrix.copy()
    left_out[rows, pairs.stored.indices] = -1
    np.fill_diagonal(left_out, -1)
    left_out[left_out <= lowest] = -1
    assert (left_out.max(axis=1) <= pairs.bounds).all()


def sparse_measure(name: str, matrix: np.ndarray, low_rank: LowRank | None = None) -> SparseMeasure:
    stored, fill = sparse(matrix), low_rank.floor if low_rank else 0.0
    arrays = (stored.indptr, stored.indices, stored.values)
    return SparseMeasure(name, vocabulary_of(len(matrix)), *arrays, fill, low_rank)


def check_answers(measure: Measure) -> np.ndarray:
    """All rows, after a look at whether all ways to ask give the same."""
    words = len(measure.vocabulary)
    rows = measure.rows(range(words))
    np.testing.assert_allclose(rows, rows.T, atol=1e-5)
    a, b = np.divmod(np.arange(words**2), words)
    np.testing.assert_allclose(measure.pairs(a, b), rows.ravel(), atol=1e-5)
    among = measure.among(np.arange(words - 1, 0, -3))
    np.testing.assert_allclose(among.rows([5, 70]), rows[[5, 70]][:, among.ids], atol=1e-5)
    ids, values = measure.neighbours(70)
    np.testing.assert_allclose(values, rows[70, ids], atol=1e-5)
    return rows


def nearest_of(values: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """The nearest level of each value, by comparing it with all."""
    return levels[np.abs(values[..., None] - levels).argmin(axis=-1)]


@pytest.mark.parametrize("mean", [3, 1000])
def test_a_matrix_that_is_0_elsewhere_keeps_its_most_important_pairs(
    tmp_path: Path, mean: int
) -> None:
    matrix = np.where(random_matrix(130, 1) > 0.8, random_matrix(130, 2), 0)
    measure = sparse_measure("npmi", matrix)
    settings = Compact(frequent_words=64, pairs=mean * 130, pair_bits=Bits(6, 3))
    CompactMaker(settings).write_compact(tmp_path, measure)
    small = open_measure(tmp_path / "npmi", measure.vocabulary, thorough=True)
    assert isinstance(small, CompactMeasure) and small.corrections
    importance = importance_of(matrix, measure.vocabulary, PAIR_DEMAND)
    most = np.sort(importance[np.triu(matrix) > 0])[::-1][: mean * 130]
    kept = (matrix > 0) & (importance >= most[-1] * (1 - 1e-6))
    levels = small.corrections.levels
    rounded = nearest_of(matrix, levels[64:])
    rounded[:64, :64] = nearest_of(matrix[:64, :64], levels[:64])
    expected = np.where(kept, rounded, 0)
    np.testing.assert_allclose(check_answers(small), expected, atol=1e-6)
    assert np.abs(expected - matrix)[:64, :64][kept[:64, :64]].mean() < 0.008
    assert np.abs(expected - matrix)[kept].mean() < 0.05
    assert small.neighbours(70)[0].tolist() == np.flatnonzero(kept[70]).tolist()
    assert not small.complete


def estimated(words: int = 130) -> tuple[np.ndarray, LowRank]:
    """A matrix of nearest pairs, and an estimate of all others with its bounds."""
    rng = np.random.default_rng(5)
    rest = rng.random((words, 3), dtype=np.float32)
    low_rank = LowRank(rest, np.ones(3, np.float32), np.full(words, 0.6, np.float32), 0.1)
    matrix = np.where(random_matrix(words, 3) > 0.8, 0.6 + random_matrix(words, 4), 0)
    return matrix.astype(np.float32), low_rank


def test_an_estimate_is_corrected_where_its_error_matters_most(tmp_path: Path) -> None:
    matrix, low_rank = estimated()
    measure = sparse_measure("squared", matrix, low_rank)
    CompactMaker(Compact(corrections=5 * 130, bits=EIGHT, pair_bits=EIGHT)).write_compact(
        tmp_path, measure
    )
    small = open_measure(tmp_path / "squared", measure.vocabulary, thorough=True)
    full, answers = measure.rows(range(130)), check_answers(small)
    estimates = np.clip(low_rank.rest @ low_rank.rest.T, 0.1, 0.6)
    np.testing.assert_allclose(answers[matrix == 0], full[matrix == 0], atol=0.02)
    errors = np.where(matrix > 0, np.abs(full - estimates), 0)
    importance = importance_of(errors, measure.vocabulary, CORRECTION_DEMAND)
    limit = np.sort(importance[np.triu(errors) > 0])[::-1][5 * 130]
    surely = importance > limit + 0.02
    assert np.abs(answers - full)[surely].max() < 0.1 < errors[surely].min()
    uncorrected = (importance < limit - 0.02) & (matrix > 0)
    np.testing.assert_allclose(answers[uncorrected], estimates[uncorrected], atol=0.02)


def test_a_matrix_that_repeats_another_names_it_and_stores_exceptions(tmp_path: Path) -> None:
    near, low_rank = estimated()
    others = np.where((random_matrix(130, 6) > 0.7) & (near == 0), 0.3 * random_matrix(130, 7), 0)
    npmi = sparse_measure("npmi", near + others)
    changed = np.where((random_matrix(130, 8) > 0.9) & (near > 0), near + 0.5, near)
    graph = sparse_measure("graph", changed, low_rank)
    maker = CompactMaker(Compact())
    for measure in (npmi, graph):
        maker.write_compact(tmp_path, measure)
    small = open_measure(tmp_path / "graph", graph.vocabulary, thorough=True)
    assert isinstance(small, CompactMeasure) and small.corrections
    assert small.facts["base"] == "npmi"
    np.testing.assert_allclose(check_answers(small), graph.rows(range(130)), atol=0.06)
    other = SparseMeasure("other", graph.vocabulary, graph.indptr, graph.indices, graph.values * 3)
    other.low_rank = low_rank
    maker.write_compact(tmp_path, other)
    assert "base" not in open_measure(tmp_path / "other", graph.vocabulary).facts


def test_an_estimate_of_a_blend_stores_the_pairs_whose_errors_matter_most(tmp_path: Path) -> None:
    matrix, low_rank = estimated()
    graph = sparse_measure("graph", matrix, low_rank)
    numbers = np.random.default_rng(9).standard_normal((130, 8)).astype(np.float32)
    vectors = numbers / np.linalg.norm(numbers, axis=1, keepdims=True)
    svd = VectorMeasure("svd", graph.vocabulary, vectors)
    blend = BlendMeasure(
        "blend",
        graph.vocabulary,
        [Term("graph", 1, 0.2, 0.5), Term("svd", 2, 0, 0.3)],
        [graph, svd],
    )
    maker = CompactMaker(Compact(directions=3, light=Light(4 * 130, 6, EIGHT, EIGHT)))
    maker.write_light(tmp_path / "blend", blend)
    small = open_measure(tmp_path / "blend", blend.vocabulary, thorough=True)
    assert isinstance(small, CompactMeasure) and small.corrections
    full, answers = blend.rows(range(130)), check_answers(small)
    estimates = CompactMeasure("blend", blend.vocabulary, small.codes).rows(range(130))
    errors = np.where(matrix > 0, full - estimates, 0)
    importance = importance_of(errors, blend.vocabulary, ESTIMATE_DEMAND)
    limit = np.sort(importance[np.triu(matrix) > 0])[::-1][4 * 130 - 1]
    stored = importance >= limit - 1e-4
    np.testing.assert_allclose(answers, np.where(stored, full, estimates), atol=0.05)
    assert small.neighbours(70)[0].tolist() == np.flatnonzero(stored[70]).tolist()


class _Other(DenseMeasure):
    """A measure that is neither a stored matrix nor vectors, as the code sees it."""

    __class__ = Measure  # type: ignore[assignment]


@pytest.fixture
def threads() -> Iterator[None]:
    before = numba.get_num_threads()
    yield
    numba.set_num_threads(before)


def test_the_bytes_do_not_depend_on_the_number_of_threads(tmp_path: Path, threads: None) -> None:
    vocabulary = vocabulary_of(700)
    measure = DenseMeasure("graph", vocabulary, random_matrix(700))
    settings = Compact(exceptions=7000, directions=16, light=Light(3500, 12))
    written = []
    for number in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
        numba.set_num_threads(number)
        maker = CompactMaker(settings)
        maker.write_compact(tmp_path / str(number), measure)
        maker.write_light(tmp_path / str(number) / "light", measure)
        written.append(files(tmp_path / str(number)))
    assert written[0] == written[-1]

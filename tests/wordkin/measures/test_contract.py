"""The contract of a measure, checked for every registered kind."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.matrices import stored_pairs
from tests.support.measures import (
    LONELY,
    SCALE,
    VOCABULARY,
    WORDS,
    copy_sample,
    counts,
    make_samples,
    write_samples,
)
from tests.support.mutations import mutate
from tests.support.root import ROOT
from wordkin.errors import InputError, NoExplanation, UnknownWord
from wordkin.extras.language_graph import Relations
from wordkin.extras.taxonomy import Hierarchy
from wordkin.extras.word_net import Named
from wordkin.measures.blend import named
from wordkin.measures.cached import KEPT, CachedAmong, CachedMeasure
from wordkin.measures.explanations import EXPLAINERS
from wordkin.measures.explanations.explanation import Explanation
from wordkin.measures.explanations.meetings import Met
from wordkin.measures.explanations.middles import Between
from wordkin.measures.explanations.near import Near
from wordkin.measures.explanations.path import Path as ShortestPath
from wordkin.measures.files import describe
from wordkin.measures.learned import Learned
from wordkin.measures.matrix import MatrixMeasure
from wordkin.measures.measure import Among, Measure
from wordkin.measures.parts import Blended
from wordkin.measures.store import KINDS, open_measure

SAMPLES = make_samples()
ALL_PAIRS = np.divmod(np.arange(WORDS**2), WORDS)
every_sample = pytest.mark.parametrize("name", SAMPLES)
Copy = Callable[[str], Path]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all samples, which nobody may change."""
    root = tmp_path_factory.mktemp("measures")
    write_samples(root)
    return root


@pytest.fixture(scope="module")
def written_again(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all samples, made and written a second time."""
    root = tmp_path_factory.mktemp("again")
    write_samples(root)
    return root


@pytest.fixture(scope="module")
def opened(written: Path) -> Mapping[str, Measure]:
    """All samples, written and opened again."""
    return {name: open_measure(written / name, VOCABULARY) for name in SAMPLES}


@pytest.fixture
def copied(written: Path, tmp_path: Path) -> Copy:
    """Copies a sample and its parts, for a test to change; returns the folder of the copy."""
    return lambda name: copy_sample(written, tmp_path, name)


def test_every_registered_kind_has_a_sample() -> None:
    extras = {path.stem for path in (ROOT / "wordkin" / "extras").glob("[a-z]*.py")}
    assert {sample.kind for sample in SAMPLES.values()} == set(KINDS) | extras


def test_every_registered_explanation_has_a_sample() -> None:
    assert set(EXPLAINERS) <= set(SAMPLES)


@every_sample
def test_rows_are_symmetric_with_0_at_a_word_s_own_place(name: str) -> None:
    rows = SAMPLES[name].measure.rows(range(WORDS))
    assert rows.dtype == np.float32
    assert rows.shape == (WORDS, WORDS)
    assert np.isfinite(rows).all()
    np.testing.assert_allclose(rows, rows.T, atol=1e-6)
    assert (rows.diagonal() == 0).all()


@every_sample
def test_rows_equal_pairs(name: str) -> None:
    measure = SAMPLES[name].measure
    rows = measure.rows(range(WORDS))
    pairs = measure.pairs(*ALL_PAIRS)
    assert pairs.dtype == np.float32
    np.testing.assert_allclose(pairs, rows.ravel(), atol=1e-6)
    assert measure.relatedness("3", "7") == pytest.approx(rows[3, 7], abs=1e-6)
    np.testing.assert_allclose(measure.row("3"), rows[3], atol=1e-6)
    np.testing.assert_allclose(measure.rows([5, 3, 5]), rows[[5, 3, 5]], atol=1e-6)


@every_sample
def test_nearest_equals_sorting_the_row(name: str) -> None:
    measure = SAMPLES[name].measure
    row = measure.row("4")
    expected = sorted((i for i in range(WORDS) if i != 4), key=lambda i: (-row[i], i))
    assert measure.nearest("4", 5) == [(str(i), float(row[i])) for i in expected[:5]]
    assert [word for word, _ in measure.nearest("4", 100)] == [str(i) for i in expected]


@every_sample
def test_the_closest_words_are_the_first_ones_of_the_sorted_row(name: str) -> None:
    measure = SAMPLES[name].measure
    for word in range(WORDS):
        row = measure.rows([word])[0]
        order = np.argsort(-row, kind="stable")
        for k in (0, 1, 2, 3, 5, WORDS - 1, WORDS + 1):
            expected = order[order != word][:k]
            ids, values = measure.closest(word, k)
            assert ids.tolist() == expected.tolist()
            assert values.tolist() == row[expected].tolist()


COMPLETE = [name for name in SAMPLES if SAMPLES[name].measure.complete]


def test_an_approximated_measure_has_more_related_words_than_it_stores() -> None:
    assert set(SAMPLES) - set(COMPLETE) == {"estimated", "small", "svd"}


@pytest.mark.parametrize("name", COMPLETE)
def test_neighbours_are_the_positive_places_of_a_row(name: str) -> None:
    measure = SAMPLES[name].measure
    for word in (4, LONELY):
        ids, values = measure.neighbours(word)
        row = measure.rows([word])[0]
        assert ids[values > 0].tolist() == np.flatnonzero(row > 0).tolist()
        np.testing.assert_array_equal(values, row[ids])


@every_sample
def test_unit_vectors_multiply_to_the_rows(name: str) -> None:
    measure = SAMPLES[name].measure
    vectors = measure.unit_vectors()
    assert (vectors is not None) == (name == "svd")
    if vectors is not None:
        products = vectors @ vectors.T
        np.fill_diagonal(products, 0)
        np.testing.assert_allclose(products, measure.rows(range(WORDS)), atol=1e-6)


@every_sample
def test_a_choice_of_words_has_their_columns(name: str) -> None:
    measure, rng = SAMPLES[name].measure, np.random.default_rng(0)
    rows = measure.rows(range(WORDS))
    for chosen in (rng.permutation(WORDS)[: WORDS // 2], np.arange(WORDS), rng.permutation(3)):
        among = measure.among(chosen)
        words = rng.integers(0, WORDS, 7)
        np.testing.assert_allclose(among.rows(words), rows[words][:, chosen], atol=1e-6)
        among.rows(words)[:] = np.nan  # what the caller does with its rows changes nothing
        np.testing.assert_allclose(among.rows(words), rows[words][:, chosen], atol=1e-6)
    assert measure.among([]).rows([1]).shape == (1, 0)


@every_sample
def test_a_row_does_not_depend_on_what_else_is_asked_for(name: str) -> None:
    measure, rng = SAMPLES[name].measure, np.random.default_rng(0)
    among = measure.among(rng.permutation(WORDS)[: WORDS // 2])
    cached, rows = CachedAmong(among), among.rows(range(WORDS))
    for words in ([3], [3, 4], [4, 3, 3], [], rng.integers(0, WORDS, 20), range(WORDS)):
        expected = rows[np.asarray(words, dtype=np.int64)]
        np.testing.assert_array_equal(among.rows(words), expected)
        np.testing.assert_array_equal(cached.rows(words), expected)
        cached.rows(words)[:] = np.nan  # what the caller does with its rows changes nothing


@every_sample
def test_no_words_give_no_rows(name: str) -> None:
    measure = SAMPLES[name].measure
    assert measure.rows([]).shape == (0, WORDS)
    assert measure.among([2, 1]).rows([]).shape == (0, 2)
    assert measure.pairs([], []).shape == (0,)


@every_sample
def test_an_unknown_word_is_refused_with_similar_spellings(name: str) -> None:
    measure = SAMPLES[name].measure
    for ask in (
        lambda: measure.relatedness("111", "2"),
        lambda: measure.row("111"),
        lambda: measure.nearest("111"),
        lambda: measure.explain("2", "111"),
    ):
        with pytest.raises(UnknownWord, match="'111' is not in the vocabulary; near spellings: 11"):
            ask()


@every_sample
def test_the_storage_is_described(name: str) -> None:
    form, stored = SAMPLES[name].measure.storage
    assert form
    assert stored is None or 0 < stored <= 1


@every_sample
def test_a_round_trip_through_disk_gives_equal_values(
    opened: Mapping[str, Measure], name: str
) -> None:
    original, read = SAMPLES[name].measure, opened[name]
    assert type(read) is type(original)
    assert read.name == name
    assert read.folder is not None and read.folder.name == name
    assert read.facts == describe(read.folder)
    assert (read.facts["kind"], read.facts["words"]) == (SAMPLES[name].kind, WORDS)
    np.testing.assert_array_equal(read.rows(range(WORDS)), original.rows(range(WORDS)))
    np.testing.assert_array_equal(read.pairs(*ALL_PAIRS), original.pairs(*ALL_PAIRS))


@every_sample
def test_arrays_are_mapped_and_not_read(opened: Mapping[str, Measure], name: str) -> None:
    measure = opened[name]
    for array_name in measure.facts["arrays"]:
        for holder in ("stored", "vectors"):
            array = getattr(getattr(measure, holder, None), array_name, None)
            assert array is None or isinstance(array, np.memmap)
        array = getattr(measure, array_name, None)
        assert not isinstance(array, np.ndarray) or isinstance(array, np.memmap)


@every_sample
def test_the_same_measure_is_written_with_the_same_bytes(
    written: Path, written_again: Path, name: str
) -> None:
    files = sorted(path.name for path in (written / name).iterdir())
    assert "measure.json" in files
    assert files == sorted(path.name for path in (written_again / name).iterdir())
    for file in files:
        one, two = (root / name / file for root in (written, written_again))
        assert one.read_bytes() == two.read_bytes()


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _drop_last(path: Path) -> None:
    np.save(path, np.load(path)[:-1])


def _change_type(path: Path) -> None:
    np.save(path, np.load(path).astype("U8"))


def _pickle(path: Path) -> None:
    np.save(path, np.array([{"a": 1}], dtype=object), allow_pickle=True)


DAMAGE: dict[str, Callable[[Path], None]] = {
    "missing": Path.unlink,
    "empty": _empty,
    "cut": _cut,
    "one place short": _drop_last,
    "of another type": _change_type,
    "pickled": _pickle,
}
TAXONOMY_ARRAYS = (
    "sense_ends", "senses", "shares", "concepts", "above_ends", "above", "distances", "content",
    "depths", "heights", "parents_ends", "parents", "names", "names_ends",
)  # fmt: skip
GRAPH_ARRAYS = (
    "indptr", "indices", "values", "starts_ends", "starts", "edges_ends", "edges", "relations",
    "groups", "labels_ends", "names_ends", "names", "picks_ends", "picks", "pick_labels",
)  # fmt: skip
STORED_ARRAYS = [
    (name, array)
    for name, arrays in {
        "npmi": ("indptr", "indices", "values"),
        "estimated": ("vectors", "weights", "bounds"),
        "small": ("values", "levels", "vectors", "scales"),
        "squared": ("least",),
        "svd": ("vectors",),
        "human": ("knots",),
        "hierarchy": TAXONOMY_ARRAYS,
        "language-graph": GRAPH_ARRAYS,
    }.items()
    for array in arrays
]


def test_damage_to_every_array_of_every_kind_is_tested(written: Path) -> None:
    tested = {(SAMPLES[name].kind, array) for name, array in STORED_ARRAYS}
    pairs = {"indptr", "indices", "values", "marginals"}
    for name, sample in SAMPLES.items():
        arrays = set(describe(written / name)["arrays"]) - pairs
        assert {(sample.kind, array) for array in arrays} <= tested


def refused(folder: Path) -> str:
    """The one sentence with which a measure is refused."""
    with pytest.raises(InputError) as caught:
        open_measure(folder, VOCABULARY)
    assert "\n" not in str(caught.value)
    assert str(folder.parent) in str(caught.value)
    return str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize(("name", "array"), STORED_ARRAYS)
def test_a_damaged_array_is_refused_in_one_sentence(
    copied: Copy, name: str, array: str, damage: str
) -> None:
    folder = copied(name)
    DAMAGE[damage](folder / f"{array}.npy")
    assert "again" in refused(folder)


@every_sample
@pytest.mark.parametrize("key", ["kind", "measure", "words"])
def test_an_incomplete_description_is_refused(copied: Copy, name: str, key: str) -> None:
    folder = copied(name)
    change_facts(folder, remove=key)
    assert "is not a measure's description" in refused(folder)


@pytest.mark.parametrize("name", ["blend", "human"])
@pytest.mark.parametrize("part", ["npmi", "svd"])
def test_a_missing_part_is_named(copied: Copy, name: str, part: str) -> None:
    folder = copied(name)
    (folder.with_name(part) / "measure.json").unlink()
    assert f"{part}/measure.json" in refused(folder)


TERM = {"measure": "npmi", "weight": 1.0, "mean": 0.0, "deviation": 1.0}
BAD_TERMS = {
    "missing": None,
    "not a list": 3,
    "without a weight": [{"measure": "npmi", "mean": 0.0, "deviation": 1.0}],
    "with a weight that is no number": [{**TERM, "weight": "much"}],
    "with a deviation of 0": [{**TERM, "deviation": 0.0}],
    "none": [],
}


@pytest.mark.parametrize("terms", BAD_TERMS)
@pytest.mark.parametrize(("name", "key"), [("blend", "parts"), ("human", "parts")])
def test_a_description_without_valid_terms_is_refused(
    copied: Copy, name: str, key: str, terms: str
) -> None:
    folder = copied(name)
    change_facts(folder, **{key: BAD_TERMS[terms]})
    assert "again" in refused(folder)


@pytest.mark.parametrize("key", ["standing", "frequency"])
def test_a_learned_measure_needs_all_its_terms(copied: Copy, key: str) -> None:
    folder = copied("human")
    change_facts(folder, remove=key)
    assert f"has no valid '{key}'" in refused(folder)


def test_a_blend_of_itself_is_refused(copied: Copy) -> None:
    folder = copied("blend")
    change_facts(folder, parts=[{**TERM, "measure": "blend"}])
    assert "is a part of itself" in refused(folder)


def change_facts(folder: Path, remove: str | None = None, **changes: Any) -> None:
    path = folder / "measure.json"
    facts = {**json.loads(path.read_text()), **changes}
    facts.pop(remove, None)
    path.write_text(json.dumps(facts))


def meetings_add_up(explanation: Met, value: float) -> None:
    both = counts()
    a, b = int(explanation.a), int(explanation.b)
    total, marginals = both.sum(), both.sum(axis=1)
    chance = marginals[a] * marginals[b] / total / SCALE
    assert explanation.expected == pytest.approx(chance)
    if explanation.count is None:
        assert value == 0
    else:
        p, q = explanation.count * SCALE / total, chance * SCALE / total
        assert value == pytest.approx(np.sqrt(np.log(p / q) / -np.log(p)), abs=1e-6)


def middles_add_up(explanation: Between, value: float) -> None:
    assert explanation.number == len(explanation.middles)
    products = [middle.to_a * middle.to_b for middle in explanation.middles]
    assert sum(products) == pytest.approx(value, abs=1e-6)
    shares = [middle.share * value for middle in explanation.middles]
    assert shares == pytest.approx(products, abs=1e-6)


def edges_add_up(explanation: ShortestPath, value: float) -> None:
    if not explanation.edges:
        assert LONELY in (int(explanation.a), int(explanation.b))
        return
    assert (explanation.edges[0].a, explanation.edges[-1].b) == (explanation.a, explanation.b)
    assert all(first.b == second.a for first, second in pairwise(explanation.edges))
    length = sum(1 - edge.npmi for edge in explanation.edges)
    assert 1 - length == pytest.approx(value, abs=1e-6)


def near_words_are_sorted(explanation: Near, value: float) -> None:
    smaller = [min(shared.to_a, shared.to_b) for shared in explanation.shared]
    assert len(smaller) == 10
    assert smaller == sorted(smaller, reverse=True)
    assert not {explanation.a, explanation.b} & {shared.word for shared in explanation.shared}


def shares_add_up(explanation: Blended, value: float) -> None:
    assert sum(explanation.shares) == pytest.approx(value, abs=1e-5)


def shares_and_frequency_add_up(explanation: Learned, value: float) -> None:
    assert sum(explanation.shares) + explanation.frequency == pytest.approx(value, abs=1e-5)


def ways_add_up(explanation: Hierarchy, value: float) -> None:
    if not explanation.up:
        assert LONELY in (int(explanation.a), int(explanation.b)) and value == explanation.direct
        return
    assert explanation.up[-1] == explanation.down[-1]
    if explanation.measure == "hierarchy":  # the closest senses, by the length of the way
        length = len(explanation.up) + len(explanation.down) - 1
        assert value == pytest.approx(1 / length, abs=1e-6)
    else:
        assert value >= explanation.direct - 1e-6


def steps_add_up(explanation: Relations, value: float) -> None:
    if not explanation.steps:
        assert value == 0
        return
    assert {explanation.a, explanation.b} >= {explanation.start}
    weights = (1.1, 1.2) if " " in explanation.steps[-1].label else (1.0, 1.1)
    possible = [1 / (1 + len(explanation.steps) * weight) for weight in weights]
    assert value == pytest.approx(possible[0], abs=1e-3) or value == pytest.approx(
        possible[1], abs=1e-3
    )


def a_named_pair_is_related(explanation: Named, value: float) -> None:
    relation = {"wordnet-opposites": "opposites", "wordnet-parts": "part_of"}[explanation.measure]
    assert explanation.wording({})[0] == (relation if value > 0 else f"not_{relation}")


ADDS_UP: dict[type[Explanation], Callable[[Any, float], None]] = {
    Met: meetings_add_up,
    Between: middles_add_up,
    ShortestPath: edges_add_up,
    Near: near_words_are_sorted,
    Hierarchy: ways_add_up,
    Relations: steps_add_up,
    Named: a_named_pair_is_related,
    Blended: shares_add_up,
    Learned: shares_and_frequency_add_up,
}


@every_sample
def test_the_explanation_adds_up_to_the_value(opened: Mapping[str, Measure], name: str) -> None:
    measure = opened[name]
    for a, b in ((1, 2), (5, 9), (10, 3), (7, 8), (LONELY, 4)):
        explanation = measure.explain(str(a), str(b), opened)
        assert (explanation.measure, explanation.a, explanation.b) == (name, str(a), str(b))
        value = measure.relatedness(str(a), str(b))
        assert explanation.relatedness == pytest.approx(value, abs=1e-6)
        ADDS_UP[type(explanation)](explanation, value)


@every_sample
def test_an_explanation_is_data_and_one_line(opened: Mapping[str, Measure], name: str) -> None:
    for other in range(WORDS):
        if other == 3:
            continue
        explanation = opened[name].explain("3", str(other), opened)
        assert json.loads(json.dumps(asdict(explanation)))["measure"] == name
        assert "\n" not in str(explanation)
        assert str(explanation).endswith(f": {explanation.relatedness:.3f}")


@every_sample
def test_a_word_is_not_explained_by_itself(opened: Mapping[str, Measure], name: str) -> None:
    with pytest.raises(NoExplanation, match="give two different words"):
        opened[name].explain("3", "3", opened)


@every_sample
def test_a_cached_measure_answers_as_the_measure_itself(
    opened: Mapping[str, Measure], name: str
) -> None:
    measure, cached = opened[name], CachedMeasure(opened[name])
    for ids in ([], [3], [5, 3, 5], list(range(WORDS))):
        np.testing.assert_allclose(cached.rows(ids), measure.rows(ids), atol=1e-6)
    np.testing.assert_array_equal(cached.pairs(*ALL_PAIRS), measure.pairs(*ALL_PAIRS))
    assert cached.explain("1", "2", opened) == measure.explain("1", "2", opened)
    assert (cached.storage, cached.facts) == (measure.storage, measure.facts)


def test_a_cached_measure_computes_a_row_once_until_it_is_cleared() -> None:
    asked: list[list[int]] = []

    class Recorded(MatrixMeasure):
        def rows(self, ids: Any) -> Any:
            asked.append(list(ids))
            return super().rows(ids)

    cached = CachedMeasure(Recorded("d", VOCABULARY, stored_pairs(np.eye(WORDS))))
    cached.rows([1, 2, 1])
    cached.rows([2, 3])
    cached.clear()
    cached.rows([2])
    assert asked == [[1, 2], [3], [2]]


def test_a_cached_choice_of_words_computes_a_row_once_and_keeps_the_newest() -> None:
    asked: list[list[int]] = []

    class Recorded(Among):
        def rows(self, words: Any) -> Any:
            asked.append(list(words))
            return np.zeros((len(words), len(self.ids)), np.float32)

    cached = CachedAmong(Recorded(SAMPLES["svd"].measure, np.arange(3)))
    cached.rows([1, 2, 1])
    cached.rows([2, 3])
    cached.rows(range(4, KEPT + 3))  # one more than fits next to 2 and 3
    cached.rows([3, KEPT])
    cached.rows([1])
    assert [words[:2] for words in asked] == [[1, 2], [3], [4, 5], [1]]
    cached.rows(range(KEPT + 1))  # too many to keep
    cached.clear()
    cached.rows([1])
    assert len(asked[-2]) == KEPT + 1
    assert asked[-1] == [1]


def test_a_blend_by_name_equals_a_stored_one(opened: Mapping[str, Measure]) -> None:
    by_name = named("npmi+graph:2+svd:3", opened)
    rows = opened["blend"].rows(range(WORDS))
    np.testing.assert_array_equal(by_name.rows(range(WORDS)), rows)
    assert by_name.explain("1", "2", opened).relatedness == pytest.approx(rows[1, 2])


def _swap_bytes(path: Path) -> None:
    array = np.load(path)
    np.save(path, array.astype(array.dtype.newbyteorder(">")))


def _lengthen(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\0")


def _write_code(path: Path) -> None:
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }\n" % (b"(" * 90)
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)


@pytest.mark.slow
@pytest.mark.parametrize("attack", [_swap_bytes, _lengthen, _write_code])
@pytest.mark.parametrize(("name", "array"), STORED_ARRAYS)
def test_an_array_of_another_order_or_length_is_refused(
    copied: Copy, name: str, array: str, attack: Callable[[Path], None]
) -> None:
    folder = copied(name)
    path = folder / f"{array}.npy"
    before = path.read_bytes()
    attack(path)
    if path.read_bytes() != before:  # one byte per number has no order
        assert "again" in refused(folder)


@pytest.mark.slow
@every_sample
def test_a_measure_that_passes_the_thorough_check_answers_with_numbers(
    copied: Copy, name: str
) -> None:
    folder = copied(name)
    open_measure(folder, VOCABULARY, thorough=True)
    chance = random.Random(name)
    accepted = 0
    for path in sorted(folder.iterdir()):
        content = path.read_bytes()
        for _ in range(40):
            path.write_bytes(mutate(chance, path.name, content))
            try:
                measure = open_measure(folder, VOCABULARY, thorough=True)
            except InputError as error:
                assert "\n" not in str(error)
            else:
                accepted += 1
                assert np.isfinite(measure.rows(range(WORDS))).all()
                assert np.isfinite(measure.pairs(*ALL_PAIRS)).all()
        path.write_bytes(content)
    assert accepted


@pytest.mark.parametrize("part", ["../npmi", "/npmi", "a/../npmi", ".", "", "x" * 1000])
def test_a_part_is_a_measure_of_the_same_build(copied: Copy, part: str) -> None:
    folder = copied("blend")
    change_facts(folder, parts=[{**TERM, "measure": part}])
    assert "names a part" in refused(folder)


def test_a_product_names_what_it_is_made_of(copied: Copy) -> None:
    folder = copied("squared")
    for of in (None, "", 3):
        change_facts(folder, of=of)
        assert "again" in refused(folder)


def test_an_unknown_kind_is_refused(copied: Copy) -> None:
    folder = copied("npmi")
    for kind in ("other", "__init__", "taxonomy.x"):
        change_facts(folder, kind=kind)
        assert "unknown kind" in refused(folder) or "description" in refused(folder)


def test_weights_that_cancel_out_are_refused(copied: Copy) -> None:
    terms = [TERM, {**TERM, "measure": "svd", "weight": -1.0}]
    folder = copied("blend")
    change_facts(folder, parts=terms)
    assert "no weights above 0" in refused(folder)


def test_ids_out_of_order_are_found_by_the_thorough_check(copied: Copy) -> None:
    folder = copied("npmi")
    path = folder / "indices.npy"
    indices = np.load(path)
    indices[:2] = indices[1::-1]
    np.save(path, indices)
    open_measure(folder, VOCABULARY)
    with pytest.raises(InputError, match="is not sorted within each word"):
        open_measure(folder, VOCABULARY, thorough=True)

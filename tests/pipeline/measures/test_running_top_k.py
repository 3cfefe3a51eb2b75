"""The closest words, picked while half of a symmetric matrix is being computed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.measures import running_top_k
from pipeline.measures.running_top_k import OfferedWords
from pipeline.measures.top_k import ClosestWords
from tests.support.examples import at_most
from tests.support.matrices import Matrix, npmis, npmis_with_ties, random_npmi


def offered_words(matrix: Matrix, k: int, height: int) -> OfferedWords:
    """The picks from chunks of rows, with other numbers where nothing may be read."""
    upper = np.where(np.triu(np.ones(matrix.shape, bool), 1), matrix, np.float32(7.0))
    offered = OfferedWords(len(matrix), k)
    for start in range(0, len(matrix), height):
        offered.add(start, upper[start : start + height])
    offered.pick()
    return offered


def assert_as_from_whole_rows(matrix: Matrix, k: int, height: int) -> None:
    expected = ClosestWords(len(matrix), k, absent=0.0)
    expected.add(0, matrix)
    offered = offered_words(matrix, k, height)
    np.testing.assert_array_equal(offered.bounds, expected.bounds)
    np.testing.assert_array_equal(offered.statistics.related, expected.statistics.related)
    np.testing.assert_array_equal(offered.statistics.lowest, expected.statistics.lowest)
    np.testing.assert_array_equal(offered.statistics.highest, expected.statistics.highest)
    np.testing.assert_allclose(offered.statistics.sums, expected.statistics.sums)
    stored, expected_stored = offered.symmetrized(), expected.symmetrized()
    np.testing.assert_array_equal(stored.indptr, expected_stored.indptr)
    np.testing.assert_array_equal(stored.indices, expected_stored.indices)
    np.testing.assert_array_equal(stored.values, expected_stored.values)
    pairs = stored.pairs
    assert offered.metrics(pairs) == pytest.approx(expected.metrics(pairs))


@settings(max_examples=at_most(60), deadline=None)
@given(npmis | npmis_with_ties, st.integers(1, 45), st.integers(1, 45), st.integers(1, 9))
def test_the_picks_and_figures_are_those_of_whole_rows(
    matrix: Matrix, k: int, height: int, room: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running_top_k, "ROOM", room)  # so little that lists get full
        assert_as_from_whole_rows(matrix, k, height)


def test_long_rows_are_picked_from_like_short_ones() -> None:
    matrix = np.ceil(random_npmi(900, 0.9, seed=1) * 50).astype(np.float32)
    assert_as_from_whole_rows(matrix, 10, 256)

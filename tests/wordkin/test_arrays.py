"""Arrays on disk: what is written is read, and only a sample of a large one is looked at."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from wordkin.arrays import largest, map_array, open_array, write_array
from wordkin.errors import InputError

TYPES = st.sampled_from(["f2", "f4", "f8", "i1", "i4", "i8", "u1", "u8"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    array=arrays.arrays(TYPES, arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=9))
)  # fmt: skip
def test_what_is_written_is_read(array: np.ndarray, tmp_path: Path) -> None:
    write_array(tmp_path / "a.npy", np.ascontiguousarray(array).reshape(array.shape))
    read = map_array(tmp_path / "a.npy")
    assert (read.shape, read.dtype) == (array.shape, array.dtype)
    np.testing.assert_array_equal(read, array)
    np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), array)


@pytest.mark.parametrize("place", [0, 50_000, 99_999])
def test_a_wrong_number_is_found_in_the_sample_or_by_the_thorough_check(
    tmp_path: Path, place: int
) -> None:
    numbers = np.zeros(100_000, np.float32)
    for value, sampled in ((np.nan, place != 50_000), (2.0, place != 50_000)):
        numbers[:] = 0
        numbers[place] = value
        np.save(tmp_path / "a.npy", numbers)
        with pytest.raises(InputError, match="out of their range"):
            open_array(tmp_path / "a.npy", (None,), high=1, thorough=True)
        if sampled:
            with pytest.raises(InputError, match="out of their range"):
                open_array(tmp_path / "a.npy", (None,), high=1)
        else:
            assert len(open_array(tmp_path / "a.npy", (None,), high=1)) == 100_000


def test_other_formats_and_objects_are_never_read(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    np.savez(path.with_suffix(".npz"), a=np.zeros(3))
    path.with_suffix(".npz").rename(path)
    with pytest.raises(InputError, match="Cannot read the array"):
        map_array(path)
    np.save(path, np.array([{}]), allow_pickle=True)
    with pytest.raises(InputError, match="Cannot read the array"):
        map_array(path)


@given(
    st.lists(st.floats(-2, 2, width=16) | st.sampled_from([0.0, -0.0, 1.0, -np.inf]), max_size=40),
    st.integers(-1, 45),
)
def test_the_largest_are_the_first_ones_of_a_stable_sort(values: list[float], k: int) -> None:
    array = np.array(values, dtype=np.float32)
    expected = np.argsort(-array, kind="stable")[: max(k, 0)]
    assert largest(array, k).tolist() == expected.tolist()

"""Products of words' numbers, against multiplying one pair at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.examples import at_most
from wordkin.measures.products import Limits, products


@settings(max_examples=at_most(40))
@given(
    st.integers(0, 10**6),
    st.integers(0, 40),
    st.sampled_from([0, 1, 31, 511, 512, 1500]),
    st.integers(1, 70),
)
def test_products_are_those_of_each_pair(seed: int, left: int, right: int, numbers: int) -> None:
    rng = np.random.default_rng(seed)
    first = rng.normal(size=(left, numbers)).astype(np.float32)
    codes = rng.integers(-127, 128, (right, numbers)).astype(np.int8)
    scales = rng.random(right).astype(np.float32)
    second = codes * scales[:, None]
    bounds = [rng.normal(20, 20, size).astype(np.float32) for size in (left, right)]
    plain = np.array([[float(a @ b) for b in second] for a in first]).reshape(left, right)
    limited = np.maximum(np.minimum(plain, np.minimum(bounds[0][:, None], bounds[1])), -5.0)
    close = {"rtol": 1e-4, "atol": 1e-2}
    np.testing.assert_allclose(products(first, second), plain, **close)
    np.testing.assert_allclose(products(first, codes, scales=scales), plain, **close)
    limits = Limits(bounds[0], bounds[1], -5.0)
    np.testing.assert_allclose(products(first, codes, limits, scales), limited, **close)


@pytest.mark.parametrize("kind", [np.int8, np.float32])
def test_a_row_of_products_does_not_depend_on_the_others(kind: type) -> None:
    rng = np.random.default_rng(0)
    left = rng.normal(size=(60, 300)).astype(np.float32)
    right = rng.integers(-127, 128, (1700, 300)).astype(kind)
    rows = products(left, right)
    for chosen in ([0], [59, 3], range(16), range(5, 30), range(60)):
        np.testing.assert_array_equal(products(left[list(chosen)], right), rows[list(chosen)])

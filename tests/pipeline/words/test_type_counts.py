"""Types: the number of documents that have each of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.words.type_counts import count_documents


@given(st.lists(st.lists(st.integers(0, 5), max_size=12), max_size=8))
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_a_type_is_counted_once_per_document(dtype: type, documents: list[list[int]]) -> None:
    tokens = np.array([token for document in documents for token in document], dtype)
    bounds = np.cumsum([0, *map(len, documents)])
    expected = [sum(number in document for document in documents) for number in range(7)]
    assert count_documents(tokens, bounds, 7).tolist() == expected


def test_no_tokens_have_no_types() -> None:
    assert count_documents(np.empty(0, np.int32), np.zeros(1, np.int64), 0).tolist() == []

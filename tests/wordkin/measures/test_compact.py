"""Compact measures on disk: those of older bundles, and facts that do not fit the arrays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.measures.factors import Factors
from pipeline.measures.quantization import Precision, choose_levels, encode_numbers
from pipeline.measures.tiling import lower_pairs, tile_pairs
from tests.support.matrices import random_npmi, sparse
from tests.support.measures import VOCABULARY, WORDS, write_samples
from wordkin.errors import InputError
from wordkin.measures.codes import Codes
from wordkin.measures.compact import CompactMeasure
from wordkin.measures.store import open_measure, write_measure
from wordkin.measures.tiles import PairBits


def random_codes(bits: int) -> Codes:
    numbers = np.random.default_rng(bits).standard_normal((WORDS, 7)).astype(np.float32)
    return encode_numbers(Factors(numbers, np.ones(7, np.float32)), Precision(0, bits, bits))


@pytest.mark.parametrize("bits", [8, 6, 4])
def test_numbers_of_older_bundles_have_the_bits_that_fit_their_width(
    tmp_path: Path, bits: int
) -> None:
    codes = random_codes(bits)
    write_measure(tmp_path / "m", "m", "compact", codes.arrays())
    measure = open_measure(tmp_path / "m", VOCABULARY, thorough=True)
    assert isinstance(measure, CompactMeasure)
    assert measure.codes.bits == [bits]
    np.testing.assert_array_equal(measure.codes.numbers(), codes.numbers())


def test_pairs_of_older_bundles_all_have_the_same_levels(tmp_path: Path) -> None:
    matrix = random_npmi(WORDS, 0.5, seed=3)
    pairs = lower_pairs(sparse(matrix))
    levels = choose_levels(pairs.values, 64)
    places = np.abs(pairs.values[:, None] - levels).argmin(axis=1).astype(np.uint16)
    tiles = tile_pairs(WORDS, pairs.later, pairs.earlier, places, PairBits(6))
    arrays = {**random_codes(8).arrays(), **tiles.arrays(), "levels": levels}
    arrays["weights"] = np.zeros_like(arrays["weights"])
    write_measure(tmp_path / "m", "m", "compact", arrays, {"cells": "earlier first"})
    measure = open_measure(tmp_path / "m", VOCABULARY, thorough=True)
    expected = levels[np.abs(matrix[:, :, None] - levels).argmin(axis=2)]
    np.testing.assert_array_equal(measure.rows(range(WORDS)), np.where(matrix > 0, expected, 0))


WRONG_FACTS: list[tuple[str, dict[str, Any]]] = [
    *(("few_bits", {"bits": bits}) for bits in ("5", [5], [3, 5], [5, 3, 3], [5, 9], [True, 3])),
    *(
        ("corrected", {"pair_bits": bits})
        for bits in ("4", 4, [4], [0, 4], [4, 9], [5, 2], [4, 2, 2], [4.0, 2.0])
    ),
    *(("corrected", {"frequent_words": words}) for words in (-64, 63, "64", None, 64.0)),
]


@pytest.mark.parametrize(("name", "facts"), WRONG_FACTS)
def test_facts_that_do_not_fit_the_arrays_are_refused(
    tmp_path: Path, name: str, facts: dict[str, Any]
) -> None:
    path = write_samples(tmp_path)[name] / "measure.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **facts}))
    with pytest.raises(InputError, match="do not fit together"):
        open_measure(path.parent, VOCABULARY)

"""The temperature of a measure from the ranks of its values, and where a bundle takes it from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wordkin
from tests.support.bundles import make_bundle
from tests.support.matrices import measure_of
from wordkin.errors import InputError
from wordkin.measures.cached import CachedMeasure
from wordkin.measures.measure import Measure
from wordkin.measures.temperature import RATIO, rank_temperature, typical_gap
from wordkin.vocabulary import Vocabulary


def random_measure(words: int, scale: float = 1.0, shift: float = 0.0) -> Measure:
    values = np.random.default_rng(3).random((words, words)).astype(np.float32)
    values = scale * np.triu(values, 1) + shift
    vocabulary = Vocabulary([f"w{i}" for i in range(words)], [1] * words, [1] * words)
    return measure_of("toy", vocabulary, values + values.T)


def plain_gap(measure: Measure) -> float:
    """The rule, word by word, for a vocabulary of 256 words."""
    gaps = []
    for word in sorted({int(at) for at in np.linspace(0, 255, 64)}):
        row = measure.rows([word])[0].astype(float)
        others = sorted((row[i] for i in range(256) if i != word), reverse=True)
        gaps.append(others[1] - sum(others) / 255)  # rank 16 of 2,048 is rank 2 of 256
    return sum(gaps) / len(gaps)


def test_the_gap_is_that_of_close_words_and_random_ones() -> None:
    measure = random_measure(256)
    assert typical_gap(measure) == pytest.approx(plain_gap(measure))
    assert rank_temperature(measure) == pytest.approx(RATIO * plain_gap(measure))


def test_the_temperature_has_the_scale_of_the_measure() -> None:
    plain = rank_temperature(random_measure(300))
    scaled = rank_temperature(random_measure(300, scale=50, shift=-7))
    assert scaled == pytest.approx(50 * plain, rel=1e-5)


def test_a_measure_that_tells_no_words_apart_has_a_temperature_too() -> None:
    assert rank_temperature(random_measure(40, scale=0)) == 1
    assert rank_temperature(random_measure(1)) == 1


def test_a_bundle_takes_what_it_has_recorded_and_the_rule_for_the_rest(tmp_path: Path) -> None:
    bundle = wordkin.load(make_bundle(tmp_path))
    assert bundle.temperature() == bundle.temperature("graph") == 0.12
    assert bundle.temperature(bundle.measure("svd")) == 0.12
    assert bundle.temperature(CachedMeasure(bundle.measure("svd"))) == 0.12
    blend = bundle.measure("npmi+svd")
    assert bundle.temperature("npmi+svd") == bundle.temperature(blend) == rank_temperature(blend)
    own = measure_of("graph", bundle.vocabulary, np.eye(80, dtype=np.float32)[::-1].copy())
    assert bundle.temperature(own) == rank_temperature(own)


def test_a_bundle_without_temperatures_uses_the_rule(tmp_path: Path) -> None:
    bundle = with_guesser(make_bundle(tmp_path), None)
    assert bundle.temperature("svd") == rank_temperature(bundle.measure("svd"))


@pytest.mark.parametrize("value", [0, -1, "x", None, float("inf"), float("nan"), [1]])
def test_a_bundle_with_an_impossible_temperature_is_refused(tmp_path: Path, value: Any) -> None:
    with pytest.raises(InputError, match="not complete"):
        with_guesser(make_bundle(tmp_path), {"svd": {"temperature": value}})


def with_guesser(folder: Path, facts: Any) -> wordkin.Bundle:
    """The bundle with other temperatures in its manifest."""
    manifest = json.loads((folder / "bundle.json").read_text(encoding="utf-8"))
    del manifest["guesser"]
    if facts is not None:
        manifest["guesser"] = facts
    (folder / "bundle.json").write_text(json.dumps(manifest), encoding="utf-8")
    return wordkin.load(folder)

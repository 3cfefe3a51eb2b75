"""The learned measure; `test_contract` checks what all measures have in common."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wordkin
from tests.support.bundles import WEIGHTS, human, make_learned_bundle
from wordkin.bundle import Bundle
from wordkin.bundle_folder import write_bundle
from wordkin.errors import InputError
from wordkin.game.guesser import Guesser
from wordkin.game.spymaster import Spymaster
from wordkin.measures.learned import (
    RANKS,
    TEMPERATURE,
    depth,
    rank_knots,
    write_learned,
)
from wordkin.measures.store import open_measure


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return make_learned_bundle(tmp_path_factory.mktemp("learned"))


def test_rows_and_pairs_are_symmetric_and_equal(bundle: Bundle) -> None:
    measure, size = human(bundle), len(bundle.vocabulary)
    rows = measure.rows(np.arange(size))
    assert rows == pytest.approx(rows.T, abs=1e-5)
    assert np.diag(rows).tolist() == [0.0] * size
    a, b = np.triu_indices(size, 1)
    assert measure.pairs(a, b) == pytest.approx(rows[a, b], abs=1e-5)
    assert rows[a, b] == pytest.approx(TEMPERATURE * measure.features(a, b) @ WEIGHTS, abs=1e-5)


def test_its_mean_over_random_pairs_is_0(bundle: Bundle) -> None:
    size = len(bundle.vocabulary)
    rows = human(bundle).rows(np.arange(size))
    assert rows[~np.eye(size, dtype=bool)].mean() == pytest.approx(0, abs=0.01)


@given(st.integers(0, 10**6))
def test_depth_is_the_logarithm_of_the_rank_at_the_knots(seed: int) -> None:
    values = np.sort(np.random.default_rng(seed).normal(size=2000).astype(np.float32))[::-1]
    knots = values[np.array(RANKS) - 1]
    assert depth(knots, knots[None]) == pytest.approx([math.log(r, 4) for r in RANKS], abs=1e-5)
    between = depth(values, knots[None])
    assert (np.diff(between) >= -1e-6).all()
    assert depth(values[:1] + 1, knots[None]).tolist() == [0]
    assert depth(values[-1:] - 1, knots[None]).tolist() == [len(RANKS) - 1]


def test_knots_are_the_ranked_values_of_each_word(bundle: Bundle) -> None:
    measure, size = bundle.measures["graph"], len(bundle.vocabulary)
    rows = -np.sort(-measure.rows(np.arange(size)), axis=1)
    knots = rank_knots(measure)
    assert size == 80
    ranked = [0, 3, 15, 63, 79]  # there is no 256th value, so the last one takes its place
    assert knots[:, :5] == pytest.approx(rows[:, ranked])
    assert (knots[:, 5] == knots[:, 4] - 1).all()


def test_rounding_does_not_move_the_lowest_value_by_a_rank(bundle: Bundle) -> None:
    knots = rank_knots(bundle.measures["svd"])
    lowest = knots[:, 4]
    for noise in (-1e-7, 1e-7):
        assert depth(lowest + np.float32(noise), knots) == pytest.approx(4, abs=1e-3)


def test_every_agent_can_use_it(bundle: Bundle) -> None:
    board = wordkin.Board.of(ours=["piano", "mouse"], theirs=["bison"], assassin=["ship"])
    clue = Spymaster(bundle).clue(board, 2)
    assert {card.word for card in clue.targets} == {"piano", "mouse"}
    assert Guesser(bundle).guess(clue.word, 1, board.words)[0] in {"piano", "mouse"}


def test_the_explanation_lists_what_each_part_adds(bundle: Bundle) -> None:
    explanation = bundle.explain("piano", "violin")
    shares = [*explanation.shares, explanation.frequency]
    assert sum(shares) == pytest.approx(explanation.relatedness, abs=1e-5)
    assert [part.measure for part in explanation.parts] == ["npmi", "graph", "svd"]
    assert "graph" in str(explanation) and "frequency" in str(explanation)


def test_parts_must_be_published_with_it(bundle: Bundle, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="publish that"):
        write_bundle(
            tmp_path / "bundle",
            language="en",
            vocabulary=bundle.folder / "vocabulary.tsv",
            measures={name: bundle.folder / name for name in ("npmi", "graph", "human")},
            default="human",
        )


@pytest.mark.parametrize("key", ["standing", "frequency", "parts"])
def test_a_damaged_description_is_refused(bundle: Bundle, tmp_path: Path, key: str) -> None:
    for name in bundle.measures:
        (tmp_path / name).symlink_to(bundle.folder / name)
    (tmp_path / "human").unlink()
    (tmp_path / "human").mkdir()
    (tmp_path / "human" / "knots.npy").symlink_to(bundle.folder / "human" / "knots.npy")
    described = json.loads((bundle.folder / "human" / "measure.json").read_text())
    del described[key]
    (tmp_path / "human" / "measure.json").write_text(json.dumps(described))
    with pytest.raises(InputError, match="make it again"):
        open_measure(tmp_path / "human", bundle.vocabulary)


def test_knots_of_another_build_are_refused(bundle: Bundle, tmp_path: Path) -> None:
    for name in ("npmi", "graph", "svd"):
        (tmp_path / name).symlink_to(bundle.folder / name)
    write_learned(tmp_path / "human", human(bundle), {})
    np.save(tmp_path / "human" / "knots.npy", human(bundle).knots[:, :2])
    with pytest.raises(InputError, match=r"knots\.npy has a wrong size"):
        open_measure(tmp_path / "human", bundle.vocabulary)

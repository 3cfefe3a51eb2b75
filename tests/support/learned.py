"""A bundle with a learned measure of known weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import wordkin
from tests.support.bundles import make_bundle
from wordkin.bundle import Bundle
from wordkin.bundle_folder import write_bundle
from wordkin.measures.learned import LearnedMeasure, untrained, write_learned

WEIGHTS = np.array([1.5, 0.0, 0.8, 0.5, -0.4, 0.0, 0.3])


def make_learned_bundle(folder: Path) -> Bundle:
    """A bundle whose default measure is `human`, with the weights of `WEIGHTS`."""
    plain = wordkin.load(make_bundle(folder))
    learned = untrained("human", list(plain.measures.values())).with_weights(WEIGHTS)
    write_learned(folder / "human", learned, {"rounds": 3})
    write_bundle(
        folder / "with",
        language="en",
        vocabulary=folder / "vocabulary.tsv",
        measures={name: folder / name for name in (*plain.measures, "human")},
        default="human",
    )
    return wordkin.load(folder / "with")


def human(bundle: Bundle) -> LearnedMeasure:
    """The learned measure of the bundle."""
    measure = bundle.measures["human"]
    assert isinstance(measure, LearnedMeasure)
    return measure

"""What the papers report, as figures; `bench.papers` shows ours beside them."""

from __future__ import annotations

from typing import NamedTuple

CORRELATIONS = {
    "npmi": (0.749, 0.649),
    "squared": (0.670, 0.545),
    "graph": (0.735, 0.647),
    "fasttext": (0.737, 0.564),
}
"""The method paper, Table 2: Spearman on MEN and on the relatedness part of WS-353."""

SCORINGS = ("koyyalagunta", "koyy-restrict", "harmonic", "harmonic-divide")

ENGLISH_ROUNDS = {
    "fasttext": ((0.487, 0.535, 0.581, 0.555), (0.707, 0.726, 0.783, 0.722)),
    "npmi": ((0.420, 0.420, 0.397, 0.426), (0.727, 0.727, 0.670, 0.682)),
    "squared": ((0.377, 0.361, 0.372, 0.445), (0.611, 0.583, 0.604, 0.729)),
    "graph": ((0.392, 0.392, 0.384, 0.426), (0.714, 0.714, 0.679, 0.682)),
}
"""The method paper, Table 4: P@targets and P@all of people for 2 targets, by `SCORINGS`."""


class Turk(NamedTuple):
    """Precision@2 of people for an agent, by scoring function, without and with DETECT."""

    name: str
    measures: tuple[str, ...]
    """Measures of ours that can play the agent, the likest first."""
    koyyalagunta: tuple[float, float]
    kim: tuple[float, float]


TURK = (
    Turk("BabelNet-WSF", ("language-graph", "conceptnet"), (0.442, 0.575), (0.500, 0.542)),
    Turk("BERT", ("minilm",), (0.442, 0.608), (0.300, 0.608)),
    Turk("fastText", ("fasttext",), (0.600, 0.617), (0.575, 0.667)),
    Turk("GloVe", ("glove",), (0.592, 0.633), (0.508, 0.633)),
    Turk("word2vec", ("skipgram", "cbow"), (0.500, 0.600), (0.467, 0.650)),
)
"""The DETECT paper, Table 7."""

WORDNET = (
    "wordnet-path", "wordnet-lch", "wordnet-wup", "wordnet-res", "wordnet-jcn", "wordnet-lin",
)  # fmt: skip
"""The WordNet agents of the competition paper, by our names."""

"""glove: GloVe vectors, trained on our counts by weighted least squares, with AdaGrad.

Each word has two vectors and two biases: one pair as a word, one as a context of other words. A
visit of the ordered pair (i, j) with the count x changes the vector and bias of the word i and of
the context j, so that w_i . c_j + b_i + d_j comes nearer to ln x (Pennington et al. 2014, eq. 8).

The result must not depend on the number of threads, so no two threads may change the same vector.
Words are divided into BLOCKS blocks, which divides the matrix into BLOCKS x BLOCKS cells. An epoch
has BLOCKS rounds; the cells of one round share neither a row nor a column:

    round 0   cells (0,0) (1,1) (2,2) ...       round 1   cells (0,1) (1,2) (2,3) ...

Threads divide the cells of a round among them, and each cell is visited by one thread in an order
that is shuffled once, as the published program shuffles its input.
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Annotated, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray
from pydantic.dataclasses import dataclass
from tqdm import trange

from pipeline.count.store import CountMatrix, read_counts
from pipeline.measures.family import Extra, MeasureJob
from pipeline.measures.sparse import Floats, Ints, Longs
from pipeline.measures.svd import unit_rows
from pipeline.mistakes import KNOWN_KEYS, Number, Whole, between
from pipeline.settings import Section
from pipeline.stage import Metrics
from wordkin.errors import InputError
from wordkin.measures.files import write_matrix

BLOCKS = 32
"""Every 32nd word is in the same block, so that all blocks have about as much to do."""


class Schedule(NamedTuple):
    """All pairs, each once, in groups by the blocks of their words; see `schedule`."""

    starts: Longs
    """Where each group starts: group p * BLOCKS + q has the pairs of the blocks p and q."""
    first: Ints
    second: Ints
    logarithms: Floats
    """ln x of each pair."""
    weights: Floats
    """f(x) of each pair, GloVe's eq. 9."""


class Model(NamedTuple):
    """What is trained; index 0 is for words, index 1 for contexts."""

    vectors: Floats
    """2 x words x dimensions."""
    biases: Floats
    """2 x words."""
    vector_squares: Floats
    """The sum of the squared gradients of each number, which starts at 1."""
    bias_squares: Floats


def schedule(counts: CountMatrix, maximum: float, exponent: float, seed: int) -> Schedule:
    """Group the pairs of a matrix by blocks, shuffled within each group.

    `maximum` and `exponent` are x_max and alpha of GloVe's weighting function.
    """
    order = np.random.default_rng(seed).permutation(len(counts.indices)).astype(np.int64)
    first, second = counts.first_words()[order], np.asarray(counts.indices)[order]
    groups = (first % BLOCKS).astype(np.int16) * BLOCKS + (second % BLOCKS).astype(np.int16)
    by_group = np.argsort(groups, kind="stable")
    sizes = np.bincount(groups, minlength=BLOCKS * BLOCKS)
    counted = np.asarray(counts.values)[order[by_group]] / counts.scale
    return Schedule(
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        first[by_group].astype(np.int32),
        second[by_group].astype(np.int32),
        np.log(counted).astype(np.float32),
        (np.minimum(counted / maximum, 1.0) ** exponent).astype(np.float32),
    )


def start(words: int, dimensions: int, seed: int) -> Model:
    """Random vectors and biases, each number within 0.5 / (dimensions + 1) of zero."""
    rng = np.random.default_rng(seed)
    numbers = rng.random((2, words, dimensions + 1), dtype=np.float32) - np.float32(0.5)
    numbers /= np.float32(dimensions + 1)
    return Model(
        np.ascontiguousarray(numbers[:, :, :dimensions]),
        np.ascontiguousarray(numbers[:, :, dimensions]),
        np.ones((2, words, dimensions), np.float32),
        np.ones((2, words), np.float32),
    )


def train_epoch(model: Model, pairs: Schedule, learning_rate: float) -> float:
    """Visit all ordered pairs once; returns the mean cost of a visit, before it."""
    cost, rate = 0.0, np.float32(learning_rate)
    for shift in range(BLOCKS):
        cost += _round(
            model.vectors, model.biases, model.vector_squares, model.bias_squares, pairs.starts,
            pairs.first, pairs.second, pairs.logarithms, pairs.weights, shift, rate,
        ).sum()  # fmt: skip
    return float(cost) / max(2 * len(pairs.first), 1)


def word_vectors(model: Model) -> NDArray[np.float32]:
    """The sum of both vectors of each word, which is what GloVe publishes."""
    return model.vectors[0] + model.vectors[1]


@numba.njit(parallel=True, error_model="numpy", cache=True)
def _round(
    vectors: Floats, biases: Floats, vector_squares: Floats, bias_squares: Floats,
    starts: Longs, first: Ints, second: Ints, logarithms: Floats, weights: Floats,
    shift: int, rate: np.float32,
) -> NDArray[np.float64]:  # fmt: skip
    """Visit the cells (p, p + shift); returns the cost of each.

    A pair is stored once, so a cell has the pairs of its own group as they are, and those of the
    mirrored group with the two words exchanged.
    """
    costs = np.zeros(BLOCKS, np.float64)
    for p in numba.prange(BLOCKS):
        q = (p + shift) % BLOCKS
        own, mirrored = p * BLOCKS + q, q * BLOCKS + p
        for at in range(starts[own], starts[own + 1]):
            costs[p] += _visit(
                vectors[0, first[at]], vectors[1, second[at]],
                vector_squares[0, first[at]], vector_squares[1, second[at]],
                biases, bias_squares, first[at], second[at], logarithms[at], weights[at], rate,
            )  # fmt: skip
        for at in range(starts[mirrored], starts[mirrored + 1]):
            costs[p] += _visit(
                vectors[0, second[at]], vectors[1, first[at]],
                vector_squares[0, second[at]], vector_squares[1, first[at]],
                biases, bias_squares, second[at], first[at], logarithms[at], weights[at], rate,
            )  # fmt: skip
    return costs


# Sums in any order, so that several numbers are added at once; no other freedom of `fastmath`.
@numba.njit(fastmath={"reassoc", "nsz", "contract"}, error_model="numpy", cache=True)
def _visit(
    word: Floats, context: Floats, word_squares: Floats, context_squares: Floats,
    biases: Floats, bias_squares: Floats, i: int, j: int, logarithm: float, weight: float,
    rate: np.float32,
) -> float:  # fmt: skip
    """Change both vectors and biases of a pair; returns its cost before."""
    dot = np.float32(0.0)
    for d in range(len(word)):
        dot += word[d] * context[d]
    error = dot + biases[0, i] + biases[1, j] - logarithm
    weighted = weight * error
    step = rate * weighted
    for d in range(len(word)):
        of_word = step * context[d]
        of_context = step * word[d]
        word[d] -= of_word / np.sqrt(word_squares[d])
        context[d] -= of_context / np.sqrt(context_squares[d])
        word_squares[d] += of_word * of_word
        context_squares[d] += of_context * of_context
    biases[0, i] -= weighted / np.sqrt(bias_squares[0, i])
    biases[1, j] -= weighted / np.sqrt(bias_squares[1, j])
    bias_squares[0, i] += weighted * weighted
    bias_squares[1, j] += weighted * weighted
    return 0.5 * weighted * error


@dataclass(frozen=True, config=KNOWN_KEYS)
class Glove(Section):
    """GloVe, trained on our counts; the defaults are those of its authors."""

    KEY = "extras.glove"

    dimensions: Annotated[Whole, between(1, 2000)] = 100
    epochs: Annotated[Whole, between(1)] = 25
    learning_rate: Annotated[Number, between(0.0001, 1)] = 0.05
    maximum: Annotated[Number, between(0.001)] = 100.0
    exponent: Annotated[Number, between(0, 1)] = 0.75
    seed: Annotated[Whole, between(0)] = 0


def make(measure_job: MeasureJob) -> Metrics:
    """Train vectors on the counts of the language."""
    settings = measure_job.settings.section(Glove)
    counts = read_counts(measure_job.layout.counts)
    pairs = schedule(counts, settings.maximum, settings.exponent, settings.seed)
    model = start(counts.words, settings.dimensions, settings.seed)
    costs = [
        train_epoch(model, pairs, settings.learning_rate)
        for _ in trange(settings.epochs, desc="glove", disable=not sys.stderr.isatty())
    ]
    if not np.isfinite(model.vectors).all():
        raise InputError(
            "GloVe's numbers grew without bound in training: lower extras.glove.learning_rate."
        )
    vectors = word_vectors(model).astype(np.float64)
    # A word without pairs was never changed: its vector is still the random start.
    lonely = counts.marginals() == 0
    vectors[lonely] = 0
    facts = {"settings": asdict(settings)}
    write_matrix(measure_job.folder, measure_job.name, vectors=unit_rows(vectors), facts=facts)
    return {
        "pairs": len(pairs.first),
        "dimensions": settings.dimensions,
        "words_without_vector": int(lonely.sum()),
        "first_cost": costs[0],
        "last_cost": costs[-1],
    }


EXTRA = Extra({"glove": make}, sections=(Glove,))

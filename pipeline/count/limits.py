"""What cannot be counted, refused before any work: inexact sums, and more memory than there is.

These checks have no influence on the counts, so they are not part of the counting program whose
change makes cached counts invalid.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pipeline.count.bands import triangle_cells
from pipeline.count.counter import cell_bytes, triangle_words
from pipeline.count.weights import LARGEST, weights_of
from wordkin.errors import InputError

WORKER_MIB = 500
"""The memory of a task's Python process without its counter."""

DRIVER_MIB = 1400
"""The memory of the driver and its JVM."""

LEAST_MIB = 64
"""The least memory for a counter that we advise."""


def check_exact(tokens: int, window: int, weighting: str) -> None:
    """Refuse a window whose sums over this corpus might not fit exact 64-bit integers."""
    if _fits(tokens, window, weighting):
        return
    widest = next(w for w in range(window, 0, -1) if _fits(tokens, w, weighting))
    raise InputError(
        f"counts.window: the {weighting} weights of a window of {window} over {tokens:,} "
        f"tokens do not fit exact 64-bit whole numbers; take a window of at most {widest}, "
        "or linear weights."
    )


def _fits(tokens: int, window: int, weighting: str) -> bool:
    weights, _ = weights_of(window, weighting)
    return 2 * tokens * sum(weights.tolist()) <= LARGEST


def check_memory(
    words: int, weights: NDArray[np.int64], memory_mib: int, cores: int, machine_mib: int
) -> None:
    """Refuse counters that do not fit the machine's memory together, and say what would fit."""
    needed = DRIVER_MIB + cores * (WORKER_MIB + counter_mib(words, weights, memory_mib))
    if needed <= machine_mib:
        return
    fits = (machine_mib - DRIVER_MIB) // cores - WORKER_MIB
    fewer = (machine_mib - DRIVER_MIB) // (WORKER_MIB + LEAST_MIB)
    if fits >= LEAST_MIB:
        advice = f"set spark.task_memory_mib to at most {fits}"
    elif fewer >= 1:
        advice = f"set spark.master to local[{fewer}] and spark.task_memory_mib to {LEAST_MIB}"
    else:
        advice = f"counting takes at least {DRIVER_MIB + WORKER_MIB + LEAST_MIB:,} MiB"
    raise InputError(
        f"Counting {words:,} words in {cores} tasks of {memory_mib:,} MiB "
        f"(spark.task_memory_mib) takes about {needed:,} MiB and there are {machine_mib:,}: "
        f"{advice}."
    )


def counter_mib(words: int, weights: NDArray[np.int64], memory_mib: int) -> int:
    """The memory that a counter takes when it may have `memory_mib`."""
    dense = triangle_words(words, memory_mib // 2, cell_bytes(weights))
    return memory_mib if dense < words else triangle_cells(dense) * cell_bytes(weights) >> 20

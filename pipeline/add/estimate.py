"""What `dvc repro` will take for new sources: time, memory and disk, estimated from a sample.

The beginning of each source is read and split into words, which gives its tokens per stored byte
and the seconds per token. How long the other stages take is known from runs on two quiet cores:
71 s for the matrices of 15,000 words, 715 s and 12 GiB for those of 50,000, 50,000 tokens/s for
fastText, 1.2 million tokens/s for counting. A busy or smaller machine takes longer.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline import read as readers
from pipeline.languages import language
from pipeline.settings import LanguageVocabulary, Source

SAMPLE_BYTES = 256 << 10
"""Stored bytes of a source that are read."""
GROWTH = 0.6  # how the number of words grows with the text: Heaps' law
MINIMUM_COUNT = 3

START_SECONDS = 60  # of Spark and Python, all stages together
COUNT_TOKENS, FASTTEXT_TOKENS = 1_200_000, 50_000  # per second
MATRIX_SECONDS, MATRIX_WORDS, MATRIX_GROWTH = 71, 15_000, 1.92
LEAST_GIB, MOST_GIB, MOST_WORDS = 1.5, 12.0, 50_000
TOKEN_BYTES, PAIR_BYTES = 5, 12  # on disk: shards of tokens, and pairs of words in all matrices
PAIRS_PER_WORD = 2_500


@dataclass(frozen=True)
class Sample:
    """What the beginning of a source shows about all of it."""

    tokens: float
    seconds: float  # to read it on one core
    words: float  # distinct ones that are frequent enough


@dataclass(frozen=True)
class Estimate:
    """What the stages will take."""

    tokens: int
    words: int
    minutes: float
    memory_gib: float
    disk_gib: float

    def __str__(self) -> str:
        return (
            f"dvc repro will take about {_minutes(self.minutes)}, {self.memory_gib:.1f} GiB of "
            f"memory and {self.disk_gib:.1f} GiB of disk: {_rounded(self.tokens)} tokens, "
            f"{_rounded(self.words)} words (estimated from a sample)"
        )


def sample(code: str, source: Source, files: Sequence[Path]) -> Sample:
    """Read the beginning of a source."""
    total = sum(file.stat().st_size for file in files)
    words_of = language(code).words
    counts: Counter[str] = Counter()
    read = 0
    began = time.process_time()
    for unit in readers.plan(files, source, SAMPLE_BYTES):
        tally = readers.Tally(tolerate=1.0)
        for document in readers.read(unit, source, tally):
            counts.update(words_of(document.text))
        read += tally.bytes
        if read >= SAMPLE_BYTES:
            break
    share = max(total / read, 1.0) if read else 0.0
    frequent = sum(count >= MINIMUM_COUNT for count in counts.values())
    seconds = time.process_time() - began
    return Sample(counts.total() * share, seconds * share, frequent * share**GROWTH)


def estimate(samples: Sequence[Sample], vocabulary: LanguageVocabulary) -> Estimate:
    """What all stages take for these sources together."""
    tokens = sum(part.tokens for part in samples)
    words = min(vocabulary.size, max((part.words for part in samples), default=0.0))
    seconds = (
        START_SECONDS
        + sum(part.seconds for part in samples) / min(os.cpu_count() or 1, 8)
        + tokens / COUNT_TOKENS
        + tokens / FASTTEXT_TOKENS
        + MATRIX_SECONDS * (words / MATRIX_WORDS) ** MATRIX_GROWTH
    )
    memory = LEAST_GIB + (MOST_GIB - LEAST_GIB) * (words / MOST_WORDS) ** 1.5
    disk = tokens * TOKEN_BYTES + words * PAIRS_PER_WORD * PAIR_BYTES
    return Estimate(round(tokens), round(words), seconds / 60, memory, disk / 2**30)


def _minutes(minutes: float) -> str:
    if minutes >= 90:
        return f"{minutes / 60:.1f} hours"
    whole = max(round(minutes), 1)
    return f"{whole} minute{'s' if whole > 1 else ''}"


def _rounded(number: int) -> str:
    """A number with two digits that count."""
    digits = max(len(str(number)) - 2, 0)
    return f"{round(number, -digits):,}"

"""Tokens as numbers: what the window kernels count."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pipeline.corpus import token_shards
from pipeline.counting.windows import OUTSIDE, STOP
from pipeline.settings import Counts
from wordkin.files import read_words
from wordkin.vocabulary import Vocabulary


class Coder:
    """Turns tokens into codes: the id of a word in the vocabulary, `OUTSIDE` or `STOP`."""

    def __init__(self, vocabulary: Path, settings: Counts) -> None:
        words = Vocabulary.read(vocabulary / "vocabulary.tsv").words
        self.words = pa.array(words, pa.string())
        self.stop_words = pa.array(read_words(vocabulary / "stop_words.txt"), pa.string())
        self.settings = settings

    def codes(self, batch: token_shards.Batch) -> NDArray[np.int32]:
        """The code of each token; each type is looked up once, however many tokens it has."""
        type_codes = pc.index_in(batch.types, value_set=self.words)
        type_codes = pc.fill_null(type_codes, OUTSIDE).to_numpy()
        if self.settings.stop_words == "drop":
            listed = pc.is_in(batch.types, value_set=self.stop_words)
            is_stop = listed.to_numpy(zero_copy_only=False) & (type_codes == OUTSIDE)
            type_codes = np.where(is_stop, STOP, type_codes)
        return type_codes.astype(np.int32)[batch.tokens]

    def bounds(self, batch: token_shards.Batch) -> NDArray[np.int64]:
        """Where documents (or lines) start and end; no window crosses these bounds."""
        return batch.lines if self.settings.boundary == "line" else batch.documents

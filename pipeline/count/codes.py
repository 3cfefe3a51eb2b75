"""Tokens as numbers: what the window kernels count."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pydantic.dataclasses import dataclass

from pipeline.count.windows import OUTSIDE, STOP
from pipeline.mistakes import KNOWN_KEYS, Whole, between
from pipeline.settings import Section, Weighting
from pipeline.words import token_shards
from pipeline.words.lemmas import LemmaTable
from wordkin.files import read_words
from wordkin.vocabulary import Vocabulary


@dataclass(frozen=True, config=KNOWN_KEYS)
class Counts(Section):
    """How co-occurrences are counted."""

    KEY = "counts"

    window: Annotated[Whole, between(1, 50)] = 20
    weighting: Weighting = "linear"
    boundary: Literal["document", "line"] = "document"
    stop_words: Literal["drop", "keep"] = "drop"


class Coder:
    """Turns tokens into codes: the id of a word in the vocabulary, `OUTSIDE` or `STOP`."""

    def __init__(self, vocabulary: Path, settings: Counts) -> None:
        self.words = Vocabulary.read(vocabulary / "vocabulary.tsv").words
        self.settings = settings
        known = set(self.words)
        dropped = settings.stop_words == "drop"
        stop_words = read_words(vocabulary / "stop_words.txt") if dropped else []
        coded = [*self.words, *(word for word in stop_words if word not in known)]
        codes = np.full(len(coded) + 1, STOP, np.int32)
        codes[: len(self.words)] = np.arange(len(self.words))
        codes[-1] = OUTSIDE
        lemmas = LemmaTable.of_vocabulary(vocabulary)
        self.by_lemma = lemmas is not None
        if lemmas:
            self.forms, places = lemmas.forms_of(coded)
        else:
            self.forms, places = pa.array(coded, pa.string()), np.arange(len(coded))
        self.form_codes = codes[np.append(places, -1)]

    def codes(self, batch: token_shards.Batch) -> NDArray[np.int32]:
        """The code of each token."""
        return self.type_codes(batch.types)[batch.tokens]

    def type_codes(self, types: pa.StringArray) -> NDArray[np.int32]:
        """The code of each type: looked up once, however many tokens it has."""
        place = pc.index_in(types, value_set=self.forms)
        return self.form_codes[pc.fill_null(place, len(self.forms)).to_numpy()]

    def bounds(self, batch: token_shards.Batch) -> NDArray[np.int64]:
        """Where documents (or lines) start and end; no window crosses these bounds."""
        return batch.lines if self.settings.boundary == "line" else batch.documents

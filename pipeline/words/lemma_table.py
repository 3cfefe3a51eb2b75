"""Types to lemmas: each distinct word of a corpus is lemmatized once per build.

Token shards have the forms of the text, whatever the settings. Where a language is counted by
lemma, the stage vocabulary makes the table of its lemmas (`pipeline.words.lemmatization` decides
them) and writes it beside the vocabulary. Whatever reads tokens maps their types by this table.

    form     string    each type of the corpus, in the order of code points
    lemma    string    its lemma
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from wordkin.files import new_file

NAME = "lemmas.parquet"
"""The table's name in the vocabulary folder; a language that is counted by form has no table."""


class FormsOfWords(NamedTuple):
    """Forms, and for each of them the place of its word in a list of words."""

    forms: pa.StringArray
    places: NDArray[np.int64]


class LemmaTable:
    """The lemmas of a corpus, as the file has them."""

    def __init__(self, forms: pa.StringArray, lemmas: pa.StringArray) -> None:
        self.forms, self.lemmas = forms, lemmas

    @classmethod
    def of_vocabulary(cls, folder: Path) -> LemmaTable | None:
        """The table of a vocabulary folder; None where words are counted by form."""
        path = folder / NAME
        if not path.is_file():
            return None
        table = pq.read_table(path).combine_chunks()
        return cls(*(_whole(table[name]) for name in ("form", "lemma")))

    def write(self, folder: Path) -> None:
        """Write the table to a vocabulary folder."""
        table = pa.table({"form": self.forms, "lemma": self.lemmas})
        with new_file(folder / NAME) as temporary:
            pq.write_table(
                table, temporary, compression="zstd", use_dictionary=False, write_statistics=False
            )

    def map(self, types: pa.StringArray) -> pa.StringArray:
        """The lemma of each type; a type that the table does not have stays as it is."""
        return pc.coalesce(self.lemmas.take(pc.index_in(types, value_set=self.forms)), types)

    def forms_of(self, words: Sequence[str]) -> FormsOfWords:
        """All forms of some words, which are lemmas."""
        place = pc.index_in(self.lemmas, value_set=pa.array(words, pa.string()))
        is_wanted = pc.is_valid(place)
        places = place.filter(is_wanted).to_numpy().astype(np.int64)
        return FormsOfWords(self.forms.filter(is_wanted), places)

    def get(self, word: str) -> str | None:
        """The lemma of a word; None if the corpus does not have the word."""
        return self._by_form.get(word)

    @cached_property
    def _by_form(self) -> dict[str, str]:
        return dict(zip(self.forms.to_pylist(), self.lemmas.to_pylist(), strict=True))


def _whole(column: pa.ChunkedArray) -> pa.StringArray:
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)

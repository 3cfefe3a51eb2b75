"""The lemma of each word of a corpus: decided once per build, and used wherever tokens are read.

Token shards have the forms of the text, whatever the settings. Where a language is counted by
lemma, the stage vocabulary decides the lemma of each distinct word (`lemmas_of_types`) and writes a
table of them beside the vocabulary. Whatever reads tokens maps their types by this table.

    form     string    each type of the corpus, in the order of code points
    lemma    string    its lemma
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pipeline.fetched import read_resource
from pipeline.languages import language
from pipeline.layout import Layout
from pipeline.words.hunspell_lemmas import Analyze, lemmas_by_dictionary
from wordkin.errors import InputError
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

    def lemma(self, word: str) -> str:
        """The lemma of a word; the word itself if the corpus does not have it."""
        return self._by_form.get(word, word)

    @cached_property
    def _by_form(self) -> dict[str, str]:
        return dict(zip(self.forms.to_pylist(), self.lemmas.to_pylist(), strict=True))


def _whole(column: pa.ChunkedArray) -> pa.StringArray:
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


def lemmas_of_types(
    types: Sequence[str],
    counts: NDArray[np.int64],
    code: str,
    analyze: Analyze | None = None,
    unchanged: Collection[str] = (),
) -> list[str]:
    """The lemma of each type of a corpus, by its language and by what the corpus has.

    The types are distinct, in the order of code points, and all that the corpus has; `counts` are
    their numbers of tokens. With the analyses of a Hunspell dictionary, they decide. Without, a
    lemma that is neither a word of the corpus nor of the language's dictionary is an artefact, and
    the type stays as it is. Words of `unchanged`, such as those of boards, always do.
    """
    spoken = language(code)
    if analyze is not None:
        fixed = {*unchanged, *spoken.stop_words()}
        return lemmas_by_dictionary(types, counts, analyze, fixed)
    occurs = set(types)

    def lemma_of(word: str) -> str:
        if word in unchanged:
            return word
        lemma = spoken.lemma(word)
        return lemma if lemma in occurs or spoken.is_word(lemma) else word

    return [lemma_of(word) for word in types]


def dictionary_file(layout: Layout) -> Path:
    """The .aff file of the Hunspell dictionary that the stage fetch has left."""
    files = read_resource(layout, "dictionary").files
    affixes = [file for file in files if file.suffix == ".aff"]
    if len(affixes) != 1 or affixes[0].with_suffix(".dic") not in files:
        raise InputError(
            f"lemmas.dictionaries.{layout.language} has the files "
            f"{', '.join(file.name for file in files) or 'none'}; it must be one .aff file and the "
            ".dic file of the same name."
        )
    return affixes[0]


def lemmas_of_words(layout: Layout, words: Sequence[str]) -> list[str]:
    """The lemma of each word as counting used it; by the language alone where it counts forms."""
    table = LemmaTable.of_vocabulary(layout.vocabulary)
    return (
        [table.lemma(word) for word in words] if table else language(layout.language).lemmas(words)
    )


def gold_form(layout: Layout) -> Callable[[str], str]:
    """The function from a gold word to its form in the vocabulary, by the rules of the corpus.

    An entry of several words keeps its spaces, so that no vocabulary has it.
    """
    return form_of_words(layout.language, LemmaTable.of_vocabulary(layout.vocabulary))


def form_of_words(code: str, table: LemmaTable | None) -> Callable[[str], str]:
    """The same, with the lemmas of a table that is not written yet; None counts by form."""
    words_of = language(code).words
    lemma = table.lemma if table else str
    return lambda text: " ".join(map(lemma, words_of(text)))

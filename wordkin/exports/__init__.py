"""Measures in the formats of other programs.

`formats` has one function per format, `selection` the measure with only the words of a list.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from wordkin.bundle import Bundle
from wordkin.errors import InputError
from wordkin.exports import formats
from wordkin.exports.formats import Request
from wordkin.exports.selection import select_words
from wordkin.game.board import words_to_deal
from wordkin.game.board_view import resolve_cards
from wordkin.language.resolution import Resolution
from wordkin.measures.measure import Measure


@dataclass(frozen=True)
class Format:
    """A way to write a measure for another program.

    Attributes
    ----------
    about : str
        What is written and for which program, in one line.
    writer : function
        Called with a `Request`.
    of_boards : bool
        Whether cards are written against all words, and not some words against each other.
    of_all : bool
        Whether all measures are written if none is chosen.
    """

    about: str
    writer: Callable[[Request], None]
    of_boards: bool = False
    of_all: bool = False

    def write(
        self,
        bundle: Bundle,
        measure: Measure | None,
        path: Path,
        words: Sequence[str] | None = None,
        top: int | None = None,
    ) -> list[str]:
        """Write a measure to `path`.

        Parameters
        ----------
        bundle : Bundle
            The bundle of the measure.
        measure : Measure or None
            What to write. None stands for the bundle's default measure, or for all its measures
            where a format can hold several.
        path : Path
            The file or folder to write; an old one is replaced.
        words : sequence of str, optional
            Formats of boards: the cards; by default the language's own board words. Other
            formats: write only these words; by default all words of the vocabulary. A word that
            the vocabulary lacks is resolved to known ones; see `Bundle.resolve`.
        top : int, optional
            Formats of pairs: write only the pairs of each word with its `top` nearest words.

        Returns
        -------
        list of str
            The `words` that were left out because they stand for no known word.
        """
        if top is not None and top < 1:
            raise InputError(f"The number of nearest words (top) is {top}: ask for 1 or more.")
        items = None if words is None else _resolve_words(bundle, words)
        measures = [bundle.measure() if measure is None else measure]
        if self.of_all and measure is None:
            measures = list(bundle.measures.values())
        cards: Sequence[Resolution] = ()
        if self.of_boards:
            cards = items or resolve_cards(bundle, words_to_deal(bundle))
            if not cards:
                raise InputError("There are no board words to write: give a list with --words.")
        elif items is not None:
            measures = [select_words(each, items, bundle.language) for each in measures]
        try:
            self.writer(Request(bundle, measures, path, cards, top))
        except ModuleNotFoundError as error:
            raise InputError(
                f"This format needs the package '{error.name}': install it with pip install "
                "'wordkin[exports]'."
            ) from None
        written = {item.word for item in items or ()}
        return [word for word in words or () if word not in written]


def _resolve_words(bundle: Bundle, words: Sequence[str]) -> list[Resolution]:
    """What the words stand for, without those that stand for nothing; refuse a list without any."""
    if not words:
        raise InputError("There are no words to write: give a list that has some.")
    items = [item for item in map(bundle.try_resolve, words) if item is not None]
    if not items:
        raise InputError(
            f"There are no words to write: the vocabulary knows none of {', '.join(words)}."
        )
    return items


FORMATS = {
    "board-csv": Format(
        "board words x vocabulary, for the method paper's agent",
        formats.write_board_csv,
        of_boards=True,
    ),
    "word2vec": Format("vectors as text, for gensim (svd, fasttext)", formats.write_word2vec),
    "word2vec-binary": Format(
        "vectors as word2vec's binary file, for gensim (svd, fasttext)",
        formats.write_word2vec_binary,
    ),
    "glove": Format(
        "vectors as GloVe's text without a header (svd, fasttext)", formats.write_glove
    ),
    "safetensors": Format(
        "vectors, or the arrays of a sparse matrix, with the words as metadata",
        formats.write_safetensors,
    ),
    "edges": Format("related pairs as Parquet", formats.write_edges),
    "tsv": Format("related pairs as tab-separated text", formats.write_tsv),
    "matrix-market": Format(
        "the matrix as Matrix Market, its words next to it", formats.write_matrix_market
    ),
    "graphml": Format(
        "the strongest pairs as a graph, for igraph, networkx and Gephi", formats.write_graphml
    ),
    "sqlite": Format(
        "words, measures and nearest words as an SQLite database (all measures by default)",
        formats.write_sqlite,
        of_all=True,
    ),
}
"""All formats by name, in the order in which they are shown."""

__all__ = ["FORMATS", "Format"]

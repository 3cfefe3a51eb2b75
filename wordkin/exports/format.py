"""What an export format is, and what it is asked to write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from wordkin.bundle import Bundle
from wordkin.errors import InputError
from wordkin.exports.selection import select_words
from wordkin.language.resolution import Resolution
from wordkin.measures.measure import Measure


@dataclass(frozen=True)
class Request:
    """What to write and where; see `Format.write`. `words` are what the words stand for."""

    bundle: Bundle
    path: Path
    chosen: Measure | None
    words: Sequence[Resolution] | None
    top: int | None

    @property
    def whole_measure(self) -> Measure:
        """The chosen measure, or the default one, with the whole vocabulary."""
        return self.bundle.measure() if self.chosen is None else self.chosen

    @property
    def measure(self) -> Measure:
        """The same measure with only the words that were asked for."""
        return self._only_words(self.whole_measure)

    def measures(self) -> list[Measure]:
        """The chosen measure, or all measures of the bundle, with only the words asked for."""
        if self.chosen is not None:
            return [self.measure]
        return [self._only_words(measure) for measure in self.bundle.measures.values()]

    def _only_words(self, measure: Measure) -> Measure:
        if self.words is None:
            return measure
        return select_words(measure, self.words, self.bundle.language)


@dataclass(frozen=True)
class Format:
    """A way to write a measure for another program.

    Attributes
    ----------
    about : str
        What is written and for which program, in one line.
    writer : function
        Called with a `Request`.
    """

    about: str
    writer: Callable[[Request], None]

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
        resolutions = None if words is None else _resolve_words(bundle, words)
        self.writer(Request(bundle, path, measure, resolutions, top))
        written = {item.word for item in resolutions or ()}
        return [word for word in words or () if word not in written]


def _resolve_words(bundle: Bundle, words: Sequence[str]) -> list[Resolution]:
    """What the words stand for, without those that stand for nothing; refuse a list without any."""
    if not words:
        raise InputError("There are no words to write: give a list that has some.")
    resolutions = [item for item in map(bundle.try_resolve, words) if item is not None]
    if not resolutions:
        raise InputError(
            f"There are no words to write: the vocabulary knows none of {', '.join(words)}."
        )
    return resolutions

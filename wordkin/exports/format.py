"""What an export format is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from wordkin.bundle import Bundle
from wordkin.measures import Measure

Writer = Callable[[Bundle, Measure, Path, Sequence[str] | None, int | None], None]


@dataclass(frozen=True)
class Format:
    """A way to write a measure for another program.

    Attributes
    ----------
    about : str
        What is written and for which program, in one line.
    writer : function
        Called as `writer(bundle, measure, path, words, top)`.
    """

    about: str
    writer: Writer

    def write(
        self,
        bundle: Bundle,
        measure: Measure,
        path: Path,
        words: Sequence[str] | None = None,
        top: int | None = None,
    ) -> None:
        """Write `measure` to `path`.

        Parameters
        ----------
        bundle : Bundle
            The bundle of the measure.
        measure : Measure
            What to write.
        path : Path
            The file or folder to write; an old one is replaced.
        words : sequence of str, optional
            The cards, for formats of boards. Default: the language's own board words that the
            vocabulary knows.
        top : int, optional
            For formats of pairs: write only the pairs of each word with its `top` nearest words.
        """
        self.writer(bundle, measure, path, words, top)

"""Errors that a person is meant to read: one sentence that says what, where and what to do.

Command lines print the sentence and exit with code 2, without a traceback. Code that reacts to one
kind of mistake catches its subclass; nobody catches `InputError` to steer by it.
"""

from __future__ import annotations

from collections.abc import Sequence


class InputError(Exception):
    """A mistake in what we were given."""

    def __str__(self) -> str:
        # A subclass may also be a KeyError, which would print its message in quotation marks.
        return str(self.args[0]) if self.args else ""

    @property
    def sentences(self) -> tuple[str, ...]:
        """One sentence per mistake."""
        return (str(self),)


class Mistakes(InputError):
    """Everything that is wrong in a file, one sentence per mistake."""

    def __init__(self, sentences: Sequence[str]) -> None:
        super().__init__("\n".join(sentences))
        self._sentences = tuple(sentences)

    @property
    def sentences(self) -> tuple[str, ...]:
        """One sentence per mistake."""
        return self._sentences


class UnknownWord(InputError):
    """A word that the vocabulary does not have, and that stands for no word which it has."""


class UnknownMeasure(InputError, KeyError):
    """A measure that a bundle does not have."""


class NoExplanation(InputError):
    """A pair of words of which a measure cannot say why they are related."""


class NoClue(InputError):
    """A board for which no word may be said."""


class NoBoardWords(InputError):
    """A language without a list of board words, or with too short a one."""

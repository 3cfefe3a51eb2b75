"""All texts that people read, by language: one file per language, with the same keys.

A key has a section and a name. A text has {places} for words and numbers. The section `terminal` is
for the command line and for sentences that the library itself says; the first part of its names
says what a text is for: `card_<colour>`, `illegal_<rule>`, `end_<how>`, `note_<kind>`,
`via_<how>`, `seat_<who>`. The other sections are for the site. Errors are always in English, so
that people can search for them.
"""

from __future__ import annotations

import tomllib
from datetime import date
from functools import cache
from numbers import Real
from pathlib import Path
from string import Formatter
from typing import Any

from wordkin.words import base

LANGUAGES = ("en", "hu")
"""The languages of the interface; the first one stands in for all others."""

TERMINAL = "terminal"


class Text(str):
    """A text with {places}; numbers in them are written as in its language."""

    marks: dict[int, str]

    def __new__(cls, text: str, marks: dict[int, str]) -> Text:
        """Make a text; `marks` replaces the comma, point and minus of formatted numbers."""
        made = super().__new__(cls, text)
        made.marks = marks
        return made

    def format(self, *values: object, **named: object) -> str:
        """Fill in the places."""
        return _NumberFormatter(self.marks).vformat(self, values, named)


class _NumberFormatter(Formatter):
    def __init__(self, marks: dict[int, str]) -> None:
        self._marks = marks

    def format_field(self, value: Any, format_spec: str) -> str:
        written = format(value, format_spec)
        return written.translate(self._marks) if isinstance(value, Real) else written


class Texts:
    """The texts in one language.

    Parameters
    ----------
    language : str
        The code of the language.
    sections : dict
        The texts by section and name.
    """

    def __init__(self, language: str, sections: dict[str, dict[str, str]]) -> None:
        signs = sections["number"]
        self._marks = str.maketrans(
            {",": signs["thousands"], ".": signs["point"], "-": signs["minus"]}
        )
        self.language = language
        self.sections = {
            section: {name: Text(text, self._marks) for name, text in texts.items()}
            for section, texts in sections.items()
        }

    def __call__(self, section: str, name: str, **values: object) -> str:
        """Return a text with its places filled in."""
        return self.sections[section][name].format(**values)

    def __getitem__(self, name: str) -> Text:
        """Return a text of the section `terminal` as it is."""
        return self.sections[TERMINAL][name]

    def has(self, section: str, name: str) -> bool:
        """Whether there is such a text."""
        return name in self.sections.get(section, {})

    def number(self, value: float, digits: int = 0) -> str:
        """A number with so many decimal places, as it is written in the language."""
        return f"{value:,.{digits}f}".translate(self._marks)

    def date(self, day: date) -> str:
        """A day, as it is written in the language."""
        month = self("month", str(day.month))
        return self("date", "day", day=day.day, month=month, year=day.year)


@cache
def _texts(code: str) -> Texts:
    content = (Path(__file__).parent / f"{code}.toml").read_text(encoding="utf-8")
    return Texts(code, tomllib.loads(content))


def texts(language: str) -> Texts:
    """Return the texts in a language, or in English if there are none."""
    code = base(language)
    return _texts(code if code in LANGUAGES else LANGUAGES[0])


def reasons(language: str) -> dict[str, Text]:
    """Return the texts for explanations of measures in `language`.

    The keys have no `because_`; those of resolved words, `via_<how>`, are as they are.
    """
    return {
        name.removeprefix("because_"): text
        for name, text in texts(language).sections[TERMINAL].items()
        if name.startswith(("because_", "via_"))
    }

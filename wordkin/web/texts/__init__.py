"""All texts of the site, by language: one file per language, with the same keys.

A key has a section and a name. A value is a sentence with {places} for words and numbers.
"""

from __future__ import annotations

import re
import tomllib
from datetime import date
from functools import cache
from pathlib import Path

from wordkin.words import base

LANGUAGES = ("en", "hu")
"""The languages of the interface; the first one stands in for all others."""


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
        self.language, self.sections = language, sections

    def __call__(self, section: str, name: str, **values: object) -> str:
        """Return a text with its places filled in."""
        return self.sections[section][name].format(**values)

    def number(self, value: float, digits: int = 0) -> str:
        """A number with so many decimal places, as it is written in the language."""
        whole, point, rest = f"{value:,.{digits}f}".replace("-", "−").partition(".")
        separated = whole.replace(",", self("number", "thousands"))
        return separated + (self("number", "point") + rest if point else "")

    def figures(self, text: str) -> str:
        """A text with its numbers, made for English readers, as they are written here."""
        text = re.sub(r"(?<![\w-])-(?=\d)", "−", text)
        if (point := self("number", "point")) == ".":
            return text
        text = re.sub(r"(?<=\d), (?=\d)", "; ", text)  # A comma is no separator of such numbers.
        text = re.sub(r"(?<=\d),(?=\d{3})", self("number", "thousands"), text)
        return re.sub(r"(?<=\d)\.(?=\d)", point, text)

    def date(self, day: date) -> str:
        """A day, as it is written in the language."""
        month = self("month", str(day.month))
        return self("date", "day", day=day.day, month=month, year=day.year)

    def has(self, section: str, name: str) -> bool:
        """Whether there is such a text."""
        return name in self.sections.get(section, {})


@cache
def texts(language: str) -> Texts:
    """The texts in a language, or in English if there are none."""
    code = base(language) if base(language) in LANGUAGES else LANGUAGES[0]
    content = (Path(__file__).parent / f"{code}.toml").read_text(encoding="utf-8")
    return Texts(code, tomllib.loads(content))

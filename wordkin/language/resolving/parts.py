"""Parts: hyphens and spaces, and compounds of known words such as kávéfőző = kávé + főző."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from wordkin.language.resolving import inflection
from wordkin.language.resolving.lexicon import Lexicon
from wordkin.language.resolving.resolution import Match, Step, weighted
from wordkin.words import base

LINKS: dict[str, str] = {
    "da": "s> e>",
    "de": "s> es> n> en> er> >e",
    "fi": "n>",
    "nl": "s> en> e>",
    "no": "s> e>",
    "sv": "s> >a >e",
}
"""What joins a word to the next one in a compound, `old>new`: Schul-buch has >e, Schule."""

SHORTEST = 4
"""The number of letters of the shortest part of a compound."""

SHORTEST_BY_LANGUAGE = {"de": 3, "fi": 3, "hu": 3}
"""Languages that write most compounds as one word. In English, consul + ate is no compound."""

FREQUENT = 0.4
"""A part of three letters is among this share of the most frequent words."""

HEAD = 0.6
"""The weight of the last part of a compound, which says what kind of thing it is."""

_BETWEEN = re.compile(r"[\s\-‐‑–/·.]+")


class Part(NamedTuple):
    """A part of a compound: its letters in it, and the known word."""

    letters: str
    word: str


def split(word: str) -> list[str]:
    """The parts of a word between spaces and hyphens."""
    return [part for part in _BETWEEN.split(word) if part]


def resolve_compound(word: str, lexicon: Lexicon) -> Match | None:
    """Match two or three known words that cover the whole word.

    Of all splits, the one with the fewest parts wins, then the one whose parts are the longest and
    the most frequent.
    """
    for number in (2, 3):
        splits = list(_splits(word, number, lexicon))
        if splits:
            best = max(splits, key=lambda parts: (_score(parts, lexicon), parts))
            words = tuple(part.word for part in best)
            rest = (1.0 - HEAD) / (number - 1)
            weights = [rest] * (number - 1) + [HEAD]
            pairs = zip(words, weights, strict=True)
            return Match((Step("parts", word, words),), weighted(pairs))
    return None


def _splits(word: str, number: int, lexicon: Lexicon) -> Iterator[tuple[Part, ...]]:
    """All ways to cover a word with so many known words."""
    shortest = SHORTEST_BY_LANGUAGE.get(base(lexicon.language), SHORTEST)
    if number == 1:
        head = _head(word, lexicon)
        if head:
            yield (head,)
        return
    for end in range(shortest, len(word) - shortest * (number - 1) + 1):
        modifier = _modifier(word[:end], lexicon)
        if modifier:
            for rest in _splits(word[end:], number - 1, lexicon):
                yield (modifier, *rest)


def _is_part(word: str, lexicon: Lexicon) -> bool:
    """Whether a known word may be a part: no rare short word, and no ending of the language."""
    known = lexicon.vocabulary.ids.get(word)
    if known is None or word in lexicon.endings:
        return False
    return len(word) >= SHORTEST or known < FREQUENT * len(lexicon.vocabulary)


def _modifier(letters: str, lexicon: Lexicon) -> Part | None:
    """A part that is not the last one: a known word, perhaps with a linking element."""
    if _is_part(letters, lexicon):
        return Part(letters, letters)
    for rule in LINKS.get(base(lexicon.language), "").split():
        old, new = rule.split(">")
        word = letters.removesuffix(old) + new
        if letters.endswith(old) and len(word) >= SHORTEST - 1 and _is_part(word, lexicon):
            return Part(letters, word)
    return None


def _head(letters: str, lexicon: Lexicon) -> Part | None:
    """The last part: a known word, or a form of a known word of at least four letters."""
    if _is_part(letters, lexicon):
        return Part(letters, letters)
    known = inflection.shorter_form(letters, lexicon)
    if known and len(known) >= SHORTEST and _is_part(known, lexicon):
        return Part(letters, known)
    return None


def _score(parts: tuple[Part, ...], lexicon: Lexicon) -> float:
    """How good a split is: long, frequent parts of balanced length."""
    return sum(
        math.log(1 + lexicon.count(part.word)) + 4 * math.log(len(part.letters)) for part in parts
    )

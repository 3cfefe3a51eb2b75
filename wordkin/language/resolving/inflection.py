"""Lemmas and endings: the known word that is another form of the typed one."""

from __future__ import annotations

from wordkin.language.resolving.lexicon import Lexicon
from wordkin.language.resolving.resolution import Match, single

SHORTEST_OF_TWO = 5
"""What must remain without two endings: short words look as if they had two (bor-d-a)."""


def resolve(word: str, lexicon: Lexicon) -> Match | None:
    """Match a known word of the same lemma, else one that differs by its endings."""
    known = lexicon.by_lemma.get(word) or shorter_form(word, lexicon) or longer_form(word, lexicon)
    return single("lemma", word, known) if known else None


def shorter_form(word: str, lexicon: Lexicon) -> str | None:
    """The known word that remains when the fewest letters of endings are taken off."""
    suffixes = lexicon.suffixes
    if suffixes is None:
        return None
    once = suffixes.without_ending(word)
    twice = {stem for longer in once for stem in suffixes.without_ending(longer)}
    stems = {word} | once | {stem for stem in twice if suffixes.length(stem) >= SHORTEST_OF_TWO}
    # Sorted: sets have another order in every process.
    by_length = sorted(stems, key=lambda stem: (-len(stem), stem))
    changed = [stem for longer in by_length for stem in sorted(suffixes.vowel_changes(longer))]
    for stem in map(suffixes.respell, (*by_length, *changed)):
        known = lexicon.by_stem.get(stem) or lexicon.by_lemma.get(stem)
        if known:
            return known
    return None


def longer_form(word: str, lexicon: Lexicon) -> str | None:
    """The most frequent known word that is the typed one with an inflection."""
    suffixes = lexicon.suffixes
    if suffixes is None or len(word) < suffixes.shortest_light:
        return None
    return lexicon.most_frequent(suffixes.inflected(word))

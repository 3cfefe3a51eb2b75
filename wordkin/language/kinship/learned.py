"""Rules for a language that we know nothing about, learned from the lemmas of its bundle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import takewhile

from wordkin.language.kinship.rules import Rules

FEWEST = 5
"""How many words must show an ending before it counts as one."""

LONGEST = 5
"""The most letters of an ending, and of what replaces it: longer ones are other words."""

SHORTEST = 3
"""How many letters must be left before an ending that was learned."""

BEGINNING = 5
"""The length of a shared beginning that makes two words relatives; see `Rules.beginning`."""


def learn_rules(lemmas: Mapping[str, str]) -> Rules:
    """The rules that the lemmas of a language show.

    A word and its lemma share a beginning, and the rest of the word is an ending: *casas, casa*
    shows `s`, *luces, luz* shows `ces>z`. Endings that several words show are the inflections of
    the language. Derivations have no lemma in common, so the general rule has to find them.
    """
    numbers: Counter[tuple[str, str]] = Counter()
    for word, lemma in lemmas.items():
        pairs = zip(word, lemma, strict=False)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        old, new = word[shared:], lemma[shared:]
        if shared >= SHORTEST and 0 < len(old) <= LONGEST and len(new) <= LONGEST:
            numbers[old, new] += 1
    endings = sorted(
        f"{old}>{new}"
        for (old, new), number in numbers.items()
        if number >= FEWEST and not any(c.isspace() or c == ">" for c in old + new)
    )
    learned = " ".join(endings)
    return Rules(inflections=learned, firm={SHORTEST: learned}, shared_firm=4, beginning=BEGINNING)

"""The words of gold sets, in the form that the tokens of their language have."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipeline.corpus.languages import language
from pipeline.layout import Layout
from wordkin.errors import InputError
from wordkin.judging.pairs import read_pairs


def gold_form(layout: Layout, lemmatize: bool) -> Callable[[str], str]:
    """From a gold word to its form in the vocabulary, by the rules that made the tokens.

    An entry of several words keeps its spaces, so no vocabulary has it.
    """
    spoken = language(layout.language)

    def form(word: str) -> str:
        tokens = spoken.words(word)
        return " ".join(spoken.lemma(t) for t in tokens) if lemmatize else " ".join(tokens)

    return form


def gold_words(layout: Layout, names: Sequence[str], lemmatize: bool) -> list[str]:
    """The single words of the gold sets `names` of a language."""
    form = gold_form(layout, lemmatize)
    words: set[str] = set()
    for name in names:
        path = layout.gold / f"{name}.tsv"
        if not path.is_file():
            there = ", ".join(sorted(found.stem for found in layout.gold.glob("*.tsv"))) or "none"
            raise InputError(
                f"languages.{layout.language}.vocabulary.gold: the gold set '{name}' is not there "
                f"(there is {there}): name another, or see eval/gold.yaml for where it comes from."
            )
        words.update(form(word) for pair in read_pairs(path) for word in (pair.first, pair.second))
    return sorted(word for word in words if word and " " not in word)

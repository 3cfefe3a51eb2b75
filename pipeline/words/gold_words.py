"""The words of gold sets, in the form of the tokens of their language."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipeline.languages import language
from pipeline.languages.tokenizer import tokenizer
from pipeline.layout import Layout
from pipeline.words.lemma_table import LemmaTable
from wordkin.errors import InputError
from wordkin.rated_pairs import read_pairs


def gold_form(layout: Layout, lemmatize: bool) -> Callable[[str], str]:
    """The function from a gold word to its form in the vocabulary, by the rules of the corpus.

    An entry of several words keeps its spaces, so that no vocabulary has it.
    """
    table = LemmaTable.of_vocabulary(layout.vocabulary) if lemmatize else None
    return _form(layout.language, lemmatize, table)


def _form(code: str, lemmatize: bool, table: LemmaTable | None) -> Callable[[str], str]:
    tokens_of, lemma_of = tokenizer(code), language(code).lemma

    def lemma(word: str) -> str:
        """The lemma by the corpus; by the language alone if the corpus does not have the word."""
        return (table and table.get(word)) or lemma_of(word)

    if lemmatize:
        return lambda word: " ".join(map(lemma, tokens_of(word)))
    return lambda word: " ".join(tokens_of(word))


def gold_words(layout: Layout, names: Sequence[str], table: LemmaTable | None) -> list[str]:
    """The single words of the named gold sets of a language, sorted.

    `table` has the lemmas of the corpus; None where words are counted by form.
    """
    form = _form(layout.language, table is not None, table)
    words: set[str] = set()
    for name in names:
        path = layout.gold / f"{name}.tsv"
        if not path.is_file():
            available = ", ".join(sorted(path.stem for path in layout.gold.glob("*.tsv"))) or "none"
            raise InputError(
                f"languages.{layout.language}.vocabulary.gold: there is no gold set '{name}' "
                f"(there is {available}): name another one, or see eval/gold.yaml for where to get "
                "it."
            )
        words.update(form(word) for pair in read_pairs(path) for word in (pair.first, pair.second))
    return sorted(word for word in words if word and " " not in word)

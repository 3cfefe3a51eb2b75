"""Resolving words before there is a bundle: the same ladder over the measures made so far."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.languages import language
from pipeline.layout import Layout
from pipeline.measures.subwords import learn_from, vector_measure
from wordkin.language.resolving import Lexicon, Resolver, Subwords
from wordkin.vocabulary import Vocabulary


def make_resolver(layout: Layout, names: Sequence[str]) -> Resolver:
    """The resolver that the bundle of these measures will have."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")

    def lemmas() -> Sequence[str]:
        return language(layout.language).lemmas(vocabulary.words) or vocabulary.words

    def subwords() -> Subwords | None:
        folders = {name: layout.measure(name) for name in names}
        source = vector_measure(folders)
        return learn_from(folders[source], vocabulary) if source else None

    return Resolver(Lexicon(vocabulary, layout.language, lemmas), subwords)

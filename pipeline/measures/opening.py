"""The measures of a build, opened by name, wherever their stages put them."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.layout import Layout, blended_names
from wordkin.measures.blend import named
from wordkin.measures.measure import Measure
from wordkin.measures.store import open_measure
from wordkin.vocabulary import Vocabulary


def open_built(layout: Layout, name: str, vocabulary: Vocabulary) -> Measure:
    """Open the measure called `name`; its parts may be in families."""
    return open_measure(layout.measure(name), vocabulary, find=layout.measure)


def open_measures(layout: Layout, names: Sequence[str]) -> list[Measure]:
    """Open the measures `names`; a name such as `npmi+svd` stands for a blend."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    parts = dict.fromkeys(part for name in names for part in blended_names(name))
    opened = {part: open_built(layout, part, vocabulary) for part in parts}
    return [named(name, opened) for name in names]

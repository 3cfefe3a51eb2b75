"""The measures of a language, opened by name."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.layout import Layout
from wordkin.measures import Measure, open_measure
from wordkin.measures.blend import named, parse_weights
from wordkin.vocabulary import Vocabulary


def open_measures(layout: Layout, names: Sequence[str]) -> list[Measure]:
    """Open the measures `names`; a name such as `npmi+svd` stands for a blend."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    parts = {part for name in names for part in (parse_weights(name) if "+" in name else [name])}
    opened = {part: open_measure(layout.measure(part), vocabulary) for part in parts}
    return [named(name, opened) for name in names]

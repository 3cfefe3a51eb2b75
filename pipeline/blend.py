"""measures -> blend: the weighted mean of several measures, each on the scale of its own spread."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pipeline.layout import Layout
from wordkin.errors import InputError
from wordkin.measures import Part, describe, open_measure, spread, write_measure
from wordkin.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pipeline.settings import Blend


def run(layout: Layout, settings: Blend) -> dict[str, Any]:
    """Make the measure `blend` of a language: weights, and the spread of each measure."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    parts = []
    for name, weight in settings.weights.items():
        folder = layout.measure(name)
        if not (folder / "measure.json").is_file():
            raise InputError(
                f"blend.weights names '{name}', and {folder} is not there: run that stage first, "
                "or take the name out."
            )
        if describe(folder)["kind"] == "blend":
            raise InputError(f"blend.weights names '{name}', a blend itself: take the name out.")
        parts.append(Part(name, weight, *spread(open_measure(folder, vocabulary), settings.seed)))
    facts = {"parts": [asdict(part) for part in parts], "words": len(vocabulary)}
    write_measure(layout.measure("blend"), "blend", "blend", {}, facts)
    return {
        "words": len(vocabulary),
        "parts": {part.measure: asdict(part) for part in parts},
    }

"""measures -> blend: the weighted mean of several measures, each on the scale of its own spread."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pipeline.layout import Layout
from pipeline.settings import Blend
from wordkin import measures
from wordkin.blend import blend
from wordkin.errors import InputError
from wordkin.measures import open_measure, write_measure
from wordkin.vocabulary import Vocabulary


def run(layout: Layout, settings: Blend) -> dict[str, Any]:
    """Make the measure `blend` of a language: weights, and the spread of each measure."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    opened = {}
    for name in settings.weights:
        folder = layout.measure(name)
        if not (folder / "measure.json").is_file():
            raise InputError(
                f"blend.weights names '{name}', and {folder} is not there: run that stage first, "
                "or take the name out."
            )
        if measures.describe(folder)["kind"] == "blend":
            raise InputError(f"blend.weights names '{name}', a blend itself: take the name out.")
        opened[name] = open_measure(folder, vocabulary)
    parts = [asdict(part) for part in blend("blend", settings.weights, opened, settings.seed).parts]
    facts = {"parts": parts, "words": len(vocabulary)}
    write_measure(layout.measure("blend"), "blend", "blend", {}, facts)
    return {"words": len(vocabulary), "parts": {part["measure"]: part for part in parts}}


def describe(metrics: dict[str, Any]) -> str:
    """The stage's one-line summary."""
    return " + ".join(f"{part['weight']:g} {name}" for name, part in metrics["parts"].items())

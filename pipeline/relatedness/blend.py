"""measures -> blend: the weighted mean of several measures, each standardised."""

from __future__ import annotations

from dataclasses import asdict

from pipeline.layout import Layout
from pipeline.settings import Blend
from pipeline.stage import Job, Metrics
from wordkin import measures
from wordkin.errors import InputError
from wordkin.measures import open_measure, write_measure
from wordkin.measures.blend import blend
from wordkin.vocabulary import Vocabulary


def run(job: Job) -> Metrics:
    """Make the measure `blend` of a language: its weights, and the spread of each measure."""
    return make_blend(job.layout, job.settings.blend)


def make_blend(layout: Layout, settings: Blend) -> Metrics:
    """Open the measures that the weights name, measure their spread, and write the blend."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    opened = {}
    for name in settings.weights:
        folder = layout.measure(name)
        if not (folder / "measure.json").is_file():
            raise InputError(
                f"blend.weights names '{name}', but there is no {folder}: run that stage first, "
                "or take the name out."
            )
        if measures.describe(folder)["kind"] == "blend":
            raise InputError(
                f"blend.weights names '{name}', which is a blend itself: take the name out."
            )
        opened[name] = open_measure(folder, vocabulary)
    blended = blend("blend", settings.weights, opened, settings.seed)
    terms = [asdict(term) for term in blended.terms]
    facts = {"parts": terms, "words": len(vocabulary)}
    write_measure(layout.measure("blend"), "blend", "blend", {}, facts)
    return {"words": len(vocabulary), "parts": {term["measure"]: term for term in terms}}


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    terms = metrics["parts"].items()
    weights = " + ".join(f"{term['weight']:g} {name}" for name, term in terms)
    return f"{len(terms)} measures in, their blend ({weights}) of {metrics['words']:,} words out"

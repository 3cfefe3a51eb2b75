"""measures -> blend, informed: weighted means of several measures, each standardised.

    blend       of measures that are made from raw text alone
    informed    with knowledge (dictionaries, WordNet, vectors from elsewhere); the folder is empty
                if the build has none of it

A weight may name a measure of a family. Where a language has no data for it, the blend is made of
the others, and a line says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, field
from typing import Annotated

from pydantic.dataclasses import dataclass

from pipeline.layout import FAMILIES, INFORMED, SINGLE, Layout
from pipeline.measures.family import WITH_KNOWLEDGE
from pipeline.measures.opening import open_built
from pipeline.mistakes import KNOWN_KEYS, Number, Whole, between, rule, suggestion
from pipeline.settings import Check, Publish, Section
from pipeline.stage import Job, Metrics, Stage
from wordkin.errors import InputError
from wordkin.files import new_folder
from wordkin.measures.blend import blend
from wordkin.measures.files import describe as describe_measure
from wordkin.measures.files import write_measure
from wordkin.measures.measure import Measure
from wordkin.vocabulary import Vocabulary


def positive_weights(weights: dict[str, float]) -> str | None:
    """The rule for the weights of a blend."""
    for name, weight in weights.items():
        if weight <= 0:
            return f"{name} has the weight {weight:g}; write a number above 0"
    return None


def some_positive_weights(weights: dict[str, float]) -> str | None:
    """The rule for the weights of a blend that every build has."""
    return positive_weights(weights) if weights else "is empty: name at least one"


@dataclass(frozen=True, config=KNOWN_KEYS)
class Blend(Section):
    """The weighted mean of several measures: of raw text alone, and with knowledge."""

    KEY = "blend"

    weights: Annotated[dict[str, Number], rule(some_positive_weights)]
    informed: Annotated[dict[str, Number], rule(positive_weights)] = field(default_factory=dict)
    seed: Annotated[Whole, between(0)] = 0

    def mistakes(self, check: Check) -> Iterator[str]:
        published = check.settings.checked_section(Publish)[0]
        for key, name, weights in (
            ("weights", "blend", self.weights),
            ("informed", INFORMED, self.informed),
        ):
            for part in weights:
                if part not in check.parts:
                    known = suggestion(part, check.parts)
                    yield f"{key}.{part}: not a measure to blend; {known}"
            if published and name in published.measures:
                missing = ", ".join(part for part in weights if part not in published.measures)
                if missing:
                    yield f"{key}: publish.measures has '{name}' without {missing}; add them there."


def run(job: Job) -> Metrics:
    """Make the two blends of a language: their weights, and the spread of each measure."""
    return make_blend(job.layout, job.settings.section(Blend))


def make_blend(layout: Layout, settings: Blend) -> Metrics:
    """Write the blend of raw text, and the blend with knowledge if there is any."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    raw = open_parts(layout, "blend.weights", settings.weights, vocabulary)
    for name, measure in raw.items():
        if is_informed(measure):
            raise InputError(
                f"blend.weights names '{name}', which is not made from raw text alone: move the "
                "name to blend.informed."
            )
    if not raw:
        raise InputError(
            f"The build of '{layout.language}' has no measure of blend.weights: add one that needs "
            "no data, such as svd."
        )
    figures = _write(layout, "blend", settings.weights, raw, settings.seed)
    informed = open_parts(layout, "blend.informed", settings.informed, vocabulary)
    if any(map(is_informed, informed.values())):
        with_knowledge = _write(layout, INFORMED, settings.informed, informed, settings.seed)
    else:
        with_knowledge = {}
        with new_folder(layout.measure(INFORMED)):
            pass
    return {"words": len(vocabulary), **figures, INFORMED: with_knowledge}


def is_informed(measure: Measure) -> bool:
    """Whether a measure is made with anything else than raw text."""
    return WITH_KNOWLEDGE.items() <= measure.facts.items()


def open_parts(
    layout: Layout, key: str, weights: Mapping[str, float], vocabulary: Vocabulary
) -> dict[str, Measure]:
    """The measures that the weights below `key` name and the build has."""
    opened = {}
    for name in weights:
        if layout.has_measure(name):
            if describe_measure(layout.measure(name))["kind"] == "blend":
                raise InputError(
                    f"{key} names '{name}', which is a blend itself: take the name out."
                )
            opened[name] = open_built(layout, name, vocabulary)
        elif name in SINGLE:
            raise InputError(
                f"{key} names '{name}', but there is no {layout.measure(name)}: run that stage "
                "first, or take the name out."
            )
    return opened


def _write(
    layout: Layout,
    name: str,
    weights: Mapping[str, float],
    measures: Mapping[str, Measure],
    seed: int,
) -> Metrics:
    """Write a blend of the opened measures, and return its figures."""
    present = {part: weight for part, weight in weights.items() if part in measures}
    left_out = [part for part in weights if part not in measures]
    blended = blend(name, present, measures, seed)
    terms = [asdict(term) for term in blended.terms]
    knowledge = WITH_KNOWLEDGE if any(map(is_informed, measures.values())) else {}
    facts = {"parts": terms, **knowledge}
    write_measure(layout.measure(name), name, "blend", len(blended.vocabulary), facts=facts)
    return {
        "parts": {term["measure"]: term for term in terms},
        "left_out": left_out,
    }


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    informed = metrics[INFORMED]
    with_knowledge = f"; {INFORMED}: {_formula(informed)}" if informed else "; no knowledge"
    return (
        f"{len(metrics['parts'])} measures in, their blend ({_formula(metrics)}) of "
        f"{metrics['words']:,} words out{with_knowledge}"
    )


def _formula(figures: Metrics) -> str:
    weighted = " + ".join(f"{term['weight']:g} {name}" for name, term in figures["parts"].items())
    lacking = figures["left_out"]
    return weighted + (f", without {', '.join(lacking)}" if lacking else "")


STAGE = Stage(
    "blend",
    run,
    describe,
    reads=("vocabulary", *SINGLE, *FAMILIES),
    writes=("blend", INFORMED),
    section=Blend,
    memory=lambda sizes, settings: 2 * sizes.chunk + 8.0 * sizes.words * 1000,
)

"""Several measures as one: where the blends come from, stored ones and those asked for by name.

A blend is written as names with a plus between, and weights after a colon where they differ:
`npmi+svd`, `npmi:2+svd`. It is the same as a stored one of these weights.
"""

from __future__ import annotations

from collections.abc import Mapping

from wordkin.errors import InputError
from wordkin.measures import BlendMeasure, Measure, Part, spread


def blend(
    name: str, weights: Mapping[str, float], measures: Mapping[str, Measure], seed: int = 0
) -> BlendMeasure:
    """The blend called `name` of some of `measures`, each standardised by its spread.

    Parameters
    ----------
    name : str
        What the blend is called.
    weights : mapping of str to float
        How much each measure counts.
    measures : mapping of str to Measure
        The measures by name, all of one vocabulary.
    seed : int, optional
        Of the random pairs that tell a measure's spread.
    """
    chosen = [measures[part] for part in weights]
    parts = [
        Part(part, weight, *spread(measure, seed))
        for (part, weight), measure in zip(weights.items(), chosen, strict=True)
    ]
    return BlendMeasure(name, chosen[0].vocabulary, parts, chosen)


def parse_weights(text: str) -> dict[str, float]:
    """The weights of the measures that a blend's text names; a measure named twice adds up."""
    weights: dict[str, float] = {}
    for part in text.split("+"):
        name, colon, number = (piece.strip() for piece in part.partition(":"))
        try:
            weight = float(number) if colon else 1.0
        except ValueError:
            weight = 0.0
        if not name or not 0 < weight < float("inf"):
            raise InputError(
                f"'{text}' is not a blend of measures: write names with weights above 0, "
                "such as npmi:2+svd."
            )
        weights[name] = weights.get(name, 0.0) + weight
    return weights


def named(name: str, measures: Mapping[str, Measure]) -> Measure:
    """The measure called `name`, or the blend that it spells."""
    return blend(name, parse_weights(name), measures) if "+" in name else measures[name]

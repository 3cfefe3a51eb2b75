"""The temperature of each measure for the bundle: how sure people are when they choose by it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pipeline.layout import Layout
from pipeline.measures.opening import open_measures
from wordkin.errors import InputError
from wordkin.measures.temperature import rank_temperature


def guesser_facts(layout: Layout, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The temperature of each measure, and what it is from: recorded rounds, or ranks alone."""
    recorded = _recorded(layout)
    facts: dict[str, dict[str, Any]] = {
        name: {"temperature": recorded[name], "from": "rounds"}
        for name in names
        if name in recorded
    }
    others = [name for name in names if name not in recorded]
    for measure in open_measures(layout, others):
        facts[measure.name] = {
            "temperature": significant(rank_temperature(measure)),
            "from": "ranks",
        }
    return {name: facts[name] for name in names}


def significant(value: float) -> float:
    """A number to four digits: more would differ between processors."""
    return float(f"{value:.4g}")


def _recorded(layout: Layout) -> dict[str, float]:
    """The temperatures that were fitted to recorded rounds; none when there are no rounds."""
    path = layout.metrics("human")
    if not path.is_file():
        return {}
    try:
        temperatures = json.loads(path.read_text(encoding="utf-8")).get("temperatures", {})
        return {name: float(value) for name, value in temperatures.items()}
    except (AttributeError, TypeError, ValueError) as error:
        raise InputError(f"{path} is damaged: run its stage again.") from error

"""Measures against people's choices, and a measure that learns from them.

    eval/<lang>/rounds, matrices/<lang>/{npmi, ...} ──human──▶ matrices/<lang>/
        human       the measure `human`
        human.json  how each measure agrees with people, and what was learned, for the report

Without recorded rounds the folder of the measure is empty, and later stages do without it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.special import softmax
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from pipeline.fetched import read_recorded
from pipeline.judge.agreement import (
    Agreement,
    between_people,
    chance,
    difference,
    table_agreement,
)
from pipeline.judge.choices import Choices, fit, fit_temperature
from pipeline.judge.picks import Array, Picks, coverage, relatedness_table
from pipeline.layout import LEARNED, MEASURES, Layout
from pipeline.measures.opening import open_measures
from pipeline.measures.subwords import learn_from, vector_measure
from pipeline.settings import Human
from pipeline.stage import Job, Metrics, Stage
from pipeline.words.lemmas import gold_form, lemmas_of_words
from wordkin.errors import InputError
from wordkin.files import new_folder
from wordkin.game.rounds import Item
from wordkin.intervals import Estimate
from wordkin.language.resolving import Lexicon, Resolver
from wordkin.language.subwords import Subwords
from wordkin.measures.blend import BlendMeasure
from wordkin.measures.learned import TEMPERATURE, LearnedMeasure, untrained, write_learned
from wordkin.measures.temperature import rank_temperature
from wordkin.vocabulary import Vocabulary

DECISIVE = ("precision", "likelihood")
"""The statistics by which the learned measure is compared with the others."""

RELIABILITY_POINTS = 8

NO_ROUNDS: Metrics = {"rounds": 0}
"""The metrics when no rounds were recorded."""


def run(job: Job) -> Metrics:
    """Compare a language's measures with people, and learn the measure `human`."""
    settings = job.settings
    measures = job.layout.available(settings.publish.measures)
    return make_human(job.layout, settings.human, measures)


def make_human(layout: Layout, settings: Human, measures: Sequence[str]) -> Metrics:
    """Write the learned measure, or an empty folder when no rounds were recorded."""
    items = read_recorded(layout)
    if items:
        return _learn(layout, items, settings, measures)
    with new_folder(layout.measure(LEARNED)):
        return NO_ROUNDS


def _learn(layout: Layout, items: Sequence[Item], settings: Human, names: Sequence[str]) -> Metrics:
    measures = open_measures(layout, comparable(names))
    form = gold_form(layout)
    resolve = make_resolver(layout, comparable(names)).try_resolve
    # One thread: the order in which a threaded BLAS adds up depends on the number of threads.
    with threadpool_limits(1, user_api="blas"):
        # Not the blend: its parts are among the terms themselves.
        single = [measure for measure in measures if not isinstance(measure, BlendMeasure)]
        learned = untrained(LEARNED, single, settings.seed)
        choices = Choices.of(learned, items, layout.language, form, resolve)
        left_out = choices.left_out(settings.seed)
        learned = learned.with_weights(fit(choices.features, choices.picks))
    picks, known = choices.picks, choices.lookup.in_vocabulary
    write_learned(layout.measure(LEARNED), learned, {"rounds": len(picks), "seed": settings.seed})
    draws: dict[str, Any] = {"resamples": settings.resamples, "seed": settings.seed}
    agreements = {
        measure.name: table_agreement(
            measure.name, relatedness_table(measure, choices.lookup), picks, known, **draws
        )
        for measure in measures
    }
    agreements[LEARNED] = table_agreement(LEARNED, left_out, picks, known, temperature=1.0, **draws)
    best = max(single, key=lambda measure: agreements[measure.name].all["precision"].value).name
    return {
        "rounds": len(picks),
        "items": len(items),
        "boards": len({item.board for item in items}),
        "sessions": len({played.session for item in items for played in item.rounds}),
        "coverage": coverage(picks, choices.lookup),
        "people": _plain(between_people(items, **draws)),
        "chance": _plain(chance(items, **draws)),
        "agreement": {name: _plain(agreement) for name, agreement in agreements.items()},
        "best": best,
        "gain": {
            statistic: _plain_interval(difference(agreements[LEARNED], agreements[best], statistic))
            for statistic in DECISIVE
        },
        "weights": weights(learned),
        "reliability": reliability(left_out, picks),
        "temperatures": temperatures(agreements, left_out, picks),
    }


def comparable(names: Sequence[str]) -> list[str]:
    """The measures that `human` is made of and compared with: no blends by name, and not itself."""
    return [name for name in names if name != LEARNED and "+" not in name]


def temperatures(
    agreements: Mapping[str, Agreement], left_out: Array, picks: Picks
) -> dict[str, float]:
    """The temperature of each measure, in its own units.

    That of the learned measure is fitted to left-out boards: on the boards that its weights were
    fitted to, people seem surer than they are.
    """
    fits = {name: agreement.temperature or 1.0 for name, agreement in agreements.items()}
    fits[LEARNED] = TEMPERATURE * fit_temperature(left_out, picks)
    return {name: significant(value) for name, value in fits.items()}


def reliability(utilities: Array, picks: Picks) -> dict[str, list[float]]:
    """How often a card is a first pick, by the chance that the learned measure gives it.

    Of a reliable guesser, both are equal: of the cards with a chance of 30 %, people pick 30 %.
    """
    from sklearn.calibration import calibration_curve  # it takes seconds to import

    nth = picks.in_order[0]
    chances = softmax(np.where(nth.left, utilities[picks.item[nth.rounds]], -np.inf), axis=1)
    picked = np.zeros(chances.shape, dtype=bool)
    picked[np.arange(len(picked)), nth.picked] = True
    seen, said = calibration_curve(
        picked[nth.left], chances[nth.left], n_bins=RELIABILITY_POINTS, strategy="quantile"
    )
    return {"said": said.round(4).tolist(), "seen": seen.round(4).tolist()}


def weights(learned: LearnedMeasure) -> list[dict[str, Any]]:
    """The terms of a learned measure and their weights, as plain data."""
    by_kind = (
        ("relatedness", learned.relatedness_terms),
        ("standing", learned.standing_terms),
        ("frequency", [learned.frequency_term]),
    )
    return [
        {"term": kind, "measure": term.measure, "weight": round(term.weight, 4)}
        for kind, terms in by_kind
        for term in terms
    ]


def _plain(agreement: Agreement) -> dict[str, Any]:
    """An agreement as plain data, over all rounds and over the covered ones."""
    temperature = agreement.temperature
    return {
        "covered": agreement.covered,
        "temperature": None if temperature is None else significant(temperature),
        **{
            key: {statistic: _plain_interval(value) for statistic, value in estimates.items()}
            for key, estimates in (("all", agreement.all), ("known", agreement.known))
        },
    }


def _plain_interval(figure: Estimate) -> dict[str, float]:
    """A figure with its interval, to four decimals: more would differ between processors."""
    return {key: round(float(value), 4) for key, value in figure._asdict().items()}


def make_resolver(layout: Layout, names: Sequence[str]) -> Resolver:
    """The resolver that the bundle of these measures will have."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")

    def lemmas() -> Sequence[str]:
        return lemmas_of_words(layout, vocabulary.words)

    def subwords() -> Subwords | None:
        folders = {name: layout.measure(name) for name in names}
        source = vector_measure(folders)
        return learn_from(folders[source], vocabulary) if source else None

    return Resolver(Lexicon(vocabulary, layout.language, lemmas), subwords)


def guesser_facts(layout: Layout, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The temperature of each measure, and what it is from: recorded rounds, or ranks alone."""
    recorded = _recorded(layout)
    others = [name for name in names if name not in recorded]
    by_rank = {
        measure.name: significant(rank_temperature(measure))
        for measure in open_measures(layout, others)
    }
    return {
        name: {"temperature": recorded[name], "from": "rounds"}
        if name in recorded
        else {"temperature": by_rank[name], "from": "ranks"}
        for name in names
    }


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


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    if not metrics["rounds"]:
        return "no recorded rounds, so nothing to learn from people"
    best, gain = metrics["best"], metrics["gain"]["precision"]
    precision = {
        name: agreement["all"]["precision"]["value"]
        for name, agreement in metrics["agreement"].items()
    }
    clearly = "clearly better" if gain["low"] > 0 else "not clearly better"
    people = metrics["people"]["known"].get("precision", {}).get("value", 0)
    known, total = metrics["coverage"]["rounds"]
    return (
        f"{metrics['rounds']:,} rounds in, {total - known:,} of them with a clue outside the "
        f"vocabulary; {LEARNED} out: P@n on left-out boards {precision[LEARNED]:.3f}, {clearly} "
        f"than {best} {precision[best]:.3f}; between people {people:.3f}"
    )


STAGE = Stage(
    "human",
    run,
    describe,
    reads=("rounds", "vocabulary", *MEASURES),
    writes=("human",),
    section=Human,
    params=("publish.measures",),
    memory=lambda sizes, settings: 2 * sizes.chunk,
)

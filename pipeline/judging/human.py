"""Measures against people's choices, and a measure that learns from them.

    eval/<lang>/rounds, matrices/<lang>/{npmi, ...} ──human──▶ matrices/<lang>/
        human       the measure `human`
        human.json  how each measure agrees with people, and what was learned, for the report

Without rounds the measure's folder is empty, and everything downstream goes on without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from pipeline.fetching.recorded_rounds import read_recorded
from pipeline.layout import LEARNED, Layout
from pipeline.settings import Human
from pipeline.stage import Job, Metrics
from wordkin.errors import InputError
from wordkin.files import new_folder
from wordkin.judging.agreement import (
    Agreement,
    agreement,
    between_people,
    chance,
    difference,
    table_agreement,
)
from wordkin.judging.choice import Choices, Fitted, gather, join, learn
from wordkin.judging.intervals import Difference
from wordkin.judging.picks import coverage
from wordkin.judging.rounds import Item
from wordkin.measures import BlendMeasure, Measure, open_measure
from wordkin.measures.learned import LearnedMeasure, untrained, write_learned
from wordkin.vocabulary import Vocabulary

DECISIVE = ("precision", "likelihood")
"""The statistics by which the learned measure is compared with the others."""


def run(job: Job) -> Metrics:
    """Compare a language's measures with people, and learn the measure `human`."""
    settings = job.settings
    measures, lemmatize = settings.publish.measures, job.language.lemmatize
    return make_human(job.layout, settings.human, measures, lemmatize)


def make_human(
    layout: Layout, settings: Human, measures: Sequence[str], lemmatize: bool
) -> Metrics:
    """Write the learned measure, or an empty folder when no rounds were recorded."""
    items = read_recorded(layout)
    with new_folder(layout.measure(LEARNED)) as folder:
        return _learn(layout, folder, items, settings, measures, lemmatize) if items else NOTHING


NOTHING: Metrics = {"rounds": 0}
"""What there is to tell when no rounds were recorded."""


def _learn(
    layout: Layout,
    folder: Path,
    items: Sequence[Item],
    settings: Human,
    measures: Sequence[str],
    lemmatize: bool,
) -> Metrics:
    # Imported here: with no rounds, which is usual, the stage should cost nothing.
    from pipeline.corpus.gold_words import gold_form

    opened = open_measures(layout, measures)
    form = gold_form(layout, lemmatize)
    # One thread: a threaded BLAS adds up in an order that depends on the number of threads.
    with threadpool_limits(1, user_api="blas"):
        # The parts of a blend are among the terms themselves.
        single = [measure for measure in opened if not isinstance(measure, BlendMeasure)]
        learned = untrained(LEARNED, single, settings.seed)
        choices = gather(learned, items, layout.language, form)
        fitted = learn(choices, settings.seed)
    learned = learned.with_weights(fitted.weights)
    facts = {"rounds": len(choices.picks), "ridge": fitted.ridge, "seed": settings.seed}
    write_learned(folder, learned, facts)
    draws = {"resamples": settings.resamples, "seed": settings.seed}
    by_name = {m.name: agreement(m, items, layout.language, form=form, **draws) for m in opened}
    by_name[LEARNED] = judged(choices, fitted, settings)
    best = max(single, key=lambda m: by_name[m.name].all["precision"].value).name
    return {
        "rounds": len(choices.picks),
        "items": len(items),
        "boards": len({item.board for item in items}),
        "sessions": len({one.session for item in items for one in item.rounds}),
        "coverage": asdict(coverage(choices.picks, choices.lookup)),
        "people": _figures(between_people(items, **draws)),
        "chance": _figures(chance(items, **draws)),
        "agreement": {name: _figures(found) for name, found in by_name.items()},
        "best": best,
        "gain": {
            statistic: _difference(difference(by_name[LEARNED], by_name[best], statistic))
            for statistic in DECISIVE
        },
        "ridge": fitted.ridge,
        "weights": weights(learned),
    }


def judged(choices: Choices, fitted: Fitted, settings: Human, name: str = LEARNED) -> Agreement:
    """How the learned weights agree with people on boards left out of their fit."""
    return table_agreement(
        name,
        fitted.left_out,
        choices.picks,
        choices.lookup.covered,
        resamples=settings.resamples,
        seed=settings.seed,
        temperature=1.0,
    )


def together(layouts: Sequence[Layout], settings: Human, lemmatize: Mapping[str, bool]) -> str:
    """One set of weights for several languages, beside each language's own; as lines of text."""
    from pipeline.corpus.gold_words import gold_form

    found = []
    for layout in layouts:
        items = read_recorded(layout)
        if items and (layout.measure(LEARNED) / "measure.json").is_file():
            vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
            learned = open_measure(layout.measure(LEARNED), vocabulary)
            assert isinstance(learned, LearnedMeasure)
            form = gold_form(layout, lemmatize[layout.language])
            found.append((learned, gather(learned, items, layout.language, form)))
    terms = {tuple(term.measure for term in learned.terms) for learned, _ in found}
    if len(found) < 2 or len(terms) > 1:
        raise InputError(
            "Learning from several languages needs two or more with rounds and the same measures: "
            "run the stage human of each first."
        )
    with threadpool_limits(1, user_api="blas"):
        own = [learn(choices, settings.seed) for _, choices in found]
        pooled = join([choices for _, choices in found])
        both = learn(pooled, settings.seed)
    lines = ["boards left out      weights     P@n                  ln likelihood of a pick"]
    start = 0
    for (_, choices), fitted in zip(found, own, strict=True):
        end = start + len(choices.picks.items)
        code = choices.picks.items[0].language
        cards = choices.features.shape[1]
        shared = Fitted(both.weights, both.ridge, both.left_out[start:end, :cards])
        lines += [
            _compared(code, "its own", judged(choices, fitted, settings)),
            _compared(code, "of both", judged(choices, shared, settings)),
        ]
        start = end
    lines.append(f"\nweights of both, ridge {both.ridge:g}:")
    lines += [
        f"  {told['measure']:10} {told['term']:12} {told['weight']:+.3f}"
        for told in weights(found[0][0].with_weights(both.weights))
    ]
    return "\n".join(lines)


def _compared(code: str, whose: str, found: Agreement) -> str:
    precision, likelihood = (found.all[statistic] for statistic in DECISIVE)
    return (
        f"{code:20} {whose:10} {precision.value:.3f} ({precision.low:.3f} to {precision.high:.3f})"
        f"  {likelihood.value:.3f} ({likelihood.low:.3f} to {likelihood.high:.3f})"
    )


def open_measures(layout: Layout, names: Sequence[str]) -> list[Measure]:
    """The measures of a language that `human` can be made of and compared with."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    wanted = [name for name in names if name != LEARNED and "+" not in name]
    return [open_measure(layout.measure(name), vocabulary) for name in wanted]


def weights(learned: LearnedMeasure) -> list[dict[str, Any]]:
    """The terms of a learned measure and their weights, as plain data."""
    terms = (
        ("relatedness", learned.relatedness_terms),
        ("standing", learned.standing_terms),
        ("frequency", [learned.frequency_term]),
    )
    return [
        {"term": term, "measure": part.measure, "weight": round(part.weight, 4)}
        for term, parts in terms
        for part in parts
    ]


def _figures(found: Agreement) -> dict[str, Any]:
    """An agreement as plain data, over all rounds and over the covered ones."""
    temperature = found.temperature
    return {
        "covered": found.covered,
        "temperature": None if temperature is None else round(temperature, 4),
        **{
            key: {
                statistic: dict(zip(("value", "low", "high"), map(_rounded, estimate), strict=True))
                for statistic, estimate in estimates.items()
            }
            for key, estimates in (("all", found.all), ("known", found.known))
        },
    }


def _difference(found: Difference) -> dict[str, float]:
    return dict(zip(("value", "low", "high"), map(_rounded, found), strict=True))


def _rounded(value: float) -> float:
    """Four places: more would differ between processors."""
    return round(float(value), 4)


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    if not metrics["rounds"]:
        return "no recorded rounds, so nothing to learn from people"
    best, gain, agreed = metrics["best"], metrics["gain"]["precision"], metrics["agreement"]
    reached = {name: found["all"]["precision"]["value"] for name, found in agreed.items()}
    sure = "surely better" if gain["low"] > 0 else "not surely better"
    return (
        f"{metrics['rounds']:,} rounds; P@n on left-out boards {reached[LEARNED]:.3f}, {sure} than "
        f"{best} {reached[best]:.3f}; people among themselves "
        f"{metrics['people']['known'].get('precision', {}).get('value', 0):.3f}"
    )

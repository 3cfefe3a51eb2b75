"""The first screen of the report: can I believe it, where not, and what would help."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy import stats

from pipeline.judge.correlations import GoldResult
from pipeline.judge.figures import listed, recorded, short, with_interval
from pipeline.judge.findings import Findings
from pipeline.layout import LEARNED

GOOD, FAIR = 0.65, 0.45
"""Spearman's correlation from which on a measure orders pairs much, or roughly, as people do."""

HEADLINE_SETS = 2
LOW_COVERAGE = 0.9
"""The share of covered pairs below which the report says so on its first screen."""

GAIN = 0.01
"""The gain from twice the text that is worth the trouble."""


def first_screen(findings: Findings) -> dict[str, Any]:
    """What the top of the report shows."""
    return {
        "verdict": verdict(findings),
        "glance": glance(findings),
        "doubts": doubts(findings),
        "advice": advice(findings),
    }


def verdict(findings: Findings) -> str:
    """Whether the default measure can be believed, in a sentence."""
    result, name = findings.main_result, findings.default
    if result is None:
        if findings.results:
            return (
                "Nobody can say yet: no gold set has 30 or more pairs with both words in the "
                "vocabulary. Use more text or a larger vocabulary."
            )
        return (
            f"Nobody can say yet: there is no gold set for '{findings.language}'. Add one in "
            "eval/gold.yaml (four lines are enough), and look at the neighbours below."
        )
    spearman = result.by_measure[name].spearman_all
    if result.is_silver:
        return (
            f"With care: nobody rated words of this language. On {result.title}, translated pairs "
            f"with the ratings of the originals, {name} reaches {short(spearman.statistic)}; take "
            "that as a hint, not as proof."
        )
    figure = f"{with_interval(*_interval(spearman))} on {result.title}"
    if spearman.low >= GOOD:
        return f"Yes: {name} orders pairs of words much as people do, {figure}."
    if spearman.low >= FAIR:
        return f"With care: {name} orders pairs of words roughly as people do, {figure}."
    return f"Not yet: {name} orders pairs of words in another way than people, {figure}."


def glance(findings: Findings) -> dict[str, Any] | None:
    """One table: measures by the main gold sets and people's choices, and what to compare with."""
    sets = findings.results[:HEADLINE_SETS]
    people = findings.stages.get("human", {})
    has_people = bool(people.get("rounds"))
    if not sets and not has_people:
        return None
    header = ["", *(result.title for result in sets), *(["people's choices"] if has_people else [])]

    def row(name: str, figures: Sequence[str], choice: str) -> tuple[str, ...]:
        return (name, *figures, *([choice] if has_people else []))

    rows = [
        row(
            measure.name + (" (default)" if measure.name == findings.default else ""),
            [with_interval(*_interval(r.by_measure[measure.name].spearman_all)) for r in sets],
            recorded(_precision(people, measure.name)),
        )
        for measure in findings.measures
    ]
    covered = [f"{r.any_evaluation.covered:,} of {r.any_evaluation.pairs:,} pairs" for r in sets]
    known, total = people["coverage"]["rounds"] if has_people else (0, 0)
    rows.append(row("covered", covered, f"{known:,} of {total:,} rounds"))
    if sets and (system := _published(findings, sets[0])):
        figures = [short(system["scores"].get(r.name, {}).get("spearman")) for r in sets]
        rows.append(row(f"{system['system']} of {system['tokens']:,} M tokens*", figures, ""))
    between = people["people"]["known"].get("precision") if has_people else None
    ceilings = [result.description.get("ceiling") for result in sets]
    if between or any(ceilings):
        rows.append(row("other people", [*map(short, ceilings)], recorded(between)))
    if has_people:
        by_chance = people["chance"]["all"]["precision"]["value"]
        rows.append(row("chance", [""] * len(sets), short(by_chance)))
    return {"columns": "w" + "n" * (len(header) - 1), "header": header, "rows": rows}


def doubts(findings: Findings) -> list[str]:
    """Where not to believe the measures."""
    result, name, found = findings.main_result, findings.default, []
    if result is not None:
        if thirds := by_rarity(result, name, findings):
            rare, common = thirds
            found.append(
                f"Rare words: on {result.title}, {name} reaches {short(rare)} for the third of the "
                f"pairs with the rarest words, and {short(common)} for the third with the most "
                "frequent ones."
            )
        missing = [
            f"{r.title} {r.any_evaluation.covered / r.any_evaluation.pairs:.0%}"
            for r in findings.results
            if r.any_evaluation.covered < LOW_COVERAGE * r.any_evaluation.pairs
        ]
        if missing:
            found.append(
                f"Words that are not in the vocabulary; these sets are covered in part: "
                f"{listed(missing, 4)}."
            )
    for other in findings.results:
        if other.description["kind"] == "similarity" and other.is_enough and not other.is_silver:
            value = other.by_measure[name].spearman_all.statistic
            if value < FAIR:
                found.append(
                    f"Similarity: cup and coffee are as close as cup and mug ({other.title} "
                    f"{short(value)}). The measures say what belongs together, not what is alike."
                )
                break
    people = findings.stages.get("human", {})
    if people.get("rounds"):
        best, value = _best_choice(people)
        between = people["people"]["known"].get("precision")
        others = f", where other people share {short(between['value'])}" if between else ""
        found.append(
            f"Single picks: {best} shares {short(value)} of people's picks in recorded rounds"
            f"{others}."
        )
    return found


def advice(findings: Findings) -> list[str]:
    """What would make the measures better, or better known."""
    found, result = [], findings.main_result
    points = findings.growth.get("gold", {}).get(result.title, []) if result else []
    values = [point["spearman"] for point in points]
    if len(values) > 1 and None not in values[-2:]:
        gain = values[-1] - values[-2]
        if gain >= GAIN:
            found.append(
                f"More text: the last doubling of the corpus gave npmi {short(gain)} on "
                f"{result.title if result else ''}."
            )
        else:
            found.append(
                f"Not more of the same text: the last doubling of the corpus changed npmi by only "
                f"{short(gain)}. Try other text, or knowledge (knowledge.yaml)."
            )
    rare = sorted({w for r in findings.results for w in r.any_evaluation.missing})
    rare = [word for word in rare if word and " " not in word and word not in findings.stop_words]
    if len(rare) > 20:
        found.append(
            f"A larger vocabulary, or more text: {len(rare):,} rated words are not in it, such as "
            f"{listed(rare[:: max(len(rare) // 5, 1)][:5])}."
        )
    if not findings.stages.get("human", {}).get("rounds"):
        found.append(
            "People: there are no recorded rounds of this language, so nothing was learned from "
            "what people pick. The command wordkin study records some."
        )
    if result is None or result.is_silver:
        found.append("A gold set that speakers of the language rated: see eval/gold.yaml.")
    return found


def by_rarity(result: GoldResult, name: str, findings: Findings) -> tuple[float, float] | None:
    """Spearman on the third of the covered pairs with the rarest words, and on the most frequent.

    The rarity of a pair is that of its rarer word. None when a third has too few pairs.
    """
    evaluation, counts = result.by_measure[name], findings.counts_of_pairs(result)
    covered = np.flatnonzero(evaluation.is_covered)
    third = len(covered) // 3
    if third < 30:
        return None
    order = covered[np.argsort(counts, kind="stable")]
    rare, common = (
        float(stats.spearmanr(evaluation.gold[part], evaluation.scores[part]).statistic)
        for part in (order[:third], order[-third:])
    )
    return None if math.isnan(rare) or math.isnan(common) else (rare, common)


def _interval(correlation: Any) -> tuple[float, float, float]:
    return correlation.statistic, correlation.low, correlation.high


def _precision(people: Mapping[str, Any], name: str) -> Mapping[str, float] | None:
    agreement = people.get("agreement", {}).get(name)
    return agreement["all"]["precision"] if agreement else None


def _best_choice(people: Mapping[str, Any]) -> tuple[str, float]:
    """The measure that shares most picks with people."""
    shares = {n: a["all"]["precision"]["value"] for n, a in people["agreement"].items()}
    best = max(shares, key=lambda name: shares[name])
    return f"{best} (on left-out boards)" if best == LEARNED else best, shares[best]


def _published(findings: Findings, result: GoldResult) -> Mapping[str, Any] | None:
    """The first published system that was judged by a gold set and says how large its corpus is."""
    return next(
        (
            system
            for system in findings.published
            if "tokens" in system and "spearman" in system["scores"].get(result.name, {})
        ),
        None,
    )

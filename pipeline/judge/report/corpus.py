"""Sections on what the measures were made of: sources, vocabulary, time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeline.judge.numbers import evenly_spread, listed
from pipeline.judge.report import pictures
from pipeline.judge.report.document import Element, Picture, Section, Table, Text
from pipeline.judge.report_data import ReportData
from wordkin.vocabulary import Vocabulary


def sources(data: ReportData) -> Section | None:
    """What each source gave, and what was dropped."""
    figures = data.stages.get("tokens", {})
    by_source = figures.get("sources", {})
    if not by_source:
        return None
    declared = {source["name"]: source for source in data.sources}
    rows = [
        (
            name,
            f"{facts.get('documents', 0):,}",
            f"{facts.get('tokens', 0):,}",
            f"{facts.get('bytes', 0) / 1e6:,.1f}",
            _dropped(facts),
            _listed(facts.get("cleaned", {})) or "nothing",
            declared.get(name, {}).get("licence") or "not stated",
        )
        for name, facts in by_source.items()
    ]
    text = Text(
        f"{figures['documents']:,} documents with {figures['tokens']:,} tokens from "
        f"{len(by_source):,} {'source' if len(by_source) == 1 else 'sources'}."
        + (f" Words were found by {analyser}." if (analyser := figures.get("analyser")) else "")
    )
    header = ("source", "documents", "tokens", "MB", "dropped", "cleaned", "licence")
    return Section("What went in", [text, Table("wnnnwww", header, rows)])


def _dropped(facts: Mapping[str, Any]) -> str:
    dropped = [_listed(facts.get("dropped", {}))]
    lost = sum(facts.get("lost_bytes", {}).values())
    if lost:
        dropped.append(f"{lost:,} bytes unreadable")
    if facts.get("replaced_characters"):
        dropped.append(f"{facts['replaced_characters']:,} characters replaced")
    return "; ".join(filter(None, dropped)) or "nothing"


def _listed(counts: Mapping[str, int]) -> str:
    return "; ".join(f"{count:,} {what}" for what, count in counts.items() if count)


def vocabulary(data: ReportData) -> Section:
    """The words, and whether their counts follow Zipf's law."""
    words, facts = data.vocabulary, data.stages.get("vocabulary", {})
    figures = [f"{len(words):,} words"]
    if "coverage" in facts:
        figures.append(f"{facts['coverage']:.1%} of the tokens")
    if "stop_words" in facts:
        origins = {
            "corpus": ", taken from the corpus because there is no list",
            "list and corpus": ", from a list that is short and from the corpus",
        }
        origin = origins.get(facts.get("stop_words_from", ""), "")
        figures.append(f"{facts['stop_words']:,} stop words left out{origin}")
    elements: list[Element] = [
        Text(f"{', '.join(figures)}. The most frequent: {listed(words.words[:12])}.")
    ]
    if len(data.zipf_ranks) > 1:
        elements.append(_zipf_picture(data))
    return Section("Vocabulary", elements)


AT_LIMIT, SHOWN_AT_LIMIT = 500, 40
"""How many words on each side count as near the limit, and how many of them are shown."""


def familiar_words(data: ReportData) -> Section | None:
    """Words just above and just below the limit of familiarity, for a person to judge it."""
    limit = data.stages.get("vocabulary", {}).get("familiarity")
    familiarity = data.vocabulary.familiarity
    if limit is None or familiarity is None:
        return None
    above, below = words_at_limit(data.vocabulary, limit)
    share = float((familiarity >= np.float32(limit)).mean())
    text = Text(
        f"{share:.0%} of the words are familiar enough to be offered as clues: they reach the "
        f"limit {limit:g} (vocabulary.familiarity). Here is a random sample of those near it. If "
        "words below the limit are as good as those above, lower it; if there are names, "
        "abbreviations or misspellings above it, raise it."
    )
    rows = [("just above", listed(above)), ("just below", listed(below))]
    return Section("Familiar words", [text, Table("ww", ("", "words"), rows)])


def words_at_limit(vocabulary: Vocabulary, limit: float) -> tuple[list[str], list[str]]:
    """A random sample of the words nearest to the limit on each side, always the same."""
    scores = vocabulary.familiarity
    assert scores is not None
    order = np.argsort(scores, kind="stable")
    at = int(np.searchsorted(scores[order], np.float32(limit)))
    sides = order[at : at + AT_LIMIT], order[max(at - AT_LIMIT, 0) : at]
    samples = []
    for side in sides:
        chance = np.random.default_rng(0)
        chosen = chance.choice(side, min(SHOWN_AT_LIMIT, len(side)), replace=False)
        samples.append(sorted(vocabulary.words[word] for word in chosen.tolist()))
    return samples[0], samples[1]


def _zipf_picture(data: ReportData) -> Picture:
    words, places = data.vocabulary, data.zipf_ranks
    ranks = np.array(places) + 1
    counts = words.counts[places]
    named = [
        (int(ranks[at]), int(counts[at]), words.words[places[at]])
        for at in evenly_spread(5, len(places))
    ]
    labels = ("rank (stop words left out)", "tokens")
    drawing = pictures.curve("", ranks.tolist(), counts.tolist(), labels, named)
    tail = ranks > min(99, len(words) // 10)
    slope = f"{np.polyfit(np.log(ranks[tail]), np.log(counts[tail]), 1)[0]:.2f}".replace("-", "−")
    return Picture(
        [drawing],
        description=f"Word counts by rank on logarithmic axes, with a slope of {slope}",
        caption=f"How often words occur, by rank. After the first hundred words the slope is "
        f"{slope}; by Zipf's law it is near −1. Steps or bumps point to repeated text.",
    )

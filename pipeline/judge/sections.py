"""The sections of the report as data for its templates: one function per section.

`pipeline.judge.people` has those on people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from pipeline.judge import pictures
from pipeline.judge.agents import ITSELF, OTHERS
from pipeline.judge.correlations import GoldResult
from pipeline.judge.figures import (
    counted,
    evenly_spread,
    listed,
    short,
)
from pipeline.judge.findings import Findings, Section, table
from pipeline.judge.people import choices, ratings
from pipeline.judge.trust import first_screen
from pipeline.layout import FAMILIES
from wordkin.game.clue import Clue
from wordkin.game.tournament import Standing
from wordkin.intervals import Estimate
from wordkin.measures.measure import Measure
from wordkin.vocabulary import Vocabulary

AT_LIMIT, SHOWN_AT_LIMIT = 500, 40
"""How many words on each side count as near the limit of familiarity, and how many are shown."""

SAMPLE_WORDS, NEIGHBOURS = 12, 8
WORST = 8
MISSING_SHOWN = 40


def report_data(findings: Findings) -> dict[str, Any]:
    """Everything that the templates show."""
    return {
        "language": findings.language,
        "words": len(findings.vocabulary),
        "tokens": findings.stages.get("tokens", {}).get("tokens"),
        "measures": listed([measure.name for measure in findings.measures]),
        "default": findings.default,
        **first_screen(findings),
        "corpus": corpus(findings),
        "ratings": ratings(findings),
        "choices": choices(findings),
        "games": games(findings),
        "growth": growth(findings),
        "neighbours": neighbours(findings),
        "mistakes": mistakes(findings),
        "map": findings.word_map,
        "matrices": matrices(findings),
        "gold": gold_sets(findings),
    }


# ── what came in ─────────────────────────────────────────────────────────────────────────────


def corpus(findings: Findings) -> Section:
    """The sources, what was dropped, and the words that came out."""
    figures, facts = findings.stages.get("tokens", {}), findings.stages.get("vocabulary", {})
    licences = {source["name"]: source.get("licence") for source in findings.sources}
    rows = [
        (
            name,
            f"{source.get('documents', 0):,}",
            f"{source.get('tokens', 0):,}",
            _dropped(source) or "nothing",
            licences.get(name) or "not stated",
        )
        for name, source in figures.get("sources", {}).items()
    ]
    header = ("source", "documents", "tokens", "dropped or cleaned", "licence")
    return {
        "sources": table("wnnww", header, rows) if rows else None,
        "facts": facts,
        "frequent": listed(findings.vocabulary.words[:12]),
        "familiar": familiar_words(findings.vocabulary, facts.get("familiarity")),
        "skipped": [
            f"{name} ({family}): {reason}"
            for family in FAMILIES
            for name, reason in findings.stages.get(family, {}).get("skipped", {}).items()
        ],
    }


def _dropped(source: Mapping[str, Any]) -> str:
    lost = {
        "bytes unreadable": sum(source.get("lost_bytes", {}).values()),
        "characters replaced": source.get("replaced_characters", 0),
    }
    parts = (source.get("dropped", {}), lost, source.get("cleaned", {}))
    return "; ".join(filter(None, map(counted, parts)))


def familiar_words(vocabulary: Vocabulary, limit: float | None) -> Section | None:
    """Words just above and just below the limit of familiarity, for a person to judge it."""
    if limit is None or vocabulary.familiarity is None:
        return None
    above, below = words_at_limit(vocabulary, limit)
    return {
        "share": f"{float((vocabulary.familiarity >= np.float32(limit)).mean()):.0%}",
        "limit": f"{limit:g}",
        "above": listed(above),
        "below": listed(below),
    }


def words_at_limit(vocabulary: Vocabulary, limit: float) -> tuple[list[str], list[str]]:
    """A random sample of the words nearest to the limit on each side, always the same."""
    scores = vocabulary.familiarity
    assert scores is not None
    order = np.argsort(scores, kind="stable")
    at = int(np.searchsorted(scores[order], np.float32(limit)))
    samples = []
    for side in (order[at : at + AT_LIMIT], order[max(at - AT_LIMIT, 0) : at]):
        random = np.random.default_rng(0)
        chosen = random.choice(side, min(SHOWN_AT_LIMIT, len(side)), replace=False)
        samples.append(sorted(vocabulary.words[word] for word in chosen.tolist()))
    return samples[0], samples[1]


# ── agents at play ───────────────────────────────────────────────────────────────────────────


def games(findings: Findings) -> Section | None:
    """The tournament, and the clues of each measure."""
    play = findings.play
    if not play.standings:
        return None
    by_pair = {(standing.spymaster, standing.guesser): standing for standing in play.standings}
    names = list(dict.fromkeys(standing.spymaster for standing in play.standings))
    rows = [
        (name, *_results(by_pair.get((name, ITSELF))), *_results(by_pair.get((name, OTHERS))))
        for name in names
    ]
    header = (
        "spymaster", "won with itself", "turns", "won with others", "turns",
    )  # fmt: skip
    return {
        "count": sum(standing.games for standing in play.standings),
        "standings": table("wnnnn", header, rows),
        "boards": [
            {
                "ours": listed(board.ours),
                "bad": listed((*board.theirs, *board.neutral, *board.assassin)),
                "clues": table(
                    "www",
                    ("measure", "clue", "targets, and why"),
                    [(name, *_clue(given[at])) for name, given in play.clues.items()],
                ),
            }
            for at, board in enumerate(play.boards)
        ],
    }


def _results(standing: Standing | None) -> tuple[str, str]:
    """The share of games won, and the mean number of turns of the won games."""
    if standing is None:
        return "", ""
    turns: Estimate | None = standing.turns
    won = f"{standing.wins.value:.0%} of {standing.games:,}"
    return won, "" if turns is None else f"{turns.value:.1f}"


def _clue(clue: Clue | None) -> tuple[str, str]:
    if clue is None:
        return "", "no word fits"
    targets = "; ".join(
        card.word + (f" ({card.reason or card.why})" if card.reason or card.why else "")
        for card in clue.targets
    )
    return f"{clue.word} {clue.number}", targets


# ── would more text help ─────────────────────────────────────────────────────────────────────


def growth(findings: Findings) -> Section | None:
    """The correlation of npmi by the size of the corpus, for sets with enough covered pairs."""
    curve = findings.growth
    drawn: list[str] = []
    rows: list[Sequence[str]] = []
    for result in findings.results:
        points = curve.get("gold", {}).get(result.title, [])
        if not result.is_enough or not points:
            continue
        rows.append((result.title, *(short(point["spearman"]) for point in points)))
        if len(drawn) < 3 and all(point["spearman"] is not None for point in points):
            shape = [(point["spearman"], point["low"], point["high"]) for point in points]
            drawn.append(pictures.growth(result.title, curve["tokens"], shape))
    if not drawn:
        return None
    header = ("gold set", *(f"{tokens:,} tokens" for tokens in curve["tokens"]))
    return {"pictures": drawn, "table": table("w" + "n" * len(curve["tokens"]), header, rows)}


# ── words ────────────────────────────────────────────────────────────────────────────────────


def neighbours(findings: Findings) -> Section:
    """The closest words to some words, from frequent to rare, by the default measure and by all."""
    words = sample_words(findings)
    counts, ids = findings.vocabulary.counts, findings.vocabulary.ids
    rows = [
        (
            word,
            f"{counts[ids[word]]:,}",
            _nearest(findings.default_measure, word),
        )
        for word in words
    ]
    every: list[Sequence[str]] = []
    for word in words:
        every.append([word])
        every += [(measure.name, _nearest(measure, word)) for measure in findings.measures]
    return {
        "default": table("wnw", ("word", "tokens", "closest"), rows),
        "all": table("ww", ("", "closest"), every) if len(findings.measures) > 1 else None,
    }


def _nearest(measure: Measure, word: str) -> str:
    return ", ".join(
        f"{other} {short(score, 2)}" for other, score in measure.nearest(word, NEIGHBOURS)
    )


def sample_words(findings: Findings) -> list[str]:
    """Words that people can judge, spread by frequency: from the main gold set if there is one."""
    vocabulary, result = findings.vocabulary, findings.main_result
    if result is None:
        first, last = min(10, len(vocabulary)), len(vocabulary)
        ranks = np.geomspace(first, last, SAMPLE_WORDS).round().astype(int)
        return [vocabulary.words[rank - 1] for rank in sorted(set(ranks.tolist()))]
    evaluation = result.any_evaluation
    covered = zip(evaluation.words, evaluation.is_covered, strict=True)
    rated = {word for pair, is_covered in covered if is_covered for word in pair}
    ids = sorted(vocabulary.ids[word] for word in rated if word in vocabulary)
    return [vocabulary.words[ids[at]] for at in evenly_spread(SAMPLE_WORDS, len(ids))]


def mistakes(findings: Findings) -> Section | None:
    """Scores against people's ratings, and the pairs whose ranks differ most."""
    result = findings.main_result
    if result is None:
        return None
    others: list[Sequence[str]] = []
    for name in result.by_measure:
        others += [[name], *worst_pairs(result, name)]
    evaluation = result.by_measure[findings.default]
    covered = np.flatnonzero(evaluation.is_covered)
    gold, scores = evaluation.gold[covered], evaluation.scores[covered]
    return {
        "title": result.title,
        "picture": pictures.scatter(
            findings.default,
            gold,
            scores,
            _worst(gold, scores),
            (f"{result.title}: people", "score"),
        ),
        "default": table(*_PAIRS, worst_pairs(result, findings.default)),
        "others": table(*_PAIRS, others) if len(result.by_measure) > 1 else None,
    }


_PAIRS = ("wwnnw", ("", "pair", "people", "score", ""))
"""The columns of tables of worst pairs."""


def worst_pairs(result: GoldResult, name: str) -> list[tuple[str, ...]]:
    """The pairs whose ranks by rating and by score differ most, the worst first."""
    evaluation = result.by_measure[name]
    covered = np.flatnonzero(evaluation.is_covered)
    gold, scores = evaluation.gold[covered], evaluation.scores[covered]
    too_low = _ranks(scores) < _ranks(gold)
    return [
        (
            str(number),
            ", ".join(evaluation.words[covered[at]]),
            f"{gold[at]:.4g}",
            short(float(scores[at])),
            "too low" if too_low[at] else "too high",
        )
        for number, at in enumerate(_worst(gold, scores), start=1)
    ]


def _worst(gold: NDArray[np.float64], scores: NDArray[np.float64]) -> list[int]:
    apart = np.abs(_ranks(gold) - _ranks(scores))
    return [int(at) for at in np.argsort(-apart, kind="stable")[:WORST]]


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    ranks: NDArray[np.float64] = stats.rankdata(values) / max(len(values), 1)
    return ranks


# ── the matrices ─────────────────────────────────────────────────────────────────────────────


def matrices(findings: Findings) -> Section:
    """The form of each measure, its values, and how much measures agree."""
    between = findings.between
    names = list(between.scores)
    rows = []
    for measure in findings.measures:
        values = between.scores[measure.name].astype(np.float64)
        form, stored = measure.storage
        percentiles = np.percentile(values, [5, 50, 95])
        rows.append(
            (
                measure.name,
                form,
                "" if stored is None else f"{stored:.1%}",
                f"{(values != 0).mean():.1%}",
                *(short(value) for value in (*percentiles.tolist(), float(values.max()))),
            )
        )
    header = ("measure", "form", "stored", "not 0", "5 %", "median", "95 %", "largest")
    agreement = [
        (
            name,
            *(
                "" if i == j else short((between.pearson if i < j else between.spearman)[i, j])
                for j in range(len(names))
            ),
        )
        for i, name in enumerate(names)
    ]
    return {
        "forms": table("wwnnnnnn", header, rows),
        "pairs": len(next(iter(between.scores.values()))),
        "histograms": [pictures.histogram(name, values) for name, values in between.scores.items()],
        "between": table("w" + "n" * len(names), ("", *names), agreement),
    }


# ── the gold sets ────────────────────────────────────────────────────────────────────────────


def gold_sets(findings: Findings) -> Section | None:
    """Where the ratings come from, which words are missing, and which sets could not be fetched."""
    if not findings.results and not findings.skipped:
        return None
    rows = [
        (
            result.title,
            "–".join(f"{bound:g}" for bound in result.description["scale"] or ()),
            short(result.description.get("ceiling")),
            _notes(result),
            result.description["licence"] or "not stated",
            result.description["citation"] or "",
        )
        for result in findings.results
    ]
    missing, stopped = [], []
    for result in findings.results:
        words = result.any_evaluation.missing
        if unseen := [word for word in words if word not in findings.stop_words]:
            missing.append((result.title, f"{len(unseen):,}", listed(unseen, MISSING_SHOWN)))
        if stop_words := [word for word in words if word in findings.stop_words]:
            stopped.append((result.title, f"{len(stop_words):,}", listed(stop_words)))
    reasons: dict[str, list[str]] = {}
    for name, reason in findings.skipped.items():
        reasons.setdefault(reason, []).append(name)
    header = ("gold set", "words", "")
    return {
        "sets": table(
            "wwnwww", ("gold set", "scale", "other people", "notes", "licence", "source"), rows
        ),
        "by_name": listed(findings.stages.get("vocabulary", {}).get("gold_sets", [])),
        "missing": table("wnw", header, missing) if missing else None,
        "stop_words": table("wnw", header, stopped) if stopped else None,
        "skipped": [f"{listed(names)}: {reason}" for reason, names in reasons.items()],
    }


def _notes(result: GoldResult) -> str:
    """The pairs of a set that need a word of explanation."""
    return counted(
        {
            "repeated": result.description["doubled"],
            "of a word with itself, left out": result.any_evaluation.identical,
            "unrated, left out": result.description["unrated"],
            "with alternatives in one entry, left out": result.description["ambiguous"],
        }
    )

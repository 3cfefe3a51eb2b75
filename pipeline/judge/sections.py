"""The sections of the report as data for its templates: one function per section.

A section is a mapping that a template shows, or None when there is nothing to show. Tables are
mappings too: `columns` has one letter per column (w for words, n for numbers), and a row of one
cell is a heading for the rows below it. Pictures are SVG text.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, stats
from scipy.sparse.csgraph import connected_components

from pipeline.judge import pictures
from pipeline.judge.agents import ITSELF, OTHERS
from pipeline.judge.correlations import GoldResult
from pipeline.judge.figures import (
    counted,
    evenly_spread,
    listed,
    recorded,
    short,
    with_interval,
)
from pipeline.judge.findings import Findings
from pipeline.judge.trust import first_screen
from pipeline.layout import FAMILIES, LEARNED
from wordkin.evaluation import Correlation
from wordkin.game.clue import Clue
from wordkin.game.tournament import Standing
from wordkin.intervals import Estimate
from wordkin.measures.measure import Measure
from wordkin.measures.sparse import SparseMeasure
from wordkin.vocabulary import Vocabulary

Section = dict[str, Any]
Table = dict[str, Any]

ZIPF_POINTS, ZIPF_NAMES = 200, 5
AT_LIMIT, SHOWN_AT_LIMIT = 500, 40
"""How many words on each side count as near the limit of familiarity, and how many are shown."""

SAMPLE_WORDS, NEIGHBOURS = 12, 8
WORST = 8
MISSING_SHOWN = 40

TERMS = {
    "relatedness": "its value",
    "standing": "its rank among the closest words of either word",
    "frequency": "how often the words occur",
}


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


def table(columns: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """A table for the templates."""
    return {"columns": columns, "header": header, "rows": rows}


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
        "word_counts": word_counts(findings.vocabulary),
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


def word_counts(vocabulary: Vocabulary) -> Section | None:
    """How often words occur, by rank: a picture, and the slope of the tail."""
    seen = int((vocabulary.counts > 0).sum())
    if seen < 2:
        return None
    spread = np.geomspace(1, seen, min(ZIPF_POINTS, seen)).round().astype(np.int64)
    ranks = np.unique(spread)
    counts = vocabulary.counts[ranks - 1]
    named = [
        (int(ranks[at]), int(counts[at]), vocabulary.words[ranks[at] - 1])
        for at in evenly_spread(ZIPF_NAMES, len(ranks))
    ]
    tail = ranks > min(99, len(vocabulary) // 10)
    slope = np.polyfit(np.log(ranks[tail]), np.log(counts[tail]), 1)[0]
    return {
        "picture": pictures.word_counts(ranks.tolist(), counts.tolist(), named),
        "slope": short(float(slope), 2),
    }


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


# ── people's ratings ─────────────────────────────────────────────────────────────────────────


def ratings(findings: Findings) -> Section | None:
    """The correlations with gold sets: pictures of the best covered ones, and all figures."""
    shown = [result for result in findings.results if result.is_enough]
    if not shown:
        return None
    names = [measure.name for measure in findings.measures]
    overview = [
        (
            result.title,
            str(result.description["kind"]),
            _covered(result),
            *(short(result.by_measure[name].spearman_all.statistic) for name in names),
        )
        for result in shown
    ]
    header = ("gold set", "kind", "covered", *names)
    details: list[Sequence[str]] = []
    for result in shown:
        details.append([result.title])
        details += [
            (name, *map(_text, (e.spearman_all, e.pearson_all, e.spearman, e.pearson)))
            for name, e in result.by_measure.items()
        ]
    details_header = ("", "Spearman, all", "Pearson, all", "Spearman, covered", "Pearson, covered")
    better = [(result.title, *_best_and_equals(result)) for result in shown]
    too_small = [result.title for result in findings.results if not result.is_enough]
    return {
        "pictures": _interval_pictures(findings, [r for r in shown if not r.is_silver][:3]),
        "overview": table("wwn" + "n" * len(names), header, overview),
        "has_silver": any(result.is_silver for result in shown),
        "too_small": listed(too_small),
        "details": table("wnnnn", details_header, details),
        "better": table("www", ("gold set", "the best", "cannot be told from it"), better),
        "published": published(findings),
    }


def _interval_pictures(findings: Findings, results: Sequence[GoldResult]) -> list[str]:
    """One drawing per gold set, those of all sets from the same left end."""
    lows = [e.spearman_all.low for result in results for e in result.by_measure.values()]
    lowest = min([0.0, *(math.floor(low * 10) / 10 for low in lows if not math.isnan(low))])
    drawn = []
    for result in results:
        rows = [
            (name, e.spearman_all.statistic, e.spearman_all.low, e.spearman_all.high)
            for name, e in result.by_measure.items()
            if not math.isnan(e.spearman_all.statistic)
        ]
        scores = (system["scores"].get(result.name, {}) for system in findings.published_systems)
        others = [score["spearman"] for score in scores if "spearman" in score]
        if rows:
            title = f"{result.title}, {result.any_evaluation.pairs:,} pairs"
            drawn.append(pictures.intervals(title, rows, others, lowest))
    return drawn


def _best_and_equals(result: GoldResult) -> tuple[str, str]:
    """The measure with the highest correlation, and those that are not surely worse."""
    values = {name: evaluation.spearman.statistic for name, evaluation in result.by_measure.items()}
    defined = {name: value for name, value in values.items() if not math.isnan(value)}
    if not defined:
        return "", ""
    best = max(defined, key=lambda name: defined[name])
    unsure = [
        a if b == best else b
        for (a, b), difference in result.differences().items()
        if best in (a, b) and not difference.sure
    ]
    return f"{short(defined[best])} {best}", listed(unsure) or "none"


def published(findings: Findings) -> Table | None:
    """The figures of other systems, by gold set; only the sets that they were judged by."""
    systems = findings.published_systems
    names = {name for system in systems for name in system["scores"]}
    shown = [result for result in findings.results if result.name in names]
    rows: list[Sequence[str]] = [
        (
            system["system"],
            f"{system['corpus']}; {system['citation']}",
            f"{system['tokens']:,} M" if "tokens" in system else "",
            *(_both(system["scores"].get(result.name, {})) for result in shown),
        )
        for system in systems
        if any(result.name in system["scores"] for result in shown)
    ]
    header = ("system", "measured on", "tokens", *(result.title for result in shown))
    return table("wwn" + "n" * len(shown), header, rows) if rows else None


def _both(scores: Mapping[str, float]) -> str:
    """Spearman's correlation and, where it is known, Pearson's."""
    return " / ".join(short(scores[key]) for key in ("spearman", "pearson") if key in scores)


def _text(correlation: Correlation) -> str:
    return with_interval(correlation.statistic, correlation.low, correlation.high)


def _covered(result: GoldResult) -> str:
    evaluation = result.any_evaluation
    return f"{evaluation.covered:,} of {evaluation.pairs:,}"


# ── people's choices ─────────────────────────────────────────────────────────────────────────


def choices(findings: Findings) -> Section | None:
    """How measures agree with the picks of people, and what was learned from them."""
    figures = findings.stages.get("human", {})
    if not figures.get("rounds"):
        return None
    agreements = {
        f"{name} (left-out boards)" if name == LEARNED else name: agreement
        for name, agreement in figures["agreement"].items()
    }
    if figures["people"]["known"]:
        agreements["other people"] = figures["people"]
    agreements["chance"] = figures["chance"]
    header = ("guesser", "P@n", "same first pick", "ln likelihood", "P@n, clue known")
    weights = sorted(figures["weights"], key=lambda term: -abs(term["weight"]))
    terms = [
        (
            term["measure"],
            TERMS[term["term"]],
            short(term["weight"], 2),
            f"× {math.exp(term['weight']):.2f}",
        )
        for term in weights
    ]
    points = figures.get("reliability")
    return {
        "rounds": figures["rounds"],
        "sessions": figures["sessions"],
        "coverage": ", ".join(
            f"{part:,} of {whole:,} {what}" for what, (part, whole) in figures["coverage"].items()
        ),
        "agreement": table("wnnnn", header, [(n, *_picks(a)) for n, a in agreements.items()]),
        "best": figures["best"],
        "gain": figures["gain"]["precision"],
        "gain_text": recorded(figures["gain"]["precision"]),
        "reliability": pictures.reliability(points["said"], points["seen"]) if points else None,
        "weights": table("wwnn", ("measure", "term", "weight", "odds per deviation"), terms),
    }


def _picks(agreement: Mapping[str, Any]) -> list[str]:
    # People have no temperature, and only rounds that others played too can be compared.
    main = agreement["all"] if agreement["temperature"] is not None else agreement["known"]
    known = agreement["known"].get("precision")
    figures = [main.get(key) for key in ("precision", "first", "likelihood")]
    return [*map(recorded, figures), recorded(known)]


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
    """The form of each measure, its values, how measures agree, and the graph of npmi."""
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
        "method": _method_paper(findings),
        "graph": graph(findings),
    }


def _method_paper(findings: Findings) -> Table | None:
    """Our correlations between measures next to those of the method paper."""
    between = findings.between
    places = {name: at for at, name in enumerate(between.scores)}
    rows = [
        (
            f"{a}, {b}",
            short(between.pearson[places[a], places[b]]),
            short(entry["pearson"]),
            short(between.spearman[places[a], places[b]]),
            short(entry["spearman"]),
        )
        for entry in findings.published["method"]["between_measures"]
        for a, b in [entry["measures"]]
        if a in places and b in places
    ]
    header = ("measures", "Pearson here", "published", "Spearman here", "published")
    return table("wnnnn", header, rows) if rows else None


def graph(findings: Findings) -> Section | None:
    """The graph whose edges are the positive values of npmi."""
    npmi = next((measure for measure in findings.measures if measure.name == "npmi"), None)
    if not isinstance(npmi, SparseMeasure):
        return None
    size = len(findings.vocabulary)
    adjacency = sparse.csr_array(
        (np.ones(len(npmi.indices), np.int8), np.asarray(npmi.indices), np.asarray(npmi.indptr)),
        shape=(size, size),
    )
    degrees = np.diff(npmi.indptr)
    count, component = connected_components(adjacency, directed=False)
    hubs = [findings.vocabulary.words[at] for at in np.argsort(-degrees, kind="stable")[:10]]
    return {
        "edges": len(npmi.indices) // 2,
        "density": f"{len(npmi.indices) / (size * (size - 1)):.2%}",
        "alone": int((degrees == 0).sum()),
        "components": count,
        "largest": int(np.bincount(component).max()) if size else 0,
        "median": int(np.median(degrees)),
        "hubs": listed(hubs),
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
        "sets": table("wwwww", ("gold set", "scale", "notes", "licence", "source"), rows),
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

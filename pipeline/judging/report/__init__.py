"""The report of a language: what the measures are worth, and what they were made of."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from scipy import sparse, stats
from scipy.sparse.csgraph import connected_components

from pipeline.judging.report import people, pictures
from pipeline.judging.report.document import Block, Document, Picture, Section, Table, Text
from pipeline.judging.report.pictures import short
from wordkin.errors import InputError
from wordkin.judging.correlation import Correlation, Evaluation
from wordkin.measures import DenseMeasure, Measure, SparseMeasure, VectorMeasure
from wordkin.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pipeline.judging.evaluate import Findings, GoldResult

WORST = 6
SAMPLE_WORDS = 20
NEIGHBOURS = 8
MISSING_SHOWN = 40
ZIPF_POINTS = 200
CLUSTERING_SAMPLE = 100
COVERED_ENOUGH = 30
"""Pairs below which a correlation says little, and is said to."""

__all__ = ["published", "render", "short", "zipf_ranks"]


def render(findings: Findings) -> dict[str, str]:
    """The report's files by name."""
    document = compose(findings)
    return {"report.md": document.markdown(), "report.html": document.html()}


def published(path: Path) -> dict[str, Any]:
    """What others measured, from `eval/published.yaml`."""
    try:
        content = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
        for entry in content["systems"]:
            for key in ("system", "language", "corpus", "citation", "scores"):
                entry[key]
        return {"method": content["method"], "systems": content["systems"]}
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror}.") from error
    except (YAMLError, UnicodeDecodeError, KeyError, TypeError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{path} is not a list of published figures: {reason}.") from error


def compose(findings: Findings) -> Document:
    """The report as data."""
    sections = [
        agreement_with_people(findings),
        which_is_better(findings),
        people.people(findings),
        people.learned(findings),
        people.spymasters(findings),
        people.tournament(findings),
        people.clues(findings),
        published_figures(findings),
        between_measures(findings),
        where_it_is_wrong(findings),
        more_text(findings),
        coverage(findings),
        corpus(findings),
        vocabulary(findings),
        matrices(findings),
        graph(findings),
        neighbours(findings),
        gold_sets(findings),
        timings(findings),
    ]
    return Document(
        title=f"Word relatedness, {findings.language}: should you believe it?",
        language=findings.language,
        lead=[Text(sentence) for sentence in summary(findings)],
        sections=[section for section in sections if section.blocks],
    )


def summary(findings: Findings) -> list[str]:
    """The report in a few sentences."""
    names = ", ".join(measure.name for measure in findings.measures)
    tokens = findings.stages.get("tokens", {}).get("tokens")
    made = f" made of {tokens:,} tokens" if tokens else ""
    plural = "s" if len(findings.measures) > 1 else ""
    sentences = [f"The measure{plural} {names} over {len(findings.vocabulary):,} words{made}."]
    result = _main(findings)
    if result is None:
        return [*sentences, _no_gold(findings)]
    best, found = _best(result)
    sentences.append(
        f"Best on {result.title}: {best}, with a Spearman correlation of "
        f"{_with_interval(found.spearman)} over the {found.covered:,} pairs that the vocabulary "
        f"covers, and of {_with_interval(found.spearman_all)} over all {found.pairs:,}."
    )
    if result.about["status"] == "silver":
        sentences.append(
            "Silver sets are translations that carry the ratings of the English words: nobody was "
            "asked about these words. Take their figures as a sign, not as proof."
        )
    return sentences


def agreement_with_people(findings: Findings) -> Section:
    """Table 2 of the paper: measures by gold sets."""
    title = "Agreement with people"
    if not findings.results:
        return Section(title, [])
    rows: list[Sequence[str]] = []
    for result in findings.results:
        rows.append([result.title])
        rows += [
            (
                name,
                _with_interval(found.spearman_all),
                _with_interval(found.pearson_all),
                _with_interval(found.spearman),
                _with_interval(found.pearson),
            )
            for name, found in result.by_measure.items()
        ]
    lows = [found.spearman_all.low for r in findings.results for found in r.by_measure.values()]
    lowest = min([0.0, *(math.floor(low * 10) / 10 for low in lows if not math.isnan(low))])
    panels = []
    for result in findings.results:
        bars = [
            (name, found.spearman_all.statistic, found.spearman_all.low, found.spearman_all.high)
            for name, found in result.by_measure.items()
            if not math.isnan(found.spearman_all.statistic)
        ]
        if bars:
            heading = f"{result.title}, {result.any.pairs:,} pairs"
            others = _published_spearman(findings, result)
            panels.append(pictures.intervals(heading, bars, others, lowest))
    blocks: list[Block] = [
        Text(
            "Correlations of each measure with what people said, over all pairs (a pair with a "
            "word that the vocabulary lacks counts as unrelated) and over the covered pairs alone. "
            "In brackets, 95 % intervals: the pairs were drawn anew with replacement."
        )
    ]
    if panels:
        blocks.append(
            Picture(
                panels,
                told="Spearman correlations with their intervals, as in the table below",
                caption="Spearman correlation over all pairs, with its 95 % interval. Ticks in a "
                "row named published: systems measured elsewhere, on other corpora.",
            )
        )
    header = ("", "Spearman, all", "Pearson, all", "Spearman, covered", "Pearson, covered")
    blocks.append(Table("wnnnn", header, rows))
    small = [r.title for r in findings.results if r.any.covered < COVERED_ENOUGH]
    if small:
        blocks.append(
            Text(f"Fewer than {COVERED_ENOUGH} covered pairs, so hardly a figure: {_list(small)}.")
        )
    return Section(title, blocks)


def which_is_better(findings: Findings) -> Section:
    """What the paired bootstrap lets us say, and nothing more."""
    if len(findings.measures) < 2:
        return Section("Which measure is better", [])
    rows = []
    for result in findings.results:
        sure = []
        for (a, b), found in result.differences().items():
            if found.sure:
                better, worse = (a, b) if found.value > 0 else (b, a)
                sure.append(f"{better} over {worse} by {short(abs(found.value))}")
        rows.append((result.title, "; ".join(sure) or "none"))
    explained = Text(
        "One measure is called better only where the 95 % interval of the difference in Spearman "
        "correlation, over the covered pairs and by the same draws for both, leaves out zero. "
        "Measures that are not named here cannot be told apart; and of many comparisons, one in "
        "twenty may be luck."
    )
    table = Table("ww", ("gold set", "better"), rows)
    return Section("Which measure is better", [explained, table] if rows else [])


def published_figures(findings: Findings) -> Section:
    """Other systems beside ours."""
    shown = [result for result in findings.results if _published_spearman(findings, result)]
    if not shown:
        return Section("Beside published figures", [])
    tokens = findings.stages.get("tokens", {}).get("tokens")
    rows: list[Sequence[str]] = [["Measured here" + (f", {tokens:,} tokens" if tokens else "")]]
    rows += [
        (name, *(_both(_plain(result.by_measure[name])) for result in shown))
        for name in shown[0].by_measure
    ]
    heading = ""
    for entry in _systems(findings):
        scores = [entry["scores"].get(result.name, {}) for result in shown]
        if any("spearman" in score for score in scores):
            if heading != (heading := _origin(entry)):
                rows.append([heading])
            rows.append((entry["system"], *map(_both, scores)))
    explained = Text(
        "Spearman correlations, and after the stroke Pearson's where they are known. All but ours "
        "were measured elsewhere, on other and mostly far larger corpora, with other vocabularies "
        "and often over covered pairs only: a frame, not a race."
    )
    table = Table("w" + "n" * len(shown), ("", *(result.title for result in shown)), rows)
    return Section("Beside published figures", [explained, table])


def between_measures(findings: Findings) -> Section:
    """Table 1 of the paper: how far the measures agree with each other."""
    names = [measure.name for measure in findings.measures]
    if len(names) < 2:
        return Section("Agreement between the measures", [])
    rows = [
        (
            name,
            *(
                "" if i == j else _number((findings.pearson if i < j else findings.spearman)[i, j])
                for j in range(len(names))
            ),
        )
        for i, name in enumerate(names)
    ]
    blocks: list[Block] = [
        Text(
            f"On {len(findings.random[names[0]]):,} random word pairs: Pearson above the diagonal, "
            "Spearman below it."
        ),
        Table("w" + "n" * len(names), ("", *names), rows),
    ]
    paper = findings.published["method"]
    theirs = []
    for entry in paper["between_measures"]:
        a, b = entry["measures"]
        if a in names and b in names:
            i, j = names.index(a), names.index(b)
            theirs.append(
                (
                    f"{a}, {b}",
                    _number(findings.pearson[i, j]),
                    short(entry["pearson"]),
                    _number(findings.spearman[i, j]),
                    short(entry["spearman"]),
                )
            )
    if theirs:
        header = ("measures", "Pearson here", "published", "Spearman here", "published")
        caption = f"Beside the figures of {paper['citation']}, measured elsewhere."
        blocks.append(Table("wnnnn", header, theirs, caption))
    return Section("Agreement between the measures", blocks)


def where_it_is_wrong(findings: Findings) -> Section:
    """Scores against the gold, and the pairs that lie farthest off."""
    result = _main(findings)
    if result is None:
        return Section("Where the measures are wrong", [])
    panels = []
    rows: list[Sequence[str]] = []
    for name, found in result.by_measure.items():
        covered = np.flatnonzero(found.is_covered)
        gold, scores = found.gold[covered], found.scores[covered]
        worst = worst_pairs(gold, scores)
        panels.append(
            pictures.scatter(name, gold, scores, worst, (f"{result.title}: people", "score"))
        )
        rows.append([name])
        for number, at in enumerate(worst, start=1):
            first, second = found.words[covered[at]]
            rows.append(
                (
                    f"{number}",
                    f"{first}, {second}",
                    f"{gold[at]:.4g}",
                    f"{scores[at]:.3f}",
                    "too low" if _rank(scores)[at] < _rank(gold)[at] else "too high",
                )
            )
    return Section(
        "Where the measures are wrong",
        [
            Text(
                f"The covered pairs of {result.title}: what people said against each measure. The "
                "numbered pairs are those whose places in the two orders lie farthest apart."
            ),
            Picture(
                panels,
                told="Scatter of each measure against the gold scores; the worst pairs are in the "
                "table below",
                caption="A measure that agreed with people would rise from left to right.",
            ),
            Table("wwnnw", ("", "pair", "people", "score", ""), rows),
        ],
    )


def worst_pairs(gold: NDArray[np.float64], scores: NDArray[np.float64]) -> list[int]:
    """The pairs whose ranks by gold and by score differ most, the worst first."""
    apart = np.abs(_rank(gold) - _rank(scores))
    return [int(at) for at in np.argsort(-apart, kind="stable")[:WORST]]


def more_text(findings: Findings) -> Section:
    """How npmi's correlation grows with the corpus."""
    curve = findings.stages.get("curve", {})
    panels, rows = [], []
    for result in findings.results:
        points = curve.get("gold", {}).get(result.title, [])
        if result.any.covered < COVERED_ENOUGH or not points:
            continue
        rows.append((result.title, *(_number(point["spearman"]) for point in points)))
        if all(point["spearman"] is not None for point in points):
            shape = [(point["spearman"], point["low"], point["high"]) for point in points]
            panels.append(pictures.growth(result.title, curve["tokens"], shape))
    if not panels:
        return Section("Would more text help", [])
    header = ("gold set", *(f"{tokens:,} tokens" for tokens in curve["tokens"]))
    return Section(
        "Would more text help",
        [
            Text(
                "The measure npmi made of an eighth, a quarter, half and all of the documents, "
                "taken at random from all sources: Spearman over the covered pairs. A curve that "
                "still rises at its end asks for more text; a flat one for better text or a better "
                "measure."
            ),
            Picture(
                panels,
                told="Spearman correlation by corpus size, as in the table below",
                caption="The band is the 95 % interval.",
            ),
            Table("w" + "n" * len(curve["tokens"]), header, rows),
        ],
    )


def coverage(findings: Findings) -> Section:
    """How much of each gold set the vocabulary sees, and what it misses."""
    rows, missing, stopped = [], [], []
    for result in findings.results:
        found, about = result.any, result.about
        share = found.covered / found.pairs if found.pairs else 0.0
        aside = {
            "given twice": about["doubled"],
            "of a word with itself, left out": found.identical,
            "unrated, left out": about["unrated"],
            "with several words in one entry, left out": about["ambiguous"],
        }
        stop_words = [word for word in found.missing if word in findings.stop_words]
        unseen = [word for word in found.missing if word not in findings.stop_words]
        rows.append(
            (
                result.title,
                f"{found.pairs:,}",
                f"{found.covered:,}",
                f"{share:.1%}",
                f"{len(unseen):,}",
                f"{len(stop_words):,}",
                "; ".join(f"{count:,} {what}" for what, count in aside.items() if count),
            )
        )
        if unseen:
            missing.append((result.title, _some(unseen)))
        if stop_words:
            stopped.append((result.title, _some(stop_words)))
    if not rows:
        return Section("Coverage", [])
    header = ("gold set", "pairs", "covered", "share", "missing words", "stop words", "notes")
    by_name = findings.stages.get("vocabulary", {}).get("gold_sets", [])
    forced = f" The words of {_list(by_name)} are in the vocabulary by name, however rare."
    blocks: list[Block] = [
        Text(
            "A pair is covered when the vocabulary has both words. A word is missing because it is "
            "not frequent enough, or because it is a stop word. Pairs given twice count twice, as "
            "in published figures. An entry of several words is never covered."
            + (forced if by_name else "")
        ),
        Table("wnnnnnw", header, rows),
    ]
    if missing:
        caption = "Missing words; all of them are in correlations.json."
        blocks.append(Table("ww", ("gold set", "missing words"), missing, caption))
    if stopped:
        caption = "Stop words that people were asked about: are they rightly on the list?"
        blocks.append(Table("ww", ("gold set", "stop words"), stopped, caption))
    return Section("Coverage", blocks)


def corpus(findings: Findings) -> Section:
    """What went in and what was dropped."""
    counted = findings.stages.get("tokens", {}).get("sources", {})
    if not counted:
        return Section("What went in", [])
    declared = {source["name"]: source for source in findings.sources}
    rows = []
    for name, facts in counted.items():
        dropped = [f"{count:,} {what}" for what, count in facts.get("dropped", {}).items() if count]
        lost = sum(facts.get("lost_bytes", {}).values())
        if lost:
            dropped.append(f"{lost:,} bytes unreadable")
        if facts.get("replaced_characters"):
            dropped.append(f"{facts['replaced_characters']:,} characters replaced")
        rows.append(
            (
                name,
                f"{facts.get('documents', 0):,}",
                f"{facts.get('tokens', 0):,}",
                f"{facts.get('bytes', 0) / 1e6:,.1f}",
                "; ".join(dropped) or "nothing",
                declared.get(name, {}).get("licence") or "not told",
            )
        )
    total = findings.stages["tokens"]
    explained = Text(
        f"{total['documents']:,} documents with {total['tokens']:,} tokens from "
        f"{len(counted):,} {'source' if len(counted) == 1 else 'sources'}."
    )
    header = ("source", "documents", "tokens", "MB", "dropped", "licence")
    return Section("What went in", [explained, Table("wnnnww", header, rows)])


def vocabulary(findings: Findings) -> Section:
    """The words, and whether their counts fall as Zipf's law has it."""
    words = findings.vocabulary
    ranks = zipf_ranks(words)
    facts = findings.stages.get("vocabulary", {})
    told = [f"{len(words):,} words"]
    if "coverage" in facts:
        told.append(f"{facts['coverage']:.1%} of the tokens")
    if "stop_words" in facts:
        own = facts.get("stop_words_from") == "corpus"
        told.append(
            f"{facts['stop_words']:,} stop words left out"
            f"{', taken from the corpus as no list is known' if own else ''}"
        )
    blocks: list[Block] = [
        Text(f"{', '.join(told)}. The most frequent: {_list(words.words[:12])}.")
    ]
    if len(ranks) > 1:
        counts = [int(words.counts[rank]) for rank in ranks]
        named = [(ranks[at] + 1, counts[at], words.words[ranks[at]]) for at in _spread(ranks, 5)]
        labels = ("rank (stop words left out)", "tokens")
        drawn = pictures.curve("", [rank + 1 for rank in ranks], counts, labels, named)
        tail = [at for at, rank in enumerate(ranks) if rank >= min(99, len(words) // 10)]
        steps = np.log([ranks[at] + 1 for at in tail]), np.log([counts[at] for at in tail])
        slope = f"{np.polyfit(*steps, 1)[0]:.2f}".replace("-", "−")
        blocks.append(
            Picture(
                [drawn],
                told=f"Word counts by rank on logarithmic axes, with a slope of {slope}",
                caption="How often the words occur, by rank. After the first hundred the slope "
                f"is {slope}; Zipf's law has it near −1. Steps or bumps would tell of text "
                "that repeats.",
            )
        )
    return Section("Vocabulary", blocks)


def zipf_ranks(vocabulary: Vocabulary) -> list[int]:
    """Places in the vocabulary, evenly spread over the logarithm, of words that occur."""
    seen = int((vocabulary.counts > 0).sum())
    if not seen:
        return []
    spread = np.geomspace(1, seen, min(ZIPF_POINTS, seen)).round().astype(int) - 1
    return sorted(set(spread.tolist()))


def matrices(findings: Findings) -> Section:
    """What kind of matrix each measure is, and how its values are spread."""
    rows = []
    for measure in findings.measures:
        values = findings.random[measure.name].astype(np.float64)
        low, middle, high = np.percentile(values, [5, 50, 95])
        rows.append(
            (
                measure.name,
                *_storage(measure),
                f"{(values != 0).mean():.1%}",
                f"{low:.3f}",
                f"{middle:.3f}",
                f"{high:.3f}",
                f"{values.max():.3f}",
            )
        )
    header = ("measure", "kept as", "stored", "not 0", "5 %", "median", "95 %", "largest")
    panels = [
        pictures.histogram(m.name, findings.random[m.name], "relatedness")
        for m in findings.measures
    ]
    return Section(
        "Matrices",
        [
            Text(
                "Every measure is symmetric, and 0 between a word and itself. Stored: the share of "
                "a matrix that is kept. The other figures are of random word pairs."
            ),
            Table("wwnnnnnn", header, rows),
            Picture(
                panels,
                told="Histograms of the values of each measure",
                caption="Values of each measure on random word pairs; mind the logarithmic axis.",
            ),
        ],
    )


def graph(findings: Findings) -> Section:
    """The graph whose edges are the positive values of npmi."""
    npmi = next((m for m in findings.measures if m.name == "npmi"), None)
    if not isinstance(npmi, SparseMeasure):
        return Section("The graph", [])
    size = len(findings.vocabulary)
    shape = sparse.csr_array(
        (np.ones(len(npmi.indices), np.int8), np.asarray(npmi.indices), np.asarray(npmi.indptr)),
        shape=(size, size),
    )
    degrees = np.diff(npmi.indptr)
    count, label = connected_components(shape, directed=False)
    largest = int(np.bincount(label).max()) if size else 0
    rows = [
        ("words", f"{size:,}"),
        ("edges", f"{len(npmi.indices) // 2:,}"),
        ("density", f"{len(npmi.indices) / (size * (size - 1)):.2%}"),
        ("words without an edge", f"{int((degrees == 0).sum()):,}"),
        ("connected parts", f"{count:,}"),
        ("words in the largest part", f"{largest:,}"),
        ("edges of a word, median", f"{int(np.median(degrees)):,}"),
        ("edges of a word, largest", f"{int(degrees.max()):,}"),
        ("clustering, mean of a sample", f"{clustering(shape):.3f}"),
    ]
    rows += [
        (key.replace("_", " "), f"{value:,}")
        for key, value in findings.stages.get("graph", {}).items()
        if isinstance(value, int | float) and not isinstance(value, bool) and key != "seconds"
    ]
    hubs = [findings.vocabulary.words[at] for at in np.argsort(-degrees, kind="stable")[:10]]
    return Section(
        "The graph",
        [
            Text(
                "An edge wherever npmi is positive, as long as 1 − npmi; the measure graph is 1 − "
                "the length of the shortest path. Clustering: the share of a word's neighbours "
                f"that are neighbours of each other, here of {CLUSTERING_SAMPLE} random words; a "
                "graph of as many edges drawn at random would have its density. Words with the "
                "most edges: " + _list(hubs) + "."
            ),
            Table("wn", ("", ""), rows),
        ],
    )


def clustering(adjacency: sparse.csr_array) -> float:
    """The mean local clustering coefficient of some random words that have two neighbours."""
    able = np.flatnonzero(np.diff(adjacency.indptr) > 1)
    chosen = np.random.default_rng(0).permutation(able)[:CLUSTERING_SAMPLE]
    shares = []
    for word in sorted(chosen.tolist()):
        near = adjacency.indices[adjacency.indptr[word] : adjacency.indptr[word + 1]]
        between = adjacency[near][:, near].nnz
        shares.append(between / (len(near) * (len(near) - 1)))
    return float(np.mean(shares)) if shares else 0.0


def neighbours(findings: Findings) -> Section:
    """The closest words of some words, by each measure."""
    rows: list[Sequence[str]] = []
    for word in sample_words(findings):
        rows.append([word])
        for measure in findings.measures:
            near = measure.nearest(word, NEIGHBOURS)
            told = ", ".join(f"{other} {short(score, 2)}" for other, score in near)
            rows.append((measure.name, told))
    explained = Text(
        "The closest words of some words of the main gold set, from frequent to rare."
        if _main(findings)
        else "The closest words of some words of the vocabulary, from frequent to rare."
    )
    return Section("Neighbours", [explained, Table("ww", ("", "closest"), rows)])


def sample_words(findings: Findings) -> list[str]:
    """Words that people can judge: of the main gold set if there is one, spread by frequency."""
    known = findings.vocabulary
    result = _main(findings)
    if result is None:
        ranks = np.geomspace(min(10, len(known)), len(known), SAMPLE_WORDS).round().astype(int)
        return [known.words[rank - 1] for rank in sorted(set(ranks.tolist()))]
    pairs = (
        pair for pair, seen in zip(result.any.words, result.any.is_covered, strict=True) if seen
    )
    rated = {word for pair in pairs for word in pair}
    ids = sorted(known.ids[word] for word in rated if word in known)
    return [known.words[ids[at]] for at in _spread(ids, SAMPLE_WORDS)]


def gold_sets(findings: Findings) -> Section:
    """Where the ratings come from, and which could not be had."""
    rows = [
        (
            result.title,
            result.about["kind"],
            "–".join(f"{bound:g}" for bound in result.about["scale"] or ()),
            result.about["licence"] or "not told",
            result.about["citation"] or "",
        )
        for result in findings.results
    ]
    blocks: list[Block] = []
    if rows:
        header = ("gold set", "asked for", "scale", "licence", "source")
        blocks.append(Table("wwwww", header, rows))
    reasons: dict[str, list[str]] = {}
    for name, reason in findings.skipped.items():
        reasons.setdefault(reason, []).append(name)
    blocks += [
        Text(f"Not evaluated: {_list(names)}. Reason: {reason}.")
        for reason, names in reasons.items()
    ]
    return Section("Gold sets", blocks)


def timings(findings: Findings) -> Section:
    """How long each stage took."""
    rows = [
        (stage, f"{facts['seconds']:,.1f}")
        for stage, facts in findings.stages.items()
        if "seconds" in facts
    ]
    explained = Text("Seconds that each stage took on the machine that made this report.")
    table = Table("wn", ("stage", "seconds"), rows)
    return Section("Timings", [explained, table] if rows else [])


def _main(findings: Findings) -> GoldResult | None:
    """The gold set that the report dwells on: the first that has enough covered pairs."""
    enough = (r for r in findings.results if r.any.covered >= COVERED_ENOUGH)
    return next(enough, None)


def _best(result: GoldResult) -> tuple[str, Evaluation]:
    """The measure with the highest Spearman correlation over the covered pairs."""

    def value(item: tuple[str, Evaluation]) -> float:
        statistic = item[1].spearman.statistic
        return -2.0 if math.isnan(statistic) else statistic

    return max(result.by_measure.items(), key=value)


def _no_gold(findings: Findings) -> str:
    if findings.results:
        return (
            f"No gold set has {COVERED_ENOUGH} pairs or more whose words are both in the "
            "vocabulary, so the correlations say little; give more text or a larger vocabulary."
        )
    there = "The known ones could not be had (see Gold sets)." if findings.skipped else ""
    return (
        f"There is no gold set for '{findings.language}', so nothing here says how far the "
        f"measures agree with people. {there} Add one in eval/gold.yaml: four lines are enough. "
        "Vocabulary, matrices and neighbours are below."
    ).replace("  ", " ")


def _systems(findings: Findings) -> list[Mapping[str, Any]]:
    return [e for e in findings.published["systems"] if e["language"] == findings.language]


def _plain(found: Evaluation) -> dict[str, float]:
    """The correlations over all pairs, in the form that published ones have."""
    return {
        "spearman": found.spearman_all.statistic,
        "pearson": found.pearson_all.statistic,
    }


def _both(scores: Mapping[str, float]) -> str:
    """Spearman's correlation and, where it is known, Pearson's."""
    return " / ".join(_number(scores[key]) for key in ("spearman", "pearson") if key in scores)


def _published_spearman(findings: Findings, result: GoldResult) -> list[float]:
    scores = (entry["scores"].get(result.name, {}) for entry in _systems(findings))
    return [score["spearman"] for score in scores if "spearman" in score]


def _storage(measure: Measure) -> tuple[str, str]:
    """How a measure is kept, and the share of the places outside the diagonal that are stored."""
    size = len(measure.vocabulary)
    match measure:
        case SparseMeasure():
            return "sparse matrix", f"{len(measure.indices) / (size * (size - 1)):.1%}"
        case DenseMeasure():
            return "full matrix", "100.0%"
        case VectorMeasure():
            return f"vectors of {measure.vectors.shape[1]}", ""
        case _:
            return "blend of others", ""


def _rank(values: NDArray[np.float64]) -> NDArray[np.float64]:
    ranks: NDArray[np.float64] = stats.rankdata(values) / max(len(values), 1)
    return ranks


def _spread(items: Sequence[Any], count: int) -> list[int]:
    """Up to `count` places in `items`, evenly apart, with the first and the last."""
    if not len(items):
        return []
    return sorted({round(at) for at in np.linspace(0, len(items) - 1, count)})


def _with_interval(correlation: Correlation) -> str:
    if math.isnan(correlation.statistic):
        return "–"
    low, high = short(correlation.low, 2), short(correlation.high, 2)
    return f"{short(correlation.statistic)} ({low} to {high})"


def _number(value: float | None) -> str:
    return "–" if value is None or math.isnan(value) else short(value)


def _origin(entry: Mapping[str, Any]) -> str:
    size = f", {entry['tokens']:,} M tokens" if "tokens" in entry else ""
    return f"Elsewhere: {entry['citation']}: {entry['corpus']}{size}"


def _list(words: Iterable[str]) -> str:
    return ", ".join(words)


def _some(words: Sequence[str]) -> str:
    more = len(words) - MISSING_SHOWN
    return _list(words[:MISSING_SHOWN]) + (f" and {more:,} more" if more > 0 else "")

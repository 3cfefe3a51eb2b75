"""The report of a language: can its measures be believed, where not, and what would help.

    measures, eval/<lang>/{gold, rounds}, figures of all stages ──report──▶ eval/<lang>/
        report.html        one page that needs nothing else
        report.md          the same without its pictures
        correlations.json  every correlation with its interval, and every missing word
        metrics.json       the main figures, for `dvc metrics`

`templates/report.j2` has the text of the report. It is rendered twice, with the forms of
`html.j2` and with those of `markdown.j2`. All words, licences and reasons from outside are escaped.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from pydantic.dataclasses import dataclass

from pipeline.count.codes import Counts
from pipeline.judge.agents import Play, play
from pipeline.judge.correlations import (
    all_figures,
    by_importance,
    compare_measures,
    correlate_with,
    correlate_with_all,
    main_figures,
    read_published,
)
from pipeline.judge.figures import short
from pipeline.judge.findings import Findings
from pipeline.judge.growth import grow
from pipeline.judge.vocabulary_map import draw_map
from pipeline.layout import FAMILIES, MEASURES, Layout
from pipeline.measures.npmi import Npmi
from pipeline.measures.opening import open_measures
from pipeline.memory import PROCESS_MIB, Sizes, usable_cores
from pipeline.mistakes import KNOWN_KEYS, Whole, between
from pipeline.settings import Section, Settings
from pipeline.stage import Job, Metrics, Stage
from pipeline.words.lemmas import gold_form
from pipeline.words.token_shards import is_small, shard_files
from pipeline.words.vocabulary import VocabularySettings
from wordkin.errors import InputError
from wordkin.files import read_words, write_text
from wordkin.rated_pairs import read_pairs
from wordkin.tables import table_lines

TEMPLATES = Path(__file__).with_name("templates")

FIGURES = ("tokens", "vocabulary", *FAMILIES, "human")
"""The stages whose figures the report shows."""


@dataclass(frozen=True, config=KNOWN_KEYS)
class Report(Section):
    """How precise the figures of the report are, and how much agents play for it."""

    KEY = "report"

    resamples: Annotated[Whole, between(100, 100_000)] = 1000
    games: Annotated[Whole, between(1)] = 5
    seed: Annotated[Whole, between(0)] = 0


def run(job: Job) -> Metrics:
    """Judge the measures of a language and write the report."""
    layout, settings = job.layout, job.settings
    publish, own = settings.publish.available(layout), settings.section(Report)
    familiarity = settings.section(VocabularySettings).familiarity
    form = gold_form(layout)
    draws = {"resamples": own.resamples, "seed": own.seed}
    growth: dict[str, Any] = {}
    if any(layout.gold.glob("*.tsv")):  # otherwise do not start an engine
        with job.engine(is_small(shard_files(layout.tokens))) as engine:
            growth = grow(
                layout, settings.section(Counts), settings.section(Npmi), form, engine, **draws
            )
    played = play(
        layout,
        publish.measures,
        publish.default,
        games=own.games,
        seed=own.seed,
        familiarity=familiarity,
    )
    findings = collect(
        layout,
        own,
        publish.measures,
        publish.default,
        growth=growth,
        play=played,
        familiarity=familiarity,
    )
    return write_report(layout, findings)


def collect(
    layout: Layout,
    settings: Report,
    measures: Sequence[str],
    default: str,
    *,
    growth: Mapping[str, Any] | None = None,
    play: Play | None = None,
    familiarity: float = 0.0,
) -> Findings:
    """Compute and read what the report shows beside growth and play."""
    opened = open_measures(layout, measures)
    vocabulary = opened[0].vocabulary
    form = gold_form(layout)
    results, skipped = correlate_with_all(
        layout, opened, form, resamples=settings.resamples, seed=settings.seed
    )
    stop_words = layout.vocabulary / "stop_words.txt"
    npmi = next((measure for measure in opened if measure.name == "npmi"), opened[0])
    return Findings(
        language=layout.language,
        vocabulary=vocabulary,
        stop_words=frozenset(read_words(stop_words) if stop_words.is_file() else ()),
        measures=opened,
        default=default,
        form=form,
        results=by_importance(results),
        skipped=skipped,
        between=compare_measures(opened, seed=settings.seed),
        growth=growth or {},
        play=play or Play([], [], {}),
        word_map=draw_map(npmi, familiarity),
        stages={
            stage: _read_json(layout.metrics(stage))
            for stage in FIGURES
            if layout.metrics(stage).is_file()
        },
        sources=_read_json(layout.sources).get("sources", []) if layout.sources.is_file() else [],
        published=[
            system
            for system in read_published(layout.published)
            if system["language"] == layout.language
        ],
    )


def write_report(layout: Layout, findings: Findings) -> Metrics:
    """Write the report and the correlations, and return the main figures."""
    from pipeline.judge.sections import report_data  # its pictures take a second to import

    figures = all_figures(findings.results, findings.skipped, findings.between)
    text = json.dumps(figures, indent=2, ensure_ascii=False, allow_nan=False)
    write_text(layout.correlations, text + "\n")
    data = report_data(findings)
    write_text(layout.report, as_html(data))
    write_text(layout.report_text, as_markdown(data))
    return {
        "gold": {result.title: main_figures(result) for result in findings.results},
        "skipped": len(findings.skipped),
        "games": sum(standing.games for standing in findings.play.standings),
        "won": {
            f"{standing.spymaster} with {standing.guesser}": round(standing.wins.value, 3)
            for standing in findings.play.standings
        },
    }


def as_html(data: Mapping[str, Any]) -> str:
    """The report as one page that needs nothing else."""
    return _render("html.j2", data, Environment(autoescape=True, **_OPTIONS))


def as_markdown(data: Mapping[str, Any]) -> str:
    """The report as Markdown, without its pictures."""
    environment = Environment(autoescape=True, finalize=_markdown, **_OPTIONS)
    text = _render("markdown.j2", data, environment)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


_OPTIONS: dict[str, Any] = {
    "loader": FileSystemLoader(TEMPLATES),
    "undefined": StrictUndefined,
    "trim_blocks": True,
    "lstrip_blocks": True,
}


def _render(form: str, data: Mapping[str, Any], environment: Environment) -> str:
    """The text of the report in the form of a template of macros."""
    environment.filters |= {
        "one_line": lambda text: Markup(" ".join(str(text).split())),
        "cell": lambda text: Markup(_plain(str(text)).replace("|", "\\|")),
        "anchor": lambda title: re.sub(r"[^a-z0-9]+", "-", str(title).lower()).strip("-"),
    }
    style = Markup((TEMPLATES / "page.css").read_text(encoding="utf-8"))
    macros = environment.get_template(form).module
    return environment.get_template("report.j2").render(form=macros, style=style, **data)


_MARKS = re.compile(r"[\\\[\]`*]")
_LINKS = re.compile(r"(?<=[a-z])(:)(?=//)|(?<=\bwww)(\.)|(?<=\w)(@)(?=\w)", re.IGNORECASE)
"""What GitHub turns into a link without any mark: addresses of pages and of mailboxes."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def _markdown(value: object) -> object:
    """A value that a template writes, escaped unless it is Markdown already."""
    return value if isinstance(value, Markup) else Markup(_plain(str(value)))


def _plain(text: str) -> str:
    """Text that Markdown shows as it is: no tag, no link, no image, no new line of its own."""
    one_line = _CONTROL.sub(" ", " ".join(text.splitlines()))
    marked = _MARKS.sub(r"\\\g<0>", html.escape(one_line, quote=False))
    marked = re.sub(r"^(\d*)([#+>.)-]+)(?=\s)", r"\1\\\2", marked.strip())  # a heading or a list
    return _LINKS.sub(lambda match: f"&#{ord(match[0])};", marked)


def by_hand(layout: Layout, settings: Report, measures: Sequence[str], path: Path) -> str:
    """The correlations with a user's own file of rated pairs, as a table; nothing is written."""
    result = correlate_with(
        {"name": path.stem, "status": "human"},
        read_pairs(path),
        open_measures(layout, measures),
        gold_form(layout),
        resamples=settings.resamples,
        seed=settings.seed,
    )
    evaluation = result.any_evaluation
    if not evaluation.covered:
        raise InputError(
            f"None of the {evaluation.pairs} pairs of {path} has both words in the vocabulary of "
            f"'{layout.language}': is it the right language?"
        )
    rows = [
        (
            name,
            short(e.spearman_all.statistic),
            f"{short(e.spearman_all.low)} to {short(e.spearman_all.high)}",
            short(e.pearson_all.statistic),
        )
        for name, e in result.by_measure.items()
    ]
    covered = f"{result.name}: {evaluation.covered:,} of {evaluation.pairs:,} pairs are covered"
    return "\n".join([covered, *table_lines(("measure", "Spearman", "95 %", "Pearson"), rows)])


def _read_json(path: Path) -> dict[str, Any]:
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is missing or damaged: run its stage again.") from error
    return content


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    sets = metrics["gold"].values()
    pairs, covered = (sum(gold[key] for gold in sets) for key in ("pairs", "covered"))
    return (
        f"gold sets: {len(sets)} with {pairs:,} pairs, {pairs - covered:,} of them not covered "
        f"({metrics['skipped']} sets skipped); best Spearman over all pairs: {_best(metrics)}; "
        f"{metrics['games']:,} games"
    )


def _best(metrics: Metrics) -> str:
    """The best measure on each of the first gold sets, in one line."""
    best = []
    for title, figures in list(metrics["gold"].items())[:3]:
        known = {
            measure: values["spearman_all"]
            for measure, values in figures.items()
            if isinstance(values, Mapping) and values["spearman_all"] is not None
        }
        if known:
            measure = max(known, key=lambda measure: known[measure])
            best.append(f"{title} {short(known[measure])} ({measure})")
    return ", ".join(best) or "no gold set"


def memory(sizes: Sizes, settings: Settings) -> float:
    """A measure, the counts of the gold pairs, and as many agents at once as there are cores."""
    agents = usable_cores() * (PROCESS_MIB * 2.0**20 + sizes.chunk / 8)
    return sizes.chunk + 64.0 * sizes.words * max(sizes.cores, 1) + agents


STAGE = Stage(
    "report",
    run,
    describe,
    reads=(
        "sources", "gold", "published", "boards", "rounds", "tokens", "vocabulary", *MEASURES,
        "human",
    ),
    writes=("report", "report_text", "correlations"),
    figures=FIGURES,
    section=Report,
    params=(
        "counts", "npmi", "publish.measures", "publish.default", "vocabulary.familiarity",
    ),
    memory=memory,
)  # fmt: skip

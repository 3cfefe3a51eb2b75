"""Starter bundles: one small bundle per language that comes with the library.

    starter.yaml ──python -m pipeline starter──▶ wordkin/starter/<lang>

The stages run on the sources and settings of `starter.yaml` in a work folder of their own. The
bundle has one measure, a blend of npmi and svd, in the light store. It is judged as it is: the
figures on its card are those of the bundle itself, not of the matrices that it was made from.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from pydantic.dataclasses import dataclass

from pipeline import mistakes
from pipeline.declarations import Source
from pipeline.fetched import read_gold_sets, read_recorded
from pipeline.judge.agreement import agreement, between_people, chance
from pipeline.judge.human import make_human
from pipeline.judge.report import Report
from pipeline.layout import Layout
from pipeline.measures.blend import Blend, make_blend
from pipeline.mistakes import KNOWN_KEYS, Whole, between, nonempty
from pipeline.publish.publish import make_bundle, parameters_of
from pipeline.settings import Light, Settings
from pipeline.stage import Job
from pipeline.stages import stage_named
from pipeline.words.lemmas import gold_form
from pipeline.words.vocabulary import VocabularySettings
from wordkin.bundle import Bundle, load
from wordkin.errors import InputError
from wordkin.evaluation import evaluate
from wordkin.files import new_folder, write_text
from wordkin.manifest import read_manifest, write_manifest
from wordkin.pack import pack
from wordkin.program import say
from wordkin.rated_pairs import read_pairs


@dataclass(frozen=True, config=KNOWN_KEYS)
class StarterLanguage:
    """The vocabulary of a starter bundle, and how its sources differ from those of params.yaml."""

    size: Annotated[Whole, between(2, 200_000)]
    sources: list[Source] = field(default_factory=list)
    without: list[str] = field(default_factory=list)


@dataclass(frozen=True, config=KNOWN_KEYS)
class Starter:
    """The whole of `starter.yaml`."""

    languages: Annotated[dict[str, StarterLanguage], nonempty]
    blend: Blend
    light: Light = Light()


STAGES = ("fetch", "tokens", "vocabulary", "counts", "npmi", "svd")
"""The stages that a starter bundle needs."""

LEFT_OUT = ("extras", "translated")
"""Sections that starter bundles do without."""

SECTIONS = ("vocabulary", "counts", "npmi", "svd", "blend")
"""The settings that are on the card."""

MOST_BYTES = 8_000_000
"""A starter bundle that is larger when packed is refused: all of them are in every wheel."""

CARD = "CARD.md"

ROUNDS = "rounds"
"""The key of the figures about people's choices."""


def make_starters(
    root: Path, settings: Settings, codes: Sequence[str], verbose: bool = False
) -> None:
    """Make the starter bundles of some languages (default: all) below `wordkin/starter`."""
    starter, work = mistakes.read(Starter, root / "starter.yaml"), root / "build" / "starter"
    for code in codes:
        if code not in starter.languages:
            declared = ", ".join(starter.languages)
            raise InputError(f"starter.yaml has no language '{code}' (there: {declared}): add it.")
    settings = with_starter(settings, starter)
    gold_sets = Layout(work, "").gold_sets
    gold_sets.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(Layout(root, "").gold_sets, gold_sets)
    for code in codes or starter.languages:
        into = root / "wordkin" / "starter" / code
        make_starter(Layout(work, code), settings, into, verbose)


def with_starter(settings: Settings, starter: Starter) -> Settings:
    """The settings of `params.yaml`, changed as `starter.yaml` says.

    The stage extras is not run, so none of its files are fetched.
    """
    languages = {}
    for code, changes in starter.languages.items():
        language = settings.of(code)
        sources = [source for source in language.sources if source.name not in changes.without]
        vocabulary = replace(language.vocabulary, size=changes.size)
        languages[code] = replace(
            language, vocabulary=vocabulary, sources=[*sources, *changes.sources]
        )
    publish = replace(settings.publish, light=starter.light, store="light", default="blend")
    others = {key: value for key, value in settings.sections.items() if key not in LEFT_OUT}
    settings = replace(settings, languages=languages, sections=others)
    return settings.having(starter.blend, publish)


def make_starter(layout: Layout, settings: Settings, into: Path, verbose: bool = False) -> None:
    """Build one language in its work folder and write its starter bundle and card to `into`."""
    layout.raw.mkdir(parents=True, exist_ok=True)
    for name in STAGES:
        stage_named(name).run(Job(name, layout, settings, verbose))
    blended = settings.section(Blend)
    measures = [*blended.weights, "blend"]
    make_blend(layout, blended)
    figures = make_human(layout, settings.human, measures)
    write_text(layout.metrics("human"), json.dumps(figures) + "\n")
    publish = replace(settings.publish, measures=measures)
    parameters = parameters_of(settings, layout.language, SECTIONS)
    make_bundle(layout, publish, parameters, settings.section(VocabularySettings).familiarity)
    with new_folder(into) as temporary:
        facts = read_manifest(layout.bundle)
        for name in facts["files"]:
            (temporary / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(layout.bundle / name, temporary / name)
        facts["evaluation"] = judge(load(layout.bundle), layout, settings)
        write_text(temporary / CARD, card(facts))
        write_manifest(temporary, facts)
        size = packed_size(temporary)
        if size > MOST_BYTES:
            raise InputError(
                f"The starter bundle of '{layout.language}' would have {size:,} bytes when packed, "
                f"more than {MOST_BYTES:,}: lower vocabulary.size or light in starter.yaml."
            )
    say(
        f"starter {layout.language}: {facts['words']:,} words, {size / 1e6:.1f} MB packed in {into}"
    )


def packed_size(folder: Path) -> int:
    """The bytes of a bundle in an archive, as it is in wheels."""
    with TemporaryDirectory() as temporary:
        pack(folder, Path(temporary) / "bundle.zip")
        return (Path(temporary) / "bundle.zip").stat().st_size


def judge(bundle: Bundle, layout: Layout, settings: Settings) -> dict[str, Any]:
    """How well the bundle agrees with rated pairs and with recorded choices of people."""
    measure = bundle.measure()
    form = gold_form(layout)
    judged: dict[str, Any] = {}
    for about in read_gold_sets(layout.gold).sets:
        pairs = read_pairs(layout.gold / f"{about['name']}.tsv")
        result = evaluate(measure, pairs, resamples=settings.section(Report).resamples, normal=form)
        judged[about["name"]] = {
            "pairs": result.pairs,
            "covered": result.covered,
            measure.name: {"spearman_all": round(result.spearman_all.statistic, 3)},
        }
    if items := read_recorded(layout):
        resolve = bundle.try_resolve
        ours = agreement(measure, items, layout.language, form=form, resolve=resolve)
        judged[ROUNDS] = {
            "rounds": ours.rounds,
            measure.name: {"precision": round(ours.all["precision"].value, 3)},
            "people": round(between_people(items).known["precision"].value, 3),
            "chance": round(chance(items).all["precision"].value, 3),
        }
    return judged


def card(facts: Mapping[str, Any]) -> str:
    """What a starter bundle is made of, with what settings, how good it is, and its licence."""
    return "\n".join(_card_lines(facts)) + "\n"


def _card_lines(facts: Mapping[str, Any]) -> Iterator[str]:
    yield f"# Starter bundle: {facts['language']}"
    yield ""
    yield (
        f"{facts['words']:,} words from {facts['tokens']:,} tokens of {facts['documents']:,} "
        "documents. It holds word statistics only, no text. Made by `make starter`."
    )
    yield ""
    yield "## Text"
    yield ""
    yield "| source | documents | tokens | licence |"
    yield "|---|--:|--:|---|"
    for source in facts["sources"]:
        yield (
            f"| {source['name']} | {source['documents']:,} | {source['tokens']:,} | "
            f"{source['licence']} |"
        )
    yield ""
    yield (
        "Some sources are under CC BY-SA, so the bundle is offered under CC BY-SA 4.0, with the "
        "sources above as its attribution."
    )
    yield ""
    yield "## Settings"
    yield ""
    for section, values in facts["parameters"].items():
        options = ", ".join(f"{key} {_plain(value)}" for key, value in values.items())
        yield f"- {section}: {options}"
    yield ""
    yield "## How good it is"
    yield ""
    default = facts["default"]
    yield f"Measured on this bundle, by its only measure, `{default}`."
    yield ""
    yield "| compared with | how much | covered | result |"
    yield "|---|--:|--:|--:|"
    for name, figures in facts["evaluation"].items():
        if name == ROUNDS:
            yield (
                f"| people's choices, P@n | {figures['rounds']:,} rounds | all | "
                f"{figures[default]['precision']:.3f} (other people {figures['people']:.3f}, "
                f"chance {figures['chance']:.3f}) |"
            )
        else:
            yield (
                f"| {name}, Spearman's correlation over all pairs | {figures['pairs']:,} pairs | "
                f"{figures['covered']:,} | {figures[default]['spearman_all']:.3f} |"
            )


def _plain(value: Any) -> str:
    """A setting as people write it."""
    if isinstance(value, Mapping):
        return "(" + ", ".join(f"{key} {_plain(item)}" for key, item in value.items()) + ")"
    if isinstance(value, list):
        return " ".join(map(str, value)) or "none"
    return str(value)

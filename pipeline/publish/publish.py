"""Matrices to a bundle: all that an agent needs in one folder, and where it came from.

matrices/<lang>/{vocabulary, npmi, ...} ──publish──▶ matrices/<lang>/bundle
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from pipeline.judge.human import guesser_facts
from pipeline.languages import language
from pipeline.layout import FAMILIES, MEASURES, SINGLE, Layout
from pipeline.measures.opening import open_measures
from pipeline.measures.squared import Squared
from pipeline.measures.subwords import FULL_SIZE, learn_from, vector_measure
from pipeline.publish.board_proposal import board_facts
from pipeline.publish.compact import write_compact, write_light
from pipeline.settings import Publish, Settings, TopK
from pipeline.stage import Job, Metrics, Stage
from pipeline.stages import section_kinds
from pipeline.words.lemmas import lemmas_of_words
from pipeline.words.vocabulary import VocabularySettings
from wordkin.bundle_folder import write_bundle
from wordkin.errors import InputError
from wordkin.files import scratch_folder
from wordkin.manifest import read_manifest
from wordkin.measures.measure import Measure
from wordkin.vocabulary import Vocabulary

# What the bundle says of a source: where the text comes from and how much of it there is, but not
# how this machine fetched it.
SOURCE_FACTS = ("location", "licence", "format", "sha256")
TOKEN_FACTS = ("documents", "tokens", "dropped")


SECTIONS = ("tokens", "vocabulary", "counts", *SINGLE, *FAMILIES, "blend", "human")
"""The settings that shaped the matrices: the manifest has them."""


def run(job: Job) -> Metrics:
    """Write the bundle of a language, with the settings that it was made with."""
    parameters = parameters_of(job.settings, job.layout.language, SECTIONS)
    publish = job.settings.publish.available(job.layout)
    limit = job.settings.section(VocabularySettings).familiarity
    neighbours = job.settings.section(Squared).neighbours
    return make_bundle(job.layout, publish, parameters, limit, neighbours)


def parameters_of(settings: Settings, code: str, sections: Iterable[str]) -> dict[str, Any]:
    """The settings that shaped the matrices of a language: some sections, and its own."""
    language = settings.of(code)
    own = {"lemmatize": language.lemmatize, "vocabulary": asdict(language.vocabulary)}
    kinds = section_kinds()
    return {
        **{key: asdict(cast(Any, settings.section(kinds[key]))) for key in sections},
        "language": own,
    }


def make_bundle(
    layout: Layout,
    settings: Publish,
    parameters: Mapping[str, Any] | None = None,
    familiarity: float = 0.0,
    neighbours: TopK = "all",
) -> Metrics:
    """Write the bundle; its manifest has `parameters`, the settings of the matrices, and the least
    `familiarity` of a clue. `neighbours` is the setting of squared."""
    names = [settings.default] if settings.store == "light" else settings.measures
    measures = {name: _open(layout, name) for name in dict.fromkeys([*names, *settings.measures])}
    vocabulary = layout.vocabulary / "vocabulary.tsv"
    words = Vocabulary.read(vocabulary)
    # The exact vectors, whatever the store of the measures is.
    exact = {name: layout.measure(name) for name in settings.measures}
    source = vector_measure(exact)
    size = settings.light.subwords if settings.store == "light" else FULL_SIZE
    corpus = _read_json(layout.metrics("tokens"))
    evaluation = _read_json(layout.metrics("report"))
    with scratch_folder(layout.matrices / "publish.store") as folder:
        if settings.store == "light":
            write_light(folder / settings.default, measures[settings.default], settings.light)
        elif settings.store == "compact":
            write_compact(folder, [measures[name] for name in names], settings.compact, neighbours)
        is_full = settings.store == "full"
        write_bundle(
            layout.bundle,
            language=layout.language,
            vocabulary=vocabulary,
            measures={name: exact[name] if is_full else folder / name for name in names},
            default=settings.default,
            lemmas=lemmas_of_words(layout, words.words),
            subwords=learn_from(exact[source], words, size) if source else None,
            facts={
                "store": settings.store,
                "parameters": dict(parameters or {}),
                "sources": source_facts(_read_json(layout.sources), corpus),
                "tokens": corpus.get("tokens"),
                "documents": corpus.get("documents"),
                "evaluation": evaluation.get("gold", {}),
                "guesser": guesser_facts(layout, names),
                "familiarity": familiarity,
                **board_facts(words, corpus, language(layout.language), familiarity),
            },
        )
    files = read_manifest(layout.bundle)["files"]
    return {
        "measures": names,
        "default": settings.default,
        "store": settings.store,
        "subwords": source,
        "files": len(files),
        "bytes": sum(file["bytes"] for file in files.values()),
    }


def _open(layout: Layout, name: str) -> Measure:
    folder = layout.measure(name)
    if not (folder / "measure.json").is_file():
        raise InputError(
            f"publish.measures names '{name}', but {folder} has no measure: run that stage first, "
            "or remove the name."
        )
    return open_measures(layout, [name])[0]


def source_facts(manifest: Mapping[str, Any], corpus: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The name, origin, licence and size of each source, in the order of the names."""
    declared = {source["name"]: source for source in manifest.get("sources", [])}
    counted = corpus.get("sources", {})
    return [
        {
            "name": name,
            **{key: declared[name][key] for key in SOURCE_FACTS if declared.get(name, {}).get(key)},
            **{key: counted[name][key] for key in TOKEN_FACTS if key in counted.get(name, {})},
        }
        for name in sorted({*declared, *counted})
    ]


def _read_json(path: Path) -> dict[str, Any]:
    """What a stage wrote to `path`; nothing when that stage did not run."""
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path} is damaged: run its stage again.") from error
    if not isinstance(content, dict):
        raise InputError(f"{path} is not what its stage writes: run its stage again.")
    return content


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    return (
        f"{len(metrics['measures'])} measures in ({', '.join(metrics['measures'])}; default "
        f"{metrics['default']}; {metrics['store']} store), {metrics['files']} files of "
        f"{metrics['bytes'] / 2**20:,.1f} MiB out"
    )


STAGE = Stage(
    "publish",
    run,
    describe,
    reads=("sources", "vocabulary", *MEASURES, "human"),
    writes=("bundle",),
    figures=("tokens", "human", "report"),
    params=(
        "publish", "languages.${key}.lemmatize", "languages.${key}.vocabulary", *SECTIONS,
    ),
    memory=lambda sizes, settings: 2 * sizes.npmi + 16.0 * sizes.words * 1000,
)  # fmt: skip

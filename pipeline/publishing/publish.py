"""Matrices to a bundle: what an agent needs, in one folder, with where it came from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from pipeline.corpus.languages import language
from pipeline.layout import Layout
from pipeline.settings import Publish
from pipeline.stage import Job, Metrics, sections_of_matrices
from wordkin.bundle import write_bundle
from wordkin.errors import InputError
from wordkin.manifest import read_manifest
from wordkin.vocabulary import Vocabulary

# What a source's entry keeps of the manifest and of the tokens' figures: where the text came
# from and how much of it there is, not how this machine fetched it.
SOURCE_FACTS = ("location", "licence", "format", "sha256")
TOKEN_FACTS = ("documents", "tokens", "dropped")


def run(job: Job) -> Metrics:
    """Write `matrices/<lang>/bundle` with what it was made from."""
    settings = asdict(job.settings)
    parameters = {section: settings[section] for section in sections_of_matrices()}
    own = settings["languages"][job.layout.language]
    parameters["language"] = {key: own[key] for key in ("lemmatize", "vocabulary")}
    chosen = job.settings.publish
    measures = job.layout.with_learned(chosen.measures)
    return make_bundle(job.layout, replace(chosen, measures=measures), parameters)


def make_bundle(
    layout: Layout, settings: Publish, parameters: Mapping[str, Any] | None = None
) -> Metrics:
    """Write `matrices/<lang>/bundle`; `parameters` are told in it as what the matrices were
    made with."""
    folders = {name: layout.measure(name) for name in settings.measures}
    for name, folder in folders.items():
        if not (folder / "measure.json").is_file():
            raise InputError(
                f"publish.measures names '{name}', and {folder} is not there: run that stage "
                "first, or take the name out."
            )
    vocabulary = layout.vocabulary / "vocabulary.tsv"
    corpus = _read_json(layout.metrics("tokens"))
    evaluation = _read_json(layout.metrics("evaluate"))
    write_bundle(
        layout.bundle,
        language=layout.language,
        vocabulary=vocabulary,
        measures=folders,
        default=settings.default,
        lemmas=language(layout.language).lemmas(Vocabulary.read(vocabulary).words),
        facts={
            "parameters": dict(parameters or {}),
            "sources": source_facts(_read_json(layout.sources), corpus),
            "tokens": corpus.get("tokens"),
            "documents": corpus.get("documents"),
            "evaluation": evaluation.get("gold", {}),
        },
    )
    files = read_manifest(layout.bundle)["files"]
    return {
        "measures": list(settings.measures),
        "default": settings.default,
        "files": len(files),
        "bytes": sum(file["bytes"] for file in files.values()),
    }


def source_facts(manifest: Mapping[str, Any], corpus: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Each source's name, origin, licence and size, by name."""
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
    """What a stage left in `path`; nothing when that stage did not run."""
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path} is damaged: run its stage again.") from error
    if not isinstance(content, dict):
        raise InputError(f"{path} is not what its stage writes: run the stage again.")
    return content


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    return (
        f"{', '.join(metrics['measures'])} (default {metrics['default']}) in {metrics['files']} "
        f"files, {metrics['bytes'] / 2**20:,.0f} MiB"
    )

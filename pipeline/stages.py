"""The table of all stages, in the order of the flow, and `dvc.yaml`, which is written from it.

A stage depends on its inputs, on the settings that it reads, and on what its code means: the stage
`code`, which always runs, writes a fingerprint of it to `matrices/<lang>/code/<stage>.txt`. So a
changed formula runs what depends on it, and a changed docstring nothing.
"""

from __future__ import annotations

from pathlib import Path

from pipeline.fingerprint import Program
from pipeline.layout import FAMILIES, INFORMED, SINGLE, Layout
from pipeline.stage import Stage
from wordkin.errors import InputError
from wordkin.files import write_text

_SINGLE = (*SINGLE, *FAMILIES)
"""Where the measures are that a blend can be made of."""
_MEASURES = (*_SINGLE, "blend", INFORMED)
_LEMMATIZE = "languages.${key}.lemmatize"
_WORDS = "languages.${key}.vocabulary"

STAGES = (
    Stage(
        "fetch",
        "fetch",
        reads=("raw", "gold_sets"),
        writes=(
            "fetched", "sources", "resource_downloads", "resources", "boards", "gold", "rounds",
        ),
        kept=("fetched", "resource_downloads"),
        params=(
            "languages.${key}.sources", "lemmas", "fetch", "human.rounds", "vectors.imported",
            "vectors.encoders", "vectors.dictionaries", "vectors.translations", "knowledge.data",
        ),
        data=("wordkin/game/boards",),
    ),
    Stage(
        "tokens",
        "words",
        reads=("raw", "fetched", "sources"),
        writes=("tokens", "types"),
        params=("languages.${key}.sources", "tokens"),
    ),
    Stage(
        "vocabulary",
        "words",
        reads=("raw", "boards", "gold", "resource_downloads", "resources", "tokens", "types"),
        writes=("vocabulary",),
        params=(_WORDS, _LEMMATIZE, "lemmas", "vocabulary", "vectors.translations"),
        data=("wordkin/starter",),
    ),
    Stage(
        "counts",
        "count",
        reads=("tokens", "types", "vocabulary"),
        writes=("counts",),
        params=("counts",),
    ),
    Stage(
        "npmi",
        "measures",
        reads=("counts",),
        writes=("npmi",),
        params=("npmi",),
        makes_measure=True,
    ),
    Stage(
        "squared",
        "measures",
        reads=("npmi",),
        writes=("squared",),
        params=("squared",),
        makes_measure=True,
    ),
    Stage(
        "graph",
        "measures",
        reads=("npmi",),
        writes=("graph",),
        params=("graph",),
        makes_measure=True,
    ),
    Stage(
        "svd",
        "measures",
        reads=("npmi",),
        writes=("svd",),
        params=("svd",),
        makes_measure=True,
    ),
    Stage(
        "fasttext",
        "measures",
        reads=("tokens", "vocabulary"),
        writes=("fasttext",),
        params=("fasttext",),
        makes_measure=True,
    ),
    Stage(
        "vectors",
        "extras",
        reads=(
            "resource_downloads", "resources", "tokens", "vocabulary", "counts", "svd", "fasttext",
        ),
        writes=("vectors",),
        params=("vectors",),
        data=("wordkin/starter",),
        makes_family=True,
    ),
    Stage(
        "knowledge",
        "extras",
        reads=("resource_downloads", "resources", "vocabulary"),
        writes=("knowledge",),
        params=("knowledge",),
        makes_family=True,
    ),
    Stage(
        "blend",
        "measures",
        reads=("vocabulary", *_SINGLE),
        writes=("blend", INFORMED),
        params=("blend",),
        makes_measure=True,
    ),
    Stage(
        "human",
        "judge",
        reads=("rounds", "vocabulary", *_MEASURES),
        writes=("human",),
        params=("human", "publish.measures", _LEMMATIZE),
        makes_measure=True,
    ),
    Stage(
        "compact",
        "measures",
        reads=("vocabulary", *_MEASURES, "human"),
        writes=("compact", "light"),
        params=("compact", "publish.measures", "publish.default"),
    ),
    Stage(
        "report",
        "judge",
        reads=(
            "sources", "gold", "published", "boards", "rounds", "tokens", "vocabulary", *_MEASURES,
            "human",
        ),
        writes=("report", "report_text", "correlations"),
        figures=("tokens", "vocabulary", *FAMILIES, "human"),
        params=(
            "report", "counts", "npmi", "publish.measures", "publish.default",
            "vocabulary.familiarity", _LEMMATIZE,
        ),
        data=("pipeline/judge/templates", "wordkin/game/unwanted"),
    ),
    Stage(
        "publish",
        "publish",
        reads=("sources", "vocabulary", *_MEASURES, "human", "compact", "light"),
        writes=("bundle",),
        figures=("tokens", "human", "report"),
        params=(
            "publish", _LEMMATIZE, _WORDS, "tokens", "vocabulary", "counts", *_SINGLE, "blend",
            "human", "compact",
        ),
        data=("wordkin/language/families",),
    ),
)  # fmt: skip
"""All stages; a stage reads only what a person provides or a stage before it writes."""


def stage_named(name: str) -> Stage:
    """The stage called `name`."""
    return next(stage for stage in STAGES if stage.name == name)


def measure_names() -> list[str]:
    """The measures that stages of their own make; settings name those of families."""
    return [stage.name for stage in STAGES if stage.makes_measure]


def sections_of_matrices() -> list[str]:
    """The sections of `params.yaml` that decide what is in the matrices."""
    rooms = ("words", "count", "measures")
    return [
        stage.name
        for stage in STAGES
        if stage.room in rooms or stage.makes_measure or stage.makes_family
    ]


def write_code(root: Path, language: str) -> None:
    """Write what the code of each stage means, one small file per stage, for DVC to look at."""
    layout = Layout(root, language)
    program = Program(known=layout.run("code"))
    for stage in STAGES:
        module = f"pipeline.{stage.room}.{stage.name}"
        write_text(layout.code(stage.name), f"{program.fingerprint(module, stage.data)}\n")
    program.remember()


_HEAD = """\
# Written by `python -m pipeline dvc` from the table in pipeline/stages.py: change that instead.
# A stage runs when its inputs, its settings or the meaning of its code change. The stage `code`
# always runs: it writes what the code of each stage means, without comments and docstrings.
stages:
"""


def dvc_yaml() -> str:
    """The text of `dvc.yaml`: every stage, once per language."""
    layout = Layout(Path(), "${key}")
    codes = [f"{layout.code(stage.name)}: {{cache: false}}" for stage in STAGES]
    code = _entry("code", {"outs": codes}, "always_changed: true")
    return (
        _HEAD + code + "".join(_entry(stage.name, _definition(stage, layout)) for stage in STAGES)
    )


def _definition(stage: Stage, layout: Layout) -> dict[str, list[str]]:
    kept = " {cache: false, persist: true}"
    return {
        "deps": [str(path) for path in (layout.code(stage.name), *stage.inputs(layout))],
        "params": list(stage.params),
        "outs": [
            f"{layout.place(name)}:{kept}" if name in stage.kept else str(layout.place(name))
            for name in stage.writes
        ],
        "metrics": [str(layout.metrics(stage.name))],
    }


def _entry(name: str, lists: dict[str, list[str]], *options: str) -> str:
    lines = [f"  {name}:", "    foreach: ${languages}", "    do:"]
    lines += [f"      cmd: python -m pipeline {name} ${{key}}"]
    lines += [f"      {option}" for option in options]
    for key, entries in lists.items():
        if entries:
            lines += [f"      {key}:", *(f"        - {entry}" for entry in entries)]
    return "\n".join(lines) + "\n"


def write_definitions(path: Path) -> None:
    """Write `dvc.yaml`."""
    write_text(path, dvc_yaml())


def check_definitions(path: Path) -> None:
    """Refuse a `dvc.yaml` that does not define these stages."""
    if not path.is_file() or path.read_text(encoding="utf-8") != dvc_yaml():
        raise InputError(f"{path} is not what the stages need: run python -m pipeline dvc.")

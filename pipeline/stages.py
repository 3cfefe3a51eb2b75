"""The table of all stages, in the order of the flow, and `dvc.yaml`, which is written from it.

A stage depends on its inputs, on the settings that it reads, and on what its code means: the stage
`code`, which always runs, writes a fingerprint of it to `matrices/<lang>/code/<stage>.txt`. So a
changed formula runs what depends on it, and a changed docstring nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from pipeline.fingerprint import Program
from pipeline.layout import INFORMED, LEARNED, SINGLE, Layout
from pipeline.mistakes import Mistakes, suggestion
from pipeline.settings import (
    Check,
    Fetch,
    Lemmas,
    Publish,
    Section,
    Settings,
    Spark,
    read_languages,
)
from pipeline.stage import Stage
from wordkin.errors import InputError
from wordkin.files import write_text


class Code(NamedTuple):
    """Where a stage is: a module with `STAGE`, and what its code consists of beside its imports.

    That is files of our own that it reads, and a package of which it looks at every module.
    """

    module: str
    data: tuple[str, ...] = ()
    package: str | None = None


TABLE = {
    "fetch": Code("pipeline.fetch.fetch", ("wordkin/game/boards",)),
    "tokens": Code("pipeline.words.tokens"),
    "vocabulary": Code("pipeline.words.vocabulary"),
    "counts": Code("pipeline.count.counts"),
    "npmi": Code("pipeline.measures.npmi"),
    "squared": Code("pipeline.measures.squared"),
    "graph": Code("pipeline.measures.graph"),
    "svd": Code("pipeline.measures.svd"),
    "fasttext": Code("pipeline.measures.fasttext"),
    "extras": Code("pipeline.measures.extras", ("wordkin/starter",), "pipeline.extras"),
    "blend": Code("pipeline.measures.blend"),
    "human": Code("pipeline.judge.human"),
    "report": Code("pipeline.judge.report", ("pipeline/judge/templates", "wordkin/game/unwanted")),
    "publish": Code("pipeline.publish.publish", ("wordkin/language/families",)),
}
"""A stage reads only what a person provides or a stage before it writes."""

GENERAL: tuple[type[Section], ...] = (Lemmas, Fetch, Publish, Spark)
"""Sections of `params.yaml` that no stage has for itself."""


@cache
def stage_named(name: str) -> Stage:
    """The stage called `name`; no other stage's code is loaded."""
    stage: Stage = import_module(TABLE[name].module).STAGE
    return stage


@cache
def all_stages() -> tuple[Stage, ...]:
    """All stages."""
    return tuple(map(stage_named, TABLE))


def section_kinds() -> dict[str, type[Section]]:
    """The sections of `params.yaml` by their keys."""
    kinds = [*GENERAL]
    for stage in all_stages():
        kinds += [*([stage.section] if stage.section else []), *stage.more_sections()]
    return {kind.KEY: kind for kind in kinds}


# ── settings ─────────────────────────────────────────────────────────────────────────────────


def load_checked(path: Path) -> Settings:
    """Read `params.yaml` and check it as a whole; all mistakes are in the one error."""
    settings, wrong = read_languages(path)
    wrong += _wrong_sections(settings, path.parent)
    if wrong:
        raise Mistakes(path, wrong)
    return settings


def _wrong_sections(settings: Settings, root: Path) -> Iterator[str]:
    kinds = section_kinds()
    yield from _unknown_keys(settings, [*kinds])
    sections = {}
    for key, kind in kinds.items():
        sections[key], wrong = settings.checked_section(kind)
        yield from wrong
    others = [name for section in sections.values() if section for name in section.names()]
    parts = [*SINGLE, *others]
    check = Check(root, settings, parts, [*parts, "blend", INFORMED, LEARNED])
    for key, section in sections.items():
        if section is not None:
            yield from (f"{key}.{fault}" for fault in section.mistakes(check))


def _unknown_keys(settings: Settings, kinds: Sequence[str]) -> Iterator[str]:
    known = ["languages", "storage", *(key for key in kinds if "." not in key)]
    for key, value in settings.sections.items():
        if key not in known:
            yield f"{key}: unknown key; {suggestion(key, known)}"
        inner = [kind.partition(".")[2] for kind in kinds if kind.startswith(f"{key}.")]
        if inner and isinstance(value, dict):
            inner = ["measures", *inner]
            for name in value:
                if name not in inner:
                    yield f"{key}.{name}: unknown key; {suggestion(name, inner)}"


# ── code ─────────────────────────────────────────────────────────────────────────────────────


def write_code(root: Path, language: str) -> None:
    """Write what the code of each stage means, one small file per stage, for DVC to look at."""
    layout = Layout(root, language)
    program = Program(known=layout.run("code"))
    for name, code in TABLE.items():
        write_text(layout.code(name), f"{program.fingerprint(*code)}\n")
    program.remember()
    _check_once(root, layout)


def _check_once(root: Path, layout: Layout) -> None:
    """Check all settings before any other stage runs; again only if they or the code change."""
    params = root / "params.yaml"
    texts = [params.read_bytes(), *(layout.code(name).read_bytes() for name in TABLE)]
    digest = hashlib.sha256(b"".join(texts)).hexdigest()
    checked = layout.run("checked")
    if not checked.is_file() or checked.read_text(encoding="utf-8") != digest:
        load_checked(params)
        write_text(checked, digest)


# ── dvc.yaml ─────────────────────────────────────────────────────────────────────────────────

_HEAD = """\
# Written by `python -m pipeline dvc` from the table in pipeline/stages.py: change that instead.
# A stage runs when its inputs, its settings or the meaning of its code change. The stage `code`
# always runs: it writes what the code of each stage means, without comments and docstrings.
stages:
"""


def dvc_yaml() -> str:
    """The text of `dvc.yaml`: every stage, once per language."""
    layout = Layout(Path(), "${key}")
    codes = [f"{layout.code(name)}: {{cache: false}}" for name in TABLE]
    code = _entry("code", {"outs": codes}, "always_changed: true")
    entries = [_entry(stage.name, _definition(stage, layout)) for stage in all_stages()]
    return "".join([_HEAD, code, *entries])


def _definition(stage: Stage, layout: Layout) -> dict[str, list[str]]:
    kept = " {cache: false, persist: true}"
    return {
        "deps": [str(path) for path in (layout.code(stage.name), *stage.inputs(layout))],
        "params": list(stage.settings),
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

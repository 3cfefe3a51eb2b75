"""`python -m pipeline add <language> --from wikipedia,opensubtitles`: declare published corpora."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pipeline.add.official import CORPORA, Sites, profile
from pipeline.add.params_file import write_sources
from pipeline.layout import Layout
from pipeline.params import load_settings
from pipeline.schema import suggestion
from pipeline.settings import Source, language_code
from wordkin.errors import InputError


def add_official(
    root: Path,
    code: str,
    names: Sequence[str],
    sites: Sites,
    profile_name: str | None = None,
    replace_sources: bool = False,
) -> list[str]:
    """Declare corpora by name, or those of a study, as sources of the language `code`.

    Returns lines for a person: what each corpus is, how large, and what to do next. Nothing is
    downloaded; if anything is refused, nothing is declared.
    """
    if fault := language_code(code):
        raise InputError(f"The language {fault}, not '{code}'.")
    study = profile(profile_name, code) if profile_name else None
    wanted = list(dict.fromkeys([*names, *(study.corpora if study else ())]))
    for name in wanted:
        if name not in CORPORA:
            raise InputError(f"--from: there is no corpus '{name}'; {suggestion(name, CORPORA)}")
    params, layout = root / "params.yaml", Layout(root, code)
    language = load_settings(params).languages.get(code)
    declared = language.sources if language and not replace_sources else []
    offers = [CORPORA[name](code, sites) for name in wanted]
    _refuse_declared(declared, [offer.source for offer in offers], code)
    total, free = sum(offer.bytes for offer in offers), _free_bytes(layout.corpora)
    if total > free:
        raise InputError(
            f"{total / 2**30:,.1f} GiB have to be downloaded and {free / 2**30:,.1f} GiB are free "
            f"on the disk of {layout.corpora}; make room."
        )
    sources = [_with_free_name(offer.source, declared) for offer in offers]
    layout.raw.mkdir(parents=True, exist_ok=True)  # DVC watches it
    write_sources(params, code, sources, replace_sources, study.words if study else None)
    lines = [str(offer) for offer in offers]
    lines.append(f"to download: {total / 2**20:,.1f} MiB; free: {free / 2**20:,.1f} MiB")
    if declared:
        kept = ", ".join(source.name for source in declared)
        lines.append(f"declared before and kept: {kept} (--replace removes them)")
    added = ", ".join(source.name for source in sources)
    return [
        *lines,
        "",
        f"added to params.yaml below languages.{code}: {added}; nothing is downloaded yet. "
        f"Now run: dvc repro (or, to download only: dvc repro fetch@{code})",
    ]


def _refuse_declared(declared: Sequence[Source], new: Sequence[Source], code: str) -> None:
    for source in new:
        if any(source.location == other.location for other in declared):
            raise InputError(f"languages.{code}.sources has {source.location} already.")


def _with_free_name(source: Source, declared: Sequence[Source]) -> Source:
    """The source under a name that is free: a newer dump beside an older one is wikipedia-2."""
    taken = {other.name for other in declared}
    names = [source.name, *(f"{source.name}-{number}" for number in range(2, len(taken) + 3))]
    return replace(source, name=next(name for name in names if name not in taken))


def _free_bytes(folder: Path) -> int:
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    return shutil.disk_usage(existing).free

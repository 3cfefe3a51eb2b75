"""`python -m pipeline add`: look at raw text and declare it in params.yaml."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import cast

from pipeline.declarations import Format, Source
from pipeline.fetch.discovery import FileGroup, discover, name_for, only_group
from pipeline.fetch.fetcher import Fetcher
from pipeline.fetch.params_file import write_sources
from pipeline.fetch.preview import Preview, damaged_files, estimate, mixture, preview
from pipeline.fetch.raw_files import path_from
from pipeline.layout import Layout
from pipeline.locations import LocalPath, StoredFiles, parse
from pipeline.settings import LanguageVocabulary, language_code, load_settings
from wordkin.errors import InputError
from wordkin.files import PART
from wordkin.game.board import listed_words


def add(
    root: Path,
    code: str,
    locations: Sequence[str],
    mirror: Path | None = None,
    tolerate: float = 0.0,
) -> list[str]:
    """Declare what is at `locations` as sources of the language `code`.

    Returns lines for a person: what each source is, and what to do next. When anything is refused,
    nothing is declared and nothing is left behind.
    """
    if fault := language_code(code):
        raise InputError(f"The language {fault}, not '{code}'.")
    if not 0 <= tolerate < 1:
        raise InputError(f"--tolerate is a share of the bytes, from 0 to below 1, not {tolerate}.")
    params, layout = root / "params.yaml", Layout(root, code)
    language = load_settings(params).languages.get(code)
    additions = _Additions(layout, language.sources if language else [], tolerate)
    local = [location for location in locations if isinstance(parse(location), LocalPath)]
    with _clean_up_if_refused(layout):
        if local:
            additions.take_local(local)
        for location in locations:
            if location not in local:
                additions.take_remote(location, Fetcher(root, mirror))
        layout.raw.mkdir(parents=True, exist_ok=True)  # DVC watches it
        write_sources(params, code, additions.sources)
    names = ", ".join(source.name for source in additions.sources)
    vocabulary = language.vocabulary if language else LanguageVocabulary()
    boards = (
        f"after that, wordkin play --lang {code} deals board words that the bundle proposes from "
        f"the corpus; python -m pipeline boards {code} writes them to where you can edit them"
    )
    return [
        *additions.lines,
        "",
        f"added to params.yaml below languages.{code}: {names}; now run: dvc repro",
        estimate(additions.previews, vocabulary.size),
        *([boards] if listed_words("boards", code) is None else []),
    ]


class _Additions:
    """The sources to add, and what to tell a person about them."""

    def __init__(self, layout: Layout, declared: Sequence[Source], tolerate: float) -> None:
        self.lines: list[str] = []
        self.previews: list[Preview] = []
        self._layout = layout
        self._declared = declared
        self._tolerate = tolerate

    @property
    def sources(self) -> list[Source]:
        """How to declare them."""
        return [seen.source for seen in self.previews]

    def take_local(self, locations: Sequence[str]) -> None:
        """Take all sources at local paths, globs and folders."""
        groups, left_out = discover(locations, self._layout.language, self._layout.root)
        for group in groups:
            self._take(group, self._free_name(group.location))
        self.lines += [f"left out: {reason}" for reason in left_out]

    def take_remote(self, location: str, fetcher: Fetcher) -> None:
        """Take the source at an address or in a package, which is downloaded."""
        if isinstance(parse(location), StoredFiles):
            raise InputError(
                f"{location} is not on this machine, so it cannot be looked at in full: declare it "
                "below the sources of the language in params.yaml by hand (docs/how-to/sources.md)."
            )
        name = self._free_name(location)
        fetched = fetcher.fetch(Source(name=name, location=location), self._layout.fetched)
        files = [self._layout.root / file.path for file in fetched.files]
        self._take(only_group(location, files, self._layout.language), name)

    def _take(self, group: FileGroup, name: str) -> None:
        code, shape, files = self._layout.language, group.shape, group.files
        source = Source(
            name=name,
            location=group.location,
            format=cast(Format, shape.format),
            document=shape.document,
            text=shape.text,
            encoding=shape.encoding,
            tolerate=self._tolerate,
        )
        damaged = damaged_files(source, files)
        is_local = isinstance(parse(group.location), LocalPath)
        if len(damaged) == len(files) or (damaged and not is_local):
            raise InputError(next(iter(damaged.values())))
        if damaged:
            files = [file for file in files if file not in damaged]
            without = [path_from(self._layout.root, file) for file in damaged]
            source = dataclasses.replace(source, without=without)
            self.lines += [f"left out of {name}: {reason}" for reason in damaged.values()]
        if len(files) > 1 and (reason := mixture(code, source, files)):
            raise InputError(reason)
        seen = preview(code, source, files)
        if not seen.documents:
            dropped = seen.tally.dropped.items()
            reasons = ", ".join(f"{count:,} {reason}" for reason, count in dropped)
            raise InputError(
                f"{group.location} has no document with text, read as {source.format} (dropped: "
                f"{reasons or 'nothing'}): look at the file, or declare its format by hand."
            )
        self.previews.append(seen)
        self.lines += seen.lines()

    def _free_name(self, location: str) -> str:
        """A name for the source at a location that is not declared yet."""
        if any(location == source.location for source in self._declared):
            language = self._layout.language
            raise InputError(f"languages.{language}.sources has {location} already.")
        return name_for(location, [source.name for source in (*self._declared, *self.sources)])


@contextmanager
def _clean_up_if_refused(layout: Layout) -> Iterator[None]:
    """Remove what the block has downloaded if it fails, except what a later call can resume."""
    folders = [layout.fetched, layout.raw, layout.corpora, layout.corpora.parent]
    new_folders = [folder for folder in folders if not folder.exists()]
    before = set(layout.fetched.glob("*"))
    try:
        yield
    except BaseException:
        for download in set(layout.fetched.glob("*")) - before:
            if not any(download.rglob(f"*{PART}")):
                shutil.rmtree(download, ignore_errors=True)
        for folder in new_folders:
            with suppress(OSError):  # there is none, or it is not empty
                folder.rmdir()
        raise

"""Files that the project declares: where they are, and how to know that they are the right ones.

Sources of text, gold sets, recorded rounds and the data of measures are all declarations, fetched
in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from pathlib import Path
from typing import Annotated, Literal

from pydantic.dataclasses import dataclass

from pipeline.locations import LocalPath, escapes, local_files, parse
from pipeline.mistakes import KNOWN_KEYS, Number, Whole, between, matching, rule
from wordkin.errors import InputError

Format = Literal[
    "wikipedia", "wikiextractor", "opensubtitles", "srt", "text", "json", "tei", "tmx", "conllu"
]
"""The formats that we can read."""


def inside_mirror(path: str) -> str | None:
    """The rule for a path below a mirror folder."""
    if not path or escapes(path):
        return "must be a path relative to the mirror folder, without '..'"
    return None


@dataclass(frozen=True, config=KNOWN_KEYS)
class Declaration:
    """A file, or several that belong together.

    Attributes
    ----------
    name : str
        What people call it; its download is kept in a folder of this name in lower case.
    location : str or None
        A path, glob or folder, an address, or members of a package (see `pipeline.locations`).
        None if only a mirror folder has it.
    sha256 : str or None
        The SHA-256 of the bytes of all files, in the order of their paths; checked if declared.
    mirror : str or None
        The path, glob or folder below the mirror folder, which is tried before the network.
    licence : str or None
        Shown in the report and in the bundle.
    without : list of str
        Local files that the location names but that are not taken, for example damaged ones.
    """

    name: Annotated[str, matching("[A-Za-z0-9_][A-Za-z0-9._-]*", "a name of A-Z a-z 0-9 . _ -")]
    location: str | None = None
    sha256: Annotated[str | None, matching("[0-9A-Fa-f]{64}", "64 hexadecimal digits")] = None
    mirror: Annotated[str | None, rule(inside_mirror)] = None
    licence: str | None = None
    without: list[str] = field(default_factory=list)

    @property
    def folder_name(self) -> str:
        """The name of the folder that its download is kept in."""
        return self.name.lower()


@dataclass(frozen=True, config=KNOWN_KEYS)
class Source(Declaration):
    """One body of raw text: where it is and how to read it (docs/how-to/sources.md)."""

    name: Annotated[str, matching("[a-z0-9][a-z0-9._-]*", "a name of a-z 0-9 . _ -")]
    format: Format | None = None
    document: str | None = None
    text: str | None = None
    lines: Annotated[Whole | None, between(1)] = None
    encoding: str | None = None
    tolerate: Annotated[Number, between(0, 1, below=True)] = 0.0


@dataclass(frozen=True, config=KNOWN_KEYS)
class Dictionary(Declaration):
    """Where the Hunspell dictionary of a language is, an .aff and a .dic file; it needs no name."""

    name: str = field(default="dictionary", init=False)


@dataclass(frozen=True, config=KNOWN_KEYS)
class RecordedRounds(Declaration):
    """Where the recorded rounds of a language are; they need no name."""

    name: str = field(default="rounds", init=False)


def wrong_declarations(declared: Sequence[Declaration], key: str, root: Path) -> Iterator[str]:
    """What is wrong with declarations in a list: names used twice, and files that are not there."""
    names: set[str] = set()
    for at, source in enumerate(declared):
        if source.name in names:
            yield f"{key}[{at}].name: '{source.name}' is used twice; choose another."
        names.add(source.name)
        if not source.location:
            if not source.mirror:
                yield f"{key}[{source.name}]: give a location (or a mirror path)."
            continue
        try:
            if isinstance(parse(source.location), LocalPath):
                local_files(source.location, root)
        except InputError as error:
            yield f"{key}[{source.name}].location: {error}"

"""What a person means by the files and folders that they name: which of them make one source.

A shell turns `raw/*.bz2` into a hundred names, and a folder may hold a dump, a folder of films and
a text side by side. Files of one shape that lie together are one source; others are others.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from pipeline import locations
from pipeline.corpus import readers
from pipeline.corpus.readers import Shape, srt, storage
from wordkin.errors import InputError


@dataclass(frozen=True)
class Finding:
    """Files that make one source, and how they are to be read."""

    location: str
    files: list[Path]
    shape: Shape

    @classmethod
    def of(cls, location: str, files: Sequence[Path], code: str) -> Finding:
        """The finding of files that have to be of one shape."""
        shapes = {readers.shape(file, code) for file in files}
        if len(shapes) > 1:
            formats = ", ".join(sorted({shape.format for shape in shapes}))
            raise InputError(f"{location} has files to be read as {formats}: name them one by one.")
        shape = shapes.pop()
        # A download keeps the last step of its address alone: hu.txt.gz.
        if shape.format == "text" and "opensubtitles" in location.lower():
            shape = shape._replace(format="opensubtitles")
        return cls(location, list(files), shape)


def found_at(given: Sequence[str], code: str, root: Path) -> tuple[list[Finding], list[str]]:
    """The findings at local paths, globs and folders, and why files in folders are in none."""
    search = _Search(code, root)
    findings = [finding for location in given for finding in search.at(location)]
    if not findings and search.left_out:
        raise InputError(search.left_out[0])
    return _together(findings, root), search.left_out


class _Search:
    """A walk through what is named, into folders that hold files of several shapes."""

    def __init__(self, code: str, root: Path) -> None:
        self.code, self.root = code, root
        self.left_out: list[str] = []

    def at(self, location: str) -> list[Finding]:
        """The findings at one location: more than one where its files differ."""
        if (self.root / location).is_file():
            return [Finding.of(location, locations.local_files(location, self.root), self.code)]
        files = locations.local_files(location, self.root)
        shapes: dict[Path, Shape] = {}
        refusals: dict[Path, str] = {}
        for file in files:
            try:
                shapes[file] = readers.shape(file, self.code)
            except InputError as error:
                refusals[file] = str(error)
        if _are_films(files, shapes):
            return [Finding(location, files, Shape("srt"))]
        if not refusals and len(set(shapes.values())) == 1:
            return [Finding(location, files, shapes[files[0]])]
        findings = []
        for inner in _inside(location, self.root):
            path = locations.plain_path(self.root / inner)
            if path in shapes:
                findings.append(Finding(inner, [path], shapes[path]))
            elif path in refusals:
                self.left_out.append(refusals[path])
            elif any(path in file.parents for file in files):
                findings += self.at(inner)
        return _together(findings, self.root)


def _are_films(files: Sequence[Path], shapes: Mapping[Path, Shape]) -> bool:
    """Whether the files are subtitles, with the notes and pictures that lie among such."""
    others = [file for file in files if file not in shapes or shapes[file].format != "srt"]
    return 2 * len(others) <= len(files) and not any(
        srt.is_named(file.name) or _is_corpus(file, shapes.get(file)) for file in others
    )


def _is_corpus(file: Path, shape: Shape | None) -> bool:
    """Whether the file is more than a note beside a corpus: it can or must not be passed over."""
    if shape is not None:
        return shape.format != "text"
    try:
        return storage.kind(file) != "plain"
    except InputError:
        return True


def _inside(location: str, root: Path) -> list[str]:
    """What a folder holds, or a glob matches, as locations."""
    if (root / location).is_dir():
        pattern = f"{glob.escape(location.rstrip('/'))}/*"
        return sorted(glob.glob(pattern, root_dir=root))  # noqa: PTH207
    return sorted(glob.glob(location, root_dir=root, recursive=True))  # noqa: PTH207


def _together(findings: Sequence[Finding], root: Path) -> list[Finding]:
    """One finding for files of one shape that are all that a glob in their folder matches."""
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        path = Path(finding.location)
        is_file = (root / path).is_file()
        key = (path.parent, path.suffix, finding.shape) if is_file else finding.location
        groups.setdefault(key, []).append(finding)
    together = []
    for group in groups.values():
        merged = _merged(group, root) if len(group) > 1 else None
        together += [merged] if merged else group
    return together


FEW = 3
"""So many files whose names begin in different ways are likely different corpora."""


def _merged(group: Sequence[Finding], root: Path) -> Finding | None:
    """One finding for files that are numbered or named in turn: wiki_00.bz2, wiki_01.bz2."""
    paths = [Path(finding.location) for finding in group]
    stems = [path.stem for path in paths]
    shared = takewhile(lambda letters: len(set(letters)) == 1, zip(*stems, strict=False))
    beginning = "".join(letters[0] for letters in shared).rstrip("0123456789")
    if not beginning and len(group) <= FEW:
        return None
    name = glob.escape(beginning) + "*" + glob.escape(paths[0].suffix)
    pattern = (Path(glob.escape(str(paths[0].parent))) / name).as_posix()
    files = sorted((file for one in group for file in one.files), key=Path.as_posix)
    if locations.found_files(pattern, root) != files:
        return None
    return Finding(pattern, files, group[0].shape)


def name_of(location: str, taken: Sequence[str]) -> str:
    """A short name for a source, from the last part of its location that says something."""
    place = locations.parse(location)
    text = place.member if isinstance(place, locations.WheelMember) else location.split("?")[0]
    pieces = [re.sub(r"[^a-z0-9._-]+", "-", piece.lower()) for piece in re.split("[/!]", text)]
    stems = [piece.split(".")[0].strip("-._") for piece in pieces]
    name = next((stem for stem in reversed(stems) if stem), "source")
    numbers = (f"{name}-{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(one for one in numbers if one not in taken)

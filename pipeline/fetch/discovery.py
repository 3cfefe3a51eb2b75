"""Which of the files and folders that a person names make one source.

A shell turns `raw/*.bz2` into a hundred names, and a folder may hold a dump, a folder of films and
a text next to each other. Files of one shape that are in one place are one source.
"""

from __future__ import annotations

import glob
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from pipeline import locations
from pipeline import read as readers
from pipeline.fetch import recognition
from pipeline.locations import PackageMember
from pipeline.read import Shape, stored, subtitles
from wordkin.errors import InputError
from wordkin.words import base

FEW_FILES = 3
"""Up to this many files whose names have no common beginning are probably different corpora."""


@dataclass(frozen=True)
class FileGroup:
    """Files that make one source, and how to read them."""

    location: str
    files: list[Path]
    shape: Shape

    @classmethod
    def of_one_shape(cls, location: str, files: Sequence[Path], code: str) -> FileGroup:
        """The files at a location, which all have to be of one shape."""
        shapes = {readers.shape(file, code) for file in files}
        if len(shapes) > 1:
            formats = ", ".join(sorted({shape.format for shape in shapes}))
            raise InputError(
                f"{location} has files of different kinds ({formats}): name them one by one."
            )
        shape = shapes.pop()
        # The name of a download is only the last step of its address, such as hu.txt.gz.
        if shape.format == "text" and "opensubtitles" in location.lower():
            shape = shape._replace(format="opensubtitles")
        return cls(location, list(files), shape)


class Discovery(NamedTuple):
    """The groups of files that were found, and why other files are in none of them."""

    groups: list[FileGroup]
    left_out: list[str]


def discover(given: Sequence[str], code: str, root: Path) -> Discovery:
    """Look at local paths, globs and folders, which hold text in the language `code`."""
    files = [file for location in given for file in locations.local_files(location, root)]
    search = _Search(code, root, _foreign(list(dict.fromkeys(files)), code))
    groups = [group for location in given for group in search.groups_at(location)]
    if not groups and search.left_out:
        raise InputError(search.left_out[0])
    left_out = [*search.left_out, *_foreign_lines(search.foreign)]
    return Discovery(_merge(groups, root), left_out)


def _foreign(files: Sequence[Path], code: str) -> dict[Path, str]:
    """The files whose names say that they are in other languages, with these languages."""
    languages = recognition.named_languages(files)
    foreign = {file: other for file, other in languages.items() if base(code) != base(other)}
    if languages and len(foreign) == len(languages):
        named = ", ".join(sorted(set(languages.values())))
        raise InputError(
            f"The files are named after the languages {named}, and none of them after {code}: "
            "add each file to its own language."
        )
    return foreign


def _foreign_lines(foreign: Mapping[Path, str]) -> list[str]:
    counts = Counter(foreign.values())
    return [
        f"{number} {'file' if number == 1 else 'files'} named after the language '{other}': add "
        f"{'it' if number == 1 else 'them'} to that language"
        for other, number in sorted(counts.items())
    ]


class _Search:
    """A walk through the given locations, down into folders with files of several shapes."""

    def __init__(self, code: str, root: Path, foreign: Mapping[Path, str]) -> None:
        self.left_out: list[str] = []
        self.foreign = foreign
        self._code = code
        self._root = root

    def groups_at(self, location: str) -> list[FileGroup]:
        """The groups at one location: more than one if its files differ."""
        every = locations.local_files(location, self._root)
        files = [file for file in every if file not in self.foreign]
        if not files:
            return []
        if (self._root / location).is_file():
            return [FileGroup.of_one_shape(location, files, self._code)]
        shapes: dict[Path, Shape] = {}
        refusals: dict[Path, str] = {}
        for file in files:
            try:
                shapes[file] = readers.shape(file, self._code)
            except InputError as error:
                refusals[file] = str(error)
        is_whole = files == every
        if is_whole and _are_films(files, shapes):
            return [FileGroup(location, files, Shape("srt"))]
        if is_whole and not refusals and len(set(shapes.values())) == 1:
            return [FileGroup(location, files, shapes[files[0]])]
        groups = []
        for inner in _inside(location, self._root):
            path = locations.absolute_path(self._root / inner)
            if path in shapes:
                groups.append(FileGroup(inner, [path], shapes[path]))
            elif path in refusals:
                self.left_out.append(refusals[path])
            elif any(path in file.parents for file in files):
                groups += self.groups_at(inner)
        return _merge(groups, self._root)


def _are_films(files: Sequence[Path], shapes: Mapping[Path, Shape]) -> bool:
    """Whether the files are subtitles, perhaps with a few notes and pictures between them."""
    others = [file for file in files if file not in shapes or shapes[file].format != "srt"]
    return 2 * len(others) <= len(files) and not any(
        subtitles.is_named(file.name) or _is_corpus(file, shapes.get(file)) for file in others
    )


def _is_corpus(file: Path, shape: Shape | None) -> bool:
    """Whether a file between subtitles is too important to be ignored, unlike a note or picture."""
    if shape is not None:
        return shape.format != "text"
    try:
        return stored.kind(file) != "plain"
    except InputError:
        return True


def _inside(location: str, root: Path) -> list[str]:
    """The entries of a folder, or the matches of a glob, as locations."""
    if (root / location).is_dir():
        pattern = f"{glob.escape(location.rstrip('/'))}/*"
        return sorted(glob.glob(pattern, root_dir=root))  # noqa: PTH207
    return sorted(glob.glob(location, root_dir=root, recursive=True))  # noqa: PTH207


def _merge(groups: Sequence[FileGroup], root: Path) -> list[FileGroup]:
    """Make one group of single files of one shape in one folder, if a glob matches just them."""
    mergeable: dict[object, list[FileGroup]] = {}
    for group in groups:
        path = Path(group.location)
        is_file = (root / path).is_file()
        key = (path.parent, path.suffix, group.shape) if is_file else group.location
        mergeable.setdefault(key, []).append(group)
    merged = []
    for members in mergeable.values():
        whole = _as_one(members, root) if len(members) > 1 else None
        merged += [whole] if whole else members
    return merged


def _as_one(groups: Sequence[FileGroup], root: Path) -> FileGroup | None:
    """One group of files whose names begin in the same way: wiki_00.bz2, wiki_01.bz2."""
    paths = [Path(group.location) for group in groups]
    beginning = _shared([path.stem for path in paths]).rstrip("0123456789")
    if not beginning and len(groups) <= FEW_FILES:
        return None
    ending = _shared([path.name[len(beginning) :][::-1] for path in paths])[::-1]
    ending = ending[ending.find(".") :] if "." in ending else paths[0].suffix
    name = glob.escape(beginning) + "*" + glob.escape(ending)
    pattern = (Path(glob.escape(str(paths[0].parent))) / name).as_posix()
    files = sorted((file for group in groups for file in group.files), key=Path.as_posix)
    if locations.matching_files(pattern, root) != files:
        return None
    return FileGroup(pattern, files, groups[0].shape)


def _shared(names: Sequence[str]) -> str:
    """The letters with which all names begin."""
    same = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    return "".join(letters[0] for letters in same)


def name_for(location: str, taken: Sequence[str]) -> str:
    """A short name for a source, from the last step of its location that has letters or digits."""
    place = locations.parse(location)
    text = place.member if isinstance(place, PackageMember) else location.split("?")[0]
    steps = [re.sub(r"[^a-z0-9._-]+", "-", step.lower()) for step in re.split("[/!]", text)]
    stems = [step.split(".")[0].strip("-._") for step in steps]
    name = next((stem for stem in reversed(stems) if stem), "source")
    if name not in taken:
        return name
    numbered = (f"{name}-{number}" for number in range(2, len(taken) + 3))
    return next(candidate for candidate in numbered if candidate not in taken)

"""Which of the files and folders that a person names make one source.

A shell turns `raw/*.bz2` into a hundred names, and a folder may hold a dump, a folder of films and
a text next to each other. Files of one shape that are in one place are one source.
"""

from __future__ import annotations

import glob
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from pipeline.fetch.recognition import named_languages
from pipeline.locations import PackageMember, absolute_path, local_files, matching_files, parse
from pipeline.read import Shape, shape, subtitles
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


def only_group(location: str, files: Sequence[Path], code: str) -> FileGroup:
    """The files of a download, which all have to be of one shape."""
    shapes = {shape(file, code) for file in files}
    if len(shapes) > 1:
        formats = ", ".join(sorted({shape.format for shape in shapes}))
        raise InputError(
            f"{location} has files of different kinds ({formats}): name them one by one."
        )
    only = shapes.pop()
    # The name of a download is only the last step of its address, such as hu.txt.gz.
    if only.format == "text" and "opensubtitles" in location.lower():
        only = only._replace(format="opensubtitles")
    return FileGroup(location, list(files), only)


def discover(given: Sequence[str], code: str, root: Path) -> tuple[list[FileGroup], list[str]]:
    """Look at local paths, globs and folders, which hold text in the language `code`.

    Returns the groups of files, and why other files are in none of them.
    """
    search = _Search(given, code, root)
    groups = [group for location in given for group in search.groups_at(location)]
    if not groups and search.left_out:
        raise InputError(search.left_out[0])
    counts = Counter(search.foreign.values())
    foreign = [
        f"{number} {'file' if number == 1 else 'files'} named after the language '{other}': add "
        f"{'it' if number == 1 else 'them'} to that language"
        for other, number in sorted(counts.items())
    ]
    return _merged(groups, root), [*search.left_out, *foreign]


class _Search:
    """A walk through the given locations, down into folders with files of several shapes."""

    def __init__(self, given: Sequence[str], code: str, root: Path) -> None:
        self.left_out: list[str] = []
        self._root = root
        self._shapes: dict[Path, Shape] = {}
        self._refusals: dict[Path, str] = {}
        files = list(dict.fromkeys(file for one in given for file in local_files(one, root)))
        named = named_languages(files)
        self.foreign = {file: other for file, other in named.items() if base(other) != base(code)}
        if named and len(self.foreign) == len(named):
            others = ", ".join(sorted(set(named.values())))
            raise InputError(
                f"The files are named after the languages {others}, and none of them after {code}: "
                "add each file to its own language."
            )
        for file in files:
            if file not in self.foreign:
                try:
                    self._shapes[file] = shape(file, code)
                except InputError as error:
                    if any(absolute_path(root / one) == file for one in given):
                        raise
                    self._refusals[file] = str(error)

    def groups_at(self, location: str) -> list[FileGroup]:
        """The groups at one location: more than one if its files differ."""
        every = matching_files(location, self._root)
        files = [file for file in every if file not in self.foreign]
        shapes = {self._shapes.get(file) for file in files}
        if files and files == every:
            if self._are_films(files):
                return [FileGroup(location, files, Shape("srt"))]
            if len(shapes) == 1 and (only := shapes.pop()):
                return [FileGroup(location, files, only)]
        if (self._root / location).is_file():
            self.left_out += [self._refusals[file] for file in files]
            return []
        if not files:
            return []
        groups = [group for one in self._inside(location) for group in self.groups_at(one)]
        return _merged(groups, self._root)

    def _inside(self, location: str) -> list[str]:
        """The entries of a folder, or the matches of a glob, as locations."""
        is_folder = (self._root / location).is_dir()
        pattern = f"{glob.escape(location.rstrip('/'))}/*" if is_folder else location
        return sorted(glob.glob(pattern, root_dir=self._root, recursive=True))  # noqa: PTH207

    def _are_films(self, files: Sequence[Path]) -> bool:
        """Whether the files are subtitles, perhaps with a few notes and pictures between them."""
        formats = {file: shape.format for file, shape in self._shapes.items()}
        others = [file for file in files if formats.get(file) != "srt"]
        return 2 * len(others) <= len(files) and not any(
            formats.get(file, "text") != "text" or subtitles.is_named(file.name) for file in others
        )


def _merged(groups: Sequence[FileGroup], root: Path) -> list[FileGroup]:
    """Make one group of single files of one shape in one folder, if a glob matches just them."""
    mergeable: dict[object, list[FileGroup]] = {}
    for group in groups:
        path = Path(group.location)
        is_file = (root / path).is_file()
        key = (path.parent, path.suffix, group.shape) if is_file else group.location
        mergeable.setdefault(key, []).append(group)
    merged: list[FileGroup] = []
    for members in mergeable.values():
        whole = _as_one(members, root) if len(members) > 1 else None
        merged += [whole] if whole else members
    return merged


def _as_one(groups: Sequence[FileGroup], root: Path) -> FileGroup | None:
    """One group of files whose names begin and end in the same way: wiki_00.bz2, wiki_01.bz2."""
    paths = [Path(group.location) for group in groups]
    beginning = _shared([path.stem for path in paths]).rstrip("0123456789")
    if not beginning and len(groups) <= FEW_FILES:
        return None
    ending = _shared([path.name[len(beginning) :][::-1] for path in paths])[::-1]
    ending = ending[ending.find(".") :] if "." in ending else paths[0].suffix
    name = glob.escape(beginning) + "*" + glob.escape(ending)
    pattern = (Path(glob.escape(str(paths[0].parent))) / name).as_posix()
    files = sorted((file for group in groups for file in group.files), key=Path.as_posix)
    if matching_files(pattern, root) != files:
        return None
    return FileGroup(pattern, files, groups[0].shape)


def _shared(names: Sequence[str]) -> str:
    """The letters with which all names begin."""
    same = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    return "".join(letters[0] for letters in same)


def name_for(location: str, taken: Sequence[str]) -> str:
    """A short name for a source, from the last step of its location that has letters or digits."""
    parsed = parse(location)
    text = parsed.member if isinstance(parsed, PackageMember) else location.split("?")[0]
    steps = [re.sub(r"[^a-z0-9._-]+", "-", step.lower()) for step in re.split("[/!]", text)]
    stems = [step.split(".")[0].strip("-._") for step in steps]
    return free_name(next((stem for stem in reversed(stems) if stem), "source"), taken)


def free_name(name: str, taken: Sequence[str]) -> str:
    """The name, or the same with the first number that is free."""
    names = [name, *(f"{name}-{number}" for number in range(2, len(taken) + 3))]
    return next(one for one in names if one not in taken)

"""Locations: the ways to say where files are, and the files that they name.

    corpora/hu/raw/*.srt                             local files: a path, a glob or a folder
    https://example.org/dumps/huwiki.xml.bz2         an address
    listed:https://example.org/sha1sums.txt!*.bz2    files that a list at an address names
    s3://bucket/text/*.bz2                           files in an object store (or gs://, hdfs://)
    wheel:gensim==4.4.0!gensim/test/data/*.bz2       in a built package of the Python registry
    sdist:Divisi2==2.2.5!divisi2/data/graphs         in a source package of the Python registry
    deb:mythes-hu=1:7.5.0-1!usr/share/mythes         in a package of Debian
    npm:cldr-annotations-full@48.2.0!annotations/hu  in a package of the npm registry

A folder, whether named or matched by a glob, stands for all files below it except hidden ones. The
member of a package is a path, a glob or a folder; in source packages and packages of npm it begins
below the one folder that holds everything.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote, urldefrag, urlsplit

from pipeline.storage import fault_of_address
from wordkin.errors import InputError

# At least two letters before the colon: C: is a Windows drive, not a scheme.
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
_WHEEL_FORM = "wheel:name==version!path/of/member"
_LISTED_FORM = "listed:https://host/sha1sums.txt!*.bz2"


@dataclass(frozen=True)
class LocalPath:
    """Files on this machine: a path, a glob or a folder, absolute or relative to the project."""

    pattern: str


@dataclass(frozen=True)
class Address:
    """One file at an http or https address."""

    url: str

    @property
    def filename(self) -> str:
        """The file name of a download: the last step of the address."""
        return self._steps[-1]

    @property
    def mirrored(self) -> str | None:
        """Its path below a mirror folder, `host/path`; None if the address has a query."""
        parts = urlsplit(self.url)
        return None if parts.query else "/".join([parts.hostname or "", *self._steps])

    @property
    def _steps(self) -> list[str]:
        return unquote(urlsplit(self.url).path).split("/")[1:]


@dataclass(frozen=True)
class ListedFiles:
    """Files that are named in a list at an address: a file of checksums, or the page of a folder.

    Their addresses are relative to the list, and `pattern` says which of them are meant. What a
    list of checksums says about a file is verified.
    """

    url: str
    pattern: str


@dataclass(frozen=True)
class StoredFiles:
    """Files in an object store or a cluster's file system, which are read where they are."""

    pattern: str


@dataclass(frozen=True)
class PackageMember:
    """Files in a package; `member` is a path, a glob or a folder in it."""

    registry: str
    name: str
    version: str
    member: str

    @property
    def requirement(self) -> str:
        """The package and its version, as the client of its registry wants them."""
        return f"{self.name}{_REGISTRIES[self.registry].separator}{self.version}"

    @property
    def mirrored(self) -> str:
        """The folder below a mirror folder that has such packages."""
        return _REGISTRIES[self.registry].mirrored

    def is_package(self, filename: str) -> bool:
        """Whether a file of this name is this package in this version."""
        fields = unquote(filename).split("_" if self.registry == "deb" else "-")
        match self.registry:
            case "wheel":  # name, version, and the three tags of every wheel
                ours = [_canonical(self.name), self.version.replace("-", "_")]
                is_ours = len(fields) >= 5 and [_canonical(fields[0]), fields[1]] == ours
                return is_ours and filename.endswith(".whl")
            case "sdist":
                stem = re.sub(r"\.(tar\.(gz|bz2|xz)|tgz|zip)$", "", filename)
                name = stem.removesuffix(f"-{self.version}")
                return stem not in (filename, name) and _canonical(name) == _canonical(self.name)
            case "deb":
                return filename.endswith(".deb") and fields[:2] == [self.name, self.version]
            case _:
                name = self.name.removeprefix("@").replace("/", "-")
                return filename == f"{name}-{self.version}.tgz"


class _Registry(NamedTuple):
    """How the packages of a registry are named; no name matches what could be an option."""

    mirrored: str
    separator: str
    name: str
    version: str


_PYTHON_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
_PYTHON_VERSION = r"[A-Za-z0-9](?:[A-Za-z0-9._+-]*[A-Za-z0-9])?"
_NPM_NAME = r"(?:@[a-z0-9~][a-z0-9._~-]*/)?[a-z0-9~][a-z0-9._~-]*"
_REGISTRIES = {
    "wheel": _Registry("wheels", "==", _PYTHON_NAME, _PYTHON_VERSION),
    "sdist": _Registry("sdists", "==", _PYTHON_NAME, _PYTHON_VERSION),
    "deb": _Registry("debs", "=", r"[a-z0-9][a-z0-9+.-]+", r"[0-9][A-Za-z0-9.+:~-]*"),
    "npm": _Registry("npm", "@", _NPM_NAME, r"[0-9][A-Za-z0-9.+-]*"),
}


def _canonical(name: str) -> str:
    """Names in the Python registry are the same if they differ in case, `-`, `_` and `.` only."""
    return re.sub(r"[-_.]+", "-", name).lower()


Location = LocalPath | Address | PackageMember | ListedFiles | StoredFiles


def parse(location: str) -> Location:
    """The location that a text means; a wrong one is refused with what to write instead."""
    if not location.strip():
        raise InputError(f"the location is empty; give a path, an https address or {_WHEEL_FORM}.")
    if any(ord(character) < 32 for character in location):
        raise InputError(f"the location {location!r} has a control character; remove it.")
    scheme = _SCHEME.match(location)
    if scheme is None:
        return LocalPath(location)
    match scheme[1].lower():
        case "http" | "https":
            return _address(location)
        case "wheel" | "sdist" | "deb" | "npm" as registry:
            return _package_member(registry, location)
        case "listed":
            return _listed_files(location)
        case "s3" | "gs" | "hdfs":
            return _stored_files(location)
        case other:
            raise InputError(
                f"the location '{location}' has the unknown scheme '{other}'; give a path "
                f"(with ./ in front if it has a colon), an https address or {_WHEEL_FORM}."
            )


def local_files(pattern: str, root: Path) -> list[Path]:
    """The files that a path, glob or folder names; there has to be at least one."""
    files = matching_files(pattern, root)
    if not files:
        raise InputError(
            f"no file matches '{pattern}' in {absolute_path(root)}; put the files there or "
            "correct the location."
        )
    return files


def matching_files(pattern: str, root: Path) -> list[Path]:
    """The files that a path, glob or folder below `root` names, sorted by path (by code points).

    A path that exists stands for itself, even if it looks like a glob.
    """
    try:
        if os.path.lexists(root / pattern):
            named = [root / pattern]
        else:
            # Path.glob includes hidden names and refuses absolute patterns.
            matches = glob.glob(pattern, root_dir=root, recursive=True)  # noqa: PTH207
            # It returns `file/` for `file/**`, although there is nothing below a file.
            named = [root / path for path in matches if path[-1] != "/" or (root / path).is_dir()]
        files = {absolute_path(file) for path in named for file in _files_at(path)}
    except OSError as error:
        raise InputError(
            f"{error.filename} cannot be read ({error.strerror}); check the permissions."
        ) from error
    return sorted(files, key=Path.as_posix)


def matching_members(names: Iterable[str], pattern: str) -> list[str]:
    """Like `matching_files`, for the members of an archive."""
    wanted = pattern.split("/")
    members = [(name, name.split("/")) for name in names]
    exact = [
        name
        for name, steps in members
        if steps[: len(wanted)] == wanted and not _any_hidden(steps[len(wanted) :])
    ]
    return sorted(set(exact or (name for name, steps in members if _matches(steps, wanted))))


def escapes(path: str) -> bool:
    """Whether a relative path could lead out of the folder that it is joined to."""
    return path.startswith("/") or "\\" in path or ".." in path.split("/") or "\0" in path


def absolute_path(path: Path) -> Path:
    """The absolute path without `.` and `..`; unlike `Path.resolve`, it keeps links."""
    return Path(os.path.normpath(path.absolute()))


def _address(location: str) -> Address:
    url = _checked_url(location)
    path = unquote(urlsplit(url).path)
    if path.endswith("/") or PurePosixPath(path).name == "":
        raise InputError(f"the address '{location}' names no file; end it with a file name.")
    return Address(url)


def _listed_files(location: str) -> ListedFiles:
    url, _, pattern = location.partition(":")[2].rpartition("!")
    if not url.startswith(("http://", "https://")) or not pattern:
        raise InputError(
            f"the location '{location}' is no list at an address and a pattern of file names; "
            f"write {_LISTED_FORM}."
        )
    if "/" in pattern or "\\" in pattern:
        raise InputError(f"the pattern of '{location}' is for names of files; write it without /.")
    return ListedFiles(_checked_url(url), pattern)


def _stored_files(location: str) -> StoredFiles:
    if fault := fault_of_address(location):
        raise InputError(
            f"the location '{location}' {fault}, or of files there, such as s3://bucket/text/*.bz2."
        )
    return StoredFiles(location)


def _checked_url(location: str) -> str:
    url = urldefrag(location).url
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port  # reading it checks it
    except ValueError as error:
        raise InputError(f"the address '{location}' is not valid ({error}); correct it.") from error
    if not host:
        raise InputError(f"the address '{location}' names no host; write https://host/path/file.")
    if parts.username is not None:
        raise InputError(
            f"the address at {host} contains a user name; remove it here and put it into your "
            ".netrc file."
        )
    path = unquote(parts.path)
    if escapes(path.lstrip("/")):
        raise InputError(f"the address '{location}' has a step like '..'; write it without.")
    return url


def _package_member(scheme: str, location: str) -> PackageMember:
    registry = _REGISTRIES[scheme]
    package, _, member = location.partition(":")[2].partition("!")
    match = re.fullmatch(f"({registry.name}){registry.separator}({registry.version})", package)
    if not member:
        fault = "has no !member"
    elif registry.separator not in package.removeprefix("@"):
        fault = f"has no {registry.separator}version"
    elif match is None:
        fault = "has a bad package name or version"
    elif escapes(member) or not {"", "."}.isdisjoint(member.rstrip("/").split("/")):
        fault = "has a member that is not a plain path inside the package"
    else:
        return PackageMember(scheme, match[1], match[2], member.rstrip("/"))
    form = f"{scheme}:name{registry.separator}version!path/of/member"
    raise InputError(f"the location '{location}' {fault}; write {form}.")


def _files_at(path: Path, above: Sequence[Path] = ()) -> Iterator[Path]:
    """A file itself, or all files below a folder; `above` are the folders that contain `path`.

    Links are followed, except those that lead back to a folder above them.
    """
    if path.is_dir():
        real = path.resolve()
        if real not in above:
            for inner in path.iterdir():
                if not inner.name.startswith("."):
                    yield from _files_at(inner, (*above, real))
    elif path.is_file():
        yield path
    elif path.is_symlink():
        raise InputError(f"{path} is a link to nothing; restore its target.")


def _any_hidden(steps: Sequence[str]) -> bool:
    return any(step.startswith(".") for step in steps)


def _matches(steps: Sequence[str], wanted: Sequence[str]) -> bool:
    """Match step by step: `*` stays in a step, `**` spans steps, neither matches hidden names."""
    if not wanted:
        return not _any_hidden(steps)
    if not steps:
        return False
    first, *rest = wanted
    hidden = steps[0].startswith(".") and not first.startswith(".")
    if first == "**":
        return _matches(steps, rest) or (not hidden and _matches(steps[1:], wanted))
    return not hidden and fnmatchcase(steps[0], first) and _matches(steps[1:], rest)

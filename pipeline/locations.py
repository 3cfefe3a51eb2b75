"""Where raw text lives: the kinds of location a source can declare, and the files they name.

    corpora/hu/raw/*.srt                          local files: a path, a glob or a folder
    https://example.org/dumps/huwiki.xml.bz2      an address
    wheel:gensim==4.4.0!gensim/test/data/*.bz2    members of a package of the Python registry

A folder, named or matched by a glob, stands for the files below it, hidden ones left out.
"""

import glob
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urldefrag, urlsplit

from wordkin.errors import InputError

# At least two letters before the colon, so that a Windows drive is not taken for a scheme.
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
_WHEEL = re.compile(
    r"(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)"
    r"==(?P<version>[A-Za-z0-9](?:[A-Za-z0-9._+-]*[A-Za-z0-9])?)"
    r"!(?P<member>.+)"
)
_WHEEL_FORM = "wheel:name==version!path/of/member"


@dataclass(frozen=True)
class LocalPath:
    """Files of this machine: a path, a glob or a folder, relative to the project or absolute."""

    pattern: str


@dataclass(frozen=True)
class Address:
    """One file behind http or https."""

    url: str

    @property
    def filename(self) -> str:
        """The name under which a download is kept: the last step of the address."""
        return self._steps[-1]

    @property
    def mirrored(self) -> str | None:
        """`host/path` below a mirror folder; a query does not fit into a path, so none then."""
        parts = urlsplit(self.url)
        return None if parts.query else "/".join([parts.hostname or "", *self._steps])

    @property
    def _steps(self) -> list[str]:
        return unquote(urlsplit(self.url).path).split("/")[1:]


@dataclass(frozen=True)
class WheelMember:
    """Files inside a wheel of the Python registry; `member` is a path, a glob or a folder."""

    name: str
    version: str
    member: str

    @property
    def requirement(self) -> str:
        return f"{self.name}=={self.version}"

    def is_wheel(self, filename: str) -> bool:
        """Whether a file of that name is a wheel of this package in this very version."""
        fields = filename.removesuffix(".whl").split("-")
        return (
            filename.endswith(".whl")
            and len(fields) >= 5  # name, version, and the three tags of every wheel
            and _canonical(fields[0]) == _canonical(self.name)
            and fields[1] == self.version.replace("-", "_")
        )


Location = LocalPath | Address | WheelMember


def parse(location: str) -> Location:
    """The typed value of a location as written in the settings."""
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
        case "wheel":
            return _wheel_member(location)
        case other:
            raise InputError(
                f"the location '{location}' has the unknown scheme '{other}'; give a path "
                f"(with ./ in front if it has a colon), an https address or {_WHEEL_FORM}."
            )


def local_files(pattern: str, root: Path) -> list[Path]:
    """The files that a local path, glob or folder names; naming none is refused."""
    files = found_files(pattern, root)
    if not files:
        raise InputError(
            f"no file matches '{pattern}' in {plain_path(root)}; put the files there or "
            "correct the location."
        )
    return files


def found_files(pattern: str, root: Path) -> list[Path]:
    """The files that a path, glob or folder names below a root, in code point order of their paths.

    A path that exists is taken as it is, even if it has the characters of a glob.
    """
    try:
        if os.path.lexists(root / pattern):
            named = [root / pattern]
        else:
            # Path.glob would neither leave out hidden names nor take absolute patterns.
            found = glob.glob(pattern, root_dir=root, recursive=True)  # noqa: PTH207
            # It answers `file/` to `file/**`, which names no folder and so nothing below it.
            named = [root / path for path in found if path[-1] != "/" or (root / path).is_dir()]
        files = {plain_path(file) for path in named for file in _files_at(path)}
    except OSError as error:
        raise InputError(
            f"{error.filename} cannot be read ({error.strerror}); check the permissions."
        ) from error
    return sorted(files, key=Path.as_posix)


def member_files(names: Iterable[str], pattern: str) -> list[str]:
    """The members of an archive that a path, glob or folder names: `found_files` for archives."""
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


def plain_path(path: Path) -> Path:
    """The path from the top without detours; links are kept, unlike `Path.resolve` does it."""
    return Path(os.path.normpath(path.absolute()))


def _address(location: str) -> Address:
    url = urldefrag(location).url
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port  # reading it is what checks it
    except ValueError as error:
        raise InputError(f"the address '{location}' is not valid ({error}); correct it.") from error
    if not host:
        raise InputError(f"the address '{location}' names no host; write https://host/path/file.")
    if parts.username is not None:
        raise InputError(
            f"the address at {host} carries a user name; leave it out of the settings and keep "
            "it in your .netrc file."
        )
    path = unquote(parts.path)
    if escapes(path.lstrip("/")):
        raise InputError(f"the address '{location}' has a step like '..'; write it out in full.")
    if path.endswith("/") or PurePosixPath(path).name == "":
        raise InputError(f"the address '{location}' names no file; end it with a file name.")
    return Address(url)


def _wheel_member(location: str) -> WheelMember:
    body = location.partition(":")[2]
    match = _WHEEL.fullmatch(body)
    if match is None:
        package, _, member = body.partition("!")
        if not member:
            fault = "has no !member"
        elif "==" not in package:
            fault = "has no ==version"
        else:
            fault = "has a bad package name or version"
        raise InputError(f"the location '{location}' {fault}; write {_WHEEL_FORM}.")
    member = match["member"].rstrip("/")
    if escapes(member) or not {"", "."}.isdisjoint(member.split("/")):
        raise InputError(
            f"the member of '{location}' is not a plain path inside the package; leave out "
            "'.' and '..' steps, backslashes, doubled and leading slashes."
        )
    return WheelMember(match["name"], match["version"], member)


def _canonical(name: str) -> str:
    """Package names differ by case and by the run of `-_.` between words, and are the same."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _files_at(path: Path, above: Sequence[Path] = ()) -> Iterator[Path]:
    """A file itself, or the files of a folder's tree, `above` being the folders it lies in.

    Links are followed, except one that leads back to a folder above it.
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
        raise InputError(f"{path} is a link to nothing; restore what it points to.")


def _any_hidden(steps: Sequence[str]) -> bool:
    return any(step.startswith(".") for step in steps)


def _matches(steps: Sequence[str], wanted: Sequence[str]) -> bool:
    """Glob by steps: `*` stays inside a step, `**` spans steps, neither sees hidden names."""
    if not wanted:
        return not _any_hidden(steps)
    if not steps:
        return False
    first, *rest = wanted
    hidden = steps[0].startswith(".") and not first.startswith(".")
    if first == "**":
        return _matches(steps, rest) or (not hidden and _matches(steps[1:], wanted))
    return not hidden and fnmatchcase(steps[0], first) and _matches(steps[1:], rest)

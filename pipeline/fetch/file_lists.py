"""Lists of files at addresses: what they name, with the checksums that they publish.

A list is a file of checksums, as `sha1sum` writes it, or the page that a web server shows for a
folder.
"""

from __future__ import annotations

import hashlib
import html
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from urllib.parse import quote, unquote, urljoin

from pipeline.fetch.download import read_page
from pipeline.locations import ListedFiles
from wordkin.errors import InputError

_ALGORITHMS = {32: "md5", 40: "sha1", 64: "sha256", 128: "sha512"}
_CHECKSUM = re.compile(
    r"([0-9A-Fa-f]{32}|[0-9A-Fa-f]{40}|[0-9A-Fa-f]{64}|[0-9A-Fa-f]{128})"
    r"[ \t]+\*?(?:\./)?([^/\s]+)"
)
_LINK = re.compile(r"""href\s*=\s*["']([^"'?#]+)["']""", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+=-]*")


@dataclass(frozen=True)
class ListedFile:
    """One file of a list: its name, its address and its published checksum, if there is one."""

    name: str
    url: str
    checksum: str | None

    def refusal(self, path: Path) -> str | None:
        """Why the file at `path` is not the one whose checksum was published; None if it is."""
        if self.checksum is None:
            return None
        algorithm = _ALGORITHMS[len(self.checksum)]
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, algorithm).hexdigest()
        if digest == self.checksum:
            return None
        return (
            f"{self.url} has the {algorithm} {digest}, and {self.checksum} is published for it; "
            "run it again later, or choose a newer release."
        )


def read_list(location: ListedFiles, mirror: Path | None) -> list[ListedFile]:
    """The files of a list that match its pattern, sorted by name."""
    checksums = parse_list(read_page(location.url, mirror))
    names = sorted(name for name in checksums if fnmatchcase(name, location.pattern))
    if not names:
        raise InputError(
            f"{location.url} names {len(checksums):,} files and none of them matches "
            f"'{location.pattern}'; correct the location."
        )
    return [ListedFile(name, urljoin(location.url, quote(name)), checksums[name]) for name in names]


def parse_list(text: str) -> dict[str, str | None]:
    """The names in a list, each with its checksum; a page of links has none.

    Names that could lead out of a folder, and links to other places, are left out.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    matches = [_CHECKSUM.fullmatch(line) for line in lines]
    if lines and all(matches):
        named: dict[str, str | None] = {m[2]: m[1].lower() for m in matches if m}
    else:
        named = dict.fromkeys(unquote(html.unescape(link)) for link in _LINK.findall(text))
    return {name: checksum for name, checksum in named.items() if _NAME.fullmatch(name)}

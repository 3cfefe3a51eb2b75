"""Files that the project declares: where they are, and how to know that they are the right ones.

Sources of text, gold sets and recorded rounds are all declarations, fetched in the same way.
"""

from __future__ import annotations

from dataclasses import field
from typing import Annotated

from pydantic.dataclasses import dataclass

from pipeline.locations import escapes
from pipeline.mistakes import KNOWN_KEYS, matching, rule


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

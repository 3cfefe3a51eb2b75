"""What every reader speaks: documents out of units, and a tally of what was seen and lost."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from wordkin.errors import InputError

# No document of running text is larger: what is, is a file of some other kind, or made to blow up.
LARGEST = 64 << 20


class Document(NamedTuple):
    """One document of the corpus: windows never cross from one to the next."""

    id: str
    title: str
    text: str


@dataclass(frozen=True)
class Unit:
    """A piece of raw input that one task reads on its own.

    Either a part of one file (stored bytes [start, end), ``end`` None: to its end; in a zip,
    members are counted instead of bytes), or several small files, each read whole. The path of a
    file inside ``root`` names it in the documents' ids.
    """

    root: str
    paths: tuple[str, ...]
    start: int = 0
    end: int | None = None

    def spans(self) -> Iterator["Span"]:
        """The parts of files that make up the unit."""
        for path in self.paths:
            yield Span(path, self.start, self.end, Path(path).relative_to(self.root).as_posix())


class Span(NamedTuple):
    """The part of one file that a unit covers, or one member of an archive.

    ``name`` is the same on every machine.
    """

    path: str
    start: int = 0
    end: int | None = None
    name: str = ""
    member: str = ""

    @property
    def label(self) -> str:
        """What messages call it."""
        return f"{self.path}({self.member})" if self.member else self.path


class Source(Protocol):
    """What a reader needs to know of a declared source (see ``pipeline.settings``)."""

    @property
    def name(self) -> str: ...
    @property
    def format(self) -> str | None: ...
    @property
    def document(self) -> str | None: ...
    @property
    def text(self) -> str | None: ...
    @property
    def lines(self) -> int | None: ...
    @property
    def encoding(self) -> str | None: ...
    @property
    def tolerate(self) -> float: ...


@dataclass
class Tally:
    """What a reader saw and what it left out; tallies of units add up to that of the source.

    ``bytes`` are bytes as stored (so they add up to the files' sizes). ``lost`` counts stored
    bytes where the storage is damaged and bytes of text where the text is: it never understates.
    """

    tolerate: float = 0.0
    bytes: int = 0
    documents: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    replaced: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            max(self.tolerate, other.tolerate),
            self.bytes + other.bytes,
            self.documents + other.documents,
            self.dropped + other.dropped,
            self.lost + other.lost,
            self.replaced + other.replaced,
        )

    def drop(self, reason: str, number: int = 1) -> None:
        """Count documents (pages, lines, files) that are left out on purpose."""
        self.dropped[reason] += number

    def damage(
        self,
        path: str,
        offset: int,
        what: str,
        bytes_lost: int,
        remedy: str = "fetch the file again",
    ) -> None:
        """Meet damage: an error, or a counted loss where the source tolerates some."""
        if self.tolerate <= 0:
            raise InputError(
                f"{path}: {what} at byte {offset:,}; {remedy}, or set `tolerate` for this source "
                f"(say 0.01) to leave damaged parts out and count them."
            )
        self.lost[what] += bytes_lost

"""What all readers share: units in, documents out, and a tally of what was read and lost."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pipeline.declarations import Source
from wordkin.errors import InputError

__all__ = ["LARGEST", "Block", "Document", "Member", "Source", "Span", "Tally", "Unit"]

# No document of running text is larger. A larger one is another kind of file, or an attack.
LARGEST = 64 << 20


class Document(NamedTuple):
    """One document of the corpus; windows never cross from one document to the next."""

    id: str
    title: str
    text: str


@dataclass(frozen=True)
class Unit:
    """The raw input of one task.

    Either a part of one file, or several small files, each read as a whole. The part consists of
    the stored bytes [start, end), and reaches to the end of the file where ``end`` is None. In a
    zip, start and end count members instead of bytes. The path below ``root`` names a file in the
    ids of its documents.
    """

    root: str
    paths: tuple[str, ...]
    start: int = 0
    end: int | None = None

    def spans(self) -> Iterator["Span"]:
        """The span of each file of the unit."""
        for path in self.paths:
            yield Span(path, self.start, self.end, Path(path).relative_to(self.root).as_posix())


@dataclass(frozen=True, eq=False)
class Member:
    """A file inside an archive (see `pipeline.read.archives`).

    ``name`` is its path there, made unique by a number. It begins at the byte ``offset`` of the
    archive, takes ``stored`` bytes in it, and has ``size`` bytes by itself. ``fault`` says why it
    must not be read.
    """

    name: str
    archive: str
    offset: int
    stored: int
    size: int
    read: Callable[["Tally"], Iterator[bytes]]
    fault: str = ""

    def chunks(self, tally: "Tally") -> Iterator[bytes]:
        """Its bytes, never more than it declares; nothing of one that must not be read."""
        if self.fault:
            remedy = "take it out of the archive"
            tally.damage(self.archive, self.offset, self.fault, self.stored, remedy)
            return iter(())
        return self.read(tally)


class Span(NamedTuple):
    """The part of one file in a unit, or one member of an archive.

    ``name`` is the same on every machine, unlike ``path``.
    """

    path: str
    start: int = 0
    end: int | None = None
    name: str = ""
    member: Member | None = None

    @property
    def label(self) -> str:
        """The name of the file in messages."""
        return f"{self.path}({self.member.name})" if self.member else self.path

    @property
    def file_name(self) -> str:
        """The path of the file, or that of the member in its archive."""
        return self.member.name if self.member else self.path


class Block(NamedTuple):
    """Some text of a compressed file, or, with a fault, what is wrong with these stored bytes."""

    offset: int
    size: int
    text: bytes
    fault: str = ""


@dataclass
class Tally:
    """What a reader read and left out; the tallies of all units add up to that of the source."""

    tolerate: float = 0.0  # the share of bytes that may be lost; damage is an error when it is 0
    bytes: int = 0  # as stored, so that they add up to the sizes of the files
    documents: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    """Documents, pages, lines and files that were left out on purpose, by reason."""
    lost: Counter[str] = field(default_factory=Counter)
    """Bytes lost, by kind of damage: stored bytes, or bytes of text. Never fewer than there are."""
    replaced: int = 0  # characters that stand for bytes that could not be decoded
    cleaned: Counter[str] = field(default_factory=Counter)
    """Marks of other programs that were removed from the text, by kind."""

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            max(self.tolerate, other.tolerate),
            self.bytes + other.bytes,
            self.documents + other.documents,
            self.dropped + other.dropped,
            self.lost + other.lost,
            self.replaced + other.replaced,
            self.cleaned + other.cleaned,
        )

    def drop(self, reason: str, number: int = 1) -> None:
        """Count documents, pages, lines or files that are left out on purpose."""
        self.dropped[reason] += number

    def clean(self, kind: str, number: int) -> None:
        """Count marks that are removed from the text."""
        if number:
            self.cleaned[kind] += number

    def damage(
        self,
        path: str,
        offset: int,
        what: str,
        bytes_lost: int,
        remedy: str = "fetch the file again",
    ) -> None:
        """Report damage: as an error, or as a counted loss where the source tolerates some."""
        if self.tolerate <= 0:
            raise InputError(
                f"{path}: {what} at byte {offset:,}; {remedy}, or set `tolerate` for this source "
                f"(for example to 0.01) to leave out damaged parts and count them."
            )
        self.lost[what] += bytes_lost

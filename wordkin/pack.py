"""Bundles packed into one zip file; the same bundle gives the same bytes.

A wheel is a zip file too, so `unpack` reads both. An archive may come from anywhere: only the files
that its manifest names are written, below one folder, with the sizes that the manifest says.
"""

from __future__ import annotations

import shutil
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Any

from wordkin.errors import InputError
from wordkin.files import LARGEST_JSON, named_errors, new_file
from wordkin.manifest import NAME, check_sizes, parse_manifest, read_manifest

ENDING = ".zip"
"""The ending of the names of packed bundles."""

ARCHIVES = (ENDING, ".whl")
"""The endings of the names of archives that are read."""

# The earliest date that a zip file can hold. Real dates would change the bytes of the same bundle.
_EPOCH = (1980, 1, 1, 0, 0, 0)

_CHUNK = 1 << 20
_MOST_EXPANSION, _SLACK = 200, 1 << 26
"""How many times larger a bundle may be than its archive, and a little more: a bomb is larger."""

_DAMAGES = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    NotImplementedError,  # an unknown compression
    RuntimeError,  # a password
    ValueError,  # a name that cannot be decoded
)


def pack(folder: Path, archive: Path) -> None:
    """Pack a bundle's folder into a `.zip`."""
    manifest = read_manifest(folder)
    check_sizes(folder, manifest)
    if archive.suffix != ENDING:
        raise InputError(f"Cannot pack into {archive}: its name must end in {ENDING}.")
    with new_file(archive) as temporary, zipfile.ZipFile(temporary, "w") as target:
        for name in sorted([NAME, *manifest["files"]]):
            with (folder / name).open("rb") as source, zip_member(target, name) as member:
                shutil.copyfileobj(source, member)


def zip_member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    """A new file in a zip archive; its bytes depend only on what is written to it."""
    member = zipfile.ZipInfo(name, _EPOCH)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o644 << 16
    return archive.open(member, "w", force_zip64=True)


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack the bundle in an archive into `folder`, and return that."""
    with _open(archive) as source:
        manifest, inside = _read_listing(source, archive)
        folder.mkdir(parents=True, exist_ok=True)
        for name in (NAME, *manifest["files"]):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            with named_errors(target), target.open("wb") as file:
                for chunk in _content(source, inside / name, archive):
                    file.write(chunk)
    return folder


def read_packed_manifest(archive: Path) -> dict[str, Any]:
    """The manifest of a packed bundle, read without unpacking the rest."""
    with _open(archive) as source:
        return _read_listing(source, archive)[0]


@contextmanager
def _open(archive: Path) -> Iterator[zipfile.ZipFile]:
    with _plain_damages(archive):
        source = zipfile.ZipFile(archive)
    with source:
        yield source


@contextmanager
def _plain_damages(archive: Path) -> Iterator[None]:
    try:
        yield
    except _DAMAGES as error:
        raise InputError(f"Cannot read {archive}: {error}; make or copy it again.") from error


def _content(source: zipfile.ZipFile, name: PurePosixPath, archive: Path) -> Iterator[bytes]:
    """The content of a member in pieces: only reading it counts as damage, not what is done."""
    with _plain_damages(archive):
        member = source.open(str(name))
    with member:
        while True:
            with _plain_damages(archive):
                chunk = member.read(_CHUNK)
            if not chunk:
                return
            yield chunk


def _read_listing(source: zipfile.ZipFile, archive: Path) -> tuple[dict[str, Any], PurePosixPath]:
    """The manifest of the bundle in an archive, and the folder in the archive that has it.

    Archives that were packed by hand often have one more folder around the bundle, and wheels have
    that of their package.
    """
    sizes = {member.filename: member.file_size for member in source.infolist()}
    paths = map(PurePosixPath, sizes)
    manifests = [path for path in paths if path.name == NAME and str(path) in sizes]
    if not manifests:
        raise InputError(f"There is no bundle in {archive}: it holds no {NAME}.")
    path = min(manifests, key=lambda path: (len(path.parts), path))
    if sizes[str(path)] > LARGEST_JSON:
        raise InputError(f"{archive} is damaged: its {NAME} is too large; make or copy it again.")
    manifest = parse_manifest(b"".join(_content(source, path, archive)), archive)
    for name, facts in manifest["files"].items():
        if sizes.get(str(path.parent / name)) != facts["bytes"]:
            raise InputError(
                f"{archive} is damaged: {name} is missing or of another size; make or copy it "
                "again."
            )
    total = sum(facts["bytes"] for facts in manifest["files"].values())
    if total > _MOST_EXPANSION * archive.stat().st_size + _SLACK:
        raise InputError(
            f"{archive} is not safe to unpack: it would grow more than {_MOST_EXPANSION} times."
        )
    return manifest, path.parent

"""Bundles packed into one file, `.zip` or `.tar.zst`; the same bundle gives the same bytes."""

from __future__ import annotations

import io
import os
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module, util
from pathlib import Path, PurePosixPath
from typing import IO, Any, NamedTuple

from wordkin.errors import InputError
from wordkin.files import LARGEST_JSON, named_errors, new_file
from wordkin.manifest import NAME, check_sizes, is_safe, parse_manifest, read_manifest

ARCHIVES = (".zip", ".tar.zst")
"""The endings of the names of archives that `pack` writes."""

READABLE = (*ARCHIVES, ".whl")
"""The endings of the names of archives that `unpack` reads. A wheel is a zip file."""

# The earliest date that a zip file can hold. Real dates would change the bytes of the same bundle.
_EPOCH = (1980, 1, 1, 0, 0, 0)
_ZSTD_LEVEL = 9

_CHUNK = 1 << 20
_MOST_EXPANSION, _SLACK = 200, 1 << 26
"""How many times larger the files of an archive may be than the archive, and a little more."""

# What reading a damaged archive raises. The last three come from zipfile: an unknown compression, a
# password, a name that cannot be decoded.
_DAMAGES = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)


def pack(folder: Path, archive: Path) -> None:
    """Pack a bundle's folder into `archive`, a `.zip` or a `.tar.zst`."""
    manifest = read_manifest(folder)
    check_sizes(folder, manifest)
    names = sorted([NAME, *manifest["files"]])
    if not archive.name.endswith(ARCHIVES):
        raise InputError(f"Cannot pack into {archive}: its name must end in .zip or .tar.zst.")
    writer = _write_zip if archive.suffix == ".zip" else _write_tar
    with new_file(archive) as temporary:
        writer(folder, names, temporary)


class Listing(NamedTuple):
    """What an archive holds: the manifest of its bundle, and the folder that the bundle is in."""

    manifest: dict[str, Any]
    folder: PurePosixPath


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack the bundle in an archive below `folder` and return its folder.

    Nothing is written before the whole archive was looked at: `_read_listing` refuses what is not
    safe. Then only the files that the manifest names are written, with the sizes that it says.
    """
    manifest, inside = _read_listing(archive, "unpack")
    sizes = {NAME: LARGEST_JSON, **{name: f["bytes"] for name, f in manifest["files"].items()}}
    for member in _readable_members(archive, "unpack"):
        path = safe_name(member.name, archive)
        if path.is_relative_to(inside) and (name := str(path.relative_to(inside))) in sizes:
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            with named_errors(target), target.open("wb") as file:
                for chunk in _content(member, archive, sizes[name]):
                    file.write(chunk)
    return folder / inside


def _content(member: Member, archive: Path, size: int) -> Iterator[bytes]:
    """The content of a member in pieces; refuse one that is larger than `size`."""
    while True:
        with _plain_damages("unpack", archive):
            chunk = member.source.read(min(_CHUNK, size + 1))
            size -= len(chunk)
            if size < 0:
                raise ValueError(f"'{member.name}' is larger than {NAME} says")
        if not chunk:
            return
        yield chunk


def _readable_members(archive: Path, action: str) -> Iterator[Member]:
    """The members of an archive; only reading them counts as damage, not what is done with them."""
    members = _members(archive)
    while True:
        with _plain_damages(action, archive):
            member = next(members, None)
        if member is None:
            return
        yield member


def read_packed_manifest(archive: Path) -> dict[str, Any]:
    """The manifest of a packed bundle, read without unpacking the rest."""
    return _read_listing(archive, "read").manifest


def _read_listing(archive: Path, action: str) -> Listing:
    """Read the manifest of the bundle in an archive.

    Refuses an archive without one, links, two members with one name, names that lead out of the
    folder, and sizes that only a bomb has.
    """
    manifests: list[tuple[PurePosixPath, bytes]] = []
    names: set[PurePosixPath] = set()
    with _plain_damages(action, archive):
        limit = _MOST_EXPANSION * archive.stat().st_size + _SLACK
    total = 0
    for member in _readable_members(archive, action):
        path = safe_name(member.name, archive)
        if not member.regular or path in names:
            reason = "holds two files" if member.regular else "has a link"
            raise InputError(f"{archive} is not safe to unpack: it {reason} named '{path}'.")
        names.add(path)
        total += member.size
        if total > limit:
            raise InputError(
                f"{archive} is not safe to unpack: it would grow more than {_MOST_EXPANSION} times."
            )
        if path.name == NAME:
            with _plain_damages(action, archive):
                manifests.append((path, member.source.read(LARGEST_JSON)))
    if not manifests:
        raise InputError(f"There is no bundle in {archive}: it holds no {NAME}.")
    # Archives that were packed by hand often have one more folder around the bundle.
    path, content = min(manifests, key=lambda entry: (len(entry[0].parts), entry[0]))
    manifest = parse_manifest(content, archive)
    if missing := [name for name in manifest["files"] if path.parent / name not in names]:
        raise InputError(f"{archive} is damaged: {missing[0]} is missing; make or copy it again.")
    return Listing(manifest, path.parent)


@contextmanager
def _plain_damages(action: str, archive: Path) -> Iterator[None]:
    try:
        yield
    except _DAMAGES as error:
        raise InputError(f"Cannot {action} {archive}: {error}; make or copy it again.") from error


def safe_name(name: str, archive: Path) -> PurePosixPath:
    """The path of a member; refuse one that would be written outside the folder."""
    if not is_safe(name.removeprefix("./").rstrip("/")):
        raise InputError(f"{archive} is not safe to unpack: it has a member named {name!a}.")
    return PurePosixPath(name)


def _write_zip(folder: Path, names: list[str], target: Path) -> None:
    with zipfile.ZipFile(target, "w") as archive:
        for name in names:
            with (folder / name).open("rb") as source, zip_member(archive, name) as member:
                shutil.copyfileobj(source, member)


def zip_member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    """A new file in a zip archive; its bytes depend only on what is written to it."""
    member = zipfile.ZipInfo(name, _EPOCH)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o644 << 16
    return archive.open(member, "w", force_zip64=True)


def _write_tar(folder: Path, names: list[str], target: Path) -> None:
    with (
        _zstd(target, "wb") as stream,
        tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name in names:
            member = tarfile.TarInfo(name)
            member.size, member.mode = (folder / name).stat().st_size, 0o644
            with (folder / name).open("rb") as source:
                archive.addfile(member, source)


class Member(NamedTuple):
    """A file in an archive: its name, the size that it claims, and its content."""

    name: str
    size: int
    source: IO[bytes]
    regular: bool


def _members(path: Path) -> Iterator[Member]:
    """The members of an archive that are no folders."""
    return _tar_members(path) if path.name.endswith(".tar.zst") else _zip_members(path)


def _zip_members(path: Path) -> Iterator[Member]:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if not member.is_dir():
                kind = stat.S_IFMT(member.external_attr >> 16)
                with archive.open(member) as source:
                    regular = kind in (0, stat.S_IFREG)
                    yield Member(member.filename, member.file_size, source, regular)


def _tar_members(path: Path) -> Iterator[Member]:
    with _zstd(path, "rb") as stream, tarfile.open(fileobj=stream, mode="r|") as archive:
        for member in archive:
            source = archive.extractfile(member) if member.isreg() else None
            if not member.isdir():
                nothing = io.BytesIO()
                yield Member(member.name, member.size, source or nothing, source is not None)


@contextmanager
def _zstd(path: Path, mode: str) -> Iterator[Any]:
    """A Zstandard stream. Python has no Zstandard of its own before version 3.14."""
    if util.find_spec("zstandard"):
        zstandard = import_module("zstandard")
        if mode == "wb":
            coder = {"cctx": zstandard.ZstdCompressor(level=_ZSTD_LEVEL)}
        else:
            coder = {"dctx": zstandard.ZstdDecompressor()}
        try:
            with zstandard.open(path, mode, **coder) as stream:
                yield stream
        except zstandard.ZstdError as error:
            raise OSError(str(error)) from error
    elif util.find_spec("pyarrow"):
        pyarrow = import_module("pyarrow")
        kind = pyarrow.output_stream if mode == "wb" else pyarrow.input_stream
        with kind(os.fspath(path), compression="zstd") as stream:
            yield stream
    else:
        raise InputError(
            f"{path} needs Zstandard: install it with 'pip install zstandard', or use a .zip."
        )

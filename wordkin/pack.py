"""Bundles packed into one file, `.zip` or `.tar.zst`; the same bundle gives the same bytes."""

from __future__ import annotations

import os
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module, util
from pathlib import Path, PurePosixPath
from typing import IO, Any

from wordkin.errors import InputError
from wordkin.files import new_file
from wordkin.manifest import NAME, check_sizes, parse_manifest, read_manifest

ARCHIVES = (".zip", ".tar.zst")
"""The endings of the names of archives that `pack` writes."""

READABLE = (*ARCHIVES, ".whl")
"""The endings of the names of archives that `unpack` reads. A wheel is a zip file."""

# The earliest date that a zip file can hold. Real dates would change the bytes of the same bundle.
_EPOCH = (1980, 1, 1, 0, 0, 0)
_ZSTD_LEVEL = 9

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


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack an archive below `folder` and return the folder of its bundle."""
    try:
        for name, source in _members(archive):
            target = folder / safe_name(name, archive)
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("wb") as file:
                shutil.copyfileobj(source, file)
    except _DAMAGES as error:
        raise InputError(f"Cannot unpack {archive}: {error}; make or copy it again.") from error
    # Archives that were packed by hand often have one more folder around the bundle.
    manifests = sorted(folder.rglob(NAME), key=lambda path: (len(path.parts), path))
    if not manifests:
        raise InputError(f"There is no bundle in {archive}: it holds no {NAME}.")
    return manifests[0].parent


def read_packed_manifest(archive: Path) -> dict[str, Any]:
    """The manifest of a packed bundle, read without unpacking the rest."""
    try:
        for name, source in _members(archive):
            if PurePosixPath(name).name == NAME:
                return parse_manifest(source.read(), archive)
    except _DAMAGES as error:
        raise InputError(f"Cannot read {archive}: {error}; make or copy it again.") from error
    raise InputError(f"There is no bundle in {archive}: it holds no {NAME}.")


def safe_name(name: str, archive: Path) -> PurePosixPath:
    """The path of a member; refuse one that would be written outside the folder."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name:
        raise InputError(f"{archive} is not safe to unpack: it has a member named '{name}'.")
    return path


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


def _members(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    return _tar_members(path) if path.name.endswith(".tar.zst") else _zip_members(path)


def _zip_members(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if not member.is_dir():
                with archive.open(member) as source:
                    yield member.filename, source


def _tar_members(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    with _zstd(path, "rb") as stream, tarfile.open(fileobj=stream, mode="r|") as archive:
        for member in archive:
            source = archive.extractfile(member) if member.isreg() else None
            if source is not None:
                yield member.name, source


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

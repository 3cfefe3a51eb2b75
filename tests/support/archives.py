"""Archives made on the spot: zip, tar in every compression, and Debian packages."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import zstandard

COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.ZstdCompressor(write_checksum=True).compress,
}


def tar(members: Mapping[str, bytes], links: Mapping[str, str] | None = None) -> bytes:
    """A tar file with folders, files and symbolic links."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for folder in sorted({name.rpartition("/")[0] for name in members} - {""}):
            entry = tarfile.TarInfo(folder)
            entry.type = tarfile.DIRTYPE
            archive.addfile(entry)
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
        for name, target in (links or {}).items():
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = tarfile.SYMTYPE, target
            archive.addfile(entry)
    return stream.getvalue()


def zipped(members: Mapping[str, bytes]) -> bytes:
    """A zip file with these files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def ar(members: Mapping[str, bytes]) -> bytes:
    """An ar archive, as `ar` writes it."""
    archive = b"!<arch>\n"
    for name, content in members.items():
        header = f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n".encode()
        archive += header + content + b"\n" * (len(content) % 2)
    return archive


def deb(members: Mapping[str, bytes], compression: str = "xz") -> bytes:
    """A Debian package with these files."""
    compress = COMPRESSIONS[compression]
    control = {"./postinst": b"#!/bin/sh\necho a package is data: it is never run\nexit 1\n"}
    return ar(
        {
            "debian-binary": b"2.0\n",
            "control.tar.gz": gzip.compress(tar(control)),
            f"data.tar.{compression}": compress(
                tar({f"./{name}": content for name, content in members.items()})
            ),
        }
    )


def write_bytes(path: Path, content: bytes) -> Path:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path

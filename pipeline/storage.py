"""Files on this machine, or at an address that all nodes of a cluster reach.

What tasks read, write and exchange (raw files, tokens, types, counts and their parts) is at a
`Path`, or at a `RemotePath` such as s3://bucket/folder (`storage:` in `params.yaml`).

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


class StorageError(InputError):
    """An address that does not answer, refuses what was asked of it, or has other files."""


@dataclass(frozen=True, order=True)
class RemotePath:
    """A file or folder at an address; it has the few methods of `Path` that its users need."""

    address: str

    def __truediv__(self, name: str) -> RemotePath:
        return RemotePath(f"{self.address}/{name}")

    def __str__(self) -> str:
        return self.address

    @property
    def name(self) -> str:
        """The last step."""
        return self.address.rpartition("/")[2]

    @property
    def parent(self) -> RemotePath:
        """All steps but the last."""
        return RemotePath(self.address.rpartition("/")[0])

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


AnyPath = Path | RemotePath


@dataclass(frozen=True)
class StoredFile:
    """A file as its marker and the manifest describe it; `name` is its path in its folder."""

    name: str
    bytes: int
    sha256: str


def is_address(text: str) -> bool:
    """Whether a text is the address of a file or folder in storage."""
    return text.partition("://")[0].lower() in SCHEMES and "://" in text


def fault_of_address(text: str) -> str | None:
    """What is wrong with the address of a folder; None if nothing is."""
    if re.fullmatch(r"(s3|gs|hdfs)://[^/?#\s]+(/[^/?#\s]+)*/?|file://(/[^/?#]+)+/?", text):
        return None
    return "must be the address of a folder, such as s3://bucket/wordkin (or gs://, hdfs://)"


def as_path(where: str | AnyPath) -> AnyPath:
    """The path that a text means."""
    if isinstance(where, str):
        return RemotePath(where.rstrip("/")) if is_address(where) else Path(where)
    return where


# ── reading ──────────────────────────────────────────────────────────────────────────────────


class State(NamedTuple):
    """The size of a file, and a number that differs when it has changed."""

    size: int
    changed: int


def state(where: str | AnyPath) -> State:
    """The state of a file; an error if there is none."""
    path = as_path(where)
    if isinstance(path, Path):
        status = path.stat()
        return State(status.st_size, status.st_mtime_ns)
    with _plain_errors(path):
        information = path.filesystem.get_file_info(path.path)
    if not information.is_file:
        raise StorageError(f"There is no file {path}: check the address, or make it again.")
    return State(information.size, information.mtime_ns or 0)


def is_file(path: AnyPath) -> bool:
    """Whether there is a file."""
    if isinstance(path, Path):
        return path.is_file()
    with _plain_errors(path):
        return bool(path.filesystem.get_file_info(path.path).is_file)


def opened(where: str | AnyPath) -> io.BufferedReader:
    """A file, open for reading at any offset."""
    path = as_path(where)
    if isinstance(path, Path):
        return path.open("rb")
    return io.BufferedReader(cast(io.RawIOBase, for_arrow(path)))


def for_arrow(path: AnyPath) -> object:
    """What Arrow's readers take for a file."""
    if isinstance(path, Path):
        return path
    with _plain_errors(path):
        return path.filesystem.open_input_file(path.path)


def read_bytes(path: AnyPath) -> bytes:
    """The whole content of a file."""
    with opened(path) as file:
        return file.read()


def sha256(path: AnyPath) -> str:
    """The SHA-256 of a file, from its marker if it has one."""
    if isinstance(path, RemotePath) and (stored := marked(path)):
        return stored.sha256
    with opened(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def mapped(where: str | AnyPath) -> Iterator[mmap.mmap]:
    """The bytes of a file that is not empty; only those that are looked at are read."""
    path = as_path(where)
    with opened(path) as file:
        if isinstance(path, Path):
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                yield data
        else:
            yield cast(mmap.mmap, _RemoteBytes(file, state(path).size))


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
def new_file(path: AnyPath) -> Iterator[Path]:
    """A temporary path on this machine whose file goes to `path` when the block succeeds.

    Several tasks may write the same file at once, as Spark does when it repeats one: what they
    write is the same.
    """
    if isinstance(path, Path):
        with files.new_file(path, by_task=True) as temporary:
            yield temporary
        return
    with tempfile.TemporaryDirectory(prefix="wordkin-") as folder:
        temporary = Path(folder) / path.name
        yield temporary
        upload(temporary, path)


def upload(source: Path, target: RemotePath) -> None:
    """Copy a file to an address, and then mark it as whole."""
    with source.open("rb") as file:
        _write(target, file)
    stored = StoredFile(target.name, source.stat().st_size, files.sha256(source))
    _write_text(_marker(target), json.dumps(asdict(stored)))


def offered(source: Path, target: RemotePath, sha256: str) -> RemotePath:
    """A file of this machine at an address, where it is copied unless it is there already."""
    stored = marked(target)
    if stored is None or stored.sha256 != sha256:
        upload(source, target)
    return target


def marked(path: RemotePath) -> StoredFile | None:
    """What the marker of a file says; None if the file is not whole."""
    content = _read_text(_marker(path))
    return StoredFile(**json.loads(content)) if content else None


@contextmanager
def new_folder(folder: Path, shared: AnyPath) -> Iterator[AnyPath]:
    """An empty folder that becomes `folder` when the block succeeds; else nothing changes.

    `shared` is where its files live: `folder` itself, or an address.
    """
    if isinstance(shared, Path):
        with files.new_folder(folder) as temporary:
            yield temporary
        return
    run = shared / uuid.uuid4().hex
    try:
        yield run
        stored = [asdict(file) for file in _stored_below(run)]
        _write_text(shared / CURRENT, json.dumps({"run": run.name, "files": stored}))
    except BaseException:
        with suppress(InputError):
            _remove_folder(run)
        raise
    for name in _listed(shared, recursive=False):
        if name not in (run.name, CURRENT):
            _remove_folder(shared / name)
    content = {"address": str(shared), "files": stored}
    with files.new_folder(folder) as temporary:
        write_text(temporary / MANIFEST, json.dumps(content, indent=2) + "\n")


@contextmanager
def scratch_folder(path: AnyPath) -> Iterator[AnyPath]:
    """A folder for what tasks exchange, removed at the end; so is what killed runs left."""
    if isinstance(path, Path):
        with files.scratch_folder(path) as temporary:
            yield temporary
        return
    _remove_folder(path)
    try:
        yield path / uuid.uuid4().hex
    finally:
        with suppress(InputError):
            _remove_folder(path)


def entries(folder: AnyPath) -> list[AnyPath]:
    """What is directly in a folder, without markers; nothing if there is no folder."""
    if isinstance(folder, Path):
        return sorted(folder.iterdir()) if folder.is_dir() else []
    names = sorted(_listed(folder, recursive=False))
    return [folder / name for name in names if not name.endswith(DONE)]


def remove(path: AnyPath) -> None:
    """Remove a file."""
    if isinstance(path, Path):
        path.unlink()
        return
    # The marker first: what is left of the file is then no file any more.
    for part in (_marker(path), path):
        with suppress(FileNotFoundError), _plain_errors(path):
            path.filesystem.delete_file(part.path)


# ── folders that stages made ─────────────────────────────────────────────────────────────────


def files_in(folder: Path) -> list[AnyPath]:
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
    copy = _copies() / files.sha256(manifest)
    for file in stored:
        if not (copy / file.name).exists():
            with (
                files.new_file(copy / file.name) as temporary,
                opened(run / file.name) as remote,
                temporary.open("wb") as target,
            ):
                shutil.copyfileobj(remote, target, _CHUNK)
                target.flush()
                if files.sha256(temporary) != file.sha256:
                    raise StorageError(
                        f"{run / file.name} is damaged: run the stage that makes it again."
                    )
    return copy


def _resolved(manifest: Path) -> tuple[RemotePath, list[StoredFile]]:
    """The run that a manifest means, and its files; refuses what has changed since."""
    described = read_json(manifest, "does not say where its files are: run its stage again")
    shared = RemotePath(described["address"])
    content = _read_text(shared / CURRENT)
    current = json.loads(content) if content else {}
    if current.get("files") != described["files"]:
        raise StorageError(
            f"{shared} no longer has the files that {manifest} names: run the stage that makes "
            "them again (dvc repro --force)."
        )
    return shared / current["run"], [StoredFile(**file) for file in described["files"]]


@cache
def _copies() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="wordkin-copies-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _stored_below(folder: RemotePath) -> list[StoredFile]:
    """The files below a folder that have markers, sorted by name; others are removed."""
    sizes = _files_below(folder)
    names = sorted(name for name in sizes if not name.endswith(DONE))
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        markers = list(pool.map(lambda name: marked(folder / name), names))
    stored = []
    for name, marker in zip(names, markers, strict=True):
        if marker is None:
            remove(folder / name)
        elif marker.bytes != sizes[name]:
            raise StorageError(f"{folder / name} is not whole: run the stage again.")
        else:
            stored.append(StoredFile(name, marker.bytes, marker.sha256))
    return stored


# ── addresses ────────────────────────────────────────────────────────────────────────────────


def matching(pattern: RemotePath) -> list[RemotePath]:
    """The files at an address, which may be that of a folder, or have * in its last step."""
    if "*" in pattern.name:
        sizes = _listed(pattern.parent, recursive=False)
        names = sorted(name for name, size in sizes.items() if size >= 0)
        names = [name for name in names if PurePosixPath(name).match(pattern.name)]
        return [pattern.parent / name for name in names]
    if is_file(pattern):
        return [pattern]
    return [pattern / name for name in sorted(_files_below(pattern)) if not name.endswith(DONE)]


def _marker(path: RemotePath) -> RemotePath:
    return path.parent / f"{path.name}{DONE}"


def _files_below(folder: RemotePath) -> dict[str, int]:
    """The size of each file below a folder, by its path there."""
    return {name: size for name, size in _listed(folder, recursive=True).items() if size >= 0}


def _listed(folder: RemotePath, recursive: bool) -> dict[str, int]:
    """What is in a folder: the size of each file, and -1 for folders."""
    from pyarrow.fs import FileSelector

    selector = FileSelector(folder.path, allow_not_found=True, recursive=recursive)
    with _plain_errors(folder):
        below = folder.filesystem.get_file_info(selector)
    return {
        entry.path[len(folder.path) + 1 :]: entry.size if entry.is_file else -1 for entry in below
    }


def _read_text(path: RemotePath) -> str | None:
    """The text of a small file; None if there is none."""
    with suppress(FileNotFoundError):
        return read_bytes(path).decode()
    return None


def _write_text(path: RemotePath, text: str) -> None:
    _write(path, io.BytesIO(text.encode()))


def _write(path: RemotePath, content: io.BufferedIOBase) -> None:
    with _plain_errors(path):
        if not path.address.startswith(("s3:", "gs:")):  # these have no folders, only long names
            path.filesystem.create_dir(path.parent.path, recursive=True)
        with path.filesystem.open_output_stream(path.path, compression=None) as stream:
            shutil.copyfileobj(content, stream, _CHUNK)


def _remove_folder(folder: RemotePath) -> None:
    with suppress(FileNotFoundError), _plain_errors(folder):
        folder.filesystem.delete_dir(folder.path)


def _endpoint() -> str:
    """The address of the S3 server; empty for Amazon's."""
    names = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
    return next((os.environ[name] for name in names if os.environ.get(name)), "")


@cache
def _filesystem(scheme: str, host: str, endpoint: str) -> FileSystem:
    """The file system of an address; credentials come from where its makers look for them."""
    from pyarrow import fs

    if scheme != "s3":
        return fs.FileSystem.from_uri(f"{scheme}://{host}/")[0]
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    if not region:
        region = "us-east-1" if endpoint else fs.resolve_s3_region(host)
    return fs.S3FileSystem(
        endpoint_override=endpoint or None,
        region=region,
        connect_timeout=10,
        retry_strategy=fs.AwsStandardS3RetryStrategy(max_attempts=4),
    )


@contextmanager
def _plain_errors(path: RemotePath) -> Iterator[None]:
    """What an address refuses, in one sentence."""
    try:
        yield
    except FileNotFoundError as error:
        error.filename = str(path)
        raise
    except (OSError, ValueError) as error:  # Arrow's errors are of these
        if isinstance(error, OSError) and isinstance(error.filename, str):
            raise  # a file of this machine
        reason = " ".join(str(error).splitlines()[:1])[:300].rstrip(".")
        raise StorageError(
            f"{path} cannot be used ({reason}): check the address, the credentials and the "
            "network, and run the same command again."
        ) from error

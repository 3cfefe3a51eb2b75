"""From a declaration to files on this machine: local, mirrored, fetched earlier, or downloaded.

Local and mirrored files are used where they are. Downloads are kept, each in a folder with a record
of what it is (see `pipeline.fetch.raw_files`).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from urllib.parse import urlsplit

import requests

from pipeline.declarations import Declaration, Source
from pipeline.fetch.download import Download, DownloadFailed, ListedFile, Stopped, read_list
from pipeline.fetch.packages import Packages, Unreachable, downloaded_packages, unpack
from pipeline.fetch.raw_files import (
    RawFile,
    Record,
    WrongChecksum,
    hash_files,
    path_from,
    refuse_record_name,
    verify,
)
from pipeline.locations import (
    Address,
    ListedFiles,
    LocalPath,
    PackageMember,
    StoredFiles,
    absolute_path,
    local_files,
    matching_files,
    parse,
)
from pipeline.storage import AnyPath, RemotePath, matching
from wordkin.errors import InputError
from wordkin.files import PART

CONNECTIONS = 2
"""How many files of a list are downloaded at once: Wikimedia asks everybody to use no more."""

REACH_SECONDS = 5.0
"""How long a host may take to answer before optional files of it are skipped."""


class Unavailable(Exception):
    """Why an optional file cannot be fetched now."""


@dataclass(frozen=True)
class Fetched:
    """The files of a declaration, in the order of their paths.

    Attributes
    ----------
    files : list of RawFile
        The files, verified.
    downloaded : int
        How many bytes were downloaded for them in this run.
    """

    files: list[RawFile]
    downloaded: int = 0


@dataclass(frozen=True)
class Fetcher:
    """Makes declared files available on this machine.

    Attributes
    ----------
    root : Path
        The project's folder; paths of local files are relative to it.
    mirror : Path or None
        A folder that is looked at before the network.
    packages : Packages or None
        The packages of this run, which several declarations may share.
    progress : bool
        Whether to show what is downloaded.
    """

    root: Path
    mirror: Path | None = None
    packages: Packages | None = None
    progress: bool = True
    _reached: dict[str, bool] = field(default_factory=dict)
    """Which hosts have answered."""

    def prefetch(self, declarations: Iterable[Declaration], downloads: Path) -> None:
        """Begin to download the packages of these declarations, several at once."""
        for declaration in declarations:
            location = parse(declaration.location) if declaration.location else None
            is_near = self.mirrored_files(declaration) or _record(declaration, downloads)
            if self.packages and isinstance(location, PackageMember) and not is_near:
                self.packages.start(location)

    def fetch(self, declaration: Declaration, downloads: Path) -> Fetched:
        """The verified files of a declaration; a download is kept below the folder `downloads`.

        Every refusal begins with the name of the declaration.
        """
        try:
            return self._nearest_copy(declaration, downloads / declaration.folder_name, Event())
        except InputError as error:
            raise type(error)(f"{declaration.name}: {error}") from error
        except OSError as error:
            raise InputError(
                f"{declaration.name}: {error.filename or downloads}: {error.strerror or error}; "
                "check the permissions and the space left on the disk."
            ) from error

    def fetch_optional(self, declaration: Declaration, downloads: Path) -> list[RawFile]:
        """The files of a declaration that a build can do without, or `Unavailable`.

        What this machine should have must be there, and a package must have what is declared. Any
        other file is a bonus: if it cannot be downloaded or is not the declared one, `Unavailable`
        says why. A mistake in a declaration and a full disk stop the build all the same.
        """
        location = parse(declaration.location) if declaration.location else None
        is_near = self.mirrored_files(declaration) or _record(declaration, downloads)
        if location is None and not is_near:
            raise Unavailable("it is available from a mirror folder only, and none has it")
        if isinstance(location, Address | ListedFiles) and not is_near:
            host = urlsplit(location.url).netloc
            if not self._reaches(location.url, host):
                raise Unavailable(f"{host} cannot be reached and no mirror folder has it")
        try:
            return self.fetch(declaration, downloads).files
        except (DownloadFailed, Unreachable) as error:
            raise Unavailable(str(error)) from error
        except WrongChecksum as error:
            if isinstance(location, LocalPath | PackageMember):
                raise
            raise Unavailable(str(error)) from error

    def fetch_one(self, declaration: Declaration, downloads: Path) -> Path:
        """The one file of an optional declaration, or `Unavailable`."""
        files = self.fetch_optional(declaration, downloads)
        if len(files) != 1:
            raise InputError(
                f"{declaration.name}: {declaration.location or declaration.mirror} names "
                f"{len(files)} files, and it must be one; correct the location."
            )
        return self.root / files[0].path

    def mirrored_files(self, declaration: Declaration) -> list[Path]:
        """The copies of the declared files in the mirror folder; empty if it has none."""
        if self.mirror is None:
            return []
        if declaration.mirror is not None:
            return matching_files(declaration.mirror, self.mirror)
        location = parse(declaration.location) if declaration.location else None
        if isinstance(location, Address) and location.mirrored is not None:
            copy = self.mirror / location.mirrored
            return [copy] if copy.is_file() else []
        return []

    def _reaches(self, url: str, host: str) -> bool:
        """Whether a host answers: each is asked once, so that working offline costs little time."""
        if host not in self._reached:
            try:
                answer = requests.head(url, timeout=REACH_SECONDS)
                self._reached[host] = answer.status_code < 500
            except requests.RequestException:
                self._reached[host] = False
        return self._reached[host]

    def _nearest_copy(self, declaration: Declaration, home: Path, stop: Event) -> Fetched:
        """Local files, then the mirror's, then those of an earlier fetch, then the network's."""
        location = parse(declaration.location) if declaration.location else None
        if isinstance(location, LocalPath):
            left_out = {absolute_path(self.root / path) for path in declaration.without}
            files = local_files(location.pattern, self.root)
            return self._in_place(declaration, [file for file in files if file not in left_out])
        if isinstance(location, StoredFiles):
            if not isinstance(declaration, Source):
                raise InputError(f"only raw text is read from {location.pattern}; copy it here.")
            return self._in_place(declaration, _stored(location))
        if files := self.mirrored_files(declaration):
            return self._in_place(declaration, files)
        if location is None:
            raise InputError("it is available from a mirror folder only, and none has it.")
        if earlier := self._fetched_earlier(declaration, home):
            return Fetched(earlier)
        if isinstance(location, Address):
            return self._download_address(declaration, location, home, stop)
        if isinstance(location, ListedFiles):
            return self._download_listed(declaration, location, home)
        if self.packages:
            return self._unpack_members(declaration, location, home, self.packages)
        with downloaded_packages(home.parent, self.mirror, self.progress) as packages:
            return self._unpack_members(declaration, location, home, packages)

    def _in_place(self, declaration: Declaration, files: Sequence[AnyPath]) -> Fetched:
        """Files that are used where they are."""
        hashed, together = hash_files(declaration, files, self.root, self.progress)
        verify(declaration, together, str(files[0]) if len(files) == 1 else f"{len(files)} files")
        return Fetched(hashed)

    def _fetched_earlier(self, declaration: Declaration, home: Path) -> list[RawFile] | None:
        """The files of an earlier fetch, if they still are what its record and we declare."""
        record = _record(declaration, home.parent)
        if record is None:
            return None
        files = [home / file.path for file in record.files]
        if not all(file.is_file() for file in files):
            return None
        hashed, together = hash_files(declaration, files, self.root, self.progress)
        is_declared = declaration.sha256 is None or together == declaration.sha256.lower()
        recorded = [(file.bytes, file.sha256) for file in record.files]
        is_recorded = recorded == [(file.bytes, file.sha256) for file in hashed]
        return hashed if is_declared and is_recorded else None

    def _download_address(
        self, declaration: Declaration, location: Address, home: Path, stop: Event
    ) -> Fetched:
        refuse_record_name([location.filename])
        record = _begun(declaration, home)
        target = home / location.filename
        target.unlink(missing_ok=True)
        name = declaration.name
        download = Download(name, location.url, target, record, self.progress, stop)
        download.complete()
        files = self._keep(declaration, home, download.record, [location.filename])
        return Fetched(files, download.received)

    def _download_listed(
        self, declaration: Declaration, location: ListedFiles, home: Path
    ) -> Fetched:
        """All files of a list, a few at a time, each in a folder of its own below `home`.

        When one fails, the others stop: what is complete stays, and a later run resumes the rest.
        """
        record = _begun(declaration, home)
        listed = read_list(location, self.mirror)
        stop = Event()
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            try:
                fetched = list(pool.map(lambda file: self._fetch_listed(file, home, stop), listed))
            finally:
                stop.set()
        files = [file for one in fetched for file in one.files]
        paths = [absolute_path(self.root / file.path) for file in files]
        if declaration.sha256 is not None:
            _, together = hash_files(declaration, paths, self.root, self.progress)
            verify(declaration, together, record.location)
        for folder in home.iterdir():
            if folder.is_dir() and folder.name not in {file.folder_name for file in listed}:
                shutil.rmtree(folder)  # of an older list
        recorded = tuple(
            replace(file, path=path_from(home, path))
            for file, path in zip(files, paths, strict=True)
        )
        replace(record, files=recorded).write(home)
        return Fetched(files, sum(one.downloaded for one in fetched))

    def _fetch_listed(self, file: ListedFile, home: Path, stop: Event) -> Fetched:
        """One file of a list, verified by its published checksum."""
        if stop.is_set():
            raise Stopped
        declaration = Declaration(name=file.folder_name, location=file.url)
        own = home / declaration.folder_name
        fetched = self._nearest_copy(declaration, own, stop)
        path = absolute_path(self.root / fetched.files[0].path)
        refusal = file.refusal(path)
        if refusal and path.is_relative_to(absolute_path(home)):
            shutil.rmtree(own)
            if not fetched.downloaded:  # an earlier run's file, from before the list changed
                return self._fetch_listed(file, home, stop)
        if refusal:
            raise WrongChecksum(refusal)
        return fetched

    def _unpack_members(
        self, declaration: Declaration, location: PackageMember, home: Path, packages: Packages
    ) -> Fetched:
        package, downloaded = packages.get(location)
        record = _start_afresh(declaration, home)
        try:
            members = unpack(location, package, home)
        except InputError:
            shutil.rmtree(home)  # half an archive is of no use to a later run
            raise
        return Fetched(self._keep(declaration, home, record, members), downloaded)

    def _keep(
        self, declaration: Declaration, home: Path, record: Record, names: Sequence[str]
    ) -> list[RawFile]:
        """Give complete `.part` files their final names, once they are known to be right."""
        parts = [home / (name + PART) for name in names]
        hashed, together = hash_files(declaration, parts, home, self.progress)
        try:
            verify(declaration, together, record.location)
        except InputError:
            shutil.rmtree(home)
            raise
        files = tuple(replace(file, path=name) for name, file in zip(names, hashed, strict=True))
        # The record first: if we are killed in between, the next run finds the parts complete.
        replace(record, files=files).write(home)
        for part in parts:
            final = part.with_name(part.name.removesuffix(PART))
            part.replace(final)
        return [replace(file, path=path_from(self.root, home / file.path)) for file in files]


def _record(declaration: Declaration, downloads: Path) -> Record | None:
    """The record of an earlier download that was completed."""
    record = Record.read(downloads / declaration.folder_name)
    is_ours = record is not None and record.location == declaration.location
    return record if record and is_ours and record.files else None


def _begun(declaration: Declaration, home: Path) -> Record:
    """The record of a download that an earlier run has begun, or a new one."""
    record = Record.read(home)
    is_ours = record is not None and record.location == declaration.location
    return record if record and is_ours else _start_afresh(declaration, home)


def _start_afresh(declaration: Declaration, home: Path) -> Record:
    assert declaration.location is not None  # else there is nothing to download
    if home.exists():
        shutil.rmtree(home)
    home.mkdir(parents=True)
    record = Record(declaration.location)
    record.write(home)
    return record


def _stored(location: StoredFiles) -> list[RemotePath]:
    files = matching(RemotePath(location.pattern.rstrip("/")))
    if not files:
        raise InputError(f"no file matches '{location.pattern}'; correct the location.")
    return files

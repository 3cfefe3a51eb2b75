"""Packages of the registry are data: downloaded by pip, unpacked, never run or trusted."""

import shutil
import zipfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from pipeline.fetch import packages, raw_files
from pipeline.fetch.fetcher import Fetcher
from pipeline.fetch.raw_files import RawFile
from tests.support.declared import declared, fetch, files_below, obtain, plant, sha256
from tests.support.server import BODY
from wordkin.errors import InputError

WHEEL = "kin_data-1.2-py3-none-any.whl"
MEMBERS = {
    "kin_data/__init__.py": b"raise SystemExit('a package is data: it is never run')",
    "kin_data/pairs.tsv": b"cat\tdog\t7\n",
    "kin_data/parts/a/hu.json": b"{}",
    "kin_data/parts/b/hu.json": b'{"b": 1}',
    "kin_data/parts/b/en.json": b"[]",
}


def make_wheel(path: Path, members: dict[str, bytes]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    name, version = path.name.split("-")[:2]
    about = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        "Requires-Python: <3\nRequires-Dist: nothing-of-that-name\n",
        "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "RECORD": "",
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in members.items():
            archive.writestr(member, content)
        for member, text in about.items():
            archive.writestr(f"{name}-{version}.dist-info/{member}", text)
    return path


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip uses as the whole registry."""
    folder = tmp_path / "registry"
    make_wheel(folder / WHEEL, MEMBERS)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    """A mirror with the wheel, for the tests that need no pip."""
    make_wheel(tmp_path / "mirror/wheels" / WHEEL, MEMBERS)
    return tmp_path / "mirror"


def test_members_of_a_package_are_downloaded_with_pip_and_kept(
    tmp_path: Path, folder: Path, registry: Path
) -> None:
    wheel_size = (registry / WHEEL).stat().st_size
    source = declared("ui", "wheel:Kin-Data==1.2!kin_data/parts/*/hu.json", sha256(b'{}{"b": 1}'))
    fetched = obtain(source, folder, tmp_path)
    home = "corpora/en/fetched/ui/kin_data/parts"
    assert fetched.files == [
        RawFile(f"{home}/a/hu.json", 2, sha256(b"{}")),
        RawFile(f"{home}/b/hu.json", 8, sha256(b'{"b": 1}')),
    ]
    assert fetched.downloaded == wheel_size
    assert files_below(folder / "ui") == [
        "fetched.json",
        "kin_data/parts/a/hu.json",
        "kin_data/parts/b/hu.json",
    ]
    shutil.rmtree(registry)
    assert obtain(source, folder, tmp_path) == replace(fetched, downloaded=0)


def test_a_failure_of_pip_is_one_sentence(tmp_path: Path, folder: Path, registry: Path) -> None:
    with pytest.raises(InputError) as refusal:
        fetch(declared("ui", "wheel:kin-data==9.9!a"), folder, tmp_path)
    message = str(refusal.value)
    for fact in ("ui", "kin-data==9.9", "No matching distribution found", "correct the name"):
        assert fact in message
    assert "\n" not in message
    assert files_below(folder) == []


def test_a_wheel_in_the_mirror_needs_no_pip(
    tmp_path: Path, folder: Path, mirror: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packages, "_PIP", ["/nowhere/python"])
    make_wheel(mirror / "wheels/kin_data-1.20-py3-none-any.whl", {"kin_data/pairs.tsv": b"other"})
    source = declared("gold", "wheel:kin-data==1.2!kin_data/pairs.tsv")
    fetched = obtain(source, folder, tmp_path, mirror)
    assert [file.sha256 for file in fetched.files] == [sha256(b"cat\tdog\t7\n")]
    assert fetched.downloaded == 0


def test_mirrored_members_need_no_wheel(tmp_path: Path, folder: Path) -> None:
    plant(tmp_path, {"mirror/gold/pairs.tsv": b"cat dog 7"})
    source = declared("gold", "wheel:kin-data==1.2!pairs.tsv", mirror="gold/pairs.tsv")
    (file,) = fetch(source, folder, tmp_path, tmp_path / "mirror")
    assert file.path == "mirror/gold/pairs.tsv"


def test_a_folder_of_a_package_stands_for_the_files_below_it(
    tmp_path: Path, folder: Path, mirror: Path
) -> None:
    files = fetch(declared("ui", "wheel:kin-data==1.2!kin_data/parts"), folder, tmp_path, mirror)
    below = [name for name in sorted(MEMBERS) if name.startswith("kin_data/parts/")]
    assert [file.path.split("/ui/")[1] for file in files] == below


def test_a_member_that_is_not_there_is_refused(tmp_path: Path, folder: Path, mirror: Path) -> None:
    with pytest.raises(InputError, match=r"has no member 'kin_data/none\.tsv'"):
        fetch(declared("x", "wheel:kin-data==1.2!kin_data/none.tsv"), folder, tmp_path, mirror)
    assert files_below(folder) == []


def test_members_with_a_wrong_checksum_leave_nothing(
    tmp_path: Path, folder: Path, mirror: Path
) -> None:
    source = declared("x", "wheel:kin-data==1.2!kin_data/parts/*/hu.json", sha256(b"other"))
    with pytest.raises(InputError, match="checksum"):
        fetch(source, folder, tmp_path, mirror)
    assert files_below(folder) == []


@pytest.mark.parametrize("evil", ["../evil.txt", "/evil.txt", "kin_data/../../evil.txt"])
def test_a_package_that_would_write_outside_of_its_folder_is_refused(
    tmp_path: Path, folder: Path, evil: str
) -> None:
    wheel = tmp_path / "mirror/wheels" / WHEEL
    make_wheel(wheel, {evil: b"evil", "kin_data/a.txt": b"good"})
    before = files_below(tmp_path)
    for pattern in ("**/*.txt", "kin_data/a.txt"):
        source = declared("x", f"wheel:kin-data==1.2!{pattern}")
        with pytest.raises(InputError, match="do not use this package"):
            fetch(source, folder, tmp_path, tmp_path / "mirror")
    assert files_below(tmp_path) == before


def test_a_zip_bomb_is_refused_before_it_is_unpacked(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packages, "UNPACKED_ALWAYS_FINE", 1_000_000)
    make_wheel(tmp_path / "mirror/wheels" / WHEEL, {"kin_data/a.txt": bytes(2_000_000)})
    source = declared("x", "wheel:kin-data==1.2!kin_data/a.txt")
    with pytest.raises(InputError, match="claims to unpack to more than 1,000,000 bytes"):
        fetch(source, folder, tmp_path, tmp_path / "mirror")
    assert files_below(folder) == []


def test_members_that_do_not_fit_on_the_disk_are_refused(
    tmp_path: Path, folder: Path, mirror: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raw_files.shutil, "disk_usage", lambda _: SimpleNamespace(free=5))
    with pytest.raises(InputError, match="make room"):
        fetch(declared("x", "wheel:kin-data==1.2!kin_data/pairs.tsv"), folder, tmp_path, mirror)
    assert files_below(folder) == []


def test_a_member_cannot_overwrite_the_record(tmp_path: Path, folder: Path) -> None:
    make_wheel(tmp_path / "mirror/wheels" / WHEEL, {"fetched.json": b"{}"})
    source = declared("x", "wheel:kin-data==1.2!*.json")
    with pytest.raises(InputError, match="record"):
        fetch(source, folder, tmp_path, tmp_path / "mirror")
    assert files_below(folder) == []


@pytest.mark.parametrize("content", [BODY, BODY.hex().encode()], ids=["stored", "deflated"])
def test_a_damaged_wheel_leaves_nothing(tmp_path: Path, folder: Path, content: bytes) -> None:
    members = {"kin_data/a.txt": b"good", "kin_data/b.txt": content}
    wheel = make_wheel(tmp_path / "mirror/wheels" / WHEEL, members)
    intact = wheel.read_bytes()
    middle = len(intact) // 2
    flipped = intact[:middle] + b"\xff" * 1000 + intact[middle + 1000 :]
    source = declared("x", "wheel:kin-data==1.2!kin_data")
    for damaged in (flipped, intact[:middle], b"<html>not a wheel</html>", b""):
        wheel.write_bytes(damaged)
        with pytest.raises(InputError, match=r"fetch the file again|is not an archive"):
            fetch(source, folder, tmp_path, tmp_path / "mirror")
        assert files_below(folder) == []


def test_sources_of_one_wheel_share_its_download(
    tmp_path: Path, folder: Path, registry: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = [declared(name, f"wheel:Kin-Data==1.2!kin_data/parts/{name}") for name in "ab"]
    with packages.downloaded_packages(tmp_path / "corpora", None, show=True) as shared:
        fetcher = Fetcher(tmp_path, packages=shared)
        fetcher.prefetch(sources, folder)
        fetched = [fetcher.fetch(source, folder) for source in sources]
    wheel_size = (registry / WHEEL).stat().st_size
    assert [outcome.downloaded for outcome in fetched] == [wheel_size, 0]
    assert capsys.readouterr().err.count("downloading wheel Kin-Data==1.2") == 1
    assert files_below(tmp_path / "corpora") == sorted(
        f"en/fetched/{name}/{file}"
        for name in "ab"
        for file in ("fetched.json", f"kin_data/parts/{name}/hu.json", "kin_data/parts/b/en.json")
        if "/en.json" not in file or name == "b"
    )

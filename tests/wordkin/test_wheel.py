"""A bundle as a wheel: pip installs it, `load` finds it, and its bytes are reproducible."""

from __future__ import annotations

import base64
import csv
import hashlib
import json
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

import wordkin
from tests.support.bundles import make_bundle
from tests.support.installed import pip_install, run_with
from wordkin.errors import InputError
from wordkin.manifest import damaged_files, write_manifest
from wordkin.wheel import package_name, write_wheel

LOAD = """
import wordkin
bundle = wordkin.load({code!r})
print(bundle.origin, len(bundle.vocabulary), bundle.nearest({word!r}, 1)[0][0])
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_bundle(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def wheel(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_wheel(folder, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An otherwise empty folder with the wheel, installed by pip."""
    target = tmp_path_factory.mktemp("site")
    installed = pip_install(wheel, target)
    assert installed.returncode == 0, installed.stderr
    return target


def change_manifest(folder: Path, **facts: object) -> None:
    """Write the manifest anew with other facts."""
    (folder / "bundle.json").rename(folder.parent / "old.json")
    old = json.loads((folder.parent / "old.json").read_text(encoding="utf-8"))
    write_manifest(folder, {**old, **facts})


@pytest.mark.slow
def test_a_fresh_process_loads_the_installed_bundle(
    folder: Path, site: Path, tmp_path: Path
) -> None:
    done = run_with(site, tmp_path, LOAD.format(code="en", word="piano"))
    plain = wordkin.load(folder)
    expected = f"installed {len(plain.vocabulary)} {plain.nearest('piano', 1)[0][0]}\n"
    assert done.stdout == expected, done.stderr


def test_pip_installs_every_byte(folder: Path, site: Path) -> None:
    assert damaged_files(site / "wordkin_en") == []
    for path in folder.rglob("*"):
        if path.is_file():
            there = site / "wordkin_en" / path.relative_to(folder)
            assert there.read_bytes() == path.read_bytes()


def test_the_installed_package_describes_itself(wheel: Path, site: Path) -> None:
    (distribution,) = metadata.distributions(path=[str(site)])
    version = wheel.name.split("-")[1]
    assert (distribution.metadata["Name"], distribution.version) == ("wordkin-en", version)
    assert distribution.requires is None
    assert "- tales: CC0" in distribution.metadata.get_payload()
    (entry,) = distribution.entry_points
    assert (entry.group, entry.name, entry.value) == ("wordkin.bundles", "en", "wordkin_en")


def test_the_record_has_the_hash_and_size_of_every_file(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert names[-1].endswith(".dist-info/RECORD")
        rows = list(csv.reader(archive.read(names[-1]).decode().splitlines()))
        assert [row[0] for row in rows] == names
        assert rows[-1][1:] == ["", ""]
        for name, digest, size in rows[:-1]:
            content = archive.read(name)
            code = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode()
            assert (digest, size) == (f"sha256={code.rstrip('=')}", str(len(content)))


def test_the_same_bundle_gives_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    again = write_wheel(make_bundle(tmp_path / "again"), tmp_path / "dist")
    assert again.name == wheel.name
    assert again.read_bytes() == wheel.read_bytes()


def test_another_content_is_another_version(wheel: Path, tmp_path: Path) -> None:
    folder = make_bundle(tmp_path / "other")
    change_manifest(folder, tokens=1)
    assert write_wheel(folder, tmp_path).name != wheel.name


def test_a_wheel_opens_like_any_archive(wheel: Path, folder: Path) -> None:
    packed = wordkin.load(wheel)
    assert packed.nearest("piano", 3) == wordkin.load(folder).nearest("piano", 3)
    assert damaged_files(packed.folder) == []


@pytest.mark.slow
def test_a_code_with_a_region_becomes_one_package(tmp_path: Path) -> None:
    folder = make_bundle(tmp_path / "source", "hu")
    change_manifest(folder, language="hu-HU")
    wheel = write_wheel(folder, tmp_path, "1.2")
    assert wheel.name == "wordkin_hu_hu-1.2-py3-none-any.whl"
    installed = pip_install(wheel, tmp_path / "site")
    assert installed.returncode == 0, installed.stderr
    done = run_with(tmp_path / "site", tmp_path, LOAD.format(code="hu-HU", word="kutya"))
    assert done.stdout.startswith("installed "), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("version", ["2026.11.16", "1.0rc2.post1.dev3+local.x1"])
def test_pip_accepts_the_version_that_was_asked_for(
    folder: Path, tmp_path: Path, version: str
) -> None:
    wheel = write_wheel(folder, tmp_path / "dist", version)
    assert wheel.name == f"wordkin_en-{version}-py3-none-any.whl"
    installed = pip_install(wheel, tmp_path / "site")
    assert installed.returncode == 0, installed.stderr
    (distribution,) = metadata.distributions(path=[str(tmp_path / "site")])
    assert distribution.version == version


@pytest.mark.parametrize("version", ["one", "1.0-2", "v1", "01.0", "1.0+12", "1/../2", "1\n"])
def test_what_is_no_normal_version_is_refused(folder: Path, tmp_path: Path, version: str) -> None:
    with pytest.raises(InputError, match="is not the version of a package"):
        write_wheel(folder, tmp_path, version)
    assert not list(tmp_path.iterdir())


def test_the_wheel_is_written_into_a_folder(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for target in (tmp_path / "en.whl", tmp_path / "file"):
        with pytest.raises(InputError, match="give a folder instead"):
            write_wheel(folder, target)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("language", ["", "english", "e", "en/../x", "en\n[x]"])
def test_what_is_no_code_of_a_language_gets_no_package(language: str) -> None:
    with pytest.raises(InputError, match="Cannot make a package"):
        package_name(language)


def test_a_bundle_with_a_program_or_a_foreign_path_is_refused(tmp_path: Path) -> None:
    folder = make_bundle(tmp_path / "source")
    (folder / "__init__.py").write_text("print('hello')\n")
    change_manifest(folder)
    with pytest.raises(InputError, match=r"has a program, __init__\.py"):
        write_wheel(folder, tmp_path / "dist")
    (folder / "__init__.py").unlink()
    change_manifest(folder)
    text = (folder / "bundle.json").read_text(encoding="utf-8")
    old = (tmp_path / "source" / "old.json").stat().st_size
    facts = json.loads(text)
    facts["files"]["../old.json"] = {"bytes": old, "sha256": "0"}
    (folder / "bundle.json").write_text(json.dumps(facts), encoding="utf-8")
    with pytest.raises(InputError, match=r"bundle\.json is not complete"):
        write_wheel(folder, tmp_path / "dist")
    assert not list((tmp_path / "dist").iterdir())


def test_a_bundle_with_a_changed_byte_is_refused(tmp_path: Path) -> None:
    folder = make_bundle(tmp_path / "source")
    values = folder / "graph" / "values.npy"
    content = bytearray(values.read_bytes())
    content[-1] ^= 1
    values.write_bytes(bytes(content))
    with pytest.raises(InputError, match=r"graph/values\.npy has changed"):
        write_wheel(folder, tmp_path / "dist")
    assert not list((tmp_path / "dist").iterdir())

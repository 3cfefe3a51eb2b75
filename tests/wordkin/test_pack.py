"""Bundles as one file: nothing is lost, and damaged or unsafe archives are refused."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import wordkin
from tests.support.bundles import make_bundle
from wordkin.errors import InputError
from wordkin.manifest import damaged_files
from wordkin.pack import pack, unpack


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_bundle(tmp_path_factory.mktemp("pack"))


@pytest.fixture
def archive(folder: Path, tmp_path: Path) -> Path:
    pack(folder, tmp_path / "bundle.zip")
    return tmp_path / "bundle.zip"


def test_an_archive_unpacks_to_the_same_bytes(archive: Path, folder: Path, tmp_path: Path) -> None:
    there = unpack(archive, tmp_path / "there")
    for path in folder.rglob("*"):
        if path.is_file():
            assert (there / path.relative_to(folder)).read_bytes() == path.read_bytes()


def test_an_archive_opens_like_a_folder(archive: Path, folder: Path) -> None:
    packed, plain = wordkin.load(archive), wordkin.load(folder)
    assert packed.nearest("piano", 5) == plain.nearest("piano", 5)
    assert damaged_files(packed.folder) == []


def test_unpacked_files_are_removed_with_the_bundle(archive: Path) -> None:
    bundle = wordkin.load(archive)
    place = bundle.folder
    assert place.exists()
    del bundle
    assert not place.exists()


def test_the_same_bundle_packs_to_the_same_bytes(
    archive: Path, folder: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again" / archive.name
    again.parent.mkdir()
    pack(folder, again)
    assert again.read_bytes() == archive.read_bytes()


@pytest.mark.parametrize("fraction", [0, 0.01, 0.5, 0.99])
def test_a_truncated_archive_is_refused(archive: Path, fraction: float) -> None:
    content = archive.read_bytes()
    archive.write_bytes(content[: int(fraction * len(content))])
    with pytest.raises(InputError, match=r"Cannot read|There is no bundle|is damaged"):
        wordkin.load(archive)


def test_a_bundle_in_a_folder_of_the_archive_is_found(folder: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as file:
        for path in folder.rglob("*"):
            file.write(path, Path("my bundle") / path.relative_to(folder))
    assert wordkin.load(tmp_path / "mine.zip").language == "en"


def test_an_archive_without_a_bundle_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as file:
        file.writestr("readme.txt", "no bundle")
    with pytest.raises(InputError, match=r"holds no bundle\.json"):
        wordkin.load(tmp_path / "other.zip")


def test_a_bundle_with_a_missing_file_is_not_packed(tmp_path: Path) -> None:
    folder = make_bundle(tmp_path / "source")
    (folder / "lemmas.tsv").unlink()
    with pytest.raises(InputError, match=r"lemmas\.tsv is missing"):
        pack(folder, tmp_path / "bundle.zip")
    assert not (tmp_path / "bundle.zip").exists()


def test_an_unknown_ending_is_refused_and_leaves_no_file(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"must end in \.zip"):
        pack(folder, tmp_path / "bundle.rar")
    assert not list(tmp_path.iterdir())

"""Bundles from anywhere: an answer or one sentence, never a crash, a hang, or a gigabyte."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wordkin
from tests.support.bundles import make_bundle
from tests.support.hostile_bundles import (
    Files,
    ask_everything,
    fuzz_archive,
    fuzz_folder,
    read_files,
    zip_of,
)
from tests.support.limits import in_little_memory, in_time
from wordkin.bundle_folder import check_numbers
from wordkin.cli import main
from wordkin.errors import InputError
from wordkin.files import sha256
from wordkin.pack import pack, read_packed_manifest, unpack

MUTATIONS, MUTATED_ARCHIVES = 1700, 200


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_bundle(tmp_path / "made")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return read_files(make_bundle(tmp_path_factory.mktemp("files")))


@pytest.mark.slow
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_any_damage_to_a_file_gives_an_answer_or_a_sentence(folder: Path) -> None:
    with in_little_memory():
        ends = fuzz_folder(folder, seed=1, times=MUTATIONS)
    assert ends.total() == MUTATIONS
    assert min(ends["refused"], ends["answered"]) > MUTATIONS / 10
    ask_everything(folder)


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".zip", ".whl"])
def test_any_damage_to_an_archive_gives_an_answer_or_a_sentence(
    folder: Path, tmp_path: Path, ending: str
) -> None:
    archive = tmp_path / f"bundle{ending}"
    pack(folder, archive.with_suffix(".zip") if ending == ".whl" else archive)
    if ending == ".whl":
        archive.with_suffix(".zip").rename(archive)
    with in_little_memory():
        ends = fuzz_archive(archive, seed=2, times=MUTATED_ARCHIVES)
    assert ends["refused"] > MUTATED_ARCHIVES / 2


def rewrite(folder: Path, **changes: Any) -> None:
    """Change the manifest of a bundle."""
    path = folder / "bundle.json"
    path.write_text(json.dumps({**json.loads(path.read_bytes()), **changes}))


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        {"language": "../../en"},
        {"language": 3},
        {"measures": [{"measure": "../graph", "kind": "dense"}]},
        {"measures": [{"measure": "graph"}]},
        {"measures": "graph"},
        {"files": {"../../secret": {"bytes": 1, "sha256": ""}}},
        {"files": {"/etc/passwd": {"bytes": 1, "sha256": ""}}},
        {"files": {"x" * 5000: {"bytes": 1, "sha256": ""}}},
        {"files": {"a\ud800": {"bytes": 1, "sha256": ""}}},
        {"words": "many"},
    ],
    ids=str,
)
def test_a_manifest_that_leads_elsewhere_is_refused(folder: Path, changes: dict[str, Any]) -> None:
    rewrite(folder, **changes)
    with pytest.raises(InputError, match="is not complete"):
        wordkin.load(folder)


@pytest.mark.parametrize("name", ["bundle.json", "graph/measure.json"])
def test_deep_or_huge_json_is_refused(folder: Path, name: str) -> None:
    for content in (b"[" * 100_000, b'{"a":' * 100_000, b" " * (1 << 25)):
        (folder / name).write_bytes(content)
        if name != "bundle.json":
            manifest = json.loads((folder / "bundle.json").read_bytes())
            manifest["files"][name]["bytes"] = len(content)
            rewrite(folder, files=manifest["files"])
        with pytest.raises(InputError, match=r"damaged|not a measure"), in_time():
            wordkin.load(folder).relatedness("piano", "flute")


@pytest.mark.parametrize("name", ["bundle.json", "vocabulary.tsv", "graph/values.npy"])
def test_a_pipe_in_place_of_a_file_does_not_hang(folder: Path, name: str) -> None:
    (folder / name).unlink()
    os.mkfifo(folder / name)
    with pytest.raises(InputError), in_time(5):
        wordkin.load(folder)


def test_facts_that_only_inform_may_be_anything(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for wrong in (None, "many", -1, [3], {"a": 1}, [{"name": 3, "tokens": []}], 1e99):
        rewrite(folder, tokens=wrong, sources=wrong, evaluation=wrong)
        assert main(["info", "--bundle", str(folder)]) == 0
        assert main(["pack", "--bundle", str(folder), str(folder.parent / "x.zip")]) == 0
    assert capsys.readouterr().err == ""


def test_verify_reads_every_number(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "svd" / "vectors.npy"
    vectors = np.load(path)
    vectors[40, 3] = np.nan
    np.save(path, vectors)
    manifest = json.loads((folder / "bundle.json").read_bytes())
    manifest["files"]["svd/vectors.npy"]["sha256"] = sha256(path)
    rewrite(folder, files=manifest["files"])
    (sentence,) = check_numbers(folder)
    assert sentence == f"{path} has numbers out of their range: make or copy it again."
    assert main(["verify", "--bundle", str(folder)]) == 2
    assert capsys.readouterr().err == f"{sentence}\n"
    assert main(["verify", "--bundle", str(folder), "--json"]) == 2
    answer = json.loads(capsys.readouterr().out)
    assert (answer["whole"], answer["damaged"], answer["problems"]) == (False, [], [sentence])


def refused(archive: Path, there: Path, sentence: str) -> None:
    """Both ways of reading an archive refuse it, and nothing is unpacked."""
    for ask in (lambda: unpack(archive, there), lambda: read_packed_manifest(archive)):
        with pytest.raises(InputError, match=sentence), in_little_memory(), in_time():
            ask()
    assert not there.exists()


def announcing(files: Files, **sizes: int) -> Files:
    """The files with a manifest that announces other sizes."""
    manifest = json.loads(files["bundle.json"])
    for name, size in sizes.items():
        manifest["files"][f"{name}.tsv"]["bytes"] = size
    return {**files, "bundle.json": json.dumps(manifest).encode()}


def test_a_bomb_is_refused_before_anything_is_unpacked(files: Files, tmp_path: Path) -> None:
    zeros = bytes(100 << 20)
    bomb = {**announcing(files, vocabulary=len(zeros)), "vocabulary.tsv": zeros}
    refused(
        zip_of(tmp_path / "bomb.zip", bomb), tmp_path / "there", "would grow more than 200 times"
    )


def test_a_member_larger_than_announced_is_not_written(files: Files, tmp_path: Path) -> None:
    archive = zip_of(tmp_path / "x.zip", announcing(files, vocabulary=10))
    refused(archive, tmp_path / "there", r"vocabulary\.tsv is missing or of another size")


@pytest.mark.parametrize("name", ["../x", "/x", "a/../../x", "a\\x", "c:x", "a\nb", "a//b"])
def test_names_with_paths_are_refused_before_anything_is_unpacked(
    files: Files, tmp_path: Path, name: str
) -> None:
    manifest = json.loads(files["bundle.json"])
    manifest["files"][name] = {"bytes": 1, "sha256": ""}
    content = {**files, name: b"x", "bundle.json": json.dumps(manifest).encode()}
    refused(zip_of(tmp_path / "x.zip", content), tmp_path / "there", "is not complete")


def test_a_link_is_written_as_a_plain_file(files: Files, tmp_path: Path) -> None:
    target = "/etc/passwd"
    archive = zip_of(
        tmp_path / "x.zip",
        {k: v for k, v in announcing(files, lemmas=len(target)).items() if k != "lemmas.tsv"},
    )
    link = zipfile.ZipInfo("lemmas.tsv")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(archive, "a") as changed:
        changed.writestr(link, target)
    path = unpack(archive, tmp_path / "there") / "lemmas.tsv"
    assert not path.is_symlink()
    assert path.read_text() == target


def test_an_archive_that_lacks_a_file_is_refused(files: Files, tmp_path: Path) -> None:
    archive = zip_of(tmp_path / "x.zip", {k: v for k, v in files.items() if k != "lemmas.tsv"})
    refused(archive, tmp_path / "there", r"lemmas\.tsv is missing or")


def test_files_that_the_manifest_does_not_name_stay_in_the_archive(
    files: Files, tmp_path: Path
) -> None:
    archive = zip_of(tmp_path / "x.zip", {**files, "run me.sh": b"exit"})
    there = unpack(archive, tmp_path / "there")
    assert read_files(there) == files
    shutil.rmtree(there)


def test_a_full_disk_is_no_fault_of_the_archive(
    files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = zip_of(tmp_path / "x.zip", {**files})
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "bundle.json").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left") as caught:
        unpack(archive, tmp_path / "there")
    assert caught.value.filename == str(tmp_path / "there" / "bundle.json")

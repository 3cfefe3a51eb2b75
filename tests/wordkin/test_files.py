"""Results are written whole or not at all, and failures leave no litter."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wordkin import files
from wordkin.errors import InputError
from wordkin.files import (
    link_or_copy,
    new_file,
    new_folder,
    read_lines,
    read_words,
    scratch_folder,
    sha256,
    write_text,
)


class Trouble(Exception):
    """What goes wrong in these tests."""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    with new_file(tmp_path / "deep" / "a.txt") as temporary:
        temporary.write_text("new")
        assert not (tmp_path / "deep" / "a.txt").exists()
    assert (tmp_path / "deep" / "a.txt").read_text() == "new"
    assert names(tmp_path / "deep") == ["a.txt"]


def test_a_failure_keeps_the_old_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "old")
    with pytest.raises(Trouble), new_file(tmp_path / "a.txt") as temporary:
        temporary.write_text("half")
        raise Trouble
    assert (tmp_path / "a.txt").read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_what_a_killed_process_left_of_a_file_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "a.txt.part").write_text("half")
    write_text(tmp_path / "a.txt", "new")
    assert names(tmp_path) == ["a.txt"]


def test_tasks_that_write_the_same_file_do_not_share_a_temporary_file(tmp_path: Path) -> None:
    with new_file(tmp_path / "a", by_task=True) as temporary:
        assert str(os.getpid()) in temporary.name
        temporary.write_text("ours")
    assert names(tmp_path) == ["a"]


def test_a_folder_is_replaced_as_a_whole(tmp_path: Path) -> None:
    place = tmp_path / "result"
    for content in ("old", "new"):
        with new_folder(place) as temporary:
            (temporary / content).write_text(content)
            assert names(place) == ["old"] if content == "new" else not place.exists()
    assert names(place) == ["new"]
    assert names(tmp_path) == ["result"]


def test_a_failure_keeps_the_old_folder(tmp_path: Path) -> None:
    place = tmp_path / "result"
    with new_folder(place) as temporary:
        (temporary / "old").touch()
    with pytest.raises(Trouble), new_folder(place) as temporary:
        (temporary / "half").touch()
        raise Trouble
    assert names(place) == ["old"]
    assert names(tmp_path) == ["result"]


def test_the_old_folder_comes_back_when_the_new_one_cannot_be_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "result"
    with new_folder(place) as temporary:
        (temporary / "old").touch()
    rename = Path.rename

    def refuse(path: Path, target: Path) -> Path:
        if path.name.endswith(files.PART):
            raise PermissionError(13, "not allowed")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(PermissionError), new_folder(place) as temporary:
        (temporary / "new").touch()
    assert names(place) == ["old"]
    assert names(tmp_path) == ["result"]


def test_killed_between_two_renames_the_old_folder_comes_back(tmp_path: Path) -> None:
    (tmp_path / "result.old").mkdir()
    (tmp_path / "result.old" / "old").touch()
    with pytest.raises(Trouble), new_folder(tmp_path / "result"):
        raise Trouble
    assert names(tmp_path / "result") == ["old"]
    assert names(tmp_path) == ["result"]


def test_leftovers_of_killed_processes_go_and_neighbours_stay(tmp_path: Path) -> None:
    (tmp_path / "result.123.part" / "half").mkdir(parents=True)
    (tmp_path / "result.blocks.7.part").mkdir()
    (tmp_path / "result-of-others").mkdir()
    with new_folder(tmp_path / "result"):
        pass
    assert names(tmp_path) == ["result", "result-of-others", "result.blocks.7.part"]


def test_unfinished_files_of_repeated_tasks_do_not_come_along(tmp_path: Path) -> None:
    with new_folder(tmp_path / "result") as temporary:
        (temporary / "sub").mkdir()
        (temporary / "sub" / "shard.99.part").touch()
        (temporary / "sub" / "shard").touch()
    assert names(tmp_path / "result" / "sub") == ["shard"]


def test_a_scratch_folder_is_removed_whatever_happens(tmp_path: Path) -> None:
    with pytest.raises(Trouble), scratch_folder(tmp_path / "work") as folder:
        (folder / "half").touch()
        raise Trouble
    assert names(tmp_path) == []


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_people_s_texts_may_have_any_line_ends_and_a_byte_order_mark(
    tmp_path: Path, end: str
) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(f"\ufeffone{end}# a comment{end}{end}  két szó {end}".encode())
    assert read_lines(path)[0] == "one"
    assert read_words(path) == ["one", "két szó"]


def test_unreadable_texts_are_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Cannot read the list .*nowhere.* check the name"):
        read_lines(tmp_path / "nowhere", "the list")
    (tmp_path / "latin").write_bytes("é".encode("latin-1"))
    with pytest.raises(InputError, match="not UTF-8"):
        read_lines(tmp_path / "latin")


def test_a_link_or_a_copy_has_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_text("text")
    link_or_copy(tmp_path / "a", tmp_path / "linked")

    def refuse(*_: object) -> None:
        raise OSError(18, "another device")

    monkeypatch.setattr(os, "link", refuse)
    link_or_copy(tmp_path / "a", tmp_path / "copied")
    assert sha256(tmp_path / "linked") == sha256(tmp_path / "copied") == sha256(tmp_path / "a")
    assert (tmp_path / "linked").stat().st_ino == (tmp_path / "a").stat().st_ino
    assert (tmp_path / "copied").stat().st_ino != (tmp_path / "a").stat().st_ino

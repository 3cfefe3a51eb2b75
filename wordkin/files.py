"""Safe reading and writing.

A result is written under a temporary name next to its place and moved there when it is complete.
So nobody ever sees half a result, and a failure leaves the old one as it was:

    with new_file(path) as temporary:         with new_folder(folder) as temporary:
        temporary.write_text("...")               (temporary / "a.npy").write_bytes(...)

What a killed process leaves behind ends in `.part`; the next write of the same thing removes it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from wordkin.errors import InputError

PART = ".part"
"""The end of the name of everything that is not complete yet."""

OLD = ".old"
"""The end of the name of a folder while its successor takes its place."""

_CHUNK = 1 << 20


@contextmanager
def new_file(path: Path, *, by_task: bool = False) -> Iterator[Path]:
    """A temporary path that becomes `path` when the block succeeds and is removed when it fails.

    Parameters
    ----------
    path : Path
        Where the file belongs; its folder is made when missing.
    by_task : bool
        Whether several processes may write this file at once, as Spark does when it repeats a
        task: each then has its own temporary file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    owner = f".{os.getpid()}" if by_task else ""
    temporary = path.with_name(f"{path.name}{owner}{PART}")
    try:
        with named_errors(path):
            yield temporary
            os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """Let an error of the system say what was being written: a full disk has no name of its own."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """An empty temporary folder that becomes `folder` when the block succeeds.

    Whatever was at `folder` stays until then, and stays for good when the block fails. The
    temporary folder is named after this process: a task of a killed process that is still running
    finds its own folder gone and cannot write into ours.
    """
    _restore(folder)
    with named_errors(folder), scratch_folder(folder) as temporary:
        yield temporary
        for unfinished in temporary.rglob(f"*{PART}"):  # of a task that was killed and repeated
            unfinished.unlink()
        note_if_empty(temporary)
        _swap(temporary, folder)


def note_if_empty(folder: Path) -> None:
    """Leave a note in a folder without files: DVC warns about such outputs again and again."""
    if not files_below(folder):
        (folder / "nothing.txt").write_text("There was nothing to put here.\n", encoding="utf-8")


@contextmanager
def scratch_folder(folder: Path) -> Iterator[Path]:
    """A folder for intermediate files, named after `folder` and this process; removed at the end.

    Those of killed processes are removed first.
    """
    _remove_unfinished(folder)
    temporary = folder.with_name(f"{folder.name}.{os.getpid()}{PART}")
    temporary.mkdir(parents=True)
    try:
        yield temporary
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _remove_unfinished(folder: Path) -> None:
    for unfinished in folder.parent.glob(f"{folder.name}.[0-9]*{PART}"):
        shutil.rmtree(unfinished, ignore_errors=True)


def _restore(folder: Path) -> None:
    """Bring back a folder whose successor never took its place, as its process was killed."""
    old = folder.with_name(folder.name + OLD)
    if old.exists() and not folder.exists():
        old.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def _swap(new: Path, folder: Path) -> None:
    old = folder.with_name(folder.name + OLD)
    if folder.exists():
        folder.rename(old)
    try:
        new.rename(folder)
    except OSError:
        if old.exists():
            old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def write_text(path: Path, text: str) -> None:
    """Write a UTF-8 text file; line ends are written as they are."""
    with new_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def read_text(path: Path, what: str = "") -> str:
    """A UTF-8 text that a person made: a byte order mark is fine, anything else is refused."""
    try:
        content = path.read_bytes()
    except OSError as error:
        name = f"{what} {path}" if what else str(path)
        raise InputError(f"Cannot read {name} ({error.strerror}): check the name.") from error
    return decode_text(content, path)


def decode_text(content: bytes, path: Path) -> str:
    """The text in the bytes of a UTF-8 file; `path` is where they come from."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text: save it as UTF-8.") from None


def read_lines(path: Path, what: str = "") -> list[str]:
    """The lines of a text that a person made, whatever its line ends are."""
    return re.split(r"\r\n|\r|\n", read_text(path, what))


def read_words(path: Path, what: str = "") -> list[str]:
    """A list of words, one per line; empty lines and lines that begin with # are left out."""
    lines = (line.strip() for line in read_lines(path, what))
    return [line for line in lines if line and not line.startswith("#")]


LARGEST_JSON = 1 << 24
"""The size of a description that we read: real ones are a thousand times smaller."""


def read_json(path: Path, problem: str) -> Any:
    """The content of a JSON file of another program; refuse a damaged or huge one by `problem`."""
    try:
        if not path.is_file() or path.stat().st_size > LARGEST_JSON:
            raise ValueError
        return parse_json(path.read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(f"{path} {problem}.") from error


def parse_json(content: bytes) -> Any:
    """The value in the bytes of a JSON file; a ValueError if there is none."""
    try:
        return json.loads(content.decode("utf-8"))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def is_name(text: str) -> bool:
    """Whether a text from elsewhere can be the name of a file or folder, and not a path."""
    return bool(re.fullmatch(r"[^\W.][\w.-]*", text)) and len(text) <= 100


def link_or_copy(source: Path, target: Path) -> None:
    """Put a file at another place: a hard link costs nothing, a copy works everywhere."""
    try:
        os.link(source.resolve(), target)
    except OSError:
        shutil.copyfile(source, target)


def files_below(folder: Path) -> list[Path]:
    """All files below a folder, sorted; unlike `rglob`, refuses a folder that cannot be read."""

    def fail(error: OSError) -> None:
        raise error

    walk = os.walk(folder, onerror=fail)
    return sorted(Path(place, name) for place, _, names in walk for name in names)


def sha256(path: Path) -> str:
    """The SHA-256 of a file, as hexadecimal digits."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()

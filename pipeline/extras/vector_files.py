"""Vectors that others have trained, read in a stream: one word and its vector at a time.

    text            `word number number ...` per line: GloVe's files, and word2vec's and fastText's
                    .vec with their first line `words dimensions`
    binary          word2vec's .bin: that first line, then each word, a space and 32-bit floats
    fasttext        fastText's .bin; a word's vector is the mean of its own and its n-grams'
    npy             a .npy matrix and a list of words
    safetensors     one matrix; the words are in its metadata or in a list of words

A list of words has one word per line, or is a JSON list, or the first column of text in a .parquet
file. Text and word lists may be compressed by gzip, bzip2 or xz. What a file is, its content says.
A vector takes part under each of its words as it is written in the file; `select` picks words.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from pipeline.extras import fasttext_model
from pipeline.measures.sparse import Floats
from wordkin.errors import InputError

Entry = tuple[str, Floats]

LONGEST_LINE = 1 << 20
LONGEST_WORD = 1 << 12
MOST_DIMENSIONS = 100_000

_MATRIX_SUFFIXES = {".npy", ".safetensors"}
_OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


class Selected(NamedTuple):
    """The vectors of the words that were asked for."""

    vectors: NDArray[np.float32]
    """One row per word; zeros for words that the file does not have."""
    found: int
    """The number of words that it has."""
    entries: int
    """The number of vectors that were read."""


def select(
    files: Sequence[Path], words: Sequence[str], form: Callable[[str], str] = str
) -> Selected:
    """The vectors of `words`, from files that belong together.

    A word of the file that is spelled exactly like one of ours comes before one that only has the
    same `form` (`Paris` for paris); of several equal ones the first counts.
    """
    ids = {word: at for at, word in enumerate(words)}
    exact, loose = np.zeros(len(words), bool), np.zeros(len(words), bool)
    vectors: Floats | None = None
    entries = 0
    for word, vector in open_vectors(files, words):
        entries += 1
        at = ids.get(word)
        is_exact = at is not None
        if at is None:
            at = ids.get(form(word))
        if at is None or exact[at] or (loose[at] and not is_exact):
            continue
        if vectors is None:
            vectors = np.zeros((len(words), len(vector)), np.float32)
        if not np.isfinite(vector).all():
            raise InputError(
                f"{files[0]} has a vector of '{word}' with a number that is not finite: get the "
                "file again."
            )
        vectors[at] = vector
        (exact if is_exact else loose)[at] = True
    if vectors is None:
        raise InputError(
            f"{files[0]} has none of our {len(words):,} words ({entries:,} vectors): is it of the "
            "right language?"
        )
    return Selected(vectors, int((exact | loose).sum()), entries)


def open_vectors(files: Sequence[Path], words: Sequence[str]) -> Iterator[Entry]:
    """The words of the files with their vectors; models of n-grams have them for `words` only."""
    with _faults(files[0]):
        matrices = [path for path in files if path.suffix.lower() in _MATRIX_SUFFIXES]
        if len(matrices) == 1 and len(files) <= 2:
            lists = [path for path in files if path not in matrices]
            yield from _matrix(matrices[0], lists[0] if lists else None)
        elif len(files) == 1:
            yield from _stream(files[0], words)
        else:
            raise InputError(
                f"{', '.join(str(path) for path in files)}: these are {len(files)} files; name one "
                "file of vectors, or one matrix (.npy, .safetensors) and one list of words."
            )


@contextmanager
def _faults(path: Path) -> Iterator[None]:
    """Say in one sentence what is wrong with a file."""
    try:
        yield
    except (EOFError, OSError, zlib.error, lzma.LZMAError, struct.error) as error:
        what = getattr(error, "strerror", None) or str(error) or "it ends too early"
        raise InputError(f"{path} cannot be read ({what}): get the file again.") from error


def _open(path: Path) -> IO[bytes]:
    opener = _OPENERS.get(path.suffix.lower())
    return cast(IO[bytes], opener(path, "rb")) if opener else path.open("rb")


def _stream(path: Path, words: Sequence[str]) -> Iterator[Entry]:
    with _open(path) as file:
        head = file.read(4)
    if head == fasttext_model.MAGIC:
        yield from fasttext_model.read(path, words)
        return
    with _open(path) as file:
        first = file.readline(LONGEST_LINE)
        counts = first.split()
        if len(counts) == 2 and all(count.isdigit() for count in counts):
            size, dimensions = map(int, counts)
            if not 0 < dimensions <= MOST_DIMENSIONS:
                raise InputError(f"{path} has vectors of {dimensions} numbers: correct the file.")
            start = file.read(64 + dimensions * 32)
            rest = _Pushback(start, file)
            if _is_text(start, dimensions):
                yield from _text(path, rest, dimensions, size, 2)
            else:
                yield from _binary(path, rest, dimensions, size)
        else:
            dimensions = len(counts) - 1
            if dimensions < 2 or _numbers(counts[1:]) is None:
                raise InputError(
                    f"{path} is no file of vectors that we know: give text, word2vec's or "
                    "fastText's .bin, or .npy or .safetensors with a list of words."
                )
            yield from _text(path, _Pushback(first, file), dimensions, None, 1)


class _Pushback:
    """A file with some bytes put back in front of it."""

    def __init__(self, start: bytes, file: IO[bytes]) -> None:
        self._start, self._file = start, file

    def readline(self, most: int) -> bytes:
        if not self._start:
            return self._file.readline(most)
        line, newline, self._start = self._start.partition(b"\n")
        return line + newline if newline else line + self._file.readline(most)

    def read(self, size: int) -> bytes:
        head, self._start = self._start[:size], self._start[size:]
        return head + self._file.read(size - len(head)) if len(head) < size else head


def _is_text(start: bytes, dimensions: int) -> bool:
    """Whether the bytes after the first line look like a word and numbers in digits."""
    columns = start.split(b"\n")[0].split()
    return len(columns) > 1 and _numbers(columns[1 : dimensions + 1]) is not None


def _numbers(columns: Sequence[bytes]) -> Floats | None:
    try:
        return np.array(columns, dtype=np.float32)
    except ValueError:
        return None


def _text(
    path: Path, file: _Pushback, dimensions: int, size: int | None, line_number: int
) -> Iterator[Entry]:
    read = 0
    while line := file.readline(LONGEST_LINE):
        # A word may have spaces in it: the numbers are the last columns.
        columns = line.rstrip().rsplit(b" ", dimensions)
        if len(columns) != dimensions + 1:
            columns = line.rstrip().rsplit(None, dimensions)
        numbers = _numbers(columns[1:]) if len(columns) == dimensions + 1 else None
        if numbers is None:
            if not line.strip():
                line_number += 1
                continue
            raise InputError(
                f"{path}, line {line_number}: this is no word with {dimensions} numbers; get the "
                "file again, or correct the line."
            )
        yield _decoded(columns[0], path), numbers
        read, line_number = read + 1, line_number + 1
    _check_size(path, read, size)


def _binary(path: Path, file: _Pushback, dimensions: int, size: int) -> Iterator[Entry]:
    for read in range(size):
        word = bytearray()
        while (letter := file.read(1)) not in (b" ", b"") and len(word) < LONGEST_WORD:
            word += letter
        numbers = file.read(4 * dimensions)
        if letter != b" " or len(numbers) != 4 * dimensions:
            _check_size(path, read, size)
            raise InputError(f"{path} is damaged after word {read:,}: get the file again.")
        yield _decoded(bytes(word).lstrip(b"\n"), path), np.frombuffer(numbers, "<f4")


def _check_size(path: Path, read: int, size: int | None) -> None:
    if size is not None and read < size:
        raise InputError(
            f"{path} ends after {read:,} of the {size:,} vectors that its first line promises: get "
            "the file again."
        )


def _decoded(word: bytes, path: Path) -> str:
    # Some published files cut words in the middle of a letter; such a word is none of ours.
    return word.decode("utf-8", "replace")


def _matrix(path: Path, word_list: Path | None) -> Iterator[Entry]:
    if path.suffix.lower() == ".npy":
        matrix, words = _npy(path), None
    else:
        matrix, words = _safetensors(path)
    if word_list is not None:
        words = read_word_list(word_list)
    if words is None:
        raise InputError(f"{path} comes without its words: name a list of words beside it.")
    if matrix.ndim != 2 or matrix.shape[0] != len(words) or matrix.dtype.kind != "f":
        shape = " x ".join(map(str, matrix.shape))
        raise InputError(
            f"{path} has {shape} numbers ({matrix.dtype}) and {len(words):,} words: there must be "
            "one row of floats per word."
        )
    for word, row in zip(words, matrix, strict=True):
        yield word, np.asarray(row, np.float32)


def _npy(path: Path) -> NDArray[Any]:
    try:
        return cast(NDArray[Any], np.load(path, mmap_mode="r", allow_pickle=False))
    except ValueError as error:
        raise InputError(f"{path} is no complete .npy file: get it again.") from error


def _safetensors(path: Path) -> tuple[NDArray[Any], list[str] | None]:
    """The one matrix of a file, and its words if the metadata has them as a JSON list."""
    damaged = InputError(f"{path} is no complete .safetensors file: get it again.")
    try:
        with safe_open(path, framework="numpy") as file:
            names = [name for name in file.keys() if len(file.get_slice(name).get_shape()) == 2]  # noqa: SIM118
            if len(names) != 1:
                raise InputError(
                    f"{path} has {len(names)} matrices ({', '.join(names) or 'none'}), and it must "
                    "be one: keep only the vectors."
                )
            matrix = file.get_tensor(names[0])
            words = json.loads((file.metadata() or {}).get("words", "null"))
    except (SafetensorError, TypeError, ValueError) as error:
        raise damaged from error
    if words is not None and not _are_words(words):
        raise damaged
    return matrix, words


def read_word_list(path: Path) -> list[str]:
    """The words of a list: lines, a JSON list, or the first column of text of a .parquet file."""
    if path.suffix.lower() == ".parquet":
        return _parquet_words(path)
    with _faults(path), _open(path) as file:
        content = file.read()
    try:
        text = content.decode("utf-8-sig")
        words = json.loads(text) if text.lstrip().startswith("[") else text.splitlines()
    except ValueError as error:
        raise InputError(f"{path} is no list of words: write one word per line.") from error
    if not _are_words(words):
        raise InputError(f"{path} is no list of words: write one word per line.")
    # word2vec's and GloVe's lists have the count after the word.
    return [word.split("\t")[0].split(" ")[0] if word.strip() else word for word in words]


def _parquet_words(path: Path) -> list[str]:
    try:
        schema = pq.read_schema(path)
        texts = [field.name for field in schema if pa.types.is_string(field.type)]
        if not texts:
            raise InputError(f"{path} has no column of text: name another list of words.")
        words: Iterable[Any] = pq.read_table(path, columns=texts[:1]).column(0).to_pylist()
    except pa.ArrowInvalid as error:
        raise InputError(f"{path} is no complete .parquet file: get it again.") from error
    return [word or "" for word in words]


def _are_words(words: object) -> bool:
    return isinstance(words, list) and all(isinstance(word, str) for word in words)

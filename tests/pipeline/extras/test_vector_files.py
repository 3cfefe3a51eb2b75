"""Vectors from elsewhere: files that the programs of others wrote, and broken ones."""

from __future__ import annotations

import bz2
import gzip
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fasttext
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save_file

from pipeline.extras.vector_files import read_word_list, select
from wordkin.errors import InputError

FILE_WORDS = ["the", "Paris", "dog", "naïve", "paris", "new_york", "cat"]
WORDS = ["cat", "dog", "missing", "naïve", "paris"]


@pytest.fixture
def vectors() -> NDArray[np.float32]:
    return np.random.default_rng(3).standard_normal((len(FILE_WORDS), 5)).astype(np.float32)


def expected(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    rows = {word: vectors[at] for at, word in enumerate(FILE_WORDS)}
    return np.array([rows.get(word, np.zeros(5)) for word in WORDS], np.float32)


def word2vec(path: Path, vectors: NDArray[np.float32], binary: bool) -> Path:
    from gensim.models import KeyedVectors  # slow to import, so not in every process

    model = KeyedVectors(vectors.shape[1])
    model.add_vectors(FILE_WORDS, vectors)
    model.save_word2vec_format(str(path), binary=binary)
    return path


def glove(path: Path, vectors: NDArray[np.float32]) -> Path:
    lines = [
        f"{word} {' '.join(map(repr, row.tolist()))}\n"
        for word, row in zip(FILE_WORDS, vectors, strict=True)
    ]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def matrix_and(
    path: Path, vectors: NDArray[np.float32], write: Callable[[Path], Any]
) -> list[Path]:
    np.save(path.with_suffix(".npy"), vectors)
    write(path)
    return [path, path.with_suffix(".npy")]


def as_lines(path: Path) -> None:
    path.write_text("".join(f"{word}\t7\n" for word in FILE_WORDS), encoding="utf-8")


def as_parquet(path: Path) -> None:
    pq.write_table(pa.table({"id": range(len(FILE_WORDS)), "word": FILE_WORDS}), path)


def as_safetensors(path: Path, vectors: NDArray[np.float32]) -> Path:
    save_file({"vectors": vectors}, path, {"words": json.dumps(FILE_WORDS)})
    return path


@pytest.mark.parametrize(
    "make",
    [
        lambda folder, v: [word2vec(folder / "w.txt", v, binary=False)],
        lambda folder, v: [word2vec(folder / "w.bin", v, binary=True)],
        lambda folder, v: [word2vec(folder / "w.txt.gz", v, binary=False)],
        lambda folder, v: [glove(folder / "glove.txt", v)],
        lambda folder, v: matrix_and(folder / "words.txt", v, as_lines),
        lambda folder, v: matrix_and(folder / "words.parquet", v, as_parquet),
        lambda folder, v: matrix_and(
            folder / "words.json", v, lambda path: path.write_text(json.dumps(FILE_WORDS))
        ),
        lambda folder, v: [as_safetensors(folder / "v.safetensors", v)],
    ],
    ids=["text", "binary", "gzip", "glove", "npy", "parquet", "json", "safetensors"],
)
def test_every_format_gives_the_vectors_of_our_words(
    make: Callable[[Path, NDArray[np.float32]], list[Path]],
    vectors: NDArray[np.float32],
    tmp_path: Path,
) -> None:
    selected = select(make(tmp_path, vectors), WORDS)
    np.testing.assert_allclose(selected.vectors, expected(vectors), atol=1e-5)
    assert (selected.found, selected.entries) == (4, 7)


def test_another_spelling_counts_only_where_the_exact_one_is_missing(
    vectors: NDArray[np.float32], tmp_path: Path
) -> None:
    path = glove(tmp_path / "glove.txt", vectors)
    both = select([path], ["paris", "The", "naïve"], str.lower)
    np.testing.assert_allclose(both.vectors[0], vectors[4], atol=1e-6)
    lines = [line for line in path.read_text().splitlines() if not line.startswith("paris")]
    path.write_text("\n".join(lines) + "\n")
    np.testing.assert_allclose(select([path], ["paris"], str.lower).vectors[0], vectors[1])


@pytest.mark.parametrize("subwords", [(0, 0), (3, 4), (1, 2)])
def test_a_fasttext_model_gives_what_its_library_gives(
    subwords: tuple[int, int], tmp_path: Path
) -> None:
    text = tmp_path / "text.txt"
    text.write_text("kutya macska ház árvíztűrő " * 40, encoding="utf-8")
    model = fasttext.train_unsupervised(
        str(text), dim=6, minCount=1, minn=subwords[0], maxn=subwords[1], bucket=50, verbose=0,
        thread=1, epoch=0,
    )  # fmt: skip
    path = tmp_path / "model.bin"
    model.save_model(str(path))
    # The library leaves rows of n-grams uninitialised, so all rows get numbers of ours.
    listed = len(model.get_words())
    buckets = 50 if subwords[1] else 0
    rows = np.random.default_rng(1).standard_normal((listed + buckets, 6)).astype("<f4")
    after = 1 + 16 + 4 * 6 * listed
    content = path.read_bytes()
    path.write_bytes(content[: -after - rows.nbytes] + rows.tobytes() + content[-after:])
    model = fasttext.load_model(str(path))
    words = ["árvíztűrő", "ház", "kutyák"]
    selected = select([tmp_path / "model.bin"], words)
    wanted = [model.get_word_vector(word) for word in words]
    np.testing.assert_allclose(selected.vectors, wanted, atol=1e-6)
    assert selected.found == (2 if subwords == (0, 0) else 3)


def broken_files(folder: Path, vectors: NDArray[np.float32]) -> dict[str, list[Path]]:
    text = word2vec(folder / "cut.txt", vectors, binary=False)
    text.write_bytes(b"\n".join(text.read_bytes().split(b"\n")[:-2]) + b"\n")
    binary = word2vec(folder / "cut.bin", vectors, binary=True)
    binary.write_bytes(binary.read_bytes()[:-9])
    ragged = glove(folder / "ragged.txt", vectors)
    ragged.write_text(ragged.read_text().replace("\ndog ", "\ndog x "))
    short = glove(folder / "short.txt", vectors)
    short.write_text(short.read_text() + "word 0.5\n")
    nan = glove(folder / "nan.txt", vectors)
    nan.write_text("dog nan 1 1 1 1\n")
    squeezed = folder / "cut.txt.gz"
    squeezed.write_bytes(gzip.compress(glove(folder / "g.txt", vectors).read_bytes())[:-12])
    damaged = folder / "damaged.txt.bz2"
    damaged.write_bytes(b"BZh9" + bz2.compress(b"a 1 2")[8:] + b"xx")
    few = matrix_and(folder / "few.txt", vectors, lambda path: path.write_text("dog\ncat\n"))
    np.save(folder / "alone.npy", vectors)
    tensors = as_safetensors(folder / "cut.safetensors", vectors)
    tensors.write_bytes(tensors.read_bytes()[:-30])
    (folder / "odd.safetensors").write_bytes(struct.pack("<Q", 1 << 60))
    (folder / "model.bin").write_bytes(struct.pack("<ii", 793712314, 12) + b"\0" * 20)
    (folder / "prose.txt").write_text("This is a book about dogs.\n")
    (folder / "empty.txt").write_text("")
    single = [
        "cut.txt", "cut.bin", "short.txt", "nan.txt", "cut.txt.gz", "damaged.txt.bz2", "alone.npy",
        "cut.safetensors", "odd.safetensors", "model.bin", "prose.txt", "empty.txt",
    ]  # fmt: skip
    return {
        **{name: [folder / name] for name in single},
        "few": few,
        "two": [text, binary],
        "absent": [folder / "absent.txt"],
    }


def test_broken_files_are_refused_in_a_sentence(
    vectors: NDArray[np.float32], tmp_path: Path
) -> None:
    for name, files in broken_files(tmp_path, vectors).items():
        with pytest.raises(InputError, match=r"[.:] ") as refused:
            select(files, WORDS)
        assert str(tmp_path) in str(refused.value), name
        assert str(refused.value).count(". ") <= 1, name


def test_a_number_in_place_of_a_word_is_part_of_the_word(
    vectors: NDArray[np.float32], tmp_path: Path
) -> None:
    path = glove(tmp_path / "glove.txt", vectors)
    path.write_text(path.read_text().replace("\ndog ", "\n. . "))
    assert select([path], ["cat", "dog"]).found == 1


def test_a_file_of_another_language_is_refused(
    vectors: NDArray[np.float32], tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="none of our 1 words"):
        select([glove(tmp_path / "glove.txt", vectors)], ["kutya"])


def test_a_list_of_words_must_be_one(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text('[1, "a"]')
    with pytest.raises(InputError, match="one word per line"):
        read_word_list(tmp_path / "list.json")

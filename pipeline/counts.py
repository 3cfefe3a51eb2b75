"""Tokens to co-occurrence counts: exact whole numbers, the same however the work is shared.

Each source is counted by itself, unless its counts are at hand from an earlier run. A task counts
the windows of some parts into a table of its own: a dense triangle over the most frequent words,
as many as its memory allows, and sorted pairs for the rest. Tables are cut into bands of rows; the
blocks of one source and band meet in a shuffle and are added up. The matrix is the sum of all
sources, band by band, so its bytes are the same whether a source was counted now or before.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pipeline import counted, parts, spark
from pipeline.bands import Bands, add_blocks, pack
from pipeline.counted import Basis, Counted
from pipeline.layout import Layout
from pipeline.settings import Counts
from pipeline.windows import OUTSIDE, STOP, Table, check_exact, check_memory, weights_of
from wordkin.board import read_words
from wordkin.bundle import replace_folder, sha256
from wordkin.errors import InputError
from wordkin.measures import write_text
from wordkin.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pyspark import SparkContext

TASK_TOKENS = 500_000_000
"""A task counts no more than about this, so that little is lost when one has to start again."""

PROGRAM = ("bands", "counts", "parts", "windows")
"""The modules that make counts what they are: when one of them changes, all is counted again."""


class Coder:
    """Tokens as codes: the id of a word, or what it is instead."""

    def __init__(self, vocabulary: Path, settings: Counts) -> None:
        words = Vocabulary.read(vocabulary / "vocabulary.tsv").words
        self.words = pa.array(words, pa.string())
        self.stop_words = pa.array(read_words(vocabulary / "stop_words.txt"), pa.string())
        self.settings = settings

    def codes(self, batch: parts.Batch) -> NDArray[np.int32]:
        """The code of each token; types are looked up once, however many tokens they have."""
        of_type = pc.fill_null(pc.index_in(batch.types, value_set=self.words), OUTSIDE).to_numpy()
        if self.settings.stop_words == "drop":
            listed = pc.is_in(batch.types, value_set=self.stop_words)
            is_stop = listed.to_numpy(zero_copy_only=False) & (of_type == OUTSIDE)
            of_type = np.where(is_stop, STOP, of_type)
        return of_type.astype(np.int32)[batch.tokens]

    def bounds(self, batch: parts.Batch) -> NDArray[np.int64]:
        """Where the stretches start and end that windows do not cross."""
        return batch.lines if self.settings.boundary == "line" else batch.documents


class Text(NamedTuple):
    """The tokens of one source, as parts."""

    source: str
    paths: list[Path]
    tokens: int


def texts_of(folder: Path) -> list[Text]:
    """The sources below a tokens folder, in a fixed order."""
    by_source: dict[str, list[Path]] = {}
    for path in parts.part_files(folder):
        by_source.setdefault(path.parent.name, []).append(path)
    return [
        Text(source, paths, sum(map(parts.count_tokens, paths)))
        for source, paths in by_source.items()
    ]


class Share(NamedTuple):
    """The work of one task: some parts of a source."""

    number: int
    """Which of the sources that are counted in one go."""
    paths: list[Path]
    tokens: int


def shares_of(texts: Sequence[Text], cores: int) -> list[Share]:
    """The texts as shares of about the same size, enough for all cores; the longest go first."""
    fair = min(TASK_TOKENS, -(-sum(text.tokens for text in texts) // cores)) or 1
    shares = []
    for number, text in enumerate(texts):
        tasks = min(len(text.paths), -(-text.tokens // fair) or 1)
        shares += [Share(number, text.paths[i::tasks], text.tokens // tasks) for i in range(tasks)]
    return sorted(shares, key=lambda share: -share.tokens)


def count_share(
    share: Share, vocabulary: Path, settings: Counts, memory_mib: int
) -> Iterator[tuple[int, bytes]]:
    """Count the windows of some parts; the blocks are numbered by source and band."""
    coder = Coder(vocabulary, settings)
    weights, _ = weights_of(settings.window, settings.weighting)
    table = Table(len(coder.words), weights, memory_mib, share.tokens)
    bands = Bands(len(coder.words))

    def numbered(blocks: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
        return ((share.number * len(bands) + band, block) for band, block in blocks)

    for path in share.paths:
        for batch in parts.batches(path):
            table.add(coder.codes(batch), coder.bounds(batch))
            if table.crowded:
                yield from numbered(table.blocks(bands, whole=False))
    yield from numbered(table.blocks(bands))


class Block(NamedTuple):
    """What a source has of a band, added up and written, and how many bytes came for it."""

    path: Path
    shuffled: int


def merge_blocks(folder: Path, number: int, dealt: Sequence[bytes], cells: int) -> Block:
    """Add up what tasks found of one source and band."""
    path = folder / f"block-{number:07d}"
    _write(path, lambda file: file.write(pack(add_blocks(dealt, cells))))
    return Block(path, sum(map(len, dealt)))


class Piece(NamedTuple):
    """A band of the matrix, written: where it is and what it holds."""

    path: Path
    pairs: int
    total: int


def add_sources(bands: Bands, folder: Path, sources: Sequence[Counted], band: int) -> Piece | None:
    """Add up one band of all sources, as a piece of the matrix; None: no pair was seen."""
    blocks = [block for source in sources if (block := source.block(band))]
    if not blocks:
        return None
    low, high = bands.rows(band)
    width = bands.words - low
    keys, values = add_blocks(blocks, bands.cells(band))
    path = folder / f"band-{band:05d}"

    def write(file: BinaryIO) -> None:
        np.save(file, np.diff(np.searchsorted(keys, np.arange(high - low + 1) * width)))
        np.save(file, (keys % width + low).astype(np.int32))
        np.save(file, values.astype(np.int64, copy=False))

    _write(path, write)
    return Piece(path, len(keys), int(values.sum()))


def _write(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write beside, then move: a task that is done twice, or killed, spoils nothing."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    with beside.open("wb") as file:
        write(file)
    os.replace(beside, path)


def assemble(bands: Bands, pieces: Sequence[Piece | None], folder: Path) -> int:
    """Join the pieces of all bands into indptr, indices and values; tells the number of pairs."""
    pairs = sum(piece.pairs for piece in pieces if piece)
    indptr = np.zeros(bands.words + 1, np.int64)
    with (
        (folder / "indices.npy").open("wb") as indices,
        (folder / "values.npy").open("wb") as values,
    ):
        for file, dtype in ((indices, np.int32), (values, np.int64)):
            header = np.lib.format.header_data_from_array_1_0(np.empty(0, dtype))
            np.lib.format.write_array_header_1_0(file, {**header, "shape": (pairs,)})
        for band, piece in enumerate(pieces):
            if piece:
                low, high = bands.rows(band)
                with piece.path.open("rb") as held:
                    indptr[low + 1 : high + 1] = np.load(held)
                    indices.write(np.load(held).data)
                    values.write(np.load(held).data)
    np.save(folder / "indptr.npy", np.cumsum(indptr))
    return pairs


def run(
    layout: Layout, settings: Counts, task_memory_mib: int, context: SparkContext
) -> dict[str, Any]:
    """Make matrices/<lang>/counts from the tokens and the vocabulary."""
    words = len(Vocabulary.read(layout.vocabulary / "vocabulary.tsv"))
    texts = texts_of(layout.tokens)
    if not texts:
        raise InputError(f"There are no tokens in {layout.tokens}: run the stage tokens first.")
    tokens = sum(text.tokens for text in texts)
    check_exact(tokens, settings.window, settings.weighting)
    cores = context.defaultParallelism
    if memory := spark.local_memory_mib(context):
        weights, _ = weights_of(settings.window, settings.weighting)
        check_memory(words, weights, task_memory_mib, cores, memory)
    bases = bases_of(texts, layout.vocabulary, settings, context)
    known, changes = recall(layout.counted, bases)
    new = [text for text in texts if text.source in changes]
    shares = shares_of(new, cores)
    bands = Bands(words)
    with _building(layout) as folder:

        def count(share: Share) -> Iterator[tuple[int, bytes]]:
            return count_share(share, layout.vocabulary, settings, task_memory_mib)

        def merge(number: int, dealt: Iterator[bytes]) -> Block:
            return merge_blocks(folder, number, list(dealt), bands.cells(number % len(bands)))

        def add(band: int) -> Piece | None:
            return add_sources(bands, folder, sources, band)

        what = f"counts {layout.language}"
        merged = dict(spark.gather(context, count, shares, merge, len(new) * len(bands), what))
        for number, text in enumerate(new):
            blocks = [merged.get(number * len(bands) + band) for band in range(len(bands))]
            known[text.source] = counted.write(
                counted.place(layout.counted, text.source),
                bases[text.source],
                [block.path if block else None for block in blocks],
            )
        sources = [known[text.source] for text in texts]
        counted.keep_only(layout.counted, sources)
        pieces = spark.each(context, add, range(len(bands)), f"{what}, adding up", light=True)
        facts = _publish(bands, pieces, settings, folder, layout.counts)
    return {
        "tokens": tokens,
        "words": words,
        "pairs": facts["pairs"],
        "density": round(2 * facts["pairs"] / (words * (words - 1)), 6),
        "total_weight": facts["total"] / facts["scale"],
        "tasks": len(shares),
        "shuffled_bytes": sum(block.shuffled for block in merged.values()),
        "sources": {
            text.source: {"tokens": text.tokens, "counted": changes.get(text.source, "before")}
            for text in texts
        },
    }


@contextmanager
def _building(layout: Layout) -> Iterator[Path]:
    """A folder for what is not finished; that of a run that was killed goes first.

    It is named after this process, so a task of a killed run that is still at work finds its own
    folder gone and can write nothing into ours.
    """
    for leftover in layout.matrices.glob("counts.*.building"):
        shutil.rmtree(leftover)
    folder = layout.matrices / f"counts.{os.getpid()}.building"
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _publish(
    bands: Bands, pieces: Sequence[Piece | None], settings: Counts, folder: Path, place: Path
) -> dict[str, Any]:
    """Put the finished matrix in its place; tells what counts.json says of it."""
    finished = folder / "counts"
    finished.mkdir()
    facts = {
        "words": bands.words,
        "pairs": assemble(bands, pieces, finished),
        "total": 2 * sum(piece.total for piece in pieces if piece),
        "window": settings.window,
        "weighting": settings.weighting,
        "scale": weights_of(settings.window, settings.weighting)[1],
    }
    write_text(finished / "counts.json", json.dumps(facts, indent=2, sort_keys=True) + "\n")
    replace_folder(finished, place)
    return facts


def bases_of(
    texts: Sequence[Text], vocabulary: Path, settings: Counts, context: SparkContext
) -> dict[str, Basis]:
    """What the counts of each source depend on."""
    here = Path(__file__)
    program = _digest(sha256(here.with_name(f"{module}.py")) for module in PROGRAM)
    words = Vocabulary.read(vocabulary / "vocabulary.tsv").words
    stop_words = read_words(vocabulary / "stop_words.txt")
    fixed = (program, dataclasses.asdict(settings), _digest([*words, "", *stop_words]))
    paths = [path for text in texts for path in text.paths]
    hashes = spark.each(context, sha256, paths, "looking at parts", light=True)
    of_path = dict(zip(paths, hashes, strict=True))
    return {
        text.source: Basis(*fixed, _digest(sorted(of_path[path] for path in text.paths)))
        for text in texts
    }


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def recall(folder: Path, bases: dict[str, Basis]) -> tuple[dict[str, Counted], dict[str, str]]:
    """The counts that still hold, by source, and why those of other sources do not."""
    known, changes = {}, {}
    for source, basis in bases.items():
        before = counted.read(counted.place(folder, source))
        change = basis.change_since(before.basis) if before else "new"
        if before and not change:
            known[source] = before
        else:
            changes[source] = change or "new"
    return known, changes


BECAUSE = {
    "new": "not counted before",
    "text": "other text than before",
    "vocabulary": "the vocabulary changed, so everything is counted again",
    "settings": "the settings changed, so everything is counted again",
    "program": "the program changed, so everything is counted again",
}
"""Why a source was counted, in words."""


def describe(metrics: dict[str, Any]) -> str:
    """The stage's one-line summary."""
    causes = Counter(source["counted"] for source in metrics["sources"].values())
    kept = causes.pop("before", 0)
    told = [f"{number} counted ({BECAUSE[cause]})" for cause, number in causes.items()]
    told += [f"{kept} known from before"] if kept else []
    return (
        f"{metrics['tokens']:,} tokens in, {metrics['pairs']:,} word pairs out "
        f"({metrics['density']:.2%} of all), {metrics['shuffled_bytes'] / 2**20:,.0f} MiB "
        f"shuffled; sources: {', '.join(told)}"
    )

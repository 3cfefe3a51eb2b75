"""tokens, vocabulary -> counts: exact integers, the same however the work is shared.

Each source is counted by itself, unless its counts are known from an earlier run. A task counts
the windows of some shards into a table of its own: a dense triangle over the most frequent words,
as many as its memory allows, and sorted pairs for the rest. Tables are cut into bands of rows; the
blocks of one source and band meet in a shuffle and are added up. The matrix is the sum of all
sources, band by band, so its bytes are the same whether a source was counted now or before.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pipeline.corpus import token_shards
from pipeline.counting import bands as bands_module
from pipeline.counting import codes as codes_module
from pipeline.counting import count_cache
from pipeline.counting import windows as windows_module
from pipeline.counting.bands import Bands, add_blocks, pack
from pipeline.counting.codes import Coder
from pipeline.counting.count_cache import Basis, CachedCounts
from pipeline.counting.fingerprint import fingerprint
from pipeline.counting.store import BandFile, write_band, write_counts
from pipeline.counting.windows import Table, check_exact, check_memory, weights_of
from pipeline.engine import Engine
from pipeline.layout import Layout
from pipeline.settings import Counts
from pipeline.stage import Job, Metrics
from wordkin.errors import InputError
from wordkin.files import new_file, read_words, scratch_folder, sha256
from wordkin.vocabulary import Vocabulary

TASK_TOKENS = 500_000_000
"""The most tokens that one task counts, so that little is lost when it has to start again."""


def run(job: Job) -> Metrics:
    """Make matrices/<lang>/counts."""
    memory_mib = job.settings.spark.task_memory_mib
    with job.engine() as engine:
        return make_counts(job.layout, job.settings.counts, memory_mib, engine)


def make_counts(layout: Layout, settings: Counts, task_memory_mib: int, engine: Engine) -> Metrics:
    """Count what is new, add up all sources, and write the matrix."""
    words = len(Vocabulary.read(layout.vocabulary / "vocabulary.tsv"))
    sources = source_texts(layout.tokens)
    if not sources:
        raise InputError(f"There are no tokens in {layout.tokens}: run the stage tokens first.")
    tokens = sum(source.tokens for source in sources)
    check_exact(tokens, settings.window, settings.weighting)
    weights, scale = weights_of(settings.window, settings.weighting)
    if engine.memory_mib:
        check_memory(words, weights, task_memory_mib, engine.cores, engine.memory_mib)
    bases = bases_of(sources, layout.vocabulary, settings, engine)
    known, changes = recall(layout.count_cache, bases)
    new = [source for source in sources if source.name in changes]
    tasks = tasks_of(new, engine.cores)
    bands = Bands(words)
    what = f"counts {layout.language}"
    with scratch_folder(layout.matrices / "counts.blocks") as folder:

        def count(task: CountTask) -> Iterator[tuple[int, bytes]]:
            return count_task(task, layout.vocabulary, settings, task_memory_mib)

        def merge(number: int, blocks: Iterator[bytes]) -> MergedBlock:
            return merge_blocks(folder, number, list(blocks), bands.cells(number % len(bands)))

        def add(band: int) -> BandFile | None:
            return add_sources(bands, folder, counted, band)

        merged = dict(engine.gather(count, tasks, merge, len(new) * len(bands), what))
        for number, source in enumerate(new):
            blocks = [merged.get(number * len(bands) + band) for band in range(len(bands))]
            known[source.name] = count_cache.write(
                count_cache.place(layout.count_cache, source.name),
                bases[source.name],
                [block.path if block else None for block in blocks],
            )
        counted = [known[source.name] for source in sources]
        count_cache.keep_only(layout.count_cache, counted)
        written = engine.each(add, range(len(bands)), f"{what}, adding up", light=True)
        facts = write_counts(
            layout.counts,
            words,
            [band for band in written if band],
            {"window": settings.window, "weighting": settings.weighting, "scale": scale},
        )
    return {
        "tokens": tokens,
        "words": words,
        "pairs": facts["pairs"],
        "density": round(2 * facts["pairs"] / (words * (words - 1)), 6),
        "total_weight": facts["total"] / facts["scale"],
        "tasks": len(tasks),
        "shuffled_bytes": sum(block.shuffled for block in merged.values()),
        "sources": {
            source.name: {"tokens": source.tokens, "counted": changes.get(source.name, "before")}
            for source in sources
        },
    }


class SourceText(NamedTuple):
    """The tokens of one source, as shards."""

    name: str
    shards: list[Path]
    tokens: int


def source_texts(folder: Path) -> list[SourceText]:
    """The sources below a tokens folder, in a fixed order."""
    by_source: dict[str, list[Path]] = {}
    for path in token_shards.shard_files(folder):
        by_source.setdefault(path.parent.name, []).append(path)
    return [
        SourceText(name, shards, sum(map(token_shards.count_tokens, shards)))
        for name, shards in by_source.items()
    ]


class CountTask(NamedTuple):
    """The work of one task: some shards of one source."""

    source: int
    """The number of the source among those that are counted in this run."""
    shards: list[Path]
    tokens: int


def tasks_of(sources: Sequence[SourceText], cores: int) -> list[CountTask]:
    """Tasks of about the same size, enough for all cores, the longest first."""
    fair = min(TASK_TOKENS, -(-sum(source.tokens for source in sources) // cores)) or 1
    tasks = []
    for number, source in enumerate(sources):
        count = min(len(source.shards), -(-source.tokens // fair) or 1)
        tasks += [
            CountTask(number, source.shards[i::count], source.tokens // count) for i in range(count)
        ]
    return sorted(tasks, key=lambda task: -task.tokens)


def count_task(
    task: CountTask, vocabulary: Path, settings: Counts, memory_mib: int
) -> Iterator[tuple[int, bytes]]:
    """Count the windows of some shards; the blocks are numbered by source and band."""
    coder = Coder(vocabulary, settings)
    weights, _ = weights_of(settings.window, settings.weighting)
    table = Table(len(coder.words), weights, memory_mib, task.tokens)
    bands = Bands(len(coder.words))

    def numbered(blocks: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
        return ((task.source * len(bands) + band, block) for band, block in blocks)

    for shard in task.shards:
        for batch in token_shards.batches(shard):
            table.add(coder.codes(batch), coder.bounds(batch))
            if table.crowded:
                yield from numbered(table.blocks(bands, whole=False))
    yield from numbered(table.blocks(bands))


class MergedBlock(NamedTuple):
    """The pairs of one source and band, added up and written; and the bytes that came for them."""

    path: Path
    shuffled: int


def merge_blocks(folder: Path, number: int, blocks: Sequence[bytes], cells: int) -> MergedBlock:
    """Add up what tasks counted of one source and band."""
    path = folder / f"block-{number:07d}"
    with new_file(path, by_task=True) as temporary:
        temporary.write_bytes(pack(add_blocks(blocks, cells)))
    return MergedBlock(path, sum(map(len, blocks)))


def add_sources(
    bands: Bands, folder: Path, sources: Sequence[CachedCounts], band: int
) -> BandFile | None:
    """Add up one band of all sources, as rows of the matrix; None when no pair was seen."""
    blocks = [block for source in sources if (block := source.block(band))]
    if not blocks:
        return None
    pairs = add_blocks(blocks, bands.cells(band))
    lengths, columns = bands.rows_and_columns(band, pairs.keys)
    path = folder / f"band-{band:05d}"
    with new_file(path, by_task=True) as temporary:
        written = write_band(
            temporary, bands.rows(band)[0], lengths, columns, pairs.values.astype(np.int64)
        )
    return written._replace(path=path)


PROGRAM = (bands_module, codes_module, token_shards, windows_module)
"""The modules that decide what the counts of a source are."""


def bases_of(
    sources: Sequence[SourceText], vocabulary: Path, settings: Counts, engine: Engine
) -> dict[str, Basis]:
    """What the counts of each source depend on."""
    program = fingerprint(Path(str(module.__file__)) for module in PROGRAM)
    words = Vocabulary.read(vocabulary / "vocabulary.tsv").words
    stop_words = read_words(vocabulary / "stop_words.txt")
    fixed = (program, dataclasses.asdict(settings), _digest([*words, "", *stop_words]))
    shards = [shard for source in sources for shard in source.shards]
    hashes = engine.each(sha256, shards, "looking at shards", light=True)
    hash_of = dict(zip(shards, hashes, strict=True))
    return {
        source.name: Basis(*fixed, _digest(sorted(hash_of[shard] for shard in source.shards)))
        for source in sources
    }


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def recall(folder: Path, bases: dict[str, Basis]) -> tuple[dict[str, CachedCounts], dict[str, str]]:
    """The counts that are still true, by source, and why those of other sources are not."""
    known, changes = {}, {}
    for source, basis in bases.items():
        before = count_cache.read(count_cache.place(folder, source))
        change = basis.change_since(before.basis) if before else "new"
        if before and not change:
            known[source] = before
        else:
            changes[source] = change or "new"
    return known, changes


REASONS = {
    "new": "not counted before",
    "text": "its text changed",
    "vocabulary": "the vocabulary changed, so everything is counted again",
    "settings": "the settings changed, so everything is counted again",
    "program": "the program changed, so everything is counted again",
}
"""Why a source was counted, in words."""


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    causes = Counter(source["counted"] for source in metrics["sources"].values())
    unchanged = causes.pop("before", 0)
    counted = [f"{number} counted ({REASONS[cause]})" for cause, number in causes.items()]
    counted += [f"{unchanged} known from before"] if unchanged else []
    return (
        f"{metrics['tokens']:,} tokens in, {metrics['pairs']:,} word pairs out "
        f"({metrics['density']:.2%} of all), {metrics['shuffled_bytes'] / 2**20:,.0f} MiB "
        f"shuffled; sources: {', '.join(counted)}"
    )

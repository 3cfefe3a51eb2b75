"""tokens, vocabulary -> counts: exact integers, the same bytes however the work is divided.

Each source is counted separately, unless the cache has valid counts of it. A task counts the
windows of some shards of one source and cuts its counts into bands of rows, as packed blocks. The
blocks of one source and band meet in a shuffle and are added up. The matrix is the sum of all
sources, band by band, so its bytes do not depend on what was cached.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from pipeline import storage
from pipeline.count.bands import Bands, add_blocks, pack
from pipeline.count.codes import Coder, Counts
from pipeline.count.count_cache import Basis, CachedCounts, CountCache
from pipeline.count.counter import WindowCounter, check_exact
from pipeline.count.store import BandFile, WindowFacts, join_bands, write_band
from pipeline.count.windows import OUTSIDE, weights_of
from pipeline.engine import SMALL_TOKENS, Engine
from pipeline.fingerprint import fingerprint
from pipeline.layout import Layout
from pipeline.memory import Sizes
from pipeline.settings import Settings
from pipeline.stage import RUN, Job, Metrics, Stage
from pipeline.storage import AnyPath
from pipeline.words import token_shards
from pipeline.words.type_counts import read_types
from wordkin.errors import InputError
from wordkin.files import read_words
from wordkin.vocabulary import Vocabulary

TASK_TOKENS = 500_000_000
"""The most tokens that one task counts, so that little is lost when it has to start again."""

_HERE = Path(__file__).parent
PROGRAM = (
    *(_HERE / f"{name}.py" for name in ("bands", "codes", "counter", "prefetching", "windows")),
    Path(token_shards.__file__),
)
"""The modules that decide what the counts of a source are."""


def run(job: Job) -> Metrics:
    """Make matrices/<language>/counts."""
    memory_mib = job.settings.spark.task_memory_mib
    is_small = token_shards.is_small(token_shards.shard_files(job.layout.tokens))
    with job.engine(is_small) as engine:
        return make_counts(job.layout, job.settings.section(Counts), memory_mib, engine)


def make_counts(layout: Layout, settings: Counts, task_memory_mib: int, engine: Engine) -> Metrics:
    """Count the sources that are new or changed, add up all sources, and write the matrix."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    words = len(vocabulary)
    sources = source_texts(layout.tokens)
    if not sources:
        raise InputError(f"There are no tokens in {layout.tokens}: run the stage tokens first.")
    tokens = sum(source.tokens for source in sources)
    check_exact(tokens, settings.window, settings.weighting)
    _, scale = weights_of(settings.window, settings.weighting)
    cache = CountCache(layout.shared(layout.count_cache))
    coder = Coder(layout.vocabulary, settings)
    bases = bases_of(sources, layout, coder, engine)
    valid, reasons = cache.recall(bases)
    new = [source for source in sources if source.name in reasons]
    tasks = tasks_of(new, engine.cores) if new else []
    bands = Bands(words)
    title = f"counts {layout.language}"
    blocks_folder = layout.shared(layout.matrices / "counts.blocks")
    with storage.scratch_folder(blocks_folder) as scratch:

        def count(task: CountTask) -> Iterator[tuple[int, bytes]]:
            return count_task(task, coder, task_memory_mib)

        def merge(number: int, blocks: Iterator[bytes]) -> MergedBlock:
            return merge_blocks(scratch, number, list(blocks), bands.key_count(number % len(bands)))

        def add(band: int) -> BandFile | None:
            return add_sources(bands, scratch, all_counts, band)

        merged = dict(engine.gather(count, tasks, merge, len(new) * len(bands), title))
        for number, source in enumerate(new):
            blocks = [merged.get(number * len(bands) + band) for band in range(len(bands))]
            paths = [block.path if block else None for block in blocks]
            valid[source.name] = cache.write(source.name, bases[source.name], paths)
        cache.remove_all_but(bases)
        all_counts = [valid[source.name] for source in sources]
        band_files = engine.each(add, range(len(bands)), f"{title}, adding up", light=True)
        described = join_bands(
            layout.counts,
            layout.shared(layout.counts),
            words,
            [band for band in band_files if band],
            WindowFacts(settings.window, settings.weighting, scale),
        )
    return {
        "tokens": tokens,
        "tokens_outside_vocabulary": tokens - int(vocabulary.counts.sum()),
        "words": words,
        "pairs": described["pairs"],
        "density": round(2 * described["pairs"] / (words * (words - 1)), 6),
        "total_weight": described["total"] / scale,
        "sources": {source.name: {"tokens": source.tokens} for source in sources},
        RUN: {
            "tasks": len(tasks),
            "shuffled_bytes": sum(block.shuffled for block in merged.values()),
            "counted": {source.name: reasons.get(source.name, "before") for source in sources},
        },
    }


class SourceText(NamedTuple):
    """The tokens of one source, as shards."""

    name: str
    shards: list[AnyPath]
    tokens: int


def source_texts(folder: Path) -> list[SourceText]:
    """The sources in a tokens folder, in a fixed order."""
    by_source: dict[str, list[AnyPath]] = {}
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
    shards: list[AnyPath]
    tokens: int


def tasks_of(sources: Sequence[SourceText], cores: int) -> list[CountTask]:
    """Tasks of about the same size, enough for all cores, the largest first."""
    fair = min(TASK_TOKENS, -(-sum(source.tokens for source in sources) // cores)) or 1
    tasks = []
    for number, source in enumerate(sources):
        count = min(len(source.shards), -(-source.tokens // fair) or 1)
        tasks += [
            CountTask(number, source.shards[i::count], source.tokens // count) for i in range(count)
        ]
    return sorted(tasks, key=lambda task: -task.tokens)


def count_task(task: CountTask, coder: Coder, memory_mib: int) -> Iterator[tuple[int, bytes]]:
    """Count the windows of some shards; the blocks are numbered by source and band."""
    words = len(coder.words)
    weights, _ = weights_of(coder.settings.window, coder.settings.weighting)
    counter = WindowCounter.within(memory_mib, words, weights, task.tokens)
    bands = Bands(words)

    def numbered(blocks: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
        return ((task.source * len(bands) + band, block) for band, block in blocks)

    for shard in task.shards:
        for batch in token_shards.batches(shard):
            counter.add(batch.tokens, coder.type_codes(batch.types), coder.bounds(batch))
            if counter.crowded:
                yield from numbered(counter.take_sparse_blocks(bands))
    yield from numbered(counter.blocks(bands))


class MergedBlock(NamedTuple):
    """The sum of all blocks of one source and band, in a file."""

    path: AnyPath
    shuffled: int
    """The bytes of the blocks that were added up."""


def merge_blocks(
    folder: AnyPath, number: int, blocks: Sequence[bytes], key_count: int
) -> MergedBlock:
    """Add up what tasks counted of one source and band."""
    path = folder / f"block-{number:07d}"
    merged = blocks[0] if len(blocks) == 1 else pack(add_blocks(blocks, key_count))
    with storage.new_file(path) as temporary:
        temporary.write_bytes(merged)
    return MergedBlock(path, sum(map(len, blocks)))


def add_sources(
    bands: Bands, folder: AnyPath, sources: Sequence[CachedCounts], band: int
) -> BandFile | None:
    """Add up one band of all sources, as rows of the matrix; None if no source has a pair in it."""
    blocks = [block for source in sources if (block := source.block(band))]
    if not blocks:
        return None
    pairs = add_blocks(blocks, bands.key_count(band))
    lengths, columns = bands.rows_and_columns(band, pairs.keys)
    first_row, _ = bands.rows(band)
    path = folder / f"band-{band:05d}"
    with storage.new_file(path) as temporary:
        written = write_band(temporary, first_row, lengths, columns, pairs.values)
    return written._replace(path=path)


def bases_of(
    sources: Sequence[SourceText], layout: Layout, coder: Coder, engine: Engine
) -> dict[str, Basis]:
    """What the counts of each source depend on."""
    stop_words = read_words(layout.vocabulary / "stop_words.txt")
    program, options = fingerprint(PROGRAM), dataclasses.asdict(coder.settings)
    all_words = [*coder.words, "", *stop_words]
    lemmas = lemma_digests(layout, coder)
    shards = [shard for source in sources for shard in source.shards]
    hashes = engine.each(storage.sha256, shards, "looking at shards", light=True)
    hash_of = dict(zip(shards, hashes, strict=True))
    return {
        source.name: {
            "program": program,
            "settings": options,
            "vocabulary": _digest([*all_words, *lemmas.get(source.name, [])]),
            "text": _digest(sorted(hash_of[shard] for shard in source.shards)),
        }
        for source in sources
    }


def lemma_digests(layout: Layout, coder: Coder) -> dict[str, list[str]]:
    """What the lemmas of each source's own types are counted as; nothing if forms are counted.

    The lemmas of other sources do not matter: a new source leaves the counts of the others valid.
    """
    if not coder.by_lemma:
        return {}
    types = read_types(layout.types)
    codes = coder.type_codes(types["word"].combine_chunks())
    counted = types.select(["word", "source"]).append_column("code", pa.array(codes))
    counted = counted.filter(pc.not_equal(counted["code"], OUTSIDE))
    digests = {}
    for source in pc.unique(types["source"]).to_pylist():
        rows = counted.filter(pc.equal(counted["source"], source))
        words, numbers = rows["word"].to_pylist(), rows["code"].to_numpy()
        digests[source] = [_digest(words), hashlib.sha256(numbers).hexdigest()]
    return digests


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


REASONS = {
    "new": "not counted before",
    "text": "its text changed",
    "vocabulary": "the vocabulary changed, so everything is counted again",
    "settings": "the settings changed, so everything is counted again",
    "program": "the program changed, so everything is counted again",
}
"""Why a source was counted, for people."""


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    causes = Counter(metrics[RUN]["counted"].values())
    unchanged = causes.pop("before", 0)
    counted = [f"{number} counted ({REASONS[cause]})" for cause, number in causes.items()]
    counted += [f"{unchanged} known from before"] if unchanged else []
    return (
        f"{metrics['tokens']:,} tokens in, {metrics['pairs']:,} word pairs out "
        f"({metrics['density']:.2%} of all), {metrics['tokens_outside_vocabulary']:,} tokens not "
        f"counted (stop words, or outside the vocabulary), "
        f"{metrics[RUN]['shuffled_bytes'] / 2**20:,.0f} MiB shuffled; sources: {', '.join(counted)}"
    )


def memory(sizes: Sizes, settings: Settings) -> float:
    """The counters of all tasks, each with a dense triangle if that takes half of its memory."""
    most, triangle = settings.spark.task_memory_mib * 2.0**20, 2.0 * sizes.words**2
    counter = triangle if triangle <= most / 2 else most
    is_small = sizes.tokens < SMALL_TOKENS and sizes.cores > 0
    return counter if is_small else sizes.tasks(counter)


STAGE = Stage(
    "counts",
    run,
    describe,
    reads=("tokens", "types", "vocabulary"),
    writes=("counts",),
    section=Counts,
    memory=memory,
    advice="set spark.task_memory_mib to a lower number, or spark.master to fewer cores",
)

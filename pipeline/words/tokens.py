"""Raw text to tokens: the documents of each source as words, in Parquet shards with fixed names.

Every raw file is cut into units whose borders depend on the file alone. A task reads one unit and
writes one shard. Documents whose text has occurred before are dropped afterwards, and the types of
what remains are counted.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path
from typing import Annotated, Any, cast

import numpy as np
from pydantic.dataclasses import dataclass as checked_dataclass

from pipeline import read as readers
from pipeline import storage
from pipeline.declarations import Format, Source
from pipeline.engine import Engine
from pipeline.languages import language as language_rules
from pipeline.languages.tokenizer import Tokenizer, tokenizer
from pipeline.layout import Layout
from pipeline.mistakes import KNOWN_KEYS, Whole, between
from pipeline.settings import LanguageSettings, Section
from pipeline.stage import Job, Metrics, Stage
from pipeline.storage import AnyPath, RemotePath
from pipeline.words import token_shards
from pipeline.words.type_counts import write_types
from wordkin.errors import InputError


@checked_dataclass(frozen=True, config=KNOWN_KEYS)
class Tokens(Section):
    """Raw text to tokens."""

    KEY = "tokens"

    minimum_words: Annotated[Whole, between(1)] = 1
    unit_mib: Annotated[Whole, between(1, 1024)] = 32


@dataclass(frozen=True)
class TokenizeTask:
    """The work of one task: a unit of a source, and the shard to write."""

    language: str
    source: Source
    unit: readers.Unit
    shard: AnyPath
    minimum_words: int


@dataclass
class Summary:
    """What was read of a source or unit, what came out of it, and what was dropped."""

    tally: readers.Tally = field(default_factory=readers.Tally)
    documents: int = 0
    tokens: int = 0
    dropped: Counter[str] = field(default_factory=Counter)

    def add(self, other: Summary) -> None:
        """Add the summary of another unit of the same source."""
        self.tally = self.tally + other.tally
        self.documents += other.documents
        self.tokens += other.tokens
        self.dropped.update(other.dropped)

    def as_metrics(self) -> dict[str, Any]:
        """The figures of one source, as the metrics file has them."""
        dropped = self.tally.dropped + self.dropped
        return {
            "bytes": self.tally.bytes,
            "documents": self.documents,
            "tokens": self.tokens,
            "dropped": dict(sorted(dropped.items())),
            "lost_bytes": dict(sorted(self.tally.lost.items())),
            "replaced_characters": self.tally.replaced,
            "cleaned": dict(sorted(self.tally.cleaned.items())),
        }


SMALL_BYTES = 100 << 20
"""Splitting less text than this into words takes less time than Spark takes to start."""

INFLATION = 4
"""About how many bytes of text are behind a byte of a compressed file."""

BATCH = 8 << 20
"""Letters of text that a task splits into words at once: most words occur many times in them."""


def run(job: Job) -> Metrics:
    """Make corpora/<lang>/tokens and corpora/<lang>/types from the files in the manifest."""
    with job.engine(is_small=is_small(job.layout)) as engine:
        return make_tokens(job.layout, job.settings.section(Tokens), job.language, engine)


def is_small(layout: Layout) -> bool:
    """Whether the files in the manifest have little text."""
    manifest = json.loads(layout.sources.read_text(encoding="utf-8"))
    paths = [layout.root / file["path"] for entry in manifest["sources"] for file in entry["files"]]
    sizes = (
        readers.stored.size(path) * (1 if readers.stored.kind(path) == "plain" else INFLATION)
        for path in paths
        if path.is_file()
    )
    return sum(sizes) < SMALL_BYTES


def make_tokens(
    layout: Layout, settings: Tokens, language: LanguageSettings, engine: Engine
) -> Metrics:
    """Tokenize the sources of a language, one task per unit."""
    summaries: dict[str, Summary] = {source.name: Summary() for source in language.sources}
    with _new_folder(layout, layout.types) as types, _new_folder(layout, layout.tokens) as folder:
        tasks = plan(layout, settings, language, folder)
        if not tasks:
            raise InputError(
                f"The sources of '{layout.language}' have no readable files: look at them."
            )
        done = engine.each(tokenize, tasks, f"tokens {layout.language}")
        for task, summary in zip(tasks, done, strict=True):
            summaries[task.source.name].add(summary)
        for source in language.sources:
            _refuse_losses(source, summaries[source.name])
        _drop_repeated(engine, tasks, summaries)
        if not sum(summary.tokens for summary in summaries.values()):
            raise InputError(
                f"The sources of '{layout.language}' contain no words at all: look at them."
            )
        number_of_types = write_types(engine, [task.shard for task in tasks], types)
    return {
        "analyser": language_rules(layout.language).analyser,
        "documents": sum(summary.documents for summary in summaries.values()),
        "tokens": sum(summary.tokens for summary in summaries.values()),
        "types": number_of_types,
        "sources": {name: summary.as_metrics() for name, summary in summaries.items()},
    }


def _new_folder(layout: Layout, folder: Path) -> AbstractContextManager[AnyPath]:
    return storage.new_folder(folder, layout.shared(folder))


def plan(
    layout: Layout, settings: Tokens, language: LanguageSettings, folder: AnyPath
) -> list[TokenizeTask]:
    """Cut the files of all sources into units, one task each, that write shards to `folder`."""
    manifest = json.loads(layout.sources.read_text(encoding="utf-8"))
    files = {entry["name"]: entry["files"] for entry in manifest["sources"]}
    tasks = []
    for source in language.sources:
        paths = raw_files(layout, source.name, files[source.name])
        source = dataclasses.replace(source, format=source.format or _sniffed(source, paths))
        readers.check(paths, source)
        units = readers.plan(paths, source, settings.unit_mib << 20)
        tasks += [
            TokenizeTask(
                language=layout.language,
                source=source,
                unit=unit,
                shard=folder / source.name / f"part-{number:05d}.parquet",
                minimum_words=settings.minimum_words,
            )
            for number, unit in enumerate(units)
        ]
    return tasks


def raw_files(layout: Layout, source: str, entries: Sequence[Mapping[str, Any]]) -> list[AnyPath]:
    """The raw files of a source where tasks can read them: as they were when they were fetched.

    Files of this machine are copied to the storage, if there is one, under the same names.
    """
    paths: list[AnyPath] = []
    for entry in entries:
        path = storage.as_path(entry["path"])
        path = layout.root / path if isinstance(path, Path) else path
        if not storage.is_file(path) or storage.state(path).size != entry["bytes"]:
            raise InputError(
                f"{path} has changed since it was fetched: run "
                f"dvc repro --force fetch@{layout.language}."
            )
        paths.append(path)
    shared = layout.shared(layout.raw)
    if isinstance(shared, Path) or isinstance(paths[0], RemotePath):  # where all of them are
        return paths
    root = os.path.commonpath([str(path.parent) for path in paths])
    return [
        storage.offered(path, shared / source / path.relative_to(root).as_posix(), entry["sha256"])
        for path, entry in zip(cast(list[Path], paths), entries, strict=True)
    ]


def _sniffed(source: Source, paths: Sequence[AnyPath]) -> Format:
    """The format of a source that does not declare one."""
    formats = {readers.sniff(path) for path in paths}
    if len(formats) > 1:
        raise InputError(
            f"The source '{source.name}' has files of several formats "
            f"({', '.join(sorted(formats))}): make one source per format, or declare with "
            "'format' how to read them all."
        )
    return cast(Format, formats.pop())


def tokenize(task: TokenizeTask) -> Summary:
    """Read one unit, split its documents into tokens, and write its shard."""
    summary = Summary(tally=readers.Tally(tolerate=task.source.tolerate))
    documents = readers.read(task.unit, task.source, summary.tally)
    tokens_of = tokenizer(task.language)
    rows = _rows(documents, tokens_of, task.minimum_words, summary)
    token_shards.write_shard(task.shard, rows)
    return summary


def _rows(
    documents: Iterator[readers.Document],
    tokens_of: Tokenizer,
    minimum_words: int,
    summary: Summary,
) -> Iterator[token_shards.Row]:
    """The rows of the documents that are long enough; all documents are counted in `summary`."""
    for batch in _batches(documents):
        lines_of = [document.text.split("\n") for document in batch]
        tokenized = tokens_of.lines(list(chain.from_iterable(lines_of)))
        # Where the lines of each document begin, and where its tokens begin.
        lines = np.cumsum([0, *map(len, lines_of)])
        starts = np.concatenate([[0], np.cumsum(tokenized.lengths)])[lines]
        of_document = zip(batch, pairwise(lines.tolist()), pairwise(starts.tolist()), strict=True)
        for document, (first, last), (start, end) in of_document:
            if start == end:
                summary.dropped["empty"] += 1
            elif end - start < minimum_words:
                summary.dropped["too short"] += 1
            else:
                summary.documents += 1
                summary.tokens += end - start
                digest = hashlib.blake2b(document.text.encode(), digest_size=16).digest()
                lengths = tokenized.lengths[first:last]
                yield token_shards.Row(
                    document.id,
                    digest,
                    tokenized.tokens[start:end],
                    lengths[lengths > 0],
                    tokenized.flags[start:end].tobytes(),
                )


def _batches(documents: Iterator[readers.Document]) -> Iterator[list[readers.Document]]:
    """The documents in lists with about `BATCH` letters each."""
    batch, letters = [], 0
    for document in documents:
        batch.append(document)
        letters += len(document.text)
        if letters >= BATCH:
            yield batch
            batch, letters = [], 0
    if batch:
        yield batch


def _refuse_losses(source: Source, summary: Summary) -> None:
    """Refuse a source that lost more of its bytes to damage than it tolerates."""
    lost, read = sum(summary.tally.lost.values()), summary.tally.bytes
    if lost > source.tolerate * read:
        raise InputError(
            f"The source '{source.name}' lost {lost:,} of {read:,} bytes to damage "
            f"({', '.join(summary.tally.lost)}), more than its 'tolerate: {source.tolerate}' "
            "allows: get the file again, or raise the share."
        )


def _drop_repeated(
    engine: Engine, tasks: list[TokenizeTask], summaries: dict[str, Summary]
) -> None:
    """Drop repeated documents from the shards, and count them in the summaries."""
    dropped = token_shards.drop_duplicates(engine, [task.shard for task in tasks])
    for shard, (documents, tokens) in dropped.items():
        summary = summaries[tasks[shard].source.name]
        summary.documents -= documents
        summary.tokens -= tokens
        summary.dropped["duplicate"] += documents


def describe(metrics: Metrics) -> str:
    """What went in, what came out and what was dropped, in one line."""
    sources = metrics["sources"].values()
    dropped = _totals("dropped", metrics)
    lost = _totals("lost_bytes", metrics)
    cleaned = _totals("cleaned", metrics)
    removed = [f"{number:,} {kind}" for kind, number in sorted(cleaned.items())]
    replaced = sum(source["replaced_characters"] for source in sources)
    losses = [f"{number:,} {reason}" for reason, number in sorted(dropped.items())]
    losses += [f"{number:,} bytes lost to {what}" for what, number in sorted(lost.items())]
    losses += [f"{replaced:,} characters replaced"] if replaced else []
    return (
        f"{'1 source' if len(sources) == 1 else f'{len(sources)} sources'} of "
        f"{sum(source['bytes'] for source in sources):,} bytes in, "
        f"{metrics['documents']:,} documents of {metrics['tokens']:,} tokens out; "
        f"dropped: {', '.join(losses) or 'nothing'}"
        + (f"; cleaned: {', '.join(removed)}" if removed else "")
    )


def _totals(key: str, metrics: Metrics) -> Counter[str]:
    totals: Counter[str] = Counter()
    for source in metrics["sources"].values():
        totals.update(source[key])
    return totals


UNIT = 150 * 2.0**20
"""A row group of a shard while it is made."""

STAGE = Stage(
    "tokens",
    run,
    describe,
    reads=("raw", "fetched", "sources"),
    writes=("tokens", "types"),
    section=Tokens,
    params=("languages.${key}.sources",),
    memory=lambda sizes, settings: sizes.tasks(UNIT),
    advice="set spark.master to local[1]",
)

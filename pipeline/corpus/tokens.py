"""Raw text to tokens: each source's documents as words, in Parquet parts with fixed names.

Every raw file is cut into units whose borders depend on the file alone; a task reads one unit and
writes one part. Documents whose text was seen before, in this source or an earlier one, are
dropped afterwards: their digests meet in a shuffle, and only parts with copies are rewritten.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from pipeline.corpus import readers, token_shards
from pipeline.corpus.languages import Language, language
from pipeline.engine import Engine
from pipeline.layout import Layout
from pipeline.settings import Format, LanguageSettings, Source, Tokens
from pipeline.stage import Job, Metrics
from wordkin.errors import InputError
from wordkin.files import new_folder

BLOCKS = 64
"""Into how many blocks the digests are dealt for finding copies."""


@dataclass(frozen=True)
class Piece:
    """The work of one task: a unit of a source and the part it becomes."""

    language: str
    source: Source
    unit: readers.Unit
    part: str
    lemmatize: bool
    minimum_words: int


@dataclass
class Summary:
    """What became of a source, or of one unit of it."""

    tally: readers.Tally = field(default_factory=readers.Tally)
    documents: int = 0
    tokens: int = 0
    dropped: Counter[str] = field(default_factory=Counter)

    def add(self, other: Summary) -> None:
        self.tally = self.tally + other.tally
        self.documents += other.documents
        self.tokens += other.tokens
        self.dropped.update(other.dropped)

    def as_metrics(self) -> dict[str, Any]:
        """The figures of one source, as they stand in the metrics file."""
        dropped = self.tally.dropped + self.dropped
        return {
            "bytes": self.tally.bytes,
            "documents": self.documents,
            "tokens": self.tokens,
            "dropped": dict(sorted(dropped.items())),
            "lost_bytes": dict(sorted(self.tally.lost.items())),
            "replaced_characters": self.tally.replaced,
        }


def run(job: Job) -> Metrics:
    """Make corpora/<lang>/tokens from the files that the manifest names."""
    with job.engine() as engine:
        return make_tokens(job.layout, job.settings.tokens, job.language, engine)


def make_tokens(
    layout: Layout, settings: Tokens, language: LanguageSettings, engine: Engine
) -> Metrics:
    """Tokenize the sources of a language, in pieces that the engine's tasks share."""
    summaries: dict[str, Summary] = {source.name: Summary() for source in language.sources}
    with new_folder(layout.tokens) as folder:
        pieces = plan(layout, settings, language, folder)
        if not pieces:
            raise InputError(f"The sources of '{layout.language}' have no readable files.")
        for piece, summary in zip(
            pieces, engine.each(tokenize, pieces, f"tokens {layout.language}"), strict=True
        ):
            summaries[piece.source.name].add(summary)
        for source in language.sources:
            _refuse_losses(source, summaries[source.name])
        _drop_copies(engine, pieces, summaries)
        if not sum(summary.tokens for summary in summaries.values()):
            raise InputError(
                f"The sources of '{layout.language}' hold no words at all: look at them."
            )
    return {
        "documents": sum(summary.documents for summary in summaries.values()),
        "tokens": sum(summary.tokens for summary in summaries.values()),
        "sources": {name: summary.as_metrics() for name, summary in summaries.items()},
    }


def plan(layout: Layout, settings: Tokens, language: LanguageSettings, folder: Path) -> list[Piece]:
    """Cut the files of all sources into pieces, one task each."""
    manifest = json.loads(layout.sources.read_text(encoding="utf-8"))
    files = {entry["name"]: entry["files"] for entry in manifest["sources"]}
    pieces = []
    for source in language.sources:
        paths = [layout.root / entry["path"] for entry in files[source.name]]
        for path, entry in zip(paths, files[source.name], strict=True):
            if not path.is_file() or path.stat().st_size != entry["bytes"]:
                raise InputError(
                    f"{path} has changed since it was fetched: run "
                    f"dvc repro --force fetch@{layout.language}."
                )
        source = dataclasses.replace(source, format=source.format or _seen(source, paths))
        readers.check(paths, source)
        units = readers.plan(paths, source, settings.unit_mib << 20)
        pieces += [
            Piece(
                layout.language,
                source,
                unit,
                str(folder / source.name / f"part-{number:05d}.parquet"),
                language.lemmatize,
                settings.minimum_words,
            )
            for number, unit in enumerate(units)
        ]
    return pieces


def _seen(source: Source, paths: list[Path]) -> Format:
    """The format of a source that does not declare it."""
    formats = {readers.sniff(path) for path in paths}
    if len(formats) > 1:
        raise InputError(
            f"The files of '{source.name}' are to be read as {', '.join(sorted(formats))}: make a "
            "source of each kind, or say with 'format' how to read them all."
        )
    return cast(Format, formats.pop())


def tokenize(piece: Piece) -> Summary:
    """Read one unit, cut its documents into words, and write its part."""
    summary = Summary(tally=readers.Tally(tolerate=piece.source.tolerate))
    documents = readers.read(piece.unit, piece.source, summary.tally)
    words = _words_of(piece.language, piece.lemmatize)
    rows = _rows(documents, words, piece.minimum_words, summary)
    token_shards.write_shard(Path(piece.part), rows)
    return summary


def _rows(
    documents: Iterator[readers.Document],
    words: WordsOf,
    minimum_words: int,
    summary: Summary,
) -> Iterator[token_shards.Row]:
    for document in documents:
        lines = [words(line) for line in document.text.split("\n")]
        tokens = [word for line in lines for word in line]
        if not tokens:
            summary.dropped["empty"] += 1
        elif len(tokens) < minimum_words:
            summary.dropped["too short"] += 1
        else:
            summary.documents += 1
            summary.tokens += len(tokens)
            digest = hashlib.blake2b(document.text.encode(), digest_size=16).digest()
            lengths = [len(line) for line in lines if line]
            yield token_shards.Row(document.id, digest, tokens, lengths)


class WordsOf:
    """The words of a text, as lemmas where asked for; each type is lemmatised once."""

    def __init__(self, of: Language, lemmatize: bool) -> None:
        self.words = of.words
        self.lemma = cache(of.lemma) if lemmatize else None

    def __call__(self, text: str) -> list[str]:
        words = self.words(text)
        return words if self.lemma is None else [self.lemma(word) for word in words]


@cache
def _words_of(code: str, lemmatize: bool) -> WordsOf:
    """One for the life of a worker, so that what it learnt of types serves all its tasks."""
    return WordsOf(language(code), lemmatize)


def _refuse_losses(source: Source, summary: Summary) -> None:
    lost, read = sum(summary.tally.lost.values()), summary.tally.bytes
    if lost > source.tolerate * read:
        raise InputError(
            f"The source '{source.name}' lost {lost:,} of {read:,} bytes to damage "
            f"({', '.join(summary.tally.lost)}), more than its 'tolerate: {source.tolerate}' "
            "allows: get the file again, or raise the share."
        )


def _drop_copies(engine: Engine, pieces: list[Piece], summaries: dict[str, Summary]) -> None:
    """Keep the first document of each digest, in the order of sources, parts and rows."""
    paths = [Path(piece.part) for piece in pieces]
    numbered = list(enumerate(paths))
    copies: dict[int, list[NDArray[np.int64]]] = {}
    found = engine.gather(_deal_digests, numbered, _find_copies, BLOCKS, "finding copies")
    for _, block in found:
        for part, rows in block.items():
            copies.setdefault(part, []).append(rows)
    work = [(paths[part], np.sort(np.concatenate(rows))) for part, rows in sorted(copies.items())]
    dropped = engine.each(_drop_rows, work, "dropping copies")
    for part, (_, rows), tokens in zip(sorted(copies), work, dropped, strict=True):
        summary = summaries[pieces[part].source.name]
        summary.documents -= len(rows)
        summary.tokens -= tokens
        summary.dropped["duplicate"] += len(rows)


PLACE = np.dtype([("digest", "V16"), ("part", "<i8"), ("row", "<i8")])
"""A digest and where it was seen."""


def _deal_digests(numbered: tuple[int, Path]) -> Iterator[tuple[int, bytes]]:
    number, path = numbered
    digests = token_shards.digests(path)
    places = np.empty(len(digests), dtype=PLACE)
    places["digest"], places["part"], places["row"] = digests, number, np.arange(len(digests))
    block = digests.view(np.uint8).reshape(-1, 16)[:, 0] % BLOCKS
    for wanted in np.unique(block):
        yield int(wanted), places[block == wanted].tobytes()


def _find_copies(_block: int, dealt: Iterator[bytes]) -> dict[int, NDArray[np.int64]]:
    """All but the first place of each digest: the rows to drop from each part."""
    places = np.concatenate([np.frombuffer(data, dtype=PLACE) for data in dealt])
    key = places["digest"].copy().view(np.uint64).reshape(-1, 2)
    order = np.lexsort((places["row"], places["part"], key[:, 1], key[:, 0]))
    places, key = places[order], key[order]
    copy = np.zeros(len(places), dtype=bool)
    copy[1:] = (key[1:] == key[:-1]).all(axis=1)
    copies = places[copy]
    return {
        int(part): copies["row"][copies["part"] == part].copy()
        for part in np.unique(copies["part"])
    }


def _drop_rows(work: tuple[Path, NDArray[np.int64]]) -> int:
    return token_shards.drop_rows(*work)


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    dropped: Counter[str] = Counter()
    for source in metrics["sources"].values():
        dropped.update(source["dropped"])
    told = ", ".join(f"{number:,} {reason}" for reason, number in sorted(dropped.items()))
    return (
        f"{len(metrics['sources'])} sources, {metrics['documents']:,} documents, "
        f"{metrics['tokens']:,} tokens; dropped: {told or 'nothing'}"
    )

"""Tokens to the vocabulary: the most frequent words that are not stop words.

Each task counts the words of some parts and deals them by a hash of the word; each block adds up
and passes on only what can still be chosen, so the driver sees a few vocabularies at most.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pipeline.corpus import token_shards
from pipeline.corpus.gold_words import gold_words
from pipeline.corpus.languages import language
from pipeline.engine import Engine
from pipeline.layout import Layout
from pipeline.settings import LanguageVocabulary, VocabularySettings
from pipeline.stage import Job, Metrics
from wordkin.errors import InputError
from wordkin.files import new_folder, read_words, write_text
from wordkin.vocabulary import Vocabulary

BLOCKS = 16
DERIVED_SHARE, DERIVED_MOST = 0.3, 100
"""Stop words of a language without a list: the most frequent words until they make this share of
the tokens, and no more than this many. Function words are the head of every Zipf curve; a list of
a hundred is on the safe side, since a content word lost is worse than a function word kept."""


class Words(NamedTuple):
    """Words with how often, and in how many documents, they occur."""

    words: list[str]
    counts: NDArray[np.int64]
    documents: NDArray[np.int64]


def run(job: Job) -> Metrics:
    """Make matrices/<lang>/vocabulary: vocabulary.tsv and stop_words.txt."""
    settings, language = job.settings.vocabulary, job.language
    with job.engine() as engine:
        return make_vocabulary(
            job.layout, settings, language.vocabulary, language.lemmatize, engine
        )


def make_vocabulary(
    layout: Layout,
    settings: VocabularySettings,
    of: LanguageVocabulary,
    lemmatize: bool,
    engine: Engine,
) -> Metrics:
    """Choose the words of a language's matrices and write them down."""
    spoken = language(layout.language)
    named = [*read_words(layout.boards), *of.include]
    include = [word for name in named for word in spoken.words(name)]
    fixed = None if of.words == "auto" else _listed(layout, of.words)
    listed = _listed_stop_words(layout, of.stop_words)
    most = of.size + (DERIVED_MOST if listed is None else len(listed))
    rated = gold_words(layout, of.gold, lemmatize)
    wanted = {*include, *rated, *(fixed or ())}
    shards = token_shards.shard_files(layout.tokens)
    found, tokens, types = count_words(engine, shards, most, wanted)
    stop_words = derive_stop_words(found, tokens) if listed is None else listed
    # Of a stop word people were asked in another sense: can, the tin.
    include += [word for word in rated if word not in stop_words]
    chosen = choose(found, of.size, stop_words, include, settings.minimum_count, fixed)
    if len(chosen) < 2:
        raise InputError(
            f"The corpus of '{layout.language}' has fewer than two words that are not stop words: "
            "give it more text."
        )
    with new_folder(layout.vocabulary) as folder:
        chosen.write(folder / "vocabulary.tsv")
        write_text(folder / "stop_words.txt", "".join(f"{w}\n" for w in sorted(stop_words)))
    counts = chosen.counts
    return {
        "words": len(chosen),
        "tokens": tokens,
        "types": types,
        "coverage": round(float(counts.sum()) / tokens, 6),
        "rarest_count": int(counts.min()),
        "stop_words": len(stop_words),
        "stop_words_from": "corpus" if listed is None else of.stop_words,
        "included_unseen": int((counts == 0).sum()),
        "gold_sets": of.gold,
    }


def _listed_stop_words(layout: Layout, setting: str) -> frozenset[str] | None:
    """The stop words that are known before the corpus is seen; None: take them from it."""
    spoken = language(layout.language)
    if setting == "none":
        return frozenset()
    if setting == "auto":
        return spoken.stop_words() if spoken.has_stop_words else None
    return frozenset(_listed(layout, setting))


def _listed(layout: Layout, path: str) -> list[str]:
    """The words of a file, in the form that tokens have, each once."""
    spoken = language(layout.language)
    words = read_words(layout.root / path)
    return list(dict.fromkeys(token for word in words for token in spoken.words(word)))


def choose(
    found: Words,
    size: int,
    stop_words: frozenset[str],
    include: list[str],
    minimum_count: int,
    fixed: list[str] | None = None,
) -> Vocabulary:
    """The `size` most frequent words, ties by code point, and the included ones besides.

    Included words count towards the size when they are frequent enough by themselves; others come
    on top, also when the corpus never has them. A `fixed` list is taken as it is, in its order and
    up to `size`, so that its words and their ids stay the same when the corpus grows.
    """
    seen = dict(zip(found.words, zip(found.counts, found.documents, strict=True), strict=True))
    order = sorted(seen, key=lambda word: (-seen[word][0], word))
    frequent = [word for word in order if seen[word][0] >= minimum_count]
    offered = frequent if fixed is None else fixed
    free = [word for word in offered if word not in stop_words][:size]
    forced = sorted(set(include) - set(free))
    if fixed is None:
        chosen = sorted([*free, *forced], key=lambda word: (-int(seen.get(word, (0, 0))[0]), word))
    else:
        chosen = [*free, *forced]
    return Vocabulary(
        chosen,
        [int(seen.get(word, (0, 0))[0]) for word in chosen],
        [int(seen.get(word, (0, 0))[1]) for word in chosen],
    )


def derive_stop_words(found: Words, tokens: int) -> frozenset[str]:
    """Stop words from the corpus alone, for a language that has no list."""
    order = sorted(range(len(found.words)), key=lambda i: (-found.counts[i], found.words[i]))
    head: list[str] = []
    mass = 0
    for i in order[:DERIVED_MOST]:
        mass += int(found.counts[i])
        if mass > DERIVED_SHARE * tokens:
            break
        head.append(found.words[i])
    return frozenset(head)


def count_words(
    engine: Engine, paths: list[Path], most: int, wanted: set[str]
) -> tuple[Words, int, int]:
    """The `most` most frequent words and the `wanted` ones; how many tokens and types there are."""
    tasks = min(len(paths), 4 * engine.cores)
    shares = [paths[i::tasks] for i in range(tasks)]

    def merge(_block: int, dealt: Iterator[bytes]) -> tuple[Words, int, int]:
        return _merge(dealt, most, wanted)

    blocks = engine.gather(_deal_words, shares, merge, BLOCKS, "counting words")
    found = [words for _, (words, _, _) in blocks]
    return (
        Words(
            [word for words in found for word in words.words],
            np.concatenate([words.counts for words in found]),
            np.concatenate([words.documents for words in found]),
        ),
        sum(tokens for _, (_, tokens, _) in blocks),
        sum(types for _, (_, _, types) in blocks),
    )


def _deal_words(paths: list[Path]) -> Iterator[tuple[int, bytes]]:
    table = _add_up([_count_batch(batch) for path in paths for batch in token_shards.batches(path)])
    block = np.array([zlib.crc32(w.encode()) % BLOCKS for w in table["word"].to_pylist()], int)
    for wanted in np.unique(block):
        yield int(wanted), _pack(table.filter(pa.array(block == wanted)))


def _count_batch(batch: token_shards.Batch) -> pa.Table:
    counts, documents = count_types(batch.tokens, batch.documents, len(batch.types))
    return pa.table({"word": batch.types, "count": counts, "documents": documents})


def count_types(
    tokens: NDArray[np.int32], documents: NDArray[np.int64], types: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many tokens each type has, and in how many documents it stands."""
    owner = np.repeat(np.arange(len(documents) - 1), np.diff(documents))
    # Sorting and comparing takes a tenth of the time of np.unique.
    places = np.sort(owner * types + tokens)
    first = np.diff(places, prepend=-1) > 0
    return (
        np.bincount(tokens, minlength=types),
        np.bincount(places[first] % max(types, 1), minlength=types),
    )


EMPTY = pa.table(
    {
        "word": pa.array([], pa.string()),
        "count": pa.array([], pa.int64()),
        "documents": pa.array([], pa.int64()),
    }
)


def _add_up(tables: list[pa.Table]) -> pa.Table:
    """One row a word, the numbers added."""
    table = pa.concat_tables([EMPTY, *tables])
    added = table.group_by("word").aggregate([("count", "sum"), ("documents", "sum")])
    return added.select(["word", "count_sum", "documents_sum"]).rename_columns(EMPTY.column_names)


def _pack(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return sink.getvalue().to_pybytes()


def _merge(dealt: Iterator[bytes], most: int, wanted: set[str]) -> tuple[Words, int, int]:
    table = _add_up([pa.ipc.open_stream(data).read_all() for data in dealt])
    tokens, types = pc.sum(table["count"]).as_py() or 0, len(table)
    order = table.sort_by([("count", "descending"), ("word", "ascending")])
    head = order.slice(0, most)
    asked = order.slice(most)
    asked = asked.filter(pc.is_in(asked["word"], pa.array(sorted(wanted), pa.string())))
    kept = pa.concat_tables([head, asked])
    words = Words(kept["word"].to_pylist(), kept["count"].to_numpy(), kept["documents"].to_numpy())
    return words, tokens, types


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    own = metrics["stop_words_from"] == "corpus"
    return (
        f"{metrics['tokens']:,} tokens of {metrics['types']:,} types in, {metrics['words']:,} "
        f"words out ({metrics['coverage']:.1%} of the tokens), {metrics['stop_words']} stop words "
        f"left out{', taken from the corpus as no list is known' if own else ''}"
    )

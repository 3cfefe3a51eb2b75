"""Sentence encoders as measures: a word is what the encoder makes of it, alone or in our text.

Alone, a word's vector is the mean of the hidden states of all its pieces. With contexts, it is the
mean over up to `contexts` places of our corpus of the hidden states of the word's own pieces there
(the averaged BERT of Koyyalagunta et al. 2021, section 3.4); the lowest hashes choose them, so the
choice looks random and is the same every time. With definitions, it is the mean over the texts
`word : definition`.

An encoder is a model in ONNX that takes `input_ids` and `attention_mask` and returns one hidden
state per piece, and the `tokenizer.json` that belongs to it. Both run on this machine with the
extra `encoders`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import RootModel
from pydantic.dataclasses import dataclass

from pipeline.count.codes import Coder, Counts
from pipeline.declarations import Declaration, wrong_declarations
from pipeline.extras.definitions import Dictionaries, definitions_of
from pipeline.extras.imported import ImportedVectors
from pipeline.fetched import read_resource
from pipeline.languages import language
from pipeline.layout import Layout
from pipeline.measures.family import WITH_KNOWLEDGE, Extra, Maker, MeasureJob, Skipped, taken_names
from pipeline.measures.sparse import Floats
from pipeline.measures.svd import unit_rows
from pipeline.mistakes import KNOWN_KEYS, Whole, between, matching
from pipeline.settings import Check, Section
from pipeline.stage import Job, Metrics
from pipeline.words import token_shards
from wordkin.errors import InputError
from wordkin.measures.files import write_matrix

Places = NDArray[np.int64]


class Context(NamedTuple):
    """A word of the vocabulary among the words around it."""

    id: int
    words: tuple[str, ...]
    place: int
    """Where in `words` the word is."""


class _Chosen(NamedTuple):
    """Places in the corpus, ordered by word and then by hash."""

    ids: NDArray[np.int64]
    hashes: NDArray[np.uint64]
    places: Places

    def lowest(self, k: int) -> _Chosen:
        """The k places of each word with the lowest hashes."""
        order = np.lexsort((self.hashes, self.ids))
        ids = self.ids[order]
        starts = np.concatenate([[True], ids[1:] != ids[:-1]]) if len(ids) else np.zeros(0, bool)
        first = np.maximum.accumulate(np.where(starts, np.arange(len(ids)), 0))
        kept = order[np.arange(len(ids)) - first < k]
        return _Chosen(self.ids[kept], self.hashes[kept], self.places[kept])


def sample_contexts(layout: Layout, k: int, width: int, seed: int) -> list[Context]:
    """Up to k contexts of each word, of up to `width` words on either side, in text order."""
    coder = Coder(layout.vocabulary, Counts())
    chosen = _Chosen(np.empty(0, np.int64), np.empty(0, np.uint64), np.empty(0, np.int64))
    for start, batch in _numbered(layout):
        codes = coder.codes(batch)
        known = np.flatnonzero(codes >= 0)
        places = known + start
        more = _Chosen(codes[known].astype(np.int64), _hash(places, seed), places)
        merged = (np.concatenate(pair) for pair in zip(chosen, more, strict=True))
        chosen = _Chosen(*merged).lowest(k)
    by_place = np.argsort(chosen.places)
    ids, places = chosen.ids[by_place], chosen.places[by_place]
    contexts: list[Context] = []
    for start, batch in _numbered(layout):
        inside = slice(*np.searchsorted(places, [start, start + len(batch.tokens)]))
        contexts += _cut(batch, ids[inside], places[inside] - start, width)
    return contexts


def _numbered(layout: Layout) -> Iterator[tuple[int, token_shards.Batch]]:
    """All batches of tokens, each with the number of the tokens before it."""
    start = 0
    for path in token_shards.shard_files(layout.tokens):
        for batch in token_shards.batches(path):
            yield start, batch
            start += len(batch.tokens)


def _cut(batch: token_shards.Batch, ids: Places, places: Places, width: int) -> list[Context]:
    documents = np.searchsorted(batch.documents, places, side="right") - 1
    types = batch.types.to_pylist() if len(places) else []
    contexts = []
    for id_, place, document in zip(ids.tolist(), places.tolist(), documents.tolist(), strict=True):
        low = max(place - width, int(batch.documents[document]))
        high = min(place + width + 1, int(batch.documents[document + 1]))
        words = tuple(types[token] for token in batch.tokens[low:high].tolist())
        contexts.append(Context(id_, words, place - low))
    return contexts


def _hash(places: Places, seed: int) -> NDArray[np.uint64]:
    """A 64-bit hash of each number (SplitMix64)."""
    with np.errstate(over="ignore"):
        mixed = (places.astype(np.uint64) + np.uint64(seed + 1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


@dataclass(frozen=True, config=KNOWN_KEYS)
class EncoderFile(Declaration):
    """One of the two files of an encoder; it is called after the encoder."""

    name: str = field(default="", init=False)


@dataclass(frozen=True, config=KNOWN_KEYS)
class Encoder:
    """A sentence encoder: its model in ONNX, its tokenizer.json, and how words are encoded.

    `contexts` is the number of places of the corpus over which a word is averaged, with `width`
    words on either side; `definitions` is the number of its definitions instead. A word without
    either is encoded alone, as all words are where both are 0.
    """

    name: Annotated[str, matching("[a-z][a-z0-9_-]*", "a name of a-z 0-9 _ -")]
    model: EncoderFile
    tokenizer: EncoderFile
    contexts: Annotated[Whole, between(0, 1000)] = 0
    definitions: Annotated[Whole, between(0, 100)] = 0
    width: Annotated[Whole, between(1, 100)] = 12
    seed: Annotated[Whole, between(0)] = 0

    def parts(self) -> list[Declaration]:
        """Both files, with names to fetch them under."""
        return [
            Declaration(f"{self.name}-{part}", file.location, file.sha256, file.mirror)
            for part, file in (("model", self.model), ("tokenizer", self.tokenizer))
        ]


class Encoders(RootModel[dict[str, list[Encoder]]], Section):
    """Sentence encoders, by language."""

    KEY: ClassVar[str] = "extras.encoders"

    root: dict[str, list[Encoder]] = {}

    def mistakes(self, check: Check) -> Iterator[str]:
        imported = check.settings.checked_section(ImportedVectors)[0]
        for code, encoders in self.root.items():
            for encoder in encoders:
                yield from wrong_declarations(encoder.parts(), code, check.root)
            others = [entry.name for entry in imported.files(code)] if imported else []
            yield from taken_names([encoder.name for encoder in encoders], code, others)

    def files(self, language: str) -> Sequence[Declaration]:
        return [file for encoder in self.root.get(language, []) for file in encoder.parts()]

    def names(self) -> Sequence[str]:
        return [encoder.name for encoders in self.root.values() for encoder in encoders]


BATCH = 64
"""Texts in one call. A constant: a quantized model rounds by what is in the same batch."""

MOST_PIECES = 128
"""Longer texts are cut."""


class Text(NamedTuple):
    """A text to encode, as words, and whose vector it is for."""

    words: tuple[str, ...]
    place: int | None
    """The word whose pieces count; None for all pieces of the text."""
    id: int


def make(measure_job: MeasureJob) -> Metrics:
    """Make a measure from the encoder of the measure's name."""
    encoders = measure_job.settings.section(Encoders).root[measure_job.layout.language]
    settings = next(encoder for encoder in encoders if encoder.name == measure_job.name)
    model = _open_model(measure_job, settings)
    words = measure_job.vocabulary.words
    texts: list[Text] = []
    if settings.definitions:
        texts = _defined(measure_job, settings.definitions)
    elif settings.contexts:
        texts = [
            Text(context.words, context.place, context.id)
            for context in sample_contexts(
                measure_job.layout, settings.contexts, settings.width, settings.seed
            )
        ]
    described = {text.id for text in texts}
    texts += [Text((word,), None, at) for at, word in enumerate(words) if at not in described]
    sums = np.zeros((len(words), model.dimensions))
    for ids, states in model.encode(texts):
        # In order, so that the sums do not depend on which batch is ready first.
        np.add.at(sums, ids, states / np.linalg.norm(states, axis=1, keepdims=True))
    vectors = unit_rows(sums)
    facts = {"licence": settings.model.licence, "contexts": settings.contexts, **WITH_KNOWLEDGE}
    write_matrix(measure_job.folder, measure_job.name, vectors=vectors, facts=facts)
    return {
        "dimensions": model.dimensions,
        "texts": len(texts),
        "words_alone": len(words) - len(described),
    }


def _defined(measure_job: MeasureJob, most: int) -> list[Text]:
    """Each word with each of its definitions; a form without one has those of its lemma."""
    definitions = definitions_of(measure_job)
    words = measure_job.vocabulary.words
    headwords = language(measure_job.layout.language).lemmas(words)
    return [
        Text((word, ":", *text.split()), None, at)
        for at, (word, headword) in enumerate(zip(words, headwords, strict=True))
        for text in (definitions.get(word) or definitions.get(headword) or [])[:most]
    ]


def _open_model(measure_job: MeasureJob, settings: Encoder) -> Model:
    files = []
    for part in settings.parts():
        resource = read_resource(measure_job.layout, part.name)
        if resource.skipped:
            raise Skipped(resource.skipped)
        if len(resource.files) != 1:
            raise InputError(
                f"extras.encoders: {part.location} names {len(resource.files)} files, and it must "
                "be one; correct the location."
            )
        files.append(resource.files[0])
    try:
        return Model(*files)
    except ImportError as error:
        raise Skipped(
            f"it needs the package {error.name}: pip install 'wordkin[encoders]'"
        ) from error


class Model:
    """An encoder and its tokenizer."""

    def __init__(self, model: Path, tokenizer: Path) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        try:
            self._tokenizer = Tokenizer.from_file(str(tokenizer))
        except Exception as error:  # the library has no class of its own for a bad file
            raise InputError(f"{tokenizer} is no tokenizer ({error}): get it again.") from error
        self._tokenizer.enable_truncation(MOST_PIECES)
        self._tokenizer.no_padding()
        options = onnxruntime.SessionOptions()
        # Threads take whole batches: sums inside a batch never depend on the number of threads.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        try:
            self._session = onnxruntime.InferenceSession(
                str(model), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:
            reason = str(error).partition("\n")[0]
            raise InputError(f"{model} is no ONNX model ({reason}): get it again.") from error
        self._inputs = {entry.name for entry in self._session.get_inputs()}
        if "input_ids" not in self._inputs:
            raise InputError(f"{model} takes no input_ids: give an encoder of text.")
        self.dimensions = self._states([self._tokenizer.encode("word")]).shape[2]

    def encode(self, texts: Sequence[Text]) -> Iterator[tuple[NDArray[np.int64], Floats]]:
        """The vectors of the texts, one batch at a time, in the order of their lengths."""
        encoded = self._tokenizer.encode_batch(
            [list(text.words) for text in texts], is_pretokenized=True
        )
        order = sorted(range(len(texts)), key=lambda at: (len(encoded[at].ids), at))
        batches = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]

        def pool(batch: list[int]) -> tuple[NDArray[np.int64], Floats]:
            states = self._states([encoded[at] for at in batch])
            rows = [
                _mean(states[row], encoded[at], texts[at].place) for row, at in enumerate(batch)
            ]
            return np.array([texts[at].id for at in batch]), np.array(rows)

        with ThreadPoolExecutor(os.cpu_count()) as threads:
            yield from threads.map(pool, batches)

    def _states(self, encoded: Sequence[Any]) -> Floats:
        """The hidden states: texts x pieces x dimensions."""
        longest = max(len(text.ids) for text in encoded)
        shape = (len(encoded), longest)
        given = {name: np.zeros(shape, np.int64) for name in ("input_ids", "attention_mask")}
        for row, text in enumerate(encoded):
            given["input_ids"][row, : len(text.ids)] = text.ids
            given["attention_mask"][row, : len(text.ids)] = 1
        given["token_type_ids"] = np.zeros(shape, np.int64)
        used = {name: array for name, array in given.items() if name in self._inputs}
        states = np.asarray(self._session.run(None, used)[0], np.float32)
        if states.ndim != 3:
            raise InputError(
                f"The encoder returns {states.ndim} dimensions instead of one hidden state per "
                "piece: give a model that returns last_hidden_state."
            )
        return states


def _mean(states: Floats, encoded: Any, place: int | None) -> Floats:
    """The mean over the pieces of one word of a text, or over all pieces."""
    pieces = range(len(encoded.ids))
    if place is not None:
        own = [at for at in pieces if encoded.word_ids[at] == place]
        pieces = own or pieces  # type: ignore[assignment]
    return np.asarray(states[list(pieces)].mean(axis=0))


def declared(job: Job) -> dict[str, Maker]:
    """The measures that are declared for a language."""
    encoders = job.settings.section(Encoders).root.get(job.layout.language, [])
    return {encoder.name: make for encoder in encoders}


EXTRA = Extra(sections=(Encoders, Dictionaries), declared=declared)

"""Sentence encoders as measures: a word is what the encoder makes of it, alone or in our text.

Alone, a word's vector is the mean of the hidden states of all its pieces. With contexts, it is the
mean over up to `contexts` places of our corpus of the hidden states of the word's own pieces there
(the averaged BERT of Koyyalagunta et al. 2021, section 3.4). With definitions, it is the mean over
the texts `word : definition`.

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

from pipeline.declarations import Declaration, wrong_declarations
from pipeline.extras.contexts import sample_contexts
from pipeline.extras.definitions import Dictionaries, definitions_of
from pipeline.extras.imported import ImportedVectors
from pipeline.fetched import read_resource
from pipeline.languages import language
from pipeline.measures.family import WITH_KNOWLEDGE, Extra, Maker, Skipped, Workplace, taken_names
from pipeline.measures.sparse import Floats
from pipeline.measures.svd import unit_rows
from pipeline.mistakes import KNOWN_KEYS, Whole, between, matching
from pipeline.settings import Check, Section
from pipeline.stage import Job, Metrics
from wordkin.errors import InputError
from wordkin.measures.files import write_matrix


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


def make(workplace: Workplace) -> Metrics:
    """Make a measure from the encoder of the measure's name."""
    encoders = workplace.settings.section(Encoders).root[workplace.layout.language]
    settings = next(encoder for encoder in encoders if encoder.name == workplace.name)
    model = _open_model(workplace, settings)
    words = workplace.vocabulary.words
    texts: list[Text] = []
    if settings.definitions:
        texts = _defined(workplace, settings.definitions)
    elif settings.contexts:
        texts = [
            Text(context.words, context.place, context.id)
            for context in sample_contexts(
                workplace.layout, settings.contexts, settings.width, settings.seed
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
    write_matrix(workplace.folder, workplace.name, vectors=vectors, facts=facts)
    return {
        "dimensions": model.dimensions,
        "texts": len(texts),
        "words_alone": len(words) - len(described),
    }


def _defined(workplace: Workplace, most: int) -> list[Text]:
    """Each word with each of its definitions; a form without one has those of its lemma."""
    definitions = definitions_of(workplace)
    words = workplace.vocabulary.words
    headwords = language(workplace.layout.language).lemmas(words)
    return [
        Text((word, ":", *text.split()), None, at)
        for at, (word, headword) in enumerate(zip(words, headwords, strict=True))
        for text in (definitions.get(word) or definitions.get(headword) or [])[:most]
    ]


def _open_model(workplace: Workplace, settings: Encoder) -> Model:
    files = []
    for part in settings.parts():
        resource = read_resource(workplace.layout, part.name)
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

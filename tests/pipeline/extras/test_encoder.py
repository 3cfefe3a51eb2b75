"""Encoders on a model that looks words up, so that every mean can be worked out by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pipeline.declarations import Declaration
from pipeline.extras.definitions import Dictionaries
from pipeline.extras.encoder import Encoder, EncoderFile, Encoders, Model, Text, sample_contexts
from pipeline.layout import Layout
from pipeline.settings import load_settings
from pipeline.stage import Job, Metrics
from pipeline.stages import stage_named
from pipeline.words import token_shards
from tests.support.encoders import write_encoder
from tests.support.project import make_project, run_stage
from wordkin.errors import InputError
from wordkin.measures.matrix import MatrixMeasure
from wordkin.measures.store import open_measure
from wordkin.vocabulary import Vocabulary


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    layout = make_project(tmp_path_factory.mktemp("encoder"))
    for name in ("fetch", "tokens", "vocabulary", "counts", "npmi", "svd", "fasttext"):
        run_stage(stage_named(name), layout)
    return layout


def states_of(words: list[str], seed: int = 0) -> np.ndarray:
    states = np.random.default_rng(seed).standard_normal((len(words) + 1, 4))
    return (states / np.linalg.norm(states, axis=1, keepdims=True)).astype(np.float32)


def encode(layout: Layout, **changes: int) -> tuple[MatrixMeasure, Metrics, np.ndarray]:
    """Encode the words of the project; also the states of the vocabulary's words."""
    words = Vocabulary.read(layout.vocabulary / "vocabulary.tsv").words
    states = states_of(words)
    files = write_encoder(layout.raw, words, states)
    model, tokenizer = (EncoderFile(location=str(path.relative_to(layout.root))) for path in files)
    (layout.raw / "own.tsv").write_text(f"{words[0]}\t{words[1]} {words[2]}\n")
    settings = load_settings(layout.root / "params.yaml")
    settings = settings.having(
        Encoders({"en": [Encoder("tiny", model, tokenizer, **changes)]}),
        Dictionaries({"en": [Declaration("own", "corpora/en/raw/own.tsv")]}),
    )
    stage_named("fetch").run(Job("fetch", layout, settings))
    metrics = stage_named("extras").run(Job("extras", layout, settings))
    measure = open_measure(
        layout.measure("tiny"), Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    )
    assert isinstance(measure, MatrixMeasure)
    return measure, metrics["measures"]["tiny"], states


def test_words_alone_have_their_own_states(layout: Layout) -> None:
    measure, metrics, states = encode(layout)
    np.testing.assert_allclose(measure.unit_vectors(), states[1:], atol=1e-6)
    assert metrics["words_alone"] == len(states) - 1
    assert measure.facts["knowledge"] is True


def test_in_contexts_only_the_pieces_of_the_word_count(layout: Layout) -> None:
    measure, metrics, states = encode(layout, contexts=3, width=2)
    # The states here do not depend on the context, so their mean is the state of the word.
    np.testing.assert_allclose(measure.unit_vectors(), states[1:], atol=1e-6)
    # Board words that the text does not have are encoded alone.
    absent = int((measure.vocabulary.counts == 0).sum())
    assert metrics["words_alone"] == absent
    assert metrics["texts"] > len(states)


def test_definitions_are_encoded_with_the_word(layout: Layout) -> None:
    measure, metrics, states = encode(layout, definitions=2)
    unknown, first, second, third = states[:4]
    mean = first + unknown + second + third  # word : definition
    np.testing.assert_allclose(measure.unit_vectors()[0], mean / np.linalg.norm(mean), atol=1e-6)
    np.testing.assert_allclose(measure.unit_vectors()[1:], states[2:], atol=1e-6)
    assert metrics["words_alone"] == len(states) - 2


def test_a_context_is_around_its_word_and_chosen_by_the_hash(layout: Layout) -> None:
    words = Vocabulary.read(layout.vocabulary / "vocabulary.tsv").words
    contexts = sample_contexts(layout, 4, 3, seed=0)
    documents = [
        batch.types.take(batch.tokens[low:high]).to_pylist()
        for path in token_shards.shard_files(layout.tokens)
        for batch in token_shards.batches(path)
        for low, high in zip(batch.documents[:-1], batch.documents[1:], strict=True)
    ]
    texts = [" ".join(document) for document in documents]
    for context in contexts:
        assert context.words[context.place] == words[context.id]
        assert len(context.words) <= 7
        assert any(" ".join(context.words) in text for text in texts)
    occurrences = [sum(document.count(word) for document in documents) for word in words]
    taken = np.bincount([context.id for context in contexts], minlength=len(words))
    assert taken.tolist() == [min(4, count) for count in occurrences]
    assert contexts == sample_contexts(layout, 4, 3, seed=0)
    assert contexts != sample_contexts(layout, 4, 3, seed=1)


def test_pieces_are_averaged_and_padding_is_not(tmp_path: Path) -> None:
    states = states_of(["a", "b", "c"])
    model = Model(*write_encoder(tmp_path, ["a", "b", "c"], states))
    texts = [Text(("a", "b", "c"), 1, 0), Text(("c",), None, 1), Text(("a", "b"), None, 2)]
    vectors = dict(
        pair for ids, rows in model.encode(texts) for pair in zip(ids.tolist(), rows, strict=True)
    )
    np.testing.assert_allclose(vectors[0], states[2], atol=1e-6)
    np.testing.assert_allclose(vectors[1], states[3], atol=1e-6)
    np.testing.assert_allclose(vectors[2], (states[1] + states[2]) / 2, atol=1e-6)


def test_damaged_models_and_tokenizers_are_refused(tmp_path: Path) -> None:
    model, tokenizer = write_encoder(tmp_path, ["a"], states_of(["a"]))
    (tmp_path / "bad").write_bytes(model.read_bytes()[:30])
    with pytest.raises(InputError, match="bad is no ONNX model"):
        Model(tmp_path / "bad", tokenizer)
    with pytest.raises(InputError, match="is no tokenizer"):
        Model(model, tmp_path / "bad")

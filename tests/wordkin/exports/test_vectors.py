"""Vectors as text and binary files, read by gensim."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import wordkin
from tests.support.bundles import make_bundle
from wordkin.bundle import Bundle
from wordkin.errors import InputError
from wordkin.exports import FORMATS, vectors


@pytest.mark.parametrize("binary", [False, True])
def test_gensim_reads_the_vectors(bundle: Bundle, tmp_path: Path, binary: bool) -> None:
    gensim = pytest.importorskip("gensim.models")
    vectors.write_word2vec(bundle.measure("svd"), tmp_path / "vectors", binary)
    read = gensim.KeyedVectors.load_word2vec_format(str(tmp_path / "vectors"), binary=binary)
    assert read.index_to_key == bundle.vocabulary.words
    for a, b in (("piano", "violin"), ("piano", "bison")):
        ours = bundle.relatedness(a, b, "svd")
        assert read.similarity(a, b) == pytest.approx(ours, abs=1e-5)


def test_gensim_reads_accented_words(tmp_path: Path) -> None:
    gensim = pytest.importorskip("gensim.models")
    magyar = wordkin.load(make_bundle(tmp_path, "hu"))
    for binary in (False, True):
        vectors.write_word2vec(magyar.measure("svd"), tmp_path / "vectors", binary)
        read = gensim.KeyedVectors.load_word2vec_format(str(tmp_path / "vectors"), binary=binary)
        assert "billentyűzet" in read


def test_a_measure_without_vectors_is_refused(bundle: Bundle, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'npmi' has no vectors"):
        vectors.write_word2vec(bundle.measure("npmi"), tmp_path / "vectors", binary=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("language", ["en", "hu"])
def test_gensim_reads_glove_text_without_a_header(tmp_path: Path, language: str) -> None:
    gensim = pytest.importorskip("gensim.models")
    bundle = wordkin.load(make_bundle(tmp_path, language))
    measure = bundle.measure("svd")
    vectors.write_glove(measure, tmp_path / "glove.txt")
    read = gensim.KeyedVectors.load_word2vec_format(str(tmp_path / "glove.txt"), no_header=True)
    assert read.index_to_key == bundle.vocabulary.words
    np.testing.assert_allclose(read.vectors, measure.vectors, atol=1e-6)


@pytest.mark.parametrize("name", ["word2vec", "word2vec-binary", "glove"])
def test_only_the_vectors_of_a_list_are_written(bundle: Bundle, tmp_path: Path, name: str) -> None:
    gensim = pytest.importorskip("gensim.models")
    measure = bundle.measure("svd")
    skipped = FORMATS[name].write(bundle, measure, tmp_path / "v", ["flute", "zzyzx", "Piano"])
    assert skipped == ["zzyzx"]
    read = gensim.KeyedVectors.load_word2vec_format(
        str(tmp_path / "v"), binary=name == "word2vec-binary", no_header=name == "glove"
    )
    assert read.index_to_key == ["piano", "flute"]
    expected = bundle.relatedness("piano", "flute", "svd")
    assert read.similarity("piano", "flute") == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("name", ["word2vec", "word2vec-binary", "glove"])
def test_the_default_measure_without_vectors_is_refused_for_every_format(
    bundle: Bundle, tmp_path: Path, name: str
) -> None:
    format_ = name.removesuffix("-binary")
    with pytest.raises(InputError, match=f"'graph' has no vectors: .* as {format_}"):
        FORMATS[name].write(bundle, None, tmp_path / "v")
    assert not list(tmp_path.iterdir())

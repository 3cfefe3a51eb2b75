"""Bundles: what is written is what is read, and damage is refused in one sentence."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import wordkin
from pipeline.measures.subwords import learn_subwords
from tests.support.bundles import TOPICS, make_bundle, make_measures, relatedness
from tests.support.docs import DOCS, blocks, page
from wordkin.bundle_folder import write_bundle
from wordkin.errors import InputError, UnknownMeasure
from wordkin.manifest import damaged_files
from wordkin.measures.files import describe, write_matrix, write_measure
from wordkin.measures.learned import LearnedMeasure, rank_knots
from wordkin.measures.measure import spread
from wordkin.vocabulary import Vocabulary


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_bundle(tmp_path / "matrices" / "en")


def rewrite_manifest(folder: Path, **changes: object) -> None:
    path = folder / "bundle.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**manifest, **changes}), encoding="utf-8")


def test_a_bundle_gives_back_what_was_written(folder: Path) -> None:
    words, values = relatedness(TOPICS)
    bundle = wordkin.load(folder)
    assert bundle.language == "en"
    assert bundle.vocabulary.words == words
    assert list(bundle.measures) == ["npmi", "graph", "svd"]
    assert bundle.measure().name == "graph"
    for i, word in enumerate(words):
        np.testing.assert_array_equal(bundle.row(word, "graph"), values[i])
    assert bundle.relatedness("piano", "violin") == pytest.approx(
        values[words.index("piano"), words.index("violin")]
    )
    assert bundle.lemmas[words.index("nursing")] == "nurse"
    assert bundle.manifest["sources"] == [{"name": "tales", "licence": "CC0", "tokens": 12345}]
    assert bundle.manifest["evaluation"]["MEN"]["npmi"]["spearman"] == 0.7


@pytest.fixture
def example(tmp_path: Path) -> wordkin.Bundle:
    """The bundle of docs/reference/bundle.md."""
    words = ["mouse", "piano", "keyboard", "keyboards"]
    vocabulary = Vocabulary(words, [420, 300, 150, 12], [130, 95, 60, 9])
    vocabulary.write(tmp_path / "vocabulary.tsv")
    pairs: dict[str, NDArray[Any]] = {
        "indptr": np.array([0, 1, 2, 4, 4], dtype=np.int64),
        "indices": np.array([2, 2, 0, 1], dtype=np.uint16),
        "values": np.array([0.61, 0.45, 0.61, 0.45], dtype=np.float32),
    }
    write_measure(tmp_path / "npmi", "npmi", "matrix", 4, pairs)
    vectors = np.array([[1, 0], [0.6, 0.8], [0.8, 0.6], [0.8, 0.6]], np.float32)
    write_matrix(tmp_path / "svd", "svd", vectors=vectors)
    parts = [
        {"measure": "npmi", "weight": 1.0, "mean": 0.2, "deviation": 0.2},
        {"measure": "svd", "weight": 2.0, "mean": 0.5, "deviation": 0.25},
    ]
    write_measure(tmp_path / "blend", "blend", "blend", 4, facts={"parts": parts})
    below = [0, -1, -2, -3, -4]
    knots = np.array([[[highest, *below]] for highest in (0.61, 0.45, 0.61, 0)], np.float32)
    terms = {
        "frequency": {"measure": "frequency", "weight": 0.3, "mean": 9.0, "deviation": 2.0},
        "parts": [{"measure": "npmi", "weight": 1.5, "mean": 0.2, "deviation": 0.2}],
        "standing": [{"measure": "npmi", "weight": 0.5, "mean": -1.0, "deviation": 0.5}],
    }
    write_measure(tmp_path / "human", "human", "learned", 4, {"knots": knots}, terms)
    write_bundle(
        tmp_path / "bundle",
        language="en",
        vocabulary=tmp_path / "vocabulary.tsv",
        measures={name: tmp_path / name for name in ("npmi", "svd", "blend", "human")},
        default="npmi",
        lemmas=["mouse", "piano", "keyboard", "keyboard"],
        subwords=learn_subwords(vocabulary, vectors),
    )
    return wordkin.load(tmp_path / "bundle")


def test_the_example_of_the_documentation_has_the_values_it_says(example: wordkin.Bundle) -> None:
    assert example.relatedness("mouse", "keyboard") == pytest.approx(0.61)
    assert example.relatedness("keyboard", "piano") == pytest.approx(0.45)
    assert example.row("keyboards").tolist() == [0, 0, 0, 0]
    assert example.relatedness("mouse", "keyboard", "svd") == pytest.approx(0.8)
    assert example.relatedness("mouse", "keyboard", "blend") == pytest.approx(1.483, abs=1e-3)
    human = example.measure("human")
    assert isinstance(human, LearnedMeasure)
    np.testing.assert_array_equal(human.knots[:, 0], rank_knots(example.measure("npmi")))
    standing = 0.0  # 0.61 is the highest value of both words
    terms = [1.5 * (0.61 - 0.2) / 0.2, 0.5 * (standing + 1) / 0.5]
    frequency = 0.3 * (np.log(421) + np.log(151) - 9) / 2
    expected = 0.2 * (sum(terms) + frequency)
    assert example.relatedness("mouse", "keyboard", "human") == pytest.approx(expected, rel=1e-5)


def test_the_example_of_the_documentation_has_the_files_it_says(example: wordkin.Bundle) -> None:
    text = page("reference/bundle.md")
    tree = text.split("    bundle/\n")[1].split("\n\n")[0].splitlines()
    listed = {line.strip() for line in tree[:3]} - {"bundle.json"}
    for line in tree[3:]:
        folder, *files = line.split()
        listed |= {folder + file for file in files}
    assert set(example.manifest["files"]) == listed
    shown = [json.loads(block) for block in blocks(DOCS / "reference/bundle.md", "json")]
    for facts in shown:
        assert facts == describe(example.folder / facts["measure"])
    keys = {key.strip("`") for key in re.findall(r"^\| (`[^|]+`) \|", text, re.MULTILINE)}
    for name in ("npmi", "svd"):
        arrays = describe(example.folder / name)["arrays"]
        assert set(arrays) <= keys
        for array in arrays:
            numbers = re.search(rf"{name}/{array}\.npy +\w+\s+([\d.\s]+)", text)
            assert numbers
            stored = np.load(example.folder / name / f"{array}.npy")
            np.testing.assert_allclose(
                np.array(numbers[1].split(), dtype=float), stored.ravel(), rtol=1e-6
            )


def test_the_same_build_has_the_same_bytes(tmp_path: Path) -> None:
    first, second = make_bundle(tmp_path / "a"), make_bundle(tmp_path / "b")
    names = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
    assert names == sorted(p.relative_to(second) for p in second.rglob("*") if p.is_file())
    for name in names:
        assert (first / name).read_bytes() == (second / name).read_bytes(), name


def test_a_bundle_can_be_moved(folder: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere"
    shutil.move(folder, moved)
    shutil.rmtree(tmp_path / "matrices")
    assert wordkin.load(moved).nearest("piano", 1)[0][1] > 0.5


def test_a_new_bundle_replaces_an_old_one_as_a_whole(folder: Path) -> None:
    (folder / "left-over.npy").write_bytes(b"old")
    make_bundle(folder.parent)
    assert not (folder / "left-over.npy").exists()
    assert damaged_files(folder) == []
    assert not [path for path in folder.parent.iterdir() if path.suffix in {".part", ".old"}]


def test_measures_of_another_build_are_not_published(tmp_path: Path) -> None:
    words, values = relatedness(TOPICS)
    Vocabulary(words[:-1], range(len(words) - 1), range(len(words) - 1)).write(tmp_path / "v.tsv")
    with pytest.raises(InputError, match="come from different builds"):
        write_bundle(
            tmp_path / "bundle",
            language="en",
            vocabulary=tmp_path / "v.tsv",
            measures=make_measures(tmp_path, values),
            default="npmi",
        )
    assert not (tmp_path / "bundle").exists()


def test_the_default_measure_must_be_published(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'fasttext' is not among"):
        write_bundle(
            tmp_path / "bundle",
            language="en",
            vocabulary=tmp_path / "vocabulary.tsv",
            measures={},
            default="fasttext",
        )


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-7])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(bytes(content))


BROKEN = {
    "no bundle.json": (lambda b: (b / "bundle.json").unlink(), "There is no bundle|not a bundle"),
    "bundle.json is cut": (lambda b: cut(b / "bundle.json"), "bundle.json is damaged"),
    "bundle.json is of something else": (
        lambda b: (b / "bundle.json").write_text('{"format": "zip"}'),
        "does not describe a wordkin bundle",
    ),
    "bundle.json is a list": (
        lambda b: (b / "bundle.json").write_text("[1]"),
        "does not describe a wordkin bundle",
    ),
    "bundle.json lacks a key": (
        lambda b: (b / "bundle.json").write_text('{"format": "wordkin-bundle", "version": 1}'),
        "is not complete",
    ),
    "bundle.json has no sizes": (
        lambda b: rewrite_manifest(b, files={"vocabulary.tsv": {}}),
        "is not complete",
    ),
    "bundle.json names its files in a list": (
        lambda b: rewrite_manifest(b, files=["vocabulary.tsv"]),
        "is not complete",
    ),
    "bundle.json has measures without names": (
        lambda b: rewrite_manifest(b, measures=[{"kind": "csr"}]),
        "is not complete",
    ),
    "bundle.json is of a newer format": (
        lambda b: rewrite_manifest(b, version=5),
        "format version 5.*update wordkin",
    ),
    "an array is missing": (lambda b: (b / "npmi/values.npy").unlink(), "npmi/values.npy is miss"),
    "an array is cut": (lambda b: cut(b / "graph/values.npy"), "graph/values.npy has .* bytes"),
    "the vocabulary is cut": (lambda b: cut(b / "vocabulary.tsv"), "vocabulary.tsv has .* bytes"),
    "bundle.json has another number of words": (
        lambda b: rewrite_manifest(b, words=3),
        "80 words instead of 3",
    ),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_damaged_bundle_is_refused_in_one_sentence(folder: Path, how: str) -> None:
    damage, sentence = BROKEN[how]
    damage(folder)
    with pytest.raises(InputError, match=sentence) as caught:
        wordkin.load(folder)
    assert "\n" not in str(caught.value)


def test_a_flipped_bit_is_found_by_its_hash(folder: Path) -> None:
    flip(folder / "graph" / "values.npy")
    (folder / "lemmas.tsv").unlink()
    assert damaged_files(folder) == ["graph/values.npy", "lemmas.tsv"]


def test_lemmas_of_other_words_are_refused(folder: Path) -> None:
    path = folder / "lemmas.tsv"
    path.write_text(path.read_text().replace("nursing\t", "nursinx\t"))
    with pytest.raises(InputError, match="does not fit the vocabulary"):
        _ = wordkin.load(folder).lemmas


def test_only_words_that_are_not_their_own_lemma_are_listed(folder: Path) -> None:
    assert (folder / "lemmas.tsv").read_text() == "word\tlemma\nnursing\tnurse\n"


def test_pickled_arrays_are_never_loaded(folder: Path) -> None:
    target = folder / "graph" / "values.npy"
    np.save(target, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    manifest = json.loads((folder / "bundle.json").read_text())
    manifest["files"]["graph/values.npy"]["bytes"] = target.stat().st_size
    rewrite_manifest(folder, files=manifest["files"])
    with pytest.raises(InputError, match=r"Cannot read the array .*values\.npy"):
        wordkin.load(folder).measure("graph")


@pytest.mark.parametrize("name", ["nmpi", "nmpi+svd"])
def test_an_unknown_measure_is_named_with_the_known_ones(folder: Path, name: str) -> None:
    with pytest.raises(UnknownMeasure, match="no measure 'nmpi': it has npmi, graph, svd") as error:
        wordkin.load(folder).measure(name)
    assert str(error.value).endswith("it has npmi, graph, svd.")


def test_the_measures_behave_like_a_dictionary(folder: Path) -> None:
    measures = wordkin.load(folder).measures
    assert measures.get("nmpi") is None
    assert "nmpi" not in measures
    assert len(measures) == len(list(measures.items())) == 3
    assert measures.get("npmi") is measures["npmi"]
    with pytest.raises(UnknownMeasure, match="no measure 'nmpi'"):
        measures["nmpi"]


def test_a_path_without_a_bundle_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no bundle at .*nowhere"):
        wordkin.load(tmp_path / "nowhere")
    with pytest.raises(InputError, match="is not a bundle: give a folder"):
        wordkin.load(tmp_path)


def test_a_blend_by_name_is_the_mean_of_standardised_measures(folder: Path) -> None:
    bundle = wordkin.load(folder)
    blend = bundle.measure("graph:2+svd")
    assert blend is bundle.measure("graph:2+svd")
    assert blend.name == "graph:2+svd"
    means, deviations = zip(*(spread(bundle.measure(m)) for m in ("graph", "svd")), strict=True)
    rows = np.array([bundle.row("piano", m) for m in ("graph", "svd")])
    graph, svd = (rows - np.reshape(means, (2, 1))) / np.reshape(deviations, (2, 1))
    np.testing.assert_allclose(blend.row("piano")[1:], (2 * graph + svd)[1:] / 3, atol=1e-5)
    assert blend.row("piano")[0] == 0
    explanation = bundle.explain("piano", "mouse", "graph:2+svd")
    assert explanation.relatedness == pytest.approx(blend.relatedness("piano", "mouse"))


def test_a_published_blend_needs_its_parts(tmp_path: Path) -> None:
    words, values = relatedness(TOPICS)
    Vocabulary(words, range(len(words)), range(len(words))).write(tmp_path / "vocabulary.tsv")
    measures = make_measures(tmp_path, values)
    parts = [
        {"measure": name, "weight": 1.0, "mean": 0.1, "deviation": 0.2} for name in ("npmi", "svd")
    ]
    write_measure(tmp_path / "blend", "blend", "blend", len(words), facts={"parts": parts})

    def publish(*names: str) -> wordkin.Bundle:
        write_bundle(
            tmp_path / "bundle",
            language="en",
            vocabulary=tmp_path / "vocabulary.tsv",
            measures={name: tmp_path / name for name in names},
            default="blend",
        )
        return wordkin.load(tmp_path / "bundle")

    both = publish("blend", *measures)
    plain = sum((both.row("piano", name) - 0.1) / 0.2 for name in ("npmi", "svd")) / 2
    np.testing.assert_allclose(both.row("piano")[1:], plain[1:], rtol=1e-4, atol=1e-5)
    with pytest.raises(InputError, match="'blend' is made of 'svd' among others: publish that too"):
        publish("blend", "npmi")


@pytest.mark.parametrize("text", ["npmi+", "npmi:0+svd", "npmi:x+svd", "npmi:inf+svd", "+"])
def test_the_text_of_a_blend_needs_names_and_positive_weights(folder: Path, text: str) -> None:
    with pytest.raises(InputError, match="not a blend of measures"):
        wordkin.load(folder).measure(text)

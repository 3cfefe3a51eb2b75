"""Publishing: the folders of the stages become a bundle that says how they were made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import wordkin
from pipeline.layout import Layout
from pipeline.publish import publish
from pipeline.settings import Compact, Light, Publish, SubwordSize
from tests.support.bundles import TOPICS, make_measures, relatedness
from tests.support.corpora import files
from tests.support.small_language import write_json
from wordkin.errors import InputError
from wordkin.manifest import damaged_files
from wordkin.measures.temperature import rank_temperature
from wordkin.vocabulary import Vocabulary

SETTINGS = Publish(measures=["npmi", "graph"], default="graph", store="full")
WITH_VECTORS = Publish(measures=["npmi", "svd"], default="npmi", store="full")


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """A project after all stages except publish."""
    layout = Layout(tmp_path, "en")
    words, values = relatedness(TOPICS)
    words[words.index("cat")] = "cats"
    layout.vocabulary.mkdir(parents=True)
    counts = range(len(words), 0, -1)
    Vocabulary(words, counts, counts).write(layout.vocabulary / "vocabulary.tsv")
    make_measures(layout.matrices, values)
    return layout


def test_the_bundle_opens_and_has_the_measures_of_the_settings(layout: Layout) -> None:
    metrics = publish.make_bundle(layout, SETTINGS)
    bundle = wordkin.load(layout.bundle)
    assert list(bundle.measures) == ["npmi", "graph"]
    assert bundle.default == "graph"
    assert damaged_files(layout.bundle) == []
    assert metrics["files"] == len(bundle.manifest["files"])
    assert metrics["bytes"] == sum(file["bytes"] for file in bundle.manifest["files"].values())


def test_temperatures_are_from_rounds_where_there_are_some(layout: Layout) -> None:
    publish.make_bundle(layout, SETTINGS)
    by_ranks = wordkin.load(layout.bundle).manifest["guesser"]
    assert {facts["from"] for facts in by_ranks.values()} == {"ranks"}
    write_json(layout.metrics("human"), {"rounds": 9, "temperatures": {"graph": 0.5, "svd": 3}})
    publish.make_bundle(layout, SETTINGS)
    bundle = wordkin.load(layout.bundle)
    recorded = {"temperature": 0.5, "from": "rounds"}
    assert bundle.manifest["guesser"] == {"npmi": by_ranks["npmi"], "graph": recorded}
    assert bundle.temperature() == 0.5
    measure = bundle.measure("npmi")
    assert bundle.temperature("npmi") == pytest.approx(rank_temperature(measure), rel=1e-3)


@pytest.mark.parametrize("text", ["[]", "{", '{"temperatures": {"graph": "hot"}}'])
def test_damaged_figures_of_people_are_refused(layout: Layout, text: str) -> None:
    layout.metrics("human").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"human\.json is damaged: run its stage again"):
        publish.make_bundle(layout, SETTINGS)


def test_lemmas_come_from_the_language(layout: Layout) -> None:
    publish.make_bundle(layout, SETTINGS)
    bundle = wordkin.load(layout.bundle)
    assert bundle.lemmas[bundle.vocabulary.id("cats")] == "cat"
    assert bundle.lemmas[bundle.vocabulary.id("piano")] == "piano"


def test_the_manifest_says_where_the_words_came_from(layout: Layout) -> None:
    source = {"name": "tales", "location": "tales.txt", "licence": "CC0", "files": [{"bytes": 1}]}
    write_json(layout.sources, {"language": "en", "sources": [source]})
    counted = {"documents": 7, "tokens": 1000, "bytes": 5, "dropped": {"copies": 2}}
    corpus = {"documents": 7, "tokens": 1000, "sources": {"tales": counted}}
    write_json(layout.metrics("tokens"), corpus)
    scores = {"MEN": {"npmi": {"spearman": 0.7}}}
    write_json(layout.metrics("report"), {"gold": scores})
    publish.make_bundle(layout, SETTINGS, {"counts": {"window": 10}})
    manifest = wordkin.load(layout.bundle).manifest
    assert manifest["sources"] == [
        {
            "name": "tales",
            "location": "tales.txt",
            "licence": "CC0",
            "documents": 7,
            "tokens": 1000,
            "dropped": {"copies": 2},
        }
    ]
    assert (manifest["tokens"], manifest["documents"]) == (1000, 7)
    assert manifest["evaluation"] == scores
    assert manifest["parameters"] == {"counts": {"window": 10}}


def test_the_same_matrices_give_the_same_bytes(layout: Layout) -> None:
    publish.make_bundle(layout, SETTINGS)
    first = files(layout.bundle)
    publish.make_bundle(layout, SETTINGS)
    assert files(layout.bundle) == first


def test_large_arrays_are_linked_and_not_copied(layout: Layout) -> None:
    publish.make_bundle(layout, SETTINGS)
    made, published = (f / "graph" / "values.npy" for f in (layout.matrices, layout.bundle))
    assert made.stat().st_ino == published.stat().st_ino


def test_a_measure_that_was_not_made_is_named(layout: Layout) -> None:
    with pytest.raises(InputError, match=r"names 'fasttext'.*run that stage first"):
        publish.make_bundle(
            layout, Publish(measures=["npmi", "fasttext"], default="npmi", store="full")
        )
    assert not layout.bundle.exists()


@pytest.mark.parametrize("content", ["{", "[1]"])
def test_damaged_figures_are_refused(layout: Layout, content: str) -> None:
    layout.metrics("tokens").parent.mkdir(parents=True, exist_ok=True)
    layout.metrics("tokens").write_text(content)
    with pytest.raises(InputError, match=r"metrics\.json is"):
        publish.make_bundle(layout, SETTINGS)


def test_with_vectors_any_word_can_be_resolved(layout: Layout) -> None:
    metrics = publish.make_bundle(layout, WITH_VECTORS)
    assert metrics["subwords"] == "svd"
    bundle = wordkin.load(layout.bundle)
    assert [step.how for step in bundle.resolve("zzyzx").via] == ["subwords"]
    assert "subwords/grams.npy" in bundle.manifest["files"]
    first = files(layout.bundle)
    publish.make_bundle(layout, WITH_VECTORS)
    assert files(layout.bundle) == first


@pytest.mark.parametrize("store", ["compact", "light"])
def test_a_small_store_answers_like_the_full_one(
    layout: Layout, store: Literal["compact", "light"]
) -> None:
    settings = replace(
        WITH_VECTORS,
        measures=["npmi", "graph", "svd"],
        default="graph",
        compact=Compact(closest=100, dimensions=80),
        light=Light(pairs=6400, dimensions=80),
    )
    publish.make_bundle(layout, settings)
    full = wordkin.load(layout.bundle)
    expected = {name: full.measures[name].rows(range(20)) for name in full.measures}
    metrics = publish.make_bundle(layout, replace(settings, store=store))
    bundle = wordkin.load(layout.bundle)
    assert metrics["store"] == bundle.manifest["store"] == store
    assert list(bundle.measures) == (["graph"] if store == "light" else ["npmi", "graph", "svd"])
    for name, measure in bundle.measures.items():
        assert measure.facts["kind"] == "matrix"
        np.testing.assert_allclose(measure.rows(range(20)), expected[name], atol=0.02)
    assert [step.how for step in bundle.resolve("zzyzx").via] == ["subwords"]
    assert damaged_files(layout.bundle) == []


def test_a_light_bundle_may_have_smaller_subwords(layout: Layout) -> None:
    sizes = []
    for subwords in (SubwordSize(), SubwordSize(64, 8, 5)):
        light = replace(WITH_VECTORS, store="light", light=Light(subwords=subwords))
        sizes.append(publish.make_bundle(layout, light)["bytes"])
        assert wordkin.load(layout.bundle).resolve("zzyzx").words
    assert sizes[1] < sizes[0]


def test_without_vectors_there_are_no_subwords(layout: Layout) -> None:
    assert publish.make_bundle(layout, SETTINGS)["subwords"] is None
    assert not (layout.bundle / "subwords").exists()

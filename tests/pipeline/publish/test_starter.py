"""Starter bundles: built from `starter.yaml` beside the project's own build."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.declarations import Source
from pipeline.publish import starter
from pipeline.settings import Settings, load_settings
from tests.support.corpora import files
from tests.support.project import LANGUAGE, make_project
from wordkin import load
from wordkin.errors import InputError
from wordkin.manifest import damaged_files

STARTER = """
languages:
  en:
    size: 30
    without: [unwanted]
    sources: [{name: more, location: corpora/en/raw/text.txt, format: text, licence: MIT}]
blend:
  weights: {svd: 2, npmi: 1}
light:
  pairs: 240
  dimensions: 6
  subwords: {buckets: 64, dimensions: 4, words: 20}
"""


def project_settings(root: Path) -> Settings:
    """The settings of the small project, with a licence and an unwanted source."""
    settings = load_settings(root / "params.yaml")
    language = settings.of(LANGUAGE)
    text = root / "corpora" / LANGUAGE / "raw" / "text.txt"
    sources = [
        replace(language.sources[0], location=str(text), licence="CC BY 4.0"),
        Source(name="unwanted", location="nowhere.txt"),
    ]
    rounds = {LANGUAGE: replace(settings.human.rounds[LANGUAGE], location=str(
        text.parent / "rounds.jsonl"
    ))}  # fmt: skip
    human = replace(settings.human, rounds=rounds)
    return replace(settings.having(human), languages={LANGUAGE: replace(language, sources=sources)})


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with its starter bundle."""
    folder = tmp_path_factory.mktemp("starter")
    make_project(folder)
    text = folder / "corpora" / LANGUAGE / "raw" / "text.txt"
    gold = folder / "eval" / "gold.yaml"
    gold.write_text(gold.read_text().replace("corpora/en/raw", str(text.parent)))
    (folder / "starter.yaml").write_text(STARTER.replace("corpora/en/raw/text.txt", str(text)))
    starter.make_starters(folder, project_settings(folder), [])
    return folder


def test_the_bundle_has_one_measure_and_answers_any_word(root: Path) -> None:
    bundle = load(root / "wordkin" / "starter" / LANGUAGE)
    assert list(bundle.measures) == ["blend"]
    assert bundle.manifest["store"] == "light"
    assert bundle.relatedness("piano", "violin") > bundle.relatedness("piano", "whale")
    assert not bundle.resolve("pianissimo").known
    assert damaged_files(bundle.folder) == []


def test_the_sources_are_those_of_the_project_without_some_and_with_more(root: Path) -> None:
    bundle = load(root / "wordkin" / "starter" / LANGUAGE)
    assert [source["name"] for source in bundle.manifest["sources"]] == ["more", "own"]


def test_the_card_says_from_what_text_with_what_settings_and_how_good(root: Path) -> None:
    bundle = load(root / "wordkin" / "starter" / LANGUAGE)
    text = (bundle.folder / starter.CARD).read_text(encoding="utf-8")
    assert "| own |" in text and "CC BY 4.0" in text
    assert "weights (npmi 1.0, svd 2.0)" in text
    score = bundle.manifest["evaluation"]["own"]["blend"]["spearman_all"]
    assert f"{score:.3f} |" in text
    assert "people's choices, P@n | 12 rounds" in text


def test_the_same_texts_make_the_same_bytes(root: Path) -> None:
    into = root / "wordkin" / "starter" / LANGUAGE
    before = files(into)
    starter.make_starters(root, project_settings(root), [LANGUAGE])
    assert files(into) == before


def test_a_bundle_that_is_too_large_is_refused_and_the_old_one_stays(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    into = root / "wordkin" / "starter" / LANGUAGE
    before = files(into)
    monkeypatch.setattr(starter, "MOST_BYTES", 1000)
    with pytest.raises(InputError, match=r"more than 1,000: lower vocabulary\.size"):
        starter.make_starters(root, project_settings(root), [])
    assert files(into) == before


def test_a_language_that_starter_yaml_does_not_declare_is_refused(root: Path) -> None:
    with pytest.raises(InputError, match=r"starter\.yaml has no language 'fi' \(there: en\)"):
        starter.make_starters(root, project_settings(root), ["fi"])

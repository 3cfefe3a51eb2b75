"""Counts that are kept: a new source is all that is counted, and nothing else can be told."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.corpus import token_shards
from pipeline.counting import counts
from pipeline.counting.counts import describe
from pipeline.engine import InProcessEngine
from pipeline.layout import Layout
from pipeline.settings import Counts
from tests.support.corpora import WORDS, files, random_documents, write_source, write_vocabulary

SOURCES = {"films": random_documents(1), "news": random_documents(2), "wiki": random_documents(3)}


def make(root: Path, sources: list[str], words: list[str] = WORDS) -> Layout:
    layout = Layout(root, "xx")
    for source in sources:
        write_source(layout, source, SOURCES[source], 2)
    write_vocabulary(layout, words)
    return layout


def run(layout: Layout, settings: Counts | None = None) -> dict[str, Any]:
    """Run the stage as DVC does, which removes its output first; what it tells."""
    shutil.rmtree(layout.counts, ignore_errors=True)
    return counts.make_counts(layout, settings or Counts(), 64, InProcessEngine(2))


def told(metrics: dict[str, Any]) -> dict[str, str]:
    return {name: source["counted"] for name, source in metrics["sources"].items()}


def from_scratch(layout: Layout, settings: Counts | None = None) -> dict[str, bytes]:
    """The counts of the same tokens and vocabulary, of which nothing was known before."""
    other = Layout(layout.root / "scratch", "xx")
    shutil.rmtree(other.root, ignore_errors=True)
    shutil.copytree(layout.tokens, other.tokens)
    shutil.copytree(layout.vocabulary, other.vocabulary)
    run(other, settings)
    return files(other.counts)


def test_a_new_source_is_all_that_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout = make(tmp_path, ["films", "news"])
    first = run(layout)
    assert told(first) == {"films": "new", "news": "new"}
    write_source(layout, "wiki", SOURCES["wiki"], 3)
    read: list[str] = []
    batches = token_shards.batches
    monkeypatch.setattr(token_shards, "batches", lambda p: read.append(p.parent.name) or batches(p))
    metrics = run(layout)
    assert read == ["wiki"] * 3
    assert told(metrics) == {"films": "before", "news": "before", "wiki": "new"}
    assert "1 counted (not counted before), 2 known from before" in describe(metrics)
    assert files(layout.counts) == from_scratch(layout)


def test_when_nothing_changed_nothing_is_counted(tmp_path: Path) -> None:
    layout = make(tmp_path, ["films", "news"])
    run(layout)
    before = files(layout.counts)
    metrics = run(layout)
    assert set(told(metrics).values()) == {"before"}
    assert (metrics["tasks"], metrics["shuffled_bytes"]) == (0, 0)
    assert files(layout.counts) == before


@pytest.mark.parametrize("words", [WORDS[::-1], WORDS[:-1], [*WORDS, "z"]])
def test_another_vocabulary_means_to_count_everything_and_is_told(
    tmp_path: Path, words: list[str]
) -> None:
    layout = make(tmp_path, ["films", "news"])
    run(layout)
    write_vocabulary(layout, words)
    metrics = run(layout)
    assert told(metrics) == {"films": "vocabulary", "news": "vocabulary"}
    assert "2 counted (the vocabulary changed, so everything is counted again)" in describe(metrics)
    assert files(layout.counts) == from_scratch(layout)


@pytest.mark.parametrize(
    "settings",
    [
        Counts(window=3),
        Counts(weighting="uniform"),
        Counts(boundary="line"),
        Counts(stop_words="keep"),
    ],
)
def test_other_settings_mean_to_count_everything(tmp_path: Path, settings: Counts) -> None:
    layout = make(tmp_path, ["films", "news"])
    run(layout)
    before = files(layout.counts)
    assert set(told(run(layout, settings)).values()) == {"settings"}
    assert files(layout.counts) == from_scratch(layout, settings) != before


def test_stop_words_belong_to_the_vocabulary(tmp_path: Path) -> None:
    layout = make(tmp_path, ["films"])
    run(layout)
    (layout.vocabulary / "stop_words.txt").write_text("x\n")
    assert told(run(layout)) == {"films": "vocabulary"}
    assert files(layout.counts) == from_scratch(layout)


def test_a_source_whose_text_changed_is_counted_again(tmp_path: Path) -> None:
    # As when another source that comes first now has a document of it, and this one loses it.
    layout = make(tmp_path, ["films", "news"])
    run(layout)
    write_source(layout, "news", SOURCES["news"][1:], 2)
    metrics = run(layout)
    assert told(metrics) == {"films": "before", "news": "text"}
    assert files(layout.counts) == from_scratch(layout)


def test_the_order_of_parts_and_the_place_of_the_project_do_not_matter(tmp_path: Path) -> None:
    layout = make(tmp_path / "one", ["films"])
    run(layout)
    one, two = token_shards.shard_files(layout.tokens)
    first, second = one.read_bytes(), two.read_bytes()
    one.write_bytes(second)
    two.write_bytes(first)
    moved = Layout((tmp_path / "one").rename(tmp_path / "other"), "xx")
    assert told(run(moved)) == {"films": "before"}


def test_a_source_that_is_gone_takes_its_counts_along(tmp_path: Path) -> None:
    layout = make(tmp_path, ["films", "news"])
    run(layout)
    (layout.counted / "films.blocks.part").write_bytes(b"left by a run that was killed")
    shutil.rmtree(layout.tokens / "news")
    assert told(run(layout)) == {"films": "before"}
    assert [path.name for path in layout.counted.iterdir()] == ["films.blocks"]
    assert files(layout.counts) == from_scratch(layout)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data + b"x",
        lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
        lambda data: b"{}\n" + data,
        lambda data: data.replace(b'"text"', b'"tent"'),
    ],
)
def test_damaged_counts_are_made_again(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    layout = make(tmp_path, ["films", "news"])
    run(layout)
    before = files(layout.counts)
    path = layout.counted / "films.blocks"
    path.write_bytes(damage(path.read_bytes()))
    assert told(run(layout)) == {"films": "new", "news": "before"}
    assert files(layout.counts) == before

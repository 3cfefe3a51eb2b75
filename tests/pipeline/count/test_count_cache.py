"""The cache of counts: only a new source is counted, and the result is the same as from scratch."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.count import counts
from pipeline.count.codes import Counts
from pipeline.count.counts import describe
from pipeline.engine import InProcessEngine
from pipeline.layout import Layout
from pipeline.stage import RUN
from pipeline.words import token_shards
from tests.support.corpora import WORDS, files, random_documents, write_source, write_vocabulary

SOURCES = {"films": random_documents(1), "news": random_documents(2), "wiki": random_documents(3)}


def make(root: Path, sources: list[str], words: list[str] = WORDS) -> Layout:
    layout = Layout(root, "xx")
    for source in sources:
        write_source(layout, source, SOURCES[source], 2)
    write_vocabulary(layout, words)
    return layout


def run(layout: Layout, settings: Counts | None = None) -> dict[str, Any]:
    """Run the stage as DVC does, which removes its output first; returns the metrics."""
    shutil.rmtree(layout.counts, ignore_errors=True)
    return counts.make_counts(layout, settings or Counts(), 64, InProcessEngine(2))


def reasons(metrics: dict[str, Any]) -> dict[str, str]:
    """Why each source was counted; `before` if it was not."""
    return dict(metrics[RUN]["counted"])


def from_scratch(layout: Layout, settings: Counts | None = None) -> dict[str, bytes]:
    """The counts of the same tokens and vocabulary, made without a cache."""
    other = Layout(layout.root / "scratch", "xx")
    shutil.rmtree(other.root, ignore_errors=True)
    shutil.copytree(layout.tokens, other.tokens)
    shutil.copytree(layout.vocabulary, other.vocabulary)
    run(other, settings)
    return files(other.counts)


def test_only_a_new_source_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = make(tmp_path, ["films", "news"])
    first = run(layout)
    assert reasons(first) == {"films": "new", "news": "new"}
    write_source(layout, "wiki", SOURCES["wiki"], 3)
    read: list[str] = []
    batches = token_shards.batches
    monkeypatch.setattr(token_shards, "batches", lambda p: read.append(p.parent.name) or batches(p))
    metrics = run(layout)
    assert read == ["wiki"] * 3
    assert reasons(metrics) == {"films": "before", "news": "before", "wiki": "new"}
    assert "1 counted (not counted before), 2 known from before" in describe(metrics)
    assert files(layout.counts) == from_scratch(layout)


def test_nothing_is_counted_when_nothing_changed(tmp_path: Path) -> None:
    layout = make(tmp_path, ["films", "news"])
    run(layout)
    before = files(layout.counts)
    metrics = run(layout)
    assert set(reasons(metrics).values()) == {"before"}
    assert (metrics[RUN]["tasks"], metrics[RUN]["shuffled_bytes"]) == (0, 0)
    assert files(layout.counts) == before


@pytest.mark.parametrize("words", [WORDS[::-1], WORDS[:-1], [*WORDS, "z"], []])
def test_other_words_or_stop_words_recount_everything_and_the_summary_says_so(
    tmp_path: Path, words: list[str]
) -> None:
    layout = make(tmp_path, ["films", "news"])
    run(layout)
    if words:
        write_vocabulary(layout, words)
    else:
        (layout.vocabulary / "stop_words.txt").write_text("x\n")
    metrics = run(layout)
    assert reasons(metrics) == {"films": "vocabulary", "news": "vocabulary"}
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
def test_other_settings_recount_everything(tmp_path: Path, settings: Counts) -> None:
    layout = make(tmp_path, ["films", "news"])
    run(layout)
    before = files(layout.counts)
    assert set(reasons(run(layout, settings)).values()) == {"settings"}
    assert files(layout.counts) == from_scratch(layout, settings) != before


def test_a_source_whose_text_changed_is_recounted(tmp_path: Path) -> None:
    # For example when an earlier source now has one of its documents, which it loses.
    layout = make(tmp_path, ["films", "news"])
    run(layout)
    write_source(layout, "news", SOURCES["news"][1:], 2)
    metrics = run(layout)
    assert reasons(metrics) == {"films": "before", "news": "text"}
    assert files(layout.counts) == from_scratch(layout)


def test_the_order_of_shards_and_the_folder_of_the_project_do_not_matter(tmp_path: Path) -> None:
    layout = make(tmp_path / "one", ["films"])
    run(layout)
    one, two = token_shards.shard_files(layout.tokens)
    first, second = one.read_bytes(), two.read_bytes()
    one.write_bytes(second)
    two.write_bytes(first)
    moved = Layout((tmp_path / "one").rename(tmp_path / "other"), "xx")
    assert reasons(run(moved)) == {"films": "before"}


def test_the_counts_of_a_source_that_is_gone_are_removed(tmp_path: Path) -> None:
    layout = make(tmp_path, ["films", "news"])
    run(layout)
    (layout.count_cache / "films.blocks.part").write_bytes(b"left by a run that was killed")
    shutil.rmtree(layout.tokens / "news")
    assert reasons(run(layout)) == {"films": "before"}
    assert [path.name for path in layout.count_cache.iterdir()] == ["films.blocks"]
    assert files(layout.counts) == from_scratch(layout)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data + b"x",
        lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
        lambda data: b"{}\n" + data,
    ],
)
def test_damaged_counts_are_made_again(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    layout = make(tmp_path, ["films", "news"])
    run(layout)
    before = files(layout.counts)
    path = layout.count_cache / "films.blocks"
    path.write_bytes(damage(path.read_bytes()))
    assert reasons(run(layout)) == {"films": "new", "news": "before"}
    assert files(layout.counts) == before


def test_another_program_recounts_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout = make(tmp_path, ["films", "news"])
    run(layout)
    module = tmp_path / "windows.py"
    text = counts.PROGRAM[-2].read_text(encoding="utf-8")
    monkeypatch.setattr(counts, "PROGRAM", (*counts.PROGRAM[:-2], module, counts.PROGRAM[-1]))
    module.write_text(f"# A comment.\n{text}", encoding="utf-8")
    assert set(reasons(run(layout)).values()) == {"before"}
    module.write_text(f"{text}\nTHRESHOLD = 1\n", encoding="utf-8")
    metrics = run(layout)
    assert set(reasons(metrics).values()) == {"program"}
    assert "the program changed, so everything is counted again" in describe(metrics)

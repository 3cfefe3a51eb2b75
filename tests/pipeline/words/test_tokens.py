"""Raw files to token shards: every loss is counted, and the bytes do not depend on the run."""

from __future__ import annotations

import bz2
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow.parquet as pq
import pytest

from pipeline.declarations import Source
from pipeline.engine import Engine, InProcessEngine
from pipeline.fetch import fetch
from pipeline.fetch.fetcher import Fetcher
from pipeline.layout import Layout
from pipeline.settings import LanguageSettings, LanguageVocabulary
from pipeline.words import token_shards, tokens
from pipeline.words.tokens import Tokens
from pipeline.words.type_counts import read_types
from tests.support.corpora import files
from wordkin.errors import InputError

IN_PROCESS = InProcessEngine(2)


class Project(NamedTuple):
    """A language with sources that are fetched."""

    layout: Layout
    language: LanguageSettings

    def tokenize(self, engine: Engine, settings: Tokens | None = None) -> dict[str, Any]:
        """Run the tokens stage."""
        return tokens.make_tokens(self.layout, settings or Tokens(), self.language, engine)


def project(root: Path, contents: dict[str, str | bytes], *sources: Source) -> Project:
    """A language with these raw files, and with these sources or one text source per file."""
    layout = Layout(root, "xx")
    layout.raw.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        data = content.encode() if isinstance(content, str) else content
        (layout.raw / name).write_bytes(data)
    declared = list(sources) or [source(name) for name in contents]
    vocabulary = LanguageVocabulary(size=9)
    language = LanguageSettings(lemmatize=False, vocabulary=vocabulary, sources=declared)
    fetch.fetch_sources(layout, declared, Fetcher(layout.root))
    return Project(layout, language)


def source(name: str, **options: Any) -> Source:
    location = f"corpora/xx/raw/{name}"
    return Source(name=Path(name).stem, location=location, format="text", **options)


def make(
    root: Path,
    engine: Engine,
    texts: dict[str, str],
    settings: Tokens | None = None,
    **options: Any,
) -> tuple[Layout, dict[str, Any]]:
    """Run the tokens stage on one source per file, in the order of the files."""
    made = project(root, dict(texts), *(source(name, **options) for name in texts))
    return made.layout, made.tokenize(engine, settings)


def rows(layout: Layout) -> list[tuple[str, list[str]]]:
    return [
        (path.parent.name, row["tokens"])
        for path in token_shards.shard_files(layout.tokens)
        for row in pq.read_table(path).to_pylist()
    ]


def test_documents_become_words_and_losses_are_counted(tmp_path: Path) -> None:
    text = "The cat, the CAT!\n\n42 %%\nOne word-pair\n"
    layout, metrics = make(tmp_path, IN_PROCESS, {"a.txt": text}, Tokens(minimum_words=2))
    assert rows(layout) == [("a", ["the", "cat", "the", "cat"]), ("a", ["one", "word", "pair"])]
    figures = metrics["sources"]["a"]
    assert (figures["documents"], figures["tokens"]) == (2, 7)
    assert figures["bytes"] == len(text)
    assert figures["dropped"] == {"empty": 2}
    assert tokens.describe(metrics) == (
        "1 source of 39 bytes in, 2 documents of 7 tokens out; dropped: 2 empty"
    )


def test_only_the_first_of_several_copies_stays_across_sources(tmp_path: Path) -> None:
    texts = {"b.txt": "same text\nonly b\nsame text\n", "a.txt": "only a\nsame text\n"}
    layout, metrics = make(tmp_path, IN_PROCESS, texts)
    assert sorted(rows(layout)) == [
        ("a", ["only", "a"]),
        ("b", ["only", "b"]),
        ("b", ["same", "text"]),
    ]
    assert metrics["sources"]["b"]["dropped"]["duplicate"] == 1
    assert metrics["sources"]["a"]["dropped"]["duplicate"] == 1
    assert metrics["tokens"] == 6 == sum(len(words) for _, words in rows(layout))
    types = read_types(layout.types).select(["word", "source", "counts"]).to_pylist()
    assert sorted(tuple(row.values()) for row in types) == [
        ("a", "a", 1), ("b", "b", 1), ("only", "a", 1), ("only", "b", 1), ("same", "b", 1),
        ("text", "b", 1),
    ]  # fmt: skip


@pytest.mark.slow
def test_the_same_input_gives_the_same_bytes(tmp_path: Path, spark: Engine) -> None:
    lines = [f"line {i % 50} of words\n" for i in range(100)]
    texts = {"a.txt": "".join(lines), "b.txt": "".join(["only b\n", *lines[10:30], "b\0d b\n"])}
    written = []
    for name, engine in {"spark": spark, "process": IN_PROCESS}.items():
        layout, metrics = make(tmp_path / name, engine, texts, tolerate=0.01)
        written.append((files(layout.tokens), files(layout.types), metrics))
    assert written[0] == written[1]
    assert "a/part-00000.parquet" in written[0][0]
    assert metrics["sources"]["b"]["dropped"] == {"duplicate": 20}


@pytest.mark.slow
def test_damage_is_reported_with_the_file_and_leaves_nothing(tmp_path: Path, spark: Engine) -> None:
    made = project(tmp_path, {"a.txt.gz": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03cut"})
    with pytest.raises(InputError, match=r"a\.txt\.gz"):
        made.tokenize(spark)
    assert not made.layout.tokens.exists()


def test_files_of_several_formats_in_one_source_are_refused(tmp_path: Path) -> None:
    captions = "1\n00:00:01,000 --> 00:00:02,000\nSome words.\n"
    mixed = Source(name="mixed", location="corpora/xx/raw")
    made = project(tmp_path, {"a.txt": "Some words.\n", "b.srt": captions}, mixed)
    with pytest.raises(
        InputError, match=r"'mixed' has files of several formats \(srt, text\): make one"
    ):
        tokens.plan(made.layout, Tokens(), made.language, made.layout.tokens)


def test_tolerated_damage_is_counted_and_more_of_it_is_refused(tmp_path: Path) -> None:
    text = "good words\n" * 9 + "b\0d words\n"
    layout, metrics = make(tmp_path / "some", IN_PROCESS, {"a.txt": text}, tolerate=0.01)
    assert metrics["sources"]["a"]["lost_bytes"] == {"NUL bytes": 1}
    assert tokens.describe(metrics) == (
        "1 source of 109 bytes in, 2 documents of 4 tokens out; "
        "dropped: 8 duplicate, 1 bytes lost to NUL bytes"
    )
    assert rows(layout)[-1] == ("a", ["bd", "words"])
    with pytest.raises(InputError, match=r"'a' lost 1 of 109 bytes to damage \(NUL bytes\)"):
        make(tmp_path / "more", IN_PROCESS, {"a.txt": text}, tolerate=0.009)
    assert not Layout(tmp_path / "more", "xx").tokens.exists()


def test_a_file_that_changed_after_it_was_fetched_is_noticed(tmp_path: Path) -> None:
    made = project(tmp_path, {"a.txt": "two words\n"})
    (made.layout.raw / "a.txt").write_text("now three words\n")
    with pytest.raises(InputError, match="changed since it was fetched"):
        made.tokenize(IN_PROCESS)


def test_a_corpus_without_a_word_is_refused_and_leaves_the_old_tokens(tmp_path: Path) -> None:
    layout, _ = make(tmp_path, IN_PROCESS, {"a.txt": "two words\n"})
    before = files(layout.tokens)
    with pytest.raises(InputError, match="no words at all"):
        make(tmp_path, IN_PROCESS, {"a.txt": "42 43\n"})
    assert files(layout.tokens) == before
    assert [path.name for path in layout.tokens.parent.glob("tokens*")] == ["tokens"]


def test_a_corpus_is_small_by_the_text_behind_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout = Layout(tmp_path, "en")
    layout.sources.parent.mkdir(parents=True)
    (tmp_path / "a.txt").write_bytes(b"word " * 20)
    (tmp_path / "b.bz2").write_bytes(bz2.compress(b"word "))
    listed = [{"path": "a.txt"}, {"path": "b.bz2"}, {"path": "gone.txt"}]
    layout.sources.write_text(json.dumps({"sources": [{"name": "own", "files": listed}]}))
    text = 100 + 4 * (tmp_path / "b.bz2").stat().st_size
    for most, expected in ((text, False), (text + 1, True)):
        monkeypatch.setattr(tokens, "SMALL_BYTES", most)
        assert tokens.is_small(layout) is expected


def test_a_shard_returns_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_shards, "ROW_GROUP_TOKENS", 4)
    written = [
        token_shards.Row("1", b"a" * 16, ["x", "y", "x"], [2, 1], b"\1\2\3"),
        token_shards.Row("2", b"b" * 16, ["z"], [1]),
        token_shards.Row("3", b"c" * 16, ["y", "y"], [1, 1], b"\4\5"),
    ]
    path = tmp_path / "source" / "part-00000.parquet"
    token_shards.write_shard(path, written)
    assert token_shards.count_tokens(path) == 6
    assert [d.tobytes() for d in token_shards.digests(path)] == [row.digest for row in written]
    batches = list(token_shards.batches(path))
    assert len(batches) == 2
    words = [b.types.to_pylist()[i] for b in batches for i in b.tokens]
    assert words == ["x", "y", "x", "z", "y", "y"]
    assert [b.documents.tolist() for b in batches] == [[0, 3, 4], [0, 2]]
    assert [b.lines.tolist() for b in batches] == [[0, 2, 3, 4], [0, 1, 2]]
    assert all(batch.flags is None for batch in batches)
    assert flags_of(path) == [[1, 2, 3, 0], [4, 5]]
    token_shards.drop_rows(path, np.array([0]))
    assert flags_of(path) == [[0], [4, 5]]


def flags_of(path: Path) -> list[list[int]]:
    """The flags in each batch of a shard."""
    batches = token_shards.batches(path, with_flags=True)
    return [batch.flags.tolist() for batch in batches if batch.flags is not None]


def test_a_shard_does_not_depend_on_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "".join(f"Document {number % 7} has words.\n42\n\nAnd more" for number in range(20))
    made = []
    for batch in (1, 50, 1 << 20):
        monkeypatch.setattr(tokens, "BATCH", batch)
        layout, metrics = make(
            tmp_path / str(batch), IN_PROCESS, {"a": lines}, Tokens(minimum_words=3)
        )
        made.append((files(layout.tokens), metrics))
    assert made[0] == made[1] == made[2]
    assert made[0][1]["sources"]["a"]["dropped"]["too short"] > 0

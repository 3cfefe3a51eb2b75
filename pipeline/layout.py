"""Where each thing of a language lies below the project's root."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

LEARNED = "human"
"""The measure that is learned from people's choices, where some were recorded."""


@dataclass(frozen=True)
class Layout:
    """The files and folders of one language; `dvc.yaml` names the same ones."""

    root: Path
    language: str

    @property
    def corpora(self) -> Path:
        return self.root / "corpora" / self.language

    @property
    def raw(self) -> Path:
        """The user's own raw files; watched for changes."""
        return self.corpora / "raw"

    @property
    def fetched(self) -> Path:
        """Raw files that were downloaded."""
        return self.corpora / "fetched"

    @property
    def sources(self) -> Path:
        """The manifest: each source with its files and their hashes."""
        return self.corpora / "sources.json"

    @property
    def tokens(self) -> Path:
        return self.corpora / "tokens"

    @property
    def boards(self) -> Path:
        """Words that are in the vocabulary by name: the language's board words."""
        return self.root / "wordkin" / "boards" / f"{self.language}.txt"

    def prepare(self) -> None:
        """Make what DVC wants to watch from the start, and may well be empty."""
        self.raw.mkdir(parents=True, exist_ok=True)
        self.boards.parent.mkdir(parents=True, exist_ok=True)
        self.boards.touch()

    @property
    def matrices(self) -> Path:
        return self.root / "matrices" / self.language

    @property
    def vocabulary(self) -> Path:
        return self.matrices / "vocabulary"

    @property
    def counts(self) -> Path:
        return self.matrices / "counts"

    @property
    def counted(self) -> Path:
        """The counts of each source, kept so that a new source is all that has to be counted."""
        return self.matrices / "counted"

    @property
    def bundle(self) -> Path:
        return self.matrices / "bundle"

    @property
    def eval(self) -> Path:
        return self.root / "eval" / self.language

    @property
    def gold(self) -> Path:
        return self.eval / "gold"

    @property
    def rounds(self) -> Path:
        """The recorded rounds of people, or why there are none."""
        return self.eval / "rounds"

    @property
    def agents(self) -> Path:
        """What agents did, for the report."""
        return self.eval / "agents.json"

    def measure(self, name: str) -> Path:
        return self.matrices / name

    def with_learned(self, names: Sequence[str]) -> list[str]:
        """The names of measures, and `human` after them when there were rounds to learn it from."""
        there = (self.measure(LEARNED) / "measure.json").is_file()
        return [*(name for name in names if name != LEARNED), *([LEARNED] if there else [])]

    def metrics(self, stage: str) -> Path:
        """The figures that a stage leaves behind, shown by `dvc metrics show`."""
        if stage == "fetch":
            return self.corpora / "fetch.json"
        if stage == "tokens":
            return self.corpora / "metrics.json"
        if stage == "evaluate":
            return self.eval / "metrics.json"
        return self.matrices / f"{stage}.json"

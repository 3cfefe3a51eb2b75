"""Where the files of a language are, below the project's root."""

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
        """The user's own raw files, which DVC watches."""
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
    def boards(self) -> Path:
        """The language's board words, which are in the vocabulary by name; may be empty."""
        return self.corpora / "boards.txt"

    @property
    def tokens(self) -> Path:
        return self.corpora / "tokens"

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
    def count_cache(self) -> Path:
        """The counts of each source, so that only a new source has to be counted."""
        return self.matrices / "counted"

    @property
    def compact(self) -> Path:
        """The measures in few bytes, one folder per measure."""
        return self.matrices / "compact"

    @property
    def light(self) -> Path:
        """The default measure in very few bytes."""
        return self.matrices / "light"

    @property
    def bundle(self) -> Path:
        return self.matrices / "bundle"

    @property
    def eval(self) -> Path:
        return self.root / "eval" / self.language

    @property
    def gold_sets(self) -> Path:
        """The declarations of the gold sets of all languages."""
        return self.root / "eval" / "gold.yaml"

    @property
    def published(self) -> Path:
        """The figures that others have published."""
        return self.root / "eval" / "published.yaml"

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

    @property
    def report(self) -> Path:
        """The report as a page."""
        return self.eval / "report.html"

    @property
    def report_text(self) -> Path:
        """The report as Markdown."""
        return self.eval / "report.md"

    @property
    def correlations(self) -> Path:
        return self.eval / "correlations.json"

    @property
    def plots(self) -> Path:
        return self.eval / "plots"

    def measure(self, name: str) -> Path:
        return self.matrices / name

    def place(self, name: str) -> Path:
        """What `pipeline.stage` calls `name`: a property of this class, or a measure."""
        return getattr(self, name) if name in vars(type(self)) else self.measure(name)

    def metrics(self, stage: str) -> Path:
        """The figures that a stage leaves, shown by `dvc metrics show`."""
        if stage == "fetch":
            return self.corpora / "fetch.json"
        if stage == "tokens":
            return self.corpora / "metrics.json"
        if stage == "evaluate":
            return self.eval / "metrics.json"
        return self.matrices / f"{stage}.json"

    def run(self, stage: str) -> Path:
        """How a stage's last run went; DVC does not look at it, and no stage reads it."""
        return self.matrices / "runs" / f"{stage}.json"

    def with_learned(self, names: Sequence[str]) -> list[str]:
        """The names of measures, and `human` after them when there were rounds to learn it from."""
        learned = (self.measure(LEARNED) / "measure.json").is_file()
        return [*(name for name in names if name != LEARNED), *([LEARNED] if learned else [])]

"""Where the files of a language are, below the project's root."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.storage import AnyPath, RemotePath

SINGLE = ("npmi", "squared", "graph", "svd", "fasttext")
"""The measures that every build makes from its text, each in a stage of its own."""

FAMILIES = ("extras",)
"""Stages that make any number of measures, `matrices/<lang>/<family>/<measure>`; also none."""

INFORMED = "informed"
"""The blend with knowledge, where a build has any; `blend` is made from raw text alone."""

MEASURES = (*SINGLE, *FAMILIES, "blend", INFORMED)
"""Where the measures are that are not learned from people's choices."""

LEARNED = "human"
"""The measure that is learned from people's choices, where some were recorded."""


def blended_names(spelled: str) -> list[str]:
    """The measures in a name: one, or the parts of a blend such as npmi+svd or npmi:2+svd."""
    return [part.partition(":")[0].strip() for part in spelled.split("+")]


@dataclass(frozen=True)
class Layout:
    """The files and folders of one language; `dvc.yaml` names the same ones."""

    root: Path
    language: str
    storage: str | None = None
    """The address where files live that tasks share; None for the folders of this machine."""

    def shared(self, folder: Path) -> AnyPath:
        """Where the files of a folder live that tasks read and write."""
        if self.storage is None:
            return folder
        return RemotePath(self.storage.rstrip("/")) / self.language / folder.name

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
    def resources(self) -> Path:
        """Dictionaries, word nets, vectors: where their files are, or why they are not there."""
        return self.corpora / "resources.json"

    @property
    def resource_downloads(self) -> Path:
        """Those of them that were downloaded."""
        return self.corpora / "resources"

    @property
    def boards(self) -> Path:
        """The language's board words, which are in the vocabulary by name; may be empty."""
        return self.corpora / "boards.txt"

    @property
    def tokens(self) -> Path:
        return self.corpora / "tokens"

    @property
    def types(self) -> Path:
        """The distinct words of the tokens with their numbers."""
        return self.corpora / "types"

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
    def gold_downloads(self) -> Path:
        """Gold sets and rounds that were downloaded, as they are published."""
        return self.corpora / "gold"

    @property
    def rounds(self) -> Path:
        """The recorded rounds of people, or why there are none."""
        return self.eval / "rounds"

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

    def measure(self, name: str) -> Path:
        """The folder of a measure: its own, or the one in its family."""
        in_families = (self.matrices / family / name for family in FAMILIES)
        return next((folder for folder in in_families if folder.is_dir()), self.matrices / name)

    def has_measure(self, name: str) -> bool:
        """Whether the build has a measure of this name."""
        return (self.measure(name) / "measure.json").is_file()

    def available(self, names: Sequence[str]) -> list[str]:
        """The measures among `names` that can be used, and `human` after them if it was learned.

        Measures of families, `informed` and `human` are left out when the build does not have them,
        and so are blends of them such as npmi+wordnet. All others have to be there.
        """
        always = {*SINGLE, "blend"}
        usable = [
            name
            for name in names
            if name != LEARNED
            and all(part in always or self.has_measure(part) for part in blended_names(name))
        ]
        return [*usable, *([LEARNED] if self.has_measure(LEARNED) else [])]

    def place(self, name: str) -> Path:
        """What `pipeline.stage` calls `name`: a property of this class, or a measure."""
        return getattr(self, name) if name in vars(type(self)) else self.measure(name)

    def metrics(self, stage: str) -> Path:
        """The figures that a stage leaves, shown by `dvc metrics show`."""
        if stage == "fetch":
            return self.corpora / "fetch.json"
        if stage == "tokens":
            return self.corpora / "metrics.json"
        if stage == "report":
            return self.eval / "metrics.json"
        return self.matrices / f"{stage}.json"

    def code(self, stage: str) -> Path:
        """What the code of a stage means; DVC compares it."""
        return self.matrices / "code" / f"{stage}.txt"

    def run(self, stage: str) -> Path:
        """How a stage's last run went; DVC does not look at it, and no stage reads it."""
        return self.matrices / "runs" / f"{stage}.json"

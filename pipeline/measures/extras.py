"""The stage extras: `translated`, and measures of `pipeline.extras` that the settings ask for.

    vocabulary, counts, svd, fasttext, ... ──extras──▶ matrices/<lang>/extras/<measure>

A new measure is one module in `pipeline/extras` with a maker (see `pipeline.measures.family`), its
settings, and the constant `EXTRA`. Nothing else names it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from pydantic.dataclasses import dataclass

from pipeline.measures import translated
from pipeline.measures.family import Maker, all_extras, describe_family, make_family, offered
from pipeline.memory import Sizes
from pipeline.mistakes import KNOWN_KEYS, suggestion
from pipeline.settings import Check, Section, Settings
from pipeline.stage import Job, Metrics, Stage
from pipeline.words.translations import Translated


@dataclass(frozen=True, config=KNOWN_KEYS)
class Extras(Section):
    """Which of the measures of `pipeline.extras` are made; other keys are those of its modules."""

    KEY = "extras"

    measures: list[str] = field(default_factory=list)

    def mistakes(self, check: Check) -> Iterator[str]:
        known = [*offered()]
        for name in self.measures:
            if name not in known:
                yield f"measures: there is no '{name}'; {suggestion(name, known)}"

    def names(self) -> Sequence[str]:
        return self.measures


def run(job: Job) -> Metrics:
    """Make the measures that the settings ask for, and those that they declare files for."""
    makers: dict[str, Maker] = {}
    if job.settings.section(Translated).dictionaries.get(job.layout.language):
        makers["translated"] = translated.make
    for extra in all_extras():
        makers |= extra.declared(job)
    return make_family(
        job, {**makers, **offered()}, [*makers, *job.settings.section(Extras).measures]
    )


def sections() -> list[type[Section]]:
    """The sections of the measures that can be made."""
    return [Translated, *(section for extra in all_extras() for section in extra.sections)]


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    return describe_family(metrics)


def memory(sizes: Sizes, settings: Settings) -> float:
    """The counts, or a matrix of them and the directions that are searched."""
    if not settings.section(Extras).measures:
        return 0.0
    return 300 * 2.0**20 + 40.0 * sizes.counted + 96.0 * sizes.words * 600


STAGE = Stage(
    "extras",
    run,
    describe,
    reads=("resource_downloads", "resources", "tokens", "vocabulary", "counts", "svd", "fasttext"),
    writes=("extras",),
    section=Extras,
    more_sections=sections,
    params=("translated",),
    memory=memory,
)

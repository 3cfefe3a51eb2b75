"""Families of measures: stages that make any number of measures, including none.

    matrices/<lang>/<family>/<measure>    one folder per measure that could be made
    matrices/<lang>/<family>.json         the figures of each, and why the others were skipped

A family is a mapping from the names of its measures to makers. A maker is called with a
`Workplace`, writes its measure to the folder `workplace.folder`, and returns its figures. It raises
`Skipped` with a reason if the language has no data for it. Measures are made in the order of the
mapping; a maker may open measures that were made before.

A measure that was made with anything else than the raw text of the language (a dictionary, vectors
from elsewhere) says so: its facts contain `WITH_KNOWLEDGE`. The blend of raw text refuses it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.layout import Layout
from pipeline.settings import LanguageSettings, Settings
from pipeline.stage import RUN, Job, Metrics
from wordkin.files import new_folder
from wordkin.measures.measure import Measure
from wordkin.measures.store import open_measure
from wordkin.program import say
from wordkin.vocabulary import Vocabulary

WITH_KNOWLEDGE = {"knowledge": True}
"""The fact in `measure.json` of a measure that is not made from the raw text alone."""


SLOW = 5.0
"""A measure that took so many seconds gets a line when it is done: others are still to come."""


class Skipped(Exception):
    """Why a measure cannot be made for this language."""


@dataclass(frozen=True)
class Workplace:
    """Where a measure is made, and what it can be made of.

    Attributes
    ----------
    name : str
        The name of the measure.
    folder : Path
        Where to write it (`wordkin.measures.write_measure`).
    job : Job
        The stage's job: the settings, the places of the language, and an engine.
    vocabulary : Vocabulary
        The words of the language.
    """

    name: str
    folder: Path
    job: Job
    vocabulary: Vocabulary

    @property
    def layout(self) -> Layout:
        """The places of the language."""
        return self.job.layout

    @property
    def settings(self) -> Settings:
        """All settings."""
        return self.job.settings

    @property
    def language(self) -> LanguageSettings:
        """The settings of the language."""
        return self.job.language

    def find(self, name: str) -> Path:
        """The folder of a measure: of this family if it was made before, else of another stage."""
        beside = self.folder.parent / name
        return beside if beside.is_dir() else self.layout.measure(name)

    def open(self, name: str) -> Measure:
        """Open a measure that was made before; `Skipped` if there is none of that name."""
        folder = self.find(name)
        if not (folder / "measure.json").is_file():
            raise Skipped(f"it needs {name}, which this build does not have")
        return open_measure(folder, self.vocabulary, find=self.find)


Maker = Callable[[Workplace], Metrics]
"""Makes one measure of a family and returns its figures."""


def make_family(job: Job, makers: Mapping[str, Maker], wanted: Sequence[str]) -> Metrics:
    """Make the wanted measures, and say in one line each which had to be skipped."""
    vocabulary = Vocabulary.read(job.layout.vocabulary / "vocabulary.tsv")
    made: dict[str, Metrics] = {}
    skipped: dict[str, str] = {}
    seconds: dict[str, float] = {}
    names = [name for name in makers if name in wanted]
    with new_folder(job.layout.matrices / job.stage) as temporary:
        for left, name in zip(reversed(range(len(names))), names, strict=True):
            began = time.perf_counter()
            try:
                made[name] = makers[name](Workplace(name, temporary / name, job, vocabulary))
            except Skipped as reason:
                skipped[name] = str(reason)
                say(f"{job.stage} of {job.layout.language}: {name} skipped: {reason}")
                continue
            seconds[name] = round(time.perf_counter() - began, 1)
            if left and seconds[name] >= SLOW:
                what = f"{job.stage} of {job.layout.language}: {name}"
                say(f"{what} made in {seconds[name]:.0f} s, {left} left to make")
    return {
        "words": len(vocabulary),
        "measures": made,
        "skipped": skipped,
        RUN: {"seconds_by_measure": seconds},
    }


def describe_family(metrics: Metrics) -> str:
    """The one-line summary of a family's stage."""
    made, skipped = metrics["measures"], metrics["skipped"]
    names = f" ({', '.join(made)})" if made else ""
    reasons = "; ".join(f"{name} skipped: {reason}" for name, reason in skipped.items())
    return (
        f"{len(made)} {'measure' if len(made) == 1 else 'measures'}{names} of "
        f"{metrics['words']:,} words out{'; ' + reasons if reasons else ''}"
    )

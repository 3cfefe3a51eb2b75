"""Families of measures: stages that make any number of measures, including none.

    matrices/<lang>/<family>/<measure>    one folder per measure that could be made
    matrices/<lang>/<family>.json         the figures of each, and why the others were skipped

A family is a mapping from the names of its measures to makers. A maker is called with a
`MeasureJob`, writes its measure to that job's folder, and returns its figures. It raises `Skipped`
with a reason if the language has no data for it. Measures are made in the order of the mapping; a
maker may open measures that were made before.

A measure that was made with anything else than the raw text of the language (a dictionary, vectors
from elsewhere) says so: its facts contain `WITH_KNOWLEDGE`. The blend of raw text refuses it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules

from pipeline.layout import FAMILIES, INFORMED, LEARNED, SINGLE, Layout
from pipeline.settings import LanguageSettings, Section, Settings
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
class MeasureJob:
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


Maker = Callable[[MeasureJob], Metrics]
"""Makes one measure of a family and returns its figures."""


def make_family(job: Job, makers: Mapping[str, Maker], wanted: Sequence[str]) -> Metrics:
    """Make the wanted measures, as far as the language has what they need."""
    vocabulary = Vocabulary.read(job.layout.vocabulary / "vocabulary.tsv")
    made: dict[str, Metrics] = {}
    skipped: dict[str, str] = {}
    seconds: dict[str, float] = {}
    names = [name for name in makers if name in wanted]
    with new_folder(job.layout.matrices / job.stage) as temporary:
        for left, name in zip(reversed(range(len(names))), names, strict=True):
            began = time.perf_counter()
            try:
                made[name] = makers[name](MeasureJob(name, temporary / name, job, vocabulary))
            except Skipped as reason:
                skipped[name] = str(reason)
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
    listed = f" ({', '.join(made)})" if made else ""
    names_by_reason: dict[str, list[str]] = {}
    for name, reason in skipped.items():
        names_by_reason.setdefault(reason, []).append(name)
    reasons = "; ".join(
        f"{', '.join(names)} skipped: {reason}" for reason, names in names_by_reason.items()
    )
    return (
        f"{len(made)} {'measure' if len(made) == 1 else 'measures'}{listed} of "
        f"{metrics['words']:,} words out{'; ' + reasons if reasons else ''}"
    )


# ── extras ───────────────────────────────────────────────────────────────────────────────────


def _none_declared(job: Job) -> Mapping[str, Maker]:
    return {}


@dataclass(frozen=True)
class Extra:
    """What a module of `pipeline.extras` offers: its constant `EXTRA`.

    Attributes
    ----------
    makers : mapping
        The measures that `extras.measures` of params.yaml can name.
    sections : tuple of type
        Its sections of params.yaml, below `extras`.
    declared : function
        The measures that the settings declare for a language, such as imported vectors.
    is_last : bool
        Whether it makes measures of what all others have made.
    """

    makers: Mapping[str, Maker] = field(default_factory=dict)
    sections: tuple[type[Section], ...] = ()
    declared: Callable[[Job], Mapping[str, Maker]] = _none_declared
    is_last: bool = False


PACKAGE = "pipeline.extras"


@cache
def all_extras() -> tuple[Extra, ...]:
    """The extras that are there: every module of the package, if it is there, is looked at."""
    if find_spec(PACKAGE) is None:
        return ()
    package = import_module(PACKAGE)
    names = sorted(found.name for found in iter_modules(package.__path__))
    modules = [import_module(f"{PACKAGE}.{name}") for name in names]
    extras = [module.EXTRA for module in modules if hasattr(module, "EXTRA")]
    return tuple(sorted(extras, key=lambda extra: extra.is_last))


def offered() -> dict[str, Maker]:
    """All measures that `extras.measures` can name, parts before what is made of them."""
    return {name: make for extra in all_extras() for name, make in extra.makers.items()}


def taken_names(names: Sequence[str], key: str, others: Collection[str] = ()) -> Iterator[str]:
    """What is wrong with the names of declared measures: other measures have them."""
    made = {*SINGLE, *FAMILIES, *offered(), "translated", "blend", INFORMED, LEARNED, *others}
    for at, name in enumerate(names):
        if name in made or name in names[:at]:
            yield f"{key}[{name}].name: another measure is called '{name}'; choose another name."

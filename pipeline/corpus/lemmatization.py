"""Which lemma each type of a corpus is counted by: decided here, once per build.

docs/languages.md says how the ways to find lemmas compare (`python -m bench.lemmas`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from hunspell import Hunspell
from numpy.typing import NDArray

from pipeline.corpus.languages import language
from pipeline.corpus.morphology import Analyze, analyses_of_form, lemmas_by_dictionary
from pipeline.engine import Engine
from pipeline.fetching.brought_files import read_brought
from pipeline.layout import Layout
from wordkin.errors import InputError


def lemmas_of_types(
    types: Sequence[str],
    counts: NDArray[np.int64],
    code: str,
    analyze: Analyze | None = None,
    unchanged: Collection[str] = (),
) -> list[str]:
    """The lemma of each type of a corpus, by its language and by what the corpus has.

    The types are distinct, in the order of code points, and all that the corpus has; `counts` are
    their numbers of tokens. With the analyses of a Hunspell dictionary, they decide. Without, a
    lemma that is neither a word of the corpus nor of the language's dictionary is an artefact, and
    the type stays as it is. Words of `unchanged`, such as those of boards, always do.
    """
    spoken = language(code)
    if analyze is not None:
        fixed = {*unchanged, *spoken.stop_words()}
        return lemmas_by_dictionary(types, counts, analyze, fixed)
    occurs = set(types)

    def lemma_of(word: str) -> str:
        if word in unchanged:
            return word
        lemma = spoken.lemma(word)
        return lemma if lemma in occurs or spoken.is_word(lemma) else word

    return [lemma_of(word) for word in types]


def dictionary_file(layout: Layout) -> Path:
    """The .aff file of the Hunspell dictionary that the stage fetch has brought."""
    files = read_brought(layout, "dictionary").files
    affixes = [file for file in files if file.suffix == ".aff"]
    if len(affixes) != 1 or affixes[0].with_suffix(".dic") not in files:
        raise InputError(
            f"lemmas.dictionaries.{layout.language} has the files "
            f"{', '.join(file.name for file in files) or 'none'}; it must be one .aff file and the "
            ".dic file of the same name."
        )
    return affixes[0]


@cache
def analyses_of(affixes: Path) -> Analyze:
    """The analyses of a Hunspell dictionary by the path of its .aff file.

    A process opens a dictionary once, which takes half a second, however many tasks it has.
    """
    analyze: Analyze = Hunspell(affixes.stem, hunspell_data_dir=str(affixes.parent)).analyze
    return analyze


SMALL_TYPES = 100_000
"""Analysing fewer types than this takes less time than Spark takes to start."""

TASK_TYPES = 5_000
"""The types that a task analyses, which takes a second."""


def analyses_of_types(engine: Engine, affixes: Path, types: Sequence[str]) -> Analyze:
    """The analyses of a corpus' types, all looked up beforehand by tasks side by side."""
    tasks = [types[start : start + TASK_TYPES] for start in range(0, len(types), TASK_TYPES)]

    def look_up(words: Sequence[str]) -> dict[str, Sequence[str]]:
        return {
            form: analyses
            for word in words
            for form, analyses in [analyses_of_form(word, analyses_of(affixes))]
        }

    light = len(types) < SMALL_TYPES
    known: dict[str, Sequence[str]] = {}
    for found in engine.each(look_up, tasks, "analysing types", light):
        known.update(found)
    return lambda word: known.get(word, ())

"""Which lemma each type of a corpus is counted by: decided here, once per build.

docs/languages.md says how the ways to find lemmas compare (`python -m research.lemmas`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.fetched import read_resource
from pipeline.languages import language
from pipeline.layout import Layout
from pipeline.words.morphology import Analyze, lemmas_by_dictionary
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
    """The .aff file of the Hunspell dictionary that the stage fetch has resource."""
    files = read_resource(layout, "dictionary").files
    affixes = [file for file in files if file.suffix == ".aff"]
    if len(affixes) != 1 or affixes[0].with_suffix(".dic") not in files:
        raise InputError(
            f"lemmas.dictionaries.{layout.language} has the files "
            f"{', '.join(file.name for file in files) or 'none'}; it must be one .aff file and the "
            ".dic file of the same name."
        )
    return affixes[0]

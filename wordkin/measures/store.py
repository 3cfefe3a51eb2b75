"""Opening measures, whatever their kind.

The kinds of this package are in `KINDS`. Any other kind is a module of `wordkin.extras` with its
name and a function `open_measure`; it is imported when a measure of its kind is opened.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import cast

from wordkin.errors import InputError
from wordkin.files import is_name
from wordkin.measures.blend import open_blend
from wordkin.measures.files import DESCRIPTION, MATRIX, MeasureFolder, describe
from wordkin.measures.learned import open_learned
from wordkin.measures.matrix import open_matrix
from wordkin.measures.measure import Measure
from wordkin.measures.product import open_product
from wordkin.vocabulary import Vocabulary

Opener = Callable[[MeasureFolder], Measure]

KINDS: dict[str, Opener] = {
    MATRIX: open_matrix,
    "product": open_product,
    "blend": open_blend,
    "learned": open_learned,
}
"""What opens a measure, by the kind that its `measure.json` names."""

EXTRAS = "wordkin.extras"
"""The package of the kinds that the library does without."""


def open_measure(
    folder: Path,
    vocabulary: Vocabulary,
    thorough: bool = False,
    find: Callable[[str], Path] | None = None,
) -> Measure:
    """Open the measure in a folder; refuse a damaged one.

    Parameters
    ----------
    folder : Path
        The folder of the measure.
    vocabulary : Vocabulary
        Its words.
    thorough : bool, optional
        Whether to look at every number, which takes a while, and not only at a sample.
    find : function, optional
        The folder of a part by the name of the part. Default: next to the folder of the measure, as
        in a bundle.
    """
    return _open(folder, vocabulary, (), thorough, find or folder.parent.joinpath)


def opener_of(kind: str) -> Opener | None:
    """What opens a measure of some kind; None for an unknown one."""
    if kind in KINDS:
        return KINDS[kind]
    if not kind.isidentifier():
        return None
    module = f"{EXTRAS}.{kind}"
    try:
        return cast("Opener | None", getattr(import_module(module), "open_measure", None))
    except ModuleNotFoundError as error:
        if error.name in (EXTRAS, module):
            return None
        raise


def _open(
    folder: Path,
    vocabulary: Vocabulary,
    whole: tuple[str, ...],
    thorough: bool,
    find: Callable[[str], Path],
) -> Measure:
    """Open a measure that is a part of the measures `whole`."""
    facts = describe(folder)
    if facts["words"] != len(vocabulary):
        raise InputError(
            f"The measure in {folder} has {facts['words']} words and the vocabulary "
            f"{len(vocabulary)}: they come from different builds, make them again."
        )
    if folder.name in whole:
        raise InputError(f"The measure in {folder} is a part of itself: make it again.")
    opener = opener_of(facts["kind"])
    if opener is None:
        raise InputError(
            f"{folder / DESCRIPTION} has an unknown kind '{facts['kind']}': update wordkin."
        )
    open_part = partial(_open_part, folder, vocabulary, (*whole, folder.name), thorough, find)
    measure = opener(MeasureFolder(folder, facts, vocabulary, open_part, thorough))
    measure.folder, measure.facts = folder, facts
    return measure


def _open_part(
    folder: Path,
    vocabulary: Vocabulary,
    whole: tuple[str, ...],
    thorough: bool,
    find: Callable[[str], Path],
    name: str,
) -> Measure:
    if not is_name(name):
        raise InputError(f"{folder / DESCRIPTION} names a part '{name}': make it again.")
    return _open(find(name), vocabulary, whole, thorough, find)

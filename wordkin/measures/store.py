"""Measures on disk: one folder with `.npy` arrays and a `measure.json` that says how to read them.

The module of each kind describes its arrays. A measure may have more arrays and facts, for
explanations. Arrays are mapped into memory, so opening a measure reads little.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from wordkin.errors import InputError
from wordkin.files import is_name, read_json
from wordkin.measures.kind import DESCRIPTION, Arrays, Facts, MeasureFolder
from wordkin.measures.measure import Measure
from wordkin.measures.registry import KINDS
from wordkin.vocabulary import Vocabulary

_NO_DESCRIPTION = "is not a measure's description: make it again"


def write_measure(
    folder: Path,
    name: str,
    kind: str,
    arrays: Arrays,
    facts: Facts | Callable[[], Facts] | None = None,
) -> None:
    """Write a measure: its arrays and its `measure.json`, all of them or none.

    Parameters
    ----------
    folder : Path
        Where to write; what is there is replaced as a whole.
    name : str
        The name of the measure.
    kind : str
        The name of its kind, one of `KINDS`.
    arrays : mapping of str to array
        The arrays of the kind, and more that explain the measure (`marginals`, ...).
    facts : mapping or function, optional
        More content for `measure.json`: `fill`, what was left out, how it was made. A function is
        called after the arrays are written, for facts that are only known then.
    """
    KINDS[kind].write(folder, name, arrays, facts)


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

    open_part = partial(_open_part, folder, vocabulary, (*whole, folder.name), thorough, find)
    opened = MeasureFolder(folder, facts, vocabulary, open_part, thorough)
    measure = KINDS[facts["kind"]].open(opened)
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


def describe(folder: Path) -> dict[str, Any]:
    """The content of the `measure.json` in a folder."""
    path = folder / DESCRIPTION
    facts = read_json(path, _NO_DESCRIPTION)
    types = {"kind": str, "measure": str, "words": int}
    if not isinstance(facts, dict) or not all(
        isinstance(facts.get(key), type_) for key, type_ in types.items()
    ):
        raise InputError(f"{path} {_NO_DESCRIPTION}.")
    if not (is_name(facts["kind"]) and is_name(facts["measure"])):
        raise InputError(f"{path} {_NO_DESCRIPTION}.")
    if facts["kind"] not in KINDS:
        raise InputError(f"{path} has an unknown kind '{facts['kind']}': update wordkin.")
    return facts

"""Measures on disk: one folder with `.npy` arrays and a `measure.json` that says how to read them.

The module of each kind describes its arrays. A measure may have more arrays and facts, for
explanations. Arrays are mapped into memory, so opening a measure reads little.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from wordkin.errors import InputError
from wordkin.measures.kind import DESCRIPTION, Arrays, Facts, MeasureFolder
from wordkin.measures.measure import Measure
from wordkin.measures.registry import KINDS
from wordkin.vocabulary import Vocabulary


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


def open_measure(folder: Path, vocabulary: Vocabulary) -> Measure:
    """Open the measure in a folder; refuse a damaged one."""
    return _open(folder, vocabulary, ())


def _open(folder: Path, vocabulary: Vocabulary, whole: tuple[str, ...]) -> Measure:
    """Open a measure that is a part of the measures `whole`."""
    facts = describe(folder)
    if facts["words"] != len(vocabulary):
        raise InputError(
            f"The measure in {folder} has {facts['words']} words and the vocabulary "
            f"{len(vocabulary)}: they come from different builds, make them again."
        )
    if folder.name in whole:
        raise InputError(f"The measure in {folder} is a part of itself: make it again.")

    open_part = partial(_open_part, folder, vocabulary, (*whole, folder.name))
    measure = KINDS[facts["kind"]].open(MeasureFolder(folder, facts, vocabulary, open_part))
    measure.folder, measure.facts = folder, facts
    return measure


def _open_part(folder: Path, vocabulary: Vocabulary, whole: tuple[str, ...], name: str) -> Measure:
    return _open(folder.parent / name, vocabulary, whole)


def describe(folder: Path) -> dict[str, Any]:
    """The content of the `measure.json` in a folder."""
    path = folder / DESCRIPTION
    try:
        facts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        kind, _, _ = facts["kind"], facts["measure"], facts["words"]
        known = kind in KINDS
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is not a measure's description: make it again.") from error
    if not known:
        raise InputError(f"{path} has an unknown kind '{kind}': update wordkin.")
    return facts

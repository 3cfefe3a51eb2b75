"""`python -m pipeline merge FILE`: write the settings of another file over those of params.yaml.

Such a file has the shape of params.yaml and only the keys that differ; `knowledge.yaml` is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, get_type_hints

from ruamel.yaml import YAMLError
from ruamel.yaml.comments import CommentedMap

from pipeline.add.params_file import round_trip
from pipeline.params import load_settings
from pipeline.settings import Blend
from wordkin.errors import InputError
from wordkin.files import new_file, read_text

WEIGHTS = frozenset(
    f"blend.{name}" for name, kind in get_type_hints(Blend).items() if kind == dict[str, float]
)
"""Mappings that are one value: a weight that is not named any more is none."""


def merge(params: Path, changes: Path, measures: Sequence[str]) -> list[str]:
    """Write the settings of `changes` over those of `params`, with the comments of both.

    Sections are merged key by key; a list, a single value or the weights of a blend take the place
    of the old ones. The result is checked before it is written, with `measures` as `load_settings`
    takes them. Returns the keys that have changed.
    """
    yaml = round_trip()
    settings = yaml.load(read_text(params))
    try:
        other = yaml.load(read_text(changes))
    except YAMLError as error:
        raise InputError(f"{changes} is not valid YAML: correct it.") from error
    if not isinstance(other, CommentedMap):
        raise InputError(f"{changes} has no sections: write it in the shape of params.yaml.")
    changed = list(_write_over(settings, other))
    output = StringIO()
    yaml.dump(settings, output)
    with new_file(params) as temporary:
        temporary.write_text(output.getvalue(), encoding="utf-8")
        load_settings(temporary, measures)
    return changed


def _write_over(old: CommentedMap, new: CommentedMap, place: str = "") -> Iterator[str]:
    """Write the values of `new` into `old`, and give the keys that have changed."""
    for key, value in new.items():
        path, before = f"{place}{key}", old.get(key)
        both = isinstance(value, CommentedMap) and isinstance(before, CommentedMap)
        if both and before and path not in WEIGHTS:
            yield from _write_over(before, value, f"{path}.")
        elif key not in old or _plain(before) != _plain(value):
            old[key] = value
            yield path


def _plain(value: Any) -> Any:
    """A value without comments, and with the order of its keys: it says how measures are listed."""
    if isinstance(value, dict):
        return [(key, _plain(entry)) for key, entry in value.items()]
    if isinstance(value, list):
        return [_plain(entry) for entry in value]
    return value

"""Write sources, or the settings of another file, into params.yaml, and keep its comments.

A file of settings (`python -m pipeline merge FILE`) has the shape of params.yaml and only the keys
that differ; `knowledge.yaml` is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML, YAMLError
from ruamel.yaml.comments import CommentedMap

from pipeline.declarations import Source
from pipeline.languages.table import data_of
from pipeline.settings import LanguageVocabulary
from pipeline.stages import load_checked
from wordkin.errors import InputError
from wordkin.files import new_file, read_text

_KEYS = (
    "name", "format", "location", "without", "document", "text", "encoding", "tolerate",
    "licence",
)  # fmt: skip
_WHOLE = ("blend.weights", "blend.informed")
"""Mappings that are one value: a weight that is not named any more is none."""


def write_sources(
    params: Path,
    code: str,
    sources: Sequence[Source],
    replace: bool = False,
    words: int | None = None,
) -> None:
    """Append sources to a language in params.yaml, which may be a new one.

    With `replace`, they take the place of all sources that it has; `words` is a new size of its
    vocabulary.
    """
    content = _yaml().load(read_text(params))
    if not content.get("languages"):
        content["languages"] = CommentedMap()
    entry = content["languages"].setdefault(code, CommentedMap())
    entry.setdefault("lemmatize", data_of(code).lemmatized)
    entry.setdefault("vocabulary", CommentedMap(size=LanguageVocabulary().size))
    if words is not None:
        entry["vocabulary"]["size"] = words
    if replace:
        entry["sources"] = []
    declared = entry.setdefault("sources", [])
    for source in sources:
        values = ((key, getattr(source, key)) for key in _KEYS)
        declared.append(CommentedMap((key, value) for key, value in values if value))
    _write(params, content)


def merge(params: Path, changes: Path) -> list[str]:
    """Write the settings of `changes` over those of `params`, with the comments of both.

    Sections are merged key by key; a list, a single value or the weights of a blend take the place
    of the old ones. Returns the keys that have changed.
    """
    content = _yaml().load(read_text(params))
    try:
        other = _yaml().load(read_text(changes))
    except YAMLError as error:
        raise InputError(f"{changes} is not valid YAML: correct it.") from error
    if not isinstance(other, CommentedMap):
        raise InputError(f"{changes} has no sections: write it in the shape of params.yaml.")
    changed = list(_write_over(content, other))
    _write(params, content)
    return changed


def _write_over(old: CommentedMap, new: CommentedMap, place: str = "") -> Iterator[str]:
    """Write the values of `new` into `old`, and give the keys that have changed."""
    for key, value in new.items():
        path, before = f"{place}{key}", old.get(key)
        both = isinstance(value, CommentedMap) and isinstance(before, CommentedMap)
        if both and before and path not in _WHOLE:
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


def _write(params: Path, content: CommentedMap) -> None:
    """Write params.yaml; it is checked before it is replaced."""
    output = StringIO()
    _yaml().dump(content, output)
    with new_file(params) as temporary:
        temporary.write_text(output.getvalue(), encoding="utf-8")
        load_checked(temporary)


def _yaml() -> YAML:
    """A reader and writer of YAML that changes nothing by itself."""
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 10_000
    yaml.indent(mapping=2, sequence=4, offset=2)
    yaml.representer.add_representer(
        type(None), lambda dumper, _: dumper.represent_scalar("tag:yaml.org,2002:null", "null")
    )
    return yaml

"""Write new sources into params.yaml, and keep its comments where they are."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap

from pipeline.languages.table import data_of
from pipeline.params import load_settings
from pipeline.settings import LanguageVocabulary, Source
from wordkin.files import new_file, read_text

_KEYS = (
    "name", "format", "location", "without", "document", "text", "encoding", "tolerate",
    "licence",
)  # fmt: skip


def write_sources(
    params: Path,
    code: str,
    sources: Sequence[Source],
    replace: bool = False,
    words: int | None = None,
) -> None:
    """Append sources to a language in params.yaml; the file is checked before it is replaced.

    With `replace`, they take the place of all sources that it has; `words` is a new size of its
    vocabulary.
    """
    text = with_sources(read_text(params), code, sources, replace, words)
    with new_file(params) as temporary:
        temporary.write_text(text, encoding="utf-8")
        load_settings(temporary)


def with_sources(
    text: str,
    code: str,
    sources: Sequence[Source],
    replace: bool = False,
    words: int | None = None,
) -> str:
    """The text of params.yaml with more sources of a language, which may be a new one."""
    yaml = round_trip()
    params = yaml.load(text)
    entry = params["languages"].setdefault(code, CommentedMap())
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
    output = StringIO()
    yaml.dump(params, output)
    return output.getvalue()


def round_trip() -> YAML:
    """A reader and writer of YAML that changes nothing by itself."""
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 10_000
    yaml.indent(mapping=2, sequence=4, offset=2)
    yaml.representer.add_representer(
        type(None), lambda dumper, _: dumper.represent_scalar("tag:yaml.org,2002:null", "null")
    )
    return yaml

"""Which field of JSON documents has their running text.

A source of JSON lines often has ids, labels, addresses and dates next to the text. The field with
running text is the one with the most words, if its strings read like sentences.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from pipeline.read import json as json_reader
from pipeline.read.documents import Span
from pipeline.read.storage import head

MOST_DOCUMENTS = 200
SENTENCE_LETTERS = 20
"""A field whose strings are shorter than this on average has labels or names, not text."""
MOST_OF_THE_LETTERS = 0.8
"""If one field has this share of all letters, or twice as many as any other, it is the text."""


def running_text(span: Span, document: str) -> str | None:
    """The path of the field with running text; None if `text` is right or no field stands out."""
    letters: Counter[str] = Counter()
    strings: Counter[str] = Counter()
    for value in _documents(span, document):
        if isinstance(value, str) or (isinstance(value, dict) and "text" in value):
            return None  # what the reader takes by itself
        for path, string in _strings(value):
            letters[path] += sum(map(str.isalpha, string))
            strings[path] += 1
    texts = {
        path: number
        for path, number in letters.items()
        if number >= SENTENCE_LETTERS * strings[path] and _reads_as_text(path)
    }
    if not texts:
        return None
    best, *others = sorted(texts, key=lambda path: (-texts[path], path))
    if texts[best] >= MOST_OF_THE_LETTERS * sum(letters.values()):
        return best
    return best if not others or texts[best] >= 2 * texts[others[0]] else None


def _documents(span: Span, document: str) -> Iterator[Any]:
    """The first documents of the file."""
    start = head(span.path, span.member, 1 << 20).decode("utf-8", "replace").lstrip("\ufeff")
    if json_reader.is_lines(span):
        for line in start.split("\n")[:MOST_DOCUMENTS]:
            try:
                yield from (node for _, node in json_reader.documents(json.loads(line), document))
            except (ValueError, RecursionError):
                continue
        return
    try:
        whole = json.loads(start)
    except (ValueError, RecursionError):
        return  # larger than what is looked at
    yield from (node for _, node in json_reader.documents(whole, document)[:MOST_DOCUMENTS])


def _strings(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """The strings of a document with the path that leads to them; lists are one step, ``*``."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict) and depth < 6:
        for key, member in value.items():
            if "." not in key and "*" not in key:
                yield from _strings(member, f"{path}.{key}" if path else key, depth + 1)
    elif isinstance(value, list) and depth < 6:
        for member in value:
            yield from _strings(member, f"{path}.*" if path else "*", depth + 1)


def _reads_as_text(path: str) -> bool:
    """Whether a field may be text by its name: not the whole markup, nor an address."""
    name = path.rpartition(".")[2].lower()
    return not any(part in name for part in ("url", "html", "href", "markup", "uuid"))

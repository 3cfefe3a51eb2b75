"""JSON: one value per file or per line, with paths to the documents and to their text.

A path is a list of names, or of numbers in a list, joined by dots. ``*`` means every member of a
list or an object, and ``**`` means every string below. For example, ``document: "*"`` with
``text: messages.*.text`` makes one document of each member of the file, with the text of each of
its messages on one line.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from pipeline.read.documents import Document, Source, Span, Tally
from pipeline.read.encodings import decode, encoding_of, narrow, text_pieces
from pipeline.read.stored import Position, head, joined, uncompressed
from pipeline.read.text import lines

LARGEST_FILE = 1 << 30  # bytes of a file that is one JSON value, which is held in memory
_LINE_SUFFIXES = (".jsonl", ".ndjson", ".jsonlines")


def splits(path: str, source: Source) -> bool:
    """JSON lines can be read from any line, but a JSON value only as a whole."""
    return is_lines(Span(path))


def is_lines(span: Span) -> bool:
    """Whether each line is one JSON value: by its name, or because the first line is one."""
    if uncompressed(span.file_name).endswith(_LINE_SUFFIXES):
        return True
    first, end, rest = head(span).lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")
    if not end or not rest.strip():
        return False
    try:
        return isinstance(json.loads(first), dict | list)
    except (ValueError, RecursionError):
        return False


def read(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    """The documents that start in the span."""
    values = line_values if is_lines(span) else _whole_value
    for position, value in values(span, source, tally):
        nodes = at_path(value, source.document or "")
        if not nodes:
            tally.drop("nothing at the document path")
        for key, node in nodes:
            text = "\n".join(texts(node, source.text))
            title = node.get("title") if isinstance(node, dict) else None
            name = ".".join(part for part in (position, key) if part)
            yield Document(name, title if isinstance(title, str) else key, text)


def line_values(span: Span, source: Source, tally: Tally) -> Iterator[tuple[str, Any]]:
    """The value of each line of the span, with the name of the line."""
    for line in lines(span, source, tally):
        if not line.in_span:
            return
        if not line.text.strip():
            continue
        value = _parsed(line.text, span.label, line.position, tally)
        if value is not None:
            yield f"{span.name}:{line.position}", value


def _whole_value(span: Span, source: Source, tally: Tally) -> Iterator[tuple[str, Any]]:
    raw = joined(span, text_pieces(span, source, tally), tally, LARGEST_FILE)
    start = Position(0, 0)
    text = decode(raw, span, start, narrow(encoding_of(span, source)), tally)
    value = _parsed(text, span.label, start, tally) if raw else None
    if value is not None:
        yield span.name, value


def _parsed(text: str, path: str, position: Position, tally: Tally) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        at = position._replace(inner=position.inner + len(text[: error.pos].encode()))
        what = "text that is not JSON"
    except RecursionError:
        at, what = position, "JSON nested too deeply"
    except ValueError:
        at, what = position, "JSON with a number of thousands of digits"
    tally.damage(path, at.offset, what, len(text.encode()), "correct the file")
    tally.drop("broken document")
    return None


def at_path(value: Any, path: str) -> list[tuple[str, Any]]:
    """The values at a path, each with the path that leads to it."""
    found: list[tuple[str, Any]] = [("", value)]
    for step in path.split(".") if path else ():
        if step == "**":
            found = [(name, text) for name, node in found for text in _strings(node)]
        else:
            found = [
                (f"{name}.{key}" if name else key, member)
                for name, node in found
                for key, member in _members(node)
                if step in ("*", key)
            ]
    return found


def texts(value: Any, path: str | None) -> Iterator[str]:
    """The strings at ``path``; without a path those of the field ``text``, or all strings."""
    if path is None:
        path = "text" if isinstance(value, dict) and "text" in value else "**"
    for _, node in at_path(value, path):
        members = node if isinstance(node, list) else [node]
        yield from (member for member in members if isinstance(member, str))


def _members(node: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(node, dict):
        return node.items()
    if isinstance(node, list):
        return ((str(index), member) for index, member in enumerate(node))
    return ()


def _strings(node: Any) -> Iterator[str]:
    """All strings in and below a node, in order, without recursion: nesting may be deep."""
    stack = [node]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
        stack += [member for _, member in reversed([*_members(node)])]


# ── which field has running text ──────────────────────────────────────────────────────────────
# A source of JSON lines often has ids, labels, addresses and dates next to the text.

MOST_DOCUMENTS = 200
SENTENCE_LETTERS = 20
"""A field whose strings are shorter than this on average has labels or names, not text."""
MOST_OF_THE_LETTERS = 0.8
"""If one field has this share of all letters, or twice as many as any other, it is the text."""
# Names of fields that have no text: the whole markup, or an address.
_NO_TEXT = re.compile(r"(?:url|html|href|markup|uuid)[^.]*\Z", re.IGNORECASE)


def running_text(span: Span, document: str) -> str | None:
    """The path of the field with running text; None if `text` is right or no field stands out."""
    letters: Counter[str] = Counter()
    strings: Counter[str] = Counter()
    for value in _first_documents(span, document):
        if isinstance(value, str) or (isinstance(value, dict) and "text" in value):
            return None  # what the reader takes by itself
        for path, string in _strings_with_paths(value):
            letters[path] += sum(map(str.isalpha, string))
            strings[path] += 1
    texts = [
        path
        for path, number in letters.items()
        if number >= SENTENCE_LETTERS * strings[path] and not _NO_TEXT.search(path)
    ]
    best, second = [*sorted(texts, key=lambda path: (-letters[path], path)), "", ""][:2]
    stands_out = letters[best] >= MOST_OF_THE_LETTERS * letters.total()
    return best if best and (stands_out or letters[best] >= 2 * letters[second]) else None


def _first_documents(span: Span, document: str) -> Iterator[Any]:
    """The first documents of the file, as far as they are JSON."""
    start = head(span, 1 << 20).decode("utf-8", "replace").lstrip("\ufeff")
    for text in start.split("\n")[:MOST_DOCUMENTS] if is_lines(span) else [start]:
        try:
            nodes = at_path(json.loads(text), document)
        except (ValueError, RecursionError):
            continue  # or a value that is larger than what is looked at
        yield from (node for _, node in nodes[:MOST_DOCUMENTS])


def _strings_with_paths(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """The strings of a document with the path that leads to them; lists are one step, ``*``."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict) and depth < 6:
        for key, member in value.items():
            if "." not in key and "*" not in key:
                yield from _strings_with_paths(member, f"{path}.{key}" if path else key, depth + 1)
    elif isinstance(value, list) and depth < 6:
        for member in value:
            yield from _strings_with_paths(member, f"{path}.*" if path else "*", depth + 1)

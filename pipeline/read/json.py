"""JSON: one value per file or per line, with paths to the documents and to their text.

A path is a list of names, or of numbers in a list, joined by dots. ``*`` means every member of a
list or an object, and ``**`` means every string below. For example, ``document: "*"`` with
``text: messages.*.text`` makes one document of each member of the file, with the text of each of
its messages on one line.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from pipeline.read.documents import Document, Source, Span, Tally
from pipeline.read.encoding import decode, encoding_of, narrow, text_pieces
from pipeline.read.lines import lines
from pipeline.read.storage import Place, head, joined, uncompressed

LARGEST_FILE = 1 << 30  # bytes of a file that is one JSON value, which is held in memory
_LINE_SUFFIXES = (".jsonl", ".ndjson", ".jsonlines")


def splits(path: str, source: Source) -> bool:
    """JSON lines can be read from any line, but a JSON value only as a whole."""
    return is_lines(Span(path))


def is_lines(span: Span) -> bool:
    """Whether each line is one JSON value: by its name, or because the first line is one."""
    if uncompressed(span.member or span.path).endswith(_LINE_SUFFIXES):
        return True
    first, end, rest = head(span.path, span.member).lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")
    if not end or not rest.strip():
        return False
    try:
        return isinstance(json.loads(first), dict | list)
    except (ValueError, RecursionError):
        return False


def read(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    """The documents that start in the span."""
    values = line_values if is_lines(span) else _whole_value
    for place, value in values(span, source, tally):
        nodes = documents(value, source.document or "")
        if not nodes:
            tally.drop("nothing at the document path")
        for key, node in nodes:
            text = "\n".join(texts(node, source.text))
            title = node.get("title") if isinstance(node, dict) else None
            name = ".".join(part for part in (place, key) if part)
            yield Document(name, title if isinstance(title, str) else key, text)


def line_values(span: Span, source: Source, tally: Tally) -> Iterator[tuple[str, Any]]:
    """The value of each line of the span, with the name of the line."""
    for line in lines(span, source, tally):
        if not line.in_span:
            return
        if not line.text.strip():
            continue
        value = _parsed(line.text, span.label, line.place, tally)
        if value is not None:
            yield f"{span.name}:{line.place}", value


def _whole_value(span: Span, source: Source, tally: Tally) -> Iterator[tuple[str, Any]]:
    raw = joined(span, text_pieces(span, source, tally), tally, LARGEST_FILE)
    start = Place(0, 0)
    text = decode(raw, span, start, narrow(encoding_of(span, source)), tally)
    value = _parsed(text, span.label, start, tally) if raw else None
    if value is not None:
        yield span.name, value


def _parsed(text: str, path: str, place: Place, tally: Tally) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        at = place._replace(inner=place.inner + len(text[: error.pos].encode()))
        what = "text that is not JSON"
    except RecursionError:
        at, what = place, "JSON nested too deeply"
    except ValueError:
        at, what = place, "JSON with a number of thousands of digits"
    tally.damage(path, at.offset, what, len(text.encode()), "correct the file")
    tally.drop("broken document")
    return None


def documents(value: Any, path: str) -> list[tuple[str, Any]]:
    """The values at ``path``, each with the path that leads to it."""
    nodes: list[tuple[str, Any]] = [("", value)]
    for step in path.split(".") if path else ():
        nodes = [
            (f"{name}.{key}" if name else key, member)
            for name, node in nodes
            for key, member in _members(node)
            if step in ("*", key)
        ]
    return nodes


def texts(value: Any, path: str | None) -> Iterator[str]:
    """The strings at ``path``; without a path those of the field ``text``, or all strings."""
    if path is None:
        path = "text" if isinstance(value, dict) and "text" in value else "**"
    nodes = [value]
    for step in path.split("."):
        if step == "**":
            nodes = [text for node in nodes for text in _strings(node)]
        elif step == "*":
            nodes = [member for node in nodes for _, member in _members(node)]
        else:
            nodes = [member for node in nodes for member in _member(node, step)]
    for node in nodes:
        if isinstance(node, str):
            yield node
        elif isinstance(node, list):
            yield from (item for item in node if isinstance(item, str))


def _member(node: Any, step: str) -> list[Any]:
    """The member of an object by name, or of a list by its number from 0, if there is one."""
    if isinstance(node, dict):
        return [node[step]] if step in node else []
    if isinstance(node, list) and step.isdecimal() and int(step) < len(node):
        return [node[int(step)]]
    return []


def _members(node: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(node, dict):
        return node.items()
    if isinstance(node, list):
        return ((str(index), member) for index, member in enumerate(node))
    return ()


def _strings(node: Any) -> Iterator[str]:
    """All strings in and below a node, in order, without recursion: nesting may be deep."""
    stack = [iter([("", node)])]
    while stack:
        for _, member in stack[-1]:
            if isinstance(member, str):
                yield member
            elif isinstance(member, dict | list):
                stack.append(iter(_members(member)))
                break
        else:
            stack.pop()

"""JSON: a file or a line at a time, with paths to the documents and to their text.

A path is names joined by dots; ``*`` stands for every member of a list or an object, ``**`` for
every string below. ``document: "*"`` with ``text: messages.*.text`` makes a document of each
member of the whole and joins the texts of its messages, a line each.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from pipeline.corpus.readers.documents import Document, Source, Span, Tally
from pipeline.corpus.readers.encoding import decode, encoding_of, narrow, text_pieces
from pipeline.corpus.readers.lines import lines
from pipeline.corpus.readers.storage import Place, gathered, head, uncompressed

LARGEST_FILE = 1 << 30  # bytes of one JSON value, which is read whole
_LINE_SUFFIXES = (".jsonl", ".ndjson", ".jsonlines")


def splits(path: str, source: Source) -> bool:
    """JSON lines can be read from any line on, one JSON value only as a whole."""
    return is_lines(path)


def is_lines(path: str) -> bool:
    """Whether each line is a JSON value of its own: by name, or because the first line is one."""
    if uncompressed(path).endswith(_LINE_SUFFIXES):
        return True
    first, end, rest = head(path).lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")
    if not end or not rest.strip():
        return False
    try:
        return isinstance(json.loads(first), dict | list)
    except ValueError:
        return False


def read(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    values = line_values if is_lines(span.path) else _whole_value
    for place, value in values(span, source, tally):
        named = documents(value, source.document or "")
        if not named:
            tally.drop("nothing at the document path")
        for key, found in named:
            text = "\n".join(texts(found, source.text))
            title = found.get("title") if isinstance(found, dict) else None
            name = ".".join(part for part in (place, key) if part)
            yield Document(name, title if isinstance(title, str) else key, text)


def line_values(span: Span, source: Source, tally: Tally) -> Iterator[tuple[str, Any]]:
    for line in lines(span, source, tally):
        if not line.own:
            return
        if not line.text.strip():
            continue
        value = _parsed(line.text, span.path, line.place, tally)
        if value is not None:
            yield f"{span.name}:{line.place}", value


def _whole_value(span: Span, source: Source, tally: Tally) -> Iterator[tuple[str, Any]]:
    raw = gathered(span, text_pieces(span, source, tally), tally, LARGEST_FILE)
    start = Place(0, 0)
    text = decode(raw, span, start, narrow(encoding_of(span, source)), tally)
    value = _parsed(text, span.path, start, tally) if raw else None
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
    tally.damage(path, at.offset, what, len(text.encode()), "mend the file")
    tally.drop("broken document")
    return None


def documents(value: Any, path: str) -> list[tuple[str, Any]]:
    """The values at ``path`` with the names that lead to them."""
    found: list[tuple[str, Any]] = [("", value)]
    for step in path.split(".") if path else ():
        found = [
            (f"{name}.{key}" if name else key, member)
            for name, node in found
            for key, member in _members(node)
            if step in ("*", key)
        ]
    return found


def texts(value: Any, path: str | None) -> Iterator[str]:
    """The strings at ``path``; without one those of the field ``text``, or else all there are."""
    if path is None:
        path = "text" if isinstance(value, dict) and "text" in value else "**"
    found = [value]
    for step in path.split("."):
        if step == "**":
            found = [text for node in found for text in _strings(node)]
        elif step == "*":
            found = [member for node in found for _, member in _members(node)]
        else:
            found = [node[step] for node in found if isinstance(node, dict) and step in node]
    for node in found:
        if isinstance(node, str):
            yield node
        elif isinstance(node, list):
            yield from (item for item in node if isinstance(item, str))


def _members(node: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(node, dict):
        return node.items()
    if isinstance(node, list):
        return ((str(index), member) for index, member in enumerate(node))
    return ()


def _strings(node: Any) -> Iterator[str]:
    """All strings in and below a node, in order; a stack of iterators, as nesting may be deep."""
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

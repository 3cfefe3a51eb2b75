"""CoNLL-U, annotated sentences: one document per ``# newdoc``, or a fixed number of sentences.

The text of a sentence is in its comment ``# text``; without one it is put together from the words.
"""

import re
from collections.abc import Iterator

from pipeline.read.documents import LARGEST, Document, Source, Span, Tally
from pipeline.read.opensubtitles import LINES
from pipeline.read.text import lines

_FIELDS = 10
_NUMBER = re.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?")  # of a word, or of the words in one


def splits(path: str, source: Source) -> bool:
    """Sentences are counted from the start of the file."""
    return False


def read(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    """The documents of the file."""
    most, number, size = source.lines or LINES, 0, 0
    title: str | None = None  # None: the file does not mark its documents
    texts: list[str] = []
    for newdoc, text in _sentences(span, source, tally):
        is_full = (title is None and len(texts) >= most) or size > LARGEST // 2
        if texts and (is_full or newdoc is not None):
            number += 1
            yield Document(f"{span.name}:{number}", title or "", "\n".join(texts))
            texts, size = [], 0
        title = title if newdoc is None else newdoc
        texts.append(text)
        size += len(text)
    if texts:
        yield Document(f"{span.name}:{number + 1}", title or "", "\n".join(texts))


def _sentences(span: Span, source: Source, tally: Tally) -> Iterator[tuple[str | None, str]]:
    """Each sentence, with the name of the document that it begins, or None if it begins none."""
    newdoc: str | None = None
    text = ""
    words: list[list[str]] = []  # their fields
    for line in lines(span, source, tally):
        if line.after_gap:
            text, words = "", []
            tally.drop("broken document")
        key, _, value = line.text.rstrip("\r").partition("=")
        if line.text.startswith("# newdoc"):
            newdoc = value.strip()
        elif key == "# text ":
            text = value.strip()
        elif line.text.startswith("#"):
            continue
        elif line.text.strip():
            words.append(line.text.split("\t"))
            if len(words[-1]) < _FIELDS:
                what = f"line without the {_FIELDS} fields of CoNLL-U"
                size = len(line.text.encode())
                tally.damage(span.label, line.position.offset, what, size)
                tally.drop("broken line")
                words.pop()
        else:
            if words:
                yield newdoc, text or _joined(words)
                newdoc = None
            text, words = "", []
    if words:
        yield newdoc, text or _joined(words)


def _joined(words: list[list[str]]) -> str:
    """The words of a sentence; a word that the annotation takes apart is one (au: à le)."""
    parts: list[str] = []
    covered = 0  # the last word that a word of several parts covers
    for fields in words:
        number = _NUMBER.fullmatch(fields[0])
        if number is None or (not number[2] and int(number[1]) <= covered):
            continue
        covered = int(number[2] or covered)
        parts.append(fields[1] + ("" if "SpaceAfter=No" in fields[9] else " "))
    return "".join(parts).strip()

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
    treebank = _Treebank(span, source.lines or LINES)
    for line in lines(span, source, tally):
        if line.after_gap:
            treebank.forget_sentence()
            tally.drop("broken document")
        text = line.text.rstrip("\r")
        if text.startswith("# newdoc"):
            yield from treebank.document()
            treebank.begin(text.partition("=")[2].strip())
        elif text.startswith("# text ="):
            treebank.text = text.partition("=")[2].strip()
        elif text.startswith("#"):
            continue
        elif text.strip():
            fields = text.split("\t")
            if len(fields) < _FIELDS:
                what = f"line without the {_FIELDS} fields of CoNLL-U"
                tally.damage(span.label, line.position.offset, what, len(text.encode()))
                tally.drop("broken line")
            else:
                treebank.add(fields)
        elif treebank.end_sentence():
            yield from treebank.document()
    treebank.end_sentence()
    yield from treebank.document()


class _Treebank:
    """The sentences of a document as they pass."""

    def __init__(self, span: Span, most: int) -> None:
        self.text = ""
        self._span = span
        self._most = most
        self._marked = False  # whether the file marks its documents
        self._name = ""
        self._number = 0
        self._words: list[str] = []
        self._covered = 0  # the last word that a word of several parts covers
        self._sentences: list[str] = []
        self._size = 0

    def begin(self, name: str) -> None:
        """Begin a document that the file marks."""
        self._marked, self._name = True, name

    def add(self, fields: list[str]) -> None:
        """Add a word, or a word that the annotation takes apart (au: à le)."""
        number = _NUMBER.fullmatch(fields[0])
        if number is None or (not number[2] and int(number[1]) <= self._covered):
            return
        self._covered = int(number[2] or self._covered)
        spaced = "SpaceAfter=No" not in fields[9]
        self._words.append(fields[1] + (" " if spaced else ""))

    def forget_sentence(self) -> None:
        """Forget the words of a sentence that breaks off."""
        self.text, self._words, self._covered = "", [], 0

    def end_sentence(self) -> bool:
        """End a sentence; true when the document is full."""
        if self._words:
            sentence = self.text or "".join(self._words).strip()
            self._sentences.append(sentence)
            self._size += len(sentence)
        self.forget_sentence()
        too_many = not self._marked and len(self._sentences) >= self._most
        return too_many or self._size > LARGEST // 2

    def document(self) -> Iterator[Document]:
        """The document so far, if there is one."""
        if self._sentences:
            self._number += 1
            name = f"{self._span.name}:{self._number}"
            yield Document(name, self._name, "\n".join(self._sentences))
        self._sentences, self._size = [], 0

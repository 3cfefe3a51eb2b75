"""XML read without trust: no document types, so no entities that blow up or fetch anything."""

from xml.parsers import expat

from wordkin.errors import InputError


def offset_of(error: expat.ExpatError, raw: bytes) -> int:
    """The byte of the text at which the parser stopped."""
    lines = raw.splitlines(keepends=True)
    return sum(map(len, lines[: error.lineno - 1])) + error.offset


def refusal(path: str) -> InputError:
    """The error for XML that declares a document type: no corpus does."""
    return InputError(
        f"{path}: the XML declares a document type or entities, which can blow up without end, so "
        f"it is not read; fetch the file from its source."
    )


def parser(path: str) -> expat.XMLParserType:
    """An XML parser that refuses declarations."""

    def refuse(*declaration: object) -> None:
        raise refusal(path)

    made = expat.ParserCreate()
    made.buffer_text = True
    made.StartDoctypeDeclHandler = refuse
    return made

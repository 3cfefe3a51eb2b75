"""Untrusted XML: without document types, so that no entity can expand or fetch anything."""

from xml.parsers import expat

from wordkin.errors import InputError


def offset_of(error: expat.ExpatError, raw: bytes) -> int:
    """The byte at which the parser stopped."""
    lines = raw.splitlines(keepends=True)
    return sum(map(len, lines[: error.lineno - 1])) + error.offset


def refusal(path: str) -> InputError:
    """The error for XML that declares a document type, which no corpus needs."""
    return InputError(
        f"{path} is not read because its XML declares a document type or entities, which can grow "
        f"without limit: fetch the file from its source."
    )


def parser(path: str) -> expat.XMLParserType:
    """An XML parser that refuses document types."""

    def refuse(*declaration: object) -> None:
        raise refusal(path)

    safe_parser = expat.ParserCreate()
    safe_parser.buffer_text = True
    safe_parser.StartDoctypeDeclHandler = refuse
    return safe_parser

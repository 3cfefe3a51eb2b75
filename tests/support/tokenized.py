"""One line of text as tokens, without the compiled kernels."""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

from pipeline.languages.tokenizer import tokenizer


class TokenizedLine(NamedTuple):
    """Tokens, and one byte of flags for each of them."""

    tokens: list[str]
    flags: bytes


def tokenize_line(code: str, line: str) -> TokenizedLine:
    """The tokens of a line with their flags, each run split on its own."""
    mixed = list(chain.from_iterable(map(tokenizer(code).split, line.split())))
    return TokenizedLine(mixed[0::2], bytes(mixed[1::2]))

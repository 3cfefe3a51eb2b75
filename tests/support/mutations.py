"""Damage of every kind: a seeded generator changes bytes, texts, JSON values and arrays."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from typing import Any

import numpy as np

Mutate = Callable[[random.Random, bytes], bytes]

NASTY_BYTES = (b"\x00", b"\xff", b"\n", b"\r", b"\t", b"\x1b[2J", b"\xe2\x80\xa8", b"\xed\xa0\x80")
NASTY_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1e308, float("nan"), float("inf"), 10**30, "", "../..", "/etc/passwd",
    "a\nb", [], {}, [[[]]], {"a": {"a": 1}}, "x" * 10_000,
)  # fmt: skip


def flip(chance: random.Random, content: bytes) -> bytes:
    """Change some bytes."""
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 3, 30))):
        if changed:
            changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def cut(chance: random.Random, content: bytes) -> bytes:
    """Leave out the end, the start, or a piece in the middle."""
    start, end = sorted(chance.randint(0, len(content)) for _ in range(2))
    return chance.choice((content[:end], content[start:], content[:start] + content[end:]))


def repeat(chance: random.Random, content: bytes) -> bytes:
    """Repeat a piece many times."""
    start = chance.randint(0, len(content))
    piece = content[start : start + chance.choice((1, 5, 80))]
    times = chance.choice((2, 50, 500))
    return content[:start] + piece * times + content[start:]


def insert(chance: random.Random, content: bytes) -> bytes:
    """Put in bytes that confuse readers."""
    at = chance.randint(0, len(content))
    return content[:at] + chance.choice(NASTY_BYTES) * chance.choice((1, 2, 100)) + content[at:]


def replace_number(chance: random.Random, content: bytes) -> bytes:
    """Write another number over a digit."""
    places = [at for at, byte in enumerate(content) if 48 <= byte <= 57]
    if not places:
        return flip(chance, content)
    at = chance.choice(places)
    number = chance.choice((b"-1", b"0", b"999999999999", b"1e400", b"NaN", b"9" * 5000))
    return content[:at] + number + content[at + 1 :]


BYTES: tuple[Mutate, ...] = (flip, cut, repeat, insert, replace_number)


def change_json(chance: random.Random, content: bytes) -> bytes:
    """Replace or remove a value somewhere in a JSON document."""
    document = json.loads(content)
    places = [place for place in _places(document) if place[0] is not None]
    holder, key = chance.choice(places)
    if chance.random() < 0.2:
        del holder[key]
    else:
        holder[key] = chance.choice(NASTY_VALUES)
    return json.dumps(document).encode()


def _places(value: Any, holder: Any = None, key: Any = None) -> list[tuple[Any, Any]]:
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [(holder, key), *(place for k, v in items for place in _places(v, value, k))]


def change_array(chance: random.Random, content: bytes) -> bytes:
    """Change numbers, the type, the shape or the order of bytes of a `.npy` file."""
    array = np.load(io.BytesIO(content)).copy()
    how = chance.choice(("numbers", "numbers", "type", "shape", "order", "fortran", "all"))
    flat = array.reshape(-1)
    nasty = (np.nan, np.inf, -np.inf, 1e30, 2.0, -1.0, 0.0) if array.dtype.kind == "f" else (
        -1, 0, 1, 10**6, np.iinfo(array.dtype).max, np.iinfo(array.dtype).min,
    )  # fmt: skip
    with np.errstate(over="ignore"):
        if how == "numbers" and len(flat):
            for _ in range(chance.choice((1, 3))):
                value = np.array(chance.choice(nasty)).astype(array.dtype)
                flat[chance.randrange(len(flat))] = value
        elif how == "all":
            flat[:] = np.array(chance.choice(nasty)).astype(array.dtype)
        elif how == "type":
            types = ("f2", "f8", "i1", "i8", "u8", "c8", "U3", "S2", "M8[s]", "bool", "f16")
            array = array.astype(chance.choice(types))
        elif how == "shape":
            smaller, flatter = array[: len(array) // 2], array.reshape(-1)
            array = chance.choice((smaller, flatter, np.concatenate([array, array]), array[:0]))
        elif how == "order":
            array = array.astype(array.dtype.newbyteorder(">"))
        elif how == "fortran":
            array = np.asfortranarray(array)
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def mutate(chance: random.Random, name: str, content: bytes) -> bytes:
    """Damage the content of a file in a way that suits its kind, or as plain bytes."""
    special = {".json": change_json, ".npy": change_array}.get(name[name.rfind(".") :])
    if special and chance.random() < 0.6:
        return special(chance, content)
    return chance.choice(BYTES)(chance, content)

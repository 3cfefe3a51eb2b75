"""A tiny encoder: an ONNX model that looks up one hidden state per piece, and its tokenizer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace


def write_encoder(folder: Path, words: list[str], states: NDArray[np.float32]) -> list[Path]:
    """Write model.onnx and tokenizer.json; the first state is for unknown words."""
    pieces = {word: at for at, word in enumerate(["[UNK]", *words])}
    tokenizer = Tokenizer(WordLevel(pieces, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "model.onnx").write_bytes(lookup_model(states))
    return [folder / "model.onnx", folder / "tokenizer.json"]


def lookup_model(states: NDArray[np.float32]) -> bytes:
    """An ONNX model (protocol buffers, by hand): last_hidden_state = states[input_ids]."""
    node = _field(1, b"states") + _field(1, b"input_ids") + _field(2, b"last_hidden_state")
    table = b"".join(_number(1, size) for size in states.shape)
    table += _number(2, 1) + _field(8, b"states") + _field(9, states.astype("<f4").tobytes())
    graph = _field(1, node + _field(4, b"Gather")) + _field(2, b"lookup") + _field(5, table)
    graph += _field(11, _value(b"input_ids", 7, 2)) + _field(12, _value(b"last_hidden_state", 1, 3))
    opset = _field(1, b"") + _number(2, 13)
    return _number(1, 8) + _field(7, graph) + _field(8, opset)


def _value(name: bytes, type_: int, rank: int) -> bytes:
    shape = b"".join(_field(1, _field(2, b"d%d" % axis)) for axis in range(rank))
    tensor = _number(1, type_) + _field(2, shape)
    return _field(1, name) + _field(2, _field(1, tensor))


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])

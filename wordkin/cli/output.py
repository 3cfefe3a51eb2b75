"""What commands print: tables and lines for people, JSON for programs."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wordkin.language.resolving import Resolution
from wordkin.program import one_line
from wordkin.tables import table_lines
from wordkin.texts import texts


def header(given: Namespace, *columns: str) -> list[str]:
    """The names of the columns of a table in the language of the interface."""
    text = texts(given.lang)
    return [text[f"head_{column}"] for column in columns]


def print_table(header: Sequence[str] | None, rows: Sequence[Sequence[str]]) -> None:
    """Print a table with aligned columns."""
    cells = [[one_line(cell) for cell in row] for row in rows]
    print("\n".join(table_lines(header, cells)))


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Let a failure of the system name the file that a person asked for, not a part of it."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


def resolved(unknown: Sequence[Resolution]) -> dict[str, Any]:
    """What unknown words stand for, as a part of a JSON answer; nothing if all are known."""
    return {"resolved": [item.as_dict() for item in unknown]} if unknown else {}


def print_resolved(given: Namespace, unknown: Sequence[Resolution]) -> None:
    """Say what unknown words stand for, one line each."""
    for item in unknown:
        print(f"  {item.line(given.lang)}")


def print_written(given: Namespace, path: Path) -> None:
    """Say that a file was written."""
    if given.json:
        print_json({"written": str(path)})
    else:
        print(texts(given.lang)["written"].format(path=path))


def print_json(answer: Any) -> None:
    """Print an answer as JSON."""
    # Escapes of JSON, and not those of Python, for what the encoding of the output lacks.
    ascii_only = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") != "utf8"
    print(json.dumps(rounded(answer), ensure_ascii=ascii_only, indent=2))


def rounded(answer: Any) -> Any:
    """The answer with six digits per number: relatedness has single precision."""
    if isinstance(answer, float):
        return float(f"{answer:.6g}")
    if isinstance(answer, dict):
        return {key: rounded(value) for key, value in answer.items()}
    if isinstance(answer, list | tuple):
        return [rounded(value) for value in answer]
    return answer

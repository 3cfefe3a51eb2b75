"""What commands print: tables and lines for people, JSON for programs.

Nothing that people type or that data holds steers the terminal: control characters are escaped.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wordkin.language.resolution import Resolution
from wordkin.program import one_line
from wordkin.tables import table_lines
from wordkin.texts import texts

_CONTROL_IN_JSON = re.compile(r"[\x7f-\x9f]")


def header(language: str, *columns: str) -> list[str]:
    """The names of the columns of a table in the language of the interface."""
    return [texts(language)[f"head_{column}"] for column in columns]


def print_lines(*lines: str) -> None:
    """Print lines."""
    print("\n".join(map(one_line, lines)))


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


def print_resolved(language: str, unknown: Iterable[Resolution]) -> None:
    """Say what unknown words stand for, one line each."""
    for item in unknown:
        print_lines(f"  {item.line(language)}")


def print_written(language: str, path: Path, as_json: bool) -> None:
    """Say that a file was written."""
    if as_json:
        print_json({"written": str(path)})
    else:
        print_lines(texts(language)["written"].format(path=path))


def print_json(answer: Any) -> None:
    """Print an answer as JSON."""
    # Escapes of JSON, and not those of Python, for what the encoding of the output lacks.
    ascii_only = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") != "utf8"
    written = json.dumps(rounded(answer), ensure_ascii=ascii_only, indent=2)
    print(_CONTROL_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", written))


def rounded(answer: Any) -> Any:
    """The answer with six digits per number: relatedness has single precision."""
    if isinstance(answer, float):
        return float(f"{answer:.6g}")
    if isinstance(answer, dict):
        return {key: rounded(value) for key, value in answer.items()}
    if isinstance(answer, list | tuple):
        return [rounded(value) for value in answer]
    return answer

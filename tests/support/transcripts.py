"""What examples on the pages print: `python -m tests.support.transcripts` writes it again.

A block of the kind `console` has commands after `$ ` and what they print. A block of the kind
`text` right after one of Python has what that prints; the Python of a page runs as one program.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from tests.support.docs import PAGES

_CONSOLE = re.compile(r"(?<=^```console\n)(.*?)(?=^```)", re.MULTILINE | re.DOTALL)
_PYTHON = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```", re.MULTILINE | re.DOTALL)


def has_transcript(path: Path) -> bool:
    """Whether a page shows what an example prints."""
    text = path.read_text(encoding="utf-8")
    return bool(_CONSOLE.search(text) or _PYTHON.search(text))


def rewritten(path: Path) -> str:
    """The text of a page with what its examples print now."""
    text = _CONSOLE.sub(lambda block: _run(block[0]), path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    return _PYTHON.sub(lambda blocks: _printed(blocks[1], names), text)


def _run(block: str) -> str:
    commands = [line for line in block.splitlines() if line.startswith("$ ")]
    return "".join(f"{command}\n{_output(command)}" for command in commands)


def _output(command: str) -> str:
    program, *arguments = shlex.split(command.removeprefix("$ "))
    assert program == "wordkin", command
    with tempfile.TemporaryDirectory() as folder:
        call = [sys.executable, "-m", "wordkin", *arguments]
        return subprocess.run(call, cwd=folder, capture_output=True, text=True, check=True).stdout


def _printed(code: str, names: dict[str, Any]) -> str:
    with redirect_stdout(io.StringIO()) as printed:
        exec(code, names)
    return f"```python\n{code}```\n\n```text\n{printed.getvalue()}```"


if __name__ == "__main__":
    os.environ.pop("WORDKIN_BUNDLES", None)
    for page in filter(has_transcript, PAGES):
        page.write_text(rewritten(page), encoding="utf-8", newline="\n")

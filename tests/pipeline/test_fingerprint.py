"""The fingerprint of a program follows what it means, not how it is written."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.count.counts import PROGRAM
from pipeline.fingerprint import fingerprint
from tests.support.root import ROOT

BEFORE = '''"""A module."""

LIMIT = 3
"""What the limit is for."""


def double(number):
    """Twice a number."""
    if number > LIMIT:
        return [number, number]
    else:
        return 2 * number
'''

SAME = {
    "a comment": BEFORE.replace("LIMIT = 3", "# Three is enough.\nLIMIT = 3  # really"),
    "another docstring": BEFORE.replace("Twice a number.", "The double of a number."),
    "no docstrings": BEFORE.replace('"""A module."""', "").replace('    """Twice a number."""', ""),
    "a string in an else branch": BEFORE.replace("else:", 'else:\n        "Small numbers."'),
    "line breaks": BEFORE.replace("[number, number]", "[\n            number,\n number,]"),
    "parentheses": BEFORE.replace("2 * number", "(2 * (number))"),
}
DIFFERENT = {
    "a constant": BEFORE.replace("LIMIT = 3", "LIMIT = 4"),
    "an operator": BEFORE.replace("number > LIMIT", "number >= LIMIT"),
    "a statement": BEFORE.replace("    if", "    number += 1\n    if"),
    "a string that is returned": BEFORE.replace("2 * number", '"twice"'),
    "a function": BEFORE + "\n\ndef half(number):\n    return number / 2\n",
}


def fingerprint_of(folder: Path, text: str) -> str:
    path = folder / "module.py"
    path.write_text(text)
    return fingerprint([path])


@pytest.mark.parametrize("change", SAME)
def test_what_python_ignores_does_not_change_it(tmp_path: Path, change: str) -> None:
    assert SAME[change] != BEFORE
    assert fingerprint_of(tmp_path, SAME[change]) == fingerprint_of(tmp_path, BEFORE)


@pytest.mark.parametrize("change", DIFFERENT)
def test_another_program_has_another_fingerprint(tmp_path: Path, change: str) -> None:
    assert fingerprint_of(tmp_path, DIFFERENT[change]) != fingerprint_of(tmp_path, BEFORE)


def test_every_counting_module_that_a_task_runs_is_part_of_the_program() -> None:
    code = (
        "import json, sys\n"
        "from pipeline.count import codes, counter\n"
        "print(json.dumps([m.__file__ for name, m in sys.modules.items()\n"
        "                  if name.startswith('pipeline.count.')]))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert {Path(path) for path in json.loads(loaded.stdout)} <= set(PROGRAM)

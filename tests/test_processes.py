"""How tests are divided among processes: the lists of files name what is there."""

from __future__ import annotations

import re

from tests.support.processes import DIVIDED, LONGEST, SPARK
from tests.support.root import ROOT

FILES = {path.stem: path for path in (ROOT / "tests").rglob("test_*.py")}


def test_the_named_files_are_there() -> None:
    assert {*LONGEST, *DIVIDED} <= FILES.keys()


def test_the_tests_with_spark_are_in_one_process() -> None:
    use = re.compile(r'\bspark: Engine\b|getfixturevalue\("spark"\)')
    users = {name for name, path in FILES.items() if use.search(path.read_text(encoding="utf-8"))}
    assert users - {"test_processes"} == SPARK

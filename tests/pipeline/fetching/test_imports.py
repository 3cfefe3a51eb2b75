"""Stages that only read what was fetched depend on no code that downloads."""

from __future__ import annotations

import pytest

from tests.support.imports import imported_files


@pytest.mark.parametrize("reader", ["gold_sets", "recorded_rounds"])
def test_reading_what_was_fetched_imports_no_downloading_code(reader: str) -> None:
    imported = {path.as_posix() for path in imported_files(f"pipeline.fetching.{reader}")}
    room = {path for path in imported if path.startswith("pipeline/fetching/")}
    assert room == {"pipeline/fetching/__init__.py", f"pipeline/fetching/{reader}.py"}

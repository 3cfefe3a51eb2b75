"""Stages that only read what was fetched depend on no code that downloads."""

from __future__ import annotations

import pytest

from tests.support.imports import imported_files


@pytest.mark.parametrize("reader", ["gold_sets", "recorded_rounds"])
def test_reading_what_was_fetched_imports_no_downloading_code(reader: str) -> None:
    imported = {path.as_posix() for path in imported_files(f"pipeline.fetch.{reader}")}
    room = {path for path in imported if path.startswith("pipeline/fetch/")}
    assert room == {"pipeline/fetch/__init__.py", f"pipeline/fetch/{reader}.py"}

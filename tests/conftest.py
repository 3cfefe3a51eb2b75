"""What tests share: a Spark context for the whole run, and the mirror folder where there is one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from pipeline.engine import Engine
from pipeline.settings import Spark
from pipeline.spark import spark_engine
from tests.support.root import ROOT

# Kernels compile on their first call, so no example has a time limit.
# CI tries the same examples each time, so that it fails for a change and not by chance.
settings.register_profile("wordkin", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("wordkin")

LONGEST = ("test_killed_stages", "test_pipeline", "test_cluster", "test_stages")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start the longest files first, so that they run in parallel with all others."""
    items.sort(key=lambda item: item.path.stem not in LONGEST)


@pytest.fixture(scope="session")
def spark() -> Iterator[Engine]:
    with spark_engine("wordkin tests", Spark(master="local[2]")) as engine:
        yield engine


@pytest.fixture(scope="session")
def mirror() -> Path:
    """The folder of real corpora and gold sets, on machines that have one."""
    folder = Path(os.environ.get("WORDKIN_MIRROR") or ROOT.parent / "shared" / "mirror")
    if not folder.is_dir():
        pytest.skip("no mirror folder with real corpora (WORDKIN_MIRROR) on this machine")
    return folder

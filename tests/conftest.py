"""What tests share: a Spark context for the whole run, and the mirror folder where there is one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from pipeline.engine import Engine
from pipeline.settings import Spark
from pipeline.spark import open_engine

# Kernels compile on their first call, and nothing here is a matter of time.
settings.register_profile("wordkin", deadline=None)
settings.load_profile("wordkin")

ROOT = Path(__file__).resolve().parent.parent

LONGEST = ("test_killed_stages", "test_pipeline", "test_cluster", "test_stages")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first: side by side with all others, not alone at the end."""
    items.sort(key=lambda item: item.path.stem not in LONGEST)


@pytest.fixture(scope="session")
def spark() -> Iterator[Engine]:
    with open_engine("wordkin tests", Spark(master="local[2]")) as engine:
        yield engine


@pytest.fixture(scope="session")
def mirror() -> Path:
    """Real corpora and gold sets beside the project, for machines that have them."""
    folder = Path(os.environ.get("WORDKIN_MIRROR") or ROOT.parent / "shared" / "mirror")
    if not folder.is_dir():
        pytest.skip("no mirror folder with real corpora (WORDKIN_MIRROR) on this machine")
    return folder

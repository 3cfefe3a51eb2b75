"""How tests are divided among processes.

Each process takes the next file when it is done with one, the longest files first. All tests with
Spark are in one process, so that it starts once. Files whose tests share nothing but the small
project are divided by tests.
"""

from __future__ import annotations

import os
from pathlib import Path

from xdist.scheduler import LoadFileScheduling

LONGEST = (
    "test_pipeline", "test_cluster", "test_hostile_text", "test_databases", "test_interruptions",
    "test_killed_stages", "test_faults", "test_stages", "test_same_bytes",
)  # fmt: skip
SPARK = {
    "test_cluster", "test_counts", "test_growth", "test_engine", "test_spark", "test_tokens",
    "test_type_counts",
}  # fmt: skip
DIVIDED = {"test_killed_stages", "test_faults"}
MOST_PROCESSES = 4


def place_of(name: str) -> int:
    """The place of a file in the order of files."""
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)


def number_of_processes() -> int:
    """One process more than cores: tests often wait for servers, disks and other processes."""
    return min((os.cpu_count() or 1) + 1, MOST_PROCESSES)


class Work(LoadFileScheduling):
    """Tests that one process runs one after the other."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        name = Path(file).stem
        return "Spark" if name in SPARK else nodeid if name in DIVIDED else file

"""No number of threads changes a byte."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from bench.same_bytes import THREADS
from tests.support.root import ROOT
from tests.support.threads import KERNELS


@pytest.fixture(scope="module")
def digests() -> dict[str, dict[str, str]]:
    """The hash of each kernel's result, by the number of threads."""
    process = subprocess.run(
        [sys.executable, "-m", "tests.support.threads"],
        cwd=ROOT,
        env={**os.environ, **dict.fromkeys(THREADS, "2"), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(process.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS)
def test_one_thread_and_two_give_the_same_bytes(
    digests: dict[str, dict[str, str]], kernel: str
) -> None:
    assert set(digests[kernel]) == {"1", "2"}
    assert digests[kernel]["1"] == digests[kernel]["2"]

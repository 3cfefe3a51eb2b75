"""Reading pairs and rounds is light: no statistics and no measures are loaded for it."""

from __future__ import annotations

import subprocess
import sys

import pytest


def loaded_by(module: str) -> set[str]:
    """The modules that a fresh process loads with `module`."""
    program = f"import sys, {module}; print(*sys.modules)"
    outcome = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(outcome.stdout.split())


@pytest.mark.parametrize("module", ["pairs", "rounds", "picks", "intervals"])
def test_no_statistics_are_loaded(module: str) -> None:
    assert not {name for name in loaded_by(f"wordkin.judging.{module}") if "scipy" in name}


@pytest.mark.parametrize("module", ["pairs", "rounds", "intervals"])
def test_no_measures_are_loaded(module: str) -> None:
    loaded = loaded_by(f"wordkin.judging.{module}")
    assert not {name for name in loaded if name.startswith("wordkin.measures")}


def test_statistics_come_with_correlations() -> None:
    assert "scipy.stats" in loaded_by("wordkin.judging.correlation")

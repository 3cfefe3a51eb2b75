"""The command line and the bundles that it opens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from wordkin.cli import main


@pytest.fixture(scope="module")
def bundle(folder: Path) -> str:
    return str(folder)


@pytest.fixture(scope="module")
def magyar(hungarian_folder: Path) -> str:
    return str(hungarian_folder)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run a command that must succeed; returns what it prints."""

    def command(*arguments: str) -> str:
        assert main(arguments) == 0
        return capsys.readouterr().out

    return command

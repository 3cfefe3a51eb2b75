"""Bundles of the made-up languages, which many rooms open; nobody may change them."""

from __future__ import annotations

from pathlib import Path

import pytest

import wordkin
from tests.support.bundles import make_bundle
from wordkin.bundle import Bundle


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the English bundle."""
    return make_bundle(tmp_path_factory.mktemp("english"))


@pytest.fixture(scope="session")
def hungarian_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the Hungarian bundle."""
    return make_bundle(tmp_path_factory.mktemp("hungarian"), "hu")


@pytest.fixture(scope="module")
def bundle(folder: Path) -> Bundle:
    """The English bundle, opened."""
    return wordkin.load(folder)


@pytest.fixture(scope="module")
def magyar(hungarian_folder: Path) -> Bundle:
    """The Hungarian bundle, opened."""
    return wordkin.load(hungarian_folder)

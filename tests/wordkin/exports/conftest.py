"""The bundle that all exports are made of."""

from __future__ import annotations

import pytest

import wordkin
from tests.support.bundles import make_bundle
from wordkin.bundle import Bundle


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return wordkin.load(make_bundle(tmp_path_factory.mktemp("export")))

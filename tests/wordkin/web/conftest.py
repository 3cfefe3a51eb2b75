"""What tests of the site share: made-up bundles, a site on loopback, and a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.support.web import CHROMIUM, Running, made_up_settings, make_bundles, running_site


@pytest.fixture(scope="session")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    return make_bundles(tmp_path_factory.mktemp("bundles"))


@pytest.fixture(scope="module")
def running(
    bundles: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Running]:
    """A site with SQLite, in a thread of this process."""
    with running_site(made_up_settings(Path(tmp_path_factory.mktemp("site")), bundles)) as site:
        yield site


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium, driven by Playwright."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with sync_playwright() as playwright:
        # No sandbox: containers often run tests as root, where Chromium cannot have one.
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield chromium
        chromium.close()

"""What tests of the site share: made-up bundles, a site on loopback, and a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.support.postgres import INITDB, POSTGRES, Postgres
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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The system's Chromium, driven by Playwright.

    One per module: as long as Playwright runs, other tests of its process cannot run a loop of
    asyncio.
    """
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    expect.set_options(timeout=30_000)  # a busy machine is no failure
    with sync_playwright() as playwright:
        # No sandbox: containers often run tests as root, where Chromium cannot have one.
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A real PostgreSQL server."""
    if POSTGRES is None or INITDB is None:
        pytest.skip("PostgreSQL's server is not installed")
    with Postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "web.sqlite")
    server: Postgres = request.getfixturevalue("postgres")
    server.empty()
    return server.url

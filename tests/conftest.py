"""What tests share: processes, a Spark context, a small project, and the mirror folder."""

from __future__ import annotations

import fcntl
import gc
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from xdist.remote import Producer

from pipeline.engine import Engine
from pipeline.layout import Layout
from pipeline.settings import Spark
from pipeline.spark import spark_engine
from tests.support.examples import FAST, FEW
from tests.support.processes import Work, number_of_processes, place_of
from tests.support.project import LANGUAGE, build, make_project
from tests.support.root import ROOT

# Kernels compile on their first call, so no example has a time limit.
# CI tries the same examples each time, so that it fails for a change and not by chance.
settings.register_profile("wordkin", deadline=None, derandomize="CI" in os.environ)
settings.register_profile(FAST, settings.get_profile("wordkin"), max_examples=FEW)


def pytest_configure(config: pytest.Config) -> None:
    """Try fewer examples where slow tests are left out."""
    settings.load_profile(FAST if config.option.markexpr == "not slow" else "wordkin")


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Collect no garbage while modules are imported: they stay."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Collect garbage among what tests make, not among all modules and tests again and again."""
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start the longest files first, so that they run in parallel with all others."""
    items.sort(key=lambda item: place_of(item.path.stem))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    return number_of_processes()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Work | None:
    return Work(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.fixture(scope="session")
def spark() -> Iterator[Engine]:
    with spark_engine("wordkin tests", Spark(master="local[2]")) as engine:
        yield engine


@pytest.fixture(scope="session")
def small_project(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    """The small project with all stages built, once for all processes; nobody may change it."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    layout = Layout(folder / "built", LANGUAGE)
    with (folder / "built.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not layout.root.exists():
            build(make_project(folder / "building"))
            (folder / "building").rename(layout.root)
    return layout


@pytest.fixture
def copy(small_project: Layout, tmp_path: Path) -> Layout:
    """A copy of the small project, for a test to change."""
    return Layout(shutil.copytree(small_project.root, tmp_path / "copy"), LANGUAGE)


@pytest.fixture(scope="session")
def mirror() -> Path:
    """The folder of real corpora and gold sets, on machines that have one."""
    folder = Path(os.environ.get("WORDKIN_MIRROR") or ROOT.parent / "shared" / "mirror")
    if not folder.is_dir():
        pytest.skip("no mirror folder with real corpora (WORDKIN_MIRROR) on this machine")
    return folder

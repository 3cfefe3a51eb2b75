"""Conventions that no linter knows: where tests get shared code from, and what the docs name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.support.root import ROOT

CODE = sorted(path for room in ("pipeline", "wordkin") for path in (ROOT / room).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
DOCS = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]

PATH = re.compile(r"`((?:pipeline|wordkin|tests|bench|docs)/[\w/.-]*)`")
NAME = re.compile(r"`((?:pipeline|wordkin|bench)(?:\.\w+)+)`")

SWAPPERS = {"wordkin/files.py", "pipeline/fetch/fetcher.py"}
"""Safe writing, and downloads, whose unfinished files stay so that they can be resumed."""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_tests_share_code_through_tests_support_only() -> None:
    borrowed = {
        f"{name_of(path)} imports {module}"
        for path in TESTS
        for module in imports(path)
        if module.split(".")[0] == "tests" and not module.startswith("tests.support")
    }
    assert not borrowed


def test_every_room_with_tests_is_a_room_of_the_code() -> None:
    folders = {path.parent.relative_to(ROOT / "tests") for path in TESTS}
    rooms = {folder for folder in folders if folder.parts[:1] in (("pipeline",), ("wordkin",))}
    assert rooms
    assert all((ROOT / room).is_dir() for room in rooms)


def test_files_are_swapped_in_by_one_module() -> None:
    swap = re.compile(r"os\.(?:replace|rename)\(|\.replace\(\w+\)")
    swappers = {name_of(path) for path in CODE if swap.search(path.read_text(encoding="utf-8"))}
    assert swappers == SWAPPERS


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.name)
def test_the_docs_name_only_what_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for path in PATH.findall(text):
        assert (ROOT / path).exists(), path
    for name in NAME.findall(text):
        assert exists(name), name


def exists(name: str) -> bool:
    """Whether a dotted name is a module, or something in one."""
    module, _, attribute = name.rpartition(".")
    try:
        return import_module(name) is not None
    except ModuleNotFoundError:
        return hasattr(import_module(module), attribute)


@pytest.mark.parametrize("package", ["pipeline", "wordkin"])
def test_the_page_on_the_architecture_shows_every_room(package: str) -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    tree = page.split(f"\n    {package}/\n")[1]
    rooms = {path.parent.name for path in (ROOT / package).glob("*/__init__.py")}
    assert rooms
    assert not {room for room in rooms if f"      {room}/ " not in tree}


def test_links_between_the_docs_lead_somewhere() -> None:
    for page in DOCS:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[\w-]+)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"

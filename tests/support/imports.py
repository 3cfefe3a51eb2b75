"""What a module of the project really imports, transitively, by reading its source.

Imports inside functions count, since a stage runs those too; imports for type checkers do not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.support.root import ROOT

PACKAGES = ("pipeline", "wordkin")


def path_of(module: str) -> Path | None:
    """The file of a module of the project, relative to its root; None when it is not one."""
    base = Path(*module.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if module.split(".")[0] in PACKAGES and (ROOT / path).is_file():
            return path
    return None


def imported_files(module: str) -> set[Path]:
    """The files of the project that importing and using `module` may run, its own included."""
    files: set[Path] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = path_of(name)
        if path is None or path in files:
            continue
        files.add(path)
        waiting += direct_imports(path)
        waiting += [name.rpartition(".")[0]] if "." in name else []  # its package runs first
    return files


@cache
def direct_imports(path: Path) -> tuple[str, ...]:
    """The modules that a file imports, by their full names."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return tuple(_imports(tree))


def _imports(node: ast.AST) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom) and child.module:
            for alias in child.names:
                full = f"{child.module}.{alias.name}"
                yield full if path_of(full) else child.module
        yield from _imports(child)

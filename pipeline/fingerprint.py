"""What a program means, as a short text: a stage runs again when its code means something else.

Comments, docstrings and formatting change nothing. Anything else does, including names: a
fingerprint that changes too often only costs time. Modules on which no result depends do not count.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from wordkin.errors import InputError
from wordkin.files import write_text

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("pipeline", "wordkin")

INFRASTRUCTURE = (
    "pipeline/stage.py",
    "pipeline/stages.py",
    "pipeline/fingerprint.py",
    "pipeline/settings.py",
    "pipeline/declarations.py",
    "pipeline/mistakes.py",
    "pipeline/layout.py",
    "pipeline/memory.py",
    "pipeline/storage.py",
    "pipeline/locations.py",
    "pipeline/engine.py",
    "pipeline/spark.py",
    "wordkin/__init__.py",
    "wordkin/program.py",
    "wordkin/errors.py",
    "wordkin/files.py",
)
"""Modules that stages import and no result depends on: they check settings, whose values DVC
watches, run tasks, put files in their places and print."""


def fingerprint(modules: Iterable[Path]) -> str:
    """The fingerprint of a program that consists of these modules, in this order."""
    digest = hashlib.sha256()
    for path in modules:
        digest.update(meaning(path.read_text(encoding="utf-8")))
    return digest.hexdigest()


@lru_cache(maxsize=16)
def meaning(source: str) -> bytes:
    """What a module means. Parsing takes longer than counting a small source."""
    return ast.dump(_WithoutDocstrings().visit(ast.parse(source))).encode()


class _WithoutDocstrings(ast.NodeTransformer):
    """Removes statements that are only a string: they document something and do nothing."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        documents = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if documents else self.generic_visit(node)


class Program:
    """The modules of the project below a folder: what they mean, and what they import.

    Parameters
    ----------
    root : Path
        The folder with the packages.
    known : Path, optional
        A file that remembers modules by the hash of their text: parsing all of them takes a second.
    """

    def __init__(self, root: Path = ROOT, known: Path | None = None) -> None:
        self.root = root
        self._file = known
        self._known = _read(known) if known else {}
        self._facts: dict[Path, dict[str, Any]] = {}

    def fingerprint(self, module: str, data: Iterable[str] = (), package: str | None = None) -> str:
        """The fingerprint of a module with all that it imports.

        Data files that it reads count too, and so do all modules of a package that it looks at.
        """
        digest = hashlib.sha256()
        modules = [module, *(self._modules_of(package) if package else ())]
        for path in sorted(set().union(*map(self.imported_files, modules))):
            if path.as_posix() not in INFRASTRUCTURE:
                digest.update(f"{path.as_posix()} {self._of(path)['meaning']}\n".encode())
        for name in data:
            place = self.root / name
            for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
                if path.is_file():
                    digest.update(path.relative_to(self.root).as_posix().encode())
                    digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()

    def imported_files(self, module: str) -> set[Path]:
        """The files that importing and using `module` may run, its own included.

        Imports inside functions count, since a stage runs those too; imports for type checkers do
        not. Paths are relative to the root.
        """
        files: set[Path] = set()
        waiting = [module]
        while waiting:
            name = waiting.pop()
            path = self.path_of(name)
            if path is None or path in files:
                continue
            files.add(path)
            waiting += self._of(path)["imports"]
            waiting += [name.rpartition(".")[0]] if "." in name else []  # its package runs first
        return files

    def _modules_of(self, package: str) -> list[str]:
        folder = self.root.joinpath(*package.split("."))
        return [f"{package}.{path.stem}" for path in sorted(folder.glob("[!_]*.py"))]

    def path_of(self, module: str) -> Path | None:
        """The file of a module of the project, relative to its root; None when it is not one."""
        base = Path(*module.split("."))
        for path in (base.with_suffix(".py"), base / "__init__.py"):
            if module.split(".")[0] in PACKAGES and (self.root / path).is_file():
                return path
        return None

    def remember(self) -> None:
        """Write what was parsed."""
        if self._file:
            facts = {path.as_posix(): value for path, value in sorted(self._facts.items())}
            write_text(self._file, json.dumps(facts))

    def _of(self, path: Path) -> dict[str, Any]:
        """The meaning of a file, and the modules that it imports by their full names."""
        if path not in self._facts:
            text = (self.root / path).read_text(encoding="utf-8")
            digest = hashlib.sha256(text.encode()).hexdigest()
            known = self._known.get(path.as_posix(), {})
            self._facts[path] = known if known.get("text") == digest else self._parsed(text, digest)
        return self._facts[path]

    @staticmethod
    def _parsed(text: str, digest: str) -> dict[str, Any]:
        try:
            tree = ast.parse(text)
        except SyntaxError as error:
            raise InputError(f"A module of the pipeline cannot be read ({error}).") from error
        return {
            "text": digest,
            "meaning": hashlib.sha256(meaning(text)).hexdigest(),
            "imports": sorted(
                name for name in set(_imports(tree)) if name.split(".")[0] in PACKAGES
            ),
        }


def _imports(node: ast.AST) -> Iterator[str]:
    """The full names of modules that code imports, and of what may be a module in a package."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom) and child.module:
            yield child.module
            yield from (f"{child.module}.{alias.name}" for alias in child.names)
        yield from _imports(child)


def _read(known: Path) -> dict[str, Any]:
    """What was remembered; nothing if the file is missing or damaged."""
    try:
        content = json.loads(known.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}

"""What a module means, as a hash: comments, docstrings and line breaks do not change it."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from pathlib import Path


def fingerprint(paths: Iterable[Path]) -> str:
    """A hash of what some modules say to Python, in the order given."""
    digest = hashlib.sha256()
    for path in paths:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        digest.update(ast.dump(_without_strings(tree)).encode())
    return digest.hexdigest()


def _without_strings(tree: ast.AST) -> ast.AST:
    """The tree without strings that stand alone: docstrings of modules, functions and constants."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [statement for statement in body if not _is_string(statement)]  # type: ignore[attr-defined]
    return tree


def _is_string(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )

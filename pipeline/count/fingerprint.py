"""A hash of what a program means.

Cached counts depend on the program that made them. Comments, docstrings and formatting do not
change what a program computes, so they do not change its fingerprint either. Anything else does,
including names: a fingerprint that changes too often only costs time.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path


def fingerprint(modules: Iterable[Path]) -> str:
    """The fingerprint of a program that consists of these modules, in this order."""
    digest = hashlib.sha256()
    for path in modules:
        digest.update(_meaning(path.read_text(encoding="utf-8")))
    return digest.hexdigest()


@lru_cache(maxsize=16)
def _meaning(source: str) -> bytes:
    """What a module means. Parsing takes longer than counting a small source."""
    return ast.dump(_WithoutDocstrings().visit(ast.parse(source))).encode()


class _WithoutDocstrings(ast.NodeTransformer):
    """Removes statements that are only a string: they document something and do nothing."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        documents = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if documents else self.generic_visit(node)

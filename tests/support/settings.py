"""All settings of `params.yaml`, from the models that check it, and the page that explains them.

`python -m tests.support.settings` writes the keys and defaults of the page again.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from pipeline.stages import section_kinds
from tests.support.docs import DOCS


def all_settings() -> dict[str, dict[str, str]]:
    """The settings of each section by their keys, with their defaults as YAML."""
    return {key: dict(_settings(kind, "")) for key, kind in section_kinds().items()}


def _settings(kind: Any, prefix: str) -> Iterator[tuple[str, str]]:
    if not dataclasses.is_dataclass(kind):  # one list per language
        yield "LANGUAGE", "[]"
        return
    for field in dataclasses.fields(kind):
        default: Any = field.default
        if field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        if dataclasses.is_dataclass(default) and not isinstance(default, type):
            yield from _nested(default, f"{prefix}{field.name}.")
        else:
            yield f"{prefix}{field.name}", _yaml(default)


def _nested(value: Any, prefix: str) -> Iterator[tuple[str, str]]:
    """The settings below a key; their defaults are what the section has there."""
    for field in dataclasses.fields(value):
        inner = getattr(value, field.name)
        if dataclasses.is_dataclass(inner) and not isinstance(inner, type):
            yield from _nested(inner, f"{prefix}{field.name}.")
        else:
            yield f"{prefix}{field.name}", _yaml(inner)


def _yaml(value: Any) -> str:
    if value is dataclasses.MISSING:
        return "required"
    return value if isinstance(value, str) else json.dumps(value)


# ── the page ─────────────────────────────────────────────────────────────────────────────────

PAGE = DOCS / "reference" / "settings.md"
_SECTION = re.compile(
    r"^## `([\w.]+)`\n\n(.*?)\n\n(\| setting.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL
)
_ROW = re.compile(r"^\| `([\w.]+)` \| (.*?) \| (.*?) \|$", re.MULTILINE)


class Described(NamedTuple):
    """What the page says of a section: a sentence, and each setting's default and meaning."""

    about: str
    rows: dict[str, tuple[str, str]]


def described() -> dict[str, Described]:
    """The sections of the page."""
    found = _SECTION.findall(PAGE.read_text(encoding="utf-8"))
    return {
        key: Described(about, {name: (shown, text) for name, shown, text in _ROW.findall(table)})
        for key, about, table in found
    }


def rewrite_page() -> None:
    """Write the keys and defaults of today, and keep what the page says about them."""
    text, known = PAGE.read_text(encoding="utf-8"), described()
    parts = [text[: text.index("\n## `")]]
    for key, settings in all_settings().items():
        about, rows = known.get(key, Described("", {}))
        parts.append(f"## `{key}`\n\n{about}\n\n| setting | default | meaning |\n|---|---|---|")
        for name, default in settings.items():
            _, meaning = rows.get(name, ("", ""))
            parts[-1] += f"\n| `{name}` | {as_code(default)} | {meaning} |"
        parts[-1] += "\n"
    PAGE.write_text("\n".join(parts), encoding="utf-8", newline="\n")


def as_code(default: str) -> str:
    """A default as the page shows it."""
    return default if default == "required" else f"`{default}`"


if __name__ == "__main__":
    rewrite_page()

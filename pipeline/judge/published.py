"""The figures that others published, from `eval/published.yaml`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from wordkin.errors import InputError

KEYS = ("system", "language", "corpus", "citation", "scores")
"""What every published system has."""


def read_published(path: Path) -> dict[str, Any]:
    """Read the published figures; its head comment explains the file."""
    try:
        content = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
        method, systems = content["method"], content["systems"]
        missing = [key for system in systems for key in KEYS if key not in system]
    except OSError as error:
        raise InputError(f"Cannot read {path} ({error.strerror}): restore it.") from error
    except (YAMLError, UnicodeDecodeError, KeyError, TypeError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{path} is not a list of published figures: {reason}.") from error
    if missing:
        raise InputError(f"{path}: a system has no '{missing[0]}'; add it.")
    return {"method": method, "systems": systems}

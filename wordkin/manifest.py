"""`bundle.json`: what a bundle is, and the size and SHA-256 of each of its other files."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wordkin.errors import InputError
from wordkin.files import LARGEST_JSON, files_below, is_name, parse_json, sha256, write_text
from wordkin.words import is_tag

NAME = "bundle.json"
FORMAT = "wordkin-bundle"
VERSION = 1

_UNSAFE = re.compile(r"[\\:\x00-\x1f\x7f-\x9f\ud800-\udfff]")
"""What no name has: separators of other systems, and what cannot be shown."""


def write_manifest(folder: Path, facts: Mapping[str, Any]) -> None:
    """Write `bundle.json`: `facts`, the format, and all files that are in `folder` now."""
    manifest = {**facts, "format": FORMAT, "version": VERSION, "files": _files(folder)}
    text = json.dumps(manifest, indent=2, sort_keys=True, ensure_ascii=False)
    write_text(folder / NAME, text + "\n")


def _files(folder: Path) -> dict[str, dict[str, Any]]:
    return {
        path.relative_to(folder).as_posix(): {
            "bytes": path.stat().st_size,
            "sha256": sha256(path),
        }
        for path in files_below(folder)
    }


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read `bundle.json`; refuse a file of another format or version."""
    path = folder / NAME
    try:
        size = path.stat().st_size
        content = path.read_bytes() if path.is_file() and size <= LARGEST_JSON else b""
    except OSError as error:
        raise InputError(f"{folder} is not a bundle: it has no readable {NAME}.") from error
    return parse_manifest(content, folder)


def parse_manifest(content: bytes, bundle: Path) -> dict[str, Any]:
    """The manifest in the bytes of a `bundle.json`; `bundle` is its folder or archive."""
    path = bundle / NAME
    try:
        manifest = parse_json(content)
    except ValueError as error:
        raise InputError(f"{path} is damaged: make or copy the bundle again.") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise InputError(f"{path} does not describe a wordkin bundle.")
    if manifest.get("version") != VERSION:
        raise InputError(
            f"The bundle {bundle} has format version {manifest.get('version')}, but this wordkin "
            f"reads version {VERSION}: update wordkin, or publish it again."
        )
    if not _is_complete(manifest):
        raise InputError(f"{path} is not complete: make or copy the bundle again.")
    return manifest


def _is_complete(manifest: Mapping[str, Any]) -> bool:
    try:
        files, measures = manifest["files"], manifest["measures"]
        return (
            is_tag(manifest["language"])
            and isinstance(manifest["default"], str)
            and isinstance(manifest["words"], int)
            and all(is_name(measure["measure"]) for measure in measures)
            and all(isinstance(measure["kind"], str) for measure in measures)
            and all(is_safe(name) for name in files)
            and all(
                isinstance(file["bytes"], int) and isinstance(file["sha256"], str)
                for file in files.values()
            )
            and 0 <= float(manifest.get("familiarity", 0)) <= 1
            and all(
                0 < float(guesser["temperature"]) < math.inf
                for guesser in manifest.get("guesser", {}).values()
            )
        )
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        return False


def is_safe(name: str) -> bool:
    """Whether a file with this name is below the folder that the name is put after."""
    parts = name.split("/")
    usual = all(part not in ("", ".", "..") and len(part) <= 80 for part in parts)
    return usual and len(parts) <= 8 and not _UNSAFE.search(name)


def check_sizes(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Refuse a bundle with missing or truncated files, without reading them."""
    for name, facts in manifest["files"].items():
        path = folder / name
        if not path.is_file():
            raise InputError(f"The bundle {folder} is damaged: {name} is missing; copy it again.")
        size = path.stat().st_size
        if size != facts["bytes"]:
            raise InputError(
                f"The bundle {folder} is damaged: {name} has {size} bytes instead of "
                f"{facts['bytes']}; make or copy it again."
            )


def damaged_files(folder: Path) -> list[str]:
    """The files of a bundle that are missing or whose SHA-256 differs from the published one."""
    files = read_manifest(folder)["files"]
    return [
        name
        for name, facts in files.items()
        if not (folder / name).is_file() or sha256(folder / name) != facts["sha256"]
    ]

"""Bundles in packages: installed by pip, or made up by hand to be wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.root import ROOT
from wordkin.lookup import GROUP


def pip_install(wheel: Path, target: Path) -> subprocess.CompletedProcess[str]:
    """Install a wheel into a folder, without a network."""
    options = ("--no-index", "--no-deps", "--disable-pip-version-check", "--no-compile")
    command = (sys.executable, "-m", "pip", "install", *options, "--target", target, wheel)
    return subprocess.run(command, capture_output=True, text=True)


def run_with(target: Path, folder: Path, program: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a fresh process that sees wordkin and the packages in `target`."""
    environment = {name: value for name, value in os.environ.items() if name != "WORDKIN_BUNDLES"}
    environment["PYTHONPATH"] = os.pathsep.join([str(target), str(ROOT)])
    command = (sys.executable, "-c", program)
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def offer(site: Path, package: str, entry_points: str | bytes | None = None) -> Path:
    """Make a package with entry points below `site` and return its folder."""
    if entry_points is None:
        entry_points = f"[{GROUP}]\nen = {package}\n"
    info = site / f"{package}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    content = entry_points.encode() if isinstance(entry_points, str) else entry_points
    (info / "entry_points.txt").write_bytes(content)
    (site / package).mkdir()
    return site / package

"""`python -m bench.licences`: the licence of every package that `make setup` installs.

Names and versions come from `requirements.lock`, licences from the installed packages. A package
whose licence is unknown, or that demands more than naming its authors, is marked.
"""

from __future__ import annotations

import argparse
import json
import re
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from wordkin.tables import table_lines

LOCK = Path(__file__).resolve().parent.parent / "requirements.lock"

_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
_COPYLEFT = re.compile(r"\b(?:A?GPL|L?GPL|MPL|EPL|CDDL|GNU|Mozilla)", re.IGNORECASE)


class Package(NamedTuple):
    """A locked package: its licence is empty if it is not installed or does not say."""

    name: str
    version: str
    licence: str

    @property
    def note(self) -> str:
        """Why a person should look at it."""
        if not self.licence:
            return "unknown"
        return "copyleft" if _COPYLEFT.search(self.licence) else ""


def locked(lock: Path = LOCK) -> list[tuple[str, str]]:
    """The names and versions in a lock file."""
    return _PIN.findall(lock.read_text(encoding="utf-8"))


def licence_of(facts: metadata.PackageMetadata) -> str:
    """The licence that a package states: an expression, a short text, or its classifiers."""
    stated = next((facts[key] for key in ("License-Expression", "License") if key in facts), "")
    if stated and "\n" not in stated and len(stated) < 100 and stated != "UNKNOWN":
        return stated
    prefix = "License :: "
    classifiers = facts.get_all("Classifier") or []
    names = [line.split(" :: ")[-1] for line in classifiers if line.startswith(prefix)]
    return ", ".join(names) or stated.strip().partition("\n")[0][:80]


def packages(lock: Path = LOCK) -> list[Package]:
    """All locked packages with their licences, by name."""
    found = []
    for name, version in locked(lock):
        try:
            licence = licence_of(metadata.metadata(name))
        except metadata.PackageNotFoundError:
            licence = ""
        found.append(Package(name, version, licence))
    return sorted(found)


def main() -> None:
    """Print the table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    listed = packages()
    if parser.parse_args().json:
        print(json.dumps([{**p._asdict(), "note": p.note} for p in listed], indent=2))
    else:
        rows = [(p.name, p.version, p.licence or "-", p.note) for p in listed]
        print("\n".join(table_lines(("package", "version", "licence", "note"), rows)))


if __name__ == "__main__":
    main()

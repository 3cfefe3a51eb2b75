"""The licences and the known vulnerabilities of the packages that `make setup` installs.

    python -m bench.packages                      every locked package with its licence
    python -m bench.packages --advisories FILE    those that an advisory names, without a network

Names and versions come from `requirements.lock`, licences from the installed packages. A package
whose licence is unknown, or that demands more than naming its authors, is marked. Advisories are
OSV's, in its JSON format: a zip such as the database's `PyPI/all.zip`, a folder, or one file. The
exit code is 1 if a locked version is affected.
"""

from __future__ import annotations

import argparse
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from wordkin.errors import InputError
from wordkin.files import files_below, parse_json
from wordkin.program import run
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


class Finding(NamedTuple):
    """A locked package that an advisory names."""

    package: str
    version: str
    advisory: str
    summary: str


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
    listed = []
    for name, version in locked(lock):
        try:
            licence = licence_of(metadata.metadata(name))
        except metadata.PackageNotFoundError:
            licence = ""
        listed.append(Package(name, version, licence))
    return sorted(listed)


def advisories(path: Path) -> Iterator[dict[str, Any]]:
    """All advisories in a zip, a folder or a file; refuses what is none."""
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                texts = [archive.read(n) for n in archive.namelist() if n.endswith(".json")]
        else:
            files = files_below(path) if path.is_dir() else [path]
            texts = [file.read_bytes() for file in files if file.suffix == ".json"]
        yield from map(parse_json, texts)
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise InputError(
            f"{path} cannot be read ({error}): download OSV's all.zip for PyPI again."
        ) from error


def affects(version: str, affected: dict[str, Any]) -> bool:
    """Whether a version is listed, or in a range from `introduced` to before `fixed`."""
    if version in affected.get("versions", ()):
        return True
    events = [r.get("events", []) for r in affected.get("ranges", ()) if r["type"] == "ECOSYSTEM"]
    return any(_in_range(Version(version), timeline) for timeline in events)


def _in_range(version: Version, events: Iterable[dict[str, str]]) -> bool:
    inside = False
    for kind, bound in (pair for event in events for pair in event.items()):
        try:
            limit = Version(bound)
        except InvalidVersion:
            continue
        if kind == "introduced" and version >= limit:
            inside = True
        elif (kind == "fixed" and version >= limit) or (
            kind == "last_affected" and version > limit
        ):
            inside = False
    return inside


def audit(path: Path, lock: Path = LOCK) -> list[Finding]:
    """The locked packages that the advisories name, by package."""
    versions = {canonicalize_name(name): version for name, version in locked(lock)}
    findings = set()
    for advisory in advisories(path):
        if not isinstance(advisory, dict) or "id" not in advisory:
            raise InputError(f"{path} has a file that is no advisory in OSV's format.")
        if "withdrawn" in advisory:
            continue
        for affected in advisory.get("affected", ()):
            package = affected.get("package", {})
            name = canonicalize_name(package.get("name", ""))
            wanted = package.get("ecosystem") == "PyPI" and name in versions
            if wanted and affects(versions[name], affected):
                summary = advisory.get("summary", "")
                findings.add(Finding(name, versions[name], advisory["id"], summary))
    return sorted(findings)


def main() -> int:
    """Print the licences, or what the advisories name."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--advisories", type=Path, help="a zip, a folder or a file of OSV")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    if given.advisories:
        findings = audit(given.advisories)
        rows: list[dict[str, str]] = [finding._asdict() for finding in findings]
    else:
        rows = [{**package._asdict(), "note": package.note} for package in packages()]
    if given.json:
        print(json.dumps(rows, indent=2))
    elif rows:
        print("\n".join(table_lines(list(rows[0]), [[*row.values()] for row in rows])))
    if given.advisories and not given.json:
        print(f"{len(locked())} packages, {len(rows)} findings")
    return int(bool(given.advisories and rows))


if __name__ == "__main__":
    raise SystemExit(run(main))

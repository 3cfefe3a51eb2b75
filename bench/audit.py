"""`python -m bench.audit advisories.zip`: known vulnerabilities of the locked packages, offline.

The advisories are those of OSV, in its JSON format: a zip such as the database's `PyPI/all.zip`, a
folder, or one file. Nothing is sent anywhere. The exit code is 1 if a locked version is affected.
"""

from __future__ import annotations

import argparse
import json
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from bench.licences import LOCK, locked
from wordkin.errors import InputError
from wordkin.files import files_below, parse_json
from wordkin.program import run


class Finding(NamedTuple):
    """A locked package that an advisory names."""

    package: str
    version: str
    advisory: str
    summary: str


def advisories(path: Path) -> Iterator[dict[str, Any]]:
    """All advisories in a zip, a folder or a file; refuses what is none."""
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                for name in sorted(archive.namelist()):
                    if name.endswith(".json"):
                        yield parse_json(archive.read(name))
        else:
            for file in files_below(path) if path.is_dir() else [path]:
                if file.suffix == ".json":
                    yield parse_json(file.read_bytes())
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
    for event in events:
        for kind, bound in event.items():
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
    findings = []
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
                findings.append(Finding(name, versions[name], advisory["id"], summary))
    return sorted(set(findings))


def main() -> int:
    """Print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("advisories", type=Path, help="a zip, a folder or a file of OSV")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    findings = audit(given.advisories)
    if given.json:
        print(json.dumps([finding._asdict() for finding in findings], indent=2))
    else:
        for finding in findings:
            print(f"{finding.package} {finding.version}: {finding.advisory} {finding.summary}")
        print(f"{len(locked())} packages, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    raise SystemExit(run(main))

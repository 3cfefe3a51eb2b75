"""The licences and the known vulnerabilities of the locked packages."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from bench.packages import affects, audit, locked, packages
from wordkin.errors import InputError

LOCK = "numpy==2.1.0 \\\n    --hash=sha256:00\nRuamel_Yaml==0.18.2 ; python_version < '4' \\\n"


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    path = tmp_path / "requirements.lock"
    path.write_text(LOCK)
    return path


def test_every_locked_package_is_listed(lock: Path) -> None:
    assert locked(lock) == [("numpy", "2.1.0"), ("Ruamel_Yaml", "0.18.2")]
    listed = packages()
    assert [(p.name, p.version) for p in listed] == sorted(locked())
    assert sum(bool(p.licence) for p in listed) > 0.9 * len(listed)


def advisory(**changes: Any) -> dict[str, Any]:
    ranges = [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "0.18.3"}]}]
    affected = {"package": {"ecosystem": "PyPI", "name": "ruamel.yaml"}, "ranges": ranges}
    return {"id": "PYSEC-1", "summary": "bad", "affected": [{**affected, **changes}]}


@pytest.mark.parametrize(
    ("version", "affected"),
    [("1.0", False), ("1.2", True), ("1.2.9", True), ("1.3", False), ("2.0", True), ("2.2", False)],
)
def test_ranges_of_versions(version: str, affected: bool) -> None:
    events = [
        {"introduced": "1.1"},
        {"fixed": "1.3"},
        {"introduced": "2"},
        {"last_affected": "2.1"},
    ]
    assert affects(version, {"ranges": [{"type": "ECOSYSTEM", "events": events}]}) == affected
    assert affects(version, {"versions": [version]})


def test_an_audit_works_on_a_downloaded_file(lock: Path, tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("PYSEC-1.json", json.dumps(advisory()))
        archive.writestr("old.json", json.dumps({**advisory(), "withdrawn": "2020-01-01"}))
        other = {"package": {"ecosystem": "npm", "name": "numpy"}, "versions": ["2.1.0"]}
        archive.writestr("npm.json", json.dumps(advisory(**other)))
    assert audit(path, lock) == [("ruamel-yaml", "0.18.2", "PYSEC-1", "bad")]
    (tmp_path / "one.json").write_text(json.dumps(advisory(ranges=[], versions=["0.1"])))
    assert audit(tmp_path / "one.json", lock) == []


@pytest.mark.parametrize("content", [b"PK\x03\x04", b"{", b"[]", b"3"])
def test_a_file_that_is_no_advisory_is_refused(lock: Path, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "all.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"OSV"):
        audit(path, lock)

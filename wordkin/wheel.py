"""A bundle as a wheel: pip installs it, and `wordkin.load` finds it by its entry point.

    wordkin_en/__init__.py                          makes the folder a package
    wordkin_en/bundle.json, vocabulary.tsv, ...     the bundle
    wordkin_en-<version>.dist-info/                 METADATA, WHEEL, entry_points.txt, RECORD

A wheel is a zip file with a fixed layout, so no build tool is needed. The same bundle gives the
same bytes.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from wordkin.errors import InputError
from wordkin.files import new_file, sha256
from wordkin.lookup import GROUP
from wordkin.manifest import NAME, VERSION, check_sizes, read_manifest
from wordkin.pack import zip_member
from wordkin.words import is_tag

_CHUNK = 1 << 20
_TAG = "py3-none-any"
_PROGRAMS = {".py", ".pyc", ".pyd", ".so"}

# The normal form of a version (PEP 440): pip compares the name of the file with what is inside.
_NORMAL_VERSION = re.compile(
    r"(0|[1-9]\d*)(\.(0|[1-9]\d*))*((a|b|rc)(0|[1-9]\d*))?(\.post(0|[1-9]\d*))?"
    r"(\.dev(0|[1-9]\d*))?(\+[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)*)?"
)


def write_wheel(folder: Path, target: Path, version: str | None = None) -> Path:
    """Write the wheel of a bundle and return its path.

    Parameters
    ----------
    folder : Path
        The folder of the bundle.
    target : Path
        The folder to write the wheel into; the name of its file is fixed.
    version : str, optional
        The version of the package. By default it is made from the content of the bundle, so that
        another content is another version.
    """
    manifest = read_manifest(folder)
    check_sizes(folder, manifest)
    package = package_name(manifest["language"])
    version = version or f"{VERSION}.0+sha{sha256(folder / NAME)[:10]}"
    if not _NORMAL_VERSION.fullmatch(version):
        raise InputError(f"'{version}' is not the version of a package: give one such as 1.0.2.")
    if target.suffix == ".whl" or target.is_file():
        raise InputError(f"pip fixes the name of a wheel: give a folder instead of {target}.")
    path = target / f"{package}-{version}-{_TAG}.whl"
    with new_file(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        _write_members(archive, folder, manifest, package, version)
    return path


def package_name(language: str) -> str:
    """The package of the bundle of a language: `wordkin_en`."""
    if not is_tag(language):
        raise InputError(
            f"Cannot make a package for the language '{language}': its code must be one such as "
            "en or pt-BR."
        )
    return f"wordkin_{re.sub('[-_]+', '_', language).lower()}"


def _write_members(
    archive: zipfile.ZipFile,
    folder: Path,
    manifest: Mapping[str, Any],
    package: str,
    version: str,
) -> None:
    info = f"{package}-{version}.dist-info"
    language = manifest["language"]
    record = io.StringIO()
    rows = csv.writer(record, lineterminator="\n")

    def write(name: str, chunks: Iterator[bytes]) -> str:
        digest, size = hashlib.sha256(), 0
        with zip_member(archive, name) as member:
            for chunk in chunks:
                member.write(chunk)
                digest.update(chunk)
                size += len(chunk)
        code = base64.urlsafe_b64encode(digest.digest()).rstrip(b"=").decode()
        rows.writerow((name, f"sha256={code}", size))
        return digest.hexdigest()

    def write_text(name: str, text: str) -> None:
        write(name, iter([text.encode()]))

    write_text(f"{package}/__init__.py", f'"""Wordkin\'s bundle for the language {language}."""\n')
    write(f"{package}/{NAME}", _chunks(folder / NAME))
    for name, facts in sorted(manifest["files"].items()):
        if PurePosixPath(name).suffix in _PROGRAMS:
            raise InputError(f"The bundle {folder} has a program, {name}: a wheel has data only.")
        if write(f"{package}/{name}", _chunks(folder / name)) != facts["sha256"]:
            raise InputError(f"The bundle {folder} is damaged: {name} has changed; copy it again.")
    write_text(f"{info}/METADATA", _metadata(manifest, package, version))
    write_text(
        f"{info}/WHEEL",
        f"Wheel-Version: 1.0\nGenerator: wordkin\nRoot-Is-Purelib: true\nTag: {_TAG}\n",
    )
    write_text(f"{info}/entry_points.txt", f"[{GROUP}]\n{language} = {package}\n")
    with zip_member(archive, f"{info}/RECORD") as member:
        rows.writerow((f"{info}/RECORD", "", ""))
        member.write(record.getvalue().encode())


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def _metadata(manifest: Mapping[str, Any], package: str, version: str) -> str:
    """The core metadata. It names no dependencies: pip would look for wordkin in a registry."""
    language = manifest["language"]
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {package.replace('_', '-')}",
        f"Version: {version}",
        f"Summary: How words are related: the wordkin bundle for the language {language}",
        "Requires-Python: >=3.11",
        "Description-Content-Type: text/markdown",
        "",
        f"A bundle of wordkin with {manifest['words']:,} words.",
    ]
    return "\n".join([*lines, *_source_lines(manifest), ""])


def _source_lines(manifest: Mapping[str, Any]) -> list[str]:
    """The texts that a bundle was made from and their licences, as a list in Markdown."""
    sources = [
        f"- {_one_line(source.get('name'))}: {_one_line(source.get('licence'))}"
        for source in manifest.get("sources", [])
    ]
    return ["", "Made from these texts, under their licences:", "", *sources] if sources else []


def _one_line(value: object) -> str:
    return " ".join(str(value).split()) if value else "licence unknown"

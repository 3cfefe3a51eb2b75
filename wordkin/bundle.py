"""The bundle: everything an agent needs of one language, in one folder that stands alone.

    bundle.json        what it is, where it came from, and each file's size and SHA-256
    vocabulary.tsv     word, count, documents; the line of a word is its id
    lemmas.tsv         word, lemma in the same order (left out when there are none)
    npmi/ graph/ ...   one folder a measure, as `wordkin.measures` writes it

Arrays are plain `.npy` files, mapped into memory; nothing is ever unpickled. This module is the
only place that knows the layout: `write_bundle` and `Bundle` are each other's mirror.
`docs/bundle.md` shows a whole bundle.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from wordkin.errors import InputError, UnknownMeasure
from wordkin.files import link_or_copy, new_folder, sha256, write_text
from wordkin.measures import Floats, Measure, describe, open_measure
from wordkin.measures.blend import named
from wordkin.measures.explanation import Explanation, explain
from wordkin.vocabulary import Vocabulary

FORMAT = "wordkin-bundle"
VERSION = 1
LEMMAS_HEADER = "word\tlemma"

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]+)*")
_ARCHIVES = (".zip", ".tar.zst")


def write_bundle(
    folder: Path,
    *,
    language: str,
    vocabulary: Path,
    measures: Mapping[str, Path],
    default: str,
    lemmas: Sequence[str] | None = None,
    facts: Mapping[str, Any] | None = None,
) -> None:
    """Write a bundle beside its place, then move it there.

    Parameters
    ----------
    folder : Path
        Where to; a bundle that is already there is replaced as a whole.
    language : str
        The language's code.
    vocabulary : Path
        The `vocabulary.tsv` of this build.
    measures : mapping of str to Path
        The folder of each measure, in the order in which they are shown.
    default : str
        The measure that is used when none is named.
    lemmas : sequence of str, optional
        The lemma of each word of the vocabulary: clues that share one with a card are not legal.
    facts : mapping, optional
        Where it all came from: `parameters`, `sources`, `tokens`, `evaluation`, ...
    """
    if default not in measures:
        raise InputError(
            f"The default measure '{default}' is not among the published ones "
            f"({', '.join(measures)}): name it in publish.measures."
        )
    words = Vocabulary.read(vocabulary).words
    _check_measures(measures, len(words))
    with new_folder(folder) as temporary:
        link_or_copy(vocabulary, temporary / "vocabulary.tsv")
        if lemmas is not None:
            lines = [f"{word}\t{lemma}\n" for word, lemma in zip(words, lemmas, strict=True)]
            write_text(temporary / "lemmas.tsv", f"{LEMMAS_HEADER}\n{''.join(lines)}")
        for name, source in measures.items():
            (temporary / name).mkdir()
            for file in sorted(source.iterdir()):
                if file.suffix in {".npy", ".json"}:
                    link_or_copy(file, temporary / name / file.name)
        manifest = {
            **(facts or {}),
            "format": FORMAT,
            "version": VERSION,
            "language": language,
            "words": len(words),
            "default": default,
            "measures": [{**describe(temporary / name), "measure": name} for name in measures],
            "files": {
                file.relative_to(temporary).as_posix(): {
                    "bytes": file.stat().st_size,
                    "sha256": sha256(file),
                }
                for file in sorted(temporary.rglob("*"))
                if file.is_file()
            },
        }
        text = json.dumps(manifest, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        write_text(temporary / "bundle.json", text)


def _check_measures(measures: Mapping[str, Path], words: int) -> None:
    """Refuse measures of another vocabulary, and those whose parts are not published with them."""
    for name, source in measures.items():
        description = describe(source)
        if description["words"] != words:
            raise InputError(
                f"The measure in {source} has {description['words']} words and the vocabulary "
                f"{words}: they are not of one build, make them again."
            )
        for part in description.get("parts", ()):
            if part["measure"] not in measures:
                raise InputError(
                    f"The measure '{name}' is made of '{part['measure']}' among others: publish "
                    "that too."
                )


class Bundle:
    """A published language: its vocabulary and its measures.

    Attributes
    ----------
    folder : Path
        Where it lies.
    manifest : dict
        What `bundle.json` says.
    language : str
        The language's code.
    vocabulary : Vocabulary
        The words, with their counts and document frequencies.
    measures : mapping of str to Measure
        The measures by name; each is opened when it is first asked for.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = read_manifest(folder)
        _check_sizes(folder, self.manifest)
        self.language: str = self.manifest["language"]
        self.vocabulary = Vocabulary.read(folder / "vocabulary.tsv")
        if len(self.vocabulary) != self.manifest["words"]:
            raise InputError(
                f"The bundle {folder} is damaged: its vocabulary has {len(self.vocabulary)} words "
                f"instead of {self.manifest['words']}; make or copy it again."
            )
        names = [measure["measure"] for measure in self.manifest["measures"]]
        self.measures: Mapping[str, Measure] = _Measures(folder, names, self.vocabulary)
        # A blend by name looks at thousands of pairs first: once is enough.
        self._named: dict[str, Measure] = {}
        self._unpacked: TemporaryDirectory[str] | None = None

    def __repr__(self) -> str:
        measures = ", ".join(self.measures)
        return f"<Bundle {self.language}: {len(self.vocabulary)} words, {measures}>"

    @property
    def default(self) -> str:
        """The name of the measure that is used when none is named."""
        return str(self.manifest["default"])

    @cached_property
    def lemmas(self) -> list[str]:
        """The lemma of each word; the word itself where the bundle keeps no lemmas."""
        path = self.folder / "lemmas.tsv"
        if not path.exists():
            return self.vocabulary.words
        lines = path.read_text(encoding="utf-8").split("\n")
        rows = [line.split("\t") for line in lines[1:-1]]
        if lines[0] != LEMMAS_HEADER or [row[0] for row in rows] != self.vocabulary.words:
            raise InputError(f"{path} does not fit the vocabulary: make or copy it again.")
        return [row[-1] for row in rows]

    def measure(self, name: str | None = None) -> Measure:
        """The measure called `name`, or the default one; `npmi+svd` is a blend of two."""
        name = name or self.default
        if name not in self._named:
            self._named[name] = named(name, self.measures)
        return self._named[name]

    def relatedness(self, a: str, b: str, measure: str | None = None) -> float:
        """The relatedness of two words."""
        return self.measure(measure).relatedness(a, b)

    def row(self, word: str, measure: str | None = None) -> Floats:
        """One word against all words, in the order of the vocabulary."""
        return self.measure(measure).row(word)

    def nearest(
        self, word: str, k: int = 10, measure: str | None = None
    ) -> list[tuple[str, float]]:
        """The `k` words most related to `word`, closest first."""
        return self.measure(measure).nearest(word, k)

    def explain(self, a: str, b: str, measure: str | None = None) -> Explanation:
        """Why two words are related: counts, middle words or a path, as data and as a line."""
        return explain(self.measures, self.measure(measure), a, b)


class _Measures(Mapping[str, Measure]):
    """The measures of a bundle; opening one is put off until somebody asks for it."""

    def __init__(self, folder: Path, names: Sequence[str], vocabulary: Vocabulary) -> None:
        self._folder, self._names, self._vocabulary = folder, list(names), vocabulary
        self._opened: dict[str, Measure] = {}

    def __getitem__(self, name: str) -> Measure:
        if name not in self._names:
            raise UnknownMeasure(
                f"The bundle {self._folder} has no measure '{name}': "
                f"it has {', '.join(self._names)}."
            )
        if name not in self._opened:
            self._opened[name] = open_measure(self._folder / name, self._vocabulary)
        return self._opened[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def read_manifest(folder: Path) -> dict[str, Any]:
    """What `bundle.json` says; something else, or of a newer format, is refused."""
    path = folder / "bundle.json"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{folder} is not a bundle: it has no readable bundle.json.") from error
    except ValueError as error:
        raise InputError(f"{path} is damaged: make or copy the bundle again.") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise InputError(f"{path} does not describe a wordkin bundle.")
    if manifest.get("version") != VERSION:
        raise InputError(
            f"The bundle {folder} has format version {manifest.get('version')}, and this wordkin "
            f"reads version {VERSION}: update wordkin, or publish the bundle again."
        )
    if not {"language", "words", "default", "measures", "files"} <= manifest.keys():
        raise InputError(f"{path} is not complete: make or copy the bundle again.")
    return manifest


def _check_sizes(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Refuse a bundle whose files are missing or cut short; costs no reading."""
    for name, facts in manifest["files"].items():
        path = folder / name
        if not path.is_file():
            raise InputError(f"The bundle {folder} is damaged: {name} is missing; copy it again.")
        if path.stat().st_size != facts["bytes"]:
            raise InputError(
                f"The bundle {folder} is damaged: {name} has {path.stat().st_size} bytes instead "
                f"of {facts['bytes']}; make or copy it again."
            )


def damaged_files(folder: Path) -> list[str]:
    """The files of a bundle that are missing or whose SHA-256 is not the published one."""
    files = read_manifest(folder)["files"]
    return [
        name
        for name, facts in files.items()
        if not (folder / name).is_file() or sha256(folder / name) != facts["sha256"]
    ]


def load(bundle: str | os.PathLike[str]) -> Bundle:
    """Open a bundle.

    Parameters
    ----------
    bundle : str or path
        A bundle's folder, an archive that `wordkin pack` made, or a language's code. A code is
        looked up as `$WORDKIN_BUNDLES/<code>` (a folder, or an archive with `.zip` or `.tar.zst`
        after the code), then as `matrices/<code>/bundle` in the current folder.

    Returns
    -------
    Bundle
        Its arrays are mapped into memory: nothing big is read before it is needed. An archive is
        unpacked into a temporary folder that lives as long as the bundle.
    """
    path = find(bundle)
    if not path.name.endswith(_ARCHIVES):
        return Bundle(path)
    from wordkin.pack import unpack

    unpacked = TemporaryDirectory(prefix="wordkin-")
    opened = Bundle(unpack(path, Path(unpacked.name) / "bundle"))
    opened._unpacked = unpacked
    return opened


def find(bundle: str | os.PathLike[str]) -> Path:
    """Where the bundle lies that a path or a language's code stands for."""
    path = Path(bundle)
    if (path / "bundle.json").is_file() or (path.is_file() and path.name.endswith(_ARCHIVES)):
        return path
    code = os.fspath(bundle)
    if not _LANGUAGE.fullmatch(code):
        if path.exists():
            raise InputError(
                f"{path} is not a bundle: give a folder with a bundle.json, "
                f"or a {' or '.join(_ARCHIVES)} made by wordkin pack."
            )
        raise InputError(f"There is no bundle at {path}.")
    places = [Path("matrices") / code / "bundle"]
    if home := os.environ.get("WORDKIN_BUNDLES"):
        kept = Path(home) / code
        places = [kept, *(kept.with_name(code + suffix) for suffix in _ARCHIVES), *places]
    for place in places:
        if (place / "bundle.json").is_file() or place.is_file():
            return place
    raise InputError(
        f"There is no bundle for the language '{code}': looked at "
        f"{', '.join(map(str, places))}; build it with the pipeline, or set WORDKIN_BUNDLES."
    )

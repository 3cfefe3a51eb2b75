"""The bundle: everything an agent needs of one language, in one self-contained folder.

    bundle.json        what it is, where it came from, and the size and SHA-256 of each file
    vocabulary.tsv     word, count, documents, familiarity; the id of a word is its line number
    lemmas.tsv         word, lemma, of each word that is not its own lemma (left out when there
                       are no lemmas)
    npmi/ graph/ ...   one folder per measure, in the format of `wordkin.measures`
    subwords/          vectors for any string (`wordkin.language.subwords`); optional

Arrays are plain `.npy` files that are mapped into memory; nothing is ever unpickled. Only this
module knows the layout: `write_bundle` writes what `Bundle` reads. `docs/bundle.md` shows a whole
bundle.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from wordkin import manifest
from wordkin.arrays import Floats
from wordkin.errors import InputError, UnknownMeasure
from wordkin.files import link_or_copy, new_folder, read_text, write_text
from wordkin.language.lexicon import Lexicon
from wordkin.language.resolution import Resolution
from wordkin.language.resolved import explain, resolved_nearest, resolved_pairs, resolved_rows
from wordkin.language.resolving import Resolver
from wordkin.language.subwords import FOLDER as SUBWORDS
from wordkin.language.subwords import Subwords, open_subwords, write_subwords
from wordkin.measures.blend import named
from wordkin.measures.explanations.explanation import Explanation
from wordkin.measures.measure import Measure
from wordkin.measures.store import describe, open_measure
from wordkin.measures.temperature import rank_temperature
from wordkin.pack import unpack
from wordkin.places import GIVEN, Place, find_place
from wordkin.vocabulary import Vocabulary

LEMMAS_HEADER = "word\tlemma"


def write_bundle(
    folder: Path,
    *,
    language: str,
    vocabulary: Path,
    measures: Mapping[str, Path],
    default: str,
    lemmas: Sequence[str] | None = None,
    subwords: Subwords | None = None,
    facts: Mapping[str, Any] | None = None,
) -> None:
    """Write a bundle; an old one stays until the new one is complete.

    Parameters
    ----------
    folder : Path
        Where to write. A bundle that is already there is replaced as a whole.
    language : str
        The code of the language.
    vocabulary : Path
        The `vocabulary.tsv` of this build.
    measures : mapping of str to Path
        The folder of each measure, in the order in which they are shown.
    default : str
        The measure to use when none is named.
    lemmas : sequence of str, optional
        The lemma of each word of the vocabulary. A clue must not share a lemma with a card.
    subwords : Subwords, optional
        Vectors of n-grams, so that any string can be resolved to known words.
    facts : mapping, optional
        Where everything came from: `parameters`, `sources`, `tokens`, `evaluation`, ...
    """
    if default not in measures:
        raise InputError(
            f"The default measure '{default}' is not among the published ones "
            f"({', '.join(measures)}): add it to publish.measures."
        )
    words = Vocabulary.read(vocabulary).words
    _check_measures(measures, len(words))
    with new_folder(folder) as temporary:
        link_or_copy(vocabulary, temporary / "vocabulary.tsv")
        if lemmas is not None:
            lines = [
                f"{w}\t{lemma}\n" for w, lemma in zip(words, lemmas, strict=True) if w != lemma
            ]
            write_text(temporary / "lemmas.tsv", f"{LEMMAS_HEADER}\n{''.join(lines)}")
        for name, source in measures.items():
            (temporary / name).mkdir()
            for file in sorted(source.iterdir()):
                if file.suffix in {".npy", ".json"}:
                    link_or_copy(file, temporary / name / file.name)
        if subwords is not None:
            write_subwords(temporary / SUBWORDS, subwords)
        about = {
            **(facts or {}),
            "language": language,
            "words": len(words),
            "default": default,
            "measures": [{**describe(temporary / name), "measure": name} for name in measures],
        }
        manifest.write_manifest(temporary, about)


def _check_measures(measures: Mapping[str, Path], words: int) -> None:
    """Refuse measures of another vocabulary, and those whose parts are not published too."""
    for name, source in measures.items():
        description = describe(source)
        if description["words"] != words:
            raise InputError(
                f"The measure in {source} has {description['words']} words and the vocabulary "
                f"{words}: they come from different builds, make them again."
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
        Where the bundle is.
    manifest : dict
        The content of `bundle.json`.
    language : str
        The code of the language.
    vocabulary : Vocabulary
        The words, with their counts and document frequencies.
    measures : mapping of str to Measure
        The measures by name. Each is opened on first use.
    place : Place
        Where `load` found the bundle: the path of its folder or archive, and whether that was
        given, built, installed, a starter bundle or in `$WORDKIN_BUNDLES`.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.place = Place(folder, GIVEN)
        self.manifest = manifest.read_manifest(folder)
        manifest.check_sizes(folder, self.manifest)
        self.language: str = self.manifest["language"]
        self.vocabulary = Vocabulary.read(folder / "vocabulary.tsv")
        if len(self.vocabulary) != self.manifest["words"]:
            raise InputError(
                f"The bundle {folder} is damaged: its vocabulary has {len(self.vocabulary)} words "
                f"instead of {self.manifest['words']}; make or copy it again."
            )
        names = [measure["measure"] for measure in self.manifest["measures"]]
        self.measures: Mapping[str, Measure] = _Measures(folder, names, self.vocabulary)
        # Making a blend reads thousands of pairs of each part, so each is made only once.
        self._by_name: dict[str, Measure] = {}
        self._temperatures: dict[str, float] = {}
        self._unpacked: TemporaryDirectory[str] | None = None

    def __repr__(self) -> str:
        measures = ", ".join(self.measures)
        return f"<Bundle {self.language}: {len(self.vocabulary)} words, {measures}>"

    @property
    def default(self) -> str:
        """The name of the measure that is used when none is named."""
        return str(self.manifest["default"])

    @property
    def familiarity_limit(self) -> float:
        """The familiarity below which a word is not offered as a clue; 0 offers every word."""
        return float(self.manifest.get("familiarity", 0.0))

    @cached_property
    def lemmas(self) -> list[str]:
        """The lemma of each word, or the word itself when the bundle has no lemmas."""
        path = self.folder / "lemmas.tsv"
        if not path.exists():
            return self.vocabulary.words
        lines = read_text(path).split("\n")
        rows = [line.partition("\t") for line in lines[1:-1]]
        lemmas = {word: lemma for word, _, lemma in rows}
        if lines[0] != LEMMAS_HEADER or not lemmas.keys() <= self.vocabulary.ids.keys():
            raise InputError(f"{path} does not fit the vocabulary: make or copy it again.")
        return [lemmas.get(word, word) for word in self.vocabulary.words]

    def measure(self, name: str | None = None) -> Measure:
        """Get a measure by name.

        Parameters
        ----------
        name : str, optional
            A measure of the bundle, or a blend of some such as `npmi:2+svd`. Default: the
            bundle's default measure.

        Returns
        -------
        Measure
            The same object on every call.

        Raises
        ------
        UnknownMeasure
            If the bundle has no such measure.
        """
        name = name or self.default
        if name not in self._by_name:
            self._by_name[name] = named(name, self.measures)
        return self._by_name[name]

    def temperature(self, measure: str | Measure | None = None) -> float:
        """How sure people are when they choose cards by a measure.

        A guesser like the people of this language picks a card with a chance in proportion to
        exp(relatedness / temperature).

        Parameters
        ----------
        measure : str or Measure, optional
            See `measure`; or any measure of this vocabulary.

        Returns
        -------
        float
            Above 0. Fitted to recorded picks if the bundle has such a temperature of the measure;
            otherwise from the ranks of its values (`wordkin.measures.temperature`).
        """
        if isinstance(measure, Measure):
            if self._by_name.get(measure.name) is not measure and not self._is_own(measure):
                return rank_temperature(measure)
            name = measure.name
        else:
            name = measure or self.default
        if name not in self._temperatures:
            recorded = self.manifest.get("guesser", {}).get(name)
            self._temperatures[name] = (
                float(recorded["temperature"]) if recorded else rank_temperature(self.measure(name))
            )
        return self._temperatures[name]

    def _is_own(self, measure: Measure) -> bool:
        """Whether a measure is one of this bundle, or a copy such as a `CachedMeasure` of one."""
        return measure.folder is not None and measure.folder == self.folder / measure.name

    @cached_property
    def _resolver(self) -> Resolver:
        def subwords() -> Subwords | None:
            return open_subwords(self.folder / SUBWORDS, len(self.vocabulary))

        return Resolver(Lexicon(self.vocabulary, self.language, lambda: self.lemmas), subwords)

    def resolve(self, word: str) -> Resolution:
        """Find the known words that a word stands for.

        Parameters
        ----------
        word : str
            Any string with a letter: a word in any spelling or form, a compound, several words.

        Returns
        -------
        Resolution
            Known words with weights that sum to 1, and how they were found. A word of the
            vocabulary stands for itself.

        Raises
        ------
        UnknownWord
            If the string has no letters, or if the bundle has no subwords and no other way leads to
            a known word.

        Examples
        --------
        >>> wordkin.load("hu").resolve("kávéfőző").line()
        'kávéfőző: from kávé + főző'
        """
        return self._resolver.resolve(word)

    def try_resolve(self, word: str) -> Resolution | None:
        """Find the known words that a word stands for, without an error if there are none.

        Parameters
        ----------
        word : str
            As in `resolve`.

        Returns
        -------
        Resolution or None
            None where `resolve` raises `UnknownWord`.
        """
        return self._resolver.try_resolve(word)

    def relatedness(self, a: str, b: str, measure: str | None = None) -> float:
        """Relatedness of two words.

        Parameters
        ----------
        a, b : str
            Any words; see `resolve`.
        measure : str, optional
            See `measure`.

        Returns
        -------
        float
            Larger means more related.
        """
        first, second = self.resolve(a), self.resolve(b)
        return float(resolved_pairs(self.measure(measure), first, [second])[0])

    def row(self, word: str, measure: str | None = None) -> Floats:
        """Relatedness of one word to all words.

        Parameters
        ----------
        word : str
            Any word; see `resolve`.
        measure : str, optional
            See `measure`.

        Returns
        -------
        array of float32
            One value per word, in the order of the vocabulary.
        """
        return resolved_rows(self.measure(measure), [self.resolve(word)])[0]

    def nearest(
        self, word: str, k: int = 10, measure: str | None = None
    ) -> list[tuple[str, float]]:
        """The words most related to a word.

        Parameters
        ----------
        word : str
            Any word; see `resolve`.
        k : int, optional
            How many words to return.
        measure : str, optional
            See `measure`.

        Returns
        -------
        list of (str, float)
            Words and their relatedness, most related first.
        """
        return resolved_nearest(self.measure(measure), self.resolve(word), k)

    def explain(self, a: str, b: str, measure: str | None = None) -> Explanation:
        """Explain why two words are related.

        Parameters
        ----------
        a, b : str
            Two different words; see `resolve`.
        measure : str, optional
            See `measure`.

        Returns
        -------
        Explanation
            A dataclass with the reasons: counts, words in between, a path, ... `str` of it is one
            readable line. When a word is not in the vocabulary, it is a
            `wordkin.language.resolved.Resolved`, which also says what the word stands for.

        Raises
        ------
        NoExplanation
            If the words are the same, or the bundle lacks what the explanation needs.
        """
        first, second = self.resolve(a), self.resolve(b)
        return explain(self.measure(measure), first, second, self.measures)


class _Measures(Mapping[str, Measure]):
    """The measures of a bundle, each opened on first use."""

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


def check_numbers(folder: Path) -> list[str]:
    """Check every word and every number of a bundle whose files are intact.

    Parameters
    ----------
    folder : Path
        The folder of the bundle.

    Returns
    -------
    list of str
        What is wrong, one sentence each; empty if the bundle is whole.
    """
    bundle = Bundle(folder)
    words = bundle.vocabulary
    checks: list[Callable[[], object]] = [
        lambda: bundle.lemmas,
        lambda: open_subwords(folder / SUBWORDS, len(words), thorough=True),
        *(partial(open_measure, folder / name, words, thorough=True) for name in bundle.measures),
    ]
    problems = []
    for check in checks:
        try:
            check()
        except InputError as error:
            problems.append(str(error))
    return problems


def load(bundle: str | os.PathLike[str]) -> Bundle:
    """Open a bundle.

    Parameters
    ----------
    bundle : str or path
        The folder of a bundle, an archive made by `wordkin pack`, or the code of a language. A code
        is looked up as `$WORDKIN_BUNDLES/<code>` (a folder, or an archive with `.zip` or `.tar.zst`
        after the code), then as `matrices/<code>/bundle` in the current folder, then among the
        installed packages (see `wordkin pack --wheel`), then among the starter bundles of this
        library.

    Returns
    -------
    Bundle
        Its arrays are mapped into memory, so opening reads little. An archive is unpacked into a
        temporary folder that is removed together with the bundle.

    Raises
    ------
    InputError
        If there is no bundle, or it is damaged.
    """
    place = find_place(bundle)
    if place.path.is_dir():
        opened = Bundle(place.path)
    else:
        temporary = TemporaryDirectory(prefix="wordkin-")
        opened = Bundle(unpack(place.path, Path(temporary.name) / "bundle"))
        opened._unpacked = temporary
    opened.place = place
    return opened


def find(bundle: str | os.PathLike[str]) -> Path:
    """Find the folder or archive that a path or the code of a language stands for."""
    return find_place(bundle).path

"""The bundle: everything that an agent needs of one language; `wordkin.load` opens one."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wordkin import manifest
from wordkin.arrays import Floats
from wordkin.errors import InputError, UnknownMeasure
from wordkin.files import read_text
from wordkin.language.resolution import Resolution
from wordkin.language.resolved import explain, resolved_nearest, resolved_pairs, resolved_rows
from wordkin.language.resolving import Lexicon, Resolver
from wordkin.language.subwords import FOLDER as SUBWORDS
from wordkin.language.subwords import Subwords, open_subwords
from wordkin.lookup import GIVEN, find_bundle
from wordkin.measures.blend import named
from wordkin.measures.explanations.explanation import Explanation
from wordkin.measures.matrix import MatrixMeasure, Vectors
from wordkin.measures.measure import Measure
from wordkin.measures.store import open_measure
from wordkin.measures.temperature import rank_temperature
from wordkin.pack import unpack
from wordkin.vocabulary import Vocabulary
from wordkin.words import is_tag, normal

LEMMAS_HEADER = "word\tlemma"

VECTORS = "vectors"
"""The measure and the origin of a bundle that was made from vectors."""


class Bundle:
    """A language: its words, and how related they are by each of its measures.

    `wordkin.load` opens a bundle, `Bundle.from_vectors` makes one. A bundle is a container of its
    words: `word in bundle`, `len(bundle)`, `for word in bundle`. It can be pickled: one on disk by
    its path, one made from vectors with them.

    Attributes
    ----------
    language : str
        The code of the language.
    vocabulary : Vocabulary
        The words, with their counts and document frequencies.
    measures : mapping of str to Measure
        The measures by name. Each is opened on first use.
    default : str
        The name of the measure that is used when none is named.
    manifest : dict
        The content of `bundle.json`: where the bundle came from, and more.
    path : Path or None
        The folder or archive it was opened from; None for a bundle made from vectors.
    origin : str
        Why `load` chose it: `given path`, `WORDKIN_BUNDLES`, `built`, `installed` or `starter`;
        `vectors` for a bundle made from vectors.

    Examples
    --------
    >>> bundle = wordkin.load("en")
    >>> "piano" in bundle
    True
    >>> bundle.nearest("piano", 5)
    """

    def __init__(
        self,
        manifest: Mapping[str, Any],
        vocabulary: Vocabulary,
        measures: Mapping[str, Measure],
        folder: Path | None = None,
    ) -> None:
        self.manifest = dict(manifest)
        self.language: str = manifest["language"]
        self.default: str = manifest["default"]
        self.vocabulary = vocabulary
        self.measures = measures
        self.path, self.origin = folder, GIVEN if folder else VECTORS
        self._folder = folder
        # Making a blend reads thousands of pairs of each part, so each is made only once.
        self._by_name: dict[str, Measure] = {}
        self._temperatures: dict[str, float] = {}
        self._embeddings: dict[str, Floats | None] = {}
        self._unpacked: TemporaryDirectory[str] | None = None

    @classmethod
    def open(cls, folder: Path) -> Bundle:
        """Open the bundle in a folder; `wordkin.load` also finds bundles.

        Parameters
        ----------
        folder : Path
            The folder with `bundle.json`.

        Returns
        -------
        Bundle

        Raises
        ------
        InputError
            If there is no bundle, or it is damaged.
        """
        facts = manifest.read_manifest(folder)
        manifest.check_sizes(folder, facts)
        vocabulary = Vocabulary.read(folder / "vocabulary.tsv")
        if len(vocabulary) != facts["words"]:
            raise InputError(
                f"The bundle {folder} is damaged: its vocabulary has {len(vocabulary)} words "
                f"instead of {facts['words']}; make or copy it again."
            )
        names = [measure["measure"] for measure in facts["measures"]]
        return cls(facts, vocabulary, _Measures(folder, names, vocabulary), folder)

    @classmethod
    def from_vectors(
        cls,
        words: Iterable[str],
        vectors: ArrayLike,
        language: str,
        counts: Iterable[int] | None = None,
    ) -> Bundle:
        """Make a bundle from word vectors, in memory.

        Parameters
        ----------
        words : iterable of str
            The words, most frequent first. Spellings of one word (`Piano`, `piano`) are taken as
            the first of them, and what has no letters is left out.
        vectors : array, (words, dimensions)
            One vector per word, of any length above 0. The relatedness of two words is the cosine
            of their vectors.
        language : str
            The code of the language: it decides the forms of words and the rules for clues.
        counts : iterable of int, optional
            How often each word occurs. Default: as Zipf's law says for words in this order.

        Returns
        -------
        Bundle
            It has one measure, `vectors`.

        Raises
        ------
        InputError
            If words and vectors do not fit each other, or a vector has no length or is not finite.

        Examples
        --------
        >>> kv = gensim.models.KeyedVectors.load_word2vec_format("vectors.bin", binary=True)
        >>> bundle = wordkin.Bundle.from_vectors(kv.index_to_key, kv.vectors, "en")
        """
        given, array = list(words), np.asarray(vectors, dtype=np.float32)
        if not is_tag(language):
            raise InputError(f"'{language}' is not the code of a language: give one such as en.")
        if array.ndim != 2 or len(array) != len(given) or not array.size:
            raise InputError(
                f"There are {len(given)} words and an array of shape {array.shape}: give one "
                "vector per word."
            )
        first: dict[str, int] = {}
        for at, word in enumerate(given):
            form = normal(word, language)
            if any(map(str.isalpha, form)) and not any(map(str.isspace, form)):
                first.setdefault(form, at)
        chosen = np.fromiter(first.values(), dtype=np.int64)
        lengths = np.linalg.norm(array[chosen], axis=1, keepdims=True)
        if not len(first) or not (np.isfinite(lengths) & (lengths > 0)).all():
            raise InputError("Every word needs a vector of finite numbers that are not all 0.")
        if counts is None:
            numbers = 10 * len(first) // np.arange(1, len(first) + 1)
        else:
            numbers = np.asarray(list(counts), dtype=np.int64)
            if len(numbers) != len(given):
                raise InputError(f"There are {len(given)} words and {len(numbers)} counts.")
            numbers = numbers[chosen]
        vocabulary = Vocabulary(list(first), numbers, numbers)
        measure = MatrixMeasure(VECTORS, vocabulary, vectors=Vectors(array[chosen] / lengths))
        facts = {"language": language, "words": len(first), "default": VECTORS}
        return cls(facts, vocabulary, {VECTORS: measure})

    def __reduce__(self) -> tuple[Any, ...]:
        if self.path is not None:
            return load, (self.path.absolute(),)
        words, vectors = self.vocabulary.words, self.measures[VECTORS].unit_vectors()
        return Bundle.from_vectors, (words, vectors, self.language, self.vocabulary.counts)

    def __repr__(self) -> str:
        measures = ", ".join(self.measures)
        return f"<Bundle {self.language}: {len(self)} words, {measures}>"

    def __len__(self) -> int:
        return len(self.vocabulary)

    def __iter__(self) -> Iterator[str]:
        return iter(self.vocabulary)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and normal(word, self.language) in self.vocabulary

    @property
    def folder(self) -> Path:
        """The folder of a bundle on disk; that of an archive is temporary."""
        if self._folder is None:
            raise InputError("This bundle was made from vectors: it has no folder.")
        return self._folder

    @property
    def familiarity_limit(self) -> float:
        """The familiarity below which a word is not offered as a clue; 0 offers every word."""
        return float(self.manifest.get("familiarity", 0.0))

    @cached_property
    def lemmas(self) -> list[str]:
        """The lemma of each word, or the word itself when the bundle has no lemmas."""
        if self._folder is None or not (path := self._folder / "lemmas.tsv").exists():
            return self.vocabulary.words
        lines = read_text(path).split("\n")
        rows = [line.partition("\t") for line in lines[1:-1]]
        lemmas = {word: lemma for word, _, lemma in rows}
        if lines[0] != LEMMAS_HEADER or not lemmas.keys() <= self.vocabulary.ids.keys():
            raise InputError(f"{path} does not fit the vocabulary: make or copy it again.")
        return [lemmas.get(word, word) for word in self.vocabulary.words]

    def count(self, word: str) -> int:
        """How often a word occurs in the text that the bundle was made from.

        Parameters
        ----------
        word : str
            Any word.

        Returns
        -------
        int
            0 if the vocabulary does not have the word.
        """
        word_id = self.vocabulary.ids.get(normal(word, self.language))
        return 0 if word_id is None else int(self.vocabulary.counts[word_id])

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
        return measure.folder is not None and measure.folder.parent == self._folder

    @cached_property
    def _resolver(self) -> Resolver:
        def subwords() -> Subwords | None:
            if self._folder is None:
                return None
            return open_subwords(self._folder / SUBWORDS, len(self))

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
            Larger means more related. Every measure has a scale of its own, so compare values of
            one measure only. A blend, which most bundles have as their default, is in standard
            deviations: 0 is the mean of random pairs of words.

        Raises
        ------
        UnknownWord
            If a word stands for no known word.
        """
        first, second = self.resolve(a), self.resolve(b)
        return float(resolved_pairs(self.measure(measure), first, [second])[0])

    def pairs(self, pairs: Iterable[tuple[str, str]], measure: str | None = None) -> Floats:
        """Relatedness of many pairs of words, much faster than one at a time.

        Parameters
        ----------
        pairs : iterable of (str, str)
            The pairs; any words, see `resolve`.
        measure : str, optional
            See `measure`.

        Returns
        -------
        array of float32
            What `relatedness` says of each pair.

        Raises
        ------
        UnknownWord
            If a word stands for no known word.
        """
        listed = [(a, b) for a, b in pairs]
        known = self.vocabulary.ids
        ids = {word: known.get(word, -1) for pair in listed for word in pair}
        for word, word_id in ids.items():
            if word_id < 0:
                ids[word] = known.get(normal(word, self.language), -1)
        first = np.array([ids[a] for a, _ in listed], dtype=np.int64)
        second = np.array([ids[b] for _, b in listed], dtype=np.int64)
        both = (first >= 0) & (second >= 0)
        values = np.empty(len(listed), dtype=np.float32)
        values[both] = self.measure(measure).pairs(first[both], second[both])
        for at in np.flatnonzero(~both).tolist():
            values[at] = self.relatedness(*listed[at], measure)
        return values

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

    def most_similar(
        self, word: str, k: int = 10, measure: str | None = None
    ) -> list[tuple[str, float]]:
        """The same as `nearest`, by the name that it has in gensim.

        Parameters
        ----------
        word, k, measure
            As in `nearest`.

        Returns
        -------
        list of (str, float)
            Words and their relatedness, most related first.
        """
        return self.nearest(word, k, measure)

    def vector(self, word: str, measure: str | None = None) -> Floats:
        """The vector of a word, of length 1.

        Parameters
        ----------
        word : str
            Any word; see `resolve`. One that stands for several words has their weighted mean.
        measure : str, optional
            A measure with vectors. Default: the bundle's default measure if it has vectors,
            otherwise the first measure that has.

        Returns
        -------
        array of float32
            The cosine of two vectors is the relatedness, or comes close to it where the measure
            stores some pairs exactly.

        Raises
        ------
        InputError
            If there are no vectors.
        """
        names = [measure] if measure else [self.default, *self.measures]
        for name in names:
            if name not in self._embeddings:
                self._embeddings[name] = self.measure(name).embedding()
            vectors = self._embeddings[name]
            if vectors is not None:
                return _mean_vector(vectors, self.vocabulary, self.resolve(word))
        what = f"measure '{measure}'" if measure else "bundle"
        raise InputError(f"The {what} has no vectors: ask for its rows instead.")

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


def _mean_vector(vectors: Floats, vocabulary: Vocabulary, item: Resolution) -> Floats:
    ids = vocabulary.ids_of(entry.word for entry in item.words)
    weights = np.array([entry.weight for entry in item.words], dtype=np.float32)
    mean = weights @ vectors[ids]
    return np.asarray(mean / (np.linalg.norm(mean) or 1.0), dtype=np.float32)


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


def load(bundle: str | os.PathLike[str]) -> Bundle:
    """Open a bundle.

    Parameters
    ----------
    bundle : str or path
        The folder of a bundle, an archive made by `wordkin pack`, or the code of a language. The
        first of these that has the language is taken:

        1. `$WORDKIN_BUNDLES/<code>`, a folder, or an archive with `.zip` after the code;
        2. `matrices/<code>/bundle` in the current folder, where the pipeline builds;
        3. an installed package (see `wordkin pack --wheel`);
        4. the starter bundle of this library.

        `Bundle.origin` says which one it was, and so does the logger `wordkin` at the level INFO.

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
    path, origin = find_bundle(bundle)
    logging.getLogger("wordkin").info("%s: the bundle %s (%s)", bundle, path, origin)
    if path.is_dir():
        opened = Bundle.open(path)
    else:
        temporary = TemporaryDirectory(prefix="wordkin-")
        opened = Bundle.open(unpack(path, Path(temporary.name) / "bundle"))
        opened._unpacked = temporary
    opened.path, opened.origin = path, origin
    return opened

"""Rated word pairs (gold sets): reading them, and looking their words up in a vocabulary."""

from __future__ import annotations

import csv
import math
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordkin import words
from wordkin.errors import InputError
from wordkin.files import read_lines

if TYPE_CHECKING:
    from wordkin.vocabulary import Vocabulary

UNRATED = {"", "-", "?", "na", "n/a", "nan", "none", "null"}
"""How gold files mark a pair without a score."""


class Pair(NamedTuple):
    """Two words and how related people say they are; nan when nobody rated them."""

    first: str
    second: str
    score: float


def read_pairs(
    path: Path,
    *,
    separator: str | None = None,
    columns: Sequence[int | str] = (1, 2, 3),
    leave_out: dict[str, str] | None = None,
) -> list[Pair]:
    """Read a file of rated word pairs, one pair per line: two words and a score.

    Parameters
    ----------
    path : Path
        UTF-8 text, with or without byte order mark, header and Windows line ends.
    separator : str, optional
        What separates the columns; `" "` means any white space. By default it is guessed from the
        first line: tab, else semicolon, else comma, else white space.
    columns : three of int or str
        The columns of the two words and of the score, counted from 1, or their names in the header.
    leave_out : dict of str to str, optional
        Leave out the lines that have this value in the column of this name.

    Returns
    -------
    list of Pair
        In the order of the file; the score of an unrated pair is nan.
    """
    lines = [
        (number, line)
        for number, line in enumerate(read_lines(path, "the gold set"), start=1)
        if line.strip()
    ]
    if not lines:
        raise InputError(f"{path} is empty: a gold set has two words and a score in each line.")
    if separator is None:
        separator = next((mark for mark in "\t;," if mark in lines[0][1]), " ")
    rows = [(number, _cells(line, separator)) for number, line in lines]
    header = rows[0][1]
    names = {name.lstrip("# ").lower(): i for i, name in enumerate(header)}
    try:
        places = [names[c.lower()] if isinstance(c, str) else c - 1 for c in columns]
        unwanted = [(names[name.lower()], value) for name, value in (leave_out or {}).items()]
    except KeyError as error:
        raise InputError(
            f"{path} has no column named {error} in its first line: correct the name of the column."
        ) from None
    if leave_out or isinstance(columns[2], str) or _is_header(header, places[2]):
        rows = rows[1:]
    pairs = [
        _pair(path, number, row, places)
        for number, row in rows
        if not any(row[i : i + 1] == [value] for i, value in unwanted)
    ]
    if not pairs:
        raise InputError(f"{path} has a header and no pairs: add lines of two words and a score.")
    return pairs


def _cells(line: str, separator: str) -> list[str]:
    if separator == " ":
        return line.split()
    # Only comma-separated files use quotes; elsewhere a quotation mark is part of the word.
    cells = next(csv.reader([line])) if separator == "," else line.split(separator)
    return [cell.strip() for cell in cells]


def _is_header(row: list[str], score: int) -> bool:
    """Whether the score's column holds text that is neither a number nor a missing score."""
    try:
        float(row[score])
    except IndexError:
        return False
    except ValueError:
        return row[score].lower() not in UNRATED
    return False


def _pair(path: Path, number: int, row: list[str], places: Sequence[int]) -> Pair:
    where = f"{path}, line {number}"
    if len(row) <= max(places[:2]) or not all(row[i] for i in places[:2]):
        raise InputError(f"{where}: expected two words and a score, found {row}; correct the line.")
    first, second = (unicodedata.normalize("NFC", row[i]) for i in places[:2])
    score = row[places[2]] if places[2] < len(row) else ""
    if score.lower() in UNRATED:
        return Pair(first, second, math.nan)
    try:
        value = float(score)
    except ValueError:
        value = math.inf
    if not math.isfinite(value):
        raise InputError(f"{where}: the score '{score}' is not a number; correct it.")
    return Pair(first, second, value)


@dataclass(frozen=True)
class PlacedPairs:
    """Rated pairs looked up in a vocabulary.

    Attributes
    ----------
    words : list of (str, str)
        The pairs as they were given, without unrated pairs and pairs of a word with itself.
    gold : array
        The score of each pair.
    covered : array of bool
        Which pairs have both words in the vocabulary.
    first, second : array of int
        The ids of the two words of each covered pair.
    missing : tuple of str
        The words that the vocabulary does not have, in code point order.
    identical, unrated : int
        The number of pairs left out, by reason.
    """

    words: list[tuple[str, str]]
    gold: NDArray[np.float64]
    covered: NDArray[np.bool_]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    missing: tuple[str, ...]
    identical: int
    unrated: int


def place(
    pairs: Iterable[Pair],
    vocabulary: Vocabulary,
    normal: Callable[[str], str] | None = None,
    *,
    language: str = "",
) -> PlacedPairs:
    """Look up the words of rated pairs in a vocabulary.

    Repeated pairs stay repeated, as in the figures that others publish.

    Parameters
    ----------
    pairs : iterable of Pair
        The rated pairs.
    vocabulary : Vocabulary
        Where to look the words up.
    normal : callable, optional
        The form of a gold word in the vocabulary. By default the word as it is given or, if the
        vocabulary lacks it, its normal form in `language`.
    language : str
        The language whose spelling rules apply; by default those that most languages share.
    """
    form = normal or (lambda word: _as_listed(word, vocabulary, language))
    rated: list[Pair] = []
    ids: list[tuple[int, int]] = []
    missing: set[str] = set()
    identical = unrated = 0
    for pair in pairs:
        first, second = form(pair.first), form(pair.second)
        if math.isnan(pair.score):
            unrated += 1
        elif first == second:
            identical += 1
        else:
            rated.append(pair)
            ids.append((vocabulary.ids.get(first, -1), vocabulary.ids.get(second, -1)))
            missing.update(word for word in (first, second) if word not in vocabulary)
    both = np.array(ids, dtype=np.int64).reshape(-1, 2)
    covered = np.asarray((both >= 0).all(axis=1))
    return PlacedPairs(
        words=[(pair.first, pair.second) for pair in rated],
        gold=np.array([pair.score for pair in rated], dtype=np.float64),
        covered=covered,
        first=both[covered, 0],
        second=both[covered, 1],
        missing=tuple(sorted(missing)),
        identical=identical,
        unrated=unrated,
    )


def _as_listed(word: str, vocabulary: Vocabulary, language: str) -> str:
    return word if word in vocabulary else words.normal(word, language)

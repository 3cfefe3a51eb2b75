"""Gold sets: from `eval/gold.yaml` and the format of each file to one form for the evaluation.

eval/gold.yaml ──fetch──▶ eval/<lang>/gold/ (see `pipeline.fetched`)
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic.dataclasses import dataclass

from pipeline import mistakes
from pipeline.declarations import Declaration
from pipeline.fetch.fetcher import Fetcher, Unavailable
from pipeline.fetched import GoldSets, write_gold_sets
from pipeline.layout import Layout
from pipeline.mistakes import KNOWN_KEYS, Flag, Number, Whole, between, rule
from pipeline.settings import language_code
from wordkin.errors import InputError
from wordkin.program import say
from wordkin.rated_pairs import Pair, read_pairs
from wordkin.words import normal


def lowest_and_highest(scale: list[float]) -> str | None:
    """The rule for the scale of scores."""
    if len(scale) == 2 and scale[0] < scale[1]:
        return None
    return "must be the lowest and the highest score, such as [0, 10]"


def three_columns(columns: list[int | str]) -> str | None:
    """The rule for the columns of the two words and the score."""
    numbers = [column for column in columns if isinstance(column, int)]
    if len(columns) == 3 and len(numbers) in (0, 3) and all(number > 0 for number in numbers):
        return None
    return "must be three numbers from 1, or three names"


@dataclass(frozen=True, kw_only=True, config=KNOWN_KEYS)
class GoldSet(Declaration):
    """Word pairs that people rated; the head of `eval/gold.yaml` explains the keys."""

    language: Annotated[str, rule(language_code)]
    kind: Literal["relatedness", "similarity", "verbs", "rare words"]
    status: Literal["human", "silver"] = "human"
    scale: Annotated[list[Number] | None, rule(lowest_and_highest)] = None
    ceiling: Annotated[Number | None, between(0, 1)] = None
    separator: str | None = None
    columns: Annotated[list[Whole | str], rule(three_columns)] = field(
        default_factory=lambda: [1, 2, 3]
    )
    leave_out: dict[str, str] = field(default_factory=dict)
    tagged: Flag = False
    citation: str | None = None


@dataclass(frozen=True, config=KNOWN_KEYS)
class _GoldFile:
    """The whole of `eval/gold.yaml`."""

    sets: list[GoldSet] | None


@dataclasses.dataclass(frozen=True)
class RatedPairs:
    """The pairs of a gold set, and how many lines of its file were left out and why."""

    language: str
    pairs: list[Pair]
    unrated: int
    ambiguous: int

    @property
    def doubled(self) -> int:
        """How many pairs repeat an earlier one, in either order; they count each time."""
        different = {
            frozenset(normal(word, self.language) for word in (pair.first, pair.second))
            for pair in self.pairs
        }
        return len(self.pairs) - len(different)


def declared_sets(path: Path, language: str | None = None) -> list[GoldSet]:
    """The gold sets that a file like `eval/gold.yaml` declares, of all languages or of one."""
    sets = mistakes.read(_GoldFile, path, _cross_check).sets or []
    return [gold for gold in sets if language in (None, gold.language)]


def _cross_check(content: _GoldFile) -> Iterator[str]:
    names: set[tuple[str, str]] = set()
    for gold in content.sets or ():
        key = f"sets[{gold.name}]"
        if not gold.location and not gold.mirror:
            yield f"{key}: give a location (or a mirror path)."
        if (gold.language, gold.name.lower()) in names:
            yield f"{key}: two sets of '{gold.language}' have this name; choose another."
        names.add((gold.language, gold.name.lower()))


def read(gold: GoldSet, path: Path) -> RatedPairs:
    """Read the file of a gold set.

    Two kinds of pairs are left out and counted: those that nobody rated, and those with an entry
    of several words, such as "gun (pistol)", since the file does not say which one was rated.
    """
    pairs = read_pairs(
        path, separator=gold.separator, columns=tuple(gold.columns), leave_out=gold.leave_out
    )
    if gold.tagged:
        pairs = [Pair(_untagged(path, a), _untagged(path, b), score) for a, b, score in pairs]
    rated = [pair for pair in pairs if not math.isnan(pair.score)]
    clear = [pair for pair in rated if "(" not in pair.first + pair.second]
    _check_scale(gold, path, clear)
    return RatedPairs(
        gold.language, clear, unrated=len(pairs) - len(rated), ambiguous=len(rated) - len(clear)
    )


def _check_scale(gold: GoldSet, path: Path, pairs: list[Pair]) -> None:
    low, high = gold.scale or (-math.inf, math.inf)
    for pair in pairs:
        if not low <= pair.score <= high:
            raise InputError(
                f"{path}: {pair.first}, {pair.second} has the score {pair.score:g}, which is not "
                f"from {low:g} to {high:g}: correct it, or the scale of {gold.name}."
            )


def _untagged(path: Path, word: str) -> str:
    match = re.fullmatch(r"(.+)-[a-z]", word)
    if match is None:
        raise InputError(
            f"{path}: '{word}' does not end in a part of speech such as -n; correct it, or "
            "declare the set without 'tagged'."
        )
    return match[1]


def fetch_gold(layout: Layout, fetcher: Fetcher) -> dict[str, Any]:
    """Fetch a language's gold sets and write them in one form.

    Sets that are unavailable are skipped, with one line per reason on the standard error.
    Returns the number of pairs of each set, and why the others were skipped.
    """
    descriptions: list[dict[str, Any]] = []
    pairs: dict[str, list[Pair]] = {}
    skipped: dict[str, str] = {}
    for gold in declared_sets(layout.gold_sets, layout.language):
        try:
            rated = read(gold, fetcher.fetch_one(gold, layout.gold_downloads))
        except Unavailable as error:
            skipped[gold.name] = str(error)
            continue
        pairs[gold.name] = rated.pairs
        descriptions.append(_description(gold, rated))
    for reason in sorted(set(skipped.values())):
        names = ", ".join(name for name in skipped if skipped[name] == reason)
        say(f"gold sets of {layout.language} skipped: {names}: {reason}")
    write_gold_sets(layout.gold, layout.language, GoldSets(descriptions, skipped), pairs)
    return {"pairs": {name: len(rated) for name, rated in pairs.items()}, "skipped": skipped}


def _description(gold: GoldSet, rated: RatedPairs) -> dict[str, Any]:
    keys = ("name", "kind", "status", "scale", "ceiling", "licence", "citation")
    return {
        **{key: getattr(gold, key) for key in keys},
        "pairs": len(rated.pairs),
        "doubled": rated.doubled,
        "unrated": rated.unrated,
        "ambiguous": rated.ambiguous,
    }

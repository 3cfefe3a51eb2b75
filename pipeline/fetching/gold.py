"""Gold sets: from `eval/gold.yaml` and each file's own format to one form for the evaluation.

eval/gold.yaml ──fetch──▶ eval/<lang>/gold/MEN.tsv, ... (word1, word2, score)
                          eval/<lang>/gold/gold.json    (what each is; what was skipped and why)
"""

from __future__ import annotations

import dataclasses
import math
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args
from typing import Literal as OneOf

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from pipeline.fetching.gold_sets import GoldSets, write_gold_sets
from pipeline.fetching.optional import Reach, Unavailable, local_file
from pipeline.layout import Layout
from wordkin.errors import InputError
from wordkin.judging.pairs import Pair, read_pairs

Kind = OneOf["relatedness", "similarity"]
Status = OneOf["human", "silver"]

TEXTS = {"location", "separator", "sha256", "mirror", "licence", "citation"}


@dataclass(frozen=True)
class GoldSet:
    """Rated word pairs as `eval/gold.yaml` declares them; its head comment explains the fields."""

    name: str
    language: str
    kind: Kind
    location: str | None = None
    status: Status = "human"
    scale: tuple[float, float] | None = None
    separator: str | None = None
    columns: tuple[int | str, ...] = (1, 2, 3)
    leave_out: dict[str, str] = field(default_factory=dict)
    tagged: bool = False
    sha256: str | None = None
    mirror: str | None = None
    licence: str | None = None
    citation: str | None = None


@dataclass(frozen=True)
class Rated:
    """The pairs of a gold set, and how many lines of its file do not count and why."""

    pairs: list[Pair]
    unrated: int
    ambiguous: int

    @property
    def doubled(self) -> int:
        """How many pairs were there before, in either order; they count again."""
        seen = {frozenset((pair.first.lower(), pair.second.lower())) for pair in self.pairs}
        return len(self.pairs) - len(seen)


def declared(path: Path) -> list[GoldSet]:
    """The gold sets that a file like `eval/gold.yaml` declares."""
    try:
        raw = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
        entries = raw["sets"]
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror}.") from error
    except (YAMLError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{path} is not valid YAML: {reason}") from error
    except (KeyError, TypeError):
        raise InputError(f"{path} has no list 'sets': see docs/evaluation.md.") from None
    sets = [_gold_set(path, at, entry) for at, entry in enumerate(entries or [], start=1)]
    seen: set[tuple[str, str]] = set()
    for gold in sets:
        key = (gold.language, gold.name.lower())
        if key in seen:
            raise InputError(f"{path}: two sets of '{gold.language}' are named {gold.name}.")
        seen.add(key)
    return sets


def _gold_set(path: Path, at: int, entry: Any) -> GoldSet:
    where = f"{path}, set {at}"
    if not isinstance(entry, dict):
        raise InputError(f"{where} is not a mapping of keys to values.")
    known = {f.name: f for f in dataclasses.fields(GoldSet)}
    for key in entry:
        if key not in known:
            raise InputError(f"{where}: unknown key '{key}'; known are {', '.join(known)}.")
    for key in ("name", "language", "kind"):
        if not isinstance(entry.get(key), str):
            raise InputError(f"{where}: '{key}' is missing or not a text.")
    where = f"{path}, {entry['name']}"
    for key in sorted(TEXTS & set(entry)):
        if not isinstance(entry[key], str):
            raise InputError(f"{where}: '{key}' must be a text; write it in quotes.")
    if not isinstance(entry.get("tagged", False), bool):
        raise InputError(f"{where}: 'tagged' must be true or false.")
    left_out = entry.get("leave_out", {})
    if not isinstance(left_out, dict) or not all(isinstance(v, str) for v in left_out.values()):
        raise InputError(f"{where}: 'leave_out' must be like {{column: \"value\"}}, with quotes.")
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*", entry["name"]):
        raise InputError(f"{where}: a name has only the characters A-Z a-z 0-9 . _ -")
    for key, choices in (("kind", get_args(Kind)), ("status", get_args(Status))):
        if key in entry and entry[key] not in choices:
            raise InputError(f"{where}: '{key}' must be {' or '.join(choices)}.")
    if not entry.get("location") and not entry.get("mirror"):
        raise InputError(f"{where}: give a 'location' (or a 'mirror' path).")
    values = dict(entry)
    if "scale" in values:
        values["scale"] = _scale(where, values["scale"])
    if "columns" in values:
        values["columns"] = _columns(where, values["columns"])
    return GoldSet(**values)


def _scale(where: str, value: Any) -> tuple[float, float]:
    try:
        low, high = (float(bound) for bound in value)
    except (TypeError, ValueError):
        low = high = math.nan
    if not low < high:
        raise InputError(f"{where}: 'scale' must be the lowest and the highest score, as [0, 10].")
    return low, high


def _columns(where: str, value: Any) -> tuple[int | str, ...]:
    if isinstance(value, list) and len(value) == 3:
        if all(isinstance(column, int) and column > 0 for column in value):
            return tuple(value)
        if all(isinstance(column, str) for column in value):
            return tuple(value)
    raise InputError(f"{where}: 'columns' must be three numbers from 1, or three names.")


def read(gold: GoldSet, path: Path) -> Rated:
    """Read the file of a gold set.

    Left out, and counted: pairs that nobody rated, and pairs where an entry lists several words,
    "gun (pistol)", since it is not said which one was rated.
    """
    found = read_pairs(
        path, separator=gold.separator, columns=gold.columns, leave_out=gold.leave_out
    )
    if gold.tagged:
        found = [Pair(_untagged(path, a), _untagged(path, b), score) for a, b, score in found]
    rated = [pair for pair in found if not math.isnan(pair.score)]
    clear = [pair for pair in rated if "(" not in pair.first + pair.second]
    if gold.scale is not None:
        low, high = gold.scale
        for pair in clear:
            if not low <= pair.score <= high:
                raise InputError(
                    f"{path}: {pair.first}, {pair.second} has the score {pair.score:g}, which is "
                    f"not from {low:g} to {high:g}: correct it, or the scale of {gold.name}."
                )
    return Rated(clear, unrated=len(found) - len(rated), ambiguous=len(rated) - len(clear))


def _untagged(path: Path, word: str) -> str:
    match = re.fullmatch(r"(.+)-[a-z]", word)
    if match is None:
        raise InputError(f"{path}: '{word}' does not end in a part of speech such as -n.")
    return match[1]


def fetch_gold(layout: Layout, mirror: Path | None) -> dict[str, Any]:
    """Get a language's gold sets and write them in one form; returns what came and what did not.

    A set of a package or of this machine has to be there. Any other is a bonus: when it cannot be
    had, it is skipped with a line that says why.
    """
    described: list[dict[str, Any]] = []
    skipped: dict[str, str] = {}
    pairs: dict[str, list[Pair]] = {}
    reach = Reach()
    for gold in declared(layout.gold_sets):
        if gold.language != layout.language:
            continue
        try:
            path = local_file(gold, layout, mirror, reach)
        except Unavailable as error:
            skipped[gold.name] = str(error)
            continue
        rated = read(gold, path)
        pairs[gold.name] = rated.pairs
        described.append(_described(gold, rated))
    for reason in sorted(set(skipped.values())):
        names = ", ".join(name for name in skipped if skipped[name] == reason)
        print(f"gold sets of {layout.language} skipped: {names}: {reason}", file=sys.stderr)
    write_gold_sets(layout.gold, layout.language, GoldSets(described, skipped), pairs)
    return {"pairs": {name: len(rated) for name, rated in pairs.items()}, "skipped": skipped}


def _described(gold: GoldSet, rated: Rated) -> dict[str, Any]:
    return {
        "name": gold.name,
        "kind": gold.kind,
        "status": gold.status,
        "scale": gold.scale,
        "licence": gold.licence,
        "citation": gold.citation,
        "pairs": len(rated.pairs),
        "doubled": rated.doubled,
        "unrated": rated.unrated,
        "ambiguous": rated.ambiguous,
    }

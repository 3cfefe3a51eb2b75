"""The gold sets of a language, as the fetch stage leaves them for later stages.

    eval/<lang>/gold/MEN.tsv     the pairs of one set: word1, word2, score
    eval/<lang>/gold/gold.json   what each set is, and which sets were skipped and why

This module downloads nothing: stages that only read gold sets depend on it alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from wordkin.errors import InputError
from wordkin.files import new_folder, write_text
from wordkin.rated_pairs import Pair

HEADER = ("word1", "word2", "score")
DESCRIPTION = "gold.json"


class GoldSets(NamedTuple):
    """The descriptions of the sets that are there, and why the others are not, by name."""

    sets: list[dict[str, Any]]
    skipped: dict[str, str]


def read_gold_sets(folder: Path) -> GoldSets:
    """The gold sets in the folder that the fetch stage wrote."""
    path = folder / DESCRIPTION
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return GoldSets(content["sets"], content["skipped"])
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path} is missing or damaged: run the fetch stage again.") from error


def write_gold_sets(
    folder: Path, language: str, gold_sets: GoldSets, pairs: Mapping[str, Iterable[Pair]]
) -> None:
    """Replace the folder of a language's gold sets; `pairs` are those of each set by name."""
    content = {"language": language, **gold_sets._asdict()}
    with new_folder(folder) as temporary:
        for name, rated in pairs.items():
            write_text(temporary / f"{name}.tsv", _table(rated))
        write_text(temporary / DESCRIPTION, json.dumps(content, indent=2, sort_keys=True) + "\n")


def set_title(description: Mapping[str, Any]) -> str:
    """The name of a set as people see it: a silver set is always marked as one."""
    name = str(description["name"])
    return f"{name} (silver)" if description["status"] == "silver" else name


def _table(pairs: Iterable[Pair]) -> str:
    rows = [HEADER, *((pair.first, pair.second, repr(pair.score)) for pair in pairs)]
    return "".join("\t".join(row) + "\n" for row in rows)

"""What the stage fetch leaves for later stages beside the raw text.

    corpora/<lang>/resources.json     dictionaries, word nets, vectors: their files, or why not
    eval/<lang>/gold/MEN.tsv          the pairs of a gold set: word1, word2, score
    eval/<lang>/gold/gold.json        what each gold set is, and which were skipped and why
    eval/<lang>/rounds/rounds.jsonl   the recorded rounds of people; absent when there are none
    eval/<lang>/rounds/rounds.json    how many there are, or why there are none

Nothing here downloads: stages that only read these files depend on this module alone.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.layout import Layout
from wordkin.errors import InputError
from wordkin.files import new_folder, read_json, write_text
from wordkin.game.rounds import Item, read_rounds
from wordkin.rated_pairs import Pair

# ── resources ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Resource:
    """The files of one declaration, or the reason why they could not be fetched."""

    files: list[Path]
    skipped: str | None = None
    licence: str | None = None


def read_resource(layout: Layout, name: str) -> Resource:
    """What was fetched under a name."""
    entries: Any = read_json(layout.resources, "is no list of files: run the stage fetch again")
    try:
        entry = entries[name]
        files = [layout.root / file["path"] for file in entry["files"]]
        return Resource(files, entry["skipped"], entry["licence"])
    except (KeyError, TypeError) as error:
        raise InputError(
            f"{layout.resources} has no '{name}': run the stage fetch again."
        ) from error


def write_resources(layout: Layout, entries: Mapping[str, Mapping[str, Any]]) -> None:
    """Write what `read_resource` reads: for each name its files, or why there are none."""
    text = json.dumps(entries, indent=2, ensure_ascii=False)
    write_text(layout.resources, text + "\n")


# ── gold sets ────────────────────────────────────────────────────────────────────────────────

_HEADER = ("word1", "word2", "score")
_GOLD = "gold.json"


class GoldSets(NamedTuple):
    """The descriptions of the sets that are there, and why the others are not, by name."""

    sets: list[dict[str, Any]]
    skipped: dict[str, str]


def read_gold_sets(folder: Path) -> GoldSets:
    """The gold sets in the folder that the fetch stage wrote."""
    problem = "is missing or damaged: run the fetch stage again"
    content: Any = read_json(folder / _GOLD, problem)
    try:
        return GoldSets(content["sets"], content["skipped"])
    except (KeyError, TypeError) as error:
        raise InputError(f"{folder / _GOLD} {problem}.") from error


def write_gold_sets(
    folder: Path, language: str, gold_sets: GoldSets, pairs: Mapping[str, Iterable[Pair]]
) -> None:
    """Replace the folder of a language's gold sets; `pairs` are those of each set by name."""
    content = {"language": language, **gold_sets._asdict()}
    with new_folder(folder) as temporary:
        for name, rated in pairs.items():
            rows = [_HEADER, *((pair.first, pair.second, repr(pair.score)) for pair in rated)]
            text = "".join("\t".join(row) + "\n" for row in rows)
            write_text(temporary / f"{name}.tsv", text)
        write_text(temporary / _GOLD, json.dumps(content, indent=2, sort_keys=True) + "\n")


def set_title(description: Mapping[str, Any]) -> str:
    """The name of a set as people see it: a silver set is always marked as one."""
    name = str(description["name"])
    return f"{name} (silver)" if description["status"] == "silver" else name


# ── recorded rounds ──────────────────────────────────────────────────────────────────────────

_ROUNDS = "rounds.jsonl"


def read_recorded(layout: Layout) -> list[Item]:
    """The recorded rounds of a language; an empty list when there are none."""
    path = layout.rounds / _ROUNDS
    return read_rounds(path) if path.is_file() else []


def write_recorded(layout: Layout, path: Path | None, rounds: int, skipped: str | None) -> None:
    """Replace the folder of a language's rounds by a copy of `path` and its description."""
    content = {"rounds": rounds, "skipped": skipped}
    with new_folder(layout.rounds) as temporary:
        if path is not None:
            shutil.copyfile(path, temporary / _ROUNDS)
        write_text(temporary / "rounds.json", json.dumps(content, indent=2, sort_keys=True) + "\n")

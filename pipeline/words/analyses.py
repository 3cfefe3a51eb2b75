"""A dictionary's analyses of a corpus' types, each looked up once, in this build or an earlier one.

Hunspell takes a tenth of a millisecond per type, which is more than everything else takes for the
tokens of that type. So tasks look types up side by side, and what they found is remembered in
matrices/<language>/analysed.parquet:

    form       string          a form that was looked up
    analyses   list<string>    its analyses, perhaps none

The file's metadata have a hash of the dictionary: with another one, everything is looked up again.
DVC does not know the file, and it may be deleted at any time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from hunspell import Hunspell

from pipeline.engine import Engine
from pipeline.words.morphology import Analyze, analyses_of_form, name_of
from wordkin.files import new_file, sha256

SMALL_TYPES = 100_000
"""Analysing fewer types than this takes less time than Spark takes to start."""

TASK_TYPES = 5_000
"""The types that a task analyses, which takes half a second."""

_KEY = b"dictionary"


@cache
def analyses_of(affixes: Path) -> Analyze:
    """The analyses of a Hunspell dictionary by the path of its .aff file.

    A process opens a dictionary once, which takes half a second, however many tasks it has.
    """
    analyze: Analyze = Hunspell(affixes.stem, hunspell_data_dir=str(affixes.parent)).analyze
    return analyze


def analyses_of_types(
    engine: Engine, affixes: Path, types: Sequence[str], remembered: Path
) -> Analyze:
    """The analyses of all types of a corpus; the file `remembered` has those of earlier builds."""
    dictionary = sha256(affixes) + sha256(affixes.with_suffix(".dic"))
    known = recall(remembered, dictionary)
    new = [word for word in types if word not in known and name_of(word) not in known]
    tasks = [new[start : start + TASK_TYPES] for start in range(0, len(new), TASK_TYPES)]

    def look_up(words: Sequence[str]) -> dict[str, Sequence[str]]:
        return dict(analyses_of_form(word, analyses_of(affixes)) for word in words)

    for found in engine.each(look_up, tasks, "analysing types", len(new) < SMALL_TYPES):
        known.update(found)
    if new:
        remember(remembered, dictionary, known)
    return lambda word: known.get(word, ())


def recall(path: Path, dictionary: str) -> dict[str, Sequence[str]]:
    """The analyses that were remembered; none without a whole file of this dictionary."""
    try:
        table = pq.read_table(path)
        if (table.schema.metadata or {}).get(_KEY) != dictionary.encode():
            return {}
        columns = (table[name].to_pylist() for name in ("form", "analyses"))
        return dict(zip(*columns, strict=True))
    except (OSError, pa.ArrowException, KeyError):
        return {}


def remember(path: Path, dictionary: str, known: Mapping[str, Sequence[str]]) -> None:
    """Write all analyses, in the order of code points."""
    forms = sorted(known)
    table = pa.table(
        {
            "form": pa.array(forms, pa.string()),
            "analyses": pa.array([list(known[form]) for form in forms], pa.list_(pa.string())),
        }
    ).replace_schema_metadata({_KEY: dictionary.encode()})
    with new_file(path) as temporary:
        pq.write_table(table, temporary, compression="zstd")

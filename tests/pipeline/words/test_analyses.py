"""Analyses of types: the same as the dictionary's, by any tasks, and remembered for it alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pipeline.engine import InProcessEngine
from pipeline.words import analyses
from pipeline.words.analyses import analyses_of, analyses_of_types
from pipeline.words.morphology import lemmas_by_dictionary

TYPES = ["alma", "almák", "xyz", "éva", "évak"]


@pytest.fixture
def dictionary(tmp_path: Path) -> Path:
    """A dictionary of two nouns and a name; the path of its .aff file."""
    (tmp_path / "xx.aff").write_text("SET UTF-8\nSFX A Y 1\nSFX A 0 k . is:PLUR\n", "utf-8")
    words = "3\nalmá/A\tst:alma po:noun\nalma\tst:alma po:noun\nÉva/A\tst:Éva po:noun\n"
    (tmp_path / "xx.dic").write_text(words, "utf-8")
    analyses_of.cache_clear()
    return tmp_path / "xx.aff"


class CountingEngine(InProcessEngine):
    """Notes the types that it has to look up."""

    def __init__(self) -> None:
        super().__init__(3)
        self.looked_up: list[str] = []

    def each(self, function, items, what, light=False):  # type: ignore[no-untyped-def]
        self.looked_up += [word for item in items for word in item]
        return super().each(function, items, what, light)


@pytest.mark.parametrize("task_types", [1, 2, 100])
def test_types_that_tasks_analyse_have_the_same_lemmas(
    dictionary: Path, task_types: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses, "TASK_TYPES", task_types)
    alone, counts = analyses_of(dictionary), np.arange(1, 6)
    remembered = dictionary.with_name("analysed.parquet")
    by_tasks = analyses_of_types(InProcessEngine(3), dictionary, TYPES, remembered)
    assert by_tasks("alma") == alone("alma") and not by_tasks("xyz")
    expected = lemmas_by_dictionary(TYPES, counts, alone)
    assert expected == ["alma", "alma", "xyz", "éva", "éva"]
    assert lemmas_by_dictionary(TYPES, counts, by_tasks) == expected


def test_only_new_types_are_looked_up_until_the_dictionary_changes(dictionary: Path) -> None:
    remembered = dictionary.with_name("analysed.parquet")
    first, second, third = CountingEngine(), CountingEngine(), CountingEngine()
    analyses_of_types(first, dictionary, TYPES[:3], remembered)
    once = remembered.read_bytes()
    analyses_of_types(first, dictionary, TYPES[:2], remembered)
    assert first.looked_up == TYPES[:3] and remembered.read_bytes() == once
    known = analyses_of_types(second, dictionary, TYPES, remembered)
    assert second.looked_up == TYPES[3:]
    alone, counts = analyses_of(dictionary), np.arange(1, 6)
    expected = lemmas_by_dictionary(TYPES, counts, alone)
    assert lemmas_by_dictionary(TYPES, counts, known) == expected
    dictionary.with_suffix(".dic").write_text("1\nxyz\tst:xyz po:noun\n", "utf-8")
    analyses_of.cache_clear()
    assert analyses_of_types(third, dictionary, TYPES, remembered)("xyz")
    assert third.looked_up == TYPES


@pytest.mark.parametrize("damage", [b"", b"PAR1", b"no table at all"])
def test_a_damaged_file_is_as_good_as_none(dictionary: Path, damage: bytes) -> None:
    remembered = dictionary.with_name("analysed.parquet")
    remembered.write_bytes(damage)
    engine = CountingEngine()
    analyses_of_types(engine, dictionary, TYPES, remembered)
    assert engine.looked_up == TYPES
    analyses_of_types(engine, dictionary, TYPES, remembered)
    assert engine.looked_up == TYPES

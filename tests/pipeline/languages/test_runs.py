"""Runs: the compiled kernel splits every line as Python does."""

from __future__ import annotations

import sys
from itertools import pairwise

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from pipeline.languages.runs import SPACES, split_runs

spaces = [chr(point) for point in range(sys.maxunicode + 1) if chr(point).isspace()]
letters = st.sampled_from("aé中한😀\u200b\u3001\u00ad") | st.sampled_from(spaces)
lines_of_text = st.lists(st.text(letters | st.characters(exclude_categories=["Cs"]), max_size=20))


@given(lines_of_text, st.integers(0, 3))
def test_runs_are_those_of_python(lines: list[str], skipped: int) -> None:
    runs = split_runs(pa.array(lines, pa.string())[skipped:])
    texts, bounds = runs.texts.to_pylist(), runs.bounds.tolist()
    found = [texts[start:end] for start, end in pairwise(bounds)]
    assert found == [line.split() for line in lines[skipped:]]


def test_the_table_has_all_spaces() -> None:
    assert [chr(point) for point in SPACES.nonzero()[0]] == spaces

"""The places of a language, by the names that stages use."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.layout import Layout
from pipeline.stages import all_stages

LAYOUT = Layout(Path("project"), "xx")


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("raw", "corpora/xx/raw"),
        ("sources", "corpora/xx/sources.json"),
        ("vocabulary", "matrices/xx/vocabulary"),
        ("bundle", "matrices/xx/bundle"),
        ("gold_sets", "eval/gold.yaml"),
        ("report", "eval/xx/report.html"),
        ("npmi", "matrices/xx/npmi"),
        ("a-new-measure", "matrices/xx/a-new-measure"),
    ],
)
def test_a_place_is_a_property_or_a_measure(name: str, path: str) -> None:
    assert LAYOUT.place(name) == Path("project") / path


def test_no_two_names_are_one_place() -> None:
    names = {name for stage in all_stages() for name in (*stage.reads, *stage.writes)}
    paths = [LAYOUT.place(name) for name in names]
    paths += [LAYOUT.metrics(stage.name) for stage in all_stages()]
    paths += [LAYOUT.run(stage.name) for stage in all_stages()]
    assert len(set(paths)) == len(paths)


def test_the_learned_measure_counts_only_if_there_was_something_to_learn(tmp_path: Path) -> None:
    layout = Layout(tmp_path, "xx")
    folder = layout.measure("human")
    folder.mkdir(parents=True)
    assert layout.available(["npmi", "human", "svd"]) == ["npmi", "svd"]
    (folder / "measure.json").write_text("{}")
    assert layout.available(["npmi", "human", "svd"]) == ["npmi", "svd", "human"]
    assert layout.available(["npmi"]) == ["npmi", "human"]


def test_a_measure_of_a_family_counts_only_if_it_was_made(tmp_path: Path) -> None:
    layout = Layout(tmp_path, "xx")
    names = ["npmi", "concat", "npmi:2+concat", "blend", "informed"]
    assert layout.available(names) == ["npmi", "blend"]
    for folder in (layout.matrices / "extras" / "concat", layout.matrices / "informed"):
        folder.mkdir(parents=True)
    assert layout.available(names) == ["npmi", "blend"]  # both folders are empty
    assert layout.measure("concat") == layout.matrices / "extras" / "concat"
    (layout.measure("concat") / "measure.json").write_text("{}")
    assert layout.available(names) == ["npmi", "concat", "npmi:2+concat", "blend"]
    (layout.measure("informed") / "measure.json").write_text("{}")
    assert layout.available(names) == names

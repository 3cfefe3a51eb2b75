"""Settings of another file, written over those of params.yaml."""

from __future__ import annotations

from collections import Counter

import pytest

from pipeline.extras.data import Knowledge
from pipeline.extras.glove import Glove
from pipeline.measures.blend import Blend
from pipeline.settings import load_settings
from pipeline.stages import section_kinds
from tests.support.declared import Project
from tests.support.root import ROOT

PARAMS = (ROOT / "params.yaml").read_text(encoding="utf-8")


def changes_in(project: Project, changes: str) -> str:
    """A file with these changes."""
    path = project.root / "changes.yaml"
    path.write_text(changes, encoding="utf-8")
    return str(path)


def test_only_what_the_file_says_is_changed(project: Project) -> None:
    changes = (
        "svd: {dimensions: 77}\nextras: {glove: {epochs: 3}}\n"
        "publish: {measures: [translated, svd]}\n"
    )
    told = project.run("merge", changes_in(project, changes))
    assert "svd.dimensions, extras.glove, publish.measures" in told
    before, after = (load_settings(folder / "params.yaml") for folder in (ROOT, project.root))
    assert after.sections["svd"] == {**before.sections["svd"], "dimensions": 77}
    assert after.section(Glove).epochs == 3
    assert after.publish.measures == ["translated", "svd"]
    assert after.languages == before.languages
    assert after.section(Knowledge) == before.section(Knowledge)
    written = project.params.read_text(encoding="utf-8").splitlines()
    lost = Counter(PARAMS.splitlines()) - Counter(written)
    assert [line.partition(":")[0] for line in lost.elements()] == ["  dimensions", "  measures"]


def test_weights_are_replaced_as_a_whole_and_languages_are_not(project: Project) -> None:
    changes = "blend: {weights: {npmi: 1}}\nlanguages: {hu: {lemmatize: false}}\n"
    project.run("merge", changes_in(project, changes))
    settings = load_settings(project.params)
    assert settings.section(Blend).weights == {"npmi": 1} and settings.section(Blend).informed
    assert set(settings.languages) == {"en", "hu"} and settings.of("hu").sources
    assert not settings.of("hu").lemmatize


def test_a_second_time_nothing_changes(project: Project) -> None:
    changes = changes_in(project, "svd: {dimensions: 77}\n")
    project.run("merge", changes)
    before = project.files()
    assert "already" in project.run("merge", changes)
    assert project.files() == before


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ("svd: {dimensions: none}\n", "svd.dimensions"),
        ("publish: {measures: [blend, nonsense]}\n", "nonsense"),
        ("- svd\n", "has no sections"),
        ("", "has no sections"),
        ("svd: [1\n", "not valid YAML"),
    ],
)
def test_a_wrong_file_changes_nothing(changes: str, message: str, project: Project) -> None:
    assert message in project.refuse("merge", changes_in(project, changes))


def test_a_missing_file_is_named(project: Project) -> None:
    assert "no.yaml" in project.refuse("merge", "no.yaml")


def test_our_settings_with_knowledge_fit_and_publish_every_measure(project: Project) -> None:
    project.run("merge", str(ROOT / "knowledge.yaml"))
    settings = load_settings(project.params)
    sections = [settings.section(kind) for kind in section_kinds().values()]
    asked = {name for section in sections for name in section.names()}
    assert {*asked, "informed"} <= {*settings.publish.measures}
    assert set(settings.section(Knowledge).root) == {"en", "hu"}
    declared = [file for section in sections for file in section.files("en")]
    assert all(entry.sha256 and entry.location for entry in declared)

"""Families of measures, and what is made of them where some are missing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pipeline.extras import concat
from pipeline.layout import Layout
from pipeline.measures import family, svd
from pipeline.measures.blend import Blend, make_blend
from pipeline.measures.blend import describe as describe_blend
from pipeline.measures.family import (
    WITH_KNOWLEDGE,
    Maker,
    MeasureJob,
    Skipped,
    describe_family,
    make_family,
)
from pipeline.measures.opening import open_built
from pipeline.settings import Publish, Settings, load_settings
from pipeline.stage import RUN, Job, Metrics
from tests.support.matrices import project, random_npmi, vocabulary
from tests.support.root import ROOT
from wordkin.errors import InputError
from wordkin.files import new_folder
from wordkin.measures.blend import BlendMeasure
from wordkin.measures.files import write_matrix

WORDS = 12
SETTINGS = load_settings(ROOT / "params.yaml")


def vectors_of(seed: int, dimensions: int = 4) -> np.ndarray:
    random = np.random.default_rng(seed).standard_normal((WORDS, dimensions))
    return svd.unit_rows(random)


def maker(seed: int, **facts: object) -> Maker:
    """A maker of random vectors."""

    def make(measure_job: MeasureJob) -> Metrics:
        write_matrix(measure_job.folder, measure_job.name, vectors=vectors_of(seed), facts=facts)
        return {"seed": seed}

    return make


def lacking(measure_job: MeasureJob) -> Metrics:
    raise Skipped(f"there is no data for {measure_job.layout.language}")


MAKERS = {"one": maker(1), "none": lacking, "two": maker(2), "known": maker(3, **WITH_KNOWLEDGE)}


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    layout = project(tmp_path, random_npmi(WORDS, 0.5, seed=1))
    layout.vocabulary.mkdir(parents=True)
    vocabulary(WORDS).write(layout.vocabulary / "vocabulary.tsv")
    return layout


def job(layout: Layout, settings: Settings = SETTINGS) -> Job:
    return Job("extras", layout, settings)


def test_a_family_says_which_slow_measures_are_made_and_how_many_are_left(
    layout: Layout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(family, "SLOW", 0.0)
    metrics = make_family(job(layout), MAKERS, ["one", "none", "two"])
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("extras of qq: one made in 0 s, 2 left to make")
    assert len(lines) == 1
    assert list(metrics[RUN]["seconds_by_measure"]) == ["one", "two"]


def test_a_family_makes_what_is_wanted_and_says_what_it_skips(layout: Layout) -> None:
    metrics = make_family(job(layout), MAKERS, ["two", "none"])
    assert metrics["measures"] == {"two": {"seed": 2}}
    assert metrics["skipped"] == {"none": "there is no data for qq"}
    assert describe_family(metrics) == (
        "1 measure (two) of 12 words out; none skipped: there is no data for qq"
    )
    assert [folder.name for folder in (layout.matrices / "extras").iterdir()] == ["two"]
    opened = open_built(layout, "two", vocabulary(WORDS))
    assert opened.relatedness("3", "5") == pytest.approx(float(vectors_of(2)[3] @ vectors_of(2)[5]))


def test_a_family_may_make_nothing(layout: Layout) -> None:
    assert make_family(job(layout), MAKERS, ["none"])["measures"] == {}
    assert [path.name for path in (layout.matrices / "extras").iterdir()] == ["nothing.txt"]
    assert describe_family(make_family(job(layout), MAKERS, [])) == "0 measures of 12 words out"


def concatenated(layout: Layout, *parts: str) -> Metrics:
    makers = {**MAKERS, "concat": concat.make}
    wanted = [*MAKERS, "concat"]
    return make_family(job(layout, SETTINGS.having(concat.Concat(list(parts)))), makers, wanted)


def test_a_measure_can_be_made_of_earlier_ones_of_its_family(layout: Layout) -> None:
    metrics = concatenated(layout, "one", "two")
    assert metrics["measures"]["concat"] == {"dimensions": 8, "of": ["one", "two"]}
    mean = (vectors_of(1) @ vectors_of(1).T + vectors_of(2) @ vectors_of(2).T) / 2
    np.fill_diagonal(mean, 0)
    measure = open_built(layout, "concat", vocabulary(WORDS))
    np.testing.assert_allclose(measure.rows(range(WORDS)), mean, atol=1e-6)
    assert "knowledge" not in measure.facts


def test_vectors_joined_with_knowledge_are_knowledge(layout: Layout) -> None:
    concatenated(layout, "one", "known")
    assert open_built(layout, "concat", vocabulary(WORDS)).facts["knowledge"] is True


@pytest.mark.parametrize(
    ("part", "reason"), [("none", "it needs none, which this build"), ("npmi", "has no vectors")]
)
def test_concat_is_skipped_without_its_parts(layout: Layout, part: str, reason: str) -> None:
    assert reason in concatenated(layout, "one", part)["skipped"]["concat"]


def test_a_blend_does_without_a_measure_that_the_build_lacks(layout: Layout) -> None:
    make_family(job(layout), MAKERS, [*MAKERS])
    weights = {"npmi": 1.0, "one": 2.0, "none": 3.0}
    metrics = make_blend(layout, Blend(weights=weights, informed={**weights, "known": 1.0}))
    raw, informed = (open_built(layout, name, vocabulary(WORDS)) for name in ("blend", "informed"))
    assert isinstance(raw, BlendMeasure) and isinstance(informed, BlendMeasure)
    assert [(term.measure, term.weight) for term in raw.terms] == [("npmi", 1), ("one", 2)]
    assert [term.measure for term in informed.terms] == ["npmi", "one", "known"]
    assert "knowledge" not in raw.facts and informed.facts["knowledge"] is True
    assert describe_blend(metrics) == (
        "2 measures in, their blend (1 npmi + 2 one, without none) of 12 words out; "
        "informed: 1 npmi + 2 one + 1 known, without none"
    )


def test_there_is_no_informed_blend_without_knowledge(layout: Layout) -> None:
    make_family(job(layout), MAKERS, ["one", "known"])
    weights = {"npmi": 1.0, "known": 1.0}
    make_blend(layout, Blend(weights={"npmi": 1.0}, informed=weights))
    assert layout.has_measure("informed")
    make_family(job(layout), MAKERS, ["one"])
    metrics = make_blend(layout, Blend(weights={"npmi": 1.0}, informed=weights))
    assert not layout.has_measure("informed")
    assert describe_blend(metrics).endswith("; no knowledge")


def test_the_blend_of_raw_text_refuses_knowledge(layout: Layout) -> None:
    make_family(job(layout), MAKERS, ["known"])
    with pytest.raises(InputError, match="not made from raw text alone: move the name"):
        make_blend(layout, Blend(weights={"npmi": 1.0, "known": 1.0}))
    with pytest.raises(InputError, match=r"has no measure of blend\.weights"):
        make_blend(layout, Blend(weights={"none": 1.0}))


def test_what_is_published_is_what_the_build_has(layout: Layout) -> None:
    publish = Publish(measures=["npmi", "one", "blend", "informed"], default="informed")
    assert publish.available(layout).measures == ["npmi", "blend"]
    assert publish.available(layout).default == "blend"
    with new_folder(layout.measure("informed")) as folder:
        (folder / "measure.json").write_text("{}")
    assert publish.available(layout).default == "informed"
    with pytest.raises(InputError, match=r"none of publish\.measures"):
        Publish(measures=["one"], default="one").available(layout)

"""The stage `human`: rounds fetched or skipped, a measure learned from them, and all downstream."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import wordkin
from pipeline.fetching import rounds
from pipeline.fetching.recorded_rounds import read_recorded
from pipeline.judging import evaluate, human
from pipeline.layout import Layout
from pipeline.publishing import publish
from pipeline.settings import Human, Publish, RecordedRounds
from tests.pipeline.judging.test_evaluate import MEASURES, small_language
from tests.pipeline.judging.test_evaluate import SETTINGS as EVALUATE
from wordkin.errors import InputError

SETTINGS = Human(rounds={"en": RecordedRounds(mirror="human/en.jsonl")}, resamples=100)


def write_rounds(path: Path, layout: Layout, items: int = 150) -> None:
    """Players who go by fasttext, more or less."""
    (measure,) = evaluate.open_measures(layout, ["fasttext"])
    words, random = measure.vocabulary.words, np.random.default_rng(1)
    lines = []
    for at in range(items):
        clue = at % len(words)
        cards = [i for i in random.permutation(len(words)).tolist() if i != clue][:10]
        liked = 4 * measure.pairs([clue] * 10, cards) + random.gumbel(size=10)
        picks = [words[cards[i]] for i in np.argsort(-liked)[:2]]
        lines.append(
            {
                "lang": layout.language, "board": at // 5, "words": [words[i] for i in cards],
                "blue": [words[i] for i in cards[:5]], "clue": words[clue], "n": 2,
                "rounds": [{"session": f"s{at % 15}", "picks": picks}],
            }
        )  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    """A language whose rounds came from a mirror."""
    root = tmp_path_factory.mktemp("human")
    layout = small_language(root)
    write_rounds(root / "mirror" / "human" / "en.jsonl", layout)
    rounds.fetch_rounds(layout, SETTINGS, root / "mirror")
    return layout


@pytest.fixture(scope="module")
def metrics(layout: Layout) -> dict:
    return human.make_human(layout, SETTINGS, MEASURES, lemmatize=False)


def test_rounds_come_from_the_mirror(layout: Layout) -> None:
    assert len(read_recorded(layout)) == 150
    described = json.loads((layout.rounds / "rounds.json").read_text())
    assert described == {"rounds": 150, "skipped": None}


def test_rounds_may_have_a_location_of_their_own(layout: Layout, tmp_path: Path) -> None:
    here = Layout(tmp_path, "en")
    write_rounds(tmp_path / "mine.jsonl", layout, items=3)
    settings = Human(rounds={"en": RecordedRounds(location="mine.jsonl")})
    assert rounds.fetch_rounds(here, settings, None) == {"rounds": 3, "skipped": None}


@pytest.mark.parametrize("mirror", [None, "mirror"])
def test_absent_rounds_are_skipped_with_one_line(
    tmp_path: Path, mirror: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    layout = Layout(tmp_path, "en")
    found = rounds.fetch_rounds(layout, SETTINGS, tmp_path / mirror if mirror else None)
    assert found["rounds"] == 0 and "mirror folder only" in found["skipped"]
    assert capsys.readouterr().err.splitlines() == [f"rounds of en skipped: {found['skipped']}"]
    assert read_recorded(layout) == []


def test_a_language_without_declared_rounds_is_quiet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = rounds.fetch_rounds(Layout(tmp_path, "fi"), SETTINGS, None)
    assert found == {"rounds": 0, "skipped": "human.rounds in params.yaml names none"}
    assert capsys.readouterr().err == ""


def test_broken_rounds_are_refused_and_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / "human").mkdir()
    (tmp_path / "human" / "en.jsonl").write_text("{}\n")
    with pytest.raises(InputError, match=r"en\.jsonl:1: has no 'words'"):
        rounds.fetch_rounds(Layout(tmp_path, "en"), SETTINGS, tmp_path)
    assert not Layout(tmp_path, "en").rounds.exists()


def test_the_figures_are_of_every_measure_and_of_people(metrics: dict) -> None:
    assert list(metrics["agreement"]) == [*MEASURES, "human"]
    assert (metrics["rounds"], metrics["boards"], metrics["sessions"]) == (150, 30, 15)
    assert metrics["coverage"]["rounds"] == (150, 150)
    assert metrics["best"] in MEASURES
    assert metrics["chance"]["all"]["precision"]["value"] == pytest.approx(0.2)
    reached = metrics["agreement"]["human"]["all"]["precision"]["value"]
    assert reached > 2 * metrics["chance"]["all"]["precision"]["value"]
    assert json.loads(json.dumps(metrics, allow_nan=False))
    assert "left-out boards" in human.describe(metrics)


def test_what_people_go_by_weighs_most(metrics: dict) -> None:
    heaviest = max(metrics["weights"], key=lambda term: term["weight"])
    assert heaviest["measure"] == "fasttext"


def test_the_learned_measure_is_published_and_evaluated(layout: Layout, metrics: dict) -> None:
    names = layout.with_learned(MEASURES)
    assert names == [*MEASURES, "human"] == layout.with_learned(names)
    found = evaluate.make_report(layout, EVALUATE, names, lemmatize=False)
    assert "human" in found["gold"]["main"]
    publish.make_bundle(layout, Publish(measures=names, default="human"))
    bundle = wordkin.load(layout.bundle)
    a, b = bundle.vocabulary.words[:2]
    assert bundle.relatedness(a, b) == bundle.measures["human"].relatedness(a, b)


def test_the_same_rounds_make_the_same_bytes(layout: Layout, metrics: dict) -> None:
    def content() -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in layout.measure("human").iterdir()}

    before = content()
    assert human.make_human(layout, SETTINGS, MEASURES, lemmatize=False) == metrics
    assert content() == before


def test_without_rounds_everything_goes_on_without_it(tmp_path: Path) -> None:
    layout = small_language(tmp_path, words=40)
    rounds.fetch_rounds(layout, SETTINGS, None)
    found = human.make_human(layout, SETTINGS, MEASURES, lemmatize=False)
    assert found == {"rounds": 0}
    assert human.describe(found).startswith("no recorded rounds")
    assert list(layout.measure("human").iterdir()) == []
    assert layout.with_learned([*MEASURES, "human"]) == MEASURES


def test_two_languages_can_be_learned_as_one(layout: Layout, metrics: dict) -> None:
    told = human.together([layout, layout], SETTINGS, {"en": False})
    assert "of both" in told and "fasttext" in told
    with pytest.raises(InputError, match="two or more with rounds"):
        human.together([layout], SETTINGS, {"en": False})

"""A small project of made-up English, on which every stage runs in seconds and in one process."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

from ruamel.yaml import YAML

from pipeline.layout import Layout
from pipeline.settings import IN_PROCESS, load_settings
from pipeline.stage import Job, Metrics, Stage
from pipeline.stages import all_stages, stage_named
from tests.support.root import ROOT
from tests.support.word_nets import write_database

LANGUAGE = "en"
TOPICS = (
    "piano violin concert orchestra song singer flute melody guitar drum",
    "ship ocean island captain harbor wave whale port sailor anchor",
    "bread cheese apple kitchen knife plate spoon pepper salt cook",
    "king queen castle crown knight throne palace sword guard tower",
    "doctor nurse hospital pill clinic bandage needle patient fever cure",
)
"""Words that keep company; some of them are board words of our own list."""

SENTENCES = 400


def sentences(seed: int = 1) -> list[str]:
    """Sentences about one topic each, with a word of another now and then."""
    chance = random.Random(seed)
    every = " ".join(TOPICS).split()
    made = []
    for _ in range(SENTENCES):
        words = chance.choice(TOPICS).split()
        length = chance.randint(5, 9)
        made.append(" ".join(chance.choice([*words, chance.choice(every)]) for _ in range(length)))
    return made


def make_project(root: Path) -> Layout:
    """Write the project: raw text, gold pairs, recorded rounds and settings; nothing is built."""
    layout = Layout(root, LANGUAGE)
    layout.raw.mkdir(parents=True)
    (layout.raw / "text.txt").write_text("".join(f"{line}.\n" for line in sentences()))
    (layout.raw / "rounds.jsonl").write_text("".join(f"{json.dumps(item)}\n" for item in rounds()))
    (layout.raw / "pairs.tsv").write_text("".join(f"{a}\t{b}\t{s}\n" for a, b, s in gold_pairs()))
    layout.gold_sets.parent.mkdir()
    layout.gold_sets.write_text(
        "sets:\n  - {name: own, language: en, kind: relatedness, "
        "location: corpora/en/raw/pairs.tsv}\n"
    )
    shutil.copy(ROOT / "eval" / "published.yaml", layout.published)
    shutil.copy(ROOT / "dvc.yaml", root)
    yaml = YAML()
    params = yaml.load((ROOT / "params.yaml").read_text(encoding="utf-8"))
    source = {"name": "own", "location": "corpora/en/raw/text.txt", "format": "text"}
    vocabulary = {"size": 40, "stop_words": "none"}
    params["languages"] = {
        LANGUAGE: {"lemmatize": False, "vocabulary": vocabulary, "sources": [source]}
    }
    params["fasttext"].update({"dimensions": 8, "minimum_count": 1, "buckets": 1000})
    params["svd"]["dimensions"] = 8
    write_database(layout.raw / "wordnet")
    params["extras"] = {
        "measures": ["concat", "wordnet-path"],
        "knowledge": {LANGUAGE: [{"name": "wordnet", "location": "corpora/en/raw/wordnet"}]},
    }
    params["blend"]["informed"] = {}  # The default one is made of more knowledge than this.
    params["human"].update({"rounds": {LANGUAGE: {"location": "corpora/en/raw/rounds.jsonl"}}})
    for section in ("human", "report"):
        params[section]["resamples"] = 100
    params["report"]["games"] = 1
    params["spark"]["master"] = IN_PROCESS
    yaml.dump(params, root / "params.yaml")
    return layout


def publish_one(layout: Layout) -> None:
    """Publish one measure only: few agents play then.

    In a built project, the measure `human` is made again: it is learned from published ones.
    """
    settings, yaml = layout.root / "params.yaml", YAML()
    params = yaml.load(settings.read_text(encoding="utf-8"))
    params["publish"].update({"measures": ["svd"], "default": "svd"})
    yaml.dump(params, settings)
    if layout.measure("human").exists():
        run_stage(stage_named("human"), layout)


def gold_pairs() -> list[tuple[str, str, float]]:
    """Words of one topic are rated high, words of two topics low."""
    pairs: list[tuple[str, str, float]] = []
    for number, topic in enumerate(TOPICS):
        first, second, third, *_ = topic.split()
        other = TOPICS[number - 1].split()[number]
        pairs += [(first, second, 9 - number / 10), (third, other, 1 + number / 10)]
    return pairs


def rounds() -> list[dict[str, object]]:
    """Rounds of players who mostly pick the cards of the clue's topic."""
    chance = random.Random(2)
    items: list[dict[str, object]] = []
    for board in range(6):
        ours, theirs = chance.sample(TOPICS, 2)
        clue, *good = chance.sample(ours.split(), 5)
        bad = chance.sample(theirs.split(), 4)
        picks = [chance.sample(good, 2), [good[0], bad[0]]]
        items.append(
            {
                "lang": LANGUAGE, "board": board, "words": sorted([*good, *bad]),
                "blue": good, "clue": clue, "n": 2,
                "rounds": [
                    {"session": f"{player}{board % 3}", "picks": cards}
                    for player, cards in zip("AB", picks, strict=True)
                ],
            }
        )  # fmt: skip
    return items


def run_stage(stage: Stage, layout: Layout) -> Metrics:
    """Run one stage of the project as the command line does."""
    return stage.run(Job(stage.name, layout, load_settings(layout.root / "params.yaml")))


def build(layout: Layout) -> dict[str, Metrics]:
    """Run all stages in order; returns the figures of each."""
    return {stage.name: run_stage(stage, layout) for stage in all_stages()}


def output_files(stage: Stage, layout: Layout) -> dict[str, bytes]:
    """Every file that a stage has written, by its path, and its metrics."""
    contents = {}
    for name in stage.writes:
        place = layout.place(name)
        paths = [place] if place.is_file() else sorted(place.rglob("*"))
        for path in paths:
            if path.is_file():
                contents[path.relative_to(layout.root).as_posix()] = path.read_bytes()
    contents["metrics"] = layout.metrics(stage.name).read_bytes()
    return contents

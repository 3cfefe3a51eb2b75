"""Word nets: database files, and measures against brute force and against NLTK."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.extras import hierarchy, wordnet
from pipeline.extras.data import Knowledge, KnowledgeData
from pipeline.extras.hierarchy import Hierarchy
from pipeline.extras.word_net import WordNet, read_database
from pipeline.extras.wordnet import related_pairs
from pipeline.fetched import write_resources
from pipeline.layout import Layout
from pipeline.measures import extras
from pipeline.measures.extras import Extras
from pipeline.measures.opening import open_built
from pipeline.settings import load_settings
from pipeline.stage import Job
from pipeline.words.translations import Translated
from tests.support.root import ROOT
from tests.support.word_nets import random_net, write_database
from wordkin.errors import InputError
from wordkin.extras.taxonomy import FORMULAS, TaxonomyMeasure
from wordkin.vocabulary import Vocabulary

WORDS = [f"w{number}" for number in range(9)]
VOCABULARY = Vocabulary([*WORDS, "unknown"], range(50, 40, -1), [1] * 10)


def built(net: WordNet, vocabulary: Vocabulary = VOCABULARY) -> Hierarchy:
    made = hierarchy.build_hierarchy(net, vocabulary)
    hierarchy.sense_order(made)
    return made


def measure_of(
    made: Hierarchy, formula: str, vocabulary: Vocabulary = VOCABULARY, weighted: bool = False
) -> TaxonomyMeasure:
    content = hierarchy.content_from_counts(made, np.asarray(vocabulary.counts))
    arrays = {**made.arrays, "content": content}
    return TaxonomyMeasure("wordnet", vocabulary, arrays, formula, weighted)


# ── brute force ──────────────────────────────────────────────────────────────────────────────


def steps_above(net: WordNet, key: str) -> dict[str, int]:
    """The fewest steps to each concept above, by trying all ways."""
    found = {key: 0}
    for parent in net.concepts[key].above:
        for above, steps in steps_above(net, parent).items():
            found[above] = min(found.get(above, 99), steps + 1)
    return found


def depth(net: WordNet, key: str) -> int:
    return 1 + max((depth(net, parent) for parent in net.concepts[key].above), default=0)


def contents(net: WordNet) -> dict[str, float]:
    """The information content by its definition."""
    senses = dict.fromkeys((s.concept for own in net.senses.values() for s in own), 1.0)
    for word, count in zip(VOCABULARY.words, VOCABULARY.counts, strict=True):
        own = net.senses_of(word)
        for sense in own:
            senses[sense.concept] += count / len(own)
    mass = {
        key: sum(m for sense, m in senses.items() if key in steps_above(net, sense))
        for key in net.concepts
    }
    top = sum(mass[key] for key in net.concepts if not net.concepts[key].above)
    return {key: -math.log(m / top) if m else math.inf for key, m in mass.items()}


def plain(net: WordNet, formula: str) -> Callable[[str, str], float]:
    """The value of two concepts by the papers' formulas, over all concepts above both."""
    content = contents(net)
    height = max(depth(net, key) for key in net.concepts) - 1

    def value(a: str, b: str) -> float:
        first, second = steps_above(net, a), steps_above(net, b)
        shared = first.keys() & second.keys()
        steps = min(first[key] + second[key] for key in shared)
        most = max(content[key] for key in shared)
        if formula == "path":
            return 1 / (1 + steps)
        if formula == "lch":
            return max(-math.log((1 + steps) / (2 * height)), 0)
        if formula == "wup":
            return max(
                2 * depth(net, key) / (first[key] + second[key] + 2 * depth(net, key))
                for key in shared
            )
        if formula == "res":
            return most
        if formula == "jcn":
            return 1 / (1 + content[a] + content[b] - 2 * most)
        return 2 * most / (content[a] + content[b]) if content[a] + content[b] else 0.0

    return value


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_measure_takes_the_closest_senses(formula: str, seed: int) -> None:
    net = random_net(WORDS, seed)
    measure, value = measure_of(built(net), formula), plain(net, formula)
    rows = measure.rows(range(10))
    for a, b in itertools.permutations(range(9), 2):
        expected = max(
            value(s.concept, t.concept)
            for s, t in itertools.product(net.senses[WORDS[a]], net.senses[WORDS[b]])
        )
        assert rows[a, b] == pytest.approx(expected, abs=1e-5)
        assert measure.pairs([a], [b])[0] == pytest.approx(expected, abs=1e-5)
    assert not rows[9].any() and not rows[:, 9].any()  # unknown


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_weighted_measure_takes_all_senses_by_how_often_they_are_meant(seed: int) -> None:
    net = random_net(WORDS, seed)
    measure, value = measure_of(built(net), "path", weighted=True), plain(net, "path")
    rows = measure.rows(range(9))
    for a, b in itertools.permutations(range(9), 2):
        expected = sum(
            chance(net, a, s) * chance(net, b, t) * value(s, t)
            for s in concepts_of(net, a)
            for t in concepts_of(net, b)
        )
        assert rows[a, b] == pytest.approx(expected, abs=1e-5)


def concepts_of(net: WordNet, word: int) -> list[str]:
    return [sense.concept for sense in net.senses[WORDS[word]]]


def chance(net: WordNet, word: int, concept: str) -> float:
    senses = net.senses[WORDS[word]]
    total = sum(sense.frequency for sense in senses)
    own = sum(sense.frequency for sense in senses if sense.concept == concept)
    return own / total if total else 1 / len(senses)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_parts_and_opposites_by_brute_force(seed: int) -> None:
    net = random_net(WORDS, seed)
    parts = related_pairs(net, VOCABULARY, "parts").toarray()
    opposites = related_pairs(net, VOCABULARY, "opposites").toarray()
    for a, b in itertools.permutations(range(9), 2):
        pairs = list(itertools.product(concepts_of(net, a), concepts_of(net, b)))
        expected = sum(
            chance(net, a, s) * chance(net, b, t)
            * ((t in net.concepts[s].parts) + (s in net.concepts[t].parts))
            for s, t in pairs
        )  # fmt: skip
        assert parts[a, b] == pytest.approx(expected, abs=1e-5)
        expected = sum(
            chance(net, a, s) * chance(net, b, t) * ((WORDS[a], s, WORDS[b], t) in net.opposites)
            for s, t in pairs
        )
        assert opposites[a, b] == pytest.approx(expected, abs=1e-5)


# ── files ────────────────────────────────────────────────────────────────────────────────────


def test_database_files_are_read(tmp_path: Path) -> None:
    net = read_database(write_database(tmp_path / "wordnet"))
    assert net.concepts["n00000003"].above == ["n00000002"]
    assert net.concepts["n00000003"].parts == ["n00000005"]
    assert net.concepts["n00000002"].gloss == "what it means; more"
    assert net.senses["cat"] == [("n00000004", 3), ("n00000006", 1)]
    assert ("hot", "a00000021", "cold", "a00000022") in net.opposites
    assert net.lemmas_of("Dogs") == ["dog"] and net.lemmas_of("ran") == ["run"]
    assert net.lemmas_of("running") == [] and net.lemmas_of("s") == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("data.noun", "this is no concept\n"),
        ("data.noun", "00000001 03 n 01\n"),
        ("index.sense", "dog%1:03:00::\n"),
        ("index.sense", "dog%9:03:00:: 1 1 1\n"),
    ],
)
def test_damaged_files_are_one_sentence(tmp_path: Path, name: str, text: str) -> None:
    files = write_database(tmp_path / "wordnet")
    (tmp_path / "wordnet" / name).write_text(text)
    with pytest.raises(InputError, match="get the file again") as refusal:
        read_database(files)
    assert "\n" not in str(refusal.value)
    with pytest.raises(InputError, match=f"lacks the file {name}"):
        read_database([file for file in files if file.name != name])


def test_information_content_from_a_file(tmp_path: Path) -> None:
    net = read_database(write_database(tmp_path / "wordnet"))
    made = built(net, Vocabulary(["dog", "cat", "tail"], [1] * 3, [1] * 3))
    lines = "wnver::abc\n1n 100 ROOT\n2n 50\n3n 25\n4n 5\n5n 0\n6n 20\n".splitlines()
    content = dict(zip(made.keys, hierarchy.content_from_file(made, lines), strict=True))
    assert content["n00000001"] == 0 and content["n00000003"] == pytest.approx(math.log(4))
    assert content["n00000005"] == content["n00000004"] == pytest.approx(math.log(20))


# ── the stage ────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def job(tmp_path: Path) -> Job:
    layout = Layout(tmp_path, "en")
    vocabulary = Vocabulary(["dog", "cats", "tail", "hot", "cold", "running"], [9] * 6, [1] * 6)
    layout.vocabulary.mkdir(parents=True)
    vocabulary.write(layout.vocabulary / "vocabulary.tsv")
    files = write_database(tmp_path / "wordnet")
    entry = {
        "files": [{"path": str(file.relative_to(tmp_path))} for file in files],
        "skipped": None, "licence": None,
    }  # fmt: skip
    write_resources(layout, {"wordnet": entry})
    data = {"en": [KnowledgeData(name="wordnet", location="wordnet")]}
    settings = load_settings(ROOT / "params.yaml").having(
        Extras([*wordnet.EXTRA.makers]), Knowledge(data), Translated()
    )
    return Job("extras", layout, settings)


def test_the_stage_makes_all_measures_and_they_explain_themselves(job: Job) -> None:
    metrics = extras.run(job)
    assert list(metrics["measures"]) == list(wordnet.EXTRA.makers) and not metrics["skipped"]
    vocabulary = Vocabulary.read(job.layout.vocabulary / "vocabulary.tsv")
    opened = {name: open_built(job.layout, name, vocabulary) for name in metrics["measures"]}
    assert all(measure.facts["knowledge"] is True for measure in opened.values())
    path = opened["wordnet-path"]
    assert path.relatedness("dog", "cats") == pytest.approx(1 / 3)
    assert str(path.explain("dog", "cats")) == ("dog –is a→ animal, and cats –is a→ animal: 0.333")
    assert str(path.explain("dog", "hot")) == "dog and hot have no concept in common: 0.000"
    assert opened["wordnet-opposites"].relatedness("hot", "cold") == 1
    assert str(opened["wordnet-opposites"].explain("hot", "cold")).startswith(
        "hot and cold are opp"
    )
    assert opened["wordnet-parts"].relatedness("tail", "cats") == pytest.approx(0.75)
    part = opened["wordnet-parts"].explain
    assert str(part("tail", "cats")) == "tail or cats is a part of the other: 0.750"
    assert str(part("tail", "hot")) == "neither tail nor hot is a part of the other: 0.000"
    relations = opened["wordnet-relations"]
    assert relations.relatedness("dog", "tail") == 1
    assert "part of the other" in str(relations.explain("dog", "tail"))
    kinds = 0.75 / 3 + 0.25 / 4
    assert relations.relatedness("dog", "cats") == pytest.approx(kinds)
    assert not relations.row("running").any()


def test_a_language_without_a_word_net_skips_it(job: Job) -> None:
    layout = Layout(job.layout.root, "hu")
    layout.vocabulary.mkdir(parents=True)
    VOCABULARY.write(layout.vocabulary / "vocabulary.tsv")
    metrics = extras.run(replace(job, layout=layout))
    assert not metrics["measures"]
    assert "declares no wordnet" in metrics["skipped"]["wordnet-path"]


# ── NLTK ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_formulas_agree_with_nltk(tmp_path: Path) -> None:
    folders = list(ROOT.glob("corpora/en/resources/wordnet/**/corpora/wordnet"))
    if not folders:
        pytest.skip("WordNet was not fetched: run the stage fetch of English first")
    nltk = pytest.importorskip("nltk")
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    nltk.data.path.insert(0, str(folders[0].parent.parent))
    reader = WordNetCorpusReader(str(folders[0]), None)
    net = read_database(sorted(folders[0].iterdir()))
    rng = random.Random(0)
    lemmas = sorted(w for w in net.senses if w.isalpha() and net.senses[w][0].concept[0] in "nv")
    words = rng.sample(lemmas, 150)
    vocabulary = Vocabulary(words, [rng.randint(1, 99) for _ in words], [1] * len(words))
    made = built(net, vocabulary)
    measures = {formula: measure_of(made, formula, vocabulary) for formula in FORMULAS}
    content = measures["res"].arrays["content"]
    masses: dict[str, dict[int, float]] = {"n": {0: 1.0}, "v": {0: 1.0}}
    for key, value in zip(made.keys, content, strict=True):
        if key[0] in "nv" and key[1:].isdecimal():
            masses[key[0]][int(key[1:])] = math.exp(-float(value))

    def synsets(word: str) -> list:
        own = (reader.synset_from_pos_and_offset(s.concept[0], int(s.concept[1:]))
               for s in net.senses[word] if s.concept[0] in "nv")  # fmt: skip
        return list(own)

    deeper = 0
    for _ in range(150):
        a, b = rng.sample(range(len(words)), 2)
        best = dict.fromkeys(FORMULAS, 0.0)
        for s, t in itertools.product(synsets(words[a]), synsets(words[b])):
            if s.pos() == t.pos():
                unshared = s.jcn_similarity(t, masses)
                values = {
                    "path": s.path_similarity(t),
                    "lch": s.lch_similarity(t),
                    "wup": s.wup_similarity(t),
                    "res": s.res_similarity(t, masses),
                    "jcn": unshared and 1 / (1 + 1 / unshared),
                    "lin": s.lin_similarity(t, masses),
                }
                best = {name: max(best[name], values[name] or 0.0) for name in best}
        for formula, measure in measures.items():
            ours = float(measure.pairs([a], [b])[0])
            if formula == "wup":  # NLTK takes the deepest shared concept, even on a longer way
                deeper += abs(ours - best[formula]) > 1e-4
            else:
                assert ours == pytest.approx(best[formula], abs=1e-4), (formula, a, b)
    assert deeper <= 10

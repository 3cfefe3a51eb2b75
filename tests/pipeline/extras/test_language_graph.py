"""Language graphs: paths worked out by hand, brute force, files, and the stage."""

from __future__ import annotations

import gzip
import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipeline.extras import graph_files
from pipeline.extras.data import Knowledge, KnowledgeData
from pipeline.extras.graph_files import HYPERNYMS, LanguageGraph
from pipeline.fetched import write_resources
from pipeline.layout import Layout
from pipeline.measures import extras
from pipeline.measures.extras import Extras
from pipeline.measures.opening import open_built
from pipeline.settings import load_settings
from pipeline.stage import Job
from tests.support.language_graphs import measure_of, random_graph
from tests.support.root import ROOT
from tests.support.word_nets import write_database
from wordkin.errors import InputError
from wordkin.vocabulary import Vocabulary

WORDS = [f"w{number}" for number in range(10)]
STRANGER = "unrelated"
NODES = ("moon", "planet", "body", "thing", "planemo", "object", "needle", "spear")


def vocabulary_of(*words: str) -> Vocabulary:
    return Vocabulary([*words, STRANGER], [9] * (len(words) + 1), [1] * (len(words) + 1))


def graph_of(
    labels: dict[str, list[str]], edges: list[tuple[str, str, str]]
) -> tuple[LanguageGraph, Vocabulary]:
    """A graph of nodes with other labels than the main one, and all words of its labels."""
    graph = LanguageGraph()
    nodes = {main: graph.add([main, *others]) for main, others in labels.items()}
    graph.edges = [(nodes[a], relation, nodes[b]) for a, relation, b in edges]
    words = {word for own in graph.labels for label in own for word in label.split()}
    return graph, vocabulary_of(*sorted(words))


# ── by hand ──────────────────────────────────────────────────────────────────────────────────


def test_hypernyms_of_one_kind_follow_a_first_edge_of_any_kind() -> None:
    measure = measure_of(
        *graph_of(
            {name: [] for name in NODES},
            [
                ("moon", "see also", "planet"), ("planet", "is a", "body"),
                ("body", "is a", "thing"), ("planet", "instance of", "planemo"),
                ("planemo", "is a", "object"), ("moon", "has part", "needle"),
                ("needle", "has part", "spear"),
            ],
        )
    )  # fmt: skip
    assert measure.relatedness("moon", "planet") == pytest.approx(1 / 2)
    assert measure.relatedness("moon", "body") == pytest.approx(1 / 3)
    assert measure.relatedness("moon", "thing") == pytest.approx(1 / 4)
    assert measure.relatedness("moon", "planemo") == pytest.approx(1 / 3)
    assert measure.relatedness("moon", "object") == 0  # instance of, then is a
    assert measure.relatedness("moon", "spear") == 0  # a part of a part
    assert str(measure.explain("moon", "thing")) == (
        "moon –see also→ planet –is a→ body –is a→ thing: 0.250"
    )
    assert str(measure.explain("moon", "spear")) == "no path leads from moon to spear: 0.000"


def test_the_first_edge_may_be_followed_in_either_direction() -> None:
    measure = measure_of(
        *graph_of(
            {"wheel": [], "car": [], "vehicle": [], "truck": []},
            [
                ("car", "has part", "wheel"),
                ("car", "is a", "vehicle"),
                ("truck", "is a", "vehicle"),
            ],
        )
    )
    assert measure.relatedness("wheel", "vehicle") == pytest.approx(1 / 3)
    assert measure.relatedness("car", "truck") == 0  # down again after the first edge
    assert str(measure.explain("vehicle", "wheel")) == (
        "wheel ←has the part– car –is a→ vehicle: 0.333"
    )


def test_a_path_has_three_edges_at_most() -> None:
    names = ["one", "two", "three", "four", "five"]
    edges = [(a, "is a", b) for a, b in itertools.pairwise(names)]
    measure = measure_of(*graph_of({name: [] for name in names}, edges))
    assert measure.relatedness("one", "four") == pytest.approx(1 / 4)
    assert measure.relatedness("one", "five") == 0


def test_words_of_labels_cost_by_the_kind_of_label() -> None:
    measure = measure_of(
        *graph_of(
            {"sofa": [], "bedding": ["litter", "bedding material"], "soft covering": ["plush"]},
            [("sofa", "has part", "bedding"), ("sofa", "is a", "soft covering")],
        )
    )
    weights = {"bedding": 1, "litter": 1.1, "material": 1.2, "covering": 1.1, "plush": 1.1}
    for word, weight in weights.items():
        value, _ = measure.path(measure.vocabulary.id("sofa"), measure.vocabulary.id(word))
        assert value == pytest.approx(1 / (1 + weight))
    # From litter, the path ends at a main label.
    assert measure.relatedness("sofa", "litter") == pytest.approx(1 / 2)
    assert measure.relatedness("litter", "bedding") == pytest.approx(1 / 2)  # one edge
    assert measure.relatedness("material", "covering") == 0  # no phrase starts a path
    assert str(measure.explain("sofa", "material")) == "sofa –has the part→ bedding material: 0.455"
    assert str(measure.explain("bedding", "litter")) == (
        "litter –can mean the same as→ bedding: 0.500"
    )
    assert not measure.row(STRANGER).any()


# ── brute force ──────────────────────────────────────────────────────────────────────────────


def all_ends(graph: LanguageGraph, word: str) -> Iterator[tuple[int, int]]:
    """The node and the number of edges of every path from a word, by trying all."""
    for node in (node for node, labels in enumerate(graph.labels) if word in labels):
        yield node, 1
        for a, _, b in graph.edges:
            for start, end in {(a, b), (b, a)}:
                if start == node and a != b:
                    yield end, 1
                    for kind in HYPERNYMS:
                        yield from climb(graph, end, kind, 2)


def climb(graph: LanguageGraph, node: int, kind: str, edges: int) -> Iterator[tuple[int, int]]:
    if edges <= 3:
        for a, relation, b in graph.edges:
            if a == node and relation == kind and a != b:
                yield b, edges
                yield from climb(graph, b, kind, edges + 1)


def one_way(graph: LanguageGraph, a: str, b: str) -> float:
    weights = {(True, 1): 1.0, (True, 2): 1.1, (False, 1): 1.1, (False, 2): 1.2}
    return max(
        (
            1 / (1 + edges * weights[place == 0, min(len(label.split()), 2)])
            for node, edges in all_ends(graph, a)
            for place, label in enumerate(graph.labels[node])
            if b in label.split()
        ),
        default=0.0,
    )


@pytest.mark.parametrize("seed", range(6))
def test_all_paths_by_brute_force(seed: int) -> None:
    graph = random_graph(WORDS, seed)
    measure = measure_of(graph, vocabulary_of(*WORDS))
    rows = measure.rows(range(10))
    for a, b in itertools.permutations(range(10), 2):
        there, back = (
            one_way(graph, *pair) for pair in ((WORDS[a], WORDS[b]), (WORDS[b], WORDS[a]))
        )
        assert rows[a, b] == pytest.approx(max(there, back), abs=1e-6)
        value, steps = measure.path(a, b)
        assert value == pytest.approx(there, abs=1e-6) and bool(steps) == (there > 0)
        if steps:
            assert WORDS[b] in steps[-1].label.split()


# ── files ────────────────────────────────────────────────────────────────────────────────────

CONCEPTNET = """\
lemon\tfruit\t{'freq': 5, 'score': 5, 'rel': u'IsA'}
lemon\torange\t{'freq': -5, 'score': 2, 'rel': u'IsA'}
lemon\tbad car\t{'freq': 5, 'score': 1, 'rel': u'IsA'}
lemon\tsour\t{'freq': 5, 'score': 3, 'rel': u'ConceptuallyRelatedTo'}
lemon\tmake lip pucker up\t{'freq': 5, 'score': 3, 'rel': u'CapableOf'}
fruit\tmarket stall\t{'freq': 5, 'score': 2, 'rel': u'AtLocation'}
"""
SYNONYMS = "UTF-8\nbank|2\n-|pénzintézet|takarék (régi)\n-|lóca|\nszó|1\n|\n"
EMOJI = {"annotations": {"annotations": {
    "🍋": {"default": ["gyümölcs", "citrom"], "tts": ["citrom"]}, "{": {"tts": ["zárójel"]},
}}}  # fmt: skip
PLACES = {"hu": {"presets": {"presets": {
    "amenity/bank": {"name": "Bank", "terms": "csekk, széf"}, "shop": {"name": "Bolt"},
}}}}  # fmt: skip


def packed(path: Path, text: str = CONCEPTNET) -> Path:
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    return path


def written(path: Path, content: object) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def test_conceptnet_has_what_people_confirmed(tmp_path: Path) -> None:
    graph = LanguageGraph()
    assert graph_files.add_conceptnet(graph, packed(tmp_path / "graph.gz")) == 4
    assert graph.labels == [["lemon"], ["fruit"], ["market stall"]]
    assert graph.edges == [(0, "is a", 1), (1, "at location", 2)]


def test_groups_are_nodes(tmp_path: Path) -> None:
    graph = LanguageGraph()
    assert graph_files.add_synonyms(graph, written(tmp_path / "th.dat", SYNONYMS)) == 1
    assert graph_files.add_emoji(graph, written(tmp_path / "emoji.json", EMOJI)) == 1
    assert graph_files.add_places(graph, written(tmp_path / "places.json", PLACES)) == 1
    assert list(zip(graph.groups, graph.labels, strict=True)) == [
        ("synonym", ["bank", "pénzintézet", "takarék"]),
        ("synonym", ["bank", "lóca"]),
        ("same emoji", ["citrom", "gyümölcs"]),
        ("same place", ["Bank", "csekk", "széf"]),
    ]


BROKEN: list[tuple[Callable[[LanguageGraph, Path], int], bytes]] = [
    (graph_files.add_conceptnet, b"no gzip"),
    (graph_files.add_conceptnet, gzip.compress(CONCEPTNET.encode(), mtime=0)[:-20]),
    (graph_files.add_conceptnet, gzip.compress(b"lemon\tfruit\n", mtime=0)),
    (graph_files.add_conceptnet, gzip.compress(b"\xff\xfe", mtime=0)),
    (graph_files.add_synonyms, b"no encoding\nbank|1\n-|x\n"),
    (graph_files.add_synonyms, b"UTF-8\n\xff|1\n-|x\n"),
    (graph_files.add_synonyms, b"UTF-8\nbank\n"),
    (graph_files.add_synonyms, b"UTF-8\nbank|2\n-|x\n"),
    (graph_files.add_emoji, b"{"),
    (graph_files.add_emoji, b"[]"),
    (graph_files.add_emoji, b'{"annotations": {"annotations": {"x": 1}}}'),
    (graph_files.add_emoji, b'{"annotations": {"annotations": {"x": {"tts": "y"}}}}'),
    (graph_files.add_places, b"{}"),
    (graph_files.add_places, b'{"hu": {"presets": []}}'),
    (graph_files.add_places, b'{"hu": {"presets": {"presets": {"x": {"name": 1}}}}}'),
]


@pytest.mark.parametrize(("reader", "content"), BROKEN)
def test_a_broken_file_is_one_sentence(
    tmp_path: Path, reader: Callable[[LanguageGraph, Path], int], content: bytes
) -> None:
    path = tmp_path / "broken"
    path.write_bytes(content)
    with pytest.raises(InputError) as refusal:
        reader(LanguageGraph(), path)
    assert str(path) in str(refusal.value) and "\n" not in str(refusal.value)


# ── the stage ────────────────────────────────────────────────────────────────────────────────


def job_for(root: Path, files: dict[str, list[Path]], skipped: dict[str, str]) -> Job:
    layout = Layout(root, "en")
    layout.vocabulary.mkdir(parents=True)
    words = vocabulary_of("dogs", "animal", "tail", "lemon", "fruit", "stall")
    words.write(layout.vocabulary / "vocabulary.tsv")
    entries = {
        name: {
            "files": [{"path": str(file.relative_to(root))} for file in files.get(name, [])],
            "skipped": skipped.get(name), "licence": None,
        }
        for name in (*files, *skipped)
    }  # fmt: skip
    write_resources(layout, entries)
    data = {"en": [KnowledgeData(name=name, location="x") for name in entries]}  # type: ignore[arg-type]
    settings = load_settings(ROOT / "params.yaml")
    return Job("extras", layout, settings.having(Extras(["language-graph"]), Knowledge(data)))


def test_the_stage_joins_all_graphs_of_a_language(tmp_path: Path) -> None:
    files = {
        "wordnet": write_database(tmp_path / "net"),
        "conceptnet": [packed(tmp_path / "c.gz")],
        # A form that is a label itself still starts where its base form does.
        "synonyms": [written(tmp_path / "th.dat", "UTF-8\ndogs|1\n-|hounds\n")],
    }
    job = job_for(tmp_path, files, {"emoji": "npm is not on this machine"})
    metrics = extras.run(job)
    figures = metrics["measures"]["language-graph"]
    assert figures["known"] == 5 and figures["sources"]["conceptnet"] == {
        "nodes": 3, "edges": 2, "left_out": 4,
    }  # fmt: skip
    assert list(figures["sources"]) == ["wordnet", "conceptnet", "synonyms"]
    vocabulary = Vocabulary.read(job.layout.vocabulary / "vocabulary.tsv")
    measure = open_built(job.layout, "language-graph", vocabulary)
    assert measure.facts["knowledge"] is True
    assert str(measure.explain("dogs", "animal")) == "dogs –is a→ animal: 0.500"
    assert str(measure.explain("stall", "fruit")) == "fruit –at location→ market stall: 0.476"
    assert measure.relatedness("dogs", "lemon") == 0


def test_a_language_without_graphs_skips_it(tmp_path: Path) -> None:
    metrics = extras.run(job_for(tmp_path / "none", {}, {}))
    assert "declares none of wordnet, conceptnet" in metrics["skipped"]["language-graph"]
    metrics = extras.run(job_for(tmp_path / "away", {}, {"synonyms": "no apt-get here"}))
    assert metrics["skipped"]["language-graph"] == "synonyms: no apt-get here"

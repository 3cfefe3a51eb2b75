"""Explore: suggestions, maps and paths, and the pages without a script."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, permutations
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import wordkin
from tests.support.examples import at_most
from tests.support.web import Running, made_up_settings, running_site
from wordkin.lookup import STARTERS
from wordkin.web.explore.explorer import NEIGHBOURS, Explorer, cheapest
from wordkin.web.explore.pictures import (
    TALL,
    WIDE,
    Picture,
    place,
    separate,
)


@pytest.fixture(scope="module")
def explorer(bundles: tuple[str, ...]) -> Explorer:
    return Explorer(wordkin.load(bundles[0]))


@pytest.fixture(scope="module")
def starter() -> Explorer:
    """The starter bundle of English: one measure, without npmi."""
    return Explorer(wordkin.load(STARTERS / "en"))


@given(st.text("pinaoet", min_size=1, max_size=3))
def test_suggestions_are_the_most_frequent_words_with_a_beginning(
    explorer: Explorer, beginning: str
) -> None:
    words = [
        word for word in explorer.bundle.vocabulary.words if word[: len(beginning)] == beginning
    ]
    assert explorer.suggestions(beginning, 3) == words[:3]
    assert explorer.suggestions("") == []


def test_places_keep_distances_that_a_plane_can_have() -> None:
    true = np.random.default_rng(3).random((12, 2))
    target = np.linalg.norm(true[:, None] - true[None], axis=2)
    spots = place(target)
    assert np.linalg.norm(spots[:, None] - spots[None], axis=2) == pytest.approx(target, abs=1e-2)
    assert (spots[0] == 0).all()


@settings(max_examples=at_most(40), deadline=None)
@given(
    arrays(float, (12, 2), elements=st.floats(-50, 50)),
    st.lists(st.floats(10, 200), min_size=12, max_size=12),
)
def test_no_two_labels_overlap(points: np.ndarray, widths: list[float]) -> None:
    sizes = np.array([(width, 20.0) for width in widths])
    moved = separate(points, sizes)
    assert (moved[0] == 0).all()
    for a in range(12):
        for b in range(a):
            apart = np.abs(moved[a] - moved[b])
            assert (apart >= (sizes[a] + sizes[b]) / 2).any(), (a, b)


def overlaps(picture: Picture) -> bool:
    labels = picture.labels
    return any(
        abs(a.x - b.x) < (a.width + b.width) / 2 and abs(a.y - b.y) < 26
        for at, a in enumerate(labels)
        for b in labels[:at]
    )


def test_maps_have_the_nearest_words_around_the_word(explorer: Explorer) -> None:
    word = explorer.resolve("piano")
    assert word is not None
    for canvas, picture in zip((WIDE, TALL), explorer.maps(word), strict=True):
        nearest = [name for name, _ in explorer.bundle.nearest("piano", canvas.words)]
        assert [label.word for label in picture.labels] == ["piano", *nearest]
        assert not overlaps(picture)
        assert all(picture.left < label.left for label in picture.labels)
        # Every word is tied to one that is closer to the middle.
        assert len(picture.lines) == len(nearest)
    assert Explorer(explorer.bundle).maps(word) == explorer.maps(word)


def test_columns_show_what_the_bundle_says(explorer: Explorer) -> None:
    word = explorer.resolve("piano")
    assert word is not None
    columns = explorer.columns(word, "en", with_reasons=True)
    assert columns[0].measure == explorer.bundle.default
    for column in columns:
        shown = [(neighbour.word, neighbour.value) for neighbour in column.neighbours]
        assert shown == explorer.bundle.nearest("piano", NEIGHBOURS, column.measure)
        assert column.neighbours[0].bar == 100
        assert all(neighbour.why for neighbour in column.neighbours)
    assert explorer.columns(word, "en", with_reasons=True) is columns


def test_a_comparison_has_value_rank_and_reason(explorer: Explorer) -> None:
    a, b = explorer.resolve("piano"), explorer.resolve("violin")
    assert a is not None and b is not None
    for row in explorer.comparison(a, b, "en"):
        assert row.value == explorer.bundle.relatedness("piano", "violin", row.measure)
        order = [word for word, _ in explorer.bundle.nearest("piano", 100, row.measure)]
        assert row.rank == order.index("violin") + 1
        assert row.why


def test_a_network_has_the_shortest_path_and_words_at_its_sides(explorer: Explorer) -> None:
    a, b = explorer.resolve("piano"), explorer.resolve("tree")
    assert a is not None and b is not None
    network = explorer.network(a, b)
    assert network is not None
    assert network.measure == "npmi"
    assert (network.steps[0].a, network.steps[-1].b) == ("piano", "tree")
    words = [label.word for label in network.picture.labels]
    assert words[: len(network.steps) + 1] == ["piano", *(step.b for step in network.steps)]
    assert len(words) > len(network.steps) + 1
    assert not overlaps(network.picture)
    assert explorer.network(a, a) is None


@given(arrays(float, (6, 6), elements=st.floats(0.01, 1)))
def test_the_cheapest_way_costs_as_little_as_any(cost: np.ndarray) -> None:
    cost = cost + cost.T
    way = cheapest(cost)
    assert (way[0], way[-1]) == (0, 1)

    def price(places: Sequence[int]) -> float:
        return float(sum(cost[a, b] for a, b in pairwise(places)))

    others = ((0, *inner, 1) for length in range(5) for inner in permutations(range(2, 6), length))
    assert price(way) == pytest.approx(min(map(price, others)))


def test_without_npmi_a_chain_leads_along_the_default_measure(starter: Explorer) -> None:
    a, b = starter.resolve("piano"), starter.resolve("tree")
    assert a is not None and b is not None
    network = starter.network(a, b)
    assert network is not None
    assert network.measure == starter.bundle.default != "npmi"
    assert (network.steps[0].a, network.steps[-1].b) == ("piano", "tree")
    direct = starter.bundle.relatedness("piano", "tree")
    for step in network.steps:
        assert step.value == pytest.approx(starter.bundle.relatedness(step.a, step.b))
        assert step.value > direct
    assert not overlaps(network.picture)


@pytest.mark.parametrize("language", ["en", "hu"])
def test_a_word_has_an_address(running: Running, language: str) -> None:
    word = {"en": "piano", "hu": "zongora"}[language]
    client = running.client(language)
    answer = client.get("/explore", params={"words": language, "word": f"  {word.upper()} "})
    assert answer.url.path == f"/explore/{language}/{word}"
    for name in running.site.bundles[language].measures:
        assert f'lang="en">{name}</span>' in answer.text
    assert answer.text.count('<svg class="map') == 2


def test_two_words_are_compared(running: Running) -> None:
    answer = running.client().get("/explore?words=en&word=piano&other=mouse")
    assert answer.url.path == "/explore/en/piano/mouse"
    assert answer.text.count('scope="row"') == 3
    assert "The shortest path" in answer.text
    assert "same word twice" in running.client().get("/explore/en/piano/piano").text


def test_any_word_is_resolved_and_the_page_says_how(running: Running) -> None:
    text = running.client().get("/explore/en/pianos").text
    assert "pianos: a form of piano" in text
    assert 'class="map wide"' in text
    text = running.client("hu").get("/explore/en/pianos").text
    assert "ennek egy alakja: piano" in text
    assert "We do not know the word “xqzw”" in running.client().get("/explore/en/xqzw").text


def test_while_typing_the_answer_is_a_part_of_the_page(running: Running) -> None:
    client = running.client()
    beginning = client.get("/explore/en/pi?part=quick").text
    assert "<html" not in beginning
    assert re.findall(r">(pi\w+)</a>", beginning) == ["piano", "pill"]
    word = client.get("/explore/en/piano?part=quick").text
    assert 'class="neighbours"' in word and '<svg class="map' not in word
    assert 'class="why"' not in word
    assert 'class="why"' in client.get("/explore/en/piano?part=whole").text


@pytest.mark.parametrize("word", ["<script>alert(1)</script>", "a" * 5000, "..", "%00", "{{7*7}}"])
def test_hostile_words_are_answered_and_escaped(running: Running, word: str) -> None:
    for path in (f"/explore/en/{quote(word, safe='')}", f"/explore?word={quote(word, safe='')}"):
        answer = running.client().get(path)
        assert answer.status_code in (200, 404)
        assert "<script>alert" not in answer.text and ">49<" not in answer.text


def test_a_language_without_a_bundle_has_no_page(running: Running) -> None:
    assert running.client().get("/explore/qq/word").status_code == 404
    assert running.client().get("/explore?words=qq&word=x").status_code == 404


def test_those_who_ask_too_often_are_told_to_wait(bundles: tuple[str, ...], tmp_path: Path) -> None:
    made_up = made_up_settings(tmp_path, bundles)
    limits = replace(made_up.limits, checks=2)
    with running_site(replace(made_up, limits=limits)) as slow:
        client = slow.client()
        statuses = [client.get("/explore/en/piano?part=quick").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]

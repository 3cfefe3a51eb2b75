"""YAML becomes pydantic dataclasses, or one sentence per mistake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic.dataclasses import dataclass

from pipeline import mistakes
from pipeline.mistakes import (
    KNOWN_KEYS,
    Flag,
    Mistakes,
    Number,
    Whole,
    between,
    matching,
    nonempty,
    suggestion,
)
from wordkin.errors import InputError


@dataclass(frozen=True, config=KNOWN_KEYS)
class Card:
    """An entry of a list."""

    name: Annotated[str, matching("[a-z]+", "lower-case letters")]
    weight: Annotated[Number, between(0, 1, below=True)] = 1.0
    kind: str = field(default="card", init=False)


@dataclass(frozen=True, config=KNOWN_KEYS)
class Game:
    """A file."""

    players: Annotated[Whole, between(2)]
    mode: Literal["solo", "team"] | None = None
    cards: Annotated[list[Card] | None, nonempty] = None
    scores: dict[str, list[Number]] = field(default_factory=dict)
    limit: Annotated[Whole | Literal["none"], between(1, 9)] = "none"
    fast: Flag = False
    title: str = ""


def read(tmp_path: Path, text: str) -> Game:
    path = tmp_path / "game.yaml"
    path.write_text(text, encoding="utf-8")
    return mistakes.read(Game, path)


def test_values_become_what_the_types_say(tmp_path: Path) -> None:
    text = "{players: 2, mode: team, cards: [{name: sun, weight: 0}], scores: {a: [1, 2.5]}}"
    game = read(tmp_path, text)
    assert game == Game(2, "team", [Card("sun", 0.0)], {"a": [1.0, 2.5]})
    assert all(isinstance(score, float) for score in game.scores["a"])
    assert game.cards is not None and isinstance(game.cards[0].weight, float)


def test_defaults_are_not_shared(tmp_path: Path) -> None:
    first, second = read(tmp_path, "players: 2"), read(tmp_path, "players: 2")
    first.scores["a"] = []
    assert second.scores == {}


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("{}", "players: missing; add it."),
        ("[1]", "the file: must be a mapping of keys to values."),
        ("", "the file: must be a mapping of keys to values."),
        ("{players: 2, card: []}", "card: unknown key; did you mean 'cards'?"),
        ("{players: 2, xyz: 1}", "xyz: unknown key; known are players, mode, cards, scores, "),
        ("{players: 1}", "players: must be at least 2, not 1."),
        ("{players: 2.0}", "players: must be a whole number, not 2.0."),
        ("{players: two}", "players: must be a whole number, not 'two'."),
        ("{players: true}", "players: must be a whole number, not True."),
        ("{players: null}", "players: must be a whole number, not None."),
        ("{players: 2, mode: teams}", "mode: must be 'solo' or 'team', not 'teams'; did you mean"),
        ("{players: 2, cards: []}", "cards: is empty: name at least one."),
        ("{players: 2, cards: {}}", "cards: must be a list, not {}."),
        ("{players: 2, cards: [{}]}", "cards[0].name: missing; add it."),
        ("{players: 2, cards: [{name: SUN}]}", "cards[SUN].name: must be lower-case letters, not"),
        (
            "{players: 2, cards: [{name: sun, weight: 1}]}",
            "cards[sun].weight: must be from 0 to be",
        ),
        ("{players: 2, cards: [{name: sun, kind: x}]}", "cards[sun].kind: unknown key; "),
        ("{players: 2, scores: {a: [.nan]}}", "scores.a[0]: must be a number, not nan."),
        ("{players: 2, scores: {a: [-.inf]}}", "scores.a[0]: must be a number, not -inf."),
        ("{players: 2, scores: {a: [1" + 400 * "0" + "]}}", "scores.a[0]: must be a number, not 1"),
        ("{players: 2, scores: {a: 1}}", "scores.a: must be a list, not 1."),
        ("{players: 2, limit: 10}", "limit: must be from 1 to 9, not 10."),
        ("{players: 2, limit: never}", "limit: must be a whole number or 'none', not 'never'"),
        ("{players: 2, fast: 1}", "fast: must be true or false, not 1."),
        ("{players: 2, title: 7}", "title: must be a text, not 7; write it in quotes."),
        ("{players: 2, title: [a]}", "title: must be a text, not ['a']."),
        ("{players: [", "not valid YAML in line 1: "),
        ("players: 2\nplayers: 3\n", "not valid YAML in line 2: "),
    ],
)
def test_a_mistake_is_one_sentence_with_its_key(tmp_path: Path, text: str, mistake: str) -> None:
    with pytest.raises(Mistakes) as caught:
        read(tmp_path, text)
    (sentence,) = caught.value.mistakes
    assert sentence.startswith(mistake)
    assert str(caught.value) == f"game.yaml: {sentence}"


def test_all_mistakes_are_collected(tmp_path: Path) -> None:
    with pytest.raises(Mistakes) as caught:
        read(tmp_path, "{players: 1, cards: [{name: A}, {name: b, weight: x}], extra: 1}")
    assert len(caught.value.mistakes) == 4


def test_a_cross_check_sees_right_values_and_adds_its_mistakes(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text("{players: 3}")

    def cross_check(game: Game) -> Iterator[str]:
        if game.players % 2:
            yield "players: must be even."

    with pytest.raises(Mistakes, match=r"game\.yaml: players: must be even\."):
        mistakes.read(Game, path, cross_check)


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"There is no .*run this in the project's folder"):
        mistakes.read(Game, tmp_path / "none.yaml")
    (tmp_path / "latin.yaml").write_bytes("title: é".encode("latin-1"))
    with pytest.raises(InputError, match="not UTF-8 text: save it as UTF-8"):
        mistakes.read(Game, tmp_path / "latin.yaml")


def test_a_suggestion_is_the_nearest_name_or_all_of_them() -> None:
    assert suggestion("graf", ["npmi", "graph"]) == "did you mean 'graph'?"
    assert suggestion("xyz", ["npmi", "graph"]) == "known are npmi, graph."

"""Rooms: seats, whole games with agents, refusals, rematches, the board of the day."""

from __future__ import annotations

import re

import pytest

from tests.support.rooms import (
    WORDS,
    Player,
    buttons,
    cards,
    is_over,
    may_give,
    may_guess,
    seen,
)
from tests.support.web import Running
from wordkin.web.database import models
from wordkin.web.rooms.daily import day_seed, summarize, today
from wordkin.web.rooms.options import parse_words

SMALL = {"first": "4", "second": "3", "neutral": "2", "assassins": "1"}


@pytest.fixture
def anna(running: Running) -> Player:
    return Player(running.url)


@pytest.fixture
def bela(running: Running) -> Player:
    return Player(running.url)


@pytest.mark.parametrize("language", ["en", "hu"])
def test_a_whole_game_as_a_spymaster(running: Running, language: str) -> None:
    player = Player(running.url, language)
    player.open("spymaster", opponents="none", **SMALL)
    clues = iter(player.words())
    parts = player.parts()
    while not is_over(parts):
        assert all(cards(parts).values()), "a spymaster sees all colours"
        answer = player.post("clue", clue=next(clues), number="1", seen=seen(parts))
        assert answer.status_code in (200, 400)
        parts = player.wait_for(lambda parts: may_give(parts) or is_over(parts))
    assert "turn blue" in parts["log"]


def test_why_a_clue_goes_with_a_card_is_told_after_the_turn(anna: Player) -> None:
    anna.open("guesser", opponents="none", first="5", second="0", neutral="0", assassins="0")
    parts = anna.wait_for(may_guess)
    assert 'class="why"' not in parts["log"]
    anna.do("card", card=buttons(parts)[0], seen=seen(parts))
    parts = anna.parts()
    if may_guess(parts):
        assert 'class="why"' not in parts["log"]
        anna.do("stop", seen=seen(parts))
    anna.wait_for(lambda parts: 'class="why"' in parts["log"])


def test_two_people_and_two_agents(anna: Player, bela: Player) -> None:
    room = anna.open("room", **SMALL)
    bela.join(room)
    anna.do("sit", seat="blue-spymaster")
    bela.do("sit", seat="blue-guesser")
    parts = anna.do("start")
    assert may_give(parts)
    assert not any(cards(bela.parts()).values())
    own = [word for word, colours in cards(parts).items() if "blue" in colours]
    clue = next(word for word in anna.words() if legal(anna, word))
    anna.do("clue", clue=clue, number="1", seen=seen(parts))
    parts = bela.wait_for(may_guess)
    assert clue in parts["status"]
    parts = bela.do("card", card=own[0], seen=seen(parts))
    assert cards(parts)[own[0]] == {"turned", "blue"}
    bela.do("stop", seen=seen(parts))
    # The agents of the other team move, and it is Anna's turn again.
    parts = anna.wait_for(lambda parts: may_give(parts) or is_over(parts))
    assert "turn red" in parts["log"]


def legal(player: Player, clue: str) -> bool:
    verdict = player.client.get(f"{player.room}/check", params={"clue": clue}).json()
    return bool(verdict["legal"])


def test_legality_is_told_while_typing(anna: Player) -> None:
    anna.open("spymaster", opponents="none", **SMALL)
    word = next(iter(cards(anna.parts())))
    for clue, sentence in [
        (word, "it is a card"),
        ("two words", "one word made of letters"),
        ("x" * 41, "at most 40 letters"),
        ("qqqzzz", "does not know"),
    ]:
        verdict = anna.client.get(f"{anna.room}/check", params={"clue": clue}).json()
        assert not verdict["legal"]
        assert sentence in verdict["sentence"]
        answer = anna.post("clue", clue=clue, number="1", seen="0")
        assert answer.status_code == 400
        assert sentence in answer.json()["error"]
    assert legal(anna, next(w for w in anna.words() if legal(anna, w)))
    assert anna.client.get(f"{anna.room}/check").json() == {"legal": False, "sentence": ""}


def test_clues_of_number_zero_and_unlimited(anna: Player) -> None:
    for number in ("0", "unlimited"):
        anna.open("spymaster", opponents="none", **SMALL)
        clue = next(word for word in anna.words() if legal(anna, word))
        parts = anna.do("clue", clue=clue, number=number, seen="0")
        assert clue in parts["log"]
    anna.open("spymaster", opponents="none", **SMALL)
    for number in ("", "-1", "1.5", "many", "99999", "¹"):
        assert anna.post("clue", clue=clue, number=number, seen="0").status_code == 400


def test_moves_that_are_not_possible_are_refused_in_a_sentence(anna: Player, bela: Player) -> None:
    room = anna.open("guesser", opponents="none", **SMALL)
    bela.join(room)
    parts = anna.wait_for(may_guess)
    at, card = seen(parts), buttons(parts)[0]
    for player, action, fields, status in [
        (bela, "card", {"card": card, "seen": at}, 409),
        (anna, "clue", {"clue": "two words", "number": "1", "seen": at}, 400),
        (anna, "stop", {"seen": at}, 409),
        (anna, "card", {"card": "no such card", "seen": at}, 409),
        (anna, "card", {"card": card, "seen": at - 1}, 409),
        (anna, "card", {"card": card}, 400),
        (anna, "card", {"card": card, "seen": "-1"}, 400),
        (anna, "sit", {"seat": "green-spymaster"}, 400),
        (anna, "start", {}, 409),
        (anna, "options", {"first": "2"}, 400),
        (bela, "start", {}, 403),
        (bela, "give-up", {}, 403),
        (bela, "release", {"seat": "blue-guesser"}, 403),
        (bela, "name", {"name": "x" * 30}, 400),
        (bela, "name", {"name": "a\u202eb"}, 400),
    ]:
        answer = player.post(action, **fields)
        assert answer.status_code == status, (action, fields, answer.text)
        assert answer.json()["error"]
    assert seen(anna.parts()) == at


def test_who_has_seen_the_colours_may_not_guess(anna: Player, bela: Player) -> None:
    room = anna.open("room", **SMALL)
    bela.join(room)
    anna.do("sit", seat="blue-spymaster")
    anna.do("start")
    answer = anna.post("sit", seat="red-guesser")
    assert answer.status_code == 409
    assert "seen the colours" in answer.json()["error"]
    bela.do("sit", seat="red-spymaster")
    bela.do("leave")
    assert not any(cards(bela.parts()).values())
    assert bela.post("sit", seat="blue-guesser").status_code == 409
    # In the next game everybody may sit anywhere.
    anna.do("give-up")
    bela.do("sit", seat="blue-guesser")
    anna.do("sit", seat="red-guesser")
    anna.do("start")


def test_seats_have_room_for_eight_people(running: Running) -> None:
    people = [Player(running.url) for _ in range(9)]
    room = people[0].open("room", **SMALL)
    seats = ["blue-spymaster", "red-spymaster", *["blue-guesser", "red-guesser"] * 3]
    for player, seat in zip(people, seats, strict=False):
        player.join(room)
        player.do("sit", seat=seat)
    people[8].join(room)
    for seat in sorted(set(seats)):
        assert people[8].post("sit", seat=seat).status_code == 409


def test_an_agent_takes_over_for_somebody_who_left(
    running: Running, anna: Player, bela: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = anna.open("room", **SMALL)
    bela.join(room)
    anna.do("sit", seat="blue-guesser")
    bela.do("sit", seat="blue-spymaster")
    anna.do("start")
    assert "still there" in anna.post("release", seat="blue-spymaster").json()["error"]
    monkeypatch.setattr("wordkin.web.rooms.table.PRESENT", -1.0)
    assert "Let the agent play" in anna.parts()["people"]
    anna.do("release", seat="blue-spymaster")
    monkeypatch.undo()
    anna.wait_for(may_guess)


def test_a_rematch_deals_a_new_board_and_the_other_team_begins(anna: Player) -> None:
    anna.open("room", **SMALL)
    anna.do("sit", seat="blue-spymaster")
    first = anna.do("start")
    assert len([c for c in cards(first).values() if "blue" in c]) == 4
    anna.do("give-up")
    second = anna.do("start")
    assert list(cards(first)) != list(cards(second))
    assert len([c for c in cards(second).values() if "red" in c]) == 4


def test_the_options_of_a_room_can_be_changed_between_games(anna: Player) -> None:
    anna.open("room", **SMALL)
    anna.do("sit", seat="blue-spymaster")
    anna.do(
        "options", opponents="none", first="6", second="5", neutral="4", assassins="1",
        measure="svd", risk="bold", words=", ".join(WORDS["en"]),
    )  # fmt: skip
    assert '<option value="bold" selected>' in anna.parts()["controls"]
    assert '<option value="svd" selected>' in anna.parts()["controls"]
    parts = anna.do("start")
    assert len(cards(parts)) == 16
    assert "columns-4" in parts["board"]
    assert "Guesser, red" not in parts["people"]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"first": "0", "second": "1", "neutral": "1", "assassins": "1"}, "cannot be played"),
        ({"first": "9"}, "cannot be played"),
        ({"first": "x", "second": "1", "neutral": "1", "assassins": "1"}, "cannot be played"),
        ({"words": "piano, mouse"}, "too short"),
        ({"words": "x" * 41}, "cannot be on a card"),
        ({"words": "\n".join(f"w{'x' * (n % 7)}a{n}" for n in range(2500))}, "too long"),
        ({"measure": "no such measure"}, "incomplete"),
        ({"words_language": "fi"}, "incomplete"),
        ({"mode": "watcher"}, "incomplete"),
    ],
)
def test_games_that_cannot_be_played_are_refused(
    anna: Player, fields: dict[str, str], sentence: str
) -> None:
    form = {"mode": "guesser", "words_language": "en", **fields}
    answer = anna.client.post("/play", data=form)
    assert answer.status_code == 400
    assert sentence in answer.text


def test_boards_of_2_and_of_400_cards(anna: Player) -> None:
    anna.open("spymaster", first="1", second="1", neutral="0", assassins="0")
    assert len(cards(anna.parts())) == 2
    letters = "abcdefghijklmnopqrst"
    words = "\n".join(f"{a}{b}{a}" for a in letters for b in letters)
    deal = {"first": "100", "second": "100", "neutral": "199", "assassins": "1"}
    anna.open("spymaster", words=words, **deal)
    assert len(cards(anna.parts())) == 400


def test_names_and_words_are_escaped(anna: Player) -> None:
    hostile = '<script>alert(1)</script>"&'
    words = [f"<b>{word}</b>" for word in WORDS["en"]]
    anna.open("spymaster", words="\n".join(words), **SMALL)
    parts = anna.do("name", name=hostile[:24])
    page = anna.client.get(anna.room).text + "".join(parts.values())
    assert "<script>alert" not in page and "<b>piano" not in page
    assert "&lt;script&gt;alert(1)" in parts["people"]
    assert set(cards(parts)) <= set(words)


def test_a_name_is_shown_to_others_and_never_stored(
    running: Running, anna: Player, bela: Player
) -> None:
    room = anna.open("room", **SMALL)
    anna.do("sit", seat="blue-spymaster")
    anna.do("name", name="Zsuzsanna")
    bela.join(room)
    assert "Zsuzsanna" in bela.parts()["people"]
    with running.site.database.engine.connect() as connection:
        for table in models.Base.metadata.sorted_tables:
            assert "Zsuzsanna" not in repr(connection.execute(table.select()).fetchall())


def test_the_history_is_shown_after_the_game_only(anna: Player, bela: Player) -> None:
    # Without an assassin: no single card ends the game.
    anna.open("guesser", opponents="none", **SMALL | {"assassins": "0", "neutral": "3"})
    parts = anna.wait_for(may_guess)
    with pytest.raises(AssertionError):
        game_address(parts)
    anna.do("card", card=buttons(parts)[0], seen=seen(parts))
    anna.do("give-up")
    address = game_address(anna.parts())
    page = bela.client.get(address)
    assert page.status_code == 200
    assert page.text.count('<li class="card') == 10
    answer = bela.client.post(f"{address}/play", data={"mode": "spymaster"})
    bela.room = answer.url.path
    assert list(cards(bela.parts())) == list(cards(anna.parts()))


def test_the_history_of_a_running_game_is_not_shown(running: Running, anna: Player) -> None:
    anna.open("guesser", opponents="none", **SMALL)
    table = running.site.hub._tables[anna.room.rpartition("/")[2]]
    assert table.last
    assert anna.client.get(f"/game/{table.last.code}").status_code == 404
    assert anna.client.post(f"/game/{table.last.code}/play", data={}).status_code == 404


def game_address(parts: dict[str, str]) -> str:
    match = re.search(r'href="(/game/[^"]+)"', parts["controls"])
    assert match
    return match[1]


def test_the_board_of_the_day_is_the_same_for_all_and_is_played_once(
    anna: Player, bela: Player
) -> None:
    boards = []
    for player in (anna, bela):
        player.room = player.client.post("/daily", data={"words_language": "en"}).url.path
        boards.append(list(cards(player.parts())))
    assert boards[0] == boards[1]
    assert anna.room != bela.room
    again = anna.client.post("/daily", data={"words_language": "en"}).url.path
    assert again == anna.room
    assert anna.post("sit", seat="blue-spymaster").status_code == 409
    anna.do("give-up")
    assert anna.post("start").status_code == 409
    page = anna.client.get(f"/daily/{today()}/en").text
    assert "Players who finished: 1" in page
    assert "Cards that you found: 0" in page


def test_results_of_a_day() -> None:
    results = [{"end": "won", "turns": turns} for turns in (5, 5, 7)]
    summary = summarize([*results, {"end": "assassin", "turns": 2}])
    assert (summary.players, summary.won) == (4, 3)
    assert summary.standings == [(5, 2, 50), (6, 0, 0), (7, 1, 25)]
    assert summarize([]).standings == []
    assert day_seed("2026-01-01", "en") != day_seed("2026-01-01", "hu")
    assert day_seed("2026-01-01", "en") == day_seed("2026-01-01", "en")


def test_addresses_that_lead_nowhere(anna: Player) -> None:
    for path in ("/room/nothing", "/room/nothing/state", "/game/nothing", "/daily/x/en",
                 "/daily/2026-01-01/fi"):  # fmt: skip
        assert anna.client.get(path).status_code == 404


def test_everything_works_without_a_script(anna: Player) -> None:
    anna.open("guesser", opponents="none", **SMALL)
    parts = anna.wait_for(may_guess)
    answer = anna.client.post(
        f"{anna.room}/card", data={"card": buttons(parts)[0], "seen": seen(parts)}
    )
    assert answer.status_code == 200
    assert answer.url.path == anna.room
    assert 'class="card turned' in answer.text


@pytest.mark.parametrize(
    "pasted",
    [
        "piano\nice cream\nSea",
        "piano, ice cream, Sea, SEA",
        "piano; ice cream\nSea",
        "piano; ice cream;Sea",
    ],
)
def test_a_list_is_pasted_in_lines_or_with_commas_or_semicolons(pasted: str) -> None:
    assert parse_words(pasted, "en") == ("piano", "ice cream", "Sea")

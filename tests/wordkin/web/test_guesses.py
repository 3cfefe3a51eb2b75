"""Guesses in games are kept as rounds where the player agreed, and only there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import select

from tests.support.rooms import Player, buttons, is_over, may_give, may_guess, seen
from tests.support.studies import Volunteer, database_of, start_study
from tests.support.web import Running, made_up_settings, running_site
from wordkin.cli import main
from wordkin.game.game import Game
from wordkin.game.rounds import read_rounds
from wordkin.web.database.models import Round
from wordkin.web.database.rounds import GAMES
from wordkin.web.visitors import digest

EASY = {"opponents": "none", "first": "6", "second": "0", "neutral": "3", "assassins": "0"}


def agree(player: Player, keep: str = "yes") -> None:
    back = player.room or "/data"
    answer = player.client.post("/data/agree", data={"keep": keep, "back": back})
    assert answer.status_code == 200 and answer.url.path == back


def stored_rounds(running: Running) -> list[Round]:
    rounds = select(Round).where(Round.source == GAMES).order_by(Round.id)
    return running.site.database.transact(lambda session: list(session.scalars(rounds)))


def game_of(running: Running, player: Player) -> Game:
    game = running.site.hub._tables[player.room.rpartition("/")[2]].game
    assert game is not None
    return game


def play_turns(player: Player, turns: int, cards: int = 2) -> None:
    """Guess some turns, with up to so many cards per turn."""
    for _ in range(turns):
        for _ in range(cards):
            parts = player.wait_for(lambda parts: may_guess(parts) or is_over(parts))
            if is_over(parts):
                return
            number = len(player.parts()["log"].split('class="turn '))
            parts = player.do("card", card=buttons(parts)[0], seen=seen(parts))
            if not may_guess(parts) or len(parts["log"].split('class="turn ')) > number:
                break
        else:
            if may_guess(parts):
                player.do("stop", seen=seen(parts))


def test_the_turns_of_a_player_who_agreed_become_rounds(running: Running) -> None:
    before = len(stored_rounds(running))
    player = Player(running.url)
    agree(player)
    player.open("guesser", **EASY)
    play_turns(player, 3)
    game, turned = game_of(running, player), list[str]()
    closed = [turn for turn in game.turns if turn.guessed]
    rounds = stored_rounds(running)[before:]
    assert rounds
    for turn, stored in zip(closed, rounds, strict=False):
        assert (stored.clue, stored.picks) == (turn.clue, turn.guessed)
        assert stored.words == [word for word in game.board.words if word not in turned]
        assert set(stored.blue) == set(game.board.ours) - set(turned)
        assert stored.number == min(turn.number or 99, len(turn.guessed))
        assert stored.times == sorted(stored.times or []) and stored.seconds is not None
        turned += turn.guessed
    assert len({stored.person for stored in rounds}) == 1


def test_nothing_is_kept_of_players_who_did_not_agree(running: Running) -> None:
    before = len(stored_rounds(running))
    player = Player(running.url)
    player.open("guesser", **EASY)
    assert "May we keep your guesses" in player.client.get(player.room).text
    play_turns(player, 2)
    assert len(stored_rounds(running)) == before
    # Somebody who agrees in the middle of a game, and changes their mind.
    agree(player)
    assert "Your guesses are kept" in player.client.get(player.room).text
    play_turns(player, 1)
    agree(player, "no")
    after = len(stored_rounds(running))
    play_turns(player, 1)
    assert len(stored_rounds(running)) == after


def test_a_turn_of_two_people_is_nobodys_choice(running: Running) -> None:
    before = len(stored_rounds(running))
    anna, bela, carla = (Player(running.url) for _ in range(3))
    room = anna.open("room", **{**EASY, "neutral": "0"})
    for player, seat in ((anna, "guesser"), (bela, "guesser"), (carla, "spymaster")):
        player.join(room)
        agree(player)
        player.do("sit", seat=f"blue-{seat}")
    anna.do("start")
    for players, kept in (((anna, bela), 0), ((anna, anna), 1)):
        parts = carla.wait_for(may_give)
        for clue in carla.words():
            if carla.post("clue", clue=clue, number="1", seen=seen(parts)).status_code == 200:
                break
        for player in players:
            parts = player.wait_for(may_guess)
            player.do("card", card=buttons(parts)[0], seen=seen(parts))
        assert len(stored_rounds(running)) - before == kept


def test_players_see_and_delete_their_guesses(
    running: Running, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    player = Player(running.url)
    agree(player)
    player.open("guesser", **EASY)
    play_turns(player, 2)
    page = player.client.get("/data").text
    assert "of your guesses are stored" in page
    person_id = page.partition("<code>")[2].partition("</code>")[0]
    mine = [row for row in stored_rounds(running) if row.person == digest(person_id)]
    assert mine
    out = tmp_path / "rounds.jsonl"
    assert main(["study", "export", GAMES, database_of(running), "--out", str(out)]) == 0
    sessions = {played.session for item in read_rounds(out) for played in item.rounds}
    assert digest(person_id) in sessions
    assert (
        f"with {len(mine)} choices"
        in player.client.post("/data/delete", data={"id": person_id}).text
    )
    assert not [row for row in stored_rounds(running) if row.person == digest(person_id)]


@pytest.mark.parametrize("back", ["//elsewhere.example", "/x"])
def test_agreeing_leads_only_to_rooms_and_the_page_on_data(running: Running, back: str) -> None:
    answer = running.client().post("/data/agree", data={"keep": "yes", "back": back})
    assert answer.url.path == "/data" and str(answer.url).startswith(running.url)
    assert running.client().post("/data/agree", data={"keep": "maybe"}).status_code == 400


@pytest.mark.slow
def test_studies_and_guesses_work_with_each_database(
    bundles: tuple[str, ...], tmp_path: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with running_site(made_up_settings(tmp_path, bundles, database)) as running:
        address = start_study(running, tmp_path, capsys)
        picks = (("piano", "mouse"), ("tree", "bison", "ship"))
        person_id = Volunteer(running, address).take_part(*picks)
        player = Player(running.url)
        agree(player)
        player.open("guesser", **EASY)
        play_turns(player, 1)
        out = tmp_path / "rounds.jsonl"
        options = [f"--database={database}", "--out", str(out)]
        assert main(["study", "export", "pilot", GAMES, *options]) == 0
        boards = {item.board.partition("/")[0] for item in read_rounds(out)}
        assert boards == {"pilot", GAMES}
        assert main(["study", "delete", person_id, f"--database={database}", "--json"]) == 0
        shown = capsys.readouterr().out
        assert json.loads(shown[shown.index("{") :])["rounds"] == 2

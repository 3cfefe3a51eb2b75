"""Live rooms: sockets, the fallback, and coming back."""

from __future__ import annotations

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.support.rooms import Player, Socket, may_give, may_guess, seen
from tests.support.web import Running

SMALL = {"first": "4", "second": "3", "neutral": "2", "assassins": "1"}


@pytest.fixture
def pair(running: Running) -> tuple[Player, Player]:
    """A spymaster and a guesser of one team, in one room."""
    master, guesser = Player(running.url), Player(running.url)
    guesser.join(master.open("room", **SMALL))
    master.do("sit", seat="blue-spymaster")
    guesser.do("sit", seat="blue-guesser")
    return master, guesser


def test_a_move_is_shown_to_everybody_at_once(pair: tuple[Player, Player]) -> None:
    master, guesser = pair
    with Socket(guesser) as socket:
        assert "Take a seat" not in socket.receive()["status"]
        master.do("start")
        while "card" not in socket.parts["board"]:
            socket.receive()
        master.do("clue", clue="qxqx", number="2", seen=0)
        while not may_guess(socket.parts):
            socket.receive()
        assert "qxqx" in socket.parts["status"]


def test_states_have_an_order(pair: tuple[Player, Player]) -> None:
    master, guesser = pair
    with Socket(guesser) as socket:
        socket.receive()
        token, number = socket.version.split(".")
        master.do("name", name="Anna")
        socket.receive()
        assert socket.version.split(".")[0] == token
        assert int(socket.version.split(".")[1]) > int(number)


def test_who_comes_back_sees_everything(pair: tuple[Player, Player]) -> None:
    master, guesser = pair
    with Socket(guesser) as socket:
        socket.receive()
    master.do("start")
    master.do("clue", clue="qxqx", number="2", seen=0)
    with Socket(guesser) as socket:
        parts = socket.receive()
        assert may_guess(parts)
        assert "qxqx" in parts["log"]
        assert seen(parts) == 1


def test_the_fallback_says_nothing_if_nothing_is_new(pair: tuple[Player, Player]) -> None:
    master, guesser = pair
    state = guesser.client.get(f"{guesser.room}/state").json()
    address = f"{guesser.room}/state?version={state['version']}"
    assert guesser.client.get(address).status_code == 204
    master.do("start")
    assert guesser.client.get(address).status_code == 200
    assert may_give(master.parts())


def test_sockets_of_other_sites_are_refused(pair: tuple[Player, Player]) -> None:
    with pytest.raises(InvalidStatus) as refused:
        Socket(pair[0], origin="https://elsewhere.example")
    assert refused.value.response.status_code == 403


def test_there_is_no_socket_of_a_room_that_is_not_there(pair: tuple[Player, Player]) -> None:
    pair[0].room = "/room/nothing"
    with pytest.raises(InvalidStatus):
        Socket(pair[0])


def test_long_messages_close_the_socket(pair: tuple[Player, Player]) -> None:
    with Socket(pair[0]) as socket:
        socket.receive()
        socket.connection.send("x" * 10_000)
        with pytest.raises(ConnectionClosed):
            socket.receive()
            socket.receive()


def test_people_are_away_when_their_socket_is_closed(
    pair: tuple[Player, Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    master, guesser = pair
    with Socket(master) as socket:
        socket.receive()
        with Socket(guesser) as other:
            other.receive()
            monkeypatch.setattr("wordkin.web.rooms.table.PRESENT", 0.05)
        while "away" not in socket.parts["people"]:
            socket.receive()

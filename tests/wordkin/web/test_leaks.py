"""No colour of a card that lies face down ever reaches the browser of a guesser.

Every byte that the site sends to guessers and to people without a seat is kept. The same game is
played on two boards that differ only in the colours of the cards that stay face down: all that
guessers get must be the same.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.support.rooms import Player, Socket, cards, may_give, may_guess, seen
from tests.support.web import Running, made_up_settings, running_site
from wordkin.game.board import Board
from wordkin.web.rooms import options

WORDS = ("piano", "bread", "ship", "tower", "nurse", "teacher", "oak", "lion", "snow", "screen")
TURNED = ("piano", "bread", "ship")
BOARDS = [
    # Only cards that are never turned over have other colours.
    Board(WORDS, ("ours", "ours", "theirs", *kinds))
    for kinds in (
        ("ours", "ours", "theirs", "theirs", "neutral", "neutral", "assassin"),
        ("assassin", "theirs", "neutral", "ours", "theirs", "ours", "neutral"),
    )
]
RANDOM = re.compile(
    # Codes of rooms, cookies and states, dates and lengths differ by chance.
    rb"/room/[\w-]{22}|/game/[\w-]{22}|wordkin=[\w.-]+|[0-9a-f]{8}\.\d+|(?<=b'date', b')[^']+"
)


def play(running: Running) -> tuple[list[bytes], list[bytes], list[bytes]]:
    """Play on a board; return what the guesser, a watcher and the spymaster were sent."""
    master, guesser, watcher = (Player(running.url) for _ in range(3))
    room = master.open("room", first="4", second="3", neutral="2", assassins="1")
    for player in (guesser, watcher):
        player.join(room)
    master.do("sit", seat="blue-spymaster")
    guesser.do("sit", seat="blue-guesser")
    other = Player(running.url)
    other.join(room)
    other.do("sit", seat="red-spymaster")
    with Socket(guesser) as live, Socket(watcher) as seen_live:
        for socket in (live, seen_live):
            socket.receive()

        def until_shown(moves: int) -> None:
            # No state is skipped: everybody sees one before the next one comes.
            for socket in (live, seen_live):
                while 'name="seen"' not in socket.parts["board"] or seen(socket.parts) < moves:
                    socket.receive()

        master.do("start")
        until_shown(0)
        # Nobody knows this word, so there are no reasons that come at any time.
        master.do("clue", clue="qxqx", number="2", seen=0)
        until_shown(1)
        for moves, card in enumerate(TURNED, start=1):
            guesser.do("card", card=card, seen=moves)
            until_shown(moves + 1)
        assert may_give(other.parts())
    for player in (guesser, watcher):
        player.client.get(room)
        player.client.get(f"{room}/state")
        player.client.get(f"{room}/check?clue=tree")
        for action, fields in [
            ("clue", {"clue": "tree", "number": "1", "seen": "4"}),
            ("card", {"card": "tower", "seen": "4"}),
            ("card", {"card": "tower", "seen": "1"}),
            ("sit", {"seat": "red-spymaster"}),
            ("options", {"first": "1"}),
            ("start", {}),
        ]:
            player.post(action, **fields)
        player.client.get("/game/anything")
    return guesser.sent, watcher.sent, master.sent


@pytest.mark.slow
def test_what_guessers_get_does_not_depend_on_hidden_colours(
    bundles: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    received = []
    with running_site(made_up_settings(tmp_path, bundles)) as running:
        for board in BOARDS:
            dealt = lambda *given, board=board: board  # noqa: E731
            monkeypatch.setattr(options.GameOptions, "deal_board", dealt)
            received.append(play(running))
    first, second = received
    for own, others in zip(first[:2], second[:2], strict=True):
        assert len(distinct(own)) > 10
        assert distinct(own) == distinct(others)
    # The comparison would see colours: the spymaster's bytes do differ.
    assert distinct(first[2]) != distinct(second[2])


def distinct(sent: list[bytes]) -> set[bytes]:
    """All different answers and parts of pages, without what differs by chance."""
    pieces = set()
    for text in sent:
        body, _, _ = text.partition(b"[(b'")
        try:
            pieces.update(part.encode() for part in json.loads(body)["parts"].values())
        except (ValueError, KeyError):
            pieces.add(text)
    return {RANDOM.sub(b"", piece) for piece in pieces}


def test_a_page_of_a_guesser_names_no_colour_next_to_a_card_that_lies_face_down(
    running: Running,
) -> None:
    player = Player(running.url)
    player.open("guesser", opponents="two")
    parts = player.wait_for(may_guess)
    for word, kinds in cards(parts).items():
        assert kinds == set(), word
    for text in player.sent:
        assert not re.search(rb"class=\"card[^\"]*(?:blue|red|neutral|assassin)", text)

"""Agents for empty seats: styles of play, processes that die, and faults."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator

import psutil
import pytest

from tests.support.rooms import Player, buttons, is_over, may_guess, seen
from tests.support.web import Running
from wordkin.game.board import Board
from wordkin.game.game import GIVE, TURN_OVER, Game
from wordkin.web.rooms.agents import Agents
from wordkin.web.rooms.options import STYLE, Style

BOARD = Board.of(
    ["piano", "violin", "flute", "drum"], ["mouse", "lion", "cow"], ["bread"], ["ship"]
)


@pytest.fixture(scope="module")
def agents(bundles: tuple[str, ...]) -> Iterator[Agents]:
    agents = Agents({"en": bundles[0]}, workers=1)
    yield agents
    agents.close()


def test_an_agent_gives_a_clue_and_another_one_understands_it(agents: Agents) -> None:
    async def play() -> None:
        game = Game(BOARD)
        clue = await agents.clue("en", STYLE, game.spymaster_view(0))
        assert clue.kind == GIVE
        assert set(clue.meant) <= set(BOARD.ours)
        game.play(clue)
        card = await agents.pick("en", STYLE, game.guesser_view(0))
        assert card.kind == TURN_OVER
        assert card.word in BOARD.words

    asyncio.run(play())


def test_a_bold_agent_gives_clues_for_at_least_as_many_cards(agents: Agents) -> None:
    async def number(risk: str) -> int:
        move = await agents.clue("en", Style("svd", risk), Game(BOARD).spymaster_view(0))
        assert move.number is not None
        return move.number

    async def numbers() -> list[int]:
        return [await number(risk) for risk in ("cautious", "balanced", "bold")]

    cautious, balanced, bold = asyncio.run(numbers())
    assert cautious <= balanced <= bold


def test_reasons_come_in_both_languages(agents: Agents) -> None:
    known, unknown = asyncio.run(agents.reasons("en", STYLE, "song", ["piano", "qxqx"]))
    assert "go with" in known["en"]
    assert "kapcsolódik" in known["hu"]
    assert unknown == {}


def test_killed_processes_are_started_again(agents: Agents) -> None:
    async def play() -> None:
        await agents.clue("en", STYLE, Game(BOARD).spymaster_view(0))
        for process in psutil.Process().children():
            if "spawn_main" in " ".join(process.cmdline()):
                process.kill()
        clue = await agents.clue("en", STYLE, Game(BOARD).spymaster_view(0))
        assert clue.kind == GIVE

    asyncio.run(play())


def test_a_fault_of_an_agent_is_told_and_tried_again(
    running: Running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*given: object) -> None:
        raise RuntimeError("a bug")

    player = Player(running.url)
    monkeypatch.setattr(running.site.agents, "clue", fail)
    with caplog.at_level(logging.ERROR, "wordkin.web"):
        player.open("guesser", opponents="none")
        player.wait_for(lambda parts: "The agent is stuck" in parts["status"])
    assert any(record.getMessage() == "agent failed" for record in caplog.records)
    monkeypatch.undo()
    parts = player.wait_for(lambda parts: may_guess(parts) or is_over(parts))
    assert buttons(parts)
    assert seen(parts) == 1

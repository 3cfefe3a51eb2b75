"""The bench of the web game: it plays, measures, and says whether the bars are met."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bench import web
from tests.support.rooms import WORDS
from tests.support.web import made_up_settings, make_bundles, running_site


@pytest.mark.slow
def test_people_play_against_agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "THINKING", (0.0, 0.05))
    settings = made_up_settings(tmp_path, make_bundles(tmp_path))
    times = web.Times()
    with running_site(settings) as running:
        web.explore(running.url, "en", WORDS["en"][:2], times)
        asyncio.run(web.play_all(running.url, "en", WORDS["en"], 2, seconds=3, times=times))
    assert times.by_kind[web.MOVE]
    assert times.by_kind[web.SHOWN]
    assert len(times.by_kind["the same with reasons"]) == 2


def test_a_bar_is_missed_by_one_slow_move_in_ten(capsys: pytest.CaptureFixture[str]) -> None:
    times = web.Times()
    times.by_kind["move answered"] = [5.0] * 96 + [900.0] * 4
    assert web.show(times, 10)
    times.by_kind["move answered"] = [5.0] * 90 + [900.0] * 10
    assert not web.show(times, 10)
    assert "10.0 moves of people per second" in capsys.readouterr().out


def test_no_moves_are_no_success() -> None:
    assert not web.show(web.Times(), 10)

"""What was accepted stays: with SQLite and PostgreSQL, after a kill, and while they are gone."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from tests.support.postgres import Postgres
from tests.support.rooms import Player, buttons, cards, is_over, may_give, may_guess, seen
from tests.support.small_disk import small_disk
from tests.support.web import ServedSite, made_up_settings, running_site
from wordkin.cli import main
from wordkin.web.database import Database
from wordkin.web.database.models import Base
from wordkin.web.settings import database_url

SMALL = {"first": "6", "second": "5", "neutral": "4", "assassins": "0"}


def test_the_migrations_make_the_tables_of_the_models(database: str) -> None:
    opened = Database(database_url(database))
    opened.upgrade()
    with opened.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
    opened.close()


@pytest.mark.slow
def test_every_accepted_move_is_there_after_a_kill(database: str, bundles: tuple[str, ...]) -> None:
    with ServedSite(bundles, database) as served:
        players = [Player(served.url) for _ in range(4)]
        accepted: dict[Player, int] = {}
        for player in players:
            player.open("guesser", opponents="none", **SMALL)

        def play(player: Player) -> None:
            # Until the site is gone; only what was answered counts.
            while True:
                parts = player.wait_for(lambda parts: may_guess(parts) or is_over(parts))
                if is_over(parts):
                    return
                answer = player.post("card", card=buttons(parts)[0], seen=seen(parts))
                if answer.status_code == 200:
                    accepted[player] = seen(answer.json()["parts"])

        threads = [threading.Thread(target=until_the_site_is_gone, args=(play, p)) for p in players]
        for thread in threads:
            thread.start()
        while len(accepted) < len(players):
            assert all(thread.is_alive() for thread in threads)
            time.sleep(0.01)
        served.kill()
        for thread in threads:
            thread.join()
    with ServedSite(bundles, database, served.port) as restarted:
        assert restarted.url == served.url
        for player in players:
            parts = player.parts()
            assert seen(parts) >= accepted[player]
            # The cookie still fits the seat, and the game goes on.
            parts = player.wait_for(lambda parts: may_guess(parts) or is_over(parts))
            if not is_over(parts):
                player.do("card", card=buttons(parts)[0], seen=seen(parts))


def until_the_site_is_gone(play: Callable[[Player], None], player: Player) -> None:
    with suppress(httpx.TransportError):
        play(player)


@pytest.mark.slow
def test_players_are_told_while_postgres_is_gone(
    postgres: Postgres, bundles: tuple[str, ...], tmp_path: Path
) -> None:
    postgres.empty()
    with running_site(made_up_settings(tmp_path, bundles, postgres.url)) as running:
        player = Player(running.url)
        player.open("guesser", opponents="none", **SMALL)
        parts = player.wait_for(may_guess)
        at, card = seen(parts), buttons(parts)[0]
        postgres.stop()
        try:
            assert_told(player, card, at)
        finally:
            postgres.start()
        assert_goes_on(player, card, at)


@pytest.mark.slow
@pytest.mark.parametrize("condition", ["full", "read_only"])
def test_players_are_told_while_the_disk_of_sqlite_is(
    condition: str, bundles: tuple[str, ...], tmp_path: Path
) -> None:
    with (
        small_disk(tmp_path / "disk", mebibytes=2) as disk,
        running_site(made_up_settings(disk.folder, bundles)) as running,
    ):
        player = Player(running.url)
        player.open("guesser", opponents="none", **SMALL)
        parts = player.wait_for(may_guess)
        at, card = seen(parts), buttons(parts)[0]
        # A disk with an open file cannot be mounted read-only: SQLite opens it again later.
        running.site.database.engine.dispose()
        with getattr(disk, condition)():
            answer = player.post("card", card=card, seen=at)
            assert answer.status_code == 503
            assert "cannot be stored" in answer.json()["error"]
            assert not cards(player.parts())[card]
        assert_goes_on(player, card, at)


@pytest.mark.slow
def test_a_database_that_cannot_be_used_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.sqlite").write_text("This is no database, but a text of some length.\n" * 9)
    newer = Database(database_url(str(tmp_path / "newer.sqlite")))
    newer.upgrade()
    with newer.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'tomorrow'"))
    newer.close()
    locked = sqlite3.connect(tmp_path / "locked.sqlite", isolation_level=None)
    locked.execute("BEGIN EXCLUSIVE")
    for name, status, sentence in (
        ("text.sqlite", 2, "text.sqlite is no database that the site can use (file is not a"),
        ("newer.sqlite", 2, "newer.sqlite are of another version of Wordkin: install the newest"),
        ("locked.sqlite", 1, "locked.sqlite (database is locked): check its address, that it runs"),
        ("text.sqlite/web.sqlite", 1, "text.sqlite (File exists)"),
    ):
        assert main(["study", "status", "--database", str(tmp_path / name)]) == status
        said = capsys.readouterr().err
        assert sentence in said
        assert said.count("\n") == 1
    locked.close()


def assert_told(player: Player, card: str, at: int) -> None:
    """The database is gone: a sentence, nothing changes, and health says so."""
    answer = player.post("card", card=card, seen=at)
    assert answer.status_code == 503
    assert "cannot be stored" in answer.json()["error"]
    assert answer.headers["retry-after"]
    health = player.client.get("/health")
    assert (health.status_code, health.json()) == (503, {"database": "gone"})
    parts = player.parts()  # The room is in memory, so the page still works.
    assert seen(parts) == at
    assert not cards(parts)[card]


def assert_goes_on(player: Player, card: str, at: int) -> None:
    """The database is back: the same move is accepted, and nothing was lost."""
    parts = player.do("card", card=card, seen=at)
    assert "turned" in cards(parts)[card]
    assert player.client.get("/health").status_code == 200


@pytest.mark.slow
def test_agents_wait_until_the_database_is_back(
    postgres: Postgres, bundles: tuple[str, ...], tmp_path: Path
) -> None:
    postgres.empty()
    with running_site(made_up_settings(tmp_path, bundles, postgres.url)) as running:
        player = Player(running.url)
        player.open("spymaster", opponents="none", **SMALL)
        clue = next(
            word
            for word in player.words()
            if player.client.get(f"{player.room}/check", params={"clue": word}).json()["legal"]
        )
        pick = running.site.agents.pick

        async def pick_after_the_server_stopped(*given: object) -> object:
            move = await pick(*given)  # type: ignore[arg-type]
            if not stopped:
                stopped.append(True)
                postgres.stop()
            return move

        stopped: list[bool] = []
        running.site.agents.pick = pick_after_the_server_stopped  # type: ignore[method-assign, assignment]
        player.do("clue", clue=clue, number="1", seen=0)
        try:
            player.wait_for(lambda parts: "cannot be stored" in parts["status"])
        finally:
            postgres.start()
        player.wait_for(lambda parts: may_give(parts) or is_over(parts))


@pytest.mark.slow
def test_a_move_of_another_process_is_taken_over(
    database: str, bundles: tuple[str, ...], tmp_path: Path
) -> None:
    with (
        running_site(made_up_settings(tmp_path, bundles, database)) as first,
        running_site(made_up_settings(tmp_path, bundles, database)) as second,
    ):
        here, there = Player(first.url), Player(second.url)
        here.open("guesser", opponents="none", **SMALL)
        parts = here.wait_for(may_guess)
        there.client.cookies.set("wordkin", here.client.cookies["wordkin"])
        there.join(here.room)
        cards_there = buttons(there.parts())
        here.do("card", card=cards_there[0], seen=seen(parts))
        answer = there.post("card", card=cards_there[1], seen=seen(parts))
        assert answer.status_code == 409
        assert "turned" in cards(there.parts())[cards_there[0]]
        assert not cards(there.parts())[cards_there[1]]

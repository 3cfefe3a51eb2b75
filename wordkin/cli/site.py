"""`wordkin serve` and `wordkin study`: the game in the browser, and studies with people."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wordkin.cli import output
from wordkin.cli.options import FILE, json_option
from wordkin.errors import InputError
from wordkin.lookup import languages_there
from wordkin.ranges import Whole

if TYPE_CHECKING:
    from wordkin.web.database import Database

database_option = click.option(
    "--database",
    envvar="WORDKIN_DATABASE",
    metavar="DATABASE",
    help="An SQLite file, or a URL such as postgresql://user@host/name. [default: "
    "$WORDKIN_DATABASE, or a file in your home folder]",
)


@contextmanager
def web_packages() -> Iterator[None]:
    """Say what to install if a package of the extra `web` is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise InputError(
            f"The web game needs the package '{error.name}': install it with pip install "
            "'wordkin[web]'."
        ) from None


@click.command()
@click.option("--host", default="127.0.0.1", help="Where to listen.")
@click.option("--port", type=Whole(0, 65_535), default=8000, help="The port.")
@click.option(
    "--bundle",
    "bundles",
    multiple=True,
    metavar="BUNDLE",
    help="A language, or a folder or archive of a bundle; may be repeated. [default: all bundles "
    "that are there]",
)
@database_option
@click.option("--workers", type=Whole(1, 1024), default=2, help="Processes for the agents.")
@click.option(
    "--keep-days",
    type=Whole(1, 36500),
    default=365,
    metavar="DAYS",
    help="Delete games, rounds and participations in studies after so many days.",
)
@click.option(
    "--proxy",
    default="127.0.0.1",
    metavar="ADDRESSES",
    help="Reverse proxies whose X-Forwarded headers are believed.",
)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    help="Another address of this site, such as https://play.example.org; may be repeated.",
)
def serve(
    host: str,
    port: int,
    bundles: tuple[str, ...],
    database: str | None,
    workers: int,
    keep_days: int,
    proxy: str,
    origins: tuple[str, ...],
) -> None:
    """Play in the browser, with people and agents, until the process is told to stop."""
    with web_packages():
        from wordkin.web import server
        from wordkin.web.settings import Settings, database_url, default_database

    settings = Settings(
        database=database_url(database or default_database()),
        bundles=bundles or tuple(_languages()),
        origins=origins,
        workers=workers,
        keep_days=keep_days,
    )
    server.serve(settings, host, port, proxy)


def _languages() -> list[str]:
    languages = languages_there()
    if not languages:
        raise InputError(
            "There are no bundles to play with: build them with make run, install a wheel, or name "
            "one with --bundle."
        )
    return languages


site_option = click.option(
    "--site",
    default="http://127.0.0.1:8000",
    metavar="URL",
    help="The address of the site, for the address of a study.",
)


@contextmanager
def opened(database: str | None) -> Iterator[Database]:
    """The database of a site, with all its tables."""
    with web_packages():
        from wordkin.web.database import Database
        from wordkin.web.settings import database_url, default_database
    opened = Database(database_url(database or default_database()), threads=1)
    try:
        opened.upgrade()
        yield opened
    finally:
        opened.close()


@click.group()
def study() -> None:
    """Start studies with people, look at what comes in, export it, and delete people's data."""


@study.command()
@json_option
@database_option
@site_option
@click.argument("file", type=FILE)
def new(file: Path, database: str | None, site: str, as_json: bool) -> None:
    """Start the study of a file, and print its address."""
    with opened(database) as data:
        from wordkin.web.database.studies import add_study
        from wordkin.web.study.design import read_design

        design = read_design(file)
        code = data.transact(partial(add_study, design=design))
    address = _address(site, code)
    if as_json:
        output.print_json({"study": design.name, "address": address})
    else:
        output.print_lines(f"The study '{design.name}' has begun: {address}")


@study.command()
@json_option
@database_option
@site_option
@click.argument("names", nargs=-1, metavar="[NAME]...")
def status(names: tuple[str, ...], database: str | None, site: str, as_json: bool) -> None:
    """Show what has come in for some studies, or for all."""
    with opened(database) as data:
        from wordkin.web.database.studies import statuses

        known = {study.name: study for study in data.transact(statuses)}
    _check_known(names, known)
    shown = [study for name, study in known.items() if not names or name in names]
    if as_json:
        output.print_json(
            [{**asdict(study), "address": _address(site, study.code)} for study in shown]
        )
        return
    if not shown:
        output.print_lines(
            "There are no studies in this database: start one with wordkin study new FILE."
        )
        return
    head = ["study", "language", "people", "finished", "rounds", "rounds per clue", "address"]
    rows = [
        (
            study.name,
            study.language,
            str(study.people),
            str(study.finished),
            str(study.rounds),
            f"{study.fewest} to {study.most}",
            _address(site, study.code),
        )
        for study in shown
    ]
    output.print_table(head, rows)


@study.command()
@json_option
@database_option
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--out",
    type=FILE,
    required=True,
    metavar="FILE",
    help="Where to write the rounds, as JSON lines.",
)
@click.option(
    "--answers",
    type=FILE,
    metavar="FILE",
    help="Where to write the answers to the questions, as JSON lines.",
)
def export(
    names: tuple[str, ...], database: str | None, out: Path, answers: Path | None, as_json: bool
) -> None:
    """Write the rounds of some studies, and of games by the name 'games'."""
    with opened(database) as data:
        from wordkin.web.database.rounds import GAMES, exported_items
        from wordkin.web.database.studies import exported_answers, statuses

        known = {study.name: study for study in data.transact(statuses)}
        _check_known([name for name in names if name != GAMES], known)
        items = data.transact(partial(exported_items, sources=names))
        given = [
            entry
            for name in dict.fromkeys(names)
            for entry in data.transact(partial(exported_answers, name=name))
        ]
    if not items:
        raise InputError(
            f"There are no rounds of {', '.join(names)} yet: export when people have played."
        )
    _write_lines(out, items)
    if answers is not None:
        _write_lines(answers, given)
    rounds = sum(len(item["rounds"]) for item in items)
    people = {played["session"] for item in items for played in item["rounds"]}
    if as_json:
        output.print_json({"rounds": rounds, "people": len(people), "written": str(out)})
    else:
        output.print_lines(f"Wrote {rounds:,} rounds of {len(people):,} people to {out}.")


@study.command()
@json_option
@database_option
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
def delete(ids: tuple[str, ...], database: str | None, as_json: bool) -> None:
    """Delete what is stored under the ids that people got."""
    with opened(database) as data:
        from wordkin.web.database.rounds import delete_person
        from wordkin.web.visitors import digest

        for name in ids:
            deleted = data.transact(partial(delete_person, person=digest(name)))
            if as_json:
                output.print_json({"id": name, **deleted._asdict()})
            else:
                output.print_lines(f"{name}: {deleted.rounds} rounds deleted.")


def _check_known(names: Collection[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            there = f"there are {', '.join(known)}" if known else "there are none"
            raise InputError(f"There is no study '{name}' in this database: {there}.")


def _address(site: str, code: str) -> str:
    return f"{site.rstrip('/')}/study/{code}"


def _write_lines(path: Path, entries: list[dict[str, object]]) -> None:
    from wordkin.files import write_text

    lines = "".join(f"{json.dumps(entry, ensure_ascii=False)}\n" for entry in entries)
    with output.writing(path):
        write_text(path, lines)

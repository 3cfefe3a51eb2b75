"""`wordkin study`: start studies, look at what comes in, export it, and delete people's data."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from wordkin.cli import output
from wordkin.cli.command import Command
from wordkin.errors import InputError

if TYPE_CHECKING:
    from wordkin.web.database import Database

DATABASE = "WORDKIN_DATABASE"
NEW, STATUS, EXPORT, DELETE = "new", "status", "export", "delete"


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "action",
        choices=[NEW, STATUS, EXPORT, DELETE],
        help="new FILE: start a study; status [NAME ...]: what has come in; export NAME ...: write "
        "the rounds of studies, and of games by the name 'games'; delete ID ...: delete what is "
        "stored under the ids that people got",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="a file, names of studies, or ids")
    parser.add_argument(
        "--database",
        default=os.environ.get(DATABASE),
        help=f"the database of the site (default: ${DATABASE}, or a file in your home folder)",
    )
    parser.add_argument(
        "--site",
        default="http://127.0.0.1:8000",
        metavar="URL",
        help="the address of the site, for the address of a study (default: %(default)s)",
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="where export writes the rounds, as JSON lines"
    )
    parser.add_argument(
        "--answers",
        type=Path,
        metavar="FILE",
        help="where export writes the answers to the questions, as JSON lines",
    )


def run(given: Namespace) -> int | None:
    """Do what the action says."""
    try:
        from wordkin.web.database import Database
        from wordkin.web.settings import database_url, default_database
    except ModuleNotFoundError as error:
        raise InputError(
            f"Studies need the package '{error.name}': install it with pip install 'wordkin[web]'."
        ) from None
    database = Database(database_url(given.database or default_database()), threads=1)
    try:
        database.upgrade()
        return ACTIONS[given.action](given, database)
    finally:
        database.close()


def new(given: Namespace, database: Database) -> int | None:
    """Start a study, and print its address."""
    from wordkin.web.study.file import read_design
    from wordkin.web.study.store import add_study

    if len(given.names) != 1:
        raise InputError("Name one file: wordkin study new FILE.")
    design = read_design(Path(given.names[0]))
    code = database.transact(partial(add_study, design=design))
    address = _address(given, code)
    if given.json:
        output.print_json({"study": design.name, "address": address})
    else:
        print(f"The study '{design.name}' has begun: {address}")
    return None


def status(given: Namespace, database: Database) -> None:
    """Print what has come in."""
    from dataclasses import asdict

    from wordkin.web.study.store import statuses

    known = {study.name: study for study in database.transact(statuses)}
    for name in given.names:
        _check_known(name, known)
    shown = [study for name, study in known.items() if not given.names or name in given.names]
    if given.json:
        output.print_json(
            [{**asdict(study), "address": _address(given, study.code)} for study in shown]
        )
        return
    if not shown:
        print("There are no studies in this database: start one with wordkin study new FILE.")
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
            _address(given, study.code),
        )
        for study in shown
    ]
    output.print_table(head, rows)


def export(given: Namespace, database: Database) -> None:
    """Write the rounds of some studies, and the answers to their questions."""
    from wordkin.web.rounds import GAMES, exported_items
    from wordkin.web.study.store import exported_answers, statuses

    if not given.names or given.out is None:
        raise InputError("Name studies and a file: wordkin study export NAME --out FILE.")
    known = {study.name: study for study in database.transact(statuses)}
    for name in given.names:
        if name != GAMES:
            _check_known(name, known)
    items = database.transact(partial(exported_items, sources=given.names))
    if not items:
        raise InputError(
            f"There are no rounds of {', '.join(given.names)} yet: export when people have played."
        )
    _write_lines(given.out, items)
    if given.answers is not None:
        answers = [
            entry
            for name in dict.fromkeys(given.names)
            for entry in database.transact(partial(exported_answers, name=name))
        ]
        _write_lines(given.answers, answers)
    rounds = sum(len(item["rounds"]) for item in items)
    people = {played["session"] for item in items for played in item["rounds"]}
    if given.json:
        output.print_json({"rounds": rounds, "people": len(people), "written": str(given.out)})
    else:
        print(f"Wrote {rounds:,} rounds of {len(people):,} people to {given.out}.")


def delete(given: Namespace, database: Database) -> None:
    """Delete what is stored under some ids."""
    from wordkin.web.keeping import delete_person
    from wordkin.web.people import digest

    if not given.names:
        raise InputError("Name at least one id: wordkin study delete ID.")
    for name in given.names:
        deleted = database.transact(partial(delete_person, person=digest(name)))
        if given.json:
            output.print_json({"id": name, **deleted._asdict()})
        else:
            print(f"{name}: {deleted.rounds} rounds deleted.")


ACTIONS = {NEW: new, STATUS: status, EXPORT: export, DELETE: delete}


def _check_known(name: str, known: Collection[str]) -> None:
    if name not in known:
        there = f"there are {', '.join(known)}" if known else "there are none"
        raise InputError(f"There is no study '{name}' in this database: {there}.")


def _address(given: Namespace, code: str) -> str:
    return f"{given.site.rstrip('/')}/study/{code}"


def _write_lines(path: Path, entries: list[dict[str, object]]) -> None:
    from wordkin.files import write_text

    lines = "".join(f"{json.dumps(entry, ensure_ascii=False)}\n" for entry in entries)
    with output.writing(path):
        write_text(path, lines)


COMMAND = Command(
    "study",
    "start studies with people, and export what they chose",
    add_options,
    run,
    example="study export pilot --out rounds.jsonl",
)

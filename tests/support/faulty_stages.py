"""Stages and commands with faults at their steps, in a process of their own.

    python -m tests.support.faulty_stages <project> <most> <name>[=<most>] ...

At most `most` steps fail per name, unless it has a number of its own. Prints one line of JSON per
name: the number of faults, and what went wrong.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from pipeline.__main__ import main as pipeline
from pipeline.layout import Layout
from pipeline.stage import Stage
from pipeline.stages import all_stages
from tests.support.faults import Call, ProcessDisk, feel_faults, try_faults, watched
from tests.support.project import LANGUAGE
from tests.support.studies import write_study
from wordkin.cli import main as wordkin
from wordkin.exports import FORMATS
from wordkin.web.database import Database
from wordkin.web.database.models import Round
from wordkin.web.database.rounds import record_round
from wordkin.web.settings import database_url
from wordkin.web.visitors import digest as person_digest

PLAYERS = "report players"
DOWNLOADS = {"fetched"}
"""What a stage adds to and never replaces."""


def stage_call(stage: Stage, layout: Layout) -> Call:
    """A stage of the project, with old outputs in its way."""
    names = [name for name in stage.writes if name not in DOWNLOADS]

    def reset() -> None:
        for name in names:
            make_old(layout.place(name))
        if stage.name == "counts":
            shutil.rmtree(layout.count_cache, ignore_errors=True)

    command = partial(pipeline, ["--root", str(layout.root), stage.name, LANGUAGE])
    return Call(stage.name, command, [layout.place(name) for name in names], reset)


def make_old(place: Path) -> None:
    """Make an output differ from what will be made."""
    if place.is_dir():
        shutil.rmtree(place)
        place.mkdir()
        (place / "old").write_text("old")
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("old")


def other_calls(layout: Layout) -> dict[str, Call]:
    """The commands besides stages that write something."""
    out, root = layout.root / "out", ["--root", str(layout.root)]
    bundle = ["--bundle", str(layout.bundle)]
    params, raw = layout.root / "params.yaml", layout.raw / "more.txt"
    original = params.read_bytes()

    changes = layout.root / "changes.yaml"

    def forget() -> None:
        params.write_bytes(original)
        raw.write_text("More words of piano and ship.\n" * 30)
        changes.write_text("svd: {seed: 7}\n")

    add, merge = (
        partial(pipeline, [*root, *words])
        for words in (("add", LANGUAGE, str(raw)), ("merge", str(changes)))
    )
    calls = {
        "add": Call("add", add, [params], forget, repeatable=False),
        "merge": Call("merge", merge, [params], forget),
    }

    def writing(
        name: str, command: Callable[[Path], int], target: str, swapped: bool = True
    ) -> None:
        path = out / target

        def reset() -> None:
            shutil.rmtree(out, ignore_errors=True)
            if path.suffix in (".zip", ".whl"):
                make_old(path)

        calls[name] = Call(name, lambda: command(path), [path], reset, swapped=swapped)

    for kind in ("parquet", "mtx", "glove"):
        counts = [*root, "counts", LANGUAGE, "--export", kind, "--to"]
        writing(f"counts {kind}", partial(_with_path, pipeline, counts), kind, swapped=False)
    words = layout.raw / "words.txt"
    words.write_text("piano\nship\nbread\n")
    for kind in FORMATS:
        options = ["export", kind, *bundle, "--measure", "svd", "--words", str(words), "--top", "5"]
        writing(f"export {kind}", partial(_with_path, wordkin, options), kind)
    writing("pack zip", partial(_with_path, wordkin, ["pack", *bundle]), "en.zip")
    wheel = ["pack", "--wheel", "--version", "1.0", *bundle]
    writing(
        "pack wheel",
        lambda path: wordkin([*wheel, str(path.parent)]),
        "wordkin_en-1.0-py3-none-any.whl",
    )
    calls |= study_calls(layout.root / "site")
    return calls


def study_calls(folder: Path) -> dict[str, Call]:
    """The commands that write to the database of a site, or export from it."""
    folder.mkdir(exist_ok=True)
    database, out = folder / "web.sqlite", folder / "rounds.jsonl"
    option = ["--database", str(database)]
    study = write_study(folder)
    person = "abcd-efgh-ijkl-mnop"

    def empty() -> None:
        for path in folder.glob("web.sqlite*"):
            path.unlink()

    def fill() -> None:
        empty()
        out.unlink(missing_ok=True)
        opened = Database(database_url(str(database)), threads=1)
        opened.upgrade()
        played = Round(
            source="games", person=person_digest(person), language="en", board="b",
            words=[*"xyz"], blue=["x"], clue="clue", number=1, picks=["x"],
        )  # fmt: skip
        opened.transact(partial(record_round, played=played))
        opened.close()

    new, export, delete = (
        partial(wordkin, ["study", *words, *option])
        for words in (
            ("new", str(study)),
            ("export", "games", "--out", str(out)),
            ("delete", person),
        )
    )
    return {
        "study new": Call("study new", new, [database], empty, False, look=stored),
        "study export": Call("study export", export, [out], fill),
        "study delete": Call("study delete", delete, [database], fill, look=stored),
    }


def stored(database: Path) -> str | None:
    """The names of the studies and the rounds in a database; none if there is no such table."""
    if not database.exists():
        return "[] []"
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA query_only = 1")
        try:
            studies = connection.execute("SELECT name FROM studies ORDER BY name").fetchall()
            rounds = connection.execute("SELECT person FROM rounds ORDER BY person").fetchall()
        except sqlite3.OperationalError:
            return "[] []"
    return f"{studies} {rounds}"


def _with_path(program: Callable[[list[str]], int], arguments: list[str], path: Path) -> int:
    return program([*arguments, str(path)])


def all_calls(layout: Layout) -> dict[str, Call]:
    """All stages, and all other commands that write something.

    Of `report players`, steps fail in the processes that play.
    """
    stages = {stage.name: stage_call(stage, layout) for stage in all_stages()}
    players = {PLAYERS: replace(stages["report"], name=PLAYERS)}
    return stages | players | other_calls(layout)


def main(root: Path, most: int, names: list[str]) -> None:
    temporary = root / "temporary"
    temporary.mkdir(exist_ok=True)
    os.environ["TMPDIR"] = tempfile.tempdir = str(temporary)
    calls, disk = all_calls(Layout(root, LANGUAGE)), watched(root)
    disks = {PLAYERS: ProcessDisk(root)}
    for given in names or calls:
        name, _, own = given.partition("=")
        trials = list(try_faults(disks.get(name, disk), calls[name], int(own or most)))
        problems = [problem for trial in trials for problem in trial.problems()]
        tolerated = sum(trial.result.status == 0 for trial in trials)
        report = {"name": name, "faults": len(trials), "tolerated": tolerated, "problems": problems}
        print(json.dumps(report), flush=True)


if __name__ == "__mp_main__":  # a process that the program of this module started
    feel_faults()
if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])

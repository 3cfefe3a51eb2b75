"""Study files, and people without a browser who take part."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import httpx

from tests.support.web import Running
from wordkin.cli import main

BOARD = ["piano", "mouse", "bison", "tree", "ship", "bread", "nurse", "harbor"]
STUDY: dict[str, Any] = {
    "name": "pilot",
    "language": "en",
    "title": "Which words belong together?",
    "consent": "You will see <boards> of words.\n\nIt takes five minutes.",
    "order": "fixed",
    "boards": [
        {"name": "first", "words": BOARD, "blue": BOARD[:4]},
        {"name": "second", "words": BOARD[::-1], "blue": BOARD[:3]},
    ],
    "clues": [
        {"board": "first", "clue": "keyboard", "number": 2},
        {"board": "second", "clue": "forest", "number": 3},
    ],
    "questions": [
        {"name": "native", "text": "Native?", "kind": "choice", "options": ["yes", "no"],
         "required": True},
        {"name": "age", "text": "Age?", "kind": "number", "low": 18, "high": 120},
        {"name": "hard", "text": "Hard?", "kind": "scale", "low": 1, "high": 5},
        {"name": "remarks", "text": "Remarks?", "kind": "text"},
    ],
}  # fmt: skip
"""A study that is as it should be."""


def write_study(folder: Path, **changes: Any) -> Path:
    """Write a study file in JSON, which is YAML as well."""
    path = folder / "study.yaml"
    path.write_text(json.dumps({**STUDY, **changes}, indent=1), encoding="utf-8")
    return path


def database_of(running: Running) -> str:
    """The option that names the database of a site."""
    return f"--database={running.site.settings.database}"


def start_study(running: Running, folder: Path, capsys: Any, **changes: Any) -> str:
    """Start a study by the command line; returns the path of its address."""
    path = write_study(folder, **changes)
    capsys.readouterr()
    assert main(["study", "new", str(path), database_of(running), "--json"]) == 0
    address: str = json.loads(capsys.readouterr().out)["address"]
    return address.removeprefix("http://127.0.0.1:8000")


class Volunteer:
    """Somebody who takes part in a study."""

    def __init__(self, running: Running, address: str, language: str = "en") -> None:
        self.client, self.address = running.client(language), address

    def see(self) -> str:
        """The page where the person is."""
        return self.client.get(self.address).text

    def consent(self) -> str:
        return self.client.post(f"{self.address}/consent", data={"agree": "yes"}).text

    def pick(self, place: int, *picks: str, **fields: str) -> httpx.Response:
        form = {"place": str(place), "pick": list(picks), **fields}
        return self.client.post(f"{self.address}/answer", data=form)

    def answer(self, **answers: str) -> httpx.Response:
        return self.client.post(f"{self.address}/questions", data=answers)

    def person_id(self) -> str:
        """The id that the page shows."""
        (found,) = set(re.findall(r"<code>([a-z0-9-]+)</code>", self.see()))
        return html.unescape(found)

    def take_part(self, *picks: tuple[str, ...]) -> str:
        """Take part from the consent to the end; returns the id."""
        self.consent()
        for place, cards in enumerate(picks):
            self.see()
            self.pick(place, *cards)
        self.answer(native="yes")
        return self.person_id()

"""Players without a browser: they read a room's page, send its forms and open its sockets."""

from __future__ import annotations

import html
import json
import re
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from tests.support.bundles import HUNGARIAN_TOPICS, TOPICS
from tests.support.web import visitor

WORDS = {
    "en": sorted({word for line in TOPICS.values() for word in line.split()}),
    "hu": sorted({word for line in HUNGARIAN_TOPICS.values() for word in line.split()}),
}
"""Words on cards that the made-up bundles know."""

CARD = re.compile(r'<li class="card([^"]*)">\s*<(button|span)[^>]*>([^<]+)<')
SIZES = {"long", "longer"}
PATIENCE = 20.0


class Player:
    """Somebody in a room.

    Parameters
    ----------
    url : str
        The address of the site.
    language : str
        The language of the interface and of the words.
    """

    def __init__(self, url: str, language: str = "en") -> None:
        self.url, self.language = url, language
        self.client = visitor(url, language)
        self.client.get("/")
        self.room = ""
        self.sent: list[bytes] = []
        """All that the site sent to this player."""
        self.client.event_hooks["response"].append(self._keep)

    def _keep(self, response: httpx.Response) -> None:
        response.read()
        self.sent.append(response.content + repr(response.headers.raw).encode())

    def open(self, mode: str, **fields: Any) -> str:
        """Make a room and return its address."""
        form = {"mode": mode, "words_language": self.language, "words": "\n".join(self.words())}
        answer = self.client.post("/play", data={**form, **fields})
        assert answer.status_code == 200, answer.text
        self.room = answer.url.path
        return self.room

    def words(self) -> list[str]:
        return WORDS[self.language]

    def join(self, room: str) -> None:
        """Go to a room."""
        self.room = room
        assert self.client.get(room).status_code == 200

    def post(self, action: str, **fields: Any) -> httpx.Response:
        """Send a form of the room as its script does."""
        headers = {"Accept": "application/json"}
        return self.client.post(f"{self.room}/{action}", data=fields, headers=headers)

    def do(self, action: str, **fields: Any) -> dict[str, str]:
        """Send a form that must be accepted, and return the parts of the page."""
        answer = self.post(action, **fields)
        assert answer.status_code == 200, answer.text
        parts: dict[str, str] = answer.json()["parts"]
        return parts

    def parts(self) -> dict[str, str]:
        """The parts of the page now."""
        answer = self.client.get(f"{self.room}/state")
        assert answer.status_code == 200, answer.text
        parts: dict[str, str] = answer.json()["parts"]
        return parts

    def wait_for(self, wanted: Callable[[dict[str, str]], Any]) -> dict[str, str]:
        """The parts of the page as soon as they are as wanted."""
        end = time.monotonic() + PATIENCE
        while not wanted(parts := self.parts()):
            assert time.monotonic() < end, parts["status"]
            time.sleep(0.02)
        return parts


def seen(parts: dict[str, str]) -> int:
    """The number of moves that a page shows."""
    match = re.search(r'name="seen" value="(\d+)"', parts["board"])
    assert match
    return int(match[1])


def cards(parts: dict[str, str]) -> dict[str, set[str]]:
    """The words on the table, and the classes of each card: its colour, and `turned`."""
    return {
        html.unescape(word): set(kind.split()) - SIZES
        for kind, _, word in CARD.findall(parts["board"])
    }


def buttons(parts: dict[str, str]) -> list[str]:
    """The cards that may be turned over."""
    return [html.unescape(word) for _, tag, word in CARD.findall(parts["board"]) if tag == "button"]


def may_guess(parts: dict[str, str]) -> bool:
    """Whether it is the player's turn to turn over a card."""
    return bool(buttons(parts))


def may_give(parts: dict[str, str]) -> bool:
    """Whether it is the player's turn to give a clue."""
    return 'name="clue"' in parts["controls"]


def is_over(parts: dict[str, str]) -> bool:
    """Whether the game is over."""
    return 'class="status over"' in parts["status"]


class Socket:
    """The live connection of a player; `parts` is the page as the player sees it.

    Parameters
    ----------
    player : Player
        Whose connection this is.
    origin : str, optional
        The site that the browser is on; the player's by default.
    """

    def __init__(self, player: Player, origin: str | None = None) -> None:
        cookie = f"wordkin={player.client.cookies['wordkin']}"
        self.player = player
        self.parts: dict[str, str] = {}
        self.version = ""
        self._context = connect(
            f"{player.url.replace('http', 'ws', 1)}{player.room}/live",
            origin=origin or player.url,  # type: ignore[arg-type]
            additional_headers={"Cookie": cookie},
        )
        self.connection: ClientConnection = self._context.__enter__()

    def receive(self, timeout: float = 10) -> dict[str, str]:
        """The parts of the page in the next message."""
        message = self.connection.recv(timeout)
        self.player.sent.append(message.encode() if isinstance(message, str) else message)
        state: dict[str, Any] = json.loads(message)
        self.parts, self.version = state["parts"], state["version"]
        return self.parts

    def __enter__(self) -> Socket:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._context.__exit__(kind, error, trace)

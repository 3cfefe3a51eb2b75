"""Sockets of a room, as a browser opens them."""

from __future__ import annotations

import json
from types import TracebackType
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.support.rooms import Player


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

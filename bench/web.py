"""The web game under load: 200 players in 100 rooms on loopback, for half a minute.

In each room two people play against two agents: one gives clues, the other turns over cards, each
after some time to think. Times are those of the players: from the click to the answer, from the
click to the partner's screen, and from the end of a turn to the other team's clue by an agent.
Before, one person looks at some words in Explore.

    python -m bench.web [--rooms 100] [--seconds 30] [--bundle en]
"""

from __future__ import annotations

import argparse
import asyncio
import html
import json
import multiprocessing
import random
import re
import socket
import statistics
import sys
import time
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import httpx
import psutil
from websockets.asyncio.client import ClientConnection, connect

from bench.clue import make_bundle
from wordkin.bundle import load
from wordkin.errors import InputError
from wordkin.game.board import board_words
from wordkin.web.server import serve
from wordkin.web.settings import Limits, Settings, database_url

MOVE, CLUE, SHOWN = "move answered", "clue of an agent", "move shown to the partner"
BARS = {MOVE: 50.0, CLUE: 250.0}
"""The milliseconds that 95 % of the moves and clues must not exceed."""
THINKING = (1.0, 5.0)
"""The seconds that a player takes for a move."""
WARMING = 60.0
"""The most seconds to wait for the first clues."""
EXPLORED = 20
"""The number of words that are looked at in Explore."""
BUTTON = re.compile(r'<button id="card-\d+" name="card" value="([^"]*)"')
SEEN = re.compile(r'name="seen" value="(\d+)"')


class Times:
    """The milliseconds of everything that was measured, by kind.

    `processes` are those whose processor time is measured as well, with their names; `spent` is
    what each of them used while people's moves were measured, in seconds.
    """

    def __init__(self) -> None:
        self.by_kind: defaultdict[str, list[float]] = defaultdict(list)
        self.refused = 0
        self.processes: list[tuple[str, psutil.Process]] = []
        self.spent: list[float] = []

    def add(self, kind: str, start: float) -> None:
        """Record the time since `start`."""
        self.by_kind[kind].append(1000 * (time.perf_counter() - start))

    def begin(self) -> None:
        """Forget the moves so far: those that count begin now."""
        for kind in (MOVE, CLUE, SHOWN):
            self.by_kind[kind].clear()
        self.refused = 0
        self.spent = self._spent()

    def finish(self) -> None:
        """No move counts from now on."""
        self.spent = [now - before for before, now in zip(self.spent, self._spent(), strict=True)]

    def _spent(self) -> list[float]:
        times = [process.cpu_times() for _, process in self.processes]
        return [spent.user + spent.system for spent in times]


class Answer(NamedTuple):
    """What the site answered to a form."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class Browser:
    """Sends forms over one connection that stays open, as a browser does.

    It reads no more of HTTP than the site writes. A client for all sites would take a large part
    of the two cores for 200 players, which in earnest have cores of their own.
    """

    def __init__(self, url: str) -> None:
        self.address, self.url = urlsplit(url), url
        self.cookie = ""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._lock = asyncio.Lock()

    async def post(self, path: str, fields: dict[str, object]) -> Answer:
        """Send a form and wait for the answer."""
        body = urlencode(fields)
        request = (
            f"POST {path} HTTP/1.1\r\nHost: {self.address.netloc}\r\nOrigin: {self.url}\r\n"
            f"Accept: application/json\r\nCookie: {self.cookie}\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}"
        )
        async with self._lock:
            if self._streams is None:
                address = self.address.hostname, self.address.port
                self._streams = await asyncio.open_connection(*address)
            reader, writer = self._streams
            writer.write(request.encode())
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            pairs = (line.split(": ", 1) for line in lines if line)
            headers = {name.lower(): value for name, value in pairs}
            content = await reader.readexactly(int(headers.get("content-length", 0)))
        if "set-cookie" in headers:
            self.cookie = headers["set-cookie"].partition(";")[0]
        return Answer(int(first.split()[1]), headers, content)


class Player:
    """Somebody who watches a room by a socket and sends forms."""

    def __init__(self, url: str, times: Times, generator: random.Random) -> None:
        self.browser = Browser(url)
        self.url, self.times, self.random = url, times, generator
        self.room = ""
        self.parts: dict[str, str] = {}
        self.changed = asyncio.Event()
        self.partner: Player | None = None
        self.shown: dict[int, float] = {}
        self.awaited_clue: tuple[int, float] | None = None

    @property
    def seen(self) -> int:
        """The number of moves on the screen."""
        match = SEEN.search(self.parts.get("board", ""))
        return int(match[1]) if match else 0

    @property
    def red_clues(self) -> int:
        """The number of clues of the other team on the screen."""
        return self.parts.get("log", "").count('class="turn red"')

    async def post(self, action: str, **fields: object) -> Answer:
        """Send a form of the room."""
        return await self.browser.post(f"{self.room}/{action}", fields)

    async def watch(self, socket: ClientConnection) -> None:
        """Take in what the site sends."""
        async for message in socket:
            self.parts.update(json.loads(message)["parts"])
            for number in [number for number in self.shown if number < self.seen]:
                self.times.add(SHOWN, self.shown.pop(number))
            if self.awaited_clue and self.red_clues > self.awaited_clue[0]:
                self.times.add(CLUE, self.awaited_clue[1])
                self.awaited_clue = None
            self.changed.set()

    async def move(self, action: str, **fields: object) -> bool:
        """Make a move and record how long everything took."""
        start, seen = time.perf_counter(), self.seen
        assert self.partner is not None
        self.partner.shown[seen] = start
        self.awaited_clue = (self.red_clues, start)
        answer = await self.post(action, seen=seen, **fields)
        if answer.status != 200:
            self.times.refused += 1
            self.partner.shown.pop(seen, None)
            self.awaited_clue = None
            return False
        self.times.add(MOVE, start)
        parts = answer.json()["parts"]
        controls = parts["controls"]
        goes_on = BUTTON.search(parts["board"]) or 'id="clue"' in controls or action == "clue"
        if goes_on or 'id="start"' in controls:  # or the game is over
            self.awaited_clue = None
        return True

    async def play(self, words: list[str]) -> None:
        """Move whenever it is this player's turn, and start a new game after each."""
        while True:
            await self.changed.wait()
            self.changed.clear()
            await asyncio.sleep(self.random.uniform(*THINKING))
            cards = BUTTON.findall(self.parts["board"])
            if 'id="start"' in self.parts["controls"]:
                await self.post("start")
            elif 'id="clue"' in self.parts["controls"]:
                while not await self.move("clue", clue=self.random.choice(words), number=2):
                    pass
            elif cards and 'id="stop" disabled' not in self.parts["controls"]:
                await self.move("stop")
            elif cards:
                await self.move("card", card=html.unescape(self.random.choice(cards)))


async def play_room(
    url: str, language: str, words: list[str], times: Times, seed: int
) -> list[asyncio.Task[None]]:
    """Open a room with two people, and let them play."""
    generator = random.Random(seed)
    first, second = (Player(url, times, generator) for _ in range(2))
    first.partner, second.partner = second, first
    form: dict[str, object] = {"mode": "room", "words_language": language}
    answer = await first.browser.post("/play", {**form, "words": "\n".join(words)})
    tasks = []
    for player, seat in ((first, "blue-spymaster"), (second, "blue-guesser")):
        player.room = answer.headers["location"]
        await player.post("sit", seat=seat)
        socket = await connect(
            f"{url.replace('http', 'ws', 1)}{player.room}/live",
            origin=url,  # type: ignore[arg-type]
            additional_headers={"Cookie": player.browser.cookie},
            compression=None,
        )
        tasks.append(asyncio.create_task(player.watch(socket)))
        tasks.append(asyncio.create_task(player.play(words)))
    await first.post("start")
    return tasks


async def play_all(
    url: str, language: str, words: list[str], rooms: int, seconds: float, times: Times
) -> None:
    """Fill the rooms one after the other, then measure for some seconds.

    The agents' processes open their bundles first: measuring begins when all of them had time to
    give a clue.
    """
    tasks = []
    for seed in range(rooms):
        tasks += await play_room(url, language, words, times, seed)
    end = time.perf_counter() + WARMING
    while len(times.by_kind[CLUE]) < rooms // 4 and time.perf_counter() < end:
        await asyncio.sleep(0.1)
    times.begin()
    await asyncio.sleep(seconds)
    times.finish()
    failed = [task.exception() for task in tasks if task.done() and not task.cancelled()]
    for task in tasks:
        task.cancel()
    if failed:
        raise SystemExit(f"{len(failed)} players could not go on: {failed[0]!r}")


def explore(url: str, language: str, words: list[str], times: Times) -> None:
    """Look at some words in Explore, one after the other, while nobody plays."""
    with httpx.Client(base_url=url, timeout=60) as client:
        for word in words[:EXPLORED]:
            for part, kind in (
                ("quick", "neighbours of a word"),
                ("whole", "the same with reasons"),
            ):
                start = time.perf_counter()
                client.get(f"/explore/{language}/{word}", params={"part": part}).raise_for_status()
                times.add(kind, start)


def run_site(settings: Settings, port: int) -> None:
    """Serve the site, in a process of its own."""
    sys.stderr = open("/dev/null", "w")  # noqa: SIM115, PTH123
    serve(settings, "127.0.0.1", port, "127.0.0.1")


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def show(times: Times, seconds: float) -> bool:
    """Print the times, and return whether they are below the bars."""
    within = True
    print(f"  {'milliseconds':<28} {'count':>7} {'median':>8} {'95 %':>8} {'most':>8}  bar")
    for kind, values in sorted(times.by_kind.items()):
        values.sort()
        percentile = values[min(len(values) - 1, int(0.95 * len(values)))]
        bar = BARS.get(kind)
        within = within and (bar is None or percentile <= bar)
        print(
            f"  {kind:<28} {len(values):>7,} {statistics.median(values):>8.1f} {percentile:>8.1f} "
            f"{values[-1]:>8.1f}  {'' if bar is None else f'{bar:.0f}'}"
        )
    moves = len(times.by_kind[MOVE])
    print(f"  {moves / seconds:.1f} moves of people per second; {times.refused} clues refused")
    return within and moves > 0


def site_processes(site: psutil.Process) -> list[tuple[str, psutil.Process]]:
    """The processes of a site and the one of the players, with their names."""
    # Python's helper that cleans up after processes is small.
    agents = [child for child in site.children() if child.memory_info().rss > 40e6]
    return [("web", site), *(("agents", agent) for agent in agents), ("players", psutil.Process())]


def show_processes(times: Times) -> None:
    """Print the memory and processor time of each process."""
    moves = max(1, len(times.by_kind[MOVE]))
    columns = ("own MB", "with shared MB", "processor s", "ms per move")
    print("  {:<28} {:>8} {:>15} {:>12} {:>12}".format("process", *columns))
    for (name, process), spent in zip(times.processes, times.spent, strict=True):
        memory = process.memory_full_info()
        print(
            f"  {name:<28} {memory.uss / 1e6:>8.0f} {memory.rss / 1e6:>15.0f} {spent:>12.1f} "
            f"{1000 * spent / moves:>12.1f}"
        )


def main() -> int:
    """Start a site, play, and print what was measured; 1 if a bar was missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rooms", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--bundle", default="en")
    parser.add_argument("--database", help="an SQLite file or a URL (default: a temporary file)")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        try:
            bundle = load(given.bundle)
            words = board_words(bundle.language)
        except InputError:
            bundle = load(make_bundle(Path(folder)))
            words = bundle.vocabulary.words[:400]
        generous = 10**7
        settings = Settings(
            database=database_url(given.database or f"{folder}/web.sqlite"),
            bundles=(str(bundle.folder),),
            pace=0.0,
            limits=Limits(pages=generous, moves=generous, checks=generous, rooms=generous),
        )
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        context = multiprocessing.get_context("spawn")
        site = context.Process(target=run_site, args=(settings, port))
        site.start()
        try:
            while True:
                try:
                    if httpx.get(f"{url}/health").status_code == 200:
                        break
                except httpx.TransportError:
                    time.sleep(0.2)
            print(
                f"{given.rooms} rooms, {2 * given.rooms} players, {len(bundle.vocabulary):,} words"
            )
            times = Times()
            explore(url, bundle.language, words, times)
            times.processes = site_processes(psutil.Process(site.pid))
            playing = play_all(url, bundle.language, words, given.rooms, given.seconds, times)
            asyncio.run(playing)
            within = show(times, given.seconds)
            show_processes(times)
        finally:
            site.terminate()
            site.join()
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())

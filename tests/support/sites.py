"""A local server that behaves like Wikimedia's dumps and like OPUS."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from tests.support.raw import dump, page, prose

DATE, UNFINISHED = "20261101", "20261115"
LINES = "Megjött a macska. Éhes volt.\nA kutya ugat az udvaron.\n" * 400


@dataclass
class Served:
    """One file of the server; its tag changes with its bytes, as on a real one."""

    body: bytes
    drop: bool = False
    """Whether the next answer is closed halfway."""

    @property
    def etag(self) -> str:
        return f'"{hashlib.md5(self.body, usedforsecurity=False).hexdigest()[:12]}"'


class Sites(ThreadingHTTPServer):
    """Wikimedia below /dumps and OPUS below /opusapi; archives are reached by a redirect."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, Served] = {}
        self.requests: list[tuple[str, str | None]] = []
        self.open_downloads = self.most_open_downloads = 0
        self.lock = threading.Lock()

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing: the client hangs up on purpose at times."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def requested(self, ending: str) -> list[str | None]:
        """The ranges that were asked for, of files with this ending."""
        return [asked for path, asked in self.requests if path.endswith(ending)]

    def publish_dump(self, wiki: str, parts: int) -> list[str]:
        """Publish a dump, an unfinished newer one, and what a folder of dumps also has."""
        stem = f"{wiki}-{DATE}-pages-articles"
        names = [f"{stem}{n}.xml-p{n}00p{n}99.bz2" for n in range(1, parts + 1)]
        if parts == 1:
            names = [f"{stem}.xml.bz2"]
        folder = f"/dumps/{wiki}/{DATE}"
        for number, name in enumerate(names):
            articles = [page(f"{number}-{n}", prose(300, seed=10 * number + n)) for n in range(5)]
            self.files[f"{folder}/{name}"] = Served(bz2.compress(dump(*articles)))
        self.files[f"{folder}/{wiki}-{DATE}-pages-articles-multistream-index.txt.bz2"] = Served(b"")
        self.describe(wiki, names)
        self.files[f"/dumps/{wiki}/{UNFINISHED}/dumpstatus.json"] = Served(
            json.dumps({"jobs": {"articlesdump": {"status": "in-progress"}}}).encode()
        )
        links = "".join(f'<a href="{d}/">{d}/</a>' for d in ("20261020", DATE, UNFINISHED))
        self.files[f"/dumps/{wiki}/"] = Served(
            f'<html><a href="../">../</a>{links}<a href="latest/">latest/</a></html>'.encode()
        )
        return names

    def describe(self, wiki: str, names: list[str]) -> None:
        """Write the status and the checksums of a dump from its files as they are now."""
        folder = f"/dumps/{wiki}/{DATE}"
        sizes = {name: {"size": len(self.files[f"{folder}/{name}"].body)} for name in names}
        status = {"jobs": {"articlesdump": {"status": "done", "files": sizes}}}
        self.files[f"{folder}/dumpstatus.json"] = Served(json.dumps(status).encode())
        listed = sorted(
            (path.rsplit("/", 1)[1], sha1(file.body))
            for path, file in self.files.items()
            if path.startswith(f"{folder}/") and path.endswith(".bz2")
        )
        sums = "".join(f"{checksum}  {name}\n" for name, checksum in listed)
        self.files[f"{folder}/{wiki}-{DATE}-sha1sums.txt"] = Served(sums.encode())

    def publish_subtitles(self, language: str) -> None:
        self.files[f"/OPUS-OpenSubtitles/v2024/mono/{language}.txt.gz"] = Served(
            gzip.compress(LINES.encode(), mtime=0)
        )

    def catalogue(self, query: dict[str, list[str]]) -> bytes:
        language = query["source"][0]
        path = f"/OPUS-OpenSubtitles/v2024/mono/{language}.txt.gz"
        entry = {
            "corpus": "OpenSubtitles",
            "version": "v2024",
            "latest": "True",
            "preprocessing": query["preprocessing"][0],
            "source": language,
            "target": "",
            "size": 2,
            "url": self.url + path,
        }
        return json.dumps({"corpora": [entry] if path in self.files else []}).encode()


def sha1(data: bytes) -> str:
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Sites

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing: tests read `requests` instead."""

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.server.requests.append((parts.path, self.headers.get("Range")))
        if parts.path == "/opusapi/":
            self.answer(Served(self.server.catalogue(parse_qs(parts.query))))
        elif parts.path.endswith((".bz2", ".gz")) and not parts.path.startswith("/store"):
            self.send_response(302)
            self.send_header("Location", "/store" + parts.path)
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif file := self.server.files.get(parts.path.removeprefix("/store")):
            with self.server.lock:
                self.server.open_downloads += 1
                self.server.most_open_downloads = max(
                    self.server.open_downloads, self.server.most_open_downloads
                )
            try:
                self.answer(file)
            finally:
                with self.server.lock:
                    self.server.open_downloads -= 1
        else:
            self.send_error(404)

    def answer(self, file: Served) -> None:
        body, etag, start = file.body, file.etag, 0
        asked = self.headers.get("Range")
        if asked and self.headers.get("If-Range") == etag:
            start = int(asked.removeprefix("bytes=").removesuffix("-"))
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(body) - start))
        self.send_header("ETag", etag)
        self.end_headers()
        rest = body[start:]
        self.wfile.write(rest[: len(rest) // 2] if file.drop else rest)
        self.close_connection, file.drop = file.drop, False


@contextmanager
def running_sites() -> Iterator[Sites]:
    """The sites, answering in a thread for the length of the block."""
    with Sites() as sites:
        threading.Thread(target=sites.serve_forever, args=(0.01,), daemon=True).start()
        yield sites
        sites.shutdown()

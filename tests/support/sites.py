"""A local server that behaves like Wikimedia's dumps and like OPUS."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import json
import threading
from urllib.parse import parse_qs, urlsplit

from tests.support.raw import dump, page, prose
from tests.support.server import Handler, Served, Server

DATE, UNFINISHED = "20261101", "20261115"
LINES = "Megjött a macska. Éhes volt.\nA kutya ugat az udvaron.\n" * 400


class Sites(Server):
    """Wikimedia below /dumps and OPUS below /opusapi; archives are reached by a redirect."""

    def __init__(self) -> None:
        super().__init__(SitesHandler)
        self.files: dict[str, Served] = {}
        self.open_downloads = self.most_open_downloads = 0
        self.lock = threading.Lock()

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


class SitesHandler(Handler):
    server: Sites

    def do_GET(self) -> None:
        parts, sites = urlsplit(self.path), self.server
        sites.requests.append((parts.path, self.headers.get("Range")))
        if parts.path == "/opusapi/":
            self.send(Served(sites.catalogue(parse_qs(parts.query))))
        elif parts.path.endswith((".bz2", ".gz")) and not parts.path.startswith("/store"):
            self.redirect("/store" + parts.path)
        elif file := sites.files.get(parts.path.removeprefix("/store")):
            with sites.lock:
                sites.open_downloads += 1
                sites.most_open_downloads = max(sites.open_downloads, sites.most_open_downloads)
            try:
                self.send(file)
            finally:
                with sites.lock:
                    sites.open_downloads -= 1
        else:
            self.send_error(404)

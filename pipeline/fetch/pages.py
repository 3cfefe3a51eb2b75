"""Small texts at addresses: lists of files, and catalogues of what a site offers."""

from __future__ import annotations

from pathlib import Path
from time import sleep
from urllib.parse import unquote, urlsplit

import requests

from pipeline.fetch import download
from pipeline.fetch.download import DownloadFailed, Session, busy, is_temporary, reason

MOST_BYTES = 64 * 2**20
"""A list or catalogue that is larger is not one."""


def read_page(url: str, mirror: Path | None = None) -> str:
    """The text at an address; a copy in the mirror folder is taken first.

    The copy of a page without a file name, such as the page of a folder, is `index.html`.
    """
    if (copy := _mirrored(url, mirror)) is not None:
        return copy.read_text(encoding="utf-8", errors="replace")
    failures = 0
    with Session() as session:
        while True:
            try:
                return _read_once(session, url)
            except download.TEMPORARY_ERRORS as error:
                failures += 1
                if failures > len(download.PAUSES):
                    raise DownloadFailed(
                        f"{url} failed {failures} times in a row ({reason(error)}); run it again "
                        "later."
                    ) from error
                sleep(max(download.PAUSES[failures - 1], getattr(error, "wait", 0.0)))
            except (requests.RequestException, ValueError) as error:
                raise DownloadFailed(f"{url} cannot be read ({reason(error)}).") from error


def _mirrored(url: str, mirror: Path | None) -> Path | None:
    parts = urlsplit(url)
    if mirror is None or parts.query:
        return None
    path = unquote(parts.path).lstrip("/")
    name = f"{path}index.html" if not path or path.endswith("/") else path
    copy = mirror / (parts.hostname or "") / name
    return copy if copy.is_file() else None


def _read_once(session: Session, url: str) -> str:
    with session.get(url, stream=True, timeout=download.TIMEOUT) as response:
        if is_temporary(response):
            raise busy(response)
        if response.status_code != 200:
            raise DownloadFailed(
                f"{url} answered {response.status_code} {response.reason}; correct the location."
            )
        body = bytearray()
        while chunk := response.raw.read1(download.CHUNK, decode_content=True):
            body += chunk
            if len(body) > MOST_BYTES:
                raise DownloadFailed(f"{url} is too large for a list; correct the location.")
        promised = response.headers.get("Content-Length", "")
        if promised.isdecimal() and len(body) < int(promised):
            raise download.Interrupted("the server closed the connection too early")
    return body.decode("utf-8", errors="replace")

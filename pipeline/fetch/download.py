"""Download over HTTP: resumed after an interruption, counted, checked and retried."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from threading import Event
from time import sleep
from typing import TypeVar
from urllib.parse import unquote, urljoin, urlsplit

import requests
from urllib3.exceptions import HTTPError as TransportError

from pipeline.fetch.raw_files import Record, progress_bar, require_space
from wordkin.errors import InputError
from wordkin.files import PART

T = TypeVar("T")

# Seconds between tries. We give up after one more failure in a row without any new byte.
PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0)
TIMEOUT = (20.0, 60.0)  # seconds to connect, and between two reads
CHUNK = 64 * 1024  # how many bytes are read at most before they are on disk
MOST_REDIRECTS = 5
LONGEST_WAIT = 120.0
"""The most seconds that we wait when a busy server says how long (`Retry-After`)."""
LARGEST_PAGE = 64 * 2**20
"""A list of files or a catalogue that is larger is not one."""

_STARTS = {
    ".bz2": b"BZh", ".gz": b"\x1f\x8b", ".tgz": b"\x1f\x8b", ".xz": b"\xfd7zXZ",
    ".zip": b"PK", ".zst": b"\x28\xb5\x2f\xfd",
}  # fmt: skip
"""The first bytes of a file with such a name."""


class Interrupted(Exception):
    """A transfer that ended early or could not begin, and is worth another try.

    `wait` is how many seconds the server asks us to wait before it.
    """

    def __init__(self, reason: str, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.wait = wait


_TEMPORARY_ERRORS = (
    Interrupted,
    requests.ConnectionError,
    requests.Timeout,
    requests.exceptions.ChunkedEncodingError,
    TransportError,
)


class DownloadFailed(InputError):
    """An address whose file cannot be downloaded, now or at all."""


class Stopped(Exception):
    """A download that was given up because another one has failed; a later run resumes it."""


class Session(requests.Session):
    """A session that follows few redirects, and none from a safe connection to an open one."""

    def __init__(self) -> None:
        super().__init__()
        self.max_redirects = MOST_REDIRECTS
        self.headers.update(
            # The bytes of an encoded transfer could not be counted, resumed or compared.
            {"User-Agent": f"wordkin/{_version()}", "Accept-Encoding": "identity"}
        )

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        target = super().get_redirect_target(resp)
        if target and is_downgrade(resp.url, target):
            raise DownloadFailed(
                f"{resp.url} leads to {target}, where anybody on the way could "
                "change the file; correct the location."
            )
        return target


def is_downgrade(url: str, target: str) -> bool:
    """Whether a redirect leads from https to another protocol."""
    return urlsplit(url).scheme == "https" and urlsplit(urljoin(url, target)).scheme != "https"


class Download:
    """One file on its way into `<file>.part`, continuing what an earlier try left there.

    Attributes
    ----------
    record : Record
        What is known about the file; a new version on the server brings a new record.
    received : int
        How many bytes have been received.
    """

    def __init__(
        self, name: str, url: str, target: Path, record: Record, show: bool, stop: Event
    ) -> None:
        self.record = record
        self.received = 0
        self._name = name
        self._url = url
        self._home = target.parent
        self._part = target.with_name(target.name + PART)
        self._show = show
        self._stop = stop

    def complete(self) -> None:
        """Try until the file is complete, or until several tries in a row brought nothing.

        `Stopped` ends it when `stop` is set.
        """
        with Session() as session:
            if not self._is_complete():
                _retried(self._url, lambda: self._attempt(session), self._size)

    def _attempt(self, session: requests.Session) -> None:
        """One request: for the rest of the file if its version is the same, else for all of it."""
        if self._stop.is_set():
            raise Stopped
        offset, validator = self._size(), self.record.validator
        headers = {}
        if offset and validator:
            headers = {"Range": f"bytes={offset}-", "If-Range": validator}
        with session.get(self._url, headers=headers, stream=True, timeout=TIMEOUT) as response:
            if response.status_code == 206 and headers and self._continues(response, offset):
                self._receive(response)
            elif response.status_code in (206, 416):
                self._part.unlink(missing_ok=True)
                raise Interrupted("the server sent another range than the one asked for")
            else:
                _refuse_status(response)
                self._restart(response)
                self._receive(response)

    def _restart(self, response: requests.Response) -> None:
        """Begin at byte 0.

        The old part is removed before its record is replaced, so that it cannot be taken for the
        beginning of the new version.
        """
        self._part.unlink(missing_ok=True)
        length = response.headers.get("Content-Length", "")
        self.record = Record(
            self.record.location,
            etag=response.headers.get("ETag"),
            last_modified=response.headers.get("Last-Modified"),
            length=int(length) if length.isdecimal() else None,
        )
        self.record.write(self._home)

    def _continues(self, response: requests.Response, offset: int) -> bool:
        """Whether a partial answer continues our part: same offset, length and version."""
        match = re.fullmatch(
            r"bytes (\d+)-\d+/(\d+|\*)", response.headers.get("Content-Range", "").strip()
        )
        return (
            match is not None
            and int(match[1]) == offset
            and match[2] in ("*", str(self.record.length))
            and response.headers.get("ETag", self.record.etag) == self.record.etag
        )

    def _receive(self, response: requests.Response) -> None:
        """Append the body of an answer to the part."""
        length, done = self.record.length, self._size()
        require_space(self._home, (length or 0) - done)
        with (
            self._part.open("ab") as part,
            progress_bar(self._name, length, done, self._show) as bar,
        ):
            try:
                # read1 returns what has arrived: read would wait for a whole chunk, and lose the
                # beginning of one when the server hangs.
                while chunk := response.raw.read1(CHUNK, decode_content=False):
                    if length is not None and part.tell() + len(chunk) > length:
                        self._refuse(f"sends more than the {length:,} bytes that it announced")
                    part.write(chunk)
                    part.flush()  # so that nothing received is lost when we are killed
                    self.received += len(chunk)
                    bar.update(len(chunk))
                    if self._stop.is_set():
                        raise Stopped
            except TransportError as error:
                raise Interrupted(self._shortfall()) from error
        if length is not None and not self._is_complete():
            raise Interrupted(self._shortfall())
        self._check_content()

    def _check_content(self) -> None:
        """Refuse what servers send with a good status instead of the file."""
        with self._part.open("rb") as part:
            start = part.read(512)
        suffix = Path(unquote(urlsplit(self._url).path)).suffix.lower()
        is_page = start.lstrip().lower().startswith((b"<!doctype html", b"<html"))
        if not start:
            self._refuse("sends an empty file")
        if is_page and suffix not in (".html", ".htm"):
            self._refuse("sends a web page instead of the file")
        if not start.startswith(_STARTS.get(suffix, b"")):
            self._refuse(f"sends something else than {suffix} data")

    def _refuse(self, what: str) -> None:
        self._part.unlink(missing_ok=True)
        raise DownloadFailed(
            f"{self._url} {what}; correct the location, or put a copy into the mirror folder."
        )

    def _shortfall(self) -> str:
        promised = "an unknown number" if self.record.length is None else f"{self.record.length:,}"
        return f"the server closed the connection after {self._size():,} of {promised} bytes"

    def _is_complete(self) -> bool:
        return self._part.exists() and self._size() == self.record.length

    def _size(self) -> int:
        return self._part.stat().st_size if self._part.exists() else 0


def read_page(url: str, mirror: Path | None = None) -> str:
    """A small text at an address, such as a list of files; a copy in the mirror is taken first.

    The copy of a page without a file name, such as the page of a folder, is `index.html`.
    """
    parts = urlsplit(url)
    if mirror is not None and not parts.query:
        copy = mirror / (parts.hostname or "") / unquote(parts.path).lstrip("/")
        copy = copy / "index.html" if parts.path in ("", "/") or parts.path[-1] == "/" else copy
        if copy.is_file():
            return copy.read_text(encoding="utf-8", errors="replace")
    with Session() as session:
        return _retried(url, lambda: _page(session, url))


def _page(session: Session, url: str) -> str:
    with session.get(url, stream=True, timeout=TIMEOUT) as response:
        _refuse_status(response)
        body = bytearray()
        while chunk := response.raw.read1(CHUNK, decode_content=True):
            body += chunk
            if len(body) > LARGEST_PAGE:
                raise DownloadFailed(f"{url} is too large for a list; correct the location.")
        promised = response.headers.get("Content-Length", "")
        if promised.isdecimal() and len(body) < int(promised):
            raise Interrupted("the server closed the connection too early")
    return body.decode("utf-8", errors="replace")


def _retried(url: str, attempt: Callable[[], T], size: Callable[[], int] = lambda: 0) -> T:
    """What `attempt` returns, tried again after temporary failures; `size` is what it has got."""
    furthest, failures = size(), 0
    while True:
        try:
            return attempt()
        except _TEMPORARY_ERRORS as error:
            failures = 1 if size() > furthest else failures + 1
            furthest = max(furthest, size())
            if failures > len(PAUSES):
                resumed = f" to resume from byte {size():,}" if size() else ""
                raise DownloadFailed(
                    f"{url} failed {failures} times in a row ({_reason(error)}); run it again "
                    f"later{resumed}, or correct the location."
                ) from error
            sleep(max(PAUSES[failures - 1], getattr(error, "wait", 0.0)))
        except (requests.RequestException, ValueError) as error:  # also of odd addresses
            raise DownloadFailed(
                f"{url} cannot be downloaded ({_reason(error)}); correct the location."
            ) from error


def _refuse_status(response: requests.Response) -> None:
    """Refuse an answer that is not the whole file, for now or for good."""
    status, what = response.status_code, f"{response.status_code} {response.reason}"
    if status in (408, 425, 429) or status >= 500:
        asked = response.headers.get("Retry-After", "")
        wait = min(float(asked), LONGEST_WAIT) if asked.isdecimal() else 0.0
        raise Interrupted(f"the server answered {what}", wait)
    if status != 200:
        raise DownloadFailed(
            f"{response.url} answered {what}; correct the location, or put a copy into the mirror "
            "folder."
        )


def _version() -> str:
    try:
        return metadata.version("wordkin")
    except metadata.PackageNotFoundError:
        return "unreleased"  # a checkout that is not installed


def _reason(error: BaseException) -> str:
    """Our own sentence, or the innermost cause: `Connection refused`, not its wrappers."""
    while not isinstance(error, Interrupted) and (inner := error.__cause__ or error.__context__):
        error = inner
    return str(error) or type(error).__name__

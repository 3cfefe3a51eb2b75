"""Download one file: resumed after an interruption, counted, and retried."""

import re
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import urljoin, urlsplit

import requests
from urllib3.exceptions import HTTPError as TransportError

from pipeline.declaration import Declaration
from pipeline.fetch.raw_files import Record, progress_bar, require_space
from pipeline.locations import Address
from wordkin.errors import InputError
from wordkin.files import PART

# Seconds between tries. We give up after one more failure in a row without any new byte.
PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0)
TIMEOUT = (20.0, 60.0)  # seconds to connect, and between two reads
TEMPORARY_STATUSES = frozenset({408, 425, 429})  # and all of 5xx
CHUNK = 64 * 1024  # how many bytes are read at most before they are on disk


MOST_REDIRECTS = 5
LONGEST_WAIT = 120.0
"""The most seconds that we wait when a busy server says how long (`Retry-After`)."""

SLOW_SECONDS, SLOW_BYTES = 120.0, 64 * 1024
"""A server that sends fewer bytes than this in so many seconds is as bad as one that hangs."""


class Interrupted(Exception):
    """A transfer that ended early or could not begin, and is worth another try.

    `wait` is how many seconds the server asks us to wait before it.
    """

    def __init__(self, reason: str, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.wait = wait


class _TooSlow(Interrupted):
    """A transfer that would take forever; the few bytes that it brought do not count as success."""


TEMPORARY_ERRORS = (
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
        self,
        declaration: Declaration,
        location: Address,
        home: Path,
        record: Record,
        progress: bool,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.record = record
        self.received = 0
        self._name = declaration.name
        self._url = location.url
        self._home = home
        self._part = home / (location.filename + PART)
        self._progress = progress
        self._is_stopped = is_stopped

    def complete(self) -> None:
        """Try until the file is complete, or until several tries in a row brought nothing.

        `is_stopped` is asked before each try and after each chunk; `Stopped` ends the download.
        """
        furthest, failures = self._size(), 0
        with Session() as session:
            while not self._is_complete():
                try:
                    self._attempt(session)
                except TEMPORARY_ERRORS as error:
                    arrived = self._size() > furthest and not isinstance(error, _TooSlow)
                    failures = 1 if arrived else failures + 1
                    furthest = max(furthest, self._size())
                    if failures > len(PAUSES):
                        raise DownloadFailed(
                            f"{self._url} failed {failures} times in a row ({reason(error)}); "
                            f"run it again later to resume from byte {self._size():,}, or correct "
                            "the location."
                        ) from error
                    sleep(max(PAUSES[failures - 1], getattr(error, "wait", 0.0)))
                except (requests.RequestException, ValueError) as error:  # also of odd addresses
                    raise DownloadFailed(
                        f"{self._url} cannot be downloaded ({reason(error)}); correct the location."
                    ) from error
                else:
                    return

    def _attempt(self, session: requests.Session) -> None:
        """One request: for the rest of the file if its version is the same, else for all of it."""
        if self._is_stopped():
            raise Stopped
        offset, validator = self._size(), self.record.validator
        headers = {}
        if offset and validator:
            headers = {"Range": f"bytes={offset}-", "If-Range": validator}
        with session.get(self._url, headers=headers, stream=True, timeout=TIMEOUT) as response:
            status = response.status_code
            if status == 200:
                self._restart(response)
                self._receive(response)
            elif status == 206 and headers and self._continues(response, offset):
                self._receive(response)
            elif status in (206, 416):
                self._part.unlink(missing_ok=True)
                raise Interrupted("the server sent another range than the one asked for")
            elif is_temporary(response):
                raise busy(response)
            else:
                raise DownloadFailed(
                    f"{self._url} answered {status} {response.reason}; "
                    "correct the location, or put a copy into the mirror folder."
                )

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
            progress_bar(self._name, length, done, self._progress) as bar,
        ):
            since, before = monotonic(), self.received
            try:
                # read1 returns what has arrived: read would wait for a whole chunk, and lose the
                # beginning of one when the server hangs.
                while chunk := response.raw.read1(CHUNK, decode_content=False):
                    if length is not None and part.tell() + len(chunk) > length:
                        self._refuse_surplus(length)
                    part.write(chunk)
                    part.flush()  # so that nothing received is lost when we are killed
                    self.received += len(chunk)
                    bar.update(len(chunk))
                    if self._is_stopped():
                        raise Stopped
                    if monotonic() - since > SLOW_SECONDS:
                        if self.received - before < SLOW_BYTES:
                            raise _TooSlow("the server sends hardly anything")
                        since, before = monotonic(), self.received
            except TransportError as error:
                raise Interrupted(self._shortfall()) from error
        if length is not None and not self._is_complete():
            raise Interrupted(self._shortfall())

    def _refuse_surplus(self, length: int) -> None:
        self._part.unlink(missing_ok=True)
        raise DownloadFailed(
            f"{self._url} sends more than the {length:,} bytes that it announced; correct the "
            "location, or put a copy into the mirror folder."
        )

    def _shortfall(self) -> str:
        promised = "an unknown number" if self.record.length is None else f"{self.record.length:,}"
        return f"the server closed the connection after {self._size():,} of {promised} bytes"

    def _is_complete(self) -> bool:
        return self._part.exists() and self._size() == self.record.length

    def _size(self) -> int:
        return self._part.stat().st_size if self._part.exists() else 0


def is_temporary(response: requests.Response) -> bool:
    """Whether the same request may succeed later."""
    return response.status_code in TEMPORARY_STATUSES or response.status_code >= 500


def busy(response: requests.Response) -> Interrupted:
    """The error for a temporary answer, with the time that the server asks for."""
    asked = response.headers.get("Retry-After", "")
    wait = min(float(asked), LONGEST_WAIT) if asked.isdecimal() else 0.0
    return Interrupted(f"the server answered {response.status_code} {response.reason}", wait)


def _version() -> str:
    try:
        return metadata.version("wordkin")
    except metadata.PackageNotFoundError:
        return "unreleased"  # a checkout that is not installed


def reason(error: BaseException) -> str:
    """Our own sentence, or the innermost cause: `Connection refused`, not its wrappers."""
    while not isinstance(error, Interrupted) and (inner := error.__cause__ or error.__context__):
        error = inner
    return str(error) or type(error).__name__

"""Download over HTTP: resumed after an interruption, counted, checked and retried.

One file, a small page, or what a list at an address names: a file of checksums, as `sha1sum`
writes it, or the page that a web server shows for a folder.
"""

from __future__ import annotations

import hashlib
import html
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from threading import Event
from time import sleep
from urllib.parse import quote, unquote, urljoin, urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3 import Retry
from urllib3.exceptions import HTTPError as TransportError

from pipeline.fetch.raw_files import Record, progress_bar, require_space
from pipeline.locations import ListedFiles
from wordkin.errors import InputError
from wordkin.files import PART

TRIES = 5
"""How often we try again in a row when a server is busy or sends nothing new."""
PAUSE = 1.0
"""Seconds before the first of these tries; they double with each."""
LONGEST_PAUSE = 120
"""The most seconds that we wait when a busy server says how long (`Retry-After`)."""
TIMEOUT = (20.0, 60.0)  # seconds to connect, and between two reads
CHUNK = 64 * 1024  # how many bytes are read at most before they are on disk
MOST_REDIRECTS = 5
LARGEST_PAGE = 64 * 2**20
"""A list of files or a catalogue that is larger is not one."""

_BUSY = (408, 425, 429, 500, 502, 503, 504)
_STARTS = {
    ".bz2": b"BZh", ".gz": b"\x1f\x8b", ".tgz": b"\x1f\x8b", ".xz": b"\xfd7zXZ",
    ".zip": b"PK", ".zst": b"\x28\xb5\x2f\xfd",
}  # fmt: skip
"""The first bytes of a file with such a name."""


class DownloadFailed(InputError):
    """An address whose file cannot be downloaded, now or at all."""


class Interrupted(Exception):
    """A transfer that ended early; the next try resumes it."""


class Stopped(Exception):
    """A download that was given up because another one has failed; a later run resumes it."""


class Session(requests.Session):
    """Tries again while a server is busy, and follows few redirects, none to an open connection."""

    def __init__(self) -> None:
        super().__init__()
        retry = Retry(
            TRIES,
            status_forcelist=_BUSY,
            raise_on_status=False,
            backoff_factor=PAUSE,
            backoff_max=LONGEST_PAUSE,
            retry_after_max=LONGEST_PAUSE,
        )
        for scheme in ("http://", "https://"):
            self.mount(scheme, HTTPAdapter(max_retries=retry))
        self.max_redirects = MOST_REDIRECTS
        # The bytes of an encoded transfer could not be counted, resumed or compared.
        self.headers["Accept-Encoding"] = "identity"
        self.headers["User-Agent"] = f"wordkin {requests.utils.default_user_agent()}"

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        target = super().get_redirect_target(resp)
        if target and is_downgrade(resp.url, target):
            raise DownloadFailed(
                f"{resp.url} leads to {target}, where anybody on the way could "
                "change the file; correct the location."
            )
        return target

    def answer(self, url: str, **headers: str) -> requests.Response:
        """The answer to a request; its body is not read yet."""
        try:
            return self.get(url, headers=headers, stream=True, timeout=TIMEOUT)
        except (requests.RequestException, ValueError) as error:  # also of odd addresses
            raise DownloadFailed(
                f"{url} cannot be downloaded ({_reason(error)}); run it again later, or correct "
                "the location."
            ) from error


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
        failures = 0
        with Session() as session:
            while not self._is_complete():
                before = self._size()
                try:
                    self._attempt(session)
                    return
                except Interrupted as error:
                    failures = 1 if self._size() > before else failures + 1
                    if failures > TRIES:
                        raise DownloadFailed(
                            f"{self._url} failed {failures} times in a row ({error}); run it again "
                            f"later to resume from byte {self._size():,}."
                        ) from error
                    sleep(PAUSE * 2 ** (failures - 1))

    def _attempt(self, session: Session) -> None:
        """One request: for the rest of the file if its version is the same, else for all of it."""
        if self._stop.is_set():
            raise Stopped
        offset, validator = self._size(), self.record.validator
        headers = {}
        if offset and validator:
            headers = {"Range": f"bytes={offset}-", "If-Range": validator}
        with session.answer(self._url, **headers) as response:
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
        sent = response.headers.get("Content-Range", "").strip()
        match = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", sent)
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
    with Session() as session, session.answer(url) as response:
        _refuse_status(response)
        try:
            body = response.raw.read(LARGEST_PAGE + 1, decode_content=True)
        except TransportError as error:
            raise DownloadFailed(f"{url} broke off ({error}); run it again later.") from error
    if len(body) > LARGEST_PAGE:
        raise DownloadFailed(f"{url} is too large for a list; correct the location.")
    return str(body, encoding="utf-8", errors="replace")


def _refuse_status(response: requests.Response) -> None:
    status = response.status_code
    if status != 200:
        remedy = "run it again later" if status in _BUSY else "correct the location"
        raise DownloadFailed(
            f"{response.url} answered {status} {response.reason}; {remedy}, or put a copy into the "
            "mirror folder."
        )


def _reason(error: BaseException) -> str:
    """The innermost cause: `Connection refused`, not its wrappers."""
    while inner := error.__cause__ or error.__context__:
        error = inner
    return str(error) or type(error).__name__


# ── lists of files ───────────────────────────────────────────────────────────────────────────

_ALGORITHMS = {32: "md5", 40: "sha1", 64: "sha256", 128: "sha512"}
_CHECKSUM = re.compile(
    r"([0-9A-Fa-f]{32}|[0-9A-Fa-f]{40}|[0-9A-Fa-f]{64}|[0-9A-Fa-f]{128})"
    r"[ \t]+\*?(?:\./)?([^/\s]+)"
)
_LINK = re.compile(r"""href\s*=\s*["']([^"'?#]+)["']""", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+=~-]*")


@dataclass(frozen=True)
class ListedFile:
    """One file of a list: its name, its address and its published checksum, if there is one."""

    name: str
    url: str
    checksum: str | None

    @property
    def folder_name(self) -> str:
        """The name of the folder that its download is kept in."""
        return re.sub("[+=~]", "-", self.name).lower()

    def refusal(self, path: Path) -> str | None:
        """Why the file at `path` is not the one whose checksum was published; None if it is."""
        if self.checksum is None:
            return None
        algorithm = _ALGORITHMS[len(self.checksum)]
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, algorithm).hexdigest()
        if digest == self.checksum:
            return None
        return (
            f"{self.url} has the {algorithm} {digest}, and {self.checksum} is published for it; "
            "run it again later, or choose a newer release."
        )


def read_list(location: ListedFiles, mirror: Path | None) -> list[ListedFile]:
    """The files of a list that match its pattern, sorted by name."""
    checksums = parse_list(read_page(location.url, mirror))
    names = sorted(name for name in checksums if fnmatchcase(name, location.pattern))
    if not names:
        raise InputError(
            f"{location.url} names {len(checksums):,} files and none of them matches "
            f"'{location.pattern}'; correct the location."
        )
    return [ListedFile(name, urljoin(location.url, quote(name)), checksums[name]) for name in names]


def parse_list(text: str) -> dict[str, str | None]:
    """The names in a list, each with its checksum; a page of links has none.

    Names that could lead out of a folder, and links to other places, are left out.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    matches = [_CHECKSUM.fullmatch(line) for line in lines]
    if lines and all(matches):
        named: dict[str, str | None] = {m[2]: m[1].lower() for m in matches if m}
    else:
        named = dict.fromkeys(unquote(html.unescape(link)) for link in _LINK.findall(text))
    return {name: checksum for name, checksum in named.items() if _NAME.fullmatch(name)}

"""Sources become verified raw files, whatever servers, disks and packages do on the way."""

import hashlib
import json
import random
import shutil
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest

from pipeline import fetch as stage
from pipeline.fetch import RawFile, fetch, obtain, run
from pipeline.locations import WheelMember
from wordkin.errors import InputError

BODY = random.Random(1).randbytes(300_000)
NEWER_BODY = random.Random(2).randbytes(310_000)
OTHER_BODY = random.Random(3).randbytes(len(BODY))
HALF = len(BODY) // 2


@dataclass(frozen=True)
class Declared:
    """A source as the settings would declare it."""

    name: str
    location: str
    sha256: str | None = None
    mirror: str | None = None
    format: str | None = None
    licence: str | None = None


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def plant(root: Path, contents: dict[str, bytes]) -> None:
    for name, content in contents.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def files_below(folder: Path) -> list[str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path.relative_to(folder).as_posix() for path in files)


# ── a server that misbehaves on demand ───────────────────────────────────────────────────────


class Server(ThreadingHTTPServer):
    """Serves one body at any path. `plan` says how the next requests fail; then all goes well.

    A step of the plan is a status to answer with, "drop" (close halfway), "stall" (stop halfway
    until `released`), "chunked" (give no length) or "short" (the same, and end well halfway).
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.body = BODY
        self.etag: str | None = '"one"'
        self.last_modified: str | None = None
        self.encoding: str | None = None
        self.honours_ranges = True
        self.honours_validators = True
        self.range_shift = 0
        self.phantom_bytes = 0  # promised and never sent
        self.plan: list[int | str] = []
        self.requests: list[dict[str, str]] = []
        self.released = threading.Event()

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what some of these tests are about: nothing to print."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/dumps/wiki.bz2"

    @property
    def ranges(self) -> list[str | None]:
        return [headers.get("Range") for headers in self.requests]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, format: str, *args: object) -> None:
        """Tests read `requests` instead."""

    def do_GET(self) -> None:
        server = self.server
        server.requests.append(dict(self.headers))
        step = server.plan.pop(0) if server.plan else "serve"
        if isinstance(step, int):
            self.send_error(step)
            return
        promised = len(server.body) + server.phantom_bytes
        start = self.start_of_range()
        if start is not None and start > len(server.body):
            self.send_error(416)
            return
        self.send_response(200 if start is None else 206)
        if start is not None:
            self.send_header("Content-Range", f"bytes {start}-{promised - 1}/{promised}")
        rest = server.body[start or 0 :]
        if step in ("drop", "stall", "short"):
            rest = rest[: len(rest) // 2]
        chunked = step in ("chunked", "short")
        headers = {
            "Content-Length": None if chunked else str(promised - (start or 0)),
            "Transfer-Encoding": "chunked" if chunked else None,
            "ETag": server.etag,
            "Last-Modified": server.last_modified,
            "Content-Encoding": server.encoding,
        }
        for name, value in headers.items():
            if value is not None:
                self.send_header(name, value)
        self.end_headers()
        if chunked:
            rest = b"%x\r\n%b\r\n0\r\n\r\n" % (len(rest), rest)
        self.wfile.write(rest)
        if step == "stall":
            server.released.wait(30)
        self.close_connection = step != "serve" or bool(server.phantom_bytes)

    def start_of_range(self) -> int | None:
        asked = self.headers.get("Range")
        validator = self.headers.get("If-Range")
        fresh = validator in (self.server.etag, self.server.last_modified)
        if not asked or not self.server.honours_ranges:
            return None
        if self.server.honours_validators and not fresh:
            return None
        return int(asked.removeprefix("bytes=").removesuffix("-")) + self.server.range_shift


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with Server() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.released.set()
        server.shutdown()


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage, "PAUSES", (0.0, 0.0, 0.0))


@pytest.fixture
def give_up_at_once(monkeypatch: pytest.MonkeyPatch, no_pauses: None) -> Callable[[bool], None]:
    """Switch retries off and on: with none, a failure is what an interrupted run leaves."""
    return lambda off: monkeypatch.setattr(stage, "PAUSES", () if off else (0.0, 0.0, 0.0))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "corpora/en/fetched"


# ── local files ──────────────────────────────────────────────────────────────────────────────


def test_local_files_are_used_where_they_are(tmp_path: Path, folder: Path) -> None:
    plant(tmp_path, {"raw/b.txt": b"two", "raw/a.txt": b"one", "raw/.c": b"hidden"})
    assert fetch(Declared("x", "raw"), folder, tmp_path, None) == [
        RawFile("raw/a.txt", 3, sha256(b"one")),
        RawFile("raw/b.txt", 3, sha256(b"two")),
    ]
    assert not folder.exists()


def test_a_file_outside_of_the_project_has_an_absolute_path(tmp_path: Path) -> None:
    plant(tmp_path, {"data/a.txt": b"one", "project/raw/x": b""})
    root = tmp_path / "project"
    for location in ("../data/a.txt", str(tmp_path / "data/*.txt")):
        (file,) = fetch(Declared("x", location), root / "fetched", root, None)
        assert file.path == (tmp_path / "data/a.txt").as_posix()


@pytest.mark.parametrize(
    "contents",
    [
        {"a.txt": b"just one"},
        {"a.txt": b"first ", "b.txt": b"second"},
        {"b/c": b"2", "a": b"0", "b-": b"1", "á": b"3", ".hidden": b"no"},
        {"empty": b"", "large": BODY * 5},
    ],
)
def test_the_checksum_is_that_of_the_files_one_after_the_other(
    tmp_path: Path, contents: dict[str, bytes]
) -> None:
    plant(tmp_path / "raw", contents)
    visible = sorted(name for name in contents if not name.startswith("."))
    declared = sha256(b"".join(contents[name] for name in visible))
    source = Declared("x", "raw", sha256=declared.upper())
    files = fetch(source, tmp_path, tmp_path, None)
    assert [file.sha256 for file in files] == [sha256(contents[name]) for name in visible]
    with pytest.raises(InputError, match="checksum"):
        fetch(replace(source, sha256=sha256(b"other")), tmp_path, tmp_path, None)


def test_a_wrong_checksum_names_the_source_the_expected_and_the_found(tmp_path: Path) -> None:
    plant(tmp_path, {"a.txt": b"one"})
    with pytest.raises(InputError) as refusal:
        fetch(Declared("novels", "a.txt", sha256=sha256(b"two")), tmp_path, tmp_path, None)
    for fact in ("novels", "a.txt", sha256(b"two"), sha256(b"one"), "get the right file"):
        assert fact in str(refusal.value)


def test_no_local_file_is_refused_by_the_name_of_the_source(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^novels: no file matches 'raw/\*\.txt'"):
        fetch(Declared("novels", "raw/*.txt"), tmp_path, tmp_path, None)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        (Declared("..", "https://example.org/a"), "name"),
        (Declared("a/b", "https://example.org/a"), "name"),
        (Declared("", "https://example.org/a"), "name"),
        (Declared("x", "https://example.org/a", sha256="abc"), "64 hexadecimal digits"),
        (Declared("x", "https://example.org/a", mirror="../a"), "leads out of the mirror"),
        (Declared("x", "https://example.org/a", mirror="/a"), "leads out of the mirror"),
        (Declared("x", "https://example.org/fetched.json"), "record"),
        (Declared("x", "gopher://example.org/a"), "unknown scheme"),
    ],
)
def test_bad_declarations_are_refused_before_any_request(
    tmp_path: Path, source: Declared, complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint):
        fetch(source, tmp_path / "fetched", tmp_path, None)
    assert files_below(tmp_path) == []


def test_a_disk_that_fails_is_told_in_a_sentence(tmp_path: Path, server: Server) -> None:
    plant(tmp_path, {"fetched": b"a file where the folder should be"})
    with pytest.raises(InputError, match="check the permissions"):
        fetch(Declared("x", server.url), tmp_path / "fetched", tmp_path, None)


# ── downloads ────────────────────────────────────────────────────────────────────────────────


def test_a_download_is_kept_under_the_name_of_its_source(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    fetched = obtain(Declared("wiki", server.url, sha256(BODY)), folder, tmp_path, None)
    path = "corpora/en/fetched/wiki/wiki.bz2"
    assert fetched.files == [RawFile(path, len(BODY), sha256(BODY))]
    assert fetched.downloaded == len(BODY)
    assert (tmp_path / path).read_bytes() == BODY
    assert files_below(folder) == ["wiki/fetched.json", "wiki/wiki.bz2"]
    assert json.loads((folder / "wiki/fetched.json").read_text()) == {
        "location": server.url,
        "etag": '"one"',
        "last_modified": None,
        "length": len(BODY),
        "files": [{"path": "wiki.bz2", "bytes": len(BODY), "sha256": sha256(BODY)}],
    }


def test_the_request_says_who_asks_and_wants_the_bytes_as_they_are(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    server.encoding = "gzip"  # as servers that are not asked to say of any .gz file
    fetch(Declared("wiki", server.url), folder, tmp_path, None)
    assert server.requests[0]["User-Agent"].startswith("wordkin/")
    assert server.requests[0]["Accept-Encoding"] == "identity"
    assert (folder / "wiki/wiki.bz2").read_bytes() == BODY


def test_an_unchanged_second_fetch_makes_no_request(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    source = Declared("wiki", server.url)
    first = obtain(source, folder, tmp_path, None)
    second = obtain(source, folder, tmp_path, None)
    declared = obtain(replace(source, sha256=sha256(BODY)), folder, tmp_path, None)
    assert first.files == second.files == declared.files
    assert second.downloaded == declared.downloaded == 0
    assert len(server.requests) == 1


def spoil_a_byte(home: Path) -> None:
    (home / "wiki.bz2").write_bytes(BODY[:-1] + b"?")


def cut(home: Path) -> None:
    (home / "wiki.bz2").write_bytes(BODY[:HALF])


def remove(home: Path) -> None:
    (home / "wiki.bz2").unlink()


def spoil_the_record(home: Path) -> None:
    (home / "fetched.json").write_text('{"location": ')


def change_the_record(home: Path) -> None:
    (home / "fetched.json").write_text('{"files": [{"path": 1}]}')


@pytest.mark.parametrize("spoil", [spoil_a_byte, cut, remove, spoil_the_record, change_the_record])
def test_a_download_that_is_not_what_its_record_says_is_fetched_again(
    tmp_path: Path, folder: Path, server: Server, spoil: Callable[[Path], None]
) -> None:
    source = Declared("wiki", server.url)
    fetch(source, folder, tmp_path, None)
    spoil(folder / "wiki")
    (file,) = fetch(source, folder, tmp_path, None)
    assert file.sha256 == sha256((folder / "wiki/wiki.bz2").read_bytes()) == sha256(BODY)
    assert server.ranges == [None, None]


def test_a_spoilt_download_that_cannot_be_fetched_again_is_not_left_under_its_name(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    source = Declared("wiki", server.url)
    fetch(source, folder, tmp_path, None)
    spoil_a_byte(folder / "wiki")
    server.plan = [404]
    with pytest.raises(InputError):
        fetch(source, folder, tmp_path, None)
    assert files_below(folder) == ["wiki/fetched.json"]


def test_another_location_under_the_same_name_is_fetched_anew(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    fetch(Declared("wiki", server.url), folder, tmp_path, None)
    server.body = NEWER_BODY
    newer = server.url.replace("wiki.bz2", "newer.bz2")
    (file,) = fetch(Declared("wiki", newer), folder, tmp_path, None)
    assert file.sha256 == sha256(NEWER_BODY)
    assert files_below(folder) == ["wiki/fetched.json", "wiki/newer.bz2"]


def test_a_download_with_a_wrong_checksum_leaves_nothing(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    wrong = Declared("wiki", server.url, sha256(b"other"))
    with pytest.raises(InputError) as refusal:
        fetch(wrong, folder, tmp_path, None)
    for fact in ("wiki", server.url, sha256(b"other"), sha256(BODY)):
        assert fact in str(refusal.value)
    assert files_below(folder) == []


def test_a_checksum_declared_later_is_held_against_the_earlier_download(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    source = Declared("wiki", server.url)
    fetch(source, folder, tmp_path, None)
    server.body = NEWER_BODY
    (file,) = fetch(replace(source, sha256=sha256(NEWER_BODY)), folder, tmp_path, None)
    assert file.sha256 == sha256(NEWER_BODY)
    with pytest.raises(InputError, match="checksum"):
        fetch(replace(source, sha256=sha256(BODY)), folder, tmp_path, None)
    assert files_below(folder) == []


# ── downloads that break off ─────────────────────────────────────────────────────────────────


def test_a_dropped_connection_is_resumed_in_the_same_run(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    server.plan = ["drop"]
    fetched = obtain(Declared("wiki", server.url), folder, tmp_path, None)
    assert fetched.files[0].sha256 == sha256(BODY)
    assert fetched.downloaded == len(BODY), "no byte travels twice"
    assert server.ranges == [None, f"bytes={HALF}-"]
    assert server.requests[1]["If-Range"] == '"one"'


def test_an_interrupted_download_is_a_part_that_the_next_run_resumes(
    tmp_path: Path, folder: Path, server: Server, give_up_at_once: Callable[[bool], None]
) -> None:
    server.plan = ["drop"]
    server.etag, server.last_modified = None, "Sat, 01 Mar 2025 06:00:00 GMT"
    give_up_at_once(True)
    with pytest.raises(InputError, match=f"closed after {HALF:,} of {len(BODY):,} bytes"):
        fetch(Declared("wiki", server.url), folder, tmp_path, None)
    assert files_below(folder) == ["wiki/fetched.json", "wiki/wiki.bz2.part"]
    assert (folder / "wiki/wiki.bz2.part").read_bytes() == BODY[:HALF]

    fetched = obtain(Declared("wiki", server.url), folder, tmp_path, None)
    assert fetched.downloaded == len(BODY) - HALF
    assert (folder / "wiki/wiki.bz2").read_bytes() == BODY
    assert server.ranges == [None, f"bytes={HALF}-"]
    assert server.requests[1]["If-Range"] == server.last_modified
    assert files_below(folder) == ["wiki/fetched.json", "wiki/wiki.bz2"]


def test_few_bytes_count_as_well(
    tmp_path: Path, folder: Path, server: Server, give_up_at_once: Callable[[bool], None]
) -> None:
    server.plan, server.body = ["drop"], BODY[:100]
    give_up_at_once(True)
    with pytest.raises(InputError, match=r"closed after 50 of 100 bytes.*from byte 50"):
        fetch(Declared("wiki", server.url), folder, tmp_path, None)


def test_an_answer_that_ends_well_but_early_is_not_taken_for_the_whole(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    server.plan = ["drop", "short"]
    fetch(Declared("wiki", server.url), folder, tmp_path, None)
    assert (folder / "wiki/wiki.bz2").read_bytes() == BODY
    assert server.ranges == [None, f"bytes={HALF}-", f"bytes={HALF + HALF // 2}-"]


CHILD = """
import sys
from pathlib import Path
from types import SimpleNamespace
from pipeline.fetch import fetch
url, root = sys.argv[1], Path(sys.argv[2])
source = SimpleNamespace(name="wiki", location=url, sha256=None, mirror=None)
fetch(source, root / "corpora/en/fetched", root, None)
"""


def test_a_killed_process_leaves_a_part_that_the_next_run_resumes(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    server.plan = ["stall"]
    part = folder / "wiki/wiki.bz2.part"
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, server.url, str(tmp_path)],
        cwd=Path(__file__).parents[1],
    )
    deadline = time.monotonic() + 30
    arrived = HALF // stage.DOWNLOAD_CHUNK * stage.DOWNLOAD_CHUNK
    while not (part.exists() and part.stat().st_size >= arrived):
        assert child.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    child.kill()
    child.wait()
    server.released.set()
    assert files_below(folder) == ["wiki/fetched.json", "wiki/wiki.bz2.part"]

    fetched = obtain(Declared("wiki", server.url, sha256(BODY)), folder, tmp_path, None)
    assert server.ranges == [None, f"bytes={arrived}-"]
    assert fetched.downloaded == len(BODY) - arrived


def test_killed_between_the_last_byte_and_the_rename_nothing_travels_again(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    source = Declared("wiki", server.url)
    fetch(source, folder, tmp_path, None)
    (folder / "wiki/wiki.bz2").rename(folder / "wiki/wiki.bz2.part")
    assert obtain(source, folder, tmp_path, None).downloaded == 0
    assert (folder / "wiki/wiki.bz2").read_bytes() == BODY
    assert len(server.requests) == 1


def test_a_server_that_ignores_ranges_sends_all_of_it_again(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    server.plan, server.honours_ranges = ["drop"], False
    fetched = obtain(Declared("wiki", server.url), folder, tmp_path, None)
    assert (folder / "wiki/wiki.bz2").read_bytes() == BODY
    assert fetched.downloaded == HALF + len(BODY)


def heed_the_validator(server: Server) -> None:
    server.body, server.etag = NEWER_BODY, '"two"'


def ignore_the_validator(server: Server) -> None:
    server.body, server.etag, server.honours_validators = OTHER_BODY, '"two"', False


def ignore_the_validator_and_give_none(server: Server) -> None:
    server.body, server.etag, server.honours_validators = NEWER_BODY, None, False


def give_another_range(server: Server) -> None:
    server.range_shift = -10


@pytest.mark.parametrize(
    "change",
    [
        heed_the_validator,
        ignore_the_validator,
        ignore_the_validator_and_give_none,
        give_another_range,
    ],
)
def test_what_does_not_continue_the_older_half_is_not_glued_to_it(
    tmp_path: Path,
    folder: Path,
    server: Server,
    give_up_at_once: Callable[[bool], None],
    change: Callable[[Server], None],
) -> None:
    server.plan = ["drop"]
    give_up_at_once(True)
    with pytest.raises(InputError):
        fetch(Declared("wiki", server.url), folder, tmp_path, None)
    change(server)
    give_up_at_once(False)
    fetch(Declared("wiki", server.url), folder, tmp_path, None)
    assert (folder / "wiki/wiki.bz2").read_bytes() == server.body
    assert server.ranges[1] == f"bytes={HALF}-"
    assert json.loads((folder / "wiki/fetched.json").read_text())["etag"] == server.etag


@pytest.mark.parametrize("etag", ['W/"weak"', None])
def test_without_a_strong_validator_nothing_is_resumed(
    tmp_path: Path, folder: Path, server: Server, etag: str | None
) -> None:
    server.plan, server.etag = ["drop"], etag
    fetch(Declared("wiki", server.url), folder, tmp_path, None)
    assert server.ranges == [None, None]
    assert (folder / "wiki/wiki.bz2").read_bytes() == BODY


def test_a_part_longer_than_the_file_is_thrown_away(
    tmp_path: Path, folder: Path, server: Server, give_up_at_once: Callable[[bool], None]
) -> None:
    server.plan = ["drop"]
    give_up_at_once(True)
    with pytest.raises(InputError):
        fetch(Declared("wiki", server.url), folder, tmp_path, None)
    (folder / "wiki/wiki.bz2.part").write_bytes(BODY + b"more")
    give_up_at_once(False)
    fetch(Declared("wiki", server.url), folder, tmp_path, None)
    assert (folder / "wiki/wiki.bz2").read_bytes() == BODY
    assert server.ranges == [None, f"bytes={len(BODY) + 4}-", None]


def test_a_promise_of_more_bytes_than_come_is_refused(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    server.phantom_bytes = 1000
    with pytest.raises(InputError, match=f"closed after 300,000 of {len(BODY) + 1000:,} bytes"):
        fetch(Declared("wiki", server.url), folder, tmp_path, None)
    assert len(server.requests) > 2, "it is tried again first"
    assert "wiki/wiki.bz2" not in files_below(folder)


def test_a_length_that_is_not_given_is_not_missed(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    server.plan = ["chunked"]
    fetch(Declared("wiki", server.url), folder, tmp_path, None)
    assert (folder / "wiki/wiki.bz2").read_bytes() == BODY
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [500, 502, 503, 429])
def test_a_passing_failure_of_the_server_is_tried_again(
    tmp_path: Path, folder: Path, server: Server, status: int
) -> None:
    server.plan = [status, status]
    fetch(Declared("wiki", server.url), folder, tmp_path, None)
    assert (folder / "wiki/wiki.bz2").read_bytes() == BODY
    assert len(server.requests) == 3


def test_pauses_grow_and_start_over_once_bytes_arrive(
    tmp_path: Path, folder: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(stage, "PAUSES", (1.0, 2.0, 4.0))
    monkeypatch.setattr(stage.time, "sleep", slept.append)
    server.plan = [500, 500, 500, "drop", 500, 500, "drop"]
    fetch(Declared("wiki", server.url), folder, tmp_path, None)
    assert slept == [1.0, 2.0, 4.0, 1.0, 2.0, 4.0, 1.0]


def test_a_lasting_failure_is_refused_in_the_end(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    server.plan = [503] * 20
    with pytest.raises(InputError, match=r"failed 4 times in a row .*503"):
        fetch(Declared("wiki", server.url), folder, tmp_path, None)
    assert len(server.requests) == 4


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_a_final_answer_is_one_sentence_and_no_second_request(
    tmp_path: Path, folder: Path, server: Server, status: int
) -> None:
    server.plan = [status]
    with pytest.raises(InputError) as refusal:
        fetch(Declared("wiki", server.url), folder, tmp_path, None)
    for fact in ("wiki", server.url, str(status), "correct the location"):
        assert fact in str(refusal.value)
    assert len(server.requests) == 1
    assert "wiki/wiki.bz2" not in files_below(folder)


def test_nobody_there_is_told_without_the_layers_in_between(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    server.shutdown()
    server.server_close()
    with pytest.raises(InputError) as refusal:
        fetch(Declared("wiki", server.url), folder, tmp_path, None)
    assert "Connection refused" in str(refusal.value)
    assert "Pool" not in str(refusal.value)


def test_a_download_that_does_not_fit_is_refused_before_it_starts(
    tmp_path: Path, folder: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage.shutil, "disk_usage", lambda _: SimpleNamespace(free=1000))
    with pytest.raises(InputError, match="make room"):
        fetch(Declared("wiki", server.url), folder, tmp_path, None)
    assert files_below(folder) == ["wiki/fetched.json"]


# ── the mirror ───────────────────────────────────────────────────────────────────────────────


def test_the_mirror_is_looked_at_before_the_network(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    mirror = tmp_path / "mirror"
    plant(mirror, {"127.0.0.1/dumps/wiki.bz2": b"by host", "en/1": b"by ", "en/2": b"name"})
    by_host = fetch(Declared("wiki", server.url), folder, tmp_path, mirror)
    assert by_host == [RawFile("mirror/127.0.0.1/dumps/wiki.bz2", 7, sha256(b"by host"))]
    for explicit in ("en", "en/*"):
        source = Declared("wiki", server.url, sha256(b"by name"), mirror=explicit)
        files = fetch(source, folder, tmp_path, mirror)
        assert [file.path for file in files] == ["mirror/en/1", "mirror/en/2"]
    assert server.requests == []
    assert not folder.exists()


@pytest.mark.parametrize("explicit", [None, "en/nothing*"])
def test_what_the_mirror_lacks_is_downloaded(
    tmp_path: Path, folder: Path, server: Server, explicit: str | None
) -> None:
    mirror = tmp_path / "mirror"
    plant(mirror, {"example.org/dumps/wiki.bz2": b"of another host"})
    (file,) = fetch(Declared("wiki", server.url, mirror=explicit), folder, tmp_path, mirror)
    assert file.sha256 == sha256(BODY)


def test_an_address_with_a_query_is_not_confused_with_one_without(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    mirror = tmp_path / "mirror"
    plant(mirror, {"127.0.0.1/dumps/wiki.bz2": b"without"})
    (file,) = fetch(Declared("wiki", server.url + "?v=2"), folder, tmp_path, mirror)
    assert file.sha256 == sha256(BODY)


def test_a_mirror_is_held_to_the_checksum_and_left_alone(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    mirror = tmp_path / "mirror"
    plant(mirror, {"127.0.0.1/dumps/wiki.bz2": b"stale"})
    with pytest.raises(InputError, match="checksum"):
        fetch(Declared("wiki", server.url, sha256(BODY)), folder, tmp_path, mirror)
    assert (mirror / "127.0.0.1/dumps/wiki.bz2").read_bytes() == b"stale"


def test_a_mirror_does_not_replace_local_files(tmp_path: Path, folder: Path) -> None:
    plant(tmp_path, {"raw/a": b"local", "mirror/raw/a": b"mirrored"})
    (file,) = fetch(Declared("x", "raw/a", mirror="raw/a"), folder, tmp_path, tmp_path / "mirror")
    assert file.path == "raw/a"


# ── packages ─────────────────────────────────────────────────────────────────────────────────

WHEEL = "kin_data-1.2-py3-none-any.whl"
MEMBERS = {
    "kin_data/__init__.py": b"raise SystemExit('a package is data: it is never run')",
    "kin_data/pairs.tsv": b"cat\tdog\t7\n",
    "kin_data/parts/a/hu.json": b"{}",
    "kin_data/parts/b/hu.json": b'{"b": 1}',
    "kin_data/parts/b/en.json": b"[]",
}


def make_wheel(path: Path, members: dict[str, bytes]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    name, version = path.name.split("-")[:2]
    about = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        "Requires-Python: <3\nRequires-Dist: nothing-of-that-name\n",
        "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "RECORD": "",
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in members.items():
            archive.writestr(member, content)
        for member, text in about.items():
            archive.writestr(f"{name}-{version}.dist-info/{member}", text)
    return path


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip takes for the whole registry."""
    folder = tmp_path / "registry"
    make_wheel(folder / WHEEL, MEMBERS)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    """A mirror with the wheel, for the tests that need no pip."""
    make_wheel(tmp_path / "mirror/wheels" / WHEEL, MEMBERS)
    return tmp_path / "mirror"


def test_members_of_a_package_come_by_pip_and_stay(
    tmp_path: Path, folder: Path, registry: Path
) -> None:
    wheel_size = (registry / WHEEL).stat().st_size
    source = Declared("ui", "wheel:Kin-Data==1.2!kin_data/parts/*/hu.json", sha256(b'{}{"b": 1}'))
    fetched = obtain(source, folder, tmp_path, None)
    home = "corpora/en/fetched/ui/kin_data/parts"
    assert fetched.files == [
        RawFile(f"{home}/a/hu.json", 2, sha256(b"{}")),
        RawFile(f"{home}/b/hu.json", 8, sha256(b'{"b": 1}')),
    ]
    assert fetched.downloaded == wheel_size
    assert files_below(folder / "ui") == [
        "fetched.json",
        "kin_data/parts/a/hu.json",
        "kin_data/parts/b/hu.json",
    ]
    shutil.rmtree(registry)
    assert obtain(source, folder, tmp_path, None) == replace(fetched, downloaded=0)


def test_a_failure_of_pip_is_one_sentence(tmp_path: Path, folder: Path, registry: Path) -> None:
    with pytest.raises(InputError) as refusal:
        fetch(Declared("ui", "wheel:kin-data==9.9!a"), folder, tmp_path, None)
    message = str(refusal.value)
    for fact in ("ui", "kin-data==9.9", "No matching distribution found", "correct the name"):
        assert fact in message
    assert "\n" not in message
    assert files_below(folder) == []


def test_a_wheel_in_the_mirror_needs_no_pip(
    tmp_path: Path, folder: Path, mirror: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage.sys, "executable", "/nowhere/python")
    make_wheel(mirror / "wheels/kin_data-1.20-py3-none-any.whl", {"kin_data/pairs.tsv": b"other"})
    source = Declared("gold", "wheel:kin-data==1.2!kin_data/pairs.tsv")
    fetched = obtain(source, folder, tmp_path, mirror)
    assert [file.sha256 for file in fetched.files] == [sha256(b"cat\tdog\t7\n")]
    assert fetched.downloaded == 0


def test_mirrored_members_need_no_wheel(tmp_path: Path, folder: Path) -> None:
    plant(tmp_path, {"mirror/gold/pairs.tsv": b"cat dog 7"})
    source = Declared("gold", "wheel:kin-data==1.2!pairs.tsv", mirror="gold/pairs.tsv")
    (file,) = fetch(source, folder, tmp_path, tmp_path / "mirror")
    assert file.path == "mirror/gold/pairs.tsv"


def test_a_folder_of_a_package_means_the_files_below_it(
    tmp_path: Path, folder: Path, mirror: Path
) -> None:
    files = fetch(Declared("ui", "wheel:kin-data==1.2!kin_data/parts"), folder, tmp_path, mirror)
    below = [name for name in sorted(MEMBERS) if name.startswith("kin_data/parts/")]
    assert [file.path.split("/ui/")[1] for file in files] == below


def test_a_member_that_is_not_there_is_refused(tmp_path: Path, folder: Path, mirror: Path) -> None:
    with pytest.raises(InputError, match=r"has no member 'kin_data/none\.tsv'"):
        fetch(Declared("x", "wheel:kin-data==1.2!kin_data/none.tsv"), folder, tmp_path, mirror)
    assert files_below(folder) == []


def test_members_with_a_wrong_checksum_leave_nothing(
    tmp_path: Path, folder: Path, mirror: Path
) -> None:
    source = Declared("x", "wheel:kin-data==1.2!kin_data/parts/*/hu.json", sha256(b"other"))
    with pytest.raises(InputError, match="checksum"):
        fetch(source, folder, tmp_path, mirror)
    assert files_below(folder) == []


@pytest.mark.parametrize("evil", ["../evil.txt", "/evil.txt", "kin_data/../../evil.txt"])
def test_a_package_that_would_write_elsewhere_is_refused(
    tmp_path: Path, folder: Path, evil: str
) -> None:
    wheel = tmp_path / "mirror/wheels" / WHEEL
    make_wheel(wheel, {evil: b"evil", "kin_data/a.txt": b"good"})
    before = files_below(tmp_path)
    for pattern in ("**/*.txt", "kin_data/a.txt"):
        source = Declared("x", f"wheel:kin-data==1.2!{pattern}")
        with pytest.raises(InputError, match="do not use this package"):
            fetch(source, folder, tmp_path, tmp_path / "mirror")
    assert files_below(tmp_path) == before


def test_a_zip_bomb_is_refused_before_it_goes_off(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage, "UNPACKED_ALWAYS_FINE", 1_000_000)
    make_wheel(tmp_path / "mirror/wheels" / WHEEL, {"kin_data/a.txt": bytes(2_000_000)})
    source = Declared("x", "wheel:kin-data==1.2!kin_data/a.txt")
    with pytest.raises(InputError, match="claims to unpack to 2,000,000 bytes"):
        fetch(source, folder, tmp_path, tmp_path / "mirror")
    assert files_below(folder) == []


def test_members_that_do_not_fit_are_refused(
    tmp_path: Path, folder: Path, mirror: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage.shutil, "disk_usage", lambda _: SimpleNamespace(free=5))
    with pytest.raises(InputError, match="make room"):
        fetch(Declared("x", "wheel:kin-data==1.2!kin_data/pairs.tsv"), folder, tmp_path, mirror)
    assert files_below(folder) == []


def test_a_member_cannot_pose_as_the_record(tmp_path: Path, folder: Path) -> None:
    make_wheel(tmp_path / "mirror/wheels" / WHEEL, {"fetched.json": b"{}"})
    source = Declared("x", "wheel:kin-data==1.2!*.json")
    with pytest.raises(InputError, match="record"):
        fetch(source, folder, tmp_path, tmp_path / "mirror")
    assert files_below(folder) == []


@pytest.mark.parametrize("content", [BODY, BODY.hex().encode()], ids=["stored", "deflated"])
def test_a_damaged_wheel_leaves_nothing(tmp_path: Path, folder: Path, content: bytes) -> None:
    members = {"kin_data/a.txt": b"good", "kin_data/b.txt": content}
    wheel = make_wheel(tmp_path / "mirror/wheels" / WHEEL, members)
    intact = wheel.read_bytes()
    middle = len(intact) // 2
    spoilt = intact[:middle] + b"\xff" * 1000 + intact[middle + 1000 :]
    source = Declared("x", "wheel:kin-data==1.2!kin_data")
    for damaged in (spoilt, intact[:middle], b"<html>not a wheel</html>", b""):
        wheel.write_bytes(damaged)
        with pytest.raises(InputError, match="cannot be unpacked"):
            fetch(source, folder, tmp_path, tmp_path / "mirror")
        assert files_below(folder) == []


# ── the stage ────────────────────────────────────────────────────────────────────────────────


def test_the_manifest_says_what_each_source_is_and_which_files_to_open(
    tmp_path: Path, server: Server
) -> None:
    plant(tmp_path, {"corpora/en/raw/b.srt": b"two", "corpora/en/raw/a.srt": b"one"})
    sources = [
        Declared("wiki", server.url, format="wikipedia", licence="CC BY-SA 4.0"),
        Declared("films", "corpora/en/raw/*.srt"),
    ]
    metrics = run("en", sources, tmp_path, None)
    manifest = tmp_path / "corpora/en/sources.json"
    assert json.loads(manifest.read_text()) == {
        "language": "en",
        "sources": [
            {
                "name": "wiki",
                "format": "wikipedia",
                "location": server.url,
                "licence": "CC BY-SA 4.0",
                "files": [
                    {
                        "path": "corpora/en/fetched/wiki/wiki.bz2",
                        "bytes": len(BODY),
                        "sha256": sha256(BODY),
                    }
                ],
            },
            {
                "name": "films",
                "format": None,
                "location": "corpora/en/raw/*.srt",
                "licence": None,
                "files": [
                    {"path": "corpora/en/raw/a.srt", "bytes": 3, "sha256": sha256(b"one")},
                    {"path": "corpora/en/raw/b.srt", "bytes": 3, "sha256": sha256(b"two")},
                ],
            },
        ],
    }
    assert metrics == {
        "files": 3,
        "bytes": len(BODY) + 6,
        "downloaded_bytes": len(BODY),
        "sources": {
            "wiki": {"files": 1, "bytes": len(BODY), "downloaded_bytes": len(BODY)},
            "films": {"files": 2, "bytes": 6, "downloaded_bytes": 0},
        },
    }
    first = manifest.read_bytes()
    assert run("en", sources, tmp_path, None)["downloaded_bytes"] == 0
    assert manifest.read_bytes() == first
    assert first.index(b'"files"') < first.index(b'"format"') < first.index(b'"name"')


def test_the_folders_of_a_language_exist_even_if_nothing_is_fetched(tmp_path: Path) -> None:
    plant(tmp_path, {"a.txt": b"one"})
    run("hu", [Declared("x", "a.txt")], tmp_path, None)
    assert (tmp_path / "corpora/hu/raw").is_dir()
    assert (tmp_path / "corpora/hu/fetched").is_dir()


def test_the_download_of_a_source_that_is_gone_is_removed_and_that_is_said(
    tmp_path: Path, folder: Path, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(tmp_path, {"a.txt": b"one", "corpora/en/fetched/mine/notes.txt": b"not a download"})
    sources = [Declared(name, server.url) for name in ("kept", "dropped", "local-now")]
    run("en", sources, tmp_path, None)
    capsys.readouterr()
    run("en", [sources[0], Declared("local-now", "a.txt")], tmp_path, None)
    assert files_below(folder) == ["kept/fetched.json", "kept/wiki.bz2", "mine/notes.txt"]
    said = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in said] == ["dropped", "local-now"]
    assert all("removed" in line for line in said)


def test_a_source_that_fails_leaves_the_manifest_as_it_was(tmp_path: Path, server: Server) -> None:
    plant(tmp_path, {"a.txt": b"one"})
    run("en", [Declared("x", "a.txt")], tmp_path, None)
    before = (tmp_path / "corpora/en/sources.json").read_bytes()
    server.plan = [404]
    with pytest.raises(InputError):
        run("en", [Declared("x", "a.txt"), Declared("wiki", server.url)], tmp_path, None)
    assert (tmp_path / "corpora/en/sources.json").read_bytes() == before
    assert not list(tmp_path.rglob("sources.json.part"))


def test_sources_of_one_wheel_share_its_download(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def download(source: Declared, location: WheelMember, folder: Path, progress: bool) -> Path:
        asked.append(location.requirement)
        wheel = folder / "demo-1.0-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr("demo/a.txt", "one")
            archive.writestr("demo/b.txt", "two")
        return wheel

    monkeypatch.setattr(stage, "_pip_download", download)
    with stage.shared_wheels(tmp_path / "corpora"):
        for name in ("a", "b"):
            source = Declared(name, f"wheel:demo==1.0!demo/{name}.txt")
            (file,) = fetch(source, tmp_path / "fetched", tmp_path, None, False)
            assert (tmp_path / file.path).read_text() == {"a": "one", "b": "two"}[name]
    assert asked == ["demo==1.0"]
    assert list((tmp_path / "corpora").iterdir()) == []

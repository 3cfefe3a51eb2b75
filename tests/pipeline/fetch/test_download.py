"""A download is complete or resumed, and never wrong, whatever servers and disks do."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import requests

from pipeline.fetch import download, raw_files
from pipeline.fetch.raw_files import RawFile
from tests.support.declared import declared, fetch, files_below, obtain, sha256
from tests.support.root import ROOT
from tests.support.server import BODY, HALF, NEWER_BODY, OTHER_BODY, Server
from wordkin.errors import InputError


def test_a_download_is_kept_in_a_folder_with_the_name_of_its_source(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    fetched = obtain(declared("wiki", server.url, sha256(BODY)), folder, tmp_path)
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


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (b"", "an empty file"),
        (b"\n<!DOCTYPE html><title>Log in</title>", "a web page instead of the file"),
        (b"<HTML>moved</HTML>", "a web page instead of the file"),
        (b'{"error": "try again"}', "something else than .bz2 data"),
    ],
)
def test_what_is_not_the_file_is_refused_and_removed(
    tmp_path: Path, folder: Path, server: Server, body: bytes, complaint: str
) -> None:
    server.body = body
    with pytest.raises(InputError, match=f"{server.url} sends {complaint}; correct the location"):
        fetch(declared("wiki", server.url), folder, tmp_path)
    assert files_below(folder) == ["wiki/fetched.json"]


def test_the_request_names_us_and_asks_for_the_bytes_as_they_are(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    server.encoding = "gzip"  # many servers say so of any .gz file
    fetch(declared("wiki", server.url), folder, tmp_path)
    assert server.requests[0]["User-Agent"].startswith("wordkin ")
    assert server.requests[0]["Accept-Encoding"] == "identity"
    assert (folder / "wiki/wiki.bz2").read_bytes() == BODY


def test_an_unchanged_second_fetch_makes_no_request(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    source = declared("wiki", server.url)
    first = obtain(source, folder, tmp_path)
    second = obtain(source, folder, tmp_path)
    checked = obtain(declared("wiki", server.url, sha256(BODY)), folder, tmp_path)
    assert first.files == second.files == checked.files
    assert second.downloaded == checked.downloaded == 0
    assert len(server.requests) == 1


def change_a_byte(home: Path) -> None:
    (home / "wiki.bz2").write_bytes(BODY[:-1] + b"?")


def truncate(home: Path) -> None:
    (home / "wiki.bz2").write_bytes(BODY[:HALF])


def remove(home: Path) -> None:
    (home / "wiki.bz2").unlink()


def truncate_the_record(home: Path) -> None:
    (home / "fetched.json").write_text('{"location": ')


def change_the_record(home: Path) -> None:
    (home / "fetched.json").write_text('{"files": [{"path": 1}]}')


@pytest.mark.parametrize(
    "damage", [change_a_byte, truncate, remove, truncate_the_record, change_the_record]
)
def test_a_download_that_does_not_match_its_record_is_fetched_again(
    tmp_path: Path, folder: Path, server: Server, damage: Callable[[Path], None]
) -> None:
    source = declared("wiki", server.url)
    fetch(source, folder, tmp_path)
    damage(folder / "wiki")
    (file,) = fetch(source, folder, tmp_path)
    assert file.sha256 == sha256((folder / "wiki/wiki.bz2").read_bytes()) == sha256(BODY)
    assert server.ranges == [None, None]


def test_a_new_location_under_the_same_name_is_fetched_from_the_start(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    fetch(declared("wiki", server.url), folder, tmp_path)
    server.body = NEWER_BODY
    newer = server.url.replace("wiki.bz2", "newer.bz2")
    (file,) = fetch(declared("wiki", newer), folder, tmp_path)
    assert file.sha256 == sha256(NEWER_BODY)
    assert files_below(folder) == ["wiki/fetched.json", "wiki/newer.bz2"]


def test_a_download_with_a_wrong_checksum_leaves_nothing(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    wrong = declared("wiki", server.url, sha256(b"other"))
    with pytest.raises(InputError) as refusal:
        fetch(wrong, folder, tmp_path)
    for fact in ("wiki", server.url, sha256(b"other"), sha256(BODY)):
        assert fact in str(refusal.value)
    assert files_below(folder) == []


def test_a_checksum_declared_later_is_checked_against_the_earlier_download(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    source = declared("wiki", server.url)
    fetch(source, folder, tmp_path)
    server.body = NEWER_BODY
    (file,) = fetch(declared("wiki", server.url, sha256(NEWER_BODY)), folder, tmp_path)
    assert file.sha256 == sha256(NEWER_BODY)
    with pytest.raises(InputError, match="checksum"):
        fetch(declared("wiki", server.url, sha256(BODY)), folder, tmp_path)
    assert files_below(folder) == []


# ── interrupted downloads ────────────────────────────────────────────────────────────────────


def test_a_dropped_connection_is_resumed_in_the_same_run(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    server.plan = ["drop"]
    fetched = obtain(declared("wiki", server.url), folder, tmp_path)
    assert fetched.files[0].sha256 == sha256(BODY)
    assert fetched.downloaded == len(BODY), "no byte is downloaded twice"
    assert server.ranges == [None, f"bytes={HALF}-"]
    assert server.requests[1]["If-Range"] == '"one"'


def test_an_interrupted_download_is_a_part_that_the_next_run_resumes(
    tmp_path: Path, folder: Path, server: Server, give_up_at_once: Callable[[bool], None]
) -> None:
    server.plan = ["drop"]
    server.etag, server.last_modified = None, "Sat, 01 Mar 2025 06:00:00 GMT"
    give_up_at_once(True)
    with pytest.raises(
        InputError, match=f"closed the connection after {HALF:,} of {len(BODY):,} bytes"
    ):
        fetch(declared("wiki", server.url), folder, tmp_path)
    assert files_below(folder) == ["wiki/fetched.json", "wiki/wiki.bz2.part"]
    assert (folder / "wiki/wiki.bz2.part").read_bytes() == BODY[:HALF]

    fetched = obtain(declared("wiki", server.url), folder, tmp_path)
    assert fetched.downloaded == len(BODY) - HALF
    assert (folder / "wiki/wiki.bz2").read_bytes() == BODY
    assert server.ranges == [None, f"bytes={HALF}-"]
    assert server.requests[1]["If-Range"] == server.last_modified
    assert files_below(folder) == ["wiki/fetched.json", "wiki/wiki.bz2"]


def test_an_answer_that_ends_early_without_an_error_is_not_taken_for_the_whole(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    server.plan = ["drop", "short"]
    fetch(declared("wiki", server.url), folder, tmp_path)
    assert (folder / "wiki/wiki.bz2").read_bytes() == BODY
    assert server.ranges == [None, f"bytes={HALF}-", f"bytes={HALF + HALF // 2}-"]


CHILD = """
import sys
from pathlib import Path
from pipeline.declarations import Declaration
from pipeline.fetch.fetcher import Fetcher
url, root = sys.argv[1], Path(sys.argv[2])
Fetcher(root).fetch(Declaration(name="wiki", location=url), root / "corpora/en/fetched")
"""


def test_a_killed_process_leaves_a_part_that_the_next_run_resumes(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    server.plan = ["stall"]
    part = folder / "wiki/wiki.bz2.part"
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, server.url, str(tmp_path)],
        cwd=ROOT,
    )
    deadline = time.monotonic() + 30
    while not (part.exists() and part.stat().st_size >= HALF):
        assert child.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    child.kill()
    child.wait()
    server.released.set()
    assert files_below(folder) == ["wiki/fetched.json", "wiki/wiki.bz2.part"]

    fetched = obtain(declared("wiki", server.url, sha256(BODY)), folder, tmp_path)
    assert server.ranges == [None, f"bytes={HALF}-"]
    assert fetched.downloaded == len(BODY) - HALF


def test_nothing_is_downloaded_again_if_we_are_killed_before_the_last_rename(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    source = declared("wiki", server.url)
    fetch(source, folder, tmp_path)
    (folder / "wiki/wiki.bz2").rename(folder / "wiki/wiki.bz2.part")
    assert obtain(source, folder, tmp_path).downloaded == 0
    assert (folder / "wiki/wiki.bz2").read_bytes() == BODY
    assert len(server.requests) == 1


def test_a_server_that_ignores_ranges_sends_everything_again(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    server.plan, server.honours_ranges = ["drop"], False
    fetched = obtain(declared("wiki", server.url), folder, tmp_path)
    assert (folder / "wiki/wiki.bz2").read_bytes() == BODY
    assert fetched.downloaded == HALF + len(BODY)


def send_a_new_version(server: Server) -> None:
    server.body, server.etag = NEWER_BODY, '"two"'


def ignore_the_validator(server: Server) -> None:
    server.body, server.etag, server.honours_validators = OTHER_BODY, '"two"', False


def ignore_the_validator_and_send_none(server: Server) -> None:
    server.body, server.etag, server.honours_validators = NEWER_BODY, None, False


def send_another_range(server: Server) -> None:
    server.range_shift = -10


@pytest.mark.parametrize(
    "change",
    [
        send_a_new_version,
        ignore_the_validator,
        ignore_the_validator_and_send_none,
        send_another_range,
    ],
)
def test_bytes_of_another_version_are_not_appended_to_the_first_half(
    tmp_path: Path,
    folder: Path,
    server: Server,
    give_up_at_once: Callable[[bool], None],
    change: Callable[[Server], None],
) -> None:
    server.plan = ["drop"]
    give_up_at_once(True)
    with pytest.raises(InputError):
        fetch(declared("wiki", server.url), folder, tmp_path)
    change(server)
    give_up_at_once(False)
    fetch(declared("wiki", server.url), folder, tmp_path)
    assert (folder / "wiki/wiki.bz2").read_bytes() == server.body
    assert server.ranges[1] == f"bytes={HALF}-"
    assert json.loads((folder / "wiki/fetched.json").read_text())["etag"] == server.etag


@pytest.mark.parametrize("etag", ['W/"weak"', None])
def test_without_a_strong_validator_nothing_is_resumed(
    tmp_path: Path, folder: Path, server: Server, etag: str | None
) -> None:
    server.plan, server.etag = ["drop"], etag
    fetch(declared("wiki", server.url), folder, tmp_path)
    assert server.ranges == [None, None]
    assert (folder / "wiki/wiki.bz2").read_bytes() == BODY


def test_a_part_longer_than_the_file_is_discarded(
    tmp_path: Path, folder: Path, server: Server, give_up_at_once: Callable[[bool], None]
) -> None:
    server.plan = ["drop"]
    give_up_at_once(True)
    with pytest.raises(InputError):
        fetch(declared("wiki", server.url), folder, tmp_path)
    (folder / "wiki/wiki.bz2.part").write_bytes(BODY + b"more")
    give_up_at_once(False)
    fetch(declared("wiki", server.url), folder, tmp_path)
    assert (folder / "wiki/wiki.bz2").read_bytes() == BODY
    assert server.ranges == [None, f"bytes={len(BODY) + 4}-", None]


def test_a_server_that_sends_fewer_bytes_than_it_promised_is_refused(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    server.phantom_bytes = 1000
    with pytest.raises(InputError, match=f"connection after 300,000 of {len(BODY) + 1000:,} bytes"):
        fetch(declared("wiki", server.url), folder, tmp_path)
    assert len(server.requests) > 2, "it is retried first"
    assert "wiki/wiki.bz2" not in files_below(folder)


@pytest.mark.parametrize("status", [503, 429])
def test_a_temporary_failure_of_the_server_is_retried(
    tmp_path: Path, folder: Path, server: Server, status: int
) -> None:
    server.plan = [status, status]
    fetch(declared("wiki", server.url), folder, tmp_path)
    assert (folder / "wiki/wiki.bz2").read_bytes() == BODY
    assert len(server.requests) == 3


def test_a_lasting_failure_ends_after_a_few_tries(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    server.plan = [503] * 20
    with pytest.raises(InputError, match="answered 503 Service Unavailable; run it again later"):
        fetch(declared("wiki", server.url), folder, tmp_path)
    assert len(server.requests) == 4


@pytest.mark.parametrize("status", [403, 404])
def test_a_permanent_failure_is_one_sentence_and_not_retried(
    tmp_path: Path, folder: Path, server: Server, status: int
) -> None:
    server.plan = [status]
    with pytest.raises(InputError) as refusal:
        fetch(declared("wiki", server.url), folder, tmp_path)
    for fact in ("wiki", server.url, str(status), "correct the location"):
        assert fact in str(refusal.value)
    assert len(server.requests) == 1
    assert "wiki/wiki.bz2" not in files_below(folder)


def test_a_refused_connection_is_reported_by_its_innermost_cause(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    server.shutdown()
    server.server_close()
    with pytest.raises(InputError) as refusal:
        fetch(declared("wiki", server.url), folder, tmp_path)
    assert "Connection refused" in str(refusal.value)
    assert "Pool" not in str(refusal.value)


def test_a_download_that_does_not_fit_is_refused_before_it_starts(
    tmp_path: Path, folder: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raw_files.shutil, "disk_usage", lambda _: SimpleNamespace(free=1000))
    with pytest.raises(InputError, match="make room"):
        fetch(declared("wiki", server.url), folder, tmp_path)
    assert files_below(folder) == ["wiki/fetched.json"]


# ── servers that mean no good ────────────────────────────────────────────────────────────────


def test_a_few_redirects_are_followed_and_no_more(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    server.plan = ["/a", "/b", "/c"]
    fetch(declared("wiki", server.url), folder, tmp_path)
    assert (folder / "wiki/wiki.bz2").read_bytes() == BODY
    server.plan = ["/around"] * 100
    with pytest.raises(InputError, match="Exceeded 5 redirects"):
        fetch(declared("loop", server.url), folder, tmp_path)
    assert len(server.requests) <= 4 + 6


@pytest.mark.parametrize(
    ("url", "target", "downgrade"),
    [
        ("https://a.org/x", "http://a.org/x", True),
        ("https://a.org/x", "ftp://a.org/x", True),
        ("https://a.org/x", "file:///etc/passwd", True),
        ("https://a.org/x", "https://b.org/x", False),
        ("https://a.org/x", "/y", False),
        ("https://a.org/x", "//b.org/y", False),
        ("http://a.org/x", "https://a.org/x", False),
        ("http://a.org/x", "http://b.org/x", False),
    ],
)
def test_a_redirect_never_leaves_a_safe_connection(url: str, target: str, downgrade: bool) -> None:
    assert download.is_downgrade(url, target) == downgrade
    response = requests.Response()
    response.status_code, response.url, response.headers["location"] = 302, url, target
    session = download.Session()
    if downgrade:
        with pytest.raises(InputError, match=r"anybody on the way could change the file"):
            session.get_redirect_target(response)
    else:
        assert session.get_redirect_target(response) == target


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "http://["])
def test_a_redirect_to_another_protocol_is_one_sentence(
    tmp_path: Path, folder: Path, server: Server, target: str
) -> None:
    server.plan = [target]
    with pytest.raises(InputError) as refusal:
        fetch(declared("wiki", server.url), folder, tmp_path)
    assert "correct the location" in str(refusal.value)
    assert "wiki/wiki.bz2" not in files_below(folder)


def test_no_more_bytes_are_taken_than_were_announced(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    server.plan = ["drop", "surplus"]
    with pytest.raises(InputError, match=f"more than the {len(BODY):,} bytes that it announced"):
        fetch(declared("wiki", server.url), folder, tmp_path)
    assert files_below(folder) == ["wiki/fetched.json"]
    fetch(declared("wiki", server.url), folder, tmp_path)
    assert (folder / "wiki/wiki.bz2").read_bytes() == BODY


def test_a_server_that_hangs_is_left_and_resumed(
    tmp_path: Path, folder: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "TIMEOUT", (5.0, 0.3))
    server.plan = ["stall"]
    fetched = obtain(declared("wiki", server.url), folder, tmp_path)
    assert fetched.downloaded == len(BODY), "no byte is downloaded twice"
    assert server.ranges == [None, f"bytes={HALF}-"]

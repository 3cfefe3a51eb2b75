"""A download is complete or resumed, and never wrong, whatever servers and disks do."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import requests

from pipeline.fetch import download, raw_files
from pipeline.fetch.raw_files import RawFile
from tests.support.declared import Wiki, declared, fetch, sha256
from tests.support.root import ROOT
from tests.support.server import BODY, HALF, NEWER_BODY, OTHER_BODY
from wordkin.errors import InputError


def test_a_download_is_kept_in_a_folder_with_the_name_of_its_source(wiki: Wiki) -> None:
    fetched = wiki.obtain(sha256(BODY))
    path = "corpora/en/fetched/wiki/wiki.bz2"
    assert fetched.files == [RawFile(path, len(BODY), sha256(BODY))]
    assert fetched.downloaded == len(BODY)
    assert (wiki.root / path).read_bytes() == BODY
    assert wiki.files() == ["wiki/fetched.json", "wiki/wiki.bz2"]
    assert json.loads((wiki.folder / "wiki/fetched.json").read_text()) == {
        "location": wiki.server.url,
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
    wiki: Wiki, body: bytes, complaint: str
) -> None:
    wiki.server.file.body = body
    with pytest.raises(
        InputError, match=f"{wiki.server.url} sends {complaint}; correct the location"
    ):
        wiki.fetch()
    assert wiki.files() == ["wiki/fetched.json"]


def test_the_request_names_us_and_asks_for_the_bytes_as_they_are(wiki: Wiki) -> None:
    wiki.server.file.encoding = "gzip"  # many servers say so of any .gz file
    wiki.fetch()
    assert wiki.server.requests[0]["User-Agent"].startswith("wordkin ")
    assert wiki.server.requests[0]["Accept-Encoding"] == "identity"
    assert wiki.path.read_bytes() == BODY


def test_an_unchanged_second_fetch_makes_no_request(wiki: Wiki) -> None:
    first = wiki.obtain()
    second = wiki.obtain()
    checked = wiki.obtain(sha256(BODY))
    assert first.files == second.files == checked.files
    assert second.downloaded == checked.downloaded == 0
    assert len(wiki.server.requests) == 1


DAMAGES: dict[str, tuple[str, bytes | None]] = {
    "a changed byte": ("wiki.bz2", BODY[:-1] + b"?"),
    "a shorter file": ("wiki.bz2", BODY[:HALF]),
    "no file": ("wiki.bz2", None),
    "a shorter record": ("fetched.json", b'{"location": '),
    "a record of something else": ("fetched.json", b'{"files": [{"path": 1}]}'),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_download_that_does_not_match_its_record_is_fetched_again(
    wiki: Wiki, damage: str
) -> None:
    wiki.fetch()
    name, content = DAMAGES[damage]
    if content is None:
        (wiki.folder / "wiki" / name).unlink()
    else:
        (wiki.folder / "wiki" / name).write_bytes(content)
    (file,) = wiki.fetch()
    assert file.sha256 == sha256(wiki.path.read_bytes()) == sha256(BODY)
    assert wiki.server.ranges == [None, None]


def test_a_new_location_under_the_same_name_is_fetched_from_the_start(wiki: Wiki) -> None:
    wiki.fetch()
    wiki.server.file.body = NEWER_BODY
    newer = wiki.server.url.replace("wiki.bz2", "newer.bz2")
    (file,) = fetch(declared("wiki", newer), wiki.folder, wiki.root)
    assert file.sha256 == sha256(NEWER_BODY)
    assert wiki.files() == ["wiki/fetched.json", "wiki/newer.bz2"]


def test_a_download_with_a_wrong_checksum_leaves_nothing(wiki: Wiki) -> None:
    with pytest.raises(InputError) as refusal:
        wiki.fetch(sha256(b"other"))
    for fact in ("wiki", wiki.server.url, sha256(b"other"), sha256(BODY)):
        assert fact in str(refusal.value)
    assert wiki.files() == []


def test_a_checksum_declared_later_is_checked_against_the_earlier_download(wiki: Wiki) -> None:
    wiki.fetch()
    wiki.server.file.body = NEWER_BODY
    (file,) = wiki.fetch(sha256(NEWER_BODY))
    assert file.sha256 == sha256(NEWER_BODY)
    with pytest.raises(InputError, match="checksum"):
        wiki.fetch(sha256(BODY))
    assert wiki.files() == []


# ── interrupted downloads ────────────────────────────────────────────────────────────────────


def test_a_dropped_connection_is_resumed_in_the_same_run(wiki: Wiki) -> None:
    wiki.server.file.plan = ["drop"]
    fetched = wiki.obtain()
    assert fetched.files[0].sha256 == sha256(BODY)
    assert fetched.downloaded == len(BODY), "no byte is downloaded twice"
    assert wiki.server.ranges == [None, f"bytes={HALF}-"]
    assert wiki.server.requests[1]["If-Range"] == '"one"'


def test_an_interrupted_download_is_a_part_that_the_next_run_resumes(
    wiki: Wiki, give_up_at_once: Callable[[bool], None]
) -> None:
    wiki.server.file.plan = ["drop"]
    wiki.server.file.etag, wiki.server.file.last_modified = None, "Sat, 01 Mar 2025 06:00:00 GMT"
    give_up_at_once(True)
    with pytest.raises(
        InputError, match=f"closed the connection after {HALF:,} of {len(BODY):,} bytes"
    ):
        wiki.fetch()
    assert wiki.files() == ["wiki/fetched.json", "wiki/wiki.bz2.part"]
    assert (wiki.folder / "wiki/wiki.bz2.part").read_bytes() == BODY[:HALF]

    fetched = wiki.obtain()
    assert fetched.downloaded == len(BODY) - HALF
    assert wiki.path.read_bytes() == BODY
    assert wiki.server.ranges == [None, f"bytes={HALF}-"]
    assert wiki.server.requests[1]["If-Range"] == wiki.server.file.last_modified
    assert wiki.files() == ["wiki/fetched.json", "wiki/wiki.bz2"]


def test_an_answer_that_ends_early_without_an_error_is_not_taken_for_the_whole(wiki: Wiki) -> None:
    wiki.server.file.plan = ["drop", "short"]
    wiki.fetch()
    assert wiki.path.read_bytes() == BODY
    assert wiki.server.ranges == [None, f"bytes={HALF}-", f"bytes={HALF + HALF // 2}-"]


CHILD = """
import sys
from pathlib import Path
from pipeline.declarations import Declaration
from pipeline.fetch.fetcher import Fetcher
url, root = sys.argv[1], Path(sys.argv[2])
Fetcher(root).fetch(Declaration(name="wiki", location=url), root / "corpora/en/fetched")
"""


def test_a_killed_process_leaves_a_part_that_the_next_run_resumes(wiki: Wiki) -> None:
    wiki.server.file.plan = ["stall"]
    part = wiki.folder / "wiki/wiki.bz2.part"
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, wiki.server.url, str(wiki.root)],
        cwd=ROOT,
    )
    deadline = time.monotonic() + 30
    while not (part.exists() and part.stat().st_size >= HALF):
        assert child.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    child.kill()
    child.wait()
    wiki.server.released.set()
    assert wiki.files() == ["wiki/fetched.json", "wiki/wiki.bz2.part"]

    fetched = wiki.obtain(sha256(BODY))
    assert wiki.server.ranges == [None, f"bytes={HALF}-"]
    assert fetched.downloaded == len(BODY) - HALF


def test_nothing_is_downloaded_again_if_we_are_killed_before_the_last_rename(wiki: Wiki) -> None:
    wiki.fetch()
    wiki.path.rename(wiki.folder / "wiki/wiki.bz2.part")
    assert wiki.obtain().downloaded == 0
    assert wiki.path.read_bytes() == BODY
    assert len(wiki.server.requests) == 1


def test_a_server_that_ignores_ranges_sends_everything_again(wiki: Wiki) -> None:
    wiki.server.file.plan, wiki.server.file.honours_ranges = ["drop"], False
    fetched = wiki.obtain()
    assert wiki.path.read_bytes() == BODY
    assert fetched.downloaded == HALF + len(BODY)


CHANGES: dict[str, dict[str, Any]] = {
    "a new version": {"body": NEWER_BODY, "etag": '"two"'},
    "a new version whatever we have": {
        "body": OTHER_BODY, "etag": '"two"', "honours_validators": False,
    },
    "a new version without a tag": {
        "body": NEWER_BODY, "etag": None, "honours_validators": False,
    },
    "another range": {"range_shift": -10},
}  # fmt: skip
"""What the server does when the download goes on."""


@pytest.mark.parametrize("change", CHANGES)
def test_bytes_of_another_version_are_not_appended_to_the_first_half(
    wiki: Wiki, give_up_at_once: Callable[[bool], None], change: str
) -> None:
    wiki.server.file.plan = ["drop"]
    give_up_at_once(True)
    with pytest.raises(InputError):
        wiki.fetch()
    vars(wiki.server.file).update(CHANGES[change])
    give_up_at_once(False)
    wiki.fetch()
    assert wiki.path.read_bytes() == wiki.server.file.body
    assert wiki.server.ranges[1] == f"bytes={HALF}-"
    record = json.loads((wiki.folder / "wiki/fetched.json").read_text())
    assert record["etag"] == wiki.server.file.etag


@pytest.mark.parametrize("etag", ['W/"weak"', None])
def test_without_a_strong_validator_nothing_is_resumed(wiki: Wiki, etag: str | None) -> None:
    wiki.server.file.plan, wiki.server.file.etag = ["drop"], etag
    wiki.fetch()
    assert wiki.server.ranges == [None, None]
    assert wiki.path.read_bytes() == BODY


def test_a_part_longer_than_the_file_is_discarded(
    wiki: Wiki, give_up_at_once: Callable[[bool], None]
) -> None:
    wiki.server.file.plan = ["drop"]
    give_up_at_once(True)
    with pytest.raises(InputError):
        wiki.fetch()
    (wiki.folder / "wiki/wiki.bz2.part").write_bytes(BODY + b"more")
    give_up_at_once(False)
    wiki.fetch()
    assert wiki.path.read_bytes() == BODY
    assert wiki.server.ranges == [None, f"bytes={len(BODY) + 4}-", None]


def test_a_server_that_sends_fewer_bytes_than_it_promised_is_refused(wiki: Wiki) -> None:
    wiki.server.file.phantom_bytes = 1000
    with pytest.raises(InputError, match=f"connection after 300,000 of {len(BODY) + 1000:,} bytes"):
        wiki.fetch()
    assert len(wiki.server.requests) > 2, "it is retried first"
    assert "wiki/wiki.bz2" not in wiki.files()


@pytest.mark.parametrize("status", [503, 429])
def test_a_temporary_failure_of_the_server_is_retried(wiki: Wiki, status: int) -> None:
    wiki.server.file.plan = [status, status]
    wiki.fetch()
    assert wiki.path.read_bytes() == BODY
    assert len(wiki.server.requests) == 3


def test_a_lasting_failure_ends_after_a_few_tries(wiki: Wiki) -> None:
    wiki.server.file.plan = [503] * 20
    with pytest.raises(InputError, match="answered 503 Service Unavailable; run it again later"):
        wiki.fetch()
    assert len(wiki.server.requests) == 4


@pytest.mark.parametrize("status", [403, 404])
def test_a_permanent_failure_is_one_sentence_and_not_retried(wiki: Wiki, status: int) -> None:
    wiki.server.file.plan = [status]
    with pytest.raises(InputError) as refusal:
        wiki.fetch()
    for fact in ("wiki", wiki.server.url, str(status), "correct the location"):
        assert fact in str(refusal.value)
    assert len(wiki.server.requests) == 1
    assert "wiki/wiki.bz2" not in wiki.files()


def test_a_refused_connection_is_reported_by_its_innermost_cause(wiki: Wiki) -> None:
    wiki.server.shutdown()
    wiki.server.server_close()
    with pytest.raises(InputError) as refusal:
        wiki.fetch()
    assert "Connection refused" in str(refusal.value)
    assert "Pool" not in str(refusal.value)


def test_a_download_that_does_not_fit_is_refused_before_it_starts(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raw_files.shutil, "disk_usage", lambda _: SimpleNamespace(free=1000))
    with pytest.raises(InputError, match="make room"):
        wiki.fetch()
    assert wiki.files() == ["wiki/fetched.json"]


# ── servers that mean no good ────────────────────────────────────────────────────────────────


def test_a_few_redirects_are_followed_and_no_more(wiki: Wiki) -> None:
    wiki.server.file.plan = ["/a", "/b", "/c"]
    wiki.fetch()
    assert wiki.path.read_bytes() == BODY
    wiki.server.file.plan = ["/around"] * 100
    with pytest.raises(InputError, match="Exceeded 5 redirects"):
        fetch(declared("loop", wiki.server.url), wiki.folder, wiki.root)
    assert len(wiki.server.requests) <= 4 + 6


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
def test_a_redirect_to_another_protocol_is_one_sentence(wiki: Wiki, target: str) -> None:
    wiki.server.file.plan = [target]
    with pytest.raises(InputError) as refusal:
        wiki.fetch()
    assert "correct the location" in str(refusal.value)
    assert "wiki/wiki.bz2" not in wiki.files()


def test_no_more_bytes_are_taken_than_were_announced(wiki: Wiki) -> None:
    wiki.server.file.plan = ["drop", "surplus"]
    with pytest.raises(InputError, match=f"more than the {len(BODY):,} bytes that it announced"):
        wiki.fetch()
    assert wiki.files() == ["wiki/fetched.json"]
    wiki.fetch()
    assert wiki.path.read_bytes() == BODY


def test_a_server_that_hangs_is_left_and_resumed(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "TIMEOUT", (5.0, 0.3))
    wiki.server.file.plan = ["stall"]
    fetched = wiki.obtain()
    assert fetched.downloaded == len(BODY), "no byte is downloaded twice"
    assert wiki.server.ranges == [None, f"bytes={HALF}-"]

"""Downloads are whole or resumed, never wrong, whatever servers and disks do on the way."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from pipeline.fetching import download, raw_files
from pipeline.fetching.fetch import fetch, obtain
from pipeline.fetching.raw_files import RawFile
from tests.support.declared import Declared, files_below, sha256
from tests.support.server import BODY, HALF, NEWER_BODY, OTHER_BODY, Server
from wordkin.errors import InputError


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
        cwd=Path(__file__).parents[2],
    )
    deadline = time.monotonic() + 30
    arrived = HALF // download.CHUNK * download.CHUNK
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
    monkeypatch.setattr(download, "PAUSES", (1.0, 2.0, 4.0))
    monkeypatch.setattr(download, "sleep", slept.append)
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
    monkeypatch.setattr(raw_files.shutil, "disk_usage", lambda _: SimpleNamespace(free=1000))
    with pytest.raises(InputError, match="make room"):
        fetch(Declared("wiki", server.url), folder, tmp_path, None)
    assert files_below(folder) == ["wiki/fetched.json"]

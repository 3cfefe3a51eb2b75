"""Files that a list names: side by side, resumed, verified, and replaced in between."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.declarations import Declaration
from pipeline.fetch.download import parse_list
from pipeline.fetch.fetcher import CONNECTIONS
from pipeline.fetch.raw_files import WrongChecksum
from tests.support.declared import declared, fetch, files_below, obtain, sha256
from tests.support.server import Served
from tests.support.sites import DATE, Sites
from wordkin.errors import InputError

FOLDER = f"/dumps/huwiki/{DATE}"


def parts_of(sites: Sites, sha256: str | None = None) -> Declaration:
    pattern = f"huwiki-{DATE}-pages-articles[0-9]*.bz2"
    location = f"listed:{sites.url}{FOLDER}/huwiki-{DATE}-sha1sums.txt!{pattern}"
    return declared("wiki", location, sha256)


def test_the_parts_of_a_list_are_fetched_in_their_order_and_verified(
    tmp_path: Path, folder: Path, sites: Sites
) -> None:
    names = sites.publish_dump("huwiki", parts=5)
    bodies = [sites.files[f"{FOLDER}/{name}"].body for name in names]
    declaration = parts_of(sites, sha256(b"".join(bodies)))
    fetched = obtain(declaration, folder, tmp_path)
    assert [Path(file.path).name for file in fetched.files] == names
    assert [(tmp_path / file.path).read_bytes() for file in fetched.files] == bodies
    assert fetched.downloaded == sum(map(len, bodies))
    assert sites.most_open_downloads <= CONNECTIONS
    before = len(sites.requests)
    again = obtain(declaration, folder, tmp_path)
    assert again.files == fetched.files and again.downloaded == 0
    assert len(sites.requests) == before, "not even the list is read again"


def test_a_missing_part_is_named_and_the_others_stay(
    tmp_path: Path, folder: Path, sites: Sites
) -> None:
    names = sites.publish_dump("huwiki", parts=3)
    missing = sites.files.pop(f"{FOLDER}/{names[2]}")
    with pytest.raises(InputError, match=rf"{names[2]} answered 404"):
        fetch(parts_of(sites), folder, tmp_path)
    sites.files[f"{FOLDER}/{names[2]}"] = missing
    fetched = obtain(parts_of(sites), folder, tmp_path)
    assert fetched.downloaded == len(missing.body), "only the missing part is downloaded"


def test_an_interrupted_part_is_resumed_by_the_next_run(
    tmp_path: Path, folder: Path, sites: Sites, give_up_at_once: Callable[[bool], None]
) -> None:
    names = sites.publish_dump("huwiki", parts=2)
    file = sites.files[f"{FOLDER}/{names[1]}"]
    file.plan = ["drop"]
    give_up_at_once(True)
    with pytest.raises(InputError, match="resume from byte"):
        fetch(parts_of(sites), folder, tmp_path)
    fetch(parts_of(sites), folder, tmp_path)
    assert f"bytes={len(file.body) // 2}-" in sites.requested(names[1])


def test_a_part_that_is_not_the_published_one_is_refused(
    tmp_path: Path, folder: Path, sites: Sites
) -> None:
    names = sites.publish_dump("huwiki", parts=2)
    sites.files[f"{FOLDER}/{names[1]}"].body = b"BZh9 of another file"
    with pytest.raises(WrongChecksum, match=rf"{names[1]} has the sha1 .* is published for it"):
        fetch(parts_of(sites), folder, tmp_path)
    sites.describe("huwiki", names)
    files = fetch(parts_of(sites), folder, tmp_path)
    assert (tmp_path / files[1].path).read_bytes() == b"BZh9 of another file"


def test_parts_of_an_older_list_are_removed(tmp_path: Path, folder: Path, sites: Sites) -> None:
    names = sites.publish_dump("huwiki", parts=3)
    del sites.files[f"{FOLDER}/{names[1]}"]
    with pytest.raises(InputError, match="404"):
        fetch(parts_of(sites), folder, tmp_path)
    sites.describe("huwiki", [names[0], names[2]])
    fetch(parts_of(sites), folder, tmp_path)
    kept = {path.split("/")[1] for path in files_below(folder)}
    assert kept == {"fetched.json", names[0], names[2]}


def test_the_mirror_folder_is_looked_at_first(tmp_path: Path, folder: Path, sites: Sites) -> None:
    names = sites.publish_dump("huwiki", parts=2)
    mirror = tmp_path / "mirror"
    for path, file in sites.files.items():
        copy = mirror / "127.0.0.1" / (path[1:] + ("index.html" if path.endswith("/") else ""))
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.body)
    fetched = obtain(parts_of(sites), folder, tmp_path, mirror)
    assert [Path(file.path).name for file in fetched.files] == names
    assert fetched.downloaded == 0 and sites.requests == []


def test_a_pattern_that_no_name_matches_is_refused(
    tmp_path: Path, folder: Path, sites: Sites
) -> None:
    sites.publish_dump("huwiki", parts=2)
    location = f"listed:{sites.url}{FOLDER}/huwiki-{DATE}-sha1sums.txt!*.7z"
    with pytest.raises(InputError, match=r"names 3 files and none of them matches '\*.7z'"):
        fetch(declared("wiki", location), folder, tmp_path)


def test_checksums_and_links_are_read() -> None:
    sha = "a" * 40
    assert parse_list(f"{sha}  one.bz2\n{sha} *two.bz2\n") == {"one.bz2": sha, "two.bz2": sha}
    links = (
        '<a href="../">up</a> <a href="?C=N">N</a> <a href="a%2Db.gz">a</a> <a HREF=\'c.gz\'>c</a>'
    )
    assert parse_list(links) == {"a-b.gz": None, "c.gz": None}


def test_a_file_may_have_signs_in_its_name(tmp_path: Path, folder: Path, sites: Sites) -> None:
    sites.files["/dumps/page/"] = Served(b'<a href="a+b=1.gz">x</a>')
    sites.files["/dumps/page/a%2Bb%3D1.gz"] = Served(gzip.compress(b"one"))
    location = f"listed:{sites.url}/dumps/page/!*.gz"
    (file,) = fetch(declared("wiki", location), folder, tmp_path)
    assert file.path.endswith("fetched/wiki/a-b-1.gz/a+b=1.gz")


@pytest.mark.parametrize("name", ["../x", ".hidden", "a/b", "%2e%2e", "/etc/passwd", "a b"])
def test_names_that_lead_elsewhere_are_left_out(name: str) -> None:
    assert parse_list(f'<a href="{name}">x</a>') == {}
    assert parse_list(f"{'a' * 40}  {name}\n") == {}

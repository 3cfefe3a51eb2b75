"""Adding published corpora by name, against a local server that behaves like both sites."""

from __future__ import annotations

import pytest

from pipeline.fetch import published
from pipeline.fetch.fetch import fetch_sources
from pipeline.fetch.fetcher import Fetcher
from pipeline.layout import Layout
from tests.support.declared import Project
from tests.support.server import Served
from tests.support.sites import DATE, Sites


@pytest.fixture
def sites(sites: Sites, monkeypatch: pytest.MonkeyPatch) -> Sites:
    """The sites, which are where we look for published corpora."""
    monkeypatch.delenv("WORDKIN_MIRROR", raising=False)
    monkeypatch.setattr(published, "_free_bytes", lambda folder: 2**50)
    monkeypatch.setenv("WORDKIN_WIKIMEDIA", f"{sites.url}/dumps")
    monkeypatch.setenv("WORDKIN_OPUS", f"{sites.url}/opusapi/")
    monkeypatch.setenv("WORDKIN_WEBCORPUS", f"{sites.url}/Webcorpus2_text/")
    return sites


def test_both_corpora_are_declared_in_one_line_and_fetched(project: Project, sites: Sites) -> None:
    names = sites.publish_dump("fiwiki", parts=3)
    sites.publish_subtitles("fi")
    size = sum(len(sites.files[f"/dumps/fiwiki/{DATE}/{name}"].body) for name in names)
    output = project.run("add", "fi", "--from", "wikipedia,opensubtitles")
    assert (
        f"wikipedia: fiwiki, dump of 2026-11-01, 3 files, {size / 2**20:,.1f} MiB "
        "(verified by published sha1)"
    ) in output
    assert "opensubtitles: OpenSubtitles v2024 of OPUS, 1 file, 0.0 MiB" in output
    assert "nothing is downloaded yet" in output
    assert not (project.root / "corpora/fi/fetched").exists()
    wiki, subtitles = project.of("fi").sources
    assert (wiki.format, subtitles.format) == ("wikipedia", "opensubtitles")
    assert wiki.licence == "CC BY-SA 4.0"
    metrics = fetch_sources(Layout(project.root, "fi"), [wiki, subtitles], Fetcher(project.root))
    assert metrics["sources"]["wikipedia"] == {"files": 3, "bytes": size}
    assert metrics["sources"]["opensubtitles"]["files"] == 1


def test_a_small_wikipedia_is_one_file(project: Project, sites: Sites) -> None:
    (name,) = sites.publish_dump("fiwiki", parts=1)
    project.run("add", "fi", "--from", "wikipedia")
    (source,) = project.of("fi").sources
    assert source.location == (
        f"listed:{sites.url}/dumps/fiwiki/{DATE}/fiwiki-{DATE}-sha1sums.txt!{name}"
    )


def test_the_same_release_is_not_declared_twice_and_the_next_gets_a_new_name(
    project: Project, sites: Sites
) -> None:
    sites.publish_dump("fiwiki", parts=1)
    project.run("add", "fi", "--from", "wikipedia")
    assert "already" in project.refuse("add", "fi", "--from", "wikipedia")
    sites.publish_dump("fiwiki", parts=2)
    project.run("add", "fi", "--from", "wikipedia")
    assert [source.name for source in project.of("fi").sources] == [
        "wikipedia",
        "wikipedia-2",
    ]


def test_the_paper_s_english_takes_the_place_of_the_default(project: Project, sites: Sites) -> None:
    sites.publish_dump("enwiki", parts=3)
    sites.publish_subtitles("en")
    project.run("add", "en", "--profile", "paper", "--replace")
    english = project.of("en")
    assert [source.name for source in english.sources] == ["wikipedia", "opensubtitles"]
    assert english.vocabulary.size == 15_000
    assert english.vocabulary.gold == ["MEN", "WS-353"], "the rest of the settings stays"


def test_the_paper_s_hungarian_is_the_webcorpus(project: Project, sites: Sites) -> None:
    sites.files["/Webcorpus2_text/"] = Served(
        b'<a href="../">..</a><a href="2019_0001.txt.gz">x</a><a href="wiki_0001.txt.gz">y</a>'
    )
    before = [source.name for source in project.of("hu").sources]
    output = project.run("add", "hu", "--profile", "paper")
    hungarian = project.of("hu")
    assert [source.name for source in hungarian.sources] == [*before, "webcorpus"]
    assert hungarian.vocabulary.size == 10_000
    assert hungarian.lemmatize
    assert "webcorpus: Hungarian Webcorpus 2.0, 2 files, 23,841.9 MiB" in output
    assert "declared before and kept" in output


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["fi", "--from", "wikipedia"], "Perhaps there is no Wikipedia in 'fi'"),
        (["fi", "--from", "opensubtitles"], "OPUS has no subtitles in 'fi'"),
        (["fi", "--from", "webcorpus"], "it is Hungarian"),
        (["fi", "--from", "wikipdia"], "did you mean 'wikipedia'?"),
        (["fi", "--profile", "paper"], "has en and hu, not 'fi'"),
        (["Finnish", "--from", "wikipedia"], "must be a language code"),
        (["fi", "x.txt", "--from", "wikipedia"], "not both"),
        (["fi"], "Say what to add"),
    ],
)
def test_a_refused_call_changes_nothing(
    project: Project, sites: Sites, arguments: list[str], reason: str
) -> None:
    assert reason in project.refuse("add", *arguments)


def test_a_dump_that_is_still_being_made_is_passed_over(project: Project, sites: Sites) -> None:
    sites.publish_dump("fiwiki", parts=1)
    del sites.files[f"/dumps/fiwiki/{DATE}/dumpstatus.json"]
    assert "has no complete dump of the articles" in project.refuse(
        "add", "fi", "--from", "wikipedia"
    )


def test_checksums_that_do_not_fit_the_status_are_refused(project: Project, sites: Sites) -> None:
    names = sites.publish_dump("fiwiki", parts=2)
    sums = sites.files[f"/dumps/fiwiki/{DATE}/fiwiki-{DATE}-sha1sums.txt"]
    lines = sums.body.decode().splitlines()
    sums.body = "\n".join(line for line in lines if not line.endswith(names[1])).encode()
    assert "does not list the same files" in project.refuse("add", "fi", "--from", "wikipedia")


def test_a_corpus_that_does_not_fit_on_the_disk_is_refused(
    project: Project, sites: Sites, monkeypatch: pytest.MonkeyPatch
) -> None:
    sites.publish_dump("fiwiki", parts=1)
    monkeypatch.setattr(published, "_free_bytes", lambda folder: 10)
    assert "make room" in project.refuse("add", "fi", "--from", "wikipedia")

"""Adding published corpora by name, against a local server that behaves like both sites."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.__main__ import main
from pipeline.fetch import published
from pipeline.fetch.fetch import fetch_sources
from pipeline.fetch.fetcher import Fetcher
from pipeline.layout import Layout
from pipeline.settings import LanguageSettings, load_settings
from tests.support.sites import DATE, Served, Sites


@pytest.fixture
def sites(sites: Sites, monkeypatch: pytest.MonkeyPatch) -> Sites:
    """The sites, which are where we look for published corpora."""
    monkeypatch.delenv("WORDKIN_MIRROR", raising=False)
    monkeypatch.setattr(published, "_free_bytes", lambda folder: 2**50)
    monkeypatch.setenv("WORDKIN_WIKIMEDIA", f"{sites.url}/dumps")
    monkeypatch.setenv("WORDKIN_OPUS", f"{sites.url}/opusapi/")
    monkeypatch.setenv("WORDKIN_WEBCORPUS", f"{sites.url}/Webcorpus2_text/")
    return sites


def run(project: Path, *arguments: str) -> int:
    return main(["--root", str(project), "add", *arguments])


def language(project: Path, code: str) -> LanguageSettings:
    return load_settings(project / "params.yaml").of(code)


def test_both_corpora_are_declared_in_one_line_and_fetched(
    project: Path, sites: Sites, capsys: pytest.CaptureFixture[str]
) -> None:
    names = sites.publish_dump("fiwiki", parts=3)
    sites.publish_subtitles("fi")
    size = sum(len(sites.files[f"/dumps/fiwiki/{DATE}/{name}"].body) for name in names)
    assert run(project, "fi", "--from", "wikipedia,opensubtitles") == 0
    output = capsys.readouterr().out
    assert (
        f"wikipedia: fiwiki, dump of 2026-11-01, 3 files, {size / 2**20:,.1f} MiB "
        "(verified by published sha1)"
    ) in output
    assert "opensubtitles: OpenSubtitles v2024 of OPUS, 1 file, 0.0 MiB" in output
    assert "nothing is downloaded yet" in output
    assert not (project / "corpora/fi/fetched").exists()
    wiki, subtitles = language(project, "fi").sources
    assert (wiki.format, subtitles.format) == ("wikipedia", "opensubtitles")
    assert wiki.licence == "CC BY-SA 4.0"
    metrics = fetch_sources(Layout(project, "fi"), [wiki, subtitles], Fetcher(project))
    assert metrics["sources"]["wikipedia"] == {"files": 3, "bytes": size}
    assert metrics["sources"]["opensubtitles"]["files"] == 1


def test_a_small_wikipedia_is_one_file(project: Path, sites: Sites) -> None:
    (name,) = sites.publish_dump("fiwiki", parts=1)
    assert run(project, "fi", "--from", "wikipedia") == 0
    (source,) = language(project, "fi").sources
    assert source.location == (
        f"listed:{sites.url}/dumps/fiwiki/{DATE}/fiwiki-{DATE}-sha1sums.txt!{name}"
    )


def test_the_same_release_is_not_declared_twice_and_the_next_gets_a_new_name(
    project: Path, sites: Sites, capsys: pytest.CaptureFixture[str]
) -> None:
    sites.publish_dump("fiwiki", parts=1)
    assert run(project, "fi", "--from", "wikipedia") == 0
    assert run(project, "fi", "--from", "wikipedia") == 2
    assert "already" in capsys.readouterr().err
    sites.publish_dump("fiwiki", parts=2)
    assert run(project, "fi", "--from", "wikipedia") == 0
    assert [source.name for source in language(project, "fi").sources] == [
        "wikipedia",
        "wikipedia-2",
    ]


def test_the_paper_s_english_takes_the_place_of_the_default(project: Path, sites: Sites) -> None:
    sites.publish_dump("enwiki", parts=3)
    sites.publish_subtitles("en")
    assert run(project, "en", "--profile", "paper", "--replace") == 0
    english = language(project, "en")
    assert [source.name for source in english.sources] == ["wikipedia", "opensubtitles"]
    assert english.vocabulary.size == 15_000
    assert english.vocabulary.gold == ["MEN", "WS-353"], "the rest of the settings stays"


def test_the_paper_s_hungarian_is_the_webcorpus(
    project: Path, sites: Sites, capsys: pytest.CaptureFixture[str]
) -> None:
    sites.files["/Webcorpus2_text/"] = Served(
        b'<a href="../">..</a><a href="2019_0001.txt.gz">x</a><a href="wiki_0001.txt.gz">y</a>'
    )
    before = [source.name for source in language(project, "hu").sources]
    assert run(project, "hu", "--profile", "paper") == 0
    hungarian = language(project, "hu")
    assert [source.name for source in hungarian.sources] == [*before, "webcorpus"]
    assert hungarian.vocabulary.size == 10_000
    assert hungarian.lemmatize
    output = capsys.readouterr().out
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
    project: Path,
    sites: Sites,
    arguments: list[str],
    reason: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = (project / "params.yaml").read_bytes()
    assert run(project, *arguments) == 2
    assert reason in capsys.readouterr().err
    assert (project / "params.yaml").read_bytes() == before
    assert [path.name for path in project.iterdir()] == ["params.yaml"]


def test_a_dump_that_is_still_being_made_is_passed_over(
    project: Path, sites: Sites, capsys: pytest.CaptureFixture[str]
) -> None:
    sites.publish_dump("fiwiki", parts=1)
    del sites.files[f"/dumps/fiwiki/{DATE}/dumpstatus.json"]
    assert run(project, "fi", "--from", "wikipedia") == 2
    assert "has no complete dump of the articles" in capsys.readouterr().err


def test_checksums_that_do_not_fit_the_status_are_refused(
    project: Path, sites: Sites, capsys: pytest.CaptureFixture[str]
) -> None:
    names = sites.publish_dump("fiwiki", parts=2)
    sums = sites.files[f"/dumps/fiwiki/{DATE}/fiwiki-{DATE}-sha1sums.txt"]
    lines = sums.body.decode().splitlines()
    sums.body = "\n".join(line for line in lines if not line.endswith(names[1])).encode()
    assert run(project, "fi", "--from", "wikipedia") == 2
    assert "does not list the same files" in capsys.readouterr().err


def test_a_corpus_that_does_not_fit_on_the_disk_is_refused(
    project: Path,
    sites: Sites,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sites.publish_dump("fiwiki", parts=1)
    monkeypatch.setattr(published, "_free_bytes", lambda folder: 10)
    assert run(project, "fi", "--from", "wikipedia") == 2
    assert "make room" in capsys.readouterr().err

"""Adding a language: what is shown of it, and what is written into params.yaml."""

from __future__ import annotations

import bz2
import gzip
import re
from pathlib import Path

import pytest

from pipeline.declarations import Source
from pipeline.fetch import download
from pipeline.fetch.discovery import name_for
from pipeline.fetch.fetcher import Fetcher
from pipeline.fetch.recognition import named_languages
from tests.support import archives
from tests.support.declared import Project
from tests.support.raw import dump, page
from tests.support.server import Server

LINES = "Kissa istuu katolla.\nKoira ja kissa juoksevat.\nKissa nukkuu.\n" * 50
SRT = "1\n00:00:01,000 --> 00:00:02,000\nKissa tulee kotiin.\n"


@pytest.fixture
def project(project: Project) -> Project:
    plant(project, {"OpenSubtitles.fi.txt.gz": gzip.compress(LINES.encode())})
    return project


def plant(project: Project, files: dict[str, str | bytes]) -> None:
    for name, data in files.items():
        path = project.root / "corpora/fi/raw" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)


def zipped(members: dict[str, str]) -> bytes:
    return archives.zipped({name: text.encode() for name, text in members.items()})


def added(project: Project, *locations: str, code: str = "fi") -> list[Source]:
    """The sources of the language after adding these locations below its raw folder."""
    assert project.call("add", code, *(f"corpora/fi/raw/{location}" for location in locations)) == 0
    return project.of(code).sources


def test_a_new_language_is_shown_and_declared(project: Project) -> None:
    before = project.params.read_text()
    (source,) = added(project, "OpenSubtitles.fi.txt.gz")
    output = project.printed()
    assert "whole source: 2 documents, 450 tokens" in output
    assert "most frequent words: kissa" in output
    assert "sample: Kissa istuu katolla." in output
    assert "dvc repro" in output
    assert (source.name, source.format) == ("opensubtitles", "opensubtitles")
    assert project.of("fi").vocabulary.size == 50_000
    after = project.params.read_text()
    assert [line for line in before.splitlines() if line not in after.splitlines()] == []


def test_more_sources_of_a_language_are_appended_with_new_names(project: Project) -> None:
    plant(project, {"a/text.txt": "Yksi\n", "b/text.txt": "Kaksi\n"})
    added(project, "a/text.txt")
    sources = added(project, "b/text.txt")
    assert [source.name for source in sources] == ["text", "text-2"]
    assert [source.location for source in sources] == [
        "corpora/fi/raw/a/text.txt",
        "corpora/fi/raw/b/text.txt",
    ]


def test_files_that_a_shell_expanded_from_a_glob_are_one_source(project: Project) -> None:
    plant(project, {f"wiki_{n:02}": f'<doc id="{n}" title="T">\nsana\n</doc>\n' for n in range(12)})
    (source,) = added(project, *(f"wiki_{n:02}" for n in range(12)))
    assert (source.location, source.format) == ("corpora/fi/raw/wiki_*", "wikiextractor")
    again = [f"corpora/fi/raw/wiki_{n:02}" for n in range(12)]
    project.refuse("add", "fi", *again)


def test_a_folder_of_different_things_becomes_several_sources(project: Project) -> None:
    plant(
        project,
        {
            "fiwiki.xml": dump(page("A", "Tämä on lause.")),
            "films/one/one.srt": SRT,
            "films/one/one.nfo": "who made it",
            "films/two/two.srt": SRT.replace("Kissa", "Koira"),
            "films/cover.jpg": bytes(range(256)) * 9,
            "fiwiki-multistream-index.txt": "600:10:A\n600:12:B\n",
        },
    )
    sources = added(project, "")
    assert {
        source.location.removeprefix("corpora/fi/raw/"): source.format for source in sources
    } == {
        "OpenSubtitles.fi.txt.gz": "opensubtitles",
        "films": "srt",
        "fiwiki.xml": "wikipedia",
    }
    output = project.printed()
    assert "left out: " in output
    assert "is the index of a multistream dump" in output


def test_the_language_is_found_in_a_zip_of_several(project: Project) -> None:
    film = '<document><s id="1">{}</s></document>'
    plant(
        project,
        {
            "en-fi.txt.zip": zipped(
                {"OpenSubtitles.en-fi.en": "Cat.\n", "OpenSubtitles.en-fi.fi": "Kissa.\n"}
            ),
            "films.zip": zipped(
                {
                    "OpenSubtitles/xml/en/1/1.xml": film.format("Dog."),
                    "OpenSubtitles/xml/pt_br/1/2.xml": film.format("Cachorro."),
                    "OpenSubtitles/xml/en-pt_br.xml": "<cesAlign/>",
                }
            ),
        },
    )
    (moses,) = added(project, "en-fi.txt.zip")
    assert moses.text == "fi"
    assert "format opensubtitles, text fi" in project.printed()
    (films,) = added(project, "films.zip", code="pt-BR")
    assert films.text == "pt_br"
    said = project.refuse("add", "hu", "corpora/fi/raw/films.zip")
    assert "has the languages en, pt_br and not hu" in said


def test_an_encoding_without_a_mark_in_the_file_is_declared(project: Project) -> None:
    text = "Kävellään äidin kanssa hämärässä, sää on märkä.\n" * 20
    plant(project, {"old.txt": text.encode("cp1252"), "list.json": '[{"text": "Sana."}]'})
    old, listed = added(project, "old.txt", "list.json")
    assert (old.format, old.encoding) == ("text", "cp1252")
    assert (listed.format, listed.document) == ("json", "*")


def test_a_damaged_file_is_refused_unless_some_damage_is_tolerated(project: Project) -> None:
    plant(project, {"web.txt": "Yksi sana tässä.\n" * 99 + "Toi\0nen.\n"})
    assert "NUL bytes at byte" in refused(project, "web.txt")
    told = project.run("add", "fi", "corpora/fi/raw/web.txt", "--tolerate", "0.01")
    assert "lost bytes: 1 NUL bytes" in told
    assert project.of("fi").sources[0].tolerate == 0.01


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["fi", "nowhere.txt"], "nowhere.txt"),
        (["fi", "s3://bucket/text/*.bz2"], "declare it below the sources"),
        (["sv", "corpora/fi/raw/*.zip"], "no file matches"),
        (["Finnish", "params.yaml"], "must be a language code"),
        (["fi", "params.yaml", "--tolerate", "1"], "is a share of the bytes"),
        (["en", "wheel:chitchat-dataset==0.9.0!chitchat_dataset/dataset.json"], "already"),
    ],
)
def test_a_refused_call_leaves_nothing_behind(
    project: Project, arguments: list[str], reason: str
) -> None:
    assert reason in project.refuse("add", *arguments)


def test_a_refused_download_is_removed(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a package, whose wheel the mirror has."""
    mirror = project.root / "mirror" / "wheels" / "demo-1.0-py3-none-any.whl"
    mirror.parent.mkdir(parents=True)
    mirror.write_bytes(zipped({"demo/good.txt": LINES, "demo/bad.bin": "\0\1\2" * 999}))
    monkeypatch.setenv("WORDKIN_MIRROR", str(project.root / "mirror"))
    for member in ("bad.bin", "none.txt"):
        assert member in project.refuse("add", "sv", f"wheel:demo==1.0!demo/{member}")
    project.run("add", "sv", "wheel:demo==1.0!demo/good.txt")
    assert (project.root / "corpora/sv/fetched/good/demo/good.txt").is_file()
    assert (project.root / "corpora/sv/raw").is_dir()


def test_an_interrupted_download_is_kept_for_the_next_call(
    project: Project, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "TRIES", 0)
    address = server.url.replace("wiki.bz2", "sana.txt")
    server.file.body = LINES.encode() * 100
    server.file.plan = [404, "drop"]
    project.refuse("add", "sv", address)
    assert project.call("add", "sv", address) == 2
    assert "resume from byte" in project.capsys.readouterr().err
    assert (project.root / "corpora/sv/fetched/sana/sana.txt.part").is_file()
    project.run("add", "sv", address)
    assert server.ranges[2] is not None


def test_the_known_addresses_are_read_correctly(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mirror takes the place of the network."""
    addresses = re.findall("location: (https.*)", project.run("sources", "fi"))
    stored = [bz2.compress(dump(page("A", "Yksi sana."))), gzip.compress(LINES.encode())]
    monkeypatch.setenv("WORDKIN_MIRROR", str(project.root / "mirror"))
    for address, data in zip(addresses, stored, strict=False):
        path = project.root / "mirror" / address.removeprefix("https://")
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
    project.run("add", "fi", *addresses[:2])
    sources = project.of("fi").sources
    assert [source.format for source in sources] == ["wikipedia", "opensubtitles"]


@pytest.mark.parametrize(
    ("location", "name"),
    [
        ("corpora/fi/raw/*.srt", "raw"),
        ("corpora/fi/raw/fiwiki-latest-pages-articles.xml.bz2", "fiwiki-latest-pages-articles"),
        ("https://example.org/mono/fi.txt.gz?x=y", "fi"),
        ("wheel:a==1!b/data/*.json", "data"),
        ("./Ääni kirja.txt", "ni-kirja"),
    ],
)
def test_a_source_is_named_after_its_location(location: str, name: str) -> None:
    assert name_for(location, []) == name
    assert name_for(location, [name, f"{name}-2"]) == f"{name}-3"


FINNISH = (
    "Vanha mies käveli hitaasti metsän läpi ja katseli korkeita puita.\n"
    "Lapset juoksivat koulusta kotiin, koska äiti oli leiponut pullaa.\n"
    "Illalla perhe istui saunassa ja puhui huomisesta matkasta.\n"
) * 8
GERMAN = (
    "Der alte Mann ging langsam durch den Wald und betrachtete die hohen Bäume.\n"
    "Die Kinder liefen von der Schule nach Hause, weil die Mutter gebacken hatte.\n"
    "Am Abend saß die Familie zusammen und sprach über die Reise von morgen.\n"
) * 8


def refused(project: Project, *locations: str) -> str:
    """The sentence in which `add` refuses these locations; it leaves nothing behind."""
    return project.refuse("add", "fi", *(f"corpora/fi/raw/{location}" for location in locations))


def test_text_in_another_language_is_added_with_a_warning(project: Project) -> None:
    plant(project, {"a.txt": GERMAN, "b.txt": FINNISH})
    added(project, "a.txt")
    assert "warning: most of it is not in 'fi' but looks like de 100%" in project.printed()
    added(project, "b.txt")
    assert "warning" not in project.printed()


def test_a_folder_of_languages_is_split_by_file_names(project: Project) -> None:
    languages = {"fin": FINNISH, "ger": GERMAN, "rus": "Старый человек медленно шёл.\n"}
    plant(
        project,
        {
            f"films/film-{n}.{code}.txt": f"{n}\n{text}"
            for n in "12"
            for code, text in languages.items()
        },
    )
    (source,) = added(project, "films")
    assert source.location == "corpora/fi/raw/films/film-*.fin.txt"
    output = project.printed()
    assert "left out: 2 files named after the language 'de': add them to that language" in output
    plant(project, {"by-folder/fi/a.txt": FINNISH, "by-folder/de/a.txt": GERMAN})
    assert added(project, "by-folder")[1].location == "corpora/fi/raw/by-folder/fi"


def test_a_folder_of_other_languages_is_refused(project: Project) -> None:
    plant(project, {"films/a.de.txt": GERMAN, "films/a.en.txt": "The old man walked.\n"})
    assert "named after the languages de, en, and none of them after fi" in refused(
        project, "films"
    )
    plant(project, {"mix/a1.txt": GERMAN, "mix/a2.txt": FINNISH, "mix/a3.txt": GERMAN})
    assert "has files in several languages (de: 2, fi: 1)" in refused(project, "mix")


def test_a_source_without_a_document_is_refused(project: Project) -> None:
    plant(project, {"empty.txt": "\n  \n\n", "redirect.xml": dump(page("A", "#REDIRECT [[B]]"))})
    assert "has no document with text, read as text" in refused(project, "empty.txt")
    assert "dropped: 1 redirect" in refused(project, "redirect.xml")


def test_one_damaged_file_is_named_and_the_rest_goes_on(project: Project) -> None:
    whole = bz2.compress(FINNISH.encode() * 40)
    plant(project, {"p/part-1.bz2": whole, "p/part-2.bz2": whole[:-40], "p/part-3.bz2": whole})
    (source,) = added(project, "p")
    assert source.location == "corpora/fi/raw/p"
    assert source.without == ["corpora/fi/raw/p/part-2.bz2"]
    assert "left out of p: " in project.printed()
    files = Fetcher(project.root, progress=False).fetch(source, project.root / "fetched").files
    assert [Path(file.path).name for file in files] == ["part-1.bz2", "part-3.bz2"]
    assert "part-2.bz2" in refused(project, "p/part-2.bz2")


def test_the_summary_says_what_the_stages_will_take(project: Project) -> None:
    plant(project, {"a.txt": FINNISH * 2_000})
    added(project, "a.txt")
    output = project.printed()
    number = re.search(
        r"dvc repro will take about \d+ minutes? and .* of disk: ([\d,]+) tokens", output
    )
    assert number is not None
    assert int(number[1].replace(",", "")) == pytest.approx(27 * 8 * 2_000, rel=0.1)


@pytest.mark.parametrize(
    ("names", "languages"),
    [
        (["film.fin.srt", "film.ger.srt"], ["fi", "de"]),
        (["OpenSubtitles2018.fi.txt.gz", "OpenSubtitles2018.zh-Hans.txt.gz"], ["fi", "zh"]),
        (["fi/a.txt", "hu/a.txt"], ["fi", "hu"]),
        (["wiki_00", "wiki_01"], []),
        (["a.fi.txt", "b.fi.txt"], []),
        (["a.fi.txt", "notes.txt"], []),
        (["part.aa", "part.ab"], []),
    ],
)
def test_languages_in_file_names(names: list[str], languages: list[str]) -> None:
    assert list(named_languages([Path(name) for name in names]).values()) == languages

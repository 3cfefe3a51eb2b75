"""Adding a language: what is shown of it, and what is written into params.yaml."""

from __future__ import annotations

import bz2
import gzip
import re
from pathlib import Path

import pytest

from pipeline.__main__ import main
from pipeline.declarations import Source
from pipeline.fetch import download
from pipeline.fetch.discovery import name_for
from pipeline.fetch.fetcher import Fetcher
from pipeline.fetch.recognition import named_languages
from pipeline.settings import load_settings
from tests.support import archives
from tests.support.raw import dump, page
from tests.support.server import running_server

LINES = "Kissa istuu katolla.\nKoira ja kissa juoksevat.\nKissa nukkuu.\n" * 50
SRT = "1\n00:00:01,000 --> 00:00:02,000\nKissa tulee kotiin.\n"


@pytest.fixture
def project(project: Path) -> Path:
    plant(project, {"OpenSubtitles.fi.txt.gz": gzip.compress(LINES.encode())})
    return project


def plant(project: Path, files: dict[str, str | bytes]) -> None:
    for name, data in files.items():
        path = project / "corpora" / "fi" / "raw" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)


def zipped(members: dict[str, str]) -> bytes:
    return archives.zipped({name: text.encode() for name, text in members.items()})


def added(project: Path, *locations: str, code: str = "fi") -> list[Source]:
    """The sources of the language after adding these locations below its raw folder."""
    given = [f"corpora/fi/raw/{location}" for location in locations]
    assert main(["--root", str(project), "add", code, *given]) == 0
    return load_settings(project / "params.yaml").of(code).sources


def test_a_new_language_is_shown_and_declared(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (project / "params.yaml").read_text()
    (source,) = added(project, "OpenSubtitles.fi.txt.gz")
    output = capsys.readouterr().out
    assert "whole source: 2 documents, 450 tokens" in output
    assert "most frequent words: kissa" in output
    assert "sample: Kissa istuu katolla." in output
    assert "dvc repro" in output
    assert (source.name, source.format) == ("opensubtitles", "opensubtitles")
    assert load_settings(project / "params.yaml").of("fi").vocabulary.size == 50_000
    after = (project / "params.yaml").read_text()
    assert [line for line in before.splitlines() if line not in after.splitlines()] == []


def test_more_sources_of_a_language_are_appended_with_new_names(project: Path) -> None:
    plant(project, {"a/text.txt": "Yksi\n", "b/text.txt": "Kaksi\n"})
    added(project, "a/text.txt")
    sources = added(project, "b/text.txt")
    assert [source.name for source in sources] == ["text", "text-2"]
    assert [source.location for source in sources] == [
        "corpora/fi/raw/a/text.txt",
        "corpora/fi/raw/b/text.txt",
    ]


def test_files_that_a_shell_expanded_from_a_glob_are_one_source(project: Path) -> None:
    plant(project, {f"wiki_{n:02}": f'<doc id="{n}" title="T">\nsana\n</doc>\n' for n in range(12)})
    (source,) = added(project, *(f"wiki_{n:02}" for n in range(12)))
    assert (source.location, source.format) == ("corpora/fi/raw/wiki_*", "wikiextractor")
    again = [f"corpora/fi/raw/wiki_{n:02}" for n in range(12)]
    assert main(["--root", str(project), "add", "fi", *again]) == 2


def test_a_folder_of_different_things_becomes_several_sources(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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
    output = capsys.readouterr().out
    assert "left out: " in output
    assert "is the index of a multistream dump" in output


def test_the_language_is_found_in_a_zip_of_several(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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
    assert "format opensubtitles, text fi" in capsys.readouterr().out
    (films,) = added(project, "films.zip", code="pt-BR")
    assert films.text == "pt_br"
    assert main(["--root", str(project), "add", "hu", "corpora/fi/raw/films.zip"]) == 2
    assert "has the languages en, pt_br and not hu" in capsys.readouterr().err


def test_an_encoding_without_a_mark_in_the_file_is_declared(project: Path) -> None:
    text = "Kävellään äidin kanssa hämärässä, sää on märkä.\n" * 20
    plant(project, {"old.txt": text.encode("cp1252"), "list.json": '[{"text": "Sana."}]'})
    old, listed = added(project, "old.txt", "list.json")
    assert (old.format, old.encoding) == ("text", "cp1252")
    assert (listed.format, listed.document) == ("json", "*")


def test_a_damaged_file_is_refused_unless_some_damage_is_tolerated(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(project, {"web.txt": "Yksi sana tässä.\n" * 99 + "Toi\0nen.\n"})
    before = (project / "params.yaml").read_bytes()
    arguments = ["--root", str(project), "add", "fi", "corpora/fi/raw/web.txt"]
    assert main(arguments) == 2
    assert "NUL bytes at byte" in capsys.readouterr().err
    assert (project / "params.yaml").read_bytes() == before
    assert main([*arguments, "--tolerate", "0.01"]) == 0
    assert "lost bytes: 1 NUL bytes" in capsys.readouterr().out
    assert load_settings(project / "params.yaml").of("fi").sources[0].tolerate == 0.01


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
    project: Path, arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = tree(project)
    assert main(["--root", str(project), "add", *arguments]) == 2
    assert reason in capsys.readouterr().err
    assert tree(project) == before


def tree(folder: Path) -> dict[str, bytes | None]:
    """All files below a folder with their content, and all folders."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def test_a_refused_download_is_removed(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is a package, whose wheel the mirror has."""
    mirror = project / "mirror" / "wheels" / "demo-1.0-py3-none-any.whl"
    mirror.parent.mkdir(parents=True)
    mirror.write_bytes(zipped({"demo/good.txt": LINES, "demo/bad.bin": "\0\1\2" * 999}))
    monkeypatch.setenv("WORDKIN_MIRROR", str(project / "mirror"))
    before = tree(project)
    for member in ("bad.bin", "none.txt"):
        assert main(["--root", str(project), "add", "sv", f"wheel:demo==1.0!demo/{member}"]) == 2
        assert member in capsys.readouterr().err
        assert tree(project) == before
    assert main(["--root", str(project), "add", "sv", "wheel:demo==1.0!demo/good.txt"]) == 0
    assert (project / "corpora/sv/fetched/good/demo/good.txt").is_file()
    assert (project / "corpora/sv/raw").is_dir()


def test_an_interrupted_download_is_kept_for_the_next_call(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(download, "TRIES", 0)
    before = tree(project)
    with running_server() as server:
        address = server.url.replace("wiki.bz2", "sana.txt")
        server.body = LINES.encode() * 100
        server.plan = [404, "drop"]
        arguments = ["--root", str(project), "add", "sv", address]
        assert main(arguments) == 2
        assert tree(project) == before
        assert main(arguments) == 2
        assert "resume from byte" in capsys.readouterr().err
        assert (project / "corpora/sv/fetched/sana/sana.txt.part").is_file()
        assert main(arguments) == 0
        assert server.ranges[2] is not None


def test_the_known_addresses_are_read_correctly(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The mirror takes the place of the network."""
    assert main(["--root", str(project), "sources", "fi"]) == 0
    addresses = re.findall("location: (https.*)", capsys.readouterr().out)
    stored = [bz2.compress(dump(page("A", "Yksi sana."))), gzip.compress(LINES.encode())]
    monkeypatch.setenv("WORDKIN_MIRROR", str(project / "mirror"))
    for address, data in zip(addresses, stored, strict=False):
        path = project / "mirror" / address.removeprefix("https://")
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
    assert main(["--root", str(project), "add", "fi", *addresses[:2]]) == 0
    sources = load_settings(project / "params.yaml").of("fi").sources
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


def refused(project: Path, capsys: pytest.CaptureFixture[str], *locations: str) -> str:
    """The sentence in which `add` refuses these locations; it leaves nothing behind."""
    before = tree(project)
    given = [f"corpora/fi/raw/{location}" for location in locations]
    assert main(["--root", str(project), "add", "fi", *given]) == 2
    assert tree(project) == before
    return capsys.readouterr().err


def test_text_in_another_language_is_added_with_a_warning(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(project, {"a.txt": GERMAN, "b.txt": FINNISH})
    added(project, "a.txt")
    assert "warning: most of it is not in 'fi' but looks like de 100%" in capsys.readouterr().out
    added(project, "b.txt")
    assert "warning" not in capsys.readouterr().out


def test_a_folder_of_languages_is_split_by_file_names(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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
    output = capsys.readouterr().out
    assert "left out: 2 files named after the language 'de': add them to that language" in output
    plant(project, {"by-folder/fi/a.txt": FINNISH, "by-folder/de/a.txt": GERMAN})
    assert added(project, "by-folder")[1].location == "corpora/fi/raw/by-folder/fi"


def test_a_folder_of_other_languages_is_refused(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(project, {"films/a.de.txt": GERMAN, "films/a.en.txt": "The old man walked.\n"})
    assert "named after the languages de, en, and none of them after fi" in refused(
        project, capsys, "films"
    )
    plant(project, {"mix/a1.txt": GERMAN, "mix/a2.txt": FINNISH, "mix/a3.txt": GERMAN})
    assert "has files in several languages (de: 2, fi: 1)" in refused(project, capsys, "mix")


def test_a_source_without_a_document_is_refused(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(project, {"empty.txt": "\n  \n\n", "redirect.xml": dump(page("A", "#REDIRECT [[B]]"))})
    assert "has no document with text, read as text" in refused(project, capsys, "empty.txt")
    assert "dropped: 1 redirect" in refused(project, capsys, "redirect.xml")


def test_one_damaged_file_is_named_and_the_rest_goes_on(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = bz2.compress(FINNISH.encode() * 40)
    plant(project, {"p/part-1.bz2": whole, "p/part-2.bz2": whole[:-40], "p/part-3.bz2": whole})
    (source,) = added(project, "p")
    assert source.location == "corpora/fi/raw/p"
    assert source.without == ["corpora/fi/raw/p/part-2.bz2"]
    assert "left out of p: " in capsys.readouterr().out
    files = Fetcher(project, progress=False).fetch(source, project / "fetched").files
    assert [Path(file.path).name for file in files] == ["part-1.bz2", "part-3.bz2"]
    assert "part-2.bz2" in refused(project, capsys, "p/part-2.bz2")


def test_the_summary_says_what_the_stages_will_take(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(project, {"a.txt": FINNISH * 2_000})
    added(project, "a.txt")
    output = capsys.readouterr().out
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

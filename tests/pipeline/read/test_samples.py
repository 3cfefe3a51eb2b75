"""Real dumps, extracts and subtitles in many languages, on machines with the mirror folder.

Without it, `test_many_languages` tests the same on made-up files.
"""

import bz2
import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.languages import language
from tests.support.raw import MARKS, read_as_found

SAMPLES = Path("corpora/samples")
DUMPS = {
    "en": "enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2",
    "en tables": "enwiki-table-markup.xml.bz2",
    "en 2019": "wikipedia_en.xml.bz2",
    "hu": "wikipedia_hu.xml.bz2",
    "zh": "wikipedia_zh.xml.bz2",
    "cs": "wikipedia_cs.xml.bz2",
    "it": "wikipedia_it.xml.bz2",
    "bn": "wikipedia_bn.xml.bz2",
    "vi": "viwiki-sample.xml",
}


def leads_of(path: Path) -> Iterator[tuple[str, str]]:
    """The id of each page that begins with its title in bold, and that title."""
    with (bz2.open if path.suffix == ".bz2" else open)(path, "rb") as file:
        raw = file.read().decode()
    for page in re.findall(r"<page>.*?</page>", raw, re.DOTALL):
        title, id = (re.search(rf"<{name}>(.*?)</{name}>", page)[1] for name in ("title", "id"))  # type: ignore[index]
        text = html.unescape(page.partition("<text")[2])
        lead = re.search(r"^[^\[{|<*#\n]{0,40}?'''([^'\[\]{}<|&\n]+)'''(?!')", text, re.MULTILINE)
        if lead and lead[1].casefold().startswith(title.split()[0].casefold()):
            yield id, lead[1].strip()


@pytest.mark.slow
@pytest.mark.parametrize("name", DUMPS)
def test_dumps_are_clean_and_keep_their_leads(name: str, mirror: Path) -> None:
    path = mirror / SAMPLES / "wikipedia-xml" / DUMPS[name]
    # The Vietnamese sample was cut after its last page.
    read, tally = read_as_found(path, "wikipedia", tolerate=0.01 if name == "vi" else 0.0)
    words = sum(len(language(name[:2]).words(document.text)) for document in read)
    marks = [mark for document in read for mark in MARKS.findall(document.text)]
    assert words > 1000
    assert len(marks) < 2 * words / 10_000, marks
    by_id = {document.id: document.text for document in read}
    leads = [(id, lead) for id, lead in leads_of(path) if id in by_id]
    assert leads
    assert [lead for id, lead in leads if lead not in by_id[id][:3000]] == []
    assert tally.lost == ({"end of the dump before </mediawiki>": 1} if name == "vi" else {})


@pytest.mark.parametrize(
    "code", ["ara", "chi", "cze", "fin", "ger", "heb", "hin", "jpn", "kor", "rus", "tha"]
)
def test_a_film_in_ten_languages(code: str, mirror: Path) -> None:
    path = mirror / SAMPLES / "subtitles-srt" / f"film.{code}.srt"
    (film,), tally = read_as_found(path, "srt")
    assert not re.search(r"-->|<|\{|^\d+$|♪", film.text, re.MULTILINE)
    assert film.text.count("\n") > (5 if code == "kor" else 400)
    assert tally.dropped["credit lines"] == (code not in ("ger", "jpn", "kor"))

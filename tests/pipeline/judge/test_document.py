"""The two forms of a report: Markdown and HTML, with everything from outside escaped in both."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest
from markdown_it import MarkdownIt

from pipeline.judge.report import pictures
from pipeline.judge.report.document import Document, Folded, Picture, Section, Table, Text


def test_the_two_forms_of_a_document() -> None:
    table = Table("wn", ("a|b", "n"), [["y"], ("x", "1")], "a table")
    picture = Picture(["<svg></svg>"], "a <picture>", "a caption")
    folded = Folded("more", Table("w", ("z",), [("2",)]))
    document = Document("T t", "en", [Text("lead")], [Section("One", [table, picture, folded])])
    assert document.markdown() == (
        "# T t\n\nlead\n\n## One\n\na table\n\n"
        "| a\\|b | n |\n| --- | ---: |\n| **y** |  |\n| x | 1 |\n\n"
        "*Picture in report.html: a caption*\n\n### more\n\n| z |\n| --- |\n| **2** |\n"
    )
    page = document.html()
    assert "<title>T t</title>" in page and 'aria-label="a &lt;picture&gt;"' in page
    assert (
        '<tr><th colspan="2"><span>y</span></th></tr>\n<tr><td>x</td><td class="number">1</td></tr>'
        in page
    )
    assert "<details><summary>more</summary>" in page


HOSTILE = "<script>alert(1)</script>"
PLACES = {
    "title": Document(HOSTILE, "en", [], []),
    "language": Document("T", HOSTILE, [], []),
    "lead": Document("T", "en", [Text(HOSTILE)], []),
    "heading": Document("T", "en", [], [Section(HOSTILE, [])]),
    "header": Document("T", "en", [Table("ww", (HOSTILE, "b"), [])], []),
    "cell": Document("T", "en", [Table("ww", ("a", "b"), [("1", HOSTILE)])], []),
    "row heading": Document("T", "en", [Table("ww", ("a", "b"), [[HOSTILE]])], []),
    "caption": Document("T", "en", [Table("w", ("a",), [], HOSTILE)], []),
    "picture": Document("T", "en", [Picture([], HOSTILE, HOSTILE)], []),
    "folded": Document("T", "en", [Folded(HOSTILE, Table("w", ("a",), []))], []),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_script_from_outside_is_text_in_both_forms(place: str) -> None:
    document = PLACES[place]
    for text in (document.markdown(), document.html()):
        assert "<script" not in text
    if place != "language":  # which Markdown does not show
        assert "&lt;script&gt;" in document.markdown()


def test_what_markdown_shows_is_what_was_written() -> None:
    text = "R&amp;D <BY> & more"
    assert Document("T", "en", [Text(text)], []).markdown() == (
        "# T\n\nR&amp;amp;D &lt;BY&gt; &amp; more\n"
    )


def test_text_from_outside_cannot_make_links_images_or_lines_in_markdown() -> None:
    hostile = "![x](http://track.er) [y](javascript:z)\n# heading\r| cell"
    markdown = Document("T", "en", [Table("w", (hostile,), [])], []).markdown()
    assert "](" not in markdown.replace("\\](", "")
    assert len(markdown.splitlines()) == 4
    assert "\\| cell" in markdown


@pytest.mark.parametrize(
    "hostile",
    [
        "\\[x](javascript:alert(1))",
        "\\\\![x](http://track.er/x.png)",
        "<http://track.er>",
        "see https://track.er and www.track.er or me@track.er",
        "`<b>` *bold* **bold**",
        "[x]: javascript:alert(1)",
        "# heading",
        "- list",
        "1. list",
        "&lt;script&gt;",
        "a\x1b[2Jb\x00",
    ],
)
def test_any_text_is_shown_as_it_is_by_a_reader_of_markdown(hostile: str) -> None:
    reader = MarkdownIt("gfm-like", {"html": True, "linkify": False})
    document = Document("T", "en", [Text(hostile), Table("ww", ("a", "b"), [(hostile, "x")])], [])
    page = reader.render(document.markdown())
    tags = set(re.findall(r"</?([a-z0-9]+)", page))
    assert tags <= {"h1", "p", "table", "thead", "tbody", "tr", "th", "td"}
    shown = re.sub(r"[\x00-\x1f]", " ", hostile).strip()
    assert f"<p>{html.escape(shown, quote=False)}</p>" in page.replace("&quot;", '"')
    # What GitHub would make a link of is not in the source.
    assert not re.search(r"://|www\.|\w@\w", document.markdown())


def test_drawings_take_the_colours_and_fonts_of_the_page() -> None:
    def draw() -> str:
        scores = np.array([0.5, 0.1, 0.2])
        return pictures.scatter("金", np.arange(3.0), scores, [1], ("x", "y"))

    drawing = draw()
    assert "金" in drawing and "var(--mark)" in drawing and "#fe00" not in drawing
    assert draw() == drawing
    path = re.search(r'<path d="([^"]*)"[^>]*stroke-linecap: round', drawing)
    assert path and path[1].count("M") == 3

"""A report as data, and its two forms: Markdown to read anywhere, and one HTML page with pictures.

All text is escaped in both forms: words, licences and reasons come from outside.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

STYLE = Path(__file__).with_name("page.css")

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""What a browser may do with the page: show it, and neither run nor load anything."""


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Table:
    """Rows of cells; a row of a single cell is a heading for the rows below it.

    `columns` has one letter per column: w for words, n for numbers.
    """

    columns: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str = ""


@dataclass(frozen=True)
class Picture:
    """SVG drawings side by side, with a description for screen readers; only the page has them."""

    panels: Sequence[str]
    description: str
    caption: str


@dataclass(frozen=True)
class Folded:
    """A titled table that the page shows when the reader opens it."""

    title: str
    table: Table


Element = Text | Table | Picture | Folded


@dataclass(frozen=True)
class Section:
    """A part of a report under a heading."""

    title: str
    elements: Sequence[Element]


@dataclass(frozen=True)
class Document:
    """A whole report."""

    title: str
    language: str
    lead: Sequence[Element]
    sections: Sequence[Section]

    def markdown(self) -> str:
        """The report without its pictures."""
        parts = [f"# {_plain(self.title)}"]
        parts += map(_markdown, self.lead)
        for section in self.sections:
            parts.append(f"## {_plain(section.title)}")
            parts += map(_markdown, section.elements)
        return "\n\n".join(part for part in parts if part) + "\n"

    def html(self) -> str:
        """The report as one file that needs nothing else."""
        contents = "".join(
            f'<li><a href="#{_anchor(s.title)}">{html.escape(s.title)}</a></li>\n'
            for s in self.sections
        )
        body = [*map(_html, self.lead), f"<nav><ul>\n{contents}</ul></nav>"]
        for section in self.sections:
            body.append(f'<section id="{_anchor(section.title)}">')
            body.append(f"<h2>{html.escape(section.title)}</h2>")
            body += map(_html, section.elements)
            body.append("</section>")
        return _PAGE.format(
            language=html.escape(self.language),
            title=html.escape(self.title),
            policy=POLICY,
            style=STYLE.read_text(encoding="utf-8"),
            body="\n".join(body),
        )


# `data:,` keeps browsers from asking for an icon: the page needs no network.
_PAGE = """<!DOCTYPE html>
<html lang="en" data-language="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
{body}
</main>
</body>
</html>
"""


def _anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def _markdown(element: Element) -> str:
    match element:
        case Text():
            return _plain(element.text)
        case Picture():
            return f"*Picture in report.html: {_plain(element.caption)}*"
        case Folded():
            return f"### {_plain(element.title)}\n\n{_markdown(element.table)}"
        case Table():
            return _markdown_table(element)


def _markdown_table(table: Table) -> str:
    empty = [""] * (len(table.columns) - 1)
    lines = [
        _line(map(_cell, table.header)),
        _line("---:" if column == "n" else "---" for column in table.columns),
    ]
    for row in table.rows:
        cells = [_cell(cell) for cell in row]
        lines.append(_line(cells if len(cells) > 1 else [f"**{cells[0]}**", *empty]))
    text = "\n".join(lines)
    return f"{_plain(table.caption)}\n\n{text}" if table.caption else text


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    return _plain(text).replace("|", "\\|")


_MARKS = re.compile(r"[\\\[\]`*]")
_LINKS = re.compile(r"(?<=[a-z])(:)(?=//)|(?<=\bwww)(\.)|(?<=\w)(@)(?=\w)", re.IGNORECASE)
"""What GitHub turns into a link without any mark: addresses of pages and of mailboxes."""


def _plain(text: str) -> str:
    """Text that Markdown shows as it is: no tag, no link, no image, no new line of its own."""
    one_line = _CONTROL.sub(" ", " ".join(text.splitlines()))
    marked = _MARKS.sub(r"\\\g<0>", html.escape(one_line, quote=False))
    marked = re.sub(r"^(\d*)([#+>.)-]+)(?=\s)", r"\1\\\2", marked.strip())  # a heading or a list
    return _LINKS.sub(lambda match: f"&#{ord(match[0])};", marked)


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def _html(element: Element) -> str:
    match element:
        case Text():
            return f"<p>{html.escape(element.text)}</p>"
        case Picture():
            drawings = "\n".join(element.panels)
            return (
                f'<figure>\n<div class="panels" role="img" '
                f'aria-label="{html.escape(element.description)}">\n{drawings}\n</div>\n'
                f"<figcaption>{html.escape(element.caption)}</figcaption>\n</figure>"
            )
        case Folded():
            title = f"<summary>{html.escape(element.title)}</summary>"
            return f"<details>{title}\n{_html(element.table)}\n</details>"
        case Table():
            return _html_table(element)


def _html_table(table: Table) -> str:
    title = f"<span>{html.escape(table.caption)}</span>"
    caption = f"<caption>{title}</caption>" if table.caption else ""
    head = _row(table.header, table.columns, "th")
    rows = "\n".join(_row(row, table.columns, "td") for row in table.rows)
    # On a phone a wide table scrolls inside its wrapper, so that the page does not scroll.
    return (
        f'<div class="table" tabindex="0"><table>{caption}\n<thead>{head}</thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>"
    )


def _row(cells: Sequence[str], columns: str, tag: str) -> str:
    if len(cells) < len(columns):
        heading = f"<span>{html.escape(cells[0])}</span>"
        return f'<tr><th colspan="{len(columns)}">{heading}</th></tr>'
    row = "".join(
        f'<{tag} class="number">{html.escape(cell)}</{tag}>'
        if column == "n"
        else f"<{tag}>{html.escape(cell)}</{tag}>"
        for cell, column in zip(cells, columns, strict=True)
    )
    return f"<tr>{row}</tr>"

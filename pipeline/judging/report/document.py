"""A report as data, and its two forms: Markdown to read anywhere, one HTML page with pictures."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

STYLE = Path(__file__).with_name("page.css")


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Table:
    """Rows of cells; a row of a single cell is a heading for those below it.

    `columns` has a letter for each: w for words, n for numbers.
    """

    columns: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str = ""


@dataclass(frozen=True)
class Picture:
    """SVG drawings side by side, told in words for those who cannot see; only the page has them."""

    panels: Sequence[str]
    told: str
    caption: str


@dataclass(frozen=True)
class Folded:
    """A titled table that the page shows when asked to."""

    title: str
    table: Table


Block = Text | Table | Picture | Folded


@dataclass(frozen=True)
class Section:
    """A headed part of a report."""

    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Document:
    """A whole report."""

    title: str
    language: str
    lead: Sequence[Block]
    sections: Sequence[Section]

    def markdown(self) -> str:
        """The report without its pictures."""
        parts = [f"# {self.title}"]
        parts += [_markdown(block) for block in self.lead]
        for section in self.sections:
            parts.append(f"## {section.title}")
            parts += [_markdown(block) for block in section.blocks]
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
            body += map(_html, section.blocks)
            body.append("</section>")
        return _PAGE.format(
            language=html.escape(self.language),
            title=html.escape(self.title),
            style=STYLE.read_text(encoding="utf-8"),
            body="\n".join(body),
        )


# `data:,` keeps browsers from asking for an icon: the page touches no network.
_PAGE = """<!DOCTYPE html>
<html lang="en" data-language="{language}">
<head>
<meta charset="utf-8">
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


def _markdown(block: Block) -> str:
    if isinstance(block, Text):
        return block.text
    if isinstance(block, Picture):
        return f"*Picture in report.html: {block.caption}*"
    if isinstance(block, Folded):
        return f"### {block.title}\n\n{_markdown(block.table)}"
    lines = [_line(block.header), _line(["---:" if c == "n" else "---" for c in block.columns])]
    empty = [""] * (len(block.columns) - 1)
    lines += [_line(row if len(row) > 1 else [f"**{row[0]}**", *empty]) for row in block.rows]
    table = "\n".join(lines)
    return f"{block.caption}\n\n{table}" if block.caption else table


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _html(block: Block) -> str:
    if isinstance(block, Text):
        return f"<p>{html.escape(block.text)}</p>"
    if isinstance(block, Picture):
        drawn = "\n".join(block.panels)
        return (
            f'<figure>\n<div class="panels" role="img" aria-label="{html.escape(block.told)}">\n'
            f"{drawn}\n</div>\n<figcaption>{html.escape(block.caption)}</figcaption>\n</figure>"
        )
    if isinstance(block, Folded):
        title = f"<summary>{html.escape(block.title)}</summary>"
        return f"<details>{title}\n{_html(block.table)}\n</details>"
    told = f"<span>{html.escape(block.caption)}</span>"
    caption = f"<caption>{told}</caption>" if block.caption else ""
    head = _row(block.header, block.columns, "th")
    rows = "\n".join(_row(row, block.columns, "td") for row in block.rows)
    # The wrapper scrolls where a table is too wide for a phone; the page never does.
    return (
        f'<div class="table" tabindex="0"><table>{caption}\n<thead>{head}</thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>"
    )


def _row(cells: Sequence[str], columns: str, tag: str) -> str:
    if len(cells) < len(columns):
        heading = f"<span>{html.escape(cells[0])}</span>"
        return f'<tr><th colspan="{len(columns)}">{heading}</th></tr>'
    marked = "".join(
        f'<{tag} class="number">{html.escape(cell)}</{tag}>'
        if column == "n"
        else f"<{tag}>{html.escape(cell)}</{tag}>"
        for cell, column in zip(cells, columns, strict=True)
    )
    return f"<tr>{marked}</tr>"

"""`python -m pipeline add` and `sources`: bring a language in, and find text for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any, cast

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap

from pipeline import fetch, locations, readers
from pipeline.languages import language, opus_code, wikipedia_code
from pipeline.layout import Layout
from pipeline.settings import Format, Source, load
from wordkin.errors import InputError
from wordkin.measures import write_text

SAMPLE_DOCUMENTS = 2_000
"""Documents that are looked at: enough to see whether a source is read right."""

SAMPLE_CHARACTERS = 300
VOCABULARY_SIZE = 10_000
LEMMATIZED = ("hu",)
"""Languages that are counted by lemmas unless told otherwise: each word has many forms."""


@dataclass(frozen=True)
class Look:
    """What was seen of a source."""

    documents: int
    tokens: int
    frequent: list[str]
    text: str
    whole: bool


def add(root: Path, code: str, given: Sequence[str], mirror: Path | None) -> list[str]:
    """Look at the sources, write them into params.yaml below `code`; what to tell a person."""
    layout = Layout(root, code)
    layout.prepare()
    sources: list[Source] = []
    told = []
    for location in given:
        source = Source(
            name=_name(location, [source.name for source in sources]), location=location
        )
        files = [root / f.path for f in fetch.fetch(source, layout.fetched, root, mirror)]
        source = replace(source, format=cast(Format, readers.sniff(files[0])))
        sources.append(source)
        told += describe(source, files, look(code, source, files))
    params = root / "params.yaml"
    write_text(params, with_language(params.read_text(encoding="utf-8"), code, sources))
    load(params)
    return [*told, "", f"added to params.yaml below languages.{code}; now run: dvc repro"]


def look(code: str, source: Source, files: Sequence[Path]) -> Look:
    """Read the first documents of a source as the tokens stage would."""
    tally = readers.Tally(tolerate=source.tolerate)
    units = readers.plan(files, source)
    documents = (d for unit in units for d in readers.read(unit, source, tally))
    seen = list(islice(documents, SAMPLE_DOCUMENTS))
    spoken = language(code)
    stop_words = spoken.stop_words()
    words = [word for document in seen for word in spoken.words(document.text)]
    counts = Counter(word for word in words if word not in stop_words)
    longest = max(seen, key=lambda document: len(document.text), default=None)
    return Look(
        len(seen),
        len(words),
        sorted(counts, key=lambda word: (-counts[word], word))[:5],
        " ".join(longest.text.split())[:SAMPLE_CHARACTERS] if longest else "",
        next(documents, None) is None,
    )


def describe(source: Source, files: Sequence[Path], seen: Look) -> list[str]:
    """What was seen of a source, for people."""
    size = sum(file.stat().st_size for file in files)
    part = "" if seen.whole else f" (the first {seen.documents:,} documents)"
    return [
        f"{source.name}: {len(files):,} files, {size / 2**20:,.1f} MiB, format {source.format}",
        f"  seen{part}: {seen.documents:,} documents, {seen.tokens:,} tokens",
        f"  most frequent words: {', '.join(seen.frequent)}",
        f"  sample: {seen.text}",
    ]


def with_language(text: str, code: str, sources: Sequence[Source]) -> str:
    """params.yaml with the language, or with more sources of it; comments stay where they are."""
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 10_000
    yaml.indent(mapping=2, sequence=4, offset=2)
    yaml.representer.add_representer(
        type(None), lambda dumper, _: dumper.represent_scalar("tag:yaml.org,2002:null", "null")
    )
    params = yaml.load(text)
    entry = params["languages"].setdefault(code, CommentedMap())
    entry.setdefault("lemmatize", code in LEMMATIZED)
    entry.setdefault("vocabulary", CommentedMap(size=VOCABULARY_SIZE))
    known = entry.setdefault("sources", [])
    for source in sources:
        if any(source.location == other["location"] for other in known):
            raise InputError(f"languages.{code}.sources has {source.location} already.")
        name = _unique(source.name, [other["name"] for other in known])
        fields: dict[str, Any] = {
            "name": name,
            "format": source.format,
            "location": source.location,
        }
        known.append(CommentedMap(fields))
    out = StringIO()
    yaml.dump(params, out)
    return out.getvalue()


def _name(location: str, taken: Sequence[str]) -> str:
    """A short name for a source, from the last part of its location that says something."""
    place = locations.parse(location)
    text = place.member if isinstance(place, locations.WheelMember) else location.split("?")[0]
    pieces = [piece for piece in re.split(r"[/!]", text) if piece.strip("*")]
    stem = re.sub(r"[^a-z0-9._-]+", "-", pieces[-1].lower().split(".")[0]).strip("-._")
    return _unique(stem or "source", taken)


def _unique(name: str, taken: Sequence[str]) -> str:
    numbers = (f"{name}-{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(n for n in numbers if n not in taken)


def known_sources(code: str) -> list[str]:
    """Where a language's Wikipedia and OpenSubtitles are, ready to paste into params.yaml."""
    wiki = wikipedia_code(code).replace("-", "_") + "wiki"
    opus = opus_code(code)
    return [
        f"# raw text of '{code}': paste below languages.{code}.sources in params.yaml",
        "- name: wikipedia",
        "  format: wikipedia",
        f"  location: https://dumps.wikimedia.org/{wiki}/latest/{wiki}-latest-pages-articles.xml.bz2",
        "  licence: CC BY-SA 4.0",
        "- name: opensubtitles # sentences without the borders of films",
        "  format: opensubtitles",
        f"  location: https://object.pouta.csc.fi/OPUS-OpenSubtitles/v2018/mono/{opus}.txt.gz",
        "  licence: see https://opus.nlpl.eu/",
        "- name: opensubtitles-films # the same with the borders of films: take one of the two",
        "  format: opensubtitles",
        f"  location: https://object.pouta.csc.fi/OPUS-OpenSubtitles/v2018/raw/{opus}.zip",
        "  licence: see https://opus.nlpl.eu/",
    ]

"""`python -m pipeline add` and `sources`: bring a language in, and find text for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import Any, cast

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap

from pipeline import locations
from pipeline.adding.discovery import Finding, found_at, name_of
from pipeline.corpus import readers
from pipeline.corpus.languages import language
from pipeline.corpus.languages.codes import opus_code, wikipedia_code
from pipeline.corpus.languages.table import data_of
from pipeline.fetching.sources import Fetcher
from pipeline.layout import Layout
from pipeline.settings import Format, Source, is_language_code, load
from wordkin.errors import InputError
from wordkin.files import new_file

MOST_DOCUMENTS, MOST_CHARACTERS = 2_000, 4_000_000
"""What is looked at of a source: enough to see whether it is read right."""

SAMPLE_CHARACTERS = 300
VOCABULARY_SIZE = 10_000
SENTENCE_WORDS = 15
"""Lines of fewer words on average are sentences rather than documents."""


@dataclass(frozen=True)
class Look:
    """What was seen of a source."""

    documents: int
    tokens: int
    frequent: list[str]
    text: str
    dropped: dict[str, int]
    lost: dict[str, int]
    whole: bool


def add(
    root: Path, code: str, given: Sequence[str], mirror: Path | None, tolerate: float = 0.0
) -> list[str]:
    """Look at the sources, write them into params.yaml below `code`; what to tell a person."""
    if not is_language_code(code):
        raise InputError(f"'{code}' is not a language code; write one such as en, hu, zh, pt-BR.")
    if not 0 <= tolerate < 1:
        raise InputError(f"--tolerate is a share of the bytes, from 0 to below 1, not {tolerate}.")
    params = root / "params.yaml"
    declared = load(params).languages.get(code)
    known = declared.sources if declared else []
    layout = Layout(root, code)
    layout.raw.mkdir(parents=True, exist_ok=True)
    sources: list[Source] = []
    told: list[str] = []

    def refuse_known(location: str) -> None:
        if any(location == source.location for source in known):
            raise InputError(f"languages.{code}.sources has {location} already.")

    def take(finding: Finding, name: str) -> None:
        refuse_known(finding.location)
        source = _source(finding, name, tolerate)
        sources.append(source)
        told.extend(describe(source, finding.files, look(code, source, finding.files)))

    def free_name(location: str) -> str:
        return name_of(location, [source.name for source in (*known, *sources)])

    local = [one for one in given if isinstance(locations.parse(one), locations.LocalPath)]
    if local:
        findings, left_out = found_at(local, code, root)
        for finding in findings:
            take(finding, free_name(finding.location))
        told += [f"left out: {reason}" for reason in left_out]
    for location in (one for one in given if one not in local):
        refuse_known(location)
        named = Source(name=free_name(location), location=location)
        fetched = Fetcher(root, mirror).fetch(named, layout.fetched)
        files = [root / file.path for file in fetched.files]
        take(Finding.of(location, files, code), named.name)
    _write(params, with_language(params.read_text(encoding="utf-8"), code, sources))
    names = ", ".join(source.name for source in sources)
    return [*told, "", f"added to params.yaml below languages.{code}: {names}; now run: dvc repro"]


def _source(finding: Finding, name: str, tolerate: float) -> Source:
    shape = finding.shape
    return Source(
        name=name,
        location=finding.location,
        format=cast(Format, shape.format),
        document=shape.document,
        text=shape.text,
        encoding=shape.encoding,
        tolerate=tolerate,
    )


def _write(params: Path, text: str) -> None:
    """Replace params.yaml by a text that was seen to be right."""
    with new_file(params) as temporary:
        temporary.write_text(text, encoding="utf-8")
        load(temporary)


def look(code: str, source: Source, files: Sequence[Path]) -> Look:
    """Read the first documents of a source as the tokens stage would."""
    tally = readers.Tally(tolerate=source.tolerate)
    units = readers.plan(files, source)
    documents = chain.from_iterable(readers.read(unit, source, tally) for unit in units)
    seen: list[readers.Document] = []
    characters = 0
    whole = True
    for document in documents:
        seen.append(document)
        characters += len(document.text)
        if len(seen) >= MOST_DOCUMENTS or characters >= MOST_CHARACTERS:
            whole = next(documents, None) is None
            break
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
        dict(tally.dropped),
        dict(tally.lost),
        whole,
    )


def describe(source: Source, files: Sequence[Path], seen: Look) -> list[str]:
    """What was seen of a source, for people."""
    size = sum(file.stat().st_size for file in files)
    number = "1 file" if len(files) == 1 else f"{len(files):,} files"
    keys = ("document", "text", "encoding")
    own = "".join(f", {key} {value}" for key in keys if (value := getattr(source, key)))
    part = "in all" if seen.whole else "at the beginning"
    told = [
        f"{source.name}: {number}, {size / 2**20:,.1f} MiB, format {source.format}{own}",
        f"  seen {part}: {seen.documents:,} documents, {seen.tokens:,} tokens",
    ]
    for what, counts in (("dropped", seen.dropped), ("lost bytes", seen.lost)):
        if counts:
            reasons = (f"{count:,} {reason}" for reason, count in sorted(counts.items()))
            told.append(f"  {what}: {', '.join(reasons)}")
    told += [f"  most frequent words: {', '.join(seen.frequent)}", f"  sample: {seen.text}"]
    if source.format == "text" and seen.tokens < SENTENCE_WORDS * seen.documents:
        told.append(
            "  each line is a document, and they are short: if they are sentences of longer texts, "
            "write document: blank or file, or format: opensubtitles, into params.yaml"
        )
    return told


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
    entry.setdefault("lemmatize", data_of(code).lemmatized)
    entry.setdefault("vocabulary", CommentedMap(size=VOCABULARY_SIZE))
    known = entry.setdefault("sources", [])
    for source in sources:
        fields: dict[str, Any] = {
            "name": source.name,
            "format": source.format,
            "location": source.location,
            "document": source.document,
            "text": source.text,
            "encoding": source.encoding,
            "tolerate": source.tolerate,
        }
        known.append(CommentedMap({key: value for key, value in fields.items() if value}))
    out = StringIO()
    yaml.dump(params, out)
    return out.getvalue()


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

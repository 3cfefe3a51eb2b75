"""`python -m pipeline sources`: where raw text of a language can be downloaded."""

from __future__ import annotations

from pipeline.languages.table import opus_code, wikipedia_code


def known_sources(code: str) -> list[str]:
    """A language's Wikipedia and OpenSubtitles, as lines to paste into params.yaml."""
    wiki = wikipedia_code(code).replace("-", "_") + "wiki"
    opus = opus_code(code)
    return [
        f"# raw text of '{code}': paste below languages.{code}.sources in params.yaml, or let",
        f"# python -m pipeline add {code} --from wikipedia,opensubtitles declare the newest ones",
        "- name: wikipedia",
        "  format: wikipedia",
        f"  location: https://dumps.wikimedia.org/{wiki}/latest/{wiki}-latest-pages-articles.xml.bz2",
        "  licence: CC BY-SA 4.0",
        "- name: opensubtitles # sentences, without the borders of films",
        "  format: opensubtitles",
        f"  location: https://object.pouta.csc.fi/OPUS-OpenSubtitles/v2018/mono/{opus}.txt.gz",
        "  licence: see https://opus.nlpl.eu/",
        "- name: opensubtitles-films # the same, with the borders of films: take one of the two",
        "  format: opensubtitles",
        f"  location: https://object.pouta.csc.fi/OPUS-OpenSubtitles/v2018/raw/{opus}.zip",
        "  licence: see https://opus.nlpl.eu/",
    ]

"""What other programs leave in running text: placeholders, tags, addresses, file names, codes.

Extractors, converters and crawlers leave marks that are no words of any language. Every document
passes through `clean`, whatever its format, and everything that is removed is counted by kind in
the tally, so that a person can see it. Each rule is one pattern; none of them may try the same
letters twice, because a line of a million of them would take forever.
"""

import re
from collections.abc import Iterable
from html import unescape
from typing import NamedTuple

from pipeline.read import wikitext
from pipeline.read.documents import Tally

# Only lines that match this are looked at more closely: most lines do not. Each way begins with one
# rare character, so that the search skips to these and tries one way only.
_SUSPICIOUS = re.compile(
    r"<|\{|\}|\||\\|@|\[\[|\]\]|&[#A-Za-z]|_\d|:(?://|\d\d[.,]\d{3})|\.[A-Za-z]|=[\"'\w]"
    r"|x(?:(?<=\dpx)|(?<=\d px))\b|b(?<=[Ii][Ss]b)[Nn]|B(?<=[Ii][Ss]B)[Nn]|S(?<=ISS)N|PM[IC]"
    r"|10\.\d{4}|\)(?<=\d\d\d\d\))|>(?<=-->)"
)

# Marks of a wiki that an extractor did not understand, perhaps across lines.
_WIKI = re.compile(r"\[\[[^\[\]\n]++\]\]|\{\{[^{}]*+\}\}|^\{\||-\{[^{}\n]*+\}-", re.MULTILINE)
_SITE = wikitext.Site()

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_PLACEHOLDER = re.compile(r"(?:formula|codice)_\d+")  # WikiExtractor's, for <math> and <code>

# Elements whose content is no running text, on one line.
_ELEMENT = re.compile(
    r"<(ref|math|chem|ce|score|syntaxhighlight|source|script|style|timeline)\b[^<>]*+(?<!/)>"
    r"[^<\n]*+</\1\s*>",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"<!--[^<>]*+-->")
_BLOCK_TAG = re.compile(
    rf"</?(?:{wikitext.BLOCK}|html|head|body|title|form|input|button|select|option|textarea|nav|"
    r"section|article|aside|header|footer|main|figure|figcaption|col|colgroup|doc)"
    r"(?:[\s/][^<>]*+)?>",
    re.IGNORECASE,
)
_TAG = re.compile(
    rf"</?(?:{wikitext.INLINE}|{wikitext.OPAQUE}|script|style|iframe|object|embed|param|label|svg|"
    r"picture|path|c|v|unk|url|applet|frame|frameset|noframes|noscript|marquee|canvas|audio|area)(?:[\s/.][^<>]*+)?>"
    # Any other name, if it closes an element or has attributes.
    r"|</[A-Za-z][\w:-]*+\s*>|<[A-Za-z][\w:-]*+\s[^<>=]*+=[^<>]*+>",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    r"(?<![\w-])(?:class|style|align|valign|width|height|colspan|rowspan|bgcolor|border|href|src|"
    r"alt|cellpadding|cellspacing|scope|lang|dir|rel|target)\s?=\s?"
    r"(?:\"[^\"\n<>]*+\"|'[^'\n<>]*+'|(?<==)[\w#%-]++(?::[\w#%-]++)?;?)"
)
# Options of pictures and cells that lost their brackets: thumb|right|250px|A caption.
_OPTION = re.compile(
    r"(?<![\w|])(?:(?:thumb(?:nail)?|mini(?:atur)?|frame(?:d|less)?|right|left|center|none|"
    r"upright(?:=[\d.]+)?|\d+x?\d*\s?px|border|vignette|jobbra|balra|bélyegkép|links|rechts|hochkant|"
    r"gauche|droite|centré|sinistra|destra)\s?\|\s?)+"
    r"|(?<![\w.])\d+\s?px\b|(?<=\|)\s?thumb(?:nail)?\b"
)
# Rows of tables and fields of templates, each on its own line.
_FIELD = re.compile(r"\A\s*(?:\||!(?=[^|!]*+(?:!!|\|))|#(?:if|ifeq|switch|expr|invoke)\b).*+\Z")

# Letters that may follow an address without a space belong to the sentence, not to the address.
_IN_ADDRESS = (
    r"[^\s<>\"|{}\[\]«»“”„、，。；：！？（）「」『』《》\u1100-\u11ff"
    r"\u3040-\u9fff\uac00-\ud7af]"
)
_ADDRESS = re.compile(
    rf"(?:https?|ftps?|file|mms|rtsp|git|svn|irc)://{_IN_ADDRESS}*+"
    rf"|(?<![\w.])[Ww]{{3}}\d?\.{_IN_ADDRESS}++"
    r"|(?<![\w.+-])[\w.+-]{1,64}+@[A-Za-z0-9-]{1,63}+(?:\.[A-Za-z0-9-]{1,63}+)+"
)
# Without country codes that are words: a missing space after a full stop is common.
_DOMAINS = (
    "com|org|net|edu|gov|mil|info|biz|tv|eu|cc|bg|br|cn|cz|dk|fr|gr|hu|ir|jp|kr|nl|pl|ro|rs|ru|sk|"
    "ua|vn|uk|tw|hk|io|su|xyz"
)
_HOST = r"(?<![\w@-])(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}+\.){1,5}"
_DOMAIN = re.compile(
    rf"{_HOST}(?:{_DOMAINS}|COM|ORG|NET|TV)(?![A-Za-z0-9À-ɏа-я])"
    rf"(?:[:/?#]{_IN_ADDRESS}*+|-\w{{1,6}}(?!\w))?"  # perhaps with an ending: Music.hu-n
    # With a path behind it, any ending is that of an address.
    rf"|{_HOST}[a-z]{{2,6}}/[A-Za-z0-9_~%.?=&#+/-]++"
)
_ENDINGS = (
    "jpe?g|png|svg|gif|tiff?|webp|bmp|xcf|pdf|djvu|og[gav]|flac|wav|mp[34]|midi?|webm|mkv|avi|mpe?g|"
    "x?html?|php|aspx?|jsp|cgi|css|xml|json|yaml|txt|docx?|xlsx?|pptx?|csv|rtf|exe|dll|bat|zip|rar|"
    "tar|gz|bz2|7z|srt|torrent"
)
_FILE = re.compile(
    # A wiki's file may have spaces in its name.
    rf"\b(?:[Ff]ile|[Ii]mage|[Mm]edia|Datei|Bild|Fájl|Kép|Fichier|Archivo|Imagen|Plik|Soubor|Файл):"
    rf"[^\n|:<>\[\]]{{1,120}}?\.(?:{_ENDINGS})\b"
    rf"|(?<![\w%()~.-])[\w%()~-]++(?:\.[\w-]++)*?\.(?:{_ENDINGS}|{_ENDINGS.upper()})(?:-\w{{1,6}})?(?!\w)"
)

_NUMBER = re.compile(
    r"\b(?:E-?)?[Ii][Ss][Bb][Nn](?![^\W\d_])(?:[-‐– ]?1[03])?"
    r"[\s:\u00a0]*+(?:\d[\d\s\u00a0‐-―-]{7,16}[\dXxХх])?"
    r"|\b[Ii][Ss][Ss][Nn][\s:\u00a0]*+\d{4}[‐-―-]?\d{3}[\dXx]"
    r"|\b[Dd][Oo][Ii][\s:]*+10\.\d{4,9}/\S++|\b10\.\d{4,9}/\S++"
    r"|\b(?:PMID|PMC|OCLC|LCCN|JSTOR|arXiv|Bibcode|S2CID|ASIN)[\s:\u00a0]*+[\w./]{0,30}\d[\w./]{0,30}"
)
_SIGN_OF_NUMBER = re.compile(r"[BSbs][Nn]|10\.|PM[IC]|OCLC|LCCN|JSTOR|arXiv|Bibcode|S2CID|ASIN")
_ENTRY = (  # signs of a line that lists a work, besides its number; the fast ones first
    re.compile(r"\A\W*[^\W\d_][\w'’-]+,\s[^\W\d_](?:\.|[\w’-]+[.,;:])"),  # Surname, N.
    re.compile(r"\((?:[^()\n]{0,20}\b)?(?:1[5-9]|20)\d\d[a-z]?\)"),  # (1998), (April 2001)
    re.compile(r"\b(?:1[5-9]|20)\d\d\.?\W*\Z"),  # ends with a year
    re.compile(r"\b\d{1,4}\s?[(:]\s?\d{1,4}(?:[–-]\d{1,4})?\)?\s?[:,]?\s?\d{1,5}[–-]\d{1,5}"),
    re.compile(
        r"(?:\b(?:pp?|S|s|str|стр|Стр|с|С|o|oldal|pag|págs?|vol|Vol|Bd|Nr|[Nn]o|t|т|Т)\.|[第頁页])\s?\d"
    ),
    re.compile(
        r"\b(?:Verlag|Press|Publish(?:ers|ing)|University|Kiadó|Books|Paperback|Hardcover|Éditions?|"
        r"Edizioni|Editorial|Editora|Wydawnictwo|Nakladatelství|Издательство|изд|eds?|Hrsg|szerk)\b|出版社"
    ),
)
_LONGEST_ENTRY = 400  # letters of a line that lists a work; longer ones are paragraphs

_CODE = re.compile(
    r"\{\\[^{}]*+(?:\}|\Z)|\{[yYcCfFsSoOpP]:[^{}]*+\}|\{\d+\}\{\d*\}"
    r"|(?<![:\\/])\\(?:N|h(?![a-z])|n(?=[A-ZÀ-ÞА-Я -]))"
)
_CLOCK = r"\d\d?:\d\d:\d\d[.,]\d{3}"
_TIME = re.compile(
    rf"(?:\b\d{{1,5}}\s)?\b{_CLOCK}\s?-{{1,2}}>?\s?{_CLOCK}|(?<!\S)-->(?!\S)|{_CLOCK}"
)
_BRACE = re.compile(r"\[\s?\[\w+\]\]|\{\{|\}\}|\[\[|\]\]|\{\||\|\}|\|{2,}")


def clean(text: str, tally: Tally) -> str:
    """The text without leftovers, each of which is counted in the tally."""
    suspicious = _SUSPICIOUS.search(text)
    if suspicious is None:
        return text
    # One letter is found much faster than two.
    if ("{" in text or ("[" in text and "[[" in text)) and (marks := _WIKI.findall(text)):
        tally.clean("wiki markup", len(marks))
        text = wikitext.clean(text, _SITE)
        suspicious = _SUSPICIOUS.search(text)
    cleaned: list[str] = []
    done = 0
    while suspicious:
        start = text.rfind("\n", done, suspicious.start()) + 1 or done
        end = text.find("\n", suspicious.start())
        end = len(text) if end < 0 else end
        cleaned += [text[done:start], _clean_line(text[start:end], tally)]
        done = end
        suspicious = _SUSPICIOUS.search(text, end)
    return "".join((*cleaned, text[done:]))


class Rule(NamedTuple):
    """A kind of leftover: where it is, and what takes its place.

    Only lines with the sign can have it; looking for the sign takes far less time.
    """

    kind: str
    sign: re.Pattern[str]
    pattern: re.Pattern[str]
    replacement: str = " "


MARKUP = (
    Rule("placeholders", re.compile("_"), _PLACEHOLDER),
    Rule("subtitle codes", re.compile(r"[{\\]"), _CODE),
    Rule("subtitle codes", re.compile(r"-->|:\d\d[.,]\d{3}"), _TIME),
    Rule("tags", re.compile("</"), _ELEMENT),
    Rule("tags", re.compile("<!--"), _COMMENT),
    Rule("tags", re.compile("<"), _BLOCK_TAG),
    Rule("tags", re.compile("<"), _TAG, ""),
    Rule("tags", re.compile("="), _ATTRIBUTE),
    Rule("wiki markup", re.compile("[|#]"), _FIELD),
    Rule("wiki markup", re.compile(r"\||px"), _OPTION),
    Rule("wiki markup", re.compile(r"[{}|]|\[\s?\[|\]\]"), _BRACE),
)
NAMES = (
    Rule("book numbers", _SIGN_OF_NUMBER, _NUMBER),
    Rule("addresses", re.compile("://|@|[Ww]{3}"), _ADDRESS),
    Rule("file names", re.compile(rf"\.(?:{_ENDINGS}|{_ENDINGS.upper()})"), _FILE),
    Rule("addresses", re.compile(rf"\.(?:{_DOMAINS}|COM|ORG|NET|TV|[a-z]{{2,6}}/)"), _DOMAIN),
)


def _clean_line(line: str, tally: Tally) -> str:
    if "&" in line:
        line = _unescaped(_unescaped(line, tally), tally)  # some text was escaped twice
    line = _without(MARKUP, line, tally)
    if _lists_a_work(line):
        tally.clean("bibliography lines", 1)
        return ""
    return _without(NAMES, line, tally)


def _without(rules: Iterable[Rule], line: str, tally: Tally) -> str:
    for kind, sign, pattern, replacement in rules:
        if sign.search(line):
            line, number = pattern.subn(replacement, line)
            tally.clean(kind, number)
    return line


def _lists_a_work(line: str) -> bool:
    """Whether a line is an entry of a bibliography: by its number and by how it is written."""
    if len(line) > _LONGEST_ENTRY or not any(map(str.isdigit, line)):
        return False
    signs = sum(pattern.search(line) is not None for pattern in _ENTRY)
    if _SIGN_OF_NUMBER.search(line) and (number := _NUMBER.search(line)):
        signs += 2 if any(map(str.isalnum, line[number.end() :])) else 3
    return signs >= 3


def _unescaped(line: str, tally: Tally) -> str:
    tally.clean("entities", len(_ENTITY.findall(line)))
    return _ENTITY.sub(lambda entity: unescape(entity[0]), line)

"""MediaWiki markup to running text, with one pass per construct, in linear time.

Everything that people read as text is kept: paragraphs, list items, headings with text below them,
labels of links, captions. Templates, tables, references, formulas and code are left out, except
templates that only format their text. Nothing is expanded. Broken markup loses its marks, not the
text around them.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from html import unescape

from pipeline.languages.table import data_of, is_unspaced

# The names of the category namespace. A dump declares the name that its wiki prefers, but not the
# others that the wiki accepts (分類 next to 分类 and Category); a part of a dump may declare none.
CATEGORY_NAMES = (
    "category", "bólkur", "catagóir", "categori", "categoria", "categorie", "categoría",
    "catégorie", "flokkur", "jamii", "kategori", "kategoria", "kategorie", "kategorija",
    "kategorio", "kategorya", "kategory", "kategorî", "kategooria", "kategória", "kateqoriya",
    "luokka", "roinn-seòrsa", "rummad", "thể loại", "turkum", "κατηγορία", "ангилал", "гурӯҳ",
    "категори", "категорија", "категория", "категорія", "катэгорыя", "санат", "төркем",
    "կատեգորիա", "კატეგორია", "קאטעגאריע", "קטגוריה", "تصنيف", "رده", "زمرہ", "پۆل", "वर्ग",
    "श्रेणी", "বিষয়শ্রেণী", "ਸ਼੍ਰੇਣੀ", "શ્રેણી", "பகுப்பு", "వర్గం", "ವರ್ಗ", "വർഗ്ഗം", "หมวดหมู่", "ကဏ္ဍ",
    "ចំណាត់ថ្នាក់ក្រុម", "カテゴリ", "分类", "分類", "분류",
)  # fmt: skip

# Options of a picture that consist of two words. One word is never taken for a caption.
FILE_OPTIONS = ("không khung", "có khung", "ללא מסגרת", "bez ramki", "sin marco")

# Templates that show one of their arguments, and the number of that argument. They mark its
# language, its size, or that it is a quotation. All other templates are left out.
TEXT_TEMPLATES: dict[str, int] = {
    "lang": 2,
    "langue": 2,
    "nihongo": 1,
    "nowrap": 1,
    "nobr": 1,
    "small": 1,
    "abbr": 1,
    "quote": 1,
    "cquote": 1,
    "blockquote": 1,
    "citation bloc": 1,
}


class Site:
    """What markup means on one wiki: its language, and the names of its namespaces by number."""

    def __init__(self, language: str = "", namespaces: Mapping[int, Iterable[str]] | None = None):
        names = {number: set(map(_key, listed)) for number, listed in (namespaces or {}).items()}
        # English names are valid on every wiki. The category names of all languages help where a
        # dump does not declare its names, or declares only one of two.
        self.files = {"file", "image", "media"}.union(names.get(6, ()), names.get(-2, ()))
        self.categories = _CATEGORIES.union(names.get(14, ()))
        self.namespaces = {name for number in names if number for name in names[number]}
        templates = [
            re.escape(name).replace(r"\ ", "[ _]")
            # The English names work on most wikis.
            for name in data_of("en").disambiguation + data_of(language).disambiguation
        ]
        # English has one template per subject: Place name disambiguation, School disambiguation.
        templates.append(r"[\w –-]{2,40}[ _]disambiguation")
        self.disambiguation = re.compile(
            rf"__DISAMBIG__|\{{\{{\s*(?:{'|'.join(templates)})\s*(?:\||\}}\}})", re.IGNORECASE
        )

    def is_namespaced(self, title: str) -> bool:
        """Whether the title names a page outside the articles."""
        prefix, colon, _ = title.partition(":")
        return bool(colon) and _key(prefix) in self.namespaces

    def is_disambiguation(self, text: str) -> bool:
        """Whether the page is marked as a list of the meanings of a title."""
        return self.disambiguation.search(text) is not None


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name.strip().replace("_", " ").casefold())


_CATEGORIES = frozenset(map(_key, CATEGORY_NAMES))


def clean(text: str, site: Site) -> str:
    """The running text of a page: one paragraph, list item or heading per line."""
    text = _without_elements(text)
    text = _without_brackets(text, site)
    text = _TABLE_ROW.sub("", text)
    text = _VARIANTS.sub(_variant, text)
    text = _EXTERNAL_LINK.sub(r" \1", text)
    text = _URL.sub("", text)
    if "&" in text:
        # Twice: markup that was escaped to be shown as such is not words either.
        text = unescape(unescape(text))
    if "<" in text:
        text = _BLOCK_TAG.sub("\n", text)
        text = _TAG.sub("", text)
    text = _MARKS.sub(" ", text)
    text = _EMPTY_PARENTHESES.sub("", text)
    text = text.replace("\t", " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return "\n".join(_paragraphs(text))


# Elements that end at their closing tag, whatever is inside. Most have no running text.
OPAQUE = (
    "ref|references|math|chem|ce|score|timeline|syntaxhighlight|source|pre|templatedata|graph|"
    "mapframe|maplink|hiero|imagemap|inputbox|categorytree|charinsert|templatestyles|indicator|"
    "includeonly|section|quiz|rss|listing|phonos|video|nowiki|gallery|rt|rp"
)
_ELEMENT = re.compile(rf"<!--|<({OPAQUE})(?=[\s/>])", re.IGNORECASE)
_CLOSING = {name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in OPAQUE.split("|")}
_LITERAL = re.compile(r"[\[\]{}|<>=*#:;!_~]|''+")


def _without_elements(text: str) -> str:
    """Leave out comments and the elements in `OPAQUE`."""
    texts: list[str] = []
    position = 0
    unclosed: set[str] = set()  # names that have no closing tag from here on
    last_end = text.rfind(">")
    while opening := _ELEMENT.search(text, position):
        texts.append(text[position : opening.start()])
        if opening[1] is None:
            end = text.find("-->", opening.end())
            position = end + 3 if end >= 0 else len(text)
            continue
        name = opening[1].lower()
        if opening.end() > last_end:
            position = opening.end()
            continue
        tag_end = text.find(">", opening.end())
        position = tag_end + 1
        if text[tag_end - 1] == "/" or name in unclosed:
            continue
        closing = _CLOSING[name].search(text, position)
        if closing is None:
            unclosed.add(name)
            continue
        inside = text[position : closing.start()]
        position = closing.end()
        if name == "nowiki":
            texts.append(_LITERAL.sub(" ", inside))
        elif name == "gallery":
            # Each line is a file with its caption, like a link to the file.
            texts += [f"\n[[File:{line}]]\n" for line in inside.split("\n") if "|" in line]
    texts.append(text[position:])
    return "".join(texts)


# Each branch begins with a different character, so that the search can skip to these.
_BRACKET = re.compile(
    r"(\[\[|\]\]|\{\{|\}\}|\{\||\|\}(?!\})|<[tT][aA][bB][lL][eE](?=[\s>])|</[tT][aA][bB][lL][eE]\s*>)"
)
_LINK, _TEMPLATE, _TABLE, _HTML_TABLE = range(4)
_DEEPEST = 8  # captions contain links, but text is never nested deeper than this
_MARK = {  # the kind of a mark, and whether it opens
    "[[": (_LINK, True),
    "]]": (_LINK, False),
    "{{": (_TEMPLATE, True),
    "}}": (_TEMPLATE, False),
    "{|": (_TABLE, True),
    "|}": (_TABLE, False),
}


def _is_at_line_start(before: str) -> bool:
    """Whether a table may begin or end after this text: at a line start, or after list marks."""
    return not before[before.rfind("\n") + 1 :].strip(" \t:*#;")


def _without_brackets(text: str, site: Site) -> str:
    """Leave out templates and tables, and replace links by their labels, at any nesting.

    A stack holds what is open. A closing mark closes the innermost bracket of its kind, together
    with everything that was opened inside and never closed. What is still open at the end of the
    text was not markup.
    """
    pieces = _BRACKET.split(text)
    current = root = [pieces[0]]
    stack: list[tuple[int, list[str]]] = []
    open_now = [0, 0, 0, 0]  # how many of each kind are open, to ignore stray closing marks
    before = "\n" + pieces[0]
    for mark, following in zip(pieces[1::2], pieces[2::2], strict=True):
        kind, opens = _MARK.get(mark) or (_HTML_TABLE, mark[1] != "/")
        if kind == _TABLE and not ("\n" in before and _is_at_line_start(before)):
            current.append(mark)
        elif opens and (kind != _LINK or open_now[_LINK] < _DEEPEST):
            current = []
            stack.append((kind, current))
            open_now[kind] += 1
        elif kind == _LINK:
            if not opens and stack and stack[-1][0] == _LINK:
                _, inside = stack.pop()
                open_now[_LINK] -= 1
                current = stack[-1][1] if stack else root
                current.append(_link("".join(inside), site))
        elif open_now[kind]:
            closed = -1
            while closed != kind:
                closed, inside = stack.pop()
                open_now[closed] -= 1
            current = stack[-1][1] if stack else root
            if kind != _TEMPLATE:
                current.append("\n")
            else:
                current.append(_shown(inside) if len(stack) < _DEEPEST else _HOLE)
        current.append(following)
        before = following
    for kind, inside in stack:
        if kind == _LINK:  # usually closed by a single bracket on the same line
            first, newline, rest = "".join(inside).partition("\n")
            inside = [_link(first, site), newline, rest]
        root += inside
    # Two words do not become one where a template between them is left out.
    return _HOLE_IN_TEXT.sub(" ", "".join(root)).replace(_HOLE, "")


# Marks the place of a template.
_HOLE = "\0"
_HOLE_IN_TEXT = re.compile(r"(?<=[^\W_])\0+(?=[^\W_])")


_NAMED = re.compile(r"\s*(\w+)\s*=")


def _shown(inside: list[str]) -> str:
    """The text that a template shows: nothing, unless it is known to show one of its arguments.

    Some names are text as well: ``{{'}}`` is an apostrophe that does not start italics.
    """
    name = _key(inside[0].partition("|")[0])
    if name in ("'", "'s"):
        return name
    number = TEXT_TEMPLATES.get(name)
    if number is None:
        return _HOLE
    unnamed: list[str] = []
    for argument in "".join(inside).split("|")[1:]:
        named = _NAMED.match(argument)
        if named is None:
            unnamed.append(argument)
        elif named[1].lower() in (str(number), "text", "texte"):
            return argument[named.end() :].strip()
    return unnamed[number - 1].strip() if len(unnamed) >= number else _HOLE


# Links to the same article in other languages, at the end of pages in older dumps.
_LANGUAGE_LINK = re.compile(r"(?:[a-z]{2,3}|simple)(?:-[a-z]+)*\Z")
_FILE_NAME = re.compile(
    r"\.(?:jpe?g|png|svg|gif|tiff?|webp|xcf|pdf|djvu|stl|og[gav]|opus|flac|wav|mp3|midi?|web[mp]|"
    r"mp4|mpe?g)\s*\Z",
    re.IGNORECASE,
)


def _link(inside: str, site: Site) -> str:
    """The text that a link shows: its label or its target; for a file, its caption."""
    target, pipe, label = inside.partition("|")
    if "\n" in target.strip():
        return inside  # not a link, but an unclosed opening mark and a stray closing mark
    prefix, colon, rest = target.partition(":")
    if colon and prefix.strip():
        name = _key(prefix)
        if name in site.files or (name not in site.namespaces and _FILE_NAME.search(rest)):
            captions = filter(_reads_as_text, reversed(label.split("|")))
            return f"\n{next(captions, '')}\n"
        if name in site.categories or (not pipe and _LANGUAGE_LINK.match(prefix)):
            return ""
    return label if label.strip() else target.lstrip(":").replace("#", " ")


# The parameters of a file are its caption and its options: a size, ``name=value``, or a word of the
# wiki's language (rarely two) for a position or a frame.
_OPTION = re.compile(
    rf"\s*(?:[\w-]+\s*=|(?:[\dx]+\s*px|upright\s+[\d.]+|{'|'.join(FILE_OPTIONS)})\s*\Z)"
)
_TWO_WORDS = re.compile(r"[^\W\d_]\W*\s\W*\w")
_LONGEST_OPTION = 7  # letters, in scripts without spaces


def _reads_as_text(caption: str) -> bool:
    """Whether a parameter of a file is a caption, of more than one word."""
    if _OPTION.match(caption):
        return False
    if _TWO_WORDS.search(caption):
        return True
    caption = caption.strip()
    return len(caption) > _LONGEST_OPTION and is_unspaced(caption)


_TABLE_ROW = re.compile(r"^[ \t]*(?:\||!(?=[^\n]*(?:!!|\|))).*$", re.MULTILINE)
_VARIANTS = re.compile(r"-\{([^{}]*)\}-")
_VARIANT_NAME = re.compile(r"\s*[a-z]{2,3}(?:-[a-z]+)*\s*:")
_EXTERNAL_LINK = re.compile(
    r"\[(?:(?:https?|ftps?|sftp|git|svn|irc|ircs|news|nntp|gopher|telnet):)?(?://|mailto:)"
    r"[^\s\[\]<>\"]*+[ \t]*+([^\]\n]*+)\]?"
)
_URL = re.compile(r"(?:https?://|ftp://|www\.)[^\s<>\[\]|]++")
BLOCK = (
    "p|br|div|hr|li|ul|ol|dl|dt|dd|table|caption|thead|tbody|tfoot|tr|td|th|h[1-6]|blockquote|"
    "center|poem|gallery"
)
INLINE = (
    "a|abbr|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|img|ins|kbd|langconvert|link|mark|meta|"
    "q|rb|rp|rt|rtc|ruby|s|samp|small|span|strike|strong|sub|sup|time|translate|tt|tvar|u|var|wbr|"
    "noinclude|onlyinclude"
)
_BLOCK_TAG = re.compile(rf"</?(?:{BLOCK})(?:[\s/][^<>]*)?>", re.IGNORECASE)
# Opaque elements remain here when one of their tags is missing.
_TAG = re.compile(rf"</?(?:{INLINE}|{OPAQUE})(?:[\s/][^<>]*)?>", re.IGNORECASE)
_MARKS = re.compile(r"\[\[|\]\]|\{|\}|\||__[^\W\d_]+__|\ufeff")
_EMPTY_PARENTHESES = re.compile(r"[(（][\s,;:،؛、，；/–—-]*[)）]")


def _variant(match: re.Match[str]) -> str:
    """The first variant of text that a wiki shows in several scripts: -{zh-cn:…; zh-tw:…}-."""
    flags, bar, rules = match[1].rpartition("|")
    if bar and not set(flags) & set("AR"):
        return ""  # a rule for the title or for later text, which is not shown here
    first = rules.split(";", 1)[0] if _VARIANT_NAME.match(rules) else rules
    return _VARIANT_NAME.sub("", first, count=1)


_QUOTES = re.compile("''+")
_BEFORE_LETTER, _BEFORE_WORD, _BEFORE_SPACE = (
    re.compile(rf"{before}'''(?!')") for before in (r"(?:^|(?<=\s))\S", r"\S", r"\s")
)


def _unquoted(line: str) -> str:
    """Leave out the quotes for bold and italics, but not apostrophes.

    Four quotes are an apostrophe and bold. Where neither bold nor italics come in pairs, one bold
    mark is an apostrophe and italics: l'''amour''.
    """
    sizes = [min(len(run), 5) if len(run) != 4 else 3 for run in _QUOTES.findall(line)]
    bold, italics = (sum(size in (mark, 5) for size in sizes) for mark in (3, 2))
    if bold % 2 and italics % 2:
        for pattern in (_BEFORE_LETTER, _BEFORE_WORD, _BEFORE_SPACE):
            if bold_mark := pattern.search(line):
                line = f"{line[: bold_mark.end() - 3]}'{line[bold_mark.end() :]}"
                break
    return _QUOTES.sub(lambda run: "" if len(run[0]) in (2, 3, 5) else "'", line)


def _paragraphs(text: str) -> Iterator[str]:
    """The lines with text, without list marks; headings only when text follows them."""
    pending: list[tuple[int, str]] = []  # levels and headings without text so far
    for line in text.split("\n"):
        if "''" in line:
            # Quotes may have been between two brackets.
            line = _unquoted(line).replace("[[", "").replace("]]", "")
        line = line.strip()
        if not line:
            continue
        if line[0] == "=" and line[-1] == "=" and len(line) > 2:
            heading = line.strip("= ")
            level = len(line) - len(line.lstrip("="))
            pending = [earlier for earlier in pending if earlier[0] < level]
            if heading:
                pending.append((level, heading))
            continue
        if line[0] in "*#:;-":
            line = line.lstrip("*#:;- ").lstrip()
        if any(map(str.isalpha, line)):
            yield from (heading for _, heading in pending)
            pending = []
            yield line

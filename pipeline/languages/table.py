"""What is special about each language: one entry per language, with the reasons next to the data.

This is the place to add a language. Every field is optional, and a language without an entry works
too: words come from the Unicode rules, and stop words and lemmas from the libraries that know the
language. Only the rules of case and spelling are elsewhere, in `wordkin.words`, because the library
needs them as well.
"""

import re
from dataclasses import dataclass

from pipeline.languages.word_lists import (
    ARMENIAN_FUNCTION_WORDS,
    ENGLISH_CONTENT_WORDS,
    ESTONIAN_FUNCTION_WORDS,
    JAPANESE_FUNCTION_WORDS,
    KOREAN_FUNCTION_WORDS,
    UKRAINIAN_FUNCTION_WORDS,
)
from wordkin.words import UZBEK_LETTER, UZBEK_MARK, base, tag

Rewrite = tuple[str, str]
"""A regular expression for text without spaces, and the replacement of what it matches."""


@dataclass(frozen=True)
class LanguageData:
    """What is special about a language.

    Attributes
    ----------
    rewrites : tuple of Rewrite
        What is changed before text is split into words, whatever its case.
    letter_marks : str
        Marks between letters that belong to the word.
    marks_end_words : bool
        Whether a mark at the end of a word can be part of it, so that it must be looked at.
    capital_nouns : bool
        Whether all nouns have a capital letter, so that it does not tell a name.
    derivations : str
        Endings that make a new word, which the dictionary often lacks.
    lemmatized : bool
        Whether words are counted by lemma unless `params.yaml` says otherwise.
    one_letter_words : str or None
        The letters that are words by themselves, in an alphabet; other single letters are initials,
        list numbers and formulas, and no words. None, for a language that nobody has looked at,
        keeps all of them.
    content_words, function_words : str
        Words to take off the list of stop words, and words to add to it.
    disambiguation : tuple of str
        Templates that mark a wiki page as a list of the meanings of a title, in lower case.
    credits : tuple of str
        Beginnings of words that credit the authors of subtitles, in the first and last captions.
    alphabet : str
        Letters beyond ASCII, to detect the encoding of text that does not declare it; in lower case
        where the script has case.
    code_pages : tuple of str
        The single-byte encodings of the alphabet, all of them in `CODE_PAGES`.
    """

    rewrites: tuple[Rewrite, ...] = ()
    letter_marks: str = ""
    marks_end_words: bool = False
    capital_nouns: bool = False
    derivations: str = ""
    lemmatized: bool = False
    one_letter_words: str | None = None
    content_words: str = ""
    function_words: str = ""
    disambiguation: tuple[str, ...] = ()
    credits: tuple[str, ...] = ()
    alphabet: str = ""
    code_pages: tuple[str, ...] = ()


CODE_PAGES = (
    "cp1252", "cp1250", "iso8859-2", "cp1251", "koi8-r", "koi8-u", "cp866", "iso8859-5", "cp1253",
    "iso8859-7", "cp1254", "cp1255", "cp1256", "iso8859-6", "cp1257", "cp1258", "cp874",
)  # fmt: skip
"""The order in which code pages are tried: the first one wins when several read the same."""

_APOSTROPHE = "['\N{RIGHT SINGLE QUOTATION MARK}\N{MODIFIER LETTER APOSTROPHE}]"
_HYPHEN = "[-\N{HYPHEN}\N{NON-BREAKING HYPHEN}]"


def _without_endings(mark: str, endings: str) -> Rewrite:
    """Drop an ending that follows a mark."""
    return rf"(?<=\w){mark}(?:{'|'.join(endings.split())})(?!\w)", ""


def _split_elision(heads: str) -> Rewrite:
    """Split words that lost their last vowel from the word that follows."""
    return rf"(?<!\w)({'|'.join(heads.split())}){_APOSTROPHE}(?=\w)", r"\1 "


_HUNGARIAN_CASES = (
    "[aoeö]?t ban ben ba be b[óő]l ra re r[óő]l [oeö]?n nak nek n[áé]l h[oeö]z t[óő]l ig ért kor "
    "ként val vel v[áé] sz[oeö]r nyi i [aoeö]?s [aoe]?k é"
)
_HUNGARIAN_OWNER = "j?[aeáé]i?k?"
_HUNGARIAN_ENDINGS = (
    f"(?:{_HUNGARIAN_OWNER})?(?:{'|'.join(_HUNGARIAN_CASES.split())}) {_HUNGARIAN_OWNER} "
    "(?P<doubled>[bcdfghjklmnprstvz])(?:[sz]|(?P=doubled))?[ae]l"  # -val, -vel after a consonant
)

LANGUAGES: dict[str, LanguageData] = {
    "af": LanguageData(one_letter_words="n u", disambiguation=("dubbelsinnig",)),
    "ar": LanguageData(
        one_letter_words="و",
        disambiguation=("توضيح",),
        credits=("ترجمة",),
        alphabet="ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءآأؤإئ،؟؛",
        code_pages=("cp1256", "iso8859-6"),
    ),
    "ast": LanguageData(one_letter_words="a e o y", disambiguation=("dixebra",)),
    "az": LanguageData(
        one_letter_words="o",
        rewrites=(_without_endings(_APOSTROPHE, r"\w+"),),  # as in Turkish
        disambiguation=("dəqiqləşdirmə",),
    ),
    "be": LanguageData(
        one_letter_words="а б ж з і й о у ў я",
        disambiguation=("неадназначнасць",),
        alphabet="абвгдеёжзійклмнопрстуўфхцчшыьэюя",
        code_pages=("cp1251",),
    ),
    "bg": LanguageData(
        one_letter_words="а в е и о с у я ѝ",
        disambiguation=("пояснение",),
        credits=("превод", "субтитри"),
        alphabet="абвгдежзийклмнопрстуфхцчшщъьюя",
        code_pages=("cp1251", "iso8859-5"),
    ),
    "bn": LanguageData(one_letter_words="", disambiguation=("দ্ব্যর্থতা নিরসন",)),
    "bs": LanguageData(
        one_letter_words="a i k o s u", disambiguation=("čvor", "višeznačna odrednica")
    ),
    "ca": LanguageData(
        one_letter_words="a e i o d l m n s t",
        rewrites=(_split_elision("l d s m t n"),),
        letter_marks="·",  # col·legi
        disambiguation=("desambiguació",),
        alphabet="àçèéíïòóúü·",
        code_pages=("cp1252",),
    ),
    "crh": LanguageData(
        one_letter_words="o",
        rewrites=(_without_endings(_APOSTROPHE, r"\w+"),),  # as in Turkish
    ),
    "cs": LanguageData(
        one_letter_words="a i k o s u v z",
        disambiguation=("rozcestník",),
        credits=("titulk", "překlad", "přeložil"),
        alphabet="áčďéěíňóřšťúůýž",
        code_pages=("cp1250", "iso8859-2"),
    ),
    "cy": LanguageData(one_letter_words="a â i o y", disambiguation=("gwahaniaethu",)),
    "da": LanguageData(
        one_letter_words="i à å ø",
        disambiguation=("flertydig",),
        credits=("undertekst", "oversættelse", "tekster af"),
        alphabet="æøåé",
        code_pages=("cp1252",),
    ),
    "de": LanguageData(
        one_letter_words="o",
        capital_nouns=True,
        disambiguation=("begriffsklärung",),
        credits=("untertitel", "übersetzung"),
        alphabet="äöüß",
        code_pages=("cp1252",),
    ),
    "el": LanguageData(
        one_letter_words="η ή ο ό ω ώ",
        disambiguation=("αποσαφήνιση",),
        credits=("υπότιτλοι", "υποτιτλισμ", "μετάφραση", "απόδοση"),
        alphabet="αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ",
        code_pages=("cp1253", "iso8859-7"),
    ),
    "en": LanguageData(
        one_letter_words="a i o",
        # dog's, dogs' → dog, dogs: the possessive adds no meaning. Contractions (don't, we'll) stay
        # whole, because the stop words list them whole.
        rewrites=(_without_endings(_APOSTROPHE, "s"),),
        content_words=ENGLISH_CONTENT_WORDS,
        disambiguation=(
            "disambiguation",
            "disambig",
            "disamb",
            "dab",
            "hndis",
            "geodis",
            "disambiguation page",
        ),
        credits=(
            "subtitl",
            "opensubtitles",
            "captioned by",
            "captions by",
            "synced",
            "sync by",
            "translated by",
            "translation by",
            "transcribed by",
            "transcript by",
            "corrected by",
            "ripped by",
            "encoded by",
        ),
    ),
    "eo": LanguageData(one_letter_words="", disambiguation=("apartigilo",)),
    "es": LanguageData(
        one_letter_words="a e o u y",
        disambiguation=("desambiguación", "desambiguacion", "desambigua"),
        credits=("subtítul", "subtitul", "traducción", "traducido por"),
        alphabet="áéíñóúü",
        code_pages=("cp1252",),
    ),
    "et": LanguageData(
        one_letter_words="",
        function_words=ESTONIAN_FUNCTION_WORDS,
        disambiguation=("täpsustus", "täpsustuslehekülg"),
        credits=("subtiitri", "tõlkija", "tõlkinud"),
        alphabet="äõöüšž",
        code_pages=("cp1252", "cp1257"),
    ),
    "eu": LanguageData(one_letter_words="", disambiguation=("argipen",)),
    "fa": LanguageData(
        one_letter_words="و",
        disambiguation=("ابهام\u200cزدایی", "ابهام زدایی"),
        credits=("زیرنویس", "ترجمه"),
        alphabet="ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهيئآء،؟",
        code_pages=("cp1256",),
    ),
    "fi": LanguageData(
        one_letter_words="",
        rewrites=(_without_endings(":", r"\w{1,5}"),),  # endings of abbreviations: EU:n
        disambiguation=("täsmennyssivu",),
        credits=("tekstitys", "suomennos", "suomentanut"),
    ),
    "fr": LanguageData(
        one_letter_words="a à c d j l m n s t y ô",
        rewrites=(_split_elision("l d j m t s n c qu jusqu lorsqu puisqu quoiqu presqu"),),
        disambiguation=("homonymie", "homonymes"),
        credits=("sous-titr", "traduction"),
        alphabet="àâæçéèêëîïôœùûü",
        code_pages=("cp1252",),
    ),
    "ga": LanguageData(
        one_letter_words="a á b d é i í ó",
        # Grammar puts a letter and a hyphen before a vowel: a t-athair, a h-aon.
        rewrites=((rf"(?<!\w)[tnh]{_HYPHEN}(?=[aeiouáéíóú])", ""),),
        disambiguation=("idirdhealú",),
    ),
    "gl": LanguageData(
        one_letter_words="a á e é o ó", disambiguation=("homónimos", "desambiguación")
    ),
    "he": LanguageData(
        one_letter_words="",
        disambiguation=("פירושונים",),
        credits=("תרגום", "כתוביות", "תורגם"),
        alphabet="אבגדהוזחטיךכלםמןנסעףפץצקרשת",
        code_pages=("cp1255",),
    ),
    "hi": LanguageData(
        one_letter_words="",
        disambiguation=("बहुविकल्पी", "बहुविकल्पी शब्द"),
        credits=("उपशीर्षक", "उप-शीर्षक", "अनुवादक"),
    ),
    "hr": LanguageData(
        one_letter_words="a i k o s u",
        disambiguation=("razdvojba",),
        credits=("titlov", "prijevod"),
        alphabet="čćđšž",
        code_pages=("cp1250", "iso8859-2"),
    ),
    "hu": LanguageData(
        one_letter_words="a e ó ő s",
        # The question particle (jó-e) and endings attached to names, numbers and abbreviations with
        # a hyphen (EU-ban, 1990-es, NATO-jának, Bush-sal) are not words.
        rewrites=(_without_endings(_HYPHEN, _HUNGARIAN_ENDINGS),),
        derivations=(
            "ság ség s as os es ös i ó ő ás és talan telen atlan etlen tlan tlen beli szerű féle "
            "nyi"
        ),
        lemmatized=True,  # each word has hundreds of forms
        content_words="bal búcsú cikk év halló jó lehetőség nagy új úr",
        disambiguation=("egyért", "egyért-redir", "egyértelműsítő lap"),
        credits=("felirat", "fordította", "kreatív supervisor"),
        alphabet="áéíóöőúüű",
        code_pages=("cp1250", "iso8859-2"),
    ),
    "hy": LanguageData(
        one_letter_words="է ի և",
        function_words=ARMENIAN_FUNCTION_WORDS,
        disambiguation=("բազմիմաստություն",),
    ),
    "id": LanguageData(
        one_letter_words="",
        disambiguation=("disambiguasi",),
        credits=("terjemahan", "diterjemahkan"),
    ),
    "is": LanguageData(
        one_letter_words="á í ó æ",
        disambiguation=("aðgreining",),
        alphabet="áðéíóúýþæö",
        code_pages=("cp1252",),
    ),
    "it": LanguageData(
        one_letter_words="a c d e è i l m n o s t v",
        rewrites=(
            _split_elision(
                "l un d c n s m t v gl dell all nell sull dall coll pell quell quest bell sant "
                "nessun ciascun qualcun com dov quand anch senz mezz tutt trent vent"
            ),
        ),
        disambiguation=("disambigua",),
        credits=("sottotitol", "traduzione"),
        alphabet="àèéìíòóùú",
        code_pages=("cp1252",),
    ),
    "ja": LanguageData(
        one_letter_words="",
        function_words=JAPANESE_FUNCTION_WORDS,
        disambiguation=("曖昧さ回避", "aimai", "人名の曖昧さ回避", "地名の曖昧さ回避"),
        credits=("字幕", "翻訳"),
    ),
    "ka": LanguageData(one_letter_words="", disambiguation=("მრავალმნიშვნელოვანი",)),
    "kk": LanguageData(one_letter_words="", disambiguation=("айрық",)),
    "ko": LanguageData(
        one_letter_words="",
        function_words=KOREAN_FUNCTION_WORDS,
        disambiguation=("동음이의", "동음이의어 문서"),
        credits=("자막", "번역"),
    ),
    "la": LanguageData(one_letter_words="a e i o", disambiguation=("discretiva",)),
    "lb": LanguageData(one_letter_words="e o", capital_nouns=True),
    "lt": LanguageData(
        one_letter_words="į o",
        disambiguation=("nuorodinis straipsnis",),
        credits=("subtitr", "vertė"),
        alphabet="ąčęėįšųūž",
        code_pages=("cp1257",),
    ),
    "lv": LanguageData(
        one_letter_words="",
        disambiguation=("nozīmju atdalīšana",),
        alphabet="āčēģīķļņšūž",
        code_pages=("cp1257",),
    ),
    "mk": LanguageData(
        one_letter_words="а е и о с ѝ",
        disambiguation=("појаснување",),
        alphabet="абвгдѓежзѕијклљмнњопрстќуфхцчџш",
        code_pages=("cp1251",),
    ),
    "ml": LanguageData(one_letter_words="", disambiguation=("വിവക്ഷകൾ",)),
    "ms": LanguageData(one_letter_words="", disambiguation=("nyahkekaburan",)),
    "nds": LanguageData(one_letter_words="", capital_nouns=True),
    "nl": LanguageData(
        one_letter_words="u",
        disambiguation=("dp", "doorverwijspagina"),
        credits=("ondertitel", "vertaling", "vertaald door"),
        alphabet="áéëïóöü",
        code_pages=("cp1252",),
    ),
    "nn": LanguageData(one_letter_words="i à å ø", disambiguation=("fleirtyding",)),
    "no": LanguageData(
        one_letter_words="i à å ø",
        disambiguation=("peker",),
        credits=("oversettelse", "tekstet av"),
    ),
    "oc": LanguageData(
        one_letter_words="a d e i l m n o s t",
        rewrites=(_split_elision("l d s m t n qu"),),
        disambiguation=("omonimia",),
    ),
    "pl": LanguageData(
        one_letter_words="a i o u w z",
        disambiguation=("ujednoznacznienie",),
        credits=("napisy", "tłumaczenie"),
        alphabet="ąćęłńóśźż",
        code_pages=("cp1250", "iso8859-2"),
    ),
    "pt": LanguageData(
        one_letter_words="a à d e é n o ó",
        rewrites=(_split_elision("d n"),),
        disambiguation=("desambiguação", "desambig"),
        credits=("legenda", "tradução", "traduzido por"),
        alphabet="áâãàçéêíóôõú",
        code_pages=("cp1252",),
    ),
    "ro": LanguageData(
        one_letter_words="a e i o",
        disambiguation=("dezambiguizare",),
        credits=("subtitr", "traducere", "traducător"),
        alphabet="ăâîşţ",
        code_pages=("cp1250", "iso8859-2"),
    ),
    "ru": LanguageData(
        one_letter_words="а б в ж и к о с у э я",
        disambiguation=("неоднозначность",),
        credits=("субтитр", "перевод"),
        alphabet="абвгдежзийклмнопрстуфхцчшщъыьэюяё",
        code_pages=("cp1251", "koi8-r", "cp866", "iso8859-5"),
    ),
    "sh": LanguageData(one_letter_words="a i k o s u", disambiguation=("višeznačna odrednica",)),
    "sk": LanguageData(
        one_letter_words="a i k o s u v z",
        disambiguation=("rozlišovacia stránka",),
        credits=("preklad", "preložil"),
        alphabet="áäčďéíĺľňóôŕšťúýž",
        code_pages=("cp1250", "iso8859-2"),
    ),
    "sl": LanguageData(
        one_letter_words="a h k o s v z",
        disambiguation=("razločitev",),
        credits=("podnapis", "prevod"),
    ),
    "sq": LanguageData(one_letter_words="a e i o u", disambiguation=("kthjellim",)),
    "sr": LanguageData(
        one_letter_words="а и к о с у a i k o s u",
        disambiguation=("вишезначна одредница", "вишезначност"),
        credits=("титлов", "превод"),
        alphabet="абвгдђежзијклљмнњопрстћуфхцчџш",
        code_pages=("cp1251", "iso8859-5"),
    ),
    "sv": LanguageData(
        one_letter_words="i à å ö",
        rewrites=(_without_endings(":", r"\w{1,3}"),),  # endings of abbreviations: SVT:s
        disambiguation=("förgrening", "förgreningssida", "gren"),
        credits=("undertext", "översättning"),
        alphabet="åäöé",
        code_pages=("cp1252",),
    ),
    "ta": LanguageData(one_letter_words="", disambiguation=("பக்கவழிநெறிப்படுத்தல்",)),
    "te": LanguageData(one_letter_words="", disambiguation=("అయోమయ నివృత్తి",)),
    "th": LanguageData(
        one_letter_words="",
        disambiguation=("แก้ความกำกวม", "แก้กำกวม"),
        credits=("คำบรรยาย", "คําบรรยาย"),
        alphabet="กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลฦวศษสหฬอฮฯะัาำิีึืฺุูเแโใไๅๆ็่้๊๋์",
        code_pages=("cp874",),
    ),
    "tr": LanguageData(
        one_letter_words="o",
        # The suffix of a name follows an apostrophe: Türkiye'nin, Ankara'da.
        rewrites=(_without_endings(_APOSTROPHE, r"\w+"),),
        function_words="mi mı mu mü misin mısın musun müsün miyim mıyım muyum müyüm",
        disambiguation=("anlam ayrımı", "anlamayrımı"),
        credits=("altyazı", "çeviri", "çeviren"),
        alphabet="çğıöşüâîû",
        code_pages=("cp1254",),
    ),
    "uk": LanguageData(
        one_letter_words="а б в ж з й о у я є і",
        function_words=UKRAINIAN_FUNCTION_WORDS,
        disambiguation=("неоднозначність", "багатозначність"),
        credits=("субтитр", "переклад"),
        alphabet="абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
        code_pages=("cp1251", "koi8-u"),
    ),
    "ur": LanguageData(one_letter_words="و", disambiguation=("ضد ابہام",)),
    "uz": LanguageData(
        one_letter_words="u",
        # Before splitting, because splitting would cut the words at the mark.
        rewrites=((UZBEK_MARK.pattern, UZBEK_LETTER),),
        marks_end_words=True,
    ),
    "vi": LanguageData(
        one_letter_words="à á ả ạ è é ê ế ề ỉ ị ò ó ỏ ọ ô ố ồ ổ ộ ơ ờ ở ợ ù ú ủ ụ ư ừ ứ ử ự ý y o",
        disambiguation=("trang định hướng", "định hướng"),
        credits=("phụ đề", "biên dịch"),
        alphabet="àáâăèéêíóôơùúưđ\u0300\u0301\u0303\u0309\u0323",
        code_pages=("cp1258",),
    ),
    "zh": LanguageData(
        one_letter_words="",
        disambiguation=("消歧义", "消歧義", "消歧义页", "消歧義頁"),
        credits=("字幕", "翻译", "翻譯"),
    ),
}


def data_of(code: str) -> LanguageData:
    """The data of the language of a tag; empty for a language without an entry."""
    return LANGUAGES.get(base(code), LanguageData())


# Scripts that write words without spaces between them.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)


def is_unspaced(text: str) -> bool:
    """Whether the text is in a script that writes words without spaces."""
    return _UNSPACED.search(text) is not None


# ── what other projects call a language, where their code differs from BCP 47 ──────────────────

_WIKIPEDIA = {
    "be-tarask": "be-x-old",
    "lzh": "zh-classical",
    "nan": "zh-min-nan",
    "nb": "no",
    "yue": "zh-yue",
}
# Codes with a hyphen that Wikipedia uses as they are.
_WIKIPEDIA_HYPHENATED = frozenset(
    ("bat-smg", "cbk-zam", "fiu-vro", "map-bms", "nds-nl", "roa-rup", "roa-tara")
)
_OPUS = {
    "nb": "no",
    "nn": "no",
    "pt-br": "pt_br",
    "zh": "zh_cn",
    "zh-cn": "zh_cn",
    "zh-hans": "zh_cn",
    "zh-hant": "zh_tw",
    "zh-tw": "zh_tw",
}
# The three letters of ISO 639-2 (both forms) that file names have, such as film.fin.srt.
_THREE_LETTERS = (
    "afr:af alb:sq amh:am ara:ar arm:hy aze:az baq:eu bel:be ben:bn bos:bs bre:br bul:bg "
    "bur:my cat:ca ces:cs chi:zh cym:cy cze:cs dan:da deu:de dut:nl ell:el eng:en epo:eo "
    "est:et eus:eu fao:fo fas:fa fin:fi fra:fr fre:fr geo:ka ger:de gle:ga glg:gl gre:el "
    "guj:gu heb:he hin:hi hrv:hr hun:hu hye:hy ice:is ind:id isl:is ita:it jpn:ja kan:kn "
    "kat:ka kaz:kk kor:ko lat:la lav:lv lit:lt mac:mk mal:ml mar:mr may:ms mkd:mk mlt:mt "
    "mon:mn msa:ms nep:ne nld:nl nno:nn nob:nb nor:no per:fa pol:pl por:pt ron:ro rum:ro "
    "rus:ru sin:si slk:sk slo:sk slv:sl spa:es sqi:sq srp:sr swa:sw swe:sv tam:ta tel:te "
    "tgl:tl tha:th tur:tr ukr:uk urd:ur vie:vi wel:cy zho:zh"
)
TWO_LETTERS = dict(pair.split(":") for pair in _THREE_LETTERS.split())
_STOPWORDSISO = {"nb": "no", "nn": "no"}
_SIMPLEMMA = {"no": "nb", "sr": "hbs", "hr": "hbs", "bs": "hbs", "sh": "hbs"}


def wikipedia_code(code: str) -> str:
    """The code in the addresses of Wikipedia's dumps."""
    code = tag(code)
    if code in _WIKIPEDIA_HYPHENATED or code in _WIKIPEDIA.values():
        return code
    return _WIKIPEDIA.get(code, base(code))


def opus_code(code: str) -> str:
    """The code in the addresses of OPUS OpenSubtitles."""
    return _OPUS.get(tag(code), base(code))


def stopwordsiso_code(code: str) -> str:
    """The code of the stop word list in stopwordsiso."""
    return _STOPWORDSISO.get(base(code), base(code))


def simplemma_code(code: str) -> str:
    """The code of the dictionary in simplemma."""
    return _SIMPLEMMA.get(base(code), base(code))

"""What is special about each language: one entry per language, with the reasons next to the data.

This is the place to add a language. Every field is optional, and a language without an entry works
too: words come from the Unicode rules, and stop words and lemmas from the libraries that know the
language. Only the rules of case and spelling are elsewhere, in `wordkin.words`, because the library
needs them as well.
"""

from dataclasses import dataclass

from pipeline.corpus.languages.word_lists import ENGLISH_CONTENT_WORDS, JAPANESE_FUNCTION_WORDS
from wordkin.words import UZBEK_LETTER, UZBEK_MARK, base

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
    "af": LanguageData(disambiguation=("dubbelsinnig",)),
    "ar": LanguageData(
        disambiguation=("توضيح",),
        credits=("ترجمة",),
        alphabet="ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءآأؤإئ،؟؛",
        code_pages=("cp1256", "iso8859-6"),
    ),
    "ast": LanguageData(disambiguation=("dixebra",)),
    "az": LanguageData(
        rewrites=(_without_endings(_APOSTROPHE, r"\w+"),),  # as in Turkish
        disambiguation=("dəqiqləşdirmə",),
    ),
    "be": LanguageData(
        disambiguation=("неадназначнасць",),
        alphabet="абвгдеёжзійклмнопрстуўфхцчшыьэюя",
        code_pages=("cp1251",),
    ),
    "bg": LanguageData(
        disambiguation=("пояснение",),
        credits=("превод", "субтитри"),
        alphabet="абвгдежзийклмнопрстуфхцчшщъьюя",
        code_pages=("cp1251", "iso8859-5"),
    ),
    "bn": LanguageData(disambiguation=("দ্ব্যর্থতা নিরসন",)),
    "bs": LanguageData(disambiguation=("čvor", "višeznačna odrednica")),
    "ca": LanguageData(
        rewrites=(_split_elision("l d s m t n"),),
        letter_marks="·",  # col·legi
        disambiguation=("desambiguació",),
        alphabet="àçèéíïòóúü·",
        code_pages=("cp1252",),
    ),
    "crh": LanguageData(
        rewrites=(_without_endings(_APOSTROPHE, r"\w+"),),  # as in Turkish
    ),
    "cs": LanguageData(
        disambiguation=("rozcestník",),
        credits=("titulk", "překlad", "přeložil"),
        alphabet="áčďéěíňóřšťúůýž",
        code_pages=("cp1250", "iso8859-2"),
    ),
    "cy": LanguageData(disambiguation=("gwahaniaethu",)),
    "da": LanguageData(
        disambiguation=("flertydig",),
        credits=("undertekst", "oversættelse", "tekster af"),
        alphabet="æøåé",
        code_pages=("cp1252",),
    ),
    "de": LanguageData(
        capital_nouns=True,
        disambiguation=("begriffsklärung",),
        credits=("untertitel", "übersetzung"),
        alphabet="äöüß",
        code_pages=("cp1252",),
    ),
    "el": LanguageData(
        disambiguation=("αποσαφήνιση",),
        credits=("υπότιτλοι", "υποτιτλισμ", "μετάφραση", "απόδοση"),
        alphabet="αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ",
        code_pages=("cp1253", "iso8859-7"),
    ),
    "en": LanguageData(
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
    "eo": LanguageData(disambiguation=("apartigilo",)),
    "es": LanguageData(
        disambiguation=("desambiguación", "desambiguacion", "desambigua"),
        credits=("subtítul", "subtitul", "traducción", "traducido por"),
        alphabet="áéíñóúü",
        code_pages=("cp1252",),
    ),
    "et": LanguageData(
        disambiguation=("täpsustus", "täpsustuslehekülg"),
        credits=("subtiitri", "tõlkija", "tõlkinud"),
        alphabet="äõöüšž",
        code_pages=("cp1252", "cp1257"),
    ),
    "eu": LanguageData(disambiguation=("argipen",)),
    "fa": LanguageData(
        disambiguation=("ابهام\u200cزدایی", "ابهام زدایی"),
        credits=("زیرنویس", "ترجمه"),
        alphabet="ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهيئآء،؟",
        code_pages=("cp1256",),
    ),
    "fi": LanguageData(
        rewrites=(_without_endings(":", r"\w{1,5}"),),  # endings of abbreviations: EU:n
        disambiguation=("täsmennyssivu",),
        credits=("tekstitys", "suomennos", "suomentanut"),
    ),
    "fr": LanguageData(
        rewrites=(_split_elision("l d j m t s n c qu jusqu lorsqu puisqu quoiqu presqu"),),
        disambiguation=("homonymie", "homonymes"),
        credits=("sous-titr", "traduction"),
        alphabet="àâæçéèêëîïôœùûü",
        code_pages=("cp1252",),
    ),
    "ga": LanguageData(
        # Grammar puts a letter and a hyphen before a vowel: a t-athair, a h-aon.
        rewrites=((rf"(?<!\w)[tnh]{_HYPHEN}(?=[aeiouáéíóú])", ""),),
        disambiguation=("idirdhealú",),
    ),
    "gl": LanguageData(disambiguation=("homónimos", "desambiguación")),
    "he": LanguageData(
        disambiguation=("פירושונים",),
        credits=("תרגום", "כתוביות", "תורגם"),
        alphabet="אבגדהוזחטיךכלםמןנסעףפץצקרשת",
        code_pages=("cp1255",),
    ),
    "hi": LanguageData(
        disambiguation=("बहुविकल्पी", "बहुविकल्पी शब्द"),
        credits=("उपशीर्षक", "उप-शीर्षक", "अनुवादक"),
    ),
    "hr": LanguageData(
        disambiguation=("razdvojba",),
        credits=("titlov", "prijevod"),
        alphabet="čćđšž",
        code_pages=("cp1250", "iso8859-2"),
    ),
    "hu": LanguageData(
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
    "hy": LanguageData(disambiguation=("բազմիմաստություն",)),
    "id": LanguageData(
        disambiguation=("disambiguasi",),
        credits=("terjemahan", "diterjemahkan"),
    ),
    "is": LanguageData(
        disambiguation=("aðgreining",),
        alphabet="áðéíóúýþæö",
        code_pages=("cp1252",),
    ),
    "it": LanguageData(
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
        function_words=JAPANESE_FUNCTION_WORDS,
        disambiguation=("曖昧さ回避", "aimai", "人名の曖昧さ回避", "地名の曖昧さ回避"),
        credits=("字幕", "翻訳"),
    ),
    "ka": LanguageData(disambiguation=("მრავალმნიშვნელოვანი",)),
    "kk": LanguageData(disambiguation=("айрық",)),
    "ko": LanguageData(
        disambiguation=("동음이의", "동음이의어 문서"),
        credits=("자막", "번역"),
    ),
    "la": LanguageData(disambiguation=("discretiva",)),
    "lb": LanguageData(capital_nouns=True),
    "lt": LanguageData(
        disambiguation=("nuorodinis straipsnis",),
        credits=("subtitr", "vertė"),
        alphabet="ąčęėįšųūž",
        code_pages=("cp1257",),
    ),
    "lv": LanguageData(
        disambiguation=("nozīmju atdalīšana",),
        alphabet="āčēģīķļņšūž",
        code_pages=("cp1257",),
    ),
    "mk": LanguageData(
        disambiguation=("појаснување",),
        alphabet="абвгдѓежзѕијклљмнњопрстќуфхцчџш",
        code_pages=("cp1251",),
    ),
    "ml": LanguageData(disambiguation=("വിവക്ഷകൾ",)),
    "ms": LanguageData(disambiguation=("nyahkekaburan",)),
    "nds": LanguageData(capital_nouns=True),
    "nl": LanguageData(
        disambiguation=("dp", "doorverwijspagina"),
        credits=("ondertitel", "vertaling", "vertaald door"),
        alphabet="áéëïóöü",
        code_pages=("cp1252",),
    ),
    "nn": LanguageData(disambiguation=("fleirtyding",)),
    "no": LanguageData(
        disambiguation=("peker",),
        credits=("oversettelse", "tekstet av"),
    ),
    "oc": LanguageData(
        rewrites=(_split_elision("l d s m t n qu"),),
        disambiguation=("omonimia",),
    ),
    "pl": LanguageData(
        disambiguation=("ujednoznacznienie",),
        credits=("napisy", "tłumaczenie"),
        alphabet="ąćęłńóśźż",
        code_pages=("cp1250", "iso8859-2"),
    ),
    "pt": LanguageData(
        rewrites=(_split_elision("d n"),),
        disambiguation=("desambiguação", "desambig"),
        credits=("legenda", "tradução", "traduzido por"),
        alphabet="áâãàçéêíóôõú",
        code_pages=("cp1252",),
    ),
    "ro": LanguageData(
        disambiguation=("dezambiguizare",),
        credits=("subtitr", "traducere", "traducător"),
        alphabet="ăâîşţ",
        code_pages=("cp1250", "iso8859-2"),
    ),
    "ru": LanguageData(
        disambiguation=("неоднозначность",),
        credits=("субтитр", "перевод"),
        alphabet="абвгдежзийклмнопрстуфхцчшщъыьэюяё",
        code_pages=("cp1251", "koi8-r", "cp866", "iso8859-5"),
    ),
    "sh": LanguageData(disambiguation=("višeznačna odrednica",)),
    "sk": LanguageData(
        disambiguation=("rozlišovacia stránka",),
        credits=("preklad", "preložil"),
        alphabet="áäčďéíĺľňóôŕšťúýž",
        code_pages=("cp1250", "iso8859-2"),
    ),
    "sl": LanguageData(
        disambiguation=("razločitev",),
        credits=("podnapis", "prevod"),
    ),
    "sq": LanguageData(disambiguation=("kthjellim",)),
    "sr": LanguageData(
        disambiguation=("вишезначна одредница", "вишезначност"),
        credits=("титлов", "превод"),
        alphabet="абвгдђежзијклљмнњопрстћуфхцчџш",
        code_pages=("cp1251", "iso8859-5"),
    ),
    "sv": LanguageData(
        rewrites=(_without_endings(":", r"\w{1,3}"),),  # endings of abbreviations: SVT:s
        disambiguation=("förgrening", "förgreningssida", "gren"),
        credits=("undertext", "översättning"),
        alphabet="åäöé",
        code_pages=("cp1252",),
    ),
    "ta": LanguageData(disambiguation=("பக்கவழிநெறிப்படுத்தல்",)),
    "te": LanguageData(disambiguation=("అయోమయ నివృత్తి",)),
    "th": LanguageData(
        disambiguation=("แก้ความกำกวม", "แก้กำกวม"),
        credits=("คำบรรยาย", "คําบรรยาย"),
        alphabet="กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลฦวศษสหฬอฮฯะัาำิีึืฺุูเแโใไๅๆ็่้๊๋์",
        code_pages=("cp874",),
    ),
    "tr": LanguageData(
        # The suffix of a name follows an apostrophe: Türkiye'nin, Ankara'da.
        rewrites=(_without_endings(_APOSTROPHE, r"\w+"),),
        function_words="mi mı mu mü misin mısın musun müsün miyim mıyım muyum müyüm",
        disambiguation=("anlam ayrımı", "anlamayrımı"),
        credits=("altyazı", "çeviri", "çeviren"),
        alphabet="çğıöşüâîû",
        code_pages=("cp1254",),
    ),
    "uk": LanguageData(
        disambiguation=("неоднозначність", "багатозначність"),
        credits=("субтитр", "переклад"),
        alphabet="абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
        code_pages=("cp1251", "koi8-u"),
    ),
    "ur": LanguageData(disambiguation=("ضد ابہام",)),
    "uz": LanguageData(
        # Before splitting, because splitting would cut the words at the mark.
        rewrites=((UZBEK_MARK.pattern, UZBEK_LETTER),),
        marks_end_words=True,
    ),
    "vi": LanguageData(
        disambiguation=("trang định hướng", "định hướng"),
        credits=("phụ đề", "biên dịch"),
        alphabet="àáâăèéêíóôơùúưđ\u0300\u0301\u0303\u0309\u0323",
        code_pages=("cp1258",),
    ),
    "zh": LanguageData(
        disambiguation=("消歧义", "消歧義", "消歧义页", "消歧義頁"),
        credits=("字幕", "翻译", "翻譯"),
    ),
}


def data_of(code: str) -> LanguageData:
    """The data of the language of a tag; empty for a language without an entry."""
    return LANGUAGES.get(base(code), LanguageData())

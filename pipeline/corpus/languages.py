"""Everything that depends on the language: decisions as data, with the reason beside them.

A language that is not named here works too: words come from the Unicode rules, case from the
default mapping, and there are no stop words and no lemmas but those that the libraries know.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import stopwordsiso
from icu4py.breakers import WordBreaker
from icu4py.locale import Locale

from pipeline.corpus import lemmas
from wordkin.words import base, form_of

Rewrite = tuple[str, str]  # a pattern in a run of text without spaces, and what stands for it

APOSTROPHE = "['\N{RIGHT SINGLE QUOTATION MARK}\N{MODIFIER LETTER APOSTROPHE}]"
HYPHEN = "[-\N{HYPHEN}\N{NON-BREAKING HYPHEN}]"


def _endings(mark: str, endings: str) -> Rewrite:
    """Leave out an ending that is written after a mark."""
    return rf"(?<=\w){mark}(?:{'|'.join(endings.split())})(?!\w)", ""


def _elision(heads: str) -> Rewrite:
    """Cut words that lost their last vowel off the word after them."""
    return rf"(?<!\w)({'|'.join(heads.split())}){APOSTROPHE}(?=\w)", r"\1 "


_HUNGARIAN_CASES = (
    "[aoeö]?t ban ben ba be b[óő]l ra re r[óő]l [oeö]?n nak nek n[áé]l h[oeö]z t[óő]l ig ért kor "
    "ként val vel v[áé] sz[oeö]r nyi i [aoeö]?s [aoe]?k é"
)
_HUNGARIAN_OWNER = "j?[aeáé]i?k?"
_HUNGARIAN_ENDINGS = (
    f"(?:{_HUNGARIAN_OWNER})?(?:{'|'.join(_HUNGARIAN_CASES.split())}) {_HUNGARIAN_OWNER} "
    "(?P<doubled>[bcdfghjklmnprstvz])(?:[sz]|(?P=doubled))?[ae]l"  # -val, -vel after a consonant
)


# Words of meaning that stopwordsiso lists all the same, because it gathers lists made for searching
# the web (and all two-letter domains): people play with them, so they stay.
CONTENT_WORDS: dict[str, str] = {
    "en": (
        "act ad amount area areas big bill bottom case cases cause causes cd clear computer copy "
        "course cry date detail early effect end ends example face faces fact facts fire free "
        "front full goods great group groups hell high home homepage html importance important "
        "index information interest interests invention keys kind large length line little long "
        "low man member members men microsoft mill mine mug name net netscape new novel number "
        "numbers old open order orders page pages part parts place places point points problem "
        "problems proud research results ring room rooms round run second seconds section self "
        "serious shed shell show shows side sides site small state states stop system test text "
        "thick thin thing things thought thoughts tip top turn tv uk value way ways web webpage "
        "website wells width wish wonder words work works world year years young"
    ),
    "hu": "bal búcsú cikk év halló jó lehetőség nagy új úr",
}


# Words that belong on stopwordsiso's lists and are not there: in Japanese what ICU makes of the
# endings of verbs and of speech, in Turkish the question particle.
FUNCTION_WORDS: dict[str, str] = {
    "ja": (
        "って よ ね した わ てる ろ る そう じゃ け たら く ぞ ま もう だから んで けど ろう り "
        "なぜ だが かも め てく たい たん てい しょ なんて そうだ そんな はず さん べ しない "
        "みたい こんな ご つけ かって ゃ きた じ さい こう せん しか かな ただ だって ちゃ "
        "ほうが あ たか しく み だけど しよう よね わっ どうして しま す われ あと くれる ばかり "
        "たよ づ わけ せい こ にし ことに まっ しょう とか くる げ おう えて じゃあ ちゃん まれ "
        "くだ いてる つい どうも どんな えっ たく かけ ち がい したら いたい どうか わり ぼ だけ "
        "どう"
    ),
    "tr": "mi mı mu mü misin mısın musun müsün miyim mıyım muyum müyüm",
}

# Languages that are counted by lemmas unless told otherwise: each word has hundreds of forms.
LEMMATIZED = ("hu",)


@dataclass(frozen=True)
class Rules:
    """What is particular in how a language writes its words."""

    rewrites: tuple[Rewrite, ...] = ()
    letters: str = ""  # marks between letters that belong to the word in this language


RULES: dict[str, Rules] = {
    # dog's, dogs' → dog, dogs: the possessive says nothing of meaning. Contractions (don't, we'll)
    # stay whole, as the stop words list them so.
    "en": Rules((_endings(APOSTROPHE, "s"),)),
    # The question particle (jó-e) and endings that are hung on names, numbers and abbreviations
    # with a hyphen (EU-ban, 1990-es, NATO-jának, Bush-sal) are no words.
    "hu": Rules((_endings(HYPHEN, _HUNGARIAN_ENDINGS),)),
    # The suffix of a name follows an apostrophe: Türkiye'nin, Ankara'da.
    "tr": Rules((_endings(APOSTROPHE, r"\w+"),)),
    "az": Rules((_endings(APOSTROPHE, r"\w+"),)),
    "crh": Rules((_endings(APOSTROPHE, r"\w+"),)),
    # Endings of abbreviations follow a colon: EU:n, SVT:s.
    "fi": Rules((_endings(":", r"\w{1,5}"),)),
    "sv": Rules((_endings(":", r"\w{1,3}"),)),
    "fr": Rules((_elision("l d j m t s n c qu jusqu lorsqu puisqu quoiqu presqu"),)),
    "it": Rules(
        (
            _elision(
                "l un d c n s m t v gl dell all nell sull dall coll pell quell quest bell sant "
                "nessun ciascun qualcun com dov quand anch senz mezz tutt trent vent"
            ),
        )
    ),
    "ca": Rules((_elision("l d s m t n"),), letters="·"),  # col·legi
    "oc": Rules((_elision("l d s m t n qu"),)),
    "pt": Rules((_elision("d n"),)),
    # What grammar puts before a vowel: an tAthair, a t-athair, a h-aon.
    "ga": Rules(((rf"(?<!\w)[tnh]{HYPHEN}(?=[aeiouáéíóú])", ""),)),
    # The letters oʻ and gʻ are typed with whatever apostrophe is at hand.
    "uz": Rules((("(?<=[og])['`\u2018\u2019\u02bc]", "\u02bb"),)),
}

# Templates by which a wiki marks a page that only lists the meanings of a title. The English names
# work on most wikis beside their own.
DISAMBIGUATION: dict[str, tuple[str, ...]] = {
    "en": ("disambiguation", "disambig", "disamb", "dab", "hndis", "geodis", "disambiguation page"),
    "af": ("dubbelsinnig",),
    "ar": ("توضيح",),
    "ast": ("dixebra",),
    "az": ("dəqiqləşdirmə",),
    "be": ("неадназначнасць",),
    "bg": ("пояснение",),
    "bn": ("দ্ব্যর্থতা নিরসন",),
    "bs": ("čvor", "višeznačna odrednica"),
    "ca": ("desambiguació",),
    "cs": ("rozcestník",),
    "cy": ("gwahaniaethu",),
    "da": ("flertydig",),
    "de": ("begriffsklärung",),
    "el": ("αποσαφήνιση",),
    "eo": ("apartigilo",),
    "es": ("desambiguación", "desambiguacion", "desambigua"),
    "et": ("täpsustus", "täpsustuslehekülg"),
    "eu": ("argipen",),
    "fa": ("ابهام\u200cزدایی", "ابهام زدایی"),
    "fi": ("täsmennyssivu",),
    "fr": ("homonymie", "homonymes"),
    "ga": ("idirdhealú",),
    "gl": ("homónimos", "desambiguación"),
    "he": ("פירושונים",),
    "hi": ("बहुविकल्पी", "बहुविकल्पी शब्द"),
    "hr": ("razdvojba",),
    "hu": ("egyért", "egyért-redir", "egyértelműsítő lap"),
    "hy": ("բազմիմաստություն",),
    "id": ("disambiguasi",),
    "is": ("aðgreining",),
    "it": ("disambigua",),
    "ja": ("曖昧さ回避", "aimai", "人名の曖昧さ回避", "地名の曖昧さ回避"),
    "ka": ("მრავალმნიშვნელოვანი",),
    "kk": ("айрық",),
    "ko": ("동음이의", "동음이의어 문서"),
    "la": ("discretiva",),
    "lt": ("nuorodinis straipsnis",),
    "lv": ("nozīmju atdalīšana",),
    "mk": ("појаснување",),
    "ml": ("വിവക്ഷകൾ",),
    "ms": ("nyahkekaburan",),
    "nl": ("dp", "doorverwijspagina"),
    "nn": ("fleirtyding",),
    "no": ("peker",),
    "oc": ("omonimia",),
    "pl": ("ujednoznacznienie",),
    "pt": ("desambiguação", "desambig"),
    "ro": ("dezambiguizare",),
    "ru": ("неоднозначность",),
    "sh": ("višeznačna odrednica",),
    "sk": ("rozlišovacia stránka",),
    "sl": ("razločitev",),
    "sq": ("kthjellim",),
    "sr": ("вишезначна одредница", "вишезначност"),
    "sv": ("förgrening", "förgreningssida", "gren"),
    "ta": ("பக்கவழிநெறிப்படுத்தல்",),
    "te": ("అయోమయ నివృత్తి",),
    "th": ("แก้ความกำกวม", "แก้กำกวม"),
    "tr": ("anlam ayrımı", "anlamayrımı"),
    "uk": ("неоднозначність", "багатозначність"),
    "ur": ("ضد ابہام",),
    "vi": ("trang định hướng", "định hướng"),
    "zh": ("消歧义", "消歧義", "消歧义页", "消歧義頁"),
}

# How wikis call their categories. A dump names the one that its wiki prefers and not the others
# that it takes as well (分類 beside 分类 and Category); a part of a dump may name none.
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

# Options of a picture that are two words where the wiki's language is at work.
FILE_OPTIONS = ("không khung", "có khung", "ללא מסגרת", "bez ramki", "sin marco")

# Templates that show one of their arguments as it is, and which: they mark its language, its size,
# or that it is quoted. All others are left out. Wikis share these names.
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

# Letters beyond ASCII, to tell the encoding of text that does not say it; without case where the
# script has none. Code pages are tried in this order: the first wins when all read the same.
ALPHABETS: dict[str, str] = {
    "ar": "ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءآأؤإئ،؟؛",
    "be": "абвгдеёжзійклмнопрстуўфхцчшыьэюя",
    "bg": "абвгдежзийклмнопрстуфхцчшщъьюя",
    "ca": "àçèéíïòóúü·",
    "cs": "áčďéěíňóřšťúůýž",
    "da": "æøåé",
    "de": "äöüß",
    "el": "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ",
    "es": "áéíñóúü",
    "et": "äõöüšž",
    "fa": "ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهيئآء،؟",
    "fr": "àâæçéèêëîïôœùûü",
    "he": "אבגדהוזחטיךכלםמןנסעףפץצקרשת",
    "hr": "čćđšž",
    "hu": "áéíóöőúüű",
    "is": "áðéíóúýþæö",
    "it": "àèéìíòóùú",
    "lt": "ąčęėįšųūž",
    "lv": "āčēģīķļņšūž",
    "mk": "абвгдѓежзѕијклљмнњопрстќуфхцчџш",
    "nl": "áéëïóöü",
    "pl": "ąćęłńóśźż",
    "pt": "áâãàçéêíóôõú",
    "ro": "ăâîşţ",
    "ru": "абвгдежзийклмнопрстуфхцчшщъыьэюяё",
    "sk": "áäčďéíĺľňóôŕšťúýž",
    "sr": "абвгдђежзијклљмнњопрстћуфхцчџш",
    "sv": "åäöé",
    "th": "กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลฦวศษสหฬอฮฯะัาำิีึืฺุูเแโใไๅๆ็่้๊๋์",
    "tr": "çğıöşüâîû",
    "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
    "vi": "àáâăèéêíóôơùúưđ\u0300\u0301\u0303\u0309\u0323",
}
# The characters that make up nearly half of Chinese dialogue, in both standards.
COMMON_HAN = (
    "的一是不了我你他她在有人大小到说說要就会會好也都没沒吗嗎吧呢知道想看出上下可以很真中天"
    "这這那个個来來去什么麼们們里裡对對为為还還后後时時过過样樣"
)
CODE_PAGES: dict[str, tuple[str, ...]] = {
    "cp1252": ("de", "fr", "es", "pt", "it", "sv", "da", "is", "nl", "ca", "et"),
    "cp1250": ("hu", "cs", "pl", "sk", "hr", "ro"),
    "iso8859-2": ("hu", "cs", "pl", "sk", "hr", "ro"),
    "cp1251": ("ru", "uk", "bg", "sr", "be", "mk"),
    "koi8-r": ("ru",),
    "koi8-u": ("uk",),
    "cp866": ("ru",),
    "iso8859-5": ("ru", "bg", "sr"),
    "cp1253": ("el",),
    "iso8859-7": ("el",),
    "cp1254": ("tr",),
    "cp1255": ("he",),
    "cp1256": ("ar", "fa"),
    "iso8859-6": ("ar",),
    "cp1257": ("lt", "lv", "et"),
    "cp1258": ("vi",),
    "cp874": ("th",),
}

# How words begin by which the first and last captions of a film name who made the subtitles.
CREDITS: dict[str, tuple[str, ...]] = {
    "ar": ("ترجمة",),
    "bg": ("превод", "субтитри"),
    "cs": ("titulk", "překlad", "přeložil"),
    "da": ("undertekst", "oversættelse", "tekster af"),
    "de": ("untertitel", "übersetzung"),
    "el": ("υπότιτλοι", "υποτιτλισμ", "μετάφραση", "απόδοση"),
    "en": (
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
    "es": ("subtítul", "subtitul", "traducción", "traducido por"),
    "et": ("subtiitri", "tõlkija", "tõlkinud"),
    "fa": ("زیرنویس", "ترجمه"),
    "fi": ("tekstitys", "suomennos", "suomentanut"),
    "fr": ("sous-titr", "traduction"),
    "he": ("תרגום", "כתוביות", "תורגם"),
    "hi": ("उपशीर्षक", "उप-शीर्षक", "अनुवादक"),
    "hr": ("titlov", "prijevod"),
    "hu": ("felirat", "fordította", "kreatív supervisor"),
    "id": ("terjemahan", "diterjemahkan"),
    "it": ("sottotitol", "traduzione"),
    "ja": ("字幕", "翻訳"),
    "ko": ("자막", "번역"),
    "lt": ("subtitr", "vertė"),
    "nl": ("ondertitel", "vertaling", "vertaald door"),
    "no": ("oversettelse", "tekstet av"),
    "pl": ("napisy", "tłumaczenie"),
    "pt": ("legenda", "tradução", "traduzido por"),
    "ro": ("subtitr", "traducere", "traducător"),
    "ru": ("субтитр", "перевод"),
    "sk": ("preklad", "preložil"),
    "sl": ("podnapis", "prevod"),
    "sr": ("титлов", "превод"),
    "sv": ("undertext", "översättning"),
    "th": ("คำบรรยาย", "คําบรรยาย"),
    "tr": ("altyazı", "çeviri", "çeviren"),
    "uk": ("субтитр", "переклад"),
    "vi": ("phụ đề", "biên dịch"),
    "zh": ("字幕", "翻译", "翻譯"),
}

# Where a project names a language by another code than BCP 47.
_WIKIPEDIA_CODES = {
    "be-tarask": "be-x-old",
    "lzh": "zh-classical",
    "nan": "zh-min-nan",
    "nb": "no",
    "yue": "zh-yue",
}
_WIKIPEDIA_PAIRS = frozenset(  # codes of two parts that are addresses as they are
    ("bat-smg", "cbk-zam", "fiu-vro", "map-bms", "nds-nl", "roa-rup", "roa-tara")
)
_OPUS_CODES = {
    "nb": "no",
    "nn": "no",
    "pt-br": "pt_br",
    "zh": "zh_cn",
    "zh-cn": "zh_cn",
    "zh-hans": "zh_cn",
    "zh-hant": "zh_tw",
    "zh-tw": "zh_tw",
}
_STOP_WORD_CODES = {"nb": "no", "nn": "no"}

# Scripts that write words without spaces between them.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)

# The common case needs no library: a word, or some, of alphabets whose letters in a row ICU never
# parts, all in normal form, between signs at which it always does (an apostrophe, beside others).
_WORD = (
    "(?:[A-Za-zÀ-ÖØ-öø-ɏΆΈ-Ίΰ-ώЀ-ҁҊ-ӿԱ-Ֆա-ֆა-ჰ"  # Latin, Greek, Cyrillic, Armenian, Georgian
    "\u0620-\u063f\u0641-\u064a\u0671-\u06d3]++"  # Arabic without its stroke and vowel signs
    "|[\u0904-\u0939\u0958-\u0961][\u0900-\u0963]*+"  # Devanagari with its vowel signs
    "|[가-힣]++)"
)
_SIGN = r" !-&(-/:-@\[-`{-~«»–—“”„…،؛؟।"
_LETTERS = re.compile(_WORD)
_PLAIN_WORD = re.compile(rf"[{_SIGN}']*+({_WORD})[{_SIGN}'’]*+")
_PLAIN_WORDS = re.compile(
    rf"[{_SIGN}']*+{_WORD}(?:['’]*+[{_SIGN}][{_SIGN}'’]*+{_WORD})*+[{_SIGN}'’]*+"
)
_LONGEST_KEPT = 32  # runs of text longer than this hardly come again
_MOST_KEPT = 1 << 19


# Simplified and traditional characters in turn: those of the stop words.
_TRADITIONAL = (
    "万萬与與两兩个個临臨为為么麼乌烏于於仅僅从從们們会會体體傥儻儿兒关關冲沖况況几幾凭憑则則别別办辦区區"
    "单單却卻后後吓嚇吗嗎呕嘔呗唄呜嗚哒噠哗嘩哟喲喽嘍嗳噯处處宁寧对對将將尔爾尽盡岂豈并並开開归歸当當总總"
    "愿願换換据據无無旧舊时時来來极極样樣欤歟没沒点點犹猶独獨着著确確离離种種称稱简簡类類紧緊纵縱经經结結"
    "给給继繼综綜罢罷虽雖见見让讓许許论論设設诚誠话話该該说說请請诸諸谁誰贼賊赖賴赶趕转轉较較边邊达達过過"
    "还還这這进進连連里裡鉴鑑针針问問间間随隨难難顺順齐齊"
)


def _traditional(word: str) -> Iterator[str]:
    yield word.translate(str.maketrans(_TRADITIONAL[::2], _TRADITIONAL[1::2]))


def _accented(word: str) -> Iterator[str]:
    for at, letter in enumerate(word, 1):
        if letter in "αεηιουω":
            yield unicodedata.normalize("NFC", f"{word[:at]}\N{COMBINING ACUTE ACCENT}{word[at:]}")


# Other spellings of the listed stop words. The Chinese list is in simplified characters, the Greek
# one mostly without accents, and text is not.
SPELLINGS: dict[str, Callable[[str], Iterable[str]]] = {"zh": _traditional, "el": _accented}


def is_unspaced(text: str) -> bool:
    """Whether the text is in a script that writes words without spaces."""
    return _UNSPACED.search(text) is not None


def wikipedia_code(code: str) -> str:
    """The code in the addresses of Wikipedia's dumps."""
    code = code.lower().replace("_", "-")
    if code in _WIKIPEDIA_PAIRS or code in _WIKIPEDIA_CODES.values():
        return code
    return _WIKIPEDIA_CODES.get(code, base(code))


def opus_code(code: str) -> str:
    """The code in the addresses of OPUS OpenSubtitles."""
    return _OPUS_CODES.get(code.lower().replace("_", "-"), base(code))


def disambiguation_templates(code: str) -> tuple[str, ...]:
    """Names of the templates that mark a disambiguation page on that language's wiki."""
    own = DISAMBIGUATION.get(base(code), ()) if base(code) != "en" else ()
    return DISAMBIGUATION["en"] + own


class Language:
    """Words, stop words and lemmas of one language."""

    def __init__(self, code: str) -> None:
        self.code = code
        rules = RULES.get(base(code), Rules())
        self._rewrites = [(re.compile(pattern, re.I), by) for pattern, by in rules.rewrites]
        form = form_of(code)
        self.normal, self._lower = form.normal, form.lower
        self._joints = re.compile("[.:_·]".replace(rules.letters or "\0", ""))
        self._locale = Locale(code.replace("-", "_"))
        self._kept = _Kept(self._quickly)
        self._normal_forms = _Normal(self.normal)
        self._stop_words: frozenset[str] | None = None

    def words(self, text: str) -> list[str]:
        """The words of the text in order, in lower case and normal form."""
        if len(self._kept) > _MOST_KEPT:
            self._kept.clear()
        if len(self._normal_forms) > _MOST_KEPT:
            self._normal_forms.clear()
        return list(chain.from_iterable(map(self._kept.__getitem__, text.split())))

    def _quickly(self, run: str) -> tuple[str, ...]:
        if plain := _PLAIN_WORD.fullmatch(run):
            return (self._lower_normal(plain[1]),)
        if not any(map(str.isalpha, run)):
            return ()
        run = self._rewritten(run)
        if _PLAIN_WORDS.fullmatch(run):
            return tuple(map(self._lower_normal, _LETTERS.findall(run)))
        return self._segmented(run)

    def _lower_normal(self, word: str) -> str:
        word = self._lower(word)
        return word if word.isascii() else unicodedata.normalize("NFC", word)

    def words_of_run(self, run: str) -> tuple[str, ...]:
        """The words of a run of text without spaces."""
        return self._segmented(self._rewritten(run))

    def _rewritten(self, run: str) -> str:
        for pattern, by in self._rewrites:
            run = pattern.sub(by, run)
        return self._joints.sub(" ", run)

    def _segmented(self, run: str) -> tuple[str, ...]:
        segments = WordBreaker(run, self._locale)
        return tuple(filter(None, map(self._normal_forms.__getitem__, segments)))

    @property
    def has_stop_words(self) -> bool:
        """Whether a list of stop words is known."""
        return stopwordsiso.has_lang(self._stop_word_code)

    @property
    def _stop_word_code(self) -> str:
        return _STOP_WORD_CODES.get(base(self.code), base(self.code))

    def stop_words(self) -> frozenset[str]:
        """Words too common to tell anything, in the form of ``words``; empty when unknown."""
        if self._stop_words is None:
            code = base(self.code)
            listed = stopwordsiso.stopwords(self._stop_word_code) if self.has_stop_words else ()
            spelt = chain(listed, *map(SPELLINGS.get(code, lambda word: ()), listed))
            words = {word for one in spelt for word in self.words(one)}
            words.update(FUNCTION_WORDS.get(code, "").split())
            self._stop_words = frozenset(words.difference(CONTENT_WORDS.get(code, "").split()))
        return self._stop_words

    def lemma(self, word: str) -> str:
        """The dictionary form of a word; the word itself in a language without lemmas.

        Stop words stay as they are: the list names their forms, and short as they are, they would
        often become other words (Hungarian belé, into him: ő, he).
        """
        if word in self.stop_words():
            return word
        return self.normal(lemmas.lemma(word, base(self.code)))

    def lemmas(self, words: Iterable[str]) -> list[str]:
        """The lemma of each word."""
        return [self.lemma(word) for word in words]


class _Kept(dict[str, tuple[str, ...]]):
    """Words of the runs of text seen so far: most runs come again and again."""

    def __init__(self, words_of_run: Callable[[str], tuple[str, ...]]) -> None:
        super().__init__()
        self.words_of_run = words_of_run

    def __missing__(self, run: str) -> tuple[str, ...]:
        words = self.words_of_run(run)
        if len(run) <= _LONGEST_KEPT:
            self[run] = words
        return words


class _Normal(dict[str, str]):
    """Normal forms of the segments seen so far; nothing for segments without a letter."""

    def __init__(self, normal: Callable[[str], str]) -> None:
        super().__init__()
        self.normal = normal

    def __missing__(self, segment: str) -> str:
        form = self.normal(segment) if any(map(str.isalpha, segment)) else ""
        self[segment] = form
        return form


@lru_cache(maxsize=64)
def language(code: str) -> Language:
    """The language of this code; any code will do."""
    return Language(code)

"""Subtitle files: syntaxes, encodings, and what in them is not spoken."""

import zipfile
from pathlib import Path

import pytest

from pipeline.read import Tally
from pipeline.read.encodings import detect
from pipeline.read.subtitles import film, spoken
from tests.support.raw import numbered_captions, read, source, texts

SRT = """1
00:00:01,000 --> 00:00:02,500 X1:10 X2:20
- Hello there,
<i>General</i>.

2
00:00:03,000 --> 00:00:04,000

3
00:00:05,000 --> 00:00:06,000
{\\an8}42
is the answer.
4
00:00:07,000 --> 00:00:08,000
No blank line before.
"""
VTT = """WEBVTT - a title

STYLE
::cue { color: red }

NOTE a comment
of two lines

intro
00:01.000 --> 00:02.000 align:start
<v Roger>Hello <c.yellow>there</c>.

2
00:00:03.000 --> 00:00:04.000
Bye.
"""
ASS = """[Script Info]
ScriptType: v4.00+
[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Comment: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,Not shown
Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\i1}Hello,{\\i0} there\\NGeneral.
Dialogue: 0,0:00:03.00,0:00:04.00,Sign,,0,0,0,,{\\p1}m 0 0 l 10 0 10 10{\\p0}
"""
SYNTAXES = {
    "SubRip": (SRT, ["- Hello there, General.", "42 is the answer.", "No blank line before."]),
    "WebVTT": (VTT, ["Hello there.", "Bye."]),
    "SubStation": (ASS, ["Hello, there General."]),
    "MicroDVD": (
        "{1}{1}23.976\n{10}{20}{y:i}Hello|there.\n{30}{40}Bye.\n",
        ["Hello there.", "Bye."],
    ),
    "MPL2": ("[10][20]Hello|there.\n[30][40]Bye.\n", ["Hello there.", "Bye."]),
    "SubViewer": (
        "[INFORMATION]\n[TITLE]x\n[AUTHOR]y\n[END INFORMATION]\n[SUBTITLE]\n[COLF]&HFFFFFF\n"
        "00:00:01.00,00:00:02.00\nHello[br]there.\n\n"
        "00:00:03.00,00:00:04.00\nBye.\n",
        ["Hello there.", "Bye."],
    ),
    "SAMI": (
        "<SAMI><HEAD><STYLE><!-- .K {x:y} --></STYLE></HEAD><BODY>\n<SYNC Start=100><P Class=K>"
        "\nHello<br>there.\n<SYNC Start=200><P Class=KRCC>&nbsp;\n<SYNC Start=300><P>Bye.</BODY>",
        ["Hello there.", "Bye."],
    ),
    "MPlayer": ("00:00:01:Hello|there.\n00:00:03:Bye.\n", ["Hello there.", "Bye."]),
}


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_syntaxes(syntax: str, end: str) -> None:
    text, lines = SYNTAXES[syntax]
    assert list(film(text.replace("\n", end), Tally())) == lines


@pytest.mark.parametrize(
    ("caption", "words"),
    [
        ("<font color='#fff'>Hello</font> {\\pos(1,2)}there", "Hello there"),
        ("[door creaks] Who is it?", "Who is it?"),
        ("(SIGHS)", ""),
        ("♪ Stand by me ♪", "Stand by me"),
        ("♪♪", ""),
        ("JOHN: Hello. - MARY: Hi.", "Hello. - Hi."),
        ("Remember: no one knows.", "Remember: no one knows."),
        ("At 5:30 we go.", "At 5:30 we go."),
        ("復讐(ふくしゅう)して", "復讐 して"),
        ("（ため息）そうか", "そうか"),
        ("Fish &amp; chips&nbsp;", "Fish & chips"),
    ],
)
def test_what_is_spoken(caption: str, words: str) -> None:
    assert spoken(caption) == words


def test_credits_and_advertisements_are_left_out_and_counted() -> None:
    talk = [f"Sentence number {n}." for n in range(40)]
    talk[20] = "I bought the subtitles of that film."
    lines = [
        "Advertise your product here: www.OpenSubtitles.org",
        "Synced & corrected by somebody",
        *talk,
        "[music]",
        "A feliratot fordította: Valaki Anna",
        "字幕翻译:某人",
        "Untertitel: Jemand",
    ]
    tally = Tally()
    assert list(film(numbered_captions(lines), tally)) == talk
    assert tally.dropped == {"advertisement lines": 1, "credit lines": 4, "note lines": 1}


SAMPLES = {
    "hu": "Árvíztűrő tükörfúrógép. Hová mész, te őrült? Nem tudom, talán a fűbe ülök.",
    "cs": "Příliš žluťoučký kůň úpěl ďábelské ódy. Kam jdeš? Řekni mi něco hezkého.",
    "pl": "Zażółć gęślą jaźń. Dokąd idziesz? Może później, dziękuję. Coś się stało.",
    "de": "Wo gehst du hin? Ich weiß es nicht, vielleicht später. Schöne Grüße über München.",
    "fr": "Où vas-tu ? Je ne sais pas, peut-être à la forêt. C'était l'été dernier, le garçon.",
    "es": "¿Adónde vas, señor? No sé, mañana quizás. ¡Qué corazón más pequeño!",
    "tr": "Nereye gidiyorsun? Bilmiyorum, belki ışığa doğru. Çok güzel bir şey değil mi?",
    "ru": "Куда ты идёшь? Не знаю, может быть, позже. Какой чудесный вечер!",
    "uk": "Куди ти йдеш? Не знаю, можливо, пізніше. Який чудовий вечір, їжаче!",
    "el": "Πού πας; Δεν ξέρω, ίσως αργότερα. Τι όμορφη νύχτα!",
    "he": "לאן אתה הולך? אני לא יודע, אולי מאוחר יותר.",
    "ar": "إلى أين تذهب؟ لا أعرف، ربما في وقت لاحق. يا لها من ليلة جميلة",
    "th": "คุณจะไปไหน ฉันไม่รู้ บางทีอาจจะทีหลัง คืนนี้สวยมาก",
    "zh": "你要去哪里？我不知道，也许以后吧。今天晚上真漂亮，我们走吧。",
    "tw": "你要去哪裡？我不知道，也許以後吧。今天晚上真漂亮，我們走吧。",
    "ja": "どこへ行くの？わからない、たぶん後で。なんて素敵な夜だろう。",
    "ko": "어디 가니? 모르겠어, 아마 나중에. 정말 아름다운 밤이야.",
    "mk": "Каде одиш? Не знам, можеби подоцна. Ќе дојде ѕвезда, ѓаволе.",
    "lt": "Kur eini? Nežinau, galbūt vėliau. Koks gražus vakaras, ąžuole, žąsis įlipo.",
}
ENCODED = [
    ("hu", "cp1250"), ("hu", "iso8859-2"), ("cs", "cp1250"), ("cs", "iso8859-2"),
    ("pl", "cp1250"), ("de", "cp1252"), ("fr", "cp1252"), ("es", "cp1252"), ("tr", "cp1254"),
    ("ru", "cp1251"), ("ru", "koi8-r"), ("ru", "cp866"), ("uk", "cp1251"), ("el", "cp1253"),
    ("he", "cp1255"), ("ar", "cp1256"), ("th", "cp874"), ("zh", "gb18030"), ("tw", "big5"),
    ("ja", "cp932"), ("ja", "euc_jp"), ("ja", "iso2022_jp"), ("el", "iso8859-7"),
    ("ar", "iso8859-6"), ("mk", "cp1251"), ("ko", "cp949"), ("lt", "cp1257"),
    *((code, encoding) for code in SAMPLES for encoding in ("utf-8", "utf-8-sig", "utf-16")),
    ("ru", "utf-16-le"), ("hu", "utf-16-be"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "encoding"), ENCODED)
def test_the_encoding_is_detected(code: str, encoding: str, tmp_path: Path) -> None:
    """Another encoding is fine when it reads the same text from the same bytes."""
    text = numbered_captions(SAMPLES[code].split(". "))
    raw = text.encode(encoding)
    assert raw.decode(detect(raw)).lstrip("\ufeff") == text
    path = tmp_path / "film.srt"
    path.write_bytes(raw)
    assert "\n".join(texts(path, source("srt"))) == SAMPLES[code].replace(". ", "\n")


def test_a_declared_encoding_overrides_the_detected_one(tmp_path: Path) -> None:
    path = tmp_path / "film.srt"
    path.write_bytes(numbered_captions(["tükör"]).encode("cp1250"))
    assert texts(path, source("srt", encoding="cp1251")) == ["tьkцr"]


def test_utf8_with_a_damaged_byte_is_still_utf8(tmp_path: Path) -> None:
    path = tmp_path / "film.srt"
    raw = numbered_captions([SAMPLES["hu"]] * 20).encode().replace("ő".encode(), b"\xc5", 1)
    path.write_bytes(raw)
    (document,), tally = read(path, source("srt", tolerate=0.01))
    assert tally.replaced == 1
    assert document.text.count("Árvíztűrő") == 19


def test_one_document_per_film_in_files_and_in_a_zip(tmp_path: Path) -> None:
    path = tmp_path / "subtitles.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("b.srt", numbered_captions(["Second."]))
        archive.writestr("a.srt", numbered_captions(["First.", "Film."]))
        archive.writestr("readme.nfo", "about")
    documents, _ = read(path, source("srt"))
    assert [(d.id, d.title, d.text) for d in documents] == [
        ("subtitles.zip/a.srt", "a", "First.\nFilm."),
        ("subtitles.zip/b.srt", "b", "Second."),
    ]


def test_pictures_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "film.sub"
    path.write_bytes(b"\x00\x00\x01\xba" + bytes(100))
    documents, tally = read(path, source("srt", tolerate=0.99))
    assert documents == []
    assert tally.dropped == {"pictures": 1}


def test_a_file_that_is_not_a_subtitle_file_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "film.srt"
    path.write_text("<html>Download limit reached</html>")
    documents, tally = read(path, source("srt", tolerate=0.99))
    assert documents == []
    assert tally.dropped == {"broken document": 1}

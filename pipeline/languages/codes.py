"""What other projects call a language, where their code differs from BCP 47."""

from wordkin.words import base, tag

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

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

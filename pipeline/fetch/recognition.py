"""Which language a text is in, and which language the name of a file says that it has.

The detector is py3langid: 97 languages in a small package. It makes as few
mistakes as eld, which knows 60 (research/languages.md).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import py3langid

from pipeline.languages.table import TWO_LETTERS
from wordkin.words import base, tag

PIECE, MOST_PIECES = 400, 300
"""Letters of a piece of text that is looked at, and the number of pieces."""
SHORTEST = 40  # letters: in shorter pieces nobody can tell
MOSTLY = 0.5
"""A source with less than this share of its text in the language is mostly something else."""

# Languages that the detector cannot keep apart, because people hardly can.
_ALIKE = (
    frozenset(("no", "nb", "nn", "da")),
    frozenset(("hr", "sr", "bs", "sh")),
    frozenset(("id", "ms")),
    frozenset(("cs", "sk")),
    frozenset(("gl", "pt")),
    frozenset(("hi", "mr", "ne")),
)


@cache
def known_languages() -> frozenset[str]:
    """The languages that the detector knows."""
    return frozenset(code for code, _ in py3langid.rank("wordkin"))


def shares(texts: Iterable[str]) -> dict[str, float]:
    """The share of each language in the texts, the largest first; empty if they are too short."""
    text = " ".join(word for text in texts for word in text.split())
    pieces = [text[start : start + PIECE] for start in range(0, len(text), PIECE)]
    pieces = [piece for piece in pieces if len(piece) >= SHORTEST]
    step = max(len(pieces) // MOST_PIECES, 1)
    counts = Counter(py3langid.classify(piece)[0] for piece in pieces[::step])
    return {code: number / counts.total() for code, number in counts.most_common()}


def is_alike(one: str, other: str) -> bool:
    """Whether two codes mean one language, or two that the detector confuses."""
    one, other = base(one), base(other)
    return one == other or any({one, other} <= group for group in _ALIKE)


def warning(code: str, texts: Iterable[str]) -> str | None:
    """What to tell a person if most of the text is in another language than it should be."""
    if base(code) not in known_languages() and base(code) not in frozenset().union(*_ALIKE):
        return None
    found = shares(texts)
    fitting = sum(share for other, share in found.items() if is_alike(code, other))
    if not found or fitting >= MOSTLY:
        return None
    others = [f"{other} {share:.0%}" for other, share in found.items() if not is_alike(code, other)]
    return f"most of it is not in '{code}' but looks like {', '.join(others[:3])}: is it right?"


_CUT = re.compile(r"[/._]+")


def named_languages(files: Sequence[Path]) -> dict[Path, str]:
    """The language of each file, if their names or folders say it; empty if they do not.

    They do if every file has a language code at the same step of its path, counted from the end,
    and if there are several languages: film-1.fi.srt and film-1.de.srt, or fi/a.txt and de/a.txt.
    """
    words = {file: _CUT.split("/".join(file.parts[-4:]).lower()) for file in files}
    for place in range(1, min(map(len, words.values()), default=0) + 1):
        codes = {file: code for file in files if (code := _code(words[file][-place]))}
        if len(codes) == len(files) and len(set(codes.values())) > 1:
            return codes
    return {}


def _code(step: str) -> str:
    """The language that a step of a path names; empty if it names none."""
    step = TWO_LETTERS.get(step, step)
    code = base(step)
    is_code = tag(step) == step and code in known_languages() and (step == code or "-" in step)
    return code if is_code and len(code) <= 3 else ""

"""The endings of languages, as data: they show that two words have the same stem.

To add a language, list its endings; `old>new` replaces the ending by something else (kni-ves,
knif-e). Unknown words are resolved with them, and `wordkin.language.kinship` recognises relatives.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Suffixes:
    """The endings of one language.

    Attributes
    ----------
    light, heavy : str
        Inflections, and derivations. Short words often end like a derivation by chance, so a heavy
        ending needs a longer stem.
    shortest_light, shortest_heavy : int
        The number of letters that must remain without the ending.
    shared : int
        The number of letters that two words must share when both have endings.
    last : str
        Spellings of the last letter of a stem that count as the same, `old>new`: happi-er, happy.
    vowels : str
        Changes of a vowel inside a stem that come with endings, `old>new`: häus-er, haus.
    letters : str
        Letters that are written with several characters; each counts as one letter.
    """

    light: str
    heavy: str
    shortest_light: int
    shortest_heavy: int
    shared: int
    last: str
    vowels: str = ""
    letters: str = ""

    def without_ending(self, word: str) -> set[str]:
        """What remains of `word` without one ending, for each ending that it may have."""
        return {
            word[: len(word) - len(ending)] + replacement
            for ending, replacement, shortest in self._endings
            if word.endswith(ending) and self.length(word[: len(word) - len(ending)]) >= shortest
        }

    def inflected(self, word: str) -> set[str]:
        """The forms of `word` with one inflection, right or wrong: nurse, nurses, nurseing, ..."""
        bases = {word, self.respell(word)}
        bases |= {word.removesuffix(new) + old for old, new in self._last_letters if new}
        return {
            base.removesuffix(replacement) + ending
            for base in bases
            for ending, replacement in map(_parse_rule, self.light.split())
            if base.endswith(replacement)
        }

    def vowel_changes(self, stem: str) -> set[str]:
        """The stem with one vowel changed back: haus for häus."""
        return {
            stem.replace(old, new)
            for old, new in map(_parse_rule, self.vowels.split())
            if old in stem
        }

    @cached_property
    def _endings(self) -> list[tuple[str, str, int]]:
        """Each ending with its replacement and the length that must remain."""
        return [
            (*_parse_rule(rule), shortest)
            for rules, shortest in (
                (self.light, self.shortest_light),
                (self.heavy, self.shortest_heavy),
            )
            for rule in rules.split()
        ]

    @cached_property
    def _last_letters(self) -> list[tuple[str, str]]:
        return [_parse_rule(rule) for rule in self.last.split()]

    def respell(self, stem: str) -> str:
        """The stem with its last letter in the one spelling that is compared."""
        for old, new in self._last_letters:
            if stem.endswith(old) and len(stem) > 3:
                return stem[: len(stem) - len(old)] + new
        return stem

    def length(self, word: str) -> int:
        """The number of letters of a word."""
        for letter in self.letters.split():
            word = word.replace(letter, "_")
        return len(word)


def _parse_rule(text: str) -> tuple[str, str]:
    old, _, new = text.partition(">")
    return old, new


SUFFIXES = {
    "en": Suffixes(
        light="s es ed ing ings er ers or ors est ly ies>y ied>y ves>f men>man",
        heavy=(
            "a able age al an ance ant ary ation dom ean ence ent ery ese ey ful hood ial ian ible "
            "ic ical ics ion ious ise ish ism ist ists ition ity ive ize less ment ness o ory "
            "ous r ship ure y"
        ),
        shortest_light=3,
        shortest_heavy=5,
        shared=3,
        last="e> y>i",
    ),
    # Hungarian adds several endings in a row and lengthens a final a or e before them: szerencse,
    # szerencsé-s.
    "hu": Suffixes(
        light=(
            "a ad ak am as at az ba ban be ben ból ből d e ed ek em en ért es et ez hez hoz höz i "
            "ig ik ja je juk jük k m n nak nek ni od ok om on os ot oz öd ök öm ön ös öt öz ra re "
            "ról ről s t tól től unk ünk va val ve vel z"
        ),
        heavy=(
            "ár ás ász atlan cska cske dalom delem edik ér és ész etlen gat get hat het ikus ista "
            "ít izmus jú jű ka ke mány mény né nő nyi ó odik omány ödik ő ság ség talan tat telen "
            "tet tlan tlen ú ul ül ű vány vény"
        ),
        shortest_light=3,
        shortest_heavy=4,
        shared=4,
        last="á>a é>e",
        letters="dzs cs dz gy ly ny sz ty zs",
    ),
    "de": Suffixes(
        light="e em en er ern es n s",
        heavy="chen heit ig in innen isch keit lein lich ung ungen",
        shortest_light=3,
        shortest_heavy=4,
        shared=4,
        last="",
        vowels="äu>au ä>a ö>o ü>u",
    ),
    "fi": Suffixes(
        light=(
            "a ä an än en iin illa ille illä ilta iltä in issa issä ista istä ja jä ksi lla lle "
            "llä lta ltä n na nä on ssa ssä sta stä t ta tä ön"
        ),
        heavy="",
        shortest_light=4,
        shortest_heavy=4,
        shared=4,
        last="",
    ),
    "tr": Suffixes(
        light=(
            "a e i ı u ü da dan de den ım im ın in la lar ları le ler leri nın nin nun nün sı si "
            "su sü ta tan te ten um un ün üm ya ye yı yi yu yü"
        ),
        heavy="",
        shortest_light=3,
        shortest_heavy=4,
        shared=4,
        last="ğ>k b>p c>ç d>t",
    ),
}

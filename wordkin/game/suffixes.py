"""The endings of languages, as data: how one sees that two words have the same stem.

A language without an entry is judged by its lemmas and by containment alone. To add one, list
its endings; `old>new` puts something else in the place of the ending (kni-ves, knif-e).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class Stems:
    """A word, spelt as a stem, and what taking endings off may leave of it."""

    whole: str
    shorter: frozenset[str]


@dataclass(frozen=True)
class Suffixes:
    """The endings of one language.

    Attributes
    ----------
    light, heavy : str
        Inflections, and derivations: short words end like a derivation by chance, so a heavy
        ending asks for a longer stem.
    shortest_light, shortest_heavy : int
        How many letters an ending must leave.
    shared : int
        How many letters two words must share when both of them have endings.
    last : str
        How the last letter of a stem is spelt alike, `old>new`: happi-er and happy.
    letters : str
        Letters that are written with several signs; each counts once.
    families : str
        Relatives that no ending shows, a family a line.
    """

    light: str
    heavy: str
    shortest_light: int
    shortest_heavy: int
    shared: int
    last: str
    letters: str = ""
    families: str = field(default="", repr=False)

    def kin(self, a: Stems, b: Stems) -> bool:
        """Whether one word is the other with endings, or both are one stem with endings."""
        return (
            a.whole == b.whole
            or a.whole in b.shorter
            or b.whole in a.shorter
            or any(self._length(stem) >= self.shared for stem in a.shorter & b.shorter)
        )

    def stems(self, word: str) -> Stems:
        """What may be the stem of `word`: itself, or what one or two endings leave of it."""
        found = {word}
        for _ in range(2):
            found |= {
                longer[: len(longer) - len(ending)] + instead
                for longer in found
                for ending, instead, shortest in self._endings
                if longer.endswith(ending)
                and self._length(longer[: len(longer) - len(ending)]) >= shortest
            }
        return Stems(self._alike(word), frozenset(self._alike(stem) for stem in found - {word}))

    @cached_property
    def family_of(self) -> dict[str, str]:
        """The first word of its family for each word that is in one."""
        lines = [line.split() for line in self.families.splitlines()]
        return {word: line[0] for line in lines for word in line}

    @cached_property
    def _endings(self) -> list[tuple[str, str, int]]:
        return [
            (*_rule(rule), shortest)
            for rules, shortest in (
                (self.light, self.shortest_light),
                (self.heavy, self.shortest_heavy),
            )
            for rule in rules.split()
        ]

    @cached_property
    def _last(self) -> list[tuple[str, str]]:
        return [_rule(rule) for rule in self.last.split()]

    def _alike(self, stem: str) -> str:
        for old, new in self._last:
            if stem.endswith(old) and len(stem) > 3:
                return stem[: len(stem) - len(old)] + new
        return stem

    def _length(self, word: str) -> int:
        for letter in self.letters.split():
            word = word.replace(letter, "_")
        return len(word)


def _rule(text: str) -> tuple[str, str]:
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
        families="""\
act action active actor actress
center central centre
china chinese
dead death die
denmark dane danish
dental dentist
england english
feed food
france french
greece greek
holland dutch
ireland irish
italy italian
marriage marry
norway norwegian
pianist piano
poland pole polish
sale sell
scotland scot scottish
sing song
spain spaniard spanish
speak speech
sweden swede swedish
switzerland swiss
turkey turk turkish
wales welsh""",
    ),
    # Hungarian strings endings together and lengthens a last a or e before them: szerencse,
    # szerencsé-s. Families are above all verbs and nouns too short for endings to be trusted.
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
        families="""\
áll állás állomás
él élet élő
hal halál halott
havas havazik hó
ír irat író iroda irodalom írás
iszik ital ivás
játék játszik játszma játszó
jog jogász jogi jogos
köves kő
lát látás látvány
ló lovag lovas
lő lövedék lövés lövész
mű művész művészet
női nő nős
szavaz szó
tan tanár tanít tanító tanul tanuló
tavi tó
tud tudás tudomány tudományos tudós
út utas utazás utazik utca
ül ülés ülő
víz vizes""",
    ),
}

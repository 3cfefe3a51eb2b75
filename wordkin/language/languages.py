"""What we know about each language: endings, links of compounds and spellings, as data.

To add a language, add its entries here. A language without any gets endings that are learned from
the lemmas of its bundle (`wordkin.language.morphology.learned_morphology`).
"""

from __future__ import annotations

from wordkin.language.morphology import Morphology, parse_rules
from wordkin.words import base

_VOWEL, _CONSONANT = "[aáeéiíoóöőuúüű]", "[^aáeéiíoóöőuúüű]"

_ENGLISH_INFLECTIONS = "s es ed ing ings er ers or ors est ly ies>y ied>y ves>f men>man"
_ENGLISH_DERIVATIONS = (
    "a able age al an ance ant ary ation dom ean ence ent ery ese ey ful hood ial ian ible ic ical "
    "ics ion ious ise ish ism ist ists ition ity ive ize less ment ness o ory ous r ship ure y"
)
_HUNGARIAN_INFLECTIONS = (
    "a ad ak am as at az ba ban be ben ból ből d e ed ek em en ért es et ez hez hoz höz i ig ik ja "
    "je juk jük k m n nak nek ni od ok om on os ot oz öd ök öm ön ös öt öz ra re ról ről s t tól "
    "től unk ünk va val ve vel z"
)
_HUNGARIAN_DERIVATIONS = (
    "ár ás ász atlan cska cske dalom delem edik ér és ész etlen gat get hat het ikus ista ít izmus "
    "jú jű ka ke mány mény né nő nyi ó odik omány ödik ő ság ség talan tat telen tet tlan tlen ú "
    "ul ül ű vány vény"
)


def _endings_only(
    inflections: str,
    derivations: str = "",
    *,
    shortest: int = 3,
    last: str = "",
    vowels: str = "",
) -> Morphology:
    """The morphology of a language of which we know the endings and little else."""
    return Morphology(
        shortest_form=shortest,
        vowels=vowels,
        inflections=inflections,
        firm={shortest: inflections},
        loose={4: derivations},
        shared_firm=4,
        last=last,
        changes=parse_rules(vowels),
    )


MORPHOLOGIES: dict[str, Morphology] = {
    "en": Morphology(
        inflections=f"{_ENGLISH_INFLECTIONS} ying>ie ing>e ed>e er>e est>e ier>y iest>y ves>fe",
        firm={
            # dy-ing, die; us-ing, use
            1: "ying>ie",
            2: "ing>e ed>e",
            3: (
                f"{_ENGLISH_INFLECTIONS} er>e est>e ier>y iest>y ves>fe "
                "ness ful less ly>le ery ery>e"
            ),
        },
        loose={
            # Latin pairs: what follows > is the end of the shorter word.
            1: "bility>ble",
            2: "cial>ce tial>ce ial>y lution>lve",
            3: (
                # cit-ation, cite; cre-ation, create; invasion, invade; typist, type
                "ation>e ation>ate ator>ate ative>ate sion>d sion>de sion>se ssion>t sive>de "
                "sive>d nse>nd ist>e "
                # glorious, glory; carriage, carry; waitress, waiter; angry, anger
                "ious>y iety>y iance>y iable>y iage>y iant>y ous>e ress>er ress>or ry>er rous>er "
                "rance>er ral>er ric>er rical>er rian>er "
                # description, describe; reception, receive; production, produce
                "ption>be pt>be eption>eive eipt>eive uction>uce uct>uce osition>ose ics>ic "
                # silence, silent; repetition, repeat
                "ency>ent ancy>ant ence>ent ance>ant etition>eat etition>ete "
                # attention, attend; curiosity, curious
                "ntion>nd osity>ous"
            ),
            4: (
                # pirate, piracy; circular, circle; mobility, mobile
                "acy>ate acy>at ecy>et ular>le ulous>le ular>ule ility>ile ption>b umption>ume "
                "anation>ain enance>ain ication>y ure>e age>e al>e "
                "ist ism ist>o ist>a ment ship hood dom ish ize ise ify ific ess able th en "
                "ade eer ty ette ine let ling ster"
            ),
            5: f"{_ENGLISH_DERIVATIONS} ate ual ator",
        },
        weak={2: "y>e"},
        kept="ss us is",
        last="e> y>i",
        changes=(
            (r"f$", "v"),  # leaf, leav-es
            (r"fe$", "v"),  # knife, kniv-es
            (r"(\w\w[^aeiou])(er|or|re)$", r"\1r"),  # center, centr-al; theatre
        ),
        doubled="bdglmnprt",
        prefixes="un dis mis non anti over out under fore up down in re pre super inter sub",
        chance=5,
    ),
    # Hungarian adds several endings in a row. A final a or e becomes á or é before them
    # (szerencse, szerencsé-s), a long vowel becomes short (madár, madar-ak) or a short one is lost
    # (cukor, cukr-os).
    "hu": Morphology(
        inflections=_HUNGARIAN_INFLECTIONS,
        firm={3: "ó ő ás és mány mény vány vény ik ít ul ül ott ett ött ni"},
        loose={
            3: f"{_HUNGARIAN_INFLECTIONS} ász ész ság ség",
            4: (
                f"{_HUNGARIAN_DERIVATIONS} abb ebb at et ott ett alom elem nok nök "
                "kodik kedik ködik ózik őzik ózás őzés izál ció áció ia us ika ikai atos etes "
                "ékony ekony alék elék adék edék ozat ezet özet ál ális tor tív"
            ),
            5: "ol el öl",
        },
        # A verb or a noun may end so itself.
        weak={
            3: (
                "l lás lés ló lő zik zás zés zó ző sz szat ol el öl al ék da de ka ke ai ei jai "
                "jei uk ük nk tok tek tök bb ként kor gat get tat tet hat het at et"
            ),
        },
        shared=5,
        derivations=2,
        shortest_base=2,
        shortest_in_family=4,
        last="á>a é>e ú>u ű>ü",
        shortest_respelt=3,
        changes=(
            # Two syllables at least: kar is not kár.
            (f"({_VOWEL}.*{_CONSONANT})á({_CONSONANT}{{1,2}})$", r"\1a\2"),
            (f"({_VOWEL}.*{_CONSONANT})é({_CONSONANT}{{1,2}})$", r"\1e\2"),
            (f"({_VOWEL}.*{_CONSONANT})[oeö]({_CONSONANT}|cs|gy|ly|ny|sz|zs)$", r"\1\2"),
        ),
        prefixes=(
            "meg el le fel föl ki be össze szét vissza haza át rá ide oda végig túl félre körül "
            "előre hozzá alá leg"
        ),
        letters="dzs cs dz gy ly ny sz ty zs",
        chance=4,
    ),
    "de": _endings_only(
        "e em en er ern es n s",
        "chen heit ig in innen isch keit lein lich ung ungen",
        vowels="äu>au ä>a ö>o ü>u",
    ),
    "fi": _endings_only(
        "a ä an än en iin illa ille illä ilta iltä in issa issä ista istä ja jä ksi lla lle llä "
        "lta ltä n na nä on ssa ssä sta stä t ta tä ön",
        shortest=4,
    ),
    "tr": _endings_only(
        "a e i ı u ü da dan de den ım im ın in la lar ları le ler leri nın nin nun nün sı si su sü "
        "ta tan te ten um un ün üm ya ye yı yi yu yü",
        last="ğ>k b>p c>ç d>t",
    ),
}


def morphology_of(language: str) -> Morphology | None:
    """The morphology of a language or tag, if we have it."""
    return MORPHOLOGIES.get(base(language))


LINKS: dict[str, str] = {
    "da": "s> e>",
    "de": "s> es> n> en> er> >e",
    "fi": "n>",
    "nl": "s> en> e>",
    "no": "s> e>",
    "sv": "s> >a >e",
}
"""What joins a word to the next one in a compound, `old>new`: Schul-buch has >e, Schule."""

SHORTEST_PARTS = {"de": 3, "fi": 3, "hu": 3}
"""The letters of the shortest part of a compound, in languages that write most compounds as one
word. In English, consul + ate is no compound."""

SPELLINGS: dict[str, str] = {
    # British and American. Rules for double l name what follows it: bellow is not below. The first
    # rules come before those that make new ae and oe: shore is not share.
    "en": (
        "ae>e oe>e re$>er$ res$>ers$ red$>ered$ our>or ise>ize isi>izi isa>iza yse>yze ysi>yzi "
        "ogue>og lled$>led$ lling$>ling$ ller$>ler$ llers$>lers$ llor$>lor$ llen$>len$ "
        "llous$>lous$ lment>llment lful>llful ellery$>elry$ ence$>ense$ ences$>enses$ "
        "mould>mold plough>plow moust>must gramme>gram que$>k$ "
        "^grey>^gray ^tyre>^tire ^pyjama>^pajama ^storey>^story ^doughnut>^donut ^yoghurt>^yogurt"
    ),
    # The old spelling of names and foreign words, and vowels whose length people mix up.
    "hu": "cz>c th>t ph>f w>v ly>j x>ksz í>i ú>u ű>ü ó>o ő>ö",
    # Without umlauts, before and after the reform of 1996, and foreign words.
    "de": "ae>ä oe>ö ue>ü ss>ß ph>f th>t ce>ze ci>zi cy>zy c>k ysch>isch tz>z mmm>mm",
    "fi": "sh>š zh>ž w>v x>ks",
    # The dotless ı is typed as i, and capital I is read as ı.
    "tr": "ı>i â>a î>i û>u",
}
"""Variants of spelling by language, as `old>new`. ^ and $ are the ends of a word."""

SHORTEST_RESPELT = 5
"""Shorter words follow only the rules for the beginning of a word: *hoe* is not *he*."""


def one_spelling(word: str, language: str) -> str:
    """The spelling that all variants of a word by the rules of its language have in common."""
    marked = f"^{word}$"
    for old, new in parse_rules(SPELLINGS.get(base(language), "")):
        if old in marked and (len(marked) - 2 >= SHORTEST_RESPELT or old.startswith("^")):
            marked = marked.replace(old, new)
    return marked[1:-1]

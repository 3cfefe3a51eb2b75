"""The rules of each language, as data; `wordkin.language.suffixes` has the endings for all parts.

A language without an entry gets rules that are learned from the lemmas of its bundle, and the
general rule of the shared beginning; see `learned.py`.
"""

from __future__ import annotations

from wordkin.language.kinship.rules import Rules
from wordkin.language.suffixes import SUFFIXES, Suffixes


def _endings_only(suffixes: Suffixes) -> Rules:
    """The rules of a language of which we know the endings."""
    changes = tuple(
        (old, new) for old, _, new in (rule.partition(">") for rule in suffixes.vowels.split())
    )
    return Rules(
        inflections=suffixes.light,
        firm={suffixes.shortest_light: suffixes.light},
        loose={suffixes.shortest_heavy: suffixes.heavy},
        shared_firm=suffixes.shared,
        shared=suffixes.shared,
        last=suffixes.last,
        letters=suffixes.letters,
        changes=changes,
    )


_VOWEL, _CONSONANT = "[aáeéiíoóöőuúüű]", "[^aáeéiíoóöőuúüű]"

_ENGLISH, _HUNGARIAN = SUFFIXES["en"], SUFFIXES["hu"]

RULES: dict[str, Rules] = {
    "en": Rules(
        inflections=f"{_ENGLISH.light} ying>ie ing>e ed>e er>e est>e ier>y iest>y ves>fe",
        firm={
            # dy-ing, die; us-ing, use
            1: "ying>ie",
            2: "ing>e ed>e",
            3: f"{_ENGLISH.light} er>e est>e ier>y iest>y ves>fe ness ful less ly>le ery ery>e",
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
            5: f"{_ENGLISH.heavy} ate ual ator",
        },
        weak={2: "y>e"},
        kept="ss us is",
        last=_ENGLISH.last,
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
    "hu": Rules(
        inflections=_HUNGARIAN.light,
        firm={3: "ó ő ás és mány mény vány vény ik ít ul ül ott ett ött ni"},
        loose={
            3: f"{_HUNGARIAN.light} ász ész ság ség",
            4: (
                f"{_HUNGARIAN.heavy} abb ebb at et ott ett alom elem nok nök "
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
        last=f"{_HUNGARIAN.last} ú>u ű>ü",
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
        letters=_HUNGARIAN.letters,
        chance=4,
    ),
    "de": _endings_only(SUFFIXES["de"]),
    "fi": _endings_only(SUFFIXES["fi"]),
    "tr": _endings_only(SUFFIXES["tr"]),
}

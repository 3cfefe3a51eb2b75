"""All texts of the command line, by language.

The interface uses the language of `--lang` if it has texts for it, else English. Errors are always
in English, so that people can search for them. The first part of a key says what a text is for:
`card_<colour>`, `illegal_<rule>`, `end_<how>`, `note_<kind>`, `via_<how>`, `seat_<who>`.
"""

from __future__ import annotations

from wordkin.words import base

TEXTS: dict[str, dict[str, str]] = {
    "en": {
        # A clue and its reasons.
        "clue": "{word} {number}",
        "for": "for",
        "away": "away from",
        "clue_score": "expected card difference {difference:+.2f}, score {score:.3f}",
        "note_fewer": "No word connects {number} cards, so this one is for fewer.",
        "note_unrestricted": "No word meets all the conditions; this one is the safest.",
        "note_unfamiliar": "No familiar word is legal here; this one is less well known.",
        "note_unknown": "Not in the vocabulary, so left out: {words}.",
        "note_blind": "I know none of our cards ({words}), so this word only avoids the others.",
        "clue_card": "{card}: {reason}",
        "clue_bad": "The closest card that is not ours is {card}.",
        # What a clue and a card have in common; see wordkin.game.reasons.
        "reason_shared": "both go with {words}",
        "reason_together": "they occur together",
        "reason_togethershared": "they occur together, and both go with {words}",
        "reason_none": "no familiar word goes with both",
        # Why a clue is related to a card; the keys are those of wordkin.measures.explanations.
        "because_met": "met {count:,.1f} times, {expected:,.1f} expected by chance",
        "because_not_met": "met no more often than by chance",
        "because_met_about": "met about {count:,.0f} times, {expected:,.1f} expected by chance",
        "because_met_unknown": "met too rarely for this bundle to say how often",
        "because_between": "connected through {words}",
        "because_nothing_between": "no words in between",
        "because_path": "{path}",
        "because_no_path": "no path between them",
        "because_path_unknown": "this bundle cannot show the path",
        "because_near": "both close to {words}",
        "because_is_a": "is a",
        "because_hierarchy": "{way_up}, and {way_down}",
        "because_hierarchy_up": "{way}",
        "because_synonyms": "they can mean the same ({concept})",
        "because_no_concept": "no concept in common",
        "because_direct": "they are opposites, or one is a part of the other",
        "because_blend": "{parts}",
        "because_frequency": "frequency {share:+.2f}",
        # What a word that is not in the vocabulary was taken for; see wordkin.resolving.
        "via_form": "{word}: as {words}",
        "via_variant": "{word}: as {words}",
        "via_lemma": "{word}: a form of {words}",
        "via_spelling": "{word}: another spelling of {words}",
        "via_parts": "{word}: from {words}",
        "via_subwords": "{word}: spelt like words that are close to {words}",
        # The headers of tables.
        "head_measure": "measure",
        "head_word": "word",
        "head_why": "why",
        "head_card": "card",
        "head_relatedness": "relatedness",
        "head_chance": "chance",
        # Bundles.
        "verified": "{bundle}: all {files} files are intact.",
        "damaged": "damaged or missing: {file}",
        "written": "wrote {path}",
        # The game: teams and cards, seats, what a person is asked, moves, ends and statistics.
        "team_0": "blue",
        "team_1": "red",
        "card_ours": "blue",
        "card_theirs": "red",
        "card_neutral": "neutral",
        "card_assassin": "assassin",
        "sign_ours": "B",
        "sign_theirs": "R",
        "sign_neutral": "o",
        "sign_assassin": "X",
        "seats": "{team} team – clues: {spymaster}, cards: {guesser}.",
        "seat_person": "you",
        "seat_agent": "the machine",
        "help_guesser": "Type the word on a card or its number; 'pass' ends the turn, 'quit' ends "
        "the game.",
        "help_spymaster": "Type a word and a number, such as 'ocean 2'; 0 or 'unlimited' allows "
        "any number of cards. 'quit' ends the game.",
        "words_quit": "quit exit q",
        "words_pass": "pass p",
        "words_unlimited": "unlimited",
        "turn": "Turn {turn}, {team}. Cards left: blue {blue}, red {red}.",
        "turn_alone": "Turn {turn}. Blue cards left: {blue}.",
        "said": "{team} clue: {word} {number}",
        "turned": "  The {team} team turns over {word}: {colour}.",
        "stopped": "  The {team} team stops.",
        "ask_clue": "Your clue and number: ",
        "ask_card": "Your card (up to {left} more): ",
        "ask_card_any": "Your card (any number): ",
        "bad_clue": "Type one word and a number, such as 'ocean 2' or 'ocean unlimited'.",
        "bad_number": "There are {most} cards: say a number from 0 to {most}, or 'unlimited'.",
        "illegal_letters": "'{clue}' is not allowed: a clue is one word made of letters only.",
        "illegal_said": "'{clue}' is not allowed: it was said before.",
        "illegal_card": "'{clue}' is not allowed: it is a card.",
        "illegal_contains": "'{clue}' is not allowed: it contains the card '{word}'.",
        "illegal_contained": "'{clue}' is not allowed: it is part of the card '{word}'.",
        "illegal_lemma": "'{clue}' is not allowed: it is a form of the card '{word}'.",
        "illegal_family": "'{clue}' is not allowed: it is from the same word family as the card "
        "'{word}'.",
        "illegal_stem": "'{clue}' is not allowed: it has the same stem as the card '{word}'.",
        "illegal_spelling": "'{clue}' is not allowed: it is another spelling of the card '{word}'.",
        "illegal_compound": "'{clue}' is not allowed: it has a part in common with the card "
        "'{word}'.",
        "unknown_clue": "I do not know the word '{clue}'. Please try another one.",
        "one_at_least": "Turn over at least one card.",
        "no_card": "There is no face-down card '{answer}'.",
        "end_won": "The {winner} team wins: all its cards are found.",
        "end_theirs": "The {winner} team wins: the {loser} team turned over its last card.",
        "end_assassin": "The {winner} team wins: the {loser} team turned over the assassin.",
        "end_turns": "Nobody wins: there are no more turns.",
        "end_given_up": "The game was stopped before the end.",
        "alone_won": "Won: all blue cards are found.",
        "alone_theirs": "Lost: all red cards are found.",
        "alone_assassin": "Lost: that was the assassin.",
        "alone_turns": "Lost: there are no more turns.",
        "alone_given_up": "The game was stopped before the end.",
        "stats_team": "{team} team – turns: {turns}, cards found: {found}, left: {left}. Turned "
        "over: {ours} own, {theirs} of the other team, {neutral} neutral, {assassin} assassin.",
        "stats_meant": "{team} team – cards meant by the clues: {meant}, found in the same turn: "
        "{meant_found}.",
        "history_meant": " [meant: {meant}]",
    },
    "hu": {
        "clue": "{word} {number}",
        "for": "erre utal",
        "away": "ezt kerüli",
        "clue_score": "várható lapkülönbség {difference:+.2f}, pontszám {score:.3f}",
        "note_fewer": "{number} lapra nem találtam szót, ezért ez kevesebbre utal.",
        "note_unrestricted": "Egyik szó sem felel meg minden feltételnek; ez a legbiztosabb.",
        "note_unfamiliar": "Közismert szót itt nem lehet mondani; ez kevésbé ismert.",
        "note_unknown": "Nincs a szótárban, ezért kimaradt: {words}.",
        "note_blind": "Egyik lapunkat sem ismerem ({words}), ez a szó csak a többit kerüli.",
        "clue_card": "{card}: {reason}",
        "clue_bad": "A többi lap közül ez áll hozzá a legközelebb: {card}.",
        "reason_shared": "mindkettőhöz kapcsolódik: {words}",
        "reason_together": "együtt fordulnak elő",
        "reason_togethershared": "együtt is előfordulnak, és mindkettőhöz kapcsolódik: {words}",
        "reason_none": "nincs olyan ismerős szó, amely mindkettőhöz kapcsolódna",
        "because_met": "együttes előfordulás: {count:.1f}, véletlenül {expected:.1f} lenne",
        "because_not_met": "nem fordulnak elő együtt gyakrabban, mint véletlenül",
        "because_met_about": "együtt kb. {count:.0f} alkalommal, véletlenül {expected:.1f} lenne",
        "because_met_unknown": "az együttes előfordulás ritkább, mint amit ez a csomag megőriz",
        "because_between": "ezek kötik össze őket: {words}",
        "because_nothing_between": "nincs szó, amely összekötné őket",
        "because_path": "{path}",
        "because_no_path": "nem vezet út egyiktől a másikig",
        "because_path_unknown": "az út ebből a csomagból nem állítható elő",
        "because_near": "mindkettőhöz közel áll: {words}",
        "because_is_a": "egyfajta",
        "because_hierarchy": "{way_up}, és {way_down}",
        "because_hierarchy_up": "{way}",
        "because_synonyms": "jelenthetik ugyanazt ({concept})",
        "because_no_concept": "nincs közös fogalmuk",
        "because_direct": "ellentétek, vagy egyik a másik része",
        "because_blend": "{parts}",
        "because_frequency": "gyakoriság {share:+.2f}",
        "via_form": "{word}: mint {words}",
        "via_variant": "{word}: mint {words}",
        "via_lemma": "{word}: ennek egy alakja: {words}",
        "via_spelling": "{word}: ennek egy másik írásmódja: {words}",
        "via_parts": "{word}: ezekből: {words}",
        "via_subwords": "{word}: írásképe alapján ezekhez áll közel: {words}",
        "head_measure": "mérték",
        "head_word": "szó",
        "head_why": "miért",
        "head_card": "lap",
        "head_relatedness": "kapcsolat",
        "head_chance": "esély",
        "verified": "{bundle}: mind a {files} fájl sértetlen.",
        "damaged": "sérült vagy hiányzik: {file}",
        "written": "elkészült: {path}",
        "team_0": "kék",
        "team_1": "piros",
        "card_ours": "kék",
        "card_theirs": "piros",
        "card_neutral": "semleges",
        "card_assassin": "gyilkos",
        "sign_ours": "K",
        "sign_theirs": "P",
        "sign_neutral": "o",
        "sign_assassin": "X",
        "seats": "{team} csapat – utalások: {spymaster}, lapok: {guesser}.",
        "seat_person": "te",
        "seat_agent": "a gép",
        "help_guesser": "Írd be a lapon álló szót vagy a lap sorszámát; a „passz” a kört, a „vége” "
        "a játékot fejezi be.",
        "help_spymaster": "Írj be egy szót és egy számot, például: „óceán 2”; a 0 vagy a "
        "„korlátlan” akárhány lapot megenged. A „vége” befejezi a játékot.",
        "words_quit": "vége kilép kilépés",
        "words_pass": "passz elég",
        "words_unlimited": "korlátlan végtelen",
        "turn": "{turn}. kör, {team} csapat. Hátralévő lapok: kék {blue}, piros {red}.",
        "turn_alone": "{turn}. kör. Még {blue} kék lap van hátra.",
        "said": "{team} utalás: {word} {number}",
        "turned": "  A {team} csapat felfordítja: {word} – {colour}.",
        "stopped": "  A {team} csapat megáll.",
        "ask_clue": "Az utalásod és a szám: ",
        "ask_card": "Melyik lap legyen? (még legfeljebb {left}) ",
        "ask_card_any": "Melyik lap legyen? (akárhány lehet) ",
        "bad_clue": "Egy szót és egy számot írj be, például: „óceán 2” vagy „óceán korlátlan”.",
        "bad_number": "{most} lap van: 0 és {most} közötti számot mondj, vagy azt, hogy "
        "„korlátlan”.",
        "illegal_letters": "„{clue}” szabálytalan: az utalás egyetlen szó, és csak betűkből "
        "állhat.",
        "illegal_said": "„{clue}” szabálytalan: már elhangzott.",
        "illegal_card": "„{clue}” szabálytalan: ez az egyik lap.",
        "illegal_contains": "„{clue}” szabálytalan: benne van ez a lap: „{word}”.",
        "illegal_contained": "„{clue}” szabálytalan: része ennek a lapnak: „{word}”.",
        "illegal_lemma": "„{clue}” szabálytalan: ennek a lapnak egy másik alakja: „{word}”.",
        "illegal_family": "„{clue}” szabálytalan: egy szócsaládba tartozik ezzel a lappal: "
        "„{word}”.",
        "illegal_stem": "„{clue}” szabálytalan: közös a szótöve ezzel a lappal: „{word}”.",
        "illegal_spelling": "„{clue}” szabálytalan: ennek a lapnak egy másik írásmódja: „{word}”.",
        "illegal_compound": "„{clue}” szabálytalan: van közös tagja ezzel a lappal: „{word}”.",
        "unknown_clue": "Ezt a szót nem ismerem: „{clue}”. Kérek egy másikat!",
        "one_at_least": "Legalább egy lapot fel kell fordítanod.",
        "no_card": "Nincs ilyen lefordított lap: „{answer}”.",
        "end_won": "A {winner} csapat nyert: minden lapja megvan.",
        "end_theirs": "A {winner} csapat nyert: az utolsó lapját a {loser} csapat fordította fel.",
        "end_assassin": "A {winner} csapat nyert: a {loser} csapat felfordította a gyilkost.",
        "end_turns": "Nincs győztes: elfogytak a körök.",
        "end_given_up": "A játék félbeszakadt.",
        "alone_won": "Győzelem: minden kék lap megvan.",
        "alone_theirs": "Vereség: minden piros lap megvan.",
        "alone_assassin": "Vereség: ez a gyilkos volt.",
        "alone_turns": "Vereség: elfogytak a körök.",
        "alone_given_up": "A játék félbeszakadt.",
        "stats_team": "{team} csapat – {turns} kör, {found} lapja megvan, {left} hátravan. "
        "Felfordítva: {ours} saját, {theirs} az ellenfélé, {neutral} semleges, {assassin} gyilkos.",
        "stats_meant": "{team} csapat – az utalások {meant} lapra szóltak, ebből {meant_found} "
        "került elő ugyanabban a körben.",
        "history_meant": " [erre utalt: {meant}]",
    },
}


def texts(language: str) -> dict[str, str]:
    """Return the texts in `language`, or in English if there are none."""
    return TEXTS.get(base(language), TEXTS["en"])


def reasons(language: str) -> dict[str, str]:
    """Return the texts for explanations of measures in `language`.

    The keys have no `because_`; those of resolved words, `via_<how>`, are as they are.
    """
    return {
        key.removeprefix("because_"): text
        for key, text in texts(language).items()
        if key.startswith(("because_", "via_"))
    }

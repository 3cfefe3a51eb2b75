"""All texts of the command line, by language.

The interface uses the language of `--lang` if it has texts for it, else English. Errors are always
in English, so that people can search for them. The first part of a key says what a text is for:
`found_<colour>`, `illegal_<rule>`, `end_<how>`, `note_<kind>`, `via_<how>`, `welcome_<role>`.
"""

from __future__ import annotations

from wordkin.words import base

TEXTS: dict[str, dict[str, str]] = {
    "en": {
        # The colours of cards.
        "ours": "ours",
        "theirs": "theirs",
        "neutral": "neutral",
        "assassin": "assassin",
        # A clue and its reasons.
        "clue": "{word} {number}",
        "for": "for",
        "away": "away from",
        "clue_score": "expected card difference {difference:+.2f}, score {score:.3f}",
        "note_fewer": "No word connects {number} cards, so this one is for fewer.",
        "note_unrestricted": "No word meets all the conditions; this one is the safest.",
        "note_unknown": "Not in the vocabulary, so left out: {words}.",
        # Why a clue is related to a card; the keys are those of wordkin.measures.explanations.
        "because_met": "met {count:,.1f} times, {expected:,.1f} expected by chance",
        "because_not_met": "met no more often than by chance",
        "because_between": "connected through {words}",
        "because_nothing_between": "no words in between",
        "because_path": "{path}",
        "because_no_path": "no path between them",
        "because_near": "both close to {words}",
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
        # The game.
        "welcome_guesser": "I give the clues and you turn over the cards. Type a word or its "
        "number; 'pass' ends the turn, 'quit' ends the game.",
        "welcome_spymaster": "You give the clues and I turn over the cards. Type a word and a "
        "number, such as 'ocean 2'; 'quit' ends the game.",
        "welcome_nobody": "I play both roles, and you watch.",
        "words_quit": "quit exit q",
        "words_pass": "pass p",
        "turn": "Turn {turn}. Our cards left to find: {left}.",
        "machine_clue": "My clue: {word} {number}",
        "machine_card": "I turn over: {word}",
        "ask_clue": "Your clue and number: ",
        "ask_card": "Your card (up to {left} more): ",
        "bad_clue": "Type one word and a number, such as 'ocean 2'.",
        "illegal_letters": "'{clue}' is not allowed: a clue is one word made of letters only.",
        "illegal_said": "'{clue}' is not allowed: it was said before.",
        "illegal_card": "'{clue}' is not allowed: it is a card.",
        "illegal_contains": "'{clue}' is not allowed: it contains the card '{word}'.",
        "illegal_contained": "'{clue}' is not allowed: it is part of the card '{word}'.",
        "illegal_lemma": "'{clue}' is not allowed: it is a form of the card '{word}'.",
        "illegal_family": "'{clue}' is not allowed: it is from the same word family as the card "
        "'{word}'.",
        "illegal_stem": "'{clue}' is not allowed: it has the same stem as the card '{word}'.",
        "unknown_clue": "I do not know the word '{clue}'. Please try another one.",
        "one_at_least": "Turn over at least one card.",
        "no_card": "There is no face-down card '{answer}'.",
        "found_ours": "  {word} is ours.",
        "found_theirs": "  {word} is theirs. The turn is over.",
        "found_neutral": "  {word} is neutral. The turn is over.",
        "found_assassin": "  {word} is the assassin!",
        "meant": "  I meant: {meant}",
        "end_won": "We won: all our cards are found.",
        "end_assassin": "We lost: that was the assassin.",
        "end_theirs": "We lost: all their cards are found.",
        "end_turns": "We lost: we ran out of turns.",
        "end_given_up": "The game was stopped before the end.",
        "stats_turns": "Turns: {turns}. Our cards found: {found}, left: {left}.",
        "stats_cards": "Turned over: {ours} ours, {theirs} theirs, {neutral} neutral, "
        "{assassin} assassin.",
        "stats_meant": "Cards that I meant: {meant}, found in the same turn: {meant_found}.",
    },
    "hu": {
        "ours": "miénk",
        "theirs": "övék",
        "neutral": "semleges",
        "assassin": "gyilkos",
        "clue": "{word} {number}",
        "for": "erre utal",
        "away": "ezt kerüli",
        "clue_score": "várható lapkülönbség {difference:+.2f}, pontszám {score:.3f}",
        "note_fewer": "{number} lapra nem találtam szót, ezért ez kevesebbre utal.",
        "note_unrestricted": "Egyik szó sem felel meg minden feltételnek; ez a legbiztosabb.",
        "note_unknown": "Nincs a szótárban, ezért kimaradt: {words}.",
        "because_met": "együttes előfordulás: {count:.1f}, véletlenül {expected:.1f} lenne",
        "because_not_met": "nem fordulnak elő együtt gyakrabban, mint véletlenül",
        "because_between": "ezek kötik össze őket: {words}",
        "because_nothing_between": "nincs szó, amely összekötné őket",
        "because_path": "{path}",
        "because_no_path": "nem vezet út egyiktől a másikig",
        "because_near": "mindkettőhöz közel áll: {words}",
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
        "welcome_guesser": "Én adom az utalásokat, te fordítod fel a lapokat. Írd be a szót vagy "
        "a sorszámát; a „passz” a kört, a „vége” a játékot fejezi be.",
        "welcome_spymaster": "Te adod az utalásokat, én fordítom fel a lapokat. Írj be egy szót és "
        "egy számot, például: „óceán 2”; a „vége” befejezi a játékot.",
        "welcome_nobody": "Mindkét szerepet én játszom, te csak figyelsz.",
        "words_quit": "vége kilép kilépés",
        "words_pass": "passz elég",
        "turn": "{turn}. kör. Még {left} lapunk van hátra.",
        "machine_clue": "Az utalásom: {word} {number}",
        "machine_card": "Ezt fordítom fel: {word}",
        "ask_clue": "Az utalásod és a szám: ",
        "ask_card": "Melyik lap legyen? (még legfeljebb {left}) ",
        "bad_clue": "Egy szót és egy számot írj be, például: „óceán 2”.",
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
        "unknown_clue": "Ezt a szót nem ismerem: „{clue}”. Kérek egy másikat!",
        "one_at_least": "Legalább egy lapot fel kell fordítanod.",
        "no_card": "Nincs ilyen lefordított lap: „{answer}”.",
        "found_ours": "  {word}: a miénk.",
        "found_theirs": "  {word}: az övék. Vége a körnek.",
        "found_neutral": "  {word}: semleges. Vége a körnek.",
        "found_assassin": "  {word}: ez a gyilkos!",
        "meant": "  Erre gondoltam: {meant}",
        "end_won": "Nyertünk: minden lapunk megvan.",
        "end_assassin": "Vesztettünk: ez a gyilkos volt.",
        "end_theirs": "Vesztettünk: az ellenfél minden lapja megvan.",
        "end_turns": "Vesztettünk: elfogytak a körök.",
        "end_given_up": "A játék félbeszakadt.",
        "stats_turns": "Körök: {turns}. Megtalált lapjaink: {found}, hátravan: {left}.",
        "stats_cards": "Felfordítva: {ours} miénk, {theirs} övék, {neutral} semleges, "
        "{assassin} gyilkos.",
        "stats_meant": "{meant} lapra gondoltam, ebből {meant_found} került elő ugyanabban a "
        "körben.",
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

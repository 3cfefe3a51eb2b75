"""Everything that the command line says, by language.

The interface speaks the language of `--lang` where it has texts for it, else English. Errors are
in English everywhere: they are for searching the web with. Keys that begin alike belong together:
`found_<colour>`, `illegal_<rule>`, `end_<how>`, `note_<kind>`, `welcome_<role>`.
"""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "en": {
        # What cards are called.
        "ours": "ours",
        "theirs": "theirs",
        "neutral": "neutral",
        "assassin": "assassin",
        # A clue and its reasons.
        "clue": "{word} {number}",
        "for": "for",
        "away": "away from",
        "judged": "expected card difference {difference:+.2f}, score {score:.3f}",
        "note_fewer": "No word fits {number} cards: this one is for fewer.",
        "note_unrestricted": "No word keeps clear of the other cards: this one does it best.",
        "note_unknown": "Not in the vocabulary and left out: {words}.",
        # Why a clue is related to a card: the keys are those of wordkin.measures.explanations.
        "because_met": "met {count:,.1f} times, {expected:,.1f} expected by chance",
        "because_not_met": "met no more often than by chance",
        "because_between": "by way of {words}",
        "because_nothing_between": "nothing in between",
        "because_path": "{path}",
        "because_no_path": "no path leads there",
        "because_near": "both close to {words}",
        "because_blend": "{parts}",
        "because_frequency": "frequency {share:+.2f}",
        # The heads of tables.
        "head_measure": "measure",
        "head_word": "word",
        "head_why": "why",
        "head_card": "card",
        "head_relatedness": "relatedness",
        "head_chance": "chance",
        # Bundles.
        "verified": "{bundle}: all {files} files are as they were published.",
        "damaged": "damaged or missing: {file}",
        "written": "wrote {path}",
        # The game.
        "welcome_guesser": "I give the clues, you turn the cards over. "
        "Answer with a word or its number; 'pass' ends the turn, 'quit' the game.",
        "welcome_spymaster": "You give the clues, I turn the cards over. "
        "Write a word and a number, such as 'ocean 2'; 'quit' ends the game.",
        "welcome_nobody": "I play with myself; you can watch.",
        "words_quit": "quit exit q",
        "words_pass": "pass p",
        "turn": "Turn {turn}. Cards of ours to find: {left}.",
        "machine_clue": "My clue: {word} {number}",
        "machine_card": "I turn over: {word}",
        "ask_clue": "Your clue and number: ",
        "ask_card": "Your card (up to {left} more): ",
        "bad_clue": "Write one word and a number, such as 'ocean 2'.",
        "illegal_letters": "'{clue}' is not allowed: a clue is one word, only letters.",
        "illegal_said": "'{clue}' is not allowed: it was said before.",
        "illegal_card": "'{clue}' is not allowed: it is a card.",
        "illegal_contains": "'{clue}' is not allowed: it contains the card '{word}'.",
        "illegal_contained": "'{clue}' is not allowed: it is a part of the card '{word}'.",
        "illegal_lemma": "'{clue}' is not allowed: it is a form of the card '{word}'.",
        "illegal_family": "'{clue}' is not allowed: it is a relative of the card '{word}'.",
        "illegal_stem": "'{clue}' is not allowed: it has the stem of the card '{word}'.",
        "unknown_clue": "I do not know the word '{clue}'. Please try another.",
        "one_at_least": "Turn over one card at least.",
        "no_card": "'{answer}' is not a card that lies face down.",
        "found_ours": "  {word} is ours.",
        "found_theirs": "  {word} is theirs. The turn is over.",
        "found_neutral": "  {word} is nobody's. The turn is over.",
        "found_assassin": "  {word} is the assassin!",
        "meant": "  I meant: {meant}",
        "end_won": "Won: all our cards are found.",
        "end_assassin": "Lost: that was the assassin.",
        "end_theirs": "Lost: all their cards are found.",
        "end_turns": "Lost: too many turns.",
        "end_given_up": "Stopped before the end.",
        "stats_turns": "Turns: {turns}. Found: {found}, left: {left}.",
        "stats_cards": "Turned over: {ours} ours, {theirs} theirs, {neutral} neutral, "
        "{assassin} assassin.",
        "stats_meant": "Of the {meant} cards that I meant, you found {meant_found} in their turn.",
    },
    "hu": {
        "ours": "miénk",
        "theirs": "övék",
        "neutral": "semleges",
        "assassin": "gyilkos",
        "clue": "{word} {number}",
        "for": "erre",
        "away": "távol ettől",
        "judged": "várható lapkülönbség {difference:+.2f}, pontszám {score:.3f}",
        "note_fewer": "{number} lapra egy szó sem illik: ez kevesebbre szól.",
        "note_unrestricted": "Egy szó sem kerüli el a többi lapot: ennek sikerül a legjobban.",
        "note_unknown": "Nincs a szótárban, ezért kimaradt: {words}.",
        "because_met": "{count:.1f} találkozás, véletlenül {expected:.1f} lenne",
        "because_not_met": "nem találkoznak gyakrabban, mint véletlenül",
        "because_between": "ezeken át: {words}",
        "because_nothing_between": "nincs köztük semmi",
        "because_path": "{path}",
        "because_no_path": "nem vezet oda út",
        "because_near": "mindkettő közel van ezekhez: {words}",
        "because_blend": "{parts}",
        "because_frequency": "gyakoriság {share:+.2f}",
        "head_measure": "mérték",
        "head_word": "szó",
        "head_why": "miért",
        "head_card": "lap",
        "head_relatedness": "rokonság",
        "head_chance": "esély",
        "verified": "{bundle}: mind a {files} fájl olyan, amilyennek közzétették.",
        "damaged": "sérült vagy hiányzik: {file}",
        "written": "elkészült: {path}",
        "welcome_guesser": "Én adom az utalásokat, te fordítod fel a lapokat. "
        "Írj egy szót vagy a sorszámát; a „passz” a kört, a „vége” a játékot zárja le.",
        "welcome_spymaster": "Te adod az utalásokat, én fordítom fel a lapokat. "
        "Írj egy szót és egy számot, például: „óceán 2”; a „vége” lezárja a játékot.",
        "welcome_nobody": "Magammal játszom; nézheted.",
        "words_quit": "vége kilép kilépés",
        "words_pass": "passz elég",
        "turn": "{turn}. kör. Még {left} lapunkat kell megtalálni.",
        "machine_clue": "Az utalásom: {word} {number}",
        "machine_card": "Felfordítom: {word}",
        "ask_clue": "Az utalásod és a szám: ",
        "ask_card": "Melyik lap? (még legfeljebb {left}) ",
        "bad_clue": "Egy szót és egy számot írj, például: „óceán 2”.",
        "illegal_letters": "„{clue}” nem szabályos: az utalás egyetlen szó, csupa betűből.",
        "illegal_said": "„{clue}” nem szabályos: már elhangzott.",
        "illegal_card": "„{clue}” nem szabályos: ez az egyik lap.",
        "illegal_contains": "„{clue}” nem szabályos: benne van ez a lap: „{word}”.",
        "illegal_contained": "„{clue}” nem szabályos: része ennek a lapnak: „{word}”.",
        "illegal_lemma": "„{clue}” nem szabályos: ennek a lapnak az alakja: „{word}”.",
        "illegal_family": "„{clue}” nem szabályos: egy családból való ezzel a lappal: „{word}”.",
        "illegal_stem": "„{clue}” nem szabályos: egy töve van ezzel a lappal: „{word}”.",
        "unknown_clue": "Nem ismerem ezt a szót: „{clue}”. Kérek egy másikat.",
        "one_at_least": "Legalább egy lapot fel kell fordítani.",
        "no_card": "„{answer}” nem fekszik lefordítva az asztalon.",
        "found_ours": "  {word}: a miénk.",
        "found_theirs": "  {word}: az övék. Vége a körnek.",
        "found_neutral": "  {word}: senkié. Vége a körnek.",
        "found_assassin": "  {word}: a gyilkos!",
        "meant": "  Erre gondoltam: {meant}",
        "end_won": "Győzelem: minden lapunk megvan.",
        "end_assassin": "Vereség: ez a gyilkos volt.",
        "end_theirs": "Vereség: minden lapjuk megvan.",
        "end_turns": "Vereség: elfogytak a körök.",
        "end_given_up": "A játék félbeszakadt.",
        "stats_turns": "Körök: {turns}. Megtalálva: {found}, hátravan: {left}.",
        "stats_cards": "Felfordítva: {ours} miénk, {theirs} övék, {neutral} semleges, "
        "{assassin} gyilkos.",
        "stats_meant": "A {meant} lapból, amelyre gondoltam, {meant_found} került elő a maga "
        "körében.",
    },
}


def texts(language: str) -> dict[str, str]:
    """The texts in `language`; English where there are none."""
    return TEXTS.get(language.replace("_", "-").split("-")[0], TEXTS["en"])


def reasons(language: str) -> dict[str, str]:
    """The texts that an explanation (`wordkin.measures.explanations`) makes its line of."""
    said = texts(language)
    return {
        key.removeprefix("because_"): text
        for key, text in said.items()
        if key.startswith("because_")
    }

"""The report's sections on people's choices and on agents at play."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pipeline.judging.report.document import Block, Folded, Picture, Section, Table, Text
from pipeline.judging.report.pictures import short
from pipeline.layout import LEARNED
from wordkin.game.standings import HEADER, Standing, heat_maps, table_rows
from wordkin.judging.intervals import Estimate

if TYPE_CHECKING:
    from pipeline.judging.evaluate import Findings

DRAWN = ("share of games won", "mean turns of won games", "wrong cards in a game")
TERMS = {
    "relatedness": "its value",
    "standing": "its place among the closest words of either word",
    "frequency": "how often the words occur",
}


def people(findings: Findings) -> Section:
    """How each measure agrees with the picks of people."""
    title = "Agreement with people's choices"
    found = findings.stages.get("human", {})
    if not found.get("rounds"):
        return Section(title, [])
    rows: list[Sequence[str]] = [
        (_named(name), *_cells(of)) for name, of in found["agreement"].items()
    ]
    rows += [("other people", *_cells(found["people"])), ("chance", *_cells(found["chance"]))]
    header = ("guesser", "P@n", "same first pick", "ln likelihood", "P@n, clue known")
    known = found["coverage"]
    covered = ", ".join(f"{part} of {whole} {what}" for what, (part, whole) in known.items())
    return Section(
        title,
        [
            Text(
                f"{found['rounds']:,} recorded rounds of {found['sessions']:,} sessions: a player "
                "saw a board and a clue for n cards and picked cards. P@n is the share of the "
                "first n picks that are among the measure's n closest cards; the likelihood is of "
                "each pick under a guesser who picks by chance, the surer the closer a card is. "
                "In brackets, 95 % intervals by bootstrap over sessions. The vocabulary knows "
                f"{covered} (boards: all cards known); a round with an unknown clue counts as "
                "chance, except in the last column."
            ),
            Table("wnnnn", header, rows),
            Text(
                f"Other people are those who played the same clue on the same board, "
                f"{found['people']['covered']:,} rounds. {_named(LEARNED)} is judged on boards "
                f"that its weights have not seen. {_verdict(found)}"
            ),
        ],
    )


def learned(findings: Findings) -> Section:
    """The weights of the measure `human` in plain words."""
    title = "What people go by"
    found = findings.stages.get("human", {})
    if not found.get("weights"):
        return Section(title, [])
    ordered = sorted(found["weights"], key=lambda term: -abs(term["weight"]))
    rows = [
        (term["measure"], TERMS[term["term"]], f"{term['weight']:+.2f}", _pull(term["weight"]))
        for term in ordered
    ]
    return Section(
        title,
        [
            Text(
                "The measure human is a weighted sum whose weights make the recorded picks "
                "likeliest. Each term is standardised, so the weights can be compared: one "
                "deviation up multiplies the odds of a card by e to the weight. Measures that say "
                "much the same share their weight, so a small one does not make a measure useless."
            ),
            Table("wwnw", ("measure", "term", "weight", "odds of a card, a deviation up"), rows),
        ],
    )


def spymasters(findings: Findings) -> Section:
    """Tables 3 and 4 of the method paper: measures by scoring functions."""
    title = "Spymasters judged"
    tables = findings.agents.get("tables", [])
    if not tables:
        return Section(title, [])
    judge = findings.agents["judge"]["measure"]
    measures = list(dict.fromkeys(entry["measure"] for entry in tables))
    columns = list(dict.fromkeys((entry["number"], entry["scoring"]) for entry in tables))
    columns.sort(key=lambda column: column[0])
    by_cell = {(e["measure"], e["number"], e["scoring"]): e for e in tables}
    header = ("", *(f"{scoring}, {number}" for number, scoring in columns))
    blocks: list[Block] = [
        Text(
            f"Each spymaster gave a clue for 2 and for 3 cards on {tables[0]['boards']} recorded "
            "boards of ten good and ten bad cards. P@all is the share of the picks that are good "
            "cards, P@targets of those that the clue was meant for. Where people played the very "
            "same clue, their picks count; all other boards are estimated by the guesser that "
            f"agrees best with people, {judge}. An estimated figure favours spymasters that think "
            "as that guesser does: it tells scoring functions of one measure apart better than "
            "measures."
        )
    ]
    for key, name in (("all", "P@all"), ("targets", "P@targets")):
        rows = [
            (measure, *(_estimated(by_cell[measure, *column], key) for column in columns))
            for measure in measures
        ]
        caption = f"{name}, mostly estimated (~), with 95 % intervals over the boards."
        blocks.append(Table("w" + "n" * len(columns), header, rows, caption))
    recorded = [
        (measure, *(_recorded(by_cell[measure, *column]) for column in columns))
        for measure in measures
    ]
    if any(entry["rounds"] for entry in tables):
        caption = "By people's picks alone: P@all / P@targets (rounds)."
        blocks.append(Table("w" + "n" * len(columns), header, recorded, caption))
    return Section(title, blocks)


def tournament(findings: Findings) -> Section:
    """Heat maps of the small tournament."""
    title = "Tournament"
    entries = findings.agents.get("standings", [])
    if not entries:
        return Section(title, [])
    found = [_standing(entry) for entry in entries]
    games = sum(standing.games for standing in found)
    return Section(
        title,
        [
            Text(
                f"{games:,} games by the competition's solitaire rules: each spymaster (down) with "
                "each guesser (across) on the same boards. A pair that shares a measure "
                "understands itself; how a spymaster does with the others tells more. "
                "wordkin tournament plays more games."
            ),
            Picture(
                heat_maps(found, DRAWN),
                told="Heat maps of the tournament, as in the table below",
                caption="The darker, the larger the figure.",
            ),
            Table("wwnnnnnn", HEADER, table_rows(found)),
        ],
    )


def clues(findings: Findings) -> Section:
    """Clues of each measure with their reasons, and those that went wrong."""
    title = "Clues"
    shown = findings.agents.get("clues", [])
    if not shown:
        return Section(title, [])
    judge = findings.agents["judge"]["measure"]
    who = (
        f"people who played it, or else, marked ~, by the guesser {judge} with a fitted temperature"
        if findings.agents["people"]
        else f"a guesser that goes by {judge}"
    )
    explained = Text(
        "Ten clues of each measure with each scoring function, and the five that do worst, judged "
        f"by the picks of {who}."
    )
    return Section(title, [explained, *map(_folded_clues, shown)])


def _folded_clues(of: Mapping[str, Any]) -> Folded:
    """The clues of one configuration."""
    rows: list[Sequence[str]] = [
        *map(_clue_row, of["samples"]),
        [f"went wrong: the {len(of['wrong'])} that do worst"],
        *map(_clue_row, of["wrong"]),
    ]
    header = ("clue", "meant, and why", "away from", "P@all", "taken")
    title = f"{of['measure']}, {of['scoring']}, for {of['number']} cards"
    return Folded(title, Table("wwwnw", header, rows))


def _clue_row(clue: Mapping[str, Any]) -> tuple[str, ...]:
    meant = "; ".join(
        f"{card['word']} {card['relatedness']:.2f}" + (f" ({card['why']})" if card["why"] else "")
        for card in clue["targets"]
    )
    bad = clue["bad"]
    return (
        f"{clue['clue']} {clue['number']}",
        meant,
        f"{bad['word']} {bad['relatedness']:.2f}" if bad else "",
        ("" if clue["rounds"] else "~") + short(clue["all"], 2),
        ", ".join(clue["taken"]),
    )


def _named(measure: str) -> str:
    return f"{measure} (boards left out)" if measure == LEARNED else measure


def _cells(of: Mapping[str, Any]) -> list[str]:
    # Only rounds that others played, too, say something of other people.
    main = of["all"] if of["temperature"] is not None else of["known"]
    cells = [_with_interval(main.get(key)) for key in ("precision", "first", "likelihood")]
    return [*cells, _with_interval(of["known"].get("precision"))]


def _with_interval(estimate: Mapping[str, float] | None) -> str:
    if estimate is None:
        return "–"
    value, low, high = (estimate[key] for key in ("value", "low", "high"))
    return f"{short(value)} ({short(low, 2)} to {short(high, 2)})"


def _verdict(found: Mapping[str, Any]) -> str:
    """Whether the learned measure beats the best single one, and nothing more."""
    told = []
    for statistic, name in (("precision", "P@n"), ("likelihood", "the likelihood of a pick")):
        gain = found["gain"][statistic]
        by = f"{gain['value']:+.3f} ({gain['low']:+.3f} to {gain['high']:+.3f})"
        sure = "beats" if gain["low"] > 0 else "does not surely beat"
        told.append(f"by {name} it {sure} the best single measure, {found['best']}: {by}")
    return f"{told[0][0].upper()}{told[0][1:]}; {told[1]}."


def _pull(weight: float) -> str:
    """What a weight does to the odds of a card."""
    if abs(weight) < 0.05:
        return "hardly matters"
    return f"times {math.exp(weight):.2f}"


def _estimated(entry: Mapping[str, Any], key: str) -> str:
    value, low, high = entry[key]
    mark = "~" if entry["recorded"] < entry["boards"] else ""
    return f"{mark}{short(value)} ({short(low, 2)} to {short(high, 2)})"


def _recorded(entry: Mapping[str, Any]) -> str:
    if not entry["rounds"]:
        return "–"
    return (
        f"{short(entry['all_recorded'], 2)} / {short(entry['targets_recorded'], 2)} "
        f"({entry['rounds']})"
    )


def _standing(entry: Mapping[str, Any]) -> Standing:
    """A standing from the plain data of a file."""
    figures = ("wins", "turns", "score", "wrong", "assassin")
    estimates = {key: Estimate(*entry[key]) if entry[key] else None for key in figures}
    return Standing(**{**entry, **estimates})

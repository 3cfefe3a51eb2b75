"""Sections on agents at play: spymasters judged, a tournament, and clues to look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.judge.numbers import UNDEFINED, short, with_interval
from pipeline.judge.report.document import Element, Folded, Section, Table, Text
from pipeline.judge.report_data import ReportData
from wordkin.game.tournament import HEADER, Standing, table_rows
from wordkin.intervals import Estimate

Figures = Mapping[str, Any]
"""Plain data of `agents.json`."""


def spymasters(data: ReportData) -> Section | None:
    """Tables 3 and 4 of the method paper: measures by scoring functions."""
    entries = data.agents.get("tables", [])
    if not entries:
        return None
    judge = data.agents["judge"]["measure"]
    measures = list(dict.fromkeys(entry["measure"] for entry in entries))
    columns = list(dict.fromkeys((entry["number"], entry["scoring"]) for entry in entries))
    columns.sort(key=lambda column: column[0])
    by_cell = {(e["measure"], e["number"], e["scoring"]): e for e in entries}
    alignment = "w" + "n" * len(columns)
    header = ("", *(f"{scoring}, {number}" for number, scoring in columns))
    elements: list[Element] = [
        Text(
            f"Each spymaster gave a clue for 2 and for 3 cards on {entries[0]['boards']} recorded "
            "boards of ten good and ten bad cards. P@all is the share of the picks that are good "
            "cards, P@targets the share that are targets of the clue. Where people played the same "
            "clue, their picks count; all other boards are predicted by the guesser that "
            f"agrees best with people, {judge}. A prediction favours spymasters whose measure is "
            "like that of the guesser: it compares scoring functions of one measure better than "
            "it compares measures."
        )
    ]
    for key, name in (("all", "P@all"), ("targets", "P@targets")):
        rows = [
            (measure, *(_mostly_predicted(by_cell[measure, *column], key) for column in columns))
            for measure in measures
        ]
        caption = f"{name}, mostly predicted (~), with 95 % intervals over the boards."
        elements.append(Table(alignment, header, rows, caption))
    if any(entry["rounds"] for entry in entries):
        recorded = [
            (measure, *(_recorded(by_cell[measure, *column]) for column in columns))
            for measure in measures
        ]
        caption = "By people's picks alone: P@all / P@targets (rounds)."
        elements.append(Table(alignment, header, recorded, caption))
    return Section("Spymasters judged", elements)


def _mostly_predicted(entry: Figures, key: str) -> str:
    mark = "~" if entry["recorded"] < entry["boards"] else ""
    return mark + with_interval(*entry[key])


def _recorded(entry: Figures) -> str:
    if not entry["rounds"]:
        return UNDEFINED
    good, meant = (short(entry[f"{key}_recorded"], 2) for key in ("all", "targets"))
    return f"{good} / {meant} ({entry['rounds']})"


def tournament(data: ReportData) -> Section | None:
    """The small tournament of measures."""
    of_measures = data.agents.get("measures", [])
    standings = [standing for standing in _standings(data) if standing.spymaster in of_measures]
    if not standings:
        return None
    games = sum(standing.games for standing in standings)
    return Section(
        "Tournament",
        [
            Text(
                f"{games:,} games by the competition's solitaire rules: each spymaster with each "
                "guesser on the same boards. Two players with the same measure "
                "understand each other; how a spymaster does with the other guessers says more. "
                "The command wordkin tournament plays more games."
            ),
            Table("wwnnnnnnn", HEADER, table_rows(standings)),
        ],
    )


def papers(data: ReportData) -> Section | None:
    """The agents of the papers in one table, with the guessers of all measures."""
    paper_of = {entry["spymaster"]: entry["paper"] for entry in data.agents.get("papers", [])}
    standings = [standing for standing in _standings(data) if standing.spymaster in paper_of]
    if not standings:
        return None
    rows = zip(standings, table_rows(standings), strict=True)
    return Section(
        "Agents of the papers",
        [
            Text(
                "The spymasters of the papers with the guessers of all measures, on the same "
                "boards as above. Those of papers on word vectors play with ours. The command "
                "wordkin tournament --papers plays more games."
            ),
            Table(
                "wwwnnnnnnn",
                ["paper", *HEADER],
                [[paper_of[standing.spymaster], *row] for standing, row in rows],
            ),
        ],
    )


def _standings(data: ReportData) -> list[Standing]:
    return [_standing(entry) for entry in data.agents.get("standings", [])]


def _standing(entry: Figures) -> Standing:
    """A standing from plain data."""
    keys = ("wins", "turns", "score", "wrong", "assassin", "number")
    estimates = {key: Estimate(*entry[key]) if entry[key] else None for key in keys}
    return Standing(**{**entry, **estimates})


def clues(data: ReportData) -> Section | None:
    """Clues of each measure with their reasons, and those with the worst results."""
    entries = data.agents.get("clues", [])
    if not entries:
        return None
    measure = data.agents["judge"]["measure"]
    judge = (
        "the picks of people who played it or, where nobody did (~), by the guesser "
        f"{measure} with a fitted temperature"
        if data.agents["people"]
        else f"a guesser that uses {measure}"
    )
    text = Text(
        "Ten clues of each measure with each scoring function, and the five with the worst "
        f"results. Each clue is judged by {judge}."
    )
    return Section("Clues", [text, *map(_clue_table, entries)])


def _clue_table(entry: Figures) -> Folded:
    """The clues of one configuration."""
    rows: list[Sequence[str]] = [
        *map(_clue_row, entry["samples"]),
        [f"The {len(entry['wrong'])} with the worst results"],
        *map(_clue_row, entry["wrong"]),
    ]
    header = ("clue", "targets, and why", "closest bad card", "P@all", "picks")
    title = f"{entry['measure']}, {entry['scoring']}, for {entry['number']} cards"
    return Folded(title, Table("wwwnw", header, rows))


def _clue_row(clue: Figures) -> tuple[str, ...]:
    targets = "; ".join(
        f"{card['word']} {card['relatedness']:.2f}" + (f" ({card['why']})" if card["why"] else "")
        for card in clue["targets"]
    )
    bad = clue["bad"]
    return (
        f"{clue['clue']} {clue['number']}",
        targets,
        f"{bad['word']} {bad['relatedness']:.2f}" if bad else "",
        ("" if clue["rounds"] else "~") + short(clue["all"], 2),
        ", ".join(clue["taken"]),
    )

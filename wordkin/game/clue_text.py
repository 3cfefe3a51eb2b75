"""A clue as lines of text, for people."""

from __future__ import annotations

from wordkin.game.clue import Clue
from wordkin.tables import table_lines
from wordkin.texts import texts


def clue_lines(clue: Clue, language: str) -> list[str]:
    """Return a clue with its cards, reasons and notes as lines of text in `language`."""
    text = texts(language)
    cards = [(text["for"], card) for card in clue.targets]
    if clue.bad:
        cards.append((text["away"], clue.bad))
    rows = [(label, card.word, f"{card.relatedness:.3f}", card.why or "") for label, card in cards]
    notes = [
        text[f"note_{note.kind}"].format(words=", ".join(note.words), number=note.number)
        for note in clue.notes
    ]
    notes += [resolution.line(language) for resolution in clue.resolved]
    return [
        text["clue"].format(word=clue.word, number=clue.number),
        *table_lines(None, rows),
        "  " + text["clue_score"].format(difference=clue.difference, score=clue.score),
        *(f"  {note}" for note in notes),
    ]

"""A clue with its reasons, as lines of text for people."""

from __future__ import annotations

from wordkin.game.spymaster import Clue
from wordkin.tables import table_lines
from wordkin.texts import texts


def clue_lines(clue: Clue, language: str) -> list[str]:
    """A clue with its reasons, for people."""
    say = texts(language)
    cards = [(say["for"], card) for card in clue.targets]
    if clue.bad:
        cards.append((say["away"], clue.bad))
    rows = [(label, c.word, f"{c.relatedness:.3f}", c.why or "") for label, c in cards]
    return [
        say["clue"].format(word=clue.word, number=clue.number),
        *table_lines(None, rows),
        "  " + say["judged"].format(difference=clue.difference, score=clue.score),
        *(
            "  " + say[f"note_{n.kind}"].format(words=", ".join(n.words), number=n.number)
            for n in clue.notes
        ),
    ]

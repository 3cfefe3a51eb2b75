"""A clue as lines of text, for people."""

from __future__ import annotations

from wordkin.game.clue import Clue
from wordkin.tables import table_lines
from wordkin.texts import texts


def clue_lines(clue: Clue, language: str, numbers: bool = False) -> list[str]:
    """Return a clue with its cards, reasons and notes as lines of text.

    Parameters
    ----------
    clue : Clue
        The clue.
    language : str
        The language of the text.
    numbers : bool
        Whether to add the relatedness of each card with the measure's explanation, and the scores.

    Returns
    -------
    list of str
    """
    text = texts(language)
    lines = [
        text["clue_card"].format(card=card.word, reason=card.reason) if card.reason else card.word
        for card in clue.targets
    ]
    if clue.bad:
        lines.append(text["clue_bad"].format(card=clue.bad.word))
    lines += [
        text[f"note_{note.kind}"].format(words=", ".join(note.words), number=note.number)
        for note in clue.notes
    ]
    lines += [resolution.line(language) for resolution in clue.resolved]
    return [
        text["clue"].format(word=clue.word, number=clue.number),
        *(f"  {line}" for line in lines),
        *(_number_lines(clue, language) if numbers else []),
    ]


def _number_lines(clue: Clue, language: str) -> list[str]:
    """The relatedness of each card and the measure's explanation, and the scores of the clue."""
    text = texts(language)
    cards = [(text["for"], card) for card in clue.targets]
    if clue.bad:
        cards.append((text["away"], clue.bad))
    rows = [(label, card.word, f"{card.relatedness:.3f}", card.why or "") for label, card in cards]
    score = text["clue_score"].format(difference=clue.difference, score=clue.score)
    return [*table_lines(None, rows), f"  {score}"]

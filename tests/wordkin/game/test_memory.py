"""Which earlier clues have cards left to find."""

from __future__ import annotations

from wordkin.game.memory import OpenClue, open_clues
from wordkin.game.views import PastClue, Pick


def clue(word: str, number: int | None, picks: str = "", team: int = 0) -> PastClue:
    """A clue after which cards of these colours were turned over: o, t, n, a."""
    names = {"o": "ours", "t": "theirs", "n": "neutral", "a": "assassin"}
    return PastClue(team, word, number, tuple(Pick(f"{word}{p}", names[p]) for p in picks))


def test_a_clue_stays_open_until_its_cards_are_found() -> None:
    clues = [clue("sea", 3, "ot"), clue("sky", 2, "oo"), clue("sun", 2, "n")]
    assert open_clues(clues, 0) == [OpenClue("sun", 2), OpenClue("sea", 2)]


def test_extra_cards_are_those_of_earlier_clues_newest_first() -> None:
    clues = [clue("sea", 2, "n"), clue("sky", 2, "o"), clue("sun", 1, "oo")]
    assert open_clues(clues, 0) == [OpenClue("sea", 2)]
    clues.append(clue("ice", None, "o"))
    assert open_clues(clues, 0) == [OpenClue("sea", 1)]
    clues.append(clue("fog", 0, "oo"))
    assert open_clues(clues, 0) == []


def test_clues_of_the_other_team_and_those_without_a_number_do_not_count() -> None:
    clues = [clue("sea", 3, team=1), clue("sky", 0), clue("sun", None)]
    assert open_clues(clues, 0) == []
    assert open_clues(clues, 1) == [OpenClue("sea", 3)]

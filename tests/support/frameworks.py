"""The calls that the competition's two frameworks make, in their order and with their arguments.

Both hand over their own list of places, which changes under the players' hands, look up answers by
capitals, and turn the number of a clue into an int. What their referees would stop at is an error
here.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from wordkin.game.legality import Legality

PASSED: dict[str, Any] = {"brown_ic": None, "glove_vecs": {}, "word_vectors": {}}
"""The word vectors that the first framework passes to every player."""


class IllegalClue(AssertionError):
    """A clue that a strict referee refuses."""


@cache
def rules_of(language: str) -> Legality:
    """The rules for clues, which remember the words that they have seen."""
    return Legality(language)


@dataclass
class Deal:
    """A board: the places, the key, and the clues that were given."""

    places: list[str]
    key: list[str]
    clues: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, words: Sequence[str], counts: dict[str, int], seed: int) -> Deal:
        """Deal cards of each colour from a list of words."""
        generator = random.Random(seed)
        key = [colour for colour, count in counts.items() for _ in range(count)]
        generator.shuffle(key)
        return cls([word.upper() for word in generator.sample(list(words), len(key))], key)

    def take_clue(self, codemaster: Any, language: str, said: Sequence[str]) -> tuple[str, int]:
        """Ask for a clue, and check it as a strict referee does."""
        cards = [place for place in self.places if not place.startswith("*")]
        clue, number = codemaster.get_clue()
        if objection := rules_of(language).objection(clue, cards, said):
            raise IllegalClue(f"{clue} is illegal: {objection.rule} of {objection.word}")
        assert isinstance(number, int)
        assert number >= 0
        self.clues.append(clue)
        return clue, int(number)

    def reveal(self, answer: str) -> str:
        """Turn a card over and return its colour."""
        at = self.places.index(answer.upper().strip())
        self.places[at] = f"*{self.key[at]}*"
        return self.key[at]

    def is_found(self, team: str) -> bool:
        """Whether all cards of a team are turned over."""
        return self.places.count(f"*{team}*") == self.key.count(team)


def play_solitaire(deal: Deal, codemaster: Any, guesser: Any, language: str = "en") -> str:
    """Play a game of the first framework; return its result: win or loss."""
    while True:
        codemaster.set_game_state(deal.places, deal.key)
        clue, number = deal.take_clue(codemaster, language, deal.clues)
        guesser.set_clue(clue, number)
        guesses, goes_on = 0, True
        while guesses <= number and goes_on:
            guesser.set_board(deal.places)
            answer = guesser.get_answer()
            if answer is None or answer == "no comparisons":
                break
            colour = deal.reveal(answer)
            if colour == "Assassin" or deal.is_found("Blue"):
                return "loss"
            if deal.is_found("Red"):
                return "win"
            if colour != "Red":
                break
            guesses += 1
            goes_on = guesser.keep_guessing()


def play_two_teams(
    deal: Deal,
    players: dict[str, tuple[Any, Any]],
    *,
    reports: bool = True,
    limits: bool = True,
    language: str = "en",
) -> str:
    """Play a game of the second framework; return the team that wins.

    With `reports` it reports the moves, as later versions do; with `limits` it ends a turn after
    one guess more than the number.
    """
    history: list[list[Any]] = []
    team, other = "Red", "Blue"
    if reports:
        for codemaster, guesser in players.values():
            codemaster.set_game_state(deal.places, deal.key)
            guesser.set_board(deal.places)
    while True:
        codemaster, guesser = players[team]
        if reports:
            codemaster.set_move_history(history)
        codemaster.set_game_state(deal.places, deal.key)
        # Without reports, a player cannot know the clues of the other team.
        own = [word for who, word, *_ in history if who == f"{team}_Codemaster"]
        clue, number = deal.take_clue(codemaster, language, deal.clues if reports else own)
        history.append([f"{team}_Codemaster", clue, number])
        guesser.set_clue(clue, number)
        guesses, goes_on = 0, True
        while goes_on:
            if reports:
                guesser.set_move_history(history)
            guesser.set_board(deal.places)
            answer = guesser.get_answer()
            # The framework would ask the same team for another clue.
            assert answer is not None
            colour = deal.reveal(answer)
            guesses += 1
            if colour == "Assassin":
                return other
            for side in (team, other):
                if deal.is_found(side):
                    return side
            may_go_on = colour == team and not (limits and 0 < number < guesses)
            goes_on = may_go_on and guesser.keep_guessing()
            assert isinstance(goes_on, bool)
            history.append([f"{team}_Guesser", answer, f"*{colour}*", goes_on])
        team, other = other, team

"""Games of our players in the call styles of the competition's two frameworks.

    python -m bench.frameworks --words boards_en.txt [--lang en] [--seeds 100]

`tests/support/frameworks.py` makes the calls of both frameworks, in their order and with their
arguments, and checks every clue like a strict referee. The table has one line per style: games,
errors, illegal clues, games won by the team that begins, the mean number of its turns when it wins,
and the mean number of a clue.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.frameworks import PASSED, Deal, IllegalClue, play_solitaire, play_two_teams
from wordkin.bundle import Bundle, load
from wordkin.files import read_words
from wordkin.players.competition import Codemaster, Guesser
from wordkin.tables import table_lines

SOLITAIRE = {"Red": 8, "Blue": 7, "Civilian": 9, "Assassin": 1}
TWO_TEAMS = {"Red": 9, "Blue": 8, "Civilian": 7, "Assassin": 1}


class Result(NamedTuple):
    """How a game ended: whether red won, its turns, and the numbers of all clues."""

    won: bool
    turns: int
    numbers: list[int]


class Heard(Codemaster):
    """A codemaster whose numbers are noted."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.numbers: list[int] = []

    def get_clue(self, feedback: Any = None) -> tuple[str, int]:
        word, number = super().get_clue(feedback)
        self.numbers.append(number)
        return word, number


def main() -> None:
    """Play all games and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--words", required=True, type=Path, help="the words to deal boards from")
    parser.add_argument("--lang", default="en", help="a language or a path, as for load")
    parser.add_argument("--seeds", type=int, default=100, help="games per style (default: 100)")
    given = parser.parse_args()
    bundle, words = load(given.lang), read_words(given.words)
    styles: dict[str, Callable[[int], Result]] = {
        "one team": lambda seed: alone(bundle, words, seed),
        "two teams, moves reported": lambda seed: teams(bundle, words, seed, reports=True),
        "two teams, nothing reported": lambda seed: teams(bundle, words, seed, reports=False),
    }
    rows = [(name, *played(play, given.seeds)) for name, play in styles.items()]
    header = ("calls", "games", "errors", "illegal", "won", "turns per win", "mean number")
    print("\n".join(table_lines(header, rows)))


def played(play: Callable[[int], Result], seeds: int) -> tuple[str, ...]:
    """The cells of one style."""
    results, errors, illegal = [], 0, 0
    for seed in range(seeds):
        try:
            results.append(play(seed))
        except IllegalClue as clue:
            illegal += 1
            print(f"seed {seed}: {clue}")
        except Exception as error:  # a framework would end the game: that is what is counted
            errors += 1
            print(f"seed {seed}: {error!r}")
    turns = [result.turns for result in results if result.won]
    numbers = [number for result in results for number in result.numbers]
    return (
        f"{seeds}",
        f"{errors}",
        f"{illegal}",
        f"{len(turns)}",
        f"{statistics.mean(turns):.1f}" if turns else "-",
        f"{statistics.mean(numbers):.2f}" if numbers else "-",
    )


def alone(bundle: Bundle, words: list[str], seed: int) -> Result:
    """A game of the first framework."""
    codemaster = Heard(bundle=bundle, **PASSED)
    guesser = Guesser(bundle=bundle, **PASSED)
    ended = play_solitaire(Deal.of(words, SOLITAIRE, seed), codemaster, guesser, bundle.language)
    return Result(ended == "win", len(codemaster.numbers), codemaster.numbers)


def teams(bundle: Bundle, words: list[str], seed: int, *, reports: bool) -> Result:
    """A game of the second framework."""
    players = {
        team: (Heard(team, bundle=bundle), Guesser(team, bundle=bundle)) for team in ("Red", "Blue")
    }
    deal = Deal.of(words, TWO_TEAMS, seed)
    winner = play_two_teams(deal, players, reports=reports, language=bundle.language)
    red, blue = players["Red"][0].numbers, players["Blue"][0].numbers
    return Result(winner == "Red", len(red), red + blue)


if __name__ == "__main__":
    main()

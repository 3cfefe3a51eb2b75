"""A game: a board, rules, and the moves so far.

A game is a state machine without players: it says who is to do what, takes moves, and refuses those
that the rules do not allow. `wordkin.game.play` lets players make the moves. A game is its board,
its rules and its moves, so it can be stored as JSON and replayed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from wordkin.errors import InputError
from wordkin.game.board import ASSASSIN, COLOURS, OURS, THEIRS, Board
from wordkin.game.rules import Rules, check_cards, is_whole
from wordkin.game.views import GuesserView, PastClue, Pick, SpymasterView
from wordkin.words import normal

WON, ASSASSIN_FOUND, THEIRS_FOUND = "won", "assassin", "theirs"
OUT_OF_TURNS, GIVEN_UP = "turns", "given up"
"""How games end."""

CLUE, CARD = "clue", "card"
"""What a game waits for."""

GIVE, TURN_OVER, STOP, GIVE_UP = "give", "turn over", "stop", "give up"
"""The kinds of moves."""


@dataclass(frozen=True)
class Move:
    """A move: to give a clue, to turn over a card, to stop the turn, or to give up the game.

    A clue has a word, a number (None for unlimited) and the cards that it meant, if they are known;
    a card has its word, and who gives up is a team.
    """

    kind: str
    word: str | None = None
    number: int | None = None
    meant: tuple[str, ...] = ()
    team: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the move as plain data, for JSON."""
        content: dict[str, Any] = {"kind": self.kind}
        if self.kind in (GIVE, TURN_OVER):
            content["word"] = self.word
        if self.kind == GIVE:
            content["number"] = self.number
        if self.meant:
            content["meant"] = list(self.meant)
        if self.kind == GIVE_UP:
            content["team"] = self.team
        return content

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Move:
        """Return the move from plain data, as `as_dict` makes it; refuse what is not a move."""
        kind, meant = content.get("kind"), content.get("meant", [])
        word, number, team = (content.get(key) for key in ("word", "number", "team"))
        valid = (
            kind in (GIVE, TURN_OVER, STOP, GIVE_UP)
            and (isinstance(word, str) if kind in (GIVE, TURN_OVER) else word is None)
            and (number is None or (kind == GIVE and is_whole(number)))
            and isinstance(meant, list | tuple)
            and all(isinstance(card, str) for card in meant)
            and (team is None or (kind == GIVE_UP and is_whole(team)))
        )
        if not valid:
            raise InputError(
                f"{dict(content)} is not a move: write {{'kind': 'turn over', 'word': 'piano'}}."
            )
        return cls(str(kind), word, number, tuple(meant), team)


@dataclass
class Turn:
    """A turn: a team's clue, the cards that it meant, and those that were turned over, in order."""

    team: int
    clue: str
    number: int | None
    meant: tuple[str, ...] = ()
    guessed: list[str] = field(default_factory=list)

    @property
    def picks_left(self) -> int | None:
        """One more than the number less the cards turned over; None for number 0 or unlimited."""
        return self.number + 1 - len(self.guessed) if self.number else None


class Game:
    """A game of one team or two.

    Words are compared in the form of `language`. Only those rules for clues are here that need no
    bundle: a clue is not a card on the table and was not said before. `wordkin.game.legality` has
    them all.

    Parameters
    ----------
    board : Board
        All cards as team 0 sees them.
    rules : Rules, optional
        The settings; those of two teams if not given.
    language : str
        The language code of the words.

    Attributes
    ----------
    board, rules, language
        As given.
    moves, turns : list of Move, list of Turn
        The moves and the turns of both teams so far.
    revealed : list of str
        The cards that were turned over, in order.
    moving : int
        The team whose turn it is.
    end : str or None
        How the game ended; None while it goes on. `won`: a team found its last card. `theirs`: a
        team turned over the last card of the other one. `assassin`, `turns` (there are no more)
        and `given up` are the others.
    winner : int or None
        The team that won; None if there is none, or none yet.

    Raises
    ------
    InputError
        If the board cannot be played by these rules.

    Examples
    --------
    >>> game = Game(Board.of(["piano", "mouse"], ["bison"], assassin=["tree"]))
    >>> game.give("keyboard", 2)
    >>> game.turn_over("mouse")
    'ours'
    >>> game.guesser_view(0).cards
    ('piano', 'bison', 'tree')
    >>> game.turn_over("piano")
    'ours'
    >>> game.end, game.winner
    ('won', 0)
    """

    def __init__(self, board: Board, rules: Rules | None = None, language: str = "en") -> None:
        self.rules = rules or Rules()
        check_cards(len(board.ours), len(board.theirs), len(board.words), self.rules.teams)
        self.board, self.language = board, language
        self.moves: list[Move] = []
        self.turns: list[Turn] = []
        self.revealed: list[str] = []
        self.moving = self.rules.begins
        self.end: str | None = None
        self.winner: int | None = None
        self._open_turn: Turn | None = None
        self._boards = (board, board.for_opponent())
        self._colours = [dict(zip(side.words, side.colours, strict=True)) for side in self._boards]

    @classmethod
    def from_moves(
        cls, board: Board, moves: Iterable[Move], rules: Rules | None = None, language: str = "en"
    ) -> Game:
        """Return the game after some moves; refuse a move that was not possible."""
        game = cls(board, rules, language)
        for move in moves:
            game.play(move)
        return game

    def after(self, move: Move) -> Game:
        """Return the game after one more move; this one stays as it is.

        Raises
        ------
        InputError
            If the rules do not allow the move.
        """
        game = copy(self)
        game.moves, game.turns, game.revealed = self.moves[:], self.turns[:], self.revealed[:]
        if self._open_turn:  # The only one that a move can change.
            game._open_turn = replace(self._open_turn, guessed=self._open_turn.guessed[:])
            game.turns[-1] = game._open_turn
        game.play(move)
        return game

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Game:
        """Return the game from plain data, as `as_dict` makes it; refuse what is not a game."""
        board, rules, moves = (content.get(key) for key in ("board", "rules", "moves"))
        language = content.get("language", "en")
        if not (
            isinstance(board, Mapping)
            and isinstance(rules, Mapping)
            and isinstance(moves, list)
            and all(isinstance(move, Mapping) for move in moves)
            and isinstance(language, str)
        ):
            raise InputError("This is not a stored game: it needs a board, rules and moves.")
        return cls.from_moves(
            Board.from_dict(board),
            map(Move.from_dict, moves),
            Rules.from_dict(rules),
            language,
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the game as plain data, for JSON: `from_dict` makes the same game of it."""
        return {
            "board": self.board.as_dict(),
            "rules": self.rules.as_dict(),
            "language": self.language,
            "moves": [move.as_dict() for move in self.moves],
        }

    # What everybody may know.

    @property
    def awaits(self) -> str | None:
        """What the moving team is to do: `clue`, `card`, or None when the game is over.

        A team that may turn over a card may also stop if `may_stop` says so.
        """
        if self.end:
            return None
        return CARD if self._open_turn else CLUE

    @property
    def face_down(self) -> tuple[str, ...]:
        """The words on the cards that lie face down."""
        revealed = set(self.revealed)
        return tuple(word for word in self.board.words if word not in revealed)

    @property
    def said(self) -> list[str]:
        """The clues of both teams so far: none may be repeated."""
        return [turn.clue for turn in self.turns]

    @property
    def picks_left(self) -> int | None:
        """The number of cards that may still be turned over in this turn; None for no limit."""
        return self._open_turn.picks_left if self._open_turn else 0

    @property
    def may_stop(self) -> bool:
        """Whether the turn may be ended: at least one card must have been turned over."""
        return bool(self._open_turn and self._open_turn.guessed)

    def cards_left(self, team: int) -> int:
        """Return the number of cards of a team that lie face down."""
        found = sum(self._colours[team][word] == OURS for word in self.revealed)
        return len(self._boards[team].ours) - found

    # What each seat may see.

    def spymaster_view(self, team: int) -> SpymasterView:
        """Return what the spymaster of a team, 0 or 1, sees."""
        return SpymasterView(
            team=team,
            board=self._boards[team].without(self.revealed),
            clues=self.clues(team),
            ours_left=self.cards_left(team),
            theirs_left=self.cards_left(1 - team),
            teams=self.rules.teams,
        )

    def guesser_view(self, team: int) -> GuesserView:
        """Return what the guesser of a team, 0 or 1, sees: no colour of face-down cards."""
        picking = self._open_turn is not None and self.moving == team
        return GuesserView(
            team=team,
            cards=self.face_down,
            turned=self._picks(team, self.revealed),
            clues=self.clues(team),
            ours_left=self.cards_left(team),
            theirs_left=self.cards_left(1 - team),
            picks_left=self.picks_left if picking else 0,
            may_stop=picking and self.may_stop,
            teams=self.rules.teams,
        )

    def clues(self, team: int) -> tuple[PastClue, ...]:
        """Return the clues of both teams so far, with colours as a team sees them."""
        return tuple(
            PastClue(turn.team, turn.clue, turn.number, self._picks(team, turn.guessed))
            for turn in self.turns
        )

    def _picks(self, team: int, words: Iterable[str]) -> tuple[Pick, ...]:
        return tuple(Pick(word, self._colours[team][word]) for word in words)

    # The moves.

    def play(self, move: Move) -> None:
        """Make a move of the team that is to move, or any team's `give up`.

        Raises
        ------
        InputError
            If the rules do not allow it; the game stays as it was.
        """
        if self.end:
            raise InputError("The game is over.")
        if move.kind == GIVE and move.word is not None:
            self._give(move.word, move.number, move.meant)
        elif move.kind == TURN_OVER and move.word is not None:
            self._turn_over(move.word)
        elif move.kind == STOP:
            self._stop()
        elif move.kind == GIVE_UP:
            self._give_up(self.moving if move.team is None else move.team)
        else:
            raise InputError(f"'{move.kind}' is not a move of the game.")
        self.moves.append(move)

    def give(self, clue: str, number: int | None, meant: tuple[str, ...] = ()) -> None:
        """Begin the moving team's turn with a clue for a number of cards.

        With 0 or None (unlimited) the team may turn over as many cards as it wants. The cards that
        are `meant` are for the statistics.
        """
        self.play(Move(GIVE, clue, number, meant))

    def turn_over(self, word: str) -> str:
        """Turn a card over, and return its colour as the moving team sees it.

        The assassin loses the game. The last card of a team wins the game for that team, whoever
        turns it over. A card of another colour than the moving team's ends its turn.
        """
        team = self.moving
        self.play(Move(TURN_OVER, word))
        return self._colours[team][word]

    def stop(self) -> None:
        """End the turn; at least one card must have been turned over."""
        self.play(Move(STOP))

    def give_up(self, team: int | None = None) -> None:
        """End the game: a team, the moving one if not given, gives up, and the other one wins.

        Nothing happens after the end.
        """
        if not self.end:
            self.play(Move(GIVE_UP, team=self.moving if team is None else team))

    def _give(self, clue: str, number: int | None, meant: tuple[str, ...]) -> None:
        if self._open_turn:
            raise InputError("The turn has its clue already: end it before the next clue.")
        if not clue.strip():
            raise InputError("A clue is a word: say one.")
        if number is not None and not (is_whole(number) and 0 <= number <= len(self.board.words)):
            raise InputError(
                f"A clue for {number} cards is not possible: say a number from 0 to "
                f"{len(self.board.words)}, or unlimited."
            )
        if self._is_among(clue, self.said):
            raise InputError(f"'{clue}' was said before: give another clue.")
        if self._is_among(clue, self.face_down):
            raise InputError(f"'{clue}' is a card on the table: give another clue.")
        self._open_turn = Turn(self.moving, clue, number, meant)
        self.turns.append(self._open_turn)

    def _is_among(self, clue: str, words: Iterable[str]) -> bool:
        return normal(clue, self.language) in {normal(word, self.language) for word in words}

    def _turn_over(self, word: str) -> None:
        if self._open_turn is None:
            raise InputError("No card may be turned over now: a clue comes first.")
        if word not in self.face_down:
            raise InputError(f"'{word}' is not a card that lies face down.")
        self.revealed.append(word)
        self._open_turn.guessed.append(word)
        team, other = self.moving, 1 - self.moving
        colour = self._colours[team][word]
        if colour == ASSASSIN:
            self._finish(other, ASSASSIN_FOUND)
        elif colour == OURS and not self.cards_left(team):
            self._finish(team, WON)
        elif colour == THEIRS and not self.cards_left(other):
            self._finish(other, THEIRS_FOUND)
        elif colour != OURS or self.picks_left == 0:
            self._close_turn()

    def _stop(self) -> None:
        if self._open_turn is None:
            raise InputError("There is no turn to end: give a clue first.")
        if not self.may_stop:
            raise InputError("No card was turned over in this turn: turn over at least one card.")
        self._close_turn()

    def _give_up(self, team: int) -> None:
        if team not in range(self.rules.teams):
            raise InputError(f"There is no team {team} that could give up.")
        self._finish(1 - team, GIVEN_UP)

    def _close_turn(self) -> None:
        self._open_turn = None
        if self.rules.teams == 2:
            self.moving = 1 - self.moving
        most = self.rules.most_turns
        if most is not None and len(self.turns) >= most * self.rules.teams:
            self._finish(None, OUT_OF_TURNS)

    def _finish(self, winner: int | None, end: str) -> None:
        # In solitaire nobody is there to win when team 0 loses.
        self.winner = winner if winner in range(self.rules.teams) else None
        self.end, self._open_turn = end, None

    # The course of the game as plain data.

    def statistics(self, team: int = 0) -> dict[str, Any]:
        """Return the course of the game as plain data, as one team sees it.

        Parameters
        ----------
        team : int
            0 or 1.

        Returns
        -------
        dict
            `end`, `won` (whether the team won), `turns` (the team's), `found` and `left` (its
            cards), `turned` (cards that it turned over, by colour), `meant` and `meant_found`
            (cards that its spymaster meant, and those found in their turn), `history` (the turns
            of both teams).
        """
        turns = [turn for turn in self.turns if turn.team == team]
        turned = Counter(self._colours[team][word] for turn in turns for word in turn.guessed)
        left = self.cards_left(team)
        return {
            "end": self.end,
            "won": self.winner == team,
            "turns": len(turns),
            "found": len(self._boards[team].ours) - left,
            "left": left,
            "turned": {colour: turned[colour] for colour in COLOURS},
            "meant": sum(len(turn.meant) for turn in turns),
            "meant_found": sum(len(set(turn.meant) & set(turn.guessed)) for turn in turns),
            "history": [
                {
                    "team": turn.team,
                    "clue": turn.clue,
                    "number": turn.number,
                    "meant": list(turn.meant),
                    "guessed": [
                        {"word": word, "colour": self._colours[team][word]} for word in turn.guessed
                    ],
                }
                for turn in self.turns
            ],
        }

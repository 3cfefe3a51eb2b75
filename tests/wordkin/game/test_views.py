"""The agents answer to what they see of a game."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.bundles import TOPICS, relatedness
from tests.support.examples import at_most
from wordkin.bundle import Bundle
from wordkin.game.board import COLOURS, NEUTRAL, OURS, THEIRS, Board
from wordkin.game.guesser import MODELS, Guesser, Habits
from wordkin.game.spymaster import Spymaster
from wordkin.game.views import GuesserView, OpenClue, PastClue, Pick, SpymasterView, open_clues

WORDS, _ = relatedness(TOPICS)


BOARD = Board.of(
    ["piano", "mouse", "bread", "ship"],
    ["bison", "tree", "nurse", "street"],
    ["penguin", "desk"],
    ["hotel"],
)


def view_of(
    board: Board, clues: Sequence[PastClue], picks_left: int | None = None, teams: int = 2
) -> GuesserView:
    """What a guesser sees on this board after these clues."""
    turned = tuple(pick for clue in clues for pick in clue.picks)
    left = board.without([pick.word for pick in turned])
    counts = (len(left.ours), len(left.theirs))
    may_stop = bool(clues[-1].picks)
    return GuesserView(0, left.words, turned, tuple(clues), *counts, picks_left, may_stop, teams)


def play_turn(
    guesser: Guesser, board: Board, word: str, number: int | None, past: Sequence[PastClue] = ()
) -> list[str]:
    """The cards that a guesser turns over for a clue, until it stops or has to."""
    picks: tuple[Pick, ...] = ()
    while len(picks) < (number + 1 if number else 9):
        view = view_of(board, [*past, PastClue(0, word, number, picks)])
        card = guesser.pick(view) if view.cards else None
        if card is None:
            break
        picks = (*picks, Pick(card, board.colour(card)))
        if picks[-1].colour != OURS:
            break
    return [pick.word for pick in picks]


def test_a_guesser_finds_the_cards_of_a_clear_clue_and_stops(bundle: Bundle) -> None:
    assert play_turn(Guesser(bundle), BOARD, "keyboard", 2) == ["mouse", "piano"]
    assert play_turn(Guesser(bundle), BOARD, "Keyboards", 2)[:1] == ["mouse"]


def test_a_guesser_uses_the_extra_guess_for_an_earlier_clue(bundle: Bundle) -> None:
    missed = PastClue(0, "sailor", 1, (Pick("street", THEIRS),))
    assert play_turn(Guesser(bundle), BOARD, "kitchen", 1, [missed]) == ["bread", "ship"]
    # Of a clue whose card was found, and of the other team's clues, nothing is left to find.
    found = PastClue(0, "sailor", 1, (Pick("ship", OURS),))
    assert play_turn(Guesser(bundle), BOARD, "kitchen", 1, [found]) == ["bread"]
    foreign = PastClue(1, "sailor", 1, (Pick("street", NEUTRAL),))
    assert play_turn(Guesser(bundle), BOARD, "kitchen", 1, [foreign]) == ["bread"]


def test_a_clue_for_no_cards_says_what_to_avoid(bundle: Bundle) -> None:
    missed = PastClue(0, "keyboard", 1, (Pick("street", THEIRS),))
    assert play_turn(Guesser(bundle), BOARD, "lion", 0, [missed])[0] == "piano"
    assert play_turn(Guesser(bundle), BOARD, "lion", 1, [missed])[0] == "bison"
    # Whatever has to be picked after "lion 0" alone, it is no animal.
    assert play_turn(Guesser(bundle), BOARD, "lion", 0)[0] not in {"mouse", "bison"}


def test_a_clue_that_says_nothing_costs_one_card(bundle: Bundle) -> None:
    assert play_turn(Guesser(bundle), BOARD, "zzyzx", 3) == ["piano"]


def test_a_bold_guesser_goes_on_where_a_cautious_one_stops(bundle: Bundle) -> None:
    board = Board.of(["piano", "soup"], ["tree"], ["desk", "street", "nurse"], ["hotel"])
    lengths = [
        len(play_turn(Guesser(bundle, habits=Habits(risk=risk)), board, "guitar", 2))
        for risk in (0.02, 50)
    ]
    assert lengths[0] == 1
    assert lengths[1] > 1


cards = st.lists(st.sampled_from([*WORDS, "zzyzx", "qwrty"]), min_size=2, max_size=25, unique=True)
past_clues = st.lists(
    st.builds(
        PastClue,
        st.integers(0, 1),
        st.sampled_from([*WORDS, "vvv", "ice tree"]),
        st.none() | st.integers(0, 9),
        st.lists(st.builds(Pick, st.just("x"), st.sampled_from(COLOURS)), max_size=3).map(tuple),
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=at_most(60))
@given(
    words=cards,
    clues=past_clues,
    may_stop=st.booleans(),
    left=st.tuples(st.integers(1, 9), st.integers(1, 9)),
    model=st.sampled_from(sorted(MODELS)),
)
def test_a_guesser_answers_to_any_view(
    bundle: Bundle,
    words: list[str],
    clues: list[PastClue],
    may_stop: bool,
    left: tuple[int, int],
    model: str,
) -> None:
    view = GuesserView(0, tuple(words), (), tuple(clues), *left, None, may_stop)
    card = Guesser(bundle, model=model).pick(view)
    assert card in words or (may_stop and card is None)


@settings(max_examples=at_most(60))
@given(
    words=cards,
    clues=past_clues,
    colours=st.lists(st.sampled_from(COLOURS), min_size=24),
    scoring=st.sampled_from(["worth", "harmonic", "centroid"]),
    teams=st.integers(1, 2),
)
def test_a_spymaster_always_has_a_legal_clue(
    bundle: Bundle,
    words: list[str],
    clues: list[PastClue],
    colours: list[str],
    scoring: str,
    teams: int,
) -> None:
    board = Board(tuple(words), ("ours", *colours)[: len(words)])
    view = SpymasterView(0, board, tuple(clues), len(board.ours), len(board.theirs), teams)
    spymaster = Spymaster(bundle, scoring=scoring)
    clue = spymaster.give(view)
    assert spymaster.legality.objection(clue.word, board.words, view.said) is None
    assert 1 <= clue.number <= len(board.ours)
    assert len(clue.targets) in (0, clue.number)


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

"""The spymaster: the best legal clue, for the right number, with its reasons."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wordkin
from tests.support.bundles import TOPICS, make_bundle, relatedness
from tests.support.examples import at_most
from tests.support.matrices import measure_of
from wordkin.bundle import Bundle
from wordkin.errors import InputError, NoClue, NoExplanation, UnknownMeasure
from wordkin.game.board import COLOURS, Board, unwanted_words
from wordkin.game.board_view import BoardView, view_board
from wordkin.game.scoring import SCORINGS, Options, Scores
from wordkin.game.spymaster import Spymaster
from wordkin.game.worth import CONFIDENCE
from wordkin.vocabulary import Vocabulary

WORDS, VALUES = relatedness(TOPICS)


boards = st.builds(
    lambda words, colours: Board(tuple(words), ("ours", *colours)[: len(words)]),
    st.lists(st.sampled_from(WORDS), min_size=2, max_size=25, unique=True),
    st.lists(st.sampled_from(COLOURS), min_size=24, max_size=24),
)


def test_keyboard_connects_piano_and_mouse(bundle: Bundle) -> None:
    board = Board.of(["piano", "mouse"], ["bison", "tree"])
    for scoring in SCORINGS:
        clue = Spymaster(bundle, scoring=scoring).clue(board, 2)
        assert (clue.word, clue.number) == ("keyboard", 2)
        assert [card.word for card in clue.targets] == ["mouse", "piano"]
        assert clue.bad is not None
        assert clue.bad.word == "bison"
        assert not clue.notes


def test_the_number_is_the_one_with_the_largest_expected_difference(bundle: Bundle) -> None:
    alone = Board.of(["piano", "bread"], ["bison"], ["street", "island"], ["tree"])
    together = Board.of(["piano", "violin", "flute"], ["bison"], ["street", "island"], ["tree"])
    assert Spymaster(bundle, scoring="harmonic").clue(alone).number == 1
    assert Spymaster(bundle, scoring="harmonic").clue(together).number == 3


@settings(max_examples=at_most(60))
@given(
    board=boards,
    number=st.none() | st.integers(1, 5),
    scoring=st.sampled_from(sorted(SCORINGS)),
    said=st.lists(st.sampled_from(WORDS), max_size=5),
)
def test_a_clue_never_breaks_a_rule_and_its_targets_are_the_closest(
    bundle: Bundle, board: Board, number: int | None, scoring: str, said: list[str]
) -> None:
    spymaster = Spymaster(bundle, scoring=scoring)
    clue = spymaster.clue(board, number, said)
    assert spymaster.legality.objection(clue.word, board.words, said) is None
    assert clue.word not in board.words
    assert clue.word not in said
    most = number or SCORINGS[scoring].most_cards or 4
    assert 1 <= clue.number <= min(most, len(board.ours))
    row = VALUES[WORDS.index(clue.word)]
    closest = sorted((-row[WORDS.index(word)], at) for at, word in enumerate(board.ours))
    assert [card.word for card in clue.targets] == [
        board.ours[at] for _, at in closest[: clue.number]
    ]
    for card in clue.targets:
        assert card.relatedness == pytest.approx(row[WORDS.index(card.word)])
    others = [word for word in board.words if word not in board.ours]
    if others:
        assert clue.bad is not None
        assert clue.bad.relatedness == pytest.approx(max(row[WORDS.index(w)] for w in others))
    else:
        assert clue.bad is None


@settings(max_examples=at_most(40))
@given(board=boards, number=st.integers(1, 3), scoring=st.sampled_from(sorted(SCORINGS)))
def test_no_legal_word_has_a_better_score(
    bundle: Bundle, board: Board, number: int, scoring: str
) -> None:
    spymaster = Spymaster(bundle, scoring=scoring)
    clue = spymaster.clue(board, number)
    if clue.notes:
        return
    view = view_board(bundle, bundle.measure().among(range(len(WORDS))), board).view
    scores = SCORINGS[scoring](view, number, Options())[number - 1]
    leads_to_ours = view.ours.max(axis=0) > view.closest_bad
    for at, (word, score) in enumerate(zip(WORDS, scores, strict=True)):
        if scoring == "worth" and view.colours.count("ours") < len(board.words):
            # Words to which another card is closest come after all others.
            if not leads_to_ours[at] and leads_to_ours[WORDS.index(clue.word)]:
                continue
            if leads_to_ours[at] and not leads_to_ours[WORDS.index(clue.word)]:
                score = np.inf
        if score > clue.score:
            assert spymaster.legality.objection(word, board.words) is not None


def test_without_bad_cards_the_clue_is_still_related(bundle: Bundle) -> None:
    clue = Spymaster(bundle).clue(Board.of(["piano"], []))
    row = bundle.row("piano")
    assert clue.targets[0].relatedness > np.quantile(row, 0.9)


def test_reasons_say_what_the_measure_has_seen(bundle: Bundle) -> None:
    spymaster = Spymaster(bundle, "npmi")
    plain = spymaster.clue(Board.of(["piano", "mouse"], ["bison", "ice tree"]), 2)
    assert plain.targets[0].why is None
    explained = spymaster.explained(plain)
    assert all(card.why and card.why.startswith("met ") for card in explained.targets)
    assert all(card.reason and "both go with " in card.reason for card in explained.targets)
    hungarian = spymaster.explained(plain, "hu").targets[0]
    assert "együttes előfordulás" in str(hungarian.why)
    assert "mindkettőhöz kapcsolódik: " in str(hungarian.reason)


def test_earlier_clues_are_not_repeated(bundle: Bundle) -> None:
    board = Board.of(["piano", "mouse"], ["bison", "tree"])
    said: list[str] = []
    for _ in range(30):
        said.append(Spymaster(bundle).clue(board, said=said).word)
    assert len(set(said)) == 30
    assert Spymaster(bundle).clue(board, said=said[0]).word == said[1]


def test_a_clue_is_for_fewer_cards_if_no_word_fits_as_many(bundle: Bundle) -> None:
    board = Board.of(["piano", "bread", "ship", "nurse"], ["violin", "soup", "whale", "pill"])
    clue = Spymaster(bundle, scoring="kim", options=Options(threshold=0.4)).clue(board, 4)
    assert clue.number < 4
    assert [(note.kind, note.number) for note in clue.notes] == [("fewer", 4)]


def test_if_no_word_passes_the_safest_one_is_given(bundle: Bundle) -> None:
    # No relatedness reaches this threshold.
    spymaster = Spymaster(bundle, scoring="kim", options=Options(threshold=0.99))
    board = Board.of(["piano"], ["violin"])
    clue = spymaster.clue(board, 1)
    assert [note.kind for note in clue.notes] == ["unrestricted"]
    margins = {
        word: VALUES[i, WORDS.index("piano")] - VALUES[i, WORDS.index("violin")]
        for i, word in enumerate(WORDS)
        if word not in board.words
    }
    assert clue.word == max(margins, key=lambda word: margins[word])


def test_if_no_word_is_legal_there_is_no_clue(bundle: Bundle) -> None:
    with pytest.raises(NoClue, match="No word of the vocabulary may be said"):
        Spymaster(bundle).clue(Board.of(["piano"]), said=WORDS)


def test_unknown_cards_are_left_out_and_named(bundle: Bundle) -> None:
    clue = Spymaster(bundle).clue(Board.of(["piano", "zzyzx"], ["bison", "qwerty"]))
    assert clue.number == 1
    assert [(note.kind, note.words) for note in clue.notes] == [("unknown", ("zzyzx", "qwerty"))]


@pytest.mark.parametrize("scoring", ["worth", "harmonic"])
def test_unknown_cards_of_ours_get_a_word_that_avoids_the_others(
    bundle: Bundle, scoring: str
) -> None:
    spymaster = Spymaster(bundle, scoring=scoring)
    clue = spymaster.clue(Board.of(["zzyzx", "qwrty"], ["piano"]))
    assert (clue.number, clue.targets, clue.chances) == (1, (), ())
    assert [(note.kind, note.words) for note in clue.notes] == [("blind", ("zzyzx", "qwrty"))]
    row = VALUES[WORDS.index("piano")]
    assert row[WORDS.index(clue.word)] == min(
        value for word, value in zip(WORDS, row, strict=True) if word != "piano"
    )


def test_if_no_card_is_known_a_frequent_word_is_given(bundle: Bundle) -> None:
    clues = Spymaster(bundle).clues(Board.of(["zzyzx"], ["qwrty"]), 3, said=["piano"])
    assert [clue.word for clue in clues] == WORDS[1:4]
    assert clues[0].bad is None


def test_offensive_words_are_never_offered(bundle: Bundle) -> None:
    board = Board.of(["piano", "mouse"], ["bison", "tree"])
    assert Spymaster(bundle, unwanted=["Keyboard"]).clue(board, 2).word != "keyboard"
    assert len(unwanted_words("en")) > 50
    assert len(unwanted_words("hu")) > 50
    assert unwanted_words("xx") == frozenset()


def test_a_function_of_ones_own_scores_clues(bundle: Bundle) -> None:
    def nearest(view: BoardView, most: int, options: Options) -> Scores:
        return view.closest_ours(most) - view.closest_bad

    board = Board.of(["piano", "mouse"], ["bison", "tree"])
    own = Spymaster(bundle, scoring=nearest).clue(board, 2)
    row = VALUES[:, [WORDS.index(word) for word in board.words]]
    best = (row[:, :2].min(axis=1) - row[:, 2:].max(axis=1)).argsort()[::-1]
    assert own.word == next(WORDS[at] for at in best if WORDS[at] not in board.words)
    with pytest.raises(InputError, match=r"of the shape \(80,\): return one row"):
        Spymaster(bundle, scoring=lambda view, most, options: view.closest_bad).clue(board, 2)


def test_any_measure_can_be_used(bundle: Bundle) -> None:
    board = Board.of(["piano", "mouse"], ["bison", "tree"])
    for measure in ("npmi", "svd", "npmi+graph", bundle.measure("graph")):
        assert Spymaster(bundle, measure).clue(board, 2).word == "keyboard"


@pytest.mark.parametrize(
    ("board", "number", "sentence"),
    [
        (Board.of([], ["piano"]), None, "no card of ours"),
        (Board.of(["piano"]), 0, "A clue for 0 cards is not possible"),
    ],
)
def test_impossible_requests_are_refused(
    bundle: Bundle, board: Board, number: int | None, sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        Spymaster(bundle).clue(board, number)


def test_words_with_digits_or_hyphens_are_never_clues(bundle: Bundle) -> None:
    words = ["piano", "key-board", "88keys", "keys"]
    values = np.array([[0, 0.9, 0.8, 0.7]] + [[0] * 4] * 3, dtype=np.float32)
    vocabulary = Vocabulary(words, [4, 3, 2, 1], [4, 3, 2, 1])
    measure = measure_of("toy", vocabulary, values + values.T)
    assert Spymaster(bundle, measure).clue(Board.of(["piano"])).word == "keys"


def test_another_scoring_function_gives_another_spymaster(bundle: Bundle) -> None:
    harmonic = Spymaster(bundle, None, "harmonic", Options(threshold=0.4), rarity=0.5)
    kim = harmonic.with_scoring("kim")
    assert (harmonic.scoring, kim.scoring) == (SCORINGS["harmonic"], SCORINGS["kim"])
    board = Board.of(["piano", "bread", "ship", "nurse"], ["violin", "soup", "whale", "pill"])
    fresh = Spymaster(bundle, scoring="kim", rarity=0.5, options=Options(threshold=0.4))
    assert kim.clues(board, 5) == fresh.clues(board, 5)
    assert kim.clues(board, 5) != harmonic.clues(board, 5)
    assert kim.with_scoring("kim", Options(threshold=0.99)).options == Options(threshold=0.99)
    with pytest.raises(InputError, match="no scoring function 'harmonik'"):
        harmonic.with_scoring("harmonik")


@settings(max_examples=at_most(25))
@given(board=boards, number=st.none() | st.integers(1, 4))
def test_the_judge_decides_on_the_word_and_the_number(
    bundle: Bundle, board: Board, number: int | None
) -> None:
    # The shortlist has all words, so what the judge alone would choose is chosen.
    judged = Spymaster(bundle, "npmi", "worth", judge="svd")
    # A measure that judges its own clues takes the guesser to be surer.
    alone = Spymaster(bundle, "svd", "worth", Options(sharpness=1 / CONFIDENCE))
    one, other = judged.clue(board, number), alone.clue(board, number)
    assert (one.word, one.number) == (other.word, other.number)
    assert one.score == pytest.approx(other.score, abs=1e-6)
    for card, same in zip(one.targets, other.targets, strict=True):
        assert card.relatedness == pytest.approx(same.relatedness, abs=1e-6)


def test_the_measure_human_judges_if_nothing_else_is_named(
    bundle: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Spymaster(bundle, scoring="worth").judge.name == "graph"
    human = bundle.measure("svd")
    monkeypatch.setitem(bundle.measures._opened, "human", human)  # type: ignore[attr-defined]
    monkeypatch.setattr(bundle.measures, "_names", [*bundle.measures, "human"])
    assert Spymaster(bundle).judge is human
    assert Spymaster(bundle, "npmi").judge.name == "npmi"
    assert Spymaster(bundle, judge="graph").judge.name == "graph"


@pytest.mark.parametrize("expected", [UnknownMeasure, NoExplanation])
def test_a_card_without_a_reason_is_left_as_it_is(
    bundle: Bundle, expected: type[InputError], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise expected("there is no reason")

    spymaster = Spymaster(bundle)
    clue = spymaster.clue(Board.of(["piano", "mouse"], ["bison"]), 2)
    monkeypatch.setattr(Bundle, "explain", fail)
    assert spymaster.explained(clue) == clue


def test_a_damaged_measure_is_not_a_missing_reason(tmp_path: Path) -> None:
    folder = make_bundle(tmp_path)
    indices = folder / "npmi" / "indices.npy"
    indices.write_bytes(b"x" * indices.stat().st_size)  # the right size, so the bundle opens
    spymaster = Spymaster(wordkin.load(folder), "graph")  # paths of the graph need npmi
    clue = spymaster.clue(Board.of(["piano", "mouse"], ["bison"]), 2)
    with pytest.raises(InputError, match=r"npmi.indices\.npy"):
        spymaster.explained(clue)

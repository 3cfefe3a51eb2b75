"""What a clue and a card have in common: words that go with both, chosen and said for people."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.bundles import TOPICS
from wordkin.bundle import Bundle
from wordkin.game.clue import (
    SHOWN,
    TOGETHER,
    Clue,
    Note,
    Reason,
    Reasons,
    RelatedCard,
    clue_lines,
)
from wordkin.game.legality import Legality


def make_reasons(bundle: Bundle, measure: str = "graph", without: tuple[str, ...] = ()) -> Reasons:
    familiar = [at for at, word in enumerate(bundle.vocabulary) if word not in without]
    return Reasons(bundle, bundle.measure(measure).among(familiar), Legality.of(bundle))


def plain_shared(bundle: Bundle, clue: str, card: str) -> list[str]:
    """The words that go with both, best first, one by one."""
    scores = {}
    for word, documents in zip(bundle.vocabulary, bundle.vocabulary.documents, strict=True):
        values = [
            bundle.relatedness(word, other, measure)
            for other in (clue, card)
            for measure in ("npmi", "graph")
            if word != other
        ]
        if len(values) == 4 and min(values) > 0:
            scores[word] = values[0] * values[2] * np.log1p(documents)
    return sorted(scores, key=lambda word: -scores[word])


@pytest.mark.parametrize(("clue", "card"), [("piano", "violin"), ("ship", "whale"), ("cat", "dog")])
def test_the_words_that_go_with_both_best_are_named(bundle: Bundle, clue: str, card: str) -> None:
    check = Legality.of(bundle)
    shared: list[str] = []
    for word in plain_shared(bundle, clue, card):
        if check.checker([clue, card, *shared])(word) is None and len(shared) < SHOWN:
            shared.append(word)
    assert make_reasons(bundle).of(clue, card).shared == tuple(shared)


def test_relatives_and_unfamiliar_words_are_not_named(bundle: Bundle) -> None:
    shared = make_reasons(bundle).of("doctor", "nurse").shared
    assert "nursing" not in shared
    others = make_reasons(bundle, without=shared).of("doctor", "nurse").shared
    assert others and not set(shared) & set(others)


def test_a_card_outside_the_vocabulary_has_a_reason(bundle: Bundle) -> None:
    assert make_reasons(bundle).of("sailor", "harbour") == make_reasons(bundle).of(
        "sailor", "harbor"
    )


def test_without_npmi_the_measure_itself_shows_what_is_shared(
    bundle: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "measures", {"svd": bundle.measures["svd"]})
    reason = make_reasons(bundle, "svd").of("sailor", "harbor")
    assert not reason.together, "only npmi knows what occurs together"
    assert set(reason.shared) <= set(TOPICS["sea"].split())


def test_words_occur_together_from_a_certain_npmi_on(bundle: Bundle) -> None:
    for card in bundle.vocabulary.words[1:20]:
        related = bundle.relatedness("piano", card, "npmi") >= TOGETHER
        assert make_reasons(bundle).of("piano", card).together == related


@pytest.mark.parametrize(
    ("reason", "english", "hungarian"),
    [
        (
            Reason(False, ("orchestra", "cello")),
            "both go with orchestra, cello",
            "mindkettőhöz kapcsolódik: orchestra, cello",
        ),
        (
            Reason(True, ("sea",)),
            "they occur together, and both go with sea",
            "együtt is előfordulnak, és mindkettőhöz kapcsolódik: sea",
        ),
        (Reason(True, ()), "they occur together", "együtt fordulnak elő"),
        (
            Reason(False, ()),
            "no familiar word goes with both",
            "nincs olyan ismerős szó, amely mindkettőhöz kapcsolódna",
        ),
    ],
)
def test_a_reason_is_a_sentence(reason: Reason, english: str, hungarian: str) -> None:
    assert reason.sentence("en") == reason.sentence("fi") == english
    assert reason.sentence("hu") == hungarian


CLUE = Clue(
    word="music",
    number=2,
    targets=(
        RelatedCard("violin", "ours", 0.5, why="met 5 times", reason="both go with cello"),
        RelatedCard("piano", "ours", 0.25),
    ),
    bad=RelatedCard("oak", "theirs", 0.125, why="met never"),
    score=0.4,
    difference=1.5,
    notes=(Note("fewer", number=3),),
)


def test_a_clue_is_shown_with_a_sentence_per_card() -> None:
    assert clue_lines(CLUE, "en") == [
        "music 2",
        "  violin: both go with cello",
        "  piano",
        "  The closest card that is not ours is oak.",
        "  No word connects 3 cards, so this one is for fewer.",
    ]


def test_the_numbers_come_after_the_sentences() -> None:
    assert clue_lines(CLUE, "en", numbers=True) == [
        *clue_lines(CLUE, "en"),
        "  for        violin  0.500  met 5 times",
        "  for        piano   0.250",
        "  away from  oak     0.125  met never",
        "  expected card difference +1.50, score 0.400",
    ]

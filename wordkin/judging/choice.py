"""A conditional logit over picks: what makes a player take one card and not another.

Each pick is a choice among the cards still there, with chances exp(w . x) of each card's features
x over their sum, and the next pick is a choice among the rest (Plackett and Luce). The weights w
are those under which the recorded picks are likeliest, held back by a ridge: half of its strength
times the sum of w squared is taken off the log-likelihood. That is convex, so L-BFGS finds the one
best answer.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from wordkin.judging.agreement import Array, Form, Ids, Picks, Places, fill_unknown, log_chances
from wordkin.judging.rounds import Item
from wordkin.measures.learned import LearnedMeasure

RIDGES = (1.0, 10.0, 100.0, 1000.0)
"""The strengths of the ridge among which the fit chooses."""

FOLDS, INNER_FOLDS = 10, 5


@dataclass(frozen=True)
class Choices:
    """What is known of each card, and what people took.

    Attributes
    ----------
    features : array, (items, cards, features)
        Unknown cards have the least of each feature on their table; with an unknown clue all cards
        are alike.
    picks : Picks
        The recorded rounds.
    places : Places
        Where their words are in the vocabulary.
    """

    features: Array
    picks: Picks
    places: Places

    @property
    def groups(self) -> list[tuple[str, str]]:
        """The board of each item: what a fit has seen of a board may not judge it."""
        return [(item.language, item.board) for item in self.picks.items]

    def utilities(self, weights: Array) -> Array:
        """The weighted sum of the features of each card; unknown cards are as the least."""
        return fill_unknown(self.features @ weights, self.places)


@dataclass(frozen=True)
class Fitted:
    """Weights fitted to all picks, and how they would do on boards they have not seen.

    Attributes
    ----------
    weights : array, (features,)
        Fitted to all rounds.
    ridge : float
        The strength that did best on left-out boards.
    left_out : array, (items, cards)
        The utility of each card by weights that were fitted, and a ridge that was chosen, without
        any round on its board.
    """

    weights: Array
    ridge: float
    left_out: Array


def gather(
    learned: LearnedMeasure, items: Sequence[Item], language: str, form: Form | None = None
) -> Choices:
    """The features of recorded rounds by the terms of a learned measure."""
    picks = Picks(items)
    places = Places.of(picks, learned.vocabulary, language, form)
    asked = places.covered[places.item]
    values = np.zeros((len(places.item), len(learned.parts)))
    values[asked] = learned.features(places.clue[places.item[asked]], places.word[asked])
    tables = [fill_unknown(places.spread(column), places) for column in values.T]
    return Choices(np.stack(tables, axis=-1), picks, places)


def join(several: Sequence[Choices]) -> Choices:
    """The choices of several languages as one; their features must be the same."""
    picks = Picks([item for choices in several for item in choices.picks.items])
    cards = picks.on_table.shape[1]

    def stacked(tables: Sequence[NDArray[Any]]) -> NDArray[Any]:
        widths = [(0, 0), (0, cards)]
        padded = [np.pad(t, widths + [(0, 0)] * (t.ndim - 2))[:, :cards] for t in tables]
        return np.concatenate(padded)

    starts = np.cumsum([0, *(len(choices.picks.items) for choices in several[:-1])])
    places = Places(
        clue=np.concatenate([choices.places.clue for choices in several]),
        item=np.concatenate([c.places.item + at for c, at in zip(several, starts, strict=True)]),
        card=np.concatenate([choices.places.card for choices in several]),
        word=np.concatenate([choices.places.word for choices in several]),
        known=stacked([choices.places.known for choices in several]),
    )
    return Choices(stacked([choices.features for choices in several]), picks, places)


def learn(choices: Choices, seed: int = 0) -> Fitted:
    """Fit the weights, and judge them on boards left out, ten parts of the boards in turn.

    The ridge is chosen by the likelihood of picks on left-out boards; for the judged weights, among
    the other nine parts alone.
    """
    folds = grouped_folds(choices.groups, FOLDS, seed)
    left_out = np.zeros(choices.features.shape[:2])
    for fold in range(folds.max(initial=0) + 1):
        others = np.flatnonzero(folds != fold)
        ridge = _best_ridge(choices, others, seed)
        weights = fit(choices.features, choices.picks, ridge, _rounds(choices, others))
        left_out[folds == fold] = choices.utilities(weights)[folds == fold]
    ridge = _best_ridge(choices, np.arange(len(choices.features)), seed)
    return Fitted(fit(choices.features, choices.picks, ridge), ridge, left_out)


def grouped_folds(groups: Sequence[Hashable], folds: int, seed: int) -> Ids:
    """A number from 0 to `folds` - 1 for each entry, the same for the entries of a group."""
    names = sorted(set(groups), key=repr)
    order = np.random.default_rng(seed).permutation(len(names))
    numbered = {names[at]: place % folds for place, at in enumerate(order.tolist())}
    return np.array([numbered[group] for group in groups], dtype=np.int64)


def _best_ridge(choices: Choices, items: Ids, seed: int) -> float:
    """The ridge under which picks on left-out boards among `items` are likeliest."""
    folds = grouped_folds([choices.groups[at] for at in items.tolist()], INNER_FOLDS, seed)
    totals = dict.fromkeys(RIDGES, 0.0)
    for fold in range(folds.max(initial=0) + 1):
        seen, unseen = (_rounds(choices, items[kept]) for kept in (folds != fold, folds == fold))
        if not len(seen):
            continue
        for ridge in RIDGES:
            weights = fit(choices.features, choices.picks, ridge, seen)
            chances = log_chances(choices.features @ weights, choices.picks, 1.0)
            totals[ridge] += float(chances[unseen].sum())
    return max(totals, key=lambda ridge: totals[ridge])


def _rounds(choices: Choices, items: Ids) -> Ids:
    """The rounds that were played on these items."""
    return np.flatnonzero(np.isin(choices.picks.item, items))


def fit(features: Array, picks: Picks, ridge: float, rounds: Ids | None = None) -> Array:
    """The weights of the features.

    Parameters
    ----------
    features : array, (items, cards, features)
        What is known of each card of each item.
    picks : Picks
        What people took.
    ridge : float
        How strongly large weights are held back.
    rounds : array of int, optional
        The rounds to fit; all when not given.
    """
    wanted = np.ones(len(picks), dtype=bool)
    if rounds is not None:
        wanted[:] = False
        wanted[rounds] = True
    count = features.shape[-1]
    steps = []
    for played, chosen, left in picks.steps:
        kept = wanted[played]
        seen = features[picks.item[played[kept]]]
        taken = seen[np.arange(len(seen)), chosen[kept]]
        # Only differences between cards matter: with the taken card at 0 its own term drops out.
        steps.append((seen - taken[:, None, :], left[kept]))
    apart = np.concatenate([differences for differences, _ in steps]).reshape(-1, count)
    gone = ~np.concatenate([left for _, left in steps])

    # einsum, not BLAS: for so few columns threads cost more than they give, and the order in which
    # they add up depends on their number.
    def loss(weights: Array) -> tuple[float, Array]:
        exponents = np.einsum("cf,f->c", apart, weights).reshape(gone.shape)
        exponents[gone] = -np.inf
        top = exponents.max(axis=1, keepdims=True)
        grown = np.exp(exponents - top)
        total = grown.sum(axis=1, keepdims=True)
        value = float((np.log(total) + top).sum()) + ridge / 2 * float(weights @ weights)
        slope = np.einsum("c,cf->f", (grown / total).ravel(), apart)
        return value, slope + ridge * weights

    found = minimize(loss, np.zeros(count), jac=True, method="L-BFGS-B", options={"ftol": 1e-9})
    return np.asarray(found.x)

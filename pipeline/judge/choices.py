"""The model of picks: what makes a player take one card and not another.

Each pick is a choice among the cards still there, with a chance in proportion to exp(u), where u is
the card's utility; the next pick is a choice among the rest (Plackett and Luce). The utility is a
weighted sum w . x of features, and `fit` finds the weights under which the recorded picks are
likeliest. The one model serves twice:

    the measure `human`   has the features of all measures, and a weight for each
    a single measure      has its relatedness as the only feature; one over its weight is the
                          temperature, which says how sure people are
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp

from pipeline.judge.picks import Array, Form, Ids, Lookup, Picks, Resolve

if TYPE_CHECKING:
    from wordkin.game.rounds import Item
    from wordkin.measures.learned import LearnedMeasure

RIDGE = 30.0
"""Keeps the weights small: half of it times the sum of their squares is subtracted from the
log-likelihood. Of the strengths from 1 to 1,000 this one made picks on left-out boards likeliest,
after agents' clues and after people's; from 1 to 100 there is little difference."""

FOLDS = 10

STEEPEST = 1e4
"""The largest weight of relatedness, in units of its deviation; the smallest is one over it. Beyond
that the chances no longer change."""


def log_chances(utilities: Array, picks: Picks, temperature: float = 1.0) -> Array:
    """ln of the chance of each round's picks in their order, divided by their number."""
    total = np.zeros(len(picks))
    for nth in picks.in_order:
        exponents = utilities[picks.item[nth.rounds]] / temperature
        total[nth.rounds] += exponents[np.arange(len(nth.rounds)), nth.picked]
        total[nth.rounds] -= logsumexp(np.where(nth.left, exponents, -np.inf), axis=1)
    return total / picks.number[picks.item]


def fit(
    features: Array,
    picks: Picks,
    ridge: float = RIDGE,
    rounds: Ids | None = None,
    bounds: tuple[float, float] | None = None,
) -> Array:
    """The weights of the features (items, cards, features) under which the picks are likeliest.

    All rounds are fitted to unless some are given; `bounds` are those of each weight.
    """
    wanted = np.ones(len(picks), dtype=bool)
    if rounds is not None:
        wanted[:] = False
        wanted[rounds] = True
    count = features.shape[-1]
    chosen = []
    for nth in picks.in_order:
        fitted = wanted[nth.rounds]
        cards = features[picks.item[nth.rounds[fitted]]]
        taken = cards[np.arange(len(cards)), nth.picked[fitted]]
        # Only differences between cards matter: with the taken card at 0, its own term is 0 too.
        chosen.append((cards - taken[:, None, :], nth.left[fitted]))
    differences = np.concatenate([cards for cards, _ in chosen]).reshape(-1, count)
    gone = ~np.concatenate([left for _, left in chosen])

    # einsum and not BLAS: with so few columns threads cost more than they save, and the order in
    # which they add up depends on their number.
    def loss(weights: Array) -> tuple[float, Array]:
        exponents = np.einsum("cf,f->c", differences, weights).reshape(gone.shape)
        exponents[gone] = -np.inf
        total = logsumexp(exponents, axis=1, keepdims=True)
        chances = np.exp(exponents - total)
        value = float(total.sum()) + ridge / 2 * float(weights @ weights)
        slope = np.einsum("c,cf->f", chances.ravel(), differences)
        return value, slope + ridge * weights

    best = minimize(
        loss,
        np.zeros(count),
        jac=True,
        method="L-BFGS-B",
        bounds=None if bounds is None else [bounds] * count,
        options={"ftol": 1e-13, "gtol": 1e-7},
    )
    return np.asarray(best.x)


def fit_temperature(table: Array, picks: Picks) -> float:
    """The temperature of a table of relatedness under which the picks are likeliest."""
    scale = float(table[picks.on_table].std())
    if scale == 0.0:
        return 1.0
    (weight,) = fit(
        table[..., None] / scale, picks, ridge=0, bounds=(1 / STEEPEST, STEEPEST)
    ).tolist()
    return scale / weight


@dataclass(frozen=True)
class Choices:
    """The features of each card, and what people took."""

    features: Array
    """(items, cards, features). An unknown card has the least value of each feature on its table;
    when the clue is unknown, all cards have the same features."""
    picks: Picks
    lookup: Lookup

    @classmethod
    def of(
        cls,
        learned: LearnedMeasure,
        items: Sequence[Item],
        language: str,
        form: Form | None = None,
        resolve: Resolve | None = None,
    ) -> Choices:
        """Recorded rounds, with the terms of a learned measure as features.

        Its weights do not matter. `form` and `resolve` find words as in `Lookup.of`.
        """
        picks = Picks(items)
        lookup = Lookup.of(picks, learned.vocabulary, language, form, resolve)
        values = learned.features(lookup.clue_word, lookup.card_word)
        tables = [lookup.fill_unknown(lookup.card_means(column)) for column in values.T]
        return cls(np.stack(tables, axis=-1), picks, lookup)

    @property
    def boards(self) -> list[tuple[str, str]]:
        """The board of each item. Weights are never judged on a board that they were fitted to."""
        return [(item.language, item.board) for item in self.picks.items]

    def utilities(self, weights: Array) -> Array:
        """The weighted sum of the features of each card; an unknown card has the least one."""
        return self.lookup.fill_unknown(self.features @ weights)

    def left_out(self, seed: int = 0) -> Array:
        """The utilities of all cards, each by weights that were fitted without its board."""
        folds = grouped_folds(self.boards, FOLDS, seed)
        table = np.zeros(self.features.shape[:2])
        for fold in range(folds.max(initial=0) + 1):
            others = np.flatnonzero(folds[self.picks.item] != fold)
            weights = fit(self.features, self.picks, rounds=others)
            table[folds == fold] = self.utilities(weights)[folds == fold]
        return table


def grouped_folds(groups: Sequence[Hashable], folds: int, seed: int) -> Ids:
    """A number from 0 to `folds` - 1 for each entry, the same for all entries of a group."""
    names = sorted(set(groups), key=repr)
    order = np.random.default_rng(seed).permutation(len(names))
    fold_of = {names[at]: place % folds for place, at in enumerate(order.tolist())}
    return np.array([fold_of[group] for group in groups], dtype=np.int64)

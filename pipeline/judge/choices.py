"""The model of picks: what makes a player take one card and not another.

Each pick is a choice among the cards still there, with a chance in proportion to exp(u), where u is
the card's utility; the next pick is a choice among the rest (Plackett and Luce). For a single
measure, u is its relatedness divided by a temperature, which says how sure people are. For the
measure `human`, u is a weighted sum w . x of features.

Temperatures and weights are those under which the recorded picks are likeliest. A ridge keeps the
weights small: half its strength times the sum of w squared is subtracted from the log-likelihood.
The problem is convex, so L-BFGS finds the one best answer.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize, minimize_scalar
from scipy.special import logsumexp

from pipeline.judge.picks import Array, Form, Ids, Lookup, Picks, Resolve

if TYPE_CHECKING:
    from wordkin.game.rounds import Item
    from wordkin.measures.learned import LearnedMeasure

TEMPERATURE_RANGE = 1e4
"""How many times the deviation of relatedness a temperature may be, or how small a part of it.
Beyond that the chances no longer change."""

RIDGES = (1.0, 10.0, 100.0, 1000.0)
"""The strengths of the ridge that the fit chooses from."""

FOLDS, INNER_FOLDS = 10, 5


def log_chances(table: Array, picks: Picks, temperature: float) -> Array:
    """ln of the chance of each round's picks in their order, divided by their number."""
    total = np.zeros(len(picks))
    for step in picks.steps:
        exponents = table[picks.item[step.rounds]] / temperature
        total[step.rounds] += exponents[np.arange(len(step.rounds)), step.picked]
        total[step.rounds] -= logsumexp(np.where(step.left, exponents, -np.inf), axis=1)
    return total / picks.number[picks.item]


def fit_temperature(table: Array, picks: Picks) -> float:
    """The temperature of a table of relatedness under which the picks are likeliest."""
    scale = float(table[picks.on_table].std())
    if scale == 0.0:
        return 1.0
    limit = np.log(TEMPERATURE_RANGE)
    best = minimize_scalar(
        lambda log: -log_chances(table, picks, scale * float(np.exp(log))).mean(),
        bounds=(-limit, limit),
        method="bounded",
        options={"xatol": 1e-4},
    )
    return scale * float(np.exp(best.x))


@dataclass(frozen=True)
class Choices:
    """The features of each card, and what people took.

    Attributes
    ----------
    features : array, (items, cards, features)
        An unknown card has the least value of each feature on its table; when the clue is unknown,
        all cards have the same features.
    picks : Picks
        The recorded rounds.
    lookup : Lookup
        Their words in the vocabulary.
    """

    features: Array
    picks: Picks
    lookup: Lookup

    @property
    def groups(self) -> list[tuple[str, str]]:
        """The board of each item. Weights are never judged on a board that they were fitted to."""
        return [(item.language, item.board) for item in self.picks.items]

    def utilities(self, weights: Array) -> Array:
        """The weighted sum of the features of each card; an unknown card has the least one."""
        return self.lookup.fill_unknown(self.features @ weights)


@dataclass(frozen=True)
class Fitted:
    """Weights fitted to all picks, and what they would do on boards that they were not fitted to.

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
    learned: LearnedMeasure,
    items: Sequence[Item],
    language: str,
    form: Form | None = None,
    resolve: Resolve | None = None,
) -> Choices:
    """The features of recorded rounds by the terms of a learned measure.

    Parameters
    ----------
    learned : LearnedMeasure
        Whose terms are the features; its weights do not matter.
    items : sequence of Item
        See `wordkin.game.rounds.read_rounds`.
    language : str
        The language whose spelling rules apply.
    form : callable, optional
        The form to try for a word that the vocabulary lacks as written, such as its lemma.
    resolve : callable, optional
        The known words that any other word stands for: `Bundle.try_resolve`.
    """
    picks = Picks(items)
    lookup = Lookup.of(picks, learned.vocabulary, language, form, resolve)
    values = learned.features(lookup.clue_word, lookup.card_word)
    tables = [lookup.fill_unknown(lookup.card_means(column)) for column in values.T]
    return Choices(np.stack(tables, axis=-1), picks, lookup)


def learn(choices: Choices, seed: int = 0) -> Fitted:
    """Fit the weights, and apply them to left-out boards by ten-fold cross-validation.

    The ridge is chosen by the likelihood of picks on left-out boards; for each fold, among the
    boards of the other nine.
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
    """A number from 0 to `folds` - 1 for each entry, the same for all entries of a group."""
    names = sorted(set(groups), key=repr)
    order = np.random.default_rng(seed).permutation(len(names))
    fold_of = {names[at]: place % folds for place, at in enumerate(order.tolist())}
    return np.array([fold_of[group] for group in groups], dtype=np.int64)


def _best_ridge(choices: Choices, items: Ids, seed: int) -> float:
    """The ridge under which picks on left-out boards among `items` are likeliest."""
    folds = grouped_folds([choices.groups[at] for at in items.tolist()], INNER_FOLDS, seed)
    totals = dict.fromkeys(RIDGES, 0.0)
    for fold in range(folds.max(initial=0) + 1):
        training = _rounds(choices, items[folds != fold])
        validation = _rounds(choices, items[folds == fold])
        if not len(training):
            continue
        for ridge in RIDGES:
            weights = fit(choices.features, choices.picks, ridge, training)
            chances = log_chances(choices.features @ weights, choices.picks, 1.0)
            totals[ridge] += float(chances[validation].sum())
    return max(totals, key=lambda ridge: totals[ridge])


def _rounds(choices: Choices, items: Ids) -> Ids:
    """The rounds that were played on these items."""
    return np.flatnonzero(np.isin(choices.picks.item, items))


def fit(features: Array, picks: Picks, ridge: float, rounds: Ids | None = None) -> Array:
    """Fit the weights of the features to picks.

    Parameters
    ----------
    features : array, (items, cards, features)
        The features of each card of each item.
    picks : Picks
        What people took.
    ridge : float
        The strength of the ridge.
    rounds : array of int, optional
        The rounds to fit to; all when not given.
    """
    wanted = np.ones(len(picks), dtype=bool)
    if rounds is not None:
        wanted[:] = False
        wanted[rounds] = True
    count = features.shape[-1]
    steps = []
    for step in picks.steps:
        fitted = wanted[step.rounds]
        cards = features[picks.item[step.rounds[fitted]]]
        taken = cards[np.arange(len(cards)), step.picked[fitted]]
        # Only differences between cards matter: with the taken card at 0, its own term is 0 too.
        steps.append((cards - taken[:, None, :], step.left[fitted]))
    differences = np.concatenate([cards for cards, _ in steps]).reshape(-1, count)
    gone = ~np.concatenate([left for _, left in steps])

    # einsum and not BLAS: with so few columns threads cost more than they save, and the order in
    # which they add up depends on their number.
    def loss(weights: Array) -> tuple[float, Array]:
        exponents = np.einsum("cf,f->c", differences, weights).reshape(gone.shape)
        exponents[gone] = -np.inf
        top = exponents.max(axis=1, keepdims=True)
        powers = np.exp(exponents - top)
        total = powers.sum(axis=1, keepdims=True)
        value = float((np.log(total) + top).sum()) + ridge / 2 * float(weights @ weights)
        slope = np.einsum("c,cf->f", (powers / total).ravel(), differences)
        return value, slope + ridge * weights

    best = minimize(loss, np.zeros(count), jac=True, method="L-BFGS-B", options={"ftol": 1e-9})
    return np.asarray(best.x)

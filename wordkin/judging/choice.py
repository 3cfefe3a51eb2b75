"""A conditional logit over picks: what makes a player take one card and not another.

Each pick is a choice among the cards still there, with a chance in proportion to exp(w . x), where
x are the features of a card; the next pick is a choice among the rest (Plackett and Luce). The
weights w are those under which the recorded picks are likeliest. A ridge keeps them small: half its
strength times the sum of w squared is subtracted from the log-likelihood. The problem is convex, so
L-BFGS finds the one best answer.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from wordkin.judging.agreement import log_chances
from wordkin.judging.picks import Array, Form, Ids, Lookup, Picks, Resolve

if TYPE_CHECKING:
    from wordkin.judging.rounds import Item
    from wordkin.measures.learned import LearnedMeasure

RIDGES = (1.0, 10.0, 100.0, 1000.0)
"""The strengths of the ridge that the fit chooses from."""

FOLDS, INNER_FOLDS = 10, 5


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
        See `wordkin.judging.rounds.read_rounds`.
    language : str
        The language whose spelling rules apply.
    form : callable, optional
        The form to try for a word that the vocabulary lacks as written, such as its lemma.
    resolve : callable, optional
        The known words that any other word stands for: `wordkin.bundle.Bundle.try_resolve`.
    """
    picks = Picks(items)
    lookup = Lookup.of(picks, learned.vocabulary, language, form, resolve)
    values = learned.features(lookup.clue_word, lookup.card_word)
    tables = [lookup.fill_unknown(lookup.card_means(column)) for column in values.T]
    return Choices(np.stack(tables, axis=-1), picks, lookup)


def join(several: Sequence[Choices]) -> Choices:
    """The choices of several languages as one; they must have the same features."""
    picks = Picks([item for choices in several for item in choices.picks.items])
    cards = picks.on_table.shape[1]

    def stacked(tables: Sequence[NDArray[Any]]) -> NDArray[Any]:
        widths = [(0, 0), (0, cards)]
        padded = [np.pad(t, widths + [(0, 0)] * (t.ndim - 2))[:, :cards] for t in tables]
        return np.concatenate(padded)

    starts = np.cumsum([0, *(len(choices.picks.items) for choices in several[:-1])])
    lookups = [choices.lookup for choices in several]
    lookup = Lookup(
        known_clue=np.concatenate([lookup.known_clue for lookup in lookups]),
        known=stacked([lookup.known for lookup in lookups]),
        resolved_clue=np.concatenate([lookup.resolved_clue for lookup in lookups]),
        resolved=stacked([lookup.resolved for lookup in lookups]),
        item=np.concatenate([lookup.item + at for lookup, at in zip(lookups, starts, strict=True)]),
        card=np.concatenate([lookup.card for lookup in lookups]),
        clue_word=np.concatenate([lookup.clue_word for lookup in lookups]),
        card_word=np.concatenate([lookup.card_word for lookup in lookups]),
        weight=np.concatenate([lookup.weight for lookup in lookups]),
    )
    return Choices(stacked([choices.features for choices in several]), picks, lookup)


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

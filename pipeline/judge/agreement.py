"""How well a guesser agrees with people: recorded rounds against the guesser's order of the cards.

Three statistics, each averaged over rounds:

    precision    P@n: the share of the player's first n picks that are in the guesser's first n
    first        how often the guesser's first card is the player's first pick
    likelihood   ln of the chance of a pick, by the model of `pipeline.judge.choices` at the
                 temperature that fits the picks best

Cards of equal relatedness share the places for which they are tied. A card that the vocabulary
lacks is as related as the least related card on its table. When the clue itself is unknown, all
cards are equally related, so the result is chance. `known` figures leave such rounds out.

Intervals are by bootstrap over sessions, since the rounds of one player are not independent.
Figures of the same rounds with the same seed draw the same sessions, so two guessers can be
compared draw by draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipeline.judge.choices import fit_temperature, log_chances
from pipeline.judge.picks import (
    Array,
    Flags,
    Form,
    Ids,
    Lookup,
    Picks,
    Resolve,
    relatedness_table,
)
from wordkin.intervals import Estimate, bootstrap_means, estimate

if TYPE_CHECKING:
    from wordkin.game.rounds import Item
    from wordkin.measures.measure import Measure


@dataclass(frozen=True)
class Agreement:
    """How well a guesser agrees with people, by each of the three statistics."""

    name: str
    rounds: int
    covered: int
    """The number of rounds with a known clue."""
    all: Mapping[str, Estimate]
    """Over all rounds."""
    known: Mapping[str, Estimate]
    """Over the covered rounds."""
    temperature: float | None
    """The temperature behind the likelihood; None if there is no likelihood."""
    draws: Mapping[str, Array]
    """Each statistic over all rounds in each resample."""


def agreement(
    measure: Measure,
    items: Sequence[Item],
    language: str,
    *,
    form: Form | None = None,
    resolve: Resolve | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> Agreement:
    """Compare a measure's order of the cards with recorded rounds.

    `form` and `resolve` find words that the vocabulary lacks, as in `Lookup.of`. Rounds whose clue
    had to be resolved are not covered.
    """
    picks = Picks(items)
    lookup = Lookup.of(picks, measure.vocabulary, language, form, resolve)
    table = relatedness_table(measure, lookup)
    return table_agreement(
        measure.name, table, picks, lookup.in_vocabulary, resamples=resamples, seed=seed
    )


def table_agreement(
    name: str,
    table: Array,
    picks: Picks,
    covered: Flags,
    *,
    resamples: int,
    seed: int,
    temperature: float | None = None,
) -> Agreement:
    """Compare a table of relatedness (items, cards) with the picks.

    `covered` says which items have a known clue. The temperature is fitted to the picks unless the
    table comes with one, as that of a fitted model does.
    """
    if temperature is None:
        temperature = fit_temperature(table, picks)
    scores = round_scores(table, picks, temperature)
    return _agreement(name, scores, picks, covered[picks.item], temperature, resamples, seed)


def chance(items: Sequence[Item], *, resamples: int = 1000, seed: int = 0) -> Agreement:
    """The agreement of a guesser to whom all cards are equally related."""
    picks = Picks(items)
    table = np.zeros(picks.on_table.shape)
    everything = np.ones(len(items), dtype=bool)
    return table_agreement(
        "chance", table, picks, everything, resamples=resamples, seed=seed, temperature=1
    )


def between_people(items: Sequence[Item], *, resamples: int = 1000, seed: int = 0) -> Agreement:
    """How people agree with each other: each round against the other rounds of the same item.

    Rounds that nobody else played are not covered. There is no likelihood: other people's picks
    give no chance of a single pick.
    """
    picks = Picks(items)
    chosen = np.zeros((len(picks), picks.on_table.shape[1]))
    rows, columns = np.nonzero(picks.picked >= 0)
    chosen[rows, picks.picked[rows, columns]] = 1.0
    firsts = np.zeros_like(chosen)
    firsts[np.arange(len(picks)), picks.picked[:, 0]] = 1.0
    others = np.bincount(picks.item, minlength=len(items))[picks.item] - 1

    def shared(marks: Array) -> Array:
        """The number of a round's marked cards that another player marked, on average."""
        of_item = np.zeros((len(items), marks.shape[1]))
        np.add.at(of_item, picks.item, marks)
        matches = (marks * (of_item[picks.item] - marks)).sum(axis=1)
        return matches / np.maximum(others, 1)

    scores = {"precision": shared(chosen) / picks.number[picks.item], "first": shared(firsts)}
    return _agreement("other people", scores, picks, others > 0, None, resamples, seed)


def difference(a: Agreement, b: Agreement, statistic: str = "precision") -> Estimate:
    """How much better `a` agrees with people than `b` over all rounds, by paired bootstrap."""
    if (a.rounds, len(a.draws[statistic])) != (b.rounds, len(b.draws[statistic])):
        raise ValueError("only agreements with the same rounds and resamples can be compared")
    value = a.all[statistic].value - b.all[statistic].value
    return estimate(value, a.draws[statistic] - b.draws[statistic])


def round_scores(table: Array, picks: Picks, temperature: float) -> dict[str, Array]:
    """The statistics of each round."""
    firsts = first_cards(table, np.ones_like(picks.number), picks.on_table)[picks.item]
    return {
        "precision": precision(table, picks),
        "first": firsts[np.arange(len(picks)), picks.picked[:, 0]],
        "likelihood": log_chances(table, picks, temperature),
    }


def precision(table: Array, picks: Picks) -> Array:
    """P@n of each round, given the relatedness of each item's clue to its cards."""
    tops = first_cards(table, picks.number, picks.on_table)[picks.item]
    matches = np.take_along_axis(tops, np.maximum(picks.picked, 0), axis=1)
    matches = np.where(picks.picked >= 0, matches, 0.0)
    return np.asarray(matches.sum(axis=1) / picks.number[picks.item])


def first_cards(table: Array, number: Ids, on_table: Flags) -> Array:
    """Whether each card is among the guesser's first n: 1, 0, or a share where cards are tied."""
    values = np.where(on_table, table, -np.inf)
    bound = -np.sort(-values, axis=1)[np.arange(len(values)), number - 1][:, None]
    above, tied = values > bound, (values == bound) & on_table
    left = number - above.sum(axis=1)
    return np.where(above, 1.0, tied * (left / np.maximum(tied.sum(axis=1), 1))[:, None])


def _agreement(
    name: str,
    scores: Mapping[str, Array],
    picks: Picks,
    covered: Flags,
    temperature: float | None,
    resamples: int,
    seed: int,
) -> Agreement:
    """Average the scores of the rounds: over all of them, and over the covered ones."""

    def drawn(rounds: Flags) -> dict[str, Array]:
        if not rounds.any():
            return {}
        sessions = picks.session[rounds]
        return {
            statistic: bootstrap_means(values[rounds], sessions, resamples=resamples, seed=seed)
            for statistic, values in scores.items()
        }

    def estimates(rounds: Flags, draws: Mapping[str, Array]) -> dict[str, Estimate]:
        return {
            statistic: estimate(float(scores[statistic][rounds].mean()), of_statistic)
            for statistic, of_statistic in draws.items()
        }

    everything = np.ones(len(picks), dtype=bool)
    draws = drawn(everything)
    return Agreement(
        name=name,
        rounds=len(picks),
        covered=int(covered.sum()),
        all=estimates(everything, draws),
        known=estimates(covered, drawn(covered)),
        temperature=temperature,
        draws=draws,
    )

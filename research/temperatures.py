"""The rule for temperatures without recorded rounds, tested where there are some.

    python -m research.temperatures --bundle matrices/en/bundle matrices/hu/bundle \
        --rounds rounds_en.jsonl rounds_hu.jsonl

The rule is a ratio times the typical gap of a measure (`wordkin.measures.temperature`). For each
language and measure the table has the temperature that fits the rounds best, and ln of the chance
of a pick under three temperatures: the fitted one, the rule's, and the rule's with the ratio fitted
to the other languages only. The last line is the ratio that fits all of them: of temperature / gap,
the median over the measures of a language and the geometric mean over languages. The median,
because a measure that people do not follow at all fits any temperature.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.judge.choices import fit_temperature, log_chances
from pipeline.judge.picks import Lookup, Picks, relatedness_table
from wordkin.bundle import load
from wordkin.game.rounds import read_rounds
from wordkin.measures.temperature import RATIO, typical_gap


class Fit(NamedTuple):
    """A measure's relatedness on recorded boards, with its fitted temperature and its gap."""

    language: str
    measure: str
    table: NDArray[np.float64]
    picks: Picks
    temperature: float
    gap: float

    def likelihood(self, temperature: float) -> float:
        """The mean ln of the chance of a pick."""
        return float(log_chances(self.table, self.picks, temperature).mean())


def main() -> None:
    """Print the table, and the ratio that fits best."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bundle", nargs="+", required=True, help="one bundle per language")
    parser.add_argument("--rounds", nargs="+", required=True, type=Path, help="in the same order")
    given = parser.parse_args()
    if len(given.bundle) != len(given.rounds):
        parser.error("give one file of rounds per bundle")
    fits = [
        fitted
        for bundle, rounds in zip(given.bundle, given.rounds, strict=True)
        for fitted in fit_language(bundle, rounds)
    ]
    print("| language | measure | temperature | rule | ln chance, fitted | rule | left-out rule |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for fitted in fits:
        others = [other for other in fits if other.language != fitted.language]
        cells = [
            f"{fitted.temperature:.4g}",
            f"{RATIO * fitted.gap:.4g}",
            f"{fitted.likelihood(fitted.temperature):.3f}",
            f"{fitted.likelihood(RATIO * fitted.gap):.3f}",
            f"{fitted.likelihood(best_ratio(others) * fitted.gap):.3f}" if others else "–",
        ]
        print(f"| {fitted.language} | {fitted.measure} | {' | '.join(cells)} |")
    print(f"\nratio {best_ratio(fits):.3f}")


def fit_language(bundle_path: str, rounds: Path) -> list[Fit]:
    """The fits of all measures of a bundle, without the one that was learned from rounds."""
    bundle = load(bundle_path)
    picks = Picks(read_rounds(rounds))
    lookup = Lookup.of(picks, bundle.vocabulary, bundle.language, None, bundle.try_resolve)
    fits = []
    for name in bundle.measures:
        if name != "human":
            table = relatedness_table(bundle.measure(name), lookup)
            temperature = fit_temperature(table, picks)
            gap = typical_gap(bundle.measure(name))
            fits.append(Fit(bundle.language, name, table, picks, temperature, gap))
    return fits


def best_ratio(fits: list[Fit]) -> float:
    """The median ratio over measures, its geometric mean over languages."""
    languages = sorted({fitted.language for fitted in fits})
    logs = [
        np.median([np.log(f.temperature / f.gap) for f in fits if f.language == language])
        for language in languages
    ]
    return float(np.exp(np.mean(logs)))


if __name__ == "__main__":
    main()

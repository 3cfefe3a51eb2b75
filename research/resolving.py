"""What resolving unknown words adds to the agreement with people's recorded picks.

    python -m research.resolving --rounds rounds_en.jsonl [--lang en] [--measures svd blend]

For a build (matrices/<lang>) and a file of recorded rounds: how many rounds have a clue that the
vocabulary does not know, how many are left without an answer, and P@n over all rounds and over
those alone, with and without resolving. The last lines divide them by the rung that answered. The
intervals draw whole sessions.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.judge.agreement import precision
from pipeline.judge.human import make_resolver
from pipeline.judge.picks import Lookup, Picks, relatedness_table
from pipeline.layout import Layout
from pipeline.measures.opening import open_measures
from pipeline.words.lemmas import gold_form
from wordkin.game.rounds import read_rounds
from wordkin.intervals import bootstrap_means, estimate
from wordkin.language.resolution import Resolution
from wordkin.tables import table_lines

RESAMPLES = 1000


def main() -> None:
    """Print one line per set of rounds."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=Path, required=True, help="the recorded rounds")
    parser.add_argument("--root", type=Path, default=Path(), help="the folder of the build")
    parser.add_argument("--lang", default="en")
    parser.add_argument("--measures", nargs="+", default=["svd", "blend"])
    given = parser.parse_args()
    layout = Layout(given.root, given.lang)
    measures = open_measures(layout, given.measures)
    vocabulary, picks = measures[0].vocabulary, Picks(read_rounds(given.rounds))
    form, resolver = gold_form(layout), make_resolver(layout, given.measures)
    plain = Lookup.of(picks, vocabulary, given.lang, form)
    resolved = Lookup.of(picks, vocabulary, given.lang, form, resolver.try_resolve)
    rungs = np.array(
        ["" if known else _rung(resolver.try_resolve(item.clue))
         for item, known in zip(picks.items, plain.known_clue.tolist(), strict=True)]
    )  # fmt: skip
    unknown = ~plain.known_clue[picks.item]
    unanswered = ~resolved.known_clue[picks.item]
    print(
        f"{len(vocabulary):,} words of {given.lang}; {unknown.sum()} of {len(picks)} rounds "
        f"({unknown.mean():.1%}) have an unknown clue, {unanswered.sum()} "
        f"({unanswered.mean():.1%}) no answer"
    )
    sets = {"all rounds": np.ones(len(picks), bool), "with an unknown clue": unknown}
    for rung in sorted(set(rungs[rungs != ""].tolist())):
        sets[f"answered by {rung}"] = rungs[picks.item] == rung
    header = ["rounds", "number", "chance"]
    columns = [precision(np.zeros(picks.on_table.shape), picks)]
    for measure in measures:
        header += [measure.name, f"{measure.name}, resolved"]
        tables = (relatedness_table(measure, lookup) for lookup in (plain, resolved))
        columns += [precision(table, picks) for table in tables]
    rows = [_line(title, chosen, columns, picks.session) for title, chosen in sets.items()]
    print("\n".join(table_lines(header, rows)))


def _rung(resolution: Resolution | None) -> str:
    """The first rung of the ladder that answered for a clue."""
    return resolution.via[0].how if resolution and resolution.via else "nothing"


def _line(
    title: str,
    chosen: NDArray[np.bool_],
    columns: Sequence[NDArray[np.float64]],
    sessions: NDArray[np.int64],
) -> tuple[str, ...]:
    cells = [title, str(int(chosen.sum()))]
    for at, scores in enumerate(columns):
        if not chosen.any():
            cells.append("-")
            continue
        some, group = scores[chosen], sessions[chosen]
        draws = bootstrap_means(some, group, resamples=RESAMPLES, seed=0)
        figure = estimate(float(some.mean()), draws)
        interval = f" ({figure.low:.2f} to {figure.high:.2f})" if at else ""
        cells.append(f"{figure.value:.3f}{interval}")
    return tuple(cells)


if __name__ == "__main__":
    main()

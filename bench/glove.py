"""Our GloVe against the published program, on the same counts.

    python -m bench.glove [--root .] [--lang en] [--program glove] [--dimensions 50] [--epochs 15]

Exports the counts of a build in the format of the published programs, shuffles them as `shuffle`
does, trains both on one thread, and shows Spearman's correlation of each with the gold sets, over
covered pairs. Build the program from its source (nlp.stanford.edu/projects/glove); it has to be on
the PATH or be named by `--program`. Both start from random numbers, so two runs of one program with
different numbers differ, too: `--seeds 2` trains ours twice and shows by how much.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from pipeline.count.export import RECORD, export
from pipeline.count.store import read_counts
from pipeline.extras.glove_training import schedule, start, train_epoch, word_vectors
from pipeline.fetch.gold_sets import read_gold_sets
from pipeline.layout import Layout
from pipeline.measures.svd import unit_rows
from pipeline.vector_settings import Glove
from pipeline.words.gold_words import gold_form
from wordkin.judging.pairs import PlacedPairs, place, read_pairs
from wordkin.vocabulary import Vocabulary

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Comparison:
    """Where the counts are, and how both programs train."""

    layout: Layout
    settings: Glove

    def theirs(self, program: str, folder: Path) -> Vectors:
        """The vectors of the published program."""
        export(self.layout, "glove", folder)
        records = np.fromfile(folder / "cooccurrence.bin", RECORD)
        np.random.default_rng(self.settings.seed).shuffle(records)
        records.tofile(folder / "cooccurrence.shuf.bin")
        del records
        options = {
            "input-file": folder / "cooccurrence.shuf.bin",
            "vocab-file": folder / "vocab.txt",
            "save-file": folder / "vectors",
            "vector-size": self.settings.dimensions,
            "iter": self.settings.epochs,
            "eta": self.settings.learning_rate,
            "x-max": self.settings.maximum,
            "alpha": self.settings.exponent,
            "threads": 1,
            "binary": 0,
            "model": 2,
        }
        given = [text for name, value in options.items() for text in (f"-{name}", str(value))]
        subprocess.run([program, *given], check=True)
        return read_vectors(folder / "vectors.txt", len(self.vocabulary))

    def ours(self, seed: int) -> Vectors:
        """The vectors of our stage."""
        settings, counts = self.settings, read_counts(self.layout.counts)
        pairs = schedule(counts, settings.maximum, settings.exponent, seed)
        model = start(counts.words, settings.dimensions, seed)
        for _ in range(settings.epochs):
            train_epoch(model, pairs, settings.learning_rate)
        return unit_rows(word_vectors(model).astype(np.float64))

    @property
    def vocabulary(self) -> Vocabulary:
        """The words that are trained."""
        return Vocabulary.read(self.layout.vocabulary / "vocabulary.tsv")

    def gold(self) -> Iterator[tuple[str, PlacedPairs]]:
        """The gold sets that the stage fetch left, by name."""
        form = gold_form(self.layout, lemmatize=False)
        for described in read_gold_sets(self.layout.gold).sets:
            path = self.layout.gold / f"{described['name']}.tsv"
            yield described["name"], place(read_pairs(path), self.vocabulary, form)


def read_vectors(path: Path, words: int) -> Vectors:
    """The vectors of a file of the published program, which has a vector `<unk>` at its end."""
    with path.open(encoding="utf-8") as lines:
        rows = [line.split()[1:] for line, _ in zip(lines, range(words), strict=False)]
    return unit_rows(np.array(rows, np.float64))


def spearman(vectors: Vectors, placed: PlacedPairs) -> float:
    """The correlation of cosines with the ratings of covered pairs."""
    cosines = np.einsum("ij,ij->i", vectors[placed.first], vectors[placed.second])
    return float(spearmanr(cosines, placed.gold[placed.covered]).statistic)


def main() -> None:
    """Train both and print one line per gold set."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--root", type=Path, default=Path(), help="the project's folder")
    parser.add_argument("--lang", default="en", help="the language, en by default")
    parser.add_argument("--program", default="glove", help="the published program")
    parser.add_argument("--dimensions", type=int, default=50)
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--seeds", type=int, default=1, help="how often ours is trained")
    given = parser.parse_args()
    program = shutil.which(given.program)
    if program is None:
        parser.error(f"there is no program '{given.program}': build GloVe, or name it")
    layout = Layout(given.root.resolve(), given.lang)
    comparison = Comparison(layout, Glove(dimensions=given.dimensions, epochs=given.epochs))
    with TemporaryDirectory(dir=layout.matrices) as folder:
        columns = {"theirs": comparison.theirs(program, Path(folder))}
    columns |= {f"ours, seed {seed}": comparison.ours(seed) for seed in range(given.seeds)}
    print(f"{'':16}" + "".join(f"{name:>14}" for name in columns) + f"{'pairs':>8}")
    for name, placed in comparison.gold():
        cells = "".join(f"{spearman(vectors, placed):14.3f}" for vectors in columns.values())
        print(f"{name:16}{cells}{int(placed.covered.sum()):8,}")


if __name__ == "__main__":
    main()

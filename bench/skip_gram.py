"""Skip-gram vectors: our training beside the fastText library's, in time and in quality.

    python -m bench.skip_gram [--lang en] [--gold MEN WS-353-rel WS-353]

Both train on the tokens of the last build with the settings of `params.yaml`, on one core. The last
line is what all cores could do with the same bytes each time: two halves of the documents trained
apart from the same start, and the mean of both. Quality is Spearman over all pairs of a gold set; a
pair with a word that was too rare to train counts as unrelated.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import fasttext as library
import numpy as np
from numpy.typing import NDArray

from pipeline.layout import Layout
from pipeline.measures import fasttext, negative_sampling
from pipeline.measures.training_text import TrainingText, read_text
from pipeline.params import load_settings
from pipeline.settings import Fasttext
from pipeline.stage import measure_names
from pipeline.words import token_shards
from pipeline.words.gold_words import gold_form
from wordkin.judging.correlation import correlate
from wordkin.judging.pairs import place, read_pairs
from wordkin.vocabulary import Vocabulary

Vectors = NDArray[np.float32]


def by_library(layout: Layout, words: Sequence[str], settings: Fasttext, folder: Path) -> Vectors:
    """The vectors of the library, one thread."""
    with (folder / "tokens.txt").open("wb") as file:
        for shard in token_shards.shard_files(layout.tokens):
            for lines in token_shards.lines_of_text(shard):
                file.writelines(lines)
    model = library.train_unsupervised(
        str(folder / "tokens.txt"), model="skipgram", dim=settings.dimensions, ws=settings.window,
        epoch=settings.epochs, lr=settings.learning_rate, minCount=settings.minimum_count,
        t=settings.sampling, minn=settings.subwords[0], maxn=settings.subwords[1], thread=1,
        bucket=settings.buckets, verbose=0,
    )  # fmt: skip
    return np.stack([model.get_word_vector(word) for word in words])


def by_us(text: TrainingText, words: Sequence[str], settings: Fasttext) -> Vectors:
    """Our vectors."""
    return fasttext.train(text, settings).vectors(words)


def by_halves(text: TrainingText, words: Sequence[str], settings: Fasttext) -> Vectors:
    """The mean of vectors that every other document and the rest were trained on."""
    prepared = fasttext.prepare(text, settings)
    plan = negative_sampling.Plan(
        settings.window, fasttext.NEGATIVES, settings.epochs, settings.learning_rate
    )
    sizes = np.diff(text.bounds)
    trained = []
    for half in range(2):
        in_half = np.arange(len(sizes)) % 2 == half
        tokens = text.tokens[np.repeat(in_half, sizes)]
        bounds = np.cumsum([0, *sizes[in_half]])
        start = prepared.model
        model = negative_sampling.Model(
            start.inputs.copy(), start.outputs.copy(), start.state + np.uint64(half)
        )
        negative_sampling.train(
            model, tokens, bounds, prepared.words_of, prepared.chances, prepared.rows,
            prepared.table, plan,
        )  # fmt: skip
        trained.append(model.inputs)
    rows = {word: at for at, word in enumerate(prepared.words)}
    return fasttext.Trained(rows, np.float32(0.5) * (trained[0] + trained[1]), settings).vectors(
        words
    )


def quality(
    vectors: Vectors, layout: Layout, vocabulary: Vocabulary, gold: Sequence[str], lemmatize: bool
) -> Mapping[str, float]:
    """Spearman over all pairs of each gold set."""
    units = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    form = gold_form(layout, lemmatize)
    figures = {}
    for name in gold:
        placed = place(read_pairs(layout.gold / f"{name}.tsv"), vocabulary, form)
        scores = np.zeros(len(placed.gold))
        scores[placed.covered] = (units[placed.first] * units[placed.second]).sum(axis=1)
        figures[name] = correlate(placed, scores, resamples=10, seed=0).spearman_all.statistic
    return figures


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--lang", default="en", help="the language, en by default")
    parser.add_argument("--gold", nargs="+", default=["MEN", "WS-353-rel", "WS-353"])
    given = parser.parse_args()
    layout = Layout(Path().resolve(), given.lang)
    settings = load_settings(layout.root / "params.yaml", measure_names())
    path = layout.vocabulary / "vocabulary.tsv"
    if not path.is_file():
        parser.error(f"{path} is missing: run make run first")
    vocabulary = Vocabulary.read(path)
    words, options = vocabulary.words, settings.fasttext
    if settings.of(given.lang).lemmatize:
        parser.error("the library is given forms: choose a language that is not counted by lemma")
    print(f"| {'trained by':32} | seconds |" + "".join(f" {name} |" for name in given.gold))
    print(f"|{'-' * 34}|--------:|" + "".join(f"{'-' * (len(n) + 1)}:|" for n in given.gold))
    with tempfile.TemporaryDirectory() as name:
        text = read_text(layout, Path(name) / "tokens.bin")
        by_us(
            text._replace(tokens=text.tokens[:1000], bounds=text.bounds[:1]),
            words[:1],
            Fasttext(minimum_count=1, dimensions=options.dimensions),
        )  # loads the kernel
        ways = {
            "the fastText library, one thread": lambda: by_library(
                layout, words, options, Path(name)
            ),
            "ours": lambda: by_us(text, words, options),
            "ours, two halves, their mean": lambda: by_halves(text, words, options),
        }
        for title, way in ways.items():
            began = time.process_time()
            vectors = way()
            seconds = time.process_time() - began
            figures = quality(vectors, layout, vocabulary, given.gold, lemmatize=False)
            cells = (f" {figures[n]:>{len(n)}.3f} |" for n in given.gold)
            print(f"| {title:32} | {seconds:>7.1f} |" + "".join(cells), flush=True)


if __name__ == "__main__":
    main()

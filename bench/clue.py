"""How long a clue takes: 15,000 words, 25 cards, numbers 1 to 4, for each kind of measure.

The relatedness is made up; only its size and shape matter here. Run with `python -m bench.clue`.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from wordkin.bundle import Bundle, load, write_bundle
from wordkin.game.board import Board
from wordkin.game.board_view import look
from wordkin.game.guesser import Guesser
from wordkin.game.scoring import SCORINGS
from wordkin.game.spymaster import Spymaster
from wordkin.measures import write_measure
from wordkin.vocabulary import Vocabulary

WORDS, KEPT, DIMENSIONS, BOARDS = 15_000, 1_000, 300, 20


def main() -> None:
    """Build the made-up bundle, and print a line for each thing that is timed."""
    with TemporaryDirectory() as folder:
        place = make_bundle(Path(folder))
        print(f"{WORDS:,} words, 25 cards; milliseconds, the middle of {BOARDS}")
        show("open the bundle", [timed(partial(load, place)) for _ in range(BOARDS)])
        bundle = load(place)
        boards = [Board.deal(bundle.vocabulary.words, seed) for seed in range(BOARDS)]
        for name in bundle.measures:
            show(
                f"look at 25 cards, {name}",
                [timed(partial(look, bundle.measures[name], board, "en")) for board in boards],
            )
        for scoring in SCORINGS:
            show(f"clue, sparse, {scoring}", clue_times(bundle, "sparse", scoring, boards))
        for name in ("full", "vectors"):
            show(f"clue, {name}, harmonic", clue_times(bundle, name, "harmonic", boards))
        guesser = Guesser(bundle, "sparse")
        clues = bundle.vocabulary.words[:BOARDS]
        show(
            "guess, sparse",
            [
                timed(partial(guesser.rank, clue, board.words))
                for clue, board in zip(clues, boards, strict=True)
            ],
        )


def clue_times(bundle: Bundle, measure: str, scoring: str, boards: list[Board]) -> list[float]:
    """The time of a clue for each board, after one to warm up."""
    spymaster = Spymaster(bundle, measure, scoring)
    spymaster.clue(boards[0])
    return [timed(partial(spymaster.clue, board)) for board in boards]


def timed(work: Callable[[], object]) -> float:
    """How many milliseconds `work` takes."""
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def show(what: str, times: list[float]) -> None:
    print(f"  {what:<34} {statistics.median(times):8.2f}   least {min(times):8.2f}", flush=True)


def make_bundle(folder: Path) -> Path:
    """A bundle with a sparse, a full and a vector measure of made-up relatedness."""
    chance = np.random.default_rng(0)
    words = sorted({"".join(row) for row in chance.choice(list("abcdefghijklmnopr"), (20_000, 9))})
    vocabulary = Vocabulary(words[:WORDS], range(WORDS, 0, -1), range(WORDS, 0, -1))
    vocabulary.write(folder / "vocabulary.tsv")
    # Each row has its columns at even steps from a start of its own: ascending, cheap, spread out.
    starts = chance.integers(0, WORDS // KEPT, WORDS)[:, None]
    columns = starts + np.arange(0, WORDS, WORDS // KEPT)[None, :KEPT]
    write_measure(
        folder / "sparse",
        "sparse",
        "csr",
        {
            "indptr": np.arange(0, WORDS * KEPT + 1, KEPT, dtype=np.int64),
            "indices": columns.astype(np.int32).ravel(),
            "values": chance.random(WORDS * KEPT, dtype=np.float32) * np.float32(0.8),
        },
    )
    vectors = chance.standard_normal((WORDS, DIMENSIONS), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    write_measure(folder / "vectors", "vectors", "vectors", {"vectors": vectors})
    values = np.tile(chance.random((1, WORDS), dtype=np.float32).astype(np.float16), (WORDS, 1))
    write_measure(folder / "full", "full", "dense", {"values": values})
    names = ("sparse", "full", "vectors")
    write_bundle(
        folder / "bundle",
        language="en",
        vocabulary=folder / "vocabulary.tsv",
        measures={name: folder / name for name in names},
        default="sparse",
    )
    return folder / "bundle"


if __name__ == "__main__":
    main()

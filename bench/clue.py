"""The time of a clue for each kind of measure: 15,000 words, 25 cards, numbers 1 to 4.

The relatedness is made up, because only its size and shape matter. Run with `python -m bench.clue`.

    python -m bench.clue --bundle en --words boards.txt

times the default clue of a real bundle instead, in processor time: for 25 cards, and for all words
of the list as one board.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from wordkin.bundle import Bundle, load
from wordkin.bundle_folder import write_bundle
from wordkin.files import read_words
from wordkin.game.board import Board
from wordkin.game.board_view import view_board
from wordkin.game.guesser import Guesser
from wordkin.game.scoring import SCORINGS
from wordkin.game.spymaster import Spymaster
from wordkin.measures.files import write_matrix
from wordkin.vocabulary import Vocabulary

WORDS, PAIRS_PER_WORD, DIMENSIONS, BOARDS = 15_000, 1_000, 300, 20


def main() -> None:
    """Time the clues of a bundle, or of a made-up one."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bundle", help="a bundle, as for load; needs --words")
    parser.add_argument("--words", type=Path, help="the words to deal boards from")
    given = parser.parse_args()
    if given.bundle and given.words:
        time_bundle(load(given.bundle), read_words(given.words))
    else:
        time_made_up()


def time_bundle(bundle: Bundle, words: list[str]) -> None:
    """Print the processor time of the default clue.

    A turn with new cards is the first of a game, or one on a table that was never seen. In the
    next turn two cards are gone.
    """
    spymaster, half = Spymaster(bundle), len(words) // 2
    boards = [Board.deal(words, seed) for seed in range(BOARDS)]
    large = Board.of(words[:half], words[half:-1], assassin=words[-1:])
    print(f"{len(bundle.vocabulary):,} words, {len(spymaster.candidates.ids):,} candidates")
    print(f"  the first clue: {processor_time(spymaster, boards[0]):.0f} ms")
    for task, tables in (("25 cards", boards), (f"{len(words)} cards", [large, large])):
        new, later = [], []
        for board in tables:
            spymaster.candidates.clear()
            new.append(processor_time(spymaster, board))
            later.append(processor_time(spymaster, board.without(board.words[:2])))
        print(
            f"  {task}: new cards {statistics.median(new):.1f} ms, "
            f"next turn {statistics.median(later):.1f} ms"
        )


def processor_time(spymaster: Spymaster, board: Board) -> float:
    """Return the milliseconds of processor time that a clue takes."""
    start = time.process_time()
    spymaster.clue(board)
    return 1000 * (time.process_time() - start)


def time_made_up() -> None:
    """Build a made-up bundle, and print one line per task that is timed."""
    with TemporaryDirectory() as folder:
        place = make_bundle(Path(folder))
        print(f"{WORDS:,} words, 25 cards; milliseconds, median of {BOARDS}")
        show("open the bundle", [timed(partial(load, place)) for _ in range(BOARDS)])
        bundle = load(place)
        boards = [Board.deal(bundle.vocabulary.words, seed) for seed in range(BOARDS)]
        for name in bundle.measures:
            among = bundle.measures[name].among(range(len(bundle.vocabulary)))
            show(
                f"view 25 cards, {name}",
                [timed(partial(view_board, bundle, among, board)) for board in boards],
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
    """Return the time of a clue for each board, after one clue to warm up."""
    spymaster = Spymaster(bundle, measure, scoring)
    spymaster.clue(boards[0])
    spymaster.candidates.clear()
    return [timed(partial(spymaster.clue, board)) for board in boards]


def timed(work: Callable[[], object]) -> float:
    """Return the milliseconds that `work` takes."""
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)


def show(task: str, times: list[float]) -> None:
    """Print the median and the least time of a task."""
    print(f"  {task:<34} {statistics.median(times):8.2f}   least {min(times):8.2f}", flush=True)


def make_bundle(folder: Path) -> Path:
    """Write a bundle with a measure of pairs and one of vectors of made-up relatedness."""
    generator = np.random.default_rng(0)
    words = sorted(
        {"".join(row) for row in generator.choice(list("abcdefghijklmnopr"), (20_000, 9))}
    )
    vocabulary = Vocabulary(words[:WORDS], range(WORDS, 0, -1), range(WORDS, 0, -1))
    vocabulary.write(folder / "vocabulary.tsv")
    # Each row has its columns at even steps from a random start: ascending, cheap, spread out.
    starts = generator.integers(0, WORDS // PAIRS_PER_WORD, WORDS)[:, None]
    columns = starts + np.arange(0, WORDS, WORDS // PAIRS_PER_WORD)[None, :PAIRS_PER_WORD]
    pairs = (
        np.arange(0, WORDS * PAIRS_PER_WORD + 1, PAIRS_PER_WORD, dtype=np.int64),
        columns.astype(np.int32).ravel(),
        generator.random(WORDS * PAIRS_PER_WORD, dtype=np.float32) * np.float32(0.8),
    )
    write_matrix(folder / "pairs", "pairs", pairs)
    vectors = generator.standard_normal((WORDS, DIMENSIONS), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    write_matrix(folder / "vectors", "vectors", vectors=vectors)
    names = ("pairs", "vectors")
    write_bundle(
        folder / "bundle",
        language="en",
        vocabulary=folder / "vocabulary.tsv",
        measures={name: folder / name for name in names},
        default="pairs",
    )
    return folder / "bundle"


if __name__ == "__main__":
    main()

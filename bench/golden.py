"""Freeze what a build and its agents do, and compare a later revision with it.

    python -m bench.golden freeze golden.json     # in the folder of a build
    python -m bench.golden compare golden.json    # after a change, in the same or another folder

Frozen are the counts (a hash), values and nearest words of the full matrices, correlations with
gold sets, the clues and guesses of the bundles that come with the library, whole games, and which
words are legal clues. Hashes must be equal; numbers and clues are compared one by one, and the
table says how far they are apart. It ends with 1 if counts, legality, npmi or graph differ.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import spearmanr

import wordkin
from pipeline.count.store import read_counts
from pipeline.layout import Layout
from wordkin.bundle import Bundle
from wordkin.errors import NoClue
from wordkin.game.board import board_words
from wordkin.game.game import Game
from wordkin.game.legality import Legality
from wordkin.game.play import Seats, play_game
from wordkin.game.rules import RULES
from wordkin.measures.measure import Measure
from wordkin.measures.store import open_measure
from wordkin.vocabulary import Vocabulary

LANGUAGES = ("en", "hu")
MATRICES = ("npmi", "squared", "graph", "svd", "fasttext", "blend")
EXACT = ("counts", "legality", "npmi", "graph")
"""What no change may alter, unless it says so."""
GOLD = ("MEN", "WS-353-rel")
PAIRS, WORDS, NEAREST = 20_000, 200, 10
BOARDS, GAMES = 500, 100

Frozen = dict[str, Any]


def freeze(root: Path) -> Frozen:
    """Everything that is compared, by language."""
    return {language: {**_build(root, language), **_play(language)} for language in LANGUAGES}


def _build(root: Path, language: str) -> Frozen:
    """What the matrices of a build say."""
    layout = Layout(root, language)
    counts = read_counts(layout.counts)
    digest = hashlib.sha256()
    for array in (counts.indptr, counts.indices, counts.values):
        digest.update(np.ascontiguousarray(array, dtype=np.int64).tobytes())
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    frozen: Frozen = {"words": len(vocabulary), "counts": digest.hexdigest()}
    for name in MATRICES:
        measure = open_measure(layout.measure(name), vocabulary, find=layout.measure)
        frozen[name] = _matrix(measure, vocabulary)
        frozen[f"{name} correlations"] = _correlations(measure, vocabulary, layout.gold)
    return frozen


def _matrix(measure: Measure, vocabulary: Vocabulary) -> Frozen:
    """The values of pairs, half of them of frequent words, and the nearest words of some."""
    draws = np.random.default_rng(0)
    frequent = draws.integers(0, min(3000, len(vocabulary)), (2, PAIRS // 2))
    any_words = draws.integers(0, len(vocabulary), (2, PAIRS // 2))
    a, b = np.concatenate([frequent, any_words], axis=1)
    words = draws.choice(min(5000, len(vocabulary)), WORDS, replace=False).tolist()
    near = {vocabulary.words[word]: measure.closest(word, NEAREST)[0].tolist() for word in words}
    values = measure.pairs(a[a != b], b[a != b])
    return {"values": np.round(values.astype(float), 6).tolist(), "nearest": near}


def _correlations(measure: Measure, vocabulary: Vocabulary, folder: Path) -> Frozen:
    """Spearman's correlation with each gold set, of the pairs whose words are known."""
    found: Frozen = {}
    for name in GOLD:
        path = folder / f"{name}.tsv"
        if not path.is_file():
            continue
        lines = [line.split("\t") for line in path.read_text("utf-8").splitlines()[1:]]
        known = [row for row in lines if row[0] in vocabulary.ids and row[1] in vocabulary.ids]
        ids = [[vocabulary.ids[row[at]] for row in known] for at in (0, 1)]
        scores = [float(row[2]) for row in known]
        found[name] = round(float(spearmanr(measure.pairs(*ids), scores).statistic), 4)
    return found


def _play(language: str) -> Frozen:
    """What the agents of the bundle that comes with the library say."""
    starter = Path(wordkin.__file__).parent / "starter" / language
    bundle, words = wordkin.load(starter), board_words(language)
    spymaster, guesser = wordkin.Spymaster(bundle), wordkin.Guesser(bundle)
    clues = []
    for seed in range(BOARDS):
        board = RULES["teams"].deal_board(words, seed)
        try:
            clue = spymaster.clue(board)
        except NoClue:
            clues.append("no clue")
            continue
        cards = list(board.words)
        picks = guesser.guess(clue.word, clue.number, cards)
        clues.append(f"{clue.word} {clue.number}: {', '.join(picks)}")
    games = []
    for seed in range(GAMES):
        game = Game(RULES["solitaire"].deal_board(words, seed), RULES["solitaire"])
        play_game(game, [Seats(wordkin.Spymaster(bundle), wordkin.Guesser(bundle))])
        games.append(f"{game.end} {len(game.moves)}")
    return {"clues": clues, "games": games, "legality": _legality(bundle, words)}


def _legality(bundle: Bundle, words: Sequence[str]) -> str:
    """A hash of what is said about clues that begin like a card, and about some others."""
    draw = random.Random(0)
    legality, digest = Legality.of(bundle), hashlib.sha256()
    known = bundle.vocabulary.words
    for card in words:
        alike = [word for word in known if word[:3] == card[:3]]
        for clue in [*alike, *draw.sample(known, 50)]:
            objection = legality.objection(clue, [card])
            digest.update(f"{card} {clue} {objection and objection.rule}\n".encode())
    return digest.hexdigest()


def compare(before: Mapping[str, Frozen], after: Mapping[str, Frozen]) -> bool:
    """Print how far two frozen states are apart; whether all that must be equal is."""
    is_same = True
    for language, frozen in before.items():
        print(f"== {language}")
        for name, old in frozen.items():
            new = after[language][name]
            is_same &= old == new or name not in EXACT
            print(f"{name:22} {'the same' if old == new else _difference(old, new)}")
    return is_same


def _difference(old: Any, new: Any) -> str:
    if isinstance(old, dict) and "values" in old:
        gap = np.abs(np.subtract(old["values"], new["values"]))
        shared = [
            len({*old["nearest"][word]} & {*new["nearest"].get(word, ())}) / NEAREST
            for word in old["nearest"]
        ]
        return (
            f"values differ by {gap.mean():.6f} on average and {gap.max():.6f} at most; "
            f"{100 * np.mean(shared):.1f} % of the nearest {NEAREST} are the same"
        )
    if isinstance(old, dict):
        return ", ".join(f"{key} {value} -> {new.get(key)}" for key, value in old.items())
    if isinstance(old, list):
        same = sum(a == b for a, b in zip(old, new, strict=True))
        return f"{same} of {len(old)} are the same"
    return f"{old} -> {new}" if isinstance(old, int) else "DIFFERENT"


def main() -> int:
    """Freeze or compare."""
    command = argparse.ArgumentParser(prog="python -m bench.golden", description=__doc__)
    command.add_argument("what", choices=["freeze", "compare"])
    command.add_argument("file", type=Path)
    command.add_argument("--root", type=Path, default=Path(), help="the folder of the build")
    given = command.parse_args()
    frozen = freeze(given.root.resolve())
    if given.what == "freeze":
        given.file.write_text(json.dumps(frozen, ensure_ascii=False), encoding="utf-8")
        return 0
    before = json.loads(given.file.read_text(encoding="utf-8"))
    return 0 if compare(before, frozen) else 1


if __name__ == "__main__":
    sys.exit(main())

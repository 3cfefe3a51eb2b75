"""The Python examples of the documentation run as they stand."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import wordkin
from tests.support.bundles import make_bundle

DOCS = Path(__file__).resolve().parents[3] / "docs"

RATED = "piano\tviolin\t9\nmouse\tkeyboard\t8\nship\tcheese\t1\npiano\tcat\t2\nship\tunheard\t3\n"
ROUNDS = {
    "lang": "en", "board": 1, "words": ["piano", "mouse", "bison", "tree"], "blue": ["piano"],
    "clue": "keyboard", "n": 2, "rounds": [{"session": "a", "picks": ["piano", "mouse"]}],
}  # fmt: skip


def examples(page: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the examples name; it is the current folder."""
    make_bundle(tmp_path / "matrices" / "en")
    (tmp_path / "my.tsv").write_text(RATED, encoding="utf-8")
    (tmp_path / "rounds.jsonl").write_text(json.dumps(ROUNDS) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_example_of_evaluation(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = examples("evaluation.md")
    exec(example, {})
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith(" ('unheard',)")
    assert second == "False"


def test_the_example_of_judging(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = wordkin.load(project / "matrices" / "en" / "bundle")
    monkeypatch.setattr(wordkin, "load", lambda name: bundle, raising=False)
    (example,) = examples("judging.md")
    exec(example, {})
    assert "Estimate(value=1.0, low=1.0, high=1.0)" in capsys.readouterr().out

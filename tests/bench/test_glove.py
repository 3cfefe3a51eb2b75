"""The comparison with the published GloVe, with a stand-in for the program."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from bench import glove
from pipeline.count.export import RECORD
from pipeline.layout import Layout
from pipeline.stage import stage_named
from tests.support.project import make_project, run_stage

PROGRAM = f"""#!{sys.executable}
# Trains nothing: writes the options and one vector per word, as the published program would.
import sys
options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
words = [line.split()[0] for line in open(options["-vocab-file"], encoding="utf-8")]
with open(options["-save-file"] + ".txt", "w", encoding="utf-8") as out:
    for at, word in enumerate([*words, "<unk>"]):
        print(word, at + 1, *[1] * (int(options["-vector-size"]) - 1), file=out)
open(PLACE + "/options", "w").write(repr(options))
open(PLACE + "/records", "wb").write(open(options["-input-file"], "rb").read())
"""


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    layout = make_project(tmp_path_factory.mktemp("glove"))
    for name in ("fetch", "tokens", "vocabulary", "counts"):
        run_stage(stage_named(name), layout)
    return layout


def run(layout: Layout, program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = ["--root", str(layout.root), "--dimensions", "4", "--epochs", "2", "--seeds", "2"]
    monkeypatch.setattr("sys.argv", ["glove", *options, "--program", str(program)])
    glove.main()


def test_both_are_trained_on_the_same_counts(
    layout: Layout,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    program = tmp_path / "theirs"
    program.write_text(PROGRAM.replace("PLACE", repr(str(tmp_path))))
    program.chmod(0o755)
    before = sorted(layout.matrices.iterdir())
    run(layout, program, monkeypatch)
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["theirs", "ours,", "seed", "0", "ours,", "seed", "1", "pairs"]
    assert lines and all(len(line.split()) == 5 for line in lines)
    options = (tmp_path / "options").read_text()
    for wanted in ("'-vector-size': '4'", "'-iter': '2'", "'-eta': '0.05'", "'-model': '2'"):
        assert wanted in options
    records = np.fromfile(tmp_path / "records", RECORD)
    pairs = {(int(a), int(b)): float(x) for a, b, x in records.tolist()}
    assert len(pairs) == len(records) and all(pairs[b, a] == x for (a, b), x in pairs.items())
    assert sorted(layout.matrices.iterdir()) == before


def test_a_missing_program_is_named(
    layout: Layout, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(layout, Path("no-such-program"), monkeypatch)
    assert "no-such-program" in capsys.readouterr().err

"""The whole pipeline on a made-up language, as `make run` builds it, against the oracle."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from ruamel.yaml import YAML

from pipeline.layout import Layout
from pipeline.settings import IN_PROCESS
from pipeline.stages import all_stages
from tests.support import oracle
from tests.support.corpora import files
from tests.support.root import ROOT
from wordkin.measures.measure import Measure
from wordkin.measures.store import open_measure
from wordkin.vocabulary import Vocabulary

pytestmark = pytest.mark.slow

NAMES = [stage.name for stage in all_stages()]
TOPICS = [
    "kapa lapu mira nosi",
    "tavo sume rilo peka",
    "dune hobi wasa zelu",
    "kapa tavo dune gori",
]
STOP_WORDS = ["eh", "oh"]


def sentences() -> list[list[str]]:
    """Some hundred sentences in which the words of a topic keep company."""
    chance = random.Random(7)
    made = []
    for _ in range(300):
        words = chance.choice(TOPICS).split() + STOP_WORDS
        made.append([chance.choice(words) for _ in range(chance.randint(3, 9))])
    return made


def call(project: Path, *command: str, spark: str = IN_PROCESS) -> str:
    """Run a command in the project as a person would; what it said."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "WORDKIN_SPARK_MASTER": spark,
    }
    environment.pop("WORDKIN_MIRROR", None)
    done = subprocess.run(
        command, cwd=project, env=environment, text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def ran(said: str) -> set[str]:
    """The stages that `dvc repro` ran."""
    return {stage for stage in NAMES if f"Running stage '{stage}@qq'" in said}


@pytest.fixture(scope="module")
def project(small_project: Layout, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A throw-away project with one made-up language."""
    root = tmp_path_factory.mktemp("project")
    for name in ("pipeline", "wordkin"):
        # The kernels come along that were compiled when the small project was built.
        shutil.copytree(ROOT / name, root / name)
    shutil.copy(ROOT / "dvc.yaml", root)
    shutil.copy(ROOT / ".dvcignore", root)
    shutil.copy(ROOT / ".gitignore", root)
    (root / "eval").mkdir()
    shutil.copy(ROOT / "eval" / "published.yaml", root / "eval")
    gold = "kapa\tlapu\t9\nkapa\tmira\t8\nkapa\tsume\t2\nlapu\twasa\t1\ntavo\tnone\t5\n"
    (root / "eval" / "qq.tsv").write_text(gold)
    (root / "eval" / "gold.yaml").write_text(
        "sets:\n  - {name: own, language: qq, kind: relatedness, location: eval/qq.tsv}\n"
    )
    raw = root / "corpora" / "qq" / "raw"
    raw.mkdir(parents=True)
    (raw / "text.txt").write_text("".join(f"{' '.join(s)}.\n" for s in sentences()))
    (raw / "stop.txt").write_text("\n".join(STOP_WORDS))
    yaml = YAML()
    params = yaml.load((ROOT / "params.yaml").read_text(encoding="utf-8"))
    params["languages"] = {
        "qq": {
            "lemmatize": False,
            "vocabulary": {"size": 10, "stop_words": "corpora/qq/raw/stop.txt"},
            "sources": [{"name": "own", "location": "corpora/qq/raw/text.txt", "format": "text"}],
        }
    }
    params["counts"]["window"] = 3
    params["squared"]["neighbours"] = params["graph"]["top"] = "all"
    params["fasttext"].update({"dimensions": 8, "epochs": 2, "buckets": 1000})
    params["report"]["resamples"] = 100
    yaml.dump(params, root / "params.yaml")
    call(root, "git", "init", "--quiet")
    call(root, "dvc", "init", "--quiet")
    call(root, "dvc", "config", "core.analytics", "false")
    call(root, "git", "add", "--all")
    who = ["-c", "user.name=tests", "-c", "user.email=tests@localhost"]
    call(root, "git", *who, "commit", "--quiet", "--message", "made for a test")
    return root


@pytest.fixture(scope="module")
def built(project: Path) -> Path:
    said = call(project, "python", "-m", "pipeline", "run", spark="local[2]")
    done = re.findall(rf"^\[ *\d+/{len(NAMES)}\] (\w+) qq: ", said, flags=re.MULTILINE)
    assert sorted(done) == sorted(NAMES)
    assert "== qq" in said  # the summary
    return project


def expected(window: int = 3) -> tuple[list[str], dict[str, dict[tuple[str, str], float]]]:
    # Documents are lines here, and a line said twice is a copy.
    documents = [list(line) for line in dict.fromkeys(map(tuple, sentences()))]
    words = oracle.vocabulary(documents, 10, STOP_WORDS)
    counts = oracle.window_counts(documents, words, window, "linear", STOP_WORDS)
    npmi = oracle.npmi(counts)
    return words, {
        "counts": dict(counts),
        "npmi": npmi,
        "squared": oracle.squared(npmi, words),
        "graph": oracle.graph(npmi, words),
    }


def opened(project: Path, measure: str) -> Measure:
    folder = project / "matrices" / "qq"
    return open_measure(folder / measure, Vocabulary.read(folder / "vocabulary/vocabulary.tsv"))


def test_vocabulary_and_counts_are_the_oracle_s(built: Path) -> None:
    words, values = expected()
    folder = built / "matrices" / "qq"
    assert Vocabulary.read(folder / "vocabulary/vocabulary.tsv").words == words
    indptr, indices, numbers = (
        np.load(folder / "counts" / f"{name}.npy") for name in ("indptr", "indices", "values")
    )
    got = {
        (words[row], words[indices[at]]): int(numbers[at])
        for row in range(len(words))
        for at in range(indptr[row], indptr[row + 1])
    }
    both_ways = got | {(b, a): n for (a, b), n in got.items()}
    assert both_ways == values["counts"]


@pytest.mark.parametrize("measure", ["npmi", "squared", "graph"])
def test_matrices_are_the_oracle_s(built: Path, measure: str) -> None:
    words, values = expected()
    made = opened(built, measure)
    pairs = [(a, b) for a in words for b in words if a != b]
    got = [made.relatedness(a, b) for a, b in pairs]
    wanted = [values[measure].get(pair, 0.0) for pair in pairs]
    assert got == pytest.approx(wanted, abs=1e-5)
    assert [made.relatedness(w, w) for w in words] == [0.0] * len(words)


def test_the_bundle_gives_clues(built: Path) -> None:
    call(built, "wordkin", "verify", "--bundle", "matrices/qq/bundle")
    ours, theirs = "kapa lapu", "sume wasa"
    said = call(
        built, "wordkin", "clue", "--bundle", "matrices/qq/bundle",
        "--ours", ours, "--theirs", theirs, "-n", "2", "--json",
    )  # fmt: skip
    (clue,) = json.loads(said)
    assert {target["word"] for target in clue["targets"]} == set(ours.split())


def test_the_report_and_the_figures_are_there(built: Path) -> None:
    assert "npmi" in (built / "eval" / "qq" / "report.md").read_text()
    assert "<html" in (built / "eval" / "qq" / "report.html").read_text()
    shown = call(built, "dvc", "metrics", "show")
    assert "spearman" in shown and "density" in shown
    assert "counts@qq" in call(built, "dvc", "dag")


def test_the_second_time_nothing_runs(built: Path) -> None:
    # Up to here, tests only read what `pipeline run` has built.
    said = call(built, "dvc", "repro")
    assert ran(said) == set()
    assert "is empty" not in said


def test_a_team_builds_once(built: Path, tmp_path: Path) -> None:
    first = Path(shutil.copytree(built, tmp_path / "first", symlinks=True))
    call(first, "dvc", "remote", "add", "--default", "team", str(tmp_path / "remote"))
    call(first, "dvc", "push", "--quiet")
    made = ["corpora/qq/tokens", "matrices/qq/counts", "matrices/qq/bundle", "eval/qq"]
    not_shared = shutil.ignore_patterns("cache", "tmp", "fetched", "tokens", "matrices", "gold")
    second = Path(shutil.copytree(first, tmp_path / "second", symlinks=True, ignore=not_shared))
    assert not (second / "matrices").exists()
    call(second, "dvc", "pull", "--quiet", "--allow-missing")
    for name in made:
        assert files(second / name) == files(first / name)
    # What was downloaded is not in the cache, so fetch looks whether it is there.
    assert ran(call(second, "dvc", "repro")) <= {"fetch"}


def test_a_new_window_runs_counts_and_what_follows_alone(built: Path) -> None:
    said = call(built, "dvc", "exp", "run", "--set-param", "counts.window=2")
    assert ran(said) == set(NAMES) - {"fetch", "tokens", "vocabulary", "fasttext"}
    words, values = expected(window=2)
    npmi = opened(built, "npmi")
    assert npmi.relatedness(*words[:2]) == pytest.approx(values["npmi"].get(tuple(words[:2]), 0.0))
    assert "counts.window" in call(built, "dvc", "params", "diff")


def test_a_comment_in_a_module_runs_nothing(built: Path) -> None:
    call(built, "dvc", "repro")
    module = built / "pipeline" / "count" / "windows.py"
    module.write_text(module.read_text(encoding="utf-8") + "\n# a remark\n", encoding="utf-8")
    assert ran(call(built, "dvc", "repro")) == set()


def test_a_changed_file_is_noticed(built: Path) -> None:
    with (built / "corpora" / "qq" / "raw" / "text.txt").open("a") as file:
        file.write("kapa gori kapa.\n")
    assert {"fetch", "tokens", "counts"} <= ran(call(built, "dvc", "repro", "counts@qq"))

"""A killed driver takes Spark along, and the next run finishes the work.

`test_stages` kills every stage at its steps in the file system; here real Spark is running.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from ruamel.yaml import YAML

from pipeline import spark as spark_module
from pipeline.count import counts
from pipeline.count.codes import Counts
from pipeline.engine import InProcessEngine
from pipeline.layout import Layout
from pipeline.words.type_counts import write_types
from tests.support.corpora import WORDS, files, random_documents, write_source, write_vocabulary
from tests.support.root import ROOT

pytestmark = pytest.mark.slow


def count_in_process(layout: Layout) -> None:
    counts.make_counts(layout, Counts(), 64, InProcessEngine(2))


@pytest.fixture
def project(tmp_path: Path) -> Layout:
    """A language that was counted once, and has a new source since."""
    layout = Layout(tmp_path / "project", "xx")
    write_source(layout, "films", random_documents(1))
    write_vocabulary(layout, WORDS)
    count_in_process(layout)
    write_source(layout, "wiki", random_documents(2), 2)
    layout.types.mkdir()
    write_types(InProcessEngine(2), sorted(layout.tokens.glob("*/*.parquet")), layout.types)
    yaml = YAML()
    params = yaml.load((ROOT / "params.yaml").read_text(encoding="utf-8"))
    source = {"name": "films", "location": "corpora/xx/tokens/films/part-00000.parquet"}
    vocabulary = {"size": len(WORDS), "stop_words": "none"}
    language = {"lemmatize": False, "vocabulary": vocabulary, "sources": [source]}
    params["languages"] = {"xx": language}
    yaml.dump(params, layout.root / "params.yaml")
    return layout


def undisturbed(project: Layout, root: Path) -> dict[str, bytes]:
    """What the stage makes of the project when it is not killed."""
    copy = Layout(shutil.copytree(project.root, root), "xx")
    count_in_process(copy)
    return files(copy.counts)


ON_SPARK = """
import sys
from pipeline.__main__ import main
from pipeline.words import token_shards
token_shards.SMALL_TOKENS = 0
sys.exit(main(["counts", "xx"]))
"""
"""Runs the stage on Spark, although the corpus is small."""


def run_stage(project: Layout, temporary: Path) -> subprocess.Popen[bytes]:
    environment = {
        **os.environ,
        "TMPDIR": str(temporary),
        "WORDKIN_SPARK_MASTER": "local[2]",
        "PYTHONPATH": str(ROOT),
    }
    return subprocess.Popen(
        [sys.executable, "-c", ON_SPARK],
        cwd=project.root, env=environment, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def test_a_killed_driver_takes_spark_along(project: Layout, tmp_path: Path) -> None:
    expected = undisturbed(project, tmp_path / "undisturbed")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    process = run_stage(project, temporary)
    end = time.monotonic() + 120
    while not list(project.matrices.glob("counts.blocks.*.part/block-*")):
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.002)
    below = psutil.Process(process.pid).children(recursive=True)
    assert any("java" in child.name() for child in below)
    process.kill()
    process.wait()
    _, alive = psutil.wait_procs(below, timeout=60)
    assert not alive
    assert run_stage(project, temporary).wait(timeout=120) == 0
    names = {path.name for path in project.matrices.iterdir()}
    assert names == {"vocabulary", "counts", "counted", "counts.json", "runs"}
    assert not list(temporary.iterdir())
    assert files(project.counts) == expected


def test_what_spark_left_of_a_killed_run_is_swept_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    stale = tmp_path / f"{spark_module.SCRATCH}stale"
    (stale / "blockmgr").mkdir(parents=True)
    (tmp_path / "somebody's").mkdir()
    make = spark_module.scratch.__wrapped__  # as another process would
    ours, another = make(), make()
    assert not stale.exists()
    assert ours.is_dir() and another.is_dir()
    assert (tmp_path / "somebody's").is_dir()

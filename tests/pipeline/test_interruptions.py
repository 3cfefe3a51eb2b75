"""Killed at any moment, a stage leaves nothing broken, and the next run finishes the work."""

from __future__ import annotations

import json
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
from pipeline.counting import counts
from pipeline.engine import InProcessEngine
from pipeline.layout import Layout
from pipeline.settings import Counts
from tests.conftest import ROOT
from tests.support.corpora import WORDS, files, random_documents, write_source, write_vocabulary

pytestmark = pytest.mark.slow


def run_plainly(layout: Layout) -> None:
    counts.make_counts(layout, Counts(), 64, InProcessEngine(2))


@pytest.fixture
def project(tmp_path: Path) -> Layout:
    """A language that was counted once, and has a new source since."""
    layout = Layout(tmp_path / "project", "xx")
    write_source(layout, "films", random_documents(1))
    write_vocabulary(layout, WORDS)
    run_plainly(layout)
    write_source(layout, "wiki", random_documents(2), 2)
    yaml = YAML()
    params = yaml.load((ROOT / "params.yaml").read_text(encoding="utf-8"))
    source = {"name": "films", "location": "corpora/xx/tokens/films/part-00000.parquet"}
    vocabulary = {"size": len(WORDS), "stop_words": "none"}
    language = {"lemmatize": False, "vocabulary": vocabulary, "sources": [source]}
    params["languages"] = {"xx": language}
    yaml.dump(params, layout.root / "params.yaml")
    return layout


def test_at_every_step_in_the_file_system(project: Layout, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.killed", str(project.root), str(tmp_path / "work")],
        cwd=ROOT, text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    *killed, last = runs
    assert last["lived"] and len(killed) > 20
    assert last["finished"] == last["left"]
    new = {name: data for name, data in last["finished"].items() if name.startswith("counts/")}
    old = {name: data for name, data in killed[0]["left"].items() if name.startswith("counts/")}
    assert old != new
    for run in killed:
        visible = {name: data for name, data in run["left"].items() if name.startswith("counts/")}
        assert not run["lived"]
        assert visible in (old, new, {})
        assert run["finished"] == last["finished"]  # nothing missing, nothing broken, no strays


def undisturbed(project: Layout, root: Path) -> dict[str, bytes]:
    """What the stage makes of the project when nobody kills it."""
    copy = Layout(shutil.copytree(project.root, root), "xx")
    run_plainly(copy)
    return files(copy.counts)


def run_stage(project: Layout, temporary: Path) -> subprocess.Popen[bytes]:
    environment = {
        **os.environ,
        "TMPDIR": str(temporary),
        "WORDKIN_SPARK_MASTER": "local[2]",
        "PYTHONPATH": str(ROOT),
    }
    return subprocess.Popen(
        [sys.executable, "-m", "pipeline", "counts", "xx"],
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
    process.kill()
    process.wait()
    _, alive = psutil.wait_procs(below, timeout=60)
    assert not alive
    assert run_stage(project, temporary).wait(timeout=120) == 0
    names = {path.name for path in project.matrices.iterdir()}
    assert names == {"vocabulary", "counts", "counted", "counts.json"}
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

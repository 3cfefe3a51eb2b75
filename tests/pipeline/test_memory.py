"""What stages need, what the machine or its container has, and machines with little of all."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from pipeline import memory
from pipeline.layout import Layout
from pipeline.memory import Sizes
from pipeline.settings import Settings, load_settings
from pipeline.stages import TABLE, stage_named
from tests.support.project import make_project
from tests.support.root import ROOT
from wordkin.errors import InputError


@pytest.fixture(scope="module")
def settings() -> Settings:
    return load_settings(ROOT / "params.yaml")


MEASURED = Sizes(
    tokens=113_000_000, types=1_500_000, words=50_024, counted=68_900_000, related=49_435_668,
    by_lemma=False, cores=2, in_process=False,
)  # fmt: skip
"""The corpus whose memory docs/matrices.md says."""


@pytest.mark.parametrize(
    ("stage", "gib"), [("npmi", 3.8), ("squared", 1.7), ("graph", 4.6), ("svd", 2.6)]
)
def test_estimates_are_near_what_was_measured(stage: str, gib: float, settings: Settings) -> None:
    estimate = stage_named(stage).memory(MEASURED, settings) / 2**30 + memory.PROCESS_MIB / 1024
    assert 0.75 * gib <= estimate <= 1.5 * gib


@pytest.mark.parametrize(
    ("stage", "sizes", "mib"),
    [
        ("vocabulary", {"tokens": 97_984_350, "types": 615_363, "words": 20_054}, 564),
        ("vocabulary", {"tokens": 46_152_903, "types": 1_481_473, "by_lemma": True}, 1864),
        ("counts", {"tokens": 97_984_350, "words": 20_054, "cores": 1}, 2111),
        ("counts", {"tokens": 38_273_182, "words": 100_008, "cores": 2}, 3775),
        ("npmi", {"words": 20_054, "counted": 62_204_691}, 2995),
        ("npmi", {"words": 100_008, "counted": 80_797_205}, 4695),
    ],
)
def test_estimates_hold_at_other_sizes(
    stage: str, sizes: dict[str, int], mib: int, settings: Settings
) -> None:
    """As `bench.scale` measured them."""
    estimate = stage_named(stage).memory(dataclasses.replace(MEASURED, **sizes), settings) / 2**20
    assert mib / 2 <= estimate + memory.PROCESS_MIB <= 2 * mib


def test_small_corpora_are_counted_in_one_process(settings: Settings) -> None:
    few = dataclasses.replace(MEASURED, tokens=1_000_000, words=1_000)
    assert stage_named("counts").memory(few, settings) == 2 * 1_000**2
    elsewhere = dataclasses.replace(few, cores=0)
    assert stage_named("counts").memory(elsewhere, settings) > 2 * 1_000**2


@pytest.mark.parametrize("stage", list(TABLE))
def test_more_text_and_words_never_need_less(stage: str, settings: Settings) -> None:
    twice = {
        name: 2 * getattr(MEASURED, name)
        for name in ("tokens", "types", "words", "counted", "related")
    }
    more = dataclasses.replace(MEASURED, **twice)
    assert (
        0
        <= stage_named(stage).memory(MEASURED, settings)
        <= stage_named(stage).memory(more, settings)
    )


def test_sizes_come_from_metrics_or_else_from_settings(tmp_path: Path, settings: Settings) -> None:
    layout = Layout(tmp_path, "en")
    before = Sizes.of(layout, settings)
    assert before.words == settings.of("en").vocabulary.size and before.counted == 0
    layout.matrices.mkdir(parents=True)
    layout.tokens.parent.mkdir(parents=True)
    layout.metrics("tokens").write_text(json.dumps({"tokens": 20, "types": 9}))
    layout.metrics("vocabulary").write_text(json.dumps({"words": 7, "types": 8}))
    layout.metrics("counts").write_text("not JSON")
    after = Sizes.of(layout, settings)
    assert (after.words, after.types, after.counted) == (7, 9, 0)


@pytest.mark.parametrize(
    ("master", "cores"),
    [("local", 1), ("local[3]", 3), ("local[3,2]", 3), ("local[*]", memory.usable_cores()),
     ("spark://host:7077", 0), ("in-process", 0)],
)  # fmt: skip
def test_cores_of_masters(
    master: str, cores: int, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WORDKIN_SPARK_MASTER", master)
    sizes = Sizes.of(Layout(tmp_path, "en"), settings)
    assert sizes.cores == cores and sizes.in_process == (master == "in-process")


MIB = 1 << 20


@pytest.mark.parametrize(
    ("groups", "files", "mib"),
    [
        ("0::/\n", {"memory.max": "max"}, None),
        ("0::/\n", {"memory.max": str(300 * MIB)}, 300),
        ("0::/a/b\n", {"a/b/memory.max": "max", "a/memory.max": str(200 * MIB)}, 200),
        ("5:memory:/x\n1:cpu:/\n", {"memory/x/memory.limit_in_bytes": str(64 * MIB)}, 64),
        ("5:memory:/\n", {"memory/memory.limit_in_bytes": str(1 << 62)}, None),
        ("", {}, None),
    ],
)  # fmt: skip
def test_the_memory_of_a_container(
    tmp_path: Path, groups: str, files: dict[str, str], mib: int | None
) -> None:
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text(groups)
    for name, content in files.items():
        path = tmp_path / "sys/fs/cgroup" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content + "\n")
    there = psutil.virtual_memory().total >> 20
    assert memory.machine_mib(tmp_path) == (there if mib is None else mib)
    assert 0 < memory.machine_mib() <= there


def test_a_refusal_says_what_to_do(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.stage.machine_mib", lambda: 200)
    with pytest.raises(InputError, match=r"graph of 'en' needs about [\d,]+ MiB .* graph.top"):
        stage_named("graph").check_memory(Layout(tmp_path, "en"), settings)


@pytest.mark.slow
def test_one_core_and_no_shared_memory_are_enough(tmp_path: Path) -> None:
    """As in a small container: one core, and a /dev/shm that nothing can be written to."""
    command = 'mount -t tmpfs -o ro none /dev/shm && exec "$@"'
    hidden = ["unshare", "--mount", "sh", "-c", command, "sh"]
    try:
        subprocess.run([*hidden, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no right to mount anything here")
    layout = make_project(tmp_path / "project")
    script = (
        "import sys; from pathlib import Path; from pipeline.layout import Layout\n"
        "from tests.support.project import LANGUAGE, build\n"
        "build(Layout(Path(sys.argv[1]), LANGUAGE))"
    )
    core = str(min(os.sched_getaffinity(0)))
    done = subprocess.run(
        [*hidden, "taskset", "--cpu-list", core, sys.executable, "-c", script, str(layout.root)],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert layout.bundle.is_dir()

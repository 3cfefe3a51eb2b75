"""A real cluster of several processes gives the same bytes, even if executors are killed."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pyspark
import pytest
from ruamel.yaml import YAML

from pipeline.corpus import tokens, vocabulary
from pipeline.counting import counts
from pipeline.engine import Engine
from pipeline.fetching import fetch
from pipeline.layout import Layout
from pipeline.params import load_settings
from pipeline.settings import LanguageSettings, Settings
from pipeline.stage import Job
from tests.support.corpora import files
from tests.support.root import ROOT

pytestmark = pytest.mark.slow

SPARK_HOME = Path(pyspark.__file__).parent


def environment(**more: str) -> dict[str, str]:
    """This process's environment with the settings of a local cluster instead of any other."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("SPARK")}
    cluster = {"SPARK_HOME": str(SPARK_HOME), "SPARK_LOCAL_IP": "127.0.0.1"}
    return {**inherited, **cluster, "PYTHONPATH": str(ROOT), **more}


def wait_for(happened: Callable[[], object], what: str, seconds: float = 120) -> object:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if result := happened():
            return result
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds} s for {what}")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A standalone master and two workers with one core each, as separate processes."""
    folder = tmp_path_factory.mktemp("cluster")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    master = f"spark://127.0.0.1:{port}"
    package = "org.apache.spark.deploy"
    commands = [
        [f"{package}.master.Master", "--host", "127.0.0.1", "--port", str(port)],
        *(
            [f"{package}.worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "1g",
             "--work-dir", str(folder / name), master]
            for name in ("one", "two")
        ),
    ]  # fmt: skip
    processes = []
    with (folder / "log").open("w") as log:
        for command in commands:
            processes.append(
                subprocess.Popen(
                    [str(SPARK_HOME / "bin" / "spark-class"), *command, "--webui-port", "0"],
                    env=environment(), stdout=log, stderr=log, start_new_session=True,
                )
            )  # fmt: skip
        try:
            registered = "Registering worker"
            wait_for(lambda: (folder / "log").read_text().count(registered) == 2, "two workers")
            yield master
        finally:
            for process in processes:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def make_project(root: Path) -> Path:
    """A language with enough text that each job takes seconds, divided into many small units."""
    raw = root / "corpora" / "qq" / "raw"
    raw.mkdir(parents=True)
    chance = random.Random(3)
    words = ["".join(chance.choices("abdegikmnoprstuz", k=6)) for _ in range(3000)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    with (raw / "text.txt").open("w") as file:
        for _ in range(24_000):
            file.write(" ".join(chance.choices(words, weights, k=30)) + "\n")
    yaml = YAML()
    params = yaml.load((ROOT / "params.yaml").read_text(encoding="utf-8"))
    source = {"name": "own", "location": "corpora/qq/raw/text.txt", "format": "text"}
    vocabulary = {"size": 2000, "stop_words": "none"}
    language = {"lemmatize": False, "vocabulary": vocabulary, "sources": [source]}
    params["languages"] = {"qq": language}
    params["tokens"]["unit_mib"] = 1
    yaml.dump(params, root / "params.yaml")
    (root / "eval").mkdir()
    (root / "eval" / "gold.yaml").write_text("sets: []\n")
    return root


def run(project: Path, stage: str, master: str) -> subprocess.Popen[str]:
    more = {
        "WORDKIN_SPARK_MASTER": master,
        "WORDKIN_SPARK_CONF": "spark.executor.memory=512m spark.driver.host=127.0.0.1",
    }
    return subprocess.Popen(
        [sys.executable, "-m", "pipeline", stage, "qq"],
        cwd=project, env=environment(**more), text=True, stderr=subprocess.PIPE,
    )  # fmt: skip


def finish(process: subprocess.Popen[str]) -> None:
    _, messages = process.communicate(timeout=300)
    assert process.returncode == 0, messages


def busy_executors() -> list[psutil.Process]:
    """The cluster's executors that have running Python workers."""
    executors = []
    for process in psutil.process_iter(["cmdline"]):
        if "org.apache.spark.executor.CoarseGrainedExecutorBackend" in (
            process.info["cmdline"] or ()
        ):
            try:
                executors += [process] if len(process.children(recursive=True)) >= 2 else []
            except psutil.NoSuchProcess:
                continue
    return executors


def outputs(layout: Layout) -> dict[str, bytes]:
    """Everything that the three stages made, without the metrics."""
    folders = (layout.tokens, layout.vocabulary, layout.count_cache, layout.counts)
    return {
        f"{folder.name}/{name}": content
        for folder in folders
        for name, content in files(folder).items()
    }


def fetched(project: Path) -> tuple[Layout, Settings, LanguageSettings]:
    """The project after the stage fetch, and its settings."""
    declared = load_settings(project / "params.yaml")
    layout = Layout(project, "qq")
    layout.raw.mkdir(parents=True, exist_ok=True)
    fetch.run(Job("fetch", layout, declared))
    return layout, declared, declared.of("qq")


def test_a_cluster_gives_the_same_bytes_even_if_executors_die(
    tmp_path: Path, cluster: str, spark: Engine
) -> None:
    here = make_project(tmp_path / "here")
    layout, declared, language = fetched(here)
    tokens.make_tokens(layout, declared.tokens, language, spark)
    vocabulary.make_vocabulary(layout, declared.vocabulary, language.vocabulary, False, spark)
    counts.make_counts(layout, declared.counts, 64, spark)

    there = make_project(tmp_path / "there")
    fetched(there)
    for stage in ("tokens", "vocabulary", "counts"):
        process = run(there, stage, cluster)
        if stage != "vocabulary":
            (victim, *_) = wait_for(busy_executors, f"an executor at work on {stage}")
            victim.kill()
            assert process.poll() is None, (
                "the job must still be running when its executor is killed"
            )
        finish(process)
    made = outputs(layout)
    assert {"tokens/own/part-00003.parquet", "counts/values.npy", "counted/own.blocks"} <= set(made)
    assert made == outputs(Layout(there, "qq"))

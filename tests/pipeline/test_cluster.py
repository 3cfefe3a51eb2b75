"""A real cluster of several processes gives the same bytes, even if executors are killed."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import psutil
import pyspark
import pytest
from ruamel.yaml import YAML

from pipeline.count import counts
from pipeline.count.codes import Counts
from pipeline.engine import Engine
from pipeline.fetch import fetch
from pipeline.layout import Layout
from pipeline.settings import LanguageSettings, Settings, load_settings
from pipeline.stage import Job
from pipeline.words import tokens, vocabulary
from pipeline.words.tokens import Tokens
from pipeline.words.vocabulary import VocabularySettings
from tests.support.corpora import files
from tests.support.killed_executor import is_executor
from tests.support.root import ROOT
from tests.support.s3 import BUCKET, s3_server, stored

pytestmark = pytest.mark.slow

SPARK_HOME = Path(pyspark.__file__).parent


def environment(**more: str) -> dict[str, str]:
    """This process's environment with the settings of a local cluster instead of any other."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("SPARK")}
    cluster = {
        "SPARK_HOME": str(SPARK_HOME),
        "SPARK_LOCAL_IP": "127.0.0.1",
        # No executor lives long enough to win back what the second compiler takes.
        "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }
    return {**inherited, **cluster, "PYTHONPATH": str(ROOT), **more}


def wait_for(happened: Callable[[], object], what: str, seconds: float = 120) -> object:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if result := happened():
            return result
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds} s for {what}")


class Cluster(NamedTuple):
    """A running cluster."""

    master: str
    driver_only: Path
    """A folder that the workers see empty, as if they shared no file system with the driver."""


HIDE = 'mount -t tmpfs hidden "$0" && exec "$@"'
"""A shell command that runs another one, for which a folder is empty."""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A standalone master and two workers with one core each, as separate processes."""
    folder = tmp_path_factory.mktemp("cluster")
    driver_only = tmp_path_factory.mktemp("driver")
    hidden = ["unshare", "--mount", "sh", "-c", HIDE, str(driver_only)]
    try:
        subprocess.run([*hidden, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        hidden = []  # where that is not allowed, the workers could see the folder
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
            spark_class = str(SPARK_HOME / "bin" / "spark-class")
            processes.append(
                subprocess.Popen(
                    [*hidden, spark_class, *command, "--webui-port", "0"],
                    env=environment(), stdout=log, stderr=log, start_new_session=True,
                )
            )  # fmt: skip
        try:
            registered = "Registering worker"
            wait_for(lambda: (folder / "log").read_text().count(registered) == 2, "two workers")
            yield Cluster(master, driver_only)
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
    weights = list(accumulate(1 / rank for rank in range(1, len(words) + 1)))
    with (raw / "text.txt").open("w") as file:
        for _ in range(24_000):
            file.write(" ".join(chance.choices(words, cum_weights=weights, k=30)) + "\n")
    yaml = YAML()
    params = yaml.load((ROOT / "params.yaml").read_text(encoding="utf-8"))
    source = {"name": "own", "location": "corpora/qq/raw/text.txt", "format": "text"}
    vocabulary = {"size": 2000, "stop_words": "none"}
    language = {"lemmatize": False, "vocabulary": vocabulary, "sources": [source]}
    params["languages"] = {"qq": language}
    params["tokens"]["unit_mib"] = 1
    yaml.dump(params, root / "params.yaml")
    (root / "eval").mkdir(exist_ok=True)
    (root / "eval" / "gold.yaml").write_text("sets: []\n")
    return root


def run(
    project: Path,
    stage: str,
    master: str,
    conf: str = "",
    program: Sequence[str] = ("-m", "pipeline"),
) -> subprocess.Popen[str]:
    more = {
        "WORDKIN_SPARK_MASTER": master,
        "WORDKIN_SPARK_CONF": f"spark.executor.memory=512m spark.driver.host=127.0.0.1 {conf}",
    }
    return subprocess.Popen(
        [sys.executable, *program, stage, "qq"],
        cwd=project, env=environment(**more), text=True, stderr=subprocess.PIPE,
    )  # fmt: skip


KILLING = ("-m", "tests.support.killed_executor")
"""The pipeline, but one executor is killed; the next argument is a file that shows it."""


def finish(process: subprocess.Popen[str]) -> None:
    _, messages = process.communicate(timeout=300)
    assert process.returncode == 0, messages


def busy_executors() -> list[psutil.Process]:
    """The cluster's executors that have running Python workers."""
    executors = []
    for process in filter(is_executor, psutil.process_iter()):
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


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory, spark: Engine) -> Layout:
    """The project, built on this machine."""
    layout, declared, language = fetched(make_project(tmp_path_factory.mktemp("here")))
    tokens.make_tokens(layout, declared.section(Tokens), language, spark)
    vocabulary.make_vocabulary(
        layout, declared.section(VocabularySettings), language.vocabulary, False, spark
    )
    counts.make_counts(layout, declared.section(Counts), 64, spark)
    return layout


def test_a_cluster_gives_the_same_bytes_even_if_executors_die(
    tmp_path: Path, cluster: Cluster, here: Layout
) -> None:
    there = make_project(tmp_path / "there")
    fetched(there)
    for stage in ("tokens", "vocabulary", "counts"):
        witness = tmp_path / stage
        finish(run(there, stage, cluster.master, program=[*KILLING, str(witness)]))
        # `vocabulary` has too little to do here to start Spark.
        assert witness.exists() == (stage != "vocabulary")
    made = outputs(here)
    assert {"tokens/own/part-00003.parquet", "counts/values.npy", "counted/own.blocks"} <= set(made)
    assert made == outputs(Layout(there, "qq"))


def kill_busy_executors() -> None:
    """Kill all executors that have work, with their Python workers."""
    for executor in busy_executors():
        for process in [*executor.children(recursive=True), executor]:
            process.kill()


def test_a_cluster_without_a_shared_file_system_gives_the_same_bytes(
    cluster: Cluster, here: Layout
) -> None:
    there = make_project(cluster.driver_only / "project")
    with s3_server() as server:
        yaml = YAML()
        params = yaml.load((there / "params.yaml").read_text(encoding="utf-8"))
        params["storage"] = f"s3://{BUCKET}/wordkin"
        yaml.dump(params, there / "params.yaml")
        layout, _, _ = fetched(there)
        conf = " ".join(f"spark.executorEnv.{k}={v}" for k, v in server.environment.items())
        for stage in ("tokens", "vocabulary", "counts"):
            parts = {"tokens": "part-00002.parquet", "counts": "counts.blocks"}
            if stage in parts:
                server.break_off(parts[stage], kill_busy_executors)
            finish(run(there, stage, cluster.master, conf))
        assert len(server.broken_off) == 2
        for name in ("tokens", "types", "counts"):
            assert stored(layout.place(name)) == files(here.place(name)), name
        assert files(layout.vocabulary) == files(here.vocabulary)

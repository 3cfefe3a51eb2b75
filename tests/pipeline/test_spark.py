"""What Spark needs on a machine: Java, a scratch folder, and memory that is really there."""

from __future__ import annotations

import errno
import os
import pickle
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline import spark as spark_module
from pipeline.engine import Engine
from pipeline.mistakes import Mistakes
from wordkin.errors import InputError, NoBoardWords


def make_java(home: Path, report: str) -> str:
    """A program that says it is a certain version of Java, on standard error as Java does."""
    java = home / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\ncat >&2 <<'END'\n{report}\nEND\n")
    java.chmod(0o755)
    return str(java)


@pytest.mark.parametrize(
    ("report", "version"),
    [
        ('openjdk version "17.0.9" 2023-10-17', 17),
        ('java version "1.8.0_392"', 8),
        ('openjdk version "22" 2024-03-19', 22),
        ("command not supported", None),
    ],
)
def test_the_version_of_java_is_read(report: str, version: int | None, tmp_path: Path) -> None:
    assert spark_module.java_version(make_java(tmp_path, report)) == version


def test_an_old_java_or_none_is_refused_with_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(InputError, match="none was found: install the package openjdk-17"):
        spark_module.check_java()
    make_java(tmp_path, 'openjdk version "11.0.2"')
    with pytest.raises(InputError, match="java is version 11: install"):
        spark_module.check_java()


def test_scratch_folders_of_killed_processes_are_removed_and_those_in_use_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    abandoned = tmp_path / f"{spark_module.SCRATCH}abandoned"
    (abandoned / "blocks").mkdir(parents=True)
    program = "from pipeline import spark; print(spark.scratch(), flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", program],
        env={"TMPDIR": str(tmp_path), "PYTHONPATH": str(spark_module.ROOT)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as other:  # fmt: skip
        assert other.stdin and other.stdout
        in_use = Path(other.stdout.readline().strip())
        assert in_use.is_dir() and not abandoned.exists()
        ours = spark_module.scratch.__wrapped__()
        assert in_use.is_dir() and ours.is_dir() and ours != in_use
        other.communicate("\n")
    assert not in_use.exists(), "a process removes its folder at its end"


@pytest.mark.parametrize(
    ("error", "kind", "text"),
    [
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/data/a"), OSError, "/data/a"),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), OSError, "No space left"),
        (OSError("AWS error: no such bucket"), InputError, "A task failed .*no such bucket"),
        (NoBoardWords("It is bad: mend it."), NoBoardWords, "It is bad: mend it."),
        (Mistakes(Path("params.yaml"), ["a: b."]), InputError, "params.yaml: a: b."),
    ],
)
def test_an_error_of_a_task_can_be_sent(error: Exception, kind: type, text: str) -> None:
    sent = pickle.loads(pickle.dumps(spark_module.portable(error)))  # type: ignore[arg-type]
    assert isinstance(sent, kind) and re.search(text, str(sent))
    assert getattr(sent, "filename", None) == getattr(error, "filename", None)


@pytest.mark.slow
def test_a_refusal_in_a_task_ends_the_job_with_its_sentence(spark: Engine) -> None:
    def refuse(number: int) -> int:
        raise InputError(f"{number} is bad: mend it.")

    def scatter(number: int) -> Iterator[tuple[int, bytes]]:
        yield 0, b""
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/data/a")

    with pytest.raises(InputError, match="3 is bad: mend it"):
        spark.each(refuse, [3], "refusing")
    with pytest.raises(OSError, match="/data/a"):
        spark.gather(scatter, [1], lambda number, blocks: list(blocks), 1, "refusing")
    assert spark.each(len, ["a", "bc"], "going on") == [1, 2]


def test_an_error_of_the_system_in_java_is_one_of_the_system() -> None:
    failed = RuntimeError("Job aborted: java.io.IOException: No space left on device\n\tat java.io")
    error = spark_module._of_java(failed)
    assert isinstance(error, OSError)
    assert (error.errno, error.filename) == (errno.ENOSPC, str(spark_module.scratch()))
    other = RuntimeError("Job aborted: java.lang.NullPointerException")
    assert spark_module._of_java(other) is other

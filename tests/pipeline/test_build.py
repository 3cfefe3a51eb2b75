"""Building: what has changed runs, in order, side by side where nothing depends on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import build as building
from pipeline.build import Build, urgency, with_dependents
from tests.support.root import ROOT
from wordkin.errors import InputError

GRAPH = {"fetch@en": (), "tokens@en": ("fetch@en",), "counts@en": ("tokens@en",), "fetch@hu": ()}


def test_stages_that_need_a_changed_one_run_too() -> None:
    assert with_dependents(GRAPH, ["tokens@en"]) == {"tokens@en", "counts@en"}
    assert with_dependents(GRAPH, []) == set()


def test_the_stage_with_the_longest_way_to_the_end_comes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(building, "SECONDS", {"tokens": 20, "counts": 1})
    assert urgency(GRAPH, GRAPH) == {
        "fetch@en": 26, "tokens@en": 21, "counts@en": 1, "fetch@hu": 5,
    }  # fmt: skip


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=16), st.integers(1, 3))
def test_a_stage_starts_when_what_it_needs_is_done_and_a_lane_is_free(
    edges: list[tuple[int, int]], lanes: int
) -> None:
    graph = {str(n): {str(min(e)) for e in edges if max(e) == n and min(e) < n} for n in range(8)}
    build = Build(graph, set(graph), lanes)
    waiting = sorted(graph)
    while waiting:
        names = build._startable(waiting)
        assert 0 < len(names) <= lanes
        assert all(set(graph[name]) <= build.done for name in names)
        waiting = [name for name in waiting if name not in names]
        build.done.update(names)


def test_two_languages_take_turns_at_a_stage_if_there_is_other_work() -> None:
    stages = ["squared@en", "squared@hu", "graph@en", "graph@hu"]
    build = Build(dict.fromkeys(stages, ()), set(stages), 2)
    assert build._startable(stages) == ["squared@en", "graph@en"]
    build.running = {3: building._Running("squared@en", 0, 3, 0.0)}
    assert build._startable(stages[1:]) == ["graph@en"]
    assert build._startable(["squared@hu"]) == ["squared@hu"]
    assert Build(build.graph, build.needed, 3)._startable(stages) == [
        "squared@en", "graph@en", "squared@hu",
    ]  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    """Two stages that wait for each other to start, and one that needs both."""
    wait = (
        "import pathlib, sys, time; here, there = map(pathlib.Path, sys.argv[1:]); "
        "here.write_text('x'); limit = time.monotonic() + 60\n"
        "while not there.exists(): assert time.monotonic() < limit; time.sleep(.05)"
    )
    (tmp_path / "wait.py").write_text(wait)
    (tmp_path / "join.py").write_text(
        "import pathlib, sys\n"
        "if pathlib.Path('c.in').read_text() == 'bad': sys.exit('The text is bad: mend it.')\n"
        "pathlib.Path('c').write_text('xx'); print('c: joined')"
    )
    (tmp_path / "c.in").write_text("good")
    python = sys.executable
    (tmp_path / "dvc.yaml").write_text(
        f"""stages:
  a: {{cmd: '{python} wait.py a b.started', deps: [wait.py], outs: [a]}}
  b: {{cmd: '{python} wait.py b.started a && cp b.started b', deps: [wait.py], outs: [b]}}
  c: {{cmd: '{python} join.py', deps: [a, b, c.in, join.py], outs: [c]}}
"""
    )
    subprocess.run([python, "-m", "dvc", "init", "--no-scm", "-q"], cwd=tmp_path, check=True)
    yield tmp_path


def run(project: Path) -> str:
    """Build in a process of its own, with two lanes; what was said."""
    code = (
        "from pipeline.build import Build, look, with_dependents; graph, changed = look(); "
        "Build(graph, with_dependents(graph, changed), 2).run()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.slow
def test_independent_stages_run_side_by_side_and_only_what_changed_runs_again(
    project: Path,
) -> None:
    said = run(project)
    assert "[ 3/3] c: joined" in said
    assert "built 3 stages in" in said
    assert "git" not in said and "dvc push" not in said
    (project / "c.in").write_text("bad")
    said = run(project)
    assert "The text is bad: mend it." in said
    assert "c failed, as said above, and 0 stages are left" in said
    (project / "c.in").write_text("better")
    assert "[ 1/1] c: joined" in run(project)
    status = [sys.executable, "-m", "dvc", "status"]
    done = subprocess.run(status, cwd=project, capture_output=True, text=True, check=True)
    assert "up to date" in done.stdout


@pytest.mark.slow
def test_a_second_build_in_the_same_folder_is_refused_in_a_sentence(project: Path) -> None:
    writer = {"pid": os.getpid(), "cmd": "the first build"}
    locks = project / ".dvc/tmp/rwlock"
    locks.parent.mkdir(exist_ok=True)
    locks.write_text(json.dumps({"write": {str(project / "a"): writer}, "read": {}}))
    said = run(project)
    sentence = f"Another build is running in {project} (PID {os.getpid()}): wait until it has ended"
    assert sentence in said


def test_summaries_are_numbered_in_their_order_even_if_stages_end_later(
    capsys: pytest.CaptureFixture[str],
) -> None:
    build = Build(GRAPH, set(GRAPH), 2)
    for name in ("fetch@en", "fetch@hu"):
        reads, writes = os.pipe()
        os.write(
            writes, f"{name.replace('@', ' of ')}: no\n{name.replace('@', ' ')}: yes\n".encode()
        )
        build._hear(building._Running(name, 0, reads, 0.0))
        os.close(reads)
        os.close(writes)
    said = capsys.readouterr().err.splitlines()
    assert said[::2] == ["fetch of en: no", "fetch of hu: no"]
    assert said[1::2] == ["[ 1/4] fetch en: yes", "[ 2/4] fetch hu: yes"]


def test_the_lock_file_is_what_dvc_itself_would_write(tmp_path: Path) -> None:
    from dvc.utils.serialize import modify_yaml

    stage = {
        "cmd": "python -m pipeline fetch en",
        "params": {"params.yaml": {"mirror": None, "share": 0.1, "long": "a " * 60, "list": []}},
        "outs": [{"path": "a", "md5": "0" * 32, "size": 10**12, "nfiles": 2}, {"path": "1e3"}],
    }
    written = []
    for number, modify in enumerate((building.modify_lock, modify_yaml)):
        path = tmp_path / str(number)
        for name in ("fetch@hu", "fetch@en", "fetch@hu"):
            with modify(str(path)) as content:
                content.setdefault("schema", "2.0")
                content.setdefault("stages", {})[name] = stage
        written.append(path.read_bytes())
    assert written[0] == written[1]


def test_a_failure_is_an_input_error() -> None:
    build = Build(GRAPH, set(GRAPH), 1, failed=["tokens en"])
    with pytest.raises(InputError, match="tokens en failed, as said above, and 3 stages are left"):
        build.run()


def test_stages_run_at_once_if_there_is_memory_for_them() -> None:
    needs = {"svd@en": 300, "graph@en": 900, "squared@en": 600, "npmi@hu": 100}
    build = Build(dict.fromkeys(needs, ()), set(needs), 4, needs.__getitem__, free=1000)
    assert build._startable(list(needs)) == ["svd@en", "squared@en", "npmi@hu"]
    build.running = {3: building._Running("svd@en", 0, 3, 0.0, needs["svd@en"])}
    assert build._startable(["graph@en", "squared@en"]) == ["squared@en"]
    # Alone, even the largest one starts: it says itself what it lacks.
    build.running, build.free = {}, 500
    assert build._startable(["graph@en"]) == ["graph@en"]

"""Stages and commands with faults at their steps, in a process of their own.

    python -m tests.support.faulty_stages <project> <most> <name> ...

Prints one line of JSON per name: the number of faults, and what went wrong.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from pipeline.__main__ import main as pipeline
from pipeline.layout import Layout
from pipeline.stage import STAGES, Stage
from tests.support.faults import Call, try_faults, watched
from tests.support.project import LANGUAGE
from wordkin.cli import main as wordkin
from wordkin.exports import FORMATS

DOWNLOADS = {"fetched"}
"""What a stage adds to and never replaces."""


def stage_call(stage: Stage, layout: Layout) -> Call:
    """A stage of the project, with old outputs in its way."""
    names = [name for name in stage.writes if name not in DOWNLOADS]

    def reset() -> None:
        for name in names:
            make_old(layout.place(name))
        if stage.name == "counts":
            shutil.rmtree(layout.count_cache, ignore_errors=True)

    command = partial(pipeline, ["--root", str(layout.root), stage.name, LANGUAGE])
    return Call(stage.name, command, [layout.place(name) for name in names], reset)


def make_old(place: Path) -> None:
    """Make an output differ from what will be made."""
    if place.is_dir():
        shutil.rmtree(place)
        place.mkdir()
        (place / "old").write_text("old")
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("old")


def other_calls(layout: Layout) -> dict[str, Call]:
    """The commands besides stages that write something."""
    out, root = layout.root / "out", ["--root", str(layout.root)]
    bundle = ["--bundle", str(layout.bundle)]
    params, raw = layout.root / "params.yaml", layout.raw / "more.txt"
    original = params.read_bytes()

    def forget() -> None:
        params.write_bytes(original)
        raw.write_text("More words of piano and ship.\n" * 30)

    calls = {
        "add": Call(
            "add", partial(pipeline, [*root, "add", LANGUAGE, str(raw)]), [params], forget, False
        )
    }

    def writing(
        name: str, command: Callable[[Path], int], target: str, swapped: bool = True
    ) -> None:
        path = out / target

        def reset() -> None:
            shutil.rmtree(out, ignore_errors=True)
            if path.suffix in (".zip", ".zst", ".whl"):
                make_old(path)

        calls[name] = Call(name, lambda: command(path), [path], reset, swapped=swapped)

    for kind in ("parquet", "mtx", "glove"):
        counts = [*root, "counts", LANGUAGE, "--export", kind, "--to"]
        writing(f"counts {kind}", partial(_with_path, pipeline, counts), kind, swapped=False)
    words = layout.raw / "words.txt"
    words.write_text("piano\nship\nbread\n")
    for kind in FORMATS:
        options = ["export", kind, *bundle, "--measure", "svd", "--words", str(words), "--top", "5"]
        writing(f"export {kind}", partial(_with_path, wordkin, options), kind)
    for ending in (".zip", ".tar.zst"):
        options = ["pack", *bundle]
        writing(f"pack {ending}", partial(_with_path, wordkin, options), f"en{ending}")
    wheel = "wordkin_en-1.0-py3-none-any.whl"
    writing("pack wheel", partial(_with_path, wordkin, ["pack", "--wheel", *bundle]), wheel)
    return calls


def _with_path(program: Callable[[list[str]], int], arguments: list[str], path: Path) -> int:
    return program([*arguments, str(path)])


def all_calls(layout: Layout) -> dict[str, Call]:
    """All stages, and all other commands that write something."""
    return {stage.name: stage_call(stage, layout) for stage in STAGES} | other_calls(layout)


def main(root: Path, most: int, names: list[str]) -> None:
    temporary = root / "temporary"
    temporary.mkdir(exist_ok=True)
    os.environ["TMPDIR"] = tempfile.tempdir = str(temporary)
    calls, disk = all_calls(Layout(root, LANGUAGE)), watched(root)
    for name in names or calls:
        trials = list(try_faults(disk, calls[name], most))
        problems = [problem for trial in trials for problem in trial.problems()]
        tolerated = sum(trial.result.status == 0 for trial in trials)
        report = {"name": name, "faults": len(trials), "tolerated": tolerated, "problems": problems}
        print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])

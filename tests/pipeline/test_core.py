"""The core stands alone: without the folders of extras, a language is built as with them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from pipeline.layout import Layout
from tests.support.project import LANGUAGE, make_project
from tests.support.root import ROOT

ALONE = """
import sys

# The folder of an editable installation must not help out.
sys.meta_path = [finder for finder in sys.meta_path if "editable" not in str(finder).lower()]
"""

PROGRAM = f"""
{ALONE}
from pathlib import Path
from pipeline.layout import Layout
from pipeline.settings import load_settings
from pipeline.stage import Job
from pipeline.stages import all_stages, load_checked

root = Path(sys.argv[1])
settings = load_checked(root / "params.yaml")
for stage in all_stages():
    stage.run(Job(stage.name, Layout(root, sys.argv[2]), settings))
"""


def hidden(folder: Path) -> Path:
    """A copy of the code without extras; kernels that are compiled come along."""

    def left_out(path: str, names: list[str]) -> set[str]:
        return {"extras"} & {*names} if Path(path).parent == ROOT else set()

    for package in ("pipeline", "wordkin"):
        shutil.copytree(ROOT / package, folder / package, ignore=left_out)
    return folder


@pytest.mark.slow
def test_a_language_is_built_without_the_folders_of_extras(tmp_path: Path) -> None:
    code = hidden(tmp_path / "code")
    layout = make_project(tmp_path / "project")
    yaml, path = YAML(), layout.root / "params.yaml"
    params = yaml.load(path)
    params["extras"] = {}
    yaml.dump(params, path)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(layout.root), LANGUAGE],
        cwd=code, env={**os.environ, "PYTHONPATH": str(code)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (Layout(layout.root, LANGUAGE).bundle / "bundle.json").is_file()
    assert not list(code.glob("*/extras"))


def test_settings_of_extras_are_known_only_where_the_extras_are(tmp_path: Path) -> None:
    code = hidden(tmp_path / "code")
    check = (
        f"{ALONE}\nfrom pathlib import Path; from pipeline.stages import load_checked\n"
        f"load_checked(Path({str(ROOT / 'params.yaml')!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", check],
        cwd=code, env={**os.environ, "PYTHONPATH": str(code)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "extras.measures: there is no 'wordnet-path'" in done.stderr

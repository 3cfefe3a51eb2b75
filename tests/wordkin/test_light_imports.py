"""A program loads no more than it needs: a clue takes numpy alone."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import wordkin
from tests.support.bundles import make_bundle
from tests.support.root import ROOT

CLUE = """
import wordkin
bundle = wordkin.load({bundle!r})
board = wordkin.Board.of(ours=["piano", "mouse"], theirs=["bison"], assassin=["tree"])
clue = wordkin.Spymaster(bundle).clue(board)
wordkin.Guesser(bundle).guess(clue.word, clue.number, board.words)
for measure in bundle.measures:
    str(bundle.explain("piano", clue.word, measure))
"""
COMMAND = """
from wordkin.cli import main
assert main(["clue", "--bundle", {bundle!r}, "--ours", "piano mouse", "--theirs", "bison"]) == 0
"""
EXPORT = """
from wordkin.cli import main
assert main(["export", "board-csv", {out!r}, "--bundle", {bundle!r}]) == 0
"""
VECTORS = """
from wordkin.cli import main
arguments = ["export", "word2vec", {out!r}, "--bundle", {bundle!r}, "--measure", "svd"]
assert main(arguments) == 0
"""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_bundle(tmp_path_factory.mktemp("light"))


def packages_after(program: str) -> set[str]:
    """The packages outside Python's own that a fresh process has loaded after a program."""
    ending = (
        "import json, sys\n"
        "loaded = {name.split('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)\n"
        "print(json.dumps(sorted(loaded)))\n"
    )
    command = [sys.executable, "-c", program + ending]
    process = subprocess.run(command, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    # Names with an underscore come from the environment: __main__, hooks of editable installs.
    loaded = json.loads(process.stdout.splitlines()[-1])
    return {name for name in loaded if not name.startswith("_")}


@pytest.mark.slow
@pytest.mark.parametrize("program", [CLUE, COMMAND, EXPORT, VECTORS])
def test_only_numpy_is_loaded(bundle: Path, tmp_path: Path, program: str) -> None:
    code = program.format(bundle=str(bundle), out=str(tmp_path / "out"))
    # numpy.random brings in cython_runtime.
    assert packages_after(code) - {"click"} <= {"numpy", "cython_runtime", "wordkin"}


@pytest.mark.slow
def test_a_first_clue_takes_little_processor_time(tmp_path: Path) -> None:
    program = """
import time, wordkin
board = wordkin.Board.of(ours="king bread mountain", theirs="window dog")
wordkin.Spymaster(wordkin.load("en")).clue(board)
print(time.process_time())
"""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    environment = {**os.environ, **threads, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", program]
    times = [
        float(subprocess.check_output(command, cwd=tmp_path, env=environment)) for _ in range(3)
    ]
    assert min(times) < 0.75  # .4 s on a quiet core


@pytest.mark.parametrize("module", ["wordkin", "wordkin.errors", "wordkin.words", "wordkin.files"])
def test_these_modules_load_not_even_numpy(module: str) -> None:
    assert packages_after(f"import {module}\n") == {"wordkin"}


@pytest.mark.slow
def test_the_whole_library_loads_nothing_of_the_pipeline() -> None:
    names = ", ".join(f"wordkin.{name}" for name in wordkin.__all__)
    program = f"import wordkin, wordkin.cli, wordkin.players.competition\n{names}\n"
    heavy = "pyspark dvc pyarrow numba sklearn igraph simplemma icu4py pandas pipeline gensim"
    assert not packages_after(program) & set(heavy.split())


def test_counting_needs_the_arrays_but_not_the_measures() -> None:
    loaded = "[name for name in sys.modules if 'measures' in name]"
    process = subprocess.run(
        [sys.executable, "-c", f"import sys, wordkin.arrays; print({loaded})"],
        capture_output=True,
        text=True,
    )
    assert process.stdout == "[]\n", process.stderr


@pytest.mark.parametrize("name", wordkin.__all__)
def test_every_public_name_resolves(name: str) -> None:
    public = getattr(wordkin, name)
    assert public.__name__ == name
    assert name in dir(wordkin)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'wordkin' has no attribute 'Boards'"):
        _ = wordkin.Boards


def test_type_checkers_see_the_names_that_programs_get() -> None:
    tree = ast.parse(Path(wordkin.__file__).read_text(encoding="utf-8"))
    (checked,) = (
        node
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    homes = {
        alias.name: node.module
        for node in checked.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert homes == wordkin._HOMES
    assert sorted(homes) == sorted(wordkin.__all__)

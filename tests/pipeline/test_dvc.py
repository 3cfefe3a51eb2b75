"""`dvc.yaml` comes from the table of stages, and a stage runs again when its code means another."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pipeline.fingerprint import INFRASTRUCTURE, Program
from pipeline.layout import Layout
from pipeline.stages import TABLE, all_stages, check_definitions, dvc_yaml, write_definitions
from tests.support.root import ROOT
from wordkin.errors import InputError


def test_dvc_yaml_is_the_table_of_stages() -> None:
    text = (ROOT / "dvc.yaml").read_text(encoding="utf-8")
    assert text == dvc_yaml(), "run python -m pipeline dvc"
    assert ".py\n" not in text and len(text.splitlines()) <= 350


def test_another_dvc_yaml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "dvc.yaml"
    with pytest.raises(InputError, match="run python -m pipeline dvc"):
        check_definitions(path)
    write_definitions(path)
    check_definitions(path)


def test_a_stage_reads_only_what_a_person_or_a_stage_before_it_provides() -> None:
    given = {"raw", "gold_sets", "published"}
    figures: set[str] = set()
    for stage in all_stages():
        assert set(stage.reads) <= given
        assert set(stage.figures) <= figures
        given |= set(stage.writes)
        figures.add(stage.name)


def test_no_output_of_one_language_is_an_output_of_another() -> None:
    # Else two builds side by side would wait for each other.
    for stage in all_stages():
        for language in (Layout(Path(), "en"), Layout(Path(), "hu")):
            for name in stage.writes:
                assert language.language in language.place(name).parts


def test_infrastructure_and_data_are_there() -> None:
    for path in [*INFRASTRUCTURE, *(name for code in TABLE.values() for name in code.data)]:
        assert (ROOT / path).exists()


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the code, to be changed."""
    root = tmp_path_factory.mktemp("tree")
    for package in ("pipeline", "wordkin"):
        ignore = shutil.ignore_patterns("__pycache__", "web", "*.nbi", "*.nbc")
        shutil.copytree(ROOT / package, root / package, ignore=ignore)
    return root


def fingerprints(root: Path) -> dict[str, str]:
    program = Program(root, known=root / "known.json")
    codes = {name: program.fingerprint(*code) for name, code in TABLE.items()}
    program.remember()
    return codes


def changed(root: Path, module: str, before: str, after: str) -> set[str]:
    """The stages whose code means another when a part of a module is replaced."""
    path = root / module
    text = path.read_text(encoding="utf-8")
    assert before in text
    codes = fingerprints(root)
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    try:
        return {name for name, code in fingerprints(root).items() if code != codes[name]}
    finally:
        path.write_text(text, encoding="utf-8")


def test_a_docstring_and_a_comment_run_nothing(tree: Path) -> None:
    assert not changed(tree, "pipeline/measures/squared.py", '"""', '"""Better: ')
    assert not changed(tree, "pipeline/words/tokens.py", "\nfrom", "\n# a remark\nfrom")


def test_a_module_without_influence_on_results_runs_nothing(tree: Path) -> None:
    assert not changed(tree, "pipeline/spark.py", "LEAST_JAVA = 17", "LEAST_JAVA = 21")


def test_a_changed_formula_runs_its_own_stage(tree: Path) -> None:
    formula = "\n\ndef describe("
    assert changed(tree, "pipeline/measures/svd.py", formula, f"\n\nCHANGED = 1{formula}") == {
        "svd",
        "extras",  # some of which factorize other counts with it
    }


def test_data_of_our_own_count(tree: Path) -> None:
    boards = tree / "wordkin/game/boards/en.txt"
    word = boards.read_text(encoding="utf-8").split()[0]
    assert changed(tree, "wordkin/game/boards/en.txt", word, f"{word}s") == {"fetch"}


@pytest.mark.parametrize("name", ["counts", "npmi", "squared", "graph", "svd", "fasttext"])
def test_no_matrix_depends_on_explanations(name: str) -> None:
    files = Program().imported_files(TABLE[name].module)
    assert not [path for path in files if "explanations" in path.parts]

"""The documentation names every command and setting, and its examples work."""

from __future__ import annotations

import ast
import inspect
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from ruamel.yaml import YAML
from scipy import sparse

import wordkin
from pipeline.__main__ import program as pipeline
from pipeline.fetch.published import SITES
from pipeline.settings import Settings
from pipeline.stages import TABLE, section_kinds
from tests.support.docs import DOCS, PAGES, blocks, commands, page, table_keys
from tests.support.root import ROOT
from tests.support.settings import all_settings, as_code, described
from tests.support.transcripts import has_transcript, rewritten
from wordkin.cli import program as player
from wordkin.measures.matrix import MatrixMeasure, Pairs, Vectors
from wordkin.web.study.design import read_design

MOST_WORDS = 20_000


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize(("number", "program"), [(1, player), (2, pipeline)])
def test_every_command_is_documented_and_no_other(number: int, program: click.Group) -> None:
    section = page("reference/commands.md").split("\n## ")[number].split("\n\n|")[1]
    assert table_keys(section) == set(program.list_commands(click.Context(program)))


def test_every_setting_is_documented_with_its_default() -> None:
    # To write keys and defaults again: python -m tests.support.settings
    on_page = described()
    assert {key: list(section.rows) for key, section in on_page.items()} == {
        key: list(settings) for key, settings in all_settings().items()
    }
    for key, settings in all_settings().items():
        assert on_page[key].about, key
        for name, default in settings.items():
            shown, meaning = on_page[key].rows[name]
            assert (shown, bool(meaning)) == (as_code(default), True), f"{key}.{name}"


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_settings_in_examples_are_right(path: Path) -> None:
    kinds = section_kinds()
    known = {"languages", "storage"} | {key.partition(".")[0] for key in kinds}
    for block in blocks(path, "yaml"):
        content = YAML(typ="safe").load(block)
        if isinstance(content, dict) and known & set(content):  # not another file, such as a study
            assert set(content) <= known, block
            settings = Settings(languages={}, sections=content)
            asked = [kind for key, kind in kinds.items() if key.partition(".")[0] in content]
            assert [settings.checked_section(kind)[1] for kind in asked] == [[]] * len(asked)


def test_exit_codes_and_variables_of_the_environment_are_documented() -> None:
    text = page("reference/commands.md")
    for code in (0, 1, 2, 130):
        assert f"\n| {code} |" in text
    variable = re.compile(r"\b(?:WORDKIN_[A-Z_]+|NO_COLOR|JAVA_HOME)\b")
    used = {
        name
        for room in ("wordkin", "pipeline")
        for path in (ROOT / room).rglob("*.py")
        for name in variable.findall(path.read_text(encoding="utf-8"))
    }
    sites = {f"WORDKIN_{name.upper()}" for name in SITES}  # their names are put together
    assert used | sites == set(variable.findall(text))


def test_every_public_name_is_in_the_reference() -> None:
    documented = set(re.findall(r"^::: wordkin\.(\w+)$", page("reference/api.md"), re.MULTILINE))
    errors = {name for name in wordkin.__all__ if issubclass_of_input_error(name)}
    assert documented - {"errors"} == set(wordkin.__all__) - errors


def issubclass_of_input_error(name: str) -> bool:
    public = getattr(wordkin, name)
    return isinstance(public, type) and issubclass(public, wordkin.InputError)


@pytest.mark.parametrize("name", wordkin.__all__)
def test_every_public_method_says_what_it_does(name: str) -> None:
    public = getattr(wordkin, name)
    assert inspect.getdoc(public)
    members = vars(public) if inspect.isclass(public) else {}
    for member, value in members.items():
        if not member.startswith("_") and (callable(value) or hasattr(value, "__get__")):
            assert inspect.getdoc(getattr(public, member)), member


def test_the_pages_are_no_longer_than_people_read() -> None:
    words = sum(len(path.read_text(encoding="utf-8").split()) for path in PAGES)
    assert words <= MOST_WORDS


def test_every_picture_is_shown() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in PAGES)
    for picture in (DOCS / "pictures").iterdir():
        assert f"pictures/{picture.name})" in text, picture.name


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_links_lead_to_files(path: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text(encoding="utf-8")):
        if not link.startswith("http"):
            assert (path.parent / link).exists(), link


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_files_that_are_named_are_there(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    named = re.findall(r"`((?:wordkin|pipeline|tests|research|bench)/[\w./-]+\.\w+)`", text)
    assert [name for name in named if not (ROOT / name).exists()] == []
    for module in re.findall(r"python -m ((?:research|bench)\.\w+)", text):
        assert (ROOT / f"{module.replace('.', '/')}.py").exists(), module


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_commands_have_the_options_that_pages_use(path: Path) -> None:
    for line in commands(path):
        arguments = shlex.split(re.sub(r"(>|&&|\|).*", "", line))
        while arguments and "=" in arguments[0]:  # variables of the environment
            arguments.pop(0)
        if arguments[:1] == ["wordkin"]:
            check_arguments(player, arguments[1:])
        elif arguments[:3] == ["python", "-m", "pipeline"]:
            check_arguments(pipeline, arguments[3:])
        elif arguments[:2] == ["dvc", "repro"]:
            stages = {argument.split("@")[0] for argument in arguments if "@" in argument}
            assert stages <= set(TABLE), line


def check_arguments(command: click.Command, arguments: list[str]) -> None:
    """Read the arguments of a command as the program does, without running it."""
    context = click.Context(command)
    while isinstance(command, click.Group):
        inner = command.get_command(context, arguments.pop(0))
        assert inner is not None
        command = inner
    command.make_context("program", arguments)


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_python_examples_are_python(path: Path) -> None:
    for block in blocks(path, "python"):
        ast.parse(block)


@pytest.mark.slow
@pytest.mark.parametrize("path", list(filter(has_transcript, PAGES)), ids=name_of)
def test_examples_print_what_pages_say(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WORDKIN_BUNDLES", raising=False)
    # To write it again: python -m tests.support.transcripts
    assert rewritten(path) == path.read_text(encoding="utf-8")


def test_every_example_of_the_tutorial_is_run() -> None:
    tutorial = DOCS / "tutorial.md"
    assert has_transcript(tutorial)
    assert blocks(tutorial, "sh") == ["pip install .\n"]
    shown = tutorial.read_text(encoding="utf-8").count("```\n\n```text\n")
    assert shown == len(blocks(tutorial, "python"))


RUN = [
    ROOT / "README.md",
    DOCS / "explanation/vocabulary.md",
    DOCS / "explanation/judging.md",
    DOCS / "how-to/gold-set.md",
]


@pytest.mark.slow
@pytest.mark.parametrize("path", RUN, ids=name_of)
def test_examples_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_examples(path)


def run_examples(path: Path, **names: Any) -> dict[str, Any]:
    """Run the Python examples of a page, one after the other; return the names they made."""
    for block in blocks(path, "python"):
        exec(compile(block, str(path), "exec"), names)
    return names


@pytest.mark.slow
def test_vectors_of_ones_own_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gensim = pytest.importorskip("gensim.models")
    monkeypatch.chdir(tmp_path)
    keyed = gensim.KeyedVectors(3)
    keyed.add_vectors(["piano", "river", "tax"], [[1, 0, 0], [0, 1, 0], [0, 1, 1]])
    keyed.save_word2vec_format("vectors.bin", binary=True)
    names = run_examples(DOCS / "how-to/own-vectors.md")
    assert names["letters"].nearest("piano", 1)[0][1] > 0.5


def test_the_whole_matrix_of_counts_is_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("matrices/en/counts").mkdir(parents=True)
    example = re.search(
        r"indptr ([\d ]+?) +indices ([\d ]+?) +values ([\d ]+?) +total (\d+)",
        page("reference/files.md"),
    )
    assert example
    for name, numbers in zip(("indptr", "indices", "values"), example.groups(), strict=False):
        np.save(f"matrices/en/counts/{name}.npy", np.array(numbers.split(), dtype=np.int64))
    names = run_examples(DOCS / "reference/files.md")
    assert names["whole"].toarray().tolist() == [[0, 3, 0], [3, 0, 4], [0, 4, 0]]
    assert names["whole"].sum() == int(example[4])


def test_the_study_of_the_page_is_one(tmp_path: Path) -> None:
    (study,) = (b for b in blocks(DOCS / "how-to/study.md", "yaml") if b.startswith("name:"))
    (tmp_path / "pilot.yaml").write_text(study, encoding="utf-8")
    assert read_design(tmp_path / "pilot.yaml").name == "pilot"


def test_a_matrix_is_read_with_numpy_as_the_page_says(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    words, dimensions = 6, 4
    matrix = sparse.random(words, words, 0.4, "csr", rng=rng)
    matrix = sparse.csr_matrix(matrix + matrix.T)
    matrix.setdiag(0)
    matrix.eliminate_zeros()
    pairs = Pairs(
        matrix.indptr.astype(np.int64),
        matrix.indices.astype(np.uint16),
        rng.integers(0, 256, matrix.nnz, dtype=np.uint8),
        np.sort(rng.random(256, dtype=np.float32)),
    )
    vectors = Vectors(
        rng.integers(-127, 128, (words, dimensions), dtype=np.int8),
        rng.random(words, dtype=np.float32),
        rng.random(dimensions, dtype=np.float32),
        rng.random(words, dtype=np.float32) * 1000,
    )
    for name in ("indptr", "indices", "values", "levels"):
        np.save(tmp_path / f"{name}.npy", getattr(pairs, name))
    for name in ("scales", "weights", "bounds"):
        np.save(tmp_path / f"{name}.npy", getattr(vectors, name))
    np.save(tmp_path / "vectors.npy", vectors.numbers)
    names = run_examples(DOCS / "reference/bundle.md", folder=tmp_path)
    vocabulary = wordkin.Vocabulary(list("abcdef"), range(6), range(6))
    measure = MatrixMeasure("made-up", vocabulary, pairs, vectors)
    assert names["relatedness"] == pytest.approx(measure.pairs([3], [5])[0], rel=1e-5)


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", tmp_path / "site"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site" / "tutorial.html").exists()

"""`dvc.yaml` names what the stages really read, write and import, no less and no more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from pipeline.layout import Layout
from pipeline.stage import STAGES, Stage, sections_of_matrices
from tests.support.imports import PACKAGES, imported_files
from tests.support.root import ROOT

KEY = "${key}"
LAYOUT = Layout(Path(), KEY)

GROUND_FLOOR = {
    "pipeline/__init__.py": "holds nothing but a docstring",
    "pipeline/stage.py": "runs a stage and decides nothing about its result",
    "wordkin/program.py": "prints on standard error, and ends programs",
    "pipeline/settings.py": "DVC watches the values themselves",
    "pipeline/knowledge_settings.py": "DVC watches the values themselves",
    "pipeline/vector_settings.py": "a part of the settings",
    "pipeline/schema.py": "checks the settings, whose values DVC watches",
    "pipeline/params.py": "reads the settings, whose values DVC watches",
    "pipeline/declaration.py": "a part of the settings",
    "pipeline/layout.py": "DVC watches the places themselves",
    "pipeline/memory.py": "refuses a stage, or lets it run as it is",
    "pipeline/storage.py": "where files live does not change what is in them",
    "pipeline/locations.py": "checks locations for the settings; only fetching uses what they mean",
    "pipeline/engine.py": "the bytes do not depend on the engine",
    "pipeline/spark.py": "the bytes do not depend on the engine",
    "wordkin/__init__.py": "imports a public name when it is asked for",
    "wordkin/errors.py": "an error has no result",
    "wordkin/files.py": "how a file is put in its place does not change what is in it",
}
"""What every stage imports and no result depends on: a change there need not run everything."""

DATA = {
    "fetch": ["wordkin/game/boards"],
    "vocabulary": ["wordkin/starter"],
    "vectors": ["wordkin/starter"],
    "agents": ["wordkin/game/unwanted"],
}
"""Files of the library that a stage reads and does not import."""

every_stage = pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.name)


@pytest.fixture(scope="module")
def definitions() -> dict[str, dict[str, Any]]:
    text = (ROOT / "dvc.yaml").read_text(encoding="utf-8")
    stages = YAML(typ="safe", pure=True).load(text)["stages"]
    return {name: definition["do"] for name, definition in stages.items()}


def names(entries: list[Any]) -> list[str]:
    """The paths of a list in dvc.yaml; an entry with options is a mapping."""
    return [next(iter(entry)) if isinstance(entry, dict) else entry for entry in entries]


def is_code(path: str) -> bool:
    return path.split("/")[0] in PACKAGES


def is_package_marker(path: Path) -> bool:
    return path.name == "__init__.py" and (ROOT / path).stat().st_size == 0


@every_stage
def test_a_stage_depends_on_the_code_that_it_imports(
    stage: Stage, definitions: dict[str, dict[str, Any]]
) -> None:
    declared = [Path(path) for path in names(definitions[stage.name]["deps"]) if is_code(path)]
    code = [path for path in declared if str(path) not in DATA.get(stage.name, [])]
    imported = imported_files(f"pipeline.{stage.room}.{stage.name}")
    missing = {
        path
        for path in imported
        if str(path) not in GROUND_FLOOR
        and not is_package_marker(path)
        and not any(covers(dep, path) for dep in code)
    }
    assert not missing, f"add to the deps of {stage.name}: {sorted(map(str, missing))}"
    unused = {str(dep) for dep in code if not whole_in(dep, imported)}
    assert not unused, f"{stage.name} does not import all of {sorted(unused)}: name its modules"
    assert len(set(declared)) == len(declared)


def covers(dep: Path, path: Path) -> bool:
    return dep == path or dep in path.parents


def whole_in(dep: Path, imported: set[Path]) -> bool:
    """Whether a dependency, a module or a room, is imported with all that is in it."""
    if dep.suffix:
        return dep in imported
    modules = [path.relative_to(ROOT) for path in (ROOT / dep).rglob("*.py")]
    return all(path in imported or is_package_marker(path) for path in modules)


@every_stage
def test_a_stage_depends_on_its_inputs(
    stage: Stage, definitions: dict[str, dict[str, Any]]
) -> None:
    deps = {path for path in names(definitions[stage.name]["deps"]) if not is_code(path)}
    assert deps == {path.as_posix() for path, _ in stage.inputs(LAYOUT)}
    assert set(DATA.get(stage.name, [])) <= set(names(definitions[stage.name]["deps"]))


@every_stage
def test_a_stage_declares_its_outputs(stage: Stage, definitions: dict[str, dict[str, Any]]) -> None:
    definition = definitions[stage.name]
    outputs = names([*definition.get("outs", []), *definition.get("plots", [])])
    places = [LAYOUT.place(name) for name in stage.writes]
    for output in outputs:
        assert any(covers(place, Path(output)) for place in places), output
    for place in places:
        assert any(covers(place, Path(output)) for output in outputs), place
    assert names(definition["metrics"]) == [LAYOUT.metrics(stage.name).as_posix()]
    assert definition["cmd"] == f"python -m pipeline {stage.name} {KEY}"


def test_the_bundle_says_all_settings_that_decide_what_is_in_the_matrices(
    definitions: dict[str, dict[str, Any]],
) -> None:
    params = definitions["publish"]["params"]
    assert {section for section in params if "." not in section} == {
        *sections_of_matrices(),
        "publish",
    }


def test_the_ground_floor_is_there() -> None:
    for path in GROUND_FLOOR:
        assert (ROOT / path).is_file()

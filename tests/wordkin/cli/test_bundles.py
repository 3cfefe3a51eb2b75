"""`wordkin bundles`, `info` and `pack --wheel`: what is there, from where, and how good."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import wordkin.lookup
from tests.support.bundles import make_bundle
from tests.support.installed import offer, pip_install, run_with
from wordkin.cli.bundles import gold_score
from wordkin.pack import pack


@pytest.fixture
def places(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One bundle of each origin, below the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WORDKIN_BUNDLES", "home")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    make_bundle(Path("matrices/hu"), "hu")
    shutil.copytree(folder, "home/en")
    pack(folder, Path("home/en.zip"))
    there = offer(tmp_path / "site", "wordkin_en")
    shutil.copytree(folder, there, dirs_exist_ok=True)
    shutil.copytree("matrices/hu/bundle", "starters/hu")
    monkeypatch.setattr(wordkin.lookup, "STARTERS", tmp_path / "starters")
    return tmp_path


def test_bundles_of_all_origins_are_listed(run: Any, places: Path) -> None:
    bundles = json.loads(run("bundles", "--json"))
    assert [(bundle["language"], bundle["from"], bundle["path"]) for bundle in bundles] == [
        ("en", "WORDKIN_BUNDLES", "home/en"),
        ("en", "WORDKIN_BUNDLES", "home/en.zip"),
        ("en", "installed", str(places / "site" / "wordkin_en")),
        ("hu", "built", "matrices/hu/bundle"),
        ("hu", "starter", str(places / "starters" / "hu")),
    ]
    assert bundles[0]["words"] == bundles[1]["words"] == 80
    assert bundles[1]["bytes"] == Path("home/en.zip").stat().st_size < bundles[0]["bytes"]
    assert bundles[0]["default"] == "graph"


def test_the_list_is_a_table_for_people(run: Any, places: Path) -> None:
    head, *lines = (line.split() for line in run("bundles").splitlines())
    assert head == ["language", "words", "from", "store", "size", "MEN", "WS-353", "path"]
    assert len(lines) == 5
    assert lines[0][:4] == ["en", "80", "WORDKIN_BUNDLES", "full"]
    assert lines[0][5:] == ["MB", "-", "-", "home/en"]


def test_a_damaged_bundle_is_listed_with_its_problem(run: Any, places: Path) -> None:
    Path("home/en/bundle.json").write_text("{")
    Path("home/hu.zip").write_bytes(b"PK")
    offer(places / "site", "wordkin_de", "[wordkin.bundles]\nde = wordkin_de\n")
    bundles = json.loads(run("bundles", "--json"))
    problems = {(bundle["language"], bundle["path"]): bundle.get("problem") for bundle in bundles}
    assert "is damaged" in problems["en", "home/en"]
    assert "Cannot read home/hu.zip" in problems["hu", "home/hu.zip"]
    assert "offers a bundle for 'de'" in problems["de", "wordkin_de"]
    assert problems["hu", "matrices/hu/bundle"] is None
    table = run("bundles").splitlines()
    assert len(table) == 1 + len(bundles)


def test_without_bundles_the_list_says_what_to_do(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WORDKIN_BUNDLES", str(tmp_path))
    monkeypatch.setattr(wordkin.lookup, "STARTERS", tmp_path / "nowhere")
    assert run("bundles").startswith("There are no bundles: build one, install a wheel")
    assert json.loads(run("bundles", "--json")) == []


@pytest.mark.parametrize(
    ("evaluation", "score"),
    [
        ({"MEN": {"graph": {"spearman_all": 0.71, "spearman": 0.8}}}, 0.71),
        ({"MEN": {"npmi": {"spearman_all": 0.71}}}, None),
        ({"MEN": {"graph": 0.5}}, None),
        ({"MEN": []}, None),
        ("good", None),
        (None, None),
    ],
)
def test_the_score_is_that_of_the_default_measure_over_all_pairs(
    evaluation: object, score: float | None
) -> None:
    assert gold_score({"default": "graph", "evaluation": evaluation}, "MEN") == score


def test_info_says_from_where_the_bundle_was_loaded(run: Any, places: Path) -> None:
    first = run("info").splitlines()[0].split()
    assert first == ["bundle", "home/en", "(WORDKIN_BUNDLES)"]
    assert ["store", "full"] in [line.split() for line in run("info").splitlines()]
    assert run("info", "--lang", "hu").splitlines()[0].endswith("matrices/hu/bundle (built)")
    facts = json.loads(run("info", "--bundle", "home/en.zip", "--json"))
    assert (facts["path"], facts["from"]) == ("home/en.zip", "given path")


@pytest.mark.slow
def test_a_packed_wheel_is_installed_listed_and_played_with(
    run: Any, folder: Path, tmp_path: Path
) -> None:
    written = run("pack", "--wheel", "--bundle", str(folder), str(tmp_path / "dist"), "--json")
    wheel = Path(json.loads(written)["written"])
    assert wheel.parent == tmp_path / "dist"
    installed = pip_install(wheel, tmp_path / "site")
    assert installed.returncode == 0, installed.stderr
    program = "import sys; from wordkin.cli import main; sys.exit(main({}))"
    listed = run_with(tmp_path / "site", tmp_path, program.format(["bundles", "--json"]))
    (bundle,) = [row for row in json.loads(listed.stdout) if row["from"] == "installed"]
    assert bundle["path"] == str(tmp_path / "site" / "wordkin_en")
    clue = ["clue", "--ours", "piano mouse", "--theirs", "bison"]
    played = run_with(tmp_path / "site", tmp_path, program.format(clue))
    assert played.stdout.startswith("keyboard 2\n"), played.stderr

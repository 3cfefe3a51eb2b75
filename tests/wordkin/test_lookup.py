"""Where bundles are found, and what wrong packages give: one sentence, and no code is run."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

import wordkin
from tests.support.bundles import make_bundle
from tests.support.installed import offer
from wordkin import lookup
from wordkin.errors import InputError
from wordkin.lookup import (
    BUILT,
    GIVEN,
    GROUP,
    HOME,
    INSTALLED,
    STARTER,
    bundles_on_disk,
    find_bundle,
    starter_bundles,
)
from wordkin.pack import pack


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_bundle(tmp_path_factory.mktemp("places"))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for packages; nothing else is found from the current folder."""
    (tmp_path / "site").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.delenv("WORDKIN_BUNDLES", raising=False)
    monkeypatch.setattr(lookup, "STARTERS", tmp_path / "starter")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "site"


def install(folder: Path, site: Path, package: str) -> Path:
    """Put a bundle into a package that offers it."""
    there = offer(site, package)
    shutil.copytree(folder, there, dirs_exist_ok=True)
    return there


def test_the_order_is_home_then_built_then_installed_then_the_starter(
    folder: Path, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starter = tmp_path / "starter" / "en"
    shutil.copytree(folder, starter)
    assert find_bundle("en") == (starter, STARTER)
    assert starter_bundles() == [(starter, STARTER)]
    there = install(folder, site, "wordkin_en")
    assert find_bundle("en") == (there, INSTALLED)
    shutil.copytree(folder, tmp_path / "matrices" / "en" / "bundle")
    assert find_bundle("en") == (Path("matrices/en/bundle"), BUILT)
    pack(folder, tmp_path / "home" / "en.zip")
    monkeypatch.setenv("WORDKIN_BUNDLES", str(tmp_path / "home"))
    assert find_bundle("en") == (tmp_path / "home" / "en.zip", HOME)
    assert find_bundle(folder) == (folder, GIVEN)
    assert (wordkin.load("en").path, wordkin.load("en").origin) == find_bundle("en")
    assert bundles_on_disk() == [find_bundle("en"), (Path("matrices/en/bundle"), BUILT)]


def test_the_error_names_every_place(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("WORDKIN_BUNDLES", str(home))
    with pytest.raises(InputError) as caught:
        wordkin.load("tr")
    assert str(caught.value) == (
        f"There is no bundle for the language 'tr': looked at {home / 'tr'}, {home / 'tr.zip'}, "
        f"{home / 'tr/bundle'}, matrices/tr/bundle, the "
        "installed packages and the starter bundles; build it with the pipeline, install its wheel "
        "with pip, or set WORDKIN_BUNDLES."
    )


def test_the_home_of_bundles_may_be_the_folder_of_a_build(
    folder: Path, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "project" / "matrices" / "en" / "bundle"
    shutil.copytree(folder, there)
    monkeypatch.setenv("WORDKIN_BUNDLES", str(tmp_path / "project" / "matrices"))
    assert find_bundle("en") == (there, HOME)
    assert bundles_on_disk() == [(there, HOME)]


def test_a_home_of_bundles_that_is_none_is_refused(
    folder: Path, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for home, why in ((tmp_path / "nowhere", "is no folder"), (folder, "is a bundle")):
        monkeypatch.setenv("WORDKIN_BUNDLES", str(home))
        for ask in (bundles_on_disk, lambda: wordkin.load("en")):
            with pytest.raises(InputError, match=f"WORDKIN_BUNDLES is .* {why}"):
                ask()


def test_a_package_is_not_imported(folder: Path, site: Path) -> None:
    there = install(folder, site, "wordkin_en_noisy")
    (there / "__init__.py").write_text("raise SystemExit('imported')\n")
    assert wordkin.load("en").folder == there
    assert "wordkin_en_noisy" not in sys.modules


def test_a_package_without_a_bundle_is_named(site: Path) -> None:
    offer(site, "wordkin_en")
    with pytest.raises(InputError, match=r"'wordkin_en' offers .* 'en', but has no bundle\.json"):
        wordkin.load("en")


def test_a_package_that_is_gone_is_named(site: Path) -> None:
    offer(site, "wordkin_en").rmdir()
    with pytest.raises(InputError, match=r"'wordkin_en' offers a bundle .* install it again"):
        wordkin.load("en")


@pytest.mark.parametrize(
    "package", ["os", "os.path", "../secret", "/etc", "", "__main__", "wordkin_en:load", "a b"]
)
def test_an_entry_point_to_anything_else_is_refused(site: Path, package: str) -> None:
    offer(site, "hostile", f"[{GROUP}]\nen = {package}\n")
    with pytest.raises(InputError, match=r"has no bundle\.json") as caught:
        wordkin.load("en")
    assert "\n" not in str(caught.value)


def test_a_bundle_of_another_language_is_refused(folder: Path, site: Path) -> None:
    there = offer(site, "wordkin_de", f"[{GROUP}]\nde = wordkin_de\n")
    shutil.copytree(folder, there, dirs_exist_ok=True)
    with pytest.raises(InputError, match="'wordkin_de' has a bundle for another language"):
        wordkin.load("de")


def test_two_packages_for_one_language_are_named(folder: Path, site: Path) -> None:
    install(folder, site, "wordkin_en")
    install(folder, site, "another_en")
    with pytest.raises(InputError, match=r"Several .* \(another_en, wordkin_en\): uninstall all"):
        wordkin.load("en")


def test_a_damaged_installed_bundle_is_refused(folder: Path, site: Path) -> None:
    there = install(folder, site, "wordkin_en")
    (there / "lemmas.tsv").unlink()
    with pytest.raises(InputError, match=r"lemmas\.tsv is missing"):
        wordkin.load("en")
    (there / "bundle.json").write_text("{")
    with pytest.raises(InputError, match=r"bundle\.json is damaged"):
        wordkin.load("en")

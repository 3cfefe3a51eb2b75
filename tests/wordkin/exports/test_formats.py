"""What holds for every export format."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.exports import CARDS, contents
from wordkin.bundle import Bundle
from wordkin.errors import InputError
from wordkin.exports import FORMATS


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_a_description_and_writes_the_same_bytes_each_time(
    bundle: Bundle, tmp_path: Path, name: str
) -> None:
    assert FORMATS[name].about and "\n" not in FORMATS[name].about
    for run in ("one", "two"):
        (tmp_path / run).mkdir()
        FORMATS[name].write(bundle, bundle.measure("svd"), tmp_path / run / "out", CARDS, 5)
    written = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert "out" in written and not [path for path in written if path.endswith(".part")]
    for path in written:
        assert contents(tmp_path / "one" / path) == contents(tmp_path / "two" / path)


@pytest.mark.parametrize("name", FORMATS)
def test_an_old_file_is_replaced(bundle: Bundle, tmp_path: Path, name: str) -> None:
    FORMATS[name].write(bundle, bundle.measure("svd"), tmp_path / "out", CARDS[:2])
    FORMATS[name].write(bundle, bundle.measure("svd"), tmp_path / "out")
    FORMATS[name].write(bundle, bundle.measure("svd"), tmp_path / "new")
    assert contents(tmp_path / "out") == contents(tmp_path / "new")


@pytest.mark.parametrize("name", FORMATS)
def test_a_list_without_any_known_word_is_refused(
    bundle: Bundle, tmp_path: Path, name: str
) -> None:
    with pytest.raises(InputError, match=r"knows none of zzyzx, qwerty\."):
        FORMATS[name].write(bundle, bundle.measure("svd"), tmp_path / "x", ["zzyzx", "qwerty"])
    with pytest.raises(InputError, match="There are no words to write"):
        FORMATS[name].write(bundle, bundle.measure("svd"), tmp_path / "x", [])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", FORMATS)
def test_fewer_than_one_nearest_word_is_refused(bundle: Bundle, tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="ask for 1 or more"):
        FORMATS[name].write(bundle, bundle.measure("svd"), tmp_path / "x", top=0)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "package"),
    [("edges", "pyarrow"), ("graphml", "networkx"), ("safetensors", "safetensors.numpy")],
)
def test_without_its_package_a_format_says_what_to_install(
    bundle: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match=r"pip install 'wordkin\[exports\]'"):
        FORMATS[name].write(bundle, bundle.measure("npmi"), tmp_path / "out")
    assert not list(tmp_path.iterdir())

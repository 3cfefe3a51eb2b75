"""A build relays what DVC says: one line per stage, with its number."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from tqdm import tqdm

from pipeline import build as building
from pipeline.build import Language
from wordkin.errors import InputError

SAID = """Running stage 'code@en':
> python -m pipeline code en

Stage 'fetch@en' didn't change, skipping
Running stage 'tokens@en':
> python -m pipeline tokens en
tokens en … (about 400 MiB of memory)
a part of wiki is damaged
tokens en: 3 documents out; 0.1 s
Updating lock file 'dvc.lock'
Use `dvc push` to send your updates to remote storage.""".splitlines()


def relay(monkeypatch: pytest.MonkeyPatch, lines: Iterable[str]) -> Language:
    with tqdm(total=28, disable=True) as bar:
        language = Language(Path(), "en", bar, itertools.count(1), alone=True)
        monkeypatch.setattr(language, "_output", lambda: iter(lines))
        language.run()
    return language


def test_only_what_stages_say_is_relayed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    language = relay(monkeypatch, SAID)
    assert (language.ran, language.fault) == (1, "")
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "a part of wiki is damaged"
    assert said[1] == "[ 2/28] tokens en: 3 documents out; 0.1 s"


def test_a_second_build_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["ERROR: '/project/a' is busy, it is being blocked by:"]
    assert relay(monkeypatch, lines).fault.startswith("Another build is running in ")


@pytest.mark.slow
def test_a_failed_stage_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "fails.py").write_text("import sys; sys.exit('The text is bad: mend it.')")
    last = list(building.TABLE)[-1]
    (tmp_path / "dvc.yaml").write_text(
        f"stages: {{{last}: {{foreach: [en], do: {{cmd: '{sys.executable} fails.py'}}}}}}"
    )
    (tmp_path / ".dvc" / "tmp").mkdir(parents=True)
    (tmp_path / ".dvc" / "config").write_text("[core]\n    no_scm = True\n")
    settings = type("Settings", (), {"languages": {"en": None}})()
    monkeypatch.setattr(building, "side_by_side", lambda root, settings: 1)
    with pytest.raises(InputError, match=f"The stage {last} of 'en' failed, as said above"):
        building.build(tmp_path, settings)
    assert "The text is bad: mend it." in capsys.readouterr().err

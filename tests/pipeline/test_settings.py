"""params.yaml: every mistake is told in a sentence with its key, all of them at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline import settings
from pipeline.__main__ import main
from pipeline.settings import Mistakes, Spark
from tests.conftest import ROOT
from wordkin.errors import InputError

GOOD = """
languages:
  xx:
    lemmatize: false
    vocabulary: {size: 100}
    sources:
      - {name: own, location: corpora/xx/raw/*.txt, format: text}
fetch: {}
tokens: {}
vocabulary: {}
counts: {window: 10}
npmi: {}
squared: {}
graph: {}
svd: {}
blend: {weights: {npmi: 1}}
fasttext: {}
evaluate: {}
publish: {measures: [npmi], default: npmi}
spark: {}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("WORDKIN_MIRROR", raising=False)  # it goes before the setting
    raw = tmp_path / "corpora" / "xx" / "raw"
    raw.mkdir(parents=True)
    (raw / "a.txt").write_text("some words\n")
    return tmp_path


def mistakes_of(project: Path, text: str) -> list[str]:
    (project / "params.yaml").write_text(text)
    with pytest.raises(Mistakes) as caught:
        settings.load(project / "params.yaml")
    return caught.value.mistakes


def test_the_project_s_own_settings_are_right() -> None:
    own = settings.load(ROOT / "params.yaml")
    assert {"en", "hu"} <= set(own.languages)


def test_the_project_s_own_settings_are_the_defaults() -> None:
    own = settings.load(ROOT / "params.yaml")
    sections = ("counts", "npmi", "squared", "graph", "svd", "fasttext", "agents", "evaluate")
    for name in ("fetch", "tokens", "vocabulary", "spark", *sections):
        section = getattr(own, name)
        assert section == type(section)(), name


def test_keys_left_out_take_their_defaults(project: Path) -> None:
    (project / "params.yaml").write_text(GOOD)
    read = settings.load(project / "params.yaml")
    assert read.counts == settings.Counts(window=10, weighting="linear")
    assert read.of("xx").sources[0].tolerate == 0.0


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("window: 10", "windw: 10"), "counts.windw: unknown key; did you mean 'window'?"),
        (("window: 10", "window: 0"), "counts.window: must be from 1 to 50, not 0."),
        (("window: 10", "window: ten"), "counts.window: must be a whole number, not 'ten'."),
        (("window: 10", "window: true"), "counts.window: must be a whole number, not True."),
        (
            ("window: 10", "weighting: harmonics"),
            "counts.weighting: must be 'linear' or 'uniform' or 'harmonic', not 'harmonics'; "
            "did you mean 'harmonic'?",
        ),
        (("graph: {}", "graph: {top: none}"), "graph.top: must be a whole number or 'all'"),
        (("graph: {}", "graph: {top: 0}"), "graph.top: must be at least 1, not 0."),
        (
            ("graph: {}", "graph: {top: 9, store: float16}"),
            "graph.store: float16 is for all pairs; write top: all, or store: sparse.",
        ),
        (("graph: {}\n", ""), "graph: missing; add it."),
        (("graph: {}", "graph: 3"), "graph: must be a mapping of keys to values."),
        (("graph: {}", "grpah: {}"), "grpah: unknown key; did you mean 'graph'?"),
        (("lemmatize: false", "lemmatize: 1"), "languages.xx.lemmatize: must be true or false"),
        (("    lemmatize: false\n", ""), "languages.xx.lemmatize: missing; add it."),
        (("size: 100", "size: 1"), "languages.xx.vocabulary.size: must be from 2 to 1000000"),
        (("{name: own,", "{name: My Own,"), "languages.xx.sources[0].name: must be lower-case"),
        (("format: text", "format: txt"), "languages.xx.sources[0].format: must be 'wikipedia'"),
        (("format: text", "tolerate: 1"), "sources[0].tolerate: must be from 0 to below 1"),
        (("raw/*.txt", "raw/*.xml"), "languages.xx.sources[0].location: "),
        (("corpora/xx/raw/*.txt", "ftp://x/y"), "languages.xx.sources[0].location: "),
        (
            ("size: 100", "size: 100, stop_words: own.txt"),
            "vocabulary.stop_words: there is no file",
        ),
        (("fetch: {}", "fetch: {mirror: nowhere}"), "fetch.mirror: there is no folder"),
        (("default: npmi", "default: graph"), "publish.default: 'graph' is not among"),
        (("fasttext: {}", "fasttext: {subwords: [6, 3]}"), "fasttext.subwords: must be the least"),
        (("measures: [npmi]", "measures: []"), "publish.measures: is empty"),
        (("measures: [npmi]", "measures: npmi"), "publish.measures: must be a list, not 'npmi'."),
        (
            ("spark: {}", "spark: {conf: {spark.x: 1}}"),
            "spark.conf.spark.x: must be a text, not 1.",
        ),
    ],
)
def test_each_mistake_names_its_key(project: Path, change: tuple[str, str], told: str) -> None:
    assert change[0] in GOOD
    (mistake, *_) = mistakes_of(project, GOOD.replace(*change))
    assert told in mistake


def test_a_language_without_corpora(project: Path) -> None:
    text = GOOD.split("    sources:")[0] + "    sources: []\nfetch: {}" + GOOD.split("fetch: {}")[1]
    assert mistakes_of(project, text) == ["languages.xx.sources: is empty: name at least one."]
    assert (
        "languages: is empty"
        in mistakes_of(project, "languages: {}\n" + GOOD.split("raw/*.txt, format: text}\n")[1])[0]
    )


def test_a_name_used_twice(project: Path) -> None:
    twice = "      - {name: own, location: corpora/xx/raw}\nfetch: {}"
    (mistake,) = mistakes_of(project, GOOD.replace("fetch: {}", twice))
    assert mistake == "languages.xx.sources[1].name: 'own' is used twice; choose another."


def test_all_mistakes_are_told_at_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = GOOD.replace("window: 10", "window: 0").replace("raw/*.txt", "raw/*.xml")
    text = text.replace("default: npmi", "default: graph").replace("graph: {}", "graph: {tops: 3}")
    (project / "params.yaml").write_text(text)
    assert main(["--root", str(project), "check"]) == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert len(told) == 4
    assert all(line.startswith("params.yaml: ") for line in told)


@pytest.mark.parametrize("text", ["languages: [", "a: 1\na: 2\n", "\t- x", "just text"])
def test_what_is_not_yaml_is_told_plainly(project: Path, text: str) -> None:
    assert mistakes_of(project, text)


def test_no_file_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--root", str(tmp_path), "check"]) == 2
    assert "run this in the project's folder" in capsys.readouterr().err


def test_an_undeclared_language(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "params.yaml").write_text(GOOD)
    assert main(["--root", str(project), "fetch", "yy"]) == 2
    assert "'yy' is not in params.yaml (there: xx)" in capsys.readouterr().err


def test_the_environment_goes_before_the_file() -> None:
    environment = {"WORDKIN_SPARK_MASTER": "local[1]", "WORDKIN_SPARK_CONF": "spark.a=1 spark.b=2"}
    assert Spark(conf={"spark.a": "0"}).with_environment(environment) == Spark(
        master="local[1]", conf={"spark.a": "1", "spark.b": "2"}
    )
    with pytest.raises(InputError, match="key=value"):
        Spark().with_environment({"WORDKIN_SPARK_CONF": "spark.a"})

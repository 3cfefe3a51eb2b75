"""params.yaml: every mistake is reported in one sentence with its key, all of them at once."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import pytest
from pydantic import Strict

from pipeline.__main__ import main
from pipeline.count.codes import Counts
from pipeline.engine import InProcessEngine
from pipeline.layout import SINGLE
from pipeline.mistakes import Mistakes
from pipeline.settings import LanguageSettings, Spark, load_settings
from pipeline.spark import open_engine
from pipeline.stages import load_checked, section_kinds
from tests.support.root import ROOT
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
report: {}
publish: {measures: [npmi], default: npmi}
spark: {}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("WORDKIN_MIRROR", raising=False)  # it overrides the setting
    raw = tmp_path / "corpora" / "xx" / "raw"
    raw.mkdir(parents=True)
    (raw / "a.txt").write_text("some words\n")
    return tmp_path


def mistakes_of(project: Path, text: str) -> list[str]:
    (project / "params.yaml").write_text(text)
    with pytest.raises(Mistakes) as caught:
        load_checked(project / "params.yaml")
    return caught.value.mistakes


def test_our_settings_are_right() -> None:
    ours = load_checked(ROOT / "params.yaml")
    assert {"en", "hu"} <= set(ours.languages)


@pytest.mark.parametrize(
    "name",
    ["fetch", "tokens", "vocabulary", "spark", "counts", "npmi", "squared", "graph", "svd",
     "fasttext", "report"],
)  # fmt: skip
def test_our_settings_are_the_defaults(name: str) -> None:
    kind = section_kinds()[name]
    assert load_settings(ROOT / "params.yaml").section(kind) == kind()


def test_numbers_and_flags_are_taken_as_they_are_written() -> None:
    # `Whole` and not `int`, which would take true for 1.
    def parts(hint: Any) -> Iterator[Any]:
        if dataclasses.is_dataclass(hint) and isinstance(hint, type):
            for part in get_type_hints(hint, include_extras=True).values():
                yield from parts(part)
        elif get_origin(hint) is Annotated and any(isinstance(m, Strict) for m in get_args(hint)):
            return
        elif get_args(hint) and get_origin(hint) is not Literal:
            for part in get_args(hint):
                yield from parts(part)
        else:
            yield hint

    for kind in [LanguageSettings, *section_kinds().values()]:
        assert not {int, float, bool} & {part for part in parts(kind) if isinstance(part, type)}


def test_omitted_keys_take_their_defaults(project: Path) -> None:
    (project / "params.yaml").write_text(GOOD)
    read = load_settings(project / "params.yaml")
    assert read.section(Counts) == Counts(window=10, weighting="linear")
    assert read.of("xx").sources[0].tolerate == 0.0


@pytest.mark.parametrize(
    ("change", "mistake"),
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
        (
            ("fasttext: {}", "fasttext: {trainer: fasttext, subwords: [3, 6]}"),
            "fasttext.subwords: the package fasttext starts them from undefined numbers; "
            "write [0, 0].",
        ),
        (("graph: {}", "graph: {top: none}"), "graph.top: must be a whole number or 'all'"),
        (("graph: {}", "graph: {top: 0}"), "graph.top: must be at least 1, not 0."),
        (("blend: {weights: {npmi: 1}}\n", ""), "blend.weights: missing; add it."),
        (("graph: {}", "graph: 3"), "graph: must be a mapping of keys to values."),
        (("graph: {}", "grpah: {}"), "grpah: unknown key; did you mean 'graph'?"),
        (("lemmatize: false", "lemmatize: 1"), "languages.xx.lemmatize: must be true or false"),
        (("    lemmatize: false\n", ""), "languages.xx.lemmatize: missing; add it."),
        (("size: 100", "size: 1"), "languages.xx.vocabulary.size: must be from 2 to 200000"),
        (
            ("{name: own,", "{name: My Own,"),
            "languages.xx.sources[My Own].name: must be a name of a-z 0-9 . _ -",
        ),
        (("format: text", "format: txt"), "languages.xx.sources[own].format: must be 'wikipedia'"),
        (("format: text", "tolerate: 1"), "sources[own].tolerate: must be from 0 to below 1"),
        (("raw/*.txt", "raw/*.xml"), "languages.xx.sources[own].location: "),
        (("corpora/xx/raw/*.txt", "ftp://x/y"), "languages.xx.sources[own].location: "),
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
            "spark.conf.spark.x: must be a text, not 1; write it in quotes.",
        ),
        (("{npmi: 1}", "{npmi: .nan}"), "blend.weights.npmi: must be a number, not nan."),
        (("{npmi: 1}", "{npmi: .inf}"), "blend.weights.npmi: must be a number, not inf."),
        (("{npmi: 1}", "{npmi: 1e999}"), "blend.weights.npmi: must be a number, not inf."),
        (
            ("{npmi: 1}", "{npmi: -1}"),
            "blend.weights: npmi has the weight -1; write a number above",
        ),
        (("{npmi: 1}", "{npmi: 0}"), "blend.weights: npmi has the weight 0; write a number above"),
        (("{npmi: 1}", "{}"), "blend.weights: is empty: name at least one."),
        (("npmi: {}", "npmi: {smoothing: .nan}"), "npmi.smoothing: must be a number, not nan."),
        (("npmi: {}", "npmi: {minimum_count: -1}"), "npmi.minimum_count: must be at least 0, not"),
        (("format: text", "mirror: ../x"), "sources[own].mirror: must be a path relative to the"),
        (("  xx:", "  Finnish:"), "languages.Finnish: must be a language code such as en"),
        (
            ("spark: {}", "spark: {}\nhuman: {rounds: {xx: {}}}"),
            "human.rounds.xx: give a location (or a mirror path).",
        ),
        (
            ("spark: {}", "spark: {}\nhuman: {rounds: {xx: {name: mine, mirror: x}}}"),
            "human.rounds.xx.name: unknown key; known are location, sha256, mirror, licence, "
            "without.",
        ),
        # Names of measures.
        (
            ("{npmi: 1}", "{nmpi: 1}"),
            "blend.weights.nmpi: not a measure to blend; did you mean 'npmi",
        ),
        (
            ("{npmi: 1}", "{human: 1}"),
            "blend.weights.human: not a measure to blend; known are npmi,",
        ),
        (("{npmi: 1}", "{blend: 1}"), "blend.weights.blend: not a measure to blend; "),
        (
            ("measures: [npmi]", "measures: [npmi, grahp]"),
            "publish.measures: 'grahp' is not a measure; did you mean 'graph'?",
        ),
        (
            ("measures: [npmi]", "measures: [npmi, npmi:2+swd]"),
            "publish.measures: 'swd' is not a measure; did you mean 'svd'?",
        ),
        (
            ("measures: [npmi]", "measures: [npmi, concat]"),
            "publish.measures: 'concat' is not a measure;",
        ),
        (
            ("measures: [npmi], default: npmi", "measures: [blend], default: blend"),
            "blend.weights: publish.measures has 'blend' without npmi; add them there.",
        ),
        (
            ("spark: {}", "spark: {}\nextras: {measures: [conct]}"),
            "extras.measures: there is no 'conct'; did you mean 'concat'?",
        ),
        (
            ("spark: {}", "spark: {}\nextras: {glov: {}}"),
            "extras.glov: unknown key; did you mean 'glove'?",
        ),
        (
            ("spark: {}", "spark: {}\nextras: {glove: {epochs: 0}}"),
            "extras.glove.epochs: must be at least 1, not 0.",
        ),
        (
            ("spark: {}", "spark: {}\nextras: {imported: {xx: [{name: Mine, mirror: x}]}}"),
            "extras.imported.xx[Mine].name: must be a name of a-z 0-9 _ -, not 'Mine'.",
        ),
        (
            ("spark: {}", "spark: {}\nextras: {measures: [concat], concat: {measures: [sdv]}}"),
            "extras.concat.measures: 'sdv' has no vectors; did you mean 'svd'?",
        ),
        (
            ("{weights: {npmi: 1}}", "{weights: {npmi: 1}, informed: {blend: 1}}"),
            "blend.informed.blend: not a measure to blend; ",
        ),
    ],
)
def test_each_mistake_is_reported_with_its_key(
    project: Path, change: tuple[str, str], mistake: str
) -> None:
    assert change[0] in GOOD
    (first, *_) = mistakes_of(project, GOOD.replace(*change))
    assert mistake in first


def test_measures_are_those_that_stages_make_and_blends_of_them(project: Path) -> None:
    names = ", ".join(
        [*SINGLE, "blend", "human", "informed", "concat", "npmi+svd", "npmi:2 + graph"]
    )
    text = GOOD.replace("measures: [npmi]", f"measures: [{names}]")
    text += "extras: {measures: [concat]}\n"
    (project / "params.yaml").write_text(text)
    read = load_checked(project / "params.yaml")
    assert read.publish.measures[-2:] == ["npmi+svd", "npmi:2 + graph"]


def test_the_command_line_checks_names_of_measures(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "params.yaml").write_text(GOOD.replace("{npmi: 1}", "{nmpi: 1}"))
    assert main(["--root", str(project), "check"]) == 2
    assert "blend.weights.nmpi" in capsys.readouterr().err


def test_a_language_without_sources_is_refused(project: Path) -> None:
    text = GOOD.split("    sources:")[0] + "    sources: []\nfetch: {}" + GOOD.split("fetch: {}")[1]
    assert mistakes_of(project, text) == ["languages.xx.sources: is empty: name at least one."]
    assert (
        "languages: is empty"
        in mistakes_of(project, "languages: {}\n" + GOOD.split("raw/*.txt, format: text}\n")[1])[0]
    )


def test_a_name_that_is_used_twice_is_refused(project: Path) -> None:
    twice = "      - {name: own, location: corpora/xx/raw}\nfetch: {}"
    (mistake,) = mistakes_of(project, GOOD.replace("fetch: {}", twice))
    assert mistake == "languages.xx.sources[1].name: 'own' is used twice; choose another."


def test_all_mistakes_are_reported_at_once(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = GOOD.replace("window: 10", "window: 0").replace("raw/*.txt", "raw/*.xml")
    text = text.replace("default: npmi", "default: graph").replace("graph: {}", "graph: {tops: 3}")
    (project / "params.yaml").write_text(text)
    assert main(["--root", str(project), "check"]) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 4
    assert all(line.startswith("params.yaml: ") for line in lines)


@pytest.mark.parametrize("text", ["languages: [", "a: 1\na: 2\n", "\t- x", "just text"])
def test_a_file_that_is_not_yaml_is_refused_in_plain_words(project: Path, text: str) -> None:
    assert mistakes_of(project, text)


def test_a_missing_file_is_refused_with_advice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--root", str(tmp_path), "check"]) == 2
    assert "run this in the project's folder" in capsys.readouterr().err


def test_an_undeclared_language_is_refused(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "params.yaml").write_text(GOOD)
    assert main(["--root", str(project), "fetch", "yy"]) == 2
    assert "'yy' is not in params.yaml (there: xx)" in capsys.readouterr().err


def test_the_environment_overrides_the_file() -> None:
    environment = {"WORDKIN_SPARK_MASTER": "local[1]", "WORDKIN_SPARK_CONF": "spark.a=1 spark.b=2"}
    assert Spark(conf={"spark.a": "0"}).with_environment(environment) == Spark(
        master="local[1]", conf={"spark.a": "1", "spark.b": "2"}
    )
    assert Spark().with_environment({"WORDKIN_SPARK_MASTER": ""}) == Spark()
    with pytest.raises(InputError, match="key=value"):
        Spark().with_environment({"WORDKIN_SPARK_CONF": "spark.a"})


def test_in_process_needs_neither_spark_nor_java(project: Path) -> None:
    (project / "params.yaml").write_text(GOOD.replace("spark: {}", "spark: {master: in-process}"))
    read = load_settings(project / "params.yaml")
    with open_engine("tests", read.spark) as engine:
        assert isinstance(engine, InProcessEngine)


def test_in_process_can_be_chosen_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORDKIN_SPARK_MASTER", "in-process")
    with open_engine("tests", Spark(master="spark://nowhere:7077")) as engine:
        assert isinstance(engine, InProcessEngine)

"""`python -m pipeline <stage> <language>`: run one stage; `dvc repro` runs them all in order."""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pipeline import settings as settings_module
from pipeline.layout import Layout
from pipeline.settings import Settings
from wordkin.errors import InputError

Metrics = dict[str, Any]


class Stage:
    """What a stage is called with: the language's layout, all settings, and Spark on demand."""

    def __init__(self, name: str, layout: Layout, settings: Settings, verbose: bool) -> None:
        self.name, self.layout, self.settings, self.verbose = name, layout, settings, verbose
        self.language = settings.of(layout.language)

    def with_spark(self, run: Callable[..., Metrics], *arguments: Any) -> Metrics:
        from pipeline.spark import spark_context

        title = f"wordkin {self.name} {self.layout.language}"
        with spark_context(title, self.settings.spark, self.verbose) as context:
            return run(self.layout, *arguments, context)


def fetch(stage: Stage) -> Metrics:
    from pipeline import fetch, gold, rounds, wheels

    stage.layout.prepare()
    mirror = stage.settings.fetch.folder(stage.layout.root)
    root, language = stage.layout.root, stage.layout.language
    with wheels.sharing(stage.layout.corpora):
        metrics = fetch.run(language, stage.language.sources, root, mirror)
        return {
            **metrics,
            "gold": gold.fetch_gold(stage.layout, mirror),
            "rounds": rounds.fetch_rounds(stage.layout, stage.settings.human, mirror),
        }


def tokens(stage: Stage) -> Metrics:
    from pipeline import tokens

    return stage.with_spark(tokens.run, stage.settings.tokens, stage.language)


def vocabulary(stage: Stage) -> Metrics:
    from pipeline import vocabulary

    of, lemmatize = stage.language.vocabulary, stage.language.lemmatize
    return stage.with_spark(vocabulary.run, stage.settings.vocabulary, of, lemmatize)


def counts(stage: Stage) -> Metrics:
    from pipeline import counts

    memory = stage.settings.spark.task_memory_mib
    return stage.with_spark(counts.run, stage.settings.counts, memory)


def of_own_section(stage: Stage) -> Metrics:
    """A stage that reads the matrices before it, and no settings but those of its name."""
    module = importlib.import_module(f"pipeline.{stage.name}")
    metrics: Metrics = module.run(stage.layout, getattr(stage.settings, stage.name))
    return metrics


def human(stage: Stage) -> Metrics:
    from pipeline import human

    settings = stage.settings
    measures, lemmatize = settings.publish.measures, stage.language.lemmatize
    return human.run(stage.layout, settings.human, measures, lemmatize)


def agents(stage: Stage) -> Metrics:
    from pipeline import agents

    return agents.run(stage.layout, stage.settings.agents, stage.settings.publish)


def curve(stage: Stage) -> Metrics:
    from pipeline import curve

    if not curve.gold_sets(stage.layout):  # nothing to correlate with: Spark need not start
        return {"tokens": [], "gold": {}, "whole": {}}
    settings = stage.settings
    lemmatize = stage.language.lemmatize
    return stage.with_spark(curve.run, settings.counts, settings.npmi, settings.evaluate, lemmatize)


def evaluate(stage: Stage) -> Metrics:
    from pipeline import evaluate

    settings = stage.settings
    measures = stage.layout.with_learned(settings.publish.measures)
    lemmatize = stage.language.lemmatize
    return evaluate.run(stage.layout, settings.evaluate, measures, lemmatize)


def publish(stage: Stage) -> Metrics:
    from pipeline import publish

    settings = dataclasses.asdict(stage.settings)
    beside = ("fetch", "agents", "curve", "evaluate", "publish")  # they make no matrix
    parameters = {section: settings[section] for section in STAGES if section not in beside}
    own = ("lemmatize", "vocabulary")
    parameters["language"] = {key: settings["languages"][stage.layout.language][key] for key in own}
    chosen = stage.settings.publish
    chosen = dataclasses.replace(chosen, measures=stage.layout.with_learned(chosen.measures))
    return publish.run(stage.layout, chosen, parameters)


STAGES: dict[str, Callable[[Stage], Metrics]] = {
    "fetch": fetch,
    "tokens": tokens,
    "vocabulary": vocabulary,
    "counts": counts,
    "npmi": of_own_section,
    "squared": of_own_section,
    "graph": of_own_section,
    "svd": of_own_section,
    "fasttext": of_own_section,
    "blend": of_own_section,
    "human": human,
    "agents": agents,
    "curve": curve,
    "evaluate": evaluate,
    "publish": publish,
}


def parser() -> argparse.ArgumentParser:
    """The command line."""
    command = argparse.ArgumentParser(prog="python -m pipeline", description=__doc__)
    command.add_argument("--root", type=Path, default=Path(), help="the project's folder")
    command.add_argument("-v", "--verbose", action="store_true", help="let Spark talk")
    parts = command.add_subparsers(dest="command", required=True, metavar="command")
    for name in STAGES:
        stage = parts.add_parser(name, help=f"run the stage {name} of a language")
        stage.add_argument("language", help="a language of params.yaml")
        if name == "evaluate":
            stage.add_argument("--gold", type=Path, help="rated pairs of your own: only print")
        if name == "counts":
            made = stage.add_mutually_exclusive_group()
            formats = ("parquet", "mtx", "glove")
            made.add_argument("--export", choices=formats, help="write the counts that are there")
            made.add_argument("--show", nargs="+", metavar="WORD", help="a pair, or one's partners")
            stage.add_argument("--to", type=Path, help="the folder of --export")
    adding = parts.add_parser("add", help="look at raw text and declare it in params.yaml")
    adding.add_argument("language", help="a language code, such as fi")
    adding.add_argument("location", nargs="+", help="files, globs or addresses")
    adding.add_argument(
        "--tolerate", type=float, default=0.0, help="the share of damaged bytes that may be lost"
    )
    known = parts.add_parser("sources", help="tell where raw text of a language is")
    known.add_argument("language", help="a language code, such as fi")
    parts.add_parser("check", help="check params.yaml and make the folders that DVC watches")
    parts.add_parser("together", help="learn from the recorded rounds of all languages as one")
    parts.add_parser("summary", help="print the correlations, the reports' places, and a clue")
    return command


def run_stage(name: str, root: Path, language: str, settings: Settings, verbose: bool) -> None:
    """Run a stage, write its metrics, and tell in one line what it did."""
    layout = Layout(root, language)
    began = time.perf_counter()
    print(f"{name} {language} …", file=sys.stderr, flush=True)
    metrics = STAGES[name](Stage(name, layout, settings, verbose))
    seconds = time.perf_counter() - began
    from wordkin.measures import write_text

    path = layout.metrics(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({**metrics, "seconds": round(seconds, 1)}, indent=2, ensure_ascii=False)
    write_text(path, text + "\n")
    describe = sys.modules[f"pipeline.{name}"].describe
    print(f"{name} {language}: {describe(metrics)}; {seconds:.1f} s", file=sys.stderr)


def evaluate_by_hand(root: Path, language: str, settings: Settings, gold: Path) -> str:
    """The correlations with rated pairs of one's own; nothing is written."""
    from pipeline import evaluate

    layout = Layout(root, language)
    measures = layout.with_learned(settings.publish.measures)
    lemmatize = settings.of(language).lemmatize
    return evaluate.by_hand(layout, settings.evaluate, measures, lemmatize, gold)


def counts_by_hand(layout: Layout, settings: Settings, given: argparse.Namespace) -> str:
    """The counts that are there, in another format or for a person to look at."""
    from pipeline import export, partners

    lemmatize = settings.of(layout.language).lemmatize
    if given.show:
        return partners.show(layout, given.show, lemmatize)
    return export.export(layout, given.export, given.to)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; bad input is told in plain sentences with exit code 2."""
    given = parser().parse_args(arguments)
    root = given.root.resolve()
    try:
        settings = settings_module.load(root / "params.yaml")
        if given.command == "summary":
            from pipeline import summary

            summary.print_summary(root, settings)
        elif given.command == "add":
            from pipeline import add

            mirror = settings.fetch.folder(root)
            told = add.add(root, given.language, given.location, mirror, given.tolerate)
            print("\n".join(told))
        elif given.command == "sources":
            from pipeline import add

            print("\n".join(add.known_sources(given.language)))
        elif given.command == "together":
            from pipeline import human

            layouts = [Layout(root, code) for code in settings.languages]
            lemmatize = {code: of.lemmatize for code, of in settings.languages.items()}
            print(human.together(layouts, settings.human, lemmatize))
        elif given.command == "check":
            for language in settings.languages:
                Layout(root, language).prepare()
        elif given.command == "counts" and (given.export or given.show):
            print(counts_by_hand(Layout(root, given.language), settings, given))
        elif given.command == "evaluate" and given.gold:
            print(evaluate_by_hand(root, given.language, settings, given.gold))
        else:
            run_stage(given.command, root, given.language, settings, given.verbose)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; run dvc repro to go on", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())

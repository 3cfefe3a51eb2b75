"""`python -m pipeline <stage> <language>` runs one stage, `python -m pipeline run` all of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from pipeline.layout import Layout
from pipeline.params import load_settings
from pipeline.settings import Settings
from pipeline.spark import hide_pandas
from pipeline.stage import Job
from pipeline.stages import (
    STAGES,
    check_definitions,
    measure_names,
    stage_named,
    write_code,
    write_definitions,
)
from wordkin.errors import InputError
from wordkin.program import run
from wordkin.ranges import Real

Command = Callable[[Path, Settings, argparse.Namespace], None]
"""Runs a command in a project's folder, with its settings and what was given."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    command = argparse.ArgumentParser(prog="python -m pipeline", description=__doc__)
    command.add_argument("--root", type=Path, default=Path(), help="the project's folder")
    command.add_argument("-v", "--verbose", action="store_true", help="show what Spark logs")
    commands = command.add_subparsers(dest="command", required=True, metavar="command")

    def add(name: str, run: Command, about: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=about, description=about)
        added.set_defaults(run=run)
        return added

    for stage in STAGES:
        added = add(stage.name, run_stage, f"run the stage {stage.name} of a language")
        added.add_argument("language", help="a language of params.yaml")
        if stage.name == "counts":
            instead = added.add_mutually_exclusive_group()
            formats = ("parquet", "mtx", "glove")
            instead.add_argument("--export", choices=formats, help="write the existing counts")
            instead.add_argument("--show", nargs="+", metavar="WORD", help="a pair, or partners")
            added.add_argument("--to", type=Path, help="the folder of --export")
        if stage.name == "report":
            added.add_argument(
                "--gold",
                type=Path,
                help="only print the correlations with this file",
            )
    code = add("code", run_code, "write what the code of each stage means, for DVC to look at")
    code.add_argument("language", help="a language of params.yaml")
    add("dvc", run_dvc, "write dvc.yaml from the table of stages")
    adding = add("add", run_add, "look at raw text and declare it in params.yaml")
    adding.add_argument("language", help="a language code, such as fi")
    adding.add_argument("location", nargs="*", help="files, globs or addresses")
    adding.add_argument(
        "--from",
        dest="corpora",
        type=lambda names: [name.strip() for name in names.split(",") if name.strip()],
        default=[],
        metavar="CORPUS,...",
        help="corpora that their makers publish: wikipedia, opensubtitles, webcorpus (Hungarian)",
    )
    adding.add_argument(
        "--profile", choices=["paper"], help="the corpora and the number of words of the paper"
    )
    adding.add_argument(
        "--replace",
        action="store_true",
        help="with --from or --profile: instead of the sources that are declared",
    )
    adding.add_argument(
        "--tolerate",
        type=Real(0, 1),
        default=0.0,
        help="the share of damaged bytes that may be lost",
    )
    merging = add("merge", run_merge, "write the settings of another file over params.yaml")
    merging.add_argument("file", type=Path, help="such as knowledge.yaml")
    known = add("sources", run_sources, "say where raw text of a language can be found")
    known.add_argument("language", help="a language code, such as fi")
    add("run", run_all, "build all languages, independent stages side by side, and print a summary")
    boards = add("boards", run_boards, "write the proposed board words of a language, to be edited")
    boards.add_argument("language", help="a language of params.yaml that was built")
    add("check", run_check, "check params.yaml and dvc.yaml, and make the folders that DVC watches")
    starter = add("starter", run_starter, "make the starter bundles that starter.yaml declares")
    starter.add_argument("languages", nargs="*", help="only these languages")
    add("summary", run_summary, "print the correlations, where the reports are, and a clue")
    return command


def run_stage(root: Path, settings: Settings, given: argparse.Namespace) -> None:
    """Run a stage, or what its options ask for instead."""
    hide_pandas()
    layout = Layout(root, given.language, settings.storage)
    job = Job(given.command, layout, settings, given.verbose)
    lemmatize = job.language.lemmatize
    if getattr(given, "export", None):
        from pipeline.count.export import export

        print(export(layout, given.export, given.to))
    elif getattr(given, "show", None):
        from pipeline.count.export import show

        print(show(layout, given.show, lemmatize))
    elif getattr(given, "gold", None):
        from pipeline.judge.report import by_hand

        measures = layout.available(settings.publish.measures)
        print(by_hand(layout, settings.report, measures, lemmatize, given.gold))
    else:
        stage_named(given.command).run(job)


def run_add(root: Path, settings: Settings, given: argparse.Namespace) -> None:
    """Declare raw text in params.yaml."""
    mirror = settings.fetch.mirror_folder(root)
    if given.corpora or given.profile:
        if given.location:
            raise InputError("Give files to add, or --from and --profile, but not both at once.")
        from pipeline.fetch.published import add_published

        code, names = given.language, given.corpora
        print("\n".join(add_published(root, code, names, mirror, given.profile, given.replace)))
        return
    if not given.location:
        raise InputError("Say what to add: files, globs or addresses, or --from wikipedia.")
    from pipeline.fetch.add import add

    print("\n".join(add(root, given.language, given.location, mirror, given.tolerate)))


def run_merge(root: Path, settings: Settings, given: argparse.Namespace) -> None:
    """Write the settings of another file over those of params.yaml."""
    from pipeline.fetch.params_file import merge

    changed = merge(root / "params.yaml", given.file, measure_names())
    if changed:
        print(f"params.yaml has changed: {', '.join(changed)}. Now run: dvc repro (or make run)")
    else:
        print(f"params.yaml has all settings of {given.file} already.")


def run_sources(root: Path, settings: Settings, given: argparse.Namespace) -> None:
    """Say where raw text of a language can be found."""
    from pipeline.fetch.published import known_sources

    print("\n".join(known_sources(given.language)))


def run_boards(root: Path, settings: Settings, given: argparse.Namespace) -> None:
    """Write the proposed board words of a language to where they can be edited."""
    from pipeline.publish.board_proposal import write_boards

    path = write_boards(Layout(root, given.language))
    print(f"{path}: look through the words, and remove those that nobody would play with")


def run_code(root: Path, settings: Settings, given: argparse.Namespace) -> None:
    """Write what the code of each stage means."""
    write_code(root, given.language)


def run_dvc(root: Path, settings: Settings, given: argparse.Namespace) -> None:
    """Write `dvc.yaml`."""
    write_definitions(root / "dvc.yaml")


def run_check(root: Path, settings: Settings, given: argparse.Namespace) -> None:
    """Make sure that `dvc repro` can start; the settings were checked when they were read."""
    check_definitions(root / "dvc.yaml")
    for language in settings.languages:
        Layout(root, language).raw.mkdir(parents=True, exist_ok=True)


def run_all(root: Path, settings: Settings, given: argparse.Namespace) -> None:
    """Run every stage that has changed, then print what a person wants to see."""
    from pipeline.build import build

    run_check(root, settings, given)
    build(root, settings)
    run_summary(root, settings, given)


def run_starter(root: Path, settings: Settings, given: argparse.Namespace) -> None:
    """Make the starter bundles from their own settings, in a work folder of their own."""
    from pipeline.publish.starter import make_starters

    make_starters(root, settings, given.languages, given.verbose)


def run_summary(root: Path, settings: Settings, given: argparse.Namespace) -> None:
    """Print what a person wants to see at the end."""
    from pipeline.publish.summary import print_summary

    print_summary(root, settings.languages)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; see `wordkin.program`."""

    def command() -> None:
        given = parser().parse_args(arguments)
        root = given.root.resolve()
        given.run(root, load_settings(root / "params.yaml", measure_names()), given)

    return run(command, after_interrupt="interrupted; run dvc repro to go on")


if __name__ == "__main__":
    sys.exit(main())

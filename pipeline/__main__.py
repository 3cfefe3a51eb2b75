"""`python -m pipeline <stage> <language>` runs one stage, `python -m pipeline run` all of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from pipeline.layout import Layout
from pipeline.settings import Settings, load_settings
from pipeline.stage import Job
from pipeline.stages import (
    TABLE,
    check_definitions,
    load_checked,
    stage_named,
    write_code,
    write_definitions,
)
from wordkin.errors import InputError
from wordkin.program import run as run_program
from wordkin.ranges import Real

FOLDER = click.Path(path_type=Path)


@dataclass(frozen=True)
class Project:
    """The project's folder and whether to show what Spark logs."""

    root: Path
    verbose: bool

    def settings(self) -> Settings:
        """All settings, checked as a whole."""
        return load_checked(self.root / "params.yaml")

    def job(self, stage: str, language: str) -> Job:
        """A stage's job; only what the stage reads is checked."""
        settings = load_settings(self.root / "params.yaml")
        layout = Layout(self.root, language, settings.storage)
        settings.of(language)
        return Job(stage, layout, settings, self.verbose)


@click.group(
    "python -m pipeline",
    help=__doc__,
    no_args_is_help=False,
    context_settings={"max_content_width": 100},
)
@click.option("--root", type=FOLDER, default=Path(), help="The project's folder.")
@click.option("-v", "--verbose", is_flag=True, help="Show what Spark logs.")
@click.pass_context
def program(context: click.Context, root: Path, verbose: bool) -> None:
    """Remember the project's folder for the command."""
    context.obj = Project(root.resolve(), verbose)


def _stage_command(name: str) -> click.Command:
    """The command that runs a stage."""

    @click.pass_obj
    def command(project: Project, language: str) -> None:
        stage_named(name).run(project.job(name, language))

    about = f"Run the stage {name} of a language."
    return click.Command(name, callback=command, params=[_language()], help=about)


def _language() -> click.Argument:
    return click.Argument(["language"])


for _name in TABLE:
    program.add_command(_stage_command(_name))


@program.command()
@click.argument("language")
@click.option(
    "--export",
    "format_name",
    type=click.Choice(["parquet", "mtx", "glove"]),
    help="Write the existing counts in this format instead.",
)
@click.option("--to", type=FOLDER, help="The folder of --export.")
@click.option("--show", is_flag=True, help="Show the counts of a pair, or the partners of a word.")
@click.argument("words", nargs=-1)
@click.pass_obj
def counts(
    project: Project,
    language: str,
    format_name: str | None,
    to: Path | None,
    show: bool,
    words: tuple[str, ...],
) -> None:
    """Run the stage counts of a language, or look at the counts."""
    job = project.job("counts", language)
    if format_name and show:
        raise InputError("Give --export or --show, but not both at once.")
    if format_name:
        from pipeline.count.export import export

        print(export(job.layout, format_name, to))
    elif show:
        from pipeline.count.export import show as show_counts

        print(show_counts(job.layout, list(words)))
    elif words:
        raise InputError(f"'{words[0]}' is not understood: give words with --show.")
    else:
        stage_named("counts").run(job)


@program.command()
@click.argument("language")
@click.option("--gold", type=FOLDER, help="Only print the correlations with this file.")
@click.pass_obj
def report(project: Project, language: str, gold: Path | None) -> None:
    """Run the stage report of a language, or compare its measures with another gold set."""
    job = project.job("report", language)
    if gold is None:
        stage_named("report").run(job)
        return
    from pipeline.judge.report import Report, by_hand

    measures = job.layout.available(job.settings.publish.measures)
    print(by_hand(job.layout, job.settings.section(Report), measures, gold))


@program.command()
@click.argument("language")
@click.argument("locations", nargs=-1, metavar="[LOCATION]...")
@click.option(
    "--from",
    "corpora",
    default="",
    metavar="CORPUS,...",
    help="Corpora that their makers publish: wikipedia, opensubtitles, webcorpus (Hungarian).",
)
@click.option(
    "--profile",
    type=click.Choice(["paper"]),
    help="The corpora and the number of words of the paper.",
)
@click.option(
    "--replace",
    is_flag=True,
    help="With --from or --profile: instead of the sources that are declared.",
)
@click.option(
    "--tolerate",
    type=Real(0, 1),
    default=0.0,
    help="The share of damaged bytes that may be lost.",
)
@click.pass_obj
def add(
    project: Project,
    language: str,
    locations: tuple[str, ...],
    corpora: str,
    profile: str | None,
    replace: bool,
    tolerate: float,
) -> None:
    """Look at raw text (files, globs or addresses) and declare it in params.yaml."""
    mirror = load_settings(project.root / "params.yaml").fetch.mirror_folder(project.root)
    names = [name.strip() for name in corpora.split(",") if name.strip()]
    if names or profile:
        if locations:
            raise InputError("Give files to add, or --from and --profile, but not both at once.")
        from pipeline.fetch.published import add_published

        lines = add_published(project.root, language, names, mirror, profile, replace)
    elif locations:
        from pipeline.fetch.add import add as add_files

        lines = add_files(project.root, language, list(locations), mirror, tolerate)
    else:
        raise InputError("Say what to add: files, globs or addresses, or --from wikipedia.")
    print("\n".join(lines))


@program.command()
@click.argument("file", type=FOLDER)
@click.pass_obj
def merge(project: Project, file: Path) -> None:
    """Write the settings of another file, such as knowledge.yaml, over params.yaml."""
    from pipeline.fetch.params_file import merge as merge_files

    changed = merge_files(project.root / "params.yaml", file)
    if changed:
        print(f"params.yaml has changed: {', '.join(changed)}. Now run: dvc repro (or make run)")
    else:
        print(f"params.yaml has all settings of {file} already.")


@program.command()
@click.argument("language")
def sources(language: str) -> None:
    """Say where raw text of a language can be found."""
    from pipeline.fetch.published import known_sources

    print("\n".join(known_sources(language)))


@program.command()
@click.argument("language")
@click.pass_obj
def boards(project: Project, language: str) -> None:
    """Write the proposed board words of a language to where they can be edited."""
    from pipeline.publish.board_proposal import write_boards

    path = write_boards(Layout(project.root, language))
    print(f"{path}: look through the words, and remove those that nobody would play with")


@program.command()
@click.pass_obj
def check(project: Project) -> None:
    """Check params.yaml and dvc.yaml, and make the folders that DVC watches."""
    _check(project)


def _check(project: Project) -> Settings:
    settings = project.settings()
    check_definitions(project.root / "dvc.yaml")
    for language in settings.languages:
        Layout(project.root, language).raw.mkdir(parents=True, exist_ok=True)
    return settings


@program.command()
@click.pass_obj
def run(project: Project) -> None:
    """Build all languages side by side, and print a summary."""
    from pipeline.build import build
    from pipeline.publish.summary import print_summary

    settings = _check(project)
    build(project.root, settings)
    print_summary(project.root, settings.languages)


@program.command()
@click.argument("languages", nargs=-1)
@click.pass_obj
def starter(project: Project, languages: tuple[str, ...]) -> None:
    """Make the starter bundles that starter.yaml declares, of all languages or of some."""
    from pipeline.publish.starter import make_starters

    make_starters(project.root, project.settings(), languages, project.verbose)


@program.command()
@click.pass_obj
def summary(project: Project) -> None:
    """Print the correlations, where the reports are, and a clue."""
    from pipeline.publish.summary import print_summary

    print_summary(project.root, load_settings(project.root / "params.yaml").languages)


@program.command()
@click.argument("language")
@click.pass_obj
def code(project: Project, language: str) -> None:
    """Write what the code of each stage means, for DVC to look at."""
    write_code(project.root, language)


@program.command()
@click.pass_obj
def dvc(project: Project) -> None:
    """Write dvc.yaml from the table of stages."""
    write_definitions(project.root / "dvc.yaml")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; see `wordkin.program`."""

    def command() -> None:
        given = sys.argv[1:] if arguments is None else arguments
        with program.make_context("python -m pipeline", list(given)) as context:
            program.invoke(context)

    return run_program(command, after_interrupt="interrupted; run dvc repro to go on")


if __name__ == "__main__":
    sys.exit(main())

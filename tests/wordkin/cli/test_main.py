"""The command line as a program: its commands, its help and what it loads."""

from __future__ import annotations

import importlib
import pkgutil
import shlex
import subprocess
import sys

import pytest

import wordkin.cli
from wordkin.cli import COMMANDS, GROUPS, main
from wordkin.cli.command import Command
from wordkin.cli.completion import SHELLS

SHARED = {"command", "options", "output"}


def test_every_module_of_a_command_is_registered() -> None:
    modules = {module.name for module in pkgutil.iter_modules(wordkin.cli.__path__)} - SHARED
    assert {command.name for command in COMMANDS} == modules
    for name in modules:
        assert importlib.import_module(f"wordkin.cli.{name}").COMMAND in COMMANDS


def test_help_lists_all_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        main(["--help"])
    assert done.value.code == 0
    shown = capsys.readouterr().out
    for command in COMMANDS:
        assert f"    {command.name}" in shown
        assert command.summary in shown
        assert f"$ wordkin {command.example}\n" in shown
    for title in GROUPS:
        assert f"\n{title}:\n" in shown


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_example_is_a_call_of_its_command(command: Command) -> None:
    call = command.example.partition(" > ")[0]
    given = wordkin.cli.parser().parse_args(shlex.split(call))
    assert given.command == command.name


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_can_complete_commands_and_options(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for word in ("tournament", "sharpness", "harmonic-divide"):
        assert word in script


def test_bash_accepts_the_script(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == 0
    typed = "COMP_WORDS=(wordkin tour); COMP_CWORD=1; _shtab_wordkin; echo ${COMPREPLY[@]}"
    script = f"{capsys.readouterr().out}\n{typed}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "tournament\n"


def test_without_its_package_completion_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["completion", "bash"]) == 2
    assert "pip install shtab" in capsys.readouterr().err


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_every_option_has_a_help_text(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = wordkin.cli.parser()
    with pytest.raises(SystemExit):
        parser.parse_args([name, "--help"])
    assert f"wordkin {name}" in capsys.readouterr().out
    (commands,) = (action for action in parser._actions if action.dest == "command")
    assert commands.choices is not None
    options = dict(commands.choices)[name]._actions  # type: ignore[call-overload]
    assert [option.dest for option in options if not option.help] == []


@pytest.mark.parametrize("arguments", [[], ["sing"], ["clue", "--scoring", "harmonik"]])
def test_a_wrong_call_shows_the_usage_and_exits_with_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as done:
        main(arguments)
    assert done.value.code == 2
    assert capsys.readouterr().err.startswith("usage: wordkin")


def test_other_commands_do_not_load_what_tournaments_need() -> None:
    code = (
        "import sys, wordkin.cli; wordkin.cli.parser()\n"
        "print(*[n for n in ('multiprocessing', 'concurrent.futures', 'wordkin.game.tournament',\n"
        "                    'wordkin.game.standings', 'wordkin.judging') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
